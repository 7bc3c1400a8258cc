"""The (ε, δ) guarantee of trimming, in one step or several, and the calculator that solves for what is open.

A step trims the groups of one level vector with its own (ε, δ), which is a share of the whole. For every outcome of the
earlier steps, what is left to a step changes by at most the rows of one person, so steps compose: by adding, or by the
optimal composition where that lets groups give up fewer rows.

Source of the composition: Kairouz, Oh and Viswanath 2015, in `workbench.core.optimal_composition`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from workbench.anonymise._trim_solving import rows_needed, smallest
from workbench.anonymise.trim_recipe import MOST_STEPS
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.core.optimal_composition import composed_delta
from workbench.core.promised_ranges import (
    MAX_EPSILON,
    MIN_DELTA,
    MIN_EPSILON,
    checked_delta,
    checked_epsilon,
    checked_rows,
)
from workbench.core.rationals import rational
from workbench.core.trim_law import TrimLaw, trim_law

ONE_STEP = (Fraction(1),)
_DIGITS = 12
_SOLVED_DIGITS = 6
_PARTS_OF_DELTA = (Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4))
_MOST_GAIN = 4000
_HALF = 0.5
_LARGEST_GROUP = 40_000
"""A law has about twice as many weights as the group has rows that it lets survive half of the time."""


@dataclass(frozen=True)
class StepBudget:
    """The budget of one step, as decimals of at most 12 digits, which a file keeps as they are.

    Parameters
    ----------
    epsilon, delta
        Of a person.
    """

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True)
class TrimGuarantee:
    """A true (ε, δ) promise for one trimmed release, and what its steps spend.

    A guarantee that does not hold cannot be built: the constructor composes the steps and makes their laws, which are
    checked in whole numbers.

    Parameters
    ----------
    epsilon
        ε of a person, in (0, 10].
    delta
        δ of a person, in (0, 1).
    rows_per_person
        The most rows one person may have in the table: public, never measured.
    floor
        Groups of which fewer rows would be released are not released; this costs nothing.
    shares
        What each step has of ε and of δ, the finest first; their sum is 1.

    Raises
    ------
    WorkbenchError
        If a number is out of range, or groups would have to give up too many rows.
    """

    epsilon: float
    delta: float
    rows_per_person: int = 1
    floor: int = 1
    shares: tuple[Fraction, ...] = ONE_STEP

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon))
        object.__setattr__(self, "delta", checked_delta(self.delta))
        object.__setattr__(self, "rows_per_person", checked_rows(self.rows_per_person))
        object.__setattr__(self, "floor", checked_floor(self.floor))
        object.__setattr__(self, "shares", checked_shares(self.shares))
        parts = [(step.epsilon, step.delta) for step in self.steps]
        if len(self.laws) != len(self.shares) or not _holds(parts, rational(self.epsilon), rational(self.delta)):
            raise WorkbenchError(
                "The steps together cost more than they may.", hint="Give fewer steps.", field="shares"
            )

    @cached_property
    def steps(self) -> tuple[StepBudget, ...]:
        """Budgets of the steps; composed they cost at most (ε, δ)."""
        return step_budgets(rational(self.epsilon), rational(self.delta), self.shares, self.rows_per_person)

    @cached_property
    def laws(self) -> tuple[TrimLaw, ...]:
        """How many rows a group gives up, at each step."""
        return tuple(trim_law(step.epsilon, step.delta, self.rows_per_person) for step in self.steps)

    @property
    def half_survive(self) -> int:
        """The smallest group of the finest step that is released at least as often as not, in rows of the table."""
        return self.laws[0].half_survive + self.floor - 1

    @property
    def always_survive(self) -> int:
        """The smallest group of the finest step that is always released, in rows of the table."""
        return self.laws[0].always_survive + self.floor - 1

    @property
    def smallest_class(self) -> float:
        """About how many rows a group of the finest step needs to survive: as often as not."""
        return float(self.half_survive)

    @property
    def mean_lost(self) -> float:
        """The rows that a group of the finest step gives up on average, if it has that many."""
        return self.laws[0].mean_lost

    @property
    def sd(self) -> float:
        """The standard deviation of the rows that a group of the finest step gives up."""
        return self.laws[0].sd

    def keep(self, rows: int) -> float:
        """The probability that a group of so many rows is released at the finest step."""
        return self.laws[0].keep(max(0, rows - self.floor + 1))

    def keep_somewhere(self, rows: int) -> float:
        """The probability that something of a group of so many rows is released at some step.

        This is for a group that has no company at any step: 1 − Π P[Z ≥ rows]. With company it is more likely.
        """
        return 1.0 - math.prod(1.0 - law.keep(max(0, rows - self.floor + 1)) for law in self.laws)

    @cached_property
    def half_somewhere(self) -> int:
        """The smallest group that is released at some step at least as often as not, in rows of the table."""
        low, high = 0, min(law.half_survive for law in self.laws) + self.floor - 1
        while high - low > 1:
            middle = (low + high) // 2
            if self.keep_somewhere(middle) >= _HALF:
                high = middle
            else:
                low = middle
        return high

    @property
    def always_somewhere(self) -> int:
        """The smallest group that is always released at some step, in rows of the table."""
        return min(law.always_survive for law in self.laws) + self.floor - 1

    @property
    def survival(self) -> str:
        """How many rows a group needs, in a sentence."""
        if len(self.laws) == 1:
            return (
                f"A group of {self.half_survive:,} rows that take part survives half of the time, one of "
                f"{self.always_survive:,} always."
            )
        return (
            f"A group of {self.half_somewhere:,} rows that take part is released at some level half of the time, one "
            f"of {self.always_somewhere:,} always; at the finest level that takes {self.half_survive:,} and "
            f"{self.always_survive:,}."
        )


@lru_cache(maxsize=256)
def step_budgets(
    epsilon: Fraction, delta: Fraction, shares: tuple[Fraction, ...], rows_per_person: int = 1
) -> tuple[StepBudget, ...]:
    """Budgets of the steps, so that all together cost at most (ε, δ).

    By adding, a step spends its share of ε and of δ. The optimal composition allows each ε to be larger if each δ is
    smaller; this is done where the finest groups then give up fewer rows, which at a usual δ they do not.

    Raises
    ------
    WorkbenchError
        If a step would spend too little, or groups would have to give up too many rows.
    """
    if len(shares) == 1:
        return (StepBudget(epsilon, delta),)
    offers = [_by_shares(epsilon, delta, shares)]
    for part in _PARTS_OF_DELTA:
        gain = _largest_gain(epsilon, delta, shares, part)
        if gain > 1:
            offers.append(_by_shares(epsilon * gain, delta * part, shares))

    def lost(offer: tuple[StepBudget, ...]) -> tuple[int, float]:
        law = trim_law(offer[0].epsilon, offer[0].delta, rows_per_person)
        return law.half_survive, law.mean_lost

    return min(offers, key=lost) if len(offers) > 1 else offers[0]


def _by_shares(epsilon: Fraction, delta: Fraction, shares: Sequence[Fraction]) -> tuple[StepBudget, ...]:
    return tuple(StepBudget(_at_most(epsilon * share), _at_most(delta * share)) for share in shares)


def _largest_gain(epsilon: Fraction, delta: Fraction, shares: Sequence[Fraction], part: Fraction) -> Fraction:
    """By which thousandths every ε may grow if every δ shrinks to this part of its share."""

    def fits(gain: int) -> bool:
        grown = epsilon * Fraction(gain, 1000)
        parts = [(grown * share, delta * part * share) for share in shares]
        return max(one for one, _ in parts) <= MAX_EPSILON and _holds(parts, epsilon, delta)

    low, high = 1000, _MOST_GAIN
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return Fraction(low, 1000)


def _holds(parts: Sequence[tuple[Fraction, Fraction]], epsilon: Fraction, delta: Fraction) -> bool:
    """Whether steps that spend this cost at most (ε, δ) together."""
    added = sum(one for one, _ in parts) <= epsilon and sum(one for _, one in parts) <= delta
    return added or composed_delta(parts, epsilon) <= delta


def solve_trim(
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    half_survive: int | None = None,
    always_survive: int | None = None,
    rows_per_person: int = 1,
    floor: int = 1,
    shares: tuple[Fraction, ...] = ONE_STEP,
) -> TrimGuarantee:
    """Compute whichever one of ε, δ and the smallest group that survives is missing.

    Parameters
    ----------
    epsilon, delta
        Of a person.
    half_survive, always_survive
        Rows of the table that a group of the finest step needs to be released half of the time, or always. At most
        one of the two is given.
    rows_per_person, floor, shares
        As in `TrimGuarantee`.

    Returns
    -------
    TrimGuarantee
        With the smallest ε or δ, rounded up to six digits, with which groups of that size survive so.

    Raises
    ------
    WorkbenchError
        If too few or too many numbers are given, one is out of range, or nothing satisfies them; `field` names the
        parameter to change.
    """
    wanted = _wanted(half_survive, always_survive)
    given = {"epsilon": epsilon, "delta": delta, "group": wanted}
    missing = [name for name, value in given.items() if value is None]
    if len(missing) != 1:
        raise WorkbenchError(
            "ε, δ and the group that survives are all given, so there is nothing left to compute."
            if not missing
            else "Too many numbers are open: two of ε, δ and the group that survives are needed.",
            hint="Leave one of the three open.",
            field=missing[0] if missing else "epsilon",
        )
    if wanted is None:
        assert epsilon is not None
        assert delta is not None
        return TrimGuarantee(epsilon, delta, rows_per_person, floor, shares)
    rows, share, needed = checked_rows(rows_per_person), float(checked_shares(shares)[0]), wanted - checked_floor(floor)
    always = always_survive is not None
    # So often must the whole hold the least that a step can spend, with room for rounding.
    fewest = float(1 / min(shares)) * (1 + 1e-9)
    if needed < 0:
        raise WorkbenchError(
            f"A group of {wanted:,} rows never survives a floor of {floor:,}.",
            hint="Choose a larger group or a lower floor.",
            field="floor",
        )

    def survives(step_epsilon: float, step_delta: float) -> bool:
        return rows_needed(step_epsilon, step_delta, rows)[always] <= needed + 1

    if epsilon is None:
        assert delta is not None
        fixed, low, most = checked_delta(delta), MIN_EPSILON * fewest, MAX_EPSILON
        least = smallest(low * share, most * share, lambda open_epsilon: survives(open_epsilon, fixed * share))
        said = f"δ = {estimate(fixed, 3)}, no ε up to {estimate(most)}"
    else:
        fixed, low, most = checked_epsilon(epsilon), MIN_DELTA * fewest, math.nextafter(1.0, 0.0)
        least = smallest(low * share, most * share, lambda open_delta: survives(fixed * share, open_delta))
        said = f"ε = {estimate(fixed, 6)}, no δ below 1"
    if least is not None:
        # The law itself has the last word, in case that rounding was on the wrong side.
        for whole in _six_digits(least / share, low, most):
            found = TrimGuarantee(*((whole, fixed) if epsilon is None else (fixed, whole)), rows, floor, shares)
            if (found.always_survive if always else found.half_survive) <= wanted:
                return found
    raise WorkbenchError(
        f"With {said} lets a group of {wanted:,} {'row' if wanted == 1 else 'rows'} survive "
        f"{'always' if always else 'half of the time'}.",
        hint="Choose a larger group, or give more to what is fixed.",
        field="group",
    )


def normal_shares(typed: Sequence[float | Fraction]) -> tuple[Fraction, ...]:
    """Shares whose sum is 1 from numbers such as 5, 3, 2.

    Raises
    ------
    WorkbenchError
        If there are none or too many, or one is not above 0.
    """
    parts = [rational(part, "shares") for part in typed]
    whole = sum(parts, Fraction(0))
    if whole <= 0:
        raise _wrong_shares()
    return checked_shares(tuple(part / whole for part in parts))


def checked_shares(shares: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Shares of 1 to 6 steps whose sum is 1."""
    if not 1 <= len(shares) <= MOST_STEPS or min(shares) <= 0 or sum(shares) != 1:
        raise _wrong_shares()
    return tuple(Fraction(share) for share in shares)


