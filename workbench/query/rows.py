"""The rows a question is about, counted by what the question looks at, and exact sums over them.

A question needs no row as such, but how many rows there are of each combination of public places. Rows in memory are
counted here. Rows in an engine are counted there, and only the counts come back, so what that costs follows the places
and not the rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.filter_rules import Leaf, evaluate, leaves_of
from workbench.core.filtering import Filter
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Schema
from workbench.core.table import Column, Table
from workbench.query.exact_sums import Whole, cell_sums, exact_sums, narrow, power_sums_of, squared, whole

Places = NDArray[np.int64]
Axis = tuple[str, Places]
"""A column, and the place of each of its distinct values; -1 for those in none."""

_FEW = 1 << 16
"""So few combinations of values are counted before anything is summed."""
_DENSE = 1 << 20
"""So many combinations are counted in an array of all of them, whether they occur or not."""
_MOST_COMBINATIONS = 1 << 22
"""So many combinations are brought from an engine, where there is a way around more."""
_NARROWEST_LIMBS = 10
"""Bits of a number that an engine is asked for at once, where there is that way."""
_PORTION = 1 << 15
"""Rows that are added up by groups at once."""
_BYTES_PER_ROW = 24
"""Of a row that is looked at by itself: its number, its value, and codes."""


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
        """The rows of a table for which a filter holds, wherever the table is."""
        if not table.in_memory:
            return CountedElsewhere(table, schema, where)
        progress(0.0, "Choosing rows")
        return cls(table, None if where is None else np.flatnonzero(where.mask(table, schema)))

    def __len__(self) -> int:
        return self.table.rows if self.chosen is None else len(self.chosen)

    def values(self, name: str) -> tuple[str, ...]:
        """The distinct values of a column, whether chosen rows have them or not."""
        return self.table[name].values

    def one_by_one(self, purpose: str) -> Rows:
        """The same rows with their codes at hand.

        Parameters
        ----------
        purpose
            What needs them, in words, for the error.

        Raises
        ------
        WorkbenchError
            If they are in an engine and more than may be brought into memory.
        """
        return self

    def codes(self, name: str) -> NDArray[np.integer]:
        """The code of every chosen row."""
        codes = self.table[name].codes
        return codes if self.chosen is None else np.take(codes, self.chosen)

    def placed(self, name: str, places: Places) -> Places:
        """For every chosen row what `places` says of its value."""
        found: Places = np.take(places, self.codes(name))
        return found

    def matching(self, filters: Sequence[Filter], schema: Schema, progress: Progress = SILENT) -> list[int]:
        """How many of the chosen rows each of these filters holds for."""
        counts = []
        for position, where in enumerate(filters):
            progress(position / len(filters), "Counting")
            mask = where.mask(self.table, schema)
            counts.append(int(mask.sum() if self.chosen is None else mask[self.chosen].sum()))
        return counts

    def combinations(self, axes: Sequence[Axis], progress: Progress = SILENT) -> tuple[list[Places], Places]:
        """How many of the chosen rows have which places.

        Returns
        -------
        places, counts
            Combinations of places, an array for each axis, and the rows of each. The rows of a combination may come in
            several portions, or be none; every combination that occurs is there.
        """
        if not axes:
            return [], np.array([len(self)], dtype=np.int64)
        if len(axes) == 1:
            name, places = axes[0]
            column = self.table[name]
            if self.chosen is None:
                return [places], column.counts
            return [places], np.bincount(self.codes(name), minlength=len(column.values)).astype(np.int64)
        flat = np.zeros(len(self), dtype=np.int64)
        known = []
        for position, (name, places) in enumerate(axes):
            progress(position / len(axes), "Counting")
            distinct, numbers = np.unique(places, return_inverse=True)
            flat = flat * max(len(distinct), 1) + np.take(numbers, self.codes(name))
            known.append(distinct)
        if math.prod(map(len, known)) <= max(_DENSE, 4 * len(flat)):
            counts = np.bincount(flat)
            found = np.flatnonzero(counts)
            counts = counts[found]
        else:
            found, counts = np.unique(flat, return_counts=True)
        digits = []
        for distinct in reversed(known):
            found, digit = np.divmod(found, max(len(distinct), 1))
            digits.append(distinct[digit])
        return digits[::-1], counts.astype(np.int64)

    def per_cell(self, axes: Sequence[Axis], shape: Sequence[int], progress: Progress = SILENT) -> Places:
        """Chosen rows per cell, the last axis running fastest, shape (product of `shape`,).

        Rows that are in no place of an axis are in no cell.
        """
        digits, counts = self.combinations(axes, progress)
        inside = np.logical_and.reduce([places >= 0 for places in digits])
        cells = np.ravel_multi_index(tuple(places[inside] for places in digits), tuple(shape))
        found = np.zeros(math.prod(shape), dtype=np.int64)
        np.add.at(found, cells, counts[inside])
        return found

    def sums(
        self, axis: Axis, numbers: Sequence[Whole], by: Axis | None, size: int, progress: Progress = SILENT
    ) -> list[list[int]]:
        """Exact sums over the chosen rows of whole numbers that follow from the place of their value.

        Parameters
        ----------
        axis
            Rows in no place are left out.
        numbers
            Several times the number of every place.
        by
            Rows are added up by the places of this axis; those in none are left out. One sum of all without it.
        size
            How many places that axis has.

        Returns
        -------
        list
            For each of the numbers `size` sums.
        """
        digits, counts = self.combinations([axis] if by is None else [axis, by], progress)
        places = digits[0]
        inside = places >= 0
        places, counts = places[inside], counts[inside]
        cells = np.zeros(len(places), dtype=np.int64) if by is None else digits[1][inside]
        return [exact_sums(narrow(one)[places], cells, size, counts) for one in numbers]

    def power_sums(
        self, axis: Axis, degree: int, by: Axis | None, size: int, progress: Progress = SILENT
    ) -> list[list[int]]:
        """Exact sums over the chosen rows of the powers 0 to `degree`, which is 1 or 2, of their place.

        Parameters
        ----------
        axis
            Rows in no place are left out.
        by, size
            As for `sums`.

        Returns
        -------
        list
            For each power `size` sums.
        """
        values = len(self.values(axis[0])) * (1 if by is None else len(self.values(by[0])))
        if values <= _FEW and (by is not None or self.chosen is not None):
            return self._power_sums_of_places(axis, degree, by, size, progress)
        if by is not None:
            return self._power_sums_by(axis, degree, by, size, progress)
        if self.chosen is None:
            places, times = axis[1], self.table[axis[0]].counts
        else:
            places, times = _narrowed(axis[1])[self.codes(axis[0])].astype(np.int64), None
        if places.min(initial=0) < 0:
            inside = places >= 0
            places, times = places[inside], None if times is None else times[inside]
        progress(0.3)
        return [[one] for one in power_sums_of(places, times, degree)]

    def _power_sums_by(self, axis: Axis, degree: int, by: Axis, size: int, progress: Progress) -> list[list[int]]:
        """The same row by row for each place of `by`, in portions that stay near the processor."""
        known, home = _narrowed(axis[1]), by[1]
        numbers, groups = self.table[axis[0]].codes, self.table[by[0]].codes
        portion = max(_PORTION, size)
        sums = [[0] * size for _ in range(degree + 1)]
        for start in range(0, len(self), portion):
            progress(start / len(self), "Adding up")
            end = start + portion
            rows = slice(start, end) if self.chosen is None else self.chosen[start:end]
            places, cells = known[numbers[rows]].astype(np.int64, copy=False), home[groups[rows]]
            if places.min() < 0 or cells.min() < 0:
                inside = (places >= 0) & (cells >= 0)
                places, cells = places[inside], cells[inside]
            found = [np.bincount(cells, minlength=size).tolist(), cell_sums(places, cells, size)]
            if degree == 2:
                found.append(cell_sums(squared(places), cells, size))
            sums = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(sums, found, strict=True)]
        return sums

    def _power_sums_of_places(
        self, axis: Axis, degree: int, by: Axis | None, size: int, progress: Progress
    ) -> list[list[int]]:
        name, places = axis
        points, numbers = np.unique(places, return_inverse=True)
        first = int(np.searchsorted(points, 0))
        powers = [whole(points[first:]) ** power for power in range(degree + 1)]
        return self.sums((name, np.maximum(numbers - first, -1)), powers, by, size, progress)


def _narrowed(places: Places) -> NDArray[np.integer]:
    """The places in half the memory if they fit, since looking them up waits for it."""
    return places.astype(np.int32) if places.max(initial=0) < 1 << 31 else places


class CountedElsewhere(Rows):
    """Rows that stay in an engine, which counts them.

    The values of each column are numbered by all that is looked at: two values in the same places, for which every
    part of the filters says the same, get the same number. The engine counts combinations of these numbers, and what
    a combination means is found from one value of each column that has the number.
    """

    def __init__(self, table: Table, schema: Schema, where: Filter | None) -> None:
        super().__init__(table)
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "where", where)

    schema: Schema
    where: Filter | None

    def __len__(self) -> int:
        return self.table.rows if self.where is None else int(self._counted([]).counts.sum())

    def one_by_one(self, purpose: str) -> Rows:
        rows = self.table.rows
        self.table.check_room(_BYTES_PER_ROW * rows, f"all {rows:,} rows one by one, for {purpose},")
        return Rows(
            self.table, None if self.where is None else np.flatnonzero(self.where.mask(self.table, self.schema))
        )

    def matching(self, filters: Sequence[Filter], schema: Schema, progress: Progress = SILENT) -> list[int]:
        looked = _Looked.at(self.table, [], self._and(filters), schema)
        if len(filters) > 1 and min(looked.combinations, self.table.rows) > _MOST_COMBINATIONS:
            half = len(filters) // 2
            first = self.matching(filters[:half], schema, progress.part(0.0, 0.5))
            return first + self.matching(filters[half:], schema, progress.part(0.5, 1.0))
        found = self._counted([], filters, schema, progress)
        return [int(found.counts[mask].sum()) for mask in found.masks]

    def combinations(self, axes: Sequence[Axis], progress: Progress = SILENT) -> tuple[list[Places], Places]:
        if not axes or (len(axes) == 1 and self.where is None):
            return super().combinations(axes, progress)
        found = self._counted(axes, progress=progress)
        return found.places, found.counts

    def sums(
        self, axis: Axis, numbers: Sequence[Whole], by: Axis | None, size: int, progress: Progress = SILENT
    ) -> list[list[int]]:
        axes = [axis] if by is None else [axis, by]
        rest = _Looked.at(self.table, axes[1:], self._and(), self.schema).combinations
        many = _Looked.at(self.table, axes, self._and(), self.schema).combinations
        if min(many, self.table.rows) <= _MOST_COMBINATIONS:
            return super().sums(axis, numbers, by, size, progress)
        # So many different numbers, by so many groups: some bits of each number at a time are few combinations.
        bits = min(max((_MOST_COMBINATIONS // max(rest, 1)).bit_length() - 1, 1), _NARROWEST_LIMBS)
        name, places = axis
        low, once = whole(range(1 << bits)), whole([1] * (1 << bits))
        found = []
        for one in numbers:
            least = min(one)
            left = whole(one - least)
            totals = [0] * size
            shift = 0
            while not shift or left.any():
                progress(0.0, "Adding up")
                limbs = (left & ((1 << bits) - 1)).astype(np.int64)
                portion: Axis = (name, np.where(places < 0, -1, limbs[places]))
                sums, counts = super().sums(portion, [low, once], by, size, progress)
                offset = [least * count for count in counts] if not shift else [0] * size
                totals = [a + (b << shift) + c for a, b, c in zip(totals, sums, offset, strict=True)]
                left, shift = left >> bits, shift + bits
            found.append(totals)
        return found

    def power_sums(
        self, axis: Axis, degree: int, by: Axis | None, size: int, progress: Progress = SILENT
    ) -> list[list[int]]:
        return self._power_sums_of_places(axis, degree, by, size, progress)

    def _and(self, filters: Sequence[Filter] = ()) -> list[Filter]:
        return [*filters, *([] if self.where is None else [self.where])]

    def _counted(
        self,
        axes: Sequence[Axis],
        filters: Sequence[Filter] = (),
        schema: Schema | None = None,
        progress: Progress = SILENT,
    ) -> _Counted:
        looked = _Looked.at(self.table, axes, self._and(filters), schema or self.schema)
        digits, counts = self.table.combinations(looked.numbers, progress)
        first = {name: looked.first[name][digit] for name, digit in zip(looked.numbers, digits, strict=True)}
        places = [places[first[name]] for name, places in axes]
        small = Table(
            tuple(
                Column(name, digit, tuple(self.table[name].values[code] for code in looked.first[name].tolist()))
                for name, digit in zip(looked.numbers, digits, strict=True)
            )
        )
        masks = [evaluate(one.rule, small, schema or self.schema) for one in filters]
        if self.where is not None:
            kept = self.where.mask(small, self.schema)
            places, counts = [one[kept] for one in places], counts[kept]
            masks = [mask[kept] for mask in masks]
        return _Counted(places, counts, masks)


@dataclass(frozen=True, eq=False)
class _Counted:
    """Combinations of places, how many rows have each, and for which ones each filter holds."""

    places: list[Places]
    counts: Places
    masks: list[NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class _Looked:
    """By column, a number for each distinct value, and the code of one value for each number."""

    numbers: dict[str, Places]
    first: dict[str, NDArray[np.intp]]

    @classmethod
    def at(cls, table: Table, axes: Sequence[Axis], filters: Sequence[Filter], schema: Schema) -> _Looked:
        seen: dict[str, list[Iterator[NDArray[np.integer]]]] = {}
        for name, places in axes:
            seen.setdefault(name, []).append(iter([places]))
        for name, leaves in _by_column(filters).items():
            seen.setdefault(name, []).append(_said(leaves, table[name], schema))
        numbers, first = {}, {}
        for name, kinds in seen.items():
            found = np.zeros(len(table[name].values), dtype=np.int64)
            for kind in kinds:
                for what in kind:
                    inner, place = np.unique(what, return_inverse=True)
                    _, found = np.unique(found * max(len(inner), 1) + place, return_inverse=True)
            _, first[name] = np.unique(found, return_index=True)
            numbers[name] = found
        return cls(numbers, first)

    @property
    def combinations(self) -> int:
        """How many there could be."""
        return math.prod(map(len, self.first.values()))


def _by_column(filters: Sequence[Filter]) -> dict[str, list[Leaf]]:
    found: dict[str, list[Leaf]] = {}
    for one in filters:
        for leaf in leaves_of(one.rule):
            found.setdefault(leaf.column, []).append(leaf)
    return found


def _said(leaves: Sequence[Leaf], column: Column, schema: Schema) -> Iterator[NDArray[np.integer]]:
    """The truth of each of these parts of filters for every distinct value, as 0 or 1."""
    values = Table((Column(column.name, np.arange(len(column.values)), column.values),))
    for leaf in dict.fromkeys(leaves):
        yield evaluate(leaf, values, schema).astype(np.int64)
