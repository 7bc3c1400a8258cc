"""Collecting through the widgets: asked, predicted, simulated, swept, exported and aggregated."""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, choose, idle
from workbench.cli.main import main
from workbench.core.number_text import exact
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.gui.document import Document
from workbench.gui.theme import Theme
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.collect.prediction_page import LEAST_CHART
from workbench.io.dialect import Dialect
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, EncodingChoice, EncodingKind, Outside
from workbench.ldp.participation import NO_PART, NO_SUM, UNSEEN, Participation
from workbench.ldp.persons import HIDDEN
from workbench.ldp.prediction import Shape
from workbench.ldp.share_margin import MARGIN
from workbench.project.model import DataSource
from workbench.query.ledger import Charge, Ledger
from workbench.session.collection.advice import needing_least
from workbench.session.collection.words import upwards

JOBS = ("clerk", "nurse", "pilot", "smith")


@pytest.fixture
def room(qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path) -> CollectWorkspace:
    """The workspace with 1,200 rows of 400 persons."""
    path = tmp_path / "people.csv"
    rng = np.random.default_rng(3)
    ages, jobs = rng.integers(20, 60, 1200), rng.choice(4, 1200, p=(0.5, 0.25, 0.15, 0.1))
    lines = [f"P{i % 400:04},{age},{JOBS[job]}" for i, (age, job) in enumerate(zip(ages, jobs, strict=True))]
    path.write_text("person,age,job\n" + "\n".join(lines) + "\n", encoding="utf-8")
    made = on_screen(CollectWorkspace(document), 800)
    document.open_data(path)
    idle(qtbot, made)
    document.session.collection.look()
    return made


def test_where_answers_come_from_is_nothing_without_a_column(document: Document, on_screen: OnScreen) -> None:
    room = on_screen(CollectWorkspace(document), 800)
    choose(room.question.source, "typed")
    assert not document.modified


def ask_job(qtbot: QtBot, room: CollectWorkspace) -> None:
    """Ask for the job, with its values typed."""
    choose(room.question.column, "job")
    idle(qtbot, room)
    choose(room.question.source, "typed")
    room.question.values.setPlainText("\n".join(JOBS))
    room.question.values.tell()
    idle(qtbot, room)


def ask_age(qtbot: QtBot, room: CollectWorkspace, bounds: tuple[float, float] = (20, 60)) -> None:
    """Ask for the age, in eight bins between typed bounds."""
    choose(room.question.column, "age")
    idle(qtbot, room)
    room.question.bins.setValue(8)
    choose(room.question.source, "typed")
    for field, value in zip(room.question.bounds.numbers, bounds, strict=True):
        field.edit.setText(str(value))
        field.edit.editingFinished.emit()
    idle(qtbot, room)


@pytest.mark.parametrize("typed", [("20", "60"), ("60", "20"), ("x", "3")])
@pytest.mark.parametrize("wide", [816, 1064])
def test_nothing_moves_while_bounds_are_typed(
    qtbot: QtBot, room: CollectWorkspace, typed: tuple[str, str], wide: int
) -> None:
    room.resize(wide, 640)
    choose(room.question.column, "age")
    idle(qtbot, room)
    choose(room.question.source, "typed")
    idle(qtbot, room)
    question = room.question
    below = (question.other, room.privacy, room.estimate, room.foot, room.button)

    def places() -> list[int]:
        qtbot.wait(1)
        idle(qtbot, room)
        return [one.mapTo(room, QPoint()).y() for one in below if one.isVisible()]

    before = places()
    for field, text in zip(question.bounds.numbers, typed, strict=True):
        for key in text:
            qtbot.keyClicks(field.edit, key)
            assert places() == before, (text, key, question.said.text())
    question.source.setFocus()
    assert places() == before


def simulate(qtbot: QtBot, room: CollectWorkspace) -> None:
    qtbot.mouseClick(room.button, Qt.MouseButton.LeftButton)
    idle(qtbot, room)


def test_reports_are_never_squeezed(qtbot: QtBot, room: CollectWorkspace, tmp_path: Path) -> None:
    room.resize(816, 420)
    ask_job(qtbot, room)
    room.tabs.setCurrentWidget(room.reports)
    room.reports.collect(tmp_path / "reports.csv")
    idle(qtbot, room)
    room.reports.aggregate([tmp_path / "reports.csv"])
    idle(qtbot, room)
    assert room.reports.chart.height() >= 200
    words = room.reports.state._words
    assert words.height() >= words.heightForWidth(words.width())


