"""Which columns matter most: ticks beside their names, and a few ready-made ways to set them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen
from tests.gui.helpers import idle
from tests.gui.trimming.helpers import source, write
from workbench.anonymise.balanced import Importance
from workbench.gui import tokens
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_lines import one_lines
from workbench.gui.workspaces.anonymise.column_tables import DetailTable
from workbench.gui.workspaces.anonymise.ways_dialog import WaysDialog
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import Prospect
from workbench.session.release.steps import LevelSource


@pytest.fixture
def table(qtbot: QtBot, room: AnonymiseWorkspace) -> DetailTable:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "100")
    return room.result.details


@pytest.fixture
def dialog(qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable) -> WaysDialog:
    """The dialog, once the ways are worked out."""
    assert seen(table.ways, room)
    table.ways.click()
    idle(qtbot, room)
    (found,) = table.findChildren(WaysDialog)
    return found


def named(table: DetailTable, name: str) -> QModelIndex:
    """The cell of a column's name, with its tick."""
    rows = range(table.model.rowCount())
    return next(table.model.index(row, 0) for row in rows if table.model.index(row, 0).data() == name)


def ticks(table: DetailTable) -> dict[str, Qt.CheckState]:
    """What each line with a tick shows."""
    found = {}
    for row in range(table.model.rowCount()):
        cell = table.model.index(row, 0)
        if (state := cell.data(Qt.ItemDataRole.CheckStateRole)) is not None:
            found[str(cell.data())] = Qt.CheckState(state)
    return found


def press(qtbot: QtBot, table: DetailTable, name: str) -> None:
    place = table.view.visualRect(named(table, name)).center()
    qtbot.mouseClick(table.view.viewport(), Qt.MouseButton.LeftButton, pos=place)


ON, OFF = Qt.CheckState.Checked, Qt.CheckState.Unchecked


