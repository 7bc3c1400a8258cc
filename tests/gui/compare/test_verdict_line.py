"""The verdict above the tiles: which ε it names is one press away, and its length moves nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from workbench.evaluate.question import Question, Statistic
from workbench.gui.workspaces.compare.workspace import CompareWorkspace


def test_one_press_shows_the_epsilon_that_the_verdict_names(qtbot: QtBot, declared: CompareWorkspace) -> None:
    tiles = declared.view.tiles
    line = tiles.headline
    assert line.answer.text() == "Global, enough at no ε tried" and not line.shows.isVisible()
    tiles.limit.edit.setText("0.563")
    idle(qtbot, declared)
    assert line.answer.text() == "Global, ε about 0.57" and line.shows.text() == "Show ε 0.57"
    line.shows.click()
    idle(qtbot, declared)
    assert tiles.at == 0.57 and tiles.field.edit.text() == "0.57" and not line.shows.isVisible(), "it is seen"
    assert declared.draft.current is not None and declared.draft.current.place == 0.57, "and kept"
    assert line.answer.text() == "Global, ε about 0.57", "the verdict stays"


@pytest.mark.parametrize("size", [(824, 620), (1240, 789), (1720, 960)])
def test_the_row_of_epsilon_stays_however_long_the_verdict_is(
    qtbot: QtBot, declared: CompareWorkspace, size: tuple[int, int]
) -> None:
    declared.resize(*size)
    view, tiles = declared.view, declared.view.tiles
    view.parts.show_part(1)
    idle(qtbot, declared)
    whole = view.chart.shown
    assert whole is not None
    first, *others = whole.series
    begun = replace(whole, series=(first, *(replace(one, points=()) for one in others)), complete=False, missing=1)
    shares = replace(whole.experiment, question=Question(Statistic.HISTOGRAM, "town"), public_total=True)
    tails = replace(whole.experiment, users=1000)

    def row(enough: float | None = None) -> int:
        tiles.limit.set_value(enough)
        tiles.set_place(tiles.at)
        idle(qtbot, declared)
        return tiles.field.mapTo(tiles, QPoint()).y()

    places = [row(), row(0.563), row(100.0)]
    for found in (begun, replace(whole, experiment=shares), replace(whole, experiment=tails), whole):
        tiles.show_findings(found)
        places.append(row())
    tiles.setEnabled(False)
    places.append(row())
    assert len(set(places)) == 1, places
