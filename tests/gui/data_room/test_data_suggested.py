"""Suggested roles of columns: given at once, taken back, and what is left out beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QItemSelectionModel, QPoint, QRect, Qt
from PySide6.QtWidgets import QPushButton, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from tests.gui.data_room.helpers import cell, spec
from tests.gui.data_room.people import open_text
from tests.gui.helpers import PATIENCE_MS, data_is_there, idle, put_off_is_done
from workbench.anonymise.recipe import Treatment
from workbench.core.role_suggestions import without_counts
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session import Session
from workbench.session.looking import LookDesk

pytestmark = pytest.mark.usefixtures("after_a_look")


def turn(qtbot: QtBot, workspace: DataWorkspace, name: str) -> None:
    """Press what stands at the end of the row of a column."""
    view, model = workspace.columns, workspace.columns_model
    view.ask(True)
    place = view.visualRect(model.index(model.row_of(name), Field.TURN)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_suggested_roles_are_given_at_once_and_each_column_is_left_out_or_in(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.protected.every_row.click()
    workspace.document.apply("x", lambda session: session.data.set_role(["income"], Role.SENSITIVE))
    workspace.suggest.click()
    idle(qtbot, workspace)
    assert spec(workspace, "name").role is Role.IDENTIFYING
    assert spec(workspace, "age").role is Role.QUASI
    assert spec(workspace, "income").role is Role.SENSITIVE, "what a person decided is not made less"
    assert workspace.suggest.isHidden() and all(one.reason for one in workspace.suggestions.suggested)
    workspace.document.apply("y", lambda session: session.data.set_role(["age"], Role.SENSITIVE))
    assert cell(workspace, "age", Field.WHY) == "Your choice, not as suggested"
    workspace.document.undo_stack.undo()
    assert "choice" not in cell(workspace, "age", Field.WHY) and cell(workspace, "age", Field.TURN) == "Leave out"
    workspace.document.apply("z", lambda session: session.data.set_role(["age"], Role.INSENSITIVE))
    assert not workspace.suggest.isHidden(), "it can be followed again"
    workspace.document.undo_stack.undo()
    turn(qtbot, workspace, "city")
    assert spec(workspace, "city").role is Role.IDENTIFYING and cell(workspace, "city", Field.TURN) == "Include"
    turn(qtbot, workspace, "city")
    assert spec(workspace, "city").role is Role.QUASI and cell(workspace, "city", Field.TURN) == "Leave out"
    for _ in range(3):
        workspace.document.undo_stack.undo()
    assert spec(workspace, "age").role is Role.INSENSITIVE, "all at once was one step"


def test_a_column_nothing_is_suggested_for_is_included_and_it_is_said(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """Not left out in silence: it is protected like what others know, and one press leaves it out."""
    path = tmp_path / "staff.csv"
    path.write_text("surname,grade,age,sex\n" + "".join(f"P{i},{'ABC'[i % 3]},{i},{'fm'[i % 2]}\n" for i in range(90)))
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    workspace.suggest.click()
    idle(qtbot, workspace)
    assert "grade" not in {one.columns[0] for one in workspace.suggestions.suggested}
    assert spec(workspace, "grade").role is Role.QUASI
    assert cell(workspace, "grade", Field.WHY) == "To be safe: name says nothing"
    turn(qtbot, workspace, "grade")
    assert spec(workspace, "grade").role is Role.IDENTIFYING and cell(workspace, "grade", Field.WHY) == "Your choice"
    workspace.document.undo_stack.undo()
    workspace.document.undo_stack.undo()
    assert spec(workspace, "grade").undecided, "with the roles that were suggested"


def test_where_nothing_is_left_out_undecided_nothing_is_decided_either(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """A release without a promise has such a column as it is."""
    open_text(qtbot, workspace, tmp_path, "grade,sex\n" + "".join(f"{'ABC'[i % 3]},{'fm'[i % 2]}\n" for i in range(90)))
    workspace.document.apply("y", lambda session: session.syntactic.set_approach(AnonymityKind.SYNTACTIC))
    workspace.suggest.click()
    idle(qtbot, workspace)
    assert spec(workspace, "sex").role is Role.QUASI and spec(workspace, "grade").undecided
    assert cell(workspace, "grade", Field.ROLE) == "Not decided"


def test_what_the_values_of_a_column_speak_for_stands_beside_it_and_decides_nothing(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LookDesk, "taken", False)
    path = tmp_path / "work.csv"
    path.write_text("thing,grade,sex\n" + "".join(f"t{i}x,{'ABC'[i % 3]},{'fm'[i % 2]}\n" for i in range(90)))
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    workspace.protected.every_row.click()
    workspace.suggest_roles()
    idle(qtbot, workspace)
    role, reason = workspace.document.session.data.loaded.suggested_roles["thing"]
    hint = cell(workspace, "thing", Field.WHY)
    assert role is Role.IDENTIFYING and hint == f"Leave out? {without_counts(reason)}" and "90" not in hint
    assert spec(workspace, "thing").role is Role.QUASI and spec(workspace, "grade").role is Role.QUASI


BESIDE = {
    "a fifth with a value of their own": ("fee", [f"{i}" for i in range(20)] + ["a"] * 81),
    "a single value": ("ward", ["A"] * 30),
    "all different": ("job", [f"j{i}" for i in range(30)]),
    "ages of many": ("patient age", [f"{20 + i % 19}" for i in range(380)]),
    "what may be numbers": ("ward id", [f"w{i}" for i in range(9)] * 10),
    "nearly all different": ("remark", [f"r{i}" for i in range(95)] + ["r0"] * 5),
}
"""A column to whose values one more row, with this value or another, would bring another suggestion by values."""


@pytest.mark.parametrize("case", BESIDE)
def test_before_a_look_no_row_decides_whether_a_column_takes_part(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    """Which columns a release has is seen by everybody, and would tell of that row."""
    monkeypatch.setattr(LookDesk, "taken", False)
    name, values = BESIDE[case]
    told = []
    for number, more in enumerate(([], ["j0"], ["w0"], ["r0"], ["99"])):
        workspace.document.new()  # else what was said of the table before holds
        path = tmp_path / f"{number}.csv"
        path.write_text(f"{name},sex\n" + "".join(f"{value},{'fm'[i % 2]}\n" for i, value in enumerate(values + more)))
        workspace.document.open_data(path)
        idle(qtbot, workspace)
        workspace.protected.every_row.click()
        workspace.suggest_roles()
        idle(qtbot, workspace)
        columns = workspace.document.project.schema.columns
        told.append({one.name: one.role in (Role.QUASI, Role.SENSITIVE) for one in columns})
    assert all(one == told[0] for one in told) and told[0]["sex"], told


def test_before_a_look_no_columns_together_are_suggested_for_what_their_rows_say(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a column is released would hang on one row: with 20 rows two columns single some out, with 19 not."""
    monkeypatch.setattr(LookDesk, "taken", False)
    told = []
    for rows in (19, 20):
        workspace.document.new()  # else what was said of the table before holds
        path = tmp_path / f"{rows}.csv"
        path.write_text("grade,shade\n" + "".join(f"g{i % 5},s{i // 5}\n" for i in range(rows)))
        workspace.document.open_data(path)
        idle(qtbot, workspace)
        workspace.suggest.click()
        idle(qtbot, workspace)
        told.append(
            [(cell(workspace, name, Field.ROLE), cell(workspace, name, Field.WHY)) for name in ("grade", "shade")]
        )
    assert told[0] == told[1] == [("Others may know it", "To be safe: name says nothing")] * 2


