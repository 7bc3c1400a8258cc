"""What the map of the lattice shows: its squares by bands, and how one of them is painted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.theme import colour
from workbench.gui.widgets.heat_table import mixed
from workbench.session import Found, Node, Surroundings

MOST = 4_000
"""Combinations shown; of more those nearest to the best one."""

SMALLEST = tokens.SPACE_S
"""Width of a square, with the gap around it, when there are very many."""

_FAINTEST = 0.12
Levels = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Cell:
    """One square: its levels, what is known of the node (None: it was not looked at), and how good it is.

    `strength` is 1 for the least loss among the combinations at which the models hold and 0 for the most; `failing`
    is the share of the rows that are or would be suppressed.
    """

    levels: Levels
    node: Node | None
    strength: float = 0.0
    failing: float = 0.0


@dataclass(frozen=True, eq=False)
class MapData:
    """The combinations to draw.

    Parameters
    ----------
    names
        The columns.
    bands
        The squares by the sum of their levels, the highest sum first; in a band the best first, then those at which
        the models fail, then those that were not looked at.
    best
        The levels of the winner.
    rows
        Rows to be released.
    complete
        Whether these are all combinations there are.
    """

    names: tuple[str, ...]
    bands: tuple[tuple[int, tuple[Cell, ...]], ...]
    best: Levels
    rows: int
    complete: bool


def map_data(found: Found, around: Surroundings, most: int = MOST) -> MapData:
    """What is drawn of the combinations that were looked at; costs a sort of them."""
    names, rows = found.problem.names, found.problem.rows
    best = tuple(found.result.levels[name] for name in names)
    known = {tuple(node.levels[name] for name in names): node for node in around.nodes}
    lattice = found.problem.lattice
    if lattice.size <= most:
        shown = list(product(*(range(low, high + 1) for low, high in zip(lattice.low, lattice.high, strict=True))))
    else:
        shown = sorted(known, key=lambda levels: sum(abs(a - b) for a, b in zip(levels, best, strict=True)))[:most]
    feasible = sorted({known[levels].score for levels in shown if levels in known and known[levels].feasible})
    # By rank: the losses of most combinations lie so close together that their colours could not be told apart.
    strength = {score: 1 - place / max(len(feasible) - 1, 1) for place, score in enumerate(feasible)}
    bands: dict[int, list[Cell]] = {}
    for levels in shown:
        node = known.get(levels)
        cell = Cell(levels, None)
        if node is not None:
            strong = strength[node.score] if node.feasible else 0.0
            cell = Cell(levels, node, strong, node.suppressed / max(rows, 1))
        bands.setdefault(sum(levels), []).append(cell)
    ordered = tuple((total, tuple(sorted(bands[total], key=_order))) for total in sorted(bands, reverse=True))
    return MapData(names, ordered, best, rows, lattice.size <= most)


def _order(cell: Cell) -> tuple[int, float, Levels]:
    if cell.node is None:
        return 2, 0.0, cell.levels
    return (0, cell.node.score, cell.levels) if cell.node.feasible else (1, cell.failing, cell.levels)


# One square


def inner(place: QRectF) -> QRectF:
    """The square within its place, with a gap to its neighbours."""
    gap = 1.0 if place.width() < 2 * SMALLEST else float(tokens.SPACE_HAIR)
    return place.adjusted(gap, gap, -gap, -gap)


def paint_cell(painter: QPainter, rect: QRectF, cell: Cell) -> None:
    """Filled if the models hold, by loss; an outline if not, filled from below by what would be suppressed; a dot
    if nobody looked."""
    painter.setPen(Qt.PenStyle.NoPen)
    if cell.node is None:
        painter.setBrush(colour("control"))
        radius = max(rect.width() / 8, 1.0)
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


class Sample(QWidget):
    """One square for the legend."""

    def __init__(self, cell: Cell, marks: Sequence[str] = (), parent: QWidget | None = None) -> None:
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
