"""The line above every page: who may see it, and the messages; it keeps its place, whatever it says."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui import tokens
from workbench.gui.messages import MessageBar
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.status import Status


class HeaderLine(QFrame):
    """One line of a fixed height above the page.

    Parameters
    ----------
    messages
        What stands beside the lock.
    """

    def __init__(self, messages: MessageBar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.take_size()
        self._lock = analyst_badge()
        # Where there is no message, the room left over is none of the lock's.
        boxes.row(self._lock, (messages, 100), 1, margins="l xs m xs", spacing="m", inside=self)
        self.set_lock("")

    def take_size(self) -> None:
        """Be as high as text of the present size needs."""
        self.setFixedHeight(tokens.HEADER_HEIGHT)

    @property
    def lock(self) -> str:
        """What the lock says; nothing where the page has none."""
        return self._lock.text if self._lock.isVisibleTo(self) else ""

    def set_lock(self, words: str) -> None:
        """Say who may see the page, or with an empty text nothing of it."""
        if words:
            self._lock.set_status(Status.ANALYST, words)
        self._lock.setVisible(bool(words))
