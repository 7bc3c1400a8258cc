"""Laplace noise on a grid of whole numbers.

Floating-point Laplace noise leaks the value through its low bits: some sums can be reached from one value only. So
what is reported here is a whole number of steps of a public grid, the true number of steps plus a two-sided geometric
number, clamped to a public range. Its chances are a table of multiples of 2⁻⁶⁴ and its ε is computed from that table.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource
from workbench.ldp.coins import TWO_64, Weighted, Words
from workbench.ldp.tabulated import largest_ratio

_SPREAD = 128.0
"""Noise of about so many steps: makes the discrete variance equal the continuous one to five digits."""

_RAREST = 2.0**-32
"""Numbers of steps less likely than this are clamped, so that every entry of the table has room to round."""

_SLACK = 3e-9
"""Taken off ε so that rounding the table cannot exceed it."""


def grid_steps(epsilon: float, sensitivity: int) -> int:
    """Steps per unit, a power of two, such that noise for ε and a sensitivity in units spreads over many steps."""
    return int(2 ** max(0, round(math.log2(_SPREAD * epsilon / sensitivity))))


class GridLaplace:
    """Two-sided geometric noise for whole numbers in [0, reach].

    Parameters
    ----------
    reach
        Largest number of steps that can be hidden.
    epsilon
        ln of the ratio allowed between the chances of an output for 0 and for `reach`.

    Notes
    -----
    P(k) = (1−α)/(1+α) α^|k| with α = e^(−ε/reach), clamped to [reach − M, M]: A. Ghosh, T. Roughgarden,
    M. Sundararajan: Universally utility-maximizing privacy mechanisms, 2009. P(output | x) rises up to x = output
    and falls after it, so no two inputs differ more than 0 and `reach` do.
    """

    def __init__(self, reach: int, epsilon: float) -> None:
        rate = max(epsilon - _SLACK, epsilon / 2) / reach
        self._rate, self._reach = rate, reach
        scale = -math.expm1(-rate) / (1 + math.exp(-rate))
        self.highest = math.ceil(max(math.log(scale / _RAREST), 1.0) / rate) + reach
        self.lowest = reach - self.highest
        chances = scale * np.exp(-rate * np.arange(self.highest + 1))
        chances[-1] = math.exp(-rate * self.highest) / (1 + math.exp(-rate))
        half = np.maximum(np.ceil(chances * float(TWO_64)), 1.0).astype(np.uint64)
        half[0] = np.uint64(TWO_64 - 2 * sum(half[1:].tolist()))
        self._noise = np.concatenate([half[:0:-1], half])
        self._drawing = Weighted(self._noise)

    def rows(self, value: int) -> Words:
        """The weights of the outputs `lowest` … `highest` for a value, summing to 2⁶⁴."""
        # Outputs reachable before clamping are value − highest … value + highest.
        start = self.lowest - (value - self.highest)
        stop = start + self.highest - self.lowest + 1
        row = self._noise[start:stop].copy()
        row[0] += self._noise[:start].sum(dtype=np.uint64)
        row[-1] += self._noise[stop:].sum(dtype=np.uint64)
        return row

    @cached_property
    def worst_ratio(self) -> Fraction:
        """The largest ratio between the chances of an output under two values."""
        low, high = self.rows(0), self.rows(self._reach)
        return largest_ratio(np.maximum(low, high), np.minimum(low, high))

    def moments(self, value: int) -> tuple[float, float]:
        """Mean and variance of the output for a value, in steps."""
        chances = self.rows(value) / float(TWO_64)
        outputs = np.arange(self.lowest, self.highest + 1, dtype=np.float64)
        offsets = outputs - value
        mean = float(offsets @ chances)
        return value + mean, float(offsets**2 @ chances) - mean**2

    def add(self, values: NDArray[Any], source: RandomSource) -> NDArray[np.int32]:
        """The noisy numbers, same shape, int32."""
        noise = self._drawing.draw(source, values.size).reshape(values.shape)
        noise += (values - self.highest).astype(np.int32)
        return np.clip(noise, self.lowest, self.highest, out=noise)

    def sums(self, people: int, size: int, generator: np.random.Generator) -> NDArray[np.int64]:
        """Sums of the noise of so many people, `size` independent ones; clamping (chance below 10⁻⁶) is left out."""
        # A two-sided geometric number is the difference of two geometric ones, whose sums are negative binomial.
        stop = -math.expm1(-self._rate)
        return generator.negative_binomial(people, stop, size) - generator.negative_binomial(people, stop, size)
