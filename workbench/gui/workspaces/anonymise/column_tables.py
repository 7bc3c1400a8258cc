"""Each column in a table: what is likely to come out of it before a draw, and what came out of it after one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QTableView, QWidget

from workbench.anonymise.chains import EXPECTED_ROWS
from workbench.core.hierarchy import ANY
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import colour
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.choice_arrow import ChoiceArrow, opens_choice
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.records import RIGHT, Index, RecordColumn, RecordsModel, records_view
from workbench.gui.widgets.whole_rows import WholeRows
from workbench.gui.workspaces.anonymise.detail_menu import DetailMenu
from workbench.gui.workspaces.anonymise.knowledge_dialog import WHAT_MATTERS
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.came_out import ColumnOut
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.detail_choices import offers_details
from workbench.session.release.forecast_changes import ForecastChanges

_NEEDS = "With fewer people than that a value is likely to be missing from the file"
_DETAIL, _ROWS = 1, 2
"""The columns of the detail, and of how many rows."""
_WAS = "The forecast before your last step. Undo takes the step back; it says so until the next one, or the draw"
_ASKS = "Press a detail to choose it: what each costs stands beside it."
_Seen = TypeVar("_Seen", bound="_InSight")


class DetailTable(QWidget):
    """The detail at which each column is likely to come out, and how many people a value needs.

    Where balanced steps decide about levels, one detail can be chosen for every row.

    Signals
    -------
    matters_requested()
        It is to be said which columns matter most.
    """

    matters_requested = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.model = _Outlook(
            (
                RecordColumn("Column", lambda one: one.column),
                RecordColumn("Detail", lambda one: one.words),
                RecordColumn(
                    "% of rows",
                    lambda one: one.rows_words,
                    RIGHT,
                    "How many of all rows are likely to come out so, if no cell is blank: from values spread evenly "
                    "to few frequent ones, or what is usual where these differ much",
                ),
                RecordColumn("Needs people", lambda one: one.needs_words, RIGHT, _NEEDS),
            )
        )
        self.view = _view("What is likely to come out of each column", self.model, _Choosable())
        self.view.chosen.connect(self.offer_details)
        self.view.horizontalHeader().setStretchLastSection(False)  # numbers stay beside what they are about
        self.view.setItemDelegateForColumn(_DETAIL, _DetailArrow(self.view))
        title = label("What is likely to come out", heading=2)
        self.asks = label(_ASKS, small=True, wrap=True)
        self.ways = push_button(
            f"{WHAT_MATTERS}…",
            self.matters_requested.emit,
            name=f"{WHAT_MATTERS}, and which are needed",
            explain="anonymise.ways",
            inline=True,
        )
        self.note = label(small=True, muted=True, wrap=True)
        self.more = label(small=True, muted=True, wrap=True, selectable=True)
        self.details = Disclosure("Details", self.more)
        set_explain(self, "anonymise.column_details")
        boxes.column(
            boxes.row(title, 1, self.ways, spacing="s"),
            self.asks,
            (WholeRows(self.view), 1),
            self.note,
            self.details,
            spacing="s",
            margins="0 m 0 0",
            inside=self,
        )
        self._shown: tuple[Sequence[DetailOutlook], frozenset[str], ForecastChanges] | None = None
        self.show_assessment(PromiseAssessment())

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show other lines, those of a column below each other, and whether details can be chosen."""
        details = found.details
        fewer = (
            "Fewer rows per person or columns"
            if self._document.project.schema.unit.rows_per_person > 1
            else "Fewer columns"
        )
        guessed = f"Of {EXPECTED_ROWS:,} people, until you say how many. " if found.guessed else ""
        self.note.setText(
            f"{guessed}A value of fewer people than it needs is likely to be missing; a second number is enough. "
            f"{fewer}, coarser ones or more ε help."
        )
        outlook = None if found.prospect is None else found.prospect.outlook
        self.more.setText("" if outlook is None else " ".join(filter(None, (outlook.besides, found.vanishing))))
        self.details.setVisible(bool(self.more.text()))
        session = self._document.session
        offered = frozenset(name for name in {one.column for one in details} if offers_details(session, name))
        self.asks.setVisible(bool(offered))
        self.ways.setVisible(len(offered) > 1)
        if (details, offered, found.changes) == self._shown:
            return
        self._shown = details, offered, found.changes
        here, bar = self.view.currentIndex().row(), self.view.verticalScrollBar()
        scrolled = bar.value()
        named = self.model.records[here].column if here >= 0 else ""
        self.model.offered = offered
        lines = _lines(details, found.changes)
        self.view.clearSpans()
        self.model.show_lines(lines)
        for row, line in enumerate(lines):
            if isinstance(line, _Beside):
                self.view.setSpan(row, _DETAIL, 1, self.model.columnCount() - _DETAIL)
        self.view.fit()
        place = next((row for row, one in enumerate(lines) if one.column == named), None)
        if place is not None:  # so that the next key finds the column that the last one changed
            self.view.setCurrentIndex(self.model.index(place, 0))
            bar.setValue(scrolled + place - here)  # and the next press, as far as there is room to scroll

    def offer_details(self, row: int) -> DetailMenu | None:
        """Let the person choose one detail below the cell of a row; None where nothing can be chosen."""
        index = self.model.index(row, _DETAIL)
        if not self.model.offers(index):
            return None
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        menu = DetailMenu(self._document, self.model.records[row].column, self.view)
        cell = self.view.visualRect(index)
        menu.setMinimumWidth(cell.width())
        menu.popup(self.view.viewport().mapToGlobal(QPoint(cell.left(), cell.bottom() + 1)))
        return menu


