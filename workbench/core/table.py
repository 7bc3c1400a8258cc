"""An immutable table whose columns are integer codes into their distinct values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.counting import counts_of
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress

Adds = Mapping[str, NDArray[np.int64]]
"""A key of rows: by column, what each of its codes adds to the key. Sums must not be negative."""


@dataclass(frozen=True)
class Rare:
    """Rows to be counted if there are too many groups: those in sets of groups with fewer than `below` rows.

    Parameters
    ----------
    below
        So many rows are enough.
    keys
        Groups that share the first so many keys form a set.
    marked
        Count only rows whose last key is odd.
    """

    below: int
    keys: int
    marked: bool = False


class TooManyGroups(WorkbenchError):
    """There are more groups of rows than may be brought into memory. `rare` are the rows that were to be counted."""

    def __init__(self, message: str, *, rare: int = 0, **more: Any) -> None:
        super().__init__(message, **more)
        self.rare = rare


def is_missing(text: str, missing: Collection[str]) -> bool:
    """Whether a text stands for "no value": listed as it is or without the spaces around it."""
    return text in missing or text.strip() in missing


@discreet
@dataclass(frozen=True, eq=False)
class Column:
    """One column: `values[codes[i]]` is the text of row i.

    Parameters
    ----------
    name
        The heading, unique within its table.
    codes
        Integer array of shape (rows,), read-only; every code is a valid index into `values`.
    values
        The distinct texts. The order carries no meaning. A value may be listed that no row uses.
    """

    name: str
    codes: NDArray[np.integer]
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.codes.flags.writeable:
            # A read-only view costs nothing; the array itself may still be filled by its owner's base.
            view = self.codes.view()
            view.flags.writeable = False
            object.__setattr__(self, "codes", view)

    @classmethod
    def from_texts(cls, name: str, texts: Sequence[str]) -> Column:
        """Encode `texts` in order of first appearance."""
        index: dict[str, int] = {}
        codes = np.fromiter((index.setdefault(text, len(index)) for text in texts), dtype=np.int32, count=len(texts))
        return cls(name, codes, tuple(index))

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def in_memory(self) -> bool:
        """Whether the codes are in memory, rather than in an engine that brings them when it must."""
        return True

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Rows per distinct value, shape (len(values),)."""
        return counts_of(self.codes, len(self.values))

    def text(self, row: int) -> str:
        return self.values[int(self.codes[row])]

    def texts(self) -> list[str]:
        """All rows as text. For small tables, writing and tests; costs one string reference per row."""
        values = self.values
        return [values[code] for code in self.codes.tolist()]

    def most_rows(self, missing: Collection[str]) -> tuple[int, str]:
        """The largest number of rows that share one value, missing values aside, and that value."""
        counts = self.counts.copy()
        counts[[place for place, text in enumerate(self.values) if is_missing(text, missing)]] = 0
        if not counts.any():
            return 0, ""
        most = int(np.argmax(counts))
        return int(counts[most]), self.values[most]

    def rows_without(self, missing: Collection[str]) -> int:
        """How many rows have no value."""
        return sum(
            count for text, count in zip(self.values, self.counts.tolist(), strict=True) if is_missing(text, missing)
        )

    def rows_of_at_most(self, most: int, missing: Collection[str]) -> int:
        """Rows that are left if each value keeps so many of its rows at most, and missing values keep none."""
        named = [not is_missing(text, missing) for text in self.values]
        return int(np.minimum(self.counts[np.array(named, dtype=np.bool_)], most).sum())

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Column:
        """The column restricted to the given row numbers or mask, in that order."""
        return Column(self.name, self.codes[rows], self.values)


