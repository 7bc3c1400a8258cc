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
    NONE = auto()
    """It is about no table, and leaves the open one as it is."""


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
    return _asked(window, wish, document)


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
    this = box.addButton("Go on with it", QMessageBox.ButtonRole.AcceptRole)
    another = box.addButton(words, QMessageBox.ButtonRole.ActionRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(this)
    box.setEscapeButton(cancel)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    if clicked is this:
        return WhichTable.THIS
    return instead if clicked is another else None
