"""The error of several protocols against ε or against the number of people, beside what brackets them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import estimate, file_text
from workbench.plots.placement import apart
from workbench.plots.series import LOOKS, Dash, SeriesStyle, legend_above, series_look
from workbench.plots.style import (
    AxesChart,
    ChartStyle,
    fresh_axes,
    label_look,
    lay_out,
    name_axes,
    name_box,
    readable,
    thousands,
)
from workbench.plots.ticks import csv_cell, shortened

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Polygon
    from matplotlib.text import Annotation
    from matplotlib.ticker import FixedLocator

Against = Literal["epsilon", "users"]
Role = Literal["local", "curator", "uniform"]

_LETTERS = 42
_ORDERS = 1e5
"""Errors smaller than the largest by more than this are below the chart."""

_NOTHING = 1e-12
_BESIDE = 15.0
"""How far beside the axes names begin, in points; the line to them takes four fifths."""
_POINTS = 72.0
_MOST_BESIDE, _MOST_HIGH = 0.42, 0.75
_MOST_NAMED = 0.86
"""Share of the width that the name of the errors may take in one line; beside it the window has a button."""
"""Names that take more than this of the paper's width, or height, stand above the curves."""
_MOST_NAMES = 0.25
"""Of the height, that names above the axes take before they are written smaller."""
_NOWHERE = ((1.0, 0.5), (1.0, 0.5))
_DASHES: tuple[Dash, ...] = ("solid", (0, (5, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)))
_AXIS: dict[Against, str] = {"epsilon": "ε", "users": "People, n"}


@dataclass(frozen=True, eq=False)
class ProtocolCurve:
    """One protocol or baseline.

    Parameters
    ----------
    name
        What it is called.
    places, errors
        Shape (points,), places rising; nan where there is none.
    low, high
        The band around the errors, same shape; None if there is none.
    role
        A local protocol, or one of the two baselines.
    taken
        Whether it is the one that is recommended.
    look
        The place of its colour and mark, which are the same whatever else is drawn; None for that among the curves.
    short
        What is written beside it where its name has no room; "" for the beginning of that.
    """

    name: str
    places: NDArray[np.float64]
    errors: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    role: Role = "local"
    taken: bool = False
    look: int | None = None
    short: str = ""

    @property
    def written(self) -> str:
        """The name as it is written beside the curve."""
        return shortened(self.short if self.short and len(self.name) > _LETTERS else self.name, _LETTERS)


@dataclass(frozen=True, eq=False)
class ErrorCurves:
    """Several curves. Simulated ones are computed from true values: analyst only.

    Parameters
    ----------
    curves
        Local protocols and the baselines.
    metric
        What the error is called.
    against
        What the places are.
    now
        The ε or number of people that is set; a line marks it.
    note
        What the bands are, or "".
    target
        The error to reach; a line marks it. None for none.
    """

    curves: tuple[ProtocolCurve, ...]
    metric: str
    against: Against
    now: float
    note: str = ""
    target: float | None = None


@dataclass(frozen=True)
class _Drawn:
    """A curve with its name: the name beside its end, the line between the two, and all that draws it."""

    curve: ProtocolCurve
    name: str
    line: Line2D
    beside: Annotation
    leader: Polygon
    artists: tuple[Artist, ...]


