"""Which columns matter most: a few ways to share detail, one of which is taken in a press."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen
from tests.gui.helpers import idle
from tests.gui.trimming.helpers import source, write
from workbench.anonymise.balanced import Importance
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
    (found,) = room.findChildren(WaysDialog)
    return found


def test_a_way_is_taken_in_a_press_and_taken_back_by_one(
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
