"""The rows a question is about, and exact sums over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.filtering import Filter
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Schema
from workbench.core.table import Table

Whole = NDArray[np.object_]
"""Python's whole numbers, which never overflow."""

_LIMB = 20
"""Bits that are summed at once: sums of so small numbers over fewer than 2³³ rows are exact as floats."""


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a table for which the filter of a question holds.

    Parameters
    ----------
    table
        The whole working table.
    chosen
        Rising row numbers, or None for every row.
    """

    table: Table
    chosen: NDArray[np.intp] | None = None

    @classmethod
    def of(cls, table: Table, schema: Schema, where: Filter | None, progress: Progress = SILENT) -> Rows:
        progress(0.0, "Choosing rows")
        return cls(table, None if where is None else np.flatnonzero(where.mask(table, schema)))

    def __len__(self) -> int:
        return self.table.rows if self.chosen is None else len(self.chosen)

    def values(self, name: str) -> tuple[str, ...]:
        return self.table[name].values

    def codes(self, name: str) -> NDArray[np.integer]:
        """The code of every chosen row."""
        codes = self.table[name].codes
        return codes if self.chosen is None else np.take(codes, self.chosen)

    def placed(self, name: str, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """For every chosen row what `places` says of its value."""
        found: NDArray[np.int64] = np.take(places, self.codes(name))
        return found

    def counts(self, name: str) -> NDArray[np.int64]:
        """Chosen rows per distinct value."""
        column = self.table[name]
        if self.chosen is None:
            return column.counts
        return np.bincount(self.codes(name), minlength=len(column.values)).astype(np.int64)

    def per_cell(self, cells: NDArray[np.int64], size: int) -> NDArray[np.int64]:
        """Rows per cell, of the cell of every chosen row; those with -1 are in none."""
        return np.bincount(cells[cells >= 0], minlength=size).astype(np.int64)


def exact_sums(
    numbers: Whole | NDArray[np.int64],
    cells: NDArray[np.int64],
    size: int,
    times: NDArray[np.int64] | None = None,
) -> list[int]:
    """The sum of the numbers of each cell, exactly, however large.

    Parameters
    ----------
    numbers
        Whole numbers, shape (items,).
    cells
        The cell of each item; items with -1 are in none.
    size
        How many cells there are.
    times
        How often each item counts; once unless given. The sum of all of it is below 2³³.
    """
    taking_part = cells >= 0
    numbers, cells = numbers[taking_part], cells[taking_part]
    weights = np.ones(len(cells)) if times is None else times[taking_part].astype(np.float64)
    if not len(numbers):
        return [0] * size
    least = int(numbers.min())
    rest = numbers - least if int(numbers.max()) - least < 1 << 62 else numbers.astype(object) - least
    totals = [least * int(count) for count in np.bincount(cells, weights=weights, minlength=size).tolist()]
    place = 0
    while True:
        limb = (rest & ((1 << _LIMB) - 1)).astype(np.float64)
        sums = np.bincount(cells, weights=limb * weights, minlength=size)
        totals = [total + (int(part) << place) for total, part in zip(totals, sums.tolist(), strict=True)]
        rest = rest >> _LIMB
        place += _LIMB
        if not rest.any():
            return totals


def whole(numbers: Sequence[int] | NDArray[np.int64]) -> Whole:
    """The numbers as Python's own, for arithmetic that must not overflow."""
    found = np.empty(len(numbers), dtype=object)
    found[:] = [int(number) for number in numbers]
    return found
