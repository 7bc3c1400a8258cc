"""A card: one choice of a few, with an icon, a title and a sentence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import IconLabel, label


class Card(QFrame):
    """A choice that is taken by a click, Space or Enter; then `activated` is emitted."""

    activated = Signal()

    def __init__(self, icon_name: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setProperty("clickable", "true")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        boxes.column(
            IconLabel(icon_name, tokens.SPACE_XL, "accent"),
            label(title, heading=2),
            label(text, muted=True, wrap=True),
            1,
            margins="l",
            spacing="s",
            inside=self,
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.activated.emit()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit()
        else:
            super().keyPressEvent(event)
