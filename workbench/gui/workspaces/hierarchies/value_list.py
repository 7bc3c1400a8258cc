"""An ordered list of values that is changed by drag and drop or by keys, in groups if there are any."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractListModel,
    QByteArray,
    QItemSelection,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QDropEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import colour, tabular_font

MIME = "application/x-workbench-rows"
GROUP = int(Qt.ItemDataRole.UserRole) + 1
"""The number of the group an entry is in."""
BEGINS = GROUP + 1
"""Whether the entry is the first of its group."""
NOTE = GROUP + 2
"""Note at the right end of an entry, such as the label of its group."""

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


class ValueListModel(QAbstractListModel):
    """Texts in an order. It changes nothing itself: it says what the person asks for.

    Signals
    -------
    move_requested(object, int)
        Rows, and the row before which they are wanted.
    """

    move_requested = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts: Sequence[str] = ()
        self._notes: Sequence[str] = ()
        self._begins: NDArray[np.bool_] | None = None
        self._groups: NDArray[np.intp] = np.zeros(0, dtype=np.intp)

    @property
    def texts(self) -> Sequence[str]:
        return self._texts

    def show(self, texts: Sequence[str], begins: NDArray[np.bool_] | None = None, notes: Sequence[str] = ()) -> None:
        """Show texts, where the groups begin, and for each group what stands beside its first entry."""
        same = len(texts) == len(self._texts)
        if not same:
            self.beginResetModel()
        self._texts, self._begins, self._notes = texts, begins, notes
        self._groups = np.cumsum(begins) - 1 if begins is not None else np.zeros(len(texts), dtype=np.intp)
        if not same:
            self.endResetModel()
        elif len(texts):
            self.dataChanged.emit(self.index(0, 0), self.index(len(texts) - 1, 0))

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._texts)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        row = index.row()
        if not 0 <= row < len(self._texts):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return visible(self._texts[row])
        if role == GROUP:
            return int(self._groups[row])
        if role == BEGINS:
            return self._begins is not None and bool(self._begins[row])
        if role == NOTE:
            return self._note(row)
        if role == Qt.ItemDataRole.AccessibleTextRole and self._begins is not None:
            return f"{self._texts[row]}, group {self._groups[row] + 1}"
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        rows = sorted({index.row() for index in indexes})
        data.setData(MIME, QByteArray(json.dumps([id(self), rows]).encode()))
        return data

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        return self._rows(data) is not None

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        rows = self._rows(data)
        if rows is None:
            return False
        if row < 0:
            row = parent.row() if parent.isValid() else len(self._texts)
        self.move_requested.emit(rows, row)
        return True

    def _rows(self, data: QMimeData) -> list[int] | None:
        if not data.hasFormat(MIME):
            return None
        owner, rows = json.loads(bytes(data.data(MIME).data()))
        return rows if owner == id(self) else None

    def _note(self, row: int) -> str:
        group = self._groups[row]
        shown = self._begins is not None and self._begins[row] and group < len(self._notes)
        return self._notes[group] if shown else ""


class ValueList(QTableView):
    """The list. Alt+Up and Alt+Down move what is selected, Ctrl+D divides a group, Ctrl+J joins groups, Delete
    takes out.

    It is a table of one column, because a list view lays all its entries out anew whenever one changes.

    Signals
    -------
    step_requested(bool)
        Move what is selected by one place; True is down.
    remove_requested(), split_requested(), join_requested()
        Take what is selected out, let a group begin there, or join the groups of what is selected.
    """

    step_requested = Signal(bool)
    remove_requested = Signal()
    split_requested = Signal()
    join_requested = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values = ValueListModel(self)
        self.setModel(self.values)
        self.setAccessibleName(name)
        self.setFont(tabular_font())
        self.setItemDelegate(_EntryDelegate(self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(8 * tokens.ROW_HEIGHT)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(tokens.ROW_HEIGHT)

    @property
    def selected_rows(self) -> list[int]:
        """The rows that are selected, rising."""
        return sorted(index.row() for index in self.selectedIndexes())

    def select_rows(self, first: int, last: int) -> None:
        """Select neighbouring rows and show them."""
        model = self.selectionModel()
        if not 0 <= first <= last < self.values.rowCount():
            return
        flag = model.SelectionFlag
        model.setCurrentIndex(self.values.index(first, 0), flag.ClearAndSelect)
        if last > first:
            model.select(QItemSelection(self.values.index(first, 0), self.values.index(last, 0)), flag.Select)
        self.scrollTo(self.values.index(first, 0))

    def dropEvent(self, event: QDropEvent) -> None:
        """Ask for the move; the view itself would move the rows one by one in a model that can do that."""
        indicator = QAbstractItemView.DropIndicatorPosition
        index, place = self.indexAt(event.position().toPoint()), self.dropIndicatorPosition()
        row = self.values.rowCount() if place == indicator.OnViewport or not index.isValid() else index.row()
        if place == indicator.BelowItem:
            row += 1
        if self.values.dropMimeData(event.mimeData(), Qt.DropAction.MoveAction, row, 0, QModelIndex()):
            event.acceptProposedAction()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        with_control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        if modifiers & Qt.KeyboardModifier.AltModifier and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.step_requested.emit(key == Qt.Key.Key_Down)
        elif with_control and key == Qt.Key.Key_D:
            self.split_requested.emit()
        elif with_control and key == Qt.Key.Key_J:
            self.join_requested.emit()
        elif key == Qt.Key.Key_Delete:
            self.remove_requested.emit()
        else:
            super().keyPressEvent(event)


class _EntryDelegate(QStyledItemDelegate):
    """A text, a line above the first of a group, and the group's label at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(tokens.COLUMN_MIN, tokens.ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if selected:
            painter.fillRect(rect, colour("selection"))
        elif int(index.data(GROUP)) % 2:
            painter.fillRect(rect, colour("band"))
        if index.data(BEGINS) and index.row():
            painter.setPen(colour("control"))
            painter.drawLine(rect.topLeft(), rect.topRight())
        inside = rect.adjusted(tokens.SPACE_S, 0, -tokens.SPACE_S, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        metrics = painter.fontMetrics()
        note = metrics.elidedText(str(index.data(NOTE)), Qt.TextElideMode.ElideRight, inside.width() // 2)
        painter.setPen(colour("on_selection" if selected else "muted"))
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, note)
        inside.setRight(inside.right() - metrics.horizontalAdvance(note) - (tokens.SPACE_S if note else 0))
        painter.setPen(colour("on_selection" if selected else "text"))
        text = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, text)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(colour("focus"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()
