"""Sampling errors: the average distance of people drawn at random from all, at most and for known answers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from workbench.ldp.sampling import sampling_error

_BY_FORMULA = 1_000_000
"""Beyond so many people rounding would be felt in the formula, and the limit is as near as anybody reads."""
_LIMIT = math.sqrt(2 / math.pi)


def most_of_a_mean(people: int, within: tuple[float, float] = (0.0, 1.0)) -> float:
    """The largest mean of |mean of those drawn − mean of all|, for values between 0 and 1.

    Parameters
    ----------
    within
        Between what the mean of all lies.

    Notes
    -----
    Of all distributions with a mean p, values that are 0 or 1 spread most in every convex sense, and so do their sums.
    Their mean deviation was found by A. de Moivre (1730); over p it is largest at j/(n + 1) within a piece from
    (j − 1)/n to j/n, and of all pieces in the middle, because (1 + 1/x)^(x + 1) falls. It is no larger than the
    standard deviation √(p·(1 − p)/n) (H. Bhatia and C. Davis 2000, for values of any kind).
    """
    low, high = within
    # Nearest to the middle; from either bound the deviation is the same.
    share = 0.5 if low <= 0.5 <= high else min(high, 1.0 - low)
    root = math.sqrt(share * (1 - share) / people)
    if people > _BY_FORMULA:
        return root * (_LIMIT * (1 + 1 / people) if share == 0.5 else 1.0)
    return min(root, _peak(people, min(math.floor(people * share) + 1, (people + 1) // 2)))


def most_misplaced(people: int, values: int) -> float:
    """The largest mean share of people that shares of those drawn put at another value than those of all.

    Notes
    -----
    Half the sum of the mean deviations of all shares. Each is at most a concave function of the share, so that equal
    shares have the largest sum; by Cauchy and Schwarz it is at most √((d − 1)/n)/2 in any case.
    """
    root = math.sqrt((values - 1) / people) / 2
    if people < 2 * values:
        return root
    if people > _BY_FORMULA:
        return root * min(1.0, _LIMIT * (1 + 10 * values / people))
    piece = people // values + 1
    return min(root, values / 2 * max(_peak(people, piece), _peak(people, piece + 1)))


def of_a_mean(people: int, deviation: float) -> float:
    """About the mean of |mean of those drawn − mean of all|, for values with this standard deviation.

    As of a normal distribution, whose mean deviation is √(2/π) of its standard deviation.
    """
    return _LIMIT * deviation / math.sqrt(people)


def misplaced(people: int, shares: Sequence[float]) -> float:
    """The mean share of people that shares of those drawn put at another value than these of all, as Collect has it."""
    return sampling_error(np.asarray(shares, dtype=np.float64), people) / 2


def _peak(n: int, j: int) -> float:
    """The largest mean deviation of a share of n people, over shares between (j − 1)/n and j/n."""
    if not 1 <= j <= n:
        return 0.0
    choose = math.lgamma(n) - math.lgamma(j) - math.lgamma(n - j + 1)
    powers = j * math.log(j) + (n + 1 - j) * math.log(n + 1 - j) - (n + 1) * math.log(n + 1)
    return 2 * math.exp(choose + powers) * (1 + 1e-7)
