"""The law of trimming, computed again from ε, δ and the rows per person alone, and several steps composed.

It shares no code with what draws: other arithmetic (whole numbers of a power of ten), other rounding, and its own check
that one row more or less is covered. What a note states about a law is compared with this one.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise, product
from typing import TypeGuard

from workbench.core.errors import WorkbenchError
from workbench.core.kept_results import kept_within

MOST_LOST = 100_000
"""The most rows a group may have to give up, as the program draws it."""
MOST_EPSILON = 10
_LEAST_EPSILON, _LEAST_DELTA, _MOST_ROWS = Fraction(1, 2 * 10**9), Fraction(1, 2 * 10**300), 1_000_000
"""Half of what the program takes at least, and the most rows a person may have: beyond, counting has no end."""
_DIGITS = 90
"""Digits of a weight that matter, beyond those that δ itself takes."""
_UNITS = 10**12
"""More units than rounding down so many weights can cost, each less than e^10."""
_MOST_BYTES = 16 << 20
"""Of the laws that are kept, since one may take more than all that a short note needs together."""
_BEYOND = 1 / 40
_NEAR = 1e-9
"""How far numbers that are stated may be from those computed here, relatively."""


@dataclass(frozen=True)
class RecomputedTrimming:
    """P[Z = z] = weights[z] / Σ weights: how many rows Z a group gives up.

    Parameters
    ----------
    weights
        Whole numbers, for z = 0, 1, …
    doubtful_end
        Whether the last weight may as well be two, by the rounding of whoever computes them.
    """

    weights: tuple[int, ...]
    doubtful_end: bool

    @cached_property
    def _total(self) -> int:
        return sum(self.weights)

    @cached_property
    def _below(self) -> tuple[int, ...]:
        """P[Z < n]·total for n = 0, 1, …"""
        return tuple(accumulate(self.weights, initial=0))

    def kept(self, rows: int) -> float:
        """The probability that something is released of a group of so many rows, P[Z < rows]."""
        return self._below[min(max(rows, 0), len(self.weights))] / self._total

    @cached_property
    def mean_lost(self) -> float:
        """E[Z], in rows."""
        return sum(z * weight for z, weight in enumerate(self.weights)) / self._total

    @cached_property
    def sd(self) -> float:
        """The standard deviation of Z, in rows."""
        squares = Fraction(sum(z * z * weight for z, weight in enumerate(self.weights)), self._total)
        mean = Fraction(sum(z * weight for z, weight in enumerate(self.weights)), self._total)
        return math.sqrt(squares - mean * mean)

    def mostly_lost(self, stated: object) -> bool:
        """Whether these are the ends between which Z is in 19 of 20 groups: at most 1 in 40 is beyond either."""
        if not (isinstance(stated, list) and len(stated) == 2 and all(map(_is_number, stated))):
            return False
        low, high = stated
        if not 0 <= low <= high < len(self.weights) + 1:
            return False
        fits = self.kept(low) <= _BEYOND + _NEAR and 1 - self.kept(high + 1) <= _BEYOND + _NEAR
        return fits and self.kept(low + 1) > _BEYOND - _NEAR and (1 - self.kept(high) > _BEYOND - _NEAR or not high)

    def half_survives(self, rows: object) -> bool:
        """Whether that is the smallest group that survives at least as often as not."""
        if not _is_number(rows) or not 1 <= rows <= len(self.weights) + 1:
            return False
        return self.kept(rows) >= 0.5 - _NEAR and self.kept(rows - 1) < 0.5 + _NEAR

    def always_survives(self, rows: object) -> bool:
        """Whether that is the smallest group that always survives."""
        return _is_number(rows) and rows in (len(self.weights), len(self.weights) + self.doubtful_end)

    def is_mean(self, stated: object) -> bool:
        """Whether that is E[Z]."""
        return near(stated, self.mean_lost)

    def is_sd(self, stated: object) -> bool:
        """Whether that is the standard deviation of Z."""
        return near(stated, self.sd)

    def is_kept(self, rows: object, stated: object) -> bool:
        """Whether that is the probability that something of a group of so many rows is released."""
        return _is_number(rows) and rows >= 0 and near(stated, self.kept(rows)) and 0 <= stated <= 1


def near(stated: object, given: float) -> TypeGuard[float]:
    """Whether a stated number is the one computed here, but for rounding."""
    if isinstance(stated, bool) or not isinstance(stated, (int, float)) or not math.isfinite(stated):
        return False
    return abs(stated - given) <= _NEAR * abs(given)


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _bytes_of(law: RecomputedTrimming) -> int:
    return len(law.weights) * 2 * (sys.getsizeof(law.weights[-1]) + 8)


@kept_within(_MOST_BYTES, _bytes_of)
def recomputed_trimming(epsilon: Fraction, delta: Fraction, rows_per_person: int) -> RecomputedTrimming:
    """The law by which groups are trimmed, so that a person with at most so many rows has (ε, δ).

    π(0) = 0 and π(n + 1) = min(E·π(n) + δ₀, 1 − (1 − π(n) − δ₀)/E, 1) is the largest probability with which a group of
    n + 1 rows can be kept, with E = e^(ε/c) and δ₀ = δ·(E − 1)/(e^ε − 1); P[Z < n] = π(n).

    Raises
    ------
    WorkbenchError
        If there is no such law.

    Source: Desfontaines, Voss, Gipson and Mandayam, Differentially private partition selection, PoPETs 2022(1).
    """
    within = _LEAST_EPSILON <= epsilon <= MOST_EPSILON and _LEAST_DELTA <= delta < 1
    if not (within and 1 <= rows_per_person <= _MOST_ROWS):
        raise WorkbenchError(
            f"Nothing is trimmed with ε = {epsilon}, δ = {delta} and {rows_per_person} rows per person.",
            hint="ε is 1e-9 to 10, δ 1e-300 to 1, and a person has 1 to 1,000,000 rows.",
            field="statement",
        )
    # π(n) is at most δ·(E^n − 1)/(e^ε − 1), so what certainly gets too long is not worked out.
    if rows_per_person / epsilon * math.log1p(math.expm1(epsilon) / delta) > MOST_LOST * 1.001:
        raise _too_long()
    digits = _DIGITS + _places(delta) + _places(epsilon) + 2 * len(str(rows_per_person))
    unit = 10**digits
    with localcontext(prec=digits + 30, rounding=ROUND_FLOOR):
        whole = Decimal(epsilon.numerator) / Decimal(epsilon.denominator)
        growth = int((whole / rows_per_person).exp() * unit) - 1
        most = int(whole.exp() * unit) + 2
    share = delta if rows_per_person == 1 else delta * Fraction(growth - unit, most - unit)
    allowed = int(share * unit) - _UNITS
    weights, doubtful = _weights(growth, unit, allowed)
    if not _covered(weights, growth, unit, share):
        raise WorkbenchError(
            "The law of trimming that was computed again does not keep its ε and δ.",
            hint="Please report this: the program is at fault.",
            field="statement",
        )
    return RecomputedTrimming(weights, doubtful)


def _places(value: Fraction) -> int:
    """At least as many decimal places as stand before the first digit of a number that is not 0."""
    return max(0, len(str(value.denominator)) - len(str(value.numerator)) + 1)


def _weights(growth: int, unit: int, allowed: int) -> tuple[tuple[int, ...], bool]:
    weights: list[int] = []
    below, rest, doubtful = 0, unit, False
    while rest:
        if len(weights) == MOST_LOST:
            raise _too_long()
        one_more = (growth * below) // unit + allowed - below
        one_less = rest - -(-(rest - allowed) * unit // growth)
        most = min(one_more, one_less)
        if rest <= most:
            doubtful = (most - rest) * 10**30 < most
        weight = min(most, rest)
        weights.append(weight)
        below, rest = below + weight, rest - weight
    return tuple(weights), doubtful


def _too_long() -> WorkbenchError:
    return WorkbenchError(
        f"Groups would give up more than {MOST_LOST:,} rows, and the program trims none by so many.",
        hint="A statement of this program has a larger ε or δ.",
        field="statement",
    )


def _covered(weights: Sequence[int], growth: int, unit: int, share: Fraction) -> bool:
    """Whether a row more, and a row less, in a group costs at most (ln E, δ₀), in whole numbers.

    Σ max(0, w(z) − E·w(z − 1)) and Σ max(0, w(z) − E·w(z + 1)) are at most δ₀·Σw, where w is 0 outside.
    """
    padded = (0, *weights, 0)
    more = sum(max(0, here * unit - growth * before) for before, here in pairwise(padded))
    less = sum(max(0, here * unit - growth * after) for here, after in pairwise(padded))
    most = share * sum(weights) * unit
    return more <= most and less <= most


def composed(parts: Iterable[tuple[Fraction, Fraction]], epsilon: Fraction) -> Fraction:
    """δ of several steps together at this ε, never below the true one; each is (ε, δ)-private, given those before.

    δ = 1 − Π(1 − δᵢ)·(1 − Σ_S max(0, e^Σ_S − e^(ε + Σ_rest)) / Π(1 + e^εᵢ)), over all subsets S of the steps.

    Source: Kairouz, Oh and Viswanath 2015; for different εᵢ Murtagh and Vadhan 2016, Theorem 1.5.
    """
    steps = list(parts)
    added = sum((delta for _, delta in steps), Fraction(0))
    if sum((one for one, _ in steps), Fraction(0)) <= epsilon:
        return min(added, Fraction(1))
    digits = 60 + sum(_places(delta) for _, delta in steps)
    with localcontext(prec=digits, rounding=ROUND_HALF_EVEN):
        amounts = [Decimal(one.numerator) / Decimal(one.denominator) for one, _ in steps]
        wanted = (Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
        over = Decimal(0)
        for chosen in product((True, False), repeat=len(amounts)):
            inside = sum((x for x, yes in zip(amounts, chosen, strict=True) if yes), Decimal(0)).exp()
            outside = sum((x for x, yes in zip(amounts, chosen, strict=True) if not yes), Decimal(0)).exp()
            over += max(Decimal(0), inside - wanted * outside)
        for one in amounts:
            over /= 1 + one.exp()
        # Each operation above is off by less than one in so many digits.
        dust = Decimal(10) ** (20 - digits)
        failing = Fraction(min(Decimal(1), over * (1 + dust) + dust))
    sound = math.prod((1 - delta for _, delta in steps), start=Fraction(1))
    return 1 - sound * (1 - failing)
