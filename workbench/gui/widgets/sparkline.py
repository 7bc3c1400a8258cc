"""Tiny histograms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour

_MOST_BARS = 48


def paint_histogram(painter: QPainter, rect: QRectF, counts: ArrayLike, token: str = "chart_global") -> None:
    """Paint bars for `counts` (any length; merged to at most 48) standing on the lower edge of `rect`.

    A bar that is not zero is at least one pixel high, so that rare values do not vanish.
    """
    bars = merge_counts(counts)
    if not bars.size or bars.max() <= 0:
        return
    slot = rect.width() / len(bars)
    gap = 1.0 if slot >= 3 else 0.0
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(token))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for i, share in enumerate(bars / bars.max()):
        if share > 0:
            height = max(1.0, share * rect.height())
            painter.drawRect(QRectF(rect.left() + i * slot, rect.bottom() - height, slot - gap, height))
    painter.restore()


def merge_counts(counts: ArrayLike, most: int = _MOST_BARS) -> np.ndarray:
    """Neighbouring counts added up so that at most `most` are left; the total stays."""
    values = np.asarray(counts)
    if len(values) <= most:
        return values
    edges = np.linspace(0, len(values), most + 1).astype(int)
    return np.add.reduceat(values, edges[:-1])


class Sparkline(QWidget):
    """A histogram without axes, as an impression beside a column's name.

    Parameters
    ----------
    counts
        Integer array of shape (bars,).
    summary
        The same in words, for those who cannot see it.
    """

    def __init__(
        self,
        counts: ArrayLike = (),
        summary: str = "",
        *,
        token: str = "chart_global",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._token = token
        self._counts = np.asarray(counts)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_counts(counts, summary)

    def set_counts(self, counts: ArrayLike, summary: str = "") -> None:
        self._counts = np.asarray(counts)
        self.setAccessibleName(summary or f"Histogram of {len(self._counts)} bars")
        self.setToolTip(summary)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(tokens.SPARK_WIDTH, tokens.SPARK_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(colour("border"))
        painter.drawLine(self.rect().bottomLeft(), self.rect().bottomRight())
        paint_histogram(painter, QRectF(self.rect()).adjusted(0, 1, 0, -1), self._counts, self._token)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
        super().changeEvent(event)
