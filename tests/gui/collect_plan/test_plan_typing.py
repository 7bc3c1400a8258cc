"""A survey is planned before there is a table: its answers are typed."""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import read_card
from tests.gui.collect_plan.helpers import (
    MODES,
    aim_at_misplaced,
    ask,
    open_modes,
    type_answers,
    type_bounds,
    type_for_a_column,
)
from tests.gui.helpers import PATIENCE_MS, OnScreen, idle
from workbench.cli.main import main
from workbench.core.amount_text import as_logarithm
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.gui.document import Document
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.compare.basis_section import BasisSection
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.project.collect_settings import CollectSettings
from workbench.project.storage import load_project
from workbench.query.catalogue import QueryDraft
from workbench.query.ledger import Charge
from workbench.session.typed_bounds import people_typed


def test_a_survey_begins_where_its_answers_are_typed(qtbot: QtBot, room: CollectWorkspace) -> None:
    room.focus_first()
    idle(qtbot, room)
    question = room.question
    assert room.pages.currentWidget() is room.parts and room.no_answers.isVisible()
    assert question.values.hasFocus()
    for unseen in (question.column, question.source, question.declare, question.adopt, question.other, room.button):
        assert not unseen.isVisible()
    assert all("with commas" in words for words in (question.values.placeholderText(), question.said.text()))
    assert room.privacy.users.value == USUAL_PEOPLE and room.privacy.form["sampling"].isChecked()
    assert not room.document.modified, "what is proposed is no work"


