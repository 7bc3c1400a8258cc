"""Marks in the chart of a comparison: the place that the tiles are about, and the error that is good enough."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from workbench.core.number_text import estimate
from workbench.evaluate.enough import Enough, error_limit
from workbench.evaluate.enough_advice import enough_way
from workbench.gui import tokens
from workbench.gui.theme import colour, small_font
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData
from workbench.plots.reading import ChartReading

_ENOUGH = "Enough"
_PARTS = 8
"""Into so many parts a line is divided, at whose ends a place for its name is sought."""
_MARK = 5
"""Pixels from the middle of a mark to its edge, nearly."""


def position(value: float, known: Sequence[tuple[float, float]], *, logarithmic: bool) -> float | None:
    """Pixel of a value along an axis of which two values at least are seen, each with its pixel; else None."""
    (low, first), (high, last) = min(known, default=(1.0, 0.0)), max(known, default=(1.0, 0.0))
    if not low < high or (logarithmic and min(low, value) <= 0):
        return None
    scaled = math.log if logarithmic else float
    share = (scaled(value) - scaled(low)) / (scaled(high) - scaled(low))
    return first + share * (last - first)


def covers(words: tuple[float, float, float, float], seen: Iterable[tuple[float, float]]) -> bool:
    """Whether words would lie on the mark of a curve.

    Parameters
    ----------
    words
        Their left and upper edge, width and height, in pixels.
    seen
        The middles of the marks.
    """
    left, top, wide, high = words
    return any(left - _MARK <= x <= left + wide + _MARK and top - _MARK <= y <= top + high + _MARK for x, y in seen)


def free_place(
    seen: Sequence[tuple[float, float]], ends: tuple[float, float], size: tuple[float, float], line: float
) -> tuple[float, float]:
    """Left and upper edge of words at a level line where they lie on no mark: above it or below, from its left on.

    Parameters
    ----------
    seen
        The middles of the marks.
    ends, line
        From where to where the line is, and how high, in pixels.
    size
        Width and height of the words.
    """
    (left, right), (wide, high) = ends, size
    first, last = left + tokens.SPACE_XS, right - wide - tokens.SPACE_XS
    across = [first, last, *(first + (last - first) * part / _PARTS for part in range(1, _PARTS))]
    places = [(x, y) for y in (line - high, line) for x in across]
    return next((one for one in places if not covers((*one, wide, high), seen)), places[0])


def beside_place(
    seen: Sequence[tuple[float, float]], ends: tuple[float, float], size: tuple[float, float], at: tuple[float, float]
) -> tuple[float, float]:
    """Left and upper edge of words beside a mark on a level line, within its ends: where they lie on no other mark.

    Parameters
    ----------
    seen, ends, size
        As in `free_place`.
    at
        The middle of the mark, in pixels.
    """
    (left, right), (wide, high), (x, y) = ends, size, at
    across = [one for one in (x + 2 * _MARK, x - 2 * _MARK - wide) if left <= one <= right - wide]
    places = [(one, up) for up in (y - high, y) for one in across or [max(left, right - wide)]]
    return next((one for one in places if not covers((*one, wide, high), seen)), places[0])


class PlaceMarks:
    """Two dotted lines that are painted over the picture, which is not drawn again when they move.

    Where the line of what is enough is reached, on the safe side, the way to take has a mark on it.

    They are no part of what leaves: there the caption says both.
    """

    def __init__(self) -> None:
        self.place = math.nan
        self.enough: float | None = None
        self._of: tuple[ChartReading, ComparisonData] | None = None
        self._from: tuple[ComparisonData, float, float | None, Enough | None] | None = None
        self._seen: list[tuple[float, float, float, float]] = []

    def lines(self, reading: ChartReading, data: ComparisonData) -> Iterator[tuple[str, bool, float]]:
        """What is marked: its name, whether its line is upright, and the pixel it stands at."""
        self._look_at(reading, data)
        settings, axis = data.settings, data.findings.experiment.axis
        if math.isfinite(self.place):
            known = [(value, pixel) for value, pixel, _, _ in self._seen]
            at = position(self.place, known, logarithmic=settings.log_x)
            if at is not None:
                yield f"{axis.words} {estimate(self.place, 3)}", True, at
        limit = error_limit(data.findings, self.enough)
        if limit.known:
            known = [(value, pixel) for _, _, value, pixel in self._seen]
            at = position(limit.drawn, known, logarithmic=settings.log_y)
            if at is not None:
                yield _ENOUGH, False, at

    def reached(self, reading: ChartReading, data: ComparisonData) -> tuple[str, float] | None:
        """From where on the way to take is enough: its words, and the pixel along the axis; None where nobody knows."""
        self._look_at(reading, data)
        mine = self._way(data)
        if mine is None:
            return None
        known = [(value, pixel) for value, pixel, _, _ in self._seen]
        at = position(mine.said, known, logarithmic=data.settings.log_x)
        return None if at is None else (comparison.reached_words(mine), at)

    def _way(self, data: ComparisonData) -> Enough | None:
        """That way, found once for each place that is looked at."""
        kept = self._from
        if kept is None or kept[0] is not data or kept[1:3] != (self.place, self.enough):
            place = self.place if math.isfinite(self.place) else None
            found = enough_way(data.findings, place, self.enough) if data.findings.complete else None
            self._from = kept = data, self.place, self.enough, found
        return kept[3]

    def _look_at(self, reading: ChartReading, data: ComparisonData) -> None:
        """Find the values of the points that are seen, once for each picture."""
        if self._of is not None and self._of[0] is reading and self._of[1] is data:
            return
        self._of, self._seen = (reading, data), []
        for one in reading.points:
            point, (x, y) = comparison.point_at(one.series, one.place, data), one.middle
            if point is not None:
                self._seen.append((point.axis_value, x, point.mean, y))

    def paint(self, painter: QPainter, reading: ChartReading, data: ComparisonData) -> None:
        """Paint them into the axes, each with its name."""
        for left, top, right, bottom in reading.frames[:1]:
            metrics = QFontMetricsF(small_font())
            painter.setFont(small_font())
            painter.setPen(QPen(colour("muted"), 1.0, Qt.PenStyle.DotLine))
            for name, upright, at in self.lines(reading, data):
                wide, high = metrics.horizontalAdvance(name), metrics.height()
                if upright and left <= at <= right:
                    painter.drawLine(QPointF(at, top), QPointF(at, bottom))
                    beside = (
                        at + tokens.SPACE_XS if at + tokens.SPACE_XS + wide < right else at - wide - tokens.SPACE_XS
                    )
                    room = QRectF(beside, bottom - high, wide + 1, high)
                elif not upright and top <= at <= bottom:
                    painter.drawLine(QPointF(left, at), QPointF(right, at))
                    middles = [(x, y) for _, x, _, y in self._seen]
                    reached = self.reached(reading, data)
                    if reached is not None and left <= reached[1] <= right:
                        words, along = reached
                        size = metrics.horizontalAdvance(words), high
                        told = beside_place(middles, (left, right), size, (along, at))
                        self._paint_reached(painter, words, QPointF(along, at), QRectF(*told, size[0] + 1, high))
                        # The name of the line lies on neither.
                        steps = range(int(size[0]) // _MARK + 1)
                        middles += [(along, at), *((told[0] + one * _MARK, told[1] + high / 2) for one in steps)]
                    beside, above = free_place(middles, (left, right), (wide, high), at)
                    room = QRectF(beside, above, wide + 1, high)
                else:
                    continue
                painter.drawText(room, name)

    @staticmethod
    def _paint_reached(painter: QPainter, words: str, at: QPointF, room: QRectF) -> None:
        """A small diamond on the line, and words beside it."""
        painter.save()
        painter.setPen(QPen(colour("text"), 1.0))
        painter.setBrush(colour("surface"))
        corners = (QPointF(_MARK, 0), QPointF(0, _MARK), QPointF(-_MARK, 0), QPointF(0, -_MARK))
        painter.drawPolygon(QPolygonF([at + one for one in corners]))
        painter.drawText(room, words)
        painter.restore()
