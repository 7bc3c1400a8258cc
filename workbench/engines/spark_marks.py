"""The places of the rows of a relation of Spark's: which ranges of their numbers hold how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.engines.store import Store

BUCKET = 14
"""A page is found among 2**14 row numbers."""


@dataclass(frozen=True, eq=False)
class Marks:
    """The rows of a relation: for ranges of their numbers that follow one another, first to last.

    Parameters
    ----------
    low, high
        The first number of each range that a row has, and the last.
    before
        Rows in the ranges before each.
    rows
        Rows in all.
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    before: NDArray[np.int64]
    rows: int

    @classmethod
    def of(cls, store: Store, relation: str, key: str) -> Marks:
        """Count the rows of a relation in ranges of a key."""
        bucket = BUCKET
        if key != "r":  # hashes, which lie anywhere
            low, high, count = store.rows(f"SELECT min({key}), max({key}), count(*) FROM {relation}")[0]
            bucket = max((high - low).bit_length() - (count >> BUCKET >> 1).bit_length() - 4, 0)
        found = store.fetch(
            f"SELECT min({key}) AS low, max({key}) AS high, count(*) AS n FROM {relation} "
            f"GROUP BY shiftright({key}, {bucket})"
        )
        order = np.argsort(found[0])
        low, high, rows = (column[order] for column in found)
        return cls(low, high, np.cumsum(rows) - rows, int(rows.sum()))

    def around(self, rows: Sequence[int]) -> list[int]:
        """The places of the ranges that hold some rows."""
        return [int(np.searchsorted(self.before, row, side="right")) - 1 for row in rows]

    def cut(self, most: int) -> Iterator[tuple[int, int]]:
        """The first number and the last of pieces that follow one another, of so many rows or of one range."""
        ends = np.append(self.before[1:], self.rows)
        start = 0
        while start < len(self.low):
            stop = max(start + 1, int(np.searchsorted(ends, self.before[start] + most, side="right")))
            yield int(self.low[start]), int(self.high[stop - 1])
            start = stop

    def numbers(self, rows: NDArray[np.intp]) -> NDArray[np.int64] | None:
        """The numbers of some rows; None where a range that holds one of them has gaps."""
        place = np.searchsorted(self.before, rows, side="right") - 1
        filled = self.high - self.low + 1 == np.diff(self.before, append=self.rows)
        if not filled[place].all():
            return None
        found: NDArray[np.int64] = self.low[place] + (rows - self.before[place])
        return found
