"""The distinct values of one column with their counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, Qt, Signal
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

from workbench.core.column_facts import misfitting
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import NO_VALUE
from workbench.gui.widgets.records import RIGHT, RecordColumn, RecordsModel, records_view
from workbench.session.table_rows import counted_values

VALUES_JOB = "data.values"

_WAIT_MS = 200
_MOST_COPIED = 100_000


class ValueCountsModel(RecordsModel[int]):
    """A value and its rows per line, straight from the codes."""

    def __init__(self, column: Column, parent: QWidget | None = None) -> None:
        self._column = column
        super().__init__(
            (
                RecordColumn("Value", lambda code: column.values[int(code)] or NO_VALUE),
                RecordColumn("Rows", lambda code: f"{column.counts[code]:,}", RIGHT),
            ),
            parent,
        )

    def value(self, row: int) -> str:
        return self._column.values[int(self.records[row])]

    def rows_of(self, row: int) -> int:
        """How many rows have the value."""
        return int(self._column.counts[self.records[row]])


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
        self.model = ValueCountsModel(column, self)
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
        view = records_view("Values with the number of their rows", self.model, self.view)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        view.setColumnWidth(1, tokens.METER_WIDTH)
        set_look(self.summary, muted=True, small=True)
        top = boxes.row((self.search, 1), self.order, spacing="s")
        below = boxes.row((self.summary, 1), analyst_badge(), spacing="s")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton("&Copy list", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        boxes.column(top, (view, 1), below, buttons, margins="l", spacing="s", inside=self)
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
        self.model.show_records(codes)
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
