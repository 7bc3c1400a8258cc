"""Each column in a table: what is likely to come out of it before a draw, and what came out of it after one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import le
from typing import TypeVar

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.choice_arrow import ChoiceArrow, opens_choice
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.records import RIGHT, Index, RecordColumn, records_view
from workbench.gui.widgets.whole_rows import WholeRows
from workbench.gui.workspaces.anonymise.column_lines import (
    DETAIL,
    NAME,
    ROWS,
    Beside,
    ColumnLines,
    OutlookLines,
    in_their_room,
    one_lines,
    outlook_lines,
    plain_starts,
    what_helps,
    with_spared,
)
from workbench.gui.workspaces.anonymise.detail_menu import DetailMenu
from workbench.gui.workspaces.anonymise.purpose_ticks import IN_THE_FILE, PurposeTicks
from workbench.gui.workspaces.anonymise.ways_dialog import TITLE, WaysDialog
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.came_out import ColumnOut
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.purpose import left_out, others, tick, ticks, want_others
from workbench.session.release.wishes import offers_details

_TICKS = "Tick what the release is for"
_OTHERS = "The others too"
_OTHERS_TIP = (
    "Let what is not ticked be in the file as well, as coarse as what is ticked needs it. Without, only what is ticked "
    "is in the file, in more detail"
)
_SILENT = "Now they would say nothing in any row, beside what is ticked"
_ASKS = "Press a detail for a finer or coarser one."
_WIDEST = tokens.COLUMN_MAX * 3 // 2
"""Pixels of a detail, however much room there is."""
_Seen = TypeVar("_Seen", bound="_InSight")


class DetailTable(QWidget):
    """The detail at which each column is likely to come out, and in how many rows.

    Where balanced steps decide about levels, it is ticked which columns matter most, and one detail can be chosen for
    every row.

    Signals
    -------
    saying(str, object)
        It is to be said what occurs in the columns of which that is a guess, in the one of that name first.
    """

    saying = Signal(str, object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._ticks = document, PurposeTicks(document)
        self.model = OutlookLines()
        self.view = _view("What is likely to come out of each column", self.model, _Choosable())
        self.view.chosen.connect(self.offer_details)
        self.view.let_go.connect(self._give_room)
        self.view.asked.connect(lambda row: self.saying.emit(self.model.records[row].column, self.model.guesses))
        self.model.ticked.connect(self._say_matters)
        self.view.horizontalHeader().setStretchLastSection(False)  # numbers stay beside what they are about
        self.view.setItemDelegateForColumn(DETAIL, _DetailArrow(self.view))
        self.view.setItemDelegateForColumn(NAME, _Tick(self.view))
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
        self.others = ElidingCheckBox(_OTHERS)
        self.others.setToolTip(_OTHERS_TIP)
        self.others.clicked.connect(self._want_others)
        set_explain(self.others, "anonymise.ways")
        kept = self.others.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # the table below is not to move with the first tick
        self.others.setSizePolicy(kept)
        self.others.hide()
        self.more = label(small=True, muted=True, wrap=True, selectable=True)
        self.details = Disclosure("Details", self.more)
        set_explain(self, "anonymise.column_details")
        boxes.column(
            boxes.row(title, 1, self.ways, spacing="s"),
            boxes.row((self.asks, 1), self.others, spacing="s"),
            (WholeRows(self.view), 1),
            self.details,
            spacing="s",
            margins="0 m 0 0",
            inside=self,
        )
        self._shown: tuple[Sequence[DetailOutlook], object] | None = None
        self._lines: list[DetailOutlook | Beside] = []
        self._spared: Sequence[str] = ()
        self._helps = ""
        self._besides: tuple[str, ...] = ()
        self.view.setColumnHidden(ROWS, True)
        self.show_assessment(PromiseAssessment())

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show other lines, those of a column below each other, and whether details can be chosen."""
        details = found.details
        self.model.guessed = found.guessed
        self._ticks.follow(found)
        outlook = None if found.prospect is None else found.prospect.outlook
        session = self._document.session
        offered = frozenset(name for name in {one.column for one in details} if offers_details(session, name))
        self._spared = left_out(session) if details else ()
        several = len(offered) + len(self._spared) > 1
        shown = {one.column for one in details}.union(self._spared)
        self.model.show_ticks({name: one for name, one in ticks(session).items() if several and name in shown})
        made = self.model.ticks
        waits = bool(made) and not any(made.values()) and (found.guessed or self._ticks.are_missing)
        # Its line stays where it is once nothing is to be said in it.
        done = bool(made) and all(made.values())
        asks = _TICKS if made and not done else "" if found.guessed else _ASKS
        too = others(session)
        unsaid = () if outlook is None else outlook.unknown
        tells = bool(too) or found.others_tell or found.guessed or bool(unsaid)
        self.others.setVisible(any(made.values()))  # whatever is ticked next: what is offered does not come and go
        self.others.setEnabled(not done)
        self.others.setToolTip(_OTHERS_TIP if tells else _SILENT)
        self.others.setChecked(bool(too))
        self.asks.setText(asks or " ")
        self.asks.setToolTip(IN_THE_FILE if made else "")
        self.asks.setVisible(bool(offered))
        self.ways.setVisible(several)
        besides = offered, found.changes, found.guessed, waits, unsaid, self._spared
        if (details, besides) != self._shown:
            self._shown = details, besides
            self.model.unsaid = unsaid
            self.model.offered, self.model.changes, self.model.waits = offered, found.changes.columns, waits
            self._show_lines(details)
        self._helps = what_helps(details, several_rows=session.project.schema.unit.rows_per_person > 1)
        self._besides = () if outlook is None else (outlook.besides, found.lost)
        self._tell_more()
        self.view.show_rows(bool(details))

    def _tell_more(self) -> None:
        """Say in Details what a value needs, and what else is expected; no number of what is still asked."""
        told = (self.model.needs_told, self._helps, *(() if self.model.asked else self._besides))
        self.more.setText(" ".join(filter(None, told)) if self._besides else "")
        self.details.setVisible(bool(self.more.text()))

    def wait_for_answers(self, asked: bool) -> None:
        """Tell no figure while it is `asked` what occurs in what is ticked."""
        if self.model.asked is not asked:
            self.model.asked = asked
            self.model.repaint()
            self._tell_more()

    def _give_room(self) -> None:
        """Give each column the lines that it needs, as nobody reaches for one any more."""
        if self._shown is not None and self._lines != self._wanted_lines(self._shown[0]):
            self._show_lines(self._shown[0])
        else:
            self.view.fit()

    def _wanted_lines(self, details: Sequence[DetailOutlook]) -> list[DetailOutlook | Beside]:
        names = self._document.project.schema.names
        if self.model.waits:
            return with_spared(plain_starts(details), self._spared, names)
        if self.model.ticks:
            return with_spared(one_lines(details), self._spared, names)
        return outlook_lines(details)

    def _show_lines(self, details: Sequence[DetailOutlook]) -> None:
        here, bar = self.view.currentIndex().row(), self.view.verticalScrollBar()
        scrolled = bar.value()
        named = self.model.records[here].column if here >= 0 else ""
        held = self.view.held and not (self.model.waits or self.model.ticks)
        lines = in_their_room(details, self._lines) if held else self._wanted_lines(details)
        self.view.clearSpans()
        self._lines = lines
        self.model.show_lines(lines)
        for row, line in enumerate(lines):
            if isinstance(line, Beside):
                self.view.setSpan(row, DETAIL, 1, self.model.columnCount() - DETAIL)
        self.view.fit()
        place = next((row for row, one in enumerate(lines) if one.column == named), None)
        if place is not None:  # so that the next key finds the column that the last one changed
            self.view.setCurrentIndex(self.model.index(place, 0))
            bar.setValue(scrolled + place - here)  # and the next press, as far as there is room to scroll

    def offer_details(self, row: int) -> DetailMenu | None:
        """Let the person choose one detail below the cell of a row; None where nothing can be chosen."""
        index = self.model.index(row, DETAIL)
        if not self.model.offers(index):
            return None
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        menu = DetailMenu(self._document, self.model.records[row].column, self.view)
        cell = self.view.visualRect(index)
        menu.setMinimumWidth(cell.width())
        menu.popup(self.view.viewport().mapToGlobal(QPoint(cell.left(), cell.bottom() + 1)))
        return menu

    def focus_ticks(self) -> None:
        """Give the focus to the first tick."""
        self.view.setCurrentIndex(self.model.index(0, NAME))
        self.view.setFocus()

    def _say_matters(self, name: str, most: bool) -> None:
        words = "ticked" if most else "no longer ticked"
        if not self._document.apply(f"{name} {words}", partial(tick, name=name, ticked=most)):
            self.model.show_ticks({**self.model.ticks, name: not most})

    def _want_others(self, wanted: bool) -> None:
        words = "Others in the file too" if wanted else "Only what is ticked in the file"
        if not self._document.apply(words, partial(want_others, wanted=wanted)):
            self.others.setChecked(not wanted)

    def _compare_ways(self) -> None:
        """Let the person choose among a few ways to share detail."""
        WaysDialog(self._document, self).open()


