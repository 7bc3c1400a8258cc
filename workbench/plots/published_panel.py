"""One panel of a published figure: its curves or bars, with the published values drawn in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from workbench.core.number_text import count, estimate, file_text, spelled
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import PublishedValue
from workbench.evaluate.published.experiment_runs import FORMULA
from workbench.evaluate.published.panel import PanelCurve, PublishedPanel
from workbench.plots.crosses import COMPUTED, PUBLISHED, Crosses, crosses_of, draw_crosses
from workbench.plots.curve_hues import curve_colours, place_of
from workbench.plots.scheme import draw_scheme
from workbench.plots.series import legend_above, title_with_crosses
from workbench.plots.style import (
    AxesChart,
    ChartStyle,
    axes_beside,
    fresh_axes,
    installed_families,
    label_look,
    lay_out,
    name_axes,
)
from workbench.plots.ticks import csv_cell, name_axis, name_places, round_numbers, shortened, thin_ticks, upright

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MARKERS = ("o", "s", "^", "D", "v", "P", "*", "<", ">", "p")
"""No cross: that is a published value."""
_DASHES: tuple[Any, ...] = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)), (0, (1, 1)))
_LETTERS, _TURNED = 36, 18
"""Letters of a name, and of one that is written slanting."""
_ACROSS, _UP = 4, 5
"""The most ticks of a logarithmic axis."""
_ROOM = 0.05
_MARGIN = 56.0
"""Points that ticks and the names of axes take of each direction."""
_MARKED, _TURNS = 8, 4
"""Of a curve with many places about so many have a marker; those of so many curves stand beside each other."""
_TICKS = 10
"""So many places have a tick each."""
_SPREAD = 30.0
"""Of the largest to the smallest value, from which an axis is logarithmic."""
_BINS = 5
"""The most steps between the lines of a linear axis that stands upright."""
_UNSEEN = 0.005
"""A bar that goes so much of the highest one below 0 is none there."""
_GROUP, _NARROW, _BROAD = 0.84, 3, 6
"""So many round numbers stand below bars."""
Limit: TypeAlias = Callable[[float, float], object]
"""Sets both ends of an axis."""


@dataclass(frozen=True)
class PanelData:
    """A panel, and the published values that belong into it.

    Parameters
    ----------
    linear
        Whether both axes are linear, as they are printed, however far values spread.
    differing
        The names of those that differ from ours.
    """

    panel: PublishedPanel
    values: tuple[PublishedValue, ...] = ()
    linear: bool = False
    differing: frozenset[str] = frozenset()


class PanelChart(AxesChart[PanelData]):
    named = False
    """Whether there are several curves, which need names."""
    thinned = False  # whether it was too low for the usual ticks
    parts: tuple[PanelChart, ...] = ()
    """Charts beside each other, of one curve each."""

    def update(self, data: PanelData) -> None:
        self.data = data
        if data.panel.apart:
            self._update_apart()
            return
        figure = self.axes.get_figure(root=True)
        if self.parts and figure is not None:
            self.parts, self.axes = (), fresh_axes(figure, self.style)
        axes, style, panel = self.axes, self.style, data.panel
        for group in list(axes.containers):
            group.remove()
        for artist in [*axes.lines, *axes.collections, *axes.patches]:
            artist.remove()
        for words in list(axes.texts):
            words.remove()
        if panel.boxes:
            if (old := axes.get_legend()) is not None:
                old.remove()
            name_axes(axes, style, "", "")
            draw_scheme(axes, style, panel)
            return
        axes.set_axis_on()
        drawn = [curve for curve in panel.curves if curve.places]
        inks = self._inks(drawn)
        crosses, colours = self._crosses(), dict(zip((curve.name for curve in drawn), inks, strict=True))
        draw_crosses(axes, style, crosses, colours)  # first, and so named first wherever there are any
        (self._bars if panel.labels else self._lines)(drawn, inks)
        self.named = len(drawn) + len(crosses) > 1
        self._ticks()
        self._name_all()

    def _update_apart(self) -> None:
        """A chart for each curve, named by it, with the same axes; what is expected is left out, as in print."""
        data, style, figure = self.data, self.style, self.axes.get_figure(root=True)
        assert figure is not None
        curves = [curve for curve in data.panel.curves if not curve.formula]
        if len(self.parts) != len(curves):
            self.parts = tuple(
                PanelChart(axes, style) for axes in axes_beside(figure, style, len(curves), data.panel.apart)
            )
            self.axes = self.parts[0].axes
        for place, (part, curve) in enumerate(zip(self.parts, curves, strict=True)):
            low = place >= len(curves) - data.panel.apart
            panel = replace(
                data.panel, curves=(curve,), apart=0, up=curve.name, across=data.panel.across if low else ""
            )
            part.update(replace(data, panel=panel, values=tuple(one for one in data.values if one.curve == curve.name)))
            part.named = False
            part._name_all()
            part.axes.tick_params(axis="y", labelleft=place % data.panel.apart == 0)
        for limits in ("xlim", "ylim"):
            ends = [getattr(part.axes, f"get_{limits}")() for part in self.parts]
            for part in self.parts:
                getattr(part.axes, f"set_{limits}")(min(low for low, _ in ends), max(high for _, high in ends))
                part._ticks()
        title_with_crosses(figure, style, data.panel.up, self._crosses())

    def _name_all(self) -> None:
        """Name axes and, where there are several, curves: above the chart if they have room there, else beside it."""
        axes, style, panel = self.axes, self.style, self.data.panel
        if (old := axes.get_legend()) is not None:
            old.remove()
        height = 0.0
        if self.named and not self._beside():
            height = legend_above(axes, style, tight=True)
        name_axes(axes, style, panel.across, panel.up, 10 + height)

    def _beside(self) -> bool:
        """Put the names beside the chart where that leaves more of it than putting them above; say whether it does."""
        axes, look = self.axes, label_look(self.style)
        figure = axes.get_figure(root=True)
        if figure is None:
            return False
        wide, high, inch = figure.bbox.width, figure.bbox.height, figure.dpi / 72
        above = (wide - _MARGIN * inch) * (high - (_MARGIN + legend_above(axes, self.style, tight=True)) * inch)
        legend = axes.legend(
            loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, borderaxespad=0.3, labelspacing=0.3,
            prop={"family": look["fontfamily"], "size": look["fontsize"]}, handlelength=2.2,
            labelcolor=self.style.text,
        )  # fmt: skip
        beside = (wide - _MARGIN * inch - legend.get_window_extent().width) * (high - _MARGIN * inch)
        return beside > above

    def _inks(self, drawn: list[PanelCurve]) -> list[str]:
        """The colours of curves; what is expected of one has the colour of that one."""
        own = [curve for curve in drawn if not curve.name.endswith(FORMULA)]
        inks = curve_colours([(curve.name, curve.approach) for curve in own], self.style)
        found = {curve.name: ink for curve, ink in zip(own, inks, strict=True)}
        return [found.get(curve.name.removesuffix(f", {FORMULA}"), self.style.muted) for curve in drawn]

    def _lines(self, drawn: list[PanelCurve], inks: list[str]) -> None:
        axes = self.axes
        places = [place for curve in drawn for place in curve.places]
        means = [mean for curve in drawn for mean in curve.means if math.isfinite(mean)]
        means += [one.value for one in self.data.values]
        wide = not self.data.linear
        _scale(axes.set_xscale, axes.set_xlim, places, upright=False, logarithmic=wide and _wide(places))
        _scale(axes.set_yscale, axes.set_ylim, means, upright=True, logarithmic=wide and self._error_spreads(means))
        if self.data.panel.top and not wide:
            axes.set_ylim(0.0, self.data.panel.top)
            self._mark_beyond(drawn, inks)
        beside = [curve for curve in drawn if curve.formula and curve.name.endswith(FORMULA)]
        only = all(curve.formula for curve in drawn)
        every = list(enumerate(zip(drawn, inks, strict=True)))
        for number, (curve, colour) in sorted(every, key=lambda one: one[1][0] in beside):
            dotted = curve.formula and not only
            look = place_of(curve.name, number)  # one of a protocol wherever it is drawn
            # Of two ways to estimate the same reports, the second is solid and its marks full.
            again = any(place_of(one.name, -1) == look for one in drawn[:number])
            # What others are measured by stays behind them, without marks.
            behind = curve.approach is Approach.BASELINE and len(drawn) > 1 and not only
            dotted = dotted or behind
            # What is expected is drawn beside each curve, and named once.
            name = curve.name if curve not in beside else FORMULA.capitalize() if curve is beside[0] else "_"
            if (not wide or self.data.panel.flat) and place_of(name, -1) >= 0:
                name = name.partition(" (")[0]  # as printed
            marked = _marked(curve.places, number, axes.get_xscale() == "log")
            axes.plot(
                curve.places, curve.means, color=colour, linewidth=1.0 if dotted else 1.6,
                marker="" if dotted else _MARKERS[look % len(_MARKERS)], markersize=4.5,
                markevery=marked, markerfacecolor=self.style.ground if look % 2 and not again else colour,
                linestyle=(0, (1, 1)) if dotted else _DASHES[0 if again else look % len(_DASHES)],
                label=shortened(name, _LETTERS), zorder=2,
            )  # fmt: skip

    def _mark_beyond(self, drawn: Sequence[PanelCurve], inks: Sequence[str]) -> None:
        """An arrow where a curve leaves the printed axis, and what that means."""
        top, across = self.data.panel.top, self.axes.get_xaxis_transform()
        gone = [(curve, ink) for curve, ink in zip(drawn, inks, strict=True) if max(curve.means) > top]
        for curve, ink in gone:
            place = next(at for at, mean in zip(curve.places, curve.means, strict=True) if mean > top)
            after = [at for at, mean in zip(curve.places, curve.means, strict=True) if mean > top]
            for at in (place, after[-1]) if len(after) > 1 else (place,):
                self.axes.plot([at], [0.97], marker="^", markersize=6, color=ink, transform=across, label="_", zorder=3)
        if gone:
            self.axes.text(
                0.99, 0.9, "▲ beyond the printed axis", transform=self.axes.transAxes, ha="right", va="top",
                color=self.style.muted, fontsize=self.style.small_points,
                fontfamily=list(installed_families(self.style.families)),
            )  # fmt: skip

    def _error_spreads(self, means: Sequence[float]) -> bool:
        """Whether errors are drawn logarithmically: as the panel has it, if all are above 0, else as they spread."""
        asked = self.data.panel.logarithmic
        return _wide(means) if asked is None else asked and min(means, default=0.0) > 0

    def _ticks(self) -> None:
        """Round numbers; on a logarithmic axis powers of ten, and between them where they are few."""
        from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

        axes = self.axes
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            if axis is axes.xaxis and self.data.panel.labels:
                continue
            axis.set_major_formatter(FuncFormatter(_tick))
            if axis.get_scale() == "log":
                axis.set_major_locator(FixedLocator(_powers(low, high, _ACROSS if axis is axes.xaxis else _UP)))
                axis.set_minor_locator(NullLocator())
            else:
                axis.set_major_locator(round_numbers(6) if axis is axes.xaxis else round_numbers(_BINS, _ROOM))
        places = sorted({place for curve in self.data.panel.curves for place in curve.places})
        if axes.get_xscale() == "linear" and _few_and_even(places) and not self.data.panel.labels:
            axes.xaxis.set_major_locator(FixedLocator(places))

    def _bars(self, drawn: list[PanelCurve], inks: list[str]) -> None:
        axes = self.axes
        axes.set_xscale("linear")
        heights = [mean for curve in drawn for mean in curve.means] + [one.value for one in self.data.values]
        if min(heights, default=0.0) > -_UNSEEN * max(heights, default=0.0):
            heights = [max(height, 0.0) for height in heights]  # too little below 0 to be seen
        _scale(axes.set_yscale, axes.set_ylim, [0.0, *heights], upright=True)
        if axes.get_ylim()[0] < 0:
            axes.axhline(0.0, color=self.style.muted, linewidth=0.8, zorder=1)
        width = _GROUP / max(len(drawn), 1)
        for number, (curve, colour) in enumerate(zip(drawn, inks, strict=True)):
            start = np.asarray(curve.places) - _GROUP / 2 + (number + 0.5) * width
            axes.bar(start, curve.means, width, color=colour, label=shortened(curve.name, _LETTERS), zorder=2)
        axes.set_xlim(-0.6, len(self.data.panel.labels) - 0.4)

    def _name_bars(self, most: int) -> None:
        """Write the names of bars; of those between edges that are numbers, round numbers where they stand."""
        from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator

        panel = self.data.panel
        if not panel.labels:
            return
        if not panel.edges:
            name_places(self.axes, panel.labels, turned=_TURNED if panel.named else 0)
            return
        name_axis(self.axes.xaxis, panel.labels)
        edges = np.asarray(panel.edges)
        for many in range(most, 0, -1):
            numbers = [float(one) for one in MaxNLocator(many).tick_values(edges[0], edges[-1])]
            numbers = [one for one in numbers if edges[0] <= one <= edges[-1]]
            places = np.interp(numbers, edges, np.arange(len(edges)) - 0.5)
            self.axes.xaxis.set_major_locator(FixedLocator(places.tolist()))
            self.axes.xaxis.set_major_formatter(FixedFormatter([count(one) for one in numbers]))
            lay_out(self.axes)
            boxes = [label.get_window_extent() for label in self.axes.get_xticklabels()]
            if all(one.x1 + one.height / 3 <= other.x0 for one, other in pairwise(boxes)):
                break

    def _crosses(self) -> tuple[Crosses, ...]:
        return crosses_of(self.data.values, self.data.differing, self.style, apart=bool(self.data.panel.apart))

    def arrange(self) -> None:
        """Name as many bars and curves beside each other as have room."""
        for part in self.parts:
            part._name_bars(_NARROW)
        if self.parts:
            lay_out(self.axes)
            return
        # The axes are drawn on again, and names of an earlier figure may have been turned.
        upright(self.axes)
        if self.thinned:
            self._ticks()
        if self.data.panel.boxes:
            self.update(self.data)  # letters are as small as the paper asks for
        else:
            self._name_bars(_BROAD)
            self._name_all()
        lay_out(self.axes)
        self.thinned = thin_ticks(self.axes, _powers, _ROOM)


def _scale(
    scaled: Callable[[str], None],
    limited: Limit,
    values: Sequence[float],
    *,
    upright: bool,
    logarithmic: bool = False,
) -> None:
    """A scale with a little room at the ends; a linear one that stands upright begins at 0, or below what is less."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if logarithmic:
        # A linear scale in between, as limits of the last data may not suit a logarithmic one.
        scaled("linear")
        limited(low, high)
        scaled("log")
        room = (high / low) ** (1.5 * _ROOM if upright else _ROOM)
        limited(low / room, high * room)
        return
    scaled("linear")
    if upright:
        room = _ROOM * (max(high, 0.0) - min(low, 0.0)) or 1.0
        # Up to a round number, so that no data are beyond the last line.
        end = round_numbers(_BINS).tick_values(0.0, high)[-1] if high > 0 else 0.0
        limited(low - room if low < 0 else 0.0, max(high + room, end) if high > 0 else room)
    else:
        room = _ROOM * (high - low) or 0.5
        limited(low - room, high + room)


