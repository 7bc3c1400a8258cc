"""Shares or a mean: asked for where the question stands, what was typed for the other kept, and a chart of each."""

from __future__ import annotations

import json
import math
import shlex
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import read_card
from tests.gui.helpers import OnScreen, idle
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.gui.document import Document
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.crowd import Persons
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.mean_prediction import MeanPlan, every_mean, fewest_for_mean, least_epsilon_for_mean, planned_means
from workbench.ldp.simulation import SimulationSetting, simulate_mean
from workbench.plots.error_curves import ErrorCurves
from workbench.project.collect_settings import CollectSettings
from workbench.session import Session
from workbench.session.collection.mean_curves import curator_mean_margin
from workbench.session.collection.mean_decision import (
    PlannedMean,
    enough_for_mean,
    mean_beats_guessing,
    mean_lines,
    suggested_for_mean,
)
from workbench.session.collection.needed import Needed
from workbench.session.collection.words import CURATOR

MODES = ("car", "bus", "bike")


def survey() -> Session:
    """A session in which a survey is planned, of three answers."""
    session = Session()
    session.collection.change(encoding=EncodingChoice(how=EncodingKind.CATEGORIES, domain=MODES))
    return session


def wages(folder: Path) -> Path:
    path = folder / "wages.csv"
    path.write_text("sector,wage\n" + "care,3000\nretail,2500\n" * 20, encoding="utf-8")
    return path


def test_what_was_chosen_for_shares_is_there_again_after_a_mean() -> None:
    desk = survey().collection
    ticked = (ProtocolChoice.parse("grr"), ProtocolChoice.parse("subset-selection=2"))
    before = desk.change(protocols=ticked, target=2.0)
    assert desk.can_ask_mean and not desk.asks_mean
    mean = desk.ask_for(mean=True)
    assert desk.asks_mean and all(one.estimates_mean for one in mean.protocols) and mean.protocols
    assert mean.encoding.domain == MODES, "the list stays where it was typed"
    with pytest.raises(WorkbenchError, match="bounds"):
        desk.mean_plan()
    desk.change(encoding=EncodingChoice(how=mean.encoding.how, domain=MODES, bounds=(0.0, 10.0)))
    own = desk.change(protocols=(ProtocolChoice.parse("laplace"),), target=1.0)
    assert desk.mean_plan().bounds == (0.0, 10.0)
    back = desk.ask_for(mean=False)
    assert (back.protocols, back.target, back.encoding.how) == (ticked, 2.0, EncodingKind.CATEGORIES)
    assert back.encoding.domain == before.encoding.domain and back.encoding.bounds == (0.0, 10.0)
    assert desk.domain().labels == MODES
    again = desk.ask_for(mean=True)
    assert (again.protocols, again.target, again.encoding) == (own.protocols, 1.0, own.encoding)
    assert desk.ask_for(mean=True) == again, "what is asked for already changes nothing"


def test_unticking_every_protocol_asks_for_nothing_else() -> None:
    desk = survey().collection
    desk.ask_for(mean=True)
    desk.change(protocols=())
    assert desk.asks_mean
    desk.change(protocols=(ProtocolChoice("grr"),))
    desk.change(protocols=())
    assert not desk.asks_mean


def test_words_have_no_mean(tmp_path: Path) -> None:
    session = Session()
    session.data.open(wages(tmp_path))
    session.collection.ask_about("sector")
    assert not session.collection.can_ask_mean
    with pytest.raises(WorkbenchError, match="no mean"):
        session.collection.ask_for(mean=True)
    session.collection.ask_about("wage")
    assert session.collection.can_ask_mean


