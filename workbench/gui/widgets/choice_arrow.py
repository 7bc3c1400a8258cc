"""Cells of a table in which something can be chosen: they carry the arrow of a combo box."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from workbench.gui import tokens
from workbench.gui.icons import paint_icon

_KEYS = (Qt.Key.Key_F2, Qt.Key.Key_F4, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ROOM = tokens.ICON_SMALL + tokens.SPACE_S


def opens_choice(event: QKeyEvent) -> bool:
    """Whether a key opens what can be chosen in a cell, as it opens a combo box."""
    if event.modifiers() == Qt.KeyboardModifier.AltModifier:
        return event.key() == Qt.Key.Key_Down
    plain = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier)
    return event.modifiers() in plain and event.key() in _KEYS


class ChoiceArrow(QStyledItemDelegate):
    """A cell as usual, with the arrow of what can be chosen; its text ends before that."""

    def offers(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        """Whether something can be chosen in a cell."""
        return True

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return super().sizeHint(option, index) + QSize(_ROOM if self.offers(index) else 0, 0)

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        if self.offers(index) and option.rect.width() > _ROOM:
            room = option.rect.width() - _ROOM - tokens.SPACE_S
            option.text = option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, room)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if not self.offers(index):
            return
        arrow = QRect(0, 0, tokens.ICON_SMALL, tokens.ICON_SMALL)
        arrow.moveCenter(option.rect.center())
        arrow.moveRight(option.rect.right() - tokens.SPACE_XS)
        paint_icon(painter, arrow, "chevron-down", "muted")
