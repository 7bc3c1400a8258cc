"""Binomial probabilities as logarithms that are never below the true ones, whatever they are."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_ULP = 2.0**-53
_SMALL = 16
_REST_SMALL = np.array(
    [0.0] + [math.log(math.factorial(x)) - x * math.log(x) + x for x in range(1, _SMALL + 1)],
    dtype=np.float64,
)

Floats = NDArray[np.float64]


def log_probabilities(n: Floats, j: Floats, beta: float | Floats) -> Floats:
    """ln P[Bin(n, β) = j] plus a bound on its own rounding error; arrays of one shape, 0 ≤ j ≤ n, n ≥ 1.

    ln P = R(n) − R(j) − R(n−j) − j·ln(j/(nβ)) − (n−j)·ln((n−j)/(n(1−β))) with R(x) = ln x! − x·ln x + x,
    after C. Loader, "Fast and accurate computation of binomial probabilities" (2000).
    """
    missed = n - j
    mean, mean_missed = n * beta, n * (1 - beta)
    excess = j - mean
    won = j * _log_ratio(j, mean, excess)
    lost = missed * _log_ratio(missed, mean_missed, -excess)
    error = _ULP * (16 * (np.abs(won) + np.abs(lost) + np.abs(excess) + j) + 128)
    result: Floats = _rest(n) - _rest(j) - _rest(missed) - won - lost + error
    return result


def _log_ratio(part: Floats, mean: Floats, excess: Floats) -> Floats:
    """ln(part/mean), by log1p(excess/mean) where both are close; 0 for part = 0, where it counts 0 times."""
    ratio = np.where(part > 0, part / mean, 1.0)
    near = np.abs(ratio - 1) < 0.5
    relative = np.where(near & (part > 0), excess / mean, 0.0)
    result: Floats = np.where(near, np.log1p(relative), np.log(ratio))
    return result


def _rest(x: Floats) -> Floats:
    """R(x) = ln x! − x·ln x + x for whole x ≥ 0; from 17 on Stirling's series, whose error is below 1e-14."""
    large = np.maximum(x, _SMALL + 1.0)
    square = large * large
    series = (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / large
    small = _REST_SMALL[np.minimum(x, _SMALL).astype(np.int64)]
    result: Floats = np.where(x > _SMALL, 0.5 * np.log(2 * np.pi * large) + series, small)
    return result
