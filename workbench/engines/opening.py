"""Opening a table in an engine: its texts are read, listed column by column, and replaced by codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.core.progress import SILENT, Progress
from workbench.core.rough_counts import roughly_rows
from workbench.engines.files import TableFiles
from workbench.engines.store import Scanned, Store
from workbench.engines.stored import MOST_VALUES, StoredColumn, StoredRelation, StoredTable, UnlistedColumn
from workbench.io.column_codes import ReadingProblem, without_name

_BEGINNING = 2 * MOST_VALUES
_FIRST = 1 << 16
_SURELY_MORE = 1.25
"""Estimates of how many different values there are are good to a few percent."""


@dataclass(frozen=True, eq=False)
class Opened:
    """A table in an engine, and what could not be read of it, as of `workbench.io.reading.Reading`."""

    table: StoredTable
    skipped: int
    problems: tuple[ReadingProblem, ...]
    problem_count: int


@dataclass(frozen=True, eq=False)
class _Listed:
    """The different values of a column in order of first appearance; None if they are too many."""

    values: tuple[str, ...] | None
    counts: np.ndarray[tuple[int], np.dtype[np.int64]]
    distinct: int


def open_stored(store: Store, files: TableFiles, progress: Progress = SILENT) -> Opened:
    """Read a table into an engine.

    Raises
    ------
    WorkbenchError
        If it cannot be read.
    Cancelled
        If the progress was cancelled. Nothing is left in the engine then.
    """
    scanned = store.scan_numbered(files, progress.part(0.0, 0.5))
    relation = ""
    try:
        table = _numbered(store, scanned, progress.part(0.5, 1.0))
        relation = table.place.relation
    finally:
        if scanned.relation != relation:
            store.drop(scanned.relation)
    progress(1.0, f"{roughly_rows(table.rows)} read")
    # What is said about columns of nothing, which are left out, goes with them.
    gone = {without_name(place, scanned.names[place]) for place in range(len(table.columns), len(scanned.names))}
    problems = tuple(problem for problem in scanned.problems if problem.reason not in gone)
    return Opened(table, scanned.skipped, problems, scanned.problem_count - len(scanned.problems) + len(problems))


def _numbered(store: Store, scanned: Scanned, progress: Progress) -> StoredTable:
    columns = [f"c{place}" if place in scanned.listed else f"t{place}" for place in range(len(scanned.names))]
    about = _estimates(store, scanned, columns, progress.part(0.0, 0.1))
    listed: list[_Listed] = []
    for place, column in enumerate(columns):
        part = progress.part(0.1 + 0.3 * place / len(columns), 0.1 + 0.3 * (place + 1) / len(columns))
        part(0.0, f"Listing the values of “{scanned.names[place]}”")
        if place in scanned.listed:
            listed.append(_count_values(store, scanned, column, scanned.listed[place], part))
        else:
            listed.append(_list_values(store, scanned, column, about, part))
    count = len(columns)
    while count > 1 and count - 1 in scanned.unnamed and listed[count - 1].values in ((), ("",)):
        count -= 1
    relation, physical = scanned.relation, columns[:count]
    if len(scanned.listed) < len(columns):
        # What has codes already is kept as it is.
        values = {
            column: None if place in scanned.listed else listed[place].values for place, column in enumerate(physical)
        }
        relation, physical = store.encode(scanned.relation, values, progress.part(0.4, 1.0))
    stored = StoredRelation(store, relation, scanned.rows)
    made: list[StoredColumn] = []
    for name, one, where in zip(scanned.names[:count], listed, physical, strict=False):
        if one.values is None:
            made.append(UnlistedColumn(name, stored, where, one.distinct))
        else:
            made.append(StoredColumn(name, stored, where, one.values, one.counts))
    return StoredTable(stored, made)


def _estimates(store: Store, scanned: Scanned, columns: Sequence[str], progress: Progress) -> dict[str, int]:
    """About how many different values columns have in the first rows that may have too many; nothing is listed in vain.

    Columns that repeat themselves from the start need no longer look.
    """
    if scanned.rows <= MOST_VALUES:
        return {}
    progress(0.0, "Looking at the columns")
    unlisted = [column for place, column in enumerate(columns) if place not in scanned.listed]
    first = _about(store, scanned, unlisted, _FIRST, progress.part(0.0, 0.3))
    varied = [column for column, about in first.items() if 2 * about > min(_FIRST, scanned.rows)]
    return _about(store, scanned, varied, _BEGINNING, progress.part(0.3, 1.0))


def _about(store: Store, scanned: Scanned, columns: Sequence[str], rows: int, progress: Progress) -> dict[str, int]:
    """About how many different values columns have in so many first rows."""
    if not columns:
        return {}
    counted = ", ".join(f"approx_count_distinct({column})" for column in columns)
    found = store.rows(f"SELECT {counted} FROM ({store.beginning(scanned.relation, rows)}) AS x", progress)[0]
    return dict(zip(columns, map(int, found), strict=True))


def _count_values(store: Store, scanned: Scanned, column: str, values: tuple[str, ...], progress: Progress) -> _Listed:
    counts = np.zeros(len(values), dtype=np.int64)
    grouped = (
        f"SELECT {column} AS k, count(*) AS n FROM {scanned.relation} WHERE {column} IS NOT NULL GROUP BY {column}"
    )
    codes, numbers = store.fetch(grouped, progress)
    counts[codes.astype(np.int64)] = numbers
    assert counts.all()
    assert counts.sum() == scanned.rows
    return _Listed(values, counts, len(values))


def _list_values(store: Store, scanned: Scanned, column: str, known: Mapping[str, int], progress: Progress) -> _Listed:
    nothing = np.zeros(0, dtype=np.int64)
    if known.get(column, 0) > MOST_VALUES * _SURELY_MORE:
        return _Listed(None, nothing, known[column])
    grouped = (
        f"SELECT {column} AS v, count(*) AS n, min({store.dialect.row}) AS first "
        f"FROM {scanned.relation} GROUP BY {column} ORDER BY first"
    )
    values: list[str] = []
    counts = [nothing]
    for texts, numbers in store.stream(f"SELECT v, n FROM ({grouped}) AS x ORDER BY first", 1 << 16, progress):
        values += texts.tolist()
        counts.append(numbers.astype(np.int64))
        if len(values) > MOST_VALUES:
            about = known if column in known else _about(store, scanned, [column], _BEGINNING, SILENT)
            return _Listed(None, nothing, max(about.get(column, 0), len(values)))
    return _Listed(tuple(values), np.concatenate(counts), len(values))
