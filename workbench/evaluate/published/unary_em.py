"""Expectation maximisation for unary encoding, from every report as it is: its bits are too many to count by output."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.question import Floats

_STEPS, _STILL = 400, 1e-4


def draw_bits(counts: NDArray[np.int64], p: float, q: float, generator: np.random.Generator) -> NDArray[np.bool_]:
    """Everybody's bits, shape (people, values): set with chance p for one's own value and q for each other."""
    values = np.repeat(np.arange(len(counts)), counts)
    chance = np.full((len(values), len(counts)), q)
    chance[np.arange(len(values)), values] = p
    found: NDArray[np.bool_] = generator.random(chance.shape) < chance
    return found


def maximised(bits: NDArray[np.bool_], p: float, q: float) -> Floats:
    """The most likely shares of the values, shape (values,).

    Notes
    -----
    P(bits | v) is in proportion to r^bit_v with r = p(1 − q)/(q(1 − p)), as all other bits are coins whatever v is.
    A step replaces each share by the mean over people of share·r^bit divided by its sum over the values; A. Dempster,
    N. Laird, D. Rubin: Maximum likelihood from incomplete data via the EM algorithm, 1977.
    """
    people, values = bits.shape
    weights = np.where(bits, p * (1 - q) / (q * (1 - p)), 1.0)
    shares = np.full(values, 1 / values)
    for _ in range(_STEPS):
        better = shares * (weights.T @ (1 / (weights @ shares))) / people
        still = float(np.abs(better - shares).sum()) < _STILL
        shares = better
        if still:
            break
    return shares
