"""The canonical form of the rows that an engine releases; see `workbench.core.canonical`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.canonical import canonical_labels
from workbench.core.progress import SILENT, Progress
from workbench.engines.store import Store
from workbench.engines.stored import StoredColumn, StoredRelation, StoredTable, UnlistedColumn

TEXT = "Sorting what is released"


@dataclass(frozen=True, eq=False)
class Canonical:
    """The canonical form of the codes of a column.

    Parameters
    ----------
    labels
        The labels that occur, in their natural order.
    counts
        Rows per label, shape (len(labels),).
    places
        For each code the place of its label, shape (codes,).
    """

    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    places: NDArray[np.int64]

    @classmethod
    def of(cls, values: Sequence[str], counts: NDArray[np.int64]) -> Canonical:
        """Of a column with these values, of which there are so many rows each."""
        labels, places = canonical_labels(values, counts)
        rows = np.bincount(places[counts > 0], counts[counts > 0], len(labels)).astype(np.int64)
        return cls(labels, rows, places.astype(np.int64))


def canonical_stored(table: StoredTable, first: Collection[str], progress: Progress = SILENT) -> StoredTable:
    """The rows of a table in an engine in canonical form, sorted by the columns `first` before the others."""
    store = table.store
    columns = list(map(table.column, table.names))
    listed = {
        column.physical: Canonical.of(column.values, column.counts)
        for column in columns
        if not isinstance(column, UnlistedColumn)
    }
    physical = [column.physical for column in columns]
    with store.lookups([one.places for one in listed.values()]) as tables:
        table_of = dict(zip(listed, tables, strict=True))
        select = relabelling(table.place.relation, physical, table_of)
        relation = kept_in_order(store, select, _ranked(columns, first), progress)
    return in_canonical_form(store, relation, table.rows, columns, listed, first)


def relabelling(relation: str, physical: Sequence[str], table_of: Mapping[str, str], also: Sequence[str] = ()) -> str:
    """A SELECT of these columns of a relation with new codes, each from its look-up; and of others as they are."""
    chosen = [f"CAST({table_of[one]}.v AS INTEGER) AS {one}" if one in table_of else f"d.{one}" for one in physical]
    joins = "".join(f" JOIN {looked_up} ON d.{one} = {looked_up}.k" for one, looked_up in table_of.items())
    return f"SELECT {', '.join([*chosen, *(f'd.{one}' for one in also)])} FROM {relation} AS d{joins}"


def kept_in_order(store: Store, select: str, physical: Sequence[str], progress: Progress) -> str:
    """Keep the rows of a SELECT in the order of these columns, which are all that equal rows could differ by."""
    listed = ", ".join(physical)
    return store.keep(f"SELECT {listed} FROM ({select}) AS s ORDER BY {listed}", progress, TEXT)


def in_canonical_form(
    store: Store,
    relation: str,
    rows: int,
    columns: Sequence[StoredColumn],
    listed: Mapping[str, Canonical],
    first: Collection[str] = (),
) -> StoredTable:
    """The table that such a relation holds; its columns are called as in `columns`."""
    # Where rows are numbered by themselves, that numbering is the order they were kept in, and sorting again is spared.
    order = ", ".join(_ranked(columns, first)) if store.dialect.carry_row else ""
    place = StoredRelation(store, relation, rows, order)
    made: list[StoredColumn] = []
    for column in columns:
        if isinstance(column, UnlistedColumn):
            made.append(UnlistedColumn(column.name, place, column.physical, column.distinct))
        else:
            one = listed[column.physical]
            made.append(StoredColumn(column.name, place, column.physical, one.labels, one.counts))
    return StoredTable(place, made)


def _ranked(columns: Sequence[StoredColumn], first: Collection[str]) -> list[str]:
    """Names of the columns in the relation, in the order in which rows are sorted by them."""
    return [column.physical for column in sorted(columns, key=lambda column: column.name not in first)]
