"""What matters most may be `*`, never is, or is coarser for it: the third way is there where it helps."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import push
from tests.test_coarser_way import prepare, written


def test_coarser_numbers_are_one_press_and_the_way_back_is_beside_them(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    room = anonymising(written(tmp_path / "bank"), prepare)
    room.resize(1240, 700)
    idle(qtbot, room)
    ways = room.foot.ways
    assert ways.may.isChecked() and ways.coarser.isVisibleTo(room)
    assert ways.words[2].text() == "Balance by 10,000 and never *: 55–95 % of rows come out"
    assert ways.coarser.accessibleName() == ways.words[2].text()
    before = room.document.project.anonymise
    push(qtbot, room, ways.coarser)
    shown = {one.column: one.words for one in room.result.details.model.records if max(one.rows)}
    assert shown == {"region": "as it is", "product": "as it is", "balance": "intervals of 10,000"}
    assert ways.never.isChecked() and not ways.coarser.isVisibleTo(room) and not ways.words[2].isVisibleTo(room)
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert room.document.project.anonymise == before and ways.coarser.isVisibleTo(room), "it was one step"
