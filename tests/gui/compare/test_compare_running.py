"""An experiment runs, waits, is cancelled and fails, and what is said of it stays where it is."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QScrollArea,
)
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    PATIENCE_MS,
    add,
    experiment,
    means,
    run,
)
from tests.gui.helpers import idle
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Kind, Misfits
from workbench.evaluate.experiment import Axis, Basis
from workbench.evaluate.question import Question, Statistic
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.gui.theme import Theme
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.gui.workspaces.compare.found_state import cost_words
from workbench.ldp.encoding import EncodingChoice


class TestRunning:
    def test_the_time_is_estimated_and_a_run_draws_every_point(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        assert workspace.view.look.estimate is not None and workspace.view.look.estimate.missing == 6
        assert "second" in workspace.view.cost.text() or " s" in workspace.view.cost.text()
        assert "6 points × 20 repetitions" in workspace.view.cost.text()
        assert workspace.next_hint() == "Run the experiment"
        run(qtbot, workspace)
        assert len(means(workspace)) == 6
        assert "500 rows, 20 repetitions" in workspace.view.chart.state.text
        assert workspace.status() is Status.SUCCESS and not workspace.view.button.isEnabled()
        qtbot.waitUntil(lambda: workspace.view.chart.chart.picture is not None, timeout=PATIENCE_MS)
        assert len(workspace.view.numbers.table.texts()) == 6
        qtbot.waitUntil(lambda: workspace.view.cost.text() == "All 6 points are there.", timeout=PATIENCE_MS)
        view, found = workspace.view, workspace.view.found.told
        assert found is not None and found.complete
        part = replace(found, complete=False)
        assert cost_words(found.experiment, view.look, part, running=False) == "", "not beside a caption of some"

    def test_what_is_added_runs_only_what_is_new(
        self, qtbot: QtBot, workspace: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from workbench.evaluate.cell import ExperimentCell

        run(qtbot, workspace)
        before = means(workspace)
        tried: list[tuple[str, float]] = []
        original = ExperimentCell.block

        def counted(cell: ExperimentCell, *rest: object) -> object:
            tried.append((cell.choice.identifier, cell.place))
            return original(cell, *rest)

        workspace.draft.change("more", places=(0.5, 1.0, 2.0, 5.0))
        idle(qtbot, workspace)
        assert "2 of 8 points still to run" in workspace.view.cost.text()
        assert "6 of 8 points are there" in workspace.view.chart.state.text
        monkeypatch.setattr(ExperimentCell, "block", counted)
        run(qtbot, workspace)
        assert {place for _, place in tried} == {5.0}
        after = means(workspace)
        assert len(after) == 8 and {key: after[key] for key in before} == before

    def test_an_old_chart_is_called_out_of_date_but_another_measure_costs_nothing(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        run(qtbot, workspace)
        before = means(workspace)
        workspace.view.grid.seed.set_value(7)
        idle(qtbot, workspace)
        assert workspace.view.chart.state.text.startswith("Out of date")
        assert workspace.view.chart.state.again.isVisible() and workspace.view.button.isEnabled()
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert means(workspace) == before and workspace.status() is Status.SUCCESS
        before = means(workspace)
        percent = next(one for one in range(3) if "percent" in workspace.view.question.measure.itemText(one))
        workspace.view.question.measure.setCurrentIndex(percent)
        workspace.view.question.measure.activated.emit(percent)
        idle(qtbot, workspace)
        assert workspace.status() is Status.SUCCESS and not workspace.view.button.isEnabled()
        assert means(workspace) != before and len(means(workspace)) == 6

    def test_cancel_keeps_what_is_finished(
        self, qtbot: QtBot, workspace: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from workbench.evaluate.cell import ExperimentCell

        original, tried = ExperimentCell.block, list[ExperimentCell]()

        def interrupted(cell: ExperimentCell, *rest: object) -> object:
            # At the beginning of the fourth point, into however many blocks a point is cut on a slow machine.
            if all(cell is not known for known in tried):
                tried.append(cell)
                if len(tried) == 4:
                    assert workspace.view.run_of.job is not None
                    workspace.view.run_of.job.cancel()
            return original(cell, *rest)

        with monkeypatch.context() as patched:
            patched.setattr(ExperimentCell, "block", interrupted)
            workspace.view.button.click()
            assert not workspace.view.cancel.isHidden()
            idle(qtbot, workspace)
        kept = means(workspace)
        assert 0 < len(kept) < 6 and f"{len(kept)} of 6 points are there" in workspace.view.chart.state.text
        run(qtbot, workspace)
        assert len(means(workspace)) == 6 and {key: means(workspace)[key] for key in kept} == kept

    def test_what_was_finished_before_a_save_or_a_cancel_is_there_again(
        self, qtbot: QtBot, unseen: CompareWorkspace, tmp_path: Path
    ) -> None:
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200, repetitions=8_000))
        view, paths = unseen.view, (tmp_path / "running.wbench", tmp_path / "cancelled.wbench")
        view.button.click()
        qtbot.waitUntil(lambda: view.chart.shown is not None and len(means(unseen)) > 1, timeout=PATIENCE_MS)
        view.pause.click()
        running = means(unseen)
        assert view.run_of.running and unseen.document.save(paths[0])
        view.run_of.cancel()
        idle(qtbot, unseen)
        cancelled = means(unseen)
        assert len(cancelled) < 6 and unseen.document.save(paths[1])
        for path, before in zip(paths, (running, cancelled), strict=True):
            unseen.document.new()
            idle(qtbot, unseen)
            assert unseen.document.open_project(path)
            idle(qtbot, unseen)
            assert means(unseen).items() >= before.items(), path.name
            assert f"{len(means(unseen))} of 6 points are there" in view.chart.state.text

    def test_a_paused_run_stands_still_and_goes_on(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        workspace.draft.change("longer", repetitions=400)
        idle(qtbot, workspace)
        workspace.view.button.click()
        workspace.view.pause.click()
        assert workspace.view.pause.text() == "Go on" and workspace.view.run_of.paused
        deadline = time.monotonic() + 0.5
        qtbot.waitUntil(lambda: time.monotonic() > deadline)
        assert workspace.view.run_of.running and "Paused" in workspace.view.chart.state.text
        workspace.view.pause.click()
        idle(qtbot, workspace)
        assert len(means(workspace)) == 6 and workspace.view.pause.isHidden()

    def test_what_runs_is_not_drawn_over_another_experiment(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        workspace.view.button.click()
        partial: list[object] = []
        workspace.view.run_of.done.connect(partial.append)
        workspace.draft.add(experiment(seed=9, title="other"))
        idle(qtbot, workspace)
        workspace.view.run_of.arrived.emit(partial[0])
        assert workspace.view.chart.shown is None and workspace.view.chart.state.text == "Not run yet."
        workspace.draft.select(0)
        idle(qtbot, workspace)
        assert len(means(workspace)) == 6

    def test_crossings_are_told_in_words(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        # With few people the noise is worse than a guess, with many it is better.
        wide = Question(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 150.0)))
        workspace.draft.change(
            "by users", question=wide, axis=Axis.USERS, places=(5.0, 500.0), repetitions=60, epsilon=0.5
        )
        idle(qtbot, workspace)
        run(qtbot, workspace)
        assert (
            "users Uniform guess has the smaller error, above it Global DP, discrete noise"
            in workspace.view.chart.words.text()
        )


def test_rows_that_stand_in_the_way_are_said_where_their_number_was_asked_for(
    qtbot: QtBot, document: Document, empty: CompareWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("age,town\n20,Bern\nold,Bern\n", encoding="utf-8")
    document.open_data(path)
    idle(qtbot, empty)
    document.apply("kind", lambda session: session.data.set_kind(["age"], Kind.INTEGER))
    document.apply("misfits", lambda session: session.data.set_misfits("age", Misfits.STOP))
    add(qtbot, empty, experiment())
    document.session.comparison.look()
    with qtbot.waitSignal(document.failed) as told:
        empty.view.basis.own_rows.click()
    assert "does not fit" in str(told.args[0])


def test_what_failed_before_a_success_does_not_come_back(qtbot: QtBot, light: Theme) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_error(WorkbenchError("It cannot be run.", hint="Type bounds."))
    asked = bar.error("Lost.", action="Retry", callback=lambda: None)
    broken = bar.show_error(ValueError("a fault of the program"))
    bar.success("Done.")
    assert {one.text for one in bar.messages} == {"Done.", asked.text, broken.text}


def test_no_word_of_a_tile_is_cut_and_what_runs_is_not_next(qtbot: QtBot, workspace: CompareWorkspace) -> None:
    """In the smallest window, where all of it fits, and with the words that are longest."""
    assert workspace.next_hint() == "Run the experiment"
    workspace.run()
    assert workspace.view.run_of.running and workspace.next_hint() == ""
    idle(qtbot, workspace)
    workspace.resize(816, 500)
    QApplication.processEvents()
    for card in workspace.view.tiles.cards.values():
        for line in card.findChildren(QLabel):
            if line.isVisible() and line.wordWrap():
                assert line.height() >= line.heightForWidth(line.width()), line.text()
    assert workspace.next_hint() == ""


def test_settings_of_the_figure_are_in_view_once_they_are_opened(qtbot: QtBot, unseen: CompareWorkspace) -> None:
    """They stand at the end of a column that scrolls, and are opened from beside the chart."""
    unseen.resize(1064, 640)
    unseen.no_experiment.primary.emit()
    idle(qtbot, unseen)
    panel, area = unseen.view.chart.panel, unseen.view.settings.column

    def seen() -> bool:
        top = panel.mapTo(area.viewport(), QPoint()).y()
        return panel.isVisible() and top >= 0 and top + panel.height() <= area.viewport().height()

    assert not seen()
    unseen.view.chart.adjust.click()
    qtbot.waitUntil(seen)
    assert panel.title.hasFocus() or not unseen.isActiveWindow()
    area.verticalScrollBar().setValue(0)
    methods, figure = unseen.view.folds[1], unseen.view.folds[3]
    figure.button.click()
    methods.button.click()
    qtbot.waitUntil(lambda: methods.mapTo(area.viewport(), QPoint()).y() >= 0)
    unseen.view.chart.adjust.click()
    unseen.hide()  # what is left to do then finds nothing to scroll


def test_what_is_said_of_the_result_and_the_ways_out_stay_where_they_are(
    qtbot: QtBot, workspace: CompareWorkspace
) -> None:
    page = workspace.view.chart
    tools = (*page.ways_out, page.adjust)
    workspace.draft.change("fewer", repetitions=2)
    for wide in (1064, 816):
        workspace.resize(wide, 700)
        workspace.view.parts.show_part(1)
        idle(qtbot, workspace)

        def places() -> list[QPoint]:
            return [one.mapTo(workspace, QPoint()) for one in (page.state, *tools)]

        before, came = places(), list[list[QPoint]]()
        if wide == 1064:
            workspace.view.run_of.changed.connect(lambda came=came, places=places: came.append(places()))
            run(qtbot, workspace)
            assert workspace.view.tiles.isVisible() and page.shown is not None and page.shown.complete
            assert came
        assert all(one == before for one in (*came, places())), "also when the tiles arrive"
        for area in workspace.view.found.findChildren(QScrollArea):
            area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
        assert places() == before
        beside, bar = page.beside, workspace.view.tabs.bar
        assert beside.x() >= bar.geometry().right() and beside.y() < bar.geometry().bottom()
        assert beside.mapTo(workspace, QPoint(beside.width(), 0)).x() <= workspace.width()
        for one in tools:
            assert one.isVisible() and one.accessibleName() and one.width() >= one.minimumSizeHint().width()
            assert not one.visibleRegion().isEmpty()
