"""The switch between kinds of anonymity: an (ε, δ) release, or k-anonymity and its relatives."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.project.anonymise_settings import AnonymityKind

_ORDER = (AnonymityKind.DP, AnonymityKind.SYNTACTIC)


_ABOUT = {
    AnonymityKind.DP: "Holds whatever readers know. Take it unless a rule asks for k-anonymity.",
    AnonymityKind.SYNTACTIC: "Where a rule asks for it. Rows look alike: no promise against what readers know besides.",
}


class ApproachSwitch(QWidget):
    """Shows and edits the approach of the project."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.setAccessibleName("Kind of anonymity")
        words = {
            AnonymityKind.DP: (
                "Privacy promise",
                "For publishing, an (ε, δ) release: it holds whatever anybody knows, and adds up over releases. "
                "Take it unless a rule asks for k-anonymity",
            ),
            AnonymityKind.SYNTACTIC: (
                "Rows alike (k-anonymity)",
                "Where a rule asks for it, k-anonymity and its relatives: more detail, and no (ε, δ) claim",
            ),
        }
        self.buttons: dict[AnonymityKind, QRadioButton] = {}
        self._group = QButtonGroup(self)
        line = boxes.row(spacing="s")
        self.about = label(small=True, muted=True, wrap=True)
        boxes.column(line, self.about, spacing="xs", inside=self)
        for place, approach in enumerate(_ORDER):
            button = QRadioButton(words[approach][0])
            button.setAccessibleName(words[approach][0])
            button.setAccessibleDescription(words[approach][1])
            button.setToolTip(words[approach][1])
            set_explain(button, "anonymise.approach")
            self._group.addButton(button, place)
            self.buttons[approach] = button
            line.addWidget(button)
        line.addStretch(1)
        self._group.idClicked.connect(self._choose)
        self.refresh()

    def refresh(self) -> None:
        """Show the approach as the settings have it."""
        chosen = self._document.project.anonymise.approach
        self.about.setText(_ABOUT[chosen])
        # Once there is more to do below, what is recommended anyway is said in the tips alone.
        self.about.setVisible(chosen is not AnonymityKind.DP or not self._document.project.hierarchies)
        for approach, button in self.buttons.items():
            button.setChecked(approach is chosen)
            # Tab stops at the chosen one; the arrows go on from it.
            policy = Qt.FocusPolicy.StrongFocus if approach is chosen else Qt.FocusPolicy.ClickFocus
            button.setFocusPolicy(policy)

    def _choose(self, place: int) -> None:
        approach = _ORDER[place]
        if approach is self._document.project.anonymise.approach:
            return
        text = f"Switch to {self.buttons[approach].text()}"
        self._document.apply(text, lambda session: session.syntactic.set_approach(approach))
