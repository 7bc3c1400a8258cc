"""Errors against ε or against the number of rows, with the spread of repetitions and the formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import estimate, file_text, margin_up
from workbench.plots.series import legend_above
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SMALLEST = 1e-12


@dataclass(frozen=True)
class QueryErrorCurve:
    """One curve.

    Parameters
    ----------
    name
        What it is called in the legend.
    places, values
        The points; both positive, as the axes are logarithmic. Points with a value that is not are left out.
    low, high
        A band around it, or nothing.
    formula
        Whether it is computed rather than simulated, which is drawn dashed in the colour of the text.
    zero_from
        The place from which on the values are 0, where the line leaves the axes; None if they never are.
    """

    name: str
    places: tuple[float, ...]
    values: tuple[float | None, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    formula: bool = False
    zero_from: float | None = None


@dataclass(frozen=True)
class ErrorCurve:
    """Several curves of the same errors.

    Parameters
    ----------
    lines
        The curves; the first one is the main one.
    x, y
        What the axes show, with units.
    chosen
        A point (place, value) that is in force, or None.
    """

    lines: tuple[QueryErrorCurve, ...]
    x: str
    y: str
    chosen: tuple[float, float] | None = None


class ErrorCurveChart(AxesChart[ErrorCurve]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        (self.mark,) = axes.plot(
            [], [], "o", color=style.text, markersize=9, zorder=6, markerfacecolor=style.ground, markeredgewidth=2,
            label="_chosen",
        )  # fmt: skip
        self.words = axes.annotate(
            "", (1, 1), (9, 7), textcoords="offset points", color=style.text, fontweight="bold", **label_look(style)
        )
        self.words.set_in_layout(False)

    def update(self, data: ErrorCurve) -> None:
        self.data = data
        axes, style = self.axes, self.style
        for artist in [*axes.lines, *axes.collections]:
            if artist is not self.mark:
                artist.remove()
        shades = (style.global_dp, style.anonymised, style.local_dp)
        extent: list[NDArray[np.float64]] = []
        for number, line in enumerate(data.lines):
            colour = style.text if line.formula else shades[number % len(shades)]
            places, values, kept = _points(line)
            axes.plot(
                *_down_to_zero(line, places, values), color=colour, label=line.name,
                linewidth=1.6 if line.formula else 2, linestyle=(0, (5, 3)) if line.formula else "solid",
                zorder=4 if line.formula else 3,
            )  # fmt: skip
            extent.append(np.column_stack([places, values]))
            if line.low:
                low = np.maximum(np.asarray(line.low, dtype=np.float64)[kept], _SMALLEST)
                high = np.asarray(line.high, dtype=np.float64)[kept]
                axes.fill_between(places, low, high, color=colour, alpha=0.16, linewidth=0)
                extent.append(np.column_stack([places, high]))
                # A band that reaches down to 0 has no end on this axis.
                extent.append(np.column_stack([places, np.maximum(low, values / 30)]))
        self._frame(extent)

    def _frame(self, extent: Sequence[NDArray[np.float64]]) -> None:
        data, axes = self.data, self.axes
        points = np.vstack([*extent, np.empty((0, 2))])
        points = points[(points > 0).all(axis=1)]
        if data.chosen is not None and min(data.chosen) > 0:
            self.mark.set_data([data.chosen[0]], [data.chosen[1]])
            self.words.xy = data.chosen
            self.words.set_text(_margin(data.chosen))
            points = np.vstack([points, data.chosen])
        else:
            self.mark.set_data([], [])
            self.words.set_text("")
        if not len(points):
            points = np.array([[0.1, 0.1], [10.0, 10.0]])
        (x_low, y_low), (x_high, y_high) = points.min(axis=0), points.max(axis=0)
        axes.set_xlim(x_low / 1.1, x_high * 1.1)
        axes.set_ylim(y_low / 1.4, y_high * 1.6)

    def arrange(self) -> None:
        """Put the names above the axes, in as many columns as have room."""
        height = legend_above(self.axes, self.style)
        name_axes(self.axes, self.style, self.data.x, self.data.y, 10 + height)
        lay_out(self.axes)


def build(figure: Figure, data: ErrorCurve, style: ChartStyle) -> ErrorCurveChart:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes = fresh_axes(figure, style)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True, axis="both", color=style.grid, linewidth=0.8)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(10, numticks=12))
        axis.set_major_formatter(FuncFormatter(thousands))
        axis.set_minor_formatter(NullFormatter())
    return ErrorCurveChart(axes, style).showing(data)


def describe(data: ErrorCurve) -> str:
    parts = []
    for line in data.lines:
        places, values, _ = _points(line)
        if len(places):
            parts.append(
                f"{line.name}: from {estimate(values[0])} at {estimate(places[0])} to {estimate(values[-1])} at "
                f"{estimate(places[-1])}"
            )
    said = f"{data.y} against {data.x}. {'; '.join(parts)}."
    return said if data.chosen is None else f"{said} Now {_margin(data.chosen)} at {estimate(data.chosen[0])}."


def _margin(chosen: tuple[float, float]) -> str:
    """The margin of a chosen place, as it stands beside the chart."""
    return margin_up(chosen[1], 3)


def rows(data: ErrorCurve) -> list[tuple[str, ...]]:
    table: list[tuple[str, ...]] = [("curve", "place", "value", "low", "high")]
    for line in data.lines:
        for position, (place, value) in enumerate(zip(line.places, line.values, strict=True)):
            band = (file_text(line.low[position]), file_text(line.high[position])) if line.low else ("", "")
            name = '"' + line.name.replace('"', '""') + '"'
            table.append((name, file_text(place), "" if value is None else file_text(value), *band))
    return table


def _down_to_zero(
    line: QueryErrorCurve, places: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A line with its way to 0, which lies below every logarithmic axis."""
    if line.zero_from is None or not len(values):
        return places, values
    return np.append(places, [line.zero_from] * 2), np.append(values, [values[-1], _SMALLEST])


def _points(line: QueryErrorCurve) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    values = np.array([np.nan if value is None else value for value in line.values], dtype=np.float64)
    places = np.asarray(line.places, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        kept = np.isfinite(values) & (values > 0) & (places > 0)
    return places[kept], values[kept], kept
