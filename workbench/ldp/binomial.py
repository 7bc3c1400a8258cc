"""Exact quantiles and tails of the binomial distribution, and of the sum of two."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_DEVIATIONS = 40.0
_RARE = 400.0
"""Together they hold all of a tail that double precision can tell from nothing, for rare events too."""

_HELD, _HELD_RARE = 9.0, 40.0
"""Together they leave out less than 10⁻¹⁵ of a law."""
_BISECTIONS = 40


def upper_quantile(trials: int, probability: float, chance: float) -> int:
    """The smallest k such that more than k of `trials` succeed with at most `chance`.

    Parameters
    ----------
    trials, probability
        Of the binomial number; 0 < probability < 1.
    chance
        Above 10⁻¹⁰⁰.
    """
    mean = trials * probability
    first = math.floor(mean)
    last = min(trials, math.ceil(mean + _DEVIATIONS * math.sqrt(mean * (1 - probability)) + _RARE))
    # ln P(k + 1) − ln P(k) summed up from ln P(first).
    steps = np.arange(first, last, dtype=np.float64)
    ratios = np.log((trials - steps) / (steps + 1.0)) + math.log(probability) - math.log1p(-probability)
    start = (
        math.lgamma(trials + 1)
        - math.lgamma(first + 1)
        - math.lgamma(trials - first + 1)
        + first * math.log(probability)
        + (trials - first) * math.log1p(-probability)
    )
    chances = np.exp(start + np.concatenate([[0.0], np.cumsum(ratios)]))
    # P(more than k) for k = first … last, added from its small end.
    beyond = np.concatenate([np.cumsum(chances[::-1])[::-1][1:], [0.0]])
    return first + int(np.flatnonzero(beyond <= chance)[0])


def reach_of_two(first: tuple[int, float], second: tuple[int, float], miss: float) -> float:
    """Within how many successes of its mean the sum of two binomial numbers is, but for a chance of `miss` at most.

    Parameters
    ----------
    first, second
        Trials and the probability of a success.
    miss
        Above 10⁻¹⁰.

    Notes
    -----
    Of the law itself, convolved. A sum is a whole number and its mean seldom is, so that it depends on where the mean
    lies how many whole numbers are within a reach. Here each probability is spread evenly over ±½ of its number, and
    ½ taken off the reach at both ends: x rounded down, plus ½, is never below x − ½, so that is no more than what is
    within it. It is smooth in the mean, and where the law is nearly normal ½ more than that says.
    """
    (start, one), (other_start, other) = _law(*first), _law(*second)
    law = np.convolve(one, other)
    begin = start + other_start
    mean = first[0] * first[1] + second[0] * second[1]
    below = np.minimum(np.concatenate([[0.0], np.cumsum(law)]), 1.0)
    ends = begin - 0.5 + np.arange(len(below))
    low, high = 0.5, float(max(mean - ends[0], ends[-1] - mean)) + 0.5
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        lower, upper = np.interp([mean - middle + 0.5, mean + middle - 0.5], ends, below)
        low, high = (low, middle) if upper - lower >= 1.0 - miss else (middle, high)
    return high


def _law(trials: int, probability: float) -> tuple[int, NDArray[np.float64]]:
    """The first number of successes that has a chance worth the name, and the chances from there on."""
    if trials == 0 or not 0.0 < probability < 1.0:
        return (trials if probability >= 1.0 else 0), np.ones(1)
    mean = trials * probability
    wide = _HELD * math.sqrt(mean * (1.0 - probability)) + _HELD_RARE
    first, last = max(0, math.floor(mean - wide)), min(trials, math.ceil(mean + wide))
    steps = np.arange(first, last, dtype=np.float64)
    ratios = np.log((trials - steps) / (steps + 1.0)) + math.log(probability) - math.log1p(-probability)
    logs = np.concatenate([[0.0], np.cumsum(ratios)])
    chances = np.exp(logs - logs.max())
    return first, chances / chances.sum()
