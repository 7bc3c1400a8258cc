"""What is to be decided before a draw comes one at a time: what occurs, then one offer, then what matters most."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked
from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import push, source, write
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session import Session
from workbench.session.release.purpose import tick
from workbench.session.release.steps import LevelSource

WARDS = ("Medicine", "Emergency", "Surgery", "Paediatrics", "Eye clinic")
NAMES = ("ward", "age", "sex", "charge")
SAID = {"ward": ", ".join(WARDS), "age": "0-110", "charge": "0-100000"}
ASKED = "Say what occurs in what you ticked"


@pytest.fixture
def room(qtbot: QtBot, anonymising: Anonymising, tmp_path: Path) -> AnonymiseWorkspace:
    """The room with visits of which nothing is said but how many there are; no row is read before a draw."""
    path = tmp_path / "visits.csv"
    rows = [f"{WARDS[i % 5]},{i * 7 % 90},{'mf'[i % 2]},{37 * i % 9_000}.5" for i in range(400)]
    path.write_text("\n".join([",".join(NAMES), *rows]) + "\n", encoding="utf-8")

    def prepare(session: Session) -> None:
        session.data.set_role(NAMES, Role.QUASI)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(NAMES)(SILENT))

    made = anonymising(path, prepare)
    made.resize(1240, 700)
    source(qtbot, made, LevelSource.BALANCED)
    write(qtbot, made, made.plan.rows, "9000")
    push(qtbot, made, made.outlook.public.no)
    return made


def _tick(qtbot: QtBot, room: AnonymiseWorkspace, *names: str) -> None:
    for name in names:
        room.document.apply(name, partial(tick, name=name, ticked=True))
        idle(qtbot, room)


def _say(qtbot: QtBot, room: AnonymiseWorkspace, *names: str) -> None:
    push(qtbot, room, room.foot.mend)
    dialog = knowledge_asked(room)
    for line in dialog.lines:
        if line.name in names:
            line.edit.setText(SAID[line.name])
    dialog.use.click()
    idle(qtbot, room)


def _offers(room: AnonymiseWorkspace) -> list[str]:
    """What is offered beside the button that is next."""
    bar = room.outlook
    parts = (room.foot.finer.fine, bar.purpose, bar.more, *bar.buttons)
    return [one.accessibleName() for one in parts if one.isVisibleTo(room)]


def test_the_button_that_asks_keeps_its_words_with_every_tick_and_no_figure_is_told_before_the_answer(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    details = room.result.details
    for name in ("ward", "age", "charge"):
        details.view.held = True  # the pointer is in the table, where the column of the figures stays
        _tick(qtbot, room, name)
        assert room.foot.mend.text() == ASKED == room.next_hint() and name in room.foot.mend.toolTip()
        shown = {details.model.index(row, 2).data() for row in range(details.model.rowCount())} - {""}
        assert shown == {"–"}, "one percentage beside another that is asked for was read as the result"
        assert room.outlook.words.text() == "Once it is said what occurs, it is told how many come out."
        assert not details.model.needs and "%" not in details.more.text()
        assert " of 100 rows" not in str(details.model.index(1, 2).data(3))
    details.view.held = False
    for answer in (room.outlook.public.yes, room.outlook.public.no):
        push(qtbot, room, answer)
        assert " of 100" not in room.outlook.change.words.text(), "nor what became of one"
    _say(qtbot, room, "ward", "age", "charge")
    shown = {details.model.rows_words(one) for one in details.model.records} - {""}
    assert shown and "–" not in shown and "of 9,000 people" in room.outlook.words.text().lower()


def test_an_answer_is_not_compared_with_a_figure_that_nobody_was_told(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    write(qtbot, room, room.plan.rows, "6000")
    _tick(qtbot, room, "ward", "age", "charge")
    _say(qtbot, room, "ward", "age", "charge")
    assert room.outlook.change.words.text() == "This change: charge keeps 10 intervals before others are finer."


def test_all_that_is_ticked_is_asked_in_the_first_dialog_and_what_was_left_empty_in_no_second_one(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    _tick(qtbot, room, "ward", "age", "charge")
    push(qtbot, room, room.foot.mend)
    dialog = knowledge_asked(room)
    bold = [line.name for line in dialog.lines if line.title.property("strong") == "true"]
    assert bold == ["ward", "age", "charge"]
    dialog.reject()
    idle(qtbot, room)
    _say(qtbot, room, "ward", "charge")
    assert not room.foot.mend.isVisibleTo(room), "the draw is next"
    assert not [one for one in _offers(room) if one.startswith("Say what occurs")]


def test_one_thing_is_offered_beside_the_draw_and_what_matters_most_is_folded_until_then(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    _tick(qtbot, room, "ward", "age", "charge")
    assert _offers(room) == [] and not room.foot.ways.isVisibleTo(room)
    _say(qtbot, room, "ward", "age", "charge")
    ways = room.foot.ways
    (finer,) = _offers(room)
    room.outlook.show_alone(True)  # without the table, as in a narrow window
    room.foot.refresh()
    assert _offers(room) == [finer]
    room.outlook.show_alone(False)
    assert finer.startswith("by 20: ") and room.run_button.property("primary") == "true"
    assert ways.isVisibleTo(room) and not ways.fold.is_open and not ways.may.isVisibleTo(room)
    ways.fold.button.click()
    assert ways.may.isVisibleTo(room), "who asks sees both"
    ways.fold.button.click()
    assert not ways.may.isVisibleTo(room)
    push(qtbot, room, room.foot.finer.fine)
    assert _offers(room) == [finer], "columns are left out by the ticks, and all that can occur is said"
    assert not ways.fold.is_open, "who folded them has them folded"


def test_what_matters_most_does_not_unfold_by_itself(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    _tick(qtbot, room, "ward", "age", "charge")
    _say(qtbot, room, "ward", "age", "charge")
    assert not room.foot.ways.fold.is_open
    push(qtbot, room, room.foot.finer.fine)
    ways = room.foot.ways
    assert ways.isVisibleTo(room) and not ways.fold.is_open and not ways.may.isVisibleTo(room)
    ways.fold.button.click()
    assert ways.may.isVisibleTo(room)


def test_two_details_stand_beside_each_other_and_the_way_back_is_where_it_was(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    _tick(qtbot, room, "ward", "age", "charge")
    _say(qtbot, room, "ward", "age", "charge")
    coarse, fine = room.foot.finer.buttons
    words = [one.accessibleName() for one in (coarse, fine)]
    assert words[0].startswith("age by 40: ") and words[0].endswith(" % of rows come out") and words[1][-2:] == " %"
    assert coarse.isChecked() and not fine.isChecked()
    before, told = room.document.project.anonymise, room.outlook.words.text()
    forecast = [(one.column, one.detail, one.rows_words) for one in room.result.details.model.records]
    push(qtbot, room, fine)
    assert fine.isChecked() and not coarse.isChecked() and room.document.project.anonymise != before
    assert [one.accessibleName() for one in (coarse, fine)] == words, "both are what they were"
    assert room.outlook.change.isHidden() or room.outlook.change.words.text(), "no Undo stands alone"
    kept = room.document.project.anonymise
    push(qtbot, room, fine)
    assert room.document.project.anonymise == kept, "a second press changes nothing"
    push(qtbot, room, coarse)
    assert coarse.isChecked() and room.outlook.words.text() == told
    assert [(one.column, one.detail, one.rows_words) for one in room.result.details.model.records] == forecast
    assert room.document.project.anonymise.level_choice.limits == before.level_choice.limits
    push(qtbot, room, fine)
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert coarse.isChecked(), "Undo of the menu is shown in the same place"


def test_what_came_out_says_of_what_it_is_so_many_percent(room: AnonymiseWorkspace) -> None:
    headings = [one.title for one in room.result.columns.model.columns]
    assert headings == ["Column", "Detail", "Of the file", "No row says"]


def test_where_the_forecast_stands_by_itself_its_place_is_never_empty(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    bar, later = room.outlook, room.outlook.later
    assert not later.isVisibleTo(room), "the table beside the steps says what is to come"
    bar.show_alone(True)  # without the table, as in a narrow window
    assert later.isVisibleTo(room) and bar.words.text() == ""
    assert later.text() == "What is likely to come out is told here, once you have answered what is asked."
    _tick(qtbot, room, "ward", "age", "charge")
    assert bar.words.text() and not later.isVisibleTo(room), "it goes once something is told there"
