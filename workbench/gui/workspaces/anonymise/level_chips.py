"""The levels of one column as chips, of which one is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour, tabular_font
from workbench.gui.widgets.inputs import Slider

MOST_CHIPS = 6
"""As many are seen at once; of a taller hierarchy those around the chosen one."""
_STEP = tokens.CHIP + tokens.SPACE_HAIR // 2


class LevelChips(Slider):
    """A slider drawn as `0 1 2 3`, or as `day month year` where there is room.

    A click or the arrow keys choose, and screen readers hear a slider.

    Parameters
    ----------
    name
        For screen readers.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._words: tuple[str, ...] = ()
        self._roomy = False
        self.setPageStep(1)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def shown(self) -> range:
        """The levels that are seen."""
        low, end = self.minimum(), self.maximum() + 1
        first = min(max(self.value() - MOST_CHIPS // 2, low), max(end - MOST_CHIPS, low))
        return range(first, min(first + MOST_CHIPS, end))

    def set_words(self, words: Sequence[str]) -> None:
        """Set the names of the levels, from level 0 on; chips carry them where there is room."""
        short = tuple(short_words(one) for one in words)
        if short != self._words:
            self._words = short
            self.updateGeometry()
            self.update()

    def set_roomy(self, roomy: bool) -> None:
        """Whether there is room for words."""
        if roomy != self._roomy:
            self._roomy = roomy
            self.updateGeometry()
            self.update()

    def _text(self, level: int) -> str:
        return self._words[level] if self._roomy and level < len(self._words) else str(level)

    def _chips(self) -> list[QRect]:
        """Where the chips are that are seen."""
        top, left, found = (self.height() - tokens.CHIP) // 2, 1, []
        metrics = QFontMetrics(self._font())
        for level in self.shown:
            wide = tokens.CHIP
            if self._roomy and self._words:
                wide = max(wide, metrics.horizontalAdvance(self._text(level)) + tokens.SPACE_S)
            found.append(QRect(left, top, wide, tokens.CHIP))
            left += wide + _STEP - tokens.CHIP
        return found

    def _font(self) -> QFont:
        font = tabular_font()
        font.setPixelSize(tokens.FONT_SMALL)
        return font

    def sizeHint(self) -> QSize:
        return QSize(self._chips()[-1].right() + 2, tokens.ROW_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.position().toPoint().x()
        pressed = [level for level, chip in zip(self.shown, self._chips(), strict=True) if chip.left() <= left]
        if event.button() == Qt.MouseButton.LeftButton and pressed and left <= self._chips()[-1].right() + 1:
            self.setValue(pressed[-1])
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
        painter.setFont(self._font())
        for level, chip in zip(self.shown, self._chips(), strict=True):
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
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, self._text(level))
            if chosen and self.hasFocus():
                painter.setPen(colour("text"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(chip.adjusted(-1, -1, 0, 0), tokens.RADIUS_SMALL, tokens.RADIUS_SMALL)
        painter.end()


def short_words(words: str) -> str:
    """Of “first 4 characters” what a chip has room for; its row says the rest."""
    return words.removesuffix(" characters").replace(" character", " 1")
