"""Optimal composition: the smallest (ε, δ) of several releases of which nothing is known but their own (ε, δ).

The worst (εᵢ, δᵢ)-private mechanism fails with probability δᵢ, and else has a privacy loss of +εᵢ with probability
e^εᵢ/(1 + e^εᵢ) and of −εᵢ otherwise. Every mechanism is a post-processing of it, whatever is asked and in whatever
order, as long as all (εᵢ, δᵢ) were fixed before the first answer. With L the sum of the losses of those that do not
fail, independent of each other, the whole is (ε, δ)-private for

    δ = 1 − Π(1 − δᵢ)·(1 − T(ε)),   T(ε) = E[max(0, 1 − e^(ε − L))],

and no smaller δ holds for the worst mechanisms. T is 0 from ε = Σεᵢ on, so this is never worse than adding.

Everything is rounded to the safe side: a δ or ε from here is never below the true one.

Sources: Kairouz, Oh and Viswanath 2015 (arXiv 1311.0776), Theorems 3.3 and 3.5; Murtagh and Vadhan 2016 (arXiv
1507.03113), Theorem 1.5 for different εᵢ, and for bringing them to a grid.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.kept_results import kept_within
from workbench.core.rationals import at_least

_DIGITS = 50
_SHOWN = 12
"""Digits of an ε, which is rounded up to them."""
_MOST_SUMS = 1 << 15
"""As many different sums of losses are listed one by one; beyond that they are rounded to a grid."""
_WORK = 20_000_000
_FEWEST_STEPS, _MOST_STEPS = 20_000, 100_000
_MOST_BYTES = 8 << 20
"""Of all sums that are kept: on a grid one of them takes more than a megabyte."""
_SPLIT = 1e-15
"""More than what splitting a loss rounds away."""
_ROUNDING = 1e-12
"""More than the relative rounding error of a few operations on floats."""
_LOST = 1e-250
"""More than what probabilities too small for a float can add up to."""


def composed_delta(parts: Sequence[tuple[Fraction, Fraction]], epsilon: Fraction) -> Fraction:
    """The δ of all parts together at this ε.

    Parameters
    ----------
    parts
        (ε, δ) of each, fixed before the first of them was drawn; ε ≥ 0 and 0 ≤ δ ≤ 1.
    epsilon
        At least 0.

    Returns
    -------
    Fraction
        An upper bound; from the sum of all ε on it is 1 − Π(1 − δᵢ), so never above the sum of all δ.

    Raises
    ------
    ValueError
        If an ε or δ is impossible.
    """
    _check(parts)
    if epsilon < 0:
        raise ValueError("an ε below 0")
    kept = _kept(parts)
    gap = sum((part for part, _ in parts), Fraction(0)) - epsilon
    if gap <= 0:
        return min(1 - kept, sum((delta for _, delta in parts), Fraction(0)))
    exceeding = Fraction(_losses(_amounts(parts)).exceeding(_float_up(gap)))
    return at_least(min(1 - kept * max(1 - exceeding, Fraction(0)), Fraction(1)), _DIGITS)


def composed_epsilon(parts: Sequence[tuple[Fraction, Fraction]], delta: Fraction) -> Fraction:
    """The ε of all parts together at this δ.

    Parameters
    ----------
    parts
        As for `composed_delta`.
    delta
        At least 1 − Π(1 − δᵢ), as the sum of all δ is.

    Returns
    -------
    Fraction
        An upper bound, never above the sum of all ε.

    Raises
    ------
    ValueError
        If no ε has so small a δ, or an ε or δ is impossible.
    """
    _check(parts)
    whole = sum((part for part, _ in parts), Fraction(0))
    kept = _kept(parts)
    if delta < min(1 - kept, sum((part for _, part in parts), Fraction(0))):
        raise ValueError("a δ that no ε has")
    if delta >= 1:
        return Fraction(0)
    allowed = 1 - (1 - delta) / kept if kept else Fraction(0)
    if allowed <= 0 or whole == 0:
        return whole
    gap = Fraction(_losses(_amounts(parts)).widest_gap(_float_down(allowed)))
    left = whole - gap
    return min(at_least(left, _SHOWN), whole) if left > 0 else Fraction(0)


def is_exact(amounts: Sequence[Fraction]) -> bool:
    """Whether the sums of the losses of these ε are few enough to be listed, and nothing is rounded to a grid."""
    return math.prod(times + 1 for times in Counter(amount for amount in amounts if amount).values()) <= _MOST_SUMS


def pure_epsilon(amounts: Sequence[Fraction], delta: Fraction) -> Fraction:
    """The ε of all parts together at this δ, where none of them has a δ of its own."""
    return composed_epsilon([(amount, Fraction(0)) for amount in amounts], delta)


@dataclass(frozen=True)
class _SumOfLosses:
    """The distribution of the sum of all losses.

    Parameters
    ----------
    below
        How far each value lies below the sum of all ε, float64 of shape (values,), never too large. Only what does
        not lie below 0 is needed.
    mass
        The probability of each, of the same shape.
    error
        The largest relative error of a probability.
    """

    below: NDArray[np.float64]
    mass: NDArray[np.float64]
    error: float

    def exceeding(self, gap: float) -> float:
        """E[max(0, 1 − e^(ε − L))] at the ε that lies so far below the sum of all, from above; at most 1."""
        counts = self.below < gap
        over = -np.expm1(self.below[counts] - gap)
        return min(1.0, math.fsum((self.mass[counts] * over).tolist()) * (1 + self.error) + _LOST)

    def widest_gap(self, allowed: float) -> float:
        """How far ε can lie below the sum of all, if no more than this may exceed it, from below."""
        low, high = 0.0, float(self.below.max())
        if self.exceeding(high) <= allowed:
            return high
        for _ in range(200):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            low, high = (middle, high) if self.exceeding(middle) <= allowed else (low, middle)
        return low


def _bytes_of(found: _SumOfLosses) -> int:
    return found.below.nbytes + found.mass.nbytes


@kept_within(_MOST_BYTES, _bytes_of)
def _losses(amounts: tuple[Fraction, ...]) -> _SumOfLosses:
    """The sum of the losses of these ε, all above 0 and in order."""
    counted = Counter(amounts)
    # Each factor of a product and each addition errs by a unit in the last place, e^−x by x units more.
    error = _ROUNDING + 2.0**-52 * (4 * len(amounts) + math.fsum(map(float, amounts)))
    if is_exact(amounts):
        return _listed(counted, error)
    return _on_grid(amounts, error)


def _listed(counted: Counter[Fraction], error: float) -> _SumOfLosses:
    """Every sum on its own: of one ε that occurs m times there are m + 1."""
    below, mass = np.zeros(1), np.ones(1)
    for amount, times in counted.items():
        plus, minus = _chances(float(amount))
        one = np.ones(1)
        for _ in range(times):
            longer = np.zeros(len(one) + 1)
            longer[:-1] += plus * one
            longer[1:] += minus * one
            one = longer
        down = np.arange(times + 1) * float(2 * amount)
        below = (below[:, None] + down[None, :]).ravel()
        mass = (mass[:, None] * one[None, :]).ravel()
    return _SumOfLosses(below * (1 - error), mass, error)


def _on_grid(amounts: Sequence[Fraction], error: float) -> _SumOfLosses:
    """All losses as multiples of one step.

    A loss between two multiples is split between them so that the probabilities under both tables stay what they are,
    which only raises δ. The largest sum grows: it lies above the sum of all ε, and so counts as lying below it by less
    than nothing.
    """
    steps = min(max(_WORK // len(amounts), _FEWEST_STEPS), _MOST_STEPS)
    step = sum(amounts, Fraction(0)) / steps
    lower = [int(amount // step) for amount in amounts]
    most = sum(lower) + len(lower) + 1
    mass = np.ones(1)
    for count, amount in sorted(zip(lower, amounts, strict=True)):
        plus, minus = _chances(float(amount))
        over = float(amount / step - count)
        width = float(step)
        up, down = (math.expm1(-part * width) / math.expm1(-width) for part in (over, 1 - over))
        longer = np.zeros(min(len(mass) + 2 * count + 2, most))
        # What has come below 0 on the way to the end stays there.
        for place, chance in (
            (0, plus * (up + _SPLIT)),
            (1, plus * (1 - up + _SPLIT)),
            (2 * count + 1, minus * (down + _SPLIT)),
            (2 * count + 2, minus * (1 - down + _SPLIT)),
        ):
            added = mass[: max(len(longer) - place, 0)]
            longer[place : place + len(added)] += chance * added
        mass = longer
    below = (np.arange(len(mass)) - float(most - 1 - steps)) * float(step)
    return _SumOfLosses(below - np.abs(below) * error, mass, error)


def _chances(amount: float) -> tuple[float, float]:
    """Of a loss of +ε and of −ε."""
    small = math.exp(-amount)
    return 1 / (1 + small), small / (1 + small)


def _amounts(parts: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, ...]:
    return tuple(sorted(epsilon for epsilon, _ in parts if epsilon))


def _kept(parts: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """Π(1 − δᵢ), rounded down where there are many."""
    kept = Fraction(1)
    unit = 10**_DIGITS * 10**_DIGITS
    for _, delta in parts:
        kept *= 1 - delta
        if kept.denominator > unit * unit:
            kept = Fraction(int(kept * unit), unit)
    return kept


def _check(parts: Sequence[tuple[Fraction, Fraction]]) -> None:
    if any(epsilon < 0 or not 0 <= delta <= 1 for epsilon, delta in parts):
        raise ValueError("an impossible ε or δ")


def _float_up(value: Fraction) -> float:
    found = float(value)
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)


def _float_down(value: Fraction) -> float:
    found = float(value)
    return found if Fraction(found) <= value else math.nextafter(found, -math.inf)
