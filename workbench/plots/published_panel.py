"""One panel of a published figure: its curves or bars, with the published values drawn in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.core.number_text import estimate, file_text
from workbench.evaluate.method import Approach
from workbench.evaluate.published.entry import PanelCurve, PublishedPanel, PublishedValue
from workbench.plots.style import AxesChart, ChartStyle, blended, fresh_axes, label_look, name_axes, thousands
from workbench.plots.ticks import csv_cell, name_places, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
_DASHES: tuple[Any, ...] = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)), (0, (1, 1)))
_LETTERS = 34
_SPREAD = 30.0
"""Of the largest to the smallest value, from which an axis is logarithmic."""
_GROUP = 0.84
PUBLISHED = "Published value"


@dataclass(frozen=True)
class PanelData:
    """A panel, and the published values that belong into it."""

    panel: PublishedPanel
    values: tuple[PublishedValue, ...] = ()


class PanelChart(AxesChart[PanelData]):
    def update(self, data: PanelData) -> None:
        self.data = data
        axes, style, panel = self.axes, self.style, data.panel
        for group in list(axes.containers):
            group.remove()
        for artist in [*axes.lines, *axes.collections, *axes.patches]:
            artist.remove()
        drawn = [curve for curve in panel.curves if curve.places]
        (self._bars if panel.labels else self._lines)(drawn)
        names = self._published()
        look = label_look(style)
        legend = axes.legend(
            loc="lower left", bbox_to_anchor=(0.0, 1.0), frameon=False, borderaxespad=0.3, ncols=2,
            prop={"family": look["fontfamily"], "size": look["fontsize"]}, handlelength=2.2,
        )  # fmt: skip
        for words in legend.get_texts():
            words.set_color(style.text)
        legend.set_in_layout(False)
        lines = math.ceil((len(drawn) + names) / 2)
        name_axes(axes, style, panel.across, panel.up, 12 + lines * 1.7 * style.small_points)

    def _colour(self, approach: Approach, place: int, several: int) -> str:
        colours = {
            Approach.GLOBAL: self.style.global_dp,
            Approach.ANONYMISED: self.style.anonymised,
            Approach.LOCAL: self.style.local_dp,
            Approach.BASELINE: self.style.muted,
        }
        return blended(colours[approach], self.style.text, 0.62 * place / max(several - 1, 1))

    def _colours(self, drawn: list[PanelCurve]) -> list[str]:
        """One hue per approach, darker from curve to curve."""
        found = []
        for one in drawn:
            mine = [other for other in drawn if other.approach is one.approach]
            place = next(number for number, other in enumerate(mine) if other is one)
            found.append(self._colour(one.approach, place, len(mine)))
        return found

    def _lines(self, drawn: list[PanelCurve]) -> None:
        axes = self.axes
        places = [place for curve in drawn for place in curve.places]
        means = [mean for curve in drawn for mean in curve.means if math.isfinite(mean)]
        means += [one.value for one in self.data.values]
        axes.set_xscale("log" if _wide(places) else "linear")
        axes.set_yscale("log" if _wide(means) else "linear")
        for number, (curve, colour) in enumerate(zip(drawn, self._colours(drawn), strict=True)):
            many = len(curve.places) > 20
            axes.plot(
                curve.places, curve.means, color=colour, linewidth=1.0 if curve.formula else 1.6,
                marker="" if many or curve.formula else _MARKERS[number % len(_MARKERS)], markersize=4,
                linestyle=(0, (1, 1)) if curve.formula else _DASHES[number % len(_DASHES)],
                label=shortened(curve.name, _LETTERS), zorder=2,
            )  # fmt: skip
        if not _wide(means):
            axes.set_ylim(min(0.0, *means), 1.06 * max(means, default=1.0) or 1.0)
        axes.margins(x=0.03)

    def _bars(self, drawn: list[PanelCurve]) -> None:
        axes = self.axes
        width = _GROUP / max(len(drawn), 1)
        for number, (curve, colour) in enumerate(zip(drawn, self._colours(drawn), strict=True)):
            start = np.asarray(curve.places) - _GROUP / 2 + (number + 0.5) * width
            axes.bar(start, curve.means, width, color=colour, label=shortened(curve.name, _LETTERS), zorder=2)
        axes.set_xlim(-0.6, len(self.data.panel.labels) - 0.4)

    def _published(self) -> int:
        """Draw the published values that have a place, and say how many names that adds to the legend."""
        values = [one for one in self.data.values if one.curve]
        if not values:
            return 0
        self.axes.plot(
            [one.place for one in values], [one.value for one in values], linestyle="none", marker="x", markersize=8,
            markeredgewidth=2.2, color=self.style.text, label=PUBLISHED, zorder=5,
        )  # fmt: skip
        return 1

    def arrange(self) -> None:
        """Name as many bars as have room."""
        if self.data.panel.labels:
            name_places(self.axes, self.data.panel.labels)


def _wide(values: list[float]) -> bool:
    positive = [value for value in values if value > 0]
    return len(positive) == len(values) > 1 and max(positive) > _SPREAD * min(positive)


def build(figure: Figure, data: PanelData, style: ChartStyle) -> PanelChart:
    from matplotlib.ticker import FuncFormatter

    axes = fresh_axes(figure, style)
    chart = PanelChart(axes, style).showing(data)
    for axis in (axes.xaxis, axes.yaxis):
        if not data.panel.labels or axis is axes.yaxis:
            axis.set_major_formatter(FuncFormatter(thousands))
    return chart


def describe(data: PanelData) -> str:
    parts = [
        f"{curve.name}: {estimate(curve.means[0], 4)} at {estimate(curve.places[0], 4)}, "
        f"{estimate(curve.means[-1], 4)} at {estimate(curve.places[-1], 4)}"
        for curve in data.panel.curves
        if curve.places
    ]
    published = [f"{one.what}: {estimate(one.value, 4)} published" for one in data.values]
    return f"{data.panel.title}. {'; '.join([*parts, *published])}."


def rows(data: PanelData) -> list[tuple[str, ...]]:
    panel = data.panel
    if panel.rows:
        return [tuple(map(csv_cell, row)) for row in panel.rows]
    table: list[tuple[str, ...]] = [("curve", "place", "value", "deviation of one repetition", "repetitions")]
    for curve in panel.curves:
        spread = curve.deviations or (0.0,) * len(curve.places)
        for place, mean, around in zip(curve.places, curve.means, spread, strict=True):
            where = panel.labels[int(place)] if panel.labels else file_text(place, 9)
            numbers = (file_text(mean, 9), file_text(around, 4), str(curve.repetitions))
            table.append((csv_cell(curve.name), csv_cell(where), *numbers))
    for one in data.values:
        table.append((csv_cell(f"{PUBLISHED}: {one.what}"), file_text(one.place, 9), file_text(one.value, 9), "", ""))
    return table
