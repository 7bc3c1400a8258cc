"""Survival of rows under trimming against ε. A simulation, for the analyst only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.trim_survival import TrimSurvival
from workbench.core.number_text import count, estimate, file_text
from workbench.plots.placement import LabelWish, around, on_screen, place
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, thousands
from workbench.plots.survival import Counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_AXIS = {"rows": "Rows released", "classes": "Groups released"}


@dataclass(frozen=True, eq=False)
class TrimSurvivors:
    """The part of a simulation that is drawn: its rows or its groups. From true rows: analyst only."""

    survival: TrimSurvival
    counted: Counted = "rows"

    @property
    def quantiles(self) -> NDArray[np.float64]:
        """The 5, 50 and 95 % quantiles, shape (3, points)."""
        return self.survival.released if self.counted == "rows" else self.survival.groups

    @property
    def chosen(self) -> tuple[float, float, float]:
        """The quantiles at the ε in force."""
        low, middle, high = self.quantiles[:, self.survival.chosen].tolist()
        return low, middle, high


class TrimSurvivalChart(AxesChart[TrimSurvivors]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        self.band = axes.fill_between([], [], [], color=style.anonymised, alpha=0.22, linewidth=0)
        (self.line,) = axes.plot([], [], color=style.anonymised, linewidth=2)
        (self.mark,) = axes.plot(
            [1.0], [0.0], "o", markersize=9, markeredgewidth=2, markerfacecolor=style.ground,
            markeredgecolor=style.text, zorder=5,
        )  # fmt: skip
        self.label = axes.annotate(
            "", (0, 1), (0, 0), textcoords="offset points", color=style.text, zorder=6, **label_look(style)
        )
        self.label.set_fontweight("bold")
        self.label.set_in_layout(False)

    def update(self, data: TrimSurvivors) -> None:
        self.data = data
        low, middle, high = data.quantiles
        known = np.isfinite(middle)
        epsilons = data.survival.epsilons[known]
        self.line.set_data(epsilons, middle[known])
        self.band.set_verts(
            [np.column_stack([np.r_[epsilons, epsilons[::-1]], np.r_[low[known], high[known][::-1]]])]
            if known.any()
            else []
        )
        self.mark.set_data([data.survival.promised.epsilon], [data.chosen[1]])
        self.label.set_text(_chosen_words(data))
        self.axes.set_xlim(float(data.survival.epsilons[0]), float(data.survival.epsilons[-1]))
        self.axes.set_ylim(0, 1.12 * max(float(high[known].max(initial=0)), 1.0))
        name_axes(self.axes, self.style, "ε, at the same δ", _title(data))

    def arrange(self) -> None:
        """Put the label beside its point, clear of the curve."""
        data, axes = self.data, self.axes
        lay_out(axes)
        line = on_screen(axes, data.survival.epsilons, data.quantiles[1])
        spots = around(data.survival.promised.epsilon, data.chosen[1], 10.0)
        place([LabelWish(self.label, spots, [line], True)], ((0,),), axes.get_window_extent(), [])


def build(figure: Figure, data: TrimSurvivors, style: ChartStyle) -> TrimSurvivalChart:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    axes = fresh_axes(figure, style)
    axes.set_xscale("log")
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: file_text(value, 3)))
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    return TrimSurvivalChart(axes, style).showing(data)


def describe(data: TrimSurvivors) -> str:
    survival, (low, middle, high) = data.survival, data.chosen
    return (
        f"{_title(data)}, of {survival.draws} simulated draws each, by trimming at δ = "
        f"{estimate(survival.promised.delta, 2)}. With ε = {estimate(survival.promised.epsilon)} half of the draws "
        f"release {count(middle)} or more, nine in ten between {count(low)} and {count(high)}."
    )


def rows(data: TrimSurvivors) -> list[tuple[str, ...]]:
    """The numbers behind the chart, the heading first; "" where groups would have to give up too many rows."""
    table: list[tuple[str, ...]] = [("epsilon", "5_percent", "median", "95_percent")]
    for epsilon, three in zip(data.survival.epsilons.tolist(), data.quantiles.T.tolist(), strict=True):
        table.append((file_text(epsilon, 6), *("" if np.isnan(one) else file_text(one, 6) for one in three)))
    return table


def _title(data: TrimSurvivors) -> str:
    survival = data.survival
    # Of several steps each releases groups of its own, so there is no whole that they are of.
    whole = f" of {survival.rows:,}" if data.counted == "rows" else ""
    return f"{_AXIS[data.counted]}{whole}: median and 5–95 %"


def _chosen_words(data: TrimSurvivors) -> str:
    low, middle, high = data.chosen
    return f"chosen: {count(middle)}\n{count(low)} – {count(high)}\nε {estimate(data.survival.promised.epsilon)}"
