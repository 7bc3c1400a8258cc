"""The readings of a chart that was drawn: its points in pixels, in words, and the names in its legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import estimate, exact
from workbench.plots.ticks import names_along

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in logical pixels from the top left corner of the picture."""

PART_OF = "part of "
"""How the mark of a line begins that goes with the named series and is not read by itself."""
_WITHIN = 24.0
_TOUCHED = 9.0
_DIGITS = 4
_MOST_POINTS = 20_000
"""Of one series; nobody points at one of more."""


@dataclass(frozen=True)
class LegendEntry:
    """A name in the legend, or beside its curve.

    Parameters
    ----------
    name
        Of the series.
    box
        Where it stands.
    hidden
        Whether what it names is not drawn.
    """

    name: str
    box: Box
    hidden: bool = False


@dataclass(frozen=True)
class ReadPoint:
    """A point or a bar of a chart, in words.

    Parameters
    ----------
    series
        What it belongs to, "" where there is only one.
    place, measure, value
        Where it stands along the axis, what is measured there, and the number.
    box
        The bar, or a box without an extent at a point.
    """

    series: str
    place: str
    measure: str
    value: str
    box: Box

    @property
    def words(self) -> str:
        """All of it, as it is told to those who cannot see the chart."""
        return ", ".join(part for part in (self.place, self.series, f"{self.measure} {self.value}".strip()) if part)

    @property
    def middle(self) -> tuple[float, float]:
        """Where it is pointed at: the point itself, or the middle of the bar."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2


@dataclass(frozen=True, eq=False)
class ChartReading:
    """The points and names that a picture of a chart shows, and their places. It needs no plotting library.

    Parameters
    ----------
    points
        By series, each from the left to the right.
    legend
        Names that can be clicked.
    frames
        The axes, each of which can be shown larger.
    """

    points: tuple[ReadPoint, ...] = ()
    legend: tuple[LegendEntry, ...] = ()
    frames: tuple[Box, ...] = ()
    _boxes: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_boxes", np.array([one.box for one in self.points]).reshape(-1, 4))

    def nearest(self, x: float, y: float, within: float = _WITHIN) -> int | None:
        """The place in `points` of what is nearest to a place of the picture; None if nothing is near.

        A point that is touched comes before the bar it lies on.
        """
        if not self.points:
            return None
        left, top, right, bottom = self._boxes.T
        away = np.hypot(np.maximum(0, np.maximum(left - x, x - right)), np.maximum(0, np.maximum(top - y, y - bottom)))
        bars = (right > left) | (bottom > top)
        touched = np.where(~bars & (away <= _TOUCHED), away - _WITHIN, away)
        best = int(np.argmin(touched))
        return best if away[best] <= within else None

    def beside(self, index: int) -> tuple[int, ...]:
        """All points at the same place along the axis, by their order."""
        place = self.points[index].place
        return tuple(other for other, one in enumerate(self.points) if one.place == place)

    def entry_at(self, x: float, y: float) -> LegendEntry | None:
        """The name in the legend at a place of the picture."""
        return next((one for one in self.legend if _inside(one.box, x, y)), None)

    def frame_at(self, x: float, y: float) -> Box | None:
        """The axes at a place of the picture."""
        return next((one for one in self.frames if _inside(one, x, y)), None)

    def step(self, index: int | None, along: int, across: int) -> int | None:
        """The point that the arrow keys lead to.

        Parameters
        ----------
        index
            Where they are, None before the first.
        along
            So many points to the right in the same series, at its ends no further.
        across
            So many series further, to the point above or below in the picture.
        """
        if not self.points:
            return None
        if index is None or index >= len(self.points):
            return 0
        order = list(dict.fromkeys(one.series for one in self.points))
        here = self.points[index]
        if across:
            wanted = order[(order.index(here.series) + across) % len(order)]
            return min(self._members(wanted), key=lambda one: abs(self.points[one].middle[0] - here.middle[0]))
        members = self._members(here.series)
        return members[min(max(members.index(index) + along, 0), len(members) - 1)]

    def _members(self, series: str) -> list[int]:
        return [place for place, one in enumerate(self.points) if one.series == series]


@runtime_checkable
class NamesSeries(Protocol):
    """A chart whose series are named beside their curves and not in a legend."""

    def named_series(self) -> Sequence[tuple[str, Artist, Sequence[Artist]]]:
        """Of each series its name, what writes it, and what draws it."""


@runtime_checkable
class TellsPoints(Protocol):
    """A chart that says itself what can be read off it, such as the cells of a matrix."""

    def told_points(self) -> Iterator[tuple[str, tuple[str, str, str], Box]]:
        """Of each its series; place, measure and value in words; and corners in the units of the axes: x, y, x, y."""


def series_artists(figure: Figure, chart: object) -> dict[str, list[Artist]]:
    """Artists that draw each named series of a figure, with the bands in its colour."""
    if isinstance(chart, NamesSeries):
        return {name: list(drawn) for name, _, drawn in chart.named_series()}
    found: dict[str, list[Artist]] = {}
    for axes in figure.axes:
        for artist in axes.get_children():
            name = str(artist.get_label())
            mark = str(artist.get_gid() or "")
            if mark.startswith(PART_OF):
                found.setdefault(mark.removeprefix(PART_OF), []).append(artist)
            elif name and not name.startswith("_"):
                found.setdefault(name, []).append(artist)
        for container in axes.containers:
            name = str(container.get_label())
            if name and not name.startswith("_"):
                found.setdefault(name, []).extend(one for one in container.get_children() if one is not None)
        colours = {_colour(drawn[0]): name for name, drawn in found.items() if _colour(drawn[0]) is not None}
        for band in axes.collections:
            name = colours.get(_colour(band), "")
            if name and band not in found[name]:
                found[name].append(band)
    return found


def read(figure: Figure, chart: object, ratio: float, hidden: Iterable[str] = ()) -> ChartReading:
    """Reading of a figure that was drawn just now.

    Parameters
    ----------
    figure, chart
        As they were drawn.
    ratio
        Device pixels per logical pixel.
    hidden
        Names of series that are not drawn.
    """
    away, height = frozenset(hidden), float(figure.bbox.height)

    def box(extent: Bbox) -> Box:
        return extent.x0 / ratio, (height - extent.y1) / ratio, extent.x1 / ratio, (height - extent.y0) / ratio

    legend = [LegendEntry(name, box(extent), name in away) for name, extent in _legend(figure, chart)]
    names = {id(one): name for name, drawn in series_artists(figure, chart).items() for one in drawn}
    points: list[ReadPoint] = []
    for axes in figure.axes:
        frame = axes.get_window_extent()
        for name, told, corners in _told(axes, chart, names):
            shown = axes.transData.transform(corners.reshape(-1, 2)).reshape(-1, 4)
            for words, (x0, y0, x1, y1) in zip(told, shown.tolist(), strict=True):
                low, high, left, right = min(y0, y1), max(y0, y1), min(x0, x1), max(x0, x1)
                if right < frame.x0 or left > frame.x1 or high < frame.y0 or low > frame.y1:
                    continue
                left, right = max(left, frame.x0), min(right, frame.x1)
                low, high = max(low, frame.y0), min(high, frame.y1)
                where = left / ratio, (height - high) / ratio, right / ratio, (height - low) / ratio
                points.append(ReadPoint(name, *words, where))
    frames = tuple(box(axes.get_window_extent()) for axes in figure.axes if axes.axison)
    return ChartReading(tuple(points), tuple(legend), frames)


def _inside(box: Box, x: float, y: float) -> bool:
    left, top, right, bottom = box
    return left <= x <= right and top <= y <= bottom


def _legend(figure: Figure, chart: object) -> Iterator[tuple[str, Bbox]]:
    if isinstance(chart, NamesSeries):
        for name, words, _ in chart.named_series():
            if words.get_visible():
                yield name, words.get_window_extent()
        return
    from matplotlib.transforms import Bbox

    known = series_artists(figure, chart)
    for axes in figure.axes:
        legend = axes.get_legend()
        if legend is None:
            continue
        for words, mark in zip(legend.get_texts(), legend.legend_handles, strict=False):
            if words.get_text() in known:
                extents = [words.get_window_extent()]
                if mark is not None:
                    extents.append(mark.get_window_extent())
                yield words.get_text(), Bbox.union(extents)


def _told(
    axes: Axes, chart: object, names: Mapping[int, str]
) -> Iterator[tuple[str, list[tuple[str, str, str]], NDArray[np.float64]]]:
    """Every series: its name, places and values in words, and their corners in the units of the axes."""
    if isinstance(chart, TellsPoints):
        for name, words, corners in chart.told_points():
            yield name, [words], np.array([corners])
        return
    for name, horizontal, places, drawn in _drawn(axes, names):
        tell = _tellers(axes, horizontal=horizontal)
        yield name, [tell(*one) for one in places[:_MOST_POINTS]], drawn[:_MOST_POINTS]


_Place = tuple[float, float, float]
"""Where a point begins and ends along the axis, and its value."""


def _drawn(axes: Axes, names: Mapping[int, str]) -> Iterator[tuple[str, bool, list[_Place], NDArray[np.float64]]]:
    """Every series: its name, whether it lies on its side, its values, and their corners in the units of the axes."""
    from matplotlib.patches import StepPatch

    for container in axes.containers:
        sideways = getattr(container, "orientation", "vertical") == "horizontal"
        bars = [one for one in getattr(container, "patches", ()) if one.get_visible()]
        if bars:
            rectangles = [(one.get_x(), one.get_y(), one.get_width(), one.get_height()) for one in bars]
            name = names.get(id(bars[0]), "")
            if sideways:
                places = [(y + tall / 2, y + tall / 2, x + wide) for x, y, wide, tall in rectangles]
            else:
                places = [(x + wide / 2, x + wide / 2, y + tall) for x, y, wide, tall in rectangles]
            corners = np.array([(x, y, x + wide, y + tall) for x, y, wide, tall in rectangles])
            yield name, sideways, places, corners
    outlined: list[NDArray[np.float64]] = []
    for patch in axes.patches:
        if not isinstance(patch, StepPatch) or not patch.get_visible():
            continue
        values, edges, _ = patch.get_data()
        values, edges = np.asarray(values, dtype=np.float64), np.asarray(edges, dtype=np.float64)
        name = names.get(id(patch), "")
        # The outline of bars that are filled says nothing more.
        if not name and any(np.array_equal(values, other, equal_nan=True) for other in outlined):
            continue
        outlined.append(values)
        known = np.flatnonzero(np.isfinite(values) & (np.diff(edges) > 0))
        # Gaps between bars are drawn as bars of no height, narrower than the bars.
        wide = np.diff(edges)[known]
        known = known[wide >= 0.5 * wide.max(initial=0.0)] if axes.get_xscale() == "linear" else known
        low = axes.get_ylim()[0]
        places = list(zip(edges[known].tolist(), edges[known + 1].tolist(), values[known].tolist(), strict=True))
        ground = np.full(len(known), low if axes.get_yscale() == "log" else 0.0)
        yield name, False, places, np.column_stack([edges[known], ground, edges[known + 1], values[known]])
    for line in axes.lines:
        part = str(line.get_gid() or "").startswith(PART_OF)
        if line.get_visible() and not part and line.get_transform() == axes.transData:
            x, y = (np.asarray(one, dtype=np.float64) for one in line.get_data(orig=False))
            known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
            if len(known):
                lying = bool(names_along(axes.yaxis)) and not names_along(axes.xaxis)
                along, value = (y, x) if lying else (x, y)
                places = list(zip(*(one[known].tolist() for one in (along, along, value)), strict=True))
                corners = np.column_stack([x, y, x, y])[known]
                yield names.get(id(line), ""), lying, places, corners


def _tellers(axes: Axes, *, horizontal: bool) -> Any:
    """Function that says in words where a point is and what its value is."""
    along, value = (axes.yaxis, axes.xaxis) if horizontal else (axes.xaxis, axes.yaxis)
    names, title = names_along(along), along.get_label_text()
    said = axes.get_xlabel() if horizontal else axes.get_title(loc="left")

    def tell(start: float, end: float, number: float) -> tuple[str, str, str]:
        if names:
            middle = round((start + end) / 2)
            place = names[middle] if 0 <= middle < len(names) else ""
        else:
            ends = [_number(along, one) for one in dict.fromkeys((start, end))]
            place = f"{title.split(', ')[0]} {' to '.join(ends)}".strip()
        return place, said.split(";")[0].split(", ")[0], _number(value, number)

    return tell


def _number(axis: Axis, value: float) -> str:
    """A number as the axis would write it, but with the digits that somebody reads off."""
    formatter = axis.get_major_formatter()
    if "%" in str(formatter(value, None)):
        return f"{estimate(100 * value, _DIGITS)} %"
    return exact(value) if value == round(value) and abs(value) < 1e15 else estimate(value, _DIGITS)


def _colour(artist: Artist) -> tuple[float, ...] | None:
    """The colour of a line or a band, without its transparency; None if it has none."""
    from matplotlib.colors import to_rgb

    getter = getattr(artist, "get_color", None) or getattr(artist, "get_facecolor", None)
    found = None if getter is None else getter()
    if found is None or not len(found):
        return None
    if isinstance(found, np.ndarray):
        found = tuple(np.atleast_2d(found)[0])
    return tuple(round(one, 3) for one in to_rgb(found))
