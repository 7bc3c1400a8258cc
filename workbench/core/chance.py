"""The reach of chance: as many standard errors of a mean as 95 of 100 cases stay within."""

from __future__ import annotations

import math

from workbench.core.number_text import estimate, margin_up, rounded

CHANCE = 1.96
"""So many standard errors of a difference are explained by chance, where they are known or come from many tries."""
_FEW = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
"""So many where they are estimated from 2 to 11 tries: 95 % of Student's t."""


def chance_of(tries: int) -> float:
    """So many standard errors chance explains in 95 of 100 cases, where they are estimated from so many tries.

    Parameters
    ----------
    tries
        0 where a standard error is known; infinite of one, which says nothing of chance.

    Notes
    -----
    Student's t of one degree of freedom less: from eleven on by the series of Fisher and Cornish, to four digits.
    """
    free = tries - 1
    if free <= len(_FEW):
        return CHANCE if tries == 0 else math.inf if free == 0 else _FEW[free - 1]
    z = CHANCE
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / free + second / free**2 + third / free**3


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
    known = math.floor(math.log10(mean)) - math.floor(math.log10(moved)) + 2 if mean > 0 else 1
    fewer = min(max(known, 1), digits)
    return f"{estimate(rounded(mean, fewer), fewer)} ± {margin_up(moved)}"
