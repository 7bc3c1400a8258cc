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


def write_off_by_one(path: Path, ages: range = range(16, 66)) -> None:
    """Write a file of ages whose labels do not hold their numbers, such as 5 in “0-4”."""
    path.write_text("\n".join(f"{age};{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4};*" for age in ages))


def attach(qtbot: QtBot, workspace: HierarchiesWorkspace, column: str, path: Path) -> None:
    workspace.attributes.pick(column)
    workspace.attach_file(path)
    idle(qtbot, workspace)


def entry(workspace: HierarchiesWorkspace, column: str, role: int = SUMMARY) -> object:
    model = workspace.attributes_model
    return model.index(model.row_of(column), 0).data(role)


def attached(workspace: HierarchiesWorkspace) -> set[str]:
    return set(workspace.document.project.hierarchies)
