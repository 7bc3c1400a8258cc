"""Survival of rows against the sampling probability. A simulation, for the analyst only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.sample_guarantee import Accounting
from workbench.anonymise.survival import Survival, SurvivalChoice, SurvivalCurve
from workbench.core.number_text import count, estimate, file_text
from workbench.plots.placement import LabelWish, Spot, around, on_screen, place
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, readable, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

Counted = Literal["rows", "classes"]

_AXIS = {"rows": "Rows released", "classes": "Groups released"}
_LINES = {Accounting.EXACT: "exact accounting", Accounting.CLASSICAL: "classical theorem"}
_ORDERS = ((0, 1, 2), (0, 2, 1))


@dataclass(frozen=True, eq=False)
class Survivors:
    """The part of a simulation that is drawn: its rows or its classes. From true rows: analyst only."""

    survival: Survival
    counted: Counted = "rows"

    def quantiles(self, curve: SurvivalCurve) -> NDArray[np.float64]:
        """The 5, 50 and 95 % quantiles of a curve, shape (3, points)."""
        return curve.rows if self.counted == "rows" else curve.classes

    @property
    def chosen(self) -> tuple[float, float, float]:
        """The quantiles at the settings in force."""
        return chosen_of(self.survival.chosen, self.counted)


def chosen_of(chosen: SurvivalChoice, counted: Counted) -> tuple[float, float, float]:
    """The quantiles of rows or of classes."""
    return chosen.rows if counted == "rows" else chosen.classes


class SurvivalChart(AxesChart[Survivors]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        text = label_look(style)
        colours = {Accounting.EXACT: style.anonymised, Accounting.CLASSICAL: style.global_dp}
        self.bands: dict[Accounting, PolyCollection] = {
            accounting: axes.fill_between([], [], [], color=colour, alpha=0.22, linewidth=0)
            for accounting, colour in colours.items()
        }
        self.lines = {}
        for accounting, colour in colours.items():
            exact = accounting is Accounting.EXACT
            (self.lines[accounting],) = axes.plot(
                [],
                [],
                color=colour,
                linewidth=2 if exact else 1.6,
                linestyle="solid" if exact else (0, (5, 2)),
            )
        self.chosen = axes.errorbar(
            [0.5], [0.0], yerr=[[0.0], [0.0]], fmt="o", markersize=9, markeredgewidth=2, markerfacecolor=style.ground,
            markeredgecolor=style.text, ecolor=style.text, elinewidth=2, capsize=4, zorder=5,
        )  # fmt: skip
        self.labels: dict[str, Annotation] = {
            name: axes.annotate("", (0, 1), (0, 0), textcoords="offset points", color=colour, zorder=6, **text)
            for name, colour in (
                ("chosen", style.text),
                (Accounting.EXACT.value, readable(style.anonymised, style)),
                (Accounting.CLASSICAL.value, readable(style.global_dp, style)),
            )
        }
        self.labels["chosen"].set_fontweight("bold")
        for label in self.labels.values():
            label.set_in_layout(False)

    def update(self, data: Survivors) -> None:
        self.data = data
        axes, betas = self.axes, data.survival.betas
        highest = max(data.chosen[2], 1.0)
        for accounting, curve in data.survival.curves.items():
            low, middle, high = data.quantiles(curve)
            known = np.isfinite(middle)
            self.lines[accounting].set_data(betas[known], middle[known])
            outline = np.column_stack([np.r_[betas[known], betas[known][::-1]], np.r_[low[known], high[known][::-1]]])
            self.bands[accounting].set_verts([outline] if known.any() else [])
            highest = max(highest, float(high[known].max(initial=0)))
            self.labels[accounting.value].set_text(_LINES[accounting] if known.any() else "")
        beta, (low_end, centre, high_end) = data.survival.chosen.beta, data.chosen
        mark, caps, (bar,) = self.chosen
        mark.set_data([beta], [centre])
        for cap, height in zip(caps, (low_end, high_end), strict=True):
            cap.set_data([beta], [height])
        bar.set_segments([np.array([[beta, low_end], [beta, high_end]])])
        self.labels["chosen"].set_text(_chosen_words(data))
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1.12 * highest)
        name_axes(axes, self.style, "Share of the rows that is sampled, β", _title(data))

    def arrange(self) -> None:
        """Put the labels beside what they name, clear of curves and of each other."""
        data, axes = self.data, self.axes
        lay_out(axes)
        betas = data.survival.betas
        curves = {accounting: data.quantiles(curve)[1] for accounting, curve in data.survival.curves.items()}
        lines = [on_screen(axes, betas, curve) for curve in curves.values()]
        spots = {
            "chosen": around(data.survival.chosen.beta, data.chosen[1], 10.0),
            Accounting.EXACT.value: _along(betas, curves[Accounting.EXACT], above=True),
            Accounting.CLASSICAL.value: _along(betas, curves[Accounting.CLASSICAL], above=False),
        }
        wishes = [LabelWish(label, spots[name], lines, name == "chosen") for name, label in self.labels.items()]
        place(wishes, _ORDERS, axes.get_window_extent(), [self.chosen[0].get_window_extent()])


def build(figure: Figure, data: Survivors, style: ChartStyle) -> SurvivalChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

    axes = fresh_axes(figure, style)
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    return SurvivalChart(axes, style).showing(data)


def describe(data: Survivors) -> str:
    survival, (low, middle, high) = data.survival, data.chosen
    return (
        f"{_title(data)}, of {survival.draws} simulated samples each, for ε = {estimate(survival.epsilon)} and "
        f"δ = {estimate(survival.delta, 2)}. With the chosen β = {estimate(survival.chosen.beta)} and k = "
        f"{survival.chosen.k:,} "
        f"half of the samples release {count(middle)} or more, nine in ten between {count(low)} and {count(high)}."
    )


def rows(data: Survivors) -> list[tuple[str, ...]]:
    """The numbers behind the chart, the heading first; "" where there is no k."""
    heads = [f"{a.value}_{what}" for a in data.survival.curves for what in ("k", "5_percent", "median", "95_percent")]
    table: list[tuple[str, ...]] = [("beta", *heads)]
    for position, beta in enumerate(data.survival.betas.tolist()):
        cells = [file_text(beta, 6)]
        for curve in data.survival.curves.values():
            numbers = [curve.ks[position], *data.quantiles(curve)[:, position]]
            cells += ["" if np.isnan(number) else file_text(number, 6) for number in numbers]
        table.append(tuple(cells))
    return table


def _title(data: Survivors) -> str:
    survival = data.survival
    whole = survival.rows if data.counted == "rows" else survival.classes
    return f"{_AXIS[data.counted]} of {whole:,}: median and 5–95 %"


def _chosen_words(data: Survivors) -> str:
    low, middle, high = data.chosen
    chosen = data.survival.chosen
    return (
        f"chosen: {count(middle)}\n{count(low)} – {count(high)}\nβ {estimate(100 * chosen.beta, 3)} %, k {chosen.k:,}"
    )


def _along(betas: NDArray[np.float64], curve: NDArray[np.float64], *, above: bool) -> list[Spot]:
    """Places along a curve, on one side first."""
    shown = np.flatnonzero(np.isfinite(curve))
    spots: list[Spot] = []
    for share in (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.92):
        if len(shown):
            at = shown[min(int(share * len(shown)), len(shown) - 1)]
            x, y = float(betas[at]), float(curve[at])
            upper = [Spot(x, y, -8, 8, "right", "bottom"), Spot(x, y, 0, 14, "center", "bottom")]
            lower = [Spot(x, y, 8, -8, "left", "top"), Spot(x, y, 0, -14, "center", "top")]
            spots += [*upper, *lower] if above else [*lower, *upper]
    return spots
