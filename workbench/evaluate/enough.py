"""From which ε on a way errs less than is good enough: than what somebody types, or than sampling does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from workbench.core.number_text import estimate, exact, margin_down, margin_up
from workbench.evaluate.enough_between import about_from, errors_on
from workbench.evaluate.experiment import Axis, Basis, Truth
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Metric, Statistic
from workbench.evaluate.sampling_error import most_misplaced, most_of_a_mean
from workbench.evaluate.tile import WAYS, Tile
from workbench.evaluate.told_apart import TileStanding
from workbench.evaluate.verdict import tile_at, verdict

_SOONER = 0.9
"""Part of the larger ε that must be saved for one between two to be worth a word."""
EPSILON_DIGITS = 2
SHAPE_DIGITS = 3
NEAR = 1.1
"""Of two ε that are no further apart one is said."""
_MOST_OF = {True: "equal shares", False: "half at either bound"}
"""Values to which sampling adds most, by whether shares are asked for."""
_BY_HAND = {
    True: "About half the sum of √(2·p·(1 − p) ÷ (π·n)) over its shares p, of n people; averaged over where it lies",
    False: "About √(2 ÷ π) of its standard deviation ÷ √n, of n people; averaged over where it lies",
}
"""How what sampling adds to a shape is reckoned, by the same."""


@dataclass(frozen=True)
class ErrorLimit:
    """An error below which less is not asked for: what sampling adds on average, or one that was typed.

    Parameters
    ----------
    most, unit
        As it is read; nan where no bound is known.
    times
        An error of the findings times this is read in the same unit.
    typed
        Whether somebody typed it.
    own
        Whether it is what sampling adds to the true values, or the one shape, themselves, and not the most to any.
    within
        Whether every error has it in it, so that none is less.
    on
        Where several shapes are tried, those with what sampling adds to them, the least first; else ().
    by_shape
        Whether the error on each of these is held against what sampling adds to the same one; `most` is then the most
        that it adds to any values.
    ordered
        Whether the answers have an order.
    most_words
        Of the one shape: below what most values are taken to lie; "" where nobody said so.
    values
        How many values have shares; 0 where numbers are asked about.
    """

    most: float = math.nan
    unit: str = ""
    times: float = math.nan
    typed: bool = False
    own: bool = False
    within: bool = False
    on: tuple[tuple[Basis, float], ...] = ()
    by_shape: bool = False
    ordered: bool = True
    most_words: str = ""
    values: int = 0

    @property
    def known(self) -> bool:
        return math.isfinite(self.most)

    @property
    def words(self) -> str:
        """The limit with its unit."""
        return f"{self.told}{self.unit}"

    @property
    def told(self) -> str:
        """The limit without its unit, in as many digits as errors are read in; of several shapes from which to which.

        The most that sampling can be is rounded up, what it adds to a shape down, what it is about is not.
        """
        return " to ".join(dict.fromkeys(text for text, _ in self.lines))

    @property
    def lines(self) -> tuple[tuple[str, Basis | None], ...]:
        """The lines below which is enough, as they are written, and of which shape; the least first.

        One, or one of the shape to which sampling adds least and one of that to which it adds most.
        """
        if not self.known:
            return ()
        if self.by_shape:
            return tuple(
                (margin_down(adds, SHAPE_DIGITS), shape) for shape, adds in dict.fromkeys((self.on[0], self.on[-1]))
            )
        if self.typed:
            return ((exact(self.most), None),)
        return ((estimate(self.most, 2) if self.own else margin_up(self.most, 3), None),)

    @property
    def drawn(self) -> tuple[float, ...]:
        """Where its lines stand: at the numbers that are written beside them, and not where those were rounded from."""
        return tuple(float(text.replace(",", "")) for text, _ in self.lines)

    def named(self, shape: Basis) -> str:
        """A shape, within a sentence, by what it is of such answers."""
        return shape.named(numbers=self.times == 1.0, values=self.values)

    def line_on(self, shape: Basis | None) -> float:
        """Below what the error on a shape must be, as it is read; the least of all where nobody knows which one."""
        if not self.by_shape:
            return min((*self.drawn, self.most))  # never above what the line was rounded from
        adds = self.least if shape is None else dict(self.on).get(shape, self.least)
        return float(margin_down(adds, SHAPE_DIGITS).replace(",", ""))

    @property
    def means(self) -> str:
        """What an empty field of it stands for; "" where that is nothing."""
        if not self.known or self.typed:
            return ""
        if self.by_shape:
            each = ", ".join(
                f"to {self.named(shape)} {margin_down(adds, SHAPE_DIGITS)}{self.unit}" for shape, adds in self.on
            )
            return f"On each shape as small as {self.reach}: {each}. {_BY_HAND[self.times != 1.0]}"
        return f"As small as {self.reach} to {'these' if self.own else 'any'} values: {self.words}"

    @property
    def off(self) -> str:
        """How far off sampling is: of true values, or one shape, about so far, of values nobody knows at most.

        Where several shapes are tried, from the one to which it adds least on, and the most that it can be.
        """
        if self.on:
            ends = " to ".join(
                f"{margin_down(adds, SHAPE_DIGITS)}{self.unit} on {self.named(shape)}"
                for shape, adds in dict.fromkeys((self.on[0], self.on[-1]))
            )
            return f"off by {ends}, at most {margin_up(self.most, 3)}{self.unit} on any values"
        return f"off by {'about' if self.own else 'at most'} {self.words}"

    @property
    def widely(self) -> str:
        """The most that sampling adds to any values, as a sentence without its stop, beside what it adds to a shape."""
        most = f"{margin_up(self.most, 3)}{self.unit}"
        return f"To any values sampling adds at most {most} (near that of {_MOST_OF[self.times != 1.0]})"

    @property
    def least(self) -> float:
        """What sampling adds to the shape tried to which it adds least; nan where none is known to be less than any."""
        return self.on[0][1] if self.on else math.nan

    @property
    def reach(self) -> str:
        """Name of a limit that nobody typed, the same wherever one reads of it."""
        if self.by_shape:
            return "what sampling adds to the same shape"
        return "what sampling adds" if self.own else "the most sampling adds"

    @property
    def below(self) -> str:
        """What is enough, in the same words wherever one reads of it: less than so much, and what that is."""
        if self.by_shape:
            return f"less than {self.reach}, {self.words}"
        return f"less than {self.words}{'' if self.typed else f', {self.reach}'}"

    @property
    def usual(self) -> ErrorLimit:
        """The limit to go by where several shapes are tried: on each of them what sampling adds to that one.

        An error that is small beside what sampling adds to one shape is not beside what it adds to another, often a
        tenth of that; and nobody knows which of them is like the values.
        """
        return replace(self, by_shape=True) if self.on else self

    @property
    def on_usual(self) -> tuple[Basis, ErrorLimit] | None:
        """The same on one shape alone, which many values are like: a smooth one, and of answers without an order spiky.

        A smooth shape has most of four answers without an order rare. None where errors are held against one line.
        """
        shape = Basis.SMOOTH if self.ordered else Basis.SPIKY
        adds = dict(self.on).get(shape) if self.by_shape else None
        return None if adds is None else (shape, replace(self, on=((shape, adds),)))

    @property
    def sentence(self) -> str:
        """The same as a sentence without its stop."""
        if self.within:
            return f"Sampling alone is {self.off} on average, and in every error"
        return f"If these people are a sample, that alone is {self.off} on average"


@dataclass(frozen=True)
class Enough:
    """Of a way the least ε that was tried from which on it errs less than a limit; None if at none.

    Parameters
    ----------
    perhaps
        One from which on chance of the tries leaves open whether it does; None for none.
    once
        Whether it does at some ε that was tried, for all that its tries tell, be it at all larger ones or not.
    about
        A smaller one between two that were tried from about which on it does; None where nobody can say.
    chance
        From which ones on it does if chance of the tries made the errors too large, and too small, as far as it may in
        95 of 100 cases; the second is infinite where it then does at none.
    """

    approach: Approach
    epsilon: float | None
    perhaps: float | None = None
    once: bool = field(default=False, compare=False)
    about: float | None = None
    chance: tuple[float, float] | None = field(default=None, compare=False)

    @property
    def least(self) -> float | None:
        """The least ε known to be enough, be it about."""
        return self.epsilon if self.about is None else self.about

    @property
    def by_chance(self) -> bool:
        """Whether another one may be it for all that tries tell."""
        return self.chance is not None and self.chance[1] > NEAR * self.chance[0]

    @property
    def told(self) -> str:
        """That ε, and whether it is about, to follow “from”; rounded up."""
        return f"{'' if self.about is None else 'about '}{margin_up(self.least or 0.0, 3)}"

    @property
    def said(self) -> float:
        """That ε as it is said."""
        return float(margin_up(self.least or 0.0, 3).replace(",", ""))

    @property
    def open(self) -> float | None:
        """The ε that chance leaves open where none is enough on average; else None."""
        return self.perhaps if self.epsilon is None else None


def error_limit(findings: Findings, most: float | None = None) -> ErrorLimit:
    """Limit of errors that are good enough along ε: what somebody typed, or what sampling adds if it is in none.

    Where several shapes are tried, on each of them what it adds to that one: nobody knows which is like the values.
    """
    if most is None:
        bound = sampling_bound(findings)
        return ErrorLimit() if bound.within else bound.usual
    if findings.experiment.axis is not Axis.EPSILON:
        return ErrorLimit()
    return ErrorLimit(most, error_unit(findings), findings.experiment.metric.shown_times, typed=True)


def error_unit(findings: Findings) -> str:
    """The unit in which errors are read, after a space."""
    unit = "%" if findings.experiment.metric.shown_times != 1.0 else findings.unit
    return f" {unit}" if unit else ""


def sampling_bound(findings: Findings) -> ErrorLimit:
    """Error that sampling adds, as a limit, of as many people as take part; along ε, for means and shares.

    To true values, or those of one public shape, what it adds to them, as all errors are about them. Of the worst of
    several shapes, which differs from way to way, the most that it adds to any values, to a mean that of values of
    which half lie at either bound; and beside it what it adds to each of them. None where errors
    have a part of it in them: of some rows, against all of them.
    """
    experiment, most = findings.experiment, most_by_sampling(findings)
    people, statistic = experiment.users or findings.rows, experiment.question.statistic
    if not most.known or (experiment.truth is Truth.ALL and people != findings.rows):
        return ErrorLimit()
    bound = replace(most, within=experiment.truth is Truth.POPULATION)
    if not math.isfinite(findings.sampled):
        return bound
    sampled = min(findings.sampled, most.most) if statistic is Statistic.MEAN else 100 * findings.sampled
    if len(experiment.shapes) > 1:
        times = 1.0 if statistic is Statistic.MEAN else 100.0
        on = zip(experiment.shapes, (min(times * one, most.most) for one in findings.sampled_on), strict=False)
        by_size = tuple(sorted(on, key=lambda one: one[1]))
        on_each = by_size if by_size and by_size[0][1] < most.most else ()
        return replace(bound, on=on_each, ordered=findings.ordered)
    return replace(bound, most=sampled, own=True, most_words=experiment.most_words)


def most_by_sampling(findings: Findings) -> ErrorLimit:
    """The most that drawing as many people adds to a mean, or to shares, of any values; along ε, else no bound."""
    experiment = findings.experiment
    people = experiment.users or findings.rows
    if experiment.axis is not Axis.EPSILON or not people:
        return ErrorLimit()
    if experiment.question.statistic is Statistic.MEAN and findings.width > 0 and experiment.metric == Metric():
        return ErrorLimit(findings.width * most_of_a_mean(people), error_unit(findings), 1.0)
    if experiment.metric.shown_times != 1.0 and findings.outputs > 1:
        most = 100 * most_misplaced(people, findings.outputs)
        return ErrorLimit(most, " %", experiment.metric.shown_times, values=findings.outputs)
    return ErrorLimit()


def enough(findings: Findings, most: float | None = None) -> tuple[Enough, ...]:
    """From which ε on the mean error of each way is less than `error_limit`; () while points are missing.

    Only if it is at every larger ε that was tried as well. Between two of them it is said from about where on: where
    the curve that is drawn crosses, rounded up. Beside it stands how far chance of the tries may have moved that.
    """
    return enough_by(findings, error_limit(findings, most))


def enough_by(findings: Findings, bound: ErrorLimit) -> tuple[Enough, ...]:
    """The same by a limit."""
    if not bound.known or not findings.complete:
        return ()
    found = []
    for way in WAYS:
        tiles = [(place, tile_at(findings, way, place)) for place in findings.experiment.places]
        if not any(tile.known for _, tile in tiles):
            continue
        told = [(place, _below(findings, tile, place, bound)) for place, tile in tiles]
        once = any(below.may_be for _, below in told)
        perhaps, least, sure = (_first([(place, below[which]) for place, below in told]) for which in range(3))
        soonest, crossed, latest = (
            _between(findings, way, at, bound, chance) for at, chance in ((perhaps, -1), (least, 0), (sure, 1))
        )
        about = None if crossed is None else float(margin_up(crossed, EPSILON_DIGITS).replace(",", ""))
        about = None if about is None or least is None or about > _SOONER * least else about
        one = Enough(way, least, perhaps if perhaps != sure else None, once, about)
        if least is not None:
            ends = ((perhaps, soonest), (math.inf if sure is None else sure, latest))
            low, high = (min(one for one in end if one is not None) for end in ends)
            one = replace(one, chance=(low, max(high, one.least or least)))
        found.append(one)
    return tuple(found)


def _between(findings: Findings, way: Approach, least: float | None, bound: ErrorLimit, chance: int) -> float | None:
    """From about which ε on a way errs less that does at one that was tried, and not at the one before."""
    before = next((one for one, after in pairwise(findings.experiment.places) if after == least), None)
    if before is None or least is None:
        return None
    if bound.by_shape:
        lines = {shape: bound.line_on(shape) / bound.times for shape, _ in bound.on}
        return about_from(findings, way, (before, least), lines, chance)
    return about_from(findings, way, (before, least), bound.line_on(None) / bound.times, chance)


def may_be_below(findings: Findings, approach: Approach, place: float, bound: ErrorLimit) -> bool:
    """Whether the error of a way at a place is below a limit, for all that its tries tell."""
    return _below(findings, tile_at(findings, approach, place), place, bound).may_be


def below(findings: Findings, approach: Approach, place: float, bound: ErrorLimit) -> bool:
    """Whether the mean error of a way at a place, as it stands there, is below a limit.

    Between two places that were tried it is that of the line between them, which is what somebody sees there.
    """
    return bound.known and _below(findings, tile_at(findings, approach, place), place, bound).on_average


class _Below(NamedTuple):
    """Whether an error is below a line: for all that its tries tell, as it came out, whatever chance did to them."""

    may_be: bool
    on_average: bool
    surely: bool


def _below(findings: Findings, tile: Tile, place: float, bound: ErrorLimit) -> _Below:
    """Whether an error is below the line that is drawn, or below that of the shape.

    On each shape that is tried: one of a smaller mean, whose tries tell less of it, may be the worst.
    """
    errors = errors_on(findings, tile, place)
    held = [one for one in errors if _counts(bound, one.shape)] or errors
    # An error that is not there is not less.
    may_be = on_average = surely = bool(held)
    for one in held:
        line, error, chance = bound.line_on(one.shape), bound.times * one.error, bound.times * one.chance
        # What a formula says is no luck.
        may_be &= error - (0.0 if one.by_formula else chance) < line
        # Of one try nobody knows what the mean of others would be.
        on_average &= error < line and math.isfinite(chance)
        surely &= error + chance < line
    return _Below(may_be, on_average, surely)


def _counts(bound: ErrorLimit, shape: Basis | None) -> bool:
    """Whether the error on a shape is held against a limit: of one that knows of some shapes, on these."""
    return not bound.by_shape or shape in dict(bound.on)


def _first(below: Sequence[tuple[float, bool]]) -> float | None:
    """The least place from which on it holds at all."""
    least = None
    for place, holds in reversed(below):
        if not holds:
            break
        least = place
    return least


def told_apart(findings: Findings, one: Approach, other: Approach, epsilon: float) -> bool:
    """Whether either of two ways is shown to err more at an ε than what one takes there."""
    near = {tile.approach for tile in verdict(findings, epsilon).tiles if tile.standing is not TileStanding.WORSE}
    return not {one, other} <= near
