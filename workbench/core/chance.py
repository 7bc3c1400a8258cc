"""The reach of chance: as many standard errors of a mean as 95 of 100 cases stay within."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

from workbench.core.number_text import estimate, margin_up, rounded

CHANCE = 1.96
"""So many standard errors of a difference are explained by chance, where they are known or come from many tries."""
_FEW = 10
"""Up to so many degrees of freedom Student's t is found by its law, from there on by a series."""


@cache
def chance_of(tries: int, of: int = 1) -> float:
    """So many standard errors chance explains in 95 of 100 cases, where they are estimated from so many tries.

    Parameters
    ----------
    tries
        0 where a standard error is known; infinite of one, which says nothing of chance.
    of
        Of so many differences, from which those that are shown are picked, chance explains all in 95 of 100 cases.

    Notes
    -----
    Student's t of one degree of freedom less: from eleven on by the series of Fisher and Cornish, to four digits. Of
    several differences each stays within in 100 − 5/`of` of 100 cases (Bonferroni 1936), however they depend.
    """
    free, beyond = tries - 1, 0.05 / of
    if free == 0:
        return math.inf
    if 0 < free <= _FEW:
        return _student(free, beyond)
    z = CHANCE if of == 1 else NormalDist().inv_cdf(1 - beyond / 2)
    if tries == 0:
        return z
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / free + second / free**2 + third / free**3


def reach_of_deviation(tries: int) -> tuple[float, float]:
    """Between so many σ the root mean square of so many normal numbers of mean 0 and deviation σ stays in 95 of 100.

    Notes
    -----
    The sum of their squares is χ² of as many degrees of freedom, whose cube root is as good as normal (Wilson and
    Hilferty 1931): from five tries on the ends are right to 2 %, and the lower one is a little too low.
    """
    spread = 2.0 / (9.0 * tries)
    low, high = (max(1.0 - spread + z * math.sqrt(spread), 0.0) ** 1.5 for z in (-CHANCE, CHANCE))
    return low, high


def _student(free: int, beyond: float) -> float:
    """Within so much Student's t stays but in this share of all cases.

    The share within t is a finite sum in cos(arctan(t/√free)) (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4).
    """
    low, high = 0.0, math.pi / 2
    while (middle := (low + high) / 2) not in (low, high):
        sine, square = math.sin(middle), math.cos(middle) ** 2
        odd = free % 2
        term = math.cos(middle) if odd else 1.0
        inner = 0.0
        for step in range(1 + odd, free, 2):
            inner += term
            term *= square * step / (step + 1)
        within = (middle + sine * inner) * 2 / math.pi if odd else sine * inner
        low, high = (middle, high) if within < 1 - beyond else (low, middle)
    return math.tan(high) * math.sqrt(free)


def digits_left(mean: float, moved: float, digits: int) -> int:
    """How many digits of a mean of tries chance leaves, which may have moved it so far: down to those of its margin."""
    if not (moved > 0 and math.isfinite(moved)):
        return digits
    known = math.floor(math.log10(mean)) - math.floor(math.log10(moved)) + 2 if mean > 0 else 1
    return min(max(known, 1), digits)


def told_mean(mean: float, moved: float, digits: int = 4) -> str:
    """A mean of tries with as many digits as chance leaves it, and how far that may have moved it.

    Parameters
    ----------
    moved
        How far, in 95 of 100 cases; 0 or not finite where nothing is known of that.

    >>> told_mean(10.951, 1.92), told_mean(0.10432, 0.0251), told_mean(22.6312, 0.0)
    ('11 ± 2', '0.104 ± 0.026', '22.63')
    """
    if not (moved > 0 and math.isfinite(moved)):
        return estimate(mean, digits)
    fewer = digits_left(mean, moved, digits)
    return f"{estimate(rounded(mean, fewer), fewer)} ± {margin_up(moved)}"
