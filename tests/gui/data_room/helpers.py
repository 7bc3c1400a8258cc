"""Opens a table of people in the Data room, and reads its roles."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui import data_helpers
from workbench.core.schema import Role
from workbench.gui.workspaces.data import DataWorkspace

SMALL = (
    "name,city,age,income\n"
    + "".join(f"Person {i % 40:02},{'Bern' if i % 3 else 'Basel'},{20 + i % 30},{100 * i}\n" for i in range(60))
    + "Person 99,,unknown,5\n"
)


def open_text(
    qtbot: QtBot, workspace: DataWorkspace, folder: Path, text: str = SMALL, name: str = "people.csv"
) -> Path:
    """Open a small table, or one of this text."""
    return data_helpers.open_text(qtbot, workspace, folder, text, name)


def role(workspace: DataWorkspace, name: str) -> Role:
    return workspace.document.project.schema[name].role
