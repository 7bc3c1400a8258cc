"""The long tail of which everybody knows below which number most values lie: in a small part of the range, often."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, exact
from workbench.core.unit_words import in_unit

Floats = NDArray[np.float64]

BELOW = 0.9
"""The share of values below that number, in each shape."""
_ABOVE_MIDDLE = NormalDist().inv_cdf(BELOW)
"""How many standard deviations that number then lies above the middle of the logarithms."""
SPREAD = (0.6, 0.9, 1.2)
"""The standard deviation of the logarithms: least, usual and largest; that of many incomes and charges is between."""
_STRETCHES = 64
"""So many shapes stand for all of them where nothing is drawn at random."""
_CELLS = 500
"""Different values below that number, and above it."""
_WHOLE = 1000
"""So many whole numbers are all possible values."""
_HINT = "Type a number between the bounds, or leave it out."


class NarrowTail:
    """The possible values between public bounds, and their shares if 9 in 10 people are below a number.

    They are log-normal above the lower bound, and nothing is known of how widely: the shape is stretched, while the
    number stays where it is. So a plan and what is tried mean the same by it.

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
        If the number lies outside the bounds, or of whole numbers none lies on one side of it.
    """

    def __init__(self, low: float, high: float, most: float, *, whole: bool = False) -> None:
        if not low < most < high:
            raise WorkbenchError(
                f"Most values cannot lie below {exact(most)}: possible are {exact(low)} to {exact(high)}.",
                hint=_HINT,
                field="most_below",
            )
        self.most = most
        near = most - low
        # Above the lower bound, as beside a large one the cells below a number that is near to it would be alike.
        ends = np.concatenate(
            [np.linspace(0.0, near, _CELLS + 1), near * np.geomspace(1.0, (high - low) / near, _CELLS + 1)[1:]]
        )
        middles = (ends[:-1] + ends[1:]) / 2
        values, edges, below = low + middles, low + ends, middles < near
        far, wide = middles / near, np.diff(ends)
        if whole:
            values = _whole_numbers(low, high, values)
            below = values < most
            if below.all() or not below.any():
                raise WorkbenchError(
                    f"Most values cannot lie below {exact(most)}, and some above: of whole numbers between the bounds "
                    f"{'all' if below.any() else 'none'} are below it.",
                    hint=_HINT,
                    field="most_below",
                )
            start = values[0] - 0.5
            edges = np.concatenate([[start], (values[:-1] + values[1:]) / 2, [values[-1] + 0.5]])
            edges[below.sum()] = math.ceil(most) - 0.5  # where values are far apart, it lies anywhere between two
            # Whole numbers below 5 are those up to 4, and fill the line up to 4.5.
            far, wide = (values - start) / (most - values[0]), np.diff(edges)
        self.values: Floats = values
        self._edges: Floats = edges
        self._below, self._far, self._wide = below, np.log(far), np.log(wide)

    def shares(self, generator: np.random.Generator | None) -> Floats:
        """The share of each value: stretched at random, or, without a generator, as usual."""
        least, usual, largest = SPREAD
        return self._stretched(usual if generator is None else least + (largest - least) * float(generator.random()))

    def stretches(self) -> tuple[Floats, ...]:
        """The shares in shapes that stand for all of them, each as likely as the others: from narrow to wide."""
        least, _, largest = SPREAD
        parts = (np.arange(_STRETCHES) + 0.5) / _STRETCHES
        return tuple(self._stretched(least + (largest - least) * part) for part in parts.tolist())

    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Between which numbers the mean lies, and the standard deviation, however the shape is stretched."""
        each = [self._stretched(spread) for spread in np.linspace(SPREAD[0], SPREAD[-1], 9).tolist()]
        means = [float(one @ self.values) for one in each]
        deviations = [
            math.sqrt(float(one @ np.square(self.values - mean))) for one, mean in zip(each, means, strict=True)
        ]
        return (min(means), max(means)), (min(deviations), max(deviations))

    def described(self, unit: str = "") -> str:
        """What is assumed, within a sentence, so that errors can be reckoned again."""
        mean, deviation = (
            f"{estimate(least, 3)} to {in_unit(estimate(most, 3), unit)}" for least, most in self.moments()
        )
        return (
            f"log-normal, with 9 in 10 values below {exact(self.most)} and their logarithms spread by {SPREAD[0]} to "
            f"{SPREAD[-1]}: mean {mean}, standard deviation {deviation}"
        )

    def quantiles(self, parts: Floats, shares: Floats | None = None) -> Floats:
        """The number below which each of these parts of all values lies, by these shares, or as usual."""
        reached = np.concatenate([[0.0], np.cumsum(self.shares(None) if shares is None else shares)])
        return np.interp(parts, reached / reached[-1], self._edges)

    def _stretched(self, spread: float) -> Floats:
        given: Floats = self._wide - 0.5 * (self._far / spread + _ABOVE_MIDDLE) ** 2 - self._far
        # What lies beyond the bounds is nowhere, and whole numbers are coarse: 9 in 10 are below it all the same.
        for side, share in ((self._below, BELOW), (~self._below, 1 - BELOW)):
            # As logarithms up to here, since far from the middle all of a side can be too small to be told from 0.
            some = np.exp(given[side] - given[side].max())
            given[side] = some * (share / float(some.sum()))
        return given


def _whole_numbers(low: float, high: float, near: Floats) -> Floats:
    """All whole numbers between the bounds, or where these are many, those next to the given numbers."""
    first, last = math.ceil(low), math.floor(high)
    if last - first <= _WHOLE:
        return np.arange(first, last + 1.0)
    return np.unique(np.clip(np.round(near), first, last))