class OutTable(QWidget):
    """The detail at which each column came out, and the values that no row says."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ColumnLines(
            (
                RecordColumn("Column", lambda one: one.column),
                RecordColumn("Detail", lambda one: one.detail),
                RecordColumn("Of the file", lambda one: one.rows_words, RIGHT),
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


class _InSight(QTableView):
    """A table of which every column is in sight: the texts are cut where the numbers need the room.

    A text that is cut is whole where the pointer rests, and for whoever has it read out.
    """

    held = False
    """Whether the pointer is over the table: no line is to move under it, and no column that has room enough."""
    _fitted = -1
    """The room, in pixels, that the columns were fitted to."""

    def show_rows(self, shown: bool) -> None:
        """Have the column of how many rows it is, with a dash while that is not known; not where there is no line."""
        if shown is self.isColumnHidden(ROWS):
            self.setColumnHidden(ROWS, not shown)
            self._fitted = -1
            self.fit()

    def fit(self) -> None:
        """Give each column what it needs, the name of a column and its detail what is left by the others."""
        head, room = self.horizontalHeader(), self.viewport().width()
        now = [head.sectionSize(at) for at in range(head.count())]
        if self.held and room == self._fitted and all(map(le, self._wanted(), now)):
            return
        self._fitted = room
        self._tighten(room)
        wanted = self._wanted()
        others = [tokens.COLUMN_MIN if at in self._long else wanted[at] for at in range(ROWS, head.count())]
        texts = room - sum(others)
        name = min(wanted[0], max(texts // 2, texts - wanted[1], tokens.COLUMN_MIN))
        left = max(room - sum(others) - name, tokens.COLUMN_MIN)
        # What is left belongs to the texts, whatever they say, so that numbers stay where they are when these change;
        # very much of it would part the numbers from what they are about.
        parted = min(left, wanted[1] if self._long else max(wanted[1], _WIDEST))
        detail = left if self.isColumnHidden(ROWS) else parted
        for at, width in enumerate((name, detail, *wanted[ROWS:])):
            if width:
                head.resizeSection(at, width)

    def _wanted(self) -> list[int]:
        head = self.horizontalHeader()
        shown = [not self.isColumnHidden(at) for at in range(head.count())]
        return [max(self._needed(at), head.sectionSizeHint(at)) if one else 0 for at, one in enumerate(shown)]

    def _tighten(self, room: int) -> None:
        """Leave less between the columns where their texts have not enough room."""
        wanted, is_tight = self._wanted(), self.property("tight") == "true"
        kept = 2 * (tokens.SPACE_S - tokens.SPACE_XS) * len(wanted) if is_tight else 0
        tight = sum(wanted) + kept > room
        if tight is not is_tight:
            for part in (self, self.horizontalHeader()):
                set_look(part, tight=tight)

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
    let_go()
        The pointer left the table.
    asked(int)
        What a row tells to say is about to be said.
    """

    chosen = Signal(int)
    let_go = Signal()
    asked = Signal(int)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.held = True

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.held = False
        self.let_go.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        arrow = self.visualRect(index).right() - tokens.CONTROL_HEIGHT
        asks = self._asks(index) and event.position().x() < arrow
        if event.button() is Qt.MouseButton.LeftButton and self._offers(index) and not asks:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.chosen.emit(index.row())
        elif event.button() is Qt.MouseButton.LeftButton and index.column() != NAME and self._asks(index):
            self.asked.emit(index.row())
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here = self.currentIndex()
        cell = here.siblingAtColumn(DETAIL)
        if event.key() == Qt.Key.Key_Space and here.column() == NAME and self._ticks(here):
            return
        if opens_choice(event) and self._offers(cell):
            self.chosen.emit(cell.row())
        elif opens_choice(event) and self._asks(here):
            self.asked.emit(here.row())
        else:
            super().keyPressEvent(event)

    def _offers(self, index: Index) -> bool:
        model = self.model()
        return isinstance(model, OutlookLines) and model.offers(index)

    def _asks(self, index: Index) -> bool:
        model = self.model()
        return isinstance(model, OutlookLines) and model.asks(index.row())

    def _ticks(self, index: Index) -> bool:
        model = self.model()
        return isinstance(model, OutlookLines) and model.tick(index.row())


class _Tick(QStyledItemDelegate):
    """A press anywhere in the cell of a name ticks it: the box alone is small."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        ticked = index.data(Qt.ItemDataRole.CheckStateRole) is not None
        return super().sizeHint(option, index) + QSize(tokens.SPACE_S if ticked else 0, 0)  # beside the box

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        pressed = isinstance(event, QMouseEvent) and event.button() is Qt.MouseButton.LeftButton
        if pressed and event.type() is QEvent.Type.MouseButtonRelease and isinstance(model, OutlookLines):
            return model.tick(index.row())
        return False


class _DetailArrow(ChoiceArrow):
    """The arrow of a combo box where a detail can be chosen."""

    def offers(self, index: Index) -> bool:
        model = index.model()
        return isinstance(model, OutlookLines) and model.offers(index)


def _view(name: str, model: ColumnLines, view: _Seen) -> _Seen:
    records_view(name, model, view)
    head = view.horizontalHeader()
    head.setStretchLastSection(True)
    head.setMinimumSectionSize(tokens.COLUMN_MIN)
    model.modelReset.connect(view.fit)
    return view
