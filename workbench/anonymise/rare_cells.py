"""Refuting a node of a large table by its rarest classes alone.

A class of a node is a part of one class of any coarser node. Few rows fall into the rarest classes of a node near the
top, and what is too small is most often found there: a class below that is too small among these rows is so in the
whole table, since no other row belongs to it. So a look at a few thousand distinct rows may spare one at millions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable, ExtraLayout
from workbench.anonymise.keys import WIDEST, run_starts
from workbench.anonymise.lattice import Lattice
from workbench.anonymise.rollup import GroupTable, Levels, keys_at, product, roll_up

WORTH_IT = 1 << 19
"""Tables of fewer distinct rows are looked at whole: that takes no longer."""

_WITNESSES = 3000
"""Distinct rows in the rarest classes that are looked at, about."""

_MOST_WITNESSES = 60_000
"""If the rarest class alone has more, nothing is saved."""

_MOST_CELLS = 1 << 16
"""If there are more classes even near the top, they are not sorted out."""


@dataclass(frozen=True, eq=False)
class _Cells:
    """The distinct rows ordered by their class at a node near the top.

    Parameters
    ----------
    table
        The classes of that node with all their rows.
    order, starts
        The distinct rows by class, and where each class of `table` begins among them.
    """

    table: GroupTable
    order: NDArray[np.integer]
    starts: NDArray[np.intp]

    @classmethod
    def of(cls, ground: GroupTable, levels: Levels) -> _Cells | None:
        """None if there are too many classes."""
        extra = ground.coding.extra
        possible = product(ground.coding.radices(levels)[:-1])
        if possible * extra > WIDEST:
            return None
        cell = keys_at(ground, levels)
        if extra > 1:
            cell //= extra
        # numpy sorts short integers by their digits, several times faster.
        narrow = cell.astype(np.min_scalar_type(possible - 1))
        kind = np.int32 if len(cell) < 1 << 31 else np.int64
        order: NDArray[np.integer] = np.argsort(narrow, kind="stable").astype(kind)
        ordered = narrow[order]
        starts = run_starts(ordered)
        if len(starts) > _MOST_CELLS:
            return None
        rows = np.add.reduceat(ground.counts[order], starts)
        table = GroupTable(ground.coding, levels, rows, ordered[starts].astype(np.int64) * extra)
        return cls(table, order, starts)


class RareCells:
    """The distinct rows of a table that are first to show that a node is infeasible.

    Parameters
    ----------
    ground
        The distinct rows, at the lowest node or below.
    layout
        What their extra code means.
    lattice
        The nodes that are asked about.
    smallest
        Rows that a class must have to be released.
    most_suppressed
        Rows of smaller classes that a node may have.
    """

    def __init__(
        self, ground: GroupTable, layout: ExtraLayout, lattice: Lattice, smallest: int, most_suppressed: int
    ) -> None:
        self._ground = ground
        self._layout = layout
        self._lattice = lattice
        self._smallest = smallest
        self._most = most_suppressed
        base = zip(lattice.high, lattice.low, strict=True)
        self._cells = _Cells.of(ground, tuple(max(high - 1, low) for high, low in base))
        self._witnesses: dict[Levels, GroupTable | None] = {}

    def refute(self, levels: Levels) -> bool:
        """Whether a node, and with it everything below, is seen to have too many rows in classes that are too small.

        False says nothing.
        """
        near_top = tuple(
            high if level == high else high - 1 for level, high in zip(levels, self._lattice.high, strict=True)
        )
        if near_top not in self._witnesses:
            self._witnesses[near_top] = self._rarest(near_top)
        witnesses = self._witnesses[near_top]
        if witnesses is None:
            return False
        sizes = ClassTable(roll_up(witnesses, levels), self._layout).sizes
        return int(sizes[sizes < self._smallest].sum()) > self._most

    def _rarest(self, levels: Levels) -> GroupTable | None:
        """The distinct rows in the rarest classes of a node near the top."""
        cells, ground = self._cells, self._ground
        if cells is None:
            return None
        _, cls = np.unique(keys_at(cells.table, levels), return_inverse=True)
        rows = np.bincount(cls, weights=cells.table.counts)
        lengths = np.diff(cells.starts, append=len(cells.order))
        rarest = np.argsort(rows, kind="stable")
        growing = np.cumsum(np.bincount(cls, weights=lengths)[rarest])
        enough = max(1, int(np.searchsorted(growing, _WITNESSES)))
        if growing[enough - 1] > _MOST_WITNESSES:
            return None
        chosen = np.zeros(len(rows), dtype=np.bool_)
        chosen[rarest[:enough]] = True
        where = np.flatnonzero(chosen[cls])
        # The places of one cell after the other.
        many = lengths[where]
        within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
        found = ground.part(np.sort(cells.order[np.repeat(cells.starts[where], many) + within]))
        return found if int(found.counts.sum()) > self._most else None
