"""Hierarchy files: found beside the data, dropped, and asked for."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.core.progress import Progress
from workbench.gui.widgets.save_place import ask_at
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


def ask_for_hierarchy(asking: QWidget, column: str, data: Path) -> Path | None:
    """Ask for the file of a column, beginning beside the data; None for none."""
    kinds = ";;".join(("CSV files (*.csv *.tsv *.txt)", "All files (*)"))
    chosen, _ = QFileDialog.getOpenFileName(asking, f"Hierarchy of “{column}”", str(data.parent), kinds)
    return Path(chosen) if chosen else None


def ask_where_to_export(asking: QWidget, column: str, data: Path) -> Path | None:
    """Ask where the hierarchy of a column is written, beginning beside the data with the name it is found by."""
    name = f"{data.name.split('.')[0]}_hierarchy_{column}.csv"
    title = f"Export the hierarchy of “{column}”"
    chosen, _ = ask_at(asking, title, data.parent / name, "CSV files (*.csv)")
    return Path(chosen) if chosen else None
