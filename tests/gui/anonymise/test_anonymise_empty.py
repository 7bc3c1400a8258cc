"""The Anonymise workspace without data, and without hierarchies."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.anonymise.helpers import load, run, treat
from tests.gui.helpers import click, idle
from workbench.anonymise.recipe import Treatment
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_row import ColumnTreatment

pytestmark = pytest.mark.usefixtures("sampling")


class TestEmpty:
    def test_without_data_one_action_opens_a_file(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        button = workspace._no_data.primary_button
        assert button is not None and button.isVisible()
        with qtbot.waitSignal(workspace.open_requested):
            click(qtbot, button)
        assert workspace.status() is None
        assert workspace.next_hint() == ""

    def test_without_hierarchies_it_leads_to_them(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, data: Path
    ) -> None:
        load(qtbot, workspace, data)
        assert not workspace.run_button.isEnabled()
        assert workspace.claim_word() == "No claim yet"
        with qtbot.waitSignal(workspace.go_to) as asked:
            workspace.steps.open("levels")
            click(qtbot, workspace.columns.attach)
        assert asked.args == ["hierarchies"]

    def test_a_column_can_be_grouped_without_a_hierarchy(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, data: Path
    ) -> None:
        load(qtbot, workspace, data)
        treat(workspace, "city", ColumnTreatment.AS_IS)
        assert workspace.document.session.release.columns.treatment("city") is Treatment.GENERALISE
        assert workspace.run_button.isEnabled()

    def test_going_back_to_an_empty_project_clears_the_page(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        ready.document.new()
        idle(qtbot, ready)
        assert ready._no_data.isVisible()
        assert ready.result.claim.text == "Not run yet" and ready.result.table.view.lines.rowCount() == 0
