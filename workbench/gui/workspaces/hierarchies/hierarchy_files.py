"""Hierarchy files that are being imported: read as they are, or as rows that can be repaired."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QDropEvent

from workbench.core.progress import Progress
from workbench.io.hierarchy_files import HierarchyFile, matching_hierarchies


def look_beside(data: Path, columns: tuple[str, ...], progress: Progress) -> dict[str, tuple[HierarchyFile, ...]]:
    """The hierarchy files beside a data file, by column."""
    found = matching_hierarchies(data, columns)
    progress(1.0)
    return found


def dropped_file(event: QDropEvent) -> Path | None:
    """The one local text file that is being dropped, if it is one; anything else is for the window."""
    urls = event.mimeData().urls()
    if len(urls) == 1 and urls[0].isLocalFile():
        path = Path(urls[0].toLocalFile())
        return path if path.suffix.lower() in (".csv", ".tsv", ".txt") else None
    return None
