"""Words that come and go while what is below them stays where it is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from workbench.gui.theme import set_look


class SteadyLabel(QLabel):
    """A small label that breaks lines and keeps the room that it once took, so that nothing jumps when it empties.

    The room is that of the most lines at the width it has; another width, or `start_over`, gives it back.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        set_look(self, small=True)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._keep()

    def start_over(self) -> None:
        """Give back what is not needed: these words are about something else."""
        self.setMinimumHeight(0)
        self._keep()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.start_over()

    def _keep(self) -> None:
        if self.text():
            self.setMinimumHeight(max(self.minimumHeight(), self.heightForWidth(self.width())))
