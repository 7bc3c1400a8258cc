"""The editor of tables: one row for each value, its labels in the further columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.hierarchy_preview import ColumnMaterial, HierarchyPreview
from workbench.core.specification_edits import Specification
from workbench.core.trees import Faults, repaired
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import colour, set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.buttons import quiet, tool
from workbench.gui.workspaces.hierarchies.forms.faults import FaultsBanner

Index = QModelIndex | QPersistentModelIndex
Rows = Sequence[Sequence[str]]
_NO_PARENT = QModelIndex()


class RowsModel(QAbstractTableModel):
    """The rows. It changes nothing itself: it says what the person typed.

    Signals
    -------
    typed(int, int, str)
        Row, column and the new text.
    """

    typed = Signal(int, int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: Rows = ()
        self._width = 0
        self._wrong: frozenset[str] = frozenset()

    def show(self, rows: Rows) -> None:
        width = max(map(len, rows), default=0)
        same = (len(rows), width) == (len(self._rows), self._width)
        if not same:
            self.beginResetModel()
        self._rows, self._width = rows, width
        if not same:
            self.endResetModel()
        self._repaint()

    def mark(self, found: Faults | None) -> None:
        """Mark the values that are at fault."""
        wrong: set[str] = set()
        if found is not None:
            wrong = {*found.duplicates, *found.uneven}
            for split in found.splits:
                wrong.update(value for _, values in split.parts[1:] for value in values)
        if wrong != self._wrong:
            self._wrong = frozenset(wrong)
            self._repaint()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self._width

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        row, column = self._rows[index.row()], index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.ToolTipRole):
            text = row[column] if column < len(row) else ""
            return text if role == Qt.ItemDataRole.EditRole else visible(text)
        if role == Qt.ItemDataRole.ForegroundRole and row and row[0] in self._wrong:
            return QBrush(colour("error"))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return f"Level {section}" if section else "Value"
        return None

    def setData(self, index: Index, value: object, role: int = int(Qt.ItemDataRole.EditRole)) -> bool:
        if role != Qt.ItemDataRole.EditRole or str(value) == self.data(index, role):
            return False
        self.typed.emit(index.row(), index.column(), str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def _repaint(self) -> None:
        if self._rows and self._width:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, self._width - 1))


class TableForm(BuilderForm):
    """Rows of a value and its labels, as an imported file has them."""

    first = ("declared",)

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(builder, parent)
        self.faults = FaultsBanner()
        self.faults.repair.clicked.connect(self._repair)
        self.rows = RowsModel(self)
        self.rows.typed.connect(self._type, Qt.ConnectionType.QueuedConnection)
        self.table = QTableView()
        self.table.setModel(self.rows)
        self.table.setAccessibleName("Values and their labels")
        self.table.setFont(tabular_font())
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setMinimumHeight(10 * tokens.ROW_HEIGHT)
        vertical = self.table.verticalHeader()
        vertical.hide()
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        vertical.setDefaultSectionSize(tokens.ROW_HEIGHT)
        self.table.horizontalHeader().setFixedHeight(tokens.CONTROL_HEIGHT)
        self.table.horizontalHeader().setDefaultSectionSize(tokens.FIELD_WIDTH - tokens.SPACE_XL)
        section = Section("Rows", "A value, then its label at each level. F2 changes a cell.")
        section.add(self.faults)
        section.add(self.table)
        buttons = boxes.row(
            quiet("Add row", self._add_row, icon_name="add"),
            quiet("Add level", self._add_level, icon_name="add"),
            1,
            tool("remove", "Remove the selected rows", "", self._remove),
            spacing="xs",
        )
        section.add(buttons)
        self.add(section)

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        super().show_specification(specification, source)
        self.rows.show(self._rows)

    def show_preview(self, preview: HierarchyPreview) -> None:
        self.faults.show_faults(preview.faults)
        self.rows.mark(preview.faults)

    def show_error(self, error: WorkbenchError | None) -> None:
        super().show_error(error)
        set_look(self.table, invalid=error is not None)

    @property
    def _rows(self) -> list[list[str]]:
        return list(self.specification["details"].get("rows", []))

    def _repair(self) -> None:
        self.change_details("Repair the rows", rows=[list(row) for row in repaired(self._rows)])

    def _type(self, row: int, column: int, text: str) -> None:
        rows = self._rows
        if row < len(rows):
            cells = list(rows[row]) + [""] * (column + 1 - len(rows[row]))
            cells[column] = text
            rows[row] = cells
            self.change_details("Change a cell", rows=rows)

    def _add_row(self) -> None:
        rows = self._rows
        width = max(map(len, rows), default=2)
        taken = {row[0] for row in rows if row}
        value, number = "new value", 2
        while value in taken:
            value, number = f"new value {number}", number + 1
        self.change_details("Add a row", rows=[*rows, [value, *[ANY] * (width - 1)]])
        place = self.rows.index(len(rows), 0)
        self.table.setCurrentIndex(place)
        self.table.edit(place)

    def _add_level(self) -> None:
        self.change_details("Add a level", rows=[[*row, ANY] for row in self._rows])

    def _remove(self) -> None:
        chosen = {index.row() for index in self.table.selectionModel().selectedRows()}
        rest = [row for number, row in enumerate(self._rows) if number not in chosen]
        if chosen and rest:
            self.change_details("Remove rows", rows=rest)
