"""The classes of one node as privacy models and loss metrics see them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.keys import count_keys, group_ranks, merged_runs
from workbench.anonymise.rollup import GroupTable, digits_between

_PORTION = 1 << 15
"""Classes whose labels are looked up at once."""


@dataclass(frozen=True)
class ExtraLayout:
    """The layout of the extra code of a group table.

    Parameters
    ----------
    columns, radices
        The sensitive columns and how many values each has; the first is the most significant digit.
    marked
        Whether the last digit, of radix 2, says that a row is to be released. Rows with 0 there belong to the
        population only.
    merged
        Whether each class is one group whatever its sensitive values, as `merged_values` makes them: the last number
        of the one column says that there are several.
    """

    columns: tuple[str, ...] = ()
    radices: tuple[int, ...] = ()
    marked: bool = False
    merged: bool = False

    @property
    def radix(self) -> int:
        return math.prod(self.radices) * (2 if self.marked else 1)

    def value_of(self, extra: NDArray[np.intp], column: str) -> NDArray[np.intp]:
        """The digit of one sensitive column."""
        position = self.columns.index(column)
        below = math.prod(self.radices[position + 1 :]) * (2 if self.marked else 1)
        return extra // below % self.radices[position]


@dataclass(frozen=True, eq=False)
class SensitiveCells:
    """The rows to be released by class and sensitive value: one entry for each combination that occurs.

    `owner` (the number of the class), `value` and `count` have shape (entries,) and are ordered by class, then by
    value. Values are below `radix`.
    """

    owner: NDArray[np.intp]
    value: NDArray[np.intp]
    count: NDArray[np.int64]
    radix: int


@dataclass(frozen=True, eq=False)
class GroundMembers:
    """The rows to be released that some classes of a node consist of, before generalising.

    `rows` counts the rows of each distinct combination, shape (combinations,).
    """

    rows: NDArray[np.int64]
    _table: GroupTable
    _where: NDArray[np.intp]

    def digits(self, attribute: int) -> NDArray[np.intp]:
        """The label number at the level of the ground table of one attribute in each combination."""
        return self._table.digit(attribute)[self._where]


class ClassTable:
    """The classes of a node.

    Parameters
    ----------
    groups, layout
        The group table of the node, and what its extra code means.
    ground
        The group table of level 0 everywhere, if `ground_members` is to be asked.

    Attributes
    ----------
    sizes
        Rows to be released in each class, int64 of shape (classes,). May be 0 if only a part of the table is
        to be released.
    population
        Rows of the whole table in each class; the same array as `sizes` if all are to be released.
    """

    def __init__(self, groups: GroupTable, layout: ExtraLayout, ground: GroupTable | None = None) -> None:
        self.groups = groups
        self._ground = ground
        self._layout = layout
        if groups.coding.extra == 1 or layout.merged:
            self._starts: NDArray[np.intp] | None = None
            self.population = self.sizes = groups.counts.astype(np.int64)
            return
        self._starts = _class_starts(groups)
        counts = groups.counts.astype(np.int64)
        self.population = np.add.reduceat(counts, self._starts)
        if layout.marked:
            released = counts * (groups.digit(len(groups.radices) - 1) & 1)
            self.sizes = np.add.reduceat(released, self._starts)
        else:
            self.sizes = self.population

    def __len__(self) -> int:
        return len(self.sizes)

    def labels(self, attribute: int, classes: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
        """The label number of an attribute in all classes, or in the given ones."""
        where = classes if self._starts is None else self._starts if classes is None else self._starts[classes]
        groups = self.groups
        if groups.keys is not None:
            keys = groups.keys if where is None else groups.keys[where]
            return digits_between(keys, groups.radices, attribute, attribute + 1)
        digits = groups.digit(attribute)
        return digits if where is None else digits[where]

    def marginals(self, classes: NDArray[np.intp], rows: NDArray[np.int64]) -> list[NDArray[np.float64]]:
        """How many of `rows` (one number per class of `classes`) have each label, per attribute.

        Returns
        -------
        list of ndarray
            float64 of shape (labels,), whole numbers, one array per attribute.
        """
        groups = self.groups
        attributes = len(groups.radices) - 1
        where = classes if self._starts is None else self._starts[classes]
        ranges = [(low, min(last, attributes)) for low, last in groups.ranges() if low < attributes]
        sizes = [math.prod(groups.radices[low:high]) for low, high in ranges]
        totals: list[NDArray[np.float64]] = [np.zeros(0)] * len(ranges)
        # In portions that stay near the processor; whole numbers add up to the same in any order.
        portion = max(_PORTION, *sizes)
        for start in range(0, max(len(where), 1), portion):
            part = slice(start, start + portion)
            for place, joined in enumerate(groups.combined_in(ranges, where[part])):
                sums = np.bincount(joined, weights=rows[part], minlength=sizes[place]).astype(np.float64, copy=False)
                totals[place] = totals[place] + sums if start else sums
        found: list[NDArray[np.float64]] = []
        for (low, high), total in zip(ranges, totals, strict=True):
            counts = total.reshape(groups.radices[low:high])
            for position in range(high - low):
                # Summing the first axis away each time leaves ever less to do.
                found.append(counts.reshape(len(counts), -1).sum(axis=1))
                if position < high - low - 1:
                    counts = counts.sum(axis=0)
        return found

    @cached_property
    def _owner(self) -> NDArray[np.intp]:
        """The class of each group."""
        if self._starts is None:
            return np.arange(len(self.groups))
        lengths = np.diff(self._starts, append=len(self.groups))
        return np.repeat(np.arange(len(self._starts)), lengths)

    @cached_property
    def _cells(self) -> dict[str, SensitiveCells]:
        return {}

    def cells(self, column: str) -> SensitiveCells:
        """The rows to be released by class and value of a sensitive column."""
        if column not in self._cells:
            self._cells[column] = self._count_cells(column)
        return self._cells[column]

    def different(self, column: str) -> NDArray[np.int64]:
        """How many values of a sensitive column the rows to be released of each class have; shape (classes,).

        Where values are merged, 2 stands for two and more.
        """
        if self._layout.merged:
            assert self.groups.keys is not None
            last = self._layout.radix - 1
            several: NDArray[np.int64] = 1 + ((self.groups.keys & last) == last).astype(np.int64)
            return several
        if self._starts is not None and self._layout.columns == (column,) and not self._layout.marked:
            return np.diff(self._starts, append=len(self.groups))
        return np.bincount(self.cells(column).owner, minlength=len(self))

    def ground_members(self, classes: NDArray[np.intp]) -> GroundMembers:
        """The rows of level 0 behind some classes."""
        ground = self._ground
        if ground is None:
            raise ValueError("this table was made without its ground")
        attributes = len(ground.radices) - 1
        chosen = np.zeros(len(self), dtype=np.bool_)
        chosen[classes] = True
        mapped = [
            axis.up(low, high)[ground.digit(position)]
            for position, (axis, low, high) in enumerate(
                zip(ground.coding.axes, ground.levels, self.groups.levels, strict=True)
            )
        ]
        joined = [np.concatenate([self.labels(position), mapped[position]]) for position in range(attributes)]
        ranks = group_ranks(list(zip(joined, self.groups.radices[:attributes], strict=True)), len(joined[0]))
        # Every class occurs once among the first entries, so a rank is a class.
        chosen_rank = np.zeros(len(self), dtype=np.bool_)
        chosen_rank[ranks[: len(self)]] = chosen
        where = np.flatnonzero(chosen_rank[ranks[len(self) :]])
        rows = ground.counts[where].astype(np.int64)
        if self._layout.marked:
            rows = rows * (ground.digit(attributes)[where] & 1)
        return GroundMembers(rows, ground, where)

    def _count_cells(self, column: str) -> SensitiveCells:
        groups, layout = self.groups, self._layout
        extra = groups.digit(len(groups.radices) - 1)
        owner, counts = self._owner, groups.counts.astype(np.int64)
        if layout.marked:
            released = np.flatnonzero(extra & 1)
            extra, owner, counts = extra[released], owner[released], counts[released]
        radix = layout.radices[layout.columns.index(column)]
        value = layout.value_of(extra, column)
        if len(layout.columns) > 1:
            keys, counts = count_keys(owner * radix + value, counts, len(self) * radix)
            owner, value = keys // radix, keys % radix
        return SensitiveCells(owner, value, counts, radix)


def merged_values(ground: GroupTable, layout: ExtraLayout) -> tuple[GroupTable, ExtraLayout]:
    """The same rows with one group for each class: its sensitive value, or that there are several.

    A class keeps having several when it merges, so everything coarser follows from it. What is asked of the layout,
    one column and no mark, is for the caller to see to; so is that the keys have room for a few more values.
    """
    bits = layout.radix.bit_length()
    coding = replace(ground.coding, extra=1 << bits, merged=bits)
    assert ground.keys is not None
    keys, counts = merged_runs(
        ground.keys // layout.radix << bits | ground.keys % layout.radix, ground.counts.astype(np.int64), bits
    )
    return GroupTable(coding, ground.levels, counts, keys), replace(layout, radices=(1 << bits,), merged=True)


def _class_starts(groups: GroupTable) -> NDArray[np.intp]:
    """The first group of each class; groups are ordered by class, then by extra code."""
    new = np.empty(len(groups), dtype=np.bool_)
    new[:1] = True
    if groups.keys is not None:
        owners = groups.keys // groups.coding.extra
        np.not_equal(owners[1:], owners[:-1], out=new[1:])
    else:
        new[1:] = False
        for position in range(len(groups.radices) - 1):
            digits = groups.digit(position)
            new[1:] |= digits[1:] != digits[:-1]
    return np.flatnonzero(new)