def test_sampling_error_follows_what_the_person_chose(tmp_path: Path) -> None:
    session = Session()
    session.data.open(wages(tmp_path))
    desk = session.collection
    desk.ask_about("wage")
    assert not desk.settings.sampling
    # Proposed for a survey, it stays in sight; how many are asked are those of the table again.
    assert desk.ask_nobody().sampling and desk.sampling_proposed and desk.settings.users == USUAL_PEOPLE
    back = desk.ask_about("wage")
    assert (back.sampling, back.users) == (True, None) and not desk.sampling_proposed
    assert desk.ask_nobody().sampling and desk.sampling_proposed, "the next plan begins as any other"
    # What a person says holds for both.
    desk.ask_nobody()
    desk.change(sampling=False)
    assert not desk.sampling_proposed
    desk.ask_about("wage")
    assert not desk.ask_nobody().sampling
    desk.change(sampling=True, users=300)
    assert not desk.sampling_proposed
    back = desk.ask_about("wage")
    assert (back.sampling, back.users) == (True, 300)
    # What was said beside one table is not said of the next one.
    desk.change(sampling=False)
    other = tmp_path / "other.csv"
    other.write_text("town\nBonn\nUlm\n", encoding="utf-8")
    session.data.open(other)
    assert desk.ask_nobody().sampling and desk.sampling_proposed


def test_a_mean_of_all_people_is_off_by_the_sample_too() -> None:
    plan = MeanPlan(400, 1.0, (0.0, 100.0))
    alone = {one.title: one for one in planned_means(plan)}
    drawn = {one.title: one for one in planned_means(MeanPlan(400, 1.0, (0.0, 100.0), sampling=True))}
    thrice = {one.title: one for one in planned_means(MeanPlan(400, 1.0, (0.0, 100.0), True, 4))}
    for title, one in drawn.items():
        assert alone[title].worst <= one.worst <= math.hypot(alone[title].worst, 50 / 20) + 1e-9
        assert one.worst < thrice[title].worst and one.middle == alone[title].middle
        assert 1.95 * one.worst < one.margin
    # Laplace noise has one variance whatever is answered, and half of the people at either end vary by half the range.
    laplace = alone["Laplace noise"]
    assert drawn["Laplace noise"].worst == pytest.approx(math.hypot(laplace.worst, 50 / 20), rel=1e-4)


@pytest.mark.parametrize("name", ["duchi", "pm", "laplace"])
def test_the_margin_of_a_mean_holds_of_drawn_people(name: str) -> None:
    plan, choice = MeanPlan(60, 1.0, (-1.0, 1.0), sampling=True), ProtocolChoice(name)
    (said,) = planned_means(plan, [choice])
    generator = np.random.default_rng(5)
    off = []
    for seed in range(400):
        people = Persons(generator.choice([-1.0, 1.0], 60))
        found = simulate_mean(choice, people, SimulationSetting(1.0, 60, 1, seed=seed))
        off.append(abs(float(found.estimates[0])))
    assert np.mean(np.array(off) > said.margin) < 0.08
    assert np.std(off) < said.worst


def test_people_and_epsilon_that_are_enough_are_enough() -> None:
    plan = MeanPlan(500, 0.5, (0.0, 120.0), sampling=True)
    people, by = fewest_for_mean(plan, every_mean(), 4.0)
    (there,) = planned_means(MeanPlan(people, 0.5, (0.0, 120.0), True), [by])
    fewer = planned_means(MeanPlan(int(0.99 * people), 0.5, (0.0, 120.0), True))
    assert there.margin <= 4.0 < min(one.margin for one in fewer)
    epsilon, by = least_epsilon_for_mean(MeanPlan(5000, 0.5, (0.0, 120.0)), every_mean(), 4.0)
    (there,) = planned_means(MeanPlan(5000, epsilon, (0.0, 120.0)), [by])
    assert there.margin <= 4.0 < min(one.margin for one in planned_means(MeanPlan(5000, 0.98 * epsilon, (0.0, 120.0))))
    with pytest.raises(WorkbenchError, match="No ε up to 20"):
        least_epsilon_for_mean(MeanPlan(10, 0.5, (0.0, 120.0), True), every_mean(), 4.0)


