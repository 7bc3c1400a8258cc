"""Errors of several methods along an axis: means with 95 % bands, named where the curves end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import estimate, exact, rounded
from workbench.evaluate.drawn_row import drawn_words
from workbench.evaluate.experiment import Axis
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Crossing, ErrorSeries, Findings, Point, crossings
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Metric, Statistic
from workbench.evaluate.result_reading import ONE_OF_EACH
from workbench.evaluate.rising import rising_sentences
from workbench.evaluate.tile_words import compared_errors, told_words
from workbench.plots.axis_scale import scale, tick
from workbench.plots.caption import Caption, curve_words
from workbench.plots.comparison_curve import BESIDE, GAP, LETTERS, Band, Curve, band_of
from workbench.plots.curve_words import (
    change_words,
    clipping_sentences,
    crossing_sentences,
    guess_words,
    not_drawn,
    note_sentences,
    promise_words,
    sampled_sentences,
    settings_of,
    spanned,
    unfinished_words,
)
from workbench.plots.placement import apart
from workbench.plots.reading import Box
from workbench.plots.style import (
    POINTS_PER_INCH,
    AxesChart,
    ChartStyle,
    blended,
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

_STROKES = " (slash: new setting)"
_DARKEST = 0.62
"""How far the last of several curves of one approach is mixed with the colour of text."""
_CLEAR_X, _CLEAR_Y = 56, 28
"""Pixels between the names of two crossings."""
_NEAR = 0.9
"""A curve that ends before this has no line to its name."""
_MARKED = 3
"""Crossings that are marked; the others are told in words."""
_PRINTED = ChartStyle(global_dp="#003B6F", local_dp="#A34400", anonymised="#2A9D78")
"""The colours of the ways on paper: each twice as light as the one before, so that they differ in grey as well."""
_FAMILY = {Approach.GLOBAL: 0, Approach.ANONYMISED: 1, Approach.LOCAL: 2, Approach.BASELINE: 4}
"""Which marker and dash the best curve of a way has."""
_AXIS_NAMES = {Axis.EPSILON: "ε", Axis.USERS: "Users", Axis.BINS: "Bins"}


_BARS = "Bars at points: how far chance may have moved a mean of tries, in 95 of 100 cases."
_AS_VALUES = (Statistic.MEAN, Statistic.SUM, Statistic.QUANTILE, Statistic.DEVIATION)
"""Answers that have the unit of the values."""


@dataclass(frozen=True)
class ComparisonData:
    """The findings, how they are drawn, and at which place of the axis the caption compares the ways.

    What error is good `enough` may have been typed; else it is what sampling adds.
    """

    findings: Findings
    settings: FigureSettings = field(default_factory=FigureSettings)
    place: float | None = None
    enough: float | None = None

    @property
    def shown(self) -> Findings:
        """Findings, with errors as they are read."""
        return self.findings.shown


def print_style(settings: FigureSettings) -> ChartStyle:
    """The look of a file: black on white, with the chosen size and font of text."""
    usual = _PRINTED if settings.caption else ChartStyle()
    base = settings.text * usual.dpi / POINTS_PER_INCH
    families = (settings.font, *usual.families) if settings.font else usual.families
    return replace(usual, families=families, base=round(base), small=max(round(base) - 1, 1))


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
        looks = _looks(findings.series, style)
        for number, curve in enumerate(self.curves):
            series = findings.series[number] if number < len(findings.series) else None
            colour, place = looks[number] if series is not None else (style.text, 0)
            curve.show(series, colour, place, settings, len(findings.series))
        self._show_rest(data, looks)
        drawn = [point for series in _drawn(data) for point in series.drawn]
        x = [point.axis_value for point in drawn]
        if not x or not findings.complete:  # what is still to come has its place from the first point on
            x += findings.experiment.places
        scale(axes, "x", x, settings.log_x, room=0.04)
        y = [point.mean for point in drawn if point.mean > 0 or not settings.log_y]
        if settings.bands:
            y += [point.high for point in drawn if math.isfinite(point.high) and point.high > 0]
        scale(axes, "y", y or [0.1, 1.0], settings.log_y, room=0.06)
        self._mark(crossings(findings) if settings.crossings else ())
        heading = findings.experiment.error_heading
        name_axes(axes, style, _AXIS_NAMES[findings.experiment.axis], f"{heading}{_unit(findings)}")
        figure = axes.get_figure(root=True)
        if figure is not None:
            figure.suptitle(
                settings.title, x=0.01, ha="left", color=style.text, fontsize=style.base_points,
                fontfamily=installed_families(style.families),
            )  # fmt: skip

    def _show_rest(self, data: ComparisonData, looks: Sequence[tuple[str, int]]) -> None:
        """The settings of each family that did not come out best, thin and without names."""
        lines, colours = [], []
        for series, (colour, _) in zip(data.shown.series, looks, strict=True):
            for one in series.rest if data.settings.rest else ():
                lines.append([(point.axis_value, point.mean) for point in one.drawn])
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

    def told_points(self) -> Iterator[tuple[str, tuple[str, str, str], Box]]:
        """Every point that is drawn: its curve, its place, and its mean error with the range of 95 % of the errors."""
        hidden = {curve.label.get_text() for curve in self.curves if not curve.line.get_visible()}
        for series in _drawn(self.data):
            name = shortened(series.name, LETTERS)
            for point in series.drawn if name not in hidden else ():
                if point.mean > 0 or not self.data.settings.log_y:
                    words = place_text(point, self.data), "", _value_text(point, self.data)
                    yield name, words, (point.axis_value, point.mean, point.axis_value, point.mean)


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


def caption(data: ComparisonData) -> Caption:
    """Caption with all that must be known to read the figure on its own.

    Below it stands what the picture does not show and whoever reads it decides by: what was tried on whom, the verdict,
    and what ε means. Settings, crossings and the like are details: they are in the file of words and in the numbers.
    """
    findings, settings = data.findings, data.settings
    experiment = findings.experiment
    heading = "Per cent of people misplaced" if experiment.metric.shown_times != 1.0 else experiment.metric.heading
    shown = f"{'Error' if experiment.of_share else heading} of the {experiment.asked}"
    axis = {Axis.EPSILON: "ε", Axis.USERS: f"the number of {findings.counted}", Axis.BINS: "the number of bins"}[
        experiment.axis
    ]
    people = 0 if experiment.axis is Axis.USERS else experiment.users or findings.rows
    by_formula = list(filter(None, map(_by_formula, findings.series)))
    names, drawn = " and ".join(by_formula), _bands(findings.series) if settings.bands else ""
    both = bool(drawn) and all(point.ends_known for point in findings.points if point.by_formula)
    known = f"; both by formula for {names}" if both else f", for {names} computed by formula"
    means = f"Lines are mean errors{_STROKES if any(series.changes for series in findings.series) else ''}"
    lines = (means, drawn, known) if both else (means, known, drawn)
    bands = "".join(lines) if by_formula else f"{means}{drawn}"
    if settings.theory and any(math.isfinite(point.theory) and not point.by_formula for point in findings.points):
        bands = f"{bands}; crosses are expected by formula"
    within = f" {findings.public}" if findings.public else ""
    if experiment.basis.public and experiment.question.statistic.of_numbers:
        # Of true values a sentence below says how many are clipped, if any.
        within = f"{within.replace(' within ', ', clipped to ', 1)},"
    on = "true values"
    if experiment.basis.public:
        on = experiment.shape_words
    unit = f" in {findings.unit}" if findings.unit else ""
    # A guess has no setting, and on which shape it is worst nobody asks.
    ways = [series for series in findings.series if series.drawn and series.approach is not Approach.BASELINE]
    curves = [(series.name, settings_of(series, experiment)) for series in ways]
    chosen = any(len(series.rest) > 1 for series in findings.series if series.drawn)
    long = ONE_OF_EACH in findings.notes  # then whom errors are about needs the room of a line
    details = [
        *filter(None, [change_words(findings)]),
        *(curve_words(name, what) for name, what in curves if what),
        *(["Best settings were found in tries of their own."] if chosen else []),
        *filter(None, [compared_errors(findings, data.place)]),
        *([_BARS] if any(point.chance > 0 for point in findings.points) else []),
        *crossing_sentences(findings),
        *rising_sentences(findings),
        *note_sentences(findings),
        *(one for one in [drawn_words(findings)] if one not in ("", ONE_OF_EACH)),
        *(filter(None, [guess_words(findings)]) if long else []),
        *filter(None, [_ends_of_tries(findings.series) if drawn else ""]),
    ]
    notes = [
        *([unfinished_words(findings)] if not findings.complete else []),
        *filter(None, [told_words(findings, data.place, data.enough)]),
        *([] if long else filter(None, [guess_words(findings)])),
        *sampled_sentences(findings),
        *clipping_sentences(findings),
        *not_drawn(findings, log=settings.log_y),
        promise_words(findings),
    ]
    if not experiment.basis.public:
        notes.append("For the analyst only, not to be published.")
    return Caption(
        f"{shown}{within}{unit} against {axis}",
        on,
        people,
        experiment.repetitions,
        bands,
        notes=notes,
        details=details,
        counted=_counted(findings),
    )


def _counted(findings: Findings) -> str:
    """What n counts; "" where that is people, or whatever nobody has said."""
    if ONE_OF_EACH in findings.notes:
        return f"rows, one per person{', errors about these' if findings.experiment.basis.public else ''}"
    return "rows" if findings.rows_per_person > 1 else ""


def _unit(findings: Findings) -> str:
    """In what errors are read, after a comma: where no unit is known, of which column they have it."""
    question = findings.experiment.question
    if not findings.unit and findings.experiment.metric == Metric() and question.statistic in _AS_VALUES:
        return f", in the unit of {question.column}"
    return f", {findings.unit}" if findings.unit else ""


def _by_formula(series: ErrorSeries) -> str:
    """The name of a curve whose errors are by formula, with the places where only some are; "" for none."""
    runs = groupby(series.drawn, lambda point: point.by_formula)
    known = [spanned([point.axis_value for point in some]) for by_formula, some in runs if by_formula]
    where = "" if all(point.by_formula for point in series.drawn) else f" at {', '.join(known)}"
    return f"{series.name}{where}" if known else ""


def _bands(series: Sequence[ErrorSeries]) -> str:
    """Words on the bands of the curves that have one, to follow those on their lines."""
    both, upwards = ([one for one in series if band_of(one) is kind] for kind in (Band.BOTH, Band.UPWARDS))
    up, within = "leave about 2.5 % above", "hold about 95 % of them"
    if not both and not upwards:
        return ""
    if not upwards:
        return f"; bands {within}"
    if not both:
        return f"; bands {up}"
    names = ", ".join(one.name for one in upwards)
    return f"; bands of {names} {up}, the rest hold about 95 % of them"


def _ends_of_tries(series: Sequence[ErrorSeries]) -> str:
    """Of which curves the ends of bands are those of tries, and what that means; "" for none."""
    names = [
        one.name for one in series if band_of(one) is not Band.NONE and not all(point.ends_known for point in one.drawn)
    ]
    return f"Kinks of bands that are of tries may be chance: {', '.join(names)}." if names else ""


def _drawn(data: ComparisonData) -> list[ErrorSeries]:
    """All curves that are seen."""
    rest = [one for series in data.shown.series for one in series.rest] if data.settings.rest else []
    return [*data.shown.series, *rest]


def rows(data: ComparisonData) -> list[tuple[str, ...]]:
    heading, *table = data.findings.table()
    words = {place for place, name in enumerate(heading) if name in ("method", "problem", "setting")}
    cells = (tuple(csv_cell(cell) if at in words and cell else cell for at, cell in enumerate(row)) for row in table)
    return [heading, *cells]


def _looks(series: Sequence[ErrorSeries], style: ChartStyle) -> list[tuple[str, int]]:
    """Colour and number of each curve: one hue per approach, darker from curve to curve."""
    colours = {
        Approach.GLOBAL: style.global_dp,
        Approach.ANONYMISED: style.anonymised,
        Approach.LOCAL: style.local_dp,
        Approach.BASELINE: style.muted,
    }
    families = any(one.choice.method.candidates is not None for one in series)
    found = []
    for one in series:
        mine = [other for other in series if other.approach is one.approach]
        place = next(number for number, other in enumerate(mine) if other is one)
        share = _DARKEST * place / max(len(mine) - 1, 1)
        if families:
            place = _FAMILY[one.approach] if len(mine) == 1 else place
        found.append((blended(colours[one.approach], style.text, share), place))
    return found
