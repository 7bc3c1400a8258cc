"""Rows per released label of one column: the picture of what anybody who has the release can count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, name_axes, thousands
from workbench.plots.ticks import csv_cell, name_places

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 60
_GAP = 0.12


@dataclass(frozen=True, eq=False)
class ReleasedValues:
    """Rows per label.

    Parameters
    ----------
    name
        The column.
    labels
        The labels in the order they are shown in; the first `MOST_BARS` are drawn.
    rows
        Released rows with each label, int64 of shape (labels,).
    """

    name: str
    labels: tuple[str, ...]
    rows: NDArray[np.int64]

    @property
    def drawn(self) -> int:
        """So many of the first labels are drawn."""
        return min(len(self.labels), MOST_BARS)

    @property
    def title(self) -> str:
        """The column, and what of it is shown."""
        if self.drawn == len(self.labels):
            return self.name
        return f"{self.name}: the first {self.drawn} of {len(self.labels):,} labels"


class ReleasedValuesChart(AxesChart[ReleasedValues]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        self.bars = axes.stairs([0.0], [-0.5, 0.5], fill=True, color=style.anonymised, alpha=0.85)

    def update(self, data: ReleasedValues) -> None:
        self.data = data
        shown = data.drawn
        centres = np.arange(shown, dtype=np.float64)
        # A gap between the bars, as they are separate labels: every second step stands at 0.
        heights = np.zeros(max(2 * shown - 1, 1))
        heights[::2] = data.rows[:shown] if shown else 0
        ends = np.sort(np.concatenate([centres - 0.5 + _GAP, centres + 0.5 - _GAP])) if shown else np.array([0.0, 1.0])
        self.bars.set_data(heights, ends)
        self.axes.set_xlim(-0.6, max(shown - 0.4, 0.6))
        self.axes.set_ylim(0, max(1.0, 1.08 * float(data.rows[:shown].max(initial=0))))
        name_axes(self.axes, self.style, data.title, "Released rows")

    def arrange(self) -> None:
        """Label as many bars as have room."""
        name_places(self.axes, self.data.labels[: self.data.drawn])


def build(figure: Figure, data: ReleasedValues, style: ChartStyle) -> ReleasedValuesChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes = fresh_axes(figure, style)
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    return ReleasedValuesChart(axes, style).showing(data)


def describe(data: ReleasedValues) -> str:
    rows = int(data.rows.sum())
    counted = "1 label" if len(data.labels) == 1 else f"{len(data.labels):,} labels"
    words = f"Released rows per label of {data.name}: {rows:,} rows with {counted}"
    if not rows:
        return f"{words}."
    most = int(np.argmax(data.rows))
    return f"{words}; the most frequent one is {data.labels[most]} with {int(data.rows[most]):,} rows."


def rows(data: ReleasedValues) -> list[tuple[str, ...]]:
    table: list[tuple[str, ...]] = [("label", "rows")]
    table += [(csv_cell(label), str(count)) for label, count in zip(data.labels, data.rows.tolist(), strict=True)]
    return table