def test_a_survey_after_a_mean_begins_with_protocols_that_count_answers(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    path = tmp_path / "wages.csv"
    path.write_text("sector,wage\n" + "care,3000\nretail,2500\n" * 20, encoding="utf-8")
    document.open_data(path)
    room = on_screen(CollectWorkspace(document), 1016)
    idle(qtbot, room)
    means = (ProtocolChoice.parse("hm"),)
    document.apply("Mean", lambda session: session.collection.change(column="wage", protocols=means))
    idle(qtbot, room)
    columns = room.question.column
    columns.setCurrentIndex(columns.count() - 1)
    columns.activated.emit(columns.currentIndex())
    idle(qtbot, room)
    assert document.session.collection.without_table
    assert document.project.collect.protocols == CollectSettings().protocols
    type_answers(qtbot, room, *MODES)
    qtbot.waitUntil(lambda: bool(room.prediction.headline.figure.text()), timeout=PATIENCE_MS)
    counted = (*means, ProtocolChoice.parse("oue"))
    document.apply("Both", lambda session: session.collection.change(column="wage", protocols=counted))
    document.apply("Survey", lambda session: session.collection.ask_nobody())
    assert document.project.collect.protocols == counted[1:], "what was ticked and can count stays"


def test_a_column_without_numbers_after_a_mean_is_asked_about_with_protocols_that_count_answers(
    qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
) -> None:
    path = tmp_path / "wages.csv"
    path.write_text("sector,wage\n" + "care,3000\nretail,2500\n" * 20, encoding="utf-8")
    document.open_data(path)
    room = on_screen(CollectWorkspace(document), 1016)
    idle(qtbot, room)
    mean = ProtocolChoice.parse("hm")
    document.apply("Mean", lambda session: session.collection.change(column="wage", protocols=(mean,)))
    idle(qtbot, room)
    columns = room.question.column
    columns.setCurrentIndex(columns.findText("sector"))
    columns.activated.emit(columns.currentIndex())
    idle(qtbot, room)
    assert document.project.collect.column == "sector"
    assert document.project.collect.protocols == CollectSettings().protocols
    kept = ProtocolChoice.parse("oue")
    document.apply("Both", lambda session: session.collection.change(column="wage", protocols=(mean, kept)))
    document.apply("Sector", lambda session: session.collection.ask_about("sector"))
    assert document.project.collect.protocols == (kept,), "what is ticked and can count stays"
    document.apply("None", lambda session: session.collection.change(column="wage", protocols=()))
    document.apply("Sector", lambda session: session.collection.ask_about("sector"))
    assert document.project.collect.protocols == ()


def test_three_cards_a_chart_and_the_numbers_come_of_typed_answers(qtbot: QtBot, room: CollectWorkspace) -> None:
    aim_at_misplaced(room)
    page = room.prediction
    type_answers(qtbot, room, MODES[0])
    assert read_card(page.headline) == "Say which answers are possible: at least two."
    room.document.undo_stack.undo()
    type_answers(qtbot, room, *MODES)
    assert page.planned is not None and page.curves is not None
    assert (page.planned.plan.users, page.planned.plan.domain_size, page.planned.plan.sampling) == (1000, 5, True)
    assert room.crowd.people.text() == "1,000 people, one report each"
    assert "Of all people" in read_card(page.headline) and "Sampling" in read_card(page.headline)
    assert page.guessing.figure.text() == "If shares differ enough" and "people or ε" in page.needed.figure.text()
    assert room.question.said.text() == "5 possible answers: car, bus, bike, … train. Public."
    room.document.undo_stack.setIndex(0)
    idle(qtbot, room)
    assert room.no_answers.isVisible() and room.document.project.collect == CollectSettings()


def test_people_and_sampling_are_whatever_is_said(qtbot: QtBot, room: CollectWorkspace) -> None:
    idle(qtbot, room)
    room.privacy.form["sampling"].click()
    room.privacy.users.edit.setText("250")
    room.privacy.users.edit.editingFinished.emit()
    type_answers(qtbot, room, "yes", "no")
    planned = room.prediction.planned
    assert planned is not None and (planned.plan.users, planned.plan.sampling) == (250, False)
    room.document.session.collection.change(users=None)
    room.put_off()
    idle(qtbot, room)
    assert "how many people" in read_card(room.prediction.headline)


@pytest.mark.parametrize("how", [EncodingKind.BINS, EncodingKind.WHOLE])
def test_answers_may_be_numbers_between_bounds(qtbot: QtBot, room: CollectWorkspace, how: EncodingKind) -> None:
    type_bounds(qtbot, room, "0", "10", how)
    domain = room.document.session.collection.domain()
    assert domain.declared and domain.ordinal and domain.size == (20 if how is EncodingKind.BINS else 11)
    assert room.prediction.planned is not None and room.prediction.planned.best


@pytest.mark.parametrize("typed", ["car, bus, bike", "car;bus;bike", "car\tbus\tbike\n", "car\nbus\nbike"])
def test_a_list_that_is_pasted_becomes_one_answer_a_line(qtbot: QtBot, room: CollectWorkspace, typed: str) -> None:
    idle(qtbot, room)
    clip = QMimeData()
    clip.setText(typed)
    room.question.values.insertFromMimeData(clip)
    room.question.values.tell()
    assert room.document.project.collect.encoding.domain == ("car", "bus", "bike")


def test_answers_with_commas_stay_whole_where_each_has_its_line(qtbot: QtBot, room: CollectWorkspace) -> None:
    idle(qtbot, room)
    clip = QMimeData()
    clip.setText("yes, often\nno, never")
    room.question.values.insertFromMimeData(clip)
    room.question.values.tell()
    assert room.document.project.collect.encoding.domain == ("yes, often", "no, never")


@pytest.mark.parametrize("numbers", [False, True])
def test_the_copied_command_predicts_the_same(
    qtbot: QtBot, room: CollectWorkspace, capsys: pytest.CaptureFixture[str], numbers: bool
) -> None:
    aim_at_misplaced(room)
    if numbers:
        type_bounds(qtbot, room, "0", "100", EncodingKind.BINS)
    else:
        type_answers(qtbot, room, *MODES, "no, none")
    room.command.click()
    words = shlex.split(QApplication.clipboard().text())
    assert words[:2] == ["workbench", "collect"] and {"--predict", "--sampling"} < set(words)
    assert main(words[1:]) == 0
    found = json.loads(capsys.readouterr().out)
    planned = room.prediction.planned
    assert planned is not None
    # The command names those that are shown: the one to take and those that are ticked.
    assert found["recommended"][0] == planned.best[0].choice.identifier
    assert (found["users"], found["domain_size"]) == (1000, planned.plan.domain_size)
    best = planned.best[0]
    assert found["predictions"][best.choice.identifier]["l1"] == best.l1


def test_a_plan_is_saved_and_goes_on_with_a_table(qtbot: QtBot, room: CollectWorkspace, tmp_path: Path) -> None:
    type_answers(qtbot, room, *MODES)
    room.document.session.collection.change(epsilon=2.0)
    assert room.document.save(tmp_path / "survey.json")
    kept = load_project(tmp_path / "survey.json")
    assert kept.data is None and kept.collect == room.document.project.collect
    open_modes(qtbot, room, tmp_path)
    ask(qtbot, room, "mode")
    settings = room.document.project.collect
    assert (settings.column, settings.encoding.domain, settings.users, settings.epsilon) == ("mode", MODES, 1000, 2.0)
    assert room.prediction.planned is not None and room.prediction.planned.plan.domain_size == 5
    assert room.question.column.isVisible() and room.button.isVisible()
    ask(qtbot, room, "minutes")
    assert room.document.project.collect.encoding == EncodingChoice(), "other answers than those of another question"


def test_a_survey_is_planned_beside_the_table_that_stays_open(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    open_modes(qtbot, room, tmp_path)
    room.document.session.data.set_unit(PrivacyUnit(rows_per_person=3))
    ask(qtbot, room, "minutes")
    combo, before = room.question.column, room.document.project.collect
    combo.setCurrentIndex(combo.count() - 1)
    combo.activated.emit(combo.count() - 1)
    idle(qtbot, room)
    session = room.document.session
    assert room.document.has_data and session.collection.without_table
    assert combo.isVisible() and combo.currentText() == "None: plan a survey"
    assert room.question.values.isVisible() and not room.button.isVisible()
    assert room.focusWidget() is room.question.values, "what is typed next are the answers"
    shown = room.question.asked_for, room.question.how, room.question.values
    first, second = (below.y() - above.geometry().bottom() for above, below in pairwise(shown))
    assert second <= first, "there is no line in between for what could be declared"
    type_answers(qtbot, room, *MODES)
    planned = room.prediction.planned
    assert planned is not None and (planned.plan.domain_size, planned.plan.users) == (5, 1000)
    assert session.collection.reports_per_person == 1, "three rows a person are of the table"
    assert not room.tabs.isTabVisible(room.tabs.indexOf(room.sweep)), "no row answers it"
    assert room.tabs.isTabVisible(room.tabs.indexOf(room.simulation)), "on assumed shares"
    assert not room.reports.export.isEnabled()
    assert room.question.adopt.isHidden(), "there is no column of which they could be declared"
    room.copy_command()
    copied = QGuiApplication.clipboard().text()
    assert "modes.csv" not in copied and "car" in copied
    session.collection.look()
    with pytest.raises(WorkbenchError, match="not about the table"):
        session.collection.sweeper(())
    for _ in range(2):
        room.document.undo_stack.undo()
    idle(qtbot, room)
    assert room.document.project.collect == before
    for _ in range(2):
        room.document.undo_stack.redo()
    ask(qtbot, room, "mode")
    assert room.document.project.collect.encoding.domain == MODES, "what was typed is kept where it can be of a column"
    assert room.document.has_data and not session.collection.without_table


def test_what_was_typed_for_another_question_is_said_and_comes_back(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    type_answers(qtbot, room, *MODES)
    open_modes(qtbot, room, tmp_path)
    ask(qtbot, room, "mode")
    said = room.question.said.text
    assert "Typed before this column was chosen" in said() and not said().endswith("Public.")
    type_answers(qtbot, room, "car", "bus")
    assert said().endswith("Public."), "typed for this one"
    ask(qtbot, room, "minutes")
    assert room.document.project.collect.encoding == EncodingChoice()
    ask(qtbot, room, "mode")
    assert room.document.project.collect.encoding.domain == ("car", "bus") and said().endswith("Public.")
    combo = room.question.column
    combo.setCurrentIndex(combo.count() - 1)
    combo.activated.emit(combo.count() - 1)
    idle(qtbot, room)
    assert room.document.project.collect.encoding.domain == MODES, "the survey has its own"
    ask(qtbot, room, "mode")
    assert room.document.project.collect.encoding.domain == ("car", "bus")


def test_why_nothing_is_collected_stands_beside_the_button(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    type_answers(qtbot, room, *MODES)
    page = room.reports
    room.tabs.setCurrentWidget(page)
    assert not page.export.isEnabled() and "open a table" in page.cost.text() and page.trial.isHidden()
    open_modes(qtbot, room, tmp_path)
    assert not page.export.isEnabled() and "choose the column" in page.cost.text()
    ask(qtbot, room, "mode")
    assert page.export.isEnabled() and not page.trial.isHidden() and "Reports come from rows" not in page.cost.text()


def test_a_trial_says_that_it_costs_as_much_and_what_to_do(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    type_for_a_column(qtbot, room, tmp_path)
    page = room.reports
    room.tabs.setCurrentWidget(page)
    assert "A trial" not in page.cost.text()
    page.trial.setChecked(True)
    idle(qtbot, room)
    assert "A trial costs as much" in page.cost.text() and page.export.isEnabled()
    ledger = room.document.session.ledger.current
    ledger.set_budget(Fraction(1))
    ledger.charge(Charge("query", "one", Fraction(1), Fraction(0), made_by="test"))
    room.document.ledger_changed(room.document.session.data.fingerprint)
    room.refresh()
    idle(qtbot, room)
    assert not page.export.isEnabled() and "simulate, which spends nothing" in page.refused.text()
    page.trial.setChecked(False)
    idle(qtbot, room)
    assert "trial" not in page.refused.text() and "collect from other data" in page.refused.text()


def test_answers_in_words_are_not_those_of_a_column_of_numbers(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    type_answers(qtbot, room, *MODES)
    open_modes(qtbot, room, tmp_path)
    ask(qtbot, room, "minutes")
    assert room.document.project.collect.encoding == EncodingChoice()


def test_f5_simulates_a_plan_without_rows_and_a_table_can_be_opened(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    room.renew()
    idle(qtbot, room)
    assert room.simulation.found is not None and room.prediction.planned is not None
    assert not room.reports.export.isEnabled()
    with qtbot.waitSignal(room.open_requested):
        room.no_answers.secondary_buttons[0].click()


def test_the_epsilon_of_a_protocol_is_checked_in_mechanisms_at_a_press(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    room.document.apply("", lambda session: session.collection.change(epsilon=0.7))
    room.tabs.setCurrentWidget(room.facts)
    room.facts.show_protocol("grr")
    idle(qtbot, room)
    with qtbot.waitSignal(room.go_to) as went:
        room.facts.check.click()
    asked = room.document.project.laboratory
    assert went.args == ["mechanisms"]
    assert (asked.mechanism, dict(asked.typed), asked.claim) == ("local-grr", {"d": "5", "epsilon": "0.7"}, "0.7")
    room.facts.show_protocol("olh")
    idle(qtbot, room)
    assert not room.facts.check.isVisible(), "its reports are too many to be written down"


def test_how_many_people_is_typed_once(qtbot: QtBot, room: CollectWorkspace, tmp_path: Path) -> None:
    open_modes(qtbot, room, tmp_path)
    document = room.document
    document.apply("", lambda session: session.collection.change(column="mode", users=2500))
    draft = ExperimentDraft(document)
    assert draft.suited().users == USUAL_PEOPLE, "how many a survey is planned for says nothing of a table"
    trim = replace(document.project.anonymise.trim, expected_rows=1234)
    document.apply("", lambda session: session.release.set_trimming(trim))
    assert draft.suited().users == 1234, "what everybody may know of a table is of the table"
    document.apply("", lambda session: session.comparison.add(replace(draft.suited(), users=2500)))
    idle(qtbot, room)
    assert not room.privacy.as_compared.isVisible(), "it is the same already"
    document.apply("", lambda session: session.comparison.change(0, experiment=replace(draft.suited(), users=4200)))
    idle(qtbot, room)
    assert room.privacy.as_compared.text() == "4,200 as in Compare"
    room.privacy.as_compared.click()
    idle(qtbot, room)
    assert document.project.collect.users == 4200 and not room.privacy.as_compared.isVisible()
    document.session.collection.look()
    rows = document.session.collection.shown_rows
    compared = replace(draft.suited(), users=rows)
    document.apply("", lambda session: session.comparison.change(0, experiment=compared))
    document.apply("", lambda session: session.collection.change(users=None))
    idle(qtbot, room)
    assert not room.privacy.as_compared.isVisible(), "as many are asked as there are rows, which are as many"


def test_an_experiment_takes_the_people_of_a_plan_at_a_press(
    qtbot: QtBot, room: CollectWorkspace, on_screen: OnScreen, tmp_path: Path
) -> None:
    open_modes(qtbot, room, tmp_path)
    document, draft = room.document, ExperimentDraft(room.document)
    document.apply("", lambda session: session.comparison.add(draft.suited()))
    section = on_screen(BasisSection(draft))
    section.refresh(draft.experiment or draft.suited())
    assert not section.as_planned.isVisible()
    document.apply("", lambda session: session.collection.change(users=700))
    section.refresh(draft.experiment or draft.suited())
    assert section.as_planned.text() == "700 as in Collect"
    section.as_planned.click()
    assert draft.experiment is not None and draft.experiment.users == 700


def test_rows_that_were_typed_in_query_are_people_where_each_has_one_and_no_filter_leaves_some_out(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    open_modes(qtbot, room, tmp_path)
    document = room.document
    document.apply("", lambda session: session.collection.change(column="mode", users=700))
    asked = QueryDraft("count", "1", rows_typed=True, assumed_rows=9000)
    for one in (replace(asked, where="age < 30"), replace(asked, rows_typed=False), asked):
        assert people_typed(document.project, "Compare") == (700, "Collect")
        document.apply("", lambda session, one=one: session.queries.set_draft(one))
    assert people_typed(document.project, "Compare") == (9000, "Query"), "which is of this table"
    idle(qtbot, room)
    assert room.privacy.as_compared.text() == "9,000 as in Query"
    document.apply("", lambda session: session.data.set_unit(PrivacyUnit(rows_per_person=3)))
    idle(qtbot, room)
    assert not room.privacy.as_compared.isVisible(), "rows are no people there"


def test_reports_of_a_trial_count_beside_others_where_a_tick_says_so(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    open_modes(qtbot, room, tmp_path)
    document, page = room.document, room.reports
    document.apply(
        "", lambda session: session.collection.change(column="mode", encoding=EncodingChoice(domain=("car", "bus")))
    )
    files = []
    for name in ("real", "trial"):
        files.append(tmp_path / f"{name}.csv")
        document.session.collection.exporter(ProtocolChoice("grr"), files[-1], trial=name == "trial")(SILENT)
    room.tabs.setCurrentWidget(page)
    page.aggregate([files[0]])
    idle(qtbot, room)
    assert not page.trials.isVisible()
    page.aggregate(files)
    idle(qtbot, room)
    assert page.found is None and page.trials.isVisible() and not page.trials.isChecked()
    page.trials.click()
    idle(qtbot, room)
    assert page.found is not None and page.found.received.announcement.trial
    assert "A trial: nobody gave" in page.state.text
    page.aggregate([files[0]])
    idle(qtbot, room)
    assert not page.trials.isChecked() and not page.trials.isVisible()


@pytest.mark.parametrize(("typed", "said"), [("abc", "Write 0.5, 1/3 or ln 3."), ("1e9", "it takes")])
def test_what_is_typed_and_is_no_epsilon_is_said_at_the_field_and_nothing_is_told_of_it(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path, typed: str, said: str
) -> None:
    type_for_a_column(qtbot, room, tmp_path)
    page, edit = room.prediction, room.privacy.epsilon.field.edit
    figures = [card.figure.text() for card in (page.headline, page.guessing, page.needed)]
    assert "–" not in figures and page.chart.isEnabled() and room.reports.export.isEnabled()
    edit.setText(typed)
    idle(qtbot, room)
    assert said in room.privacy.epsilon.words.text() and not room.privacy.epsilon.words.visibleRegion().isEmpty()
    assert {card.figure.text() for card in (page.headline, page.guessing, page.needed)} == {"–"}
    assert typed in read_card(page.headline) or "holds no number" in read_card(page.headline)
    assert not (page.chart.isEnabled() or page.table.texts() or room.crowd.isVisible())
    assert not room.button.isEnabled() and "ε of one report" in room.foot.why_not.text()
    assert not room.reports.export.isEnabled(), "nobody reports with another ε than is shown"
    edit.setText("1")
    idle(qtbot, room)
    assert [card.figure.text() for card in (page.headline, page.guessing, page.needed)] == figures
    assert page.chart.isEnabled() and page.table.texts() and room.crowd.isVisible() and room.button.isEnabled()
    assert "e^ε" in room.privacy.epsilon.words.text() and room.reports.export.isEnabled()


def test_a_survey_can_be_planned_from_where_a_column_is_asked_for(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    open_modes(qtbot, room, tmp_path)
    assert room.no_column.isVisible() and "plan a survey" in room.no_column.words.text()
    room.no_column.secondary_buttons[0].click()
    idle(qtbot, room)
    assert room.document.session.collection.without_table and room.focusWidget() is room.question.values


def test_dice_that_have_a_chance_near_the_one_asked_for_set_epsilon_at_a_press(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    type_answers(qtbot, room, "no", "yes")
    room.tabs.setCurrentWidget(room.facts)
    room.facts.show_protocol("grr")
    idle(qtbot, room)
    offers = room.facts.by_hand
    assert [one.text() for one in offers.buttons] == [
        "Ten-sided die: ε 0.8473",
        "Two ten-sided dice: ε 0.9947",
        "Two coins: ε 1.099 (larger)",
    ]
    assert "ln(7/3)" in offers.buttons[0].toolTip() and "people give away more" not in offers.buttons[0].toolTip()
    assert "ln(3)" in offers.buttons[2].toolTip() and "people give away more" in offers.buttons[2].toolTip()
    offers.buttons[0].click()
    idle(qtbot, room)
    assert math.log(7 / 3) <= room.document.project.collect.epsilon < math.log(7 / 3) + 1e-11
    assert "Roll a ten-sided die" in room.facts.instruction.text() and not offers.isVisibleTo(room.facts)
    assert room.privacy.epsilon.field.edit.text() == "ln(7/3)", "not 0.847297860388"


def test_an_epsilon_that_is_a_logarithm_is_said_exactly(qtbot: QtBot, room: CollectWorkspace) -> None:
    field = room.privacy.epsilon
    for typed, said in (
        ("ln 3", "e^ε = 3: a 50 : 50 guess between two values of a person rises to 75 %."),
        ("ln(7/3)", "e^ε = 7/3: a 50 : 50 guess between two values of a person rises to 70 %."),
        ("ln(114/43)", "e^ε = 114/43: a 50 : 50 guess between two values of a person rises to 72.62 % at most."),
        ("1.0986", "e^ε ≤ 3: a 50 : 50 guess between two values of a person rises to 75 % at most."),
        ("1.0987", "e^ε ≤ 3.001: a 50 : 50 guess between two values of a person rises to 75.01 % at most."),
        ("1", "e^ε ≤ 2.719: a 50 : 50 guess between two values of a person rises to 73.11 % at most."),
    ):
        field.field.edit.setText(typed)
        idle(qtbot, room)
        assert field.words.text() == said
    plain = [one / 1000 for one in range(10, 8000)]
    assert not [one for one in plain if as_logarithm(one) is not None], "a few digits are the logarithm of none"
