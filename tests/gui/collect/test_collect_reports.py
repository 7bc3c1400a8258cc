"""The Collect workspace: trials, reports of people and what is known of a protocol."""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import JOBS, ask_age, ask_job, read_card, simulate
from tests.gui.helpers import PATIENCE_MS, choose, idle
from workbench.cli.main import main
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.gui.theme import Theme
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.collect.prediction_page import LEAST_CHART
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, EncodingChoice, EncodingKind
from workbench.ldp.participation import NO_PART, NO_SUM, UNSEEN, Participation
from workbench.ldp.persons import HIDDEN
from workbench.query.ledger import Charge, Ledger
from workbench.session.collection.two_answers import named


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


@pytest.mark.parametrize("way", ["Predicting curves", "Working out what reports cost"])
def test_what_was_worked_out_on_the_way_to_a_mistyped_epsilon_wakes_nothing(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path, way: str
) -> None:
    """A price and curves of ε = 2 that arrive when “2x” stands in the field: nobody reports at an ε nobody sees."""
    ask_job(qtbot, room)
    room.tabs.setCurrentWidget(room.reports)
    idle(qtbot, room)
    edit = room.privacy.epsilon.field.edit
    types_on = room.document.runner.started.connect(lambda job: edit.setText("2x") if job.name == way else None)
    edit.setText("2")
    qtbot.waitUntil(lambda: edit.text() == "2x")
    room.document.runner.started.disconnect(types_on)
    idle(qtbot, room)
    assert not room.reports.export.isEnabled() and "holds no number" in room.reports.cost.text()
    assert not room.prediction.chart.isEnabled()
    room.reports.collect(tmp_path / "reports.csv")
    assert room.mistyped, "as Python, too, nothing is copied of the number before"
    QApplication.clipboard().clear()
    room.copy_command()
    idle(qtbot, room)
    assert not (tmp_path / "reports.csv").exists() and not QApplication.clipboard().text()


