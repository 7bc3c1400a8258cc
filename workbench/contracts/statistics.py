"""Test of counts against probabilities without a library: the tail of χ² in closed form."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

FALSE_ALARM = 1e-9
"""With other seeds, a sound plugin fails one such comparison in a thousand million."""

_FEW = 10


def chi_square_tail(score: float, freedom: int) -> float:
    """The probability that χ² with so many degrees of freedom exceeds a score.

    A finite sum for whole degrees of freedom (Abramowitz, Stegun 26.4.4 and 26.4.5).
    """
    half = score / 2
    if half <= 0:
        return 1.0
    total = math.erfc(math.sqrt(half)) if freedom % 2 else 0.0
    power = 0.5 if freedom % 2 else 0.0
    while power < freedom / 2:
        total += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
        power += 1
    return min(total, 1.0)


def matches(observed: NDArray[Any], chances: NDArray[np.float64]) -> bool:
    """Whether counts follow chances, by χ² with rare outcomes taken together; see `FALSE_ALARM`."""
    expected = chances * observed.sum()
    rare = expected < _FEW
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], max(float(expected[rare].sum()), 1e-9))
    if len(expected) < 2:
        return True
    score = float(((observed - expected) ** 2 / expected).sum())
    return chi_square_tail(score, len(expected) - 1) > FALSE_ALARM
