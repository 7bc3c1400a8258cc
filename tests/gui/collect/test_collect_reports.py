"""The Collect workspace: reports of people and what is known of a protocol."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import JOBS, ask_job, read_card
from tests.gui.helpers import PATIENCE_MS, choose, idle
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.gui.theme import Theme
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.collect.chart_room import LEAST_CHART
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, EncodingChoice, EncodingKind
from workbench.ldp.participation import NO_PART, NO_SUM, UNSEEN, Participation
from workbench.ldp.persons import HIDDEN
from workbench.query.ledger import Charge, Ledger


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
