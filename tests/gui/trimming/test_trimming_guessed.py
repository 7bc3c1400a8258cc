"""A draw of which hardly a row may come out, as nobody said what occurs, is not what anybody is led to."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import push, source, write
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.session import Session
from workbench.session.release.steps import LevelSource

NAMES = ("branch", "change")


def test_what_occurs_is_asked_though_no_column_gives_way_for_another(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    path = tmp_path / "savings.csv"
    rows = [f"{('North', 'South', 'East')[i % 3]},{i % 71 - 35}" for i in range(2_400)]
    path.write_text("\n".join([",".join(NAMES), *rows]) + "\n", encoding="utf-8")

    def prepare(session: Session) -> None:
        session.data.set_role(NAMES, Role.QUASI)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(NAMES)(SILENT))

    room = anonymising(path, prepare)
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "2400")
    push(qtbot, room, room.outlook.public.no)
    assert "hardly any" in room.outlook.words.text() and not room.outlook.stars.text()
    assert room.foot.mend.isVisibleTo(room) and room.foot.mend.text() == "Say what occurs in branch and change"
    assert room.next_hint() == room.foot.mend.text()
    for name, words in (("branch", "North, South, East"), ("change", "-40-39")):
        room.document.apply("said", lambda session, name=name, words=words: session.release.steps.set_said(name, words))
    idle(qtbot, room)
    assert not room.foot.mend.isVisibleTo(room), "then it is known"
