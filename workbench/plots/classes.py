"""The sizes of equivalence classes, and which of them were dropped."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, readable, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PLAIN = 48
_BARS = 36
_FINE_TICKS, _SOME_TICKS = 1_000, 30_000
_X_NAME = "Size of the group, in sampled rows"
_Y_NAME = "Sampled rows in groups of this size"


@dataclass(frozen=True)
class GroupSizes:
    """A histogram of the sizes of groups, in sampled rows. It is computed from true rows: analyst only.

    Parameters
    ----------
    edges
        Limits of the bars, whole numbers, int64 of shape (bars + 1,); a bar holds edges[i] ≤ size < edges[i + 1].
    groups, rows
        Groups of such a size, and the rows in them, int64 of shape (bars,).
    k
        Groups of fewer rows were dropped; always one of the edges unless it lies beyond them.
    """

    edges: NDArray[np.int64]
    groups: NDArray[np.int64]
    rows: NDArray[np.int64]
    k: int

    @property
    def kept(self) -> NDArray[np.bool_]:
        """For each bar, whether its groups were released."""
        return self.edges[:-1] >= self.k


def compute(sizes: ArrayLike, k: int) -> GroupSizes:
    """Count groups by size.

    Parameters
    ----------
    sizes
        Rows per group, shape (groups,), all at least 1.
    k
        Smallest group that was released.
    """
    found = np.asarray(sizes, dtype=np.int64)
    largest = int(found.max()) if len(found) else max(k, 1)
    if largest <= _PLAIN:
        edges = np.arange(1, largest + 2)
    else:
        edges = np.unique(np.round(np.geomspace(1, largest + 1, _BARS + 1)).astype(np.int64))
        if k <= largest:
            edges = np.union1d(edges, [k])
    which = np.searchsorted(edges, found, side="right") - 1
    bars = len(edges) - 1
    groups = np.bincount(which, minlength=bars)
    # Sums of whole numbers up to 2⁵³ are exact in floating point.
    in_them = np.bincount(which, weights=found, minlength=bars)
    return GroupSizes(edges.astype(np.int64), groups.astype(np.int64), in_them.astype(np.int64), k)


class GroupSizesChart(AxesChart[GroupSizes]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        start = ([0.0], [0.5, 1.5])
        self.kept = axes.stairs(*start, fill=True, color=style.anonymised, alpha=0.85)
        self.dropped = axes.stairs(
            *start, fill=True, facecolor=style.ground, edgecolor=style.local_dp, hatch="////", linewidth=0
        )
        self.outline = axes.stairs(*start, color=style.local_dp, linewidth=1)
        self.limit = axes.axvline(1, color=style.text, linewidth=1)
        text = label_look(style)
        self.limit_label = axes.annotate(
            "", (1, 1), (5, -2), textcoords="offset points", va="top", color=style.text, fontweight="bold", **text
        )
        self.dropped_label = axes.annotate(
            "",
            (0, 1),
            (0, 8),
            xycoords="axes fraction",
            textcoords="offset points",
            color=readable(style.local_dp, style),
            **text,
        )
        self.kept_label = axes.annotate(
            "",
            (1, 1),
            (0, 8),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="right",
            color=readable(style.anonymised, style),
            **text,
        )
        for label in (self.limit_label, self.dropped_label, self.kept_label):
            # Room for them is made by the padding of the title.
            label.set_in_layout(False)

    def update(self, data: GroupSizes) -> None:
        self.data = data
        axes = self.axes
        # Bars stand between the whole numbers, so that a group of 1 has room on a logarithmic axis.
        edges = data.edges - 0.5
        kept = data.kept
        self.kept.set_data(np.where(kept, data.rows, 0), edges)
        dropped = np.where(kept, 0, data.rows)
        self.dropped.set_data(dropped, edges)
        self.outline.set_data(dropped, edges)
        at = data.k - 0.5
        self.limit.set_xdata([at, at])
        self.limit_label.set_text(f"k = {data.k:,}")
        axes.set_xlim(edges[0], max(float(edges[-1]), data.k * 1.25))
        axes.set_ylim(0, max(1.0, 1.12 * float(data.rows.max(initial=0))))
        self.limit_label.xy = (at, axes.get_ylim()[1])
        self.dropped_label.set_text(_words("dropped", data, ~kept))
        self.kept_label.set_text(_words("released", data, kept))

    def arrange(self) -> None:
        """Keep the two sums apart and k beside its line, for the figure's size as it now is."""
        self.kept_label.set_position((0, 8))
        self._thin_ticks()
        left, right = self.dropped_label.get_window_extent(), self.kept_label.get_window_extent()
        self.stack(left.x1 + left.height > right.x0)
        lay_out(self.axes)  # the title moved, and must stay inside the figure
        room = self.axes.get_window_extent()
        self.limit_label.set_horizontalalignment("left")
        self.limit_label.set_position((5, -2))
        if self.limit_label.get_window_extent().x1 > room.x1:
            self.limit_label.set_horizontalalignment("right")
            self.limit_label.set_position((-5, -2))

    def _thin_ticks(self) -> None:
        """Leave out every second size until the others have room."""
        from matplotlib.ticker import FixedLocator

        axes = self.axes
        low, high = axes.get_xlim()
        ticks = [tick for tick in _whole_ticks(high) if low <= tick]
        while True:
            axes.xaxis.set_major_locator(FixedLocator(ticks))
            lay_out(axes)
            boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
            tight = any(left.x1 + left.height / 2 > right.x0 for left, right in pairwise(boxes))
            if not tight or len(ticks) <= 2:
                return
            ticks = ticks[::2]

    def stack(self, stacked: bool) -> None:
        """Put the sum of the released above that of the dropped where both do not fit on one line."""
        height = 1.4 * self.style.small_points
        self.kept_label.set_position((0, 8 + height if stacked else 8))
        name_axes(self.axes, self.style, _X_NAME, _Y_NAME, 14 + height * (2 if stacked else 1))


