"""A tick whose text ends in … where it is too narrow."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from workbench.gui import tokens


class ElidingCheckBox(QCheckBox):
    """Takes the room it is given; `full_text` is what it was given, which is also its accessible name."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.full_text = text
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        width = self.fontMetrics().horizontalAdvance(self.full_text) + self._beside()
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.COLUMN_MIN, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - self._beside()
        shown = self.fontMetrics().elidedText(self.full_text, Qt.TextElideMode.ElideRight, max(room, 1))
        if shown != self.text():
            self.setText(shown)

    def _beside(self) -> int:
        """Width that is taken by the box and the space after it."""
        return tokens.ICON + tokens.SPACE_S + tokens.SPACE_XS
