"""The field that finds values of a hierarchy, and how many were found."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel

_WAIT_MS = 150
_FROM = 20
"""Values of which one is looked for; fewer are seen as they are."""


class ValueFinder(QWidget):
    """Hidden where there are few values.

    Signals
    -------
    asked()
        Other values are looked for; a moment after the person stopped typing.
    """

    asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter…")
        self.search.setAccessibleName("Filter values or groups")
        self.search.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setClearButtonEnabled(True)
        self._found = ElidedLabel()
        set_look(self._found, muted=True, small=True)
        self._wait = Later(self, self.asked.emit, _WAIT_MS)
        self.search.textChanged.connect(lambda _: self._wait.start())
        boxes.row((self.search, 1), self._found, spacing="s", inside=self)

    @property
    def text(self) -> str:
        """What is looked for, without spaces around it."""
        return self.search.text().strip()

    def stop(self) -> None:
        """Look for nothing any more."""
        self._wait.stop()

    def clear(self) -> None:
        """Forget what was looked for, and ask for nothing."""
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)

    def say(self, shown: int, total: int) -> None:
        """Say how many of the values were found; where all are shown level 0 says how many that is."""
        self._found.set_text("" if shown == total else f"{shown:,} of {total:,}")
        self.setVisible(total > _FROM or bool(self.search.text()))
