"""A frame around the control that is spoken of: as long as the tour speaks of it, or for a moment."""

from __future__ import annotations

import math

import shiboken6
from PySide6.QtCore import QRect, Qt, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour

_MOMENT_MS = 2_600
_PULSES = 3
_GLOW = 0.22
"""How opaque the soft edge is, compared with the line."""


class Spotlight(QWidget):
    """A frame around a control; it lets every click through."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self.control: QWidget | None = None
        self._strength = 1.0
        self._moment = QVariantAnimation(self)
        self._moment.setDuration(_MOMENT_MS)
        self._moment.setStartValue(0.0)
        self._moment.setEndValue(1.0)
        self._moment.valueChanged.connect(self._pulse)
        self._moment.finished.connect(self.put_out)

    def show_on(self, control: QWidget | None) -> None:
        """Surround what can be seen of a control of the same window; None puts the frame out."""
        self._moment.stop()
        self._strength = 1.0
        self._surround(control)

    def flash_on(self, control: QWidget | None) -> None:
        """Surround a control for a moment, so that nobody has to look for what has the focus."""
        self.show_on(control)
        if self.control is not None:
            self._moment.start()

    def put_out(self) -> None:
        """Mark nothing any more."""
        self._moment.stop()
        self.control = None
        self.hide()

    def _surround(self, control: QWidget | None) -> None:
        window = self.window()
        if (
            control is None
            or not shiboken6.isValid(control)
            or not control.isVisible()
            or not window.isAncestorOf(control)
        ):
            self.put_out()
            return
        self.control = control
        seen = control.visibleRegion().boundingRect()
        place = QRect(control.mapTo(window, seen.topLeft()), seen.size())
        around = tokens.SPACE_S
        self.setGeometry(place.adjusted(-around, -around, around, around).intersected(window.rect()))
        self.raise_()
        self.show()

    def _pulse(self, part: float) -> None:
        """Come and go a few times, and stay with the control where the page moves."""
        self._strength = 0.35 + 0.65 * abs(math.cos(math.pi * _PULSES * part))
        self._surround(self.control)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = tokens.SPACE_HAIR + 1
        inside = self.rect().adjusted(tokens.SPACE_XS, tokens.SPACE_XS, -tokens.SPACE_XS, -tokens.SPACE_XS)
        for width, opacity in ((2 * tokens.SPACE_XS, _GLOW), (line, 1.0)):
            painter.setOpacity(self._strength * opacity)
            painter.setPen(QPen(colour("accent"), width))
            painter.drawRoundedRect(inside, tokens.RADIUS + tokens.SPACE_XS, tokens.RADIUS + tokens.SPACE_XS)
        painter.end()
