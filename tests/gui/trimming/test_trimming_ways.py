"""Which columns matter most: ticks in one place, and a few ready-made ways to set them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked, seen
from tests.gui.helpers import idle
from tests.gui.trimming.helpers import source, write
from workbench.anonymise.balanced import Importance
from workbench.gui import tokens
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.ways_dialog import WaysDialog
from workbench.session.release.steps import LevelSource


@pytest.fixture
def dialog(qtbot: QtBot, room: AnonymiseWorkspace) -> WaysDialog:
    """The dialog, once the ways are worked out."""
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "100")
    assert seen(room.result.details.ways, room)
    room.result.details.ways.click()
    idle(qtbot, room)
    asked = knowledge_asked(room)
    asked.ways.click()
    idle(qtbot, room)
    (found,) = asked.findChildren(WaysDialog)
    return found


def test_which_columns_matter_most_is_said_by_ticks_though_all_that_can_occur_is_listed(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "100")
    assert room.result.details.ways.text() == "Which columns matter most…"
    room.result.details.ways.click()
    asked = knowledge_asked(room)
    assert asked.windowTitle() == "Which columns matter most"
    lines = {line.name: line for line in asked.lines}
    assert all(line.needed.isVisible() and line.most.isVisible() for line in asked.lines)
    assert asked.focusWidget() is asked.lines[0].most
    lines["age"].most.click()
    asked.use.click()
    idle(qtbot, room)
    importance = room.document.session.release.steps.importance
    assert importance("age") is Importance.KEEP and importance("city") is Importance.NORMAL


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
    asked = knowledge_asked(room)
    assert room.document.project is before, "nothing is taken over yet"
    assert {line.name: line.most.isChecked() for line in asked.lines} == {"age": True, "city": False}
    asked.use.click()
    idle(qtbot, room)
    assert room.document.session.release.steps.importance("age") is Importance.KEEP
    assert room.outlook.change.words.text().startswith("This change: city coarser; age finer")
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
    assert not seen(room.result.details.ways, room)
