"""Two-sided geometric noise: expected error, half-widths, and draws for simulations.

The noise Z on a whole number has P(z) = (1 − q)/(1 + q)·q^|z| with q = exp(−rate). These are figures for planning and
for intervals; the noise of a release is drawn exactly, see `workbench.core.discrete_noise`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError

OUTSIDE = 0.05
"""The chance with which an interval may miss."""
_LEAST_RATE = 1e-100
"""With less, squares of the noise leave the floats."""
_MOST_POINTS = 100_000
"""More than these are not drawn one by one."""
_PARTS = 2_048
"""Into so many parts a law with more values is divided."""
_POINTS, _GENERATOR = 16_381, 6_482
"""A prime, and the generator by which the 95 % quantiles of sums of three are nearest to their closed form."""


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


def mean_absolute_above(rate: float | Fraction, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """E|max(c + Z, 0) − c| of each count c: what noise errs by where counts below 0 become 0.

    Notes
    -----
    Beyond −c the answer is 0, so each further step of the noise costs nothing: E|Z| − Σ_{z>c} (z − c)·P(Z = z), and
    P(Z = z) = (1 − q)/(1 + q)·q^z for z ≥ 0 makes the sum q^(c+1)/(1 − q²).
    """
    rate = float(rate)
    found: NDArray[np.float64] = mean_absolute(rate) - np.exp(-rate * (counts + 1)) / -math.expm1(-2 * rate)
    return found


def law(rate: float | Fraction, reach: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Every noise up to `reach` on either side and its exact chance; or few points that stand for too many.

    Returns
    -------
    points, chances
        Whole numbers as floats, and how likely each is, shape (points,) each.
    """
    if reach > _MOST_POINTS:
        points = evenly(rate, 1)[:, 0]
        return points, np.full(len(points), 1 / len(points))
    points = np.arange(-reach, reach + 1, dtype=np.float64)
    rate = float(rate)
    return points, -np.expm1(-rate) / (1 + math.exp(-rate)) * np.exp(-rate * np.abs(points))


def at_most(rate: float | Fraction, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(Z ≤ k) of whole numbers k, given as floats: q^−k/(1 + q) below 0, 1 − q^(k + 1)/(1 + q) from 0 on."""
    rate = _rate(rate)
    below = numbers < 0
    tail = np.exp(-rate * np.where(below, -numbers, numbers + 1)) / (1 + math.exp(-rate))
    found: NDArray[np.float64] = np.where(below, tail, 1 - tail)
    return found


def law_in_parts(rate: float | Fraction) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Noise on one number, to be added up over: each value that matters, or the middles of parts of the same chance.

    Returns
    -------
    points, chances
        Shape (points,) each; the chances add up to 1, or to less by no more than 10⁻⁹.
    """
    rate = _rate(rate)
    reach = half_width(rate, 1e-9)
    if 2 * reach < _PARTS:
        return law(rate, reach)
    ends = (np.arange(_PARTS // 2) + 0.5) / (_PARTS // 2)
    steps = np.floor((-np.log(ends) - math.log1p(math.exp(-rate)) + math.log(2)) / rate)
    return np.concatenate([-steps, steps]), np.full(_PARTS, 1 / _PARTS)


@lru_cache(maxsize=32)
def _evenly(rate: float, numbers: int) -> NDArray[np.float64]:
    signs, logs = _lattice(numbers)
    found: NDArray[np.float64] = signs * np.floor((logs - math.log1p(math.exp(-rate))) / rate)
    found.flags.writeable = False
    return found


def evenly(rate: float | Fraction, numbers: int) -> NDArray[np.float64]:
    """Noise on up to three numbers: few points that stand for its law.

    A figure of a plan or an interval is an average or a quantile over them: the same whenever it is worked out, moving
    smoothly with ε, and as exact as a hundred times as many random draws (a quantile's chance is off by .0005).

    Parameters
    ----------
    rate
        As in the noise.
    numbers
        How many numbers get noise.

    Returns
    -------
    ndarray
        Shape (points, numbers), whole numbers as floats. With every point z there is −z.

    Notes
    -----
    The lattice of N. M. Korobov (1959), turned into noise by P(Z ≥ k) = q^k/(1 + q) for k ≥ 1.
    """
    return _evenly(_rate(rate), numbers)


@lru_cache
def _lattice(numbers: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The side of each uniform number, −1 or 1, and minus the logarithm of its distance to the end of that side."""
    powers = np.array([pow(_GENERATOR, power, _POINTS) for power in range(numbers)])
    places = np.arange(1, _POINTS)[:, np.newaxis] * powers % _POINTS
    signs = np.where(2 * places < _POINTS, -1.0, 1.0)
    return signs, -np.log(np.minimum(places, _POINTS - places) / _POINTS)


def simulated(
    rate: float | Fraction, shape: int | tuple[int, ...], generator: np.random.Generator
) -> NDArray[np.float64]:
    """Noise for a simulation, never for a release. Whole numbers as floats.

    The difference of two geometric numbers, each an exponential number without its decimals.
    """
    scale = 1 / _rate(rate)
    found: NDArray[np.float64] = np.floor(generator.exponential(scale, shape))
    found -= np.floor(generator.exponential(scale, shape))
    return found


def _rate(rate: float | Fraction) -> float:
    found = float(rate)
    if found < _LEAST_RATE:
        raise WorkbenchError(
            "This ε is too small: its noise is larger than any number here.",
            hint="Usual values lie between 0.01 and 2.",
            field="epsilon",
        )
    return found
