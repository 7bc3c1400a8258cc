"""Drawing one of several things by its score, with differential privacy and without rounding.

Scores are whole numbers; `rate` says how much a difference of one counts. If one person changes every score by at most
Δ, a rate of ε/(2Δ) costs ε; where one person more can only raise scores, and less only lower them, ε/Δ does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.discrete_noise import Coins
from workbench.core.randomness import RandomSource, permutation

_POINTS_AT_ONCE = 64


class Draw(StrEnum):
    """The mechanism that draws one of several. Both give the same ε; the first is never worse on average."""

    PERMUTE_AND_FLIP = "permute-and-flip"
    """Go through them in random order, take each with probability exp(−rate·(best score − its score))."""
    EXPONENTIAL = "exponential"
    """Probabilities in proportion to exp(rate·score)."""


def selection_probabilities(scores: Sequence[int], rate: float | Fraction, draw: Draw) -> NDArray[np.float64]:
    """How likely each position is to be drawn, shape (scores,). Analyst only.

    With p = exp(rate·(score − best)), the exponential mechanism draws with p/Σp. Permute-and-flip draws i
    with pᵢ·∫₀¹ Π_{j≠i}(1 − t·pⱼ) dt: i comes at time t of the random order, and all before it were refused.
    The integrand is a polynomial, so Gauss's rule is exact for up to 2,000 scores and precise beyond.
    """
    best = max(scores)
    exact = Fraction(rate)
    p = np.array([math.exp(-float(exact * (best - score))) for score in scores])
    if draw is Draw.EXPONENTIAL:
        shares: NDArray[np.float64] = p / p.sum()
        return shares
    points, weights = np.polynomial.legendre.leggauss(min(len(scores) // 2 + 1, 1000))
    times = (points + 1) / 2
    drawn = np.zeros(len(p))
    for start in range(0, len(times), _POINTS_AT_ONCE):
        few = slice(start, start + _POINTS_AT_ONCE)
        logs = np.log1p(-np.outer(times[few], p))
        drawn += weights[few] / 2 @ np.exp(logs.sum(axis=1, keepdims=True) - logs)
    return p * drawn


def draw_position(scores: Sequence[int], rate: Fraction, draw: Draw, source: RandomSource) -> int:
    """Draw the position of one score, exactly: only whole numbers are compared, nothing is rounded.

    Exponential mechanism: draw a position uniformly and accept it with probability p, until one is accepted.

    Sources: McSherry and Talwar 2007; McKenna and Sheldon 2020 (permute-and-flip).
    """
    coins = Coins(source)
    best = max(scores)
    if draw is Draw.PERMUTE_AND_FLIP:
        for position in permutation(source, len(scores)).tolist():
            if coins.exponential(rate * (best - scores[position])):
                return int(position)
    while True:
        position = coins.below(len(scores))
        if coins.exponential(rate * (best - scores[position])):
            return position