def test_a_trial_says_so_in_its_file_and_is_not_counted_with_reports_of_people(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    ask_job(qtbot, room)
    room.tabs.setCurrentWidget(room.reports)
    for name in ("real", "trial"):
        room.reports.trial.setChecked(name == "trial")
        room.reports.collect(tmp_path / f"{name}.csv")
        idle(qtbot, room)
    for files, said in ((["real"], ""), (["trial"], "A trial: nobody"), (["real", "trial"], "reports are of a trial")):
        room.reports.aggregate([tmp_path / f"{name}.csv" for name in files])
        idle(qtbot, room)
        words = room.reports.state.text
        assert said in words if said else "trial" not in words


class TestAsking:
    def test_without_the_data_of_a_project_there_is_one_way_on(
        self, qtbot: QtBot, light: Theme, document: Document
    ) -> None:
        document.session.project = replace(document.project, data=DataSource("gone.csv", "print", 3, Dialect(), "rows"))
        room = CollectWorkspace(document)
        qtbot.addWidget(room)
        room.show()
        assert room.pages.currentWidget() is room.no_data
        assert room.no_data.primary_button is not None
        with qtbot.waitSignal(room.open_requested):
            room.no_data.primary_button.click()

    def test_nothing_is_predicted_before_the_answers_are_public(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        assert room.answers.currentIndex() == 0
        choose(room.question.column, "age")
        idle(qtbot, room)
        assert room.answers.currentIndex() == 1
        assert room.question.said.text().startswith("Type the smallest and the largest value")
        assert room.question.bounds.isVisible(), "where they are typed stands open"
        assert room.question.declare.isVisible() and not room.button.isEnabled()
        assert room.prediction.planned is None
        with qtbot.waitSignal(room.reach_requested) as went:
            room.question.declare.click()
        assert went.args == ["data", "kinds:age"], "to the column itself"

    def test_typed_bounds_are_public_and_bins_lose_something_by_themselves(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room)
        assert "8 possible answers" in room.question.said.text()
        assert "Public" in room.question.said.text()
        assert "1,200 rows answer" in room.question.counts.words.text()
        assert "bins alone move a value" in room.question.counts.words.text()
        assert room.question.counts.badge.isVisible()
        assert room.document.session.collection.domain().declared

    def test_assumed_public_is_said_everywhere(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        choose(room.question.column, "job")
        idle(qtbot, room)
        choose(room.question.source, "assumed")
        idle(qtbot, room)
        assert "only assumed" in room.question.said.text()
        assert room.reports.cost.text().startswith("No promise")
        assert room.prediction.planned is not None and room.prediction.planned.plan.domain_size == 4

    def test_before_a_look_no_value_is_offered_and_nothing_tells_how_many_there_are(
        self, qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
    ) -> None:
        room = on_screen(CollectWorkspace(document), 800)
        path = tmp_path / "jobs.csv"
        path.write_text("job\n" + "cook\nnurse\n" * 20, encoding="utf-8")
        document.open_data(path)
        idle(qtbot, room)
        choose(room.question.column, "job")
        idle(qtbot, room)
        question = room.question
        assert not question.offered_values("job") and question.adopt.isHidden()
        document.session.collection.look()
        choose(question.source, "typed")
        choose(question.source, "declared")
        idle(qtbot, room)
        assert list(question.offered_values("job")) == ["cook", "nurse"] and not question.adopt.isHidden()

    def test_values_outside_the_domain_are_named_until_they_may_go_to_the_nearest(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room, (30, 50))
        assert "outside the public domain" in room.question.counts.words.text()
        assert not room.button.isEnabled() and "not possible answers" in room.foot.why_not.text()
        assert room.prediction.planned is not None, "a prediction needs no rows"
        choose(room.question.outside, Outside.CLIP)
        idle(qtbot, room)
        assert room.button.isEnabled()
        assert "lie outside the domain" in room.question.counts.words.text()

    def test_own_edges_that_are_no_numbers_are_marked(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        choose(room.question.column, "age")
        idle(qtbot, room)
        choose(room.question.how, EncodingKind.EDGES)
        idle(qtbot, room)
        room.question.edges.setText("0, x")
        room.question.edges.editingFinished.emit()
        assert room.question.edges.property("invalid") == "true"
        room.question.edges.setText("0, 30, 45, 100")
        room.question.edges.editingFinished.emit()
        idle(qtbot, room)
        assert room.document.session.collection.domain().size == 3

    def test_a_question_has_two_answers_and_offers_randomised_response(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        assert not room.protocols.rows["rr"].tick.isEnabled()
        assert not room.protocols._groups["ordinal"].isVisible() and not room.protocols._groups["means"].isVisible()
        choose(room.question.how, EncodingKind.QUESTION)
        room.question.answer.setText("nurse")
        room.question.answer.editingFinished.emit()
        idle(qtbot, room)
        assert room.document.session.collection.domain().labels == ("not nurse", "nurse")
        assert room.protocols.rows["rr"].tick.isEnabled()

    def test_another_column_forgets_what_was_said_of_the_first(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_age(qtbot, room)
        ask_job(qtbot, room)
        assert room.document.project.collect.encoding.bounds is None
        room.document.undo_stack.setIndex(0)
        idle(qtbot, room)
        assert room.document.project.collect.column == ""
        assert room.answers.currentIndex() == 0


class TestPredicting:
    def test_the_table_ranks_all_protocols_and_the_two_baselines(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        planned = room.prediction.planned
        assert planned is not None
        rows = room.prediction.table.texts()
        baselines = {"A trusted curator", "A uniform guess"}
        errors = [float(row[1].split(" ")[0]) for row in rows if row[1] != "–" and row[0] not in baselines]
        assert errors == sorted(errors) and len(errors) > 6
        assert baselines <= {row[0] for row in rows}
        assert planned.predictions[0].title == room.prediction.headline.figure.text()
        assert "1,200 people, 4 values" in room.prediction.sentence.text()
        drawn = room.prediction.chart.data
        assert [curve.role for curve in drawn.curves] == [
            *["local"] * (3 + (planned.best[0].choice not in room.document.project.collect.protocols)),
            "curator",
            "uniform",
        ]
        assert planned.best[0].title in [curve.name for curve in drawn.curves], "the recommended one is drawn"

    def test_the_headline_decides_and_smoothing_needs_a_smooth_shape(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room)
        room.question.bins.setValue(40)
        room.privacy.users.edit.setText("5000")
        room.privacy.epsilon.field.edit.setText("2")
        idle(qtbot, room)
        page = room.prediction
        best = page.planned.best[0] if page.planned is not None else None
        assert best is not None and not best.smooths and page.planned is not None
        assert page.headline.figure.text() == best.title
        said = page.headline.detail.text()
        assert said.startswith("Misplaces ") and "people), for the worst of smooth, spiky and equal shares" in said
        assert "of those asked" in said and "of all people, with sampling" in said
        assert "If neighbouring answers are alike: Square Wave, " in said
        share = float(said.split()[1])
        assert best.l1 / 2 <= share / 100 <= 1.1 * best.l1 / 2, "rounded up, and by little"
        both = float(said.partition("about ")[2].split()[0])
        # Independent errors add up like the sides of a right triangle.
        together = math.hypot(share, 50 * page.planned.drawn)
        assert together <= 1.02 * both and both <= 1.1 * together
        assert page.guessing.figure.text().startswith("Yes, ")
        assert page.protocol.chosen is None and page.protocol.currentText() == "whichever needs least"
        assert page.guessing.detail.text().startswith(f"{best.title}, "), "each card names its protocol"
        # At the ε that suffices sets of one value are best, which are direct encoding.
        by = (f"{best.title}: that many people at ε 2.", "Or Direct encoding: that ε with 5,000 people.")
        assert best.title == "Subset selection" and page.needed.detail.text().startswith(" ".join(by))
        row = next(row for row in page.table.texts() if row[0] == best.title)
        # One number wherever it stands on the page, and the people are counted from it before it is rounded.
        assert said.startswith(f"Misplaces {row[1]}\u00a0% of those asked (")
        # A guess is compared on the same shape, the one on which least is gained.
        shape = page.guessing.detail.text().removeprefix(f"{best.title}, ").split()[0]
        column = ["smooth", "spiky"].index(shape) + 2
        assert f"{best.title}, {shape} shares: {row[column]}\u00a0%. A" in page.guessing.detail.text()
        people = int(said.partition("(")[2].split()[0].replace(",", ""))
        assert 0 <= people - 5000 * best.l1 / 2 <= 10
        assert float(row[1]) == max(map(float, row[2:5])), "the worst of smooth, spiky and equal shares"
        assert "it is recommended only where a smooth shape is declared" in page.sentence.text()
        assert page.headline.offer.text() == "Assume so"
        page.headline.offer.click()
        idle(qtbot, room)
        assert page.headline.figure.text() == "Square Wave" and "for a smooth hump" in page.headline.detail.text()
        # What is to be taken can be ticked where it is named.
        taken = page.headline.offer
        assert taken.text() == "Tick it" and "(" in page.table.texts()[0][1]
        taken.click()
        idle(qtbot, room)
        assert "square-wave" in [one.identifier for one in room.document.project.collect.protocols] and taken.isHidden()
        room.privacy.users.edit.setText("30")
        room.privacy.epsilon.field.edit.setText("0.2")
        choose(page.shape, Shape.AUTO)
        idle(qtbot, room)
        assert page.guessing.figure.text().startswith("No") and "Too few people" in page.guessing.detail.text()

    def test_epsilon_moves_the_prediction_and_undo_brings_it_back(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        before = room.prediction.table.texts()
        room.privacy.epsilon.field.edit.setText("3")
        idle(qtbot, room)
        after = room.prediction.table.texts()
        assert float(after[0][1].split(" ")[0]) < float(before[0][1].split(" ")[0])
        assert room.prediction.chart.data.now == 3.0
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert room.prediction.table.texts() == before
        assert room.privacy.epsilon.value == 1.0

    def test_a_number_that_is_none_stops_everything_but_what_is_shown(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        room.privacy.epsilon.field.edit.setText("-1")
        room.run()
        idle(qtbot, room)
        assert room.simulation.found is None
        assert room.document.project.collect.epsilon == 1.0

    def test_people_and_curves_against_them(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.privacy.users.edit.setText("50000")
        choose(room.prediction.against, "users")
        idle(qtbot, room)
        assert room.prediction.chart.data.now == 50_000.0
        assert "50,000 people" in room.prediction.sentence.text()
        room.privacy.users.edit.setText("")
        idle(qtbot, room)
        assert room.document.project.collect.users is None

    def test_what_it_takes(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.prediction.target.edit.setText("5")  # per cent: half of the L1 error
        idle(qtbot, room)
        desk, page = room.document.session.collection, room.prediction
        assert page.planned is not None
        allowed = needing_least(page.planned)
        people, least = desk.people_needed(allowed, "l1", 0.1)()
        told = page.needed.figure.text()
        number = int(told.split(" people")[0].replace(",", ""))
        assert people <= number <= 1.1 * people and " or ε\u00a0" in told
        average = "That is an error on average, not a margin of each share."
        both = "that many people at ε 1, or that ε with 1,200 people"
        assert page.needed.detail.text() == f"{least.protocol.title}: {both}. {average}"
        # Another one that somebody wants is named too, and needs no less.
        other = next(one for one in allowed if one != least)
        choose(page.protocol, other)
        idle(qtbot, room)
        assert page.needed.detail.text() == f"{other.protocol.title}: {both}. {average}"
        assert int(page.needed.figure.text().split(" people")[0].replace(",", "")) >= number

    def test_the_margin_of_each_share_is_reached_and_what_is_found_is_used(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        page, desk = room.prediction, room.document.session.collection
        page.target.edit.setText("5")
        choose(page.aim, MARGIN)
        room.privacy.form["sampling"].click()
        idle(qtbot, room)
        assert page.planned is not None
        choices = [one.choice for one in page.planned.predictions if not one.problem]
        epsilon, least = desk.epsilon_needed(choices, MARGIN, 0.05, tuned=True)()
        assert f"ε\u00a0{exact(upwards(epsilon, 3))}" in page.needed.figure.text()
        detail = page.needed.detail.text()
        assert least.protocol.title in detail and detail.endswith("Unbiased: all 4 at once ± 6.38.")
        assert page.headline.detail.text().startswith("Each share of all people ± ")
        assert page.headline.detail.text().endswith("Sampling error is in it.")
        assert "on average" not in detail and page.predicted is not None and page.predicted.need == "margin=0.05"
        offered = [one for one in page.needed.choices if one.isVisibleTo(page)]
        assert offered[-1].text() == offered[-1].toolTip() == f"Use ε {exact(upwards(epsilon, 3))}"
        offered[-1].click()
        idle(qtbot, room)
        assert room.document.project.collect.epsilon == upwards(epsilon, 3) and page.aim.chosen == MARGIN
        room.document.undo_stack.undo()
        idle(qtbot, room)
        offered = [one for one in page.needed.choices if one.isVisibleTo(page)]
        number = int(offered[0].toolTip().split()[1].replace(",", ""))
        offered[0].click()
        idle(qtbot, room)
        assert room.document.project.collect.users == number
        # Twice the same is not offered.
        assert not page.needed.choices[0].toolTip().startswith(f"Use {number:,} ") or page.needed.choices[0].isHidden()

    def test_whom_one_asks_is_counted_where_that_is_wanted(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        page = room.prediction
        page.target.edit.setText("0.5")
        idle(qtbot, room)
        assert "Of those asked: sampling alone misplaces" in page.needed.detail.text()
        before = page.planned.reference.curator["l1"] if page.planned is not None else 0.0
        room.privacy.form["sampling"].click()
        idle(qtbot, room)
        assert room.document.project.collect.sampling and page.planned is not None
        assert page.planned.reference.curator["l1"] > 2 * before
        assert "of all people" in page.headline.detail.text() and "of those asked" not in page.headline.detail.text()
        assert "No ε suffices with 1,200 people." in page.needed.detail.text()
        assert "Sampling error is in it." in page.needed.detail.text(), "what became another number says why"
        assert page.chart.data.metric == "People misplaced, % of all, with sampling error"

    def test_enter_on_a_row_ticks_its_protocol(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        chosen = {choice.identifier for choice in room.document.project.collect.protocols}
        row = next(i for i, one in enumerate(room.prediction._listed) if one and one.identifier not in chosen)
        identifier = room.prediction._listed[row].identifier
        room.prediction.table.selectRow(row)
        qtbot.keyClick(room.prediction.table, Qt.Key.Key_Return)
        idle(qtbot, room)
        assert room.protocols.rows[identifier].tick.isChecked()

    def test_parameters_belong_to_the_choice(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.protocols.rows["ue"].tick.click()
        idle(qtbot, room)
        fields = room.protocols.rows["ue"].fields
        assert fields is not None and fields.isVisible()
        fields.fields["p"].edit.setText("0.9")
        idle(qtbot, room)
        chosen = next(one for one in room.document.project.collect.protocols if one.identifier == "ue")
        assert dict(chosen.values) == {"p": 0.9}
        assert any("p = 0.9" in row[0] for row in room.prediction.table.texts())
        room.protocols.rows["ue"].tick.click()
        idle(qtbot, room)
        assert not fields.isVisible()

    def test_a_tick_moves_no_other_row_and_automatic_numbers_say_so(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        rows = room.protocols.rows
        rows["olh"].tick.click()  # which is ticked at first
        idle(qtbot, room)
        before = {name: row.mapTo(room.protocols, row.rect().topLeft()) for name, row in rows.items()}
        rows["olh"].tick.click()
        idle(qtbot, room)
        fields = rows["olh"].fields
        assert fields is not None and fields.isVisible() and rows["olh"].follows.isHidden()
        assert {name: row.mapTo(room.protocols, row.rect().topLeft()) for name, row in rows.items()} == before
        buckets = fields.fields["g"].edit
        assert (buckets.text(), buckets.placeholderText()) == ("", "automatic") and room.protocols.valid

        def chosen() -> dict[str, object]:
            every = room.document.project.collect.protocols
            return dict(next(one for one in every if one.identifier == "olh").values)

        buckets.setText("4")
        idle(qtbot, room)
        assert chosen() == {"g": 4}
        buckets.setText("")
        idle(qtbot, room)
        assert chosen() == {} and room.protocols.valid

    def test_a_protocol_that_promises_less_is_not_the_one_to_pick(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.privacy.epsilon.field.edit.setText("0.2")
        room.protocols.rows["ue"].tick.click()
        idle(qtbot, room)
        assert room.prediction.table.texts()[0][0].startswith("Unary encoding with given")
        assert (
            "Unary encoding with given" not in room.prediction.headline.figure.text() + room.prediction.sentence.text()
        )
        assert "Unary encoding with given p and q, ε = 2.198" in [
            curve.name for curve in room.prediction.chart.data.curves
        ]
        simulate(qtbot, room)
        assert any("ε = 2.198" in one.name for one in room.simulation.errors.data.entries)

    def test_own_shares_must_be_one_per_answer(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        choose(room.prediction.shape, Shape.OWN)
        room.prediction.shares.setText("50 25 15")
        room.prediction.shares.editingFinished.emit()
        assert room.prediction.shares.property("invalid") == "true"
        room.prediction.shares.setText("50 25 15 10")
        room.prediction.shares.editingFinished.emit()
        idle(qtbot, room)
        assert room.document.project.collect.guess == (50.0, 25.0, 15.0, 10.0)
        # Another domain has other shares.
        room.question.values.setPlainText("\n".join((*JOBS, "other")))
        room.question.values.tell()
        idle(qtbot, room)
        assert room.document.project.collect.shape is Shape.AUTO

    def test_means_have_an_exact_prediction_of_their_own(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_age(qtbot, room)
        for identifier in ("grr", "oue", "olh", "duchi"):
            room.protocols.rows[identifier].tick.click()
        idle(qtbot, room)
        rows = {row[0]: row for row in room.prediction.table.texts()}
        page, form = room.prediction, room.estimate.form
        assert len(rows) == 5 and "standard deviation" in page.headline.detail.text()
        # √(2/π) of it, as the errors in Compare are.
        worst = min(float(row[1]) for row in rows.values() if row[1] != "–")
        average = float(page.headline.detail.text().partition("off by ")[2].split()[0])
        assert average == pytest.approx(worst * math.sqrt(2 / math.pi), rel=1e-3)
        # Nothing of it is about a histogram: no shape, no bins, no post-processing.
        histograms = page.shape, page.error_choice
        histograms += form["postprocess"], form["estimator"], room.question.how, room.question.bins
        assert not any(one.isVisibleTo(room) for one in histograms)
        assert all(one.isVisibleTo(page) for one in (page.guessing, page.needed, page.against, page.chart))
        simulate(qtbot, room)
        found = room.simulation.found
        assert found is not None and found.baselines is None and len(found.means) == 1
        # Duchi's worst case is a bound for what the simulation can expect.
        assert found.means[0].deviation <= float(rows["Duchi's mechanism"][1]) * (1 + 1e-3)
        assert [one.name for one in room.simulation.errors.data.entries] == ["Duchi's mechanism"]
        room.protocols.rows["grr"].tick.click()
        idle(qtbot, room)
        assert all(one.isVisibleTo(room.parts) for one in (room.question.how, form["postprocess"]))
        assert not page.guessing.isHidden() and not page.chart.isHidden()

    def test_a_date_has_no_mean_and_its_bounds_are_typed_here(
        self, qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
    ) -> None:
        path = tmp_path / "visits.csv"
        path.write_text("day\n" + "".join(f"2024-01-{1 + i % 28:02}\n" for i in range(300)), encoding="utf-8")
        room = on_screen(CollectWorkspace(document), 800)
        document.open_data(path)
        idle(qtbot, room)
        document.session.collection.look()
        choose(room.question.column, "day")
        idle(qtbot, room)
        assert (
            room.question.said.text().startswith("Type the first and the last date")
            and not room.question.declare.isVisible()
        )
        choose(room.question.source, "typed")
        for field, text in zip(room.question.bounds.dates, ("2024-01-01", "2024-01-31"), strict=True):
            field.setText(text)
            field.editingFinished.emit()
        idle(qtbot, room)
        assert room.question.bounds.dates[0].y() < room.question.bounds.dates[1].y(), "a date needs the whole line"
        chosen = (*document.project.collect.protocols, ProtocolChoice("duchi"))
        document.apply("tick", lambda session: session.collection.change(protocols=chosen))
        idle(qtbot, room)
        assert not room.button.isEnabled() and "no mean" in room.foot.why_not.text()


class TestLooking:
    @pytest.fixture
    def unseen(self, qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path) -> CollectWorkspace:
        path = tmp_path / "unseen" / "people.csv"
        path.parent.mkdir()
        path.write_text("job\n" + "clerk\nnurse\npilot\nsmith\n" * 50, encoding="utf-8")
        made = on_screen(CollectWorkspace(document), 800)
        document.open_data(path)
        idle(qtbot, made)
        ask_job(qtbot, made)
        return made

    def test_the_first_simulation_asks_and_records_the_look(self, qtbot: QtBot, unseen: CollectWorkspace) -> None:
        desk = unseen.document.session.collection
        assert unseen.button.text() == "Simulate…" and unseen.first_look.isHidden()
        simulate(qtbot, unseen)
        assert unseen.first_look.isVisible() and not unseen.button.isEnabled() and not desk.looked
        assert "no release that is drawn afterwards has an (ε, δ) claim" in unseen.first_look.words.text()
        unseen.first_look.not_now.click()
        idle(qtbot, unseen)
        assert unseen.button.isEnabled() and not desk.looked and unseen.simulation.found is None
        assert not unseen.question.counts.isVisible()
        simulate(qtbot, unseen)
        unseen.first_look.take.click()
        idle(qtbot, unseen)
        assert desk.looked and unseen.first_look.isHidden() and unseen.simulation.found is not None
        assert unseen.button.text() == "Simulate" and unseen.question.counts.isVisible()

    def test_it_is_the_analysts_only_where_it_shows_anything_of_the_table(
        self, qtbot: QtBot, unseen: CollectWorkspace
    ) -> None:
        assert unseen.lock == "Analyst only", "as many people as there are rows"
        unseen.document.apply("", lambda session: session.collection.change(users=500))
        idle(qtbot, unseen)
        assert unseen.lock == ""
        simulate(qtbot, unseen)
        unseen.first_look.take.click()
        idle(qtbot, unseen)
        assert unseen.lock == "Analyst only"
        unseen.document.apply("", lambda session: session.collection.ask_nobody())
        idle(qtbot, unseen)
        assert unseen.lock == "", "of a survey of which the table knows nothing"

    def test_a_sweep_asks_too_and_one_look_is_enough(self, qtbot: QtBot, unseen: CollectWorkspace) -> None:
        unseen.tabs.setCurrentWidget(unseen.sweep)
        unseen.document.apply("fewer", lambda session: session.collection.change(repetitions=2))
        unseen.sweep.points.setValue(2)
        assert unseen.sweep.button.text() == "Sweep…"
        unseen.sweep.run()
        idle(qtbot, unseen)
        assert unseen.sweep.found is None and unseen.sweep.first_look.isVisible()
        unseen.sweep.first_look.take.click()
        idle(qtbot, unseen)
        assert unseen.sweep.found is not None and not unseen.first_look.needed

    def test_nothing_before_the_look_tells_one_answer(
        self, qtbot: QtBot, unseen: CollectWorkspace, tmp_path: Path
    ) -> None:
        found, empty = [], unseen.document.project
        for last in ("smith", "clerk", "astronaut"):
            folder = tmp_path / f"last {last}"
            folder.mkdir()
            text = "job\n" + "clerk\nnurse\npilot\nsmith\n" * 50
            (folder / "people.csv").write_text(text.removesuffix("smith\n") + last + "\n", encoding="utf-8")
            unseen.document.apply("Begin again", lambda session: setattr(session, "project", empty))
            unseen.document.open_data(folder / "people.csv")
            idle(qtbot, unseen)
            unseen.run()
            idle(qtbot, unseen)
            found.append([one.text() for one in unseen.findChildren(QLabel) if one.isVisible()])
            unseen.first_look.not_now.click()
        assert found[1] == found[0] == found[2]


class TestSimulating:
    def test_estimates_are_shown_over_the_truth_between_the_baselines(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        simulate(qtbot, room)
        found = room.simulation.found
        assert found is not None and len(found.results) == 3
        drawn = room.simulation.histogram.data
        np.testing.assert_array_equal(drawn.truth, found.truth)
        assert drawn.truth.sum() == 1200
        roles = [one.role for one in room.simulation.errors.data.entries]
        assert sorted(roles) == ["curator", "local", "local", "local", "uniform"]
        assert "1,200 people, 20 collections each, seed 1" in room.simulation.state.text
        assert room.status() is not None and room.status().value == "success"
        assert len(room.simulation.table.texts()) == 5

    def test_means_beside_histograms_have_columns_of_their_own(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_age(qtbot, room)
        room.protocols.rows["duchi"].tick.click()
        idle(qtbot, room)
        simulate(qtbot, room)
        (mean,) = (row for row in room.simulation.table.texts() if row[0].startswith("Duchi"))
        assert mean[0] == "Duchi's mechanism" and mean[1:4] == ("–", "–", "–")
        found = room.simulation.found
        assert found is not None and float(mean[4]) == pytest.approx(found.means[0].estimates.mean(), rel=1e-2)
        assert room.simulation.histogram.data.axis == "age"

    def test_a_changed_setting_makes_it_out_of_date_until_it_is_run_again(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        simulate(qtbot, room)
        before = room.simulation.found
        room.estimate.repetitions.setValue(7)
        idle(qtbot, room)
        assert "out of date" in room.simulation.state.text
        assert room.simulation.found is before, "what was there stays to be seen"
        room.simulation.state.again.click()
        idle(qtbot, room)
        assert "7 collections" in room.simulation.state.text

    def test_the_copied_command_comes_to_the_same_numbers(
        self, qtbot: QtBot, room: CollectWorkspace, capsys: pytest.CaptureFixture[str]
    ) -> None:
        ask_job(qtbot, room)
        simulate(qtbot, room)
        room.command.click()
        words = shlex.split(QApplication.clipboard().text())
        assert words[0] == "workbench"
        assert main(words[1:]) == 0
        answer = json.loads(capsys.readouterr().out)
        found = room.simulation.found
        assert found is not None
        for one in found.results:
            assert answer["protocols"][one.choice.identifier]["l1"]["mean"] == pytest.approx(one.errors["l1"].mean)

    def test_the_command_copied_beside_a_prediction_predicts_the_same(
        self, qtbot: QtBot, room: CollectWorkspace, capsys: pytest.CaptureFixture[str]
    ) -> None:
        ask_job(qtbot, room)
        room.tabs.setCurrentWidget(room.prediction)
        room.command.click()
        words = shlex.split(QApplication.clipboard().text())
        assert "--predict" in words and "--repetitions" not in words
        assert main(words[1:]) == 0
        answer = json.loads(capsys.readouterr().out)
        planned = room.prediction.planned
        assert planned is not None and planned.best
        assert answer["recommended"][0] == planned.best[0].choice.identifier

    def test_cancel_keeps_what_is_finished(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.run()
        room._job.cancel()
        idle(qtbot, room)
        assert not room._job.running and room.button.text() == "Simulate"
        desk, seen = room.document.session.collection, []
        whole = desk.simulator(seen.append)()
        assert [len(part.results) for part in seen] == [1, 2, 3]
        assert all(part.baselines is not None and part.truth is not None for part in seen)
        room.simulation.clear()
        room._arrived.append(seen[0])
        job = room.document.runner.start("any", lambda progress: None)
        room._job.follow(job)
        idle(qtbot, room)
        assert job.state == "done" and room.simulation.found is seen[0]
        assert len(room.simulation.errors.data.entries) == 3
        assert "1 of 3 protocols" in room.simulation.state.text
        assert [one.title for one in whole.results][:1] == [one.title for one in seen[0].results]

    def test_a_sweep_has_bands_and_baselines_at_every_point(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.tabs.setCurrentWidget(room.sweep)
        room.sweep.points.setValue(3)
        room.sweep.button.click()
        idle(qtbot, room)
        curves = room.sweep.chart.data.curves
        assert [curve.role for curve in curves] == ["local"] * 3 + ["curator", "uniform"]
        assert all(len(curve.places) == 3 for curve in curves)
        assert (curves[0].low <= curves[0].errors).all() and (curves[0].errors <= curves[0].high).all()
        room.privacy.epsilon.field.edit.setText("2")
        idle(qtbot, room)
        assert "out of date" in room.sweep.state.text

    def test_a_sweep_the_wrong_way_round_is_refused(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.sweep.low.edit.setText("5")
        room.sweep.high.edit.setText("1")
        with qtbot.waitSignal(room.document.failed) as failed:
            room.sweep.button.click()
        assert "below the second" in failed.args[0].message


def test_nobody_reports_into_a_file_once_the_table_is_closed(
    qtbot: QtBot, room: CollectWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: pytest.fail("there is no table any more"))
    ask_job(qtbot, room)
    monkeypatch.setattr(type(room.document.session), "has_data", property(lambda _: False))
    room.reports.choose_target()


class TestPersons:
    def test_people_come_first_with_what_each_gives_away(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        assert room.crowd.people.text() == "1,200 people, one report each"
        assert "fewer answer than is predicted for" in room.crowd.people.toolTip(), "if some have no value"
        assert room.crowd.price.text() == "A person gives away ε = 1" and not room.crowd.once.isVisible()
        room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(200, "person")))
        idle(qtbot, room)
        assert room.crowd.people.text() == "400 people, 200 reports each at most"
        assert room.crowd.price.text() == "A person gives away ε = 200: hardly a promise at all"
        assert "reports" in room.prediction.headline.detail.text() and "reports" in room.prediction.needed.figure.text()
        room.crowd.once.click()
        idle(qtbot, room)
        assert room.crowd.people.text() == "400 people, one report each"
        assert room.crowd.price.text() == "A person gives away ε = 1"
        planned = room.prediction.planned
        assert planned is not None and planned.plan.users == 400, "of each person one row reports"

    def test_it_is_said_of_whom_is_counted_only_where_it_is_true(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        desk, all_of_them = room.document.session.collection, "Everybody is counted; who has no value does not report."
        missing = replace(room.document.project.collect.encoding, absent=Absent.VALUE)
        for changes, said in (
            ({"participation": Participation.OPEN}, all_of_them),
            ({"encoding": missing}, ""),
            ({"encoding": replace(missing, absent=Absent.LEAVE_OUT)}, all_of_them),
            ({"participation": Participation.AUTO}, ""),
            ({"participation": Participation.OPEN, "users": 500}, ""),
        ):
            room.document.apply("", lambda session, changes=changes: session.collection.change(**changes))
            idle(qtbot, room)
            assert (room.crowd.valueless.isVisible(), room.crowd.valueless.text()) == (bool(said), said), changes
            assert (all_of_them in desk.planner()(SILENT).cautions) == bool(said)

    def test_by_some_protocols_who_has_no_value_does_not_report(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        assert room.document.apply("", lambda session: session.data.set_bounds("age", (0.0, 100.0)))
        assert room.document.apply("", lambda session: session.collection.ask_about("age"))
        some = tuple(map(ProtocolChoice, ("grr", "square-wave")))
        assert room.document.apply("", lambda session: session.collection.change(protocols=some))
        idle(qtbot, room)
        assert "by Square Wave who has no value does not report" in room.crowd.valueless.text()
        assert room.document.apply("", lambda session: session.collection.ask_for(mean=True))
        idle(qtbot, room)
        assert room.crowd.valueless.text() == "Everybody is counted; who has no value does not report."

    def test_without_a_question_nothing_is_said_of_people(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        assert room.crowd.isHidden()

    def test_nothing_moves_when_it_is_known_who_is_asked(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        below = room.tabs.mapTo(room, room.tabs.rect().topLeft()).y()
        room.crowd.show_asked(None)
        qtbot.wait(1)
        assert room.crowd.isHidden()
        assert room.tabs.mapTo(room, room.tabs.rect().topLeft()).y() == below

    def test_in_a_low_window_no_axis_lies_below_the_edge(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.resize(824, 597)
        for page, chart in ((room.sweep, room.sweep.chart), (room.simulation, room.simulation.histogram)):
            room.tabs.setCurrentWidget(page)
            chart.set_data(None)
            idle(qtbot, room)
            if chart.isVisible():
                assert chart.mapTo(room, chart.rect().bottomLeft()).y() < room.height()
        assert room.sweep.chart.height() >= LEAST_CHART

    def test_how_often_each_reports_is_said_in_data(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        assert room.crowd.often.isVisible()
        with qtbot.waitSignal(room.reach_requested) as reached:
            qtbot.mouseClick(room.crowd.often, Qt.MouseButton.LeftButton)
        assert reached.args == ["data", "person"]

    def test_several_rows_of_a_person_are_detected_and_one_click_mends_it(
        self, qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
    ) -> None:
        room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(1, "person")))
        ask_job(qtbot, room)
        assert room.answering.banner.isVisible()
        assert "has 3 rows" in room.answering.banner.text
        assert "ε adds up" in room.answering.banner.text
        # As long as this stands, nothing may be collected.
        room.reports.collect(tmp_path / "reports.csv")
        idle(qtbot, room)
        assert not (tmp_path / "reports.csv").exists()
        room.answering.banner.again.click()
        idle(qtbot, room)
        assert not room.answering.banner.isVisible() and room.privacy.once.isChecked()
        assert "400 rows answer" in room.question.counts.words.text()


class TestReports:
    def test_reports_are_written_charged_and_aggregated(
        self, qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
    ) -> None:
        ask_job(qtbot, room)
        price = "No total budget is set; with it, ε 1 are spent."
        words = room.reports.cost.text()
        assert words.startswith(f"ε = 1 for each person, who reports once. {UNSEEN} ") and words.endswith(price)
        with qtbot.waitSignal(room.document.noted, timeout=PATIENCE_MS) as noted:
            room.reports.collect(tmp_path / "reports.csv")
        idle(qtbot, room)
        assert noted.args[0] == "success" and "1,200 reports" in noted.args[1]
        ledger = Ledger.for_data(room.document.session.data.fingerprint)
        (entry,) = ledger.history.entries
        assert entry.charge.kind == "collection" and entry.charge.epsilon == 1 and entry.charge.claimed
        room.reports.aggregate([tmp_path / "reports.csv"])
        idle(qtbot, room)
        found = room.reports.found
        assert found is not None and found.estimate is not None
        assert found.participants is not None
        assert found.estimate.counts.sum() == pytest.approx(found.participants.estimate)
        assert "took part" in room.reports.state.text and UNSEEN in room.reports.state.text
        drawn = room.reports.chart.data
        assert drawn.truth is None and drawn.labels == JOBS and drawn.band == "95 % band"
        assert len(room.reports.hitters.texts()) == 4

    def test_whether_it_is_seen_who_takes_part_is_chosen_undone_and_said(
        self, qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
    ) -> None:
        ask_job(qtbot, room)
        combo = room.reports.participation
        assert combo.chosen == Participation.AUTO and "less exact" in room.reports.cost.text()
        combo.choose(Participation.OPEN)
        combo.activated.emit(combo.currentIndex())
        idle(qtbot, room)
        assert room.document.project.collect.participation is Participation.OPEN
        assert HIDDEN in room.reports.cost.text() and NO_SUM in room.reports.cost.text()
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert combo.chosen == Participation.AUTO and UNSEEN in room.reports.cost.text()
        room.document.undo_stack.redo()
        idle(qtbot, room)
        room.reports.collect(tmp_path / "reports.csv")
        idle(qtbot, room)
        assert room.document.session.ledger.current.spent().open_participation == 1
        room.reports.aggregate([tmp_path / "reports.csv"])
        idle(qtbot, room)
        assert room.reports.found is not None and room.reports.found.participants is None
        assert HIDDEN in room.reports.state.text

    def test_a_protocol_that_cannot_hide_it_says_so_or_is_refused(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        question = EncodingChoice(EncodingKind.QUESTION, answer=JOBS[0])
        asked = {"encoding": question, "protocols": (ProtocolChoice("rr"),)}
        room.document.apply("ask", lambda session: session.collection.change(**asked))
        idle(qtbot, room)
        assert "is for two answers" in room.reports.cost.text() and room.reports.export.isEnabled()
        room.document.apply("hide", lambda session: session.collection.change(participation=Participation.HIDDEN))
        idle(qtbot, room)
        assert "cannot be hidden" in room.reports.cost.text() and not room.reports.export.isEnabled()

    def test_the_budget_is_shown_before_anybody_reports(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        ledger = room.document.session.ledger.current
        ledger.set_budget(Fraction(4))
        ledger.charge(Charge("question", "rows", Fraction(1), made_by="grid"))
        room.document.tell_ledger()
        idle(qtbot, room)
        assert "Then ε 1 of 4 remain" in room.reports.cost.text(), "1 for the reports, and 2 for the question"
        assert "count twice" in room.reports.cost.text() and room.reports.export.isEnabled()
        ledger.charge(Charge("question", "more rows", Fraction(1), made_by="grid"))
        room.document.tell_ledger()
        idle(qtbot, room)
        assert "Over budget" in room.reports.cost.text() and not room.reports.export.isEnabled()

    def test_the_cost_is_that_of_the_protocol_and_not_of_the_slider(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.protocols.rows["ue"].tick.click()
        idle(qtbot, room)
        combo = room.reports.protocol
        combo.setCurrentIndex(combo.findText("Unary encoding with given p and q"))
        combo.activated.emit(combo.currentIndex())
        idle(qtbot, room)
        assert "ε = 2.198" in room.reports.cost.text(), "ln 9, rounded up"
        assert not room.protocols.rows["ue"].follows.isHidden(), "its ε follows from its parameters"

    def test_the_recommended_protocol_is_chosen_unless_the_person_chose(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        planned = room.prediction.planned
        assert planned is not None and planned.best
        best, combo = planned.best[0].choice, room.reports.protocol
        assert combo.chosen == best and combo.currentText().endswith("(take)")
        ticked = room.document.project.collect.protocols
        assert [combo.itemData(row) for row in range(combo.count())] == [*([] if best in ticked else [best]), *ticked]
        other = next(one for one in ticked if one != best)
        choose(combo, other)
        room.document.apply("other", lambda session: session.collection.change(epsilon=2.5))
        idle(qtbot, room)
        assert combo.chosen == other

    def test_reports_can_be_aggregated_without_any_data(
        self, qtbot: QtBot, light: Theme, room: CollectWorkspace, tmp_path: Path
    ) -> None:
        ask_job(qtbot, room)
        room.reports.collect(tmp_path / "reports.csv")
        idle(qtbot, room)
        room.document.new()
        idle(qtbot, room)
        room.reports.aggregate([tmp_path / "reports.csv"])
        idle(qtbot, room)
        assert room.reports.found is not None and "1,200 reports about “job”" in room.reports.state.text

    def test_that_each_person_is_in_one_file_is_asserted_by_a_tick(
        self, qtbot: QtBot, light: Theme, room: CollectWorkspace, tmp_path: Path
    ) -> None:
        ask_job(qtbot, room)
        paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
        for path in paths:
            room.reports.collect(path)
            idle(qtbot, room)
        room.reports.aggregate(paths)
        idle(qtbot, room)
        assert "a person with up to 2 reports has ε = 2" in room.reports.state.text
        room.reports.apart.click()
        idle(qtbot, room)
        said = room.reports.state.text
        assert "a person with up to" not in said and "asserted by whoever counted them" in said

    def test_a_file_that_holds_no_reports_is_refused(
        self, qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
    ) -> None:
        (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
        room.reports.aggregate([tmp_path / "other.csv"])
        idle(qtbot, room)
        assert room.reports.found is None and room.reports.chart.data is None
        assert room.reports.state.property("message") == "error"


class TestFacts:
    def test_exact_figures(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.protocols.rows["oue"].more.click()
        idle(qtbot, room)
        facts = room.facts
        assert room.tabs.currentWidget() is facts
        assert facts.figures["p"].text() == "0.5"
        assert facts.figures["q"].text() == "0.268941"
        # n q (1 − q)/(p − q)² with n = 1,200.
        assert facts.found is not None and facts.found.rare == pytest.approx(66.477, abs=1e-3)
        assert "of 1,200 people" in facts.figures["rare"].text()
        # 1.96 √(¼ / n) / (p − q), where everybody has the value.
        margin = 196 * math.sqrt(0.25 / 1200) / (0.5 - facts.found.q)
        assert float(facts.figures["margin"].text().split()[1]) == pytest.approx(margin, rel=0.005)
        assert "USENIX" in facts.figures["citation"].text()
        assert not facts.matrix.isVisible()
        facts.show_protocol("grr")
        idle(qtbot, room)
        assert facts.matrix.isVisible()
        np.testing.assert_allclose(facts.matrix.data.table.sum(axis=1), 1.0)
        # Who takes part is hidden, so that they report by one answer more, as is said and checked.
        answers = room.document.session.collection.domain().size
        assert facts.matrix.data.inputs[answers:] == facts.matrix.data.outputs[answers:] == (NO_PART,)
        assert NO_PART in facts.figures["further"].text() and facts.figures["further"].isVisible()
        wanted: list[int] = []
        facts.check_wanted.connect(lambda _choice, size: wanted.append(size))
        facts.check.click()
        assert wanted == [answers + 1]
        room.document.apply("", lambda session: session.collection.change(participation=Participation.OPEN))
        idle(qtbot, room)
        assert len(facts.matrix.data.inputs) == answers and not facts.figures["further"].isVisible()

    def test_the_page_begins_with_the_protocol_that_is_recommended(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        assert room.prediction.planned is not None
        best = room.prediction.planned.best[0].choice
        assert room.facts.protocol.chosen == best.identifier
        room.facts.show_protocol("blh")
        room.privacy.epsilon.field.edit.setText("5")
        idle(qtbot, room)
        assert room.facts.protocol.chosen == "blh", "the person chose it"

    def test_a_protocol_that_does_not_fit_says_why(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.tabs.setCurrentWidget(room.facts)
        room.facts.show_protocol("rr")
        idle(qtbot, room)
        assert "exactly 2" in room.facts.summary.text() and not room.facts.figures["epsilon"].isVisible()


def test_both_parts_are_seen_in_the_width_the_window_is_designed_for(qtbot: QtBot, room: CollectWorkspace) -> None:
    ask_age(qtbot, room)
    assert not room.parts.tabs.isVisible()
    assert room.button.isVisible() and room.prediction.isVisible()


def test_everything_that_takes_the_focus_has_a_name_and_an_explanation(qtbot: QtBot, room: CollectWorkspace) -> None:
    ask_age(qtbot, room)
    book = HelpBook()
    for widget in room.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(room) and not widget.focusProxy():
            named = widget.accessibleName() or getattr(widget, "text", str)()
            assert named, f"{type(widget).__name__} in {type(widget.parentWidget()).__name__} has no name"
    keys = {explain_key(widget) for widget in room.findChildren(QWidget)} - {""}
    assert {key for key in keys if book.find(key) is None} == set()
    assert len([key for key in keys if key.startswith("collect.")]) >= 18
