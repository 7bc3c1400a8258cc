"""What is typed into the dialog “What do you know without this file?” of a trimmed release, and how it is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked, seen
from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import trim, write
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.terms import PEOPLE_NOT_TOLD
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role
from workbench.gui.next_step import KNOWN
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.knowledge_dialog import KnowledgeDialog
from workbench.session import Session
from workbench.session.release.knowledge import SOURCES

PEOPLE_ASKED = "Do others know exactly how many people there are?"


def test_what_is_known_without_the_file_is_said_in_one_place(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.do_next(KNOWN)
    assert room.findChild(KnowledgeDialog) is None, "nothing is asked that does not help"
    offered = [one for one in room.outlook.buttons if one.text().startswith("Say what occurs") and seen(one, room)]
    assert seen(room.outlook.more, room) is not bool(offered), "it is offered once, wherever it stands"
    assert room.outlook.more.text() == "Leave columns out…", "nothing is asked for that is listed already"
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    assert dialog.isVisible() and dialog.no.isEnabled()
    assert not dialog.no.isChecked() and not dialog.yes.isChecked(), "nothing is answered in anybody's name"
    assert dialog.yes.text().startswith("Yes, or I am not sure: costs accuracy.")
    lines = {line.name: line for line in dialog.lines}
    assert set(lines) == {"age", "city"}
    lines["age"].edit.setText("soon")
    dialog.use.click()
    assert "soon" in lines["age"].wrong.text() and not trim(room).occurring
    lines["age"].edit.setText("20s")
    lines["city"].edit.setText("Basel, Bern")
    lines["age"].source.setCurrentIndex(2)
    lines["age"].source.activated.emit(2)
    dialog.rows.set_value(3000)
    dialog.yes.click()
    dialog.use.click()
    idle(qtbot, room)
    found = trim(room)
    assert found.occurring == {"age": "20s", "city": "Basel, Bern"} and found.expected_rows == 3000
    assert found.occurring_from == {"age": SOURCES[1]}, "what one is known from is not said of another"
    assert found.number_known and room.outlook.public.yes.isChecked()
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert not trim(room).occurring and trim(room).expected_rows is None, "it was one step"


def test_what_can_occur_is_typed_field_after_field_by_tab_and_by_enter(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    age, city = dialog.lines
    assert dialog.by_key.isVisible() and dialog.by_key.text() == "Return: on to age", "which nobody would guess"
    age.edit.setFocus()

    def press(key: Qt.Key) -> QWidget | None:
        qtbot.keyClick(dialog.focusWidget(), key)
        return dialog.focusWidget()

    assert press(Qt.Key.Key_Tab) is city.edit, "what need not be noted is not in the way"
    reached = [press(Qt.Key.Key_Tab) for _ in range(6)]
    assert reached == [age.source, city.source, age.needed, city.needed, dialog.use, dialog.cancel]
    age.edit.setFocus()
    qtbot.keyClicks(age.edit, "20s")
    assert press(Qt.Key.Key_Return) is city.edit and dialog.isVisible(), "not taken over before all were asked"
    qtbot.keyClicks(city.edit, "Basel, Bern")
    press(Qt.Key.Key_Enter)
    idle(qtbot, room)
    assert room.findChild(KnowledgeDialog) is None and trim(room).occurring == {"age": "20s", "city": "Basel, Bern"}


def test_enter_passes_over_what_is_not_needed_and_says_what_cannot_be_read(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    age, city = dialog.lines
    city.needed.click()
    age.edit.setFocus()
    qtbot.keyClicks(age.edit, "soon")
    qtbot.keyClick(age.edit, Qt.Key.Key_Return)
    assert dialog.isVisible() and "soon" in age.wrong.text() and dialog.focusWidget() is age.edit
    qtbot.keyClicks(age.edit, "x")
    assert not age.wrong.text() and age.wrong.isHidden(), "of what is not there any more it is not true"


def test_a_long_list_of_what_can_occur_is_taken_whole_and_one_too_long_is_refused_in_words(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    diagnoses = ["Basel", "Bern", *(f"a diagnosis of number {place}" for place in range(1000))]
    typed = ", ".join(diagnoses)
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    lines = {line.name: line for line in dialog.lines}
    lines["city"].edit.insert(typed)
    assert lines["city"].edit.text() == typed, "nothing is cut while it is typed or pasted"
    dialog.use.click()
    idle(qtbot, room)
    assert trim(room).occurring == {"city": typed}
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    lines = {line.name: line for line in dialog.lines}
    lines["city"].edit.insert(", one more" * 10_000)
    dialog.use.click()
    assert dialog.isVisible() and "there is room for 50,000" in lines["city"].wrong.text()
    assert "“city”" in lines["city"].wrong.text() and "Give ranges" in lines["city"].wrong.text()
    assert trim(room).occurring == {"city": typed}, "and not a part of it"
    dialog.reject()
    field = room.columns.rows["city"].said_field
    field.edit.insert(", Genf")
    field.edit.editingFinished.emit()
    idle(qtbot, room)
    assert trim(room).occurring == {"city": f"{typed}, Genf"} and len(field.button.toolTip()) < 500


def test_a_column_that_was_said_not_to_be_needed_stays_listed_and_can_be_taken_in_again(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    def opened() -> KnowledgeDialog:
        room.outlook.more.click()
        return knowledge_asked(room)

    columns = room.document.session.release.columns
    dialog = opened()
    dialog.lines[1].edit.setText("Basel, Bern")
    dialog.use.click()
    idle(qtbot, room)
    dialog = opened()
    dialog.lines[1].needed.click()
    dialog.use.click()
    idle(qtbot, room)
    assert columns.treatment("city") is Treatment.LEAVE_OUT
    dialog = opened()
    assert [(line.name, line.needed.isChecked()) for line in dialog.lines] == [("age", True), ("city", False)]
    assert not dialog.lines[1].edit.isEnabled() and dialog.lines[1].edit.text() == "Basel, Bern"
    dialog.lines[1].needed.click()
    assert dialog.lines[1].edit.isEnabled()
    dialog.use.click()
    idle(qtbot, room)
    assert columns.treatment("city") is Treatment.GENERALISE and trim(room).occurring == {"city": "Basel, Bern"}


def test_after_the_last_answer_a_second_enter_spends_nothing(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    dialog.lines[0].edit.setText("18-65")
    dialog.lines[1].edit.setText("Basel, Bern")
    dialog.rows.set_value(3000)
    dialog.no.click()
    dialog.use.setFocus()
    qtbot.keyClick(dialog.use, Qt.Key.Key_Return)
    idle(qtbot, room)
    assert room.foot.first_control is room.run_button, "nothing else is due"
    focus = room.window().focusWidget()
    assert focus is room.outlook.rows.edit
    qtbot.keyClick(focus, Qt.Key.Key_Return)
    idle(qtbot, room)
    assert room.document.session.release.result is None


def test_what_is_known_can_be_said_again_and_an_answer_is_shown_as_it_was_given(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.outlook.reach_requested.emit("occurring:age")
    dialog = knowledge_asked(room)
    assert dialog.no.text() == f"No. {PEOPLE_NOT_TOLD}"
    dialog.no.click()
    dialog.rows.set_value(3000)
    dialog.use.click()
    idle(qtbot, room)
    assert room.document.session.release.beforehand == {PEOPLE_NOT_TOLD} and not trim(room).number_known
    room.run()
    idle(qtbot, room)
    release = room.document.session.release
    assert release.result is not None and release.said(release.result.draw) == {PEOPLE_NOT_TOLD}
    assert seen(room.outlook.more, room), "it can be said otherwise after a draw too"
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    assert dialog.no.isChecked() and not dialog.yes.isChecked() and dialog.rows.value == 3000


def test_values_that_were_typed_are_counted_so_that_a_list_parted_by_blanks_is_seen_to_be_one(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    made = room.document.session.data.hierarchy_suggester(["city"])(SILENT)  # by a rule, for whatever occurs
    room.document.apply("rule", lambda session: session.data.attach_hierarchies(made))
    idle(qtbot, room)
    room.outlook.reach_requested.emit("occurring:city")
    dialog = knowledge_asked(room)
    (line,) = (one for one in dialog.lines if one.name == "city")
    assert not line.counted.isVisibleTo(dialog)
    qtbot.keyClicks(line.edit, "Bern Basel Chur")
    assert line.counted.isVisibleTo(dialog) and line.counted.text() == "1 value: part several with commas"
    assert line.counted.property("tone") == "warning"
    before = room.document.project
    dialog.use.click()
    assert room.document.project == before and "is one value here" in line.wrong.text(), "it is asked once more"
    line.edit.clear()
    qtbot.keyClicks(line.edit, "Bern, Basel, Chur")
    assert (line.counted.text(), line.counted.property("tone")) == ("3 values", "none")
    line.edit.setText("New York")
    for _ in range(2):
        assert not room.document.project.anonymise.trim.occurring
        dialog.use.click()
    assert room.document.project.anonymise.trim.occurring["city"] == "New York", "the second press takes it"
    room.outlook.reach_requested.emit("occurring:city")
    dialog = knowledge_asked(room)
    (line,) = (one for one in dialog.lines if one.name == "city")
    line.needed.click()
    assert not line.counted.isVisibleTo(dialog), "nothing is asked of what is left out"
    (ages,) = (one for one in dialog.lines if one.name == "age")
    qtbot.keyClicks(ages.edit, "0-99")
    assert ages.counted.text() == "0 to 99", "a range is no value"


def test_values_with_commas_are_typed_in_quotes_and_shown_so_again(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    made = room.document.session.data.hierarchy_suggester(["city"])(SILENT)
    room.document.apply("rule", lambda session: session.data.attach_hierarchies(made))
    for typed, counted in (('"Bern, old", Basel', "2 values"), ('"Bern, old"', "1 value")):
        idle(qtbot, room)
        room.outlook.reach_requested.emit("occurring:city")
        dialog = knowledge_asked(room)
        (line,) = (one for one in dialog.lines if one.name == "city")
        line.edit.setText(typed)
        assert (line.counted.text(), line.counted.property("tone")) == (counted, "none"), "nothing is asked of quotes"
        dialog.use.click()
        idle(qtbot, room)
        assert room.columns.rows["city"].said_field.edit.text() == typed


def test_two_that_may_be_one_value_with_a_comma_are_asked_about(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    made = room.document.session.data.hierarchy_suggester(["city"])(SILENT)
    room.document.apply("rule", lambda session: session.data.attach_hierarchies(made))
    idle(qtbot, room)
    room.outlook.reach_requested.emit("occurring:city")
    dialog = knowledge_asked(room)
    (line,) = (one for one in dialog.lines if one.name == "city")
    assert not line.one_value.isVisibleTo(dialog)
    line.edit.setText("Bern, old, Basel, Chur")
    assert line.counted.text() == "4 values" and line.counted.property("tone") == "warning"
    assert line.one_value.isVisibleTo(dialog)
    assert line.one_value.full_text == "Is “Bern, old” one value? Then put it in quotes."
    line.edit.setText('Bern, old, Chur "upper", Basel')
    assert line.one_value.isVisibleTo(dialog), "quotes within another one are none around it"
    line.edit.setText('"Bern, old", Basel, Chur')
    assert line.counted.text() == "3 values" and not line.one_value.isVisibleTo(dialog)
    for fine in ("Bern, Basel", "bern, basel", "Bern", "old, Bern, Chur"):
        line.edit.setText(fine)
        assert not line.one_value.isVisibleTo(dialog), fine


@pytest.mark.parametrize(
    ("typed", "read"),
    [("0-110", "0 to 110"), ("15 - 120", "15 to 120"), ("15.000-20.000", ""), ("", "")],
)
def test_a_range_that_is_typed_is_said_as_it_is_read(
    qtbot: QtBot, room: AnonymiseWorkspace, typed: str, read: str
) -> None:
    room.outlook.reach_requested.emit("occurring:age")
    dialog = knowledge_asked(room)
    (age,) = (one for one in dialog.lines if one.name == "age")
    age.edit.setText(typed)
    assert age.counted.text() == read and age.counted.isVisibleTo(dialog) is bool(read)


@pytest.mark.parametrize(
    ("typed", "asked"),
    [("0-100000", "Ages up to 100,000?"), ("20, 30, 131", "Ages up to 131?"), ("0-130", ""), ("20s", "")],
)
def test_an_age_beyond_all_ages_is_asked_about_and_not_refused(
    qtbot: QtBot, room: AnonymiseWorkspace, typed: str, asked: str
) -> None:
    """A tariff that is typed into the field of the ages would be taken over without a word."""
    room.outlook.reach_requested.emit("occurring:age")
    dialog = knowledge_asked(room)
    (age,) = (one for one in dialog.lines if one.name == "age")
    age.edit.setText(typed)
    assert (age.counted.text() == asked and age.counted.property("tone") == "warning") is bool(asked)
    dialog.use.click()
    assert dialog.isVisible() is bool(asked) and asked in age.wrong.text()
    if asked:
        dialog.use.click()
    idle(qtbot, room)
    assert trim(room).occurring == {"age": typed}, "the second press takes it"


def test_years_that_are_none_are_asked_about(qtbot: QtBot, anonymising: Anonymising, tmp_path: Path) -> None:
    path = tmp_path / "years.csv"
    names = ("birth year", "age in months")
    path.write_text("birth year,age in months\n" + "".join(f"{1950 + i % 60},{i % 700}\n" for i in range(2_000)))

    def prepare(session: Session) -> None:
        session.data.set_role(names, Role.QUASI)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(names)(SILENT))

    room = anonymising(path, prepare)
    room.outlook.more.click()
    lines = {line.name: line for line in knowledge_asked(room).lines}
    for typed, asked in (("0-100", "Years from 0?"), ("1900-20000", "Years up to 20,000?"), ("1900-2020", "")):
        lines["birth year"].edit.setText(typed)
        told = lines["birth year"].counted.text()
        assert asked in told and ("?" in told) is bool(asked)
    lines["age in months"].edit.setText("0-1200")
    assert "?" not in lines["age in months"].counted.text(), "which are no years"


def test_of_the_far_end_of_an_amount_nothing_is_said_as_it_is_in_the_last_interval(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    """Who pays the highest fee of the statutes was lost as a small group, of which a tip told as it was typed."""
    path = tmp_path / "fees.csv"
    path.write_text("club,fee\n" + "".join(f"c{i % 3},{i % 1_000}.5\n" for i in range(2_000)), encoding="utf-8")
    names = ("club", "fee")

    def prepare(session: Session) -> None:
        session.data.attach_hierarchies(session.data.hierarchy_suggester(names)(SILENT))

    room = anonymising(path, prepare)
    room.outlook.reach_requested.emit("occurring:fee")
    (fee,) = (one for one in knowledge_asked(room).lines if one.name == "fee")
    fee.edit.setText("0 to 1000")
    assert fee.counted.text() == "0 to 1000" and not fee.counted.toolTip()
    fee.edit.setText("15000 - 200000")
    assert fee.counted.text().startswith("15,000 to 200,000")
    fee.edit.setText("0 to 1001")
    assert fee.counted.text() == "0 to 1001" and not fee.counted.toolTip()


def test_numbers_in_a_column_of_words_are_asked_about_while_one_of_numbers_has_none(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    """Who types down another order than that of the lines gives fees as sports, and any text can occur there."""
    asked = []
    for place, sport in enumerate(("tennis", "60")):
        path = tmp_path / f"fees{place}.csv"
        rows = "".join(f"{(sport, 'swim', 'yoga')[i % 3]},{20 + i % 50},{60 + i % 900}.5\n" for i in range(2_000))
        path.write_text(f"sport,age,fee\n{rows}", encoding="utf-8")

        def prepare(session: Session) -> None:
            session.data.attach_hierarchies(session.data.hierarchy_suggester(session.project.schema.names)(SILENT))

        room = anonymising(path, prepare)
        room.outlook.reach_requested.emit("occurring:fee")
        dialog = knowledge_asked(room)
        sports, _, fee = dialog.lines
        sports.edit.setText("60, 90, 120, 240")
        asked.append(sports.counted.text())
        fee.edit.setText("tennis")
        assert sports.counted.text() == "Numbers only: are these of fee?", "that is no number"
        fee.edit.setText("60-240")
        assert sports.counted.text() == "4 values", "both may be, once the other has its own"
        fee.edit.clear()
        sports.edit.setText("20-60")
        assert sports.counted.text() == "Numbers only: are these of age?", "the first that may want them"
        sports.edit.setText("60, 90, tennis")
        assert "?" not in sports.counted.text()
        sports.edit.setText("60, 90")
        dialog.rows.edit.setText("2000")
        dialog.use.click()
        idle(qtbot, room)
        assert trim(room).occurring == {"sport": "60, 90"}, "it is a question, and no refusal"
    assert asked == ["Numbers only: are these of fee?"] * 2, "whatever the rows say"


def test_what_was_answered_in_sight_is_not_asked_once_more(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    write(qtbot, room, room.plan.rows, "3000")
    room.outlook.reach_requested.emit("occurring:age")
    dialog = knowledge_asked(room)
    assert dialog.rows.isVisible() and dialog.no.isVisible(), "who knows it was not answered yet"
    dialog.reject()
    room.outlook.public.no.click()
    idle(qtbot, room)
    room.outlook.reach_requested.emit("occurring:age")
    dialog = knowledge_asked(room)
    assert not dialog.rows.isVisible() and not dialog.no.isVisible()
    dialog.lines[0].edit.setText("20s")
    dialog.use.click()
    idle(qtbot, room)
    assert trim(room).expected_rows == 3000 and trim(room).occurring["age"] == "20s"
    assert room.outlook.public.no.isChecked(), "both stay as they were answered"


def test_where_one_row_of_each_person_takes_part_people_are_asked_for(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    bar = room.outlook
    assert bar.asked.text() == "People you expect" and bar.public.question.accessibleName() == PEOPLE_ASKED, (
        "as Release asks"
    )
    assert bar.public.question.text() == "Do others know exactly how many?", "the line above says of what"
    room.document.apply("", lambda session: session.data.set_unit(PrivacyUnit(3)))
    idle(qtbot, room)
    assert bar.asked.text() == "Rows you expect", "people have several"
    assert bar.public.question.text() == "Do others know exactly how many people, or rows, there are?"
    room.document.apply("", lambda session: session.data.set_unit(PrivacyUnit(1, "city")))
    idle(qtbot, room)
    assert bar.asked.text() == "People you expect"
    asked = "Do others know exactly how many people, or rows, there are?"
    assert bar.public.question.text() == asked, "a no says it of the rows of a person, too"
    room.outlook.reach_requested.emit("occurring:age")
    dialog = knowledge_asked(room)
    assert any(one.text() == "How many people, about?" for one in dialog.findChildren(QLabel))
