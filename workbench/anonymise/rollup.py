"""Class tables of nodes of the lattice: counted once from the rows, then from one another.

A *coding* says how the labels of every attribute at every level are numbered. A *group table* holds, for one
node, the distinct combinations of labels that occur, with the rows that have them. Because classes only merge
as levels rise, the table of a node follows from the table of any finer node; the rows are read only once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.keys import (
    ALWAYS_COUNTED,
    WIDEST,
    count_keys,
    count_sorted,
    group_wide,
    key_kind,
    narrowed,
)
from workbench.core.counting import counts_of
from workbench.core.progress import SILENT, Progress

Levels = tuple[int, ...]
"""One level per attribute."""

_Block = tuple[int, int, Levels, Levels]
"""A run of attributes by its first and the one after its last, and their levels below and above."""

_BLOCK = 1 << 13
"""Attributes are looked up together while their labels make at most this many combinations."""

_JOINED = 96
"""So many tables of joined labels are kept, of at most `_BLOCK` numbers each."""

_CHUNK = 1 << 18

_LOOKED_UP = 1 << 15
"""Groups looked up at a time, so that what is in between stays in the cache."""


@dataclass(frozen=True, eq=False)
class AttributeNumbering:
    """The numbering of one attribute.

    Parameters
    ----------
    radices
        Labels per level, counting only those that occur.
    steps
        `steps[level]` maps the numbers of `level` to those of `level + 1`; intp.
    """

    radices: tuple[int, ...]
    steps: tuple[NDArray[np.intp], ...]

    @cached_property
    def _paths(self) -> dict[tuple[int, int], NDArray[np.intp]]:
        return {}

    def up(self, low: int, high: int) -> NDArray[np.intp]:
        """Label at level `high` for each label of level `low`, shape (radices[low],)."""
        path = self._paths.get((low, high))
        if path is None:
            path = np.arange(self.radices[low])
            for step in self.steps[low:high]:
                path = step[path]
            self._paths[low, high] = path
        return path


@dataclass(frozen=True, eq=False)
class Coding:
    """The axes of all attributes, and of what travels with the classes without being generalised.

    Parameters
    ----------
    axes
        One per attribute.
    extra
        Radix of the extra code: the combination of sensitive values and of the mark of a released row. 1 if
        there is none.
    rows
        Rows of the table; bounds every count.
    merged
        Bits of the extra code if each class is to be one group, in which all of them set mean several values; 0 if
        groups of a class differ in it.
    """

    axes: tuple[AttributeNumbering, ...]
    extra: int
    rows: int
    merged: int = 0
    joined: dict[_Block, NDArray[np.int64]] = field(default_factory=dict, init=False, repr=False)
    """Joined labels of blocks of attributes that came up before; many nodes differ in one block alone."""

    def keep_joined(self, place: _Block, table: NDArray[np.int64]) -> None:
        """Keep the joined labels of a block, as long as few are kept."""
        if len(self.joined) >= _JOINED:
            self.joined.clear()
        self.joined[place] = table

    def radices(self, levels: Levels) -> tuple[int, ...]:
        """Radix per attribute and, last, of the extra code."""
        return (*[axis.radices[level] for axis, level in zip(self.axes, levels, strict=True)], self.extra)


class GroupTable:
    """The combinations of labels and extra codes that occur at one node, with their rows.

    `counts` has shape (groups,) and the smallest kind of integer, so whatever adds them up widens them. `keys` are
    mixed-radix numbers over all attributes and the extra code, the first attribute most significant; None if such a
    number would not fit 64 bits, in which case the digits are stored
    instead. Groups are in ascending order, so those of one class stand together.
    """

    def __init__(
        self,
        coding: Coding,
        levels: Levels,
        counts: NDArray[np.integer],
        keys: NDArray[np.int64] | None,
        digits: list[NDArray[np.intp]] | None = None,
    ) -> None:
        self.coding = coding
        self.levels = levels
        self.counts = narrowed(counts)
        self.keys = keys
        self.radices = coding.radices(levels)
        self._attribute_digits: list[NDArray[np.intp] | None] = (
            list(digits) if digits is not None else [None] * len(self.radices)
        )
        self._ranges: list[tuple[int, int]] | None = None
        self._blocks: list[tuple[int, int, NDArray[np.integer]]] | None = None

    def __len__(self) -> int:
        return len(self.counts)

    def digit(self, position: int) -> NDArray[np.intp]:
        """The label number of attribute `position` in every group, or the extra code if it is the last."""
        known = self._attribute_digits[position]
        if known is not None:
            return known
        assert self.keys is not None
        return digits_between(self.keys, self.radices, position, position + 1)

    def part(self, groups: NDArray[np.integer]) -> GroupTable:
        """Some of the groups, in the order given."""
        if self.keys is not None:
            return GroupTable(self.coding, self.levels, self.counts[groups], self.keys[groups])
        digits = [self.digit(position)[groups] for position in range(len(self.radices))]
        return GroupTable(self.coding, self.levels, self.counts[groups], None, digits)

    def ranges(self) -> list[tuple[int, int]]:
        """(first, last + 1) of runs of attributes whose labels make few combinations."""
        if self._ranges is None:
            limit = min(max(len(self), 64), _BLOCK)
            self._ranges = []
            first, radix = 0, 1
            for position, size in enumerate(self.radices):
                if position > first and radix * size > limit:
                    self._ranges.append((first, position))
                    first, radix = position, 1
                radix *= size
            self._ranges.append((first, len(self.radices)))
        return self._ranges

    def blocks(self) -> list[tuple[int, int, NDArray[np.integer]]]:
        """The ranges, with the combined digits of each in every group."""
        if self._blocks is None:
            self._blocks = []
            for low, high in self.ranges():
                # Short tables, which are rolled up most often, keep what numpy takes by at once.
                short = len(self) <= _LOOKED_UP
                kind = np.intp if short else np.min_scalar_type(max(math.prod(self.radices[low:high]) - 1, 0))
                self._blocks.append((low, high, self.combined(low, high).astype(kind, copy=False)))
        return self._blocks

    def combined_in(self, ranges: Sequence[tuple[int, int]], groups: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """The same for several ranges and the given groups, whose keys are looked up once."""
        if self.keys is None:
            return [self.combined(low, high, groups) for low, high in ranges]
        keys = self.keys[groups]
        return [digits_between(keys, self.radices, low, high) for low, high in ranges]

    def combined(self, low: int, high: int, groups: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
        """The digits of a range of attributes as one number, in all groups or in the given ones."""
        if self.keys is not None:
            keys = self.keys if groups is None else self.keys[groups]
            return digits_between(keys, self.radices, low, high)
        key = self.digit(low) if groups is None else self.digit(low)[groups]
        for position in range(low + 1, high):
            digits = self.digit(position) if groups is None else self.digit(position)[groups]
            key = key * self.radices[position] + digits
        return key


def digits_between(keys: NDArray[np.int64], radices: Sequence[int], low: int, high: int) -> NDArray[np.intp]:
    """The digits of mixed-radix keys from position `low` to before `high`, as one number."""
    below = math.prod(radices[high:])
    rest = keys // below if below > 1 else keys
    if low == 0:
        return rest
    # numpy divides by a fixed number quickly, but has no such shortcut for the remainder.
    radix = math.prod(radices[low:high])
    return rest - rest // radix * radix


def count_rows(
    coding: Coding,
    levels: Levels,
    columns: Sequence[tuple[NDArray[np.integer], NDArray[np.intp]]],
    progress: Progress = SILENT,
) -> GroupTable:
    """The group table of a node, from the rows.

    Parameters
    ----------
    coding
        Its rows and radices must fit the columns.
    columns
        Per attribute, and for the extra code unless its radix is 1: codes of shape (rows,), and the number of
        each code at the attribute's level.
    progress
        Reports how many columns were read.

    Notes
    -----
    Costs one 64-bit integer per row besides the result, and one sort of it unless few combinations are possible.
    """
    radices = coding.radices(levels)[: len(columns)]
    total = math.prod(radices)
    if total > WIDEST:
        return _count_wide(coding, levels, columns, progress)
    kind = np.uint32 if total < 1 << 32 else np.int64
    key: NDArray[Any] = np.zeros(coding.rows, dtype=kind)
    stride = total
    for position, ((codes, numbers), radix) in enumerate(zip(columns, radices, strict=True)):
        progress(0.7 * position / len(columns), "Reading the rows")
        stride //= radix
        contribution = (numbers * stride).astype(key.dtype)
        for start in range(0, coding.rows, _CHUNK):
            part = slice(start, start + _CHUNK)
            key[part] += contribution.take(codes[part])
    progress(0.7, "Finding distinct rows")
    if total <= max(ALWAYS_COUNTED, coding.rows // 4):
        counts = counts_of(key, total)
        keys = np.flatnonzero(counts != 0)
        return GroupTable(coding, levels, counts[keys], keys)
    key.sort()
    distinct, sizes = count_sorted(key)
    del key
    return GroupTable(coding, levels, sizes, distinct.astype(np.int64, copy=False))


def roll_up(source: GroupTable, levels: Levels) -> GroupTable:
    """The table of a node from that of a finer one (every level of `source` at most that of `levels`)."""
    coding = source.coding
    total = math.prod(coding.radices(levels))
    if total > WIDEST:
        return _roll_up_wide(source, levels)
    key = keys_at(source, levels, key_kind(len(source), total))
    keys, counts = count_keys(key, source.counts, total, coding.merged)
    return GroupTable(coding, levels, counts, keys)


def keys_at(
    source: GroupTable, levels: Levels, kind: type[np.uint32] | type[np.int64] = np.int64
) -> NDArray[np.integer]:
    """The key of each group of the source at a coarser node, in integers that hold it."""
    radices = source.coding.radices(levels)
    parts: list[tuple[NDArray[np.integer], NDArray[np.integer], int]] = [
        (digits, _joined_labels(source, levels, low, high).astype(kind, copy=False), math.prod(radices[low:high]))
        for low, high, digits in source.blocks()
    ]
    key: NDArray[np.integer] = np.empty(len(source), dtype=kind)
    for start in range(0, len(source), _LOOKED_UP):
        part = slice(start, start + _LOOKED_UP)
        whole = key[part]
        digits, table, _ = parts[0]
        whole[:] = table.take(digits[part])
        for digits, table, radix in parts[1:]:
            whole *= radix
            whole += table.take(digits[part])
    return key


def _joined_labels(source: GroupTable, levels: Levels, low: int, high: int) -> NDArray[np.int64]:
    """The joined labels at the coarser node of each combination of a block of attributes."""
    coding = source.coding
    place = (low, high, source.levels[low:high], levels[low:high])
    known = coding.joined.get(place)
    if known is not None:
        return known
    radices = coding.radices(levels)
    table: NDArray[np.int64] | None = None
    for position in range(low, high):
        if position < len(levels):
            numbers = coding.axes[position].up(source.levels[position], levels[position])
        else:
            numbers = np.arange(coding.extra)
        table = numbers if table is None else np.add.outer(table * radices[position], numbers).ravel()
    assert table is not None
    coding.keep_joined(place, table)
    return table


def _count_wide(
    coding: Coding,
    levels: Levels,
    columns: Sequence[tuple[NDArray[np.integer], NDArray[np.intp]]],
    progress: Progress,
) -> GroupTable:
    progress(0.0, "Reading the rows")
    radices = coding.radices(levels)
    parts = [(numbers[codes], radix) for (codes, numbers), radix in zip(columns, radices, strict=False)]
    rank, first = group_wide(parts, coding.rows)
    digits = [part[first] for part, _ in parts]
    digits += [np.zeros(len(first), dtype=np.intp)] * (len(radices) - len(digits))
    return GroupTable(coding, levels, np.bincount(rank, minlength=len(first)), None, digits)


def _roll_up_wide(source: GroupTable, levels: Levels) -> GroupTable:
    coding = source.coding
    radices = coding.radices(levels)
    digits = [
        axis.up(low, high)[source.digit(position)]
        for position, (axis, low, high) in enumerate(zip(coding.axes, source.levels, levels, strict=True))
    ]
    digits.append(source.digit(len(levels)))
    rank, first = group_wide(list(zip(digits, radices, strict=True)), len(source))
    counts = np.bincount(rank, weights=source.counts, minlength=len(first)).astype(np.int64)
    return GroupTable(coding, levels, counts, None, [digit[first] for digit in digits])
