"""Errors of several methods along an axis: means with 95 % bands, named where the curves end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import estimate, exact, rounded
from workbench.evaluate.between import bends, curve_through, drawn_between
from workbench.evaluate.enough import Enough, ErrorLimit, error_limit
from workbench.evaluate.enough_advice import enough_way, error_there
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis
from workbench.evaluate.findings import Crossing, Findings, crossings
from workbench.evaluate.protection_words import hides_at, hides_unlike
from workbench.evaluate.question import UNNAMED, Metric, Statistic
from workbench.plots.axis_scale import scale, tick
from workbench.plots.comparison_caption import caption as caption
from workbench.plots.comparison_curve import BESIDE, GAP, LETTERS, Curve
from workbench.plots.comparison_data import ComparisonData as ComparisonData
from workbench.plots.comparison_data import file_stem as file_stem
from workbench.plots.comparison_look import curve_looks
from workbench.plots.curve_words import setting_name
from workbench.plots.placement import LabelWish, Spot, apart, around, on_screen, place
from workbench.plots.reading import Box
from workbench.plots.style import (
    POINTS_PER_INCH,
    AxesChart,
    ChartStyle,
    fresh_axes,
    installed_families,
    label_look,
    lay_out,
    name_axes,
)
from workbench.plots.ticks import csv_cell, shortened

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CLEAR_X, _CLEAR_Y = 56, 28
"""Pixels between the names of two crossings."""
_NEAR, _MIDDLE = 0.9, 0.5
"""A curve that ends before this has no line to its name."""
_FAR = 10.0
"""How many times beyond all errors what is good enough may lie and still be drawn."""
_AROUND, _CLOSE = 6.0, 6
"""Points from a mark to its name, and how many places close to it there are."""
_LIMITS = 2
"""Lines of what is good enough at most: of the shape that asks for least, and of that which asks for most."""
_MARK_EDGE = 4.0
"""Points from the middle of a mark to its edge."""
_PARTS = 8
"""Into so many parts such a line is divided, at whose ends a place for its name is sought."""
_MARKED = 3
"""Crossings that are marked; the others are told in words."""
_AXIS_NAMES = {Axis.EPSILON: "ε", Axis.USERS: "Users", Axis.BINS: "Bins"}


_AS_VALUES = (Statistic.MEAN, Statistic.SUM, Statistic.QUANTILE, Statistic.DEVIATION)
"""Answers that have the unit of the values."""


class ComparisonChart(AxesChart[ComparisonData]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        from matplotlib.collections import LineCollection
        from matplotlib.patheffects import withStroke

        super().__init__(axes, style)
        self.curves: list[Curve] = []
        self.rest = LineCollection([], linewidths=0.9, alpha=0.4, zorder=2)
        axes.add_collection(self.rest, autolim=False)
        (self.marks,) = axes.plot(
            [], [], linestyle="", marker="o", markersize=9, markerfacecolor="none", markeredgewidth=1.2,
            color=style.text, zorder=4,
        )  # fmt: skip
        self.enough = [
            axes.axhline(1.0, color=style.text, linewidth=1.1, linestyle=(0, (1, 2)), zorder=1.8)
            for _ in range(_LIMITS)
        ]
        self.enough_names = [
            axes.annotate("", (1.0, 1.0), (0, 2), textcoords="offset points", color=style.text, **label_look(style))
            for _ in range(_LIMITS)
        ]
        for name in self.enough_names:
            name.set_in_layout(False)
        (self.reached,) = axes.plot(
            [], [], linestyle="", marker="D", markersize=6, markerfacecolor=style.ground, markeredgewidth=1.2,
            color=style.text, zorder=4.2,
        )  # fmt: skip
        self.reached_name = axes.annotate(
            "", (1.0, 1.0), (8, 3), textcoords="offset points", va="bottom", color=style.text, **label_look(style)
        )
        self.reached_name.set_in_layout(False)
        self.reached_name.set_path_effects([withStroke(linewidth=3, foreground=style.ground)])
        self.place = axes.axvline(1.0, color=style.text, linewidth=1.1, linestyle=(0, (1, 2)), zorder=1.8)
        self.place_name = axes.annotate(
            "", (1.0, 0.0), (3, 3), textcoords="offset points", xycoords=("data", "axes fraction"), va="bottom",
            color=style.text, **label_look(style),
        )  # fmt: skip
        self.place_name.set_in_layout(False)
        self.words = [
            axes.annotate(
                "", (1, 1), (0, 9), textcoords="offset points", ha="center", color=style.text, **label_look(style)
            )
            for _ in range(_MARKED)
        ]
        for word in self.words:
            word.set_in_layout(False)
            word.set_path_effects([withStroke(linewidth=3, foreground=style.ground)])

    def update(self, data: ComparisonData) -> None:
        self.data = data
        findings, settings, axes, style = data.shown, data.settings, self.axes, self.style
        while len(self.curves) < len(findings.series):
            self.curves.append(Curve(axes, style))
        looks = curve_looks(findings.series, style)
        for number, curve in enumerate(self.curves):
            series = findings.series[number] if number < len(findings.series) else None
            colour, place = looks[number] if series is not None else (style.text, 0)
            bent = series is not None and bends(findings.experiment, series.approach)
            curve.show(series, colour, place, settings, len(findings.series), bent=bent)
        self._show_rest(data, looks)
        drawn = [point for series in _drawn(data) for point in series.drawn]
        x = [point.axis_value for point in drawn]
        if not x or not findings.complete:  # what is still to come has its place from the first point on
            x += findings.experiment.places
        scale(axes, "x", x, settings.log_x, room=0.04)
        y = [point.mean for point in drawn if point.mean > 0 or not settings.log_y]
        if settings.bands:
            y += [point.high for point in drawn if math.isfinite(point.high) and point.high > 0]
        y += [end for curve in self.curves for end in curve.bar_ends]
        y += self._show_enough(data, y)
        scale(axes, "y", y or [0.1, 1.0], settings.log_y, room=0.06)
        self._show_place(data)
        self._show_reached(data)
        self._mark(crossings(findings) if settings.crossings else ())
        heading = findings.experiment.error_heading
        along = _AXIS_NAMES[findings.experiment.axis]
        # Tiles compare the ways where both hide an answer, too; no curve does.
        along = f"{along} as set for each way; {hides_at(findings)}" if hides_unlike(findings) else along
        name_axes(axes, style, along, f"{heading}{_unit(findings)}")
        figure = axes.get_figure(root=True)
        if figure is not None:
            figure.suptitle(
                settings.title, x=0.01, ha="left", color=style.text, fontsize=style.base_points,
                fontfamily=installed_families(style.families),
            )  # fmt: skip

    def _show_enough(self, data: ComparisonData, errors: Sequence[float]) -> list[float]:
        """The lines of errors that are good enough, in a figure that leaves; none far beyond all that is drawn."""
        low, high = min(errors, default=math.nan), max(errors, default=math.nan)
        lines = enough_lines(error_limit(data.findings, data.enough)) if data.leaves else []
        near = [(name, limit) for name, limit in lines if low / _FAR <= limit <= _FAR * high]
        for number, (line, word) in enumerate(zip(self.enough, self.enough_names, strict=True)):
            for artist in (line, word):
                artist.set_visible(number < len(near))
            if number < len(near):
                name, limit = near[number]
                line.set_ydata([limit, limit])
                word.set_text(name)
                word.xy = (1.0, limit)
        return [limit for _, limit in near]

    def _show_reached(self, data: ComparisonData) -> None:
        """Where the way to take reaches what is enough, on its curve, in a figure that leaves."""
        low, high = sorted(self.axes.get_xlim())
        shown = self.enough[0].get_visible() and data.findings.complete
        mine = enough_way(data.findings, data.place, data.enough) if shown else None
        at = math.nan if mine is None else mine.said
        for artist in (self.reached, self.reached_name):
            artist.set_visible(bool(low <= at <= high))
        if mine is None or not low <= at <= high:
            return
        error = error_there(mine, data.findings)
        self.reached.set_data([at], [error])
        self.reached_name.set_text(reached_words(mine))
        self.reached_name.xy = (at, error)

    def _place_names(self) -> None:
        """The names of limits, of that mark and of crossings, in a figure that leaves where they lie on no curve.

        On the screen, where the mark is painted over the picture, names of crossings stand where it knows them.
        """
        if not self.data.leaves:
            return
        lines = [curve.line for curve in self.curves if curve.line.get_visible()]
        curves = [on_screen(self.axes, *(np.asarray(one, float) for one in line.get_data())) for line in lines]
        if self.place.get_visible() and self.data.place is not None:
            up = np.asarray(self.axes.get_ylim(), float)
            curves.append(on_screen(self.axes, np.full(2, self.data.place), up))
        names = [word for word in self.words if word.get_visible() and word.get_alpha() != 0.0]
        names += [self.reached_name] if self.reached_name.get_visible() else []
        wishes = [LabelWish(name, around(*name.xy, _AROUND)[:_CLOSE], curves, must_show=True) for name in names]
        limits = [name for name in self.enough_names if name.get_visible()]
        covered = [*curves, *self._marks_and_bars()]
        wishes += [LabelWish(name, self._along(name.xy[1]), covered, must_show=True) for name in limits]
        place(wishes, [range(len(wishes))], self.axes.get_window_extent())

    def _marks_and_bars(self) -> list[NDArray[np.float64]]:
        """The edges of the marks of curves and their bars, in display units, which are broader than their lines."""
        wide = _MARK_EDGE * self.axes.figure.dpi / POINTS_PER_INCH
        edges = wide * np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])
        found = []
        for curve in self.curves:
            if curve.line.get_visible():
                middles = self.axes.transData.transform(np.column_stack([*map(np.asarray, curve.line.get_data())]))
                found.append((middles[:, None] + edges).reshape(-1, 2))
                found += [on_screen(self.axes, *np.asarray(bar, float).T) for bar in curve.chance.get_segments()]
        return found

    def _along(self, limit: float) -> list[Spot]:
        """Places for the name of a line: above or below it, at its left end, its right one, or between."""
        inside = self.axes.transAxes + self.axes.transData.inverted()
        spots = []
        for share in (0.0, 1.0, *(part / _PARTS for part in range(1, _PARTS))):
            at, right = float(inside.transform((share, 0.5))[0]), 3 - 6 * share
            beside: Literal["left", "center", "right"] = "right" if share == 1.0 else "center" if share else "left"
            spots += [Spot(at, limit, right, 2, beside, "bottom"), Spot(at, limit, right, -2, beside, "top")]
        return spots

    def _show_place(self, data: ComparisonData) -> None:
        """The line of the place that the caption compares the ways at, in a figure that leaves."""
        low, high = sorted(self.axes.get_xlim())
        shown = data.leaves and data.place is not None and low <= data.place <= high
        for artist in (self.place, self.place_name):
            artist.set_visible(shown)
        if not shown or data.place is None:
            return
        self.place.set_xdata([data.place, data.place])
        self.place_name.set_text(f"{data.findings.experiment.axis.words} {estimate(data.place, 3)}")
        # Near the right end it stands on the other side of its line.
        shares = self.axes.transScale.transform([(data.place, 1.0), (low, 1.0), (high, 1.0)])[:, 0]
        near = shares[0] > shares[1] + _NEAR * (shares[2] - shares[1])
        self.place_name.set_horizontalalignment("right" if near else "left")
        self.place_name.xyann = (-3, 3) if near else (3, 3)
        self.place_name.xy = (data.place, 0.0)

    def _show_rest(self, data: ComparisonData, looks: Sequence[tuple[str, int]]) -> None:
        """The settings of each family that did not come out best, thin and without names."""
        lines, colours = [], []
        for series, (colour, _) in zip(data.shown.series, looks, strict=True):
            for one in series.rest if data.settings.rest else ():
                lines.append(_curve(one, data))
                colours.append(colour)
        self.rest.set_segments([line for line in lines if len(line) > 1])
        self.rest.set_color([colour for line, colour in zip(lines, colours, strict=True) if len(line) > 1])

    def _mark(self, found: Sequence[Crossing]) -> None:
        shown = found[:_MARKED]
        for number, word in enumerate(self.words):
            word.set_visible(number < len(shown))
            if number < len(shown):
                crossing = shown[number]
                word.xy = (crossing.place, crossing.error)
                word.set_text(_crossing_name(crossing))
        self.marks.set_data([one.place for one in shown], [one.error for one in shown])

    def arrange(self) -> None:
        """Put the names beside the ends of their curves, one below the other."""
        curves = [curve for curve in self.curves if curve.label.get_visible()]
        lay_out(self.axes)
        self._spread_marks()
        self._place_names()
        box = self.axes.get_window_extent()
        if not curves or box.height <= 0:
            return
        line = max(curve.label.get_window_extent().height for curve in curves) * 1.15 / box.height
        ends = self.axes.transAxes.inverted().transform(self.axes.transData.transform([one.end for one in curves]))
        heights = apart(ends[:, 1].tolist(), line)
        for curve, (right, up), height in zip(curves, ends.tolist(), heights, strict=True):
            curve.label.set_position((BESIDE, height))
            # Of a curve that is not there up to its end yet a line to its name would look like a part of it.
            near = right > _NEAR
            curve.leader.set_data([right + GAP, BESIDE - GAP] if near else [], [up, height] if near else [])

    def _spread_marks(self) -> None:
        """Name only crossings that are not on top of one that is named already."""
        taken: list[NDArray[np.float64]] = []
        top = self.axes.get_window_extent().y1
        for word in self.words:
            if word.get_visible():
                here = self.axes.transData.transform(word.xy)
                # Near the top it stands below its mark, where no title is in its way.
                word.xyann = (0, 9) if here[1] < top - _CLEAR_Y else (0, -18)
                free = all(abs(here[0] - x) > _CLEAR_X or abs(here[1] - y) > _CLEAR_Y for x, y in taken)
                word.set_alpha(1.0 if free else 0.0)
                if free:
                    taken.append(here)

    def named_series(self) -> list[tuple[str, Artist, tuple[Artist, ...]]]:
        """The curves that have a name beside them."""
        return [
            (
                curve.label.get_text(),
                curve.label,
                (
                    curve.line,
                    curve.chance,
                    curve.caps,
                    curve.arrows,
                    curve.changes,
                    curve.theory,
                    curve.fill,
                    curve.band,
                    curve.leader,
                ),
            )
            for curve in self.curves
            if curve.label.get_visible()
        ]

    def _changed(self, series: ErrorSeries, point: Point) -> str:
        """What an open mark says: by which setting the way answers from there on."""
        if point.by is None or point not in series.changes:
            return ""
        return f"; open: from here on {setting_name(point.by, self.data.findings.experiment.question.statistic)}"

    def told_points(self) -> Iterator[tuple[str, tuple[str, str, str], Box]]:
        """Every point that is drawn: its curve, its place, and its mean error with the range of 95 % of the errors."""
        hidden = {curve.label.get_text() for curve in self.curves if not curve.line.get_visible()}
        for series in _drawn(self.data):
            name = shortened(series.name, LETTERS)
            for point in series.drawn if name not in hidden else ():
                if point.mean > 0 or not self.data.settings.log_y:
                    value = f"{_value_text(point, self.data)}{self._changed(series, point)}"
                    words = place_text(point, self.data), "", value
                    yield name, words, (point.axis_value, point.mean, point.axis_value, point.mean)


def enough_lines(limit: ErrorLimit) -> list[tuple[str, float]]:
    """The lines of what is enough: their names, of which shape they are where that was chosen, and their heights."""
    most = f", {limit.most_words}" if limit.most_words else ""
    return [
        (f"Enough{f' on {limit.named(shape)}' if shape is not None else most}: {text}", height)
        for (text, shape), height in zip(limit.lines, limit.drawn, strict=True)
    ]


def reached_words(mine: Enough) -> str:
    """What the mark on the curve of a way says: from which ε on it is enough."""
    return f"{mine.approach.value.capitalize()} from {mine.told}"


def crossing_names(data: ComparisonData) -> list[tuple[float, float, str]]:
    """The crossings that are marked: place on the axis, error, and name."""
    found = crossings(data.shown)[:_MARKED] if data.settings.crossings else ()
    return [(one.place, one.error, _crossing_name(one)) for one in found]


def _crossing_name(crossing: Crossing) -> str:
    """What its circle marks, in as few words as have room between curves."""
    place = tick(rounded(crossing.place, 2))
    where = f"ε {place}" if crossing.axis is Axis.EPSILON else f"{place} {_AXIS_NAMES[crossing.axis].lower()}"
    return f"cross at {where}"


def place_text(point: Point, data: ComparisonData) -> str:
    """Where on the axis a point is."""
    return f"{_AXIS_NAMES[data.findings.experiment.axis]} {exact(point.axis_value)}"


def point_at(series: str, place: str, data: ComparisonData) -> Point | None:
    """The point that is drawn by that name at that place."""
    return next(
        (
            point
            for one in _drawn(data)
            if shortened(one.name, LETTERS) == series
            for point in one.drawn
            if place_text(point, data) == place
        ),
        None,
    )


def _value_text(point: Point, data: ComparisonData) -> str:
    unit = f" {data.findings.unit}" if data.findings.unit else ""
    unit = " %" if data.findings.experiment.metric.shown_times != 1.0 else unit
    found = f"{point.mean_text(3)}{unit}, 95 % between {estimate(point.low, 3)} and {estimate(point.high, 3)}"
    return f"{found}, {point.unanswered:,} without an answer" if point.unanswered else found


def build(figure: Figure, data: ComparisonData, style: ChartStyle) -> ComparisonChart:
    axes = fresh_axes(figure, style)
    return ComparisonChart(axes, style).showing(data)


def describe(data: ComparisonData) -> str:
    findings = data.shown
    parts = []
    for series in findings.series:
        if series.drawn:
            first, last = series.drawn[0], series.drawn[-1]
            parts.append(
                f"{series.name}: {first.mean_text(3)} at {estimate(first.axis_value)}, "
                f"{last.mean_text(3)} at {estimate(last.axis_value)}"
            )
        else:
            problem = next((point.problem for point in series.points if point.problem), "not there yet")
            parts.append(f"{series.name}: {problem}")
    told = " ".join(crossing.sentence for crossing in crossings(findings))
    axis = _AXIS_NAMES[findings.experiment.axis]
    return f"{findings.experiment.error_heading} against {axis}. {'; '.join(parts)}. {told}".strip()


def _unit(findings: Findings) -> str:
    """In what errors are read, after a comma: where no unit is known, of which column they have it."""
    question = findings.experiment.question
    if not findings.unit and findings.experiment.metric == Metric() and question.statistic in _AS_VALUES:
        return f", in the unit of {'the values' if question.column == UNNAMED else question.column}"
    return f", {findings.unit}" if findings.unit else ""


def _curve(series: ErrorSeries, data: ComparisonData) -> list[tuple[float, float]]:
    """The points through which the curve of a setting that did not come out best is drawn."""
    bent, settings = bends(data.findings.experiment, series.approach), data.settings
    places, errors = ([getattr(point, name) for point in series.drawn] for name in ("axis_value", "mean"))
    at = drawn_between(places, straight=settings.log_x and settings.log_y and not bent)
    return list(zip(at, curve_through(places, errors, at, bent=bent), strict=True))


def _drawn(data: ComparisonData) -> list[ErrorSeries]:
    """All curves that are seen."""
    rest = [one for series in data.shown.series for one in series.rest] if data.settings.rest else []
    return [*data.shown.series, *rest]


def rows(data: ComparisonData) -> list[tuple[str, ...]]:
    heading, *table = data.findings.table()
    words = {place for place, name in enumerate(heading) if name in ("method", "problem", "setting")}
    cells = (tuple(csv_cell(cell) if at in words and cell else cell for at, cell in enumerate(row)) for row in table)
    return [heading, *cells]
