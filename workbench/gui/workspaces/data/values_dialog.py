"""The distinct values of one column with their counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTableView,
    QWidget,
)

from workbench.core.facts import misfitting
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.session.table_rows import counted_values

VALUES_JOB = "data.values"

_WAIT_MS = 200
_MOST_COPIED = 100_000
_NO_PARENT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


class ValuesModel(QAbstractTableModel):
    """A value and its rows per line, straight from the codes."""

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = column
        self._codes: NDArray[np.intp] = np.zeros(0, dtype=np.intp)

    def show_codes(self, codes: NDArray[np.intp]) -> None:
        """Show these values in this order."""
        self.beginResetModel()
        self._codes = codes
        self.endResetModel()

    def value(self, row: int) -> str:
        return self._column.values[int(self._codes[row])]

    def rows_of(self, row: int) -> int:
        """How many rows have the value."""
        return int(self._column.counts[self._codes[row]])

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._codes)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            if index.column():
                return f"{self.rows_of(index.row()):,}"
            return visible(self.value(index.row())) or "(empty)"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() else _LEFT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return ("Value", "Rows")[section]
        return (_RIGHT if section else _LEFT) if role == Qt.ItemDataRole.TextAlignmentRole else None


class ValuesDialog(QDialog):
    """Every value of a column, the most frequent first. It stays open beside the table.

    Parameters
    ----------
    misfits
        Only the values that do not fit the kind of the column.

    Signals
    -------
    picked(str, str)
        Column and value whose rows are to be shown.
    """

    picked = Signal(str, str)

    def __init__(
        self,
        column: Column,
        spec: ColumnSpec,
        runner: Runner,
        parent: QWidget | None = None,
        *,
        misfits: bool = False,
    ) -> None:
        super().__init__(parent)
        self._column, self._spec, self._runner, self._misfits = column, spec, runner, misfits
        title = "Values of {name} that do not fit" if misfits else "Values of {name}"
        self.setWindowTitle(title.format(name=column.name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.values")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Values with…")
        self.search.setAccessibleName("Show only values that contain this text")
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.order = ComboBox("Order of the values", [("Most frequent first", False), ("By value", True)])
        self.model = ValuesModel(column, self)
        self.view = QTableView()
        self.summary = ElidedLabel("Counting…")
        self._wait = Later(self, self._work, _WAIT_MS)
        self._lay_out()
        self.search.textChanged.connect(self._wait.start)
        self.order.activated.connect(self._work)
        self.view.clicked.connect(self._pick)
        self.view.activated.connect(self._pick)
        self._work()

    def _lay_out(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setAccessibleName("Values with the number of their rows")
        view.setFont(tabular_font())
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(tokens.ROW_HEIGHT)
        view.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        view.horizontalHeader().setHighlightSections(False)
        view.setColumnWidth(1, tokens.METER_WIDTH)
        set_look(self.summary, muted=True, small=True)
        top = boxes.row((self.search, 1), self.order, spacing=tokens.SPACE_S)
        below = boxes.row((self.summary, 1), analyst_badge(), spacing=tokens.SPACE_S)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton("&Copy list", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        boxes.column(top, (view, 1), below, buttons, margins=tokens.SPACE_L, spacing=tokens.SPACE_S, inside=self)
        self.resize(tokens.EMPTY_TEXT_WIDTH, tokens.EMPTY_TEXT_WIDTH * 5 // 4)

    def _work(self, *_: object) -> None:
        self._wait.stop()
        column, spec, text, by_value = self._column, self._spec, self.search.text(), self.order.chosen is True
        misfits = self._misfits

        def work(progress: Progress) -> NDArray[np.intp]:
            codes = counted_values(column, spec, by_value=by_value, text=text)
            return codes[np.isin(codes, misfitting(column, spec, progress))] if misfits else codes

        self._runner.start("Counting values", work, on_done=self._show, key=VALUES_JOB, latest_wins=True, owner=self)

    def _show(self, codes: NDArray[np.intp]) -> None:
        self.model.show_codes(codes)
        words = "1 value" if len(codes) == 1 else f"{len(codes):,} values"
        self.summary.set_text(words + " · " + "Click one to see its rows")

    def _pick(self, index: QModelIndex) -> None:
        self.picked.emit(self._column.name, self.model.value(index.row()))

    def _copy(self) -> None:
        rows = range(min(self.model.rowCount(), _MOST_COPIED))
        QGuiApplication.clipboard().setText(
            "\n".join(f"{self.model.value(row)}\t{self.model.rows_of(row)}" for row in rows)
        )
        self.summary.set_text(f"Copied {len(rows):,} lines")
