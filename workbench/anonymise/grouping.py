"""The grouping kernel: rows with the same codes in every column form a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress

_WIDEST = 1 << 62
"""Largest mixed-radix key that still fits a signed 64-bit integer with room to spare."""

_COUNTABLE = 1 << 22
"""Radix up to which counting by direct address beats sorting even for few rows."""


@dataclass(frozen=True, eq=False)
class EquivalenceClasses:
    """The class of each row.

    `ids` has shape (rows,) with values in [0, len(sizes)); `sizes` holds the rows per class, all ≥ 1.
    """

    ids: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @property
    def row_sizes(self) -> NDArray[np.int64]:
        """For each row, the size of its class."""
        return self.sizes[self.ids]


def classes(
    columns: Sequence[tuple[NDArray[np.integer], int]], rows: int, progress: Progress = SILENT
) -> EquivalenceClasses:
    """Group rows by all columns at once through one integer key.

    Parameters
    ----------
    columns
        Pairs (codes of shape (rows,), radix) with 0 ≤ codes < radix.
    rows
        Number of rows; needed when there are no columns, which puts every row in one class.

    Notes
    -----
    key = ((c₁·r₂ + c₂)·r₃ + c₃)…; before it could overflow, the key is replaced by its rank among the keys
    that occur, which is at most `rows`.
    """
    key = np.zeros(rows, dtype=np.int64)
    radix = 1
    for position, (codes, size) in enumerate(columns):
        progress(position / (len(columns) + 1))
        if radix * size > _WIDEST:
            dense = _by_sorting(key)
            key, radix = dense.ids, len(dense.sizes)
        key *= size
        key += codes
        radix *= size
    if radix <= max(_COUNTABLE, 2 * rows):
        return _by_counting(key, radix)
    return _by_sorting(key)


def _by_counting(key: NDArray[np.int64], radix: int) -> EquivalenceClasses:
    counts = np.bincount(key, minlength=radix)
    used = np.flatnonzero(counts)
    rank = np.empty(radix, dtype=np.int64)
    rank[used] = np.arange(len(used))
    return EquivalenceClasses(rank[key], counts[used])


def _by_sorting(key: NDArray[np.int64]) -> EquivalenceClasses:
    if not len(key):
        return EquivalenceClasses(key, np.empty(0, dtype=np.int64))
    order = np.argsort(key)
    ranked = key[order]
    starts = np.empty(len(key), dtype=np.bool_)
    starts[0] = True
    np.not_equal(ranked[1:], ranked[:-1], out=starts[1:])
    first = np.flatnonzero(starts)
    ids = np.empty(len(key), dtype=np.int64)
    ids[order] = np.cumsum(starts) - 1
    return EquivalenceClasses(ids, np.diff(first, append=len(key)))
