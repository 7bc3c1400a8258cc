"""A combo box whose text is cut with … where it is too narrow, and whose list is as wide as its entries.

Closed it may say an entry in other words than its list does, where the entries explain themselves side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QPalette, QStandardItemModel
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.widgets.inputs import ComboBox

FACE = Qt.ItemDataRole.UserRole + 1
"""Name of an entry while the list is closed, if not as in the list."""
HEADING = "heading"
"""The data of a line of the list that cannot be chosen, and says what those below it have in common."""


class ElidingComboBox(ComboBox):
    """Takes the room it is given: its entries do not widen it."""

    elides = Qt.TextElideMode.ElideRight
    """Where a text is cut: in the middle where its end tells entries apart."""

    def __init__(self, name: str, choices: Sequence[tuple[str, object]] = (), parent: QWidget | None = None) -> None:
        super().__init__(name, choices, parent)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def add_heading(self, text: str) -> None:
        """Add a line that says what the entries below it have in common; nobody can choose it."""
        self.addItem(text, HEADING)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        item = model.item(self.count() - 1)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        font = self.font()
        font.setBold(True)
        item.setFont(font)

    @property
    def face(self) -> str:
        """Text to be read while the list is closed."""
        return str(self.itemData(self.currentIndex(), FACE) or self.currentText())

    def showPopup(self) -> None:
        view = self.view()
        texts = (visible(self.itemText(row)) for row in range(self.count()))
        widest = max(map(self.fontMetrics().horizontalAdvance, texts), default=0)
        view.setMinimumWidth(min(widest + tokens.ICON + 2 * tokens.SPACE_XL, 2 * tokens.COLUMN_MAX))
        super().showPopup()
        # Wider than the field it would reach over the edge of the window, where that stands at its side.
        popup, window = view.window(), self.window()
        if popup is not window:
            right = window.mapToGlobal(window.rect().topRight()).x() - tokens.SPACE_XS
            left = max(right - popup.width(), window.mapToGlobal(window.rect().topLeft()).x())
            popup.move(min(popup.x(), left), popup.y())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        room = field.width() - tokens.SPACE_XS
        if not option.currentIcon.isNull():
            room -= option.iconSize.width() + tokens.SPACE_XS
        text = visible(self.face)
        if self.currentIndex() < 0 and self.placeholderText():
            text = self.placeholderText()
            option.palette.setBrush(QPalette.ColorRole.ButtonText, option.palette.placeholderText())
        option.currentText = self.fontMetrics().elidedText(text, self.elides, room)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
