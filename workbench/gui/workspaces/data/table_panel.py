"""The rows of the data, to be looked at: sorted, narrowed and searched without changing anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.core.table import Table
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.engines import unlisted
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.values_look import LOOK_FIRST
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.widgets.table_view import DataTableView
from workbench.gui.widgets.whole_rows import WholeRows
from workbench.gui.workspaces.data.as_read import as_read
from workbench.gui.workspaces.data.find_bar import FindBar
from workbench.session.table_rows import Arrangement, arranged, why_not_arranged

VIEW_JOB = "data.view"

_WAIT_MS = 250
_FIRST_ROWS = 20
"""Rows that are shown before a look at the data."""
_BEFORE_A_LOOK = "The first rows"
_WHAT_FIRST_ROWS_ARE_FOR = (
    "They show what is in the columns. They are people’s own: declare nothing by them, and copy none of them.\n"
    "Counts and ranges of all rows do weaken what can be promised: “Look at the values” shows them."
)
_SHOWN_VALUE = 40

_Made = tuple[Table, Arrangement, "NDArray[np.intp] | None"]


class TablePanel(QWidget):
    """The table with its sort order, a field that narrows it, and a bar to find text.

    Signals
    -------
    column_clicked(str)
        The heading of a column was clicked.
    values_wanted(str)
        The distinct values of a column are to be shown.
    """

    column_clicked = Signal(str)
    values_wanted = Signal(str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._rows: NDArray[np.intp] | None = None
        self._why_not = ""
        self._shown = Arrangement()
        self._wanted = Arrangement()
        self.table = DataTableView("The rows of the data", runner=document.runner, squeezes=True)
        self.model = self.table.show_table(Table(()))
        set_explain(self, "data.table")
        self.state = ElidedLabel()
        set_look(self.state, muted=True, small=True)
        self.state.setMinimumWidth(1)
        self.reset = tool_button(icon=icon("close"), tip="Show all rows in the order of the file")
        self.reset.setAccessibleName(self.reset.toolTip())
        self.reset.hide()
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Rows with…")
        self.filter.setAccessibleName("Show only rows that contain this text")
        self.filter.setToolTip("Only what you see here changes, not which rows take part.")
        self.filter.setClearButtonEnabled(True)
        self.filter.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        keeps = self.filter.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self.filter.setSizePolicy(keeps)
        self.filter.setMaximumWidth(tokens.JOB_WIDTH)
        self.filter.setMinimumWidth(tokens.METER_WIDTH // 2)
        self.find_bar = FindBar(document.runner, self.table)
        self.find_bar.hide()
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_WAIT_MS)
        self._lay_out()
        self._connect()
        document.engines.limit_changed.connect(self._judge)

    @property
    def arrangement(self) -> Arrangement:
        """Arrangement that is shown, or will be as soon as it is worked out."""
        return self._wanted

    def _lay_out(self) -> None:
        heading = boxes.row(label("Table", heading=2), (self.state, 2), self.reset, (self.filter, 3), spacing="s")
        boxes.column(heading, self.find_bar, (WholeRows(self.table), 1), margins="0 xs xs 0", spacing="s", inside=self)

    def _connect(self) -> None:
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.sectionClicked.connect(self._click)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._offer)
        self.filter.textChanged.connect(self._wait.start)
        self.filter.returnPressed.connect(self._narrow)
        self._wait.timeout.connect(self._narrow)
        self.reset.clicked.connect(self.show_all)
        keys = (
            (QKeySequence.StandardKey.Find, self._find),
            (QKeySequence(Qt.Key.Key_F3), self.find_bar.next),
            (QKeySequence("Shift+F3"), self.find_bar.previous),
        )
        for key, slot in keys:
            shortcut = QShortcut(key, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    # What is shown

    def show_table(self, table: Table) -> None:
        """Show other data, all of it and in its own order."""
        self._rows, self._shown, self._wanted = None, Arrangement(), Arrangement()
        self.filter.blockSignals(True)
        self.filter.clear()
        self.filter.blockSignals(False)
        self._wait.stop()
        self.table.show_table(table)
        self._rows = None if self._document.looked else np.arange(min(_FIRST_ROWS, table.rows), dtype=np.intp)
        if self._rows is not None:
            self.model.set_order(self._rows)
            self.table.fit_columns()  # to the rows that are seen
        self.find_bar.show_rows(table, self._rows)
        self._judge()
        self._show_state()

    def _judge(self) -> None:
        """Say whether the rows can be shown in another way."""
        looked = self._document.looked
        self._why_not = why_not_arranged(self.model.table) if looked else LOOK_FIRST
        can = not self._why_not
        self.filter.setEnabled(can)
        self.filter.setVisible(looked)  # before a look there is nothing to do with it
        self.filter.setToolTip(self._why_not or "Only what you see here changes, not which rows take part.")
        self.find_bar.setEnabled(can)
        if not can:
            self.find_bar.hide()
        names = self.model.table.names
        self.model.set_header_tips({name: self._why_not or unlisted(self.model.table, name) for name in names})

    def arrange(self, wanted: Arrangement) -> None:
        """Show the rows in another way; worked out off the GUI thread."""
        if wanted == self._wanted or not self._document.has_data:
            return
        self._judge()  # the budget may have changed
        if self._why_not:
            self._document.noted.emit("info", self._why_not)
            return
        self._wanted = wanted
        table, schema = self.model.table, self._document.project.schema

        def work(progress: Progress) -> _Made:
            return table, wanted, arranged(table, schema, wanted, progress)

        self.state.set_text("Arranging the rows…")
        self._document.runner.start(
            "Arranging the rows",
            work,
            on_done=self._take,
            on_failed=self._fail,
            key=VIEW_JOB,
            latest_wins=True,
        )

    def sort(self, name: str, *, descending: bool = False) -> None:
        """Sort by a column; "" for the order of the file."""
        self.arrange(replace(self._wanted, sort_by=name, descending=descending))

    def show_only(self, name: str, value: str) -> None:
        """Show only rows with exactly this value."""
        self.arrange(replace(self._wanted, column=name, value=value))

    def show_all(self) -> None:
        """Show every row in the order of the file."""
        self.filter.blockSignals(True)
        self.filter.clear()
        self.filter.blockSignals(False)
        self._wait.stop()
        self.arrange(Arrangement())
        self.table.setFocus()

    def _narrow(self) -> None:
        self._wait.stop()
        self.arrange(replace(self._wanted, text=self.filter.text().strip()))

    def _take(self, made: _Made) -> None:
        table, wanted, rows = made
        if table is not self.model.table:
            return
        self._shown, self._rows = wanted, rows
        column = max(self.table.currentIndex().column(), 0)
        self.model.set_order(rows)
        self.table.setCurrentIndex(self.model.index(0, column))
        self.find_bar.show_rows(table, rows)
        self._show_state()

    def show_readings(self, specs: Iterable[ColumnSpec]) -> None:
        """Say beside texts that stay as the file has them which values they are read as."""
        self.model.set_readings({spec.name: partial(as_read, spec=spec) for spec in specs})
        self._show_state()

    def _written_otherwise(self) -> str:
        """The first value on top that is written in another way than it is read, in words; "" for none."""
        for column, name in enumerate(self.model.table.names if self.model.rowCount() else ()):
            if read := self.model.reading(0, column):
                return visible(f"{self.model.text(0, column)} in {name} is read as {read}")
        return ""

    def _fail(self, _error: BaseException) -> bool:
        self._wanted = self._shown
        self._show_state()
        return False

    def _show_state(self) -> None:
        shown, rows = self._shown, self.model.rowCount()
        header = self.table.horizontalHeader()
        names = self.model.table.names
        order = Qt.SortOrder.DescendingOrder if shown.descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(names.index(shown.sort_by) if shown.sort_by in names else -1, order)
        parts = []
        if shown.limited:
            all_rows = self.model.table.rows
            parts.append(f"{rows:,} of {all_rows:,} rows")
        if shown.column:
            value = shown.value if len(shown.value) <= _SHOWN_VALUE else shown.value[: _SHOWN_VALUE - 1] + "…"
            parts.append(f"{shown.column} is “{value}”")
        if shown.sort_by:
            words = "sorted by {column}, falling" if shown.descending else "sorted by {column}"
            parts.append(words.format(column=shown.sort_by))
        if parts:
            parts.append("in this view only")
        words = "As it was read; nothing is changed yet"
        if not self._document.looked:
            words = _BEFORE_A_LOOK
        elif written := self._written_otherwise():
            words = f"As in the file; {written}"
        self.state.set_text(" · ".join(parts) or words)
        if words == _BEFORE_A_LOOK:
            self.state.setToolTip(_WHAT_FIRST_ROWS_ARE_FOR)
        if parts:
            self.state.setToolTip(
                " · ".join(parts) + "\n" + "Sorting and narrowing do not change which rows take part."
            )
        self.reset.setVisible(bool(parts))

    # Headings and menu

    def _click(self, section: int) -> None:
        name = self.model.table.names[section]
        wanted = self._wanted
        # The header has moved its arrow already; it goes where the order really is.
        self._show_state()
        if not self.model.table.lists(name):
            self._document.noted.emit("info", unlisted(self.model.table, name))
        elif wanted.sort_by != name:
            self.sort(name)
        elif not wanted.descending:
            self.sort(name, descending=True)
        else:
            self.sort("")
        self.column_clicked.emit(name)

    def _find(self) -> None:
        self._judge()
        if self._why_not:
            self._document.noted.emit("info", self._why_not)
        else:
            self.find_bar.begin()

    def _offer(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        menu = self.menu(index.row(), index.column()) if index.isValid() else self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.table.viewport().mapToGlobal(at))

    def menu(self, row: int = -1, column: int = -1) -> QMenu:
        """Menu of what can be done with a cell, by default the current one."""
        if row < 0:
            current = self.table.currentIndex()
            row, column = current.row(), current.column()
        menu = QMenu(self)
        if row >= 0:
            name, value = self.model.table.names[column], self.model.text(row, column)
            shown = on_button(name)
            menu.addAction(icon("copy"), "&Copy", self.table.copy_selection)
            menu.addSeparator()
            listed = self.model.table.lists(name)
            arranging = [
                menu.addAction(f"Sort by {shown}", partial(self.sort, name)),
                menu.addAction(
                    f"Sort by {shown}, &falling",
                    partial(self.sort, name, descending=True),
                ),
                menu.addAction("Show only rows with this &value", partial(self.show_only, name, value)),
            ]
            for action in arranging:
                action.setEnabled(listed and not self._why_not)
            arranging[-1].setEnabled(arranging[-1].isEnabled() and self.model.known(row, column))
            menu.addAction(
                icon("table"),
                f"All values of {shown}…",
                partial(self.values_wanted.emit, name),
            ).setEnabled(listed and self._document.looked)
            menu.addSeparator()
        menu.addAction(icon("search"), "F&ind text…", self.find_bar.begin).setEnabled(not self._why_not)
        menu.addAction("Show &all rows in the order of the file", self.show_all)
        return menu

    def select_column(self, column: int) -> None:
        """Bring a column into view without leaving the rows that are seen."""
        index = self.model.index(max(self.table.rowAt(0), 0), column)
        if index.isValid():
            self.table.scrollTo(index)

    def go_to(self, row: int, column: int) -> None:
        """Make a cell the current one and bring it into view."""
        index = self.model.index(row, column)
        self.table.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.table.scrollTo(index)
