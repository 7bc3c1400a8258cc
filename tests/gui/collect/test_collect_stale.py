"""Nothing of one question stands on the pages of the next, also where reports keep these pages in sight."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import ask_job, simulate
from tests.gui.helpers import idle
from workbench.gui.workspaces.collect import CollectWorkspace


def test_of_another_table_nothing_is_predicted_nor_spent_until_a_column_is_chosen(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    ask_job(qtbot, room)
    simulate(qtbot, room)
    room.reports.collect(tmp_path / "reports.csv")
    idle(qtbot, room)
    room.reports.aggregate([tmp_path / "reports.csv"])
    idle(qtbot, room)
    assert room.prediction.planned is not None and room.reports.found is not None
    assert "are spent" in room.reports.cost.text()
    other = tmp_path / "other.csv"
    other.write_text("pay\n1\n2\n", encoding="utf-8")
    room.document.open_data(other)
    qtbot.waitUntil(lambda: room.document.has_data and "pay" in room.document.project.schema.names)
    idle(qtbot, room)
    assert room.prediction.isVisible() or not room.answers.isHidden()
    assert room.prediction.planned is None and room.prediction.chart.data is None
    assert "Nothing to predict yet" in room.prediction.headline.figure.text()
    assert "are spent" not in room.reports.cost.text(), "that was of the table before"
    assert room.simulation.found is None
