"""Of which columns the dialog on what is known asks, which key goes where in it, and which columns are needed."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked
from tests.gui.helpers import idle
from tests.gui.trimming.helpers import push, source, trim, write
from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.gui.next_step import Way
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.knowledge_dialog import KnowledgeDialog
from workbench.gui.workspaces.anonymise.known_line import KnownLine
from workbench.session.release import remedies
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.knowledge import say_matters_most
from workbench.session.release.steps import LevelSource


def top_of(line: KnownLine, dialog: KnowledgeDialog) -> int:
    return line.edit.mapTo(dialog, QPoint()).y()


def test_one_types_at_once_into_the_column_that_was_asked_for(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    rules = room.document.session.data.hierarchy_suggester(("age", "city"))(SILENT)
    room.document.apply("", lambda session: session.data.attach_hierarchies(rules))
    write(qtbot, room, room.plan.rows, "400")
    room.foot.ask_known("city", ("city",))
    dialog = knowledge_asked(room)
    age, city = dialog.lines
    assert age.edit.isVisible() and not age.said[0]
    assert dialog.focusWidget() is city.edit, "and not into another one, of which nothing is said either"
    assert top_of(age, dialog) < top_of(city, dialog), "all stand as in the table behind it"
    assert dialog.by_key.text() == "To leave it empty, press Use this"
    qtbot.keyClick(city.edit, Qt.Key.Key_Return)
    assert dialog.isVisible() and dialog.focusWidget() is city.edit, "no key passes over what was asked for"
    qtbot.keyClicks(city.edit, "Basel, Bern")
    assert dialog.by_key.text() == "Return: use all of this"
    qtbot.keyClick(city.edit, Qt.Key.Key_Return)
    idle(qtbot, room)
    assert room.findChild(KnowledgeDialog) is None and trim(room).occurring == {"city": "Basel, Bern"}


def test_return_goes_to_each_field_that_the_button_named_and_closes_only_when_all_say_something(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    write(qtbot, room, room.plan.rows, "400")
    room.foot.ask_known("city", ("city", "age"))
    dialog = knowledge_asked(room)
    age, city = dialog.lines
    assert top_of(age, dialog) < top_of(city, dialog), "as in the table behind it, from which one types"
    assert dialog.focusWidget() is city.edit and dialog.by_key.text() == "Return: on to age"
    qtbot.keyClick(city.edit, Qt.Key.Key_Return)
    assert dialog.focusWidget() is age.edit
    qtbot.keyClicks(age.edit, "20s")
    assert dialog.by_key.text() == "Return: on to city"
    qtbot.keyClick(age.edit, Qt.Key.Key_Return)
    assert dialog.focusWidget() is city.edit and dialog.isVisible(), "back to the one that was left empty"
    qtbot.keyClicks(city.edit, "Basel, Bern")
    assert dialog.by_key.text() == "Return: use all of this"
    qtbot.keyClick(city.edit, Qt.Key.Key_Return)
    idle(qtbot, room)
    assert room.findChild(KnowledgeDialog) is None and trim(room).occurring == {"age": "20s", "city": "Basel, Bern"}


def test_return_goes_through_what_is_ticked_too_and_then_takes_all_over(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    rules = room.document.session.data.hierarchy_suggester(("age", "city"))(SILENT)
    room.document.apply("", lambda session: session.data.attach_hierarchies(rules))
    write(qtbot, room, room.plan.rows, "400")
    for name in ("age", "city"):
        room.document.apply("", partial(say_matters_most, name=name, most=True))
    idle(qtbot, room)
    room.foot.ask_known("city", ("city",))
    dialog = knowledge_asked(room)
    age, city = dialog.lines
    assert dialog.focusWidget() is city.edit and age.edit.isVisible(), "the other one is shown, and not what was named"
    qtbot.keyClicks(city.edit, "Basel, Bern")
    assert dialog.by_key.text() == "Return: on to age"
    qtbot.keyClick(city.edit, Qt.Key.Key_Return)
    assert dialog.isVisible() and dialog.focusWidget() is age.edit, "nobody has to come back for it"
    assert dialog.by_key.text() == "Return: use all of this", "empty too: it was not what was asked for"
    qtbot.keyClick(age.edit, Qt.Key.Key_Return)
    idle(qtbot, room)
    assert room.findChild(KnowledgeDialog) is None and trim(room).occurring == {"city": "Basel, Bern"}


def test_a_field_that_was_asked_for_can_be_left_empty_by_the_button(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    write(qtbot, room, room.plan.rows, "400")
    room.foot.ask_known("city", ("city", "age"))
    dialog = knowledge_asked(room)
    dialog.use.click()
    idle(qtbot, room)
    assert room.findChild(KnowledgeDialog) is None and not trim(room).occurring


def test_once_it_was_said_what_matters_most_that_is_where_an_answer_is_most_useful(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "400")
    room.document.apply("most", lambda session: say_matters_most(session, "age", most=True))
    idle(qtbot, room)
    room.foot.ask_known("city", ("city", "age"))
    lines = knowledge_asked(room).lines

    def bold() -> list[str]:
        return [line.name for line in lines if line.title.property("strong") == "true"]

    assert bold() == ["age"]
    lines[0].most.click()
    assert bold() == ["age", "city"], "nothing matters most: of all that the offer is about"
    lines[1].most.click()
    assert bold() == ["city"], "it follows the ticks in the dialog too"


def test_where_columns_give_way_it_is_led_to_what_the_release_is_for_before_what_spends(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    teams = Hierarchy.from_rows([(f"P{i:04}", f"team {i % 9}", "*") for i in range(4_000)])
    room.document.apply("teams", lambda session: session.data.attach_hierarchy("person", teams))
    write(qtbot, room, room.plan.rows, "100")
    push(qtbot, room, room.outlook.public.no)
    room.document.apply("said", lambda session: session.release.steps.set_said("age", "0-99"))
    idle(qtbot, room)
    assert room.foot.is_unticked and room.foot.ready.text().startswith("First tick what the release is for")
    assert room.run_button.isEnabled() and room.run_button.property("primary") != "true", "nobody must"
    assert room.next_hint() == "Tick what the release is for"
    assert Way(towards="anonymise").step("data", {"anonymise": room})[0] == "Go on to Anonymise"
    assert room.do_next(room.next_field()) and room.result.details.isAncestorOf(QApplication.focusWidget())
    for name in ("age", "city"):
        room.document.apply("most", partial(say_matters_most, name=name, most=True))
    idle(qtbot, room)
    assert not room.foot.is_unticked and room.next_hint() == "Press “Make the release”"


def test_of_two_columns_nobody_is_asked_which_matter_as_ticks_of_both_change_nothing(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "100")
    push(qtbot, room, room.outlook.public.no)
    assert any(one.words == "*" for one in room.result.details.model.records), "one gives way"
    assert not room.foot.is_unticked and room.result.details.model.ticks, "they can be made all the same"
    due, before = room.next_hint(), room.outlook.words.text()
    assert "Tick" not in due and "Tick" not in room.foot.ready.text()
    for name in ("age", "city"):
        room.document.apply("most", partial(say_matters_most, name=name, most=True))
    idle(qtbot, room)
    assert room.next_hint() == due and room.outlook.words.text() == before


def test_as_many_columns_are_asked_about_as_the_offer_says(
    qtbot: QtBot, room: AnonymiseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = remedies.OutlookRemedy("Say what occurs in city", None, "occurring:city", columns=("city",))
    monkeypatch.setattr(room, "_found", PromiseAssessment(remedies=(offer,)))
    room.outlook.take(offer)
    dialog = knowledge_asked(room)
    assert [line.name for line in dialog.lines if line.edit.isVisible()] == ["city"]
    age, city = dialog.lines
    strong = [line.title.property("strong") for line in (age, city)]
    assert strong == ["false", "true"], "which are meant is seen"
    assert dialog.focusWidget() is dialog.rows.edit, "nobody said yet how many rows there are"
    qtbot.keyClick(dialog.rows.edit, Qt.Key.Key_Return)
    assert dialog.focusWidget() is city.edit and dialog.rest.text() == "Other columns: 1"
    told = [one.text() for one in dialog.findChildren(QLabel) if one.isVisible()]
    assert not {"Needed", "Matters most"}.intersection(told) and "Known from (optional)" in told
    assert not city.needed.isVisible() and not city.most.isVisible(), "of what is asked that was said before"
    assert "bold" not in dialog.about.text(), "all that is in sight is"
    dialog.rest.click()
    assert "What is bold brings more rows" in dialog.about.text()
    assert age.edit.isVisible() and age.needed.isVisible() and not dialog.rest.isVisible()
    assert city.needed.isVisible() and age.most.isVisible() is age.ranked
    assert "Needed" in [one.text() for one in dialog.findChildren(QLabel) if one.isVisible()]
    age.edit.setText("20s")
    city.edit.setText("Basel, Bern")
    dialog.use.click()
    idle(qtbot, room)
    assert trim(room).occurring == {"age": "20s", "city": "Basel, Bern"}
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    assert all(line.edit.isVisible() for line in dialog.lines) and not dialog.rest.isVisible()


def test_what_nobody_needs_is_left_out_where_it_is_asked_what_can_occur(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.outlook.reach_requested.emit("occurring:age")
    dialog = knowledge_asked(room)
    assert all(line.needed.isChecked() for line in dialog.lines)
    for line in dialog.lines:
        line.edit.setText("no years at all")
        line.needed.click()
    dialog.use.click()
    treatment = room.document.session.release.columns.treatment
    assert dialog.told.isVisible(), "none would be left"
    assert treatment("age") is treatment("city") is Treatment.GENERALISE
    lines = {line.name: line for line in dialog.lines}
    lines["city"].needed.click()
    lines["city"].edit.setText("Basel, Bern")
    dialog.use.click()
    idle(qtbot, room)
    assert treatment("age") is Treatment.LEAVE_OUT and treatment("city") is Treatment.GENERALISE
    assert trim(room).occurring == {"city": "Basel, Bern"}


def test_what_matters_most_is_ticked_where_it_is_asked_what_can_occur(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    assert not any(line.most.isVisible() for line in dialog.lines), "by degrees nothing is kept longest"
    dialog.reject()
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "100")
    assert (room.outlook.stars.text()).endswith("in every row: age")
    importance, before = room.document.session.release.steps.importance, room.document.project
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    lines = {line.name: line for line in dialog.lines}
    assert [line.most.isVisible() and not line.most.isChecked() for line in dialog.lines] == [True, True]
    lines["age"].most.click()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible(), "a tick is not dropped by one key either"
    lines["city"].needed.click()
    assert not lines["city"].most.isEnabled()
    idle(qtbot, room)
    assert lines["city"].gains.full_text != "…", "it is worked out with what is ticked"
    lines["city"].needed.click()
    dialog.use.click()
    idle(qtbot, room)
    assert importance("age") is Importance.KEEP and importance("city") is Importance.NORMAL
    assert "age" not in room.outlook.stars.text(), "the other one pays for it"
    assert not any("rather than age" in one.text() for one in room.outlook.buttons), "that was decided"
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    assert {line.name: line.most.isChecked() for line in dialog.lines} == {"age": True, "city": False}
    dialog.reject()
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert room.document.project == before, "it was one step"


def test_leaving_out_a_column_says_there_what_it_gains_or_that_it_gains_nothing(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "100")
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    lines = {line.name: line for line in dialog.lines}
    places = [line.needed.mapTo(dialog, QPoint()) for line in dialog.lines]
    lines["age"].needed.click()
    idle(qtbot, room)
    assert lines["age"].gains.isVisible() and not lines["age"].edit.isVisible()
    told = lines["age"].gains.full_text
    assert told == "Taken in, it would be * in every row, unless you tick it", (
        "nobody is to take it back for that alone"
    )
    assert [line.needed.mapTo(dialog, QPoint()) for line in dialog.lines] == places, "nothing moves"
    lines["age"].needed.click()
    assert lines["age"].edit.isVisible() and not lines["age"].gains.isVisible()
    lines["city"].needed.click()
    idle(qtbot, room)
    assert lines["city"].gains.full_text.startswith("Leaving it out: age finer"), "what the other one gets of it"
    lines["city"].needed.click()
    dialog.rows.set_value(10**7)
    lines["city"].needed.click()
    idle(qtbot, room)
    assert not lines["city"].gains.full_text, "it need not gain anything"
    assert trim(room).expected_rows == 100, "it was tried on a copy"


def test_what_a_column_gains_is_said_as_soon_as_the_dialog_opens_where_it_is_left_out(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    for _ in range(2):
        room.outlook.more.click()
        dialog = knowledge_asked(room)
        (city,) = (line for line in dialog.lines if line.name == "city")
        if city.needed.isChecked():
            city.needed.click()
            dialog.use.click()
            idle(qtbot, room)
    idle(qtbot, room)
    assert city.gains.full_text.startswith("Leaving it out")
    lines = {line.name: line for line in dialog.lines}
    lines["age"].needed.click()
    idle(qtbot, room)
    assert not city.gains.full_text, "with no column left nothing can be told"
