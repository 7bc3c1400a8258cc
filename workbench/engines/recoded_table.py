"""The table of the syntactic models in an engine.

The classes of the chosen levels are counted there and judged here, by the code that judges them in memory;
what comes out, one row for each class, goes back, and the rows are joined with it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.evaluation import judge
from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.recode import (
    Anonymised,
    Suppressed,
    check_columns,
    refuse_too_many_suppressed,
    shown_columns,
)
from workbench.anonymise.row_counter import key_ranges
from workbench.anonymise.subset import Subset, rows_per_value, subset_of
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table
from workbench.engines.canonical import canonical_stored
from workbench.engines.stored import StoredColumn, StoredRelation, StoredTable, UnlistedColumn, counts_of

_CLASS = "class_number"


@discreet
@dataclass(frozen=True, eq=False)
class StoredAnonymised(Anonymised):
    """An anonymised table in an engine. If it has suppressed rows, a column of its relation says which they are."""

    table: StoredTable
    marked: bool = False

    def released(self) -> StoredTable:
        if not self.marked:
            return self.table
        place = self.table.place
        physical = [self.table.column(name).physical for name in self.table.names]
        chosen = [f"d.{column}" for column in physical]
        relation = place.store.derive(place.relation, chosen, where=f"d.{_CLASS} >= 0")
        counts = {}
        for name in self.table.names:
            if self.table.lists(name):
                column = self.table[name]
                counts[name] = column.counts - self.suppressed * _at(column.values, ANY)
        return _like(self.table, StoredRelation(place.store, relation, int(self.class_sizes.sum())), counts)

    def released_column(self, name: str) -> Column:
        return self.released()[name]

    def leaving(self, grouped: Collection[str], progress: Progress = SILENT) -> StoredTable:
        return canonical_stored(self.released(), grouped, progress)


def _like(table: StoredTable, place: StoredRelation, counts: Mapping[str, NDArray[np.int64]]) -> StoredTable:
    """The same columns in another relation, with these counts of their values."""
    columns: list[StoredColumn] = []
    for column in map(table.column, table.names):
        if isinstance(column, UnlistedColumn):
            columns.append(UnlistedColumn(column.name, place, column.physical, column.distinct))
            continue
        columns.append(StoredColumn(column.name, place, column.physical, column.values, counts[column.name]))
    return StoredTable(place, columns)


def recode_stored(
    table: StoredTable,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
    goal: Goal,
    *,
    keep: Sequence[str] = (),
    on_suppressed: Suppressed = Suppressed.DROP,
    progress: Progress = SILENT,
) -> Anonymised:
    """Generalise to the given levels and suppress what does not satisfy the models, in the engine that has the rows.

    Parameters as in `workbench.anonymise.recode.apply`.

    Raises
    ------
    WorkbenchError
        If the input contradicts itself, or more rows fail the models than may be suppressed.
    TooManyGroups
        If the classes of a table in an engine do not fit into memory.
    Cancelled
        If the progress was cancelled.
    """
    marked = Suppressed(on_suppressed) is Suppressed.MARK
    return _Recoding(table, hierarchies, levels, goal, keep, marked).run(progress)


def brought(table: StoredTable, names: Collection[str]) -> Table:
    """These columns of a table, brought into memory.

    Raises
    ------
    BeyondMemory
        If that is more than may be brought.
    """
    chosen = [table.column(name) for name in table.names if name in names]
    sizes = [np.min_scalar_type(max(len(column.values) - 1, 0)).itemsize for column in chosen]
    listed = ", ".join(f"“{column.name}”" for column in chosen)
    table.store.budget.check(table.rows * sum(sizes), f"{listed} of all {table.rows:,} rows", table.store.title)
    return Table(tuple(Column(column.name, column.codes, column.values) for column in chosen))


def _at(values: Sequence[str], value: str) -> NDArray[np.int64]:
    """1 at the place of a value, 0 elsewhere."""
    return np.fromiter((one == value for one in values), np.int64, len(values))


def stored_rows_to_release(table: StoredTable, models: Sequence[ModelChoice]) -> StoredTable:
    """The rows of a table in an engine that are to be released, which may be a part of them."""
    subset = subset_of(table, models)
    if subset is None:
        return table
    store, place = table.store, table.place
    chosen = [f"d.{table.column(name).physical}" for name in table.names]
    where = f"d.{table.column(subset.column.name).physical} = {store.dialect.literal(subset.code)}"
    relation = store.derive(place.relation, chosen, where=where)
    counts = {name: rows_per_value(table, table[name], subset) for name in table.names if table.lists(name)}
    return _like(table, StoredRelation(store, relation, subset.rows), counts)


@dataclass(frozen=True, eq=False)
class _Recoding:
    """Everything that is asked for."""

    table: StoredTable
    hierarchies: Mapping[str, Hierarchy]
    levels: Mapping[str, int]
    goal: Goal
    keep: Sequence[str]
    marked: bool

    def run(self, progress: Progress) -> Anonymised:
        table, models = self.table, self.goal.models
        check_columns(table, self.hierarchies, self.levels, self.keep)
        problem = prepare(table, self.hierarchies, self.goal.at(self.levels), progress=progress.part(0.0, 0.5))
        classes = ClassTable(problem.bottom, problem.layout)
        alive = classes.sizes > 0
        alive[judge(problem, classes).failing] = False
        kept = np.flatnonzero(alive)
        sizes = classes.sizes[kept]
        suppressed = problem.rows - int(sizes.sum())
        refuse_too_many_suppressed(suppressed, problem.rows, self.goal)
        starred = self.marked and suppressed > 0
        made = _Making(table, problem, classes, kept, starred, subset_of(table, models))
        columns = made.run(shown_columns(table, problem.names, models, self.keep), progress.part(0.5, 1.0))
        progress(1.0)
        return StoredAnonymised(
            table=columns,
            class_sizes=sizes,
            population=classes.population[kept],
            suppressed=suppressed,
            rows_in=problem.rows,
            marked=starred,
        )


@dataclass(frozen=True, eq=False)
class _Making:
    """The rows with labels: those of the classes that are kept or, if there are stars, all that were to be released."""

    table: StoredTable
    problem: SearchProblem
    classes: ClassTable
    kept: NDArray[np.intp]
    starred: bool
    subset: Subset | None

    @property
    def rows(self) -> int:
        """How many there must be."""
        return self.problem.rows if self.starred else int(self.classes.sizes[self.kept].sum())

    def run(self, shown: Sequence[str], progress: Progress) -> StoredTable:
        store = self.table.store
        physical = [f"{'c' if self.table.lists(name) else 't'}{place}" for place, name in enumerate(shown)]
        place = StoredRelation(store, self._relation(shown, physical, progress), self.rows)
        if (found := store.count(place.relation)) != self.rows:
            raise WorkbenchError(
                f"{store.title} gave {found:,} rows, and {self.rows:,} are in the classes that are kept. Nothing is "
                "released.",
                hint="Use another version of the engine, or work in memory; please report this with the version.",
                field="engine",
            )
        return StoredTable(place, [self._column(name, at, place) for name, at in zip(shown, physical, strict=True)])

    def _relation(self, shown: Sequence[str], physical: Sequence[str], progress: Progress) -> str:
        table, store, problem = self.table, self.table.store, self.problem
        verdict = _Verdict.of(problem, self.classes, self.kept)
        numbered = {f"k{place}": key for place, key in enumerate(verdict.keys)}
        kept = store.upload({**numbered, _CLASS: np.arange(len(self.kept))})
        try:
            with store.lookups(self._labels()) as looked_up:
                label_of = dict(zip(problem.names, looked_up, strict=True))
                joins = [f" JOIN {labels} ON {self._cell(name)} = {labels}.k" for name, labels in label_of.items()]
                matched = [f"{key} = a.k{place}" for place, key in enumerate(verdict.expressions(looked_up))]
                joins.append(f" {'LEFT JOIN' if self.starred else 'JOIN'} {kept} AS a ON {' AND '.join(matched)}")
                values = [f"{label_of[name]}.v" if name in label_of else self._cell(name) for name in shown]
                chosen = [
                    f"{self._typed(name, value)} AS {column}"
                    for name, value, column in zip(shown, values, physical, strict=True)
                ]
                if self.starred:
                    chosen.append(f"coalesce(a.{_CLASS}, -1) AS {_CLASS}")
                where = ""
                if self.subset is not None:
                    where = f"{self._cell(self.subset.column.name)} = {store.dialect.literal(self.subset.code)}"
                text = "Generalising columns"
                return store.derive(table.place.relation, chosen, "".join(joins), where, progress, text)
        finally:
            store.drop(kept)

    def _cell(self, name: str) -> str:
        return f"d.{self.table.column(name).physical}"

    def _labels(self) -> list[NDArray[np.int64]]:
        """Per generalised column the number of the label of each of its codes."""
        counter, levels = self.problem.counter, self.problem.lattice.low
        assert counter is not None
        return [
            axis.up(0, level)[ground].astype(np.int64)
            for axis, level, ground in zip(counter.coding.axes, levels, counter.grounds, strict=True)
        ]

    def _typed(self, name: str, value: str) -> str:
        """A cell as it is kept: a star where the class is not."""
        listed = self.table.lists(name)
        if self.starred:
            star = self.table.store.dialect.literal(self._values(name).index(ANY) if listed else ANY)
            value = f"CASE WHEN a.{_CLASS} IS NULL THEN {star} ELSE {value} END"
        return f"CAST({value} AS INTEGER)" if listed else value

    def _values(self, name: str) -> tuple[str, ...]:
        """Values that a column can hold."""
        names = self.problem.names
        values = self.table[name].values
        if name in names:
            position = names.index(name)
            values = self.problem.attributes[position].labels[self.problem.lattice.low[position]]
        return (*values, ANY) if self.starred and ANY not in values else values

    def _column(self, name: str, physical: str, place: StoredRelation) -> StoredColumn:
        source, names = self.table.column(name), self.problem.names
        if isinstance(source, UnlistedColumn):
            return UnlistedColumn(name, place, physical, source.distinct)
        values = self._values(name)
        if name in names:
            labels, sizes = self.classes.labels(names.index(name), self.kept), self.classes.sizes[self.kept]
            counts = np.bincount(labels, weights=sizes, minlength=len(values)).astype(np.int64)
            counts += (self.rows - int(sizes.sum())) * _at(values, ANY)
        else:
            counts = counts_of(place.store, place.relation, physical, len(values))
        return StoredColumn(name, place, physical, values, counts)


@dataclass(frozen=True, eq=False)
class _Verdict:
    """The classes that are kept, by whole numbers that tell classes apart.

    `keys` has one array for each run of columns in `ranges`, shape (classes,).
    """

    keys: tuple[NDArray[np.int64], ...]
    ranges: tuple[tuple[int, int], ...]
    radices: tuple[int, ...]

    @classmethod
    def of(cls, problem: SearchProblem, classes: ClassTable, kept: NDArray[np.intp]) -> _Verdict:
        radices = classes.groups.radices[:-1]
        ranges = key_ranges(radices)
        keys = []
        for low, high in ranges:
            key = np.zeros(len(kept), dtype=np.int64)
            for position in range(low, high):
                key += classes.labels(position, kept) * math.prod(radices[position + 1 : high])
            keys.append(key)
        return cls(tuple(keys), tuple(ranges), radices)

    def expressions(self, looked_up: Sequence[str]) -> list[str]:
        """The numbers of a row whose labels are in these relations."""
        return [
            " + ".join(
                f"{looked_up[position]}.v * {math.prod(self.radices[position + 1 : high])}"
                for position in range(low, high)
            )
            for low, high in self.ranges
        ]
