"""Private counts or other figures per cell with error bars, alone or over the true ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.bin_names import bin_name
from workbench.core.number_text import estimate, file_text
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, readable, thousands
from workbench.plots.ticks import csv_cell, name_places

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 400
"""More bars than this cannot be told apart."""
_LETTERS = 14
_MOST_NUMBERED = 12
"""Over more bars no figures are written."""
_GAP = 0.14


@dataclass(frozen=True, eq=False)
class PrivateBars:
    """Figures per cell.

    Parameters
    ----------
    labels
        The cells.
    values
        The private figures, float64 of shape (cells,).
    low, high
        Ends of the error bars, shape (cells,); None for no bars.
    x, y
        What the axes show.
    true
        The true figures, shape (cells,): then the picture is for the analyst only. None for a release.
    told
        What the error bars say.
    numbered
        Whether the figures stand over the bars, where there are few.
    names
        The cells as they are shown; empty if the labels are.
    written
        The figures as they stand over the bars, as far as they are known; empty if with six digits.
    """

    labels: tuple[str, ...]
    values: NDArray[np.float64]
    low: NDArray[np.float64] | None
    high: NDArray[np.float64] | None
    x: str
    y: str
    true: NDArray[np.float64] | None = None
    told: str = "bars: 95 %"
    numbered: bool = False
    names: tuple[str, ...] = ()
    written: tuple[str, ...] = ()

    @property
    def drawn(self) -> int:
        """So many of the first cells are drawn."""
        return min(len(self.labels), MOST_BARS)

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the cells."""
        return self.names or tuple(map(bin_name, self.labels))


class PrivateBarsChart(AxesChart[PrivateBars]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        from matplotlib.collections import LineCollection

        super().__init__(axes, style)
        self.bars = axes.stairs([0.0], [-0.5, 0.5], fill=True, color=style.global_dp, alpha=0.6, label="private")
        self.ends = LineCollection([], colors=readable(style.global_dp, style), linewidths=1.6, zorder=4)
        axes.add_collection(self.ends, autolim=False)
        (self.caps,) = axes.plot(
            [], [], "_", color=readable(style.global_dp, style), markersize=7, markeredgewidth=1.6, zorder=4
        )
        self.truth = axes.stairs(
            [0.0], [-0.5, 0.5], color=style.truth, linewidth=1.6, baseline=None, zorder=3, label="true"
        )
        axes.axhline(0, color=style.muted, linewidth=0.8)
        look = label_look(style)
        self.left = axes.annotate(
            "", (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points",
            color=readable(style.global_dp, style), **look,
        )  # fmt: skip
        self.right = axes.annotate(
            "", (1, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", ha="right", color=style.text,
            **look,
        )  # fmt: skip
        for words in (self.left, self.right):
            words.set_in_layout(False)
        self.numbers = [
            axes.annotate(
                "", (0, 0), (0, 3), textcoords="offset points", ha="center", color=style.text, zorder=5,
                **look,
            )
            for _ in range(_MOST_NUMBERED)
        ]  # fmt: skip
        for number in self.numbers:
            number.set_in_layout(False)
            number.set_visible(False)

    def update(self, data: PrivateBars) -> None:
        self.data = data
        axes, shown = self.axes, data.drawn
        values = data.values[:shown]
        centres = np.arange(shown, dtype=np.float64)
        # A gap between the bars, as they are separate figures: every second step stands at 0.
        gap = _GAP if shown <= 80 else 0.0
        heights = np.zeros(max(2 * shown - 1, 1))
        heights[::2] = values
        edges = np.sort(np.concatenate([centres - 0.5 + gap, centres + 0.5 - gap])) if shown else np.array([0.0, 1.0])
        if gap:
            self.bars.set_data(heights, edges)
        else:
            self.bars.set_data(values, np.arange(shown + 1) - 0.5)
        extent = [0.0, *values.tolist()]
        self.ends.set_segments([])
        self.caps.set_data([], [])
        if data.low is not None and data.high is not None:
            low, high = data.low[:shown], data.high[:shown]
            self.ends.set_segments(
                [np.array([[x, a], [x, b]]) for x, a, b in zip(centres, low.tolist(), high.tolist(), strict=True)]
            )
            if gap:
                self.caps.set_data(np.r_[centres, centres], np.r_[low, high])
            extent += [*low.tolist(), *high.tolist()]
        if data.true is not None:
            self.truth.set_data(data.true[:shown], np.arange(shown + 1) - 0.5)
            extent += data.true[:shown].tolist()
        self.truth.set_visible(data.true is not None)
        least, most = min(extent), max(extent)
        room = 0.06 * max(most - least, 1e-9)
        axes.set_xlim(-0.6, max(shown - 0.4, 0.6))
        numbered = data.numbered and 0 < shown <= _MOST_NUMBERED
        axes.set_ylim(least - room if least < 0 else 0, most + (3.5 if numbered else 1) * room)
        tops = values if data.high is None else np.maximum(values, data.high[:shown])
        for place, number in enumerate(self.numbers):
            number.set_visible(numbered and place < shown)
            if numbered and place < shown:
                number.set_text(data.written[place] if data.written else estimate(float(values[place]), 6))
                number.xy = (float(place), max(float(tops[place]), 0.0))
        told = f" · {data.told}" if data.low is not None else ""
        self.left.set_text(f"filled: with noise{told}")
        self.right.set_text("line: true" if data.true is not None else "")
        partial = f", the first {shown:,} of {len(data.labels):,}" if shown < len(data.labels) else ""
        name_axes(axes, self.style, f"{data.x}{partial}", data.y, 14 + 1.4 * self.style.small_points)

    def arrange(self) -> None:
        """Label as many bars and take as many ticks as have room."""
        from matplotlib.ticker import MaxNLocator

        lay_out(self.axes)
        lines = self.axes.get_window_extent().height / (2.4 * self.style.small)
        self.axes.yaxis.set_major_locator(MaxNLocator(int(min(max(lines, 2), 6))))
        name_places(self.axes, self.data.shown[: self.data.drawn], _LETTERS)


def build(figure: Figure, data: PrivateBars, style: ChartStyle) -> PrivateBarsChart:
    from matplotlib.ticker import FuncFormatter

    axes = fresh_axes(figure, style)
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    return PrivateBarsChart(axes, style).showing(data)


def describe(data: PrivateBars) -> str:
    if not len(data.values):
        return f"{data.y} of {data.x}: nothing."
    top = int(np.argmax(data.values))
    said = (
        f"{data.y} of {data.x}, {len(data.labels):,} cells. The largest is {data.shown[top]} with "
        f"{estimate(float(data.values[top]), 6)}."
    )
    if data.true is not None:
        said += f" All cells together are off by {estimate(float(np.abs(data.values - data.true).sum()), 6)}."
    return said


def rows(data: PrivateBars) -> list[tuple[str, ...]]:
    bands = data.low is not None and data.high is not None
    head = (
        "cell",
        "private",
        *(("at least", "at most") if bands else ()),
        *(("true",) if data.true is not None else ()),
    )
    table: list[tuple[str, ...]] = [head]
    for place, label in enumerate(data.labels):
        cells = [csv_cell(label), file_text(data.values[place])]
        if data.low is not None and data.high is not None:
            cells += [file_text(data.low[place]), file_text(data.high[place])]
        if data.true is not None:
            cells.append(file_text(data.true[place]))
        table.append(tuple(cells))
    return table
