"""The Collect workspace: trials, in which the program draws the answers of the people."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import ask_age, ask_job, simulate
from tests.gui.helpers import choose, idle
from workbench.cli.main import main
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.ldp.choice import ProtocolChoice
from workbench.session.collection.two_answers import named


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
        assert "not told apart after 20 collections: " in page.order.text()
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
        assert f"not told apart after {wanted:,} collections" not in page.order.text() or page.more.isVisible()
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
        # The chart may leave without what is said above it.
        assert name in [one.name for one in page.errors.data.entries] and page.protocol.count() == 4
        assert "(take): the protocol that the prediction takes." in str(page.errors.caption)
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
