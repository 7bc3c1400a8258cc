"""Questions instead of rows, where rows of so few people would say next to nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import push, source, write
from workbench.core.hierarchy import Hierarchy
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session import Session
from workbench.session.release.steps import LevelSource

NAMES = ("born", "post", "team", "hired", "days")


def build(session: Session) -> None:
    for name in NAMES:
        session.data.attach_hierarchy(name, Hierarchy.from_rows([(f"{name} {number}", "*") for number in range(8)]))
    session.data.declare_imported(NAMES)


@pytest.fixture
def room(qtbot: QtBot, anonymising: Anonymising, tmp_path: Path) -> AnonymiseWorkspace:
    path = tmp_path / "people.csv"
    rows = "".join(";".join(f"{name} {(i * k) % 8}" for k, name in enumerate(NAMES, 1)) + "\n" for i in range(200))
    path.write_text(f"{';'.join(NAMES)}\n{rows}", encoding="utf-8")
    made = anonymising(path, build)
    idle(qtbot, made)
    return made


def test_where_most_columns_would_say_nothing_a_question_is_offered_and_nobody_is_led_to_it(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    push(qtbot, room, room.outlook.public.no)
    write(qtbot, room, room.plan.rows, "200,000")
    offered = room.outlook.buttons[0]
    assert "question" not in offered.text()
    write(qtbot, room, room.plan.rows, "200")
    assert offered.text() == "Ask a question instead: a mean by group keeps more"
    assert "question" not in room.next_hint(), "rows are what somebody came for"
    with qtbot.waitSignal(room.go_to) as gone:
        push(qtbot, room, offered)
    assert gone.args == ["query"]
