"""A Rényi filter: releases whose settings may be chosen after seeing answers, within a budget of (ε, δ).

Its order a is fixed when the budget is set. Each release has a Rényi divergence of this order, apart from outputs that
are set aside; divergences add up, and so do the probabilities of what is set aside, whatever is chosen after whatever
answers, as long as neither sum ever goes beyond its limit. Half of δ is the limit of what is set aside; the other half,
δ′, goes into the limit for divergences,

    ε − ln(1 − 1/a) + (ln δ′ + ln a)/(a − 1).

Sources: Feldman and Zrnic, "Individual privacy accounting via a Rényi filter" (NeurIPS 2021); Whitehouse, Ramdas,
Rogers and Wu, "Fully-adaptive composition in differential privacy" (ICML 2023), for what is set aside; Canonne, Kamath
and Steinke 2020 (arXiv 2004.00010), Proposition 12, for the conversion.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from workbench.core.loss_distributions import LossPair, float_down, float_up, worst_pair

_ROUNDING = 1e-9
_SMALLEST, _LARGEST = 1.01, 2000.0
_FAR = 100.0


@dataclass(frozen=True)
class FilterSpending:
    """The spending that counts in a filter.

    Parameters
    ----------
    divergence
        The Rényi divergence, never below the true one.
    aside
        The probability of what is set aside.
    """

    divergence: float
    aside: Fraction

    def within(self, limit: FilterSpending) -> bool:
        """Whether it fits."""
        return self.divergence <= limit.divergence and self.aside <= limit.aside

    def leaves(self, limit: FilterSpending) -> FilterSpending:
        """Remainder of a limit after this is spent, at least nothing."""
        left = (limit.divergence - self.divergence) * (1 - _ROUNDING)
        return FilterSpending(max(left, 0.0), max(limit.aside - self.aside, Fraction(0)))

    @classmethod
    def of(cls, pairs: Iterable[tuple[LossPair, Fraction]], order: float) -> FilterSpending:
        """The sum of pairs, each with the probability that may be set aside of it: its own δ."""
        divergence, aside = [], Fraction(0)
        for pair, sparing in pairs:
            both = [pair.adding] if pair.is_symmetric else [pair.adding, pair.removing]
            found = [one.renyi(order, float_down(sparing)) for one in both]
            divergence.append(max(one for one, _ in found))
            # What is infinite in the worst case is the δ itself, whatever it is as a float.
            aside += sparing if max(one for _, one in found) <= float_up(sparing) else Fraction(1)
        return cls(math.fsum(divergence) * (1 + _ROUNDING), aside)


def filter_limit(epsilon: Fraction, delta: Fraction, order: float) -> FilterSpending:
    """How much fits into a budget, from below.

    Raises
    ------
    ValueError
        If the order is not above 1, or the budget is too small for any divergence of this order.
    """
    if not (1 < order < math.inf and delta > 0):
        raise ValueError("no filter of this order")
    half = delta / 2
    limit = float_down(epsilon) - math.log1p(-1 / order) + (math.log(float_down(half)) + math.log(order)) / (order - 1)
    limit -= _ROUNDING * (1 + abs(limit))
    if limit <= 0:
        raise ValueError("the budget is too small")
    return FilterSpending(limit, half)


def suitable_order(epsilon: Fraction, delta: Fraction) -> float:
    """The order, of two significant digits, at which most small releases fit into a budget.

    Those of a small ε have about a divergence in proportion to the order.

    Raises
    ------
    ValueError
        If the budget is too small for every order.
    """
    best, order = 0.0, 0.0
    for candidate in sorted(
        {
            float(np.format_float_positional(one, 2, fractional=False))
            for one in np.geomspace(_SMALLEST, _LARGEST, 400).tolist()
        }
    ):
        if candidate <= 1:
            continue
        try:
            worth = filter_limit(epsilon, delta, candidate).divergence / candidate
        except ValueError:
            continue
        if worth > best:
            best, order = worth, candidate
    if not order:
        raise ValueError("the budget is too small")
    return order


def largest_epsilon(limit: FilterSpending, order: float) -> Fraction:
    """The largest ε, from below, of something of which nothing else is known that fits."""
    low, high = 0.0, _FAR
    for _ in range(60):
        middle = (low + high) / 2
        pair = worst_pair(Fraction(middle), Fraction(0))
        fits = pair.adding.renyi(order, 0.0)[0] * (1 + _ROUNDING) <= limit.divergence
        low, high = (middle, high) if fits else (low, middle)
    return Fraction(low) if low > 1e-9 else Fraction(0)
