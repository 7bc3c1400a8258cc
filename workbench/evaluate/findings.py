"""Findings of an experiment: its curves, and where one method overtakes another. Analyst only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from workbench.core.chance import chance_of
from workbench.core.number_text import count, estimate, file_text, rounded
from workbench.evaluate.between import bends, error_between
from workbench.evaluate.error_series import ErrorSeries, Point, alike_but_for_epsilon
from workbench.evaluate.experiment import Axis, Basis, Experiment
from workbench.evaluate.method import MethodChoice

NEARLY = 1.1
"""How many times the least error may be and still count as good: what decides between such is what is promised."""
_HALVINGS = 60
"""How finely the place is sought where two curves cross."""
DEPENDS = 1.25
"""How many times the least error on a shape must be for it to depend on the shape which way to take."""


@dataclass(frozen=True)
class Findings:
    """The findings of an experiment so far. Analyst only.

    Parameters
    ----------
    experiment
        What was tried.
    series
        One curve per method.
    rows
        Rows that took part in all.
    unit
        Of the errors, "" for shares.
    notes
        What must be known of all of it.
    complete
        Whether nothing is missing.
    keys
        Under which keys the results are kept.
    missing
        How many of them are not there yet.
    rows_per_person
        How many rows a person may have, whom ε is about.
    public
        What was taken as public of the column, such as “within 16 to 100”.
    width
        How wide the public range is of which an answer is a place; nan for other answers.
    outputs
        How many numbers an answer has.
    sampled
        On true values, or a public shape, what sampling as many people adds on average to a mean, or to shares as a
        share of people; of several shapes for the one to which it adds least; nan for other answers.
    beyond, moved
        On true values, how many rows are outside the public bounds of a number, and by how much a mean would be
        another one with them; 0 and nan for others.
    limited
        By how much bounds typed for the question move a mean of public shapes within the declared ones, of several the
        most; nan for others.
    within
        Whether the bounds declared of the column lie within those typed for the question, so that these limit nothing.
    sampled_on
        The same as `sampled` on each of several shapes, in their order; () for others.
    narrowed
        Whether bounds declared of the column reach beyond those typed for the question, which then are a choice; else
        what is typed is all that anybody says can occur.
    ordered
        Whether the answers have an order, without which no shape of them is smooth.
    by_classes
        How far off the middles of intervals alone are from a mean of a public shape, by shape and level.
    narrowest
        How wide the narrowest classes of a release are where it is public below which number most values lie.
    """

    experiment: Experiment
    series: tuple[ErrorSeries, ...]
    rows: int
    unit: str = ""
    notes: tuple[str, ...] = ()
    complete: bool = True
    keys: tuple[str, ...] = ()
    missing: int = 0
    rows_per_person: int = 1
    public: str = ""
    width: float = math.nan
    outputs: int = 1
    sampled: float = math.nan
    beyond: int = 0
    moved: float = math.nan
    sampled_on: tuple[float, ...] = ()
    limited: float = math.nan
    within: bool = False
    narrowed: bool = False
    ordered: bool = True
    by_classes: tuple[tuple[tuple[Basis, int], float], ...] = ()
    narrowest: float = math.nan

    @property
    def counted(self) -> str:
        """What takes part, in a word: people, or rows where a person may have several."""
        return "people" if self.rows_per_person == 1 else "rows"

    @property
    def points(self) -> tuple[Point, ...]:
        return tuple(point for series in self.series for point in series.points)

    @property
    def through(self) -> tuple[float, ...]:
        """The places where every method was tried, with or without an error, so that they can be compared there."""
        there = [{point.axis_value for point in series.points} for series in self.series]
        if len(there) < len(self.experiment.methods) and not self.complete:
            return ()  # of one there is nothing yet, and so no curve
        return tuple(place for place in self.experiment.places if all(place in one for one in there))

    @cached_property
    def shown(self) -> Findings:
        """The same with errors as they are read: see `Metric.shown_times`."""
        times = self.experiment.metric.shown_times
        return self if times == 1.0 else replace(self, series=tuple(_scaled(one, times) for one in self.series))

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        note = self.experiment.metric.note
        return {
            "title": self.experiment.title,
            "question": str(self.experiment.question),
            "metric": self.experiment.metric.title,
            **({"metric_note": note} if note else {}),
            "unit": self.unit,
            "axis": self.experiment.axis.value,
            "rows": self.rows,
            "seed": self.experiment.seed,
            "truth": self.experiment.truth.value,
            "points": [point.to_json() for point in self.points],
            "crossings": [crossing.sentence for crossing in crossings(self)],
            "notes": [*self.notes, *(f"{one.name}: {note}" for one in self.series for note in one.notes)],
            "experiment": self.experiment.to_json(),
        }

    def table(self) -> list[tuple[str, ...]]:
        """The numbers as rows of text, the heading first."""
        heading = ("method", "axis_value", "mean", "low", "high", "repetitions", "unanswered", "theory", "problem")
        found: list[tuple[str, ...]] = [(*heading, "setting", "shape", "standard_error", "measure", "mean_of_tries")]
        measure = self.experiment.metric.note or self.experiment.metric.title
        for point in self.points:
            numbers = (point.axis_value, point.mean, point.low, point.high)
            found.append(
                (
                    point.method,
                    *(file_text(number) if math.isfinite(number) else "" for number in numbers),
                    str(point.repetitions),
                    str(point.unanswered),
                    file_text(point.theory) if math.isfinite(point.theory) else "",
                    point.problem,
                    "" if point.by is None else point.by.name,
                    "" if point.shape is None else point.shape.value,
                    file_text(point.error_of_mean) if math.isfinite(point.error_of_mean) else "",
                    measure,
                    file_text(point.tried) if point.by_formula else "",
                )
            )
        return found


_ERRORS = ("mean", "low", "high", "error_of_mean", "theory", "tried")


def _scaled(series: ErrorSeries, times: float) -> ErrorSeries:
    """A curve with all its errors multiplied."""
    points = tuple(
        replace(
            one,
            **{name: times * getattr(one, name) for name in _ERRORS},
            shapes=tuple((times * mean, times * spread) for mean, spread in one.shapes),
        )
        for one in series.points
    )
    return replace(series, points=points, rest=tuple(_scaled(one, times) for one in series.rest))


@dataclass(frozen=True)
class Crossing:
    """A place where one curve goes below another.

    Parameters
    ----------
    below, above
        The method with the smaller error before, and after.
    place
        About where, between `start` and `end`, two places of the axis.
    error
        About how large both errors are there.
    axis
        Of the experiment.
    """

    below: str
    above: str
    place: float
    start: float
    end: float
    error: float
    axis: Axis

    @property
    def sentence(self) -> str:
        """The crossing in words."""
        where = {
            Axis.EPSILON: f"ε = {estimate(self.place, 2)}",
            Axis.USERS: f"{_rounded(self.place):,} users",
            Axis.BINS: f"{count(self.place)} bins",
        }[self.axis]
        between = f"(between {estimate(self.start)} and {estimate(self.end)})"
        return f"Below about {where} {self.below} has the smaller error, above it {self.above} {between}."


def crossings(findings: Findings, most: int = 8) -> tuple[Crossing, ...]:
    """Where curves cross, those with the smallest errors first, for among them one chooses.

    Between two places both curves are taken as they are drawn. Only places count where the mean errors
    differ by more than chance explains (in 95 of 100 cases, see `chance_of`): a crossing lies between two of
    these, which may be far apart, and a pair that only trembles around each other has none. No more has a family with
    a setting of its own, which it may take, nor one of whose settings another may err less than the one that was taken.
    """
    found = []
    for number, one in enumerate(findings.series):
        for other in findings.series[number + 1 :]:
            if alike(findings, one, other) and not (_among(one, other) or _among(other, one)):
                found += _between(one, other, findings.experiment)
    found.sort(key=lambda crossing: crossing.error)
    return tuple(found[:most])


def _among(family: ErrorSeries, other: ErrorSeries) -> bool:
    """Whether a curve is that of a setting of a family."""
    return any(_same(one.choice, other.choice) for one in family.rest)


def _same(one: MethodChoice, other: MethodChoice) -> bool:
    return one.epsilon == other.epsilon and alike_but_for_epsilon(one, other)


def alike(findings: Findings, one: ErrorSeries, other: ErrorSeries) -> bool:
    """Whether both are consistent or both raw: else where they cross is made by what happens after the noise alone."""
    if not findings.experiment.question.statistic.counts or findings.experiment.public_total:
        return True
    return raw(one) == raw(other)


def raw(series: ErrorSeries) -> bool:
    """Whether counts stay as the noise left them."""
    return series.choice.method.raw(series.choice.checked())


def _between(one: ErrorSeries, other: ErrorSeries, experiment: Experiment) -> list[Crossing]:
    known = experiment.number_known
    pairs = [(mine, other.at(mine.axis_value)) for mine in one.drawn]
    both = [
        (mine, theirs)
        for mine, theirs in pairs
        if theirs is not None
        and min(mine.mean, theirs.mean) > 0
        and clearly(mine, theirs)
        and not (_may_be_below(one, theirs, mine) or _may_be_below(other, mine, theirs))
        and not (known and (by_unfitted_alone(one, theirs, mine) or by_unfitted_alone(other, mine, theirs)))
    ]
    return [
        _crossing(start, end, one, other, experiment)
        for start, end in pairwise(both)
        if (start[0].mean < start[1].mean) != (end[0].mean < end[1].mean)
    ]


def _may_be_below(family: ErrorSeries, than: Point, taken: Point) -> bool:
    """Whether another setting of a family, for all that its tries tell, errs less than a curve below the family."""
    if taken.mean < than.mean:
        return False
    others = (point for one in family.rest if (point := one.at(than.axis_value)) is not None)
    return any(one.mean < than.mean or not clearly(one, than) for one in others)


def by_unfitted_alone(series: ErrorSeries, than: Point, taken: Point) -> bool:
    """Whether a curve lies below another because its counts are not fitted to a known number, as the other's are.

    What happens to counts after the noise makes no crossing.
    """
    if taken.mean >= than.mean or (than.by is not None and not than.by.fitted) or (taken.by or series.choice).fitted:
        return False
    fitted = (one.at(than.axis_value) for one in series.rest if one.choice.fitted)
    return not any(point is not None and point.mean < than.mean for point in fitted)


def _crossing(
    start: tuple[Point, Point], end: tuple[Point, Point], one: ErrorSeries, other: ErrorSeries, experiment: Experiment
) -> Crossing:
    """Where two curves cross that are read between two places as they are drawn."""
    ends = start[0].axis_value, end[0].axis_value
    bent = bends(experiment, one.approach), bends(experiment, other.approach)

    def errors(place: float) -> tuple[float, float]:
        mine, theirs = (
            error_between(ends, (first.mean, last.mean), place, bent=curved)
            for first, last, curved in zip(start, end, bent, strict=True)
        )
        return mine, theirs

    (low, high), first = ends, start[0].mean < start[1].mean
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        mine, theirs = errors(middle)
        low, high = (middle, high) if (mine < theirs) == first else (low, middle)
    below, above = (one.name, other.name) if first else (other.name, one.name)
    return Crossing(below, above, high, *ends, errors(high)[0], experiment.axis)


def clearly(one: Point, other: Point) -> bool:
    """Whether two mean errors differ by more than chance explains."""
    spread = math.hypot(
        0.0 if math.isnan(one.error_of_mean) else one.error_of_mean,
        0.0 if math.isnan(other.error_of_mean) else other.error_of_mean,
    )
    return abs(one.mean - other.mean) > chance_of(fewest(one.means, other.means)) * spread


def fewest(*tries: int) -> int:
    """The fewest tries from which a standard error is estimated, of several; 0 if all are known."""
    return min((one for one in tries if one), default=0)


def worse(error: tuple[float, float], than: tuple[float, float], times: float = NEARLY, tries: int = 0) -> bool:
    """Whether tries show that one mean error is more than so many times another; each with its standard error."""
    (mine, spread), (theirs, other) = error, than
    chance = chance_of(tries) * math.hypot(
        0.0 if math.isnan(spread) else spread, 0.0 if math.isnan(other) else times * other
    )
    return mine - times * theirs > chance


def worst_on(point: Point, shapes: Sequence[Basis]) -> tuple[Basis, ...]:
    """The shapes on which a way errs most, with those on which it errs as much for all that tries tell."""
    if not point.shapes or len(point.shapes) != len(shapes) or not all(math.isfinite(mean) for mean, _ in point.shapes):
        return () if point.shape is None else (point.shape,)
    most = max(point.shapes, key=lambda one: one[0])
    return tuple(
        shape for shape, one in zip(shapes, point.shapes, strict=True) if not worse(most, one, tries=point.means)
    )


def _rounded(value: float) -> int:
    """To two significant digits."""
    return round(rounded(value, 2))
