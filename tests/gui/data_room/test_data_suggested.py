"""Suggested roles of columns: given at once, taken back, and what is left out beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.data_room.helpers import cell, spec
from tests.gui.data_room.people import open_text
from tests.gui.helpers import PATIENCE_MS, data_is_there, idle, put_off_is_done
from workbench.anonymise.recipe import Treatment
from workbench.core.role_suggestions import without_counts
from workbench.core.schema import Role
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session import Session
from workbench.session.looking import LookDesk

pytestmark = pytest.mark.usefixtures("after_a_look")


def test_suggested_roles_are_given_at_once_and_each_column_is_left_out_or_in(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.document.apply("x", lambda session: session.data.set_role(["income"], Role.SENSITIVE))
    workspace.suggest.click()
    idle(qtbot, workspace)
    panel = workspace.suggestions
    assert panel.isVisible()
    assert spec(workspace, "name").role is Role.IDENTIFYING
    assert spec(workspace, "age").role is Role.QUASI
    assert spec(workspace, "income").role is Role.SENSITIVE, "what a person decided is not made less"
    named = {item.suggestion.columns: item for item in panel.items}
    assert all(item.followed and item.suggestion.reason for item in panel.items)
    workspace.document.apply("y", lambda session: session.data.set_role(["age"], Role.SENSITIVE))
    (item,) = (one for columns, one in named.items() if columns == ("age",))
    assert item.now == "Sensitive" and item.name.full_text == "age", "it is not cut"
    assert "Suggested: others may know it" in item.toolTip() and item.button.text() == "As suggested"
    item.button.click()
    assert spec(workspace, "age").role is Role.QUASI and item.followed, "no button does nothing"
    workspace.document.undo_stack.undo()
    workspace.document.undo_stack.undo()
    assert item.button.isHidden() and not item.out.isHidden() and item.now == "Others may know it"
    workspace.document.apply("z", lambda session: session.data.set_role(["age"], Role.INSENSITIVE))
    assert item.now == "Insensitive" and item.toolTip().startswith("age: Insensitive")
    workspace.document.undo_stack.undo()
    named[("city",)].out.click()
    assert spec(workspace, "city").role is Role.IDENTIFYING and not named[("city",)].followed
    assert panel.isVisible(), "the others may be wrong as well"
    named[("city",)].button.click()
    assert spec(workspace, "city").role is Role.QUASI
    for _ in range(3):
        workspace.document.undo_stack.undo()
    assert spec(workspace, "age").role is Role.INSENSITIVE, "all at once was one step"
    panel.close_button.click()
    assert workspace.detail.isVisible()


def test_a_column_nothing_is_suggested_for_is_asked_about(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """Not left out in silence: it stands first, with what happens to it, and one press includes it."""
    path = tmp_path / "staff.csv"
    path.write_text("surname,grade,age,sex\n" + "".join(f"P{i},{'ABC'[i % 3]},{i},{'fm'[i % 2]}\n" for i in range(90)))
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    workspace.suggest.click()
    idle(qtbot, workspace)
    panel = workspace.suggestions
    item, *suggested = panel.items
    assert item.suggestion.columns == ("grade",) and item.offered and not any(one.offered for one in suggested)
    assert [one.followed for one in panel.items] == [False] + [True] * len(suggested), "nobody has said it yet"
    shown = [one.text() for one in panel.findChildren(QLabel) if one.isVisible()]
    assert "Not decided" in shown and any("unless you include it" in one for one in shown)
    assert item.name.full_text == "grade" and item.button.text() == "Include" and not item.out.isHidden()
    item.button.click()
    assert spec(workspace, "grade").role is Role.QUASI and item.button.isHidden(), "nothing is offered that is so"
    workspace.document.undo_stack.undo()
    assert spec(workspace, "grade").undecided and item.button.text() == "Include" and not item.button.isHidden()
    item.out.click()
    assert spec(workspace, "grade").role is Role.IDENTIFYING


def test_what_the_values_of_an_undecided_column_speak_for_stands_below_it_and_decides_nothing(
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
    panel = workspace.suggestions
    shown = [one.text() for one in panel.findChildren(QLabel) if one.isVisible()]
    (hint,) = (one for one in shown if one.startswith("Leave out? "))
    assert role is Role.IDENTIFYING and hint == f"Leave out? {without_counts(reason)}" and "90" not in hint
    assert {one.column: one.now for one in panel.items if one.offered} == {
        "thing": "Not decided",
        "grade": "Not decided",
    }
    panel.include_open()
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
        path = tmp_path / f"{rows}.csv"
        path.write_text("grade,shade\n" + "".join(f"g{i % 5},s{i // 5}\n" for i in range(rows)))
        workspace.document.open_data(path)
        idle(qtbot, workspace)
        workspace.suggest.click()
        idle(qtbot, workspace)
        panel = workspace.suggestions
        shown = [one.text() for one in panel.findChildren(QLabel) if one.isVisible()]
        told.append((shown, [(one.suggestion.columns, one.now) for one in panel.items]))
    assert told[0] == told[1] and [now for _, now in told[0][1]] == ["Not decided"] * 2


def test_what_nobody_needs_is_left_out_beside_its_suggested_role(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.suggest.click()
    idle(qtbot, workspace)
    (item,) = (one for one in workspace.suggestions.items if one.suggestion.columns == ("city",))
    (person,) = (one for one in workspace.suggestions.items if one.suggestion.columns == ("name",))
    assert not item.out.isHidden() and person.out.isHidden(), "who is left out already is not asked about"
    item.out.click()
    assert spec(workspace, "city").role is Role.IDENTIFYING and item.out.isHidden()
    assert item.name.full_text == item.name.text() == "city" and item.button.text() == "Include", "whole"
    item.button.click()
    assert spec(workspace, "city").role is Role.QUASI and not item.out.isHidden(), "one press takes it in again"
    workspace.document.undo_stack.undo()
    workspace.document.undo_stack.undo()
    assert spec(workspace, "city").role is Role.QUASI and item.button.isHidden()
    person.button.click()
    assert spec(workspace, "name").role is Role.QUASI, "who knows better includes it, and it is protected"
    person.out.click()
    assert spec(workspace, "name").role is Role.IDENTIFYING and person.followed


def test_a_role_and_a_reason_are_said_once_of_all_columns_that_share_them(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    rows = "".join(f"{'ABC'[i % 3]},{'xyz'[i % 3]},{'FM'[i % 2]},{4000 + i % 9}\n" for i in range(300))
    open_text(qtbot, workspace, tmp_path, "ward,diagnosis,sex,zip\n" + rows)
    workspace.suggest.click()
    idle(qtbot, workspace)
    panel = workspace.suggestions
    assert [item.suggestion.columns for item in panel.items] == [("ward",), ("sex",), ("zip",), ("diagnosis",)]
    heard = [words.text() for words in panel.findChildren(QLabel)]
    term = panel.items[0].why.replace("Others may know it", "As neighbours may (quasi-identifying)")
    assert [heard.count(one) for one in ("Others may know it", term, "Sensitive")] == [1, 1, 1], heard
    assert "(quasi-identifying)" in term, "both words stand there, once each"
    assert not any("post code" in one for one in heard), "whose heading says why already"


def _visits() -> str:
    """Staff number, department, notes, and two columns that tell people apart together and not alone."""
    lines = (f"S{i},{'ABCDE'[i % 5]},{i % 50},{i // 50},{'xyz'[i % 3]} {i % 240}\n" for i in range(300))
    return "staff id,department,bed,floor,notes\n" + "".join(lines)


def test_nothing_moves_in_the_suggested_roles_while_columns_are_left_out_one_after_the_other(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, _visits())
    workspace.resize(800, 560)
    workspace.suggest.click()
    idle(qtbot, workspace)
    panel = workspace.suggestions
    qtbot.waitUntil(lambda: all(item.button.height() > 1 for item in panel.items))

    def places() -> list[tuple[QPoint, QPoint, int]]:
        QCoreApplication.processEvents()
        origin = QPoint(0, 0)
        parts = ((item, item.mapTo(workspace, origin), item.out.mapTo(workspace, origin)) for item in panel.items)
        return [(card, out, item.height()) for item, card, out in parts]

    before = places()
    for item in panel.items:
        if item.out.isVisible() and not item.out.visibleRegion().isEmpty():
            qtbot.mouseClick(item.out, Qt.MouseButton.LeftButton)
            assert places() == before, item.suggestion.columns
            assert workspace.window().focusWidget() is item.button, "the keyboard stays in the card"
    assert sum(item.now == "Leave out" for item in panel.items) > 2, "some were left out"


def test_each_column_that_is_given_a_role_can_be_left_out_in_one_press_and_those_left_out_come_last(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, _visits())
    workspace.suggest.click()
    idle(qtbot, workspace)
    items = {item.suggestion.columns: item for item in workspace.suggestions.items}
    assert list(items) == [("department",), ("bed",), ("floor",), ("notes",), ("staff id",)]
    floor = items[("floor",)]
    assert "bed" in floor.why and floor.why.startswith("With "), "what it is told apart with"
    assert floor.why in [words.text() for words in workspace.suggestions.findChildren(QLabel) if words.isVisible()]
    floor.out.click()
    assert (spec(workspace, "floor").role, spec(workspace, "bed").role) == (Role.IDENTIFYING, Role.QUASI)


def test_what_anonymise_leaves_out_is_said_to_be_left_out_in_data_until_data_says_otherwise(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.suggest.click()
    idle(qtbot, workspace)
    document, panel = workspace.document, workspace.suggestions
    (item,) = (one for one in panel.items if one.suggestion.columns == ("age",))
    assert document.apply("Leave age out", _leave_out)
    assert cell(workspace, "age", Field.ROLE) == "Leave out"
    assert item.now == "Left out in Anonymise" and item.toolTip().startswith("age: Left out in Anonymise")
    panel.follow_all()
    assert cell(workspace, "age", Field.ROLE) == "Leave out", "what somebody left out is not brought back by others"
    item.button.click()
    assert cell(workspace, "age", Field.ROLE) == "Others may know it" and item.followed, "no button does nothing"
    document.undo_stack.undo()
    assert cell(workspace, "age", Field.ROLE) == "Leave out" and not item.followed
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


def test_that_more_is_asked_later_is_said_where_columns_are_left_out(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """Who leaves out all but what they want is asked again in Anonymise; and no name is parted in the next step."""
    rows = "".join(f"M{i},{'abc'[i % 3]},{1 + i % 7},{'fm'[i % 2]}\n" for i in range(90))
    open_text(qtbot, workspace, tmp_path, "surname,club,fee €,sex\n" + rows)
    workspace.protected.every_row.click()
    workspace.suggest.click()
    idle(qtbot, workspace)
    assert workspace.suggestions.words.text() == "Leave out only what must never leave."
    assert workspace.next_hint() == "Include club and fee\N{NO-BREAK SPACE}€ and go on"


def test_the_next_step_is_to_decide_about_columns_and_leads_to_the_first_of_them(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """Else the column that matters is left out on a hasty way, and a draw is paid for without it."""
    _clubs(qtbot, workspace, tmp_path)
    club, visits = workspace.suggestions.items[:2]
    assert workspace.next_hint() == "Include club and visits and go on" and workspace.status() is None
    workspace.suggestions.close_button.click()
    assert workspace.next_hint() == "Decide about club and visits", "which are not in sight"
    workspace.reach(workspace.next_field())
    assert club.button.isVisible() and workspace.window().focusWidget() is club.button
    club.button.click()
    assert workspace.next_hint() == "Include visits and go on"
    workspace.reach(workspace.next_field())
    assert workspace.window().focusWidget() is visits.button
    visits.out.click()
    assert workspace.next_hint() == "" and workspace.status() is Status.SUCCESS
    workspace.document.undo_stack.undo()
    assert workspace.next_hint() == "Include visits and go on"
    workspace.before_publishing()
    assert workspace.next_hint() == "", "who went on, and was told, is not asked again"
    workspace.document.undo_stack.undo()
    assert workspace.next_hint() == "Include club and go on", "that one is another question"


def test_the_names_of_columns_stay_where_they_are_whatever_role_is_given(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """A sign beside one of them would push all to the right, and nobody is warned of a column that is left out."""
    rows = "".join(f"{4000 + i % 9},{'FM'[i % 2]},P{i}@x.org\n" for i in range(300))
    open_text(qtbot, workspace, tmp_path, "plz,sex,contact\n" + rows)
    model = workspace.columns_model

    def signs() -> list[object]:
        role = Qt.ItemDataRole.DecorationRole
        return [model.index(row, Field.NAME).data(role) for row in range(model.rowCount())]

    assert all(signs()), "a place is kept beside each"
    workspace.protected.every_row.click()
    workspace.suggest_roles()
    idle(qtbot, workspace)
    assert all(signs())
    (item,) = (one for one in workspace.suggestions.items if one.column == "plz")
    item.out.click()
    assert all(signs()) and model.open_suggestion("plz") is None, "left out protects more than what was suggested"
    (item,) = (one for one in workspace.suggestions.items if one.column == "contact")
    item.button.click()
    assert model.open_suggestion("contact") is not None, "this one protects less"


def test_what_the_sign_beside_a_name_means_is_read_where_the_column_is_chosen(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """Who has no mouse cannot point at it."""
    rows = "".join(f"{4000 + i % 9},{'FM'[i % 2]},P{i}@x.org\n" for i in range(300))
    open_text(qtbot, workspace, tmp_path, "plz,sex,contact\n" + rows)
    workspace.columns.setFocus()
    said = {}
    for row, name in enumerate(("plz", "sex", "contact")):
        # The first one is selected from the beginning.
        qtbot.keyClick(workspace.columns, Qt.Key.Key_Down if row else Qt.Key.Key_Up)
        idle(qtbot, workspace)
        pane, named = workspace.detail, workspace.columns_model.index(row, Field.NAME)
        said[name] = pane.role.text()
        assert pane.role.isVisible() is bool(said[name])
        assert (named.data(Qt.ItemDataRole.AccessibleDescriptionRole) or "") == said[name]
        assert said[name] in named.data(Qt.ItemDataRole.ToolTipRole)
    assert said["plz"] == "Others may know it: a post code, which many share." and said["sex"] == ""
    workspace.suggest_roles()
    assert not workspace.detail.isVisible()
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


def test_one_press_includes_what_is_asked_about_and_goes_on_to_anonymise(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is named before it is pressed; from another room the same step only leads to the question."""
    monkeypatch.setattr(LookDesk, "taken", False)
    path = tmp_path / "members.csv"
    rows = "".join(f"M{i % 60},{1 + i % 28:02}.05.2012,{'abc'[i % 3]},{i}.5\n" for i in range(90))
    path.write_text(f"member,joined,club,fee\n{rows}", encoding="utf-8")
    window.open_path(path)
    data_is_there(qtbot, window.document)
    room = window.workspaces["data"]
    assert isinstance(room, DataWorkspace)
    room.protected.persons.click()
    qtbot.waitUntil(lambda: room.next_hint() == "Include club and fee and go on", timeout=PATIENCE_MS)
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
    project = window.document.project
    assert {spec.name for spec in project.schema.columns if spec.role is Role.QUASI} == {"joined", "club", "fee"}
    assert set(project.hierarchies) == {"joined", "club", "fee"}
    put_off_is_done(qtbot, window)


