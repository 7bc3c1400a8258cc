"""Each column in a table: what is likely to come out of it before a draw, and what came out of it after one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any, TypeVar

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

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
from workbench.gui.workspaces.anonymise.known_line import MATTERS
from workbench.gui.workspaces.anonymise.ways_dialog import TITLE, WaysDialog
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.came_out import ColumnOut
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.detail_choices import offers_details
from workbench.session.release.forecast_changes import ForecastChanges
from workbench.session.release.knowledge import matters_most, say_matters_most

_NEEDS = "With fewer people than that a value is likely to be missing from the file; a second number is enough"
_NEEDED = "A value of fewer people than it needs is likely to be missing; a second number is enough."
_NAME, _DETAIL, _ROWS = 0, 1, 2
"""The columns of the name with its tick, of the detail, and of how many rows."""
_WAS = "The forecast before your last step. Undo takes the step back; it says so until the next one, or the draw"
_TICKS = "Tick what the release is for: it becomes * last."
_ASKS = "Press a detail to change it."
_CHOOSE = "By what the release is for, never by its rows."
_Seen = TypeVar("_Seen", bound="_InSight")


class DetailTable(QWidget):
    """The detail at which each column is likely to come out, and how many people a value needs.

    Where balanced steps decide about levels, it is ticked which columns matter most, and one detail can be chosen for
    every row.
    """

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
        self.model.ticked.connect(self._say_matters)
        self.view.horizontalHeader().setStretchLastSection(False)  # numbers stay beside what they are about
        self.view.setItemDelegateForColumn(_DETAIL, _DetailArrow(self.view))
        self.view.setItemDelegateForColumn(_NAME, _Tick(self.view))
        title = label("What is likely to come out", heading=2)
        self.asks = label(_ASKS, small=True, wrap=True)
        self.ways = push_button(
            f"{TITLE}…",
            self._compare_ways,
            name=f"{TITLE} of what matters most",
            tip="A few ways to share detail among the columns, each with what is likely to come of it",
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
        self.note.setText(f"Of {EXPECTED_ROWS:,} people, until you say how many." if found.guessed else "")
        self.note.setVisible(found.guessed)
        outlook = None if found.prospect is None else found.prospect.outlook
        needs = f"{_NEEDED} {fewer}, coarser ones or more ε help."
        self.more.setText("" if outlook is None else " ".join(filter(None, (needs, outlook.besides, found.vanishing))))
        self.details.setVisible(bool(self.more.text()))
        session = self._document.session
        offered = frozenset(name for name in {one.column for one in details} if offers_details(session, name))
        several = len(offered) > 1
        said = {name: matters_most(session, name) for name in offered if several}
        self.model.show_ticks({name: one for name, one in said.items() if one is not None})
        self.asks.setText(f"{_TICKS} {_ASKS}" if self.model.ticks else _ASKS)
        self.asks.setToolTip(f"{MATTERS}. {_CHOOSE}" if self.model.ticks else "")
        self.asks.setVisible(bool(offered))
        self.ways.setVisible(several)
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

    def _say_matters(self, name: str, most: bool) -> None:
        words = "matters most" if most else "matters like the others"
        if not self._document.apply(f"{name} {words}", partial(say_matters_most, name=name, most=most)):
            self.model.show_ticks({**self.model.ticks, name: not most})

    def _compare_ways(self) -> None:
        """Let the person choose among a few ways to share detail."""
        WaysDialog(self._document, self).open()


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
    """Lines of what is likely to come out; where a column is named, it is ticked, and its detail can be chosen.

    Signals
    -------
    ticked(str, bool)
        A column is to matter most from now on, or like the others.
    """

    ticked = Signal(str, bool)

    offered: frozenset[str] = frozenset()
    """The columns of which one detail can be chosen."""
    ticks: Mapping[str, bool] = MappingProxyType({})
    """Whether each column matters most; those are not there of which that is not asked."""

    def show_ticks(self, ticks: Mapping[str, bool]) -> None:
        """Show which columns matter most."""
        if ticks != self.ticks:
            self.ticks = ticks
            self.repaint()

    def is_ticked(self, row: int) -> bool | None:
        """Whether the column that is named in a row matters most; None where that is not asked there."""
        return self.ticks.get(self.records[row].column) if row in self._named else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        asked = index.isValid() and index.column() == _NAME and self.is_ticked(index.row()) is not None
        return super().flags(index) | (Qt.ItemFlag.ItemIsUserCheckable if asked else Qt.ItemFlag.NoItemFlags)

    def tick(self, row: int) -> bool:
        """Tick the column that is named in a row, or untick it; whether there is a tick."""
        before = self.is_ticked(row)
        if before is None:
            return False
        name = self.records[row].column
        self.show_ticks({**self.ticks, name: not before})  # at once: the forecast takes a moment
        self.ticked.emit(name, not before)
        return True

    def offers(self, index: Index) -> bool:
        """Whether a cell has a detail that can be chosen: the first one of its column."""
        row = index.row()
        return index.column() == _DETAIL and row in self._named and self.records[row].column in self.offered

    def look(self, row: int, column: int, role: int) -> object:
        if column == _NAME and (most := self.is_ticked(row)) is not None:
            if role == Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if most else Qt.CheckState.Unchecked
            if role == Qt.ItemDataRole.ToolTipRole:
                return f"{self.records[row].column} matters most, if ticked. {MATTERS}. {_CHOOSE}"
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
        here = self.currentIndex()
        cell = here.siblingAtColumn(_DETAIL)
        if event.key() == Qt.Key.Key_Space and here.column() == _NAME and self._ticks(here):
            return
        if opens_choice(event) and self._offers(cell):
            self.chosen.emit(cell.row())
        else:
            super().keyPressEvent(event)

    def _offers(self, index: Index) -> bool:
        model = self.model()
        return isinstance(model, _Outlook) and model.offers(index)

    def _ticks(self, index: Index) -> bool:
        model = self.model()
        return isinstance(model, _Outlook) and model.tick(index.row())


class _Tick(QStyledItemDelegate):
    """A press anywhere in the cell of a name ticks it: the box alone is small."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        ticked = index.data(Qt.ItemDataRole.CheckStateRole) is not None
        return super().sizeHint(option, index) + QSize(tokens.SPACE_S if ticked else 0, 0)  # beside the box

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        pressed = isinstance(event, QMouseEvent) and event.button() is Qt.MouseButton.LeftButton
        if pressed and event.type() is QEvent.Type.MouseButtonRelease and isinstance(model, _Outlook):
            return model.tick(index.row())
        return False


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
