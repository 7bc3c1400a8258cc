"""The values of a hierarchy with their labels at every level, straight from the maps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from workbench.core.column_facts import Coverage
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import colour
from workbench.gui.widgets.labels import NO_VALUE
from workbench.gui.widgets.records import DISPLAY, RIGHT, RecordColumn, RecordsModel, records_view

_PENDING = "…"
_INTERVALS = "intervals"
ROWS_COLUMN = 1
"""The column of the table with the counted rows."""


class HierarchyValuesModel(RecordsModel[int]):
    """A row per value: the value, its labels, and the rows of the data that hold it.

    A label that repeats the one above it is muted, so that the groups stand out.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._hierarchy: Hierarchy | None = None
        self._rows: NDArray[np.int64] | None = None
        self._filtered: NDArray[np.intp] | None = None
        self._by_rows: Qt.SortOrder | None = None
        self._level = 0

    @property
    def hierarchy(self) -> Hierarchy | None:
        return self._hierarchy

    @property
    def is_of_intervals(self) -> bool:
        """Whether a rule made intervals of what it shows."""
        plain = None if self._hierarchy is None else self._hierarchy.specification
        return plain is not None and plain["builder"] == _INTERVALS

    def level_of(self, column: int) -> int:
        """The level a column of the table shows; the counted rows stand beside the values, so they count as 0."""
        return max(column - 1, 0)

    def show(self, hierarchy: Hierarchy | None, coverage: Coverage | None) -> None:
        """Show a hierarchy and, as soon as they are there, the counts."""
        rows = coverage.rows if coverage is not None else None
        if hierarchy is not self._hierarchy:
            self.beginResetModel()
            self._hierarchy = hierarchy
            self._rows = rows
            self._filtered = None
            self._level = 0
            self._by_rows = None
            self.columns = self._columns_of(hierarchy)
            self._arrange()
            self.endResetModel()
        elif rows is not self._rows:
            self._rows = rows
            if self._by_rows is not None:
                self.sort_by_rows(self._by_rows)
            else:
                self.repaint()

    def set_level(self, level: int) -> None:
        """Emphasise a level."""
        if level != self._level:
            self._level = level
            self.repaint()

    def set_filter(self, values: NDArray[np.intp] | None) -> None:
        """Show only these values, by position, or all."""
        self.beginResetModel()
        self._filtered = values
        self._arrange()
        self.endResetModel()

    def sort_by_rows(self, order: Qt.SortOrder | None) -> None:
        """Order by the counted rows, or with None as in the file."""
        self.layoutAboutToBeChanged.emit()
        self._by_rows = order
        self._arrange()
        self.layoutChanged.emit()

    @property
    def widest_count(self) -> str:
        """The longest text in the column of counted rows."""
        return f"{int(self._rows.max(initial=0)):,}" if self._rows is not None else _PENDING

    def text(self, row: int, column: int) -> str:
        """The text of a cell by its place on the screen."""
        return self.columns[column].text(self.records[row]) if self.columns else ""

    def look(self, row: int, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.ToolTipRole:
            return visible(self.text(row, column))
        if role == Qt.ItemDataRole.BackgroundRole and column != ROWS_COLUMN and self.level_of(column) == self._level:
            return QBrush(colour("band"))
        if role == Qt.ItemDataRole.ForegroundRole and column > ROWS_COLUMN and self._repeats(row, column):
            return QBrush(colour("muted"))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if section == ROWS_COLUMN and orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DecorationRole:
                return icon("lock", "analyst")
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return self.columns[section].tip
        return super().headerData(section, orientation, role)

    def _columns_of(self, hierarchy: Hierarchy | None) -> tuple[RecordColumn[int], ...]:
        if hierarchy is None:
            return ()
        value, *levels = (_label_of(hierarchy, level) for level in range(hierarchy.height + 1))
        tip = "Rows of the data with this value, analyst only. Click to sort."
        return (value, RecordColumn("Rows", self._rows_of, RIGHT, tip), *levels)

    def _rows_of(self, value: int) -> str:
        return f"{self._rows[value]:,}" if self._rows is not None else _PENDING

    def _repeats(self, row: int, column: int) -> bool:
        label = self.text(row, column)
        return label == ANY or (row > 0 and label == self.text(row - 1, column))

    def _arrange(self) -> None:
        count = len(self._hierarchy.values) if self._hierarchy is not None else 0
        chosen = self._filtered if self._filtered is not None else np.arange(count, dtype=np.intp)
        if self._by_rows is not None and self._rows is not None:
            rows = self._rows[chosen]
            falling = self._by_rows == Qt.SortOrder.DescendingOrder
            chosen = chosen[np.argsort(-rows if falling else rows, kind="stable")]
        self.records = chosen


def _label_of(hierarchy: Hierarchy, level: int) -> RecordColumn[int]:
    labels, codes = hierarchy.labels[level], hierarchy.maps[level]
    return RecordColumn(f"Level {level}" if level else "Value", lambda value: labels[int(codes[value])] or NO_VALUE)


def matching_values(hierarchy: Hierarchy, text: str, progress: Progress = SILENT) -> NDArray[np.intp]:
    """Positions of the values that have `text`, in any case, in themselves or in one of their labels."""
    wanted = text.casefold()
    found = np.zeros(len(hierarchy.values), dtype=np.bool_)
    for level, (labels, codes) in enumerate(zip(hierarchy.labels, hierarchy.maps, strict=True)):
        progress(level / len(hierarchy.maps))
        hits = np.fromiter((wanted in label.casefold() for label in labels), np.bool_, len(labels))
        found |= hits[codes]
    return np.flatnonzero(found)


def values_table(model: HierarchyValuesModel) -> QTableView:
    """The table of values and labels."""
    view = records_view("Values of the hierarchy with their levels", model)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
    view.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.horizontalHeader().setFixedHeight(tokens.CONTROL_HEIGHT)
    view.horizontalHeader().setSectionsClickable(True)
    return view


def show_level(view: QTableView, level: int) -> None:
    """Scroll the table sideways until the column of a level is in sight, no further than needed."""
    column, bar = level + 1 if level else 0, view.horizontalScrollBar()
    left = view.columnViewportPosition(column)
    beyond = left + view.columnWidth(column) - view.viewport().width()
    bar.setValue(bar.value() + min(left, max(beyond, 0)))