@discreet
@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length with distinct names."""

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names):
            repeated = sorted({name for name in names if names.count(name) > 1})
            raise WorkbenchError(f"Two columns have the same name: {', '.join(repeated)}.", hint="Rename one of them.")
        if len({len(column) for column in self.columns}) > 1:
            raise ValueError("columns of different lengths")

    @property
    def rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def __contains__(self, name: str) -> bool:
        return any(column.name == name for column in self.columns)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise WorkbenchError(
            f"There is no column “{name}”.",
            hint=f"The columns are: {', '.join(self.names)}.",
            field=name,
        )

    def row(self, index: int) -> tuple[str, ...]:
        return tuple(column.text(index) for column in self.columns)

    @property
    def in_memory(self) -> bool:
        """Whether the codes of all rows are in memory, rather than in an engine that brings them when it must."""
        return True

    @property
    def engine(self) -> str:
        """The name of the engine that has the rows; "" in memory."""
        return ""

    def check_room(self, size: int, what: str) -> None:
        """Refuse to take `size` bytes of what its rows hold into memory, if an engine keeps them and there is no room.

        Rows that are in memory anyway are never refused.

        Parameters
        ----------
        what
            What would be taken into memory, in words.

        Raises
        ------
        WorkbenchError
            If it is more than may be brought into memory.
        """

    def lists(self, name: str) -> bool:
        """Whether the distinct values of a column are known; an engine does not list very many."""
        return name in self

    def listed_by(self, values: Mapping[str, Sequence[str]]) -> Table:
        """The table in which the values of all these columns are known, by a public list where they were not.

        Parameters
        ----------
        values
            By column the texts that matter. In a column whose distinct values are not known all others read as one text
            that is none of these; one whose values are known stays as it is.
        """
        del values
        return self

    def require_listed(self, name: str) -> None:
        """Refuse a column whose distinct values are not known.

        Raises
        ------
        WorkbenchError
            If it is one, or there is no such column.
        """
        self[name]

    def page(self, start: int, count: int) -> list[tuple[str, ...]]:
        """The texts of up to `count` rows from row `start`."""
        return [self.row(index) for index in range(start, min(start + count, self.rows))]

    def pick(self, rows: Sequence[int]) -> list[tuple[str, ...]]:
        """The texts of single rows, in the order given."""
        return [self.row(index) for index in rows]

    def blocks(
        self, names: Sequence[str], size: int = 1 << 16, progress: Progress = SILENT
    ) -> Iterator[list[NDArray[Any]]]:
        """The codes of these columns, about `size` rows at a time, in the order of the rows."""
        for start in range(0, self.rows, size):
            progress(start / self.rows)
            yield [self[name].codes[start : start + size] for name in names]

    def combinations(
        self, numbers: Mapping[str, NDArray[np.int64] | None], progress: Progress = SILENT
    ) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
        """The combinations of numbers that occur, ascending, and how many rows have each.

        Parameters
        ----------
        numbers
            By column the number of each of its codes, or None for the code itself.

        Returns
        -------
        digits, counts
            Per column an array of shape (combinations,), and the rows of each combination, int64.
        """
        progress(0.0, "Counting combinations")
        digits = [
            self[name].codes.astype(np.int64) if wanted is None else np.asarray(wanted, np.int64)[self[name].codes]
            for name, wanted in numbers.items()
        ]
        if not digits:
            return [], np.array([self.rows], dtype=np.int64)
        return _merged(digits, 1)

    def groups(
        self, keys: Sequence[Adds], progress: Progress = SILENT, *, at_least: int = 1, rare: Rare | None = None
    ) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
        """The keys that occur, ascending by the first, then the second, …, and how many rows have each.

        Parameters
        ----------
        keys
            What makes rows alike, as few numbers as fit. A column may add to several.
        at_least
            Groups of fewer rows are left out.
        rare
            What is still counted if there are too many groups.

        Returns
        -------
        keys, counts
            Per key an array of shape (groups,), and the rows of each group, int64.

        Raises
        ------
        TooManyGroups
            If an engine has the rows, and they form more groups than may be brought into memory.
        """
        progress(0.0, "Finding rows that are alike")
        digits = []
        for adds in keys:
            key = np.zeros(self.rows, dtype=np.int64)
            for name, added in adds.items():
                key += added[self[name].codes]
            digits.append(key)
        if not digits:
            return [], np.array([self.rows] if self.rows >= at_least else [], dtype=np.int64)
        return _merged(digits, at_least)

    def codes_size(self, names: Sequence[str]) -> int:
        """Bytes that work on these columns may take beside them: as many as their codes, if these are in memory."""
        return sum(self[name].codes.nbytes for name in names)

    def distinct(self, names: Sequence[str], progress: Progress = SILENT) -> tuple[Table, NDArray[np.int64]]:
        """The distinct rows of these columns, and how often each occurs, shape (distinct rows,)."""
        digits, counts = self.combinations(dict.fromkeys(names), progress)
        columns = (Column(name, codes, self[name].values) for name, codes in zip(names, digits, strict=True))
        return Table(tuple(columns)), counts

    def codes_at(
        self, names: Sequence[str], rows: NDArray[np.intp], progress: Progress = SILENT
    ) -> list[NDArray[np.integer]]:
        """The codes of these columns at the given row numbers, which must be rising; each of shape (rows,)."""
        return [self[name].codes[rows] for name in names]

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Table:
        """The table restricted to the given row numbers or mask, in that order."""
        return Table(tuple(column.take(rows) for column in self.columns))


def _merged(digits: Sequence[NDArray[np.int64]], at_least: int) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    """The combinations of digits that occur, ascending, and how often, if that is often enough."""
    order = np.lexsort(digits[::-1])
    ordered = [column[order] for column in digits]
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for column in ordered:
        new[1:] |= column[1:] != column[:-1]
    starts = np.flatnonzero(new)
    counts = np.diff(starts, append=len(order)).astype(np.int64)
    if at_least > 1:
        starts, counts = starts[counts >= at_least], counts[counts >= at_least]
    return [column[starts] for column in ordered], counts
