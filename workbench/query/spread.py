"""The spread of values that plans of questions assume whose error depends on it: even, or a long tail."""

from __future__ import annotations

import math
from copy import copy
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.narrow_tail import Floats, NarrowTail
from workbench.core.number_text import exact
from workbench.core.schema import Kind
from workbench.query.grid import Grid
from workbench.query.mechanism import QueryMechanism, StatisticValues

_APART = 10_000
"""So many different values at most."""


class OfSpread(QueryMechanism):
    """A question whose error depends on how values are spread between the bounds.

    Attributes
    ----------
    grid
        The public grid.
    tail
        The long tail that plans assume; None for values that are spread evenly.
    """

    grid: Grid
    tail: NarrowTail | None = None
    evenly: ClassVar[str] = "that are spread evenly between the bounds"
    besides: ClassVar[str] = ""
    """What plans assume of the values besides."""

    def along_tail(self, most: float) -> QueryMechanism:
        spec = self.grid.spec
        if not spec.kind.numeric:
            return self  # of dates nothing was typed
        low, high = float(self.grid.lower), float(self.grid.upper)
        found = copy(self)
        found.tail = NarrowTail(low, high, most, whole=spec.kind is Kind.INTEGER)
        found.assumes = f"in a long tail, 9 in 10 below {exact(most)}{self.besides}"
        return found

    def along_longer_tail(self) -> tuple[QueryMechanism, str] | None:
        if self.tail is None:
            return None
        low, high = float(self.grid.lower), float(self.grid.upper)
        farther = low + 2 * (self.tail.most - low)
        # Whole numbers lie on both sides of it, too, where bounds are none.
        last = math.floor(high) if self.grid.spec.kind is Kind.INTEGER else high
        inside = farther < high and farther <= last
        return (self.along_tail(farther), f"below {exact(farther)}") if inside else None

    def spread(self, rows: int) -> StatisticValues:
        """So many rows as plans assume them, over the points of the grid; a tail as it is usually."""
        return spread_evenly(self.grid, rows) if self.tail is None else _along(self.tail, self.grid, rows)

    def spreads(self, rows: int) -> tuple[StatisticValues, ...]:
        """The same of a tail in each of its stretches."""
        if self.tail is None:
            return (self.spread(rows),)
        return tuple(_along(self.tail, self.grid, rows, one) for one in self.tail.stretches())

    def assumptions(self, rows: int) -> tuple[StatisticValues, ...]:
        return (self.assumed(rows),) if self.tail is None else self.spreads(rows)


def spread_evenly(grid: Grid, rows: int) -> StatisticValues:
    """So many rows with values spread evenly over the points of the grid."""
    rows = max(rows, 1)
    apart = min(rows, _APART)
    places = ((2 * np.arange(apart, dtype=object) + 1) * (grid.steps + 1) // (2 * apart)).astype(np.int64)
    points, first = np.unique(places, return_index=True)
    return {"points": points, "counts": np.diff(np.append(first, apart) * rows // apart)}


def _along(tail: NarrowTail, grid: Grid, rows: int, shares: Floats | None = None) -> StatisticValues:
    """So many rows with values of a long tail, as usual or of these shares, none of them left to chance."""
    rows = max(rows, 1)
    apart = min(rows, _APART)
    points, first = np.unique(
        _steps_at(tail.quantiles((np.arange(apart) + 0.5) / apart, shares), grid), return_index=True
    )
    return {"points": points, "counts": np.diff(np.append(first, apart) * rows // apart)}


def drawn_along(
    tail: NarrowTail, shares: Floats, grid: Grid, rows: int, generator: np.random.Generator
) -> StatisticValues:
    """So many rows drawn at random from a long tail with these shares, as experiments draw them."""
    points, where = np.unique(_steps_at(tail.values, grid), return_inverse=True)
    counts = np.zeros(len(points), dtype=np.int64)
    np.add.at(counts, where.ravel(), generator.multinomial(max(rows, 1), shares))
    return {"points": points[counts > 0], "counts": counts[counts > 0]}


def _steps_at(values: Floats, grid: Grid) -> NDArray[np.int64]:
    steps = np.rint((values - float(grid.lower)) / float(grid.resolution))
    return np.clip(steps, 0, grid.steps).astype(np.int64)
