"""Counting groups of rows where they are: one GROUP BY over a few whole numbers, brought back if it fits."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.core.table import Adds, Rare, TooManyGroups
from workbench.engines.budget import in_words
from workbench.engines.store import Store, TableOfStore

_ROLLED_UP = 56
"""Bytes that rolling up takes for each group, besides the group itself: digits, keys and slots to tell keys apart."""

REMEMBERED = 8
"""Groups that take up to this part of the memory budget are remembered, because one question leads to another."""

Groups = tuple[list[NDArray[np.int64]], NDArray[np.int64]]


class CountedTable(TableOfStore, Protocol):
    """A table in an engine the groups of which are counted there, and remembered."""

    @property
    def store(self) -> Store: ...
    @property
    def known_groups(self) -> Mapping[bytes, Groups]: ...
    def remember_groups(self, recognised: bytes, groups: Groups, size: int) -> None: ...


@dataclass(frozen=True)
class KeySql:
    """Keys of rows as SQL: expressions of a row called d, and the joins that they need."""

    expressions: tuple[str, ...]
    joins: str


class KeyTables:
    """A context in which keys can be computed: what the codes add is in the engine while it lasts."""

    def __init__(self, table: CountedTable, keys: Sequence[Adds]) -> None:
        self._table, self._keys = table, keys
        self._made: list[str] = []

    def __enter__(self) -> KeySql:
        expressions, joins = [], []
        try:
            for adds in self._keys:
                terms = []
                for name, added in adds.items():
                    column = f"d.{self._table.column(name).physical}"
                    factor = _factor(added)
                    if factor is None:
                        looked_up = self._upload(added)
                        joins.append(f" JOIN {looked_up} ON {column} = {looked_up}.k")
                        terms.append(f"{looked_up}.v")
                    elif factor:
                        terms.append(f"CAST({column} AS BIGINT) * {factor}")
                expressions.append(" + ".join(terms) or "CAST(0 AS BIGINT)")
        except BaseException:
            self.__exit__()
            raise
        return KeySql(tuple(expressions), "".join(joins))

    def _upload(self, added: NDArray[np.int64]) -> str:
        name = self._table.store.upload({"k": np.arange(len(added), dtype=np.int64), "v": added.astype(np.int64)})
        self._made.append(name)
        return name

    def __exit__(self, *_: object) -> None:
        for name in self._made:
            self._table.store.drop(name)


def _factor(added: NDArray[np.int64]) -> int | None:
    """The number by which codes are multiplied to give what they add, if there is one."""
    if not len(added):
        return 0
    if added[0]:
        return None
    factor = int(added[1]) if len(added) > 1 else 0
    return factor if np.array_equal(added, np.arange(len(added)) * factor) else None


def count_groups(
    table: CountedTable, keys: Sequence[Adds], progress: Progress = SILENT, at_least: int = 1, rare: Rare | None = None
) -> Groups:
    """The keys that occur and how many rows have each, as `workbench.core.table.Table.groups`.

    Raises
    ------
    TooManyGroups
        If they are more than may be brought into memory.
    """
    if not keys:
        return [], np.array([table.rows] if table.rows >= at_least else [], dtype=np.int64)
    recognised = _recognised(keys, at_least)
    if (known := table.known_groups.get(recognised)) is not None:
        return known
    store = table.store
    names = [f"g{place}" for place in range(len(keys))]
    listed = ", ".join(names)
    with KeyTables(table, keys) as sql:
        picked = ", ".join(f"{expression} AS {name}" for expression, name in zip(sql.expressions, names, strict=True))
        rows = f"SELECT {picked} FROM {table.place.relation} AS d{sql.joins}"
        having = f" HAVING count(*) >= {int(at_least)}" if at_least > 1 else ""
        grouped = f"SELECT {listed}, count(*) AS n FROM ({rows}) AS x GROUP BY {listed}{having}"
        relation = store.keep(grouped, progress, "Finding rows that are alike")
    try:
        groups = store.count(relation)
        if groups > most_groups(store, len(keys)):
            raise _too_many(store, relation, groups, names, rare)
        found = _brought(store, f"SELECT {listed}, n FROM {relation}", groups, len(keys), progress)
    finally:
        store.drop(relation)
    size = sum(one.nbytes for one in (*found[0], found[1]))
    if size <= store.budget.limit // REMEMBERED:
        table.remember_groups(recognised, found, size)
    return found


def most_groups(store: Store, keys: int) -> int:
    """How many groups with so many keys may be brought into memory."""
    return store.budget.limit // group_size(keys)


def group_size(keys: int) -> int:
    """Bytes of memory that a group with so many keys takes while it is worked with."""
    return 8 * (keys + 1) + _ROLLED_UP


def _recognised(keys: Sequence[Adds], at_least: int) -> bytes:
    hashed = hashlib.sha256(repr((at_least, [[(n, len(a)) for n, a in adds.items()] for adds in keys])).encode())
    for adds in keys:
        for added in adds.values():
            hashed.update(np.ascontiguousarray(added, dtype=np.int64).tobytes())
    return hashed.digest()


def _brought(store: Store, select: str, groups: int, keys: int, progress: Progress) -> Groups:
    columns = [np.empty(groups, dtype=np.int64) for _ in range(keys + 1)]
    start = 0
    for block in store.stream(select, 1 << 17, progress):
        for column, part in zip(columns, block, strict=True):
            column[start : start + len(part)] = part
        start += len(block[0])
    order = np.argsort(columns[0]) if keys == 1 else np.lexsort(columns[-2::-1])
    for place in range(keys + 1):
        # One after the other, so that only one of them is there twice.
        columns[place] = columns[place][order]
        columns[place].flags.writeable = False
    return columns[:-1], columns[-1]


def _too_many(store: Store, relation: str, groups: int, names: Sequence[str], rare: Rare | None) -> TooManyGroups:
    rows = 0
    if rare is not None and rare.below > 1:
        members = f"CASE WHEN {names[-1]} % 2 = 1 THEN n ELSE 0 END" if rare.marked else "n"
        alike = ", ".join(names[: rare.keys])
        by = f" GROUP BY {alike}" if alike else ""
        sets = f"SELECT sum({members}) AS s FROM {relation}{by}"
        ((rows,),) = store.rows(f"SELECT coalesce(sum(s), 0) FROM ({sets}) AS x WHERE s < {int(rare.below)}")
    needed = in_words(groups * group_size(len(names)))
    return TooManyGroups(
        f"The rows are of {groups:,} different kinds at these levels, and counting them takes {needed} of memory, of "
        f"which {in_words(store.budget.limit)} may be used. The data stays in {store.title}.",
        hint="Raise the memory budget, let higher levels be the lowest ones, or group fewer columns.",
        field="memory",
        rare=int(rows),
    )
