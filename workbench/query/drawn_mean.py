"""Bounds of a mean whose rows chance drew, one of each person: the draw counted beside the noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from workbench.query import noise

_NOISE_OUTSIDE = 0.01
"""The chance with which the noise on one of the two sums may be larger than is reckoned with here."""
_DRAW_OUTSIDE = noise.OUTSIDE - _NOISE_OUTSIDE
_ROUNDS = 60


@dataclass(frozen=True)
class DrawnMean:
    """Between which shares of the range a mean lies, and of how many people it is at least."""

    low: float
    high: float
    people: int


def drawn_mean(above: float, below: float, steps: int, rate: Fraction) -> DrawnMean | None:
    """Between which shares of the range the mean of people's own means lies with 95 %, draw and noise together.

    Parameters
    ----------
    above, below
        Σp and Σ(s − p) with noise, of the rows that were drawn.
    steps
        s, which a row adds to both together.
    rate
        Of the noise on each.

    Returns
    -------
    DrawnMean or None
        None where the noise hides whether there is anybody.

    Notes
    -----
    Both noises are at most r with a chance of at least 99 %. Then the mean m of drawn rows is within (A ± r)/(A + B),
    and the number of people is at least n = (A + B − 2r)/s. Given who has a row that counts, each one's is drawn apart
    from the others', so that m is a mean of independent numbers between 0 and 1 whose expectations have the mean μ, the
    mean of these people's own means. Where a drawn row may have no value, these are the people whose drawn row has one,
    among whom those with many rows without a value are rare. By W. Hoeffding (1963, theorem 1) P[m ≥ x] ≤ e^(−n·D(x‖μ))
    for x ≥ μ with D(x‖μ) = x·ln(x/μ) + (1 − x)·ln((1 − x)/(1 − μ)), and the same below, so that n·D(m‖μ) ≤ ln(2/4 %)
    with a chance of at least 96 %, however the rows of each person differ.
    """
    reach = noise.half_width(rate, _NOISE_OUTSIDE / 2)
    total = above + below
    people = math.ceil((total - 2 * reach) / steps)
    if people < 1:
        return None
    # A noisy sum may be below none, and then the whole of it is beyond one of the ends.
    least, most = (min(max(one / total, 0.0), 1.0) for one in (above - reach, above + reach))
    far = math.log(2 / _DRAW_OUTSIDE) / people
    return DrawnMean(1 - _highest(1 - least, far), _highest(most, far), people)


def _highest(mean: float, far: float) -> float:
    """The largest μ ≥ m with D(m‖μ) ≤ `far`, from above."""
    low, high = mean, 1.0
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        if middle >= 1.0 or _apart(mean, middle) > far:
            high = middle
        else:
            low = middle
    return min(high, 1.0)


def _apart(mean: float, other: float) -> float:
    """D(m‖μ) of two chances, m ≤ μ < 1."""
    first = mean * math.log(mean / other) if mean > 0 else 0.0
    return first + ((1 - mean) * math.log((1 - mean) / (1 - other)) if mean < 1 else 0.0)
