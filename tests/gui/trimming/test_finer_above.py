"""A finer detail for fewer rows is offered where it is read: above the button that draws, which stays where it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from tests.gui.helpers import Anonymising, idle
from tests.outlook_steps import opened
from tests.test_finer_offer import prepare
from workbench.core.progress import SILENT
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session import Session


@pytest.fixture
def room(qtbot: QtBot, anonymising: Anonymising, tmp_path: Path) -> AnonymiseWorkspace:
    """Pay and job are ticked, and the pay is likely to come out in three intervals."""
    opened(tmp_path / "file")

    def ready(session: Session) -> None:
        session.data.attach_hierarchies(session.data.hierarchy_suggester(session.project.schema.names)(SILENT))
        prepare(session)

    return anonymising(tmp_path / "file" / "staff.csv", ready)


def _answered(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.outlook.public.no.click()
    idle(qtbot, room)


def test_it_is_above_the_button_that_draws_and_one_press_makes_it_so(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    finer, run = room.foot.finer.fine, room.run_button
    assert not finer.isVisibleTo(room), "whether others know the number comes first"
    _answered(qtbot, room)
    assert finer.isVisibleTo(room) and finer.accessibleName().startswith("by 10,000: ")
    assert room.foot.finer.coarse.accessibleName().startswith("pay by 20,000: ")
    assert not room.foot.ready.isVisibleTo(room), "in its place, and the button below has the same in its tip"
    assert "never comes back" in run.toolTip()
    place, own = run.mapTo(room, QPoint()), finer.mapTo(room, QPoint())
    assert own.y() < place.y() and run.property("primary") == "true", "nobody has to"
    finer.setFocus()
    qtbot.keyClick(finer, Qt.Key.Key_Space)
    idle(qtbot, room)
    assert any(one.detail == "6 intervals of 10,000, the last narrower" for one in room.result.details.model.records)
    assert finer.isVisibleTo(room) and finer.isChecked() and finer.mapTo(room, QPoint()) == own, "the way back is there"
    assert run.mapTo(room, QPoint()) == place, "what spends does not move"
    assert room.window().focusWidget() is finer, "the next key does not spend"
    qtbot.keyClick(finer, Qt.Key.Key_Space)
    idle(qtbot, room)
    assert room.document.session.release.result is None


def test_both_ranges_are_told_however_narrow_it_is(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    _answered(qtbot, room)
    ways = room.foot.finer
    for width in (900, 320, 240):
        ways.resize(width, ways.height())
        assert ways.coarse.text().startswith("pay by 20,000: ") and "–" in ways.coarse.text(), width
        assert ways.fine.text().startswith("by 10,000: ") and ways.fine.text().endswith(" %"), width
    assert ways.coarse.text().endswith(" %")


def test_a_draw_before_a_step_is_done_is_smaller_than_what_is_due(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    early = room.run_button
    assert "anyway" in early.text() and early.isEnabled() and early.property("faint") == "true"
    small = early.fontMetrics().height()
    _answered(qtbot, room)
    assert "anyway" not in early.text() and early.property("faint") == "false"
    assert early.fontMetrics().height() > small
