"""The declaration of a person about hierarchies from files, which nobody makes in their name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label

_WHY = "A published classification is so. One drawn up while looking at this file is not."
_ELSE = "Unless it is so, the release can promise nothing."
_NAMED = 3
"""Of more the list above says which they are."""


class Declaration(QWidget):
    """One question for all that nobody has declared yet: a box, unticked, with words of as many lines as they need.

    Signals
    -------
    declared()
        The person has ticked it.
    """

    declared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox()
        set_explain(self, "hierarchies.provenance")
        self._words, self._names = label(wrap=True), label(small=True, muted=True, wrap=True)
        self._why = label(_WHY, small=True, wrap=True)
        for words in (self._words, self._why, self._names):
            words.setMinimumWidth(1)
        boxes.row(
            (self.box, Qt.AlignmentFlag.AlignTop),
            (boxes.column(self._words, self._why, self._names, spacing="hair"), 1),
            spacing="s",
            inside=self,
        )
        self.box.clicked.connect(self._tell)

    def ask(self, names: Sequence[str], *, all_of_them: bool = True) -> None:
        """Ask about the hierarchies of these columns, which are all or those that were selected."""
        these = "this one was" if len(names) == 1 else f"these {len(names):,} were"
        self._words.setText(f"I declare that {these} made without this data")
        some = "\nOnly of some? Select them above, with Ctrl." if all_of_them and len(names) > 1 else ""
        self._names.setText(some.strip() if some and len(names) > _NAMED else f"{', '.join(names)}{some}")
        self.setToolTip(f"{_ELSE}{some}")
        self.box.setAccessibleName(self._words.text())
        self.box.setAccessibleDescription(f"{_WHY} {', '.join(names)}{some}")
        self.box.setChecked(False)
        self.setVisible(bool(names))

    def _tell(self, ticked: bool) -> None:
        if ticked:
            self.declared.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.box.click()
        super().mouseReleaseEvent(event)
