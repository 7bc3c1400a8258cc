"""The facts of a whole file before it is opened, so that what is promised of it is what it is opened with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workbench.core.discreet import discreet
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.core.table import Table
from workbench.io.column_troubles import ColumnTrouble, column_troubles
from workbench.io.dialect import Dialect
from workbench.io.infer import agreeing, propose
from workbench.io.reading import ReadingProblem, read_table

_READ = 0.9  # share of the time that is spent on the file itself


@discreet
@dataclass(frozen=True)
class WholeContent:
    """The facts of a whole file: its likely columns, what is odd about them, problems of lines, and its rows."""

    specs: tuple[ColumnSpec, ...]
    problems: tuple[ReadingProblem, ...]
    problem_count: int
    rows: int
    troubles: tuple[ColumnTrouble, ...] = ()


def look_through(path: Path, dialect: Dialect, progress: Progress) -> WholeContent:
    """All of a file, read as it will be when it is opened; for any thread.

    Raises
    ------
    WorkbenchError
        If the file cannot be read as a table.
    Cancelled
        If the person pressed Cancel.
    """
    reading = read_table(path, dialect, progress.part(0.0, _READ))
    specs = reading.specs or _proposed(reading.table, progress)
    troubles = troubles_of(reading.table, specs)
    progress(1.0)
    return WholeContent(specs, reading.problems, reading.problem_count, reading.table.rows, troubles)


def _proposed(table: Table, progress: Progress) -> tuple[ColumnSpec, ...]:
    proposed = []
    for position, column in enumerate(table.columns):
        progress(_READ + (1 - _READ) * position / len(table.columns))
        proposed.append(propose(column))
    return agreeing(proposed, {column.name: column for column in table.columns})


def troubles_of(table: Table, specs: Iterable[ColumnSpec]) -> tuple[ColumnTrouble, ...]:
    """The troubles with the values of columns of a table that was just read; for any thread."""
    return tuple(
        trouble for spec in specs if table.lists(spec.name) for trouble in column_troubles(table[spec.name], spec)
    )
