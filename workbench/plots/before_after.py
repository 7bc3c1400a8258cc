"""The distribution of one column before and after, one drawn over the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import count, file_text
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, name_axes, readable, thousands
from workbench.plots.ticks import apart, name_places

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 60
_LETTERS = 14


@dataclass(frozen=True)
class BeforeAfter:
    """Rows per value before and after. The first is computed from true rows: analyst only.

    Parameters
    ----------
    name
        The column.
    labels
        What the bars stand for: a value, or the first and last of several.
    before
        Rows with these values in the data, float64 of shape (bars,).
    after
        Released rows, each label's rows spread evenly over the values it stands for, shape (bars,).
    rows_before, rows_after, values
        Rows in all, and distinct values in all; more than the bars show if only the most frequent are shown.
    ordered
        Whether the values follow on each other, so that bars touch; those of categories stand apart.
    """

    name: str
    labels: tuple[str, ...]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    rows_before: int
    rows_after: int
    values: int
    ordered: bool = True

    @property
    def title(self) -> str:
        """The column, and what of it is shown."""
        partial = self.before.sum() < self.rows_before
        return f"{self.name}, the {len(self.labels)} most frequent of {self.values:,} values" if partial else self.name


def compute(
    name: str,
    values: tuple[str, ...],
    before: NDArray[np.int64],
    group: NDArray[np.integer],
    after: NDArray[np.int64] | NDArray[np.float64],
    order: NDArray[np.intp] | None,
) -> BeforeAfter:
    """Spread the released rows over the values and put many values into fewer bars.

    Parameters
    ----------
    name
        The column.
    values, before
        The distinct values and the rows that have them, shape (values,).
    group
        For each value the number of its released label, shape (values,).
    after
        Released rows per label, shape (labels,).
    order
        Rank of each value if they have an order; None puts the most frequent first and leaves out rare ones.
    """
    used = np.flatnonzero(before > 0)
    members = np.bincount(group[used], minlength=len(after))
    spread = after[group[used]] / np.maximum(members[group[used]], 1)
    place = np.argsort(order[used] if order is not None else -before[used], kind="stable")
    heights = before[used][place].astype(np.float64), spread[place].astype(np.float64)
    texts = [values[position] for position in used[place].tolist()]
    totals = int(before.sum()), round(float(after.sum()))
    return in_bars(name, texts, *heights, totals, ordered=order is not None)


def in_bars(
    name: str,
    texts: Sequence[str],
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    totals: tuple[int, int],
    *,
    ordered: bool,
) -> BeforeAfter:
    """Both distributions in as many bars as can be told apart.

    Parameters
    ----------
    texts, before, after
        The values in the order they are shown in, and the rows of each, shape (values,).
    totals
        Rows before and after in all.
    ordered
        Neighbours may share a bar; otherwise the last values are left out.
    """
    if len(texts) <= MOST_BARS or not ordered:
        shown = tuple(texts[:MOST_BARS])
        return BeforeAfter(name, shown, before[:MOST_BARS], after[:MOST_BARS], *totals, len(texts), ordered)
    edges = np.linspace(0, len(texts), MOST_BARS + 1).round().astype(np.intp)
    named = tuple(
        texts[low] if high - low == 1 else f"{texts[low]} – {texts[high - 1]}" for low, high in pairwise(edges.tolist())
    )
    sums = [np.add.reduceat(one, edges[:-1]) for one in (before, after)]
    return BeforeAfter(name, named, sums[0], sums[1], *totals, len(texts))


class BeforeAfterChart(AxesChart[BeforeAfter]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        start = ([0.0], [-0.5, 0.5])
        self.after = axes.stairs(*start, fill=True, color=style.anonymised, alpha=0.75, label="after")
        self.before = axes.stairs(*start, color=style.truth, linewidth=1.5, baseline=None, label="before")
        look = label_look(style)
        self.before_words = axes.annotate(
            "", (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", color=style.text, **look
        )
        self.after_words = axes.annotate(
            "", (1, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", ha="right",
            color=readable(style.anonymised, style), **look,
        )  # fmt: skip
        for words in (self.before_words, self.after_words):
            words.set_in_layout(False)

    def update(self, data: BeforeAfter) -> None:
        self.data = data
        edges = np.arange(len(data.labels) + 1) - 0.5
        self.before.set_data(*(apart(data.before) if not data.ordered else (data.before, edges)))
        self.after.set_data(*(apart(data.after) if not data.ordered else (data.after, edges)))
        axes = self.axes
        axes.set_xlim(edges[0], max(edges[-1], edges[0] + 1))
        highest = max(float(data.before.max(initial=0)), float(data.after.max(initial=0)))
        axes.set_ylim(0, max(1.0, 1.08 * highest))
        self.before_words.set_text(f"line: before, {data.rows_before:,} rows")
        self.after_words.set_text(f"filled: after, {data.rows_after:,} rows")
        name_axes(axes, self.style, data.title, "Rows", 14 + 1.4 * self.style.small_points)

    def arrange(self) -> None:
        """Label as many bars as have room."""
        # A bar of several values is named by its first; its last is where the next bar begins.
        name_places(self.axes, [text.split(" – ")[0] for text in self.data.labels], _LETTERS)


def build(figure: Figure, data: BeforeAfter, style: ChartStyle) -> BeforeAfterChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes = fresh_axes(figure, style)
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    return BeforeAfterChart(axes, style).showing(data)


def describe(data: BeforeAfter) -> str:
    moved = float(np.abs(data.before - data.after).sum()) / 2
    return (
        f"Rows per value of {data.title}: {data.rows_before:,} before, {data.rows_after:,} after; "
        f"the two differ by {count(moved)} rows in all."
    )


def rows(data: BeforeAfter) -> list[tuple[str, ...]]:
    table: list[tuple[str, ...]] = [("values", "before", "after")]
    for label, before, after in zip(data.labels, data.before.tolist(), data.after.tolist(), strict=True):
        table.append(('"' + label.replace('"', '""') + '"', file_text(before, 6), file_text(after, 6)))
    return table
