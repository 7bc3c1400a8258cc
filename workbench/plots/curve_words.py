"""The words about the curves of a comparison: which setting answers where, what is missing, and how to read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import combinations, groupby, pairwise

from workbench.core.number_text import estimate
from workbench.evaluate.clipped_words import limited_words
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.families import short_name
from workbench.evaluate.findings import Findings, alike, clearly, crossings, raw, worst_on
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.protection_words import delta_words
from workbench.evaluate.public_shape import PUBLIC
from workbench.evaluate.question import Statistic
from workbench.evaluate.result_reading import BEYOND_START, CLIPPED_APART, SAMPLED_IN
from workbench.evaluate.tile_words import worst_words

_MOST = 3
"""So many settings, one after the other, are named in a caption."""
_AT = {Axis.EPSILON: "ε = {}", Axis.USERS: "{} people", Axis.BINS: "{} bins"}
_GUESS = "uniform"


def settings_of(series: ErrorSeries, experiment: Experiment) -> str:
    """Which setting of a family answers at which places, and on which of several shapes it errs most if it is one.

    Where it changes often, that of the place the tiles are about is named, and the rest left to the numbers, which
    leave with the figure: a caption is to be printed.
    """
    parts = []
    if any(point.by is not None for point in series.drawn):
        setting = partial(setting_words, statistic=experiment.question.statistic)
        here = [point for point in series.drawn if point.axis_value == experiment.looked_at]
        if _changes(series.drawn, setting) <= _MOST:
            parts.append(_along(series.drawn, setting))
        elif here:
            place = _AT[experiment.axis].format(spanned([experiment.looked_at]))
            parts.append(f"{setting(here[0])} at {place}, others elsewhere")
    if len(series.rest) > 1:
        parts.append(f"{'better' if len(series.rest) == 2 else 'best'} of {len(series.rest)}")
    shape = partial(_shape, experiment=experiment)
    if len(experiment.shapes) > 1 and _changes(series.drawn, shape) == 1:
        parts.append(_along(series.drawn, shape))
    return ", ".join(filter(None, parts))


def change_words(findings: Findings) -> str:
    """Which settings the open marks on the curves are between; "" where no way changes its setting along the axis."""
    told = [_changed(series, findings.experiment) for series in findings.series if series.changes]
    return f"Open marks mean another setting from there on: {'; '.join(told)}." if told else ""


def _changed(series: ErrorSeries, experiment: Experiment) -> str:
    """One setting after the other of a way, and up to which place; or only where they change, if that is often."""
    changes, at = series.changes, _AT[experiment.axis]
    if len(changes) >= _MOST:
        return f"{series.name} at {at.format(', '.join(estimate(point.axis_value) for point in changes))}"
    runs = [(series.drawn[0], series.drawn[-1])]
    for one in changes:
        before = series.drawn[series.drawn.index(one) - 1]
        runs[-1:] = [(runs[-1][0], before), (one, series.drawn[-1])]
    names = [setting_name(first.by, experiment.question.statistic) for first, _ in runs if first.by is not None]
    ends = [f" up to {at.format(estimate(last.axis_value))}" for _, last in runs[:-1]]
    return f"{series.name} is {', then '.join(f'{name}{end}' for name, end in zip(names, [*ends, ''], strict=True))}"


def setting_name(setting: MethodChoice, statistic: Statistic) -> str:
    """The name of a setting beside others of its way, whatever its ε."""
    return short_name(replace(setting, epsilon=None), statistic)


def not_drawn(findings: Findings, *, log: bool) -> list[str]:
    """Which ways are not seen, or not everywhere, and why."""
    found = []
    for series in findings.series:
        zero = [point for point in series.drawn if not point.mean > 0]
        if log and zero:
            found.append(f"{series.name} has the error 0{_where(zero, series)}, for which this axis has no place.")
        problems = [point for point in series.points if point.problem]
        if problems and findings.complete:
            problem = problems[0].problem.rstrip(".")
            found.append(f"{series.name} is not drawn{_where(problems, series)}: {problem}.")
    return found


def unfinished_words(findings: Findings) -> str:
    """Of a run that is not at its end: at which places every curve is there."""
    there = ", ".join(estimate(place, 3) for place in findings.through)
    at = _AT[findings.experiment.axis].format(there)
    where = f"all curves are there at {at}" if there else "no place has all curves"
    return f"The run is not finished: {where}, of {len(findings.experiment.places)} places."


def crossing_sentences(findings: Findings) -> list[str]:
    """Where curves cross, or seem to, or that none do; nothing while points are missing between them."""
    drawn = [series for series in findings.series if series.drawn]
    if not findings.complete or len(drawn) < 2:
        return []
    found = [crossing.sentence for crossing in crossings(findings)]
    if found:
        return found
    seen = _seen_to_cross(drawn)
    if seen:
        return seen
    best = next((one for one in drawn if all(_below(one, other) for other in drawn if other is not one)), None)
    throughout = "" if best is None else f"; {best.name} has the smallest error throughout"
    return [f"No curves cross beyond chance{throughout}."]


def _seen_to_cross(drawn: Sequence[ErrorSeries]) -> list[str]:
    """Between which places curves cross in the picture, although tries do not settle that they do."""
    found = []
    for one, other in combinations(drawn, 2):
        pairs = [(mine, theirs) for mine in one.drawn if (theirs := other.at(mine.axis_value)) is not None]
        for (mine, theirs), (next_, others) in pairwise(pairs):
            if (mine.mean - theirs.mean) * (next_.mean - others.mean) < 0:
                places = f"{estimate(mine.axis_value)} and {estimate(next_.axis_value)}"
                found.append(f"{one.name} and {other.name} cross between {places}, which tries do not settle.")
    return found[:_MOST]


def _below(one: ErrorSeries, other: ErrorSeries) -> bool:
    """Whether a curve lies below another one at all places that both have, which tries or formulas show."""
    pairs = [(mine, theirs) for mine in one.drawn if (theirs := other.at(mine.axis_value)) is not None]
    return all(mine.mean < theirs.mean and clearly(mine, theirs) for mine, theirs in pairs)


def unlike_sentences(findings: Findings) -> list[str]:
    """Between which curves no crossing is told, because only one of them is made consistent afterwards."""
    series = findings.series
    left = [one.name for one in series if any(not alike(findings, one, other) for other in series) and raw(one)]
    if not left:
        return []
    return [
        f"{', '.join(left)}: counts as the noise left them. Where they cross consistent ones is not told, because "
        "post-processing alone would move it."
    ]


def note_sentences(findings: Findings) -> list[str]:
    """Sentences on what must be known of single curves and of all of them."""
    of_curves = [f"{series.name}: {note}" for series in findings.series for note in series.notes]
    moving = "Shapes move and stretch at random between tries."
    below = [*sampled_sentences(findings), *(clipped := clipping_sentences(findings))]
    # Beside the share that is clipped, or where it stands below the figure, it need not be said that no error has it.
    apart = CLIPPED_APART if clipped or limited_words(findings) else ""
    left = (one for one in findings.notes if one not in below)
    brief = [moving if one == PUBLIC else one.replace(apart, "") for one in left]
    return [*of_curves, *unlike_sentences(findings), *brief]


def sampled_sentences(findings: Findings) -> list[str]:
    """About whom errors are, where that is not those who are asked alone."""
    return [one for one in findings.notes if one == SAMPLED_IN]


def clipping_sentences(findings: Findings) -> list[str]:
    """Share of the true values that the bounds clip, where they do, which is for the analyst as all of that figure."""
    return [one for one in findings.notes if one.startswith(BEYOND_START)]


def promise_words(findings: Findings, alike: str = "") -> str:
    """Meaning of ε in sentences: which tables cannot be told apart, and with which δ beside it.

    Parameters
    ----------
    alike
        What Global needs to hide as much as Local, as a sentence of it without its stop.
    """
    # Where how many take part is public, an answer is what is hidden, at twice δ as at twice ε.
    times = 2 if findings.experiment.number_known else 1
    deltas = {
        delta_words(str(choice.checked()["delta"]), times)
        for series in findings.series
        for choice in ([series.choice] if series.choice.method.candidates is None else _answering(series))
        if "delta" in choice.checked()
    }
    ways = {series.choice.method.approach for series in findings.series}
    told = (_known_number_words if findings.experiment.number_known else _row_words)(findings, ways)
    if alike:
        # What a curator needs for an answer follows, and may be less than 2 ε.
        told = re.sub(rf" \(at {_TWICE} [a-z ]+\)", "", told)
    released = Approach.ANONYMISED in ways
    alone = "this column alone" if released else ""
    beside = f"adds δ = {', '.join(sorted(deltas))}" if deltas else ""
    both = f" ({alone}) {beside}" if alone and beside else f" {beside or f'is a table of {alone}'}"
    return " ".join(f"{one}." for one in (told, alike, f"Anonymised{both}" if alone or beside else "") if one)


_TWICE = "2 ε"
_CURATORS = frozenset((Approach.GLOBAL, Approach.ANONYMISED))


def _answer(findings: Findings) -> str:
    """What a person says, in whose rows."""
    rows = findings.rows_per_person
    return "one answer" if rows == 1 else f"the answers of a person with up to {rows:,} rows"


def _row_words(findings: Findings, ways: Set[Approach]) -> str:
    """What ε hides where nobody knows how many people there are."""
    rows = findings.rows_per_person
    if Approach.LOCAL not in ways:
        return f"ε hides {'one row' if rows == 1 else f'a person with up to {rows:,} rows'}"
    if not ways & _CURATORS:
        return f"ε hides {_answer(findings)}"
    row, said = ("one row", "its answer") if rows == 1 else ("those rows", "their answers")
    return f"A curator hides {row} at ε (at {_TWICE} {said}), Local {_answer(findings)}"


def _known_number_words(findings: Findings, ways: Set[Approach]) -> str:
    """What it hides where that is known: what stands in the rows of a person, who could be another one."""
    both, trusted = Approach.LOCAL in ways and bool(ways & _CURATORS), f"at {_TWICE} with a curator"
    at = f"at ε with Local, {trusted}" if both else f"at {_TWICE}" if ways & _CURATORS else "at ε"
    hidden = "is" if findings.rows_per_person == 1 else "are"
    who = "How many take part is public, so nothing hides who does"
    said = _answer(findings)
    return f"{who}. {said[:1].upper()}{said[1:]} {hidden} hidden {at}"


def guess_words(findings: Findings) -> str:
    """Sentence on the curve of a guess, and of which shape it is, as Collect says of its guess; "" where none is drawn.

    A guess is off by many times as much on one shape as on another.
    """
    series = next((one for one in findings.series if one.choice.identifier == _GUESS and one.drawn), None)
    if series is None:
        return ""
    shape = partial(_shape, experiment=findings.experiment)
    return f"{series.name}: {', '.join(filter(None, ['equal shares', _along(series.drawn, shape)]))}."


def _answering(series: ErrorSeries) -> list[MethodChoice]:
    return [point.by for point in series.drawn if point.by is not None]


def setting_words(point: Point, statistic: Statistic) -> str:
    """The name of a setting without what the name of its curve says already."""
    return "" if point.by is None else short_name(point.by, statistic)


def _shape(point: Point, experiment: Experiment) -> str:
    """On which shapes it errs most, as far as tries tell."""
    return "" if point.shape is None else worst_words(worst_on(point, experiment.shapes), experiment)


def _changes(points: Sequence[Point], word: Callable[[Point], str]) -> int:
    """How many times something is said anew along a curve."""
    return sum(1 for _ in groupby(points, word))


def _along(points: Sequence[Point], word: Callable[[Point], str]) -> str:
    """Words for points with the places where they hold, neighbours together; no places if they hold everywhere."""
    runs: dict[str, list[str]] = {}
    for said, some in groupby(points, word):
        runs.setdefault(said, []).append(spanned([point.axis_value for point in some]))
    if len(runs) == 1:
        return next(iter(runs))
    return "; ".join(f"{said} at {', '.join(places)}" for said, places in runs.items())


def _where(points: Sequence[Point], series: ErrorSeries) -> str:
    if len(points) == len(series.points):
        return ""
    return f" at {', '.join(estimate(point.axis_value) for point in points)}"


def spanned(places: Sequence[float]) -> str:
    """Neighbouring places of an axis from the first to the last."""
    return estimate(places[0]) if len(places) == 1 else f"{estimate(places[0])}–{estimate(places[-1])}"
