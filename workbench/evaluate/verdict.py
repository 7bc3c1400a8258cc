"""The way to take: one tile per way, with its error at a place of the axis, and what the way asks of people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from workbench.core.chance import chance_of, digits_left
from workbench.core.number_text import estimate
from workbench.evaluate.between import bends, error_between
from workbench.evaluate.error_series import TOLD_DIGITS, ErrorSeries, Point
from workbench.evaluate.experiment import Axis, Basis
from workbench.evaluate.findings import DEPENDS, Findings, fewest, worse, worst_on
from workbench.evaluate.method import Approach
from workbench.evaluate.tile import LEAVES, PROMISES, STRONGEST, TRUST, TRUSTED, WAYS, Remedy, Tile, Unless, Verdict
from workbench.evaluate.told_apart import TileStanding, about_words, ratio_between, standing_of

_SHAPES = {
    Basis.SMOOTH: "the values form one hump",
    Basis.SPIKY: "a few values hold most people",
    Basis.DOMINANT: "one value holds about half of all people",
    Basis.TAIL: "most values lie close to the lower bound",
}
"""When a shape is the one to think of, after “if”."""
PLACES_ALIKE = 1e-9
_CLOSE = 3.0
"""How many times the least error that of a guess is where the shape has made it good."""
_NOWHERE: tuple[float, float, Point | None, ErrorSeries | None] = (math.nan, math.nan, None, None)


def verdict(findings: Findings, place: float) -> Verdict:
    """Verdict of the findings at a place between the first and the last one of the axis; nothing is computed again."""
    tiles = [tile_at(findings, approach, place) for approach in WAYS]
    best = min((one for one in tiles if one.known), key=lambda one: one.error, default=None)
    if best is not None:
        tiles = [replace(one, times=_times(one, best), guessed=_guessed(findings, one, place)) for one in tiles]
    guess = _least(findings, _guesses(findings), place)[0]
    waits = not findings.complete and any(not (one.known or one.problem) for one in tiles)
    able = [] if waits or best is None else [one for one in tiles if _near(one, best) and not one.guessed]
    recommended = _taken(able).approach if able else None
    unless = () if recommended is None else _unless(findings, recommended, place)
    said = Verdict(place, tuple(tiles), recommended, guess, "", unless, waits)
    if (taken := said.taken) is not None:
        said = replace(said, tiles=tuple(_on_one_shape(_beside(one, taken), taken, findings, place) for one in tiles))
    words = [_sentence(findings, said), *(unless_words(one, findings) for one in unless)]
    return replace(said, sentence=" ".join(filter(None, (*words, caution_words(said, findings)))))


def _taken(alike: Sequence[Tile]) -> Tile:
    """Of ways that tries do not show to err more the one that promises most, whichever came out ahead."""
    return min(alike, key=lambda one: STRONGEST.index(one.approach))


def unless_words(one: Unless, findings: Findings) -> str:
    """On which shape another way is the one to take."""
    errors = f"{error_words(one.error, findings)} against {error_words(one.instead, findings)}"
    who = "a guess" if one.approach is Approach.BASELINE else one.approach.value
    return f"It depends: if {_SHAPES[one.shape]}, {who} errs less, {errors}."


def caution_words(said: Verdict, findings: Findings) -> str:
    """Caution where a shape makes whatever is nearest to a guess look good; "" where it does not."""
    known = [one.error for one in said.tiles if math.isfinite(one.error)]
    if findings.experiment.basis is not Basis.UNIFORM or not known or not said.guess <= _CLOSE * min(known):
        return ""
    assumed = findings.experiment.named(Basis.UNIFORM).capitalize()
    return f"{assumed} are assumed, so that even a guess is {error_words(said.guess, findings)}: try another shape."


def told_digits(tile: Tile, findings: Findings) -> int:
    """Digits in which the error of a way is told: of tries as many as chance leaves it, as among the numbers."""
    times = findings.experiment.metric.shown_times
    moved = 0.0 if tile.by_formula or math.isnan(tile.spread) else chance_of(tile.means) * tile.spread
    return digits_left(times * tile.error, times * moved, TOLD_DIGITS)


def told_error(tile: Tile, findings: Findings) -> str:
    """The error of a way as it is read."""
    return error_words(tile.error, findings, told_digits(tile, findings))


def error_words(error: float, findings: Findings, digits: int = TOLD_DIGITS) -> str:
    """An error as it is read: with its unit, or in per cent of people where shares are compared."""
    metric = findings.experiment.metric
    if metric.shown_times != 1.0:
        return f"{estimate(metric.shown_times * error, digits)} % misplaced"
    return f"off by {estimate(error, digits)}{f' {findings.unit}' if findings.unit else ''}"


def said_between(tile: Tile, taken: Tile | None) -> tuple[float, float]:
    """Between how many times that of the way to take its error is, to be said: one number where formulas know both.

    What a formula still varies with is whom it was computed for, and its mean over those is what is said of an error.
    """
    exact = taken is not None and tile.by_formula and taken.by_formula and taken.error > 0
    times = _ratio(tile, taken) if exact else math.nan
    return (times, times) if tile.standing is TileStanding.WORSE and times > 1.0 else tile.between


def times_words(tile: Tile, taken: Tile | None) -> str:
    """How many times as much as the way to take it errs, and whether it is worth it at all."""
    words = about_words(said_between(tile, taken), _ratio(tile, taken))
    return f"{words}, no better than a guess" if tile.guessed else words


def worst_apart_words(tile: Tile, taken: Tile) -> str:
    """Words, after a comma, on how many times as much a way errs that is at its worst elsewhere; "" for others."""
    return ", each at its worst" if tile.worst_elsewhere(taken) else ""


def _ratio(tile: Tile, taken: Tile | None) -> float:
    return tile.error / taken.error if taken is not None and taken.error > 0 else math.nan


def promised_words(tile: Tile, said: Verdict) -> str:
    """Why the recommended way is taken before those near it; "" for others, or where none is."""
    return PROMISES.get(tile.approach, "") if tile.approach is said.recommended and said.near else ""


def place_words(findings: Findings, place: float) -> str:
    """A place of the axis in words."""
    said = estimate(place, 3)
    return {Axis.EPSILON: f"ε = {said}", Axis.USERS: f"{said} {findings.counted}", Axis.BINS: f"{said} bins"}[
        findings.experiment.axis
    ]


def tile_at(findings: Findings, approach: Approach, place: float) -> Tile:
    """One way at a place, by itself: not measured by the others."""
    mine = _of(findings, approach)
    plain = Tile(approach, trust=TRUST[approach], leaves=LEAVES[approach])
    if not mine:
        return replace(plain, problem="Not among the methods.", remedy=Remedy.ADD)
    error, spread, point, series = _least(findings, mine, place)
    if series is not None:
        setting = series.choice if point is None or point.by is None else point.by
        shape = None if point is None else point.shape
        around = _around(series, place)
        # What lies between a formula and tries is known by neither alone, and moves with the tries.
        known = bool(around) and all(one.by_formula for one in around)
        ties = () if point is None else point.as_good
        worst = () if point is None else worst_on(point, findings.experiment.shapes)
        found = replace(plain, error=error, spread=spread, by_formula=known, setting=setting, as_good=ties)
        # Of a method of its own a formula knows the error, and its tries nothing of it.
        tries = (0 if one.by_formula and not one.error_of_mean > 0 else one.means for one in around)
        return replace(found, shape=shape, worst_on=worst, means=fewest(*tries))
    tried = (_at(findings, one, place)[2] for one in mine)
    point = next((one for one in tried if one is not None and one.problem), None)
    if point is None:
        return plain
    problem, remedy = point.problem, Remedy.MORE
    if approach is Approach.ANONYMISED:
        problem, remedy = "No group is large enough to be released.", Remedy.HIERARCHY
    return replace(plain, problem=problem, remedy=remedy)


def places_around(findings: Findings, approach: Approach, place: float) -> tuple[float, ...]:
    """The place that the error of a way was run at, or the two it is read between; () where there is none."""
    series = _least(findings, _of(findings, approach), place)[3]
    return () if series is None else tuple(one.axis_value for one in _around(series, place))


def errors_by_shape(findings: Findings, tile: Tile, place: float) -> tuple[tuple[float, float, int], ...]:
    """Mean error of a way at a place on each shape, its standard error, and from how many tries that is estimated.

    First that of the tile, on the shape that came out worst; another one may be it. () where there is no error.
    """
    if not tile.known:
        return ()
    error, _, point, _ = _least(findings, _of(findings, tile.approach), place)
    found = [(tile.error, tile.spread, tile.means)]
    if point is None or len(point.shapes) != len(findings.experiment.shapes) or not point.mean > 0:
        return tuple(found)
    share = error / point.mean
    for shape, (mean, spread) in zip(findings.experiment.shapes, point.shapes, strict=True):
        if shape is not tile.shape:
            found.append((share * mean, share * spread, point.means))
    return tuple(found)


def _times(tile: Tile, best: Tile) -> float:
    if not tile.known:
        return math.nan
    return tile.error / best.error if best.error > 0 else (1.0 if tile.error == best.error else math.inf)


def _near(tile: Tile, best: Tile) -> bool:
    """Whether tries do not show that a way errs more than the best one, or no more than `NEARLY` times as much."""
    if not tile.known:
        return False
    between = ratio_between((tile.error, tile.spread), (best.error, best.spread), tile.means, best.means)
    return tile.approach is best.approach or standing_of(between) in (TileStanding.ALIKE, TileStanding.UNTOLD)


def _beside(tile: Tile, taken: Tile) -> Tile:
    if not tile.known:
        return tile
    between = ratio_between((tile.error, tile.spread), (taken.error, taken.spread), tile.means, taken.means)
    if tile.approach is taken.approach:
        return replace(tile, standing=TileStanding.TAKEN, between=(1.0, 1.0))
    return replace(tile, standing=standing_of(between), between=between)


def _on_one_shape(tile: Tile, taken: Tile, findings: Findings, place: float) -> Tile:
    """A tile with how many times as much it errs on the same shape: what is said of it is of each at its worst."""
    mine, theirs = (_by_shape(findings, _of(findings, one.approach), place) for one in (tile, taken))
    if tile.approach is taken.approach or not (mine and theirs) or any(not error > 0 for error, _ in theirs):
        return tile
    times = [one / other for (one, _), (other, _) in zip(mine, theirs, strict=True)]
    return replace(tile, on_one_shape=(min(times), max(times)))


def _around(series: ErrorSeries, place: float) -> tuple[Point, ...]:
    """The point at a place, or the two that it lies between; () for neither."""
    here = next((one for one in series.points if abs(one.axis_value - place) <= PLACES_ALIKE * place), None)
    if here is not None:
        return (_by_formula(here),)
    pair = next((pair for pair in pairwise(series.points) if pair[0].axis_value < place < pair[1].axis_value), ())
    return tuple(map(_by_formula, pair))


def _by_formula(point: Point) -> Point:
    """A point of a method of its own, whose curve shows tries, with the error that a formula says where there is one.

    As those of families are read: of several curves the least of tries would be that of the luckiest.
    """
    own = point.by is None and not point.by_formula
    if not (own and math.isfinite(point.theory) and math.isfinite(point.mean)):
        return point
    return replace(point, mean=point.theory, tried=point.mean, error_of_mean=0.0)


def _at(findings: Findings, series: ErrorSeries, place: float) -> tuple[float, float, Point | None]:
    """Mean error, its standard error, and the nearest point; nan where a neighbouring place has no error."""
    around = _around(series, place)
    if not around:
        return math.nan, math.nan, None
    if len(around) == 1:
        return around[0].mean, around[0].error_of_mean, around[0]
    one, two = around
    near = min(around, key=lambda point: abs(math.log(point.axis_value / place)))
    ends, means = (one.axis_value, two.axis_value), (one.mean, two.mean)
    error = error_between(ends, means, place, bent=bends(findings.experiment, series.approach))
    return error, max(_zero(one.error_of_mean), _zero(two.error_of_mean)), near


def _unless(findings: Findings, taken: Approach, place: float) -> tuple[Unless, ...]:
    """The shapes on which the way that is taken is worse than another one."""
    # Of equal shares whatever is nearest to a guess errs least, because that was assumed.
    errors = {way: _by_shape(findings, _of(findings, way), place) for way in WAYS}
    errors[Approach.BASELINE] = _by_shape(findings, _guesses(findings), place)
    points = (_least(findings, _of(findings, way), place)[2] for way in WAYS)
    tries = fewest(*(one.means for one in points if one is not None))
    found = []
    for number, shape in _judged(findings) if errors[taken] else ():
        mine, spread = errors[taken][number]
        here = {way: known[number] for way, known in errors.items() if known}
        way = min(here, key=lambda one: here[one][0])
        error, other = here[way]
        if way is not taken and worse((mine, spread), (error, other), DEPENDS, tries):
            found.append(Unless(shape, way, error, mine))
    return tuple(found)


def _guessed(findings: Findings, tile: Tile, place: float) -> bool:
    """Whether a guess errs no more than a way, on each shape: the same one for both, and not the worst of each."""
    guesses = _guesses(findings)
    if findings.experiment.basis is Basis.UNIFORM or not guesses:
        return False
    mine, theirs = _by_shape(findings, _of(findings, tile.approach), place), _by_shape(findings, guesses, place)
    if not (mine and theirs):
        return _least(findings, guesses, place)[0] <= tile.error
    return all(theirs[number][0] <= mine[number][0] for number, _ in _judged(findings))


def _judged(findings: Findings) -> list[tuple[int, Basis]]:
    """The shapes, with their places, but for equal shares: there the guess is right by assumption."""
    return [(number, one) for number, one in enumerate(findings.experiment.shapes) if one is not Basis.UNIFORM]


def _of(findings: Findings, approach: Approach) -> list[ErrorSeries]:
    return [one for one in findings.series if one.approach is approach]


def _guesses(findings: Findings) -> list[ErrorSeries]:
    return [one for one in findings.series if one.choice.identifier == "uniform"]


def _least(
    findings: Findings, curves: Sequence[ErrorSeries], place: float
) -> tuple[float, float, Point | None, ErrorSeries | None]:
    """Of the curve that errs least at a place, what `_at` says, and the curve."""
    known = [(*_at(findings, one, place), one) for one in curves]
    return min((one for one in known if math.isfinite(one[0])), key=lambda one: one[0], default=_NOWHERE)


def _by_shape(findings: Findings, curves: Sequence[ErrorSeries], place: float) -> tuple[tuple[float, float], ...]:
    """Mean error and its standard error on each shape, of the curve that errs least at its worst; () for none.

    Between two places that of the nearest one, in proportion to the curve.
    """
    error, _, point, _ = _least(findings, curves, place)
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
    parts = [f"{one.approach.value} {_stands(one, taken)}" for one in said.tiles if one.known and one is not taken]
    errs = f"{told_error(taken, findings)}{f', and {why}' if why else ''}"
    advice = f"Take {taken.approach.value}{TRUSTED[taken.approach]}: {errs}{'; ' if parts else ''}{', '.join(parts)}."
    return " ".join(filter(None, (advice, untrusted_words(said, findings))))


def _stands(tile: Tile, taken: Tile) -> str:
    near = {TileStanding.ALIKE: "is as good", TileStanding.UNTOLD: "is not told apart from it"}
    return near.get(tile.standing, f"errs {times_words(tile, taken)}{worst_apart_words(tile, taken)}")


def untrusted_words(said: Verdict, findings: Findings, *, errors: bool = True, short: bool = False) -> str:
    """Alternatives where δ must be 0 or nobody is trusted, beside a way that needs one or the other.

    Parameters
    ----------
    errors
        Whether to say their errors, which may stand in the sentence before.
    short
        Whether the one that trusts nobody is known not to be good enough here.
    """
    if said.recommended in (None, Approach.LOCAL):
        return ""
    plain, _, local = said.tiles

    def errs(tile: Tile) -> str:
        return f", {told_error(tile, findings)}" if errors else ""

    told = []
    if said.recommended is Approach.ANONYMISED and math.isfinite(plain.error) and not plain.guessed:
        told.append(f"If δ must be 0: Global{errs(plain)}.")
    if math.isfinite(local.error):
        other = f": Local{errs(local)}"
        if local.guessed:
            other = ", nothing beats a guess"
        elif short:
            other = f", Local is not enough here{f': {told_error(local, findings)}' if errors else ''}"
        told.append(f"If nobody is{' trusted' if told else ''}{other}.")  # else it follows “if a curator is trusted”
    return " ".join(told)


def _zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value
