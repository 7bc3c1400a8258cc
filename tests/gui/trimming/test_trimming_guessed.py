"""A draw of which hardly a row may come out, as nobody said what occurs, is not what anybody is led to."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked
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


def test_a_press_on_what_rests_on_a_guess_asks_what_occurs(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    """It tells to say it, so that it is where people press."""
    path = tmp_path / "fees.csv"
    rows = [f"{('North', 'South', 'East')[i % 3]},{1_000 + 37 * i % 90_000}.5" for i in range(2_400)]
    path.write_text("\n".join(["branch,fee", *rows]) + "\n", encoding="utf-8")

    def prepare(session: Session) -> None:
        session.data.set_role(("branch", "fee"), Role.QUASI)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(("branch", "fee"))(SILENT))

    room = anonymising(path, prepare)
    room.resize(1240, 700)
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "2400")
    push(qtbot, room, room.outlook.public.no)
    view, model = room.result.details.view, room.result.details.model
    told = [model.index(row, 1).data() for row in range(model.rowCount())]
    row = told.index("say how far it reaches")
    assert len(told) == 2, "it stands in the place of intervals that are a guess, so that no line moves for it"
    place = view.visualRect(model.index(row, 1)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    dialog = knowledge_asked(room)
    assert {line.name for line in dialog.lines if line.edit.isVisible()} == set(model.guesses) and model.guesses
    line = next(line for line in dialog.lines if line.name == "fee")
    assert dialog.focusWidget() is line.edit, "in the column that was pressed"
    dialog.reject()