def test_the_curator_of_a_mean_is_the_one_of_query(tmp_path: Path) -> None:
    # All but one of the two noisy sums is at a bound: the range × ln 20 ÷ (ε n).
    plan = MeanPlan(1000, 1.0, (0.0, 100.0))
    assert curator_mean_margin(plan) == pytest.approx(100 * math.log(20) / 1000, rel=0.01)
    drawn = curator_mean_margin(MeanPlan(1000, 1.0, (0.0, 100.0), sampling=True))
    assert drawn == pytest.approx(math.hypot(curator_mean_margin(plan), 1.96 * 50 / math.sqrt(1000)))
    few = PlannedMean(MeanPlan(3, 0.1, (0.0, 1.0)), planned_means(MeanPlan(3, 0.1, (0.0, 1.0))), 0.4)
    assert mean_beats_guessing(few).figure == "No"
    assert [row[0] for _, row in mean_lines(few)][-1] == CURATOR


def test_a_mean_that_is_reached_with_a_few_people_less_than_are_told_is_reached() -> None:
    target, least = 2.0, fewest_for_mean(MeanPlan(1000, 1.0, (0.0, 100.0)), every_mean(), 2.0)

    def at(users: int) -> tuple[str, list[str]]:
        plan = MeanPlan(users, 1.0, (0.0, 100.0))
        planned = PlannedMean(plan, planned_means(plan), 0.4)
        people, epsilon = Needed(*least), Needed(*least_epsilon_for_mean(plan, every_mean(), target))
        figure = enough_for_mean(planned, people, epsilon, target).figure
        return figure, [words for words, _ in suggested_for_mean(planned, people, epsilon, target)]

    margins = ((n, planned_means(MeanPlan(n, 1.0, (0.0, 100.0)))[0].margin) for n in range(least[0] - 20, least[0] + 1))
    enough = next(n for n, margin in margins if margin <= target)
    assert at(enough) == (f"Reached with {enough:,} people", [])
    assert at(enough - 1)[0].partition(" or ")[0].endswith(" people") and len(at(enough - 1)[1]) == 2


def test_the_switch_stands_with_the_question_and_keeps_both(
    qtbot: QtBot, document: Document, on_screen: OnScreen
) -> None:
    room = on_screen(CollectWorkspace(document), 1016)
    question, page = room.question, room.prediction
    idle(qtbot, room)
    shares, mean = question.asked_for.buttons
    assert (shares.text(), mean.text()) == ("Shares", "Mean") and shares.isChecked() and shares.isVisible()
    assert room.privacy.about_whom.text() == "On: those asked are a sample."
    question.values.setPlainText("\n".join(MODES))
    question.values.tell()
    idle(qtbot, room)
    mean.click()
    idle(qtbot, room)
    assert not question.values.isVisible() and not question.how.isVisible() and question.bounds.isVisible()
    assert question.said.text() == "Type the smallest and the largest value that are possible. They must be public."
    assert read_card(page.headline) == "Say which bounds the numbers have."
    assert not room.protocols.rows["grr"].isVisible() and room.protocols.rows["hm"].isVisible()
    for field, text in zip(question.bounds.numbers, ("0", "120"), strict=True):
        field.edit.setText(text)
        field.edit.editingFinished.emit()
    idle(qtbot, room)
    # As shares have it: three cards, and a chart with what is ticked, what to take, a curator and the goal.
    assert page.chart.isVisible() and page.mean is not None and page.mean.best is not None
    chart = page.chart.data
    assert isinstance(chart, ErrorCurves) and chart.against == "epsilon" and chart.target == pytest.approx(6.0)
    names = {curve.name for curve in chart.curves}
    ticked = {one.protocol.title for one in document.project.collect.protocols}
    assert names == ticked | {page.mean.best.title, CURATOR, "The middle as a guess"}
    (taken,) = (curve for curve in chart.curves if curve.taken)
    at = int(np.argmin(np.abs(taken.places - 1.0)))
    assert taken.name == page.mean.best.title and taken.errors[at] == pytest.approx(page.mean.best.margin, rel=1e-6)
    assert "of all, with sampling error" in chart.metric
    assert "people or ε" in page.needed.figure.text() and page.guessing.figure.text().startswith("Yes")
    page.needed.choices[0].click()
    idle(qtbot, room)
    assert read_card(page.headline).count("is reached") == 1
    page.against.setCurrentIndex(1)
    page.against.activated.emit(1)
    idle(qtbot, room)
    assert page.chart.data.against == "users"
    room.privacy.form["sampling"].click()
    idle(qtbot, room)
    assert "of those asked" in page.chart.data.metric and "Of those asked" in read_card(page.headline)
    assert room.privacy.about_whom.text() == "Errors are about those asked alone."
    shares.click()
    idle(qtbot, room)
    assert question.values.toPlainText() == "\n".join(MODES) and page.planned is not None
    assert document.project.collect.protocols == CollectSettings().protocols
    document.undo_stack.undo()
    idle(qtbot, room)
    assert mean.isChecked() and page.mean is not None and page.planned is None
    shares.click()
    mean.click()
    idle(qtbot, room)
    assert document.project.collect.encoding.bounds == (0.0, 120.0) and page.mean is not None


