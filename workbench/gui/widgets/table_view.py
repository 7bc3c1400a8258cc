"""Tables straight from codes: no text is made before a cell is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import gt

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QGuiApplication, QHelpEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QToolTip, QWidget

from workbench.core.kinds import is_missing
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Role
from workbench.core.table import Table
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.runner import Runner
from workbench.gui.theme import colour, set_look
from workbench.gui.widgets.column_widths import ColumnWidths, letters
from workbench.gui.widgets.paged_cells import PagedCells
from workbench.gui.widgets.role_marks import role_icon, role_name, role_token

BEING_BROUGHT = "…"
"""Stands for a cell whose text is on its way."""

MOST_ROWS = (2**31 - 1) // tokens.ROW_HEIGHT - 1000
"""Qt counts the height of all rows together in 32 bits."""

_SAMPLE_ROWS = 100
_USUAL_TEXT = 16 * "0"
_MOST_COPIED = 1_000_000
_NO_PARENT = QModelIndex()

# Plain integers: comparing Qt's enumerations costs more than finding the cell.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_BACKGROUND = int(Qt.ItemDataRole.BackgroundRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_DECORATION = int(Qt.ItemDataRole.DecorationRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


class CodesTableModel(QAbstractTableModel):
    """A `Table` for Qt. It copies nothing and stays what it was made from; `set_table` shows another.

    Parameters
    ----------
    runner
        Brings the rows of a table that is in an engine; none is needed for tables in memory.
    """

    def __init__(
        self, table: Table | None = None, parent: QWidget | None = None, *, runner: Runner | None = None
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._table = Table(())
        self._cells: list[tuple[NDArray[np.integer], tuple[str, ...]]] = []
        self._paged: PagedCells | None = None
        self._numeric: frozenset[int] = frozenset()
        self._roles: dict[str, Role] = {}
        self._tips: dict[str, str] = {}
        self._marked = True
        self.heads_in_lines = False
        """Whether a heading that has no room in one line stands in several."""
        self._missing: Mapping[str, Sequence[str]] = {}
        self._readings: Mapping[str, Callable[[str], str]] = {}
        self._order: NDArray[np.intp] | None = None
        self._banded: NDArray[np.bool_] | None = None
        if table is not None:
            self._hold(table, None)

    @property
    def table(self) -> Table:
        return self._table

    def set_table(self, table: Table) -> None:
        """Show another table; order and bands are forgotten, roles and tips go by column name and stay."""
        numeric = {self._table.names[i] for i in self._numeric}
        self.beginResetModel()
        self._hold(table, None)
        self._numeric = frozenset(i for i, name in enumerate(table.names) if name in numeric)
        self.endResetModel()

    def _hold(self, table: Table, order: NDArray[np.intp] | None) -> None:
        """Take the rows from this table in this order from now on."""
        if self._paged is not None:
            self._paged.deleteLater()
            self._paged = None
        if table.in_memory:
            if table is not self._table:
                self._cells = [(column.codes, column.values) for column in table.columns]
        else:
            if self._runner is None:
                raise ValueError("rows in an engine, and nobody to bring them")
            self._cells = []
            self._paged = PagedCells(table, order, self._runner, self)
            self._paged.arrived.connect(self._arrived)
        self._table, self._order, self._banded = table, order, None

    def _arrived(self, first: int, last: int) -> None:
        last = min(last, self.rowCount())
        if first < last:
            self.dataChanged.emit(self.index(first, 0), self.index(last - 1, self.columnCount() - 1))

    def set_numeric(self, columns: Iterable[str]) -> None:
        """Align the named columns to the right."""
        wanted = set(columns)
        self._numeric = frozenset(i for i, name in enumerate(self._table.names) if name in wanted)
        self._repaint()

    def set_roles(self, roles: Mapping[str, Role]) -> None:
        """Show the role of each named column in its heading, by shape, colour and tooltip."""
        self._roles = dict(roles)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(0, self.columnCount() - 1))

    def show_marks(self, shown: bool) -> None:
        """Whether headings carry the marks of roles, which are said in their tooltips in any case."""
        if shown != self._marked:
            self._marked = shown
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(0, self.columnCount() - 1))

    def set_missing(self, missing: Mapping[str, Sequence[str]]) -> None:
        """The texts that stand for no value, by column name: they are shown quietly."""
        self._missing = dict(missing)
        self._repaint()

    def set_readings(self, readings: Mapping[str, Callable[[str], str]]) -> None:
        """By column name, what tells as which value a text is read; "" where it is written so already."""
        self._readings = dict(readings)

    def reading(self, row: int, column: int) -> str:
        """The value that a cell is read as, if it is written in another way."""
        read = self._readings.get(self._table.columns[column].name)
        return "" if read is None or not self.known(row, column) else read(self.text(row, column))

    def _says_nothing(self, row: int, column: int) -> bool:
        texts = self._missing.get(self._table.columns[column].name, ())
        return bool(texts) and is_missing(self.text(row, column), texts)

    def set_header_tips(self, tips: Mapping[str, str]) -> None:
        """Tooltips of headings, by column name."""
        self._tips = dict(tips)

    def set_shaded(self, shaded: NDArray[np.bool_] | None) -> None:
        """Shade these rows, shape (rows,), in the order shown."""
        if shaded is not None and len(shaded) != self.rowCount():
            raise ValueError("one class per row is needed")
        self._banded = shaded
        self._repaint()

    def set_order(self, rows: NDArray[np.intp] | None) -> None:
        """Show these rows in this order (row numbers of the table), or with None all as they come."""
        self.beginResetModel()
        self._hold(self._table, rows)
        self.endResetModel()

    def row_number(self, row: int) -> int:
        """The row of the table that is shown at `row`."""
        return row if self._order is None else int(self._order[row])

    def text(self, row: int, column: int) -> str:
        """The text of a cell by its place on the screen; a mark for one that is being brought."""
        if self._paged is not None:
            found = self._paged.text(row, column)
            return BEING_BROUGHT if found is None else found
        codes, values = self._cells[column]
        return values[int(codes[row if self._order is None else self._order[row]])]

    def known(self, row: int, column: int) -> bool:
        """Whether the text of a cell is there."""
        return self._paged is None or self._paged.text(row, column) is not None

    def lines(self, rows: range, columns: Sequence[int], progress: Progress = SILENT) -> list[list[str]]:
        """The texts of cells by their places; of a table in an engine on any thread but that of the window."""
        if self._paged is not None:
            found = self._paged.texts(rows.start, rows.stop, progress)
            return [[line[column] for column in columns] for line in found]
        return [[self.text(row, column) for column in columns] for row in rows]

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        if parent.isValid():
            return 0
        return min(self._table.rows if self._order is None else len(self._order), MOST_ROWS)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._table.columns)

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        if role == _DISPLAY:
            if self._paged is not None:
                return visible(self.text(index.row(), index.column()))
            codes, values = self._cells[index.column()]
            row = index.row()
            return visible(values[codes[row if self._order is None else self._order[row]]])
        if role == _ALIGNMENT:
            return _RIGHT if index.column() in self._numeric else _LEFT
        if role == _BACKGROUND and self._banded is not None and self._banded[index.row()]:
            return QBrush(colour("band"))
        if role == _FOREGROUND:
            there = self.known(index.row(), index.column())
            if not there or self._says_nothing(index.row(), index.column()):
                return QBrush(colour("muted"))
        if role == _TOOLTIP and self._says_nothing(index.row(), index.column()):
            return "Counts as no value"
        if role == _TOOLTIP and (read := self.reading(index.row(), index.column())):
            return f"Read as {visible(read)}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if orientation == Qt.Orientation.Vertical:
            if role == _DISPLAY:
                return f"{self.row_number(section) + 1:,}"
            return _RIGHT if role == _ALIGNMENT else None
        if not 0 <= section < self.columnCount():
            return None
        name = self._table.columns[section].name
        column_role = self._roles.get(name)
        if role == _DISPLAY:
            return visible(name)
        if role == _ALIGNMENT:
            aligned = _RIGHT if section in self._numeric else _LEFT
            return int(aligned) | int(Qt.TextFlag.TextWordWrap) if self.heads_in_lines else aligned
        if role == _DECORATION and column_role is not None and self._marked:
            return icon(role_icon(column_role), role_token(column_role))
        if role in (_TOOLTIP, _ACCESSIBLE):
            words = [name, role_name(column_role) if column_role is not None else "", self._tips.get(name, "")]
            return ("\n" if role == _TOOLTIP else ", ").join(word for word in words if word)
        return None

    def sample_texts(self, column: int) -> list[str]:
        """Texts of a hundred rows spread over the table; of one in an engine, of its first different values."""
        if self._paged is not None:
            name = self._table.names[column]
            return list(self._table[name].values[:_SAMPLE_ROWS]) if self._table.lists(name) else [_USUAL_TEXT]
        rows = self.rowCount()
        chosen = range(rows) if rows <= _SAMPLE_ROWS else np.linspace(0, rows - 1, _SAMPLE_ROWS).astype(int)
        return [self.text(int(row), column) for row in chosen]

    def _repaint(self) -> None:
        if self.rowCount() and self.columnCount():
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last, [_ALIGNMENT, _BACKGROUND, _FOREGROUND])


class DataTableView(QTableView):
    """A table one can look at and copy from.

    Ctrl+C copies the selected cells as tab-separated text, Ctrl+Shift+C with the headings.

    Parameters
    ----------
    squeezes
        Whether columns give up room where all of them are in sight then: first what is to spare, then ends of headings,
        in smaller letters, and then ends of words, never of numbers or dates. Headings carry no marks of roles.

    Signals
    -------
    note(str)
        A remark such as "Copied 12 cells".
    """

    note = Signal(str)

    def __init__(
        self, name: str, parent: QWidget | None = None, *, runner: Runner | None = None, squeezes: bool = False
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._squeezes, self._spreading = squeezes, False
        self._widths = ColumnWidths()
        """None once somebody chose others."""
        self.setAccessibleName(name)
        self.setFont(letters(small=False))
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        vertical = self.verticalHeader()
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        vertical.setDefaultSectionSize(tokens.ROW_HEIGHT)
        vertical.setMinimumSectionSize(tokens.ROW_HEIGHT)
        # What it takes must not depend on what is left for the others.
        vertical.setFont(letters(small=False))
        if squeezes:
            set_look(vertical, tight=True)
        horizontal = self.horizontalHeader()
        horizontal.setHighlightSections(False)
        vertical.setHighlightSections(False)
        horizontal.setMinimumSectionSize(tokens.COLUMN_MIN // 2)
        horizontal.setFixedHeight(tokens.CONTROL_HEIGHT)
        horizontal.setTextElideMode(Qt.TextElideMode.ElideRight)  # else its first letters are gone where it is cut
        horizontal.sectionResized.connect(self._take_widths)

    def show_table(self, table: Table) -> CodesTableModel:
        """Show a table; the model stays the same from one table to the next, and so do role marks."""
        model = self.model()
        if not isinstance(model, CodesTableModel):
            model = CodesTableModel(table, self, runner=self._runner)
            self.setModel(model)
        else:
            model.set_table(table)
        self.fit_columns()
        return model

    @property
    def is_fitted(self) -> bool:
        """Whether nobody chose widths of their own."""
        return bool(self._widths.ample)

    def fit_columns(self) -> None:
        """Set the widths from a hundred rows; `resizeColumnsToContents` would freeze on a large table."""
        model = self.model()
        if not isinstance(model, CodesTableModel):
            return
        self.ensurePolished()
        # As they are drawn: else a name is cut for letters that are lighter.
        self.horizontalHeader().setFont(letters(small=self.property("tight") == "true", heading=True))
        headings = (str(model.headerData(place, Qt.Orientation.Horizontal)) for place in range(model.columnCount()))
        self._widths = ColumnWidths.of((heading, set(model.sample_texts(n))) for n, heading in enumerate(headings))
        self._spread()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._squeezes:
            self._spread()

    def _spread(self) -> None:
        """Columns as wide as there is room, where all can be in sight."""
        if not self.is_fitted:
            return
        widths, small = self._widths.within(self.viewport().width()) if self._squeezes else (self._widths.ample, False)
        self._spreading = True
        self._show_small(small)
        self._show_heads_in_lines(small and any(map(gt, self._widths.headings, widths)))
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width)
        self._spreading = False

    def _show_small(self, small: bool) -> None:
        """Smaller letters, closer together, or the usual ones."""
        model = self.model()
        if isinstance(model, CodesTableModel):
            model.show_marks(not self._squeezes)  # else they would come and go with the room
        if small != (self.property("tight") == "true"):
            across = self.horizontalHeader()
            set_look(self, tight=small)
            self.setFont(letters(small=small))
            across.setFont(letters(small=small, heading=True))
            set_look(across, tight=small)  # last, else headings are drawn in letters of the size before

    def _show_heads_in_lines(self, several: bool) -> None:
        """Headings in two lines, or in one that ends in … where there is no room."""
        model, across = self.model(), self.horizontalHeader()
        if isinstance(model, CodesTableModel) and several != model.heads_in_lines:
            model.heads_in_lines = several
            across.setTextElideMode(Qt.TextElideMode.ElideNone if several else Qt.TextElideMode.ElideRight)
            line = 1  # that is drawn below them
            two = 2 * across.fontMetrics().lineSpacing() + 2 * tokens.SPACE_XS + line
            across.setFixedHeight(max(tokens.CONTROL_HEIGHT, two) if several else tokens.CONTROL_HEIGHT)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say all of a value that is cut, before what else there is to say of it."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            text = str(index.data() or "")
            if index.isValid() and self.fontMetrics().horizontalAdvance(text) > self.columnWidth(index.column()):
                more = str(index.data(_TOOLTIP) or "")
                whole = more if more.startswith(text) else f"{text}\n{more}".strip()
                QToolTip.showText(event.globalPos(), whole, self.viewport())
                return True
        return super().viewportEvent(event)

    def _take_widths(self, *_: int) -> None:
        if not self._spreading:
            self._widths = ColumnWidths()  # the person's own stay

    def keyPressEvent(self, event: QKeyEvent) -> None:
        with_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.key() == Qt.Key.Key_C and event.modifiers() == with_shift:
            self.copy_selection(headings=True)
        else:
            super().keyPressEvent(event)

    def copy_selection(self, *, headings: bool = False) -> None:
        """Put the selected cells on the clipboard as tab-separated text."""
        model = self.model()
        if not isinstance(model, CodesTableModel) or (selected := self.to_copy(_MOST_COPIED)) is None:
            return
        rows, columns = selected
        first = [[model.table.names[column] for column in columns]] if headings else []
        work = partial(_copied, model, rows, columns, first)
        if model.table.in_memory or self._runner is None:
            self.take_copy(work(SILENT))
        else:
            self._runner.start(
                f"Copying {len(rows) * len(columns):,} cells",
                work,
                on_done=self.take_copy,
                key="table.copy",
                latest_wins=True,
            )

    def to_copy(self, most: int) -> tuple[range, range] | None:
        """Rows and columns of what is selected; None where that is nothing, or is refused as it has more cells."""
        ranges = self.selectionModel().selection().toList() if self.selectionModel() is not None else []
        if not ranges:
            return None
        rows = range(min(r.top() for r in ranges), max(r.bottom() for r in ranges) + 1)
        columns = range(min(r.left() for r in ranges), max(r.right() for r in ranges) + 1)
        cells = len(rows) * len(columns)
        if cells > most:
            self.note.emit(f"Not copied: {cells:,} cells are too many for the clipboard. Export a file instead.")
            return None
        return rows, columns

    def take_copy(self, copied: tuple[str, int]) -> None:
        """Put a text on the clipboard, and say of how many cells it is."""
        text, cells = copied
        QGuiApplication.clipboard().setText(text)
        self.note.emit(f"Copied {cells:,} cells")


def _copied(
    model: CodesTableModel, rows: range, columns: range, first: list[list[str]], progress: Progress
) -> tuple[str, int]:
    return tab_separated(first + model.lines(rows, columns, progress)), len(rows) * len(columns)


def tab_separated(lines: Iterable[Iterable[str]]) -> str:
    """Lines of cells as spreadsheets take them from the clipboard."""
    return "\n".join("\t".join(_tsv(cell) for cell in line) for line in lines)


def _tsv(cell: str) -> str:
    """A cell as spreadsheets expect it: quoted only if it holds a tab, a line break or a leading quote."""
    if any(mark in cell for mark in "\t\n\r") or cell.startswith('"'):
        return '"' + cell.replace('"', '""') + '"'
    return cell
