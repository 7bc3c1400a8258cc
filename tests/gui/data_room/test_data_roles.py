"""Roles in the Data room: how they are given, and what is said of columns that have none."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.gui.data_room.helpers import SMALL, cell, open_text, role
from tests.gui.helpers import data_is_there, idle, put_off_is_done
from workbench.anonymise.recipe import Treatment
from workbench.core.builder_suggestions import public_specification
from workbench.core.building import build_hierarchy
from workbench.core.role_suggestions import suggest
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field
from workbench.project.storage import load_project

pytestmark = pytest.mark.usefixtures("after_a_look")


def test_a_role_is_set_for_several_columns_and_undone(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.setFocus()
    qtbot.keyClick(workspace.columns, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert workspace.detail.name.full_text.startswith("4 columns")
    qtbot.keyClick(workspace.columns, Qt.Key.Key_Q)
    assert {role(workspace, name) for name in ("name", "city", "age", "income")} == {Role.QUASI}
    assert cell(workspace, "age", Field.ROLE) == "Others may know it"
    assert workspace.document.undo_stack.undoText() == "Mark 4 columns as quasi-identifying"
    workspace.document.undo_stack.undo()
    assert {role(workspace, name) for name in ("name", "city", "age", "income")} == {Role.INSENSITIVE}


def test_the_context_menu_sets_roles(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("city")
    menu = workspace.columns.role_menu()
    next(action for action in menu.actions() if action.text().replace("&", "").startswith("Sensitive")).trigger()
    menu.deleteLater()
    assert role(workspace, "city") is Role.SENSITIVE


@pytest.mark.parametrize(("key", "given"), [("I", Role.IDENTIFYING), ("S", Role.SENSITIVE), ("N", Role.INSENSITIVE)])
def test_the_letters_of_roles_work_in_the_open_menu(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, key: str, given: Role
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("city")
    menu = workspace.columns.offer_roles(workspace.columns.currentIndex().row())
    assert menu is not None
    qtbot.keyClicks(menu, key.lower())
    spec = workspace.document.project.schema["city"]
    assert spec.role is given and not spec.undecided


def test_a_column_is_left_out_in_so_many_words_and_undecided_again(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("city")
    menu = workspace.columns.role_menu()
    texts = {action.text().replace("&", ""): action for action in menu.actions()}
    texts["Leave out (identifying or not needed)\tI"].trigger()
    assert cell(workspace, "city", Field.ROLE) == "Leave out"
    assert workspace.detail.role.text().startswith("Leave out (")
    texts["Not decided"].trigger()
    menu.deleteLater()
    assert workspace.document.project.schema["city"].undecided
    assert cell(workspace, "city", Field.ROLE) == "—" and workspace.detail.role.isHidden()
    assert workspace.document.undo_stack.undoText() == "Leave the role of “city” undecided"
    workspace.document.undo_stack.undo()
    assert role(workspace, "city") is Role.IDENTIFYING


def test_keys_and_the_cell_give_roles(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.reach("roles")
    workspace.columns.select("age")
    for key, wanted in (("q", Role.QUASI), ("s", Role.SENSITIVE), ("i", Role.IDENTIFYING), ("n", Role.INSENSITIVE)):
        qtbot.keyClicks(workspace.columns, key)
        assert role(workspace, "age") is wanted
    index = workspace.columns_model.index(workspace.columns_model.row_of("city"), Field.ROLE)
    qtbot.mouseClick(
        workspace.columns.viewport(), Qt.MouseButton.LeftButton, pos=workspace.columns.visualRect(index).center()
    )
    assert workspace.columns.selected_names == ("city",)
    menu = next(one for one in workspace.columns.findChildren(QMenu) if one.isVisible())
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert role(workspace, "city") is Role.QUASI


def test_status_follows_the_roles(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    assert workspace.next_hint()
    workspace.protected.every_row.click()
    assert workspace.status() is None
    assert (workspace.next_hint(), workspace.next_field()) == ("Suggest roles", "roles")
    workspace.columns.select("age")
    qtbot.keyClick(workspace.columns, Qt.Key.Key_Q)
    assert workspace.status() is None, "the others are left out, and open here"
    assert (workspace.next_hint(), workspace.next_field()) == ("Decide about name, city and income", "undecided")
    workspace.before_publishing()
    assert workspace.next_hint() == ""
    assert workspace.status() is Status.SUCCESS, "who went on was told that they take no part"
    assert "not decided: left out unless included" in workspace.columns_hint.full_text, "which is said"
    workspace.columns.selectAll()
    qtbot.keyClick(workspace.columns, Qt.Key.Key_Q)
    assert workspace.status() is Status.SUCCESS and "not decided" not in workspace.columns_hint.full_text


def test_what_was_suggested_is_no_longer_offered_first(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.protected.every_row.click()
    assert workspace.suggest.property("quiet") != "true"
    workspace.suggest.click()
    idle(qtbot, workspace)
    assert workspace.suggest.property("quiet") == "true" and workspace.suggest.isEnabled(), "it can be done again"
    open_text(qtbot, workspace, tmp_path, SMALL, "other.csv")
    assert workspace.suggest.property("quiet") != "true"


def test_which_columns_are_left_out_undecided_is_told_on_the_way_on(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    noted: list[str] = []
    workspace.document.noted.connect(lambda _kind, text: noted.append(text))
    open_text(
        qtbot, workspace, tmp_path, "age,city,job\n" + "".join(f"{20 + i % 30},Bern,{i % 3}\n" for i in range(60))
    )
    workspace.protected.every_row.click()
    workspace.before_publishing()
    assert not noted, "nothing was begun"
    workspace.columns.select("age")
    qtbot.keyClick(workspace.columns, Qt.Key.Key_Q)
    for _ in range(2):
        workspace.before_publishing()
    assert noted == ["Not decided in Data, so left out of a release: city, job."], "once"
    city = build_hierarchy(public_specification(workspace.document.project.schema["city"]), ["Bern"])
    workspace.document.apply("Attach", lambda session: session.data.attach_hierarchies({"city": city}))
    told = workspace.columns_hint.full_text
    assert told == "2 of 3 in a release, 1 not decided: left out unless included", "a hierarchy says what it is for"
    workspace.document.apply("Leave out", lambda session: session.data.set_role(["job"], Role.IDENTIFYING))
    assert workspace.columns_hint.full_text == "2 of 3 in a release"
    assert workspace.status() is Status.SUCCESS
    workspace.before_publishing()
    assert len(noted) == 1


def test_what_is_not_decided_is_told_where_a_release_is_made_and_in_no_other_room(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    noted: list[str] = []
    window.document.noted.connect(lambda _kind, text: noted.append(text))
    path = tmp_path / "table.csv"
    path.write_text("age,city\n" + "".join(f"{20 + i % 30},Bern\n" for i in range(60)), encoding="utf-8")
    window.open_path(path)
    data_is_there(qtbot, window.document)
    assert window.document.apply("age", lambda session: session.data.set_role(["age"], Role.QUASI))
    for room in ("query", "collect", "mechanisms"):
        window.show_workspace(room)
    assert not [text for text in noted if text.startswith("Not decided")]
    for room in ("hierarchies", "query", "anonymise"):
        window.show_workspace(room)
    told = [text for text in noted if text.startswith("Not decided")]
    assert told == ["Not decided in Data, so left out of a release: city."], "once, where it matters"
    put_off_is_done(qtbot, window)


def test_a_column_that_a_release_leaves_out_has_the_sign_of_it_above_its_values_too(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("age")
    qtbot.keyClick(workspace.columns, Qt.Key.Key_Q)
    model = workspace.table.model()
    place = workspace.columns_model.row_of("age")

    def sign() -> object:
        return model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)

    before = sign()
    leave = Treatment.LEAVE_OUT
    workspace.document.apply("Leave out", lambda session: session.release.columns.set_treatment("age", leave))
    assert sign() == "age\nLeave out" != before
    workspace.document.undo_stack.undo()
    assert sign() == before


def test_a_role_that_nobody_has_said_is_not_called_one(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    model = workspace.columns_model
    row = model.row_of("age")

    def shown() -> object:
        return model.index(row, Field.ROLE).data()

    def spoken() -> object:
        return model.index(row, Field.ROLE).data(Qt.ItemDataRole.AccessibleTextRole)

    assert shown() == "—" and spoken() == "Not decided", "who is protected is asked first"
    assert workspace.document.project.schema["age"].role is Role.INSENSITIVE
    path = tmp_path / "kept.wbench"
    workspace.document.session.save(path)
    assert load_project(path).schema["age"].undecided, "saved as it stands"
    workspace.columns.select("age")
    qtbot.keyClick(workspace.columns, Qt.Key.Key_N)
    assert shown() == "Insensitive" and not workspace.document.project.schema["age"].undecided
    workspace.document.undo_stack.undo()
    assert shown() == "—"
    workspace.protected.every_row.click()
    assert shown() == "Not decided", "as it can be said now"
    workspace.suggest_roles()
    idle(qtbot, workspace)
    assert shown() == "Others may know it"
    workspace.suggestions.turn("age")
    assert shown() == "Leave out"
    for _ in range(2):
        workspace.document.undo_stack.undo()
    assert shown() == "Not decided", "as long as nobody said anything"


def test_each_suggestion_decides_something(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    rows = "".join(f"{20 + i % 40},{i % 7},{i % 11},{i % 13}\n" for i in range(400))
    open_text(qtbot, workspace, tmp_path, "age,ward,bed,floor\n" + rows)
    workspace.suggest_roles()
    idle(qtbot, workspace)
    found = suggest(workspace.document.session.data.reading.table, workspace.document.project.schema).found
    assert sum(len(one.columns) > 1 for one in found) > 2, "sets overlap"
    told: set[str] = set()
    for suggestion in workspace.suggestions.suggested:
        assert not told.issuperset(suggestion.columns), suggestion.columns
        told.update(suggestion.columns)
    assert told == {name for one in found for name in one.columns}, "no column goes unsaid"


def test_a_column_that_a_release_leaves_out_says_so(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.protected.every_row.click()
    workspace.columns.select("age")
    qtbot.keyClick(workspace.columns, Qt.Key.Key_Q)
    model = workspace.columns_model
    cell = model.index(model.row_of("age"), Field.ROLE)
    assert cell.data() == "Others may know it" and "Can be known" in str(cell.data(Qt.ItemDataRole.ToolTipRole))
    assert "Its name has “age”, a word for what others may know." in str(cell.data(Qt.ItemDataRole.ToolTipRole))
    workspace.document.apply(
        "Leave age out", lambda session: session.release.columns.set_treatment("age", Treatment.LEAVE_OUT)
    )
    assert cell.data() == "Leave out" and "as Anonymise says" in str(cell.data(Qt.ItemDataRole.ToolTipRole))


def test_nine_columns_are_seen_whole_on_a_small_screen(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    """As in a window of 1280 × 722; a bar for the last few pixels of a row would cut it."""
    open_text(qtbot, workspace, tmp_path, ",".join("abcdefghi") + "\n" + ",".join("123456789") + "\n")
    workspace.protected.every_row.click()
    workspace.resize(1050, 615)
    idle(qtbot, workspace)
    QCoreApplication.processEvents()
    assert workspace.columns.verticalScrollBar().maximum() == 0
    assert workspace.table.viewport().height() >= 2 * tokens.ROW_HEIGHT, "and rows below it"
