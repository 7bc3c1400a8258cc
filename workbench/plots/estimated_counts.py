"""Estimated people per value with bands, drawn over the truth where that is known."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.bin_names import bin_name
from workbench.core.number_text import count, estimate, file_text
from workbench.plots.style import ChartStyle, fresh_axes, label_look, lay_out, name_axes, readable, thousands
from workbench.plots.ticks import csv_cell, name_axis, name_places, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 2000
"""Values that are drawn; of more, the most frequent."""
_FEW = 200
_SIDEWAYS = 24
_SHORT = 4
_MARKED = 80
_LETTERS = 20
_LINE = 1.4


@dataclass(frozen=True, eq=False)
class EstimatedCounts:
    """Estimates of one protocol. With the truth it is for the analyst only, unless that is assumed.

    Parameters
    ----------
    title
        The protocol.
    labels
        One text per value.
    estimate, low, high
        Estimated people and band per value, float64 of shape (values,); nan where there is no band.
    truth
        True people per value, or None.
    band
        What the band is.
    ordinal
        Whether the values lie along a line.
    values
        Values of the domain, more than shown if only the most frequent are.
    axis
        What the values are: the column, with its unit.
    whole
        Whether all values are whole numbers.
    assumed
        Whether nobody gave the answers of the truth: they are assumed, and public.
    people
        How many there are of all answers, of whom shares are drawn; 0 where that is not known, and numbers are.
    """

    title: str
    labels: tuple[str, ...]
    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    truth: NDArray[np.float64] | None
    band: str
    ordinal: bool
    values: int
    axis: str = ""
    whole: bool = False
    assumed: bool = False
    people: float = 0.0

    @property
    def drawn(self) -> EstimatedCounts:
        """The same in parts of the people, where shares are drawn."""
        if not self.people:
            return self
        times = 1 / self.people
        truth = None if self.truth is None else self.truth * times
        return replace(self, estimate=self.estimate * times, low=self.low * times, high=self.high * times, truth=truth)

    @property
    def shaded(self) -> str:
        """What the shaded bars are called; "" where there are none."""
        return "" if self.truth is None else _ASSUMED if self.assumed else _TRUTH

    @property
    def sideways(self) -> bool:
        """Few values with names are told apart best one below the other."""
        longest = max(map(len, self.labels), default=0)
        return not self.ordinal and len(self.labels) <= _SIDEWAYS and longest > _SHORT


def compute(
    title: str,
    labels: tuple[str, ...],
    estimate: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    truth: NDArray[np.number] | None = None,
    *,
    band: str,
    ordinal: bool,
    axis: str = "",
    whole: bool = False,
    assumed: bool = False,
    people: float = 0.0,
) -> EstimatedCounts:
    """Take all values, or of very many the most frequent, in their order."""
    count = len(labels)
    wanted = None if truth is None else truth.astype(np.float64)
    if count > MOST_BARS:
        by = estimate if wanted is None else wanted
        kept = np.sort(np.argsort(-by, kind="stable")[:_FEW])
        labels = tuple(labels[place] for place in kept.tolist())
        estimate, low, high = estimate[kept], low[kept], high[kept]
        wanted = None if wanted is None else wanted[kept]
    return EstimatedCounts(
        title, labels, estimate, low, high, wanted, band, ordinal, count, axis, whole, assumed, people
    )


_SHARE = "Share"
_TRUTH, _ASSUMED, _ESTIMATE = "truth", "assumed shares", "estimate"


class EstimatedCountsChart:
    """The chart on its figure; made by `build`."""

    def __init__(self, figure: Figure, style: ChartStyle) -> None:
        self.figure = figure
        self.style = style

    def update(self, data: EstimatedCounts) -> None:
        self.data, self.drawn = data, data.drawn
        self.axes = fresh_axes(self.figure, self.style)
        if data.sideways:
            self._rows(self.axes)
        else:
            self._bars(self.axes)
        look = label_look(self.style)
        words = [("left", 0, self.style.text, f"shaded: {data.shaded}" if data.shaded else "")]
        words.append(("right", 1, readable(self.style.local_dp, self.style), f"estimate, {data.band}"))
        self.notes = []
        for side, at, colour, text in words:
            note = self.axes.annotate(
                text, (at, 1), (0, 6), xycoords="axes fraction", textcoords="offset points", ha=side, color=colour,
                **look,
            )  # fmt: skip
            note.set_in_layout(False)
            self.notes.append(note)

    def _rows(self, axes: Axes) -> None:
        from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

        data, style = self.drawn, self.style
        places = np.arange(len(data.labels))
        axes.grid(False)
        axes.grid(True, axis="x", color=style.grid, linewidth=0.8)
        axes.tick_params(axis="y", labelcolor=style.text)
        if data.truth is not None:
            axes.barh(places, data.truth, 0.7, color=style.truth, alpha=0.22, label=data.shaded)
        known = np.isfinite(data.low)
        axes.hlines(places[known], data.low[known], data.high[known], color=style.local_dp, linewidth=2)
        axes.plot(data.estimate, places, "o", color=style.local_dp, markersize=6, label=_ESTIMATE)
        axes.set_ylim(len(places) - 0.4, -0.6)
        axes.set_xlim(*_range(data))
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %") if data.people else FuncFormatter(thousands))
        if axes.get_xlim()[0] < 0:
            axes.axvline(0, color=style.muted, linewidth=1)

    def _bars(self, axes: Axes) -> None:
        from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

        data, style = self.drawn, self.style
        edges = np.arange(len(data.labels) + 1) - 0.5
        places = np.arange(len(data.labels))
        if data.truth is not None:
            axes.stairs(data.truth, edges, fill=True, color=style.truth, alpha=0.22, label=data.shaded)
            axes.stairs(data.truth, edges, color=style.truth, alpha=0.6, linewidth=1, baseline=None)
        known = np.isfinite(data.low)
        if len(places) <= _MARKED:
            axes.vlines(places[known], data.low[known], data.high[known], color=style.local_dp, linewidth=2)
            axes.plot(places, data.estimate, "o", color=style.local_dp, markersize=5, label=_ESTIMATE)
        else:
            if known.all():
                axes.fill_between(places, data.low, data.high, color=style.local_dp, alpha=0.25, linewidth=0)
            axes.plot(places, data.estimate, color=style.local_dp, linewidth=1.4, label=_ESTIMATE)
        axes.set_xlim(edges[0], max(edges[-1], edges[0] + 1))
        axes.set_ylim(*_range(data))
        axes.yaxis.set_major_locator(MaxNLocator(6))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %") if data.people else FuncFormatter(thousands))
        if axes.get_ylim()[0] < 0:
            axes.axhline(0, color=style.muted, linewidth=1)

    def arrange(self) -> None:
        """Label as many values as have room."""
        self.notes[0].xyann = (0, 6)
        lay_out(self.axes)
        # Side by side where both have room, else one above the other.
        stacked = self._crowded()
        self._label(stacked=stacked)
        if not stacked and self._crowded():  # the names of the values have taken the room
            self._label(stacked=True)

    def _crowded(self) -> bool:
        """Whether what is shaded and what is estimated are written too close to each other."""
        truth, estimate = self.notes
        beside = truth.get_window_extent().x1 + self.style.small > estimate.get_window_extent().x0
        return bool(truth.get_text()) and beside

    def _label(self, *, stacked: bool) -> None:
        data, style = self.data, self.style
        line = _LINE * style.small_points
        truth, _estimate = self.notes
        truth.xyann = (0, 6 + line if stacked else 6)
        above = 10 + 1.5 * style.small_points + (line if stacked else 0.0)
        title = data.title
        if len(data.labels) < data.values:
            title = f"{title}: the {len(data.labels)} most frequent of {data.values:,} values"
        if data.sideways:
            by = f"{title}, by {data.axis}" if data.axis else title
            name_axes(self.axes, style, _SHARE if data.people else "People", by, above)
            lay_out(self.axes)
            name_axis(self.axes.yaxis, [bin_name(label, whole=data.whole) for label in data.labels])
            room = self.axes.get_window_extent().height / max(len(data.labels), 1)
            step = math.ceil(style.small * _LINE / max(room, 1.0))
            places = range(0, len(data.labels), step)
            self.axes.set_yticks(
                list(places), [shortened(bin_name(data.labels[place], whole=data.whole), _LETTERS) for place in places]
            )
            lay_out(self.axes)
        else:
            each = "share of each value" if data.people else "people per value"
            name_axes(self.axes, style, data.axis, f"{title}; {each}", above)
            name_places(self.axes, [_start(bin_name(one, whole=data.whole)) for one in data.labels])
            name_axis(self.axes.xaxis, [bin_name(label, whole=data.whole) for label in data.labels])


def build(figure: Figure, data: EstimatedCounts, style: ChartStyle) -> EstimatedCountsChart:
    chart = EstimatedCountsChart(figure, style)
    chart.update(data)
    return chart


def describe(data: EstimatedCounts) -> str:
    place = int(np.argmax(data.estimate)) if len(data.labels) else 0
    words = f"{data.title}: estimated people for {data.values:,} values."
    if data.labels:
        share = f" ({estimate(100 * data.estimate[place] / data.people, 3)} %)" if data.people else ""
        most = f"{count(data.estimate[place])}{share}"
        words += f" The most, {most}, for {bin_name(data.labels[place], whole=data.whole)}."
    if data.truth is not None:
        off = float(np.abs(data.truth - data.estimate).sum()) / 2
        words += f" Compared with the {data.shaded}, {count(off)} people are at another value."
    return words


def rows(data: EstimatedCounts) -> list[tuple[str, ...]]:
    """The numbers behind the chart, the heading first; "" where there is no value."""
    table: list[tuple[str, ...]] = [("value", "estimate", "low", "high", "assumed" if data.assumed else "truth")]
    for place, label in enumerate(data.labels):
        numbers = [data.estimate[place], data.low[place], data.high[place]]
        numbers.append(np.nan if data.truth is None else data.truth[place])
        table.append((csv_cell(label), *("" if math.isnan(one) else file_text(one, 6) for one in numbers)))
    return table


def _range(data: EstimatedCounts) -> tuple[float, float]:
    parts = [data.estimate, data.low[np.isfinite(data.low)], data.high[np.isfinite(data.high)]]
    parts += [] if data.truth is None else [data.truth]
    low, high = (
        min((float(part.min()) for part in parts if len(part)), default=0.0),
        max((float(part.max()) for part in parts if len(part)), default=1.0),
    )
    span = max(high - min(low, 0.0), 0.01 if data.people else 1.0)
    return min(0.0, low - 0.04 * span if low < 0 else 0.0), max(high, 0.0) + 0.06 * span


def _start(label: str) -> str:
    """A bin is named by where it begins, as its neighbour begins where it ends."""
    return label[1:].split(", ")[0] if label[:1] == "[" and ", " in label else label