def _few_and_even(places: Sequence[float]) -> bool:
    """Whether each place can have a tick: few, and equally far apart."""
    steps = [after - before for before, after in pairwise(places)]
    return 2 < len(places) <= _TICKS and math.isclose(min(steps), max(steps), rel_tol=1e-6)


def _marked(places: Sequence[float], number: int, logarithmic: bool) -> list[int]:
    """Which points of a curve have a marker: of many only some, equally far apart as they are seen."""
    if len(places) <= 2 * _MARKED:
        return list(range(len(places)))
    seen = np.log(places) if logarithmic else np.asarray(places)
    first = (number % _TURNS) / _TURNS / _MARKED
    wanted = seen[0] + (first + np.arange(_MARKED) / _MARKED) * (seen[-1] - seen[0])
    return sorted({int(np.abs(seen - one).argmin()) for one in wanted})


def _powers(low: float, high: float, most: int) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for mantissas in ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1,)):
        found = [m * 10.0**power for power in range(first, last + 1) for m in mantissas]
        found = [one for one in found if low <= one <= high]
        if len(found) <= most:
            return found
    return found[:: math.ceil(len(found) / most)]


def _tick(value: float, _position: int | None = None) -> str:
    return spelled(estimate(value, 3)) if value else "0"


def _wide(values: Sequence[float]) -> bool:
    positive = [value for value in values if value > 0]
    return len(positive) == len(values) > 1 and max(positive) > _SPREAD * min(positive)


