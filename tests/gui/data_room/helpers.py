"""Opens a small table of people in the Data room, types into fields, and reads how columns are described."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.gui.data_room import people
from workbench.core.schema import ColumnSpec, Role
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field

SMALL = (
    "name,city,age,income\n"
    + "".join(f"Person {i % 40:02},{'Bern' if i % 3 else 'Basel'},{20 + i % 30},{100 * i}\n" for i in range(60))
    + "Person 99,,unknown,5\n"
)


def open_text(
    qtbot: QtBot, workspace: DataWorkspace, folder: Path, text: str = SMALL, name: str = "people.csv"
) -> Path:
    """Open a small table, or one of this text."""
    return people.open_text(qtbot, workspace, folder, text, name)


def role(workspace: DataWorkspace, name: str) -> Role:
    return workspace.document.project.schema[name].role


def spec(workspace: DataWorkspace, name: str) -> ColumnSpec:
    return workspace.document.project.schema[name]


def type_into(qtbot: QtBot, edit: QLineEdit, text: str) -> None:
    """Replace the text of a field and press Enter."""
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


def cell(workspace: DataWorkspace, name: str, field: Field) -> str:
    """The text of a cell of the table of columns."""
    model = workspace.columns_model
    return str(model.index(model.row_of(name), field).data())