class ErrorCurvesChart(AxesChart[ErrorCurves]):
    def update(self, data: ErrorCurves) -> None:
        self.data = data
        axes, style = self.axes, self.style
        for artist in [*axes.lines, *axes.collections, *axes.patches, *axes.texts]:
            artist.remove()
        self.drawn: list[_Drawn] = []
        axes.axvline(data.now, color=style.muted, linewidth=1, linestyle=(0, (1, 2)))
        looks: list[int] = []
        seen: list[float] = []
        for curve in data.curves:
            place = len(looks) if curve.look is None else curve.look
            self.drawn.append(self._curve(curve, place, looks.count(place)))
            looks += [place] if curve.role == "local" else []
            if curve.high is not None:
                seen += curve.high.tolist()
            seen += curve.errors.tolist()
        known = [value for value in seen if math.isfinite(value) and value > 0]
        if data.target is not None:
            axes.axhline(data.target, color=style.muted, linewidth=1, linestyle=(0, (1, 2)))
            known.append(data.target)
        highest = max(known, default=1.0)
        axes.set_ylim(max(min(known, default=0.01) / 1.25, highest / _ORDERS), highest * 1.25)
        places = [float(one) for curve in data.curves for one in curve.places]
        low, high = min([*places, data.now]), max([*places, data.now])
        axes.set_xlim(low / 1.05, high * 1.05 if high > low else high * 2)
        axes.xaxis.set_major_locator(_nice(low, high))
        axes.yaxis.set_major_locator(_nice(*axes.get_ylim()))

    def _curve(self, curve: ProtocolCurve, place: int, before: int) -> _Drawn:
        """Draw a curve with the look of this place, which so many `before` it have too."""
        from matplotlib.patches import Polygon

        axes, style, name = self.axes, self.style, curve.written
        errors = _positive(curve.errors)
        artists: list[Artist] = []
        if curve.role == "local":
            look = curve_look(place, before, style)
            colour = look.colour
            # Of curves that lie on each other all are seen: through the gaps of the upper ones, and by their marks.
            (line,) = axes.plot(
                curve.places, errors, color=colour, marker=look.marker, linestyle=look.dash, linewidth=1.8,
                markersize=5.5, markerfacecolor=style.ground if look.hollow else colour,
                markevery=((place + before) % 2, 2), label=name, zorder=3,
            )  # fmt: skip
        else:
            colour = style.global_dp if curve.role == "curator" else style.muted
            dash = (0, (5, 2)) if curve.role == "curator" else (0, (2, 2))
            (line,) = axes.plot(curve.places, errors, color=colour, linestyle=dash, linewidth=1.6, label=name, zorder=2)
        if curve.taken:
            artists += axes.plot(curve.places, errors, color=colour, linewidth=7, alpha=0.25, zorder=2.5)
        if curve.low is not None and curve.high is not None:
            artists.append(
                axes.fill_between(
                    curve.places, _positive(curve.low), _positive(curve.high), color=colour, alpha=0.16, linewidth=0
                )
            )
        beside = axes.annotate(
            name, (1.0, 0.5), (_BESIDE, 0.0), xycoords="axes fraction", textcoords="offset points", va="center",
            color=readable(colour, style), fontweight="bold" if curve.taken else "normal",
            **label_look(style),
        )  # fmt: skip
        leader = Polygon(
            _NOWHERE, closed=False, fill=False, edgecolor=colour, linewidth=0.7, transform=axes.transAxes,
            clip_on=False, zorder=2,
        )  # fmt: skip
        axes.add_artist(leader)
        leader.set_in_layout(False)
        return _Drawn(curve, name, line, beside, leader, (line, leader, *artists))

    def arrange(self) -> None:
        """Put the names beside the ends of the curves, or above the axes where that leaves the curves no room."""
        data, axes = self.data, self.axes
        figure = axes.get_figure(root=True)
        for one in self.drawn:
            one.beside.set_visible(True)
        sizes = [one.beside.get_window_extent() for one in self.drawn]
        widest, line = max(size.width for size in sizes), 1.15 * max(size.height for size in sizes)
        room = figure is None or widest < _MOST_BESIDE * figure.bbox.width
        fits = room and (figure is None or len(sizes) * line < _MOST_HIGH * figure.bbox.height)
        for one in self.drawn:
            one.beside.set_visible(fits)
            # Whatever was shown before, the same data come to lie at the same places.
            one.beside.xy = (1.0, 0.5)
            one.leader.set_xy(_NOWHERE)
        legend = axes.get_legend()
        if fits and legend is not None:
            legend.remove()
        height = 0.0 if fits else self._above()
        title = f"{data.metric}; {data.note}" if data.note else data.metric
        name_axes(axes, self.style, _AXIS[data.against], title, 10 + height)
        box = name_box(axes, title)
        if figure is not None and box is not None and box.width > _MOST_NAMED * figure.bbox.width:
            # Below each other, where a narrow window would cut the end of the line.
            lines = f"{data.metric};\n{data.note}" if data.note else data.metric.replace(", ", ",\n", 1)
            name_axes(axes, self.style, _AXIS[data.against], lines, 10 + height)
            box = name_box(axes, lines)
            if data.note and box is not None and box.width > _MOST_NAMED * figure.bbox.width:
                # The name alone is too long.
                name_axes(axes, self.style, _AXIS[data.against], title.replace(", ", ",\n", 1), 10 + height)
        lay_out(axes)
        if fits:
            self._name_ends(line)

    def _above(self) -> float:
        """The height of a legend, with smaller names where a line for each leaves the curves no room to be read."""
        height, figure = legend_above(self.axes, self.style), self.axes.get_figure(root=True)
        if figure is None or height * figure.dpi / _POINTS <= _MOST_NAMES * figure.bbox.height:
            return height
        return legend_above(self.axes, self.style, tight=True, smaller=True)

    def _name_ends(self, line: float) -> None:
        """Each name as near to the end of its curve as the others let it be."""
        ends = []
        for one in self.drawn:
            known = np.flatnonzero(np.isfinite(one.curve.errors))
            at = int(known[-1]) if len(known) else 0
            ends.append((one.curve.places[at], _positive(np.nan_to_num(one.curve.errors[at : at + 1]))[0]))
        box = self.axes.get_window_extent()
        figure = self.axes.get_figure(root=True)
        gap = _BESIDE / 5 * (figure.dpi if figure is not None else _POINTS) / _POINTS / max(box.width, 1.0)
        within = self.axes.transAxes.inverted().transform(self.axes.transData.transform(ends))
        heights = apart(np.clip(within[:, 1], 0.0, 1.0).tolist(), line / max(box.height, 1.0))
        for one, (right, up), height in zip(self.drawn, within.tolist(), heights, strict=True):
            one.beside.xy = (1.0, height)
            one.leader.set_xy([(right + gap, min(max(up, 0.0), 1.0)), (1.0 + 4 * gap, height)])

    def named_series(self) -> list[tuple[str, Artist, tuple[Artist, ...]]]:
        """The curves with their names, beside them or in the legend."""
        legend = self.axes.get_legend()
        written = [] if legend is None else legend.get_texts()
        words = dict(zip((one.get_text() for one in written), written, strict=True))
        return [(one.name, words.get(one.name, one.beside), one.artists) for one in self.drawn]


