"""The long tail of which everybody knows below which number most values lie: in a small part of the range, often."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact

Floats = NDArray[np.float64]

_BELOW = (0.84, 1.28, 1.75)
"""How many standard deviations that number lies above the middle of the logarithms: 80, 90 or 96 % are below it."""
_SPREAD = (0.6, 0.9, 1.2)
"""The standard deviation of the logarithms: least, usual and largest; that of many incomes and charges is between."""
_CELLS = 500
"""Different values below that number, and above it."""
_WHOLE = 1000
"""So many whole numbers are all possible values."""


class NarrowTail:
    """The possible values between public bounds, and their shares if about 9 in 10 people are below a number.

    Even steps through all of the range would hardly divide the small part of it in which most values lie: below the
    number they are as far apart as each other, above it farther and farther.

    Parameters
    ----------
    low, high
        The public bounds.
    most
        The number below which most values lie.
    whole
        Whether all values are whole numbers.

    Raises
    ------
    WorkbenchError
        If the number lies outside the bounds.
    """

    def __init__(self, low: float, high: float, most: float, *, whole: bool = False) -> None:
        if not low < most < high:
            raise WorkbenchError(
                f"Most values cannot lie below {exact(most)}: possible are {exact(low)} to {exact(high)}.",
                hint="Type a number between the bounds, or leave it out.",
                field="most_below",
            )
        self.most = most
        near = most - low
        above = near * np.geomspace(1.0, (high - low) / near, _CELLS + 1)[1:]
        cells = low + np.concatenate([np.linspace(0.0, near, _CELLS + 1), above])
        values = (cells[:-1] + cells[1:]) / 2
        if whole:
            first, last = math.ceil(low), math.floor(high)
            every = last - first <= _WHOLE
            values = np.arange(first, last + 1.0) if every else np.unique(np.clip(np.round(values), first, last))
        start, end = (values[0] - 0.5, values[-1] + 0.5) if whole else (low, high)
        edges = np.concatenate([[start], (values[:-1] + values[1:]) / 2, [end]])
        self.values: Floats = values
        self._edges: Floats = edges
        # Whole numbers below 5 are those up to 4, and fill the line up to 4.5.
        reach = most - values[0] if whole and most > values[0] else most - start
        self._far, self._wide = np.log((values - start) / reach), np.diff(edges)

    def shares(self, generator: np.random.Generator | None) -> Floats:
        """The share of each value: moved and stretched at random, or, without a generator, as usual."""
        below, spread = _BELOW[1], _SPREAD[1]
        if generator is not None:
            where, width = generator.random(2).tolist()
            below = _BELOW[0] + (_BELOW[2] - _BELOW[0]) * where
            spread = _SPREAD[0] + (_SPREAD[2] - _SPREAD[0]) * width
        given = np.exp(-0.5 * (self._far / spread + below) ** 2 - self._far) * self._wide
        return np.asarray(given / given.sum())

    def quantiles(self, parts: Floats) -> Floats:
        """The number below which each of these parts of all values lies, where the tail is as usual."""
        reached = np.concatenate([[0.0], np.cumsum(self.shares(None))])
        return np.interp(parts, reached / reached[-1], self._edges)
