"""From which ε on a way errs less than is good enough: than what somebody types, or than sampling does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from workbench.core.number_text import estimate, exact, margin_down, margin_up
from workbench.evaluate.enough_between import about_from, chance_told
from workbench.evaluate.experiment import Axis, Basis, Truth
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Metric, Statistic
from workbench.evaluate.sampling_error import most_misplaced, most_of_a_mean
from workbench.evaluate.tile import WAYS, Tile
from workbench.evaluate.told_apart import TileStanding
from workbench.evaluate.verdict import errors_by_shape, tile_at, verdict

_SOONER = 0.9
"""Part of the larger ε that must be saved for one between two to be worth a word."""
EPSILON_DIGITS = 2
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
    loose
        Of a limit that is what sampling adds to `shape`, the most that it adds to any values; else nan.
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
    shape
        Of a limit that is what sampling adds to one of them, which.
    ordered
        Whether the answers have an order.
    """

    most: float = math.nan
    unit: str = ""
    times: float = math.nan
    typed: bool = False
    own: bool = False
    within: bool = False
    loose: float = math.nan
    on: tuple[tuple[Basis, float], ...] = ()
    shape: Basis | None = None
    ordered: bool = True

    @property
    def known(self) -> bool:
        return math.isfinite(self.most)

    @property
    def words(self) -> str:
        """The limit with its unit."""
        return f"{self.told}{self.unit}"

    @property
    def told(self) -> str:
        """The limit without its unit, in as many digits as errors are read in.

        The most that sampling can be is rounded up, what it adds to a shape down, what it is about is not.
        """
        if self.typed:
            return exact(self.most)
        if self.shape:
            return margin_down(self.most, 3)
        return estimate(self.most, 2) if self.own else margin_up(self.most, 3)

    @property
    def drawn(self) -> float:
        """Where its line stands: at the number that is written beside it, and not where that was rounded from."""
        return float(self.told.replace(",", "")) if self.known else self.most

    @property
    def means(self) -> str:
        """What an empty field of it stands for; "" where that is nothing."""
        if not self.known or self.typed:
            return ""
        if self.shape:
            ends = dict.fromkeys(one for one in (self.on[0], self.on[-1]) if one[0] is not self.shape)
            others = ", ".join(f"to {shape.shape} {margin_down(adds, 3)}{self.unit}" for shape, adds in ends)
            why = "" if self.ordered else ", as answers without an order have no smooth shape"
            return f"As small as {self.reach}{why}: {self.words}; {others}. {_BY_HAND[self.times != 1.0]}"
        return f"As small as {self.reach} to {'these' if self.own else 'any'} values: {self.words}"

    @property
    def off(self) -> str:
        """How far off sampling is: of true values, or one shape, about so far, of values nobody knows at most.

        Where several shapes are tried, on the one that the limit goes by, as everywhere, and the most that it can be.
        """
        usual = self.usual
        if usual.shape:
            most = f"at most {margin_up(usual.loose, 3)}{self.unit} on any values"
            return f"off by {usual.words} on {usual.shape.shape}, {most} (near that of {_MOST_OF[self.times != 1.0]})"
        return f"off by {'about' if self.own else 'at most'} {self.words}"

    @property
    def widely(self) -> str:
        """The most that sampling adds to any values, as a sentence without its stop, beside what it adds to a shape."""
        return f"To any values sampling adds at most {self.words} (near that of {_MOST_OF[self.times != 1.0]})"

    @property
    def least(self) -> float:
        """What sampling adds to the shape tried to which it adds least; nan where none is known to be less than any."""
        return self.on[0][1] if self.on else math.nan

    @property
    def reach(self) -> str:
        """Name of a limit that nobody typed, the same wherever one reads of it."""
        if self.shape:
            return f"what sampling adds to {self.shape.shape}"
        return "what sampling adds" if self.own else "the most sampling adds"

    @property
    def below(self) -> str:
        """What is enough, in the same words wherever one reads of it: less than so much, and what that is."""
        return f"less than {self.words}{'' if self.typed else f', {self.reach}'}"

    @property
    def usual(self) -> ErrorLimit:
        """The limit to go by: what sampling adds to a usual shape, where that is one of several that are tried.

        That is a smooth one, and of answers without an order a spiky one, as none of them is smooth: a smooth shape
        has most of four such answers rare. To a long tail sampling may add a twentieth of that, to equal shares twice
        as much; the most of any values would make an ε enough that seldom is, and the least of all shapes ask for
        several times the ε that values need.
        """
        usual = Basis.SMOOTH if self.ordered else Basis.SPIKY
        adds = dict(self.on).get(usual, math.nan)
        if self.shape or not adds < self.most:
            return self
        return replace(self, most=adds, loose=self.most, shape=usual)

    @property
    def widest(self) -> ErrorLimit:
        """The limit of values to which sampling adds most, which those at hand need not be; unknown if not another."""
        return replace(self, most=self.loose, loose=math.nan, shape=None)

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

    Where several shapes are tried, that is what it adds to a usual one, which is named: nobody knows which of them is
    like the values.
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
    return replace(bound, most=sampled, own=True)


def most_by_sampling(findings: Findings) -> ErrorLimit:
    """The most that drawing as many people adds to a mean, or to shares, of any values; along ε, else no bound."""
    experiment = findings.experiment
    people = experiment.users or findings.rows
    if experiment.axis is not Axis.EPSILON or not people:
        return ErrorLimit()
    if experiment.question.statistic is Statistic.MEAN and findings.width > 0 and experiment.metric == Metric():
        return ErrorLimit(findings.width * most_of_a_mean(people), error_unit(findings), 1.0)
    if experiment.metric.shown_times != 1.0 and findings.outputs > 1:
        return ErrorLimit(100 * most_misplaced(people, findings.outputs), " %", experiment.metric.shown_times)
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
        line = min(bound.drawn, bound.most) / bound.times
        soonest, crossed, latest = (
            _between(findings, way, at, line, chance) for at, chance in ((perhaps, -1), (least, 0), (sure, 1))
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


def _between(findings: Findings, way: Approach, least: float | None, line: float, chance: int) -> float | None:
    """From about which ε on a way errs less that does at one that was tried, and not at the one before."""
    before = next((one for one, after in pairwise(findings.experiment.places) if after == least), None)
    return None if before is None or least is None else about_from(findings, way, (before, least), line, chance)


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
    """Whether an error is below the line that is drawn.

    On each shape that is tried: one of a smaller mean, whose tries tell less of it, may be the worst.
    """
    # Never above what the line was rounded from, which may be the most that is known.
    line = min(bound.drawn, bound.most)
    errors = errors_by_shape(findings, tile, place)
    # An error that is not there is not less.
    may_be = on_average = surely = bool(errors)
    for number, (error, spread, tries) in enumerate(errors):
        known = tile.by_formula and not number
        chance = chance_told(spread, tries, by_formula=known)
        # What a formula says is no luck.
        may_be &= bound.times * (error - (0.0 if known else chance)) < line
        # Of one try nobody knows what the mean of others would be.
        on_average &= bound.times * error < line and math.isfinite(chance)
        surely &= bound.times * (error + chance) < line
    return _Below(may_be, on_average, surely)


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
