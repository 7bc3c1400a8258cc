"""What all of a file says before it is opened, so that what is promised of it is what it is opened with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.core.discreet import discreet
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.io.dialect import Dialect
from workbench.io.infer import agreeing, propose
from workbench.io.reading import ReadingProblem, read_table

_READ = 0.9  # share of the time that is spent on the file itself


@discreet
@dataclass(frozen=True)
class WholeContent:
    """What all of a file says: what its columns seem to be, the first problems and how many there are, and its rows."""

    specs: tuple[ColumnSpec, ...]
    problems: tuple[ReadingProblem, ...]
    problem_count: int
    rows: int


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
    specs = []
    for position, column in enumerate(reading.table.columns):
        progress(_READ + (1 - _READ) * position / len(reading.table.columns))
        specs.append(propose(column))
    progress(1.0)
    columns = {column.name: column for column in reading.table.columns}
    return WholeContent(agreeing(specs, columns), reading.problems, reading.problem_count, reading.table.rows)
