"""Margins of sums of reports, for a given chance, where their law is not at hand."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

_HALF_STEP = 0.51


def normal_or_wider(deviations: ArrayLike, step: ArrayLike, chance: float = 0.95) -> NDArray[np.float64]:
    """How far a sum of independent reports is off at most, with this chance or about it.

    Parameters
    ----------
    deviations
        Standard deviations of the sums.
    step
        How far one report can move the sum, in the same unit; ∞ where that is not known.
    chance
        Strictly between 0 and 1.

    Notes
    -----
    z standard deviations as of a normal distribution, and half a step more, because sums move by steps, rounded up so
    far that a step which is made once with hardly more than 5 % is not missed; or (z² − 1)/6 of a step if that is more,
    which is how far the skewness of a sum, at most step ÷ deviation, moves its ends (E. A. Cornish, R. A. Fisher 1938).
    Never more than Chebyshev's inequality says, which holds of every law. Of a Poisson number of equal steps at most
    5 % are missed.

    >>> normal_or_wider([100.0, 1.0, 0.1], 1.0).round(2).tolist(), normal_or_wider(1.0, math.inf).round(2).tolist()
    ([196.51, 2.47, 0.45], 4.47)
    """
    spread, normal = np.asarray(deviations, dtype=np.float64), NormalDist().inv_cdf(0.5 + chance / 2)
    more = max(_HALF_STEP, (normal * normal - 1.0) / 6.0)
    return np.minimum(normal * spread + more * np.asarray(step), spread / math.sqrt(1.0 - chance))


def hardly_reached(deviation: float, step: float, chance: float) -> float:
    """Distance above its mean that a sum of independent reports exceeds with at most this chance, whatever its law is.

    Parameters
    ----------
    deviation, step, chance
        As of `normal_or_wider`.

    Notes
    -----
    The less of Bernstein's inequality, for t²/(2(σ² + step·t/3)) = ln(1/chance), and Cantelli's.

    >>> round(hardly_reached(10.0, 1.0, 0.001), 2), round(hardly_reached(1.0, math.inf, 0.01), 2)
    (39.54, 9.95)
    """
    unlikely = -math.log(chance)
    cantelli = deviation * math.sqrt(1.0 / chance - 1.0)
    third = step * unlikely / 3.0
    bernstein = third + math.hypot(third, deviation * math.sqrt(2.0 * unlikely))
    return min(bernstein, cantelli)
