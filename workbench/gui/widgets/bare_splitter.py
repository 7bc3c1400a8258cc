"""The splitter of the window's frame, which needs no stylesheet."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour


class BareSplitter(QSplitter):
    """Two parts side by side, with the line of other splitters between them.

    All rooms lie in it, and each has a stylesheet of its own: with one around them, all would be styled at once.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setHandleWidth(tokens.SPLITTER_WIDTH)

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    def __init__(self, orientation: Qt.Orientation, parent: QSplitter) -> None:
        super().__init__(orientation, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        token = "accent" if self.underMouse() else "border"
        painter.fillRect((self.width() - 1) // 2, 0, 1, self.height(), colour(token))
        painter.end()
