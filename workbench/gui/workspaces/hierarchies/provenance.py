"""The provenance of a hierarchy, and the correction of what the program believes about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QWidget,
)

from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.io.hierarchy_csv import file_words, is_unsaid, nobody_said


class ProvenanceEditor(QFrame):
    """Made without this data, from it or not known, with the reason in words.

    Signals
    -------
    corrected(object, str)
        The `Provenance` and how the hierarchy was made.
    closed()
        The person is done here, one way or the other.
    """

    corrected = Signal(object, str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        set_explain(self, "hierarchies.provenance")
        self.public = QRadioButton("Made &without this data")
        self.derived = QRadioButton("Made &from this data, by looking at it")
        self.unknown = QRadioButton("I do not know: it counts as made from the data")
        group = QButtonGroup(self)
        for choice in (self.public, self.derived, self.unknown):
            choice.setAccessibleName(choice.text().replace("&", ""))
            group.addButton(choice)
        group.buttonClicked.connect(self._judge)
        self.reason = QLineEdit()
        self.reason.setAccessibleName("How the hierarchy was made")
        self.reason.setPlaceholderText("Such as: age bands of the national statistics office")
        self.reason.textChanged.connect(self._judge)
        self.reason.returnPressed.connect(self._save)
        self.save = QPushButton("Save")
        self.cancel = QPushButton("Cancel")
        set_look(self.cancel, quiet=True)
        for button in (self.save, self.cancel):
            button.setAccessibleName(button.text())
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.closed)
        asked = label("How was it &made?", small=True)
        asked.setBuddy(self.reason)
        boxes.column(
            self.public,
            self.derived,
            self.unknown,
            asked,
            boxes.row((self.reason, 1), self.save, self.cancel, spacing="s"),
            margins="m s m m",
            spacing="xs",
            inside=self,
        )

    def start(self, hierarchy: Hierarchy) -> None:
        """Show what is believed about a hierarchy."""
        public = hierarchy.provenance is Provenance.PUBLIC
        believed = self.unknown if is_unsaid(hierarchy) else self.public if public else self.derived
        believed.setChecked(True)
        self.reason.setText(file_words(hierarchy))
        self._judge()
        believed.setFocus(Qt.FocusReason.OtherFocusReason)

    def _judge(self, *_: object) -> None:
        given = bool(self.reason.text().strip()) or self.unknown.isChecked()
        self.save.setEnabled(given)
        self.save.setToolTip("" if given else "Say how it was made first.")

    def _save(self) -> None:
        if self.save.isEnabled():
            provenance = Provenance.PUBLIC if self.public.isChecked() else Provenance.DERIVED
            words = self.reason.text().strip()
            self.corrected.emit(provenance, nobody_said(words) if self.unknown.isChecked() else words)
            self.closed.emit()
