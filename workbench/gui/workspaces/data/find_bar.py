"""Finding a text in the rows that are shown."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import Act, tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.table_view import DataTableView
from workbench.session.table_rows import Search, next_cell, search

FIND_JOB = "data.find"

_Found = tuple[Search, "tuple[int, int] | None", object]


class FindBar(QWidget):
    """A line with a text to find. Enter and F3 go on, Shift+F3 goes back, Escape closes it."""

    def __init__(self, runner: Runner, view: DataTableView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._view = view
        self._table = Table(())
        self._rows: NDArray[np.intp] | None = None
        self._search: Search | None = None
        self.edit = QLineEdit()
        self.edit.setAccessibleName("Text to find in the table")
        self.edit.setPlaceholderText("Find text")
        self.edit.setMaximumWidth(2 * tokens.FIELD_WIDTH)
        self.result = ElidedLabel()
        set_look(self.result, muted=True, small=True)
        self.up = self._button("chevron-up", "Previous (Shift+F3)", self.previous)
        self.down = self._button("chevron-down", "Next (F3)", self.next)
        self.close_button = self._button("close", "Close the search (Esc)", self.leave)
        layout = boxes.row(spacing="xs", inside=self)
        words = label("Find", muted=True)
        words.setBuddy(self.edit)
        layout.addWidget(words)
        layout.addWidget(self.edit, 2)
        layout.addWidget(self.up)
        layout.addWidget(self.down)
        layout.addWidget(self.result, 1)
        layout.addWidget(self.close_button)
        self.edit.returnPressed.connect(self.next)

    def _button(self, name: str, words: str, slot: Act) -> QToolButton:
        button = tool_button(act=slot, name=words, icon=icon(name), tip=words)
        return button

    def show_rows(self, table: Table, rows: NDArray[np.intp] | None) -> None:
        """Search in other rows from now on."""
        if table is not self._table:
            self._search = None
            self.result.set_text("")
        self._table, self._rows = table, rows

    def begin(self) -> None:
        """Show the bar with the focus in its field."""
        self.show()
        self.edit.setFocus()
        self.edit.selectAll()

    def leave(self) -> None:
        """Close the bar; the cell that was found stays chosen."""
        self.hide()
        self._view.setFocus()

    def next(self) -> None:
        self._go(backwards=False)

    def previous(self) -> None:
        self._go(backwards=True)

    def _go(self, *, backwards: bool) -> None:
        text = self.edit.text()
        if not text:
            self.begin()
            return
        table, rows = self._table, self._rows
        known = self._search if self._search is not None and self._search.text == text else None
        current = self._view.currentIndex()
        start = (current.row(), current.column()) if current.isValid() else (0, -1)

        def work(progress: Progress) -> _Found:
            found = known or search(table, text, progress)
            return found, next_cell(table, rows, found, start, backwards=backwards, progress=progress), rows

        self._runner.start(f"Finding “{text}”", work, on_done=self._take, key=FIND_JOB, latest_wins=True)

    def _take(self, found: _Found) -> None:
        self._search, cell, rows = found
        if rows is not self._rows or not set(self._search.hits) <= set(self._table.names):
            return
        if cell is None:
            hidden = self._search.cells
            words = "Only in rows that are not shown" if hidden else "Not found"
            self.result.set_text(words)
            set_look(self.result, tone="warning", muted=False)
            return
        count = self._search.cells
        self.result.set_text("in 1 cell" if count == 1 else f"in {count:,} cells")
        set_look(self.result, tone="none", muted=True)
        index = self._view.model().index(*cell)
        self._view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._view.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)