def test_where_no_role_is_suggested_the_next_step_includes_what_stands_beside_the_question(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """It named the roles that nobody had to give, and led to a list of which the answer stood beside it."""
    open_text(qtbot, workspace, tmp_path, "p1,q1\n" + "".join(f"{i % 3},{i % 7}\n" for i in range(60)))
    workspace.protected.every_row.click()
    workspace.suggest_roles()
    idle(qtbot, workspace)
    assert workspace.next_hint() == "Include p1 and q1 and go on" and workspace.next_field() == "undecided"
    workspace.suggestions.close_button.click()
    assert workspace.next_hint() == "Give the columns their roles" and workspace.next_field() == "roles"
    workspace.suggest.click()
    idle(qtbot, workspace)
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


def test_all_columns_nobody_decided_about_are_decided_in_one_press_and_none_that_was_decided(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    _clubs(qtbot, workspace, tmp_path)
    heading, (club, visits) = workspace.suggestions.open_heading, workspace.suggestions.items[:2]
    assert heading is not None and heading.all_in.isVisible()
    heading.all_in.click()
    assert {spec(workspace, name).role for name in ("club", "visits")} == {Role.QUASI}
    assert heading.words.text() == "Decided by you" and heading.all_in.isHidden()
    reason = workspace.suggestions.open_reason
    assert reason is not None and reason.text() == "You included them."
    assert [one.name.full_text for one in (club, visits)] == ["club", "visits"], "it is said above them"
    assert [one.button.isHidden() for one in (club, visits)] == [True, True]
    assert workspace.window().focusWidget() is club.out, "the keyboard stays beside what was pressed"
    workspace.document.undo_stack.undo()
    assert heading.words.text() == "Not decided" and spec(workspace, "visits").undecided, "it was one step"
    assert reason.text() == "“Next” includes them.", "as it holds again, and as the next step says"
    assert workspace.next_hint() == "Include club and visits and go on"
    assert "not decided" not in workspace.columns_hint.full_text, "one place says it of each"
    workspace.before_publishing()
    assert reason.text() == "Left out unless you include it.", "so whoever went on otherwise was told"
    workspace._told = ()
    heading.all_out.click()
    assert reason.text() == "You left them out."
    assert {spec(workspace, name).role for name in ("club", "visits")} == {Role.IDENTIFYING}
    workspace.document.undo_stack.undo()
    club.button.click()
    assert heading.words.text() == "1 of 2 not decided" and not heading.all_out.isVisible(), "the last has its own"
    assert reason.text() == "“Next” includes it.", "of the last one"
    visits.out.click()
    assert reason.text() == "Some you included, some you left out."


def test_nothing_moves_and_nothing_contradicts_as_columns_are_decided_about(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    _clubs(qtbot, workspace, tmp_path)
    panel = workspace.suggestions
    qtbot.waitUntil(lambda: all(item.button.height() > 1 for item in panel.items))

    def places() -> list[int]:
        QCoreApplication.processEvents()
        return [item.mapTo(workspace, QPoint(0, 0)).y() for item in panel.items]

    before = places()
    for item in panel.items[:2]:
        qtbot.mouseClick(item.button, Qt.MouseButton.LeftButton)
        assert places() == before and item.followed and item.out.isVisible()
        shown = [one.text() for one in panel.findChildren(QLabel) if one.isVisible()]
        assert not any("is left out, too" in words for words in shown)
    assert "Not decided" not in [one.text() for one in panel.findChildren(QLabel) if one.isVisible()]
