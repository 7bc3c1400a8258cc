"""The shares that noisy counts of disjoint cells come to, each with the interval of the true one.

The true share s of a cell with n of N rows makes (1 − s)·n − s·(N − n) zero. Of counts with noise the same is noise
alone, (1 − s)·Z − s·W, where Z is the noise of the cell and W the sum of that of all others, whose laws are public. So
an interval holds every s that the noisy counts do not contradict (E. C. Fieller, 1954), and misses the true one with a
chance of at most 5 %: that of this one cell, as the intervals of the counts do, and not of all cells at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.query import noise

Floats = NDArray[np.float64]

MOST_SHARES = 10_000
"""Of more cells than these no intervals are worked out."""
_PARTS = 64
"""Into so many parts the shares from 0 to 1 are divided, narrower near both ends; of each the widest reach counts."""
_INSIDE = 1 - noise.OUTSIDE + 0.0005
"""A little more is asked, as points stand for the law of much noise."""
_SCALE = 64.0
"""Noise of a larger scale than this is added up in steps of more than one row."""
_DEVIATIONS, _SCALES = 12.0, 40.0
"""So far on either side a sum of noise is looked at."""
_ROUNDS = 26
_SMALLEST = 1e-9


def shares_between(counts: Sequence[int], rate: Fraction) -> tuple[Floats, Floats]:
    """Between which shares of all rows in these cells the true one of each lies, each with at least 95 %.

    Parameters
    ----------
    counts
        Noisy counts of at least two and at most `MOST_SHARES` disjoint cells, before anything was done to them.
    rate
        Of the noise on each, as in `NoisyPart.rate`.

    Returns
    -------
    low, high
        Shape (cells,) each, from 0 to 1; all of it where the counts add up to nothing.
    """
    noisy = np.array(counts, dtype=np.float64)
    total = float(noisy.sum())
    if total <= 0:
        return np.zeros(len(noisy)), np.ones(len(noisy))
    edges, reaches = _reaches(float(rate), len(noisy) - 1)
    first = np.maximum(edges[:-1], (noisy[:, np.newaxis] - reaches) / total)
    last = np.minimum(edges[1:], (noisy[:, np.newaxis] + reaches) / total)
    some = first <= last
    low, high = np.where(some, first, 1.0).min(axis=1), np.where(some, last, 0.0).max(axis=1)
    # Noise may contradict every share; then the nearest possible one is all there is to say.
    none = ~some.any(axis=1)
    nearest = np.clip(noisy / total, 0.0, 1.0)
    return np.where(none, nearest, low), np.where(none, nearest, high)


@lru_cache(maxsize=64)
def _reaches(rate: float, others: int) -> tuple[Floats, Floats]:
    """The edges of the parts, and how far (1 − s)·Z − s·W reaches with 95 % for the shares of each.

    What it is within a part is no more than at one of its ends, as it is a straight line in s. So the chance is that
    of both ends at once: of each Z, that W lies between two numbers.
    """
    edges = np.sin(np.linspace(0.0, np.pi / 2, _PARTS + 1)) ** 2
    points, chances = noise.law_in_parts(rate)
    least, step, below = _sums(rate, others)
    ends = np.stack([edges[:-1], edges[1:]])[:, :, np.newaxis]  # (2, parts, 1)
    ends = np.maximum(ends, _SMALLEST)
    own = (1 - ends) * points

    def chance(reach: Floats) -> Floats:
        most = np.floor(((own + reach[:, np.newaxis]) / ends).min(axis=0) / step)
        fewest = np.ceil(((own - reach[:, np.newaxis]) / ends).max(axis=0) / step)
        upper, lower = (np.clip(one - least, 0, len(below) - 1).astype(np.intp) for one in (most + 1, fewest))
        found: Floats = np.maximum(below[upper] - below[lower], 0.0) @ chances
        return found

    # All noise of a cell and of its others, each with half of what may be missed.
    low, high = np.zeros(_PARTS), np.full(_PARTS, float(noise.half_width(rate, noise.OUTSIDE / 8)))
    high += edges[1:] * step * max(-least, len(below))
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        enough = chance(middle) >= _INSIDE
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    # A sum in steps may be off by one of them.
    return edges, high + (step if step > 1 else 0)


def _sums(rate: float, others: int) -> tuple[int, int, Floats]:
    """The law of the sum of so many noises, in steps.

    Returns
    -------
    least, step, below
        The chance that the sum is less than (least + k)·step, for each k.
    """
    step = max(int(1 / rate / _SCALE), 1)
    q = np.exp(-rate * step)
    deviation = np.sqrt(2 * q * others) / (1 - q)
    half = int(np.ceil(_DEVIATIONS * deviation + _SCALES / (rate * step))) + 1
    size = 1 << (2 * half).bit_length()
    # The law of a sum by the product of the characteristic functions, which are real as the noise has no side.
    angles = 2 * np.pi * np.arange(size // 2 + 1) / size
    made = np.exp(others * np.log((1 - q) ** 2 / (1 - 2 * q * np.cos(angles) + q * q)))
    chances = np.maximum(np.fft.fftshift(np.fft.irfft(made, size)), 0.0)
    return -(size // 2), step, np.concatenate([[0.0], np.cumsum(chances)])
