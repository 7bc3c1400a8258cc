"""Tabs with something else in the rest of their line."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from workbench.gui.widgets import boxes


class _RestOfLine(QWidget):
    """As wide as the tabs leave room for."""

    def __init__(self, beside: QWidget, tabs: QTabWidget) -> None:
        super().__init__()
        self._tabs = tabs
        boxes.column(beside, margins="m 0 0 0", inside=self)

    def sizeHint(self) -> QSize:
        left = self._tabs.width() - self._tabs.tabBar().sizeHint().width()
        return QSize(max(left, 0), max(self._tabs.tabBar().sizeHint().height(), super().sizeHint().height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())


class TabsBeside(QTabWidget):
    """Tabs, and one widget to their right, so that what is about all of them needs no line of its own."""

    def put_beside(self, beside: QWidget) -> None:
        """Show this beside the tabs."""
        self.setCornerWidget(_RestOfLine(beside, self), Qt.Corner.TopRightCorner)
        # Tab goes along what is seen: the line from left to right, then the page below it.
        before: QWidget = self.tabBar()
        for part in beside.findChildren(QWidget):
            if part.focusPolicy() & Qt.FocusPolicy.TabFocus:
                QWidget.setTabOrder(before, part)
                before = part

    def resizeEvent(self, event: QResizeEvent) -> None:
        corner = self.cornerWidget(Qt.Corner.TopRightCorner)
        if corner is not None:
            corner.updateGeometry()
        super().resizeEvent(event)
