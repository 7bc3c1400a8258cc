"""The working table of a table in an engine: the same steps in the same order as in `workbench.core.working_table`.

What a filter says, and what does not fit a column, is found for each distinct value, by the same functions as in
memory; the engine looks that up for the rows. Rows are chosen at random by keyed hashes; see `sampling`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.filter_rules import And, Not, Or, Rule, columns_of, evaluate_values
from workbench.core.filtering import parse
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, bernoulli
from workbench.core.schema import ColumnSpec, Misfits, Schema
from workbench.core.table import Column
from workbench.core.working_table import (
    EXAMPLES,
    Preparation,
    PreparedTable,
    absent,
    blanked,
    misfits_of,
    person_column,
    stopping,
)
from workbench.engines.generalisation import counts_of_all
from workbench.engines.sampling import draw_rows, fresh_key, order_of
from workbench.engines.store import Store
from workbench.engines.stored import StoredColumn, StoredRelation, StoredTable, UnlistedColumn

_COINS = 1 << 24
"""Coins that are thrown at once."""

Recoded = Mapping[str, tuple[tuple[str, ...], NDArray[np.int64]]]
"""By column its values, and by each code that it had the code that it has."""


def prepare_stored(
    table: StoredTable,
    schema: Schema,
    preparation: Preparation,
    source: RandomSource,
    progress: Progress = SILENT,
) -> PreparedTable:
    """Make the working table in the engine that has the table. Nothing is copied that does not change.

    Raises
    ------
    WorkbenchError
        As in memory; if a filter or a treatment of values needs a column whose values are not listed; or if
        the engine does not choose rows as it is told.
    Cancelled
        If the progress was cancelled.
    """
    person = person_column(table, schema, preparation)
    counts: dict[str, int] = {}
    recoded: dict[str, tuple[tuple[str, ...], NDArray[np.int64]]] = {}
    strict: list[tuple[ColumnSpec, NDArray[np.intp]]] = []
    for spec, wrong in misfits_of(table, schema, progress.part(0.0, 0.1)):
        if spec.misfits is Misfits.STOP:
            strict.append((spec, wrong))
        else:
            counts[spec.name] = int(table[spec.name].counts[wrong].sum())
            recoded[spec.name] = blanked(table[spec.name], wrong, spec)
    rule = parse(preparation.where, schema).rule if preparation.where.strip() else None
    progress(0.1, "Choosing rows")
    for spec, wrong in strict:
        _stop_at(_Statement(table, recoded, schema, rule), spec, wrong, progress.part(0.1, 0.2))
    filtered = _filtered(_Statement(table, recoded, schema, rule), progress.part(0.2, 0.4))
    kept = filtered
    if preparation.sample < 1:
        kept = _sampled(filtered, preparation.sample, source, progress.part(0.4, 0.6))
    drawn = _drawn(kept.rows, table.rows - filtered.rows, preparation.sample, source)
    left_by_sample = filtered.rows - kept.rows
    without_person = over_limit = 0
    if person is not None:
        column = kept[person.name]
        without_person = column.rows_without(person.missing)
        named = kept.rows - without_person
        kept = _limited(kept, person, schema.unit.rows_per_person, source, progress.part(0.6, 0.9))
        over_limit = named - kept.rows
    progress(1.0)
    hidden = preparation.sample < 1 and person is None
    return PreparedTable(
        kept,
        filtered if hidden else kept,
        table.rows,
        table.rows - filtered.rows,
        left_by_sample,
        without_person,
        over_limit,
        MappingProxyType(counts),
        drawn,
    )


def _drawn(taken: int, left_out: int, probability: float, source: RandomSource) -> int | None:
    """How many rows the sample would have without a filter: those it took, and as many of the others as coins say.

    Rows that are left out get their coins here, because the engine threw none for them. With a seed, coins thrown
    apart would tell which rows these are.
    """
    if probability >= 1 or not source.secure:
        return None
    thrown = (min(_COINS, left_out - start) for start in range(0, left_out, _COINS))
    return taken + sum(int(bernoulli(source, coins, probability).sum()) for coins in thrown)


class _Statement:
    """Parts of a statement about the rows of a table, called d, which look up the meaning of their values."""

    def __init__(self, table: StoredTable, recoded: Recoded, schema: Schema, rule: Rule | None) -> None:
        self.table, self.recoded, self._schema = table, recoded, schema
        self._looked_up: list[tuple[str, NDArray[np.int64]]] = []
        self.condition = "" if rule is None else self._holds(rule)

    def number(self, name: str, numbers: NDArray[np.int64]) -> str:
        """An expression: the number of the row's value in a column, of one for each of its codes."""
        self._looked_up.append((self.table.column(name).physical, numbers))
        return f"x{len(self._looked_up) - 1}.v"

    @contextmanager
    def joins(self) -> Iterator[str]:
        """Joins with the looked-up tables, which exist while the context lasts."""
        with self.table.store.lookups([numbers for _, numbers in self._looked_up]) as tables:
            yield "".join(
                f" JOIN {relation} AS x{place} ON d.{physical} = x{place}.k"
                for place, (relation, (physical, _)) in enumerate(zip(tables, self._looked_up, strict=True))
            )

    def _holds(self, rule: Rule) -> str:
        """The condition a filter makes. Whatever is about one column alone is looked up in one go."""
        names = list(dict.fromkeys(columns_of(rule)))
        if len(names) == 1:
            return f"{self.number(names[0], self._told(names[0], rule))} = 1"
        if isinstance(rule, Not):
            return f"NOT ({self._holds(rule.part)})"
        assert isinstance(rule, And | Or)  # everything else is about one column
        alone: dict[str, list[Rule]] = {}
        parts: list[Rule] = []
        for part in rule.parts:
            about = set(columns_of(part))
            (alone.setdefault(about.pop(), []) if len(about) == 1 else parts).append(part)
        parts += [same[0] if len(same) == 1 else type(rule)(tuple(same)) for same in alone.values()]
        joined = (" AND " if isinstance(rule, And) else " OR ").join(self._holds(part) for part in parts)
        return f"({joined})"

    def _told(self, name: str, rule: Rule) -> NDArray[np.int64]:
        """Truth values of a rule about one column, 0 or 1, by the codes the column had before misfits were left out."""
        column = self.table[name]
        values, codes = self.recoded.get(name, (column.values, slice(None)))
        told = evaluate_values(rule, Column(name, np.zeros(0, dtype=np.int64), values), self._schema)
        return told.astype(np.int64)[codes][: len(column.values)]