def test_what_nobody_needs_is_left_out_in_its_row_and_by_the_keyboard(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.suggest.click()
    idle(qtbot, workspace)
    assert cell(workspace, "name", Field.TURN) == "Include", "who is left out already is not asked about"
    chosen = workspace.columns.selected_names
    turn(qtbot, workspace, "city")
    assert spec(workspace, "city").role is Role.IDENTIFYING and workspace.columns.selected_names == chosen
    place = workspace.columns_model.index(workspace.columns_model.row_of("city"), Field.TURN)
    assert place.data(Qt.ItemDataRole.AccessibleTextRole) == "Include: city", "as it is read aloud"
    workspace.columns.selectionModel().setCurrentIndex(place, QItemSelectionModel.SelectionFlag.NoUpdate)
    qtbot.keyClick(workspace.columns, Qt.Key.Key_Return)
    assert spec(workspace, "city").role is Role.QUASI, "one press takes it in again"
    qtbot.keyClick(workspace.columns, Qt.Key.Key_Space)
    assert spec(workspace, "city").role is Role.IDENTIFYING
    workspace.document.undo_stack.undo()
    turn(qtbot, workspace, "name")
    assert spec(workspace, "name").role is Role.QUASI, "who knows better includes it, and it is protected"
    assert "people" in cell(workspace, "name", Field.WHY) and cell(workspace, "name", Field.WHY) != "Your choice"
    turn(qtbot, workspace, "name")
    assert spec(workspace, "name").role is Role.IDENTIFYING


def test_a_column_that_names_the_person_cannot_be_included(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    unit = PrivacyUnit(3, "name", protected=UnitAnswer.SAID)
    workspace.document.apply("Unit", lambda session: session.data.set_unit(unit))
    workspace.suggest_roles()
    idle(qtbot, workspace)
    before = spec(workspace, "name")
    assert cell(workspace, "name", Field.ROLE) == "Leave out" and not cell(workspace, "name", Field.TURN)
    turn(qtbot, workspace, "name")
    assert spec(workspace, "name") == before


def test_the_reason_beside_a_role_repeats_neither_it_nor_the_name(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    rows = "".join(f"{'ABC'[i % 3]},{'xyz'[i % 3]},{4000 + i % 9},P{i}@x.org\n" for i in range(300))
    rows = "".join(f"{row},staff {i}\n" for i, row in enumerate(rows.splitlines()))
    open_text(qtbot, workspace, tmp_path, "ward,diagnosis,zip,email,employee\n" + rows)
    workspace.suggest.click()
    idle(qtbot, workspace)
    whys = {name: cell(workspace, name, Field.WHY) for name in ("diagnosis", "zip", "email")}
    counted = cell(workspace, "employee", Field.WHY)
    assert whys == {
        "diagnosis": "Others want to learn it",
        "zip": "Neighbours may know it",
        "email": "Identifies people, by its name",
    }
    assert counted == "Identifies people, by its name and 300 different values in 300 rows"
    tip = workspace.columns_model.index(0, Field.ROLE).data(Qt.ItemDataRole.ToolTipRole)
    assert str(tip).startswith("Others may know it (quasi-identifying): "), "the term is there for who looks for it"


def _visits() -> str:
    """Staff number, department, notes, and two columns that tell people apart together and not alone."""
    lines = (f"S{i},{'ABCDE'[i % 5]},{i % 50},{i // 50},{'xyz'[i % 3]} {i % 240}\n" for i in range(300))
    return "staff id,department,bed,floor,notes\n" + "".join(lines)


def test_nothing_moves_while_columns_are_left_out_one_after_the_other(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, _visits())
    workspace.protected.every_row.click()
    workspace.resize(800, 560)
    workspace.suggest_roles()
    idle(qtbot, workspace)
    names = ("department", "bed", "floor")

    def places() -> list[QRect]:
        QCoreApplication.processEvents()
        view, model = workspace.columns, workspace.columns_model
        return [view.visualRect(model.index(model.row_of(name), Field.TURN)) for name in names]

    before = places()
    for name in names:
        turn(qtbot, workspace, name)
        assert places() == before and workspace.window().focusWidget() is workspace.columns
        assert spec(workspace, name).role is Role.IDENTIFYING


def test_each_of_columns_that_only_together_tell_people_apart_is_left_out_alone(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, _visits())
    workspace.suggest.click()
    idle(qtbot, workspace)
    why = cell(workspace, "floor", Field.WHY)
    assert "bed" in why and why.startswith("With "), "what it is told apart with"
    turn(qtbot, workspace, "floor")
    assert (spec(workspace, "floor").role, spec(workspace, "bed").role) == (Role.IDENTIFYING, Role.QUASI)


def test_what_anonymise_leaves_out_is_said_to_be_left_out_in_data_until_data_says_otherwise(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.suggest.click()
    idle(qtbot, workspace)
    document = workspace.document
    assert document.apply("Leave age out", _leave_out)
    assert cell(workspace, "age", Field.ROLE) == "Leave out" and cell(workspace, "age", Field.TURN) == "Include"
    workspace.suggestions.follow_all()
    assert cell(workspace, "age", Field.ROLE) == "Leave out", "what somebody left out is not brought back by others"
    turn(qtbot, workspace, "age")
    assert cell(workspace, "age", Field.ROLE) == "Others may know it", "no press does nothing"
    document.undo_stack.undo()
    assert cell(workspace, "age", Field.ROLE) == "Leave out"
    workspace.detail.show_columns(("age",))
    workspace.detail.set_role(Role.QUASI)
    assert cell(workspace, "age", Field.ROLE) == "Others may know it", "the role it had all the time"
    assert document.apply("Leave age out", _leave_out)
    workspace.detail.set_role(Role.IDENTIFYING)
    workspace.detail.set_role(None)
    assert cell(workspace, "age", Field.ROLE) == "Not decided"


def _leave_out(session: Session) -> None:
    session.release.columns.set_treatment("age", Treatment.LEAVE_OUT)


def _clubs(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    """Members whose club and visits nothing says anything about, as the roles of the others are suggested."""
    rows = "".join(f"M{i},{'abc'[i % 3]},{1 + i % 7},{'fm'[i % 2]}\n" for i in range(90))
    open_text(qtbot, workspace, tmp_path, "surname,club,visits,sex\n" + rows)
    workspace.protected.every_row.click()
    workspace.resize(800, 560)
    workspace.suggest.click()
    idle(qtbot, workspace)


def test_what_may_stay_is_said_above_the_columns(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    """Who leaves out all but what they want is asked again in Anonymise."""
    _clubs(qtbot, workspace, tmp_path)
    assert workspace.columns_hint.full_text == "3 of 4 in a release. Leave out only what must never leave."
    workspace.document.apply("y", lambda session: session.syntactic.set_approach(AnonymityKind.SYNTACTIC))
    assert "must never" not in workspace.columns_hint.full_text


def test_the_next_step_includes_what_the_person_made_undecided_again(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """Else the column that matters is left out on a hasty way, and a draw is paid for without it."""
    rows = "".join(f"M{i},{'abc'[i % 3]},{1 + i % 7},{'fm'[i % 2]}\n" for i in range(90))
    open_text(qtbot, workspace, tmp_path, "surname,club,fee €,sex\n" + rows)
    workspace.protected.every_row.click()
    workspace.suggest_roles()
    idle(qtbot, workspace)
    assert workspace.next_hint() == "" and workspace.status() is Status.SUCCESS
    for name in ("club", "fee €"):
        workspace.columns.select(name)
        workspace.detail.set_role(None)
    # No name is parted in the next step.
    assert workspace.next_hint() == "Include club and fee\N{NO-BREAK SPACE}€ and go on" and workspace.status() is None
    assert workspace.columns_hint.full_text == "1 of 4 in a release, 2 not decided: “Next” includes them"
    workspace.reach(workspace.next_field())
    assert workspace.window().focusWidget() is workspace.columns and workspace.columns.selected_names == ("club",)
    turn(qtbot, workspace, "club")
    assert workspace.next_hint() == "Include fee\N{NO-BREAK SPACE}€ and go on"
    workspace.before_publishing()
    assert workspace.next_hint() == "", "who went on, and was told, is not asked again"
    assert workspace.columns_hint.full_text.endswith("1 not decided: left out unless included")
    workspace.document.undo_stack.undo()
    assert workspace.next_hint() == "Include club and go on", "that one is another question"
    assert workspace.do_next("undecided") and spec(workspace, "club").role is Role.QUASI


def test_the_names_of_columns_stay_where_they_are_whatever_role_is_given(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """A sign before one of them would push it to the right, and nobody is warned of a column that is left out."""
    rows = "".join(f"{4000 + i % 9},{'FM'[i % 2]},P{i}@x.org\n" for i in range(300))
    open_text(qtbot, workspace, tmp_path, "plz,sex,contact\n" + rows)
    model = workspace.columns_model

    def signs() -> list[bool]:
        role, view, option = Qt.ItemDataRole.DecorationRole, workspace.columns, QStyleOptionViewItem()
        for row in range(model.rowCount()):
            view.itemDelegateForIndex(model.index(row, Field.NAME)).initStyleOption(
                option, model.index(row, Field.NAME)
            )
            assert option.decorationPosition is QStyleOptionViewItem.Position.Right, "it stands behind the name"
        return [model.index(row, Field.NAME).data(role) is not None for row in range(model.rowCount())]

    assert not any(signs()), "nobody has chosen a role yet"
    workspace.protected.every_row.click()
    workspace.suggest_roles()
    idle(qtbot, workspace)
    assert not any(signs()), "all are as suggested"
    turn(qtbot, workspace, "plz")
    turn(qtbot, workspace, "contact")
    assert signs().count(True) == 1 and model.open_suggestion("plz") is None, (
        "left out protects more than what was suggested"
    )
    assert model.open_suggestion("contact") is not None, "this one protects less"


def test_what_the_sign_beside_a_name_means_is_read_where_the_column_is_chosen(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """Who has no mouse cannot point at it."""
    rows = "".join(f"{4000 + i % 9},{'FM'[i % 2]},P{i}@x.org\n" for i in range(300))
    open_text(qtbot, workspace, tmp_path, "plz,sex,contact\n" + rows)
    workspace.columns.setFocus()
    given = {"plz": Role.INSENSITIVE, "sex": Role.QUASI, "contact": Role.QUASI}
    for name, role in given.items():
        assert not cell(workspace, name, Field.WHY), "before somebody chose a role, nothing speaks against it"
        workspace.columns.select(name)
        workspace.detail.set_role(role)
    workspace.columns.select("plz")
    said = {}
    for row, name in enumerate(given):
        # The first one is selected already.
        qtbot.keyClick(workspace.columns, Qt.Key.Key_Down if row else Qt.Key.Key_Up)
        idle(qtbot, workspace)
        pane, named = workspace.detail, workspace.columns_model.index(row, Field.NAME)
        said[name] = named.data(Qt.ItemDataRole.AccessibleDescriptionRole) or ""
        assert pane.role.isVisible() and pane.role.text().endswith(said[name])
        assert not said[name] or cell(workspace, name, Field.WHY) == said[name], "one reason, wherever it is read"
        assert said[name] in named.data(Qt.ItemDataRole.ToolTipRole)
    assert said["plz"] == "Others may know it: a post code, which many share." and said["sex"] == ""
    workspace.detail.close_button.click()
    assert not workspace.detail.isVisible() and workspace.window().focusWidget() is workspace.columns
    place = workspace.columns.visualRect(workspace.columns_model.index(2, Field.NAME)).center()
    qtbot.mouseClick(workspace.columns.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert workspace.detail.role.isVisible(), "what is selected is pressed"
    assert said["contact"] == "Leave out? Most of its values are e-mail addresses.", said
    workspace.detail.set_role(Role.QUASI)
    assert workspace.detail.role.text().endswith(f"\n{said['contact']}"), "a role that protects less has its sign still"


def test_nothing_below_moves_as_the_columns_have_their_roles(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.resize(1100, 640)

    def top() -> int:
        QCoreApplication.processEvents()
        return workspace.columns.mapTo(workspace, QPoint(0, 0)).y()

    before = top()
    workspace.suggest.click()
    idle(qtbot, workspace)
    assert workspace.suggest.isHidden() and top() == before


def test_what_nothing_speaks_for_is_in_a_release_by_itself_and_as_next_would_store_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From another room the step only leads to columns that somebody made undecided; there one press includes them."""
    monkeypatch.setattr(LookDesk, "taken", False)
    path = tmp_path / "members.csv"
    rows = "".join(f"M{i % 60},{1 + i % 28:02}.05.2012,{'abc'[i % 3]},{i}.5\n" for i in range(90))
    path.write_text(f"member,joined,club,fee\n{rows}", encoding="utf-8")
    window.open_path(path)
    data_is_there(qtbot, window.document)
    room = window.workspaces["data"]
    assert isinstance(room, DataWorkspace)
    room.protected.persons.click()
    roles = {"joined", "club", "fee"}
    qtbot.waitUntil(lambda: _quasi(window) == roles, timeout=PATIENCE_MS)
    assert room.next_hint() == ""
    for name in ("club", "fee"):
        room.columns.select(name)
        room.detail.set_role(None)
    put_off_is_done(qtbot, window)
    hint = room.next_hint()
    window.show_start()
    put_off_is_done(qtbot, window)
    (step,) = (one for one in window.rail.findChildren(QPushButton) if one.accessibleName().startswith("Next"))
    assert step.accessibleName() == "Next: Decide about columns"
    step.click()
    assert window.rail.current == "data" and window.document.project.schema["club"].undecided, "nothing is decided"
    put_off_is_done(qtbot, window)
    assert step.accessibleName() == f"Next: {hint}"
    step.click()
    qtbot.waitUntil(lambda: window.rail.current == "anonymise", timeout=PATIENCE_MS)
    assert _quasi(window) == set(window.document.project.hierarchies) == roles
    put_off_is_done(qtbot, window)


def _quasi(window: MainWindow) -> set[str]:
    return {spec.name for spec in window.document.project.schema.columns if spec.role is Role.QUASI}


def test_where_no_role_is_suggested_all_columns_are_included(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "p1,q1\n" + "".join(f"{i % 3},{i % 7}\n" for i in range(60)))
    workspace.protected.every_row.click()
    workspace.suggest_roles()
    idle(qtbot, workspace)
    assert workspace.next_hint() == "" and {one.role for one in workspace.document.project.schema.columns} == {
        Role.QUASI
    }
    workspace.document.undo_stack.undo()
    assert workspace.next_hint() == "Include p1 and q1 and go on" and workspace.next_field() == "undecided"
    assert workspace.do_next("undecided")
    assert {one.role for one in workspace.document.project.schema.columns} == {Role.QUASI}


def test_columns_to_decide_about_are_counted_where_they_are_many_or_long(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    names = [f"{letter}1" for letter in "pqrst"]
    open_text(qtbot, workspace, tmp_path, ",".join(("surname", *names)) + "\n" + "Kim,1,1,1,1,1\n" * 30)
    workspace.protected.every_row.click()
    workspace.document.apply("x", lambda session: session.data.set_role(["surname"], Role.IDENTIFYING))
    assert workspace.next_hint() == "Decide about 5 columns" and workspace.next_field() == "undecided"
    workspace.reach("undecided")
    assert workspace.columns.selected_names == ("p1",), "nothing was suggested, so the role is given in the list"
    workspace.document.apply("y", lambda session: session.syntactic.set_approach(AnonymityKind.SYNTACTIC))
    assert workspace.next_hint() == "", "what is no promise has no columns left out"