class OutTable(QWidget):
    """The detail at which each column came out, and the values that no row says."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = _Lines(
            (
                RecordColumn("Column", lambda one: one.column),
                RecordColumn("Detail", lambda one: one.detail),
                RecordColumn("Rows", lambda one: one.rows_words, RIGHT),
                RecordColumn("No row says", lambda one: one.missing_words),
            )
        )
        view = _view("What came out of each column", self.model, _InSight())
        note = label(
            "Counted in the released rows alone. What a column could say is known of lists, and of numbers and dates.",
            small=True,
            muted=True,
            wrap=True,
        )
        set_explain(self, "anonymise.column_details")
        boxes.column((WholeRows(view), 1), note, spacing="s", margins="0 s 0 0", inside=self)

    def show_lines(self, lines: Sequence[ColumnOut]) -> None:
        """Show other lines, those of a column below each other."""
        self.model.show_lines(lines)


@dataclass(frozen=True)
class _Beside:
    """A caution below the line of a level, or what it was before the last step."""

    column: str
    words: str
    tone: str
    covers: bool = False
    told: str = ""
    rows_words = rows_told = needs_words = needs_told = ""


def _lines(details: Sequence[DetailOutlook], changes: ForecastChanges) -> list[DetailOutlook | _Beside]:
    """Levels, below each what is wrong with it, and below the first of a column what it was: in one line one is cut."""
    found: list[DetailOutlook | _Beside] = []
    named = set[str]()
    for one in details:
        found.append(one)
        if one.caution:
            tone = "warning" if one.doubtful else "muted"
            found.append(_Beside(one.column, one.caution, tone, one.covers, one.caution_told))
        if one.column not in named and (change := changes.columns.get(one.column)) is not None:
            found.append(_Beside(one.column, change.words, change.turn.tone, told=_WAS))
        named.add(one.column)
    return found


def _tone(line: DetailOutlook | _Beside) -> str:
    """The colour of a detail that is not as usual; "" of others."""
    return line.tone if isinstance(line, _Beside) else "warning" if line.doubtful else ""


class _Lines(RecordsModel[Any]):
    """Lines of columns at levels; a column is named once, and what says nothing is muted."""

    def show_lines(self, lines: Sequence[DetailOutlook | _Beside] | Sequence[ColumnOut]) -> None:
        names = [one.column for one in lines]
        self._named = {0, *(place for place, (one, after) in enumerate(pairwise(names), 1) if one != after)}
        self.show_records(tuple(lines))

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 and index.row() not in self._named:
            return ""
        return super().data(index, role)

    def look(self, row: int, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.ForegroundRole and (self.records[row].words == ANY or self.records[row].covers):
            return QBrush(colour("muted"))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[column].text(self.records[row]) or None
        return None


class _Outlook(_Lines):
    """Lines of what is likely to come out; where a column is named, its detail can be chosen."""

    offered: frozenset[str] = frozenset()
    """The columns of which one detail can be chosen."""

    def offers(self, index: Index) -> bool:
        """Whether a cell has a detail that can be chosen: the first one of its column."""
        row = index.row()
        return index.column() == _DETAIL and row in self._named and self.records[row].column in self.offered

    def look(self, row: int, column: int, role: int) -> object:
        if column == _DETAIL and (told := self.records[row].told):
            if role == Qt.ItemDataRole.ForegroundRole and (tone := _tone(self.records[row])):
                return QBrush(colour(tone))
            if role == Qt.ItemDataRole.ToolTipRole:
                return f"{self.columns[column].text(self.records[row])}\n{told}"
        if role == Qt.ItemDataRole.ToolTipRole and column > 1:
            return (self.records[row].rows_told if column == _ROWS else self.records[row].needs_told) or None
        return super().look(row, column, role)


class _InSight(QTableView):
    """A table of which every column is in sight: the texts are cut where the numbers need the room.

    A text that is cut is whole where the pointer rests, and for whoever has it read out.
    """

    def fit(self) -> None:
        """Give each column what it needs, the name of a column and its detail what is left by the others."""
        head, room = self.horizontalHeader(), self.viewport().width()
        wanted = [max(self._needed(at), head.sectionSizeHint(at)) for at in range(head.count())]
        others = [tokens.COLUMN_MIN if at in self._long else wanted[at] for at in range(_ROWS, head.count())]
        texts = room - sum(others)
        name = min(wanted[0], max(texts // 2, texts - wanted[1], tokens.COLUMN_MIN))
        left = max(room - sum(others) - name, tokens.COLUMN_MIN)
        # A little room that is left belongs to the texts; much of it would part the numbers from what they are about.
        detail = left if left - wanted[1] < tokens.COLUMN_MAX // 2 else wanted[1]
        for at, width in enumerate((name, detail, *wanted[_ROWS:])):
            head.resizeSection(at, width)

    def _needed(self, at: int) -> int:
        """Pixels for the texts of a column, without those that go on over the next ones."""
        model = self.model()
        rows = () if model is None else range(model.rowCount())
        own = (self.sizeHintForIndex(model.index(row, at)).width() for row in rows if self.columnSpan(row, at) == 1)
        return max(own, default=0) + int(self.showGrid())

    @property
    def _long(self) -> tuple[int, ...]:
        """Columns of texts that are as long as they come, of which the beginning is enough."""
        head = self.horizontalHeader()
        return (head.count() - 1,) if head.stretchLastSection() else ()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()


class _Choosable(_InSight):
    """The same, where a detail can be chosen by a press on its cell, or by the keys of a combo box.

    Signals
    -------
    chosen(int)
        What can be chosen in a row is asked for.
    """

    chosen = Signal(int)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and self._offers(index):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.chosen.emit(index.row())
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        cell = self.currentIndex().siblingAtColumn(_DETAIL)
        if opens_choice(event) and self._offers(cell):
            self.chosen.emit(cell.row())
        else:
            super().keyPressEvent(event)

    def _offers(self, index: Index) -> bool:
        model = self.model()
        return isinstance(model, _Outlook) and model.offers(index)


class _DetailArrow(ChoiceArrow):
    """The arrow of a combo box where a detail can be chosen."""

    def offers(self, index: Index) -> bool:
        model = index.model()
        return isinstance(model, _Outlook) and model.offers(index)


def _view(name: str, model: _Lines, view: _Seen) -> _Seen:
    records_view(name, model, view)
    head = view.horizontalHeader()
    head.setStretchLastSection(True)
    head.setMinimumSectionSize(tokens.COLUMN_MIN)
    model.modelReset.connect(view.fit)
    return view
