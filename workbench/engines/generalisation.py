"""Rows with labels in place of values, and the classes they form, in an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.engines.canonical import (
    Canonical,
    canonical_stored,
    in_canonical_form,
    kept_in_order,
    relabelling,
)
from workbench.engines.store import Store
from workbench.engines.stored import StoredColumn, StoredRelation, StoredTable, UnlistedColumn

_WIDEST = 1 << 62
AT_ONCE = 1 << 16
"""Rows that are made of a class in one go."""


@dataclass(frozen=True, eq=False)
class Relabelled:
    """A column that is to hold labels: `number_of[code]` is the place in `labels`; None keeps the column as it is."""

    column: StoredColumn
    number_of: NDArray[np.integer] | None = None
    labels: tuple[str, ...] = ()


def relabelled(
    store: Store,
    relation: str,
    plan: Sequence[Relabelled],
    progress: Progress = SILENT,
) -> StoredTable:
    """A table with these columns of a relation, each value replaced by its label; its rows are in no particular order.

    Parameters
    ----------
    relation
        Has the columns under their physical names.
    """
    numbered = [one for one in plan if one.number_of is not None]
    with store.lookups([np.asarray(one.number_of, dtype=np.int64) for one in numbered]) as tables:
        table_of = {one.column.physical: table for one, table in zip(numbered, tables, strict=True)}
        chosen, physical = [], []
        for place, one in enumerate(plan):
            source = one.column.physical
            name = f"t{place}" if isinstance(one.column, UnlistedColumn) else f"c{place}"
            value = f"CAST({table_of[source]}.v AS INTEGER)" if source in table_of else f"d.{source}"
            chosen.append(f"{value} AS {name}")
            physical.append(name)
        joins = "".join(f" JOIN {table} ON d.{column} = {table}.k" for column, table in table_of.items())
        select = f"SELECT {', '.join(chosen)} FROM {relation} AS d{joins}"
        made = store.keep(select, progress, "Generalising columns")
    labels = [one.labels if one.number_of is not None else None for one in plan]
    return _table(store, made, plan, physical, labels, ", ".join(physical))


def _table(
    store: Store,
    relation: str,
    plan: Sequence[Relabelled],
    physical: Sequence[str],
    labels: Sequence[tuple[str, ...] | None],
    order: str,
) -> StoredTable:
    place = StoredRelation(store, relation, store.count(relation), order)
    columns: list[StoredColumn] = []
    for one, name, known in zip(plan, physical, labels, strict=True):
        if isinstance(one.column, UnlistedColumn):
            columns.append(UnlistedColumn(one.column.name, place, name, one.column.distinct))
        else:
            columns.append(StoredColumn(one.column.name, place, name, one.column.values if known is None else known))
    return StoredTable(place, columns)


def counts_of_all(
    store: Store, relation: str, sizes: Mapping[str, int], progress: Progress = SILENT
) -> dict[str, NDArray[np.int64]]:
    """Rows per code of several columns, each of shape (its size,), in one statement.

    Parameters
    ----------
    sizes
        How many codes each column can have, by its name in the relation.
    """
    counts = {physical: np.zeros(size, dtype=np.int64) for physical, size in sizes.items()}
    if not sizes:
        return counts
    each = (
        f"SELECT {place} AS c, CAST({physical} AS {store.dialect.whole}) AS k, count(*) AS n FROM {relation} "
        f"GROUP BY {physical}"
        for place, physical in enumerate(sizes)
    )
    columns, codes, rows = store.fetch(" UNION ALL ".join(each), progress)
    for place, physical in enumerate(sizes):
        here = columns == place
        counts[physical][codes[here].astype(np.int64)] = rows[here]
    return counts


@dataclass(frozen=True, eq=False)
class LabelClasses:
    """The classes that rows with the same labels form.

    Parameters
    ----------
    table
        The rows.
    columns
        The columns that make rows alike.
    place
        The relation of the classes: a column per key, and `n`, the rows of each class.
    keys
        Expressions of the key of a row, called d, and what they are called in the relation.
    sizes
        Rows per class, all ≥ 1.
    """

    table: StoredTable
    columns: tuple[StoredColumn, ...]
    place: StoredRelation
    keys: tuple[tuple[str, str], ...]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, table: StoredTable, columns: Sequence[StoredColumn], progress: Progress = SILENT) -> LabelClasses:
        """Group the rows by these columns."""
        store, keys = table.store, _keys(columns)
        picked = ", ".join(f"{expression} AS {name}" for expression, name in keys)
        named = ", ".join(name for _, name in keys)
        physical = [column.physical for column in columns]
        rows = f"SELECT {picked}, {', '.join(f'd.{column}' for column in physical)} FROM {table.place.relation} AS d"
        # All rows of a class have the same codes, so the least of them is that of the class.
        codes = "".join(f", min({column}) AS {column}" for column in physical)
        grouped = f"SELECT {named}{codes}, count(*) AS n FROM ({rows}) AS x GROUP BY {named}"
        relation = store.keep(grouped, progress, "Finding rows that are alike")
        (sizes,) = store.fetch(f"SELECT n FROM {relation}")
        place = StoredRelation(store, relation, len(sizes))
        return cls(table, tuple(columns), place, keys, sizes.astype(np.int64))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that make rows alike."""
        return tuple(column.name for column in self.columns)

    def rows_of_at_least(self, k: int, progress: Progress = SILENT) -> StoredTable:
        """The rows whose class has at least k rows, in canonical form."""
        table, store = self.table, self.table.store
        columns = list(map(table.column, table.names))
        matched = " AND ".join(f"{expression} = x.{name}" for expression, name in self.keys)
        listed = ", ".join(f"d.{column.physical}" for column in columns)
        relation = store.keep(
            f"SELECT {listed} FROM {table.place.relation} AS d JOIN {self.place.relation} AS x ON {matched} "
            f"WHERE x.n >= {int(k)}",
            progress.part(0.0, 0.5),
            "Dropping small classes",
        )
        place = StoredRelation(store, relation, int(self.sizes[self.sizes >= k].sum()))
        counts = counts_of_all(store, relation, {column.physical: len(column.values) for column in columns})
        kept = [StoredColumn(c.name, place, c.physical, c.values, counts[c.physical]) for c in columns]
        return canonical_stored(StoredTable(place, kept), self.names, progress.part(0.5, 1.0))

    def expanded(self, k: int, progress: Progress = SILENT) -> StoredTable:
        """As many rows of each class as it has, if it has at least k, in canonical form; for rows that are all key.

        The rows are made from the sizes of the classes, so that nothing of the order of the table can be left in them,
        however the engine sorts.
        """
        store, dialect = self.table.store, self.table.store.dialect
        columns = list(map(self.table.column, self.table.names))
        physical = [column.physical for column in columns]
        listed = {column.physical: Canonical.of(column.values, self._counts(column, k)) for column in columns}
        steps = dialect.numbers("CAST(0 AS BIGINT)", "w.n", f"CAST({AT_ONCE} AS BIGINT)")
        each = dialect.numbers("CAST(0 AS BIGINT)", f"least(n - b, {AT_ONCE})", "CAST(1 AS BIGINT)")
        named = ", ".join(physical)
        with store.lookups([one.places for one in listed.values()]) as tables:
            relabelled = relabelling(self.place.relation, physical, dict(zip(listed, tables, strict=True)), ("n",))
            large = f"{relabelled} WHERE d.n >= {int(k)}"
            some = f"SELECT {named}, w.n AS n, {steps} AS b FROM ({large}) AS w"
            rows = f"SELECT {named}, {each} AS i FROM ({some}) AS y"
            relation = kept_in_order(store, rows, physical, progress)
        return in_canonical_form(store, relation, int(self.sizes[self.sizes >= k].sum()), columns, listed)

    def _counts(self, column: StoredColumn, k: int) -> NDArray[np.int64]:
        """Released rows per code of a column that makes rows alike, from the sizes of the classes."""
        codes, rows = self.table.store.fetch(
            f"SELECT {column.physical} AS k, CAST(sum(n) AS BIGINT) AS n FROM {self.place.relation} "
            f"WHERE n >= {int(k)} GROUP BY {column.physical}"
        )
        counts = np.zeros(len(column.values), dtype=np.int64)
        counts[codes.astype(np.int64)] = rows
        return counts


def _keys(columns: Sequence[StoredColumn]) -> tuple[tuple[str, str], ...]:
    """One whole number that tells the classes apart where there is one, else all columns."""
    total = 1
    terms: list[str] = []
    for column in reversed(columns):
        terms.append(f"CAST(d.{column.physical} AS BIGINT) * {total}")
        total *= max(len(column.values), 1)
    if total < _WIDEST:
        return ((" + ".join(terms), "key"),)
    return tuple((f"d.{column.physical}", f"k{place}") for place, column in enumerate(columns))
