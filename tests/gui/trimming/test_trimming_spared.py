"""What would say nothing in any row is left out with the draw, unless somebody takes that back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked
from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import push, source, write
from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session import Session
from workbench.session.release.knowledge import answer_number, say_matters_most
from workbench.session.release.steps import LevelSource
from workbench.session.suggested_hierarchies import hierarchy_suggester

OFFERED = "Leave out what stays *: age"


@pytest.fixture
def ticked(qtbot: QtBot, room: AnonymiseWorkspace) -> AnonymiseWorkspace:
    """City is what the release of so few people is for, so that age would be `*` in every row."""
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "300")
    push(qtbot, room, room.outlook.public.no)
    assert room.outlook.spares.isHidden(), "before that is said, it may be what the release is for"
    room.document.apply("tick", lambda session: say_matters_most(session, "city", most=True))
    idle(qtbot, room)
    assert room.outlook.stars.text() == "* (no value) in every row: age"
    return room


def columns_of_the_draw(qtbot: QtBot, room: AnonymiseWorkspace) -> tuple[str, ...]:
    push(qtbot, room, room.run_button)
    return tuple(room.document.session.release.current_result().outcome.recipe.levels)


def test_it_is_left_out_with_the_draw(qtbot: QtBot, ticked: AnonymiseWorkspace) -> None:
    spares = ticked.outlook.spares
    assert spares.isVisibleTo(ticked) and spares.isChecked() and spares.accessibleName() == OFFERED
    assert spares.toolTip() == "age would be * in every row: nothing is lost without it."
    assert not [one.text() for one in ticked.outlook.buttons if one.isVisibleTo(ticked)], "nothing is offered twice"
    assert columns_of_the_draw(qtbot, ticked) == ("city",)
    assert not ticked.outlook.spares.isVisibleTo(ticked)
    assert ticked.document.undo_stack.undoText() == "Leave age out", "one step, which can be taken back"


def test_who_unticks_it_has_the_column_in_the_file(qtbot: QtBot, ticked: AnonymiseWorkspace) -> None:
    before = ticked.document.project
    ticked.outlook.spares.click()
    assert ticked.document.project == before, "nothing is done before the draw"
    ticked.document.apply("ε", lambda session: session.release.steps.set_importance("age", Importance.GIVE_UP))
    idle(qtbot, ticked)
    assert not ticked.outlook.spares.isChecked(), "as it was said of this table"
    assert columns_of_the_draw(qtbot, ticked) == ("age", "city")


def members(anonymising: Anonymising, folder: Path) -> AnonymiseWorkspace:
    """A room in which two columns matter most, and the other two are ticked to be left out."""
    lines = "".join(
        f"{1 + i % 28:02}.{1 + i % 12:02}.{2000 + i % 20};{('Judo', 'Chess', 'Rowing', 'Tennis')[i % 4]};"
        f"{i * 7919 % 1000},{i % 100:02};{i % 80}\n"
        for i in range(700)
    )
    path = folder / "members.csv"
    path.write_text(f"joined;club;fee;visits\n{lines}", encoding="utf-8")

    def prepare(session: Session) -> None:
        names = session.project.schema.names
        session.data.set_role(names, Role.QUASI)
        found = hierarchy_suggester(session.data.table, session.project.schema, names)(SILENT)
        for name, hierarchy in found.items():
            session.data.attach_hierarchy(name, hierarchy)
        session.release.steps.set_source(LevelSource.BALANCED)
        session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=700))
        answer_number(session, known=False)
        for name in ("club", "fee"):
            say_matters_most(session, name, most=True)

    room = anonymising(path, prepare)
    spares = room.outlook.spares
    assert spares.isVisibleTo(room) and spares.isChecked() and spares.accessibleName().endswith("joined and visits")
    return room


def left_out(room: AnonymiseWorkspace) -> list[str]:
    columns = room.document.session.release.columns
    return [name for name in ("joined", "visits") if columns.treatment(name) is Treatment.LEAVE_OUT]


SAID = {"club": "Judo, Chess, Rowing, Tennis", "fee": "0-1000"}


def test_what_was_ticked_to_be_left_out_stays_so_where_others_change_by_it_once_something_was_said(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    """Without the other two a fee up to 1,000 is told in finer intervals: what is drawn must be seen, and left out."""
    room = members(anonymising, tmp_path)
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    needed = {line.name: line.needed.isChecked() for line in dialog.lines}
    assert needed == {"joined": False, "club": True, "fee": True, "visits": False}, "as the page has it"
    for line in dialog.lines:
        line.edit.setText(SAID.get(line.name, ""))
    dialog.use.click()
    idle(qtbot, room)
    undo = room.document.undo_stack.undoText()
    assert left_out(room) == ["joined", "visits"] and undo == "What is known without the file", "one step"
    assert columns_of_the_draw(qtbot, room) == ("club", "fee")


def test_who_says_that_a_column_is_needed_after_all_keeps_it(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    room = members(anonymising, tmp_path)
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    (visits,) = (line for line in dialog.lines if line.name == "visits")
    visits.needed.click()
    for line in dialog.lines:
        line.edit.setText({**SAID, "visits": "0-79"}.get(line.name, ""))
    dialog.use.click()
    idle(qtbot, room)
    assert left_out(room) == ["joined"] and room.document.project.anonymise.trim.occurring["visits"] == "0-79"
