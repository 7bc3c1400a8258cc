"""Experiments are named, kept with the project and copied, and their numbers leave as they are shown."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    PATIENCE_MS,
    enter,
    means,
    run,
)
from tests.gui.helpers import idle
from workbench.cli.main import main
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.project.storage import load_project


class TestDocuments:
    def test_experiments_are_named_copied_chosen_and_deleted_with_undo(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        section, desk = workspace.view.experiments, workspace.draft.desk
        enter(qtbot, workspace, section.name, "Ages")
        section.copy.click()
        idle(qtbot, workspace)
        assert [one.experiment.title for one in desk.documents] == ["Ages", "Ages (copy)"]
        assert section.choice.isVisible() and section.choice.currentText() == "Ages (copy)"
        section.choice.activated.emit(0)
        idle(qtbot, workspace)
        assert workspace.draft.index == 0 and section.name.text() == "Ages"
        section.delete.click()
        idle(qtbot, workspace)
        assert [one.experiment.title for one in desk.documents] == ["Ages (copy)"]
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert [one.experiment.title for one in desk.documents] == ["Ages", "Ages (copy)"]

    def test_results_are_saved_with_the_project_only_if_ticked(
        self, qtbot: QtBot, workspace: CompareWorkspace, table: Path, tmp_path: Path
    ) -> None:
        run(qtbot, workspace)
        before = means(workspace)
        path = tmp_path / "one.wbench"
        assert workspace.document.save(path)
        assert not load_project(path).comparing.documents[0].kept
        workspace.view.experiments.keep.click()
        idle(qtbot, workspace)
        assert workspace.document.save(path)
        workspace.document.new()
        idle(qtbot, workspace)
        assert workspace.view.chart.shown is None and workspace.status() is None
        assert workspace.document.open_project(path)
        idle(qtbot, workspace)
        assert means(workspace) == before and workspace.status() is Status.SUCCESS

    def test_what_an_earlier_version_saved_opens_and_is_run_again(
        self, qtbot: QtBot, workspace: CompareWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run(qtbot, workspace)
        workspace.view.experiments.keep.click()
        idle(qtbot, workspace)
        path = tmp_path / "one.wbench"
        assert workspace.document.save(path)
        workspace.document.new()
        idle(qtbot, workspace)
        monkeypatch.setattr("workbench.evaluate.cell_key._VERSION", "a later one")
        assert workspace.document.open_project(path)
        idle(qtbot, workspace)
        assert workspace.draft.experiment is not None and workspace.status() is None
        assert workspace.view.chart.state.text == "What was saved is of an earlier version, other data or settings."
        run(qtbot, workspace)
        assert workspace.status() is Status.SUCCESS

    def test_the_figure_is_kept_with_its_experiment(
        self, qtbot: QtBot, workspace: CompareWorkspace, tmp_path: Path
    ) -> None:
        run(qtbot, workspace)
        workspace.view.chart.adjust.click()
        panel = workspace.view.chart.panel
        assert panel.isVisible()
        panel.ticks["log_y"].click()
        enter(qtbot, workspace, panel.width_field.edit, "12.7")  # cm
        enter(qtbot, workspace, panel.text.edit, "12")
        current = workspace.draft.current
        assert current is not None
        figure = current.figure
        assert (figure.log_y, figure.width, figure.text) == (False, 5.0, 12.0)
        assert workspace.view.chart.chart.data.settings == figure
        target = tmp_path / "chart.svg"
        workspace.view.chart.chart.save(target)
        idle(qtbot, workspace)
        assert 'width="360pt"' in target.read_text()

    def test_the_command_finds_the_same_numbers(
        self, qtbot: QtBot, workspace: CompareWorkspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run(qtbot, workspace)
        workspace.copy_command(tmp_path)
        idle(qtbot, workspace)
        words = shlex.split(QGuiApplication.clipboard().text())
        assert words[:2] == ["workbench", "compare"]
        assert main([*words[1:], "--formats", "svg", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["analyst"]["points"]
        assert {(one["method"], one["axis_value"]): one["mean"] for one in found} == means(workspace)
        assert (tmp_path / "figures" / "comparison.svg").exists()

    def test_numbers_show_under_the_pointer_and_leave_as_shown(
        self, qtbot: QtBot, workspace: CompareWorkspace, tmp_path: Path
    ) -> None:
        run(qtbot, workspace)
        workspace.view.numbers.copy_table()
        assert len(QGuiApplication.clipboard().text().splitlines()) == 7
        workspace.view.chart.save_csv(tmp_path / "numbers.csv")
        workspace.view.chart.save_all(tmp_path / "all")
        idle(qtbot, workspace)
        assert len((tmp_path / "numbers.csv").read_text().splitlines()) == 7
        endings = {path.suffix for path in (tmp_path / "all").iterdir()}
        assert endings == {".png", ".svg", ".pdf", ".csv", ".json"}
        before = {path: path.read_bytes() for path in (tmp_path / "all").iterdir()}
        workspace.view.chart.save_all(tmp_path / "all")
        idle(qtbot, workspace)
        assert all(path.read_bytes() == kept for path, kept in before.items()), "nothing is replaced"
        again = {path.name for path in (tmp_path / "all").iterdir()} - {path.name for path in before}
        assert again == {f"{path.stem}-2{path.suffix}" for path in before}
        chart = workspace.view.chart.chart
        qtbot.waitUntil(lambda: chart.picture is not None and not workspace.document.runner.jobs, timeout=PATIENCE_MS)
        found: dict[tuple[str, float], list[int]] = {}
        for x in range(0, chart.width(), 8):
            for y in range(0, chart.height(), 8):
                chart.point_at(QPoint(x, y))
                if chart.pointed is not None:
                    found.setdefault((chart.pointed.method, chart.pointed.axis_value), []).append(y)
        assert set(found) == set(means(workspace))
        largest, smallest = (pick(means(workspace), key=means(workspace).__getitem__) for pick in (max, min))
        assert max(found[largest]) < min(found[smallest])  # the larger error is higher up
