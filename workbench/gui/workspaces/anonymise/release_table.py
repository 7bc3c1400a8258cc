"""One table: the release as a reader gets it, and, where they may be seen, what the rows were before."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHeaderView, QStackedWidget, QToolButton, QWidget

from workbench.core.schema import Schema
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.labels import NO_VALUE, label, on_button
from workbench.gui.widgets.table_view import DataTableView, tab_separated
from workbench.gui.widgets.whole_rows import WholeRows
from workbench.gui.workspaces.anonymise.folded_model import ROWS_COLUMN, BeforeOverAfter, FoldedModel
from workbench.gui.workspaces.anonymise.wrapped_columns import ColumnTexts, Fit, fit, letters_of, line_height, side_of
from workbench.session.folded import FoldedTable, UnfoldedRelease

_MOST_COPIED = 100_000
_AROUND = 2 * tokens.SPACE_XS
_TRIES = 3
_MARK = tokens.ICON + 2 * tokens.SPACE_S + tokens.SPACE_XS
"""Pixels of the arrow beside a number of rows, with what the style keeps about both in letters of any size."""


class FoldedView(DataTableView):
    """Lines that a click on their number, Space or Enter unfolds; columns share the width while they can be read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("The release", parent)
        self._fitting = False
        self.lines = FoldedModel(self)
        self.setModel(self.lines)
        self._cells = BeforeOverAfter(self)
        self.setItemDelegate(self._cells)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        set_explain(self, "anonymise.result")

    @property
    def is_fitted(self) -> bool:
        """Widths follow the contents and the room there is."""
        return True

    def fit_columns(self) -> None:
        """Widths from the contents of some rows; smaller letters and cells of some lines before one must scroll.

        Where even that has no room, the widest give way as far as they can be read.
        """
        if self._fitting:
            return
        self._fitting = True
        self.ensurePolished()
        for _ in range(_TRIES):
            room = self.viewport().width()
            found = self._fit(room)
            self._show_lines(found)
            for column, width in enumerate(found.widths):
                self.setColumnWidth(column, width)
            if self.viewport().width() == room:
                break  # else higher rows need a scroll bar beside them
        self._fitting = False

    def _fit(self, room: int) -> Fit:
        columns = []
        for place in range(self.lines.columnCount()):
            samples = set(self.lines.samples(place))
            first = place == ROWS_COLUMN
            columns.append(
                ColumnTexts(
                    str(self.lines.headerData(place, Qt.Orientation.Horizontal)),
                    [f"{before} → {after}" if before else after for before, after in samples],
                    _MARK if first else 0,
                    kept=first,
                    least=[after for _, after in samples],  # what it was stands in the lines that a press unfolds
                )
            )
        return fit(columns, room)

    def _show_lines(self, found: Fit) -> None:
        """Letters and heights for so many lines."""
        rows, across, letters = self.verticalHeader(), self.horizontalHeader(), letters_of(found.size)
        if self.font().pixelSize() != found.size:
            for part in (self, across):
                part.setFont(letters)
            set_look(across, tight=found.size < tokens.FONT_BASE)
        self._cells.side = side_of(found.size)
        line, several = line_height(letters), found.heading_lines > 1
        across.setTextElideMode(Qt.TextElideMode.ElideNone if several else Qt.TextElideMode.ElideMiddle)
        self.lines.heads_in_lines = several
        across.setFixedHeight(max(tokens.CONTROL_HEIGHT, found.heading_lines * line + _AROUND + tokens.SPACE_HAIR))
        rows.setDefaultSectionSize(max(tokens.ROW_HEIGHT, found.lines * line + _AROUND))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit_columns()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        super().mousePressEvent(event)
        if index.isValid() and index.column() == ROWS_COLUMN and event.button() == Qt.MouseButton.LeftButton:
            self.lines.toggle(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here = self.currentIndex()
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and here.isValid():
            top = self.lines.toggle(here.row())
            self.setCurrentIndex(self.lines.index(top, here.column()))
        else:
            super().keyPressEvent(event)

    def copy_selection(self, *, headings: bool = False) -> None:
        """Put the selected cells on the clipboard as tab-separated text."""
        selected = self.to_copy(_MOST_COPIED)
        if selected is None:
            return
        rows, columns = selected
        across = Qt.Orientation.Horizontal
        lines = [[str(self.lines.headerData(column, across)) for column in columns]] if headings else []
        cells = ((str(self.lines.data(self.lines.index(row, column))) for column in columns) for row in rows)
        lines += [["" if cell == NO_VALUE else cell for cell in line] for line in cells]
        self.take_copy((tab_separated(lines), len(rows) * len(columns)))


class ReleaseTable(QStackedWidget):
    """The table with its constant columns in chips above it.

    Parameters
    ----------
    runner
        Brings the rows of a release that is in an engine and cannot be folded.
    dropped
        What rows that are not released are called.

    Signals
    -------
    noted(str, str)
        A message of a kind and its text.
    """

    noted = Signal(str, str)

    def __init__(self, runner: Runner, dropped: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folded: FoldedTable | None = None
        self._schema = Schema(())
        self._left_out: tuple[str, ...] = ()
        self.view = FoldedView()
        self.view.note.connect(self._note)
        self.whole = WholeRows(self.view)
        self.rows = DataTableView("The rows of the release", runner=runner)
        self.chips: dict[str, QToolButton] = {}
        line = QWidget()
        self._chips = FlowLayout(line)
        self._chips.setSpacing(tokens.SPACE_S)
        self._same = label("In all rows", small=True, muted=True)
        self.one_by_one = QCheckBox("As in the file")
        self.one_by_one.setToolTip("Row by row, in the order of the file")
        self.with_dropped = QCheckBox(f"{dropped.capitalize()} rows")
        self.with_dropped.setToolTip("Also show the rows that are not released")
        self.with_dropped.setChecked(True)
        for box in (self.one_by_one, self.with_dropped):
            box.setAccessibleName(box.text())
            box.toggled.connect(self._arrange)
        self.note = ElidedLabel(muted=True, small=True)
        self._top = boxes.boxed(
            boxes.column(
                line,
                self.note,
                spacing="xs",
            )
        )
        self._same.setMinimumHeight(tokens.ICON_LARGE + tokens.SPACE_HAIR)
        for part in (self.one_by_one, self.with_dropped, self._same):
            self._chips.addWidget(part)
        set_explain(self, "anonymise.result")
        self.addWidget(boxes.boxed(boxes.column(self._top, (self.whole, 1), margins="0 xs 0 0", spacing="xs")))
        self.addWidget(self.rows)
        self.show_table(None, Schema(()))

    def show_table(self, shown: FoldedTable | UnfoldedRelease | None, schema: Schema) -> None:
        """Show another release, or nothing."""
        self._schema = schema
        self._folded = shown if isinstance(shown, FoldedTable) else None
        if isinstance(shown, UnfoldedRelease):
            model = self.rows.show_table(shown.table)
            model.set_roles({column.name: column.role for column in schema.columns})
            self.setCurrentIndex(1)
            return
        self.setCurrentIndex(0)
        self._make_chips()
        folded = self._folded
        behind = folded is not None and folded.behind is not None
        self.one_by_one.setVisible(behind)
        self.with_dropped.setVisible(folded is not None and folded.released < len(folded.sizes))
        self.note.set_text(folded.note if folded is not None else "")
        self.note.setVisible(bool(self.note.full_text))
        self._top.setVisible(behind or bool(self.chips) or bool(self.note.full_text))
        self._arrange()

    def leave_out(self, names: Sequence[str]) -> None:
        """Show the release without these columns, which are not in its file."""
        if tuple(names) != self._left_out:
            self._left_out = tuple(names)
            self._make_chips()
            self._arrange()

    def _make_chips(self) -> None:
        for chip in self.chips.values():
            self._chips.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = {}
        for name, text in (self._folded.constants if self._folded is not None else {}).items():
            if name in self._left_out:
                continue
            chip = tool_button(
                on_button(f"{name}: {text}"),
                self._arrange,
                name=f"{name}: {text} in all rows",
                tip=f"{name}: {text} in all released rows. Click to see the column.",
                checkable=True,
                explain="anonymise.result",
            )
            set_look(chip, chip=True)
            self._chips.addWidget(chip)
            self.chips[name] = chip
        self._same.setVisible(bool(self.chips))

    def _arrange(self) -> None:
        columns = self._schema.columns
        self.view.lines.show(
            self._folded,
            {column.name: column.role for column in columns},
            frozenset((*self._left_out, *(name for name, chip in self.chips.items() if not chip.isChecked()))),
            with_dropped=self.with_dropped.isChecked(),
            one_by_one=self.one_by_one.isChecked(),
        )
        self.view.fit_columns()
        self.whole.place()

    def _note(self, text: str) -> None:
        self.noted.emit("info", text)
