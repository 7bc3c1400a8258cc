"""A true histogram beside what methods made of it: bars with 95 % bands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import count
from workbench.evaluate.method import Approach
from workbench.evaluate.method_histograms import MethodHistogram, MethodHistograms
from workbench.plots.style import AxesChart, ChartStyle, blended, fresh_axes, label_look, name_axes, thousands
from workbench.plots.ticks import csv_cell, name_places, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BarPlaces: TypeAlias = NDArray[np.intp]

MOST_VALUES = 60
MOST_METHODS = 4
MOST_GROUPS = 24
_HATCHES = ("///", "...", "\\\\\\", "xxx")
_MARKERS = ("o", "s", "^", "D")
_DASHES: tuple[Any, ...] = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)))
_GROUP = 0.84


class BarsChart(AxesChart[MethodHistograms]):
    def update(self, data: MethodHistograms) -> None:
        self.data = data
        axes, style = self.axes, self.style
        for group in list(axes.containers):
            group.remove()
        for artist in [*axes.lines, *axes.collections, *axes.patches]:
            artist.remove()
        chosen = shown_values(data)
        bars = [bar for bar in data.bars if not bar.problem][:MOST_METHODS]
        colours = [_colour(bar.approach, number, style) for number, bar in enumerate(bars)]
        if len(chosen) <= MOST_GROUPS:
            self._groups(chosen, bars, colours)
        else:
            self._steps(chosen, bars, colours)
        axes.axhline(0, color=style.muted, linewidth=0.8, label="_ground")
        ends = [data.truth[chosen], *(bar.high[chosen] for bar in bars), *(bar.low[chosen] for bar in bars)]
        low, high = min(0.0, *(float(np.min(end)) for end in ends)), max(float(np.max(end)) for end in ends)
        axes.set_ylim(low * 1.05, max(high, 1.0) * 1.05)
        axes.set_xlim(-0.6, len(chosen) - 0.4)
        look = label_look(style)
        legend = axes.legend(
            loc="lower left", bbox_to_anchor=(0.0, 1.0), frameon=False, borderaxespad=0.3, ncols=2,
            prop={"family": look["fontfamily"], "size": look["fontsize"]}, handlelength=1.8,
        )  # fmt: skip
        for words in legend.get_texts():
            words.set_color(style.text)
        # Room for it is made by the padding of the title.
        legend.set_in_layout(False)
        lines = math.ceil((len(bars) + 1) / 2)
        partly = f", {len(chosen)} of {len(data.labels)} values" if len(chosen) < len(data.labels) else ""
        name_axes(axes, style, f"{data.question.column}{partly}", "Rows", 12 + lines * 1.7 * style.small_points)

    def _groups(self, chosen: BarPlaces, bars: Sequence[MethodHistogram], colours: Sequence[str]) -> None:
        """Bars side by side for each of few values."""
        axes, style, data = self.axes, self.style, self.data
        width = _GROUP / (len(bars) + 1)
        start = np.arange(len(chosen)) - _GROUP / 2 + width / 2
        axes.bar(start, data.truth[chosen], width, color=style.truth, label="True", zorder=2)
        for number, (bar, colour) in enumerate(zip(bars, colours, strict=True)):
            around = np.maximum(np.vstack([bar.mean - bar.low, bar.high - bar.mean])[:, chosen], 0.0)
            axes.bar(
                start + (number + 1) * width, bar.mean[chosen], width, color=colour, label=shortened(bar.name, 44),
                hatch=_HATCHES[number % len(_HATCHES)], edgecolor=style.ground, linewidth=0.4, zorder=2,
                yerr=around, error_kw={"ecolor": style.text, "elinewidth": 0.9, "capsize": 0},
            )  # fmt: skip

    def _steps(self, chosen: BarPlaces, bars: Sequence[MethodHistogram], colours: Sequence[str]) -> None:
        """Lines over the filled truth, for many values."""
        axes, style, data = self.axes, self.style, self.data
        places = np.arange(len(chosen))
        edges = np.arange(len(chosen) + 1) - 0.5
        axes.stairs(data.truth[chosen], edges, fill=True, color=blended(style.truth, style.ground, 0.72), label="True")
        for number, (bar, colour) in enumerate(zip(bars, colours, strict=True)):
            axes.fill_between(
                places, bar.low[chosen], bar.high[chosen], color=colour, alpha=0.16, linewidth=0, label="_band"
            )
            axes.plot(
                places, bar.mean[chosen], color=colour, linewidth=1.6, marker=_MARKERS[number % len(_MARKERS)],
                markersize=4, linestyle=_DASHES[number % len(_DASHES)], label=shortened(bar.name, 44), zorder=3,
            )  # fmt: skip

    def arrange(self) -> None:
        """Name as many values as have room."""
        data = self.data
        name_places(self.axes, [data.labels[place] for place in shown_values(data).tolist()], whole=data.whole)


def build(figure: Figure, data: MethodHistograms, style: ChartStyle) -> BarsChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes = fresh_axes(figure, style)
    axes.yaxis.set_major_locator(MaxNLocator(6))
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    return BarsChart(axes, style).showing(data)


def shown_values(data: MethodHistograms) -> BarPlaces:
    """The values that are drawn: all of them, or the most frequent ones, in their order."""
    if len(data.labels) <= MOST_VALUES:
        return np.arange(len(data.labels))
    return np.sort(np.argsort(-data.truth, kind="stable")[:MOST_VALUES])


def describe(data: MethodHistograms) -> str:
    parts = []
    for bar in data.bars:
        wrong = float(np.abs(bar.mean - data.truth).sum())
        parts.append(
            f"{bar.name}: {bar.problem}" if bar.problem else f"{bar.name} differs by {count(wrong)} rows in all"
        )
    return f"Rows per value of {data.question.column}, {count(data.truth.sum())} in all. {'; '.join(parts)}."


def rows(data: MethodHistograms) -> list[tuple[str, ...]]:
    heading, *table = data.table()
    return [tuple(map(csv_cell, heading)), *((csv_cell(row[0]), *row[1:]) for row in table)]


def _colour(approach: Approach, number: int, style: ChartStyle) -> str:
    colours = {
        Approach.GLOBAL: style.global_dp,
        Approach.ANONYMISED: style.anonymised,
        Approach.LOCAL: style.local_dp,
        Approach.BASELINE: style.muted,
    }
    return blended(colours[approach], style.text, 0.2 * number)