def _stop_at(statement: _Statement, spec: ColumnSpec, wrong: NDArray[np.intp], progress: Progress) -> None:
    """Stop if rows that take part have values that do not fit."""
    table, store = statement.table, statement.table.store
    column = table.column(spec.name)
    bad = np.zeros(len(column.values), dtype=np.int64)
    bad[wrong] = 1
    here = f"{statement.number(spec.name, bad)} = 1"
    condition = f"{here} AND {statement.condition}" if statement.condition else here
    with statement.joins() as joins:
        found = f"FROM {table.place.relation} AS d{joins} WHERE {condition}"
        rows = int(store.rows(f"SELECT count(*) {found}", progress)[0][0])
        if not rows:
            return
        row = f"d.{store.dialect.row}"
        first = store.rows(f"SELECT {row} AS n, d.{column.physical} AS c {found} ORDER BY {row} LIMIT {EXAMPLES}")
    examples = [
        (store.count(table.place.relation, f"{store.dialect.row} < {int(number)}"), column.values[int(code)])
        for number, code in first
    ]
    raise stopping(spec.name, examples, rows)


def _filtered(statement: _Statement, progress: Progress) -> StoredTable:
    """The rows for which the condition holds, with values that became others; the table itself if it is the same."""
    table = statement.table
    if not statement.condition and not statement.recoded:
        return table
    new = {
        table.column(name).physical: f"CAST({statement.number(name, codes)} AS INTEGER)"
        for name, (_, codes) in statement.recoded.items()
    }
    chosen = [f"{new.get(name, f'd.{name}')} AS {name}" for name in _physical(table)]
    with statement.joins() as joins:
        relation = table.store.derive(
            table.place.relation, chosen, joins, statement.condition, progress.part(0.0, 0.7), "Choosing rows"
        )
    values = {name: values for name, (values, _) in statement.recoded.items()}
    found = _stored(table, relation, progress.part(0.7, 1.0), values)
    return table if found.rows == table.rows and not statement.recoded else found


def _sampled(table: StoredTable, probability: float, source: RandomSource, progress: Progress) -> StoredTable:
    """Each row with a probability, in their order."""
    store, columns = table.store, _physical(table)
    drawn = draw_rows(store, table.place.relation, columns, probability, source, progress.part(0.0, 0.6))
    try:
        relation = _in_order(store, f"SELECT * FROM {drawn}", columns, progress.part(0.6, 0.8))
    finally:
        store.drop(drawn)
    return _stored(table, relation, progress.part(0.8, 1.0))


