"""Whether the intervals of amounts widen is chosen where their range is typed, and in the list of their details."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked
from tests.gui.helpers import put_off_is_done
from workbench.anonymise.recipe import Treatment
from workbench.core.level_words import level_words
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.detail_menu import DetailMenu
from workbench.gui.workspaces.anonymise.knowledge_dialog import KnowledgeDialog
from workbench.gui.workspaces.anonymise.known_line import KnownLine
from workbench.session.release.knowledge import say_matters_most
from workbench.session.release.preferred_fine import preferred
from workbench.session.release.wishes import wish_exactly

EQUAL, WIDENING = "intervals of 500", "10 intervals, widening to 50,000"


@pytest.fixture
def room(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> AnonymiseWorkspace:
    """Charges and salaries by rule, of which nobody said yet how far they reach."""
    path = tmp_path / "visits.csv"
    rows = [f"{'AB'[i % 2]},{i % 700}.5,{20_000 + i % 39 * 100},{30 + i % 40}" for i in range(300)]
    path.write_text("\n".join(("ward,charge,salary,age", *rows)) + "\n", encoding="utf-8")
    document, names = window.document, ["ward", "charge", "salary", "age"]
    document.open_data(path)
    put_off_is_done(qtbot, window)
    document.apply("Roles", lambda session: session.data.set_role(names, Role.QUASI))
    build = document.session.data.hierarchy_suggester(names)
    document.apply("Build", lambda session: session.data.attach_hierarchies(build(SILENT)))
    window.show_workspace("anonymise")
    put_off_is_done(qtbot, window)
    found = window.workspaces["anonymise"]
    assert isinstance(found, AnonymiseWorkspace)
    return found


def asked(room: AnonymiseWorkspace) -> tuple[KnowledgeDialog, dict[str, KnownLine]]:
    room.outlook.reach_requested.emit("occurring:")
    dialog = knowledge_asked(room)
    return dialog, {line.name: line for line in dialog.lines}


def first(room: AnonymiseWorkspace, name: str) -> str:
    return level_words(room.document.project.hierarchies[name], 1, example=False)


def choose(line: KnownLine, place: int) -> None:
    line.widths.setCurrentIndex(place)
    line.widths.activated.emit(place)


def taken(qtbot: QtBot, window: MainWindow, dialog: KnowledgeDialog) -> None:
    dialog.use.click()
    put_off_is_done(qtbot, window)


@pytest.mark.parametrize(("width", "narrower"), [(20, ""), (40, ", the last narrower")])
def test_the_far_end_of_a_range_counts_for_no_interval_of_its_own(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace, width: int, narrower: str
) -> None:
    """Of 0 to 100 by twenties the last is 80 to 100: there are five."""
    dialog, lines = asked(room)
    dialog.rows.set_value(9_000)
    lines["age"].edit.setText("0-100")
    taken(qtbot, window, dialog)
    hierarchy = room.document.project.hierarchies["age"]
    words = f"intervals of {width}"
    level = next(at for at in range(hierarchy.height) if level_words(hierarchy, at, example=False) == words)
    room.document.apply("Detail", lambda session: wish_exactly(session, "age", level))
    put_off_is_done(qtbot, window)
    told = [one.detail for one in room.result.details.model.records if one.column == "age"]
    assert f"{-(-100 // width)} {words}{narrower}" in told


def test_the_choice_is_there_for_a_range_of_amounts_that_reaches_far_and_begins_by_the_name(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    dialog, lines = asked(room)
    assert not any(line.widths.isVisible() for line in lines.values()), "nothing is asked of what nobody typed"
    for name in lines:
        lines[name].edit.setText("0-100000")
    assert {name for name, line in lines.items() if line.widths.isVisible()} == {"charge", "salary"}
    assert [lines[name].widths.currentText() for name in ("charge", "salary")] == [
        "widening intervals",
        "equal intervals",
    ]
    about = {name: lines[name].about_widths.full_text for name in ("charge", "salary")}
    assert about["charge"] == "Narrow at the low end: cut at 100, 200, 500, …", "which of both it is, is read beside it"
    assert about["salary"] == "Cut at 500, 1000, 1500, … If most are small, choose widening ones."
    lines["charge"].edit.setText("0-10")
    assert not lines["charge"].widths.isVisible() and not lines["charge"].about_widths.isVisible()
    lines["charge"].edit.setText("0-100000")
    lines["age"].edit.setText("0-100")
    lines["ward"].edit.setText("A, B")
    taken(qtbot, window, dialog)
    assert first(room, "charge") == WIDENING and first(room, "salary") == EQUAL
    room.document.undo_stack.undo()
    put_off_is_done(qtbot, window)
    assert not room.document.project.anonymise.trim.occurring, "it is one step"
    assert first(room, "charge") == "intervals of 10,000"
    room.document.undo_stack.redo()
    put_off_is_done(qtbot, window)
    assert first(room, "charge") == WIDENING


def test_what_is_chosen_in_the_question_holds_and_is_there_when_it_is_asked_again(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    dialog, lines = asked(room)
    for name, place in (("charge", 0), ("salary", 1)):
        lines[name].edit.setText("0-100000")
        choose(lines[name], place)
    lines["salary"].edit.setText("0-120000")
    counted = lines["salary"].counted
    choose(lines["salary"], 0)
    assert counted.text() == "0 to 120,000" and not counted.toolTip(), "the far end has no group of its own"
    lines["salary"].edit.setText("0-100000")
    choose(lines["salary"], 1)
    taken(qtbot, window, dialog)
    assert first(room, "charge") == EQUAL and first(room, "salary") == WIDENING
    dialog, lines = asked(room)
    assert lines["charge"].widths.currentText() == "equal intervals", "not the one of the name"
    choose(lines["charge"], 1)
    taken(qtbot, window, dialog)
    assert first(room, "charge") == first(room, "salary") == WIDENING
    dialog, lines = asked(room)
    lines["salary"].edit.setText("0-50000")
    taken(qtbot, window, dialog)
    assert first(room, "salary") == "10 intervals, widening to 30,000", "they go with the range"


def test_the_list_of_details_changes_to_the_other_kind_and_back_as_a_step_each(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    dialog, lines = asked(room)
    dialog.rows.set_value(9000)
    lines["ward"].edit.setText("A, B")
    lines["charge"].edit.setText("0-100000")
    taken(qtbot, window, dialog)
    details = room.result.details

    def menu(name: str) -> DetailMenu:
        rows = range(details.model.rowCount())
        row = next(row for row in rows if details.model.index(row, 0).data() == name)
        found = details.offer_details(row)
        assert found is not None
        return found

    assert menu("ward").widths is None and menu("age").widths is None, "nothing to choose"
    offered = menu("charge")
    assert offered.widths is not None and offered.widths.text() == "Equal intervals"
    assert WIDENING in [action.text().partition("\t")[0] for action in offered.actions()]
    offered.widths.trigger()
    put_off_is_done(qtbot, window)
    assert first(room, "charge") == EQUAL
    assert room.document.undo_stack.undoText() == "Equal intervals of charge"
    offered = menu("charge")
    assert offered.widths is not None and offered.widths.text() == "Widening intervals"
    offered.widths.trigger()
    put_off_is_done(qtbot, window)
    assert first(room, "charge") == WIDENING
    rows = range(details.model.rowCount())
    shown = next(details.model.index(row, 1).data() for row in rows if details.model.index(row, 0).data() == "charge")
    assert "intervals: 0, " in shown and " … " in shown, "how wide the last is tells nobody where they end"
    room.document.undo_stack.undo()
    put_off_is_done(qtbot, window)
    assert first(room, "charge") == EQUAL, "only the last step is taken back"


def test_an_amount_that_matters_most_keeps_ten_intervals_and_it_is_said(
    qtbot: QtBot, window: MainWindow, room: AnonymiseWorkspace
) -> None:
    room.document.apply("Out", lambda session: session.release.columns.set_treatment("salary", Treatment.LEAVE_OUT))
    room.outlook.public.no.click()
    put_off_is_done(qtbot, window)
    for name in ("ward", "age", "charge"):
        room.document.apply(name, partial(say_matters_most, name=name, most=True))
        put_off_is_done(qtbot, window)
    dialog, lines = asked(room)
    dialog.rows.set_value(9000)
    lines["ward"].edit.setText("A, B, C, D, E")
    lines["age"].edit.setText("0-110")
    lines["charge"].edit.setText("0-100000")
    taken(qtbot, window, dialog)
    details = room.result.details
    shown = {details.model.index(row, 0).data(): details.model.index(row, 1).data() for row in range(3)}
    assert shown["charge"].startswith("10 intervals: 0, 100, 200 …")
    assert room.outlook.change.words.text() == "This change: charge keeps 10 intervals before others are finer."
    room.document.undo_stack.undo()
    put_off_is_done(qtbot, window)
    assert not preferred(room.document.session), "one step back is all of it back"