def checked_floor(floor: object) -> int:
    """The floor as a whole number from 1."""
    if isinstance(floor, int) and not isinstance(floor, bool) and floor >= 1:
        return floor
    raise WorkbenchError(
        f"The floor must be a whole number from 1, not {floor}.", hint="1 releases every group.", field="floor"
    )


def _wanted(half: int | None, always: int | None) -> int | None:
    if half is not None and always is not None:
        raise WorkbenchError(
            "A group that survives half of the time and one that always does are both given.",
            hint="Give one of the two.",
            field="always",
        )
    wanted = half if half is not None else always
    if wanted is not None and (isinstance(wanted, bool) or not 1 <= wanted <= _LARGEST_GROUP):
        raise WorkbenchError(
            f"The group that survives must have 1 to {_LARGEST_GROUP:,} rows, not {wanted:,}.",
            hint="Give the smallest group that matters, such as 20.",
            field="group",
        )
    return wanted


def _six_digits(value: float, low: float, high: float) -> list[float]:
    """Numbers of six digits about a value, rising: the one below it first."""
    unit = Fraction(10) ** (math.floor(math.log10(value)) - _SOLVED_DIGITS + 1)
    below = rational(value) // unit * unit
    return [min(max(float(below + steps * unit), low), high) for steps in (0, 1, 2, 10)]


def _at_most(value: Fraction) -> Fraction:
    """A positive number rounded down to at most 12 significant digits."""
    power = (value.numerator.bit_length() - value.denominator.bit_length()) * 30103 // 100000
    unit = Fraction(10) ** (power - _DIGITS + 2)
    return value // unit * unit


def _wrong_shares() -> WorkbenchError:
    return WorkbenchError(
        f"Shares are 1 to {MOST_STEPS} numbers above 0.", hint="Write one per step, such as 5,3,2.", field="shares"
    )
