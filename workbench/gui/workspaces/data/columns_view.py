"""The list of columns: several can be chosen, and their role is changed in its cell, by a key or by the menu key."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.core.schema import UNDECIDED, Role
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import tabular_font
from workbench.gui.widgets.choice_arrow import ChoiceArrow, opens_choice
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.role_marks import role_and_term, role_icon, role_name, role_token
from workbench.gui.widgets.sparkline import paint_histogram
from workbench.gui.workspaces.data.columns_model import BARS_ROLE, BETWEEN, ColumnsModel, Field, fits_bars
from workbench.gui.workspaces.data.suggestions import WIDEST

_KEYS = {
    Qt.Key.Key_I: Role.IDENTIFYING,
    Qt.Key.Key_Q: Role.QUASI,
    Qt.Key.Key_S: Role.SENSITIVE,
    Qt.Key.Key_N: Role.INSENSITIVE,
}
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
_PARTLY = ", partly"
_MEASURED = 200


class ColumnsView(QTableView):
    """The columns of the data, one row each.

    Signals
    -------
    chosen()
        The selection changed, or somebody chose what was selected already.
    role_wanted(object)
        A role was given to the selected columns: by its key (I, Q, S or N), in the cell, or in the context menu; None
        takes back that it was decided.
    turned(str)
        A column is to be left out or, if it is, included.
    """

    chosen = Signal()
    role_wanted = Signal(object)
    turned = Signal(str)

    def __init__(self, model: ColumnsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._kind_width = self._why_width = self._examples_width = 0
        self._asked = False
        self.setAccessibleName("Columns of the data")
        set_explain(self, "data.roles")
        self.setFont(tabular_font())
        self.setModel(model)
        self.setItemDelegateForColumn(Field.NAME, _SignBehind(self))
        self.setItemDelegateForColumn(Field.BARS, _BarsDelegate(self))
        self.setItemDelegateForColumn(Field.ROLE, ChoiceArrow(self))
        self.setItemDelegateForColumn(Field.EXAMPLES, _WholeExamples(self))
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
        header.setMinimumSectionSize(1)
        header.setSectionResizeMode(Field.EXAMPLES, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(Field.TURN, QHeaderView.ResizeMode.Fixed)
        self.setMouseTracking(True)
        model.modelReset.connect(self._start_over)
        model.dataChanged.connect(self._show_counted)
        model.dataChanged.connect(self._widen_kinds)
        self._start_over()

    def ask(self, asked: bool) -> None:
        """Show why columns have their roles, and what one press does with them, once that is asked at all."""
        self._asked = asked
        self.setColumnHidden(Field.TURN, not asked)
        self._make_room()

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
        """Letters give roles here, so none of them looks for a name."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        role = _KEYS.get(Qt.Key(event.key())) if plain else None
        if role is not None:
            self.role_wanted.emit(role)
        elif opens_choice(event):
            here = self.currentIndex()
            if here.column() != Field.TURN or here.row() < 0:
                self.offer_roles(here.row())
            else:
                self.turned.emit(self._model.name(here.row()))
        else:
            before = self.selected_names
            super().keyPressEvent(event)
            if plain and event.key() in _MOVES and self.selected_names == before:
                self.chosen.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        left = index.isValid() and event.button() == Qt.MouseButton.LeftButton
        mine = left and index.column() == Field.ROLE
        if left and index.column() == Field.TURN:
            # Nothing else changes: who leaves out several presses where they looked.
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.turned.emit(self._model.name(index.row()))
        elif mine and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            # Of several that are selected, the cell of one stands for all.
            if not self.selectionModel().isRowSelected(index.row()):
                self._select_row(index.row())
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.offer_roles(index.row())
        else:
            before = self.selected_names
            super().mousePressEvent(event)
            if index.isValid() and self.selected_names == before:
                self.chosen.emit()  # the first row is selected before anybody chose one

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        link = index.isValid() and index.column() == Field.TURN and bool(index.data())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def offer_roles(self, row: int) -> QMenu | None:
        """Let the person choose a role below the cell of a row; None if there is no such row."""
        index = self._model.index(row, Field.ROLE)
        if not index.isValid():
            return None
        self.scrollTo(index)
        menu = self.role_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        cell = self.visualRect(index)
        menu.setMinimumWidth(cell.width())
        menu.popup(self.viewport().mapToGlobal(QPoint(cell.left(), cell.bottom() + 1)))
        return menu

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
        letters = {role: chr(key) for key, role in _KEYS.items()}
        for role in Role:
            words = _with_key(f"{role_and_term(role)}: {_in_a_sentence(role.meaning)}", letters[role])
            if role is Role.IDENTIFYING:
                words = _with_key(role.meaning.rstrip("."), letters[role])
            action = menu.addAction(icon(role_icon(role), role_token(role)), f"{words}\t{letters[role]}")
            action.setToolTip(role.meaning)
            action.triggered.connect(partial(self.role_wanted.emit, role))
        menu.setToolTipsVisible(True)
        menu.addAction(UNDECIDED, partial(self.role_wanted.emit, None))
        menu.addSeparator()
        menu.addAction("Select &all columns", self.selectAll)
        return menu

    def _show_counted(self, *_: object) -> None:
        """Show the columns of what was counted once it may be seen."""
        for field in (Field.DISTINCT, Field.MISSING, Field.BARS):
            if self.isColumnHidden(field) is self._model.looked:
                self.setColumnHidden(field, not self._model.looked)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Where there is little room kinds give way to examples, unless one is marked, and then reasons: the pane
        beside has them too."""
        giving = (Field.KIND, Field.WHY, Field.EXAMPLES)
        room = self.viewport().width() - self._examples_width
        room -= sum(self.columnWidth(field) for field in Field if field not in giving)
        marks = (self._model.index(row, Field.KIND) for row in range(self._model.rowCount()))
        marked = any(mark.data(Qt.ItemDataRole.DecorationRole) is not None for mark in marks)
        why = self._asked and room >= self._why_width + (self._kind_width if marked else 0)
        kinds = marked or room >= self._kind_width + (self._why_width if why else 0)
        for field, shown in ((Field.WHY, why), (Field.KIND, kinds)):
            if self.isColumnHidden(field) is shown:
                self.setColumnHidden(field, not shown)

    def _start_over(self) -> None:
        self._show_counted()
        self._fit()
        if self._model.rowCount():
            self._select_row(0)

    def _widen_kinds(self) -> None:
        """Make room for what is said of a kind once its values were counted; nothing becomes narrower."""
        kinds = [
            str(self._model.index(row, Field.KIND).data()) for row in range(min(self._model.rowCount(), _MEASURED))
        ]
        words = max((self.fontMetrics().horizontalAdvance(kind) for kind in kinds if kind.endswith(_PARTLY)), default=0)
        width = min(words + tokens.ICON + 4 * tokens.SPACE_S, tokens.COLUMN_MAX * 2 // 3)
        if words and width > self.columnWidth(Field.KIND):
            self._kind_width = width
            self.setColumnWidth(Field.KIND, width)
            self._make_room()

    def _fit(self) -> None:
        self.ensurePolished()
        metrics, heading = self.fontMetrics(), self.horizontalHeader().fontMetrics()
        pad, mark = 2 * tokens.SPACE_S + tokens.SPACE_XS, tokens.ICON + tokens.SPACE_XS
        names = [self._model.name(row) for row in range(min(self._model.rowCount(), _MEASURED))]
        kinds = [str(self._model.index(row, Field.KIND).data()) for row in range(len(names))]
        widest = {
            Field.NAME: (names, mark + tokens.SPACE_S),
            Field.ROLE: ([role_name(role) for role in Role], mark + tokens.ICON_SMALL),
            Field.WHY: (list(WIDEST), tokens.SPACE_XS),
            Field.KIND: (kinds, tokens.SPACE_S),
            Field.DISTINCT: ([f"{self._model.data_rows:,}"], 0),
            Field.MISSING: ([], 0),
            Field.BARS: ([], 0),
            Field.TURN: ([role_name(Role.IDENTIFYING), "Include"], 0),
        }
        for field, (texts, extra) in widest.items():
            title = str(self._model.headerData(field, Qt.Orientation.Horizontal))
            # The heading is semibold.
            width = round(heading.horizontalAdvance(title) * 1.1)
            width = max([width, *(metrics.horizontalAdvance(text) + extra for text in texts)]) + pad
            most = tokens.COLUMN_MAX * 2 // 3 if field is not Field.WHY else width  # which no data makes wider
            width = min(max(width, tokens.COLUMN_MIN), most)
            self.setColumnWidth(field, width)
            if field is Field.KIND:
                self._kind_width = width
            elif field is Field.WHY:
                self._why_width = width
        title = str(self._model.headerData(Field.EXAMPLES, Qt.Orientation.Horizontal))
        self._examples_width = round(heading.horizontalAdvance(title) * 1.1) + 2 * tokens.SPACE_S
        self.ask(self._asked)


class _SignBehind(QStyledItemDelegate):
    """The sign of a name stands behind it, so that names stand below each other and below their heading."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.decorationPosition = QStyleOptionViewItem.Position.Right


class _WholeExamples(QStyledItemDelegate):
    """As many examples as have room whole; the first is shortened where even that has none."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        room = option.rect.width() - 2 * (tokens.SPACE_S + tokens.SPACE_XS)
        while option.fontMetrics.horizontalAdvance(option.text) > room and BETWEEN in option.text:
            option.text = option.text.rpartition(BETWEEN)[0]


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


def _with_key(words: str, letter: str) -> str:
    """The words with their letter marked, so that it gives the role from the open menu too."""
    place = words.upper().index(letter)  # of the first word, or of what is in brackets
    return f"{words[:place]}&{words[place:]}"


def _in_a_sentence(words: str) -> str:
    return words[:1].lower() + words[1:].rstrip(".")
