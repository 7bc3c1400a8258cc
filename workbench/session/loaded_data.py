"""Taking in a data file, and what to say of it to a document."""

from __future__ import annotations

from workbench.core.errors import WorkbenchError
from workbench.project.loading import Loaded, differences, load, with_kinds, with_mended
from workbench.project.model import DataSource

__all__ = [
    "differences",
    "incomplete",
    "is_other_data",
    "is_same_file",
    "load",
    "no_rows",
    "with_kinds",
    "with_mended",
]


def is_same_file(before: DataSource, loaded: Loaded) -> bool:
    """Whether it is the very file the project describes, read in the same way and into the same engine."""
    reading = loaded.reading
    same = (before.path, before.fingerprint, before.dialect, before.engine) == (
        str(reading.path),
        reading.fingerprint,
        reading.dialect,
        reading.table.engine,
    )
    return same and before.content == loaded.content


def is_other_data(before: DataSource, loaded: Loaded) -> bool:
    """Whether the rows are others than before; the same rows may have been saved again."""
    return loaded.content != before.content and loaded.reading.fingerprint != before.fingerprint


def incomplete(loaded: Loaded) -> WorkbenchError:
    """Why a file is refused by somebody who wants every row or none."""
    reading = loaded.reading
    first = next((problem for problem in reading.problems if not problem.kept), reading.problems[0])
    rows = "1 row" if reading.skipped == 1 else ""
    rows = rows or f"{reading.skipped:,} rows"
    return WorkbenchError(
        f"{reading.path.name} was not opened: {rows} of it cannot be read. Line {first.line:,}: {first.reason}.",
        hint="Correct the file, or open it without these rows.",
        field="path",
    )


def no_rows(loaded: Loaded) -> str:
    """The message about a file with nothing below the names of its columns."""
    return f"{loaded.reading.path.name} has names of columns and no rows, so there is nothing to anonymise."
