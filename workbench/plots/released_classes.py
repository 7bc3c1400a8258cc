"""The sizes of the released classes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.plots import classes
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, readable, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STEPS = (1, 2, 5)


@dataclass(frozen=True)
class ClassSizes:
    """A histogram of the sizes of released classes. It is computed from true rows: analyst only.

    Parameters
    ----------
    edges
        Limits of the bars, whole numbers, int64 of shape (bars + 1,); a bar holds edges[i] ≤ size < edges[i + 1].
    groups, rows
        Classes of such a size, and the rows in them, int64 of shape (bars,).
    suppressed
        Rows that are in no released class.
    """

    edges: NDArray[np.int64]
    groups: NDArray[np.int64]
    rows: NDArray[np.int64]
    suppressed: int


def compute(sizes: ArrayLike, suppressed: int) -> ClassSizes:
    """Count classes by size.

    Parameters
    ----------
    sizes
        Rows per released class, shape (classes,), all at least 1.
    suppressed
        Rows that are in no released class.
    """
    found = np.asarray(sizes, dtype=np.int64)
    smallest = int(found.min()) if len(found) else 1
    counted = classes.compute(found, smallest)
    first = int(np.searchsorted(counted.edges, smallest, side="right")) - 1
    return ClassSizes(counted.edges[first:], counted.groups[first:], counted.rows[first:], suppressed)


class ClassSizesChart(AxesChart[ClassSizes]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        self.bars = axes.stairs([0.0], [0.5, 1.5], fill=True, color=style.anonymised, alpha=0.85)
        self.words = axes.annotate(
            "", (1, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", ha="right",
            color=readable(style.anonymised, style), **label_look(style),
        )  # fmt: skip
        self.words.set_in_layout(False)

    def update(self, data: ClassSizes) -> None:
        self.data = data
        edges = data.edges - 0.5
        self.bars.set_data(data.rows.astype(np.float64), edges)
        self.axes.set_xlim(edges[0], edges[-1])
        self.axes.set_ylim(0, max(1.0, 1.12 * float(data.rows.max(initial=0))))
        self.words.set_text(_sum(data))

    def arrange(self) -> None:
        """Leave out every second size until the others have room."""
        from matplotlib.ticker import FixedLocator

        axes = self.axes
        low, high = axes.get_xlim()
        every = [step * 10**decade for decade in range(len(str(int(high)))) for step in _STEPS]
        ticks = [tick for tick in every if low <= tick <= high] or [round((low + high) / 2)]
        while True:
            axes.xaxis.set_major_locator(FixedLocator(ticks))
            lay_out(axes)
            boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
            if len(ticks) <= 2 or not any(a.x1 + a.height / 2 > b.x0 for a, b in pairwise(boxes)):
                return
            ticks = ticks[::2]


def build(figure: Figure, data: ClassSizes, style: ChartStyle) -> ClassSizesChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

    axes = fresh_axes(figure, style)
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(thousands))
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    name_axes(axes, style, "Size of the class, in rows", "Rows in classes of this size", 14 + 1.4 * style.small_points)
    return ClassSizesChart(axes, style).showing(data)


def describe(data: ClassSizes) -> str:
    return _sum(data)


def rows(data: ClassSizes) -> list[tuple[str, ...]]:
    table: list[tuple[str, ...]] = [("size_from", "size_to", "classes", "rows")]
    for low, high, groups, inside in zip(
        data.edges[:-1].tolist(), data.edges[1:].tolist(), data.groups.tolist(), data.rows.tolist(), strict=True
    ):
        table.append((str(low), str(high - 1), str(groups), str(inside)))
    return table


def _sum(data: ClassSizes) -> str:
    groups, inside = int(data.groups.sum()), int(data.rows.sum())
    named = "class" if groups == 1 else "classes"
    words = f"{groups:,} {named}, {inside:,} rows"
    return f"{words}; {data.suppressed:,} suppressed" if data.suppressed else words
