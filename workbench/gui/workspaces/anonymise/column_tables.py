"""Each column in a table: what is likely to come out of it before a draw, and what came out of it after one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from workbench.core.hierarchy import ANY
from workbench.gui import tokens
from workbench.gui.theme import colour
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.records import RIGHT, RecordColumn, RecordsModel, records_view
from workbench.session.release.came_out import ColumnOut
from workbench.session.release.column_details import DetailOutlook

_NEEDS = (
    "With fewer people than the first number a value is likely to be missing from the file,\n"
    "from the second on it is likely to come out. Between both it depends on how they differ in the other columns"
)


class DetailTable(QWidget):
    """The detail at which each column is likely to come out, and how many people a value needs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = _Lines(
            (
                RecordColumn("Column", lambda one: one.column),
                RecordColumn("Detail", lambda one: one.detail),
                RecordColumn(
                    "In 100 rows",
                    lambda one: one.rows_words,
                    RIGHT,
                    "How many of all rows are likely to come out so, if no cell is blank: from values spread evenly "
                    "to few frequent ones",
                ),
                RecordColumn("People a value needs", lambda one: one.needs_words, RIGHT, _NEEDS),
            )
        )
        view = _view("What is likely to come out of each column", self.model)
        view.horizontalHeader().setStretchLastSection(False)  # numbers stay beside what they are about
        title = label("What is likely to come out", heading=2)
        self.note = label(small=True, muted=True, wrap=True)
        set_explain(self, "anonymise.column_details")
        boxes.column(title, (view, 1), self.note, spacing="s", margins="0 m 0 0", inside=self)
        self.show_details((), 1)

    def show_details(self, details: tuple[DetailOutlook, ...], rows_per_person: int) -> None:
        """Show other lines, those of a column below each other, of a table whose people have up to so many rows."""
        fewer = "Fewer rows per person, fewer columns" if rows_per_person > 1 else "Fewer columns"
        self.note.setText(
            "A value of fewer people than the first number is likely to be missing, from the second on to come out. "
            f"{fewer}, coarser ones or a larger ε bring both down."
        )
        if details != self.model.records:
            self.model.show_lines(details)


class OutTable(QWidget):
    """The detail at which each column came out, and the values that no row says."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = _Lines(
            (
                RecordColumn("Column", lambda one: one.column),
                RecordColumn("Detail", lambda one: one.detail),
                RecordColumn("Rows", lambda one: one.rows_words, RIGHT),
                RecordColumn("No row says", lambda one: one.missing_words),
            )
        )
        view = _view("What came out of each column", self.model)
        note = label(
            "Counted in the released rows alone. What a column could say is known of lists, and of numbers and dates.",
            small=True,
            muted=True,
            wrap=True,
        )
        set_explain(self, "anonymise.column_details")
        boxes.column((view, 1), note, spacing="s", margins="0 s 0 0", inside=self)

    def show_lines(self, lines: Sequence[ColumnOut]) -> None:
        """Show other lines, those of a column below each other."""
        self.model.show_lines(lines)


class _Lines(RecordsModel[Any]):
    """Lines of columns at levels; a column is named once, and what says nothing is muted."""

    def show_lines(self, lines: Sequence[DetailOutlook] | Sequence[ColumnOut]) -> None:
        names = [one.column for one in lines]
        self._named = {0, *(place for place, (one, after) in enumerate(pairwise(names), 1) if one != after)}
        self.show_records(tuple(lines))

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 and index.row() not in self._named:
            return ""
        return super().data(index, role)

    def look(self, row: int, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.ForegroundRole and (self.records[row].words == ANY or self.records[row].covers):
            return QBrush(colour("muted"))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[column].text(self.records[row]) or None
        return None


def _view(name: str, model: _Lines) -> QTableView:
    view = records_view(name, model)
    head = view.horizontalHeader()
    head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    head.setStretchLastSection(True)
    head.setMinimumSectionSize(tokens.COLUMN_MIN)
    return view
