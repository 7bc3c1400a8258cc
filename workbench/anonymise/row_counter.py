"""Counting the classes of a node where the rows are, if that is not in memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.keys import WIDEST
from workbench.anonymise.rollup import Coding, GroupTable, Levels, digits_between
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Adds, Rare, Table


@dataclass(frozen=True, eq=False)
class RowCounter:
    """Counts the classes of any node from the rows.

    Parameters
    ----------
    table, coding
        The rows, and how their labels are numbered.
    names, grounds
        The generalised columns, and per column the number at level 0 of each of its codes.
    extra
        What makes the extra code, empty if there is none.
    marked
        Whether the extra code is odd for rows that are to be released, and even for others.
    """

    table: Table
    coding: Coding
    names: tuple[str, ...]
    grounds: tuple[NDArray[np.intp], ...]
    extra: Adds
    marked: bool

    def at(self, levels: Levels, progress: Progress = SILENT, *, at_least: int = 1, smallest: int = 1) -> GroupTable:
        """The group table of a node.

        Parameters
        ----------
        at_least
            Groups of fewer rows are left out.
        smallest
            Rows a class must have to be released, for the error.

        Raises
        ------
        TooManyGroups
            If it does not fit into memory; with the rows to be released of classes that are smaller than `smallest`.
        """
        radices = self.coding.radices(levels)
        ranges = key_ranges(radices[:-1])
        keys: list[Adds] = [self.adds(levels, low, high) for low, high in ranges]
        if self.coding.extra > 1:
            keys.append(self.extra)
        rare = Rare(smallest, len(ranges), self.marked)
        found, counts = self.table.groups(keys, progress, at_least=at_least, rare=rare)
        extra = found[len(ranges)] if self.coding.extra > 1 else None
        if math.prod(radices) <= WIDEST:
            (key,) = found[: len(ranges)]
            return GroupTable(self.coding, levels, counts, key if extra is None else key * self.coding.extra + extra)
        digits = [
            digits_between(part, radices[low:high], place, place + 1).astype(np.intp)
            for part, (low, high) in zip(found, ranges, strict=False)
            for place in range(high - low)
        ]
        digits.append(np.zeros(len(counts), dtype=np.intp) if extra is None else extra.astype(np.intp))
        return GroupTable(self.coding, levels, counts, None, digits)

    def adds(self, levels: Levels, low: int = 0, high: int | None = None) -> dict[str, NDArray[np.int64]]:
        """Amounts that the columns of a range add to the mixed-radix number of their labels."""
        high = len(levels) if high is None else high
        radices = self.coding.radices(levels)[low:high]
        return {
            self.names[position]: (
                self.coding.axes[position].up(0, levels[position])[self.grounds[position]]
                * math.prod(radices[position - low + 1 :])
            ).astype(np.int64)
            for position in range(low, high)
        }


def sizes_of_classes(
    table: Table, columns: Sequence[tuple[str, NDArray[np.integer], int]], progress: Progress = SILENT
) -> NDArray[np.int64]:
    """Rows per class, ascending by the numbers of the class, shape (classes,).

    Parameters
    ----------
    columns
        Columns, the number of each of their codes, and how many numbers there are.
    """
    radices = [max(radix, 1) for _, _, radix in columns]
    keys = [
        {
            name: np.asarray(numbers, dtype=np.int64) * math.prod(radices[position + 1 : high])
            for position, (name, numbers, _) in enumerate(columns[low:high], start=low)
        }
        for low, high in key_ranges(radices)
    ]
    return table.groups(keys, progress)[1]


def key_ranges(radices: Sequence[int]) -> list[tuple[int, int]]:
    """(first, last + 1) of runs of attributes whose labels make one number that fits 64 bits."""
    ranges, first, size = [], 0, 1
    for position, radix in enumerate(radices):
        if position > first and size * radix > WIDEST:
            ranges.append((first, position))
            first, size = position, 1
        size *= radix
    ranges.append((first, len(radices)))
    return ranges
