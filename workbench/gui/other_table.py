"""The table that somebody means on the first page where one is open, and what becomes of that if it is another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.wishes import PUBLISH, Wish


class WhichTable(Enum):
    """The table that a wish is about."""

    NEEDS_NONE = auto()
    THIS = auto()
    ANOTHER = auto()
    NONE = auto()
    """It is about no table, and leaves the open one as it is."""


@dataclass(frozen=True)
class OpenHere:
    """Words of the first page on what is open.

    Parameters
    ----------
    path
        The project that is open, or the table where it is in no file.
    words
        What becomes of it when another is opened; "" if nothing is open.
    publish
        What the card that publishes does.
    another
        Whether another table can be opened beside that card, which goes on with the open one.
    """

    path: Path | None = None
    words: str = ""
    publish: str = PUBLISH.text
    another: bool = False


def open_here(document: Document) -> OpenHere:
    """What is open, and what is kept of it; a draw that was not exported is in no project."""
    path = document.shown_path()
    if path is None:
        return OpenHere()
    name = visible(path.name)
    if document.session.release.lost_with_it:
        kept = "no project keeps a release not exported."
    elif document.path is not None and document.modified and not is_done(document):
        kept = "you are asked before it gives way."
    else:
        kept = "its settings are kept."
    words = f"“{name}” is open; {kept}"
    if not document.has_data:
        return OpenHere(path, words)
    table = visible(document.session.data.reading.path.name)
    if is_done(document):
        return OpenHere(path, words, f"The next table: {table} is exported.")
    return OpenHere(path, words, f"Go on with {table}.", another=True)


def which_table(window: QWidget, document: Document, wish: Wish) -> WhichTable | None:
    """The table a wish is about; None if somebody was asked and wants neither."""
    if not document.has_data:
        return WhichTable.ANOTHER if wish.needs_data else WhichTable.NEEDS_NONE
    if wish.needs_data:
        # As its card says: who has published is done with it; before anything unsaved would be lost, it is asked.
        return WhichTable.ANOTHER if wish == PUBLISH and is_done(document) else WhichTable.THIS
    # A survey may be about nobody in what is open.
    return _asked(window, wish, document) if wish.room == "collect" else WhichTable.NEEDS_NONE


def is_done(document: Document) -> bool:
    """Whether what is open was published, and nothing that was paid for waits to be exported."""
    release = document.session.release
    return bool(release.exported) and not release.lost_with_it


def _asked(window: QWidget, wish: Wish, document: Document) -> WhichTable | None:
    name = document.session.data.reading.path.name
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(wish.title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"{name} is open.")
    column = document.project.collect.column
    gives_way = f" The plan of “{column}” gives way to it, and Undo brings that back." if column else ""
    box.setInformativeText(f"A survey can also be planned beside it, which leaves it open.{gives_way}")
    this = box.addButton("Go on with it", QMessageBox.ButtonRole.AcceptRole)
    without = box.addButton("Plan without a table", QMessageBox.ButtonRole.ActionRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(this)
    box.setEscapeButton(cancel)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    if clicked is this:
        return WhichTable.THIS
    return WhichTable.NONE if clicked is without else None
