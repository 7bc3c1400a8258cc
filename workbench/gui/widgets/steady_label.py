"""Words that come and go while what is below them stays where it is."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from workbench.gui import tokens
from workbench.gui.theme import set_look

_BAR = 2 * tokens.SPACE_L
"""How much wider everything may become by a bar for scrolling that goes."""


class SteadyLabel(QLabel):
    """A small label that breaks lines and keeps the room that it once took, so that nothing jumps when it empties.

    The room is that of the highest text so far at the width it has; `start_over` gives it back.
    """

    # Of the class too: Qt lays a label out while it is being made.
    _highest = ""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        set_look(self, small=True)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._keep()

    def keep_room_for(self, text: str) -> None:
        """Take the room of words that are still to come."""
        self._highest = max(self._highest, text, key=self._room_of)
        self._keep()

    def start_over(self) -> None:
        """Give back what is not needed: these words are about something else."""
        self._highest = ""
        self.setMinimumHeight(0)
        self._keep()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wider = event.size().width() - event.oldSize().width()
        # Where a bar for scrolling goes, it could only have stayed if this had kept its room: no reason to jump.
        if wider and not 0 < wider <= _BAR:
            self.setMinimumHeight(0)
            self._keep()

    def _keep(self) -> None:
        self._highest = max(self._highest, self.text(), key=self._room_of)
        if self._highest:
            # No less than it has: a bar for scrolling that went has left room of a narrower label.
            self.setMinimumHeight(max(self.minimumHeight(), self._height_of(self._highest)))

    def _room_of(self, text: str) -> tuple[int, int]:
        """How high it is here; of two that are as high the longer one may be higher at another width."""
        return self._height_of(text), len(text)

    def _height_of(self, text: str) -> int:
        if not text or text == self.text():
            return self.heightForWidth(self.width()) if text else 0
        room = QRect(0, 0, max(self.width(), 1), 0)
        return self.fontMetrics().boundingRect(room, int(Qt.TextFlag.TextWordWrap), text).height()
