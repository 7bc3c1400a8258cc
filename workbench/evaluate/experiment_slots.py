"""The cells that stand for a method at a place: its own, or those of the setting that the tries of its family chose."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from workbench.core.chance import CHANCE
from workbench.evaluate.cell import ExperimentCell
from workbench.evaluate.cell_result import NOISE, CellResult, ErrorSummary, end_of, spread_of
from workbench.evaluate.error_series import Point
from workbench.evaluate.question import Distance, Metric, Statistic
from workbench.evaluate.store import ResultStore

Cells: TypeAlias = tuple[ExperimentCell, ...]
"""One method at one place, on each of the shapes that are assumed."""

_LITTLE = 1.05
"""How many times the least error of those that chance alone tells apart may be where another setting comes first."""
_CERTAIN = 3.0
"""So many standard errors less must be what tries say of a setting to take the place of one whose error is known."""
_KNOWN = 0.01
"""Up to which part of it an error by formula may vary with the people it is of, and needs no more of them."""


@dataclass(frozen=True)
class _Tried:
    """Result of the tries of a setting.

    Parameters
    ----------
    error, spread
        Its mean error on its worst shape, and the standard error of it.
    noise
        What orders it among settings that are told apart by formula; nan if it is none.
    by_formula
        Whether a formula says the error, which then varies with the people it was computed for and nothing else: those
        of the tries.
    """

    error: float
    spread: float
    noise: float
    by_formula: bool = False

    @property
    def known(self) -> bool:
        """Whether more tries would say no more of its error."""
        return self.by_formula and not self.spread > _KNOWN * self.error


@dataclass(frozen=True, eq=False)
class _Settled:
    """The tries that are needed, which setting they choose and which are as good, and what they say of the chosen one.

    While some of the tries are missing, nothing is chosen.
    """

    needed: list[ExperimentCell]
    chosen: int | None = None
    as_good: tuple[int, ...] = ()
    said: _Tried | None = None


@dataclass(frozen=True, eq=False)
class ExperimentSlot:
    """A method at a place, or the settings of a family and the tries that choose among them.

    Each setting has one cell per shape that is assumed; the worst of them counts. What a formula says of an error is
    never left to tries. Settings that chance alone tells apart are tried again, and so is one that is to take the place
    of a setting whose error is known.

    Parameters
    ----------
    cells
        Of each setting, what is shown if it is chosen.
    rounds
        For each round the tries of a setting, by its number and of how many settings; none where there is nothing to
        choose.
    """

    cells: tuple[Cells, ...]
    rounds: tuple[Callable[[int, int], Cells], ...] = ()
    _settled_as: dict[str, _Settled] = field(default_factory=dict, repr=False)

    def every(self, store: ResultStore, metric: Metric) -> list[ExperimentCell]:
        """Cells that have to be there: the tries, and what they chose, or another one as long while that is unknown."""
        settled = self._settled(store, metric)
        return [*settled.needed, *self.cells[settled.chosen or 0]]

    def tries(self, store: ResultStore, metric: Metric) -> list[ExperimentCell]:
        """The tries that are needed, as far as those that are there tell."""
        return self._settled(store, metric).needed

    def chosen(self, store: ResultStore, metric: Metric) -> Cells:
        """The cells that stand for the method; none while the tries are not all there."""
        chosen = self._settled(store, metric).chosen
        return () if chosen is None else self.cells[chosen]

    def as_good(self, store: ResultStore, metric: Metric) -> tuple[Cells, ...]:
        """The cells of the other settings that nothing tells from the chosen one, in their order."""
        return tuple(self.cells[one] for one in self._settled(store, metric).as_good)

    def tried(self, number: int) -> Cells:
        """The tries of a setting in the first round."""
        return self.rounds[0](number, len(self.cells))

    def said(self, store: ResultStore, metric: Metric) -> _Tried | None:
        """Result of the tries of the setting they chose; None while they are missing, or where there is no choice."""
        return self._settled(store, metric).said

    def _settled(self, store: ResultStore, metric: Metric) -> _Settled:
        settled = self._settled_as.get(str(metric))
        if settled is not None:
            return settled
        needed: list[ExperimentCell] = []
        open_, said = list(range(len(self.cells))), dict[int, _Tried]()
        tries: dict[int, list[Cells]] = {number: [] for number in open_}
        for some in self.rounds:
            here = [number for number in open_ if number not in said or not said[number].known]
            for number in here:
                tries[number].append(some(number, len(here)))
                needed += tries[number][-1]
            if any(store.get(cell.key) is None for number in here for cell in tries[number][-1]):
                return _Settled(needed)
            said |= {number: _tried(tries[number], store, metric) for number in here}
            open_ = _not_settled(said, open_, last=some is self.rounds[-1])
            if len(open_) == 1:
                break
        # Results never change, and whoever follows a run asks again and again.
        taken = _taken(said, open_)
        settled = _Settled(needed, taken, _as_good(said, open_, taken), said.get(taken))
        self._settled_as[str(metric)] = settled
        return settled


def standing(slots: Sequence[ExperimentSlot], store: ResultStore, metric: Metric) -> list[ExperimentSlot]:
    """Of the slots of a family at rising ε, which one stands at each of them: its own, or that of a smaller ε.

    What is promised with less ε is promised with more as well, so a way never has to do worse for having more. A
    smaller ε stands where its tries err less by more than their standard error; what is shown has no part in it.
    """
    found: list[ExperimentSlot] = []
    before: tuple[ExperimentSlot, _Tried] | None = None
    for slot in slots:
        own = slot.said(store, metric)
        if own is not None and (before is None or not _errs_less(before[1], own)):
            before = slot, own
        found.append(slot if own is None or before is None else before[0])
    return found


def _errs_less(one: _Tried, than: _Tried) -> bool:
    """Whether tries say that a setting errs less; what a formula says gives way only to what is certain."""
    if than.by_formula and not one.by_formula:
        return than.error > one.error + _CERTAIN * one.spread
    return than.error > one.error + math.hypot(one.spread, 0.0 if math.isinf(than.error) else than.spread)


def _not_settled(said: Mapping[int, _Tried], open_: Iterable[int], *, last: bool) -> list[int]:
    """The settings that may be the best one: what chance explains is no difference, and a formula tells any.

    One whose error is known stays until the `last` round: a few tries may miss all of the rare large errors of another.
    """
    # Formulas are about the same people, so of settings that have one the first of the least stands for all.
    exact = min((number for number in open_ if said[number].by_formula), key=lambda one: said[one].error, default=None)
    errors = {number: said[number] for number in open_ if number == exact or not said[number].by_formula}
    best = min(errors.values(), key=lambda one: one.error)
    near = [
        number
        for number, one in errors.items()
        if (number == exact and not last) or not one.error > _reach(one, best, certain=number == exact)
    ]
    ordered = [number for number in near if not math.isnan(errors[number].noise)]
    least = min(ordered, key=lambda number: errors[number].noise, default=None)
    return [number for number in near if number not in ordered or number == least]


def _reach(one: _Tried, best: _Tried, *, certain: bool) -> float:
    """Up to which error a setting is not told from the best, by what chance explains; a known one neither by a little.

    Many settings are tried at many places: one of them gains by luck what is neither certain nor worth a thing. Whom a
    formula is about is no matter of chance between the two: they are the people of the tries.
    """
    if certain:
        return max(_LITTLE * best.error, best.error + (0.0 if best is one else _CERTAIN * best.spread))
    return best.error + CHANCE * math.hypot(one.spread, best.spread)


def _taken(said: Mapping[int, _Tried], open_: Sequence[int]) -> int:
    """Of settings that no number of tries told apart the one whose error is known, else the first of the least."""
    if not said:
        return 0
    # A place has few tries and an axis many places: what is taken by luck at one of them is a kink in the curve.
    exact = next((number for number in open_ if said[number].by_formula), None)
    if exact is not None:
        return exact
    least = min(said[number].error for number in open_)
    return next(number for number in open_ if not said[number].error > _LITTLE * least)


def _as_good(said: Mapping[int, _Tried], open_: Iterable[int], taken: int) -> tuple[int, ...]:
    """The settings that no number of tries told from the one that is taken, and those of the same formula."""
    if taken not in said or math.isinf(said[taken].error):
        return ()
    mine, near = said[taken], set(open_)
    return tuple(
        number for number, one in said.items() if number != taken and (number in near or _same_formula(one, mine))
    )


def _same_formula(one: _Tried, other: _Tried) -> bool:
    """Whether formulas say that two settings err alike, of which only the first was kept among those left open."""
    if one.by_formula or other.by_formula:
        return one.by_formula and other.by_formula and math.isclose(one.error, other.error)
    return math.isclose(one.noise, other.noise)


def _tried(rounds: Sequence[Cells], store: ResultStore, metric: Metric) -> _Tried:
    """Result of all tries of one setting, on its worst shape; they are all there."""
    # A shape has a cell in each round.
    shapes = [[found for cell in some if (found := store.get(cell.key))] for some in zip(*rounds, strict=True)]
    every = [one for some in shapes for one in some]
    # A setting that often has no answer is no better for the few that it has.
    if any(str(metric) not in one.summaries or 2 * one.unanswered > one.repetitions for one in every):
        return _Tried(math.inf, 0.0, math.nan)
    theory, chance = _formula(shapes, str(metric))
    ordering, _ = _formula(shapes, NOISE)
    if math.isnan(ordering) and rounds[0][0].subject.question.statistic is not Statistic.HISTOGRAM:
        # However the error of a single number is measured, the formula of its size tells which is smaller.
        ordering, _ = _formula(shapes, str(Metric(Distance.ABSOLUTE)))
    if not math.isnan(theory):
        return _Tried(theory, chance, ordering, by_formula=True)
    error, spread = max(_together(some, str(metric)) for some in shapes)
    return _Tried(error, spread, ordering)


def _formula(shapes: Sequence[Sequence[CellResult]], name: str) -> tuple[float, float]:
    """Error by formula on the worst shape and the standard error of that; nan where it says nothing of one."""
    found = [_averaged([(one.repetitions, *_by_formula(one, name)) for one in some]) for some in shapes]
    return (math.nan, math.nan) if any(math.isnan(one) for one, _ in found) else max(found)


def _by_formula(result: CellResult, name: str) -> tuple[float, float]:
    return result.theory.get(name, math.nan), result.theory.get(spread_of(name), 0.0)


def _averaged(rounds: Sequence[tuple[int, float, float]]) -> tuple[float, float]:
    """The mean of several rounds, each with its number of tries, mean and standard error; and the standard error."""
    number = sum(tries for tries, _, _ in rounds)
    mean = sum(tries * one for tries, one, _ in rounds) / number
    return mean, math.sqrt(sum((tries * spread) ** 2 for tries, _, spread in rounds)) / number


def _together(results: Sequence[CellResult], metric: str) -> tuple[float, float]:
    """The mean error of several rounds of tries on one shape, and its standard error; infinite where there is none."""
    mean, spread = _averaged(
        [(one.repetitions, _error(one, metric), one.summaries[metric].error_of_mean) for one in results]
    )
    return mean, math.inf if math.isnan(spread) else spread


def worse_of(cells: Cells, store: ResultStore, metric: str, *, formula: bool = False) -> CellResult | None:
    """The worse result of the shapes, by `formula` where there is one; None while one of them is missing."""
    results = [result for cell in cells if (result := store.get(cell.key)) is not None]
    if not cells or len(results) < len(cells):
        return None
    return max(results, key=lambda one: error_of(one, metric)[0] if formula else _error(one, metric))


def error_of(result: CellResult, metric: str) -> tuple[float, float]:
    """Mean error to take, and its standard error: by formula where there is one, otherwise of the tries."""
    theory = result.theory.get(metric, math.nan)
    if math.isfinite(theory):
        return theory, result.theory.get(spread_of(metric), 0.0)
    summary = result.summaries.get(metric)
    return (math.inf, 0.0) if summary is None else (_error(result, metric), summary.error_of_mean)


def _error(result: CellResult, metric: str) -> float:
    """The mean error, infinite where there is none."""
    summary = result.summaries.get(metric)
    return math.inf if summary is None or math.isnan(summary.mean) else summary.mean


def point_of(name: str, place: float, result: CellResult, metric: str, *, formula: bool = False) -> Point:
    """A result as a point of the curve of that name; its mean error is that by `formula` where there is one."""
    nothing = math.nan  # one object, so that findings of two runs are equal where both have nothing
    summary = result.summaries.get(metric, ErrorSummary(nothing, nothing, nothing, nothing))
    problem = result.problem
    if math.isinf(summary.mean):
        problem = problem or "A true value is 0, so its error in percent has no limit."
    theory = result.theory.get(metric, nothing)
    leads = formula and math.isfinite(theory) and math.isfinite(summary.mean)
    mean, spread = error_of(result, metric) if leads else (summary.mean, summary.error_of_mean)
    ends = [result.theory.get(end_of(metric, upper=upper), nothing) for upper in (False, True)]
    known = leads and all(map(math.isfinite, ends))
    low, high = ends if known else (summary.low, summary.high)
    return Point(
        name,
        place,
        mean,
        low,
        high,
        result.repetitions,
        spread,
        result.unanswered,
        theory,
        result.epsilon,
        problem,
        tried=summary.mean if leads else nothing,
        ends_known=known,
    )
