"""Squares of the lattice's map: their bands, and how one of them is painted."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour
from workbench.gui.widgets.heat_table import mixed
from workbench.session.syntactic.lattice_bands import Square

SMALLEST = tokens.SPACE_S
"""Width of a square, with the gap around it, when there are very many."""

_FAINTEST = 0.12


# One square


def inner(place: QRectF) -> QRectF:
    """The square within its place, with a gap to its neighbours."""
    gap = 1.0 if place.width() < 2 * SMALLEST else float(tokens.SPACE_HAIR)
    return place.adjusted(gap, gap, -gap, -gap)


def paint_cell(painter: QPainter, rect: QRectF, cell: Square) -> None:
    """Filled if the models hold, by loss; an outline if not, filled from below by what would be suppressed.

    What nobody looked at is smaller: an outline if it is known to fail, else a disc by the least its levels lose.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    if cell.node is None:
        radius = max(rect.width() / 4, 1.5)
        if cell.doomed:
            small = QRectF(0, 0, 2 * radius, 2 * radius)
            small.moveCenter(rect.center())
            _outline(painter, small, colour("control"))
            return
        painter.setBrush(mixed("surface", "chart_anonymised", _FAINTEST + (1 - _FAINTEST) * cell.strength))
        painter.drawEllipse(rect.center(), radius, radius)
        return
    if cell.node.feasible:
        painter.setBrush(mixed("surface", "chart_anonymised", _FAINTEST + (1 - _FAINTEST) * cell.strength))
        painter.drawRect(rect)
        _outline(painter, rect, colour("chart_anonymised"))
        return
    painter.setBrush(mixed("surface", "chart_local", 0.6))
    # By the root, else a few per cent could not be seen in a small square.
    fill = rect.height() * math.sqrt(min(cell.failing, 1.0))
    painter.drawRect(QRectF(rect.left(), rect.bottom() - fill, rect.width(), fill))
    _outline(painter, rect, colour("control"))


def paint_best(painter: QPainter, rect: QRectF) -> None:
    """A diamond."""
    centre, radius = rect.center(), max(rect.width() / 4, 2.5)
    painter.setPen(QPen(colour("surface"), 1))
    painter.setBrush(colour("text"))
    points = [QPointF(centre.x() + radius * x, centre.y() + radius * y) for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0))]
    painter.drawPolygon(QPolygonF(points))


def paint_current(painter: QPainter, rect: QRectF) -> None:
    """A frame."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour("text"), tokens.SPACE_HAIR))
    painter.drawRect(rect)


def _outline(painter: QPainter, rect: QRectF, ink: QColor) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1))
    painter.drawRect(rect)


class LegendSquare(QWidget):
    """One square for the legend."""

    def __init__(self, cell: Square, marks: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cell, self._marks = cell, tuple(marks)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(tokens.ICON, tokens.ICON)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        rect = inner(QRectF(0, 0, tokens.ICON, tokens.ICON))
        paint_cell(painter, rect, self._cell)
        if "current" in self._marks:
            paint_current(painter, rect)
        if "best" in self._marks:
            paint_best(painter, rect)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
        super().changeEvent(event)
