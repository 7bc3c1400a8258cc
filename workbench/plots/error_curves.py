"""The error of several protocols against ε or against the number of people, beside what brackets them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import estimate, file_text
from workbench.plots.series import legend_above, series_look
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, lay_out, name_axes, thousands
from workbench.plots.ticks import csv_cell, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator

Against = Literal["epsilon", "users"]
Role = Literal["local", "curator", "uniform"]

_LETTERS = 42
_ORDERS = 1e4
"""Errors smaller than the largest by more than this are below the chart."""

_NOTHING = 1e-12
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
    """

    name: str
    places: NDArray[np.float64]
    errors: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    role: Role = "local"


@dataclass(frozen=True, eq=False)
class ErrorCurves:
    """Several curves. Simulated ones are computed from true values: analyst only.

    Parameters
    ----------
    curves
        Local protocols in the order of their colours, and the baselines.
    metric
        What the error is called.
    against
        What the places are.
    now
        The ε or number of people that is set; a line marks it.
    note
        What the bands are, or "".
    """

    curves: tuple[ProtocolCurve, ...]
    metric: str
    against: Against
    now: float
    note: str = ""


class ErrorCurvesChart(AxesChart[ErrorCurves]):
    def update(self, data: ErrorCurves) -> None:
        self.data = data
        axes, style = self.axes, self.style
        for artist in [*axes.lines, *axes.collections]:
            artist.remove()
        axes.axvline(data.now, color=style.muted, linewidth=1, linestyle=(0, (1, 2)))
        local = 0
        seen: list[float] = []
        for curve in data.curves:
            name = shortened(curve.name, _LETTERS)
            if curve.role == "local":
                look = series_look(local, style)
                local += 1
                axes.plot(
                    curve.places, _positive(curve.errors), color=look.colour, marker=look.marker, linestyle=look.dash,
                    linewidth=1.8, markersize=4.5, label=name, zorder=3,
                )  # fmt: skip
                colour = look.colour
            else:
                colour = style.global_dp if curve.role == "curator" else style.muted
                dash = (0, (5, 2)) if curve.role == "curator" else (0, (2, 2))
                axes.plot(
                    curve.places,
                    _positive(curve.errors),
                    color=colour,
                    linestyle=dash,
                    linewidth=1.6,
                    label=name,
                    zorder=2,
                )
            if curve.low is not None and curve.high is not None:
                axes.fill_between(
                    curve.places, _positive(curve.low), _positive(curve.high), color=colour, alpha=0.16, linewidth=0
                )
                seen += curve.high.tolist()
            seen += curve.errors.tolist()
        known = [value for value in seen if math.isfinite(value) and value > 0]
        highest = max(known, default=1.0)
        axes.set_ylim(max(min(known, default=0.01) / 1.25, highest / _ORDERS), highest * 1.25)
        places = [float(one) for curve in data.curves for one in curve.places]
        low, high = min([*places, data.now]), max([*places, data.now])
        axes.set_xlim(low / 1.05, high * 1.05 if high > low else high * 2)
        axes.xaxis.set_major_locator(_nice(low, high))
        axes.yaxis.set_major_locator(_nice(*axes.get_ylim()))

    def arrange(self) -> None:
        """Put the names above the axes, in as many columns as have room."""
        data = self.data
        height = legend_above(self.axes, self.style)
        title = f"{data.metric}; {data.note}" if data.note else data.metric
        name_axes(self.axes, self.style, _AXIS[data.against], title, 10 + height)
        lay_out(self.axes)


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
    return f"{data.metric} against {_AXIS[data.against]}: {'; '.join(parts)}."


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
