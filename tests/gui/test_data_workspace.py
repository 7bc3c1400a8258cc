"""The Data workspace, through its widgets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDialog, QLabel, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.data_helpers import cell
from tests.gui.helpers import PATIENCE_MS, OnScreen, choose_row, data_is_there, idle, put_off_is_done
from workbench.anonymise.recipe import Treatment
from workbench.core.builder_suggestions import public_specification
from workbench.core.building import build_hierarchy
from workbench.core.errors import WorkbenchError
from workbench.core.role_suggestions import suggest
from workbench.core.schema import Kind, PrivacyUnit, Role, UnitAnswer
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.table_view import CodesTableModel
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import BARS_ROLE, Field
from workbench.project.storage import load_project
from workbench.query.catalogue import QueryDraft
from workbench.session.looking import LookDesk
from workbench.session.release.rows_of_person import cost_of_rows, protect

pytestmark = pytest.mark.usefixtures("after_a_look")

NARROW = 536
SMALL = (
    "name,city,age,income\n"
    + "".join(f"Person {i % 40:02},{'Bern' if i % 3 else 'Basel'},{20 + i % 30},{100 * i}\n" for i in range(60))
    + "Person 99,,unknown,5\n"
)


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen) -> DataWorkspace:
    return on_screen(DataWorkspace(document))


def open_text(
    qtbot: QtBot, workspace: DataWorkspace, folder: Path, text: str = SMALL, name: str = "people.csv"
) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    workspace.document.open_data(path)
    idle(qtbot, workspace)
    return path


def role(workspace: DataWorkspace, name: str) -> Role:
    return workspace.document.project.schema[name].role


def test_without_a_table_it_leads_to_one(qtbot: QtBot, workspace: DataWorkspace) -> None:
    assert workspace.status() is None
    assert workspace.next_hint()
    button, other = workspace.empty.primary_button, workspace.empty.secondary_buttons[0]
    assert button is not None
    with qtbot.waitSignal(workspace.open_requested):
        button.click()
    with qtbot.waitSignal(workspace.start_requested):
        other.click()


def test_the_header_says_how_the_file_was_read(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path, "a;b\n1;2\n3;4\n")
    assert workspace.header.name.full_text == "people.csv"
    assert workspace.header.facts.full_text == "2 rows · 2 columns · semicolon, UTF-8, header"
    assert not workspace.header.problems.isVisible()
    open_text(qtbot, workspace, tmp_path, "a\n1\n")
    assert workspace.header.facts.full_text.startswith("1 row · 1 column · ")


def test_until_it_is_said_who_is_protected_nothing_is_asked_of_a_column_that_nobody_chose(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.document.apply("ask", lambda session: session.data.set_unit(PrivacyUnit(1, protected=UnitAnswer.UNSAID)))
    workspace.document.changed.emit("data")
    idle(qtbot, workspace)
    told = [one.text() for one in workspace.findChildren(QLabel) if one.isVisible()]
    assert not workspace.detail.isVisible() and "Click a column to see its kind and values." in told
    first = workspace.columns.visualRect(workspace.columns_model.index(0, Field.NAME)).center()
    qtbot.mouseClick(workspace.columns.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert workspace.detail.isVisible() and workspace.columns.selected_names == ("name",), "also the one in the list"
    workspace.document.changed.emit("data")
    idle(qtbot, workspace)
    assert not workspace.detail.isVisible()
    workspace.document.apply("say", lambda session: session.data.set_unit(PrivacyUnit(1, protected=UnitAnswer.SAID)))
    idle(qtbot, workspace)
    assert workspace.detail.isVisible()


def test_the_list_describes_every_column(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    assert [workspace.columns_model.name(row) for row in range(4)] == ["name", "city", "age", "income"]
    assert cell(workspace, "city", Field.DISTINCT) == "2"
    assert cell(workspace, "city", Field.MISSING) == "1"
    assert cell(workspace, "income", Field.KIND) == "Whole number"
    bars = workspace.columns_model.index(1, Field.BARS).data(BARS_ROLE)
    assert bars.tolist() == [40, 20]


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
    assert cell(workspace, "city", Field.ROLE) == "Not decided" and workspace.detail.role.isHidden()
    assert workspace.document.undo_stack.undoText() == "Leave the role of “city” undecided"
    workspace.document.undo_stack.undo()
    assert role(workspace, "city") is Role.IDENTIFYING


def test_a_column_of_many_is_found_by_its_name(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    assert not workspace.column_find.isVisible()
    names = ",".join(f"column {number}" for number in range(30))
    open_text(qtbot, workspace, tmp_path, f"{names}\n{names}\n", "wide.csv")
    qtbot.keyClicks(workspace.column_find, "N 27")
    assert workspace.columns.selected_names == ("column 27",)


def test_the_kind_is_changed_and_what_does_not_fit_is_named(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("city")
    combo = workspace.detail.kind
    qtbot.keyClicks(combo, "Whole")
    combo.activated.emit(combo.currentIndex())
    assert workspace.document.project.schema["city"].kind is Kind.INTEGER
    idle(qtbot, workspace)
    facts = workspace.facts.of("city")
    assert facts is not None
    assert set(facts.misfits) == {"Bern", "Basel"}
    kinds = workspace.columns.model()
    shown = [kinds.index(row, 2).data() for row in range(kinds.rowCount())]
    assert "Whole number, partly" in shown, "what the sign is about can be read beside it"
    texts = [found.text() for found in workspace.detail.findChildren(QLabel) if found.isVisible()]
    assert any("“Bern”" in text and "2 values" in text for text in texts)
    workspace.document.undo_stack.undo()
    assert workspace.document.project.schema["city"].kind is Kind.CATEGORY


def _type(qtbot: QtBot, edit: QLineEdit, text: str) -> None:
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


def test_public_bounds_are_typed(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("income")
    bounds = workspace.detail.bounds
    assert bounds.isVisible()
    _type(qtbot, bounds.least.edit, "0")
    assert workspace.document.project.schema["income"].bounds is None, "one bound is none"
    _type(qtbot, bounds.greatest.edit, "1e6")
    assert workspace.document.project.schema["income"].bounds == (0, 1_000_000)
    _type(qtbot, bounds.greatest.edit, "-5")
    assert workspace.document.project.schema["income"].bounds == (0, 1_000_000), "refused"
    workspace.document.undo_stack.undo()
    assert workspace.document.project.schema["income"].bounds is None
    assert bounds.greatest.value is None


def test_bounds_from_the_data_need_a_second_step_that_warns(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("income")
    bounds = workspace.detail.bounds
    bounds.read_button.click()
    assert bounds.warning.isVisible()
    assert workspace.document.project.schema["income"].bounds is None
    bounds.cancel.click()
    assert not bounds.warning.isVisible()
    bounds.read_button.click()
    bounds.confirm.click()
    assert workspace.document.project.schema["income"].bounds == (0, 5900)


def test_texts_have_no_bounds(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("city")
    assert not workspace.detail.bounds.isVisible()


def test_who_is_protected_is_asked_first_and_said_in_the_same_place(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    who = workspace.protected

    def unit() -> PrivacyUnit:
        return workspace.document.project.schema.unit

    assert who.asks and "“name” repeats as people do: 41 values, up to 2 rows each." in who.said
    assert workspace.status() is Status.WARNING
    assert (workspace.next_hint(), workspace.next_field()) == ("Say who is protected", "person")
    workspace.reach("person")
    assert who.persons.hasFocus(), "what is proposed"
    place = who.geometry()
    who.persons.click()
    idle(qtbot, workspace)
    assert unit() == PrivacyUnit(1, "name") and not who.asks
    assert who.geometry() == place, "nothing below moves under the pointer"
    assert (
        workspace.document.project.preparation.limit_rows
        and "rows are left out: of each person one is kept" in who.said
    )
    assert "41 of 61 rows take part" in workspace.which_rows.words.full_text
    _type(qtbot, who.rows.edit, "2")
    assert unit() == PrivacyUnit(2, "name")
    assert "nobody has more than 2" in who.said
    _type(qtbot, who.rows.edit, "1")
    who.limit.click()
    assert "someone has 2" in who.said, "counted and shown, but not to be taken over"
    choose_row(who.choice, 1)
    assert unit() == PrivacyUnit(2) and not workspace.document.project.preparation.limit_rows
    _type(qtbot, who.rows.edit, "3")
    assert unit() == PrivacyUnit(3)
    choose_row(who.choice, 0)
    assert unit() == PrivacyUnit()
    workspace.document.undo_stack.undo()
    assert who.choice.currentIndex() == 1 and unit() == PrivacyUnit(3)
    while workspace.document.undo_stack.canUndo():
        workspace.document.undo_stack.undo()
    assert who.asks, "nothing was said yet"


def test_while_more_rows_are_typed_it_says_what_earlier_answers_would_count_as(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "age,city\n" + "".join(f"{20 + i % 30},Bern\n" for i in range(60)))
    who, session = workspace.protected, workspace.document.session
    workspace.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    session.queries.ask(QueryDraft("count", "1/2"))
    choose_row(who.choice, 1)
    assert who.said.startswith("What was released so far counts as ε 1, not ε 0.5."), "at once, where it is 2"
    who.rows.edit.setFocus()
    who.rows.edit.selectAll()
    qtbot.keyClicks(who.rows.edit, "9")
    assert workspace.document.project.schema.unit.rows_per_person == 2, "nothing is taken yet"
    assert who.said == "What was released so far would count as ε 4.5, not ε 0.5."
    qtbot.keyClick(who.rows.edit, Qt.Key.Key_Return)
    assert who.said.startswith("What was released so far counts as ε 4.5, not ε 0.5. Costs 9 × the noise")
    assert workspace.document.session.standing.spent.epsilon == Fraction(9, 2)
    choose_row(who.choice, 0)
    assert who.said == "", "as it was made for"


def test_without_anything_that_repeats_every_row_is_proposed(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "age,city\n" + "".join(f"{20 + i % 30},Bern\n" for i in range(60)))
    who = workspace.protected
    assert who.asks and who.said == "No column seems to have the same person twice" and workspace.status() is None
    workspace.focus_first()
    assert who.every_row.hasFocus()
    qtbot.keyClick(who.every_row, Qt.Key.Key_Space)
    assert workspace.document.project.schema.unit == PrivacyUnit() and not who.asks


@pytest.mark.parametrize("name", ["patient", "customer_id"])
def test_a_column_called_after_persons_is_proposed_whatever_is_in_it(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, name: str
) -> None:
    """By its name alone: with one row each as with several."""
    open_text(qtbot, workspace, tmp_path, f"age,{name}\n" + "".join(f"{20 + i % 30},{i}\n" for i in range(60)))
    who = workspace.protected
    signed = f"Press the first button if a person always has the same “{name}”"
    assert who.asks and who.said == f"Its name says that “{name}” tells persons apart. {signed}"
    assert who.persons.text() == f"The &persons of “{name}”" and workspace.status() is None
    workspace.focus_first()
    assert who.persons.hasFocus()
    who.persons.click()
    assert workspace.document.project.schema.unit.person_column == name


def test_a_number_of_people_is_proposed_before_their_names(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """Names repeat because people share them: that a number does not is no reason to prefer them."""
    rows = "".join(f"Ann Lee{'abcdefghij'[i % 10]}{'abcde'[i % 5]}{i % 25},P{i:04},{20 + i % 30}\n" for i in range(60))
    open_text(qtbot, workspace, tmp_path, "Full name,Patient No,age\n" + rows)
    who = workspace.protected
    assert [one.name for one in workspace.document.session.data.persons] == ["Full name"]
    assert who.persons.text() == "The &persons of “Patient No”" and "“Patient No” tells persons apart" in who.said
    who.persons.click()
    assert workspace.document.project.schema.unit.person_column == "Patient No"


def test_who_does_not_know_how_many_rows_a_person_has_is_told_what_to_do(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    who = workspace.protected
    who.several_rows.click()
    assert workspace.document.project.schema.unit.rows_per_person == 2
    assert "You sign this; if unsure" in who.said
    assert "Each has at most" in [one.text() for one in who.findChildren(QLabel) if one.isVisibleTo(workspace)]
    workspace.resize(1024 - tokens.RAIL_WIDTH, 600)
    (line,) = (one for one in who.findChildren(ElidedLabel) if one.full_text == who.said)
    qtbot.waitUntil(lambda: line.text() == who.said, timeout=PATIENCE_MS)  # nothing of it is cut
    choose_row(who.choice, 2)
    shown = [one.text() for one in who.findChildren(QLabel) if one.isVisibleTo(workspace)]
    assert "each takes part with" in shown, "how many of each take part is a choice"
    qtbot.waitUntil(lambda: who.limit.width() >= who.limit.sizeHint().width(), timeout=PATIENCE_MS)
    who.limit.click()
    idle(qtbot, workspace)
    shown = [one.text() for one in who.findChildren(QLabel) if one.isVisibleTo(workspace)]
    assert "each at most" in shown, "where nothing is left out it is a fact"
    who.choice.setCurrentIndex(0)
    who.choice.activated.emit(0)
    assert workspace.document.project.schema.unit == PrivacyUnit() and "unsure" not in who.said


@pytest.mark.parametrize("rows", [1, 3])
def test_before_a_look_it_is_said_that_more_rows_of_a_person_are_left_out(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    open_text(qtbot, workspace, tmp_path, "age,patient\n" + "".join(f"{20 + i % 30},{i // 2}\n" for i in range(60)))
    who = workspace.protected
    monkeypatch.setattr(LookDesk, "taken", property(lambda _: False))
    document = workspace.document
    document.apply("", lambda session: protect(session, PrivacyUnit(rows, "patient", protected=UnitAnswer.SAID)))
    document.apply(
        "", lambda session: session.data.set_preparation(replace(session.project.preparation, limit_rows=True))
    )
    idle(qtbot, workspace)
    stays = "One row of each person stays" if rows == 1 else f"Up to {rows} rows of each person stay"
    # Another session draws other rows of the same people, and releases them.
    kept = "another" if rows == 1 else "others"
    assert (
        f"{stays}, by chance; opened again, the table may keep {kept}." in who.said and "in no release" not in who.said
    )
    assert who.rows.edit.accessibleName().endswith("row" if rows == 1 else "rows")


def test_it_is_said_beside_the_number_of_rows_what_it_is_about_and_what_it_costs(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "age,patient\n" + "".join(f"{20 + i % 30},{i}\n" for i in range(60)))
    who, whole = workspace.protected, "in this whole file"

    def shown() -> list[str]:
        return [one.text() for one in who.findChildren(QLabel) if one.isVisibleTo(workspace)]

    who.persons.click()
    assert whole in shown() and "Costs" not in who.said, "one row each costs nothing more"
    explained = HelpBook().find("data.person")
    assert explained is not None and who.limit.text().replace("&", "") in explained.text.lower(), "as it is called"
    project = workspace.document.project
    for way in (PrivacyUnit(5, "patient"), PrivacyUnit(5)):
        workspace.document.apply("", lambda session, way=way: protect(session, replace(way, protected=UnitAnswer.SAID)))
        assert whole in shown() and f"Costs {cost_of_rows(project, 5)[0]}" in who.said
        workspace.resize(workspace.width() - 60, workspace.height())
        tips = "".join(one.toolTip() for one in who.findChildren(QLabel))
        assert cost_of_rows(project, 5)[1] in tips, "however the window is resized"
    who.choice.setCurrentIndex(0)
    who.choice.activated.emit(0)
    assert whole not in shown() and "Costs" not in who.said


def test_who_changes_whom_a_row_stands_for_is_asked_anew_how_many_are_expected(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "age,patient\n" + "".join(f"{20 + i % 30},{i}\n" for i in range(60)))
    who, document = workspace.protected, workspace.document
    trim = document.project.anonymise.trim
    document.apply("", lambda session: session.release.set_trimming(replace(trim, expected_rows=2_000)))
    who.persons.click()
    assert document.project.anonymise.trim.expected_rows is None, "2,000 rows are not so many people"
    document.undo_stack.undo()
    assert document.project.anonymise.trim.expected_rows == 2_000


def test_another_person_column_is_chosen(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    who = workspace.protected
    who.persons.click()
    choose_row(who.columns, who.columns.findText("city"))
    assert workspace.document.project.schema.unit.person_column == "city"


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


def has_width(widget: QWidget, width: int) -> bool:
    return widget.width() == width


def test_the_list_keeps_its_columns_at_every_width(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    for width in (700, 1000, 1600, 900):
        workspace.resize(width, 700)
        qtbot.waitUntil(partial(has_width, workspace, width), timeout=PATIENCE_MS)
        widths = [workspace.columns.columnWidth(field) for field in Field]
        assert all(widths) and widths[Field.MISSING] < 2 * widths[Field.DISTINCT]
    workspace.resize(1300, 700)
    idle(qtbot, workspace)
    assert workspace.columns.columnViewportPosition(Field.EXAMPLES) < workspace.columns.viewport().width()


def test_problem_lines_are_listed(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path, "a,b\n" + "1,2\n" * 8 + "3\n4,5,6\n7,8\n")
    assert workspace.status() is Status.WARNING
    assert workspace.header.problems.text() == "2 lines with problems"
    dialog = workspace.show_problems()
    model = dialog.view.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["10", "11"]
    assert model.index(0, 3).data() == "3"
    dialog.reject()


def test_status_follows_the_roles(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    assert workspace.next_hint()
    workspace.protected.every_row.click()
    assert workspace.status() is None
    assert (workspace.next_hint(), workspace.next_field()) == ("Suggest roles", "roles")
    workspace.columns.select("age")
    qtbot.keyClick(workspace.columns, Qt.Key.Key_Q)
    assert workspace.status() is None and workspace.next_hint() == "", "the others are left out, and open here"
    workspace.before_publishing()
    assert workspace.status() is Status.SUCCESS, "who went on was told that they take no part"
    assert "not decided: left out of a release" in workspace.columns_hint.full_text, "which is said"
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
    assert workspace.columns_hint.full_text == "1 not decided: left out of a release", "a hierarchy says what it is for"
    workspace.document.apply("Leave out", lambda session: session.data.set_role(["job"], Role.IDENTIFYING))
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


def test_the_table_shows_the_rows_with_numbers_on_the_right(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    model = workspace.table.model()
    assert isinstance(model, CodesTableModel)
    assert model.rowCount() == 61
    assert model.index(60, 0).data() == "Person 99"
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    assert model.index(0, 3).data(Qt.ItemDataRole.TextAlignmentRole) == right
    assert model.index(0, 1).data(Qt.ItemDataRole.TextAlignmentRole) != right


def test_a_heading_of_the_table_chooses_the_column(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    header = workspace.table.horizontalHeader()
    spot = QPoint(header.sectionViewportPosition(1) + 20, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert workspace.columns.selected_names == ("city",)


def test_who_is_led_to_the_reading_options_opens_them_or_not(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    said: list[tuple[str, str]] = []
    workspace.document.noted.connect(lambda *one: said.append(one))
    workspace.reach("reading")
    ((kind, words),) = said
    assert kind == "info" and words.startswith("In “Reading options…”, tick “Ignore spaces after a delimiter”")
    assert workspace.header.options.hasFocus() and not workspace.findChildren(QDialog), "they show rows"


def test_reading_options_preview_and_open(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path, "a;b,c\n1;2,3\n4;5,6\n")
    dialog = workspace.show_options()
    idle(qtbot, workspace)
    before = dialog.table.model().columnCount()
    assert before == workspace.columns_model.rowCount()
    other = ";" if workspace.document.session.data.reading.dialect.delimiter == "," else ","
    dialog.fields.delimiter.setCurrentIndex(dialog.fields.delimiter.findData(other))
    dialog.fields.delimiter.activated.emit(dialog.fields.delimiter.currentIndex())
    names = ["a", "b,c"] if other == ";" else ["a;b", "c"]
    header = Qt.Orientation.Horizontal

    def shown() -> list[object]:
        model = dialog.table.model()
        return [str(model.headerData(i, header)).split("\n")[0] for i in range(model.columnCount())]

    qtbot.waitUntil(lambda: shown() == names, timeout=PATIENCE_MS)
    assert list(workspace.document.project.schema.names) != names, "only a preview"
    dialog.apply.click()
    idle(qtbot, workspace)
    assert list(workspace.document.project.schema.names) == names


@pytest.mark.parametrize("closed", [False, True])
def test_reading_options_open_the_file_that_was_looked_at(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, closed: bool
) -> None:
    """Something else may be open by then, as where a file that took long has come, or nothing at all."""
    open_text(qtbot, workspace, tmp_path, "a,b\n1,2\n4,5\n")
    dialog = workspace.show_options()
    idle(qtbot, workspace)
    if closed:
        workspace.document.new()
    else:
        other = tmp_path / "other.csv"
        other.write_text("c,d\n1,2\n4,5\n", encoding="utf-8")
        workspace.document.open_data(other)
    idle(qtbot, workspace)
    dialog.apply.click()
    idle(qtbot, workspace)
    assert workspace.document.project.schema.names == ("a", "b")


def test_reading_options_say_what_cannot_be(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    dialog = workspace.show_options()
    idle(qtbot, workspace)
    edit = dialog.fields.encoding.lineEdit()
    assert edit is not None
    edit.selectAll()
    qtbot.keyClicks(edit, "klingon")
    qtbot.waitUntil(lambda: "klingon" in dialog.summary.full_text, timeout=PATIENCE_MS)
    assert not dialog.apply.isEnabled()
    dialog.recognise.click()
    qtbot.waitUntil(dialog.apply.isEnabled, timeout=PATIENCE_MS)
    assert dialog.fields.encoding.currentText() == "UTF-8"
    dialog.reject()


def test_a_file_that_is_no_table_keeps_what_is_open(
    qtbot: QtBot, workspace: DataWorkspace, errors: list[BaseException], tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"%PDF-1.7 nothing")
    workspace.document.open_data(bad)
    idle(qtbot, workspace)
    assert len(errors) == 1
    assert isinstance(errors[0], WorkbenchError)
    assert workspace.header.name.full_text == "people.csv"


def test_the_next_file_replaces_the_first(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("income")
    open_text(qtbot, workspace, tmp_path, "x,age\n1,2\n2,3\n", "next.csv")
    assert workspace.header.name.full_text == "next.csv"
    assert workspace.columns.selected_names == ("x",)
    assert workspace.detail.name.full_text == "x"
    assert cell(workspace, "age", Field.DISTINCT) == "2"


def test_a_new_project_goes_back_to_the_start(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.document.new()
    assert workspace.empty.isVisible()
    assert workspace.columns_model.rowCount() == 0


def test_a_project_can_be_opened_while_a_column_of_numbers_is_shown(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, errors: list[BaseException]
) -> None:
    open_text(qtbot, workspace, tmp_path)
    saved = tmp_path / "people.wbench"
    assert workspace.document.save(saved)
    workspace.columns.select("income")
    # Until its data is read, a project has columns without values.
    assert workspace.document.open_project(saved)
    idle(qtbot, workspace)
    assert not errors and workspace.document.has_data


@pytest.mark.parametrize("size", [(1016, 700), (760, 560)])
def test_every_control_has_a_name_and_an_explanation(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, size: tuple[int, int]
) -> None:
    workspace.resize(*size)
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("income")
    for widget in workspace.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and isinstance(
            widget, (QAbstractButton, QLineEdit, QComboBox)
        ):
            inside = widget.parentWidget()
            named = widget.accessibleName() or (isinstance(inside, QComboBox) and inside.accessibleName())
            assert named, widget
            assert explain_key(widget), widget
    assert workspace.minimumSizeHint().width() <= NARROW, "between rail and Explain pane at 1024 × 700"


def test_a_role_that_nobody_has_said_is_not_called_one(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    model = workspace.columns_model
    row = model.row_of("age")

    def shown() -> object:
        return model.index(row, Field.ROLE).data()

    assert shown() == "Not decided" and workspace.document.project.schema["age"].role is Role.INSENSITIVE
    path = tmp_path / "kept.wbench"
    workspace.document.session.save(path)
    assert load_project(path).schema["age"].undecided, "saved as it stands"
    workspace.columns.select("age")
    qtbot.keyClick(workspace.columns, Qt.Key.Key_N)
    assert shown() == "Insensitive" and not workspace.document.project.schema["age"].undecided
    workspace.document.undo_stack.undo()
    assert shown() == "Not decided"
    workspace.suggest_roles()
    idle(qtbot, workspace)
    item = next(item for item in workspace.suggestions.items if item.suggestion.columns == ("age",))
    assert shown() == "Others may know it"
    item.button.click()
    assert shown() == "Not decided", "taking a suggestion back says nothing either"


def test_each_suggestion_decides_something(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    rows = "".join(f"{20 + i % 40},{i % 7},{i % 11},{i % 13}\n" for i in range(400))
    open_text(qtbot, workspace, tmp_path, "age,ward,bed,floor\n" + rows)
    workspace.suggest_roles()
    idle(qtbot, workspace)
    found = suggest(workspace.document.session.data.reading.table, workspace.document.project.schema).found
    assert sum(len(one.columns) > 1 for one in found) > 2, "sets overlap"
    told: set[str] = set()
    for item in workspace.suggestions.items:
        assert not told.issuperset(item.suggestion.columns), item.suggestion.columns
        told.update(item.suggestion.columns)
    assert told == {name for one in found for name in one.columns}, "no column goes unsaid"


@pytest.mark.parametrize("name", ["patient", "employee_number"])
def test_a_name_that_is_marked_is_shown_whole(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, name: str
) -> None:
    open_text(qtbot, workspace, tmp_path, f"{name},ward\n" + "".join(f"{i},A\n" for i in range(60)))
    index = workspace.columns_model.index(workspace.columns_model.row_of(name), Field.NAME)
    assert index.data(Qt.ItemDataRole.DecorationRole) is not None
    assert workspace.columns.sizeHintForIndex(index).width() <= workspace.columns.columnWidth(Field.NAME)


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
