"""Exact quantiles and tails of the binomial distribution."""

from __future__ import annotations

import math

import numpy as np

_DEVIATIONS = 40.0
_RARE = 400.0
"""Together they hold all of a tail that double precision can tell from nothing, for rare events too."""


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