def _limited(table: StoredTable, spec: ColumnSpec, most: int, source: RandomSource, progress: Progress) -> StoredTable:
    """At most so many rows of each person, each subset of that size equally likely; of nobody none.

    In a random order of all rows, the first ones of each person are a random choice of that person's rows. Two of
    them have the same place in it with probability 2⁻⁶⁰.
    """
    store, column = table.store, table.column(spec.name)
    wanted = column.rows_of_at_most(most, spec.missing)
    if wanted == table.rows:
        return table
    statement = _Statement(table, {}, Schema(), None)
    if isinstance(column, UnlistedColumn):
        named = f"NOT ({column.absent(spec.missing)})"
    else:
        named = f"{statement.number(spec.name, absent(column, spec).astype(np.int64))} = 0"
    dialect, columns = store.dialect, _physical(table)
    row = f"d.{dialect.row}"
    with statement.joins() as joins, fresh_key(store, source) as key:
        # The hash is computed in a step of its own, so that it is computed once for each row.
        taken = ", ".join(f"d.{name} AS {name}" for name in columns)
        hashed = (
            f"SELECT {taken}, {row} AS n, {order_of(key.hashed(dialect, row), dialect)} AS o "
            f"FROM {table.place.relation} AS d{joins}{key.join} WHERE {named}"
        )
        ranked = (
            f"SELECT {', '.join(columns)}, n, row_number() OVER (PARTITION BY {column.physical} ORDER BY o) AS place "
            f"FROM ({hashed}) AS h"
        )
        select = f"SELECT {', '.join(columns)}, n FROM ({ranked}) AS p WHERE place <= {int(most)}"
        relation = _in_order(store, select, columns, progress.part(0.0, 0.8), "Limiting rows per person")
    found = _stored(table, relation, progress.part(0.8, 1.0))
    left = found[spec.name]
    if found.rows != wanted or left.most_rows(spec.missing)[0] > most or left.rows_without(spec.missing):
        raise WorkbenchError(
            f"{store.title} did not limit the rows per person as it was told: {found.rows:,} rows are left instead of "
            f"{wanted:,}. Nothing goes on with them.",
            hint="Use another version of the engine, or work in memory; please report this with the version.",
            field="engine",
        )
    return found


def one_row_each_stored(
    table: StoredTable,
    name: str,
    asked: NDArray[np.bool_],
    person: ColumnSpec,
    source: RandomSource,
    progress: Progress = SILENT,
) -> StoredColumn:
    """A column of one row of each person, chosen at random among their rows that are asked.

    Parameters
    ----------
    asked
        Which of the column's distinct values have rows that are asked.
    person
        The column that tells persons apart; rows that name nobody are left out.
    """
    columns = dict.fromkeys((name, person.name))
    statement = _Statement(StoredTable(table.place, list(map(table.column, columns))), {}, Schema(), None)
    if not asked.all():
        statement.condition = f"{statement.number(name, asked.astype(np.int64))} = 1"
    rows = _filtered(statement, progress.part(0.0, 0.4))
    return _limited(rows, person, 1, source, progress.part(0.4, 1.0)).column(name)


def _in_order(store: Store, select: str, columns: Sequence[str], progress: Progress, text: str = "") -> str:
    """Keep rows that have the number they had, n, in that order."""
    dialect = store.dialect
    taken = ", ".join(f"y.{name} AS {name}" for name in columns)
    if dialect.carry_row:
        return store.keep(f"SELECT y.n AS {dialect.carry_row}, {taken} FROM ({select}) AS y", progress, text)
    return store.keep(f"SELECT {taken} FROM ({select}) AS y ORDER BY y.n", progress, text)


def _physical(table: StoredTable) -> list[str]:
    return [table.column(name).physical for name in table.names]


def _stored(
    table: StoredTable, relation: str, progress: Progress, values: Mapping[str, tuple[str, ...]] | None = None
) -> StoredTable:
    """The table that a relation with the physical columns of this one holds.

    Parameters
    ----------
    values
        Of columns whose values are not those of `table`.
    """
    store, stored = table.store, [table.column(name) for name in table.names]
    listed = {
        column.physical: (values or {}).get(column.name, column.values)
        for column in stored
        if not isinstance(column, UnlistedColumn)
    }
    try:
        progress(0.0, "Counting values")
        counts = counts_of_all(store, relation, {name: len(texts) for name, texts in listed.items()}, progress)
        rows = int(next(iter(counts.values())).sum()) if counts else store.count(relation)
    except BaseException:
        store.drop(relation)
        raise
    place = StoredRelation(store, relation, rows)
    columns: list[StoredColumn] = []
    for column in stored:
        name, where = column.name, column.physical
        if isinstance(column, UnlistedColumn):
            columns.append(UnlistedColumn(name, place, where, column.distinct))
        else:
            columns.append(StoredColumn(name, place, where, listed[where], counts[where]))
    return StoredTable(place, columns)
