"""Shares before and after, a pair of bars for each name: of rows by their risk, or of what attackers find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import file_text, percent
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, name_axes, readable
from workbench.plots.ticks import apart, csv_cell, name_places

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LETTERS = 20
_WIDE, _GAP = 0.4, 0.02


@dataclass(frozen=True)
class PairedShares:
    """Shares before and after. Computed from true rows: analyst only.

    Parameters
    ----------
    title, unit
        What the names are, and what the shares are of.
    names
        A name for each pair.
    before, after
        Shares from 0 to 1, float64 of shape (names,); `before` is nan where it is not known.
    """

    title: str
    unit: str
    names: tuple[str, ...]
    before: NDArray[np.float64]
    after: NDArray[np.float64]


class PairedBarsChart(AxesChart[PairedShares]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        start = ([0.0], [-0.5, 0.5])
        self.before = axes.stairs(*start, color=style.truth, linewidth=1.5, label="before")
        self.after = axes.stairs(*start, fill=True, color=style.anonymised, alpha=0.85, label="after")
        look = label_look(style)
        self.before_words = axes.annotate(
            "outline: before", (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", color=style.text,
            **look,
        )  # fmt: skip
        self.after_words = axes.annotate(
            "filled: after", (1, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", ha="right",
            color=readable(style.anonymised, style), **look,
        )  # fmt: skip
        for words in (self.before_words, self.after_words):
            words.set_in_layout(False)

    def update(self, data: PairedShares) -> None:
        self.data = data
        known = bool(np.isfinite(data.before).any())
        self.before.set_data(*apart(data.before, -_WIDE, -_GAP))
        self.after.set_data(*apart(data.after, _GAP, _WIDE))
        self.before_words.set_text("outline: before" if known else "before: not known")
        highest = max(float(np.nanmax(data.before, initial=0)), float(data.after.max(initial=0)))
        self.axes.set_xlim(-0.6, max(len(data.names) - 0.4, 0.4))
        self.axes.set_ylim(0, min(1.0, 1.1 * highest) or 1.0)
        name_axes(self.axes, self.style, data.title, data.unit, 14 + 1.4 * self.style.small_points)

    def arrange(self) -> None:
        """Name as many pairs as have room."""
        name_places(self.axes, self.data.names, _LETTERS)


def build(figure: Figure, data: PairedShares, style: ChartStyle) -> PairedBarsChart:
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    axes = fresh_axes(figure, style)
    axes.yaxis.set_major_locator(MaxNLocator(6))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    return PairedBarsChart(axes, style).showing(data)


def describe(data: PairedShares) -> str:
    def said(share: float) -> str:
        return percent(share) if np.isfinite(share) else "not known"

    pairs = (
        f"{name} {said(before)} before and {said(after)} after"
        for name, before, after in zip(data.names, data.before.tolist(), data.after.tolist(), strict=True)
    )
    return f"{data.title}: {'; '.join(pairs)}."


def rows(data: PairedShares) -> list[tuple[str, ...]]:
    table: list[tuple[str, ...]] = [("name", "before", "after")]
    for name, before, after in zip(data.names, data.before.tolist(), data.after.tolist(), strict=True):
        table.append((csv_cell(name), file_text(before, 6) if np.isfinite(before) else "", file_text(after, 6)))
    return table
