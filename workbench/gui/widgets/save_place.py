"""The folder in which a dialog begins that asks where to save: that of what was saved last, or of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QFileDialog, QWidget


@runtime_checkable
class SavesHere(Protocol):
    """Knows the folder, as a document does."""

    save_folder: Path


def _keeper(widget: QWidget) -> SavesHere | None:
    """The document of the room that a widget is in; None outside of one."""
    at: QWidget | None = widget
    while at is not None:
        document = getattr(at, "document", None)
        if isinstance(document, SavesHere):
            return document
        at = at.parentWidget()
    return None


def ask_file(asking: QWidget, title: str, name: str, kinds: str) -> tuple[str, str]:
    """Ask for a file to write, beginning with this name; the file, or "", and the kind that was chosen."""
    keeper = _keeper(asking)
    folder = Path.home() if keeper is None else keeper.save_folder
    chosen, kind = QFileDialog.getSaveFileName(asking, title, str(folder / name), kinds)
    if chosen and keeper is not None:
        keeper.save_folder = Path(chosen).parent
    return chosen, kind


def ask_folder(asking: QWidget, title: str) -> str:
    """Ask for a folder to write into; "" for none."""
    keeper = _keeper(asking)
    folder = Path.home() if keeper is None else keeper.save_folder
    chosen = QFileDialog.getExistingDirectory(asking, title, str(folder))
    if chosen and keeper is not None:
        keeper.save_folder = Path(chosen)
    return chosen
