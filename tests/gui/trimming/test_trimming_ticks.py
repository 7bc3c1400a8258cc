"""Ticks of what a release is for are made one at a time: after the first nothing looks lost, and nobody is hurried."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import push, write
from workbench.core.hierarchy import Hierarchy
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.purpose_ticks import IN_THE_FILE
from workbench.session import Session
from workbench.session.release.knowledge import answer_number
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import wish_exactly

COLUMNS = ("club", "age", "town", "work")


def opened(anonymising: Anonymising, tmp_path: Path, *, answered: bool = True) -> AnonymiseWorkspace:
    """So few people with four listed columns that one column alone says something beside a ticked one."""
    path = tmp_path / "people.csv"
    lines = "".join(f"c{i % 6},{20 + i % 40},t{i % 30},w{i % 25}\n" for i in range(500))
    path.write_text(f"{','.join(COLUMNS)}\n{lines}", encoding="utf-8")
    listed = [[f"c{i}" for i in range(6)], [str(i) for i in range(20, 60)], [f"t{i}" for i in range(30)]]
    listed.append([f"w{i}" for i in range(25)])

    def prepare(session: Session) -> None:
        for name, values in zip(COLUMNS, listed, strict=True):
            session.data.attach_hierarchy(name, Hierarchy.from_rows([(one, "*") for one in values]))
        session.release.steps.set_source(LevelSource.BALANCED)
        session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=500))
        if answered:
            answer_number(session, known=False)

    return anonymising(path, prepare)


@pytest.fixture
def room(qtbot: QtBot, anonymising: Anonymising, tmp_path: Path) -> AnonymiseWorkspace:
    return opened(anonymising, tmp_path)


def details(room: AnonymiseWorkspace) -> dict[str, str]:
    model = room.result.details.model
    return {model.index(row, 0).data(): model.index(row, 1).data() for row in range(model.rowCount())}


def tick(qtbot: QtBot, room: AnonymiseWorkspace, name: str) -> None:
    model = room.result.details.model
    row = next(row for row in range(model.rowCount()) if model.index(row, 0).data() == name)
    assert model.tick(row)
    idle(qtbot, room)


def test_what_to_tick_is_said_before_anybody_said_how_many_people_there_are(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    room = opened(anonymising, tmp_path, answered=False)
    room.document.apply("x", lambda s: s.release.set_trimming(replace(s.project.anonymise.trim, expected_rows=None)))
    idle(qtbot, room)
    table = room.result.details
    assert table.model.guessed and set(table.model.ticks) == set(COLUMNS)
    assert table.asks.text() == "Tick what the release is for", "boxes with no word beside them are a riddle"
    tip = table.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert (
        " ".join(tip.split())
        == "Ticked: it is in the file; what is not ticked is not, unless “The others too” is ticked"
    ), "a sentence"


def want_others(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.result.details.others.click()
    idle(qtbot, room)


def released(room: AnonymiseWorkspace) -> set[str]:
    return set(room.document.session.release.columns.quasi_identifiers())


def test_with_the_first_tick_the_others_are_not_in_the_file_and_each_tick_takes_its_column_in(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    table, before = room.result.details, room.document.project
    assert not table.others.isVisibleTo(room), "which others, while nothing is ticked"
    tick(qtbot, room, "club")
    assert released(room) == {"club"} and not table.others.isChecked()
    told = details(room)
    assert list(told) == list(COLUMNS), "each stays in its place, whatever is ticked"
    assert told.pop("club") == "as it is" and set(told.values()) == {"not in the file"}
    assert room.run_button.text().startswith("Make the release of 1 column · ")
    tick(qtbot, room, "town")
    assert released(room) == {"club", "town"}
    assert room.run_button.text().startswith("Make the release of 2 columns · ")
    tick(qtbot, room, "club")
    assert released(room) == {"town"}
    tick(qtbot, room, "town")
    assert released(room) == set(COLUMNS) and room.document.project.anonymise == before.anonymise, "as it began"
    tick(qtbot, room, "town")
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert released(room) == set(COLUMNS) and room.document.project.anonymise == before.anonymise


def test_in_which_order_columns_are_ticked_makes_no_difference(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    found = []
    for names in (("club", "age", "work"), ("work", "club", "age"), ("town", "age", "club", "work", "town")):
        for name in names:
            tick(qtbot, room, name)
        found.append(room.document.project.anonymise)
        for name in ("club", "age", "work"):
            tick(qtbot, room, name)
    assert found[0] == found[1] == found[2]


def test_the_others_are_in_the_file_too_where_somebody_wants_that_and_stay_with_every_tick(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    table = room.result.details
    tick(qtbot, room, "club")
    want_others(qtbot, room)
    assert released(room) == set(COLUMNS) and table.others.isChecked()
    assert room.run_button.text().startswith("Make the release · "), "of all of them"
    tick(qtbot, room, "town")
    tick(qtbot, room, "club")
    assert released(room) == set(COLUMNS) and table.others.isChecked()
    want_others(qtbot, room)
    assert released(room) == {"town"} and not table.others.isChecked()


def test_the_others_stay_on_offer_and_it_is_told_where_they_would_say_nothing_in_any_row(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """So few people that a second column costs the first: the box would lead to columns of `*` alone."""
    table = room.result.details
    write(qtbot, room, room.outlook.rows, "100000")
    tick(qtbot, room, "club")
    assert table.others.isVisibleTo(room) and "say nothing" not in table.others.toolTip()
    write(qtbot, room, room.outlook.rows, "60")
    assert released(room) == {"club"} and table.others.isVisibleTo(room) and table.others.isEnabled()
    assert table.others.toolTip().startswith("Now they would say nothing in any row")
    write(qtbot, room, room.outlook.rows, "100000")
    want_others(qtbot, room)
    write(qtbot, room, room.outlook.rows, "60")
    assert table.others.isVisibleTo(room) and table.others.isChecked(), "what was wanted can be taken back"


def test_a_column_of_which_one_detail_was_chosen_stays_beside_what_is_ticked(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.document.apply("exactly", lambda session: wish_exactly(session, "age", 0))
    idle(qtbot, room)
    tick(qtbot, room, "club")
    assert released(room) == {"club", "age"}


def test_a_column_that_gives_way_says_that_it_is_not_ticked(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    waiting = "*, not ticked"
    assert waiting not in details(room).values(), "before the first tick nothing gives way for one"
    tick(qtbot, room, "club")
    want_others(qtbot, room)
    told = details(room)
    assert told.pop("club") == "as it is" and set(told.values()) == {waiting}
    tick(qtbot, room, "town")
    told = details(room)
    assert waiting not in (told["club"], told["town"]) and waiting in (told["age"], told["work"])


def test_before_the_first_tick_the_table_has_columns_and_details_and_no_figure(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """Figures that the first tick changes are nothing to read, let alone to worry about."""
    table, foot = room.result.details, room.foot
    assert table.model.rowCount() == len(COLUMNS), "one line each"
    figures = [table.model.index(row, 2).data() for row in range(len(COLUMNS))]
    assert set(figures) <= {"–", ""} and "–" in figures
    assert not table.view.isColumnHidden(2) and not table.model.needs, "its column is there: it does not come and go"
    tips = [table.model.index(row, 2).data(Qt.ItemDataRole.ToolTipRole) for row in range(len(COLUMNS))]
    assert any(tips), "they are there for whoever points at them"
    assert not any(" or " in told for told in details(room).values()), "plain starts"
    assert table.asks.text() == "Tick what the release is for" and IN_THE_FILE in table.asks.toolTip()
    assert room.outlook.words.text() == "" and not room.outlook.rare.isVisibleTo(room)
    assert foot.run_button.isEnabled(), "which nobody must"
    tick(qtbot, room, "club")
    tick(qtbot, room, "town")
    figures = [table.model.index(row, 2).data() for row in range(table.model.rowCount())]
    assert any(one and one != "–" for one in figures) and room.outlook.words.text().startswith("Of 500 people")
    assert table.model.rowCount() > len(COLUMNS) or any(" or " in told for told in details(room).values())


def test_beside_the_steps_no_detail_is_told_either_before_the_number_is_answered_and_something_ticked(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    room = opened(anonymising, tmp_path, answered=False)
    idle(qtbot, room)
    assert room.foot.ready.text() == "First say whether others know."
    assert room.outlook.stars.text() == room.outlook.detail.text() == ""
    tick(qtbot, room, "club")
    assert "club" in room.outlook.detail.text()


def test_before_anything_is_ticked_no_change_is_told_of_numbers_of_rows_that_nobody_sees(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    room = opened(anonymising, tmp_path, answered=False)
    write(qtbot, room, room.outlook.rows, "20000")
    push(qtbot, room, room.outlook.public.yes)
    model = room.result.details.model
    assert {model.index(row, 2).data() for row in range(model.rowCount())} <= {"–", ""}
    assert not room.outlook.change.isVisibleTo(room), "nor of details that the first tick makes anew"


def test_after_a_tick_the_next_may_come_and_the_button_says_of_how_many_it_is(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    table = room.result.details
    table.focus_ticks()
    tick(qtbot, room, "club")
    assert QApplication.focusWidget() is table.view, "so that the next tick is a key, and Enter does not spend"
    assert room.run_button.property("primary") == "true" and room.next_hint() == "Press “Make the release of 1 column”"
    assert not room.foot.mend.isVisibleTo(room)
    push(qtbot, room, room.run_button)
    result = room.document.session.release.current_result()
    assert tuple(result.outcome.recipe.levels) == ("club",), "as it was shown"


def test_what_gives_way_for_a_tick_is_no_alarm(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    """What a tick took of others is told in short, and nobody is to grieve for it; what it took of ticked ones is."""
    words = room.outlook.change.words
    tick(qtbot, room, "club")
    assert not room.outlook.change.isVisibleTo(room), "that the others are left out is seen in the table"
    want_others(qtbot, room)
    tick(qtbot, room, "town")
    assert "finer" not in words.text() and "rows come out" not in words.text(), "the table has what was gained"
    assert "every row" not in words.text() and "fewer rows" not in words.text()
    tick(qtbot, room, "town")
    assert "town * in every row" in words.text(), "which no tick was made for"


def test_what_a_tick_makes_coarser_of_what_was_ticked_is_said(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    for name in COLUMNS[:3]:
        tick(qtbot, room, name)
    assert room.outlook.change.words.text().startswith("This change: "), "three of them say less than two"
    assert room.outlook.change.undo.isVisibleTo(room)


def test_once_all_are_ticked_nobody_is_told_to_tick(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    table = room.result.details
    for name in COLUMNS[:-1]:
        tick(qtbot, room, name)
    assert table.asks.text() == "Tick what the release is for"
    assert table.others.isVisibleTo(room) and table.others.isEnabled(), "with every tick it is where it was"
    tick(qtbot, room, COLUMNS[-1])
    assert table.others.isVisibleTo(room) and not table.others.isEnabled(), "there are no others"
    assert table.asks.text() == "Press a detail for a finer or coarser one."


def test_that_no_mean_is_to_be_had_is_said_before_anything_is_spent(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    tick(qtbot, room, "club")
    assert not room.outlook.means.text(), "it is for no number"
    tick(qtbot, room, "age")
    assert room.outlook.means.text() == "Means of age from it would be wrong: ask for them in Query."
    assert room.outlook.means.isVisibleTo(room.outlook.said)
