"""The error of each protocol with the spread of its repetitions, one below the other, between the two baselines."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Literal

from workbench.core.number_text import estimate, file_text
from workbench.plots.axis_scale import log_ticks
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
from workbench.plots.ticks import csv_cell, name_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

_MOST_NAMED = 0.92
"""The part of the width at which the name of the errors ends at the latest; beside it the window has a button."""
_LETTERS = 24
"""A name is broken into lines of at most so many letters."""

_LINE = 1.5
_LOG_FROM = 20.0

Role = Literal["local", "curator", "uniform"]


@dataclass(frozen=True)
class ErrorRange:
    """A mean error and the band of the repetitions; low and high are equal to it where there is none.

    Parameters
    ----------
    said
        The mean as it is read, with its margin of 95 % where chance moves it; "" for four digits of it.
    expected
        What is predicted of it; None where nothing is.
    short
        The name where it has one line of little width; "" for its beginning and end.
    """

    name: str
    mean: float
    low: float
    high: float
    role: Role = "local"
    said: str = ""
    expected: float | None = None
    short: str = ""

    @property
    def drawn(self) -> tuple[float, ...]:
        """All that is drawn of it."""
        return (self.low, self.mean, self.high, *(() if self.expected is None else (self.expected,)))

    @property
    def words(self) -> str:
        """The mean as it is read."""
        return self.said or estimate(self.mean)


@dataclass(frozen=True)
class ErrorRanges:
    """Errors of one metric, in the order in which they are shown. Computed from true values: analyst only.

    Parameters
    ----------
    metric
        What the error is called, with its unit.
    entries
        Protocols and baselines.
    bars
        What the bars and ± are; "" where they are 95 % of repetitions, and the margin of their mean.
    """

    metric: str
    entries: tuple[ErrorRange, ...]
    bars: str = ""


class ErrorRangesChart(AxesChart[ErrorRanges]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        self._words: list[Annotation] = []

    def update(self, data: ErrorRanges) -> None:
        from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator

        self.data = data
        axes, style = self.axes, self.style
        for artist in [*axes.lines, *axes.collections, *self._words]:
            artist.remove()
        self._words = []
        colours = {"local": style.local_dp, "curator": style.global_dp, "uniform": style.muted}
        markers = {"local": "o", "curator": "D", "uniform": "s"}
        for place, one in enumerate(data.entries):
            colour = colours[one.role]
            if one.role != "local":
                axes.axvline(one.mean, color=colour, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
            axes.hlines(place, one.low, one.high, color=colour, linewidth=5, alpha=0.35, zorder=2)
            axes.plot([one.mean], [place], markers[one.role], color=colour, markersize=8, zorder=3)
            if one.expected is not None:
                axes.plot([one.expected], [place], "|", color=style.text, markersize=16, markeredgewidth=2, zorder=4)
            words = axes.annotate(
                one.words, (1, place), (8, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                va="center", color=readable(colour, style), **label_look(style),
            )  # fmt: skip
            self._words.append(words)
        known = [value for one in data.entries for value in one.drawn if value > 0]
        low, high = min(known, default=0.1), max(known, default=1.0)
        spread = high / low > _LOG_FROM
        axes.set_xscale("log" if spread else "linear")
        axes.set_xlim(low / 1.3 if spread else 0, high * (1.3 if spread else 1.06))
        # Powers of ten alone may be a single one, beside which nobody can read the others.
        axes.xaxis.set_major_locator(FixedLocator(log_ticks(*axes.get_xlim())) if spread else MaxNLocator(5))
        axes.xaxis.set_major_formatter(FuncFormatter(thousands))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_ylim(max(len(data.entries), 1) - 0.4, -0.6)

    def arrange(self) -> None:
        """Lay everything out; the figures stand in a column of their own."""
        chance = "; ±: 95 % margin of the mean" if any("±" in one.words for one in self.data.entries) else ""
        below = self.data.bars or f"bar: 95 % of repetitions{chance}"
        below += "; upright: predicted" if _foreseen(self.data) else ""
        name_axes(self.axes, self.style, below, self.data.metric, 10)
        lay_out(self.axes)
        axes, names = self.axes, [one.name for one in self.data.entries]
        lines = axes.get_window_extent().height / max(len(names), 1) / (self.style.small * _LINE)
        brief = [one.short or _middle(one.name) for one in self.data.entries]
        axes.set_yticks(range(len(names)), [_in_lines(name) for name in names] if lines > 2 else brief)
        lay_out(axes)
        figure, box = axes.get_figure(root=True), name_box(axes, self.data.metric)
        if figure is not None and box is not None and box.x1 > _MOST_NAMED * figure.bbox.width:
            # Below each other, where a narrow window would cut the end of the line.
            name_axes(axes, self.style, below, self.data.metric.replace(", ", ",\n", 1), 10)
            lay_out(axes)
        name_axis(axes.yaxis, names)


def _in_lines(name: str) -> str:
    """A long name in lines, none of which ends within brackets."""
    return fill(re.sub(r"\([^)]*\)", lambda found: found[0].replace(" ", "\u00a0"), name), _LETTERS)


def _foreseen(data: ErrorRanges) -> bool:
    """Whether anything is predicted of what is drawn."""
    return any(one.expected is not None for one in data.entries)


def _middle(name: str) -> str:
    """A long name without its middle: many begin alike."""
    half = _LETTERS // 2
    return name if len(name) <= _LETTERS + 4 else f"{name[:half]}…{name[-half:]}"


def build(figure: Figure, data: ErrorRanges, style: ChartStyle) -> ErrorRangesChart:
    axes = fresh_axes(figure, style)
    axes.grid(False)
    axes.grid(True, axis="x", color=style.grid, linewidth=0.8)
    axes.tick_params(axis="y", labelcolor=style.text)
    return ErrorRangesChart(axes, style).showing(data)


def describe(data: ErrorRanges) -> str:
    parts = [
        f"{one.name} {one.words} ({estimate(one.low, 3)} to {estimate(one.high, 3)}"
        f"{'' if one.expected is None else f', predicted {estimate(one.expected, 3)}'})"
        for one in data.entries
    ]
    return f"{data.metric}: {'; '.join(parts)}."


def rows(data: ErrorRanges) -> list[tuple[str, ...]]:
    foreseen = _foreseen(data)
    table: list[tuple[str, ...]] = [("series", "mean", "low", "high", *["predicted"] * foreseen)]
    for one in data.entries:
        figures = (one.mean, one.low, one.high, *[math.nan if one.expected is None else one.expected] * foreseen)
        cells = ("" if math.isnan(value) else file_text(value, 6) for value in figures)
        table.append((csv_cell(one.name), *cells))
    return table
