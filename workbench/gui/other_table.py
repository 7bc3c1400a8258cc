"""The question which table somebody means where one is open: that one or another, or for a survey none."""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from workbench.gui.document import Document
from workbench.gui.wishes import Wish


class WhichTable(Enum):
    """The table that a wish is about."""

    NEEDS_NONE = auto()
    THIS = auto()
    ANOTHER = auto()
    ANOTHER_SAVED = auto()
    """Another one, once the project is saved."""
    ANOTHER_UNSAVED = auto()
    """Another one, and what is not saved of the open one is given up."""
    NONE = auto()
    """It is about no table, and leaves the open one as it is."""


ANOTHER = frozenset({WhichTable.ANOTHER, WhichTable.ANOTHER_SAVED, WhichTable.ANOTHER_UNSAVED})
_OTHERWISE = {
    "data": ("Open another…", WhichTable.ANOTHER),
    "collect": ("Plan without a table", WhichTable.NONE),
}
"""Alternatives to the open table that a wish of a room may be about."""


def which_table(window: QWidget, document: Document, wish: Wish) -> WhichTable | None:
    """The table a wish is about; None if somebody was asked and wants neither."""
    if not document.has_data:
        return WhichTable.ANOTHER if wish.needs_data else WhichTable.NEEDS_NONE
    # A question goes on with what is open; who publishes may be done with it, and a survey may be about nobody in it.
    if wish.room not in _OTHERWISE:
        return WhichTable.THIS if wish.needs_data else WhichTable.NEEDS_NONE
    if wish.needs_data and is_done(document):
        return WhichTable.ANOTHER  # the file is asked for, and before anything unsaved would be lost, that
    return _asked(window, wish, document)


def is_done(document: Document) -> bool:
    """Whether what is open was published, and nothing that was paid for waits to be exported."""
    release = document.session.release
    return bool(release.exported) and not release.lost_with_it


def _asked(window: QWidget, wish: Wish, document: Document) -> WhichTable | None:
    name = document.session.data.reading.path.name
    words, instead = _OTHERWISE[wish.room]
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(wish.title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"{name} is open.")
    if instead is WhichTable.NONE:
        column = document.project.collect.column
        gives_way = f" The plan of “{column}” gives way to it, and Undo brings that back." if column else ""
        box.setInformativeText(f"A survey can also be planned beside it, which leaves it open.{gives_way}")
    lost = document.session.release.lost_with_it
    kept_aside = document.path is None and not lost  # it gives way to the start page, as it was never saved
    unsaved = instead is WhichTable.ANOTHER and (document.modified or bool(lost)) and not kept_aside
    if instead is WhichTable.ANOTHER and document.modified and kept_aside:
        box.setInformativeText("Another table takes its place. What you said of it is kept on the start page.")
    if unsaved:
        said = "What you said of it is not saved." if document.modified else ""
        box.setInformativeText(f"{lost} {said} Another table takes its place.".strip())
    this = box.addButton("Go on with it", QMessageBox.ButtonRole.AcceptRole)
    others = {words: instead}
    if unsaved and document.modified:
        others = {
            "Save, then open another…": WhichTable.ANOTHER_SAVED,
            "Open another, don’t save…": WhichTable.ANOTHER_UNSAVED,
        }
    elif unsaved:
        others = {words: WhichTable.ANOTHER_UNSAVED}
    made = {box.addButton(one, QMessageBox.ButtonRole.ActionRole): which for one, which in others.items()}
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(this)
    box.setEscapeButton(cancel)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    if clicked is this:
        return WhichTable.THIS
    return next((which for button, which in made.items() if button is clicked), None)
