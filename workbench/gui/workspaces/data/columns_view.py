"""The list of columns: several can be chosen, typing finds one, the menu key changes roles."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import tabular_font
from workbench.gui.widgets.badge import role_icon, role_token
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.sparkline import paint_histogram
from workbench.gui.workspaces.data.columns_model import BARS_ROLE, ColumnsModel, Field, fits_bars

_NEEDED = (Field.NAME, Field.ROLE, Field.KIND, Field.DISTINCT, Field.MISSING)
_BARS_WIDTH = tokens.SPARK_WIDTH + 2 * tokens.SPACE_S
_MEASURED = 200


class ColumnsView(QTableView):
    """The columns of the data, one row each.

    Signals
    -------
    chosen()
        The selection changed.
    role_wanted(object)
        A role was picked in the context menu for the selected columns.
    """

    chosen = Signal()
    role_wanted = Signal(object)

    def __init__(self, model: ColumnsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setAccessibleName("Columns of the data")
        set_explain(self, "data.roles")
        self.setFont(tabular_font())
        self.setModel(model)
        self.setItemDelegateForColumn(Field.BARS, _BarsDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(tokens.ROW_HEIGHT)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setFixedHeight(tokens.CONTROL_HEIGHT)
        header.setStretchLastSection(True)
        model.modelReset.connect(self._start_over)
        self._start_over()

    @property
    def selected_names(self) -> tuple[str, ...]:
        """The selected columns, from top to bottom."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return tuple(self._model.name(row) for row in rows)

    def select(self, name: str) -> None:
        """Select one column and bring it into view."""
        row = self._model.row_of(name)
        if row >= 0:
            self._select_row(row)
            self.scrollTo(self._model.index(row, 0))

    def _select_row(self, row: int) -> None:
        # `selectRow` would add to the selection while somebody holds Ctrl.
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(self._model.index(row, Field.NAME), flags.ClearAndSelect | flags.Rows)

    def content_height(self) -> int:
        """The height at which every column is seen."""
        return self.horizontalHeader().height() + self._model.rowCount() * tokens.ROW_HEIGHT + tokens.SPACE_XS

    def keyboardSearch(self, search: str) -> None:
        current = self.currentIndex()
        if current.isValid() and current.column() != Field.NAME:
            # Qt searches the column of the current cell; names are what one types.
            at = current.siblingAtColumn(Field.NAME)
            self.selectionModel().setCurrentIndex(at, QItemSelectionModel.SelectionFlag.NoUpdate)
        super().keyboardSearch(search)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.role_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def role_menu(self) -> QMenu:
        """A menu that gives the selected columns a role."""
        menu = QMenu(self)
        for role in Role:
            action = menu.addAction(icon(role_icon(role), role_token(role)), role.words)
            action.triggered.connect(partial(self.role_wanted.emit, role))
        menu.addSeparator()
        menu.addAction("Select &all columns", self.selectAll)
        return menu

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_fields()

    def _show_fields(self) -> None:
        """Hide what is only an impression where there is no room for it."""
        room = self.viewport().width() - sum(self.columnWidth(field) for field in _NEEDED)
        bars = self.columnWidth(Field.BARS) or _BARS_WIDTH
        self.setColumnHidden(Field.BARS, room < bars)
        self.setColumnHidden(Field.EXAMPLES, room < bars + tokens.SPARK_WIDTH)

    def _start_over(self) -> None:
        self._fit()
        self._show_fields()
        if self._model.rowCount():
            self._select_row(0)

    def _fit(self) -> None:
        self.ensurePolished()
        metrics, heading = self.fontMetrics(), self.horizontalHeader().fontMetrics()
        pad, mark = 2 * tokens.SPACE_S + tokens.SPACE_XS, tokens.ICON + tokens.SPACE_M
        names = [self._model.name(row) for row in range(min(self._model.rowCount(), _MEASURED))]
        kinds = [str(self._model.index(row, Field.KIND).data()) for row in range(len(names))]
        widest = {
            Field.NAME: (names, mark),
            Field.ROLE: ([role.words for role in Role], mark),
            Field.KIND: (kinds, tokens.SPACE_M),
            Field.DISTINCT: ([f"{self._model.data_rows:,}"], 0),
            Field.MISSING: ([], 0),
        }
        for field, (texts, extra) in widest.items():
            title = str(self._model.headerData(field, Qt.Orientation.Horizontal))
            # The heading is semibold.
            width = round(heading.horizontalAdvance(title) * 1.15)
            width = max([width, *(metrics.horizontalAdvance(text) + extra for text in texts)]) + pad
            self.setColumnWidth(field, min(max(width, tokens.COLUMN_MIN), tokens.COLUMN_MAX * 2 // 3))
        self.setColumnWidth(Field.BARS, _BARS_WIDTH)


class _BarsDelegate(QStyledItemDelegate):
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        bars = index.data(BARS_ROLE)
        if fits_bars(bars):
            inside = QRectF(option.rect).adjusted(tokens.SPACE_S, tokens.SPACE_XS, -tokens.SPACE_S, -tokens.SPACE_XS)
            inside.setWidth(min(inside.width(), tokens.SPARK_WIDTH))
            paint_histogram(painter, inside, bars)
