"""Figures of numbers within bounds that are found first: a quarter of ε finds them, the rest answers within them.

Noise on a sum is as wide as the bounds. Where most values lie in a small part of them, as amounts of money do, an
answer within bounds that hold nearly all rows is many times closer, although some rows beyond them are limited.

Cells that halve towards both ends are counted with noise. The bounds are the outer ends of the outermost cells that
certainly have rows: those whose noisy count no empty cell is likely to reach. What is beyond costs about as many rows
as the noise of a count, and a wider bound would cost more in noise.

Counting the cells is ε/4, because a row lies in one of them. Whatever bounds follow from these counts, the second
answer is 3ε/4 for each of them; both together are ε (Dwork, Rothblum and Vadhan 2010, adaptive composition).
Source: K. Amin, A. Kulesza, A. Muñoz Medina, S. Vassilvitskii: Bounding user contributions, ICML 2019.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import shown
from workbench.core.progress import SILENT, Progress
from workbench.query import noise
from workbench.query.answer import ReleasedAnswer
from workbench.query.averages import Averages, VarianceQuery
from workbench.query.draws import Draws
from workbench.query.exact_sums import exact_sums, whole
from workbench.query.grid import Grid
from workbench.query.mechanism import Floats, Frame, NoisyPart, StatisticValues
from workbench.query.numeric import Numeric, Sums
from workbench.query.quantiles import points_of
from workbench.query.rows import Rows
from workbench.query.spread import OfSpread, drawn_along

_FIRST = Fraction(1, 4)
"""The share of ε that finds the bounds."""
_HALVINGS = 10
"""Towards each end: the narrowest cells are about a thousandth of the range."""
_SEED = 20_240_301
"""Of the people whom plans are about: by how many happen to be there cells at the ends certainly have rows."""
_MISTAKEN = (0.01, 0.05)
"""How likely any empty cell is taken for one with rows: at first, and where no cell then certainly has any."""

Figure = Callable[[Grid, Fraction, int], Numeric]
FIGURES: dict[str, Figure] = {
    "mean": lambda grid, epsilon, rows: Averages(grid, None, epsilon, rows),
    "sum": lambda grid, epsilon, rows: Sums(grid, None, epsilon, rows),
    "variance": lambda grid, epsilon, rows: VarianceQuery(grid, epsilon, rows, root=False),
    "standard-deviation": lambda grid, epsilon, rows: VarianceQuery(grid, epsilon, rows, root=True),
}
"""The questions that can be asked within bounds that are found."""


class Narrowed(OfSpread):
    """A figure of a column within bounds that are found first.

    Parameters
    ----------
    grid
        The public grid, as wide as what is possible.
    figure
        One of `FIGURES`.
    """

    assumes = OfSpread.evenly

    def __init__(self, grid: Grid, figure: str, epsilon: Fraction, rows_per_person: int) -> None:
        self.grid, self.figure, self.epsilon, self.rows_per_person = grid, figure, epsilon, rows_per_person
        self.marks = _marks(grid.steps)
        self._cells = NoisyPart("cells", rows_per_person, epsilon * _FIRST)
        self._inner: dict[tuple[int, int], Numeric] = {}
        self._whole = self._within(0, grid.steps)
        self.unit = self._whole.unit

    @property
    def frames(self) -> tuple[Frame, ...]:
        return (self.grid,)

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return (self._cells, *self._whole.parts)

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        return points_of(self.grid, rows, progress)

    def assumed(self, rows: int) -> StatisticValues:
        return self.spread(rows)

    def assumed_in_whole(self, rows: int) -> StatisticValues:
        """The rows that plans assume as the same figure sees them without bounds that are found."""
        return self._summed(self._whole, self.assumed(rows), 0, self.grid.steps)

    def assumptions(self, rows: int) -> tuple[StatisticValues, ...]:
        if self.tail is None:
            return (self.assumed(rows),)
        generator = np.random.default_rng(_SEED)
        return tuple(drawn_along(self.tail, one, self.grid, rows, generator) for one in self.tail.stretches())

    def truth(self, statistic: StatisticValues) -> Floats:
        return self._whole.truth(self._summed(self._whole, statistic, 0, self.grid.steps))

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        noisy = [int(count) + draws.two_sided(self._cells.rate) for count in self._counts(statistic)]
        low, high = self.found(np.array([noisy], dtype=np.float64))[0].tolist()
        inner = self._within(low, high)
        (part,) = inner.parts
        sums = self._summed(inner, statistic, low, high)[part.name]
        answered = [int(number) + draws.two_sided(part.rate) for number in sums]
        values = inner.finish({part.name: np.array(answered, dtype=np.float64)})
        ends = " and ".join(shown(float(end), self.grid.spec) for end in (inner.grid.lower, inner.grid.upper))
        notes = (
            f"Values beyond {ends} count as the nearer of the two. Both were found with a quarter of ε. There is no "
            f"interval for the {self.figure.replace('-', ' ')} of all values, because how much those beyond them "
            "change it is not known; there is one for the noise alone, of the values so limited.",
        )
        return ReleasedAnswer(
            self.form,
            inner.shaped(values),
            noisy={"cells": tuple(noisy), part.name: tuple(answered)},
            shown=inner.shown(float(values[0])),
            unit=self.unit,
            notes=notes,
        )

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        counts = self._counts(statistic).astype(np.float64)
        noisy = counts + noise.simulated(self._cells.rate, (count, len(counts)), generator)
        bounds = self.found(noisy)
        if count == 1:  # as an experiment asks, thousands of times
            low, high = bounds[0].tolist()
            inner = self._within(low, high)
            return inner.simulate(self._summed(inner, statistic, low, high), 1, generator)
        pairs, which = np.unique(bounds, axis=0, return_inverse=True)
        found = np.empty((count, 1))
        for number, (low, high) in enumerate(pairs.tolist()):
            inner, mine = self._within(low, high), np.flatnonzero(which.ravel() == number)
            found[mine] = inner.simulate(self._summed(inner, statistic, low, high), len(mine), generator)
        return found

    def found(self, noisy: Floats) -> NDArray[np.int64]:
        """The bounds that follow from noisy counts of the cells, in steps of the grid.

        Parameters
        ----------
        noisy
            Shape (answers, cells).

        Returns
        -------
        ndarray
            Shape (answers, 2); the public bounds where no cell certainly has rows.
        """
        found = np.tile(np.array([0, self.grid.steps]), (len(noisy), 1))
        left = np.arange(len(noisy))
        for mistaken in _MISTAKEN:
            low, high = self._outermost(noisy[left], mistaken)
            some = low < high
            found[left[some]] = np.column_stack([low, high])[some]
            left = left[~some]
        return found

    def _outermost(self, noisy: Floats, mistaken: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The ends of what certainly has rows, each of shape (answers,); both are 0 where nothing does."""
        cells = len(self.marks) - 1
        once = math.log(cells / (2 * mistaken)) / float(self._cells.rate)
        several = once * np.sqrt(np.arange(1, cells + 1))  # what no sum of so many empty cells is likely to reach
        down = noisy[:, ::-1]
        below = (noisy > once) | (np.cumsum(noisy, axis=1) > several)
        above = (down > once) | (np.cumsum(down, axis=1) > several)
        # One cell further: what is beyond the last cell that certainly has rows is a tail that still counts.
        low = self.marks[np.maximum(np.argmax(below, axis=1) - 1, 0)]
        high = self.marks[np.minimum(cells - np.argmax(above, axis=1) + 1, cells)]
        any_rows = below.any(axis=1) & above.any(axis=1)
        return np.where(any_rows, low, 0), np.where(any_rows, high, 0)

    def found_within(self, noisy: Floats) -> Numeric:
        """The same question within the bounds that follow from noisy counts of the cells, shape (1, cells)."""
        low, high = self.found(noisy)[0].tolist()
        return self._within(low, high)

    def _counts(self, statistic: StatisticValues) -> NDArray[np.int64]:
        """Rows of each cell; the last one holds the upper bound itself."""
        cells = np.minimum(np.searchsorted(self.marks, statistic["points"], side="right"), len(self.marks) - 1) - 1
        found = np.zeros(len(self.marks) - 1, dtype=np.int64)
        np.add.at(found, cells, statistic["counts"])
        return found

    def _within(self, low: int, high: int) -> Numeric:
        """The same question between two steps of the grid, with what is left of ε."""
        if (low, high) not in self._inner:
            start, step = self.grid.lower, self.grid.resolution
            grid = replace(self.grid, lower=start + low * step, upper=start + high * step, missing=None)
            self._inner[low, high] = FIGURES[self.figure](grid, self.epsilon * (1 - _FIRST), self.rows_per_person)
        return self._inner[low, high]

    def _summed(self, inner: Numeric, statistic: StatisticValues, low: int, high: int) -> StatisticValues:
        steps = whole(np.clip(statistic["points"], low, high) - low)
        places = np.zeros(len(steps), dtype=np.int64)
        sums = [exact_sums(one, places, 1, statistic["counts"])[0] for one in inner.contributions(steps)]
        (part,) = inner.parts
        return {part.name: whole(sums)}


def _marks(steps: int) -> NDArray[np.int64]:
    """Ends of the cells, in steps of the grid: finer and finer towards both bounds."""
    near = {steps >> halving for halving in range(1, _HALVINGS + 1)}
    return np.array(sorted({0, steps, *near, *(steps - one for one in near)}), dtype=np.int64)
