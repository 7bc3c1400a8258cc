"""Who is protected, as the Data room asks for it, and how many rows one has."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.data_room.helpers import open_text, type_into
from tests.gui.helpers import PATIENCE_MS, choose_row, data_is_there, idle
from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.gui import tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import HelpBook
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field
from workbench.gui.workspaces.data.who_is_protected import WhoIsProtected
from workbench.query.catalogue import QueryDraft
from workbench.session.looking import LookDesk
from workbench.session.release.rows_of_person import cost_of_rows, protect

pytestmark = pytest.mark.usefixtures("after_a_look")


def test_until_it_is_said_who_is_protected_nothing_is_asked_of_a_column_that_nobody_chose(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.document.apply("ask", lambda session: session.data.set_unit(PrivacyUnit(1, protected=UnitAnswer.UNSAID)))
    workspace.document.changed.emit("data")
    idle(qtbot, workspace)
    assert not workspace.detail.isVisible() and not workspace.suggest.isVisible(), "one question at a time"
    assert workspace.columns.width() > workspace.width() * 9 // 10, "the columns have the room to themselves"
    first = workspace.columns.visualRect(workspace.columns_model.index(0, Field.NAME)).center()
    qtbot.mouseClick(workspace.columns.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert workspace.detail.isVisible() and workspace.columns.selected_names == ("name",), "also the one in the list"
    workspace.document.changed.emit("data")
    idle(qtbot, workspace)
    assert not workspace.detail.isVisible()
    workspace.document.apply("say", lambda session: session.data.set_unit(PrivacyUnit(1, protected=UnitAnswer.SAID)))
    idle(qtbot, workspace)
    assert not workspace.detail.isVisible(), "still nobody chose one, and what is said of all needs the room"
    assert not workspace.columns.isColumnHidden(Field.TURN)


def test_who_is_protected_is_asked_first_and_said_in_the_same_place(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    who = workspace.protected

    def unit() -> PrivacyUnit:
        return workspace.document.project.schema.unit

    assert who.asks and "“name” repeats as people do: 41 values, up to 2 rows each." in who.said
    assert workspace.status() is None, "what is asked first is no fault"
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
    type_into(qtbot, who.rows.edit, "2")
    assert unit() == PrivacyUnit(2, "name")
    assert "nobody has more than 2" in who.said
    type_into(qtbot, who.rows.edit, "1")
    who.limit.click()
    assert "someone has 2" in who.said, "counted and shown, but not to be taken over"
    choose_row(who.choice, 1)
    assert unit() == PrivacyUnit(2) and not workspace.document.project.preparation.limit_rows
    type_into(qtbot, who.rows.edit, "3")
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


def test_where_no_column_looks_like_persons_it_is_asked_which_and_nothing_is_said_before(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """The first column, such as a day, would be taken for persons, and the room would count as done."""
    open_text(
        qtbot,
        workspace,
        tmp_path,
        "day,ward\n" + "".join(f"{1 + i % 28:02}.03.2024,{'AB'[i % 2]}\n" for i in range(60)),
    )
    who = workspace.protected
    who.persons.click()
    assert who.asks and workspace.document.project.schema.unit.person_column == ""
    assert [one.text() for one in who.named.actions()] == ["day", "ward"] and who.named.isVisible()
    who.named.actions()[1].trigger()
    assert workspace.document.project.schema.unit.person_column == "ward" and not who.asks
    who.named.close()


def test_without_anything_that_repeats_every_row_is_proposed(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "age,city\n" + "".join(f"{20 + i % 30},Bern\n" for i in range(60)))
    who = workspace.protected
    assert who.asks and who.said == "No column seems to repeat a person" and workspace.status() is None
    workspace.focus_first()
    assert who.every_row.hasFocus()
    # A column of names does not say that people have several rows: what is asked is whether rows share a number.
    assert who.persons.accessibleName() == "A person’s rows share a number"
    assert "a name that nobody else has" in who.persons.toolTip()
    qtbot.keyClick(who.every_row, Qt.Key.Key_Space)
    assert workspace.document.project.schema.unit == PrivacyUnit() and not who.asks


def test_the_answers_have_one_order_in_every_file(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    """A hand that remembers where an answer stood in the last file finds it there in the next."""
    who, orders = workspace.protected, []
    for place, name in enumerate(("city", "patient", "city")):
        folder = tmp_path / str(place)
        folder.mkdir()
        open_text(qtbot, workspace, folder, f"age,{name}\n" + "".join(f"{20 + i % 30},{i}\n" for i in range(60)))
        assert who.asks
        orders.append(_offered(who))
        workspace.focus_first()
        assert (who.persons if name == "patient" else who.every_row).hasFocus(), "it is proposed where it stands"
    assert orders == [[who.every_row, who.several_rows, who.persons]] * 3


def _offered(who: WhoIsProtected) -> list[QPushButton]:
    """The answers as they stand, from the left and from above."""
    who.grab()  # which lays them out
    return sorted((who.every_row, who.several_rows, who.persons), key=lambda one: (one.y(), one.x()))


@pytest.mark.parametrize("name", ["patient", "customer_id"])
def test_a_column_called_after_persons_is_proposed_whatever_is_in_it(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path, name: str
) -> None:
    """By its name alone: with one row each as with several."""
    open_text(qtbot, workspace, tmp_path, f"age,{name}\n" + "".join(f"{20 + i % 30},{i}\n" for i in range(60)))
    who = workspace.protected
    said = f"If each has one row, choose the first; if nobody has two values of “{name}”, the last."
    assert who.asks and who.said == said
    assert who.persons.text() == f"The &persons of “{name}”" and workspace.status() is None
    workspace.focus_first()
    assert who.persons.hasFocus()
    assert _offered(who) == [who.every_row, who.several_rows, who.persons], "the last is the last"
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
    assert who.persons.text() == "The &persons of “Patient No”" and "two values of “Patient No”" in who.said
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
    assert "from each, take" in shown, "how many of each take part is a choice"
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
    line = next(one for one in who.findChildren(ElidedLabel) if one.full_text == who.said)
    tip = " ".join(line.toolTip().split())
    if rows == 1:
        counts = "One row of each person stays, by chance: nothing is lost if each has one."
        two = cost_of_rows(document.project, 2)[0]
        assert f"2 rows: both count, at {two}." in tip and "such as two clubs, only the value of that row" in tip
    else:
        counts = f"Costs {cost_of_rows(document.project, 3)[0]}. Up to 3 rows of each person stay, by chance."
    assert who.said == counts and tip.startswith(counts), "the tip says the same, and then the rest"
    assert "“patient”: you say so." in tip
    # Another session draws other rows of the same people, and releases them.
    assert "anew whenever the table is opened" in tip and "in no release" not in who.said
    assert who.rows.edit.accessibleName().endswith("row" if rows == 1 else "rows")


def test_what_one_row_of_each_person_means_is_seen_whole_in_a_small_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is in two clubs counts in one of them only, which a line that is cut would not tell."""
    path = tmp_path / "members.csv"
    path.write_text("club,member\n" + "".join(f"{'abc'[i % 3]},{i // 2}\n" for i in range(60)))
    window.resize(1024, 700)
    window.open_path(path)
    data_is_there(qtbot, window.document)
    room = window.workspaces["data"]
    assert isinstance(room, DataWorkspace)
    who = room.protected
    monkeypatch.setattr(LookDesk, "taken", property(lambda _: False))
    who.persons.click()
    qtbot.waitUntil(lambda: "One row of each person stays" in who.said, timeout=PATIENCE_MS)
    line = next(one for one in who.findChildren(ElidedLabel) if one.full_text == who.said)
    qtbot.waitUntil(lambda: line.text() == line.full_text, timeout=PATIENCE_MS)


def test_it_is_said_beside_the_number_of_rows_what_it_is_about_and_what_it_costs(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "age,patient\n" + "".join(f"{20 + i % 30},{i}\n" for i in range(60)))
    who, whole = workspace.protected, "in this whole file"

    def shown() -> list[str]:
        return [one.text() for one in who.findChildren(QLabel) if one.isVisibleTo(workspace)]

    who.persons.click()
    assert whole not in shown() and "Costs" not in who.said, "one row each is taken, and costs nothing more"
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
