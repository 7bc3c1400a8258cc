"""A page with messages lying over its top."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.gui.messages import MessageBar


class Overlaid(QWidget):
    """A page with messages over its top: nothing moves under a hand when one appears."""

    def __init__(self, page: QWidget, messages: MessageBar) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page)
        self._messages = messages
        messages.setParent(self)
        messages.raise_()
        messages.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._messages and event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._place()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        needed = self._messages.layout()
        height = needed.totalHeightForWidth(self.width()) if needed is not None else 0
        self._messages.setGeometry(0, 0, self.width(), max(height, self._messages.minimumSizeHint().height()))
