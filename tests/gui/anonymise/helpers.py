"""What a person does in the Anonymise workspace, and what its result shows."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import open_step_of
from tests.gui.helpers import choose, click, idle
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_row import ColumnTreatment
from workbench.gui.workspaces.anonymise.folded_model import FoldedModel
from workbench.project.model import GuaranteeSettings

ROWS = 1_200


def load(qtbot: QtBot, workspace: AnonymiseWorkspace, path: Path) -> None:
    workspace.document.open_data(path)
    idle(qtbot, workspace)


def run(qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
    """Run, and take the analyst's figures."""
    run_blind(qtbot, workspace)
    if not workspace.document.session.release.looked:
        look(qtbot, workspace)


def run_blind(qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
    if workspace.run_button.text().startswith("Go on to export"):
        workspace.spend()  # it is made, so there is nothing to pay for
    else:
        click(qtbot, workspace.run_button)
    idle(qtbot, workspace)


def look(qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
    click(qtbot, workspace.result.look.figures)
    click(qtbot, workspace.result.look.publish)
    idle(qtbot, workspace)


def type_number(qtbot: QtBot, workspace: AnonymiseWorkspace, name: str, text: str) -> None:
    edit = workspace.promise.fields[name].edit
    open_step_of(workspace, edit)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    workspace.status()


def settings(workspace: AnonymiseWorkspace) -> GuaranteeSettings:
    return workspace.document.project.anonymise.guarantee


def treat(workspace: AnonymiseWorkspace, name: str, choice: ColumnTreatment) -> None:
    choose(workspace.columns.rows[name].treatment, choice)
    workspace.status()


def lines(workspace: AnonymiseWorkspace) -> FoldedModel:
    return workspace.result.table.view.lines


def heading(shown: FoldedModel, column: int) -> str:
    return str(shown.headerData(column, Qt.Orientation.Horizontal))


def text(shown: FoldedModel, row: int, name: str) -> str:
    column = next(place for place in range(shown.columnCount()) if heading(shown, place) == name)
    return str(shown.data(shown.index(row, column)))
