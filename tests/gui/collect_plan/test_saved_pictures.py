"""What is saved of the charts of the Collect room: each with its caption, and its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import read_card
from tests.gui.collect_plan.helpers import MODES, aim_at_misplaced, ask, open_modes, type_answers
from tests.gui.helpers import idle
from workbench.gui.widgets import save_chart
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.save_chart import SaveChart
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.ldp.share_margin import MARGIN


def offered(chart: ChartView, room: CollectWorkspace) -> list[str]:
    """What the button beside a chart offers."""
    button = next(one for one in room.findChildren(SaveChart) if one.chart is chart)
    assert button.isEnabled() and button.text() == "Save figure…"
    menu = button.menu_of_kinds()
    words = [action.text() for action in menu.actions()]
    menu.deleteLater()
    return words


def saved(qtbot: QtBot, room: CollectWorkspace, chart: ChartView, folder: Path) -> str:
    """The text of the picture as it was saved."""
    assert offered(chart, room) == ["&Picture with caption…", "&Numbers (CSV)…"]
    path = folder / "picture.svg"
    chart.save(path)
    idle(qtbot, room)
    return " ".join(path.read_text(encoding="utf-8").split())


def test_a_prediction_is_saved_with_what_it_is_of(qtbot: QtBot, room: CollectWorkspace, tmp_path: Path) -> None:
    type_answers(qtbot, room, *MODES)
    text = saved(qtbot, room, room.prediction.chart, tmp_path)
    for said in ("n = 1,000 people", "of 5 answers", "against ε", "Expected by formula", "one randomised report"):
        assert said in text, said
    room.document.apply("", lambda session: session.collection.change(users=2000))
    idle(qtbot, room)
    assert "n = 2,000 people" in saved(qtbot, room, room.prediction.chart, tmp_path), "the caption is of the picture"


def test_a_card_and_the_caption_agree_whether_chance_moves_what_is_expected(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES, "ferry", "taxi")
    room.document.apply("", lambda session: session.collection.change(users=2000, epsilon=0.9163))
    idle(qtbot, room)
    assert "% is simulated, give or take" in read_card(room.prediction.headline)
    assert "and by simulation where there is none" in saved(qtbot, room, room.prediction.chart, tmp_path)
    room.document.apply("", lambda session: session.collection.change(aim=MARGIN, target=3.0))
    idle(qtbot, room)
    assert "simulated" not in read_card(room.prediction.headline)
    text = saved(qtbot, room, room.prediction.chart, tmp_path)
    assert "Expected by formula, of no answer" in text and "simulation" not in text


def test_the_chances_of_a_protocol_are_saved_with_its_name_and_epsilon(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES)
    room.tabs.setCurrentWidget(room.facts)
    idle(qtbot, room)
    assert "by Direct encoding with ε = 1" in saved(qtbot, room, room.facts.matrix, tmp_path)


def test_what_is_simulated_says_below_that_it_is_for_the_analyst(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    open_modes(qtbot, room, tmp_path)
    room.document.session.collection.look()
    ask(qtbot, room, "mode")
    type_answers(qtbot, room, "car", "bus")
    room.run()
    idle(qtbot, room)
    page = room.simulation
    room.tabs.setCurrentWidget(page)
    for view, chart in enumerate((page.histogram, page.errors)):
        page.views.show_view(view)
        idle(qtbot, room)
        text = saved(qtbot, room, chart, tmp_path)
        assert "about “mode”" in text and "for the analyst only" in text and "n = 40 people" in text
    room.tabs.setCurrentWidget(room.sweep)
    room.sweep.points.setValue(2)
    room.sweep.run()
    idle(qtbot, room)
    text = saved(qtbot, room, room.sweep.chart, tmp_path)
    assert "200 repetitions a point" in text and "for the analyst only" in text


def test_an_estimate_from_reports_is_saved_with_what_they_promise(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    open_modes(qtbot, room, tmp_path)
    ask(qtbot, room, "mode")
    type_answers(qtbot, room, "car", "bus")
    room.tabs.setCurrentWidget(room.reports)
    idle(qtbot, room)
    room.reports.collect(tmp_path / "reports.csv")
    idle(qtbot, room)
    room.reports.aggregate([tmp_path / "reports.csv"])
    idle(qtbot, room)
    text = saved(qtbot, room, room.reports.chart, tmp_path)
    assert "40 reports about “mode”" in text and "Which answer a person who reports gave is hidden" in text


def test_numbers_are_saved_beside(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_answers(qtbot, room, *MODES)
    path = tmp_path / "numbers.csv"
    monkeypatch.setattr(save_chart, "ask_file", lambda *_: (str(path), ""))
    menu = room.prediction.save.menu_of_kinds()
    menu.actions()[1].trigger()
    menu.deleteLater()
    idle(qtbot, room)
    assert path.read_text(encoding="utf-8").startswith("series,epsilon,error")
