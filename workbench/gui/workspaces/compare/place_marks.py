"""Marks in the chart of a comparison: the place that the tiles are about, and the error that is good enough."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from workbench.core.number_text import estimate
from workbench.evaluate.enough import Enough, error_limit
from workbench.evaluate.enough_advice import enough_way, error_there
from workbench.gui import tokens
from workbench.gui.theme import colour, small_font
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData
from workbench.plots.reading import ChartReading

_PARTS = 8
"""Into so many parts a line is divided, at whose ends a place for its name is sought."""
_MARK = 5
"""Pixels from the middle of a mark to its edge, nearly."""
_STEP, _CLEAR, _GAP = 3.0, 2.0, 3.0
"""Pixels between the points that stand for a curve, those that words keep from it, and from their line."""
_RIM = 3.0
"""Pixels of ground around words, half of them outside their letters."""
_ABOVE = 12
"""Pixels above a crossing at which its name ends."""


def position(value: float, known: Sequence[tuple[float, float]], *, logarithmic: bool) -> float | None:
    """Pixel of a value along an axis of which two values at least are seen, each with its pixel; else None."""
    (low, first), (high, last) = min(known, default=(1.0, 0.0)), max(known, default=(1.0, 0.0))
    if not low < high or (logarithmic and min(low, value) <= 0):
        return None
    scaled = math.log if logarithmic else float
    share = (scaled(value) - scaled(low)) / (scaled(high) - scaled(low))
    return first + share * (last - first)


def along(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """A curve through these points as points a few pixels apart."""
    found = list(points[:1])
    for (x, y), (right, down) in pairwise(points):
        parts = max(int(math.hypot(right - x, down - y) / _STEP), 1)
        found += [(x + (right - x) * one / parts, y + (down - y) * one / parts) for one in range(1, parts + 1)]
    return found


def least_covering(
    places: Sequence[tuple[float, float]],
    size: tuple[float, float],
    curves: Sequence[tuple[float, float]],
    taken: Sequence[tuple[float, float, float, float]] = (),
) -> tuple[float, float]:
    """Of these left and upper edges of words the first at which they lie on nothing, or else on the least.

    Parameters
    ----------
    size
        Width and height of the words, in pixels.
    curves
        Points of curves, from `along`.
    taken
        Other words, as left and upper edge, width and height.
    """
    wide, high = size

    def covers(place: tuple[float, float]) -> float:
        left, top = place
        on = sum(left - _CLEAR <= x <= left + wide + _CLEAR and top - _CLEAR <= y <= top + high for x, y in curves)
        words = 0.0
        for x, y, width, height in taken:
            across, up = min(left + wide, x + width) - max(left, x), min(top + high, y + height) - max(top, y)
            words += across if across > 0 and up > 0 else 0.0
        return on + words

    return min(places, key=covers)  # the first of several


def line_places(ends: tuple[float, float], size: tuple[float, float], line: float) -> list[tuple[float, float]]:
    """Left and upper edges of the name of a level line: above or below it, at its right end, its left one, or between.

    Parameters
    ----------
    ends, line
        From where to where the line is, and how high, in pixels.
    size
        Width and height of the words.
    """
    (left, right), (wide, high) = ends, size
    first, last = left + tokens.SPACE_XS, right - wide - tokens.SPACE_XS
    across = [last, first, *(last + (first - last) * part / _PARTS for part in range(1, _PARTS))]
    return [(x, y) for x in across for y in (line - high, line)]


def mark_places(
    ends: tuple[float, float], size: tuple[float, float], at: tuple[float, float]
) -> list[tuple[float, float]]:
    """Left and upper edges of words beside a mark on a level line, within its ends: nearest first.

    Parameters
    ----------
    ends, size
        As in `line_places`.
    at
        The middle of the mark, in pixels.
    """
    (left, right), (wide, high), (x, y) = ends, size, at
    across = [one for one in (x + 2 * _MARK, x - 2 * _MARK - wide) if left <= one <= right - wide]
    across = across or [max(left, right - wide)]
    heights = (y - high - _GAP, y + _GAP, y - 2 * high, y + high)
    return [(one, up) for up in heights for one in across]


class PlaceMarks:
    """Two dotted lines that are painted over the picture, which is not drawn again when they move.

    Where the line of what is enough is reached, the curve of the way to take has a mark on it.

    They are no part of what leaves: there the caption says both.
    """

    def __init__(self) -> None:
        self.place = math.nan
        self.enough: float | None = None
        self._of: tuple[ChartReading, ComparisonData] | None = None
        self._from: tuple[ComparisonData, float, float | None, Enough | None] | None = None
        self._seen: list[tuple[float, float, float, float]] = []
        self._curves: list[tuple[float, float]] = []

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
            for name, height in comparison.enough_lines(limit):
                at = position(height, known, logarithmic=settings.log_y)
                if at is not None:
                    yield name, False, at

    def reached(self, reading: ChartReading, data: ComparisonData) -> tuple[str, tuple[float, float]] | None:
        """From where on the way to take is enough: its words, and the pixels on its curve; None where nobody knows."""
        self._look_at(reading, data)
        mine = self._way(data)
        if mine is None:
            return None
        x = position(mine.said, [seen[:2] for seen in self._seen], logarithmic=data.settings.log_x)
        error = error_there(mine, data.findings)
        y = position(error, [seen[2:] for seen in self._seen], logarithmic=data.settings.log_y)
        return None if x is None or y is None else (comparison.reached_words(mine), (x, y))

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
        curves = groupby(reading.points, lambda one: one.series)
        self._curves = [at for _, some in curves for at in along([one.middle for one in some])]

    def _crossings(self, data: ComparisonData, metrics: QFontMetricsF) -> list[tuple[float, float, float, float]]:
        """Where the names of crossings stand in the picture, nearly."""
        found = []
        for place, error, name in comparison.crossing_names(data):
            x = position(place, [seen[:2] for seen in self._seen], logarithmic=data.settings.log_x)
            y = position(error, [seen[2:] for seen in self._seen], logarithmic=data.settings.log_y)
            if x is not None and y is not None:
                wide = metrics.horizontalAdvance(name)
                found.append((x - wide / 2, y - _ABOVE - metrics.height(), wide, metrics.height()))
        return found

    def paint(self, painter: QPainter, reading: ChartReading, data: ComparisonData) -> None:
        """Paint them into the axes, each with its name."""
        for left, top, right, bottom in reading.frames[:1]:
            metrics = QFontMetricsF(small_font())
            high, ends = metrics.height(), (left, right)
            crossings, limits = self._crossings(data, metrics), list[tuple[float, float, float, float]]()
            for name, upright, at in self.lines(reading, data):
                wide = metrics.horizontalAdvance(name)
                painter.setPen(QPen(colour("muted"), 1.0, Qt.PenStyle.DotLine))
                if upright and left <= at <= right:
                    painter.drawLine(QPointF(at, top), QPointF(at, bottom))
                    after = at + tokens.SPACE_XS
                    beside = after if after + wide < right else at - wide - tokens.SPACE_XS
                    _write(painter, name, (beside, bottom - high), "muted")
                elif not upright and top <= at <= bottom:
                    painter.drawLine(QPointF(left, at), QPointF(right, at))
                    taken = [*crossings, *limits]
                    # Before the mark, so that it stays where it is when the place that is looked at moves.
                    named = least_covering(line_places(ends, (wide, high), at), (wide, high), self._curves, taken)
                    _write(painter, name, named, "muted")
                    limits.append((*named, wide, high))
            reached = self.reached(reading, data) if limits else None
            if reached is None or not left <= reached[1][0] <= right:
                continue
            words, mark = reached
            size = metrics.horizontalAdvance(words), high
            places = mark_places(ends, size, mark)
            places = [one for one in places if top <= one[1] <= bottom - high] or places
            told = least_covering(places, size, self._curves, [*crossings, *limits])
            _paint_mark(painter, QPointF(*mark))
            _write(painter, words, told, "text")


def _write(painter: QPainter, words: str, place: tuple[float, float], ink: str) -> None:
    """Words at a left and upper edge, on a rim of the ground, so that no curve or hatching runs into them."""
    path = QPainterPath()
    path.addText(QPointF(place[0], place[1] + QFontMetricsF(small_font()).ascent()), small_font(), words)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.strokePath(
        path, QPen(colour("surface"), _RIM, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    )
    painter.restore()
    painter.save()
    painter.setFont(small_font())
    painter.setPen(colour(ink))
    painter.drawText(QPointF(place[0], place[1] + QFontMetricsF(small_font()).ascent()), words)
    painter.restore()


def _paint_mark(painter: QPainter, at: QPointF) -> None:
    """A small diamond on the curve."""
    painter.save()
    painter.setPen(QPen(colour("text"), 1.0))
    painter.setBrush(colour("surface"))
    corners = (QPointF(_MARK, 0), QPointF(0, _MARK), QPointF(-_MARK, 0), QPointF(0, -_MARK))
    painter.drawPolygon(QPolygonF([at + one for one in corners]))
    painter.restore()
