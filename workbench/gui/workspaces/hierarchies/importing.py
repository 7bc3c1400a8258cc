"""Hierarchy files that are being imported: read as they are, or as rows that can be repaired."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QDropEvent

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Progress
from workbench.core.trees import faults
from workbench.io.dialect import Dialect
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.matching import HierarchyFile, matching_hierarchies
from workbench.io.opening import Source
from workbench.io.recognise import recognise, recognise_encoding
from workbench.io.rows import row_batches


@dataclass(frozen=True)
class Imported:
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


def import_hierarchy(path: Path) -> Imported:
    """Read a file.

    Raises
    ------
    WorkbenchError
        If it cannot be read, and not only because rows are missing, repeated or torn apart.
    """
    try:
        return Imported(path, read_hierarchy(path))
    except WorkbenchError as error:
        try:
            rows = _rows(path)
        except WorkbenchError:
            raise error from None
        if not rows or not faults(rows):
            raise
        return Imported(path, None, rows)


def _rows(path: Path) -> tuple[tuple[str, ...], ...]:
    found: list[tuple[str, ...]] = []
    with Source(path) as source:
        encoding = recognise_encoding(source.head, path.name)
        delimiter = recognise(source.head, encoding).delimiter
        for batch in row_batches(source, Dialect(delimiter, encoding, header=False)):
            found.extend(tuple(row) for row in batch.rows if row)
    return tuple(found)


def look_beside(data: Path, columns: tuple[str, ...], progress: Progress) -> dict[str, tuple[HierarchyFile, ...]]:
    """The hierarchy files beside a data file, by column."""
    found = matching_hierarchies(data, columns)
    progress(1.0)
    return found


def read_files(files: dict[str, Path], progress: Progress) -> dict[str, Imported]:
    """Import a file for each of some columns."""
    read = {}
    for position, (name, path) in enumerate(files.items()):
        progress(position / len(files), path.name)
        read[name] = import_hierarchy(path)
    return read


def dropped_file(event: QDropEvent) -> Path | None:
    """The one local text file that is being dropped, if it is one; anything else is for the window."""
    urls = event.mimeData().urls()
    if len(urls) == 1 and urls[0].isLocalFile():
        path = Path(urls[0].toLocalFile())
        return path if path.suffix.lower() in (".csv", ".tsv", ".txt") else None
    return None
