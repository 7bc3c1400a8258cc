"""What a person does in the Hierarchies workspace, and what its list of columns says."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from workbench.core.hierarchy import Provenance
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.attributes import SUMMARY
from workbench.io.hierarchy_csv import nobody_said

NOBODY_SAID = Provenance.DERIVED, nobody_said("imported from a file")


def attach(qtbot: QtBot, workspace: HierarchiesWorkspace, column: str, path: Path) -> None:
    workspace.attributes.pick(column)
    workspace.attach_file(path)
    idle(qtbot, workspace)


def entry(workspace: HierarchiesWorkspace, column: str, role: int = SUMMARY) -> object:
    model = workspace.attributes_model
    return model.index(model.row_of(column), 0).data(role)


def attached(workspace: HierarchiesWorkspace) -> set[str]:
    return set(workspace.document.project.hierarchies)
