"""ε of above-threshold against the number of queries: what grows without end, and what does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.core.number_text import estimate, file_text
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, name_axes, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DASHES = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)), (0, (1, 1)))


@dataclass(frozen=True)
class LossSeries:
    """ε for 1, 2, … queries of one version; `repaired` ones are drawn in the colour of what is safe."""

    name: str
    epsilons: tuple[float, ...]
    repaired: bool = False


@dataclass(frozen=True)
class QueryLosses:
    """Several versions, as far as they differ.

    Parameters
    ----------
    series
        The versions, each with as many numbers.
    chosen
        The number of queries that is looked at, or 0.
    """

    series: tuple[LossSeries, ...]
    chosen: int = 0


class QueryLossesChart(AxesChart[QueryLosses]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        self.mark = axes.axvline(1, color=style.muted, linewidth=1, label="_chosen")

    def update(self, data: QueryLosses) -> None:
        self.data = data
        axes, style = self.axes, self.style
        for artist in list(axes.lines):
            if artist is not self.mark:
                artist.remove()
        counts = [0, 0]
        highest, most = 1e-9, 1
        for one in data.series:
            colour = style.anonymised if one.repaired else style.local_dp
            dash = _DASHES[counts[one.repaired] % len(_DASHES)]
            counts[one.repaired] += 1
            places = np.arange(1, len(one.epsilons) + 1)
            marker = "o" if len(places) <= 12 else ""
            axes.plot(
                places, one.epsilons, color=colour, linewidth=2, linestyle=dash, marker=marker, markersize=5,
                label=f"{one.name}: {estimate(one.epsilons[-1])}",
            )  # fmt: skip
            highest, most = max(highest, *one.epsilons), max(most, len(places))
        self.mark.set_xdata([data.chosen, data.chosen])
        self.mark.set_visible(data.chosen > 1)
        axes.set_xlim(0.5 if most < 20 else 0, most + 0.5)
        axes.set_ylim(0, 1.08 * highest)
        look = label_look(style)
        self.legend = axes.legend(
            loc="lower left", bbox_to_anchor=(0.0, 1.0), frameon=False, borderaxespad=0.3, handlelength=3.2,
            labelspacing=0.35, prop={"family": look["fontfamily"], "size": look["fontsize"]},
        )  # fmt: skip
        for words, one in zip(self.legend.get_texts(), data.series, strict=True):
            words.set_color(readable(style.anonymised if one.repaired else style.local_dp, style))
        # Room for it is made by the padding of the title.
        self.legend.set_in_layout(False)
        name_axes(axes, style, "Number of queries", "ε", 12 + len(data.series) * 1.55 * style.small_points)


def build(figure: Figure, data: QueryLosses, style: ChartStyle) -> QueryLossesChart:
    from matplotlib.ticker import MaxNLocator

    axes = fresh_axes(figure, style)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(6))
    return QueryLossesChart(axes, style).showing(data)


def describe(data: QueryLosses) -> str:
    most = max((len(one.epsilons) for one in data.series), default=0)
    parts = [f"{one.name}: ε = {estimate(one.epsilons[-1])}" for one in data.series]
    return f"ε after {most} queries. {'; '.join(parts)}."


def rows(data: QueryLosses) -> list[tuple[str, ...]]:
    from workbench.plots.ticks import csv_cell

    most = max((len(one.epsilons) for one in data.series), default=0)
    table: list[tuple[str, ...]] = [("queries", *(csv_cell(one.name) for one in data.series))]
    for place in range(most):
        table.append((str(place + 1), *(file_text(one.epsilons[place]) for one in data.series)))
    return table
