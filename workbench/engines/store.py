"""An engine at work: what it must be able to do so that tables can stay in it."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column
from workbench.engines.budget import MemoryBudget
from workbench.engines.dialect import SqlDialect
from workbench.engines.files import TableFiles
from workbench.io.column_codes import ReadingProblem

Uploaded = Mapping[str, NDArray[Any] | Sequence[str]]
"""Columns by name: whole numbers, floats or texts, all of the same length."""


class RelationColumn(Protocol):
    """A column of a table in an engine: what it is called there."""

    @property
    def physical(self) -> str: ...


class PlaceOfRows(Protocol):
    """The relation of an engine that holds the rows of a table, as `workbench.engines.stored.StoredRelation`."""

    @property
    def relation(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def order(self) -> str: ...
    @property
    def in_order(self) -> str: ...


class TableOfStore(Protocol):
    """A table whose rows a store has, as far as the store itself must know it to show some of them."""

    @property
    def rows(self) -> int: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def place(self) -> PlaceOfRows: ...
    def column(self, name: str) -> RelationColumn: ...


@dataclass(frozen=True)
class Scanned:
    """A file as it was read, before its values are numbered.

    Parameters
    ----------
    relation
        Holds the cells as texts, "" where there is none, in columns t0, t1, …
    names
        The heading, renamed where it must be.
    rows, skipped
        Rows that were read, and rows that could not be.
    problems, problem_count
        The first of the problems, and how many there are in all.
    unnamed
        Columns that have no name in the file; those at the end are left out if they hold nothing.
    listed
        Columns whose texts were replaced while they were read, by their places: the column is called c0 instead of t0
        and holds the places of its values in this list, which is in order of first appearance.
    """

    relation: str
    names: tuple[str, ...]
    rows: int
    skipped: int = 0
    problems: tuple[ReadingProblem, ...] = ()
    problem_count: int = 0
    unnamed: frozenset[int] = frozenset()
    listed: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


class Store(ABC):
    """An engine and the relations that were made in it. Every method may be called on any thread.

    A statement that takes long reports progress where the engine tells it, and is cancelled where the progress is.

    Attributes
    ----------
    title
        What people call the engine; it may name a host.
    product
        What it is, without saying where: the note of a release tells it.
    engine
        How an `EngineChoice` names it.
    dialect
        How its SQL is written.
    budget
        How much of its data may be brought into memory.
    spread
        Whether rows may be on several machines, each of which writes its own.
    """

    title: str
    product: str
    spread: bool = False
    engine: str
    dialect: SqlDialect
    budget: MemoryBudget

    picks = False
    """Whether `pick` is quick enough to show rows in another order."""
    _closed = False

    def __init__(self, budget: MemoryBudget) -> None:
        self.budget = budget
        self._numbers = itertools.count(1)
        self._discarded: deque[str] = deque()

    def fresh_name(self) -> str:
        """A name that no relation of this store has."""
        return f"w{next(self._numbers)}"

    @abstractmethod
    def run(self, sql: str, progress: Progress = SILENT, text: str = "") -> None:
        """Carry out a statement that gives nothing back.

        Raises
        ------
        WorkbenchError
            If the engine cannot, in words a person can act on.
        Cancelled
            If the progress was cancelled; the engine has stopped then.
        """

    @abstractmethod
    def fetch(self, sql: str, progress: Progress = SILENT) -> list[NDArray[Any]]:
        """The columns of a result that has only numbers and no NULL, each as an array."""

    @abstractmethod
    def rows(self, sql: str, progress: Progress = SILENT) -> list[tuple[Any, ...]]:
        """The rows of a small result."""

    @abstractmethod
    def stream(self, sql: str, size: int = 1 << 16, progress: Progress = SILENT) -> Iterator[list[NDArray[Any]]]:
        """The columns of a large result, about `size` rows at a time, in the order of the result.

        Numbers come as arrays of numbers, texts as arrays of objects.
        """

    @abstractmethod
    def keep(self, select: str, progress: Progress = SILENT, text: str = "") -> str:
        """Compute a SELECT once and keep its rows, in its order, as a relation; gives its name."""

    @abstractmethod
    def upload(self, columns: Uploaded) -> str:
        """Take columns into a relation; gives its name."""

    @abstractmethod
    def drop(self, relation: str) -> None:
        """Forget a relation. What is not there any more is no error, nor is a store that was closed."""

    @abstractmethod
    def scan(self, files: TableFiles, progress: Progress = SILENT) -> Scanned:
        """Read a table into a relation of texts.

        Raises
        ------
        WorkbenchError
            If there is no such file, or it is no table.
        """

    @abstractmethod
    def write_lines(
        self, select: str, first: str, path: Path, progress: Progress = SILENT, *, parts: bool = False
    ) -> None:
        """Write a text file in UTF-8 to a path where nothing is yet: a first line, then one line for each row.

        Parameters
        ----------
        select
            Gives one column of texts, which may hold line breaks themselves and are written as they are, in its order.
        first
            The first line of the file, or of every part; each line is ended by a line feed.
        parts
            Whether to write a folder of files rather than one file.
        """

    @abstractmethod
    def write_parquet(self, select: str, path: Path, progress: Progress = SILENT, *, parts: bool = False) -> None:
        """Write the rows of a SELECT, in its order and with its names and types, as Parquet. Otherwise the same."""

    @abstractmethod
    def page(self, table: TableOfStore, start: int, count: int) -> list[tuple[str, ...]]:
        """The texts of up to `count` rows of a table from row `start`; quick enough to scroll by."""

    @abstractmethod
    def close(self) -> None:
        """End the engine's work and remove what it kept. May be called again."""

    # What follows is the same everywhere, unless an engine can do it better.

    def discard(self, relation: str) -> None:
        """Let a relation be dropped when the engine next has work. Does nothing itself, so a finaliser may call it."""
        self._discarded.append(relation)

    def sweep(self) -> None:
        """Drop what was discarded."""
        while self._discarded:
            self.drop(self._discarded.popleft())

    @property
    def closed(self) -> bool:
        """Whether its work has ended."""
        return self._closed

    def keep_to_budget(self) -> None:  # noqa: B027  an engine may have no memory of this machine's
        """Take notice that the memory budget was changed.

        Raises
        ------
        WorkbenchError
            If the engine itself holds more than that and cannot let it go.
        """

    def pick(self, table: TableOfStore, rows: Sequence[int]) -> list[tuple[str, ...]]:
        """The texts of single rows of a table, in the order given."""
        return [self.page(table, row, 1)[0] for row in rows]

    def scan_numbered(self, files: TableFiles, progress: Progress = SILENT) -> Scanned:
        """Read a table as `scan` does, but texts may have been replaced by codes on the way: see `Scanned.listed`."""
        return self.scan(files, progress)

    def select_of(self, files: TableFiles, heading: Sequence[str]) -> str | None:
        """A SELECT that reads files as `scan` does, if the engine can do so without keeping them; else None.

        It fails where a row has another number of cells than `heading`, the names that stand in the files, has names.
        """
        return None

    def beginning(self, relation: str, rows: int) -> str:
        """A SELECT of about the first rows of a relation: so many, or more where that is quicker."""
        return f"SELECT * FROM {relation} LIMIT {int(rows)}"

    def stream_table(
        self, place: PlaceOfRows, columns: Sequence[str], size: int = 1 << 16, progress: Progress = SILENT
    ) -> Iterator[list[NDArray[Any]]]:
        """Columns of a whole table in the order of its rows, as `stream`."""
        yield from self.stream(f"SELECT {', '.join(columns)} FROM {place.relation}{place.in_order}", size, progress)

    def codes_at(
        self, place: PlaceOfRows, columns: Sequence[str], rows: NDArray[np.intp]
    ) -> list[NDArray[np.integer]] | None:
        """Codes of single rows of a table, in the order given, if the engine need not go through all rows for them."""
        return None

    def count(self, relation: str, where: str = "") -> int:
        """Rows of a relation for which a condition holds."""
        condition = f" WHERE {where}" if where else ""
        return int(self.rows(f"SELECT count(*) FROM {relation}{condition}")[0][0])

    def grouped(
        self,
        relation: str,
        numbers: Sequence[tuple[str, NDArray[np.int64] | None]],
        progress: Progress = SILENT,
    ) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
        """The combinations of numbers that occur, ascending, and how many rows have each.

        Parameters
        ----------
        numbers
            Pairs of a column of codes and the number of each code; None for the code itself. All rows are counted.

        Returns
        -------
        digits, counts
            Per column an array of shape (combinations,), and the rows of each combination.
        """
        looked_up = [(column, numbers_of) for column, numbers_of in numbers if numbers_of is not None]
        with self.lookups([numbers_of for _, numbers_of in looked_up]) as tables:
            named = {column: table for (column, _), table in zip(looked_up, tables, strict=True)}
            chosen = [f"{named[column]}.v" if column in named else f"d.{column}" for column, _ in numbers]
            picked = ", ".join(f"{expression} AS g{place}" for place, expression in enumerate(chosen))
            joins = "".join(f" JOIN {table} ON d.{column} = {table}.k" for column, table in named.items())
            keys = ", ".join(f"g{place}" for place in range(len(chosen)))
            if not chosen:
                return [], np.array([self.count(relation)], dtype=np.int64)
            sql = (
                f"SELECT {keys}, count(*) AS n FROM (SELECT {picked} FROM {relation} AS d{joins}) AS x GROUP BY {keys}"
            )
            found = [column.astype(np.int64) for column in self.fetch(sql, progress)]
        order = np.lexsort(found[-2::-1])
        *digits, counts = [column[order] for column in found]
        return digits, counts

    def encode(
        self, relation: str, columns: Mapping[str, Sequence[str] | None], progress: Progress = SILENT
    ) -> tuple[str, list[str]]:
        """Replace texts by codes: the places of the values in the given lists.

        Parameters
        ----------
        columns
            By column of the relation, in order, its different values; None to keep it as it is.

        Returns
        -------
        relation, names
            A new relation with the same rows in the same order, and what its columns are called: c0, c1, …, and as
            before if they were kept as they are.
        """
        numbered = {column: values for column, values in columns.items() if values is not None}
        made = {
            column: self.upload({"v": values, "k": np.arange(len(values), dtype=np.int64)})
            for column, values in numbered.items()
        }
        try:
            names = [f"c{place}" if column in made else column for place, column in enumerate(columns)]
            chosen = [
                f"CAST({made[column]}.k AS INTEGER) AS {name}" if column in made else f"d.{column} AS {name}"
                for name, column in zip(names, columns, strict=True)
            ]
            joins = "".join(f" JOIN {table} ON d.{column} = {table}.v" for column, table in made.items())
            return self.derive(relation, chosen, joins, progress=progress, text="Replacing values by codes"), names
        finally:
            for table in made.values():
                self.drop(table)

    def derive(
        self,
        relation: str,
        chosen: Sequence[str],
        joins: str = "",
        where: str = "",
        progress: Progress = SILENT,
        text: str = "",
    ) -> str:
        """Keep a relation made from another one, row by row, in its order.

        Parameters
        ----------
        relation
            Is called d in the expressions.
        chosen, joins, where
            What to select, what to join (each row of d with one row at most), and which rows to keep.
        """
        carried = [f"d.{self.dialect.carry_row}"] if self.dialect.carry_row else []
        condition = f" WHERE {where}" if where else ""
        taken = f"SELECT {', '.join([*carried, *chosen])} FROM {relation} AS d"
        return self.keep(f"{taken}{joins}{condition}{self.dialect.kept_order}", progress, text)

    def lookups(self, tables: Sequence[NDArray[np.int64]]) -> Lookups:
        """Small relations (k, v) that say the number of each code; they are there while the context lasts."""
        return Lookups(self, tables)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Lookups:
    """A context in which arrays are relations (k, v): v is the element at place k."""

    def __init__(self, store: Store, tables: Sequence[NDArray[np.int64]]) -> None:
        self._store, self._tables = store, tables
        self._made: list[str] = []

    def __enter__(self) -> list[str]:
        for table in self._tables:
            place = np.arange(len(table), dtype=np.int64)
            self._made.append(self._store.upload({"k": place, "v": np.asarray(table, dtype=np.int64)}))
        return self._made

    def __exit__(self, *_: object) -> None:
        for name in self._made:
            self._store.drop(name)
