"""Chooses and searches as a person does in the room of k-anonymity and its relatives."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import press
from workbench.core.hierarchy import Hierarchy
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.syntactic import SyntacticRoom
from workbench.project.model import QuestionSettings

ROWS = 600
AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])


def find_and_use(qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
    press(qtbot, workspace, workspace.syntactic.settings.search)


def question(workspace: AnonymiseWorkspace) -> QuestionSettings:
    workspace.status()
    return workspace.document.project.anonymise.question


def type_number(qtbot: QtBot, workspace: AnonymiseWorkspace, field: QWidget, text: str) -> None:
    assert isinstance(field, NumberField)
    bring(workspace, field)
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)
    workspace.status()


def bring(workspace: AnonymiseWorkspace, part: QWidget) -> None:
    """Open the step of the settings in which something is."""
    steps = workspace.syntactic.settings.steps
    for key in steps.heads:
        if not part.isVisible():
            steps.open(key)


def limit(room: SyntacticRoom) -> QWidget:
    return room.settings.goal.form["suppression_limit"]


def table_of(workspace: AnonymiseWorkspace) -> object:
    return workspace.syntactic.result.pages.currentWidget()
