"""Edges of an area that scrolls: a line that is cut there fades, so that nobody takes it for the last one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour

_HEIGHT = tokens.SPACE_XL + tokens.SPACE_S
_COVERED = 0.1
"""The part of that at the very edge of which nothing is seen."""


class FadingEdges(QWidget):
    """Lies over the viewport of an area and lets every press through; an edge fades where more is beyond it.

    Parameters
    ----------
    area
        What scrolls up and down, on the ground of the window.
    """

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(self.update)
        bar.rangeChanged.connect(self.update)
        area.viewport().installEventFilter(self)
        self._follow()

    @property
    def above(self) -> bool:
        """Whether something is beyond the upper edge."""
        bar = self._area.verticalScrollBar()
        return bar.value() > bar.minimum()

    @property
    def below(self) -> bool:
        """Whether something is beyond the lower edge."""
        bar = self._area.verticalScrollBar()
        return bar.value() < bar.maximum()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show):
            self._follow()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        height = min(_HEIGHT, self.height() // 2)
        if self.above:
            self._fade(painter, QRect(0, 0, self.width(), height), upwards=True)
        if self.below:
            self._fade(painter, QRect(0, self.height() - height, self.width(), height), upwards=False)

    def _fade(self, painter: QPainter, place: QRect, *, upwards: bool) -> None:
        ground = colour("window")
        clear = QColor(ground)
        clear.setAlpha(0)
        shade = QLinearGradient(place.topLeft(), place.bottomLeft())
        for covered in (0.0, _COVERED):  # a row of what is beyond would show through whatever is nearly covered
            shade.setColorAt(covered if upwards else 1.0 - covered, ground)
        shade.setColorAt(1.0 if upwards else 0.0, clear)
        painter.fillRect(place, shade)

    def _follow(self) -> None:
        self.setGeometry(self._area.viewport().geometry())
        self.raise_()
