"""A table whose rows stay in an engine. To everything below the session it is a table like any other."""

from __future__ import annotations

import weakref
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Adds, Column, Rare, Table
from workbench.engines.counting import REMEMBERED, Groups, count_groups
from workbench.engines.store import Store

MOST_VALUES = 1_000_000
"""Columns with more different values stay in the engine as texts; they can be shown and left out, and no more."""

SPACES = (
    " \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""Characters that `str.strip` takes for spaces; engines take fewer."""


class TooManyValues(WorkbenchError):
    """A column has more different values than are held in memory."""


@dataclass(frozen=True, eq=False)
class StoredRelation:
    """The relation of a store that holds the rows of a table; it is dropped when nobody needs it any more.

    `order` names the columns by which its rows are in order, where that is not the numbering of the relation.
    """

    store: Store
    relation: str
    rows: int
    order: str = ""

    @property
    def in_order(self) -> str:
        """Clause after a SELECT from the relation that puts its rows in their order."""
        return f" ORDER BY {self.order}" if self.order else self.store.dialect.in_order

    def __post_init__(self) -> None:
        weakref.finalize(self, self.store.discard, self.relation)


def counts_of(store: Store, relation: str, physical: str, size: int) -> NDArray[np.int64]:
    """Rows per code of a column of a relation, shape (size,)."""
    counts = np.zeros(size, dtype=np.int64)
    codes, rows = store.fetch(f"SELECT {physical} AS k, count(*) AS n FROM {relation} GROUP BY {physical}")
    counts[codes.astype(np.int64)] = rows
    return counts


class StoredColumn(Column):
    """A column whose codes are in the engine: `physical` is its name there.

    `values` are in memory, in order of first appearance, and so are `counts`, unless they are left to be counted when
    they are asked for. `codes` are brought when they are asked for, if the memory budget allows it, and forgotten with
    the column.
    """

    def __init__(
        self,
        name: str,
        place: StoredRelation,
        physical: str,
        values: tuple[str, ...],
        counts: NDArray[np.int64] | None = None,
    ) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "physical", physical)
        if counts is not None:
            self.__dict__["counts"] = counts

    place: StoredRelation
    physical: str

    def __len__(self) -> int:
        return self.place.rows

    @property
    def in_memory(self) -> bool:
        return False

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Rows per distinct value, counted by the engine."""
        return counts_of(self.place.store, self.place.relation, self.physical, len(self.values))

    @cached_property
    def codes(self) -> NDArray[np.integer]:
        """The codes of all rows, brought into memory.

        Raises
        ------
        BeyondMemory
            If they are more than may be brought.
        """
        store = self.place.store
        kind = np.min_scalar_type(max(len(self.values) - 1, 0))
        store.budget.check(
            self.place.rows * kind.itemsize, f"“{self.name}” of all {self.place.rows:,} rows", store.title
        )
        codes = np.empty(self.place.rows, dtype=kind)
        start = 0
        for (block,) in store.stream_table(self.place, [self.physical], 1 << 17):
            codes[start : start + len(block)] = block
            start += len(block)
        codes.flags.writeable = False
        return codes

    def text(self, row: int) -> str:
        return self.values[int(self.codes[row])]


class UnlistedColumn(StoredColumn):
    """A column with more than `MOST_VALUES` different values; only its texts, row by row, are to be had."""

    def __init__(self, name: str, place: StoredRelation, physical: str, distinct: int) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "physical", physical)
        object.__setattr__(self, "distinct", distinct)

    distinct: int
    """About how many different values there are."""

    def most_rows(self, missing: Collection[str]) -> tuple[int, str]:
        absent = f" WHERE NOT ({self.absent(missing)})"
        found = self.place.store.rows(
            f"SELECT {self.physical}, count(*) AS n FROM {self.place.relation}{absent} "
            f"GROUP BY {self.physical} ORDER BY n DESC LIMIT 1"
        )
        return (int(found[0][1]), str(found[0][0])) if found else (0, "")

    def rows_without(self, missing: Collection[str]) -> int:
        return self.place.store.count(self.place.relation, self.absent(missing))

    def rows_of_at_most(self, most: int, missing: Collection[str]) -> int:
        named = f"{self.place.relation} WHERE NOT ({self.absent(missing)})"
        counted = f"SELECT count(*) AS n FROM {named} GROUP BY {self.physical}"
        kept = f"SELECT CAST(coalesce(sum(least(n, {int(most)})), 0) AS BIGINT) AS n FROM ({counted}) AS x"
        return int(self.place.store.rows(kept)[0][0])

    def absent(self, missing: Collection[str]) -> str:
        """A condition: whether the text of a row stands for no value, with or without any spaces around it."""
        dialect = self.place.store.dialect
        bare = dialect.stripped(self.physical, dialect.literal(SPACES))
        words = ", ".join(map(dialect.literal, missing))
        return f"{self.physical} IN ({words}) OR {bare} IN ({words})" if words else "1 = 0"

    def refusal(self) -> TooManyValues:
        return TooManyValues(
            # Not how many: it may be said before anybody looked at the data.
            f"Column “{self.name}” has more than the {MOST_VALUES:,} different values that are held in memory while "
            f"the data is in {self.place.store.title}.",
            hint=f"Leave “{self.name}” out, or prepare a column with fewer different values, such as rounded numbers.",
            field=self.name,
        )

    @property
    def values(self) -> tuple[str, ...]:
        raise self.refusal()

    @property
    def counts(self) -> NDArray[np.int64]:
        raise self.refusal()

    @property
    def codes(self) -> NDArray[np.integer]:
        raise self.refusal()


class StoredTable(Table):
    """A table in an engine."""

    place: StoredRelation

    def __init__(self, place: StoredRelation, columns: Sequence[StoredColumn]) -> None:
        super().__init__(tuple(columns))
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "known_groups", {})

    known_groups: dict[bytes, Groups]
    """Groups that were counted before, the oldest first."""

    def remember_groups(self, recognised: bytes, groups: Groups, size: int) -> None:
        """Keep the groups that were just counted; `size` is their size in bytes."""
        known = {recognised: groups}
        for key, other in reversed(list(self.known_groups.items())):
            size += sum(one.nbytes for one in (*other[0], other[1]))
            if size > self.store.budget.limit // REMEMBERED:
                break
            known.setdefault(key, other)
        # A new dictionary, because other threads may be reading the old one.
        object.__setattr__(self, "known_groups", dict(reversed(known.items())))

    @property
    def store(self) -> Store:
        return self.place.store

    @property
    def rows(self) -> int:
        return self.place.rows

    @property
    def in_memory(self) -> bool:
        return False

    @property
    def engine(self) -> str:
        return self.store.engine

    def check_room(self, size: int, what: str) -> None:
        self.store.budget.check(size, what, self.store.title)

    def require_listed(self, name: str) -> None:
        column = self[name]
        if isinstance(column, UnlistedColumn):
            raise column.refusal()

    def lists(self, name: str) -> bool:
        return name in self and not isinstance(self[name], UnlistedColumn)

    def listed_by(self, values: Mapping[str, Sequence[str]]) -> StoredTable:
        listed = {name: tuple(dict.fromkeys(texts)) for name, texts in values.items() if not self.lists(name)}
        if not listed:
            return self
        store, columns = self.store, [self.column(name) for name in self.names]
        made = {
            self.column(name).physical: store.upload({"v": texts, "k": np.arange(len(texts), dtype=np.int64)})
            for name, texts in listed.items()
        }
        try:
            chosen = [
                f"CAST(coalesce({made[physical]}.k, {len(listed[column.name])}) AS INTEGER) AS {physical}"
                if (physical := column.physical) in made
                else f"d.{physical} AS {physical}"
                for column in columns
            ]
            joins = "".join(f" LEFT JOIN {texts} ON d.{physical} = {texts}.v" for physical, texts in made.items())
            relation = store.derive(self.place.relation, chosen, joins)
        finally:
            for uploaded in made.values():
                store.drop(uploaded)
        place = StoredRelation(store, relation, self.rows)
        found: list[StoredColumn] = []
        for column in columns:
            if column.name in listed:
                texts = listed[column.name]
                found.append(StoredColumn(column.name, place, column.physical, (*texts, _other_than(texts))))
            elif isinstance(column, UnlistedColumn):
                found.append(UnlistedColumn(column.name, place, column.physical, column.distinct))
            else:
                found.append(
                    StoredColumn(column.name, place, column.physical, column.values, column.__dict__.get("counts"))
                )
        return StoredTable(place, found)

    def column(self, name: str) -> StoredColumn:
        """The column as what it is here."""
        column = self[name]
        assert isinstance(column, StoredColumn)
        return column

    def combinations(
        self, numbers: Mapping[str, NDArray[np.int64] | None], progress: Progress = SILENT
    ) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
        for name in numbers:
            self.require_listed(name)
        pairs = [(self.column(name).physical, wanted) for name, wanted in numbers.items()]
        return self.store.grouped(self.place.relation, pairs, progress)

    def groups(
        self, keys: Sequence[Adds], progress: Progress = SILENT, *, at_least: int = 1, rare: Rare | None = None
    ) -> Groups:
        return count_groups(self, keys, progress, at_least, rare)

    def codes_size(self, names: Sequence[str]) -> int:
        codes = sum(self.rows * np.min_scalar_type(max(len(self[name].values) - 1, 0)).itemsize for name in names)
        return min(codes, self.store.budget.limit // 4)

    def blocks(
        self, names: Sequence[str], size: int = 1 << 16, progress: Progress = SILENT
    ) -> Iterator[list[NDArray[Any]]]:
        physical = [self.column(name).physical for name in names]
        # A generator of its own, so that the relation stays as long as it is read.
        yield from self.store.stream_table(self.place, physical, size, progress)

    def codes_at(
        self, names: Sequence[str], rows: NDArray[np.intp], progress: Progress = SILENT
    ) -> list[NDArray[np.integer]]:
        if len(rows) and names:
            at_once = self.store.codes_at(self.place, [self.column(name).physical for name in names], rows)
            if at_once is not None:
                return at_once
        found: list[list[NDArray[np.integer]]] = [[np.zeros(0, dtype=np.int64)] for _ in names]
        seen = 0
        for block in self.blocks(names) if len(rows) and names else ():
            progress(seen / self.rows)
            first, last = np.searchsorted(rows, (seen, seen + len(block[0])))
            for codes, column in zip(found, block, strict=True):
                codes.append(column[rows[first:last] - seen])
            seen += len(block[0])
            if last == len(rows):
                break
        return [np.concatenate(codes) for codes in found]

    def page(self, start: int, count: int) -> list[tuple[str, ...]]:
        return self.store.page(self, start, count)

    def pick(self, rows: Sequence[int]) -> list[tuple[str, ...]]:
        return self.store.pick(self, rows)

    def row(self, index: int) -> tuple[str, ...]:
        return self.page(index, 1)[0]


def _other_than(texts: Collection[str]) -> str:
    """A text that is none of these."""
    other, taken = "*", set(texts)
    while other in taken:
        other += "*"
    return other
