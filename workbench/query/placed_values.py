"""The distinct values of a column as steps of a grid, kept from one question to the next.

Reading texts exactly takes most of the time of a question about numbers that hardly repeat, and depends on nothing but
the column and the grid. What is kept goes with the column, and the oldest goes when there is too much of it.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from workbench.core.table import Column
from workbench.query.grid import Grid
from workbench.query.readings import Readings

_MOST_BYTES = 1 << 27
_FEWEST = 1 << 10
"""Distinct values that take long enough to be kept."""

_Key = tuple["weakref.ref[Column]", Grid]
_kept: OrderedDict[_Key, NDArray[np.int64]] = OrderedDict()
_lock = Lock()


def steps_of(column: Column, grid: Grid) -> NDArray[np.int64]:
    """The step of every distinct value, shape (values,), read-only; -1 for those that are left out."""
    if len(column.values) < _FEWEST:
        return grid.place(Readings.of(column.values, grid.spec))
    key = weakref.ref(column, _forget), grid
    with _lock:
        if (known := _kept.get(key)) is not None:
            _kept.move_to_end(key)
            return known
    found = grid.place(Readings.of(column.values, grid.spec))
    found.flags.writeable = False
    with _lock:
        _kept[key] = found
        while len(_kept) > 1 and sum(one.nbytes for one in _kept.values()) > _MOST_BYTES:
            _kept.popitem(last=False)
    return found


def _forget(gone: weakref.ref[Column]) -> None:
    """Drop what is kept of a column that is no more; without the lock, for this may run while it is held."""
    for key in [key for key in list(_kept) if key[0] is gone]:
        _kept.pop(key, None)