def test_what_the_release_is_for_is_ticked_beside_the_names_and_each_tick_is_one_step(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    importance, before = room.document.session.release.steps.importance, room.document.project
    assert ticks(table) == {"age": OFF, "city": OFF} and table.asks.text() == "Tick what the release is for"
    press(qtbot, table, "age")
    assert ticks(table)["age"] is ON, "at once, whatever the forecast takes"
    idle(qtbot, room)
    assert importance("age") is Importance.KEEP and importance("city") is Importance.NORMAL
    assert ticks(table) == {"age": ON, "city": OFF}
    assert not any(one.column == "age" for one in table.model.records if one.words == "*"), "the other one pays for it"
    press(qtbot, table, "age")
    idle(qtbot, room)
    assert importance("age") is Importance.NORMAL and ticks(table)["age"] is OFF
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert importance("age") is Importance.KEEP and ticks(table)["age"] is ON
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert room.document.project == before


def test_a_tick_is_set_by_the_space_bar_and_only_on_the_name(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    importance = room.document.session.release.steps.importance
    table.view.setCurrentIndex(named(table, "city"))
    qtbot.keyClick(table.view, Qt.Key.Key_Space)
    idle(qtbot, room)
    assert importance("city") is Importance.KEEP
    assert table.view.currentIndex().data() == "city", "the next key is for the same column"
    qtbot.keyClick(table.view, Qt.Key.Key_Space)
    idle(qtbot, room)
    assert importance("city") is Importance.NORMAL


def test_a_tick_that_cannot_be_taken_over_is_not_shown(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room.document, "apply", lambda *_args, **_others: False)
    press(qtbot, table, "age")
    assert ticks(table)["age"] is OFF


def test_a_level_in_some_rows_and_a_star_in_the_others_is_one_line(table: DetailTable) -> None:
    level = DetailOutlook("race", 0, "as it is", (0, 98), (40, None), usual=68)
    star = DetailOutlook("race", 1, "*", (2, 90), usual=25)
    coarser = replace(level, level=1, words="2 groups")
    doubtful = replace(level, column="cost", unknown=True)
    table.show_assessment(PromiseAssessment(details=(level, star)))
    (line,) = table.model.records
    assert (line.words, line.rows_words, line.needs_words) == ("as it is, or *", level.rows_words, level.needs_words)
    told = " ".join(table.model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole).split())
    tip = table.model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert "* where a value is too rare." in tip, "in which rows it is which"
    assert told.startswith(level.rows_told) and told.lower().endswith(star.rows_told.lower())
    table.show_assessment(PromiseAssessment(details=(level, coarser, replace(star, level=2))))
    assert [one.words for one in table.model.records] == ["as it is", "2 groups", "*"], "of which it is is to be seen"
    table.show_assessment(PromiseAssessment(details=(doubtful, replace(star, column="cost"))))
    assert [one.words for one in table.model.records] == ["as it is", "say how far it reaches", "*"]
    (line,) = one_lines((replace(level, guessed=True), star))
    assert line.words == "say what occurs" and "or *" not in line.detail, "what is to be done is not read as a state"


def test_intervals_that_widen_or_a_star_say_where_they_end(table: DetailTable) -> None:
    words, ends = "4 intervals, widening to 90,000", "0, 100, 1,000 … 100,000"
    level = DetailOutlook("charge", 2, words, (60, 98), (14, 600), ends=ends)
    table.show_assessment(PromiseAssessment(details=(level, DetailOutlook("charge", 3, "*", (2, 30)))))
    assert table.model.index(0, 1).data() == f"4 intervals: {ends}, or *"
    table.show_assessment(PromiseAssessment(details=(level,)))
    assert table.model.index(0, 1).data() == f"4 intervals: {ends}"


def test_a_range_that_says_nothing_is_unknown_until_it_is_said_what_occurs(
    table: DetailTable,
) -> None:
    """“Perhaps 89 (0–98)” was read as a figure, where an answer was wanting."""

    wide = DetailOutlook("age", 1, "intervals of 5", (0, 98), (14, 600), usual=89)
    narrow = DetailOutlook("city", 0, "as it is", (80, 98), (14, 14))
    rows, lost = (0, 2), (0, 1)
    outlook = Outlook((8,), "", typed=True, unknown=("age", "city"))
    table.show_assessment(PromiseAssessment(details=(wide, narrow), prospect=Prospect("", "", outlook=outlook)))
    assert [table.model.index(row, 2).data() for row in range(2)] == ["unknown", "80–98"]
    tip = " ".join(table.model.index(*rows).data(Qt.ItemDataRole.ToolTipRole).split())
    assert tip.startswith("0 to 98 of 100 rows") and "in age and city: say it, under “Say what occurs”" in tip
    assert table.model.needs[0] == "age 14 or more", "nor how many are enough"
    assert "600" not in table.model.index(*lost).data(Qt.ItemDataRole.ToolTipRole)
    known = replace(outlook, unknown=())
    table.show_assessment(PromiseAssessment(details=(wide, narrow), prospect=Prospect("", "", outlook=known)))
    assert table.model.index(*rows).data() == "perhaps 89 (0–98)"
    assert table.model.needs[0] == "age 14–600"
    assert "600" in table.model.index(*lost).data(Qt.ItemDataRole.ToolTipRole)


def test_of_a_column_that_says_nothing_it_is_not_said_in_how_many_rows(table: DetailTable) -> None:
    star = DetailOutlook("race", 1, "*", (90, 98))
    table.show_assessment(PromiseAssessment(details=(star, replace(star, column="age", words="2 groups"))))
    assert [table.model.index(row, 2).data() for row in range(2)] == ["", "90–98"]


def test_in_which_order_columns_are_ticked_makes_no_difference(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    found = []
    for names in (("age", "city"), ("city", "age")):
        for name in names:
            press(qtbot, table, name)
            idle(qtbot, room)
        found.append(room.document.project.anonymise)
        for _ in names:
            room.document.undo_stack.undo()
        idle(qtbot, room)
    assert found[0] == found[1]


def test_what_a_ready_made_line_says_is_whole(qtbot: QtBot, room: AnonymiseWorkspace, dialog: WaysDialog) -> None:
    assert dialog.view.textElideMode() is Qt.TextElideMode.ElideNone and dialog.view.wordWrap()
    dialog.resize(360, dialog.height())
    idle(qtbot, room)
    for row, one in enumerate(dialog.model.records):
        metrics = QFontMetrics(dialog.view.font())
        words, room_of_words = ", ".join(one.mostly), dialog.view.columnWidth(0) - tokens.SPACE_M
        shape = metrics.boundingRect(0, 0, room_of_words, 0, Qt.TextFlag.TextWordWrap, words)
        assert dialog.view.rowHeight(row) >= shape.height() > 0
    assert max(map(dialog.view.rowHeight, range(len(dialog.model.records)))) > 2 * metrics.lineSpacing()


def test_a_way_sets_the_ticks_and_is_taken_back_by_one_undo(
    qtbot: QtBot, room: AnonymiseWorkspace, dialog: WaysDialog
) -> None:
    now, other = dialog.model.records[0], dialog.model.records[1]
    assert now.is_now and not other.is_now
    assert now.mostly[0].startswith("city") and now.never == ("age",)
    assert other.kept == ("age",) and other.mostly[0].startswith("age"), "what it pays with is the other column"
    assert dialog.view.currentIndex().row() == 0 and not dialog.use.isEnabled(), "nothing is chosen in anybody's name"
    dialog.view.selectRow(1)
    before = room.document.project
    dialog.use.click()
    idle(qtbot, room)
    assert ticks(room.result.details) == {"age": ON, "city": OFF}
    assert room.document.session.release.steps.importance("age") is Importance.KEEP
    assert room.outlook.change.words.text().startswith("This change: city gives way."), "for its tick"
    room.outlook.change.undo.click()
    idle(qtbot, room)
    assert room.document.project == before


def test_the_present_way_is_nothing_to_take(qtbot: QtBot, room: AnonymiseWorkspace, dialog: WaysDialog) -> None:
    before = room.document.project
    dialog.view.selectRow(0)
    assert not dialog.use.isEnabled()
    qtbot.keyClick(dialog.view, Qt.Key.Key_Return)
    dialog.accept()
    assert dialog.isVisible() and room.document.project is before


def test_no_ways_are_offered_where_degrees_decide(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.STEPS)
    assert not seen(room.result.details.ways, room) and not ticks(room.result.details)


def test_where_no_other_ticks_tell_more_a_short_line_says_where_else_to_look(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    write(qtbot, room, room.plan.rows, "20")
    table.ways.click()
    (dialog,) = table.findChildren(WaysDialog)
    tall = dialog.height()
    idle(qtbot, room)
    assert dialog.told.text() == (
        "No other ticks were found that tell more. To try other details, press one in the table."
    ), "which may well tell more"
    assert not dialog.view.isVisible() and not dialog.use.isVisible() and dialog.height() < tall / 2
    dialog.reject()
    write(qtbot, room, room.plan.rows, "100")
    table.ways.click()
    idle(qtbot, room)
    (dialog,) = (one for one in table.findChildren(WaysDialog) if one.isVisible())
    assert dialog.view.isVisible() and len(dialog.model.records) > 1
