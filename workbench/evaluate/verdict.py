"""The way to take: one tile per way, with its error at a place of the axis, and what the way asks of people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any

from workbench.core.number_text import estimate, rounded
from workbench.evaluate.experiment import Axis, Basis
from workbench.evaluate.findings import DEPENDS, ErrorSeries, Findings, Point, worse, worst_on
from workbench.evaluate.method import Approach, MethodChoice

WAYS = (Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL)
"""The ways that have a tile, in their order."""
FAMILIES = {
    Approach.GLOBAL: "best-global",
    Approach.ANONYMISED: "best-anonymised",
    Approach.LOCAL: "best-local",
}
TRUST = {
    Approach.GLOBAL: "Trust: a curator",
    Approach.ANONYMISED: "Trust: a curator, once",
    Approach.LOCAL: "Trust: nobody",
}
LEAVES = {
    Approach.GLOBAL: "Leaves: one noisy answer",
    Approach.ANONYMISED: "Leaves: a table",
    Approach.LOCAL: "Leaves: perturbed reports",
}
_SHAPES = {
    Basis.SMOOTH: "the values form one hump",
    Basis.SPIKY: "a few values hold most people",
    Basis.TAIL: "most values lie close to the lower bound",
}
"""When a shape is the one to think of, after “if”."""
PLACES_ALIKE = 1e-9
_NEAR = 3.0
"""How many times the least error that of a guess is where the shape has made it good."""
_NOWHERE: tuple[float, float, Point | None, ErrorSeries | None] = (math.nan, math.nan, None, None)

STRONGEST = (Approach.LOCAL, Approach.GLOBAL, Approach.ANONYMISED)
"""What a way promises at the same ε, most first: nobody has to be trusted, or no δ stands beside ε."""
TRUSTED = {
    Approach.GLOBAL: " if a curator is trusted",
    Approach.ANONYMISED: " if a curator is trusted, once",
    Approach.LOCAL: "",
}
"""On which condition a way can be taken at all."""
PROMISES = {Approach.LOCAL: "it trusts nobody", Approach.GLOBAL: "it needs no δ"}
"""Why a way is taken before one that is as good."""


class Remedy(StrEnum):
    """The change by which one click makes a way possible."""

    NONE = "none"
    ADD = "add"
    """The way is not among the methods: add it."""
    HIERARCHY = "hierarchy"
    """No group is large enough to be released: build a hierarchy."""
    MORE = "more"
    """Nothing can be answered at so little ε."""


@dataclass(frozen=True)
class Tile:
    """One way at one place.

    Parameters
    ----------
    approach
        Which way.
    error
        Its mean error there, nan if there is none; between two places that were tried, as if the curve were straight.
    spread
        The standard error of that mean.
    by_formula
        Whether a formula says the error, so that no tries are needed to know it.
    times
        How many times the error of the best way it is; 1 for the best one, nan if unknown.
    alike
        Whether it is as good as the best one: tries do not show that it errs more than `NEARLY` times as much.
    guessed
        Whether a guess errs no more: on each public shape, of equal shares apart, which a guess meets by assumption.
    setting
        The method that errs least there, with all its parameters; None if nothing does.
    as_good
        The other settings of the way that neither tries nor formulas tell from it.
    shape
        The public shape that the error is about: of those tried the worst for this way. None on true values.
    worst_on
        The public shapes that the error may be about: those that tries do not show to be better.
    trust, leaves
        Who must be trusted, and what leaves.
    problem
        Why there is no error, or "" (also while it is not there yet).
    remedy
        What mends that.
    """

    approach: Approach
    error: float = math.nan
    spread: float = math.nan
    by_formula: bool = False
    times: float = math.nan
    alike: bool = False
    guessed: bool = False
    setting: MethodChoice | None = None
    as_good: tuple[MethodChoice, ...] = ()
    shape: Basis | None = None
    worst_on: tuple[Basis, ...] = ()
    trust: str = ""
    leaves: str = ""
    problem: str = ""
    remedy: Remedy = Remedy.NONE

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "way": self.approach.value,
            "error": _known(self.error),
            "times": _known(self.times),
            "alike": self.alike,
            "guessed": self.guessed,
            "setting": None if self.setting is None else self.setting.to_json(),
            "as_good": [one.to_json() for one in self.as_good],
            "shape": None if self.shape is None else self.shape.value,
            "trust": self.trust,
            "leaves": self.leaves,
            "problem": self.problem,
        }


@dataclass(frozen=True)
class Unless:
    """A public shape on which another way than the recommended one errs least, or a guess.

    Parameters
    ----------
    shape
        Which one.
    approach
        What errs least there; `Approach.BASELINE` for a guess.
    error, instead
        What it errs by there, and what the recommended way does.
    """

    shape: Basis
    approach: Approach
    error: float
    instead: float


@dataclass(frozen=True)
class Verdict:
    """All tiles at one place.

    Parameters
    ----------
    place
        Where on the axis.
    tiles
        One per way, in the order of `WAYS`.
    recommended
        Of the ways that err least, or are as good, the one that promises most; None while unknown, or where none does
        better than a guess.
    guess
        The error of guessing that all values are equally likely, on the worst shape; nan if that was not tried.
    sentence
        What it comes to.
    unless
        The shapes on which another way errs clearly less, so that it depends on the shape which one to take.
    waits
        Whether some way was not run here yet, so that none is recommended.
    """

    place: float
    tiles: tuple[Tile, ...]
    recommended: Approach | None
    guess: float
    sentence: str
    unless: tuple[Unless, ...] = ()
    waits: bool = False

    @property
    def by_promise(self) -> bool:
        """Whether the recommended way is not the one of least error, but promises more than those as good."""
        return any(one.approach is self.recommended and one.times > 1 for one in self.tiles)

    @property
    def taken(self) -> Tile | None:
        """The tile that others are measured by: that of the recommended way, else of the one that errs least."""
        known = [one for one in self.tiles if math.isfinite(one.error)]
        mine = (one for one in known if one.approach is self.recommended)
        return next(mine, min(known, key=lambda one: one.error, default=None))

    def alike(self, tile: Tile) -> list[Tile]:
        """The other ways that are as good as one."""
        return [one for one in self.tiles if tile.alike and one.alike and one.approach is not tile.approach]

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "place": self.place,
            "recommended": None if self.recommended is None else self.recommended.value,
            "guess": _known(self.guess),
            "sentence": self.sentence,
            "unless": [
                {"shape": one.shape.value, "way": one.approach.value, "error": one.error, "instead": one.instead}
                for one in self.unless
            ],
            "tiles": [one.to_json() for one in self.tiles],
        }


def verdict(findings: Findings, place: float) -> Verdict:
    """What was found, at a place between the first and the last one of the axis; nothing is computed anew."""
    tiles = [tile_at(findings, approach, place) for approach in WAYS]
    known = [one for one in tiles if math.isfinite(one.error)]
    best = min(known, key=lambda one: one.error, default=None)
    if best is not None:
        tiles = [_beside(one, best) for one in tiles]
        tiles = [replace(one, guessed=_guessed(findings, one, place)) for one in tiles]
    guess = _least(_guesses(findings), place)[0]
    missing = [one for one in tiles if not (math.isfinite(one.error) or one.problem)]
    waits = bool(missing) and not findings.complete
    able = [one for one in tiles if one.alike and not one.guessed and not waits]
    recommended = _taken(able).approach if able else None
    unless = () if recommended is None else _unless(findings, recommended, place)
    said = Verdict(place, tuple(tiles), recommended, guess, "", unless, waits)
    words = [_sentence(findings, said), *(unless_words(one, findings) for one in unless)]
    return replace(said, sentence=" ".join(filter(None, (*words, caution_words(said, findings)))))


def _taken(alike: Sequence[Tile]) -> Tile:
    """Of the ways that are as good the one that promises most, whichever came out ahead: nobody is trusted, no δ."""
    return min(alike, key=lambda one: STRONGEST.index(one.approach))


def unless_words(one: Unless, findings: Findings) -> str:
    """On which shape another way is the one to take."""
    errors = f"{error_words(one.error, findings)} against {error_words(one.instead, findings)}"
    who = "a guess" if one.approach is Approach.BASELINE else one.approach.value
    return f"It depends: if {_SHAPES[one.shape]}, {who} errs less, {errors}."


def caution_words(said: Verdict, findings: Findings) -> str:
    """What to know where a shape makes whatever is nearest to a guess look good; "" where it does not."""
    known = [one.error for one in said.tiles if math.isfinite(one.error)]
    if findings.experiment.basis is not Basis.UNIFORM or not known or not said.guess <= _NEAR * min(known):
        return ""
    return f"Equal shares are assumed, so that even a guess is {error_words(said.guess, findings)}: try another shape."


def error_words(error: float, findings: Findings) -> str:
    """An error as it is read: with its unit, or in per cent of people where shares are compared."""
    metric = findings.experiment.metric
    if metric.shown_times != 1.0:
        return f"{estimate(metric.shown_times * error, 2)} % misplaced"
    return f"off by {estimate(error, 2)}{f' {findings.unit}' if findings.unit else ''}"


def times_words(tile: Tile, said: Verdict) -> str:
    """How many times as much as the way that is taken it errs, and whether it is worth it at all."""
    times = times_of(tile, said)
    words = f"{estimate(rounded(times, 2), 2)} times as much" if times >= 1.05 else "hardly more"
    return f"{words}, no better than a guess" if tile.guessed else words


def times_of(tile: Tile, said: Verdict) -> float:
    """How many times the error of the way that is taken it is."""
    taken = said.taken
    return tile.error / taken.error if taken is not None and taken.error > 0 else tile.times


def promised_words(tile: Tile, said: Verdict) -> str:
    """Why the recommended way is taken before those that are as good; "" for others, or where none is."""
    return PROMISES.get(tile.approach, "") if tile.approach is said.recommended and said.alike(tile) else ""


def place_words(findings: Findings, place: float) -> str:
    """A place of the axis in words."""
    said = estimate(place, 3)
    return {Axis.EPSILON: f"ε = {said}", Axis.USERS: f"{said} people", Axis.BINS: f"{said} bins"}[
        findings.experiment.axis
    ]


def tile_at(findings: Findings, approach: Approach, place: float) -> Tile:
    """One way at a place, by itself: not measured by the others."""
    mine = _of(findings, approach)
    plain = Tile(approach, trust=TRUST[approach], leaves=LEAVES[approach])
    if not mine:
        return replace(plain, problem="Not among the methods.", remedy=Remedy.ADD)
    error, spread, point, series = _least(mine, place)
    if series is not None:
        setting = series.choice if point is None or point.by is None else point.by
        shape = None if point is None else point.shape
        known = point is not None and point.by_formula
        ties = () if point is None else point.as_good
        worst = () if point is None else worst_on(point, findings.experiment.shapes)
        found = replace(plain, error=error, spread=spread, by_formula=known, setting=setting, as_good=ties)
        return replace(found, shape=shape, worst_on=worst)
    tried = (_at(one, place)[2] for one in mine)
    point = next((one for one in tried if one is not None and one.problem), None)
    if point is None:
        return plain
    problem, remedy = point.problem, Remedy.MORE
    if approach is Approach.ANONYMISED:
        problem, remedy = "No group is large enough to be released.", Remedy.HIERARCHY
    return replace(plain, problem=problem, remedy=remedy)


def _beside(tile: Tile, best: Tile) -> Tile:
    if not math.isfinite(tile.error):
        return tile
    times = tile.error / best.error if best.error > 0 else (1.0 if tile.error == best.error else math.inf)
    alike = tile.approach is best.approach or not worse((tile.error, tile.spread), (best.error, best.spread))
    return replace(tile, times=times, alike=alike)


def _at(series: ErrorSeries, place: float) -> tuple[float, float, Point | None]:
    """Mean error, its standard error, and the nearest point; nan where a neighbouring place has no error."""
    points = series.points
    near = min(points, key=lambda one: abs(math.log(one.axis_value / place)), default=None)
    if near is not None and abs(near.axis_value - place) <= PLACES_ALIKE * place:
        return near.mean, near.error_of_mean, near
    for one, two in pairwise(points):
        if one.axis_value < place < two.axis_value:
            share = math.log(place / one.axis_value) / math.log(two.axis_value / one.axis_value)
            error = _between(one.mean, two.mean, share)
            return error, max(_zero(one.error_of_mean), _zero(two.error_of_mean)), near
    return math.nan, math.nan, None


def _between(first: float, second: float, share: float) -> float:
    if first > 0 and second > 0:
        return math.exp(math.log(first) + share * (math.log(second) - math.log(first)))
    return first + share * (second - first)


def _unless(findings: Findings, taken: Approach, place: float) -> tuple[Unless, ...]:
    """The shapes on which the way that is taken is worse than another one."""
    # Of equal shares whatever is nearest to a guess errs least, because that was assumed.
    errors = {way: _by_shape(_of(findings, way), place) for way in WAYS}
    errors[Approach.BASELINE] = _by_shape(_guesses(findings), place)
    found = []
    for number, shape in _judged(findings) if errors[taken] else ():
        mine, spread = errors[taken][number]
        here = {way: known[number] for way, known in errors.items() if known}
        way = min(here, key=lambda one: here[one][0])
        error, other = here[way]
        if way is not taken and worse((mine, spread), (error, other), DEPENDS):
            found.append(Unless(shape, way, error, mine))
    return tuple(found)


def _guessed(findings: Findings, tile: Tile, place: float) -> bool:
    """Whether a guess errs no more than a way, on each shape: the same one for both, and not the worst of each."""
    guesses = _guesses(findings)
    if findings.experiment.basis is Basis.UNIFORM or not guesses:
        return False
    mine, theirs = _by_shape(_of(findings, tile.approach), place), _by_shape(guesses, place)
    if not (mine and theirs):
        return _least(guesses, place)[0] <= tile.error
    return all(theirs[number][0] <= mine[number][0] for number, _ in _judged(findings))


def _judged(findings: Findings) -> list[tuple[int, Basis]]:
    """The shapes, with their places, but for equal shares: there the guess is right by assumption."""
    return [(number, one) for number, one in enumerate(findings.experiment.shapes) if one is not Basis.UNIFORM]


def _of(findings: Findings, approach: Approach) -> list[ErrorSeries]:
    return [one for one in findings.series if one.approach is approach]


def _guesses(findings: Findings) -> list[ErrorSeries]:
    return [one for one in findings.series if one.choice.identifier == "uniform"]


def _least(curves: Sequence[ErrorSeries], place: float) -> tuple[float, float, Point | None, ErrorSeries | None]:
    """Of the curve that errs least at a place, what `_at` says, and the curve."""
    known = [(*_at(one, place), one) for one in curves]
    return min((one for one in known if math.isfinite(one[0])), key=lambda one: one[0], default=_NOWHERE)


def _by_shape(curves: Sequence[ErrorSeries], place: float) -> tuple[tuple[float, float], ...]:
    """Mean error and its standard error on each shape, of the curve that errs least at its worst; () for none.

    Between two places that of the nearest one, in proportion to the curve.
    """
    error, _, point, _ = _least(curves, place)
    if point is None or not point.shapes or not point.mean > 0:
        return ()
    share = error / point.mean
    return tuple((mean * share, _zero(spread) * share) for mean, spread in point.shapes)


def _sentence(findings: Findings, said: Verdict) -> str:
    taken = said.taken
    if taken is None or said.waits:
        return ""
    if said.recommended is None:
        return f"Nothing beats guessing ({error_words(said.guess, findings)}): ask more people, or spend more ε."
    why = promised_words(taken, said)
    parts = [
        f"{one.approach.value} is as good" if one in said.alike(taken) else f"{one.approach.value} errs {worse_by}"
        for one in said.tiles
        if math.isfinite(one.error) and one is not taken and (worse_by := times_words(one, said))
    ]
    errs = f"{error_words(taken.error, findings)}{f', and {why}' if why else ''}"
    advice = f"Take {taken.approach.value}{TRUSTED[taken.approach]}: {errs}{'; ' if parts else ''}{', '.join(parts)}."
    return " ".join(filter(None, (advice, untrusted_words(said, findings))))


def untrusted_words(said: Verdict, findings: Findings) -> str:
    """What remains where δ must be 0 or nobody is trusted, beside a way that needs one or the other."""
    if said.recommended in (None, Approach.LOCAL):
        return ""
    plain, _, local = said.tiles
    told = []
    if said.recommended is Approach.ANONYMISED and math.isfinite(plain.error) and not plain.guessed:
        told.append(f"If δ must be 0: Global, {error_words(plain.error, findings)}.")
    if math.isfinite(local.error):
        errs = f": Local, {error_words(local.error, findings)}"
        told.append(f"If nobody is trusted{', nothing beats a guess' if local.guessed else errs}.")
    return " ".join(told)


def _zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
