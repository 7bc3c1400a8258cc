"""The files of a chart: where somebody wants its picture, which ending that has, and its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from workbench.gui.widgets.save_place import ask_file, may_write
from workbench.io.atomic import atomic_write
from workbench.plots.render import chart_csv
from workbench.plots.style import ChartKind

_FORMATS = ("png", "svg", "pdf")


def ask_picture(widget: QWidget, stem: str) -> Path | None:
    """Ask for the file of a picture, for which a name without an ending is proposed; None if nobody wants one."""
    filters = {f"{ending.upper()} (*.{ending})": ending for ending in _FORMATS}
    chosen, kind = ask_file(widget, "Save picture", f"{stem}.png", ";;".join(filters))
    if not chosen:
        return None
    # Whoever leaves the name that was proposed and chooses PDF wants PDF.
    path, ending = Path(chosen), filters.get(kind, "png")
    if path.name == f"{stem}.png" and ending != "png":
        path = path.with_suffix(f".{ending}")
        if not may_write(widget, path, "Save picture"):
            return None
    return path


def picture_file(path: Path) -> Path:
    """The file with an ending of a picture, PNG where it has none."""
    return path if path.suffix.lower()[1:] in _FORMATS else path.with_name(path.name + ".png")


def write_numbers(kind: ChartKind[Any], data: Any, path: Path) -> None:
    """Write the numbers behind a chart as CSV."""
    with atomic_write(path) as file:
        file.write(chart_csv(kind, data).encode())
