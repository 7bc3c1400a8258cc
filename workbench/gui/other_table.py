"""The question which table somebody means where one is to be published: the open one or another."""

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


def which_table(window: QWidget, document: Document, wish: Wish) -> WhichTable | None:
    """The table a wish is about; None if somebody was asked and wants neither."""
    if not wish.needs_data:
        return WhichTable.NEEDS_NONE
    if not document.has_data:
        return WhichTable.ANOTHER
    # A question goes on with what is open; who publishes may be done with it.
    return _asked(window, document.session.data.reading.path.name) if wish.room == "data" else WhichTable.THIS


def _asked(window: QWidget, name: str) -> WhichTable | None:
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Publish a table")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"{name} is open.")
    this = box.addButton("Go on with it", QMessageBox.ButtonRole.AcceptRole)
    another = box.addButton("Open another…", QMessageBox.ButtonRole.ActionRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(this)
    box.setEscapeButton(cancel)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    if clicked is this:
        return WhichTable.THIS
    return WhichTable.ANOTHER if clicked is another else None
