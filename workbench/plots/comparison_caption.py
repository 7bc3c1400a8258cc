"""The caption of a comparison: what was asked and tried, how far off each way is, and what ε hides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

from workbench.evaluate.drawn_row import draw_moves
from workbench.evaluate.enough import error_limit
from workbench.evaluate.enough_words import LINES_OF_SHAPES, chance_sentence, least_words
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis, Basis, Truth
from workbench.evaluate.findings import Findings, worst_on
from workbench.evaluate.left_out import draw_sentence, limit_sentence
from workbench.evaluate.method import Approach
from workbench.evaluate.question import UNNAMED
from workbench.evaluate.result_reading import ONE_OF_EACH
from workbench.evaluate.rising import rising_sentences
from workbench.evaluate.tile_words import brief_words, compared_errors, equal_privacy_words, told_words
from workbench.plots.caption import Caption, curve_words
from workbench.plots.caption_fit import fitted
from workbench.plots.comparison_curve import Band, band_of
from workbench.plots.comparison_data import ComparisonData
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

_MARGINS = "± and bars: 95 %."
_BARS = (
    "Bars at points: how far chance may have moved a mean of tries, in 95 of 100 cases. One that ends in an arrow goes "
    "on."
)
_LARGEST = "Where tries do not tell on which shape a way errs most, the largest of their means may be too large."


def _unsure(point: Point, shapes: Sequence[Basis]) -> bool:
    """Whether the error of a point is the largest of several shapes that tries do not tell apart."""
    return point.chance > 0 and len(worst_on(point, shapes)) > 1


def caption(data: ComparisonData) -> Caption:
    """Caption with all that must be known to read the figure on its own.

    Below it stands, in 75 words where nothing rare is said, what the picture does not show: what was tried on whom,
    what lines and bands are, what each way errs by at the place of the tiles, from which ε on that is enough, and what
    ε means. All else is among the details, which are in the file of words.
    """
    findings, settings = data.findings, data.settings
    experiment = findings.experiment
    heading = "Per cent of people misplaced" if experiment.metric.shown_times != 1.0 else experiment.metric.heading
    inside = "in" if experiment.metric.shown_times != 1.0 and not experiment.of_share else "of"
    # Beside a name of a file, figures of a public shape would be taken for those of its rows.
    unread = ", unread" if experiment.basis.public and experiment.users is not None else ""
    of = f" ({data.source}{unread})" if data.source else ""
    whose = ""
    if experiment.truth is Truth.USERS and any(one.approach is Approach.LOCAL and one.drawn for one in findings.series):
        # Whoever reads a share that a survey told takes it for that of everybody.
        heading = heading.replace("of people misplaced", "of those asked misplaced")
        whose = " of those asked" if experiment.of_share else ""
    within, asked = f" {findings.public}" if findings.public else "", experiment.asked
    if experiment.basis.public and experiment.question.statistic.of_numbers:
        if experiment.question.column == UNNAMED and findings.public:
            # What nobody named is told by what it may be.
            asked = f"{asked.removesuffix(UNNAMED)}a number{within.replace(' within ', ' from ', 1)}"
            within = ""
        else:
            # Of true values a sentence below says how many are outside, if any.
            within = f"{within.replace(' within ', ', limited to ', 1)},"
    shown = f"{'Error' if experiment.of_share else heading} {inside} the {asked}{whose}{of}"
    axis = {Axis.EPSILON: "ε", Axis.USERS: f"the number of {findings.counted}", Axis.BINS: "the number of bins"}[
        experiment.axis
    ]
    people = 0 if experiment.axis is Axis.USERS else experiment.users or findings.rows
    guess = guess_words(findings)
    told = brief_words(findings, data.place, data.enough)
    alike = equal_privacy_words(findings, data.place)
    crosses = any(math.isfinite(point.theory) and not point.by_formula for point in findings.points)
    lines, formulas = _lines(data)
    limit = error_limit(findings, data.enough)
    by_formula = _names_by_formula(findings)
    drawn = draw_sentence(findings)
    definitions = [
        *filter(None, [lines, drawn]),
        *(["Crosses are expected by formula."] if settings.theory and crosses else []),
        *([_MARGINS] if "±" in told or any(point.chance > 0 for point in findings.points) else []),
        *filter(None, [change_words(findings)]),
        promise_words(findings, alike).replace(f" {alike}.", "", 1 if alike else 0),
    ]
    on = "true values"
    if experiment.basis.public:
        on = experiment.shape_words
    unit = f" in {findings.unit}" if findings.unit else ""
    # A guess has no setting, and on which shape it is worst nobody asks.
    ways = [series for series in findings.series if series.drawn and series.approach is not Approach.BASELINE]
    curves = [(series.name, settings_of(series, experiment)) for series in ways]
    chosen = any(len(series.rest) > 1 for series in findings.series if series.drawn)
    details = [
        *filter(None, [told_words(findings, data.place, data.enough), alike and f"{alike}."]),
        *filter(None, [formulas, change_words(findings)]),
        *(curve_words(name, what) for name, what in curves if what),
        *(["Best settings were found in tries of their own."] if chosen else []),
        *filter(None, [compared_errors(findings, data.place)]),
        *filter(None, [least_words(findings, data.enough) if findings.complete else ""]),
        *filter(None, [chance_sentence(findings, limit)]),
        *([LINES_OF_SHAPES] if limit.by_shape and findings.complete else []),
        *([_BARS] if any(point.chance > 0 for point in findings.points) else []),
        *([_LARGEST] if any(_unsure(point, experiment.shapes) for point in findings.points) else []),
        *crossing_sentences(findings),
        *rising_sentences(findings),
        *note_sentences(findings),
        *filter(None, [guess]),
        *filter(None, [_ends_of_tries(findings.series) if settings.bands else ""]),
    ]
    notes = [
        *([unfinished_words(findings)] if not findings.complete else []),
        *filter(None, [told]),
        *sampled_sentences(findings),
        *clipping_sentences(findings),
        *filter(None, [limit_sentence(findings)]),
        *not_drawn(findings, log=settings.log_y),
    ]
    if not experiment.basis.public:
        definitions.append("For the analyst only, not to be published.")
    whole = Caption(
        f"{shown}{within}{unit} against {axis}",
        on,
        people,
        experiment.repetitions,
        definitions,
        notes=notes,
        details=details,
        counted=_counted(findings),
        by_formula=f"{by_formula} by formula" if by_formula else "",
    )
    return fitted(whole, unit=findings.unit)


def _counted(findings: Findings) -> str:
    """What n counts; "" where that is people, or whatever nobody has said."""
    if ONE_OF_EACH in findings.notes:
        # Where it is said what the draw of these rows moves, it is said whose errors these are.
        about = findings.experiment.basis.public and not draw_moves(findings)
        return f"rows, one per person{', errors about these' if about else ''}"
    return "rows" if findings.rows_per_person > 1 else ""


def _by_formula(series: ErrorSeries) -> str:
    """The name of a curve whose errors are by formula, with the places where only some are; "" for none."""
    runs = groupby(series.drawn, lambda point: point.by_formula)
    known = [spanned([point.axis_value for point in some]) for by_formula, some in runs if by_formula]
    where = "" if all(point.by_formula for point in series.drawn) else f" at {', '.join(known)}"
    return f"{series.name}{where}" if known else ""


def _names_by_formula(findings: Findings) -> str:
    """The names of the curves whose errors are by formula, and not means of tries; "" for none."""
    *some, last = [*filter(None, map(_by_formula, findings.series))] or [""]
    return f"{', '.join(some)} and {last}" if some else last


def _lines(data: ComparisonData) -> tuple[str, str]:
    """A sentence on what lines and bands are, and one, or "", on which ways a formula says either of."""
    findings = data.findings
    names, bands = _names_by_formula(findings), ""
    if data.settings.bands:
        bands = _bands(findings.series)
    read = f"Lines are mean errors{bands and f'; {bands}'}."
    if not names:
        return read, ""
    both = bool(bands) and all(point.ends_known for point in findings.points if point.by_formula)
    return read, f"By formula: {names}{'' if both or not bands else ', but not their bands'}."


def _bands(series: Sequence[ErrorSeries]) -> str:
    """Words on the bands of the curves that have one, to follow those on their lines."""
    both, upwards = ([one for one in series if band_of(one) is kind] for kind in (Band.BOTH, Band.UPWARDS))
    above, within = "2.5 % of errors lie above bands", "95 % of errors lie within bands"
    if not both and not upwards:
        return ""
    if not upwards:
        return f"about {within}"
    if not both:
        return f"about {above}"
    return f"about {above} of {', '.join(one.name for one in upwards)}, 95 % within the rest"


def _ends_of_tries(series: Sequence[ErrorSeries]) -> str:
    """Of which curves the ends of bands are those of tries, and what that means; "" for none."""
    names = [
        one.name for one in series if band_of(one) is not Band.NONE and not all(point.ends_known for point in one.drawn)
    ]
    return f"Kinks of bands that are of tries may be chance: {', '.join(names)}." if names else ""
