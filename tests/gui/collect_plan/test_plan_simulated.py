"""A survey that is planned without a table, tried out on assumed shares."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.collect_plan.helpers import MODES, aim_at_misplaced, ask, type_answers, type_bounds, type_for_a_column
from tests.gui.helpers import choose, idle
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.ldp.encoding import EncodingKind
from workbench.ldp.plan import Shape
from workbench.ldp.share_margin import MARGIN
from workbench.session.collection.captions import errors_caption
from workbench.session.collection.words import CURATOR


def simulate(qtbot: QtBot, room: CollectWorkspace) -> None:
    qtbot.mouseClick(room.button, Qt.MouseButton.LeftButton)
    idle(qtbot, room)


def test_a_plan_is_simulated_on_assumed_shares_without_a_look(qtbot: QtBot, room: CollectWorkspace) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES)
    simulate(qtbot, room)
    found = room.simulation.found
    assert found is not None and found.users == 1000 and room.tabs.currentWidget() is room.simulation
    # Modes of transport have no order in which neighbours could be alike: no hump, but 1 : 1/2 : 1/3 : 1/4 : 1/5.
    assert found.truth is not None and found.truth.tolist() == [438, 219, 146, 109, 88]
    assert {one.choice.identifier for one in found.results} >= {"grr", "oue", "olh"}
    page, desk = room.simulation, room.document.session.collection
    assert page.state.text.startswith("Assumed: falling shares, as 1 : 1/2 : 1/3. 1,000 people, 20 collections each")
    chart = page.histogram.data
    assert chart is not None and chart.shaded == "assumed shares" and np.isfinite(chart.low).all()
    said = " ".join(errors_caption(page.errors.data, found).notes)
    assert "Assumed shares: falling shares, as 1 : 1/2 : 1/3" in said and "not to be published" not in said
    assert not desk.looked and not page.badge.isVisible() and room.lock == ""
    assert room.first_look.isHidden() and page.whose.isVisible()
    assert [one.text() for one in (room.foot.button, room.foot.hold)] == ["Simulate", "Hold survey"]


def test_nothing_jumps_when_it_is_said_what_was_simulated(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "yes", "no", "rather not say")
    page = room.simulation
    room.tabs.setCurrentWidget(page)
    idle(qtbot, room)
    before = page.views.mapTo(room, page.views.rect().topLeft()).y()
    simulate(qtbot, room)
    assert page.order.text() and page.views.mapTo(room, page.views.rect().topLeft()).y() == before


def test_beside_simulate_stands_what_it_assumes_and_leads_to_where_that_is_chosen(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    type_answers(qtbot, room, "yes", "no")
    shares = room.foot.shares
    assert shares.isVisible() and shares.text() == "Assumed: 10 % “yes” and 90 % “no”…"
    qtbot.mouseClick(shares, Qt.MouseButton.LeftButton)
    shape = room.simulation.assumed.shape
    assert room.tabs.currentWidget() is room.simulation and shape.view().isVisible()
    shape.hidePopup()
    choose(shape, Shape.OWN)
    qtbot.keyClicks(room.simulation.assumed.shares, "30, 70")
    qtbot.keyClick(room.simulation.assumed.shares, Qt.Key.Key_Return)
    idle(qtbot, room)
    assert shares.text() == "Assumed: 30 % “yes” and 70 % “no”…"
    room.tabs.setCurrentWidget(room.prediction)
    qtbot.mouseClick(shares, Qt.MouseButton.LeftButton)
    assert room.window().focusWidget() is room.simulation.assumed.shares, "what was typed is there to be changed"
    room.question.asked_for.chosen.emit(True)
    idle(qtbot, room)
    assert shares.isHidden(), "a mean has no shares to choose"


def test_other_shares_are_assumed_where_they_are_simulated(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "a", "b", "c")
    page, plan = room.simulation, room.prediction
    room.tabs.setCurrentWidget(page)
    shape, shares = page.assumed.shape, page.assumed.shares
    assert page.whose.isVisible() and shape.currentText() == "Falling shares" and not shares.isVisible()
    assert room.document.project.collect.shape is Shape.AUTO, "nothing is predicted for milder shares unasked"
    choose(shape, Shape.OWN)
    assert shares.isVisible() and shares.hasFocus()
    qtbot.keyClicks(shares, "50, 30, 20")
    qtbot.keyClick(shares, Qt.Key.Key_Return)
    idle(qtbot, room)
    assert room.document.project.collect.guess == (50, 30, 20)
    simulate(qtbot, room)
    assert page.state.text.startswith("Assumed: your own shares.")
    assert page.found is not None and page.found.truth is not None and page.found.truth.tolist() == [500, 300, 200]
    choose(shape, Shape.UNIFORM)
    idle(qtbot, room)
    assert "out of date" in page.state.text and not shares.isVisible()
    choose(shape, Shape.OWN)
    assert room.document.project.collect.guess == (50, 30, 20), "they are there again"
    room.tabs.setCurrentWidget(plan)
    assert not plan.choices.isVisible(), "a margin goes by no shares"
    assert plan.headline.measure.text().endswith("points for any share"), "and says so"
    assert plan.chart.data is not None and plan.chart.data.note == "for any shares"
    room.document.session.collection.change(aim="")
    room.refresh()
    idle(qtbot, room)
    assert plan.shape.currentText() == shape.currentText() and plan.shares.text() == shares.text(), "of one setting"


def test_a_prediction_says_which_of_its_shapes_was_simulated(qtbot: QtBot, room: CollectWorkspace) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, "a", "b", "c")
    assert room.prediction.shape.currentText() == "Worst shape"
    simulate(qtbot, room)
    room.tabs.setCurrentWidget(room.prediction)
    room.refresh()
    assert room.prediction.shape.currentText() == "Worst shape; simulated: falling shares"


def test_beside_a_table_a_plan_is_simulated_without_its_rows(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    type_for_a_column(qtbot, room, tmp_path)
    simulate(qtbot, room)
    assert room.first_look.isVisible()
    room.question.plan_survey()
    type_answers(qtbot, room, "no", "perhaps", "yes")
    simulate(qtbot, room)
    found, desk = room.simulation.found, room.document.session.collection
    assert found is not None and found.assumed and found.users == 1000
    assert not desk.looked and not room.simulation.badge.isVisible()
    ask(qtbot, room, "mode")
    assert "out of date" in room.simulation.state.text and room.foot.button.text() == "Simulate…"
    assert not room.foot.hold.isVisible()


def test_a_planned_mean_is_simulated_between_its_bounds(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_bounds(qtbot, room, "0", "100", EncodingKind.BINS)
    room.question.asked_for.chosen.emit(True)
    idle(qtbot, room)
    simulate(qtbot, room)
    found = room.simulation.found
    assert found is not None and found.true_mean is not None and 20 < found.true_mean < 35, "it leans to the low side"
    assert all(abs(float(one.estimates.mean()) - found.true_mean) < 5 for one in found.means)
    assert not room.simulation.whose.isVisible(), "of a mean nothing is declared"


def test_the_command_of_a_simulated_plan_simulates_without_a_file(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "no", "yes", "none")
    simulate(qtbot, room)
    room.copy_command()
    words = QGuiApplication.clipboard().text()
    assert "--predict" not in words and "--users 1000" in words and "--repetitions 20" in words
    room.tabs.setCurrentWidget(room.prediction)
    room.copy_command()
    assert "--predict" in QGuiApplication.clipboard().text()


def test_nothing_can_be_simulated_before_answers_are_typed(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "no")
    assert not room.foot.button.isVisible() and not room.foot.why_not.isVisible()
    type_answers(qtbot, room, "no", "yes")
    assert room.foot.button.isVisible() and room.foot.button.isEnabled()


def test_the_numbers_of_a_simulation_are_saved_where_they_are_seen(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    type_answers(qtbot, room, *MODES)
    page = room.simulation
    room.tabs.setCurrentWidget(page)
    assert not page.save.isEnabled() and not page.save.isVisible()
    simulate(qtbot, room)
    assert not page.save.isVisible(), "a chart has its own"
    page.views.buttons[2].click()
    assert page.save.isVisible() and page.save.isEnabled()
    page.save.save(tmp_path / "errors.csv")
    idle(qtbot, room)
    head, *rows = (tmp_path / "errors.csv").read_text(encoding="utf-8").splitlines()
    assert head.startswith('"Protocol","Margin, points","Margin, points ± 95 %","Predicted","Misplaced, %",')
    assert [row.split(",")[0].strip('"') for row in rows] == [row[0] for row in page.table.texts()]
    assert ", with sampling error, seed 1" in page.state.text and "200 collections each" in page.state.text
    assert page.errors.data.metric == "95 % margin, points of all, with sampling error"


def test_the_curator_is_in_the_errors_of_a_mean_and_in_the_margins_of_shares(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    type_answers(qtbot, room, *MODES)
    curves = {one.name: one for one in room.prediction.chart.data.curves}
    curator, best = curves[CURATOR], next(one for one in curves.values() if one.taken)
    assert not (curator.errors >= best.errors).any() and "uniform" not in {one.role for one in curves.values()}
    room.document.apply("mean", lambda session: session.collection.ask_for(mean=True))
    type_bounds(qtbot, room, "0", "10", EncodingKind.BINS)
    simulate(qtbot, room)
    entries = room.simulation.errors.data.entries
    assert [one.role for one in entries if one.role != "local"] == ["curator", "uniform"]
    assert entries[0].name == CURATOR and entries[-1].name == "The middle as a guess"
    said = str(room.simulation.errors.caption)
    assert "the middle of the bounds asks nobody" in said and "Each collection asks other people" in said


def test_a_plan_for_a_margin_is_judged_by_the_margin(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    simulate(qtbot, room)
    page = room.simulation
    assert page.error_choice.chosen == MARGIN and page.order.text().startswith("By “Margin” ")
    found = page.found
    assert found is not None and found.truth is not None
    every = [one.margin for one in found.results]
    assert all(one is not None and one.expected == pytest.approx(one.mean, rel=0.25) for one in every)
    table = page.table
    heads = [table.model().headerData(at, Qt.Orientation.Horizontal) for at in range(3)]
    assert heads == ["Protocol", "Margin,\u00a0points ±\u00a095\u00a0%", "Predicted"]
    lines = {
        str(table.model().index(row, 0).data()): [str(table.model().index(row, at).data()) for at in (1, 2)]
        for row in range(table.model().rowCount())
    }
    off = 100 * float(np.abs(found.truth / found.truth.sum() - 1 / 7).max())
    assert lines["A uniform guess"] == [f"{off:.1f}", "–"] and lines[CURATOR][0] == "–"
    taken = next(one for one in lines if one.endswith("(take)"))
    assert f"predicted {lines[taken][1]} for these shares" in page.order.text()
    chart = page.errors.data
    assert chart is not None and chart.metric.startswith("95 % margin") and len(chart.entries) == len(lines)
    assert {one.name: one.words for one in chart.entries}[CURATOR] == lines[CURATOR][1]
    assert "repetitions" not in chart.bars and chart.bars
    local = [one for one in chart.entries if one.role == "local"]
    expected = [one.expected for one in local]
    assert None not in expected and expected == sorted(filter(None, expected)), "not the order that chance gave"
    assert local[0].name.endswith("(take)") and page.order.text().startswith("By “Margin” not told apart after ")
    assert f"in the predicted order: {local[0].name} and {local[1].name}" in page.order.text()
    said = errors_caption(chart, found)
    words = " ".join((*said.definitions, *said.notes))
    assert "1.96 √(mean square)" in words and "single collections" not in words
    aim_at_misplaced(room)
    room.refresh()
    idle(qtbot, room)
    assert page.error_choice.chosen == "l1" and page.error_choice.findData(MARGIN) < 0
