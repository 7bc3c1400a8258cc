"""Whether what matters most may become `*` is a choice beside the settings, as the forecast that it rests on."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from tests.gui.trimming.helpers import push, source, write
from workbench.anonymise.balanced import Importance
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session.release.assessment import assess
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import least_of


def _matters_most(qtbot: QtBot, room: AnonymiseWorkspace, people: str) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, people)
    room.document.apply("age", lambda session: session.release.steps.set_importance("age", Importance.KEEP))
    room.document.apply("city", lambda session: session.release.steps.set_importance("city", Importance.KEEP))
    idle(qtbot, room)


def test_both_ways_stand_below_the_forecast_and_are_chosen_and_taken_back(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    ways = room.foot.ways
    assert not ways.isVisibleTo(room), "nothing is said to matter most"
    _matters_most(qtbot, room, "900")
    assert ways.isVisibleTo(room) and ways.may.isChecked() and not ways.never.isChecked()
    may, never, coarser = (one.text() for one in ways.words)
    assert not coarser and not ways.coarser.isVisibleTo(room), "no numbers are among them that could be coarser"
    assert may.startswith("Write * for rare values of ")
    assert " % of rows come out, but only " in may and " % still say " in may
    assert never.startswith("Never * in age and city: ") and never.endswith(" % of rows come out")
    assert not any(one.text().startswith("Never *") for one in room.outlook.buttons), "it is offered once"
    assert room.outlook.words.mapTo(room, QPoint()).y() < ways.mapTo(room, QPoint()).y()
    assert not room.foot.isAncestorOf(ways), "it takes no room from the settings"
    before = room.document.project
    qtbot.mouseClick(ways.words[1], Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    session = room.document.session
    assert any(least_of(session, name) is not None for name in ("age", "city"))
    assert ways.isVisibleTo(room) and ways.never.isChecked(), "the other way stays beside it"
    assert [one.text() for one in ways.words] == [may, never, ""]
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert room.document.project == before and ways.may.isChecked()
    push(qtbot, room, ways.never)
    push(qtbot, room, ways.may)
    assert not any(least_of(session, name) is not None for name in ("age", "city")) and ways.may.isChecked()


def test_what_was_chosen_stays_in_sight_though_both_ways_come_to_the_same_since(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    ways = room.foot.ways
    _matters_most(qtbot, room, "900")
    push(qtbot, room, ways.never)
    for epsilon in ("3", "9"):
        write(qtbot, room, room.promise.fields["epsilon"], epsilon)
        assert ways.isVisibleTo(room) and ways.never.isChecked(), epsilon
        assert ways.words[1].text().startswith("Never * in ")


def test_ways_that_come_to_the_same_are_shown_only_where_one_was_chosen(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    ways = room.foot.ways
    _matters_most(qtbot, room, "900")
    choice = assess(room.document.session).stars
    assert choice is not None and not choice.alike and ways.isVisibleTo(room)
    alike = replace(choice, alike=True)
    ways.show_choice(alike)
    assert not ways.isVisibleTo(room), "nobody is asked what makes no difference"
    ways.show_choice(choice)
    push(qtbot, room, ways.never)
    ways.show_choice(replace(alike, is_never=True))
    assert ways.isVisibleTo(room) and ways.never.isChecked(), "it is what was chosen"
