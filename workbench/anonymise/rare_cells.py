"""Refuting a node of a large table by its rarest classes alone.

A class of a node is a part of one class of any coarser node. Few rows fall into the rarest classes of a node near the
top, and what is too small is most often found there: a class below that is too small among these rows is so in the
whole table, since no other row belongs to it. So a look at a few thousand distinct rows may spare one of all. Where
some rows may be suppressed, more of them than that must be looked at: those with the rarest labels of one column. They
are also looked at where there are too many classes even near the top.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable, ExtraLayout
from workbench.anonymise.keys import WIDEST, run_starts
from workbench.anonymise.lattice import Lattice
from workbench.anonymise.rollup import GroupTable, Levels, keys_at, roll_up

WORTH_IT = 1 << 19
"""Tables of fewer distinct rows are looked at whole: that takes no longer."""

_WITNESSES = 3000
"""Distinct rows in the rarest classes that are looked at, about."""

_MOST_WITNESSES = 60_000
"""If the rarest class alone has more, nothing is saved."""

_WORTH_LABELS = 1 << 16
"""The same where the rarest labels are looked at, which takes less to find."""

_MARGIN = 3
"""So many times the rows that may be suppressed have the rarest labels that are looked at."""

_SPARED = 3
"""At most one in so many distinct rows is looked at, or nothing is saved."""

_MOST_LABELS = 4
"""Columns whose rows with the rarest labels are kept."""

_CREDIT = 32
"""Initial credit for looks at rare labels; while nothing is left, none is taken."""

_IN_VAIN = 4
"""Cost of a look that refutes nothing; the others, and looks at all rows, pay back as below."""

_WON = 12

_PASSED = 1

_MOST_CELLS = 1 << 16
"""If there are more classes even near the top, they are not sorted out."""

_SAMPLED = 1 << 18
"""From so many distinct rows it is mostly seen that there are more."""

_PARTED = 1 << 14
"""Where more rows than this have the rarest labels of a column, fewer of them are looked at first."""


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
        possible = math.prod(ground.coding.radices(levels)[:-1])
        if possible * extra > WIDEST:
            return None
        if len(ground) > 2 * _SAMPLED:
            some = keys_at(ground.part(np.arange(_SAMPLED)), levels) // extra
            if len(np.unique(some)) > _MOST_CELLS:
                return None
        # numpy sorts short integers by their digits, several times faster.
        narrow = (keys_at(ground, levels) // extra).astype(np.min_scalar_type(possible))
        order: NDArray[np.integer] = np.argsort(narrow, kind="stable").astype(np.min_scalar_type(len(narrow)))
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

    @property
    def sorted_out(self) -> bool:
        """Whether there are few enough classes near the top; nothing is refuted otherwise."""
        return self._cells is not None

    def worth_it(self, entries: int) -> bool:
        """Whether `refute` may spare something where a node would be counted from so many groups."""
        return entries >= WORTH_IT

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


class RareLabels:
    """The distinct rows with the rarest labels of one column: a class has one label there, unless it is at its top.

    Parameters
    ----------
    ground, layout, lattice, smallest, most_suppressed
        As for `RareCells`.
    """

    def __init__(
        self, ground: GroupTable, layout: ExtraLayout, lattice: Lattice, smallest: int, most_suppressed: int
    ) -> None:
        self._ground = ground
        self._layout = layout
        self._lattice = lattice
        self._smallest = smallest
        self._most = most_suppressed
        self._found: dict[int, GroupTable | None] = {}
        self._parts: dict[tuple[int, int, int], GroupTable | None] = {}
        axes, tops = ground.coding.axes, lattice.high
        # The more labels, the fewer rows have the rarest.
        self._finest = sorted(
            (place for place, top in enumerate(tops) if top > lattice.low[place]),
            key=lambda place: -axes[place].radices[tops[place] - 1],
        )
        self._credit = _CREDIT

    def worth_it(self, entries: int) -> bool:
        """Whether `refute` may spare something where a node would be counted from so many groups."""
        return entries >= _WORTH_LABELS

    def refute(self, levels: Levels) -> bool:
        """Whether a node, and with it everything below, is seen to have too many rows in classes that are too small.

        False says nothing.
        """
        rows = self._rows(levels) if self._credit > 0 else []
        if not rows:
            self._credit += _PASSED
            return False
        refuted = any(self._refuted_by(some, levels) for some in rows)
        self._credit = min(self._credit + _WON, 2 * _CREDIT) if refuted else self._credit - _IN_VAIN
        return refuted

    def _refuted_by(self, rows: GroupTable, levels: Levels) -> bool:
        sizes = ClassTable(roll_up(rows, levels), self._layout).sizes
        return int(sizes[sizes < self._smallest].sum()) > self._most

    def _rows(self, levels: Levels) -> list[GroupTable]:
        """Rows that may refute a node, few before many: all those of each of its classes that has one of them."""
        for place in self._finest:
            if levels[place] == self._lattice.high[place]:
                continue
            if place not in self._found and sum(rows is not None for rows in self._found.values()) < _MOST_LABELS:
                self._found[place] = self._rarest(place)
            rows = self._found.get(place)
            if rows is not None:
                fewer = self._fewer(rows, place, levels) if len(rows) > _PARTED else None
                return [rows] if fewer is None else [fewer, rows]
        return []

    def _rarest(self, place: int) -> GroupTable | None:
        """The distinct rows with the rarest labels of a column one level below its top."""
        return self._with_rarest(self._ground, place, self._lattice.high[place] - 1, _MARGIN * self._most)

    def _fewer(self, rows: GroupTable, place: int, levels: Levels) -> GroupTable | None:
        """Those of them with the rarest labels that a second column has at the node itself."""
        axes = self._ground.coding.axes
        others = [other for other in self._finest if other != place and levels[other] < self._lattice.high[other]]
        if not others:
            return None
        other = max(others, key=lambda one: axes[one].radices[levels[one]])
        known = (place, other, levels[other])
        if known not in self._parts:
            least = max(_MARGIN * self._most, _WITNESSES)
            self._parts[known] = self._with_rarest(rows, other, levels[other], least)
        return self._parts[known]

    def _with_rarest(self, table: GroupTable, place: int, level: int, least: int) -> GroupTable | None:
        """At least so many rows of a table with the rarest labels of a column; None if that spares little."""
        axis = table.coding.axes[place]
        labels = axis.up(table.levels[place], level)[table.digit(place)]
        rows = np.bincount(labels, weights=table.counts, minlength=axis.radices[level])
        rarest = np.argsort(rows, kind="stable")
        enough = int(np.searchsorted(np.cumsum(rows[rarest]), least)) + 1
        chosen = np.zeros(len(rows), dtype=np.bool_)
        chosen[rarest[:enough]] = True
        where = np.flatnonzero(chosen[labels])
        if len(where) * _SPARED > len(table):
            return None
        found = table.part(where)
        return found if int(found.counts.sum()) > self._most else None


def rarest_of(
    ground: GroupTable, layout: ExtraLayout, lattice: Lattice, smallest: int, most_suppressed: int
) -> RareCells | RareLabels | None:
    """Rare cells or labels that refute nodes of a table at few of its rows.

    None for tables of few rows, and where nothing is refuted.

    Parameters
    ----------
    ground, layout, lattice, smallest, most_suppressed
        As for `RareCells`.
    """
    if most_suppressed <= _WITNESSES:
        if len(ground) < WORTH_IT:
            return None
        cells = RareCells(ground, layout, lattice, smallest, most_suppressed)
        if cells.sorted_out:
            return cells
    few = most_suppressed * _SPARED <= ground.coding.rows and len(ground) >= _WORTH_LABELS
    return RareLabels(ground, layout, lattice, smallest, most_suppressed) if few else None
