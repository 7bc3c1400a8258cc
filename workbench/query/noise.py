"""What two-sided geometric noise does to an answer: expected error, half-widths, and draws for simulations.

The noise Z on a whole number has P(z) = (1 − q)/(1 + q)·q^|z| with q = exp(−rate). These are figures for planning and
for intervals; the noise of a release is drawn exactly, see `workbench.core.discrete_noise`.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

OUTSIDE = 0.05
"""The chance with which an interval may miss."""


def half_width(rate: float | Fraction, outside: float = OUTSIDE) -> int:
    """The smallest r with P(|Z| > r) = 2q^(r+1)/(1 + q) ≤ `outside`."""
    rate = float(rate)
    log_q = -rate
    beyond = math.log(outside) + math.log1p(math.exp(log_q)) - math.log(2)
    found = max(math.ceil(beyond / log_q - 1 - 1e-9), 0)
    # The division may have been rounded to the wrong side of a whole number.
    while (found + 1) * log_q > beyond + 1e-12 * abs(beyond):
        found += 1
    return found


def mean_absolute(rate: float | Fraction) -> float:
    """E|Z| = 2q/(1 − q²)."""
    rate = float(rate)
    return 2 * math.exp(-rate) / -math.expm1(-2 * rate)


def mean_distance(rate: float | Fraction, target: NDArray[np.float64]) -> NDArray[np.float64]:
    """E|Z − t| for every t: |t| + 2q^(|t|+1)/(1 − q²) for whole numbers, and straight lines between them."""
    rate = float(rate)
    size = np.abs(target)
    below = np.floor(size)
    part = size - below
    factor = 2 / -math.expm1(-2 * rate)
    low = below + factor * np.exp(-rate * (below + 1))
    high = below + 1 + factor * np.exp(-rate * (below + 2))
    found: NDArray[np.float64] = low + part * (high - low)
    return found


def support(rate: float | Fraction, most: int = 1 << 20) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values of Z that matter, rising, and their probabilities (which add up to one).

    Where more than `most` values matter, equally spaced ones stand for them, which is as good for an expected value.
    """
    rate = float(rate)
    reach = math.ceil(40 / rate)
    step = max(1, -(-2 * reach // most))
    values = np.arange(-(reach // step), reach // step + 1, dtype=np.float64) * step
    weights = np.exp(-rate * np.abs(values))
    return values, weights / weights.sum()


def simulated(
    rate: float | Fraction, shape: int | tuple[int, ...], generator: np.random.Generator
) -> NDArray[np.float64]:
    """Noise for a simulation, never for a release. Whole numbers as floats.

    The difference of two geometric numbers, each an exponential number without its decimals.
    """
    scale = 1 / float(rate)
    found: NDArray[np.float64] = np.floor(generator.exponential(scale, shape))
    found -= np.floor(generator.exponential(scale, shape))
    return found
