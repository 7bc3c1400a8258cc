"""The distinct values of a column as steps of a grid, kept from one question to the next.

Reading texts exactly takes most of the time of a question about numbers that hardly repeat, and depends on nothing but
the column and the grid. What is kept goes with the column, and the oldest goes when there is too much of it.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from functools import cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from workbench.core.table import Column
from workbench.query.grid import Grid
from workbench.query.readings import Readings

_MOST_BYTES = 1 << 27
_FEWEST = 1 << 10
"""Distinct values that take long enough to be kept."""


class Sorted:
    """The steps of the distinct values of a column, and how to put them in order.

    Parameters
    ----------
    steps
        The step of every distinct value, shape (values,); -1 for those that are left out.
    """

    def __init__(self, steps: NDArray[np.int64]) -> None:
        self.steps = steps
        self._whole: tuple[NDArray[np.int64], ...] = ()

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        kept = (*self._whole, *(self._order if "_order" in vars(self) else ()))
        return int(self.steps.nbytes + sum(one.nbytes for one in kept))

    @cached_property
    def _order(self) -> tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.int64]]:
        """The values that have a step, by it; where each step begins among them; and the different steps, rising."""
        order = np.argsort(self.steps, kind="stable")
        order = order[int(np.count_nonzero(self.steps < 0)) :]
        rising = self.steps[order]
        starts = np.flatnonzero(np.diff(rising, prepend=-1))
        narrow = np.int32 if len(self.steps) < 1 << 31 else np.int64
        return order.astype(narrow), starts.astype(narrow), rising[starts]

    def merged(self, counts: NDArray[np.int64], keep: bool = False) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The different steps, rising, that any rows have, and how many; `counts` are the rows of every value.

        What is found is kept for the next time, for an array of counts that is the same each time.
        """
        if self._whole and self._whole[0] is counts:
            _, points, rows = self._whole
            return points, rows
        points, rows = self._merged(counts)
        if keep:
            self._whole = counts, points, rows
        return points, rows

    def _merged(self, counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        order, starts, points = self._order
        if not len(points):
            return points, points
        rows = counts[order]
        if len(starts) < len(order):
            rows = np.add.reduceat(rows, starts)
        used = rows > 0
        return (points, rows) if used.all() else (points[used], rows[used])


_Key = tuple["weakref.ref[Column]", Grid]
_kept: OrderedDict[_Key, Sorted] = OrderedDict()
_lock = Lock()


def steps_of(column: Column, grid: Grid) -> NDArray[np.int64]:
    """The step of every distinct value, shape (values,), read-only; -1 for those that are left out."""
    return sorted_steps(column, grid).steps


def sorted_steps(column: Column, grid: Grid) -> Sorted:
    """The same with their order, which is found when it is first asked for."""
    if len(column.values) < _FEWEST:
        return Sorted(grid.place(Readings.of(column.values, grid.spec)))
    key = weakref.ref(column, _forget), grid
    with _lock:
        if (known := _kept.get(key)) is not None:
            _kept.move_to_end(key)
            _make_room()
            return known
    found = Sorted(grid.place(Readings.of(column.values, grid.spec)))
    found.steps.flags.writeable = False
    with _lock:
        _kept[key] = found
        _make_room()
    return found


def _make_room() -> None:
    while len(_kept) > 1 and sum(one.nbytes for one in _kept.values()) > _MOST_BYTES:
        _kept.popitem(last=False)


def _forget(gone: weakref.ref[Column]) -> None:
    """Drop what is kept of a column that is no more; without the lock, for this may run while it is held."""
    for key in [key for key in list(_kept) if key[0] is gone]:
        _kept.pop(key, None)
