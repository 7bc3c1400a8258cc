"""Exact quantiles and tails of the binomial distribution, and of the sum of two."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_DEVIATIONS = 40.0
_RARE = 400.0
"""Together they hold all of a tail that double precision can tell from nothing, for rare events too."""

_HELD, _HELD_RARE = 9.0, 40.0
"""Together they leave out less than 10⁻¹⁵ of a law."""
_BISECTIONS = 40

_BY_LAW = 200.0
"""Up to so many standard deviations the law itself is worked out."""
_ROUNDING = 1e-9
"""More than the chances of a law are off by."""


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


def first_of_two(successes: int, trials: int, chances: tuple[float, float], miss: float) -> tuple[int, int]:
    """Between how many of `trials` have the first chance of a success, from how many succeeded; others have the second.

    Parameters
    ----------
    successes
        Of all trials together.
    chances
        Of the first kind and of the other; the first is larger.
    miss
        Whatever the number is, these ends do not hold it with this chance at most.

    Notes
    -----
    C. J. Clopper and E. S. Pearson (Biometrika 1934), of the sum of two binomial numbers: each end leaves out what
    makes as many successes, or as few, rarer than `miss` ÷ 2. The more trials are of the first kind the more succeed,
    so what is left out has no gaps.
    """
    p, q = chances
    middle = min(max(round((successes - trials * q) / (p - q)), 0), trials)

    def above(first: int) -> bool:
        """Whether so many successes or more are not too rare."""
        below, unsure = chance_of_at_most(successes - 1, (first, p), (trials - first, q))
        return 1.0 - below + unsure > miss / 2

    def under(first: int) -> bool:
        below, unsure = chance_of_at_most(successes, (first, p), (trials - first, q))
        return below + unsure > miss / 2

    spread = math.sqrt(trials * max(p * (1.0 - p), q * (1.0 - q))) / (p - q)
    step = max(round(spread), 1)
    least = _first_kept(above, middle, trials, step)
    return least, trials - _first_kept(lambda left: under(trials - left), trials - middle, trials, step)


def share_held(successes: int, trials: int, miss: float) -> tuple[float, float]:
    """Between which the mean chance of a success lies, of trials that may each have their own; as of `first_of_two`.

    Notes
    -----
    Trials of one and the same chance spread most: with their mean at s − 1 at most, no others succeed s times or more
    as often (W. Hoeffding, Annals of Mathematical Statistics 1956), and the ends are farther off than that; of a single
    success it is not more often than the mean says.
    """
    return _share_above(successes, trials, miss), 1.0 - _share_above(trials - successes, trials, miss)


def _share_above(successes: int, trials: int, miss: float) -> float:
    """The smallest share with which so many successes are not too rare, rounded down."""
    if successes <= 1:
        return successes * miss / 2 / trials
    low, high = 0.0, successes / trials
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        below, unsure = chance_of_at_most(successes - 1, (trials, middle), (0, middle))
        low, high = (low, middle) if 1.0 - below + unsure > miss / 2 else (middle, high)
    return low


def _first_kept(kept: Callable[[int], bool], start: int, most: int, step: int) -> int:
    """The smallest number from 0 to `most` that is kept, as all above it are; from `start`, which is near it."""
    low, high, at = -1, most, max(start - 2 * step, 0)
    while low < at < high:
        low, high, at = (low, at, at - step) if kept(at) else (at, high, at + step)
        step *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return high


def chance_of_at_most(successes: int, first: tuple[int, float], second: tuple[int, float]) -> tuple[float, float]:
    """The chance that no more succeed of two kinds of trials, and by how much that may be off.

    By the law itself up to 200 standard deviations; from there on by the normal distribution with what a law that leans
    to one side adds to it (F. Y. Edgeworth 1905), which is off by less than a fifth of 1 ÷ variance; a half is allowed.
    """
    mean = first[0] * first[1] + second[0] * second[1]
    each = [trials * chance * (1.0 - chance) for trials, chance in (first, second)]
    variance = sum(each)
    if variance < _BY_LAW**2:
        (start, one), (other_start, other) = _law(*first), _law(*second)
        below = np.concatenate([[0.0], np.cumsum(other)])
        places = successes - start - other_start + 1 - np.arange(len(one))
        return min(float(one @ below[np.clip(places, 0, len(other))]), 1.0), _ROUNDING
    deviation = math.sqrt(variance)
    leans = sum(one * (1.0 - 2.0 * chance) for one, (_, chance) in zip(each, (first, second), strict=True))
    at = (successes + 0.5 - mean) / deviation
    bell = math.exp(-at * at / 2.0) / math.sqrt(2.0 * math.pi)
    found = math.erfc(-at / math.sqrt(2.0)) / 2.0 + leans / deviation**3 * (1.0 - at * at) * bell / 6.0
    return min(max(found, 0.0), 1.0), 0.5 / variance
