"""What is drawn, what is said of it and what a saved file holds belong together at every moment."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import PATIENCE_MS, add, begun_by_itself, experiment, run
from tests.gui.helpers import idle
from workbench.evaluate.cell import ExperimentCell
from workbench.evaluate.experiment import Basis
from workbench.evaluate.method import Approach, MethodChoice
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.plots import comparison

_PATIENCE = PATIENCE_MS / 1000


def test_curves_of_another_experiment_stand_under_no_new_tiles(qtbot: QtBot, workspace: CompareWorkspace) -> None:
    run(qtbot, workspace)
    found, chart = workspace.view.found, workspace.view.chart
    before = chart.shown
    assert before is not None and chart.chart.picture is not None
    other = replace(before, experiment=replace(before.experiment, repetitions=77))
    found.draw(other, soon=True)
    assert chart.chart.picture is None, "the old curves are gone"
    assert "77 tries" in found.tiles.basis.text() and chart.chart.taken.findings is other
    idle(qtbot, workspace)
    assert chart.chart.picture is not None and chart.chart.pictured.findings is other


def test_more_of_the_same_is_told_when_it_is_drawn(qtbot: QtBot, workspace: CompareWorkspace) -> None:
    run(qtbot, workspace)
    found, chart, tiles = workspace.view.found, workspace.view.chart, workspace.view.tiles
    whole = chart.shown
    assert whole is not None
    error = tiles.cards[Approach.GLOBAL].error
    told, tile = chart.words.text(), error.text()
    first, *others = whole.series
    # The curve shows tries, and the tile what a formula says of them.
    moved = replace(first, points=tuple(replace(p, mean=50 * p.mean, theory=50 * p.theory) for p in first.points))
    more = replace(whole, series=(moved, *others), complete=False, missing=1)
    found.draw(more, soon=True)
    assert (chart.words.text(), error.text()) == (told, tile)
    chart.chart.copy_numbers()
    before = QGuiApplication.clipboard().text()
    assert chart.chart.taken.findings is whole, "what is saved is what is seen"
    idle(qtbot, workspace)
    assert chart.words.text() != told and error.text() != tile
    assert chart.chart.taken.findings is more
    chart.chart.copy_numbers()
    assert QGuiApplication.clipboard().text() != before


def test_a_place_is_done_when_its_tiles_say_so(
    qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a picture waits for is not told yet, and the line above speaks of no more than the tiles do."""
    ways = MethodChoice("uniform"), MethodChoice("global-grid")
    add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200, methods=ways))
    tried, drawn, rest = threading.Event(), threading.Event(), threading.Event()
    block, build = ExperimentCell.block, comparison.build

    def held(cell: ExperimentCell, *others: object) -> object:
        first = cell.place == 1.0
        assert first or rest.wait(_PATIENCE)
        assert cell.choice.identifier == "uniform" or tried.wait(_PATIENCE)
        return block(cell, *others)

    def slow(*others: object) -> object:
        assert not tried.is_set() or drawn.wait(_PATIENCE)
        return build(*others)

    monkeypatch.setattr(ExperimentCell, "block", held)
    monkeypatch.setattr(comparison, "build", slow)
    view = unseen.view
    error, state, charts = view.tiles.cards[Approach.GLOBAL].error, view.chart.state, view.chart.chart
    view.button.click()
    qtbot.waitUntil(lambda: charts.picture is not None, timeout=PATIENCE_MS)
    assert error.text() == "—" and state.text.startswith("Running, ε = 1 first: ")
    tried.set()
    qtbot.waitUntil(lambda: view.chart.shown is not None and 1.0 in view.chart.shown.through, timeout=PATIENCE_MS)
    view.show_run()
    assert error.text() == "—" and "done" not in state.text
    drawn.set()
    qtbot.waitUntil(lambda: error.text() != "—", timeout=PATIENCE_MS)
    assert state.text.startswith("ε = 1 is done. The others follow: ")
    rest.set()
    idle(qtbot, unseen)


def test_a_run_that_has_ended_is_not_looked_for_once_more(qtbot: QtBot, workspace: CompareWorkspace) -> None:
    view, said = workspace.view, list[tuple[str, bool]]()
    view.run_of.ended.connect(lambda: said.append((view.chart.state.text, view.button.isEnabled())))
    run(qtbot, workspace)
    assert said == [("500 rows, 20 repetitions.", False)]


def test_what_ends_by_another_question_is_not_told_to_be_cancelled(qtbot: QtBot, unseen: CompareWorkspace) -> None:
    notes = list[str]()
    unseen.document.runner.note.connect(notes.append)
    view = begun_by_itself(qtbot, unseen)
    unseen.draft.change("fewer", repetitions=20)
    idle(qtbot, unseen)
    assert view.run_of.experiment is None and notes == []


def test_the_caption_lies_on_no_chart_when_the_first_result_comes(qtbot: QtBot, workspace: CompareWorkspace) -> None:
    workspace.resize(1080, 689)
    run(qtbot, workspace)
    view = workspace.view
    whole = view.chart.shown
    assert whole is not None
    view.found.clear()
    idle(qtbot, workspace)
    view.found.draw(whole)
    chart, words = view.chart.chart, view.chart.words
    assert chart.geometry().bottom() < words.y() and words.geometry().bottom() < view.chart.height()
