"""Tables of plain records: one line each, and a declaration for each column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import tabular_font
from workbench.gui.widgets.tips import in_lines

Index = QModelIndex | QPersistentModelIndex
Record = TypeVar("Record")
_Given = TypeVar("_Given", covariant=True)

DISPLAY = Qt.ItemDataRole.DisplayRole
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

_NO_PARENT = QModelIndex()


@dataclass(frozen=True)
class RecordColumn(Generic[Record]):
    """A column of a table of records.

    Attributes
    ----------
    title
        The heading.
    text
        What a record shows there.
    align
        `LEFT`, or `RIGHT` for numbers.
    tip
        The tooltip of the heading.
    """

    title: str
    text: Callable[[Record], str]
    align: Qt.AlignmentFlag = LEFT
    tip: str = ""


class Records(Protocol[_Given]):
    """A tuple, a list or an array."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> _Given: ...


class RecordsModel(QAbstractTableModel, Generic[Record]):
    """Records as lines, in columns that are declared."""

    def __init__(self, columns: Sequence[RecordColumn[Record]] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.records: Records[Record] = ()

    def show_records(self, records: Records[Record], columns: Sequence[RecordColumn[Record]] | None = None) -> None:
        """Show other records, in other columns if they are given."""
        self.beginResetModel()
        self.records = records
        if columns is not None:
            self.columns = tuple(columns)
        self.endResetModel()

    def look(self, row: int, column: int, role: int) -> object:
        """Decoration of a cell beside its text, such as an icon, a colour or a tooltip; none by default."""
        return None

    def repaint(self) -> None:
        """Show the same records as they are now."""
        if len(self.records) and self.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.records) - 1, len(self.columns) - 1))

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.records)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        column = self.columns[index.column()]
        if role == DISPLAY:
            # Texts are other people's: what hides or turns a text round is shown as what it is.
            return visible(column.text(self.records[index.row()]))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.align
        found = self.look(index.row(), index.column(), role)
        return in_lines(found) if role == Qt.ItemDataRole.ToolTipRole and isinstance(found, str) else found

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        column = self.columns[section]
        if role == DISPLAY:
            return visible(column.title)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.align
        return in_lines(column.tip) or None if role == Qt.ItemDataRole.ToolTipRole else None


def records_view(name: str, model: QAbstractTableModel, view: QTableView | None = None) -> QTableView:
    """A table of whole lines that nobody types into, without a grid and without numbers at its side."""
    view = view or QTableView()
    view.setModel(model)
    view.setAccessibleName(name)
    view.setFont(tabular_font())
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setTabKeyNavigation(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.verticalHeader().hide()
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.verticalHeader().setDefaultSectionSize(tokens.ROW_HEIGHT)
    view.horizontalHeader().setHighlightSections(False)
    return view
