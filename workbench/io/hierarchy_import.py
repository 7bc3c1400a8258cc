"""Hierarchy files that are imported: read as they are, or as rows that can be repaired."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Progress
from workbench.core.trees import faults
from workbench.io.dialect import Dialect
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.opening import Source
from workbench.io.recognise import recognise, recognise_encoding
from workbench.io.rows import row_batches


@dataclass(frozen=True)
class ImportedHierarchy:
    """A file that was read.

    Parameters
    ----------
    hierarchy
        What it holds; None if its rows are no hierarchy as they stand.
    rows
        Those rows, to be repaired.
    """

    path: Path
    hierarchy: Hierarchy | None
    rows: tuple[tuple[str, ...], ...] = ()


def import_hierarchy(path: Path, *, declared: bool = True) -> ImportedHierarchy:
    """Read a file; `declared` as of `read_hierarchy`.

    Raises
    ------
    WorkbenchError
        If it cannot be read, and not only because rows are missing, repeated or torn apart.
    """
    try:
        return ImportedHierarchy(path, read_hierarchy(path, declared=declared))
    except WorkbenchError as error:
        try:
            rows = _rows(path)
        except WorkbenchError:
            raise error from None
        if not rows or not faults(rows):
            raise
        return ImportedHierarchy(path, None, rows)


def _rows(path: Path) -> tuple[tuple[str, ...], ...]:
    found: list[tuple[str, ...]] = []
    with Source(path) as source:
        encoding = recognise_encoding(source.head, path.name)
        delimiter = recognise(source.head, encoding).delimiter
        for batch in row_batches(source, Dialect(delimiter, encoding, header=False)):
            found.extend(tuple(row) for row in batch.rows if row)
    return tuple(found)


def read_files(files: dict[str, Path], declared: bool, progress: Progress) -> dict[str, ImportedHierarchy]:
    """Import a file for each of some columns; `declared` as of `read_hierarchy`."""
    read = {}
    for position, (name, path) in enumerate(files.items()):
        progress(position / len(files), path.name)
        read[name] = import_hierarchy(path, declared=declared)
    return read