def build(figure: Figure, data: PanelData, style: ChartStyle) -> PanelChart:
    return PanelChart(fresh_axes(figure, style), style).showing(data)


def describe(data: PanelData) -> str:
    if data.panel.boxes:
        said = [": ".join(part for part in (f"{start} → {stop}", words) if part) for start, stop, words in _ways(data)]
        return f"{data.panel.title}. {'; '.join(said)}."
    parts = [
        f"{curve.name}: {estimate(curve.means[0], 4)} at {estimate(curve.places[0], 4)}, "
        f"{estimate(curve.means[-1], 4)} at {estimate(curve.places[-1], 4)}"
        for curve in data.panel.curves
        if curve.places
    ]
    published = [
        f"{one.what}: {estimate(one.value, 4)} published{', differs' if one.name in data.differing else ''}"
        for one in data.values
    ]
    return f"{data.panel.title}. {'; '.join([*parts, *published])}."


def _ways(data: PanelData) -> list[tuple[str, str, str]]:
    """The arrows of a scheme: from where, to where, and what goes along."""
    boxes = [one.words.replace("\n", " ") for one in data.panel.boxes]
    return [(boxes[one.start], boxes[one.stop], one.words) for one in data.panel.arrows]


def _where(panel: PublishedPanel, place: float) -> str:
    """A place as files have it: the name of a bar, else the number."""
    return panel.labels[int(place)] if panel.labels else file_text(place, 9)


def rows(data: PanelData) -> list[tuple[str, ...]]:
    panel = data.panel
    if panel.boxes:
        return [("from", "to", "what"), *_ways(data)]
    if panel.rows:
        return [tuple(map(csv_cell, row)) for row in panel.rows]
    place, value = (
        csv_cell(f"{name}: {axis}" if axis else name) for name, axis in (("place", panel.across), ("value", panel.up))
    )
    table: list[tuple[str, ...]] = [("curve", place, value, "deviation of one repetition", "repetitions")]
    for curve in panel.curves:
        spread = curve.deviations or (0.0,) * len(curve.places)
        for number, (at, mean, around) in enumerate(zip(curve.places, curve.means, spread, strict=True)):
            numbers = (file_text(mean, 9), file_text(around, 4), str(curve.runs_of(number)))
            table.append((csv_cell(curve.name), csv_cell(_where(panel, at)), *numbers))
    for one in data.values:
        table.append(
            (
                csv_cell(f"{COMPUTED if one.follows else PUBLISHED}: {one.what}"),
                csv_cell(_where(panel, one.place)),
                file_text(one.value, 9),
                "",
                "",
            )
        )
    return table