def build(figure: Figure, data: GroupSizes, style: ChartStyle) -> GroupSizesChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

    axes = fresh_axes(figure, style)
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(thousands))
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    chart = GroupSizesChart(axes, style).showing(data)
    chart.stack(False)
    return chart


def describe(data: GroupSizes) -> str:
    kept = data.kept
    return "; ".join(
        (
            f"Groups of fewer than k = {data.k:,} rows are dropped",
            _words("dropped", data, ~kept),
            _words("released", data, kept),
        )
    )


def rows(data: GroupSizes) -> list[tuple[str, ...]]:
    table: list[tuple[str, ...]] = [("size_from", "size_to", "groups", "rows", "released")]
    for index, kept in enumerate(data.kept.tolist()):
        low, high = int(data.edges[index]), int(data.edges[index + 1]) - 1
        counts = (str(int(data.groups[index])), str(int(data.rows[index])))
        table.append((str(low), str(high), *counts, "yes" if kept else "no"))
    return table


def _whole_ticks(largest: float) -> list[int]:
    """1, 2, 5, 10, … up to `largest` as long as they are few, else 1, 3, 10, …, else powers of ten."""
    steps = (1, 2, 5) if largest < _FINE_TICKS else (1, 3) if largest < _SOME_TICKS else (1,)
    ticks = (step * 10**decade for decade in range(len(str(int(largest)))) for step in steps)
    return [tick for tick in ticks if tick <= largest]


def _words(what: str, data: GroupSizes, bars: NDArray[np.bool_]) -> str:
    groups, in_them = int(data.groups[bars].sum()), int(data.rows[bars].sum())
    return f"{what}: {groups:,} {_plural('group', groups)}, {in_them:,} {_plural('row', in_them)}"


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
