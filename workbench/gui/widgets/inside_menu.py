"""A menu that stays inside the window of its button."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu


class InsideMenu(QMenu):
    """The menu of a button near the right edge: Qt knows of the edges of the screen alone."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        owner = self.parentWidget()
        if owner is None:
            return
        window = owner.window()
        edge = window.mapToGlobal(QPoint(window.width(), 0)).x()
        if self.geometry().right() >= edge:
            right = owner.mapToGlobal(QPoint(owner.width(), 0)).x()
            self.move(right - self.width(), self.y())