def test_who_pauses_within_a_fraction_goes_on_where_they_were(qtbot: QtBot, room: CollectWorkspace) -> None:
    """“2/”, a pause and “7” are two sevenths: the 2 before must not come back under the hands, and make it 27."""
    ask_job(qtbot, room)
    edit = room.privacy.epsilon.field.edit
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    edit.selectAll()
    for part, shown in (("2", "2"), ("/", "2/"), ("7", "2/7")):
        qtbot.keyClicks(edit, part)
        room.refresh()
        idle(qtbot, room)
        assert edit.text() == shown
    assert room.document.project.collect.epsilon == pytest.approx(2 / 7)


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
        assert "1,200 people, 200 collections each, seed 1" in room.simulation.state.text
        assert room.status() is not None and room.status().value == "success"
        assert len(room.simulation.table.texts()) == 5

    def test_before_the_first_one_there_is_its_button_and_nothing_empty(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        room.tabs.setCurrentWidget(room.simulation)
        page = room.simulation
        assert page.state.again.text() == "Simulate" and page.state.again.isVisible()
        assert page.protocol.isHidden() and page.error_choice.isHidden() and page.more.isHidden()
        for identifier in ("grr", "oue", "olh"):
            room.protocols.rows[identifier].tick.click()
        idle(qtbot, room)
        assert page.state.again.isHidden(), "nothing can be simulated now"
        room.protocols.rows["grr"].tick.click()
        idle(qtbot, room)
        page.state.again.click()
        idle(qtbot, room)
        assert page.found is not None and page.state.again.isHidden()
        assert page.protocol.isVisible() and not page.error_choice.isHidden()

    def test_what_chance_may_have_put_in_order_is_said_and_one_press_decides(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room)
        room.estimate.repetitions.setValue(20)
        simulate(qtbot, room)
        page = room.simulation
        assert "after 20 collections their order may be chance" in page.order.text()
        assert page.more.isVisible() and page.table.horizontalHeader().model().headerData(
            1, Qt.Orientation.Horizontal
        ) == ("Misplaced,\u00a0% ±\u00a095\u00a0%")
        by_chance = [row for row in page.table.texts() if " ± " in row[1]]
        assert len(by_chance) >= 5, "all but the guess, which nothing is drawn for"
        assert any(" ± " in one.words for one in page.errors.data.entries)
        wanted = int(page.more.text().removeprefix("Simulate ").replace(",", ""))
        page.more.click()
        idle(qtbot, room)
        assert room.document.project.collect.repetitions == wanted and f"{wanted:,} collections" in page.state.text
        assert f"after {wanted:,} collections their order may" not in page.order.text() or page.more.isVisible()
        room.estimate.repetitions.setValue(7)
        idle(qtbot, room)
        assert not page.order.text() and page.more.isHidden(), "of settings that are no more"

    def test_what_is_to_be_taken_is_simulated_unticked_shown_first_and_marked(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room)
        planned, page = room.prediction.planned, room.simulation
        assert planned is not None and planned.best[0].choice not in room.document.project.collect.protocols
        simulate(qtbot, room)
        name = f"{named(planned.best[0].choice, planned.plan)} (take)"
        assert page.protocol.chosen == planned.best[0].choice and page.protocol.currentText() == name
        assert name in [row[0] for row in page.table.texts()]
        # The chart may leave without what takes it.
        drawn = [one.name for one in page.errors.data.entries]
        assert name.removesuffix(" (take)") in drawn and name not in drawn and page.protocol.count() == 4
        choose(page.protocol, ProtocolChoice("olh"))
        simulate(qtbot, room)
        assert page.protocol.chosen == ProtocolChoice("olh"), "as the person chose"

    def test_what_was_recommended_of_another_question_is_not_simulated(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room)
        assert room.prediction.is_current
        usual = room.document.project.collect.protocols
        room.document.apply("ε", lambda session: session.collection.change(epsilon=4.0))
        room.run()  # before it is predicted anew
        assert not room.prediction.is_current and room.document.project.collect.protocols == usual
        idle(qtbot, room)
        assert room.prediction.is_current

    @pytest.mark.parametrize("how", ["unticked", "undone", "chosen"])
    def test_who_chose_the_ticks_keeps_them(self, qtbot: QtBot, room: CollectWorkspace, how: str) -> None:
        ask_age(qtbot, room)
        planned = room.prediction.planned
        assert planned is not None
        best, usual = planned.best[0].choice, room.document.project.collect.protocols
        if how == "chosen":
            for _ in range(2):
                room.protocols.rows["olh"].tick.click()
                idle(qtbot, room)
            usual = room.document.project.collect.protocols
        else:
            simulate(qtbot, room)
            assert best not in usual and best in room.document.project.collect.protocols
            if how == "unticked":
                room.protocols.rows[best.identifier].tick.click()
            else:
                room.document.undo_stack.undo()
            idle(qtbot, room)
        simulate(qtbot, room)
        assert {one.identifier for one in room.document.project.collect.protocols} == {one.identifier for one in usual}
        assert room.simulation.found is not None and len(room.simulation.found.results) == 3

    def test_means_beside_histograms_have_columns_of_their_own(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_age(qtbot, room)
        room.protocols.rows["duchi"].tick.click()
        idle(qtbot, room)
        simulate(qtbot, room)
        (mean,) = (row for row in room.simulation.table.texts() if row[0].startswith("Duchi"))
        assert mean[0] == "Duchi's mechanism" and mean[1:5] == ("–", "–", "–", "–")
        found = room.simulation.found
        assert found is not None and float(mean[5]) == pytest.approx(found.means[0].estimates.mean(), rel=1e-2)
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
        room._job.arrived.append(seen[0])
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
        assert "reports" in read_card(room.prediction.headline) and "reports" in room.prediction.needed.figure.text()
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
        assert drawn.truth is None and drawn.labels == JOBS and drawn.band == "95 % band of these people"
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

    def test_whether_it_is_seen_is_chosen_beside_the_plan_that_counts_it(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        assert not room.privacy.participation.isVisible(), "there is no row to take part"
        ask_job(qtbot, room)
        idle(qtbot, room)
        combo, planned = room.privacy.participation, room.prediction.planned
        assert combo.isVisible() and planned is not None and planned.plan.apart
        combo.choose(Participation.OPEN)
        combo.activated.emit(combo.currentIndex())
        idle(qtbot, room)
        planned = room.prediction.planned
        assert planned is not None and not planned.plan.apart and combo.isVisible(), "so that it can be taken back"
        assert room.reports.participation.chosen is Participation.OPEN

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
        said = "Then ε 1 of 4 remains: ε 3 (1 counted twice) are spent."
        assert said in room.reports.cost.text(), "1 for the reports, and 2 for the question"
        assert "count twice" in room.reports.cost.text() and room.reports.export.isEnabled()
        ledger.charge(Charge("question", "more rows", Fraction(1), made_by="grid"))
        room.document.tell_ledger()
        idle(qtbot, room)
        refused = room.reports.refused
        assert refused.text() == (
            "Over budget: ε 5 of 4 would be spent. "
            "No ε fits: collect from other data, or aggregate reports that you have."
        )
        assert not refused.isHidden() and not room.reports.export.isEnabled()
        assert room.reports.cost.property("tone") != "error" and "of ε = 4" in refused.toolTip()

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
