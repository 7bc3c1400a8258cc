"""The levels of one column as chips, of which one is chosen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour, tabular_font
from workbench.gui.widgets.inputs import Slider

MOST_CHIPS = 6
"""As many are seen at once; of a taller hierarchy those around the chosen one."""
_STEP = tokens.CHIP + tokens.SPACE_HAIR // 2


class LevelChips(Slider):
    """A slider drawn as `0 1 2 3`: a click or the arrow keys choose, and screen readers hear a slider.

    Parameters
    ----------
    name
        For screen readers.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setPageStep(1)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def shown(self) -> range:
        """The levels that are seen."""
        low, end = self.minimum(), self.maximum() + 1
        first = min(max(self.value() - MOST_CHIPS // 2, low), max(end - MOST_CHIPS, low))
        return range(first, min(first + MOST_CHIPS, end))

    def sizeHint(self) -> QSize:
        return QSize(len(self.shown) * _STEP, tokens.ROW_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = int(event.position().x()) // _STEP
        if event.button() == Qt.MouseButton.LeftButton and 0 <= place < len(self.shown):
            self.setValue(self.shown[place])
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.EnabledChange, QEvent.Type.PaletteChange):
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = tabular_font()
        font.setPixelSize(tokens.FONT_SMALL)
        painter.setFont(font)
        top = (self.height() - tokens.CHIP) // 2
        for place, level in enumerate(self.shown):
            chip = QRect(place * _STEP + 1, top, tokens.CHIP, tokens.CHIP)
            chosen, usable = level == self.value(), self.isEnabled()
            if chosen:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour("accent" if usable else "selection"))
            else:
                painter.setPen(colour("control" if usable else "border"))
                painter.setBrush(colour("surface") if usable else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(chip.adjusted(0, 0, -1, -1), tokens.RADIUS_SMALL, tokens.RADIUS_SMALL)
            words = ("on_accent" if usable else "on_selection") if chosen else ("text" if usable else "muted")
            painter.setPen(colour(words))
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, str(level))
            if chosen and self.hasFocus():
                painter.setPen(colour("text"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(chip.adjusted(-1, -1, 0, 0), tokens.RADIUS_SMALL, tokens.RADIUS_SMALL)
        painter.end()
