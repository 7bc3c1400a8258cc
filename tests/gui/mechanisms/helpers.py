"""Questions of the Mechanisms workspace, asked as a person would."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace

F = Fraction


def ask(qtbot: QtBot, workspace: MechanismsWorkspace, **changes: object) -> None:
    wanted = replace(workspace.document.project.laboratory, **changes)  # type: ignore[arg-type]
    workspace.document.apply("ask", lambda session: session.audit.ask(wanted))
    idle(qtbot, workspace)


def field(workspace: MechanismsWorkspace, name: str) -> QWidget:
    assert workspace.settings.parameters is not None
    return workspace.settings.parameters.fields[name]


def enter(qtbot: QtBot, workspace: MechanismsWorkspace, edit: QLineEdit, text: str) -> None:
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    idle(qtbot, workspace)


def epsilon(workspace: MechanismsWorkspace) -> str:
    return workspace.verdict.epsilon.text()
