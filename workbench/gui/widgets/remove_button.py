"""The small button beside an entry of a list that takes it away."""

from __future__ import annotations

import time

from PySide6.QtCore import QPointF
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from workbench.gui.icons import icon


class RemoveButton(QToolButton):
    """Takes one entry away, also when it is clicked twice in haste.

    The next entry moves up under the pointer, and its button would take the second half of a double click.
    """

    _last: tuple[float, QPointF] | None = None
    """When and where on the screen one of these buttons was clicked last."""

    def __init__(self, name: str = "", *, picture: str = "remove", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setIcon(icon(picture, "muted"))
        self.set_name(name)

    def set_name(self, name: str) -> None:
        """Say what is taken away, as “Remove level 2”."""
        self.setAccessibleName(name)
        self.setToolTip(name)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._is_second_half(event):
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isDown():
            RemoveButton._last = (time.monotonic(), event.globalPosition())
        super().mouseReleaseEvent(event)

    @staticmethod
    def _is_second_half(event: QMouseEvent) -> bool:
        if RemoveButton._last is None:
            return False
        when, where = RemoveButton._last
        hasty = (time.monotonic() - when) * 1000 < QApplication.doubleClickInterval()
        moved = (event.globalPosition() - where).manhattanLength()
        return hasty and moved < QApplication.startDragDistance()