def test_who_is_asked_of_a_mean_is_counted_as_of_shares() -> None:
    session = survey()
    session.collection.ask_for(mean=True)
    session.collection.change(encoding=EncodingChoice(how=EncodingKind.BINS, bounds=(0.0, 1.0)), users=77)
    planned = session.collection.mean_planner()(SILENT)
    assert planned.asked is not None and planned.asked.people == 77 == planned.plan.users
    session.collection.change(users=None)
    with pytest.raises(WorkbenchError, match="how many people"):
        session.collection.mean_plan()


def test_the_copied_command_predicts_the_same_mean(
    qtbot: QtBot, document: Document, on_screen: OnScreen, capsys: pytest.CaptureFixture[str]
) -> None:
    room = on_screen(CollectWorkspace(document), 1016)
    idle(qtbot, room)
    _, mean = room.question.asked_for.buttons
    mean.click()
    for field, text in zip(room.question.bounds.numbers, ("0", "120"), strict=True):
        field.edit.setText(text)
        field.edit.editingFinished.emit()
    idle(qtbot, room)
    assert room.command.isEnabled()
    room.command.click()
    words = shlex.split(QApplication.clipboard().text())
    assert "--predict" in words and words[words.index("--need") + 1] == "mean=6"
    assert main(words[1:]) == 0
    found, shown = json.loads(capsys.readouterr().out), room.prediction.mean
    assert shown is not None and shown.best is not None
    best = shown.best.choice.identifier
    assert found["recommended"] == [best] and found["baselines"]["curator"] == shown.curator
    for one in shown.means:
        if one.choice.identifier in found["predictions"]:
            assert found["predictions"][one.choice.identifier]["margin"] == one.margin
    people = found["needed"][best]["people"]
    assert f"{people:,}"[:2] in room.prediction.needed.figure.text()


def test_reports_of_a_mean_begin_with_the_protocol_that_is_recommended(
    qtbot: QtBot, document: Document, on_screen: OnScreen
) -> None:
    """What is sampled is best asked by another than the first of the list; what somebody ticked alone stays."""
    room = on_screen(CollectWorkspace(document), 1016)
    idle(qtbot, room)
    _, mean = room.question.asked_for.buttons
    mean.click()
    for field, text in zip(room.question.bounds.numbers, ("0", "120"), strict=True):
        field.edit.setText(text)
        field.edit.editingFinished.emit()
    idle(qtbot, room)
    shown, combo = room.prediction.mean, room.reports.protocol
    assert shown is not None and shown.best is not None
    best = shown.best.choice
    assert best == ProtocolChoice("duchi") != document.project.collect.protocols[0]
    assert combo.chosen == best and combo.currentText().endswith("(take)")
    alone = (ProtocolChoice("laplace"),)
    document.apply("alone", lambda session: session.collection.change(protocols=alone))
    idle(qtbot, room)
    assert combo.chosen == alone[0] and combo.count() == 2, "the other is offered beside it"