def curve_look(place: int, before: int, style: ChartStyle) -> SeriesStyle:
    """The look of a curve with the look of this place, which so many `before` it have too.

    Two of one colour, and any two in grey, are told apart by their marks, by whether those are filled, and by dashes.
    """
    look = series_look(place, style)
    dash = _DASHES[(place + 2 * before + place // LOOKS) % len(_DASHES)]
    return replace(look, dash=dash, hollow=look.hollow != bool(before % 2))


def build(figure: Figure, data: ErrorCurves, style: ChartStyle) -> ErrorCurvesChart:
    from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

    axes = fresh_axes(figure, style)
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(thousands))
        axis.set_minor_locator(NullLocator())
        axis.set_minor_formatter(NullFormatter())
    return ErrorCurvesChart(axes, style).showing(data)


def describe(data: ErrorCurves) -> str:
    parts = []
    for curve in data.curves:
        known = np.flatnonzero(np.isfinite(curve.errors))
        if len(known):
            first, last = known[0], known[-1]
            parts.append(
                f"{curve.name} {estimate(curve.errors[first], 3)} at {thousands(float(curve.places[first]))} to "
                f"{estimate(curve.errors[last], 3)} at {thousands(float(curve.places[last]))}"
            )
    target = "" if data.target is None else f" To reach: {estimate(data.target, 3)}."
    return f"{data.metric} against {_AXIS[data.against]}: {'; '.join(parts)}.{target}"


def rows(data: ErrorCurves) -> list[tuple[str, ...]]:
    """The numbers behind the chart, the heading first; "" where there is no value."""
    table: list[tuple[str, ...]] = [("series", data.against, "error", "low", "high")]
    for curve in data.curves:
        for place, (at, error) in enumerate(zip(curve.places.tolist(), curve.errors.tolist(), strict=True)):
            ends = [None if band is None else float(band[place]) for band in (curve.low, curve.high)]
            cells = ["" if value is None or math.isnan(value) else file_text(value, 6) for value in (error, *ends)]
            table.append((csv_cell(curve.name), file_text(at, 6), *cells))
    return table


def _positive(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Errors for a logarithmic axis, on which no error at all has no place."""
    return np.maximum(errors, _NOTHING)


def _nice(low: float, high: float) -> FixedLocator:
    """Ticks at 1, 2, 5, 10, …, or fewer where there are many."""
    from matplotlib.ticker import FixedLocator

    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        shown = [step * 10.0**decade for decade in decades for step in steps if low <= step * 10.0**decade <= high]
        if len(shown) <= 7:
            break
    return FixedLocator(shown)
