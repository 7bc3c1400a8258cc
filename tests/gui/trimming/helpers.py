"""What the tests of a trimmed release do in the Anonymise workspace, and the hierarchies they do it with."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import open_step_of
from tests.gui.helpers import idle
from workbench.anonymise.dp_search import Degree
from workbench.core.hierarchy import Hierarchy
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.project.trim_settings import TrimSettings
from workbench.session.release.steps import LevelSource

AGES = Hierarchy.from_rows([(str(a), f"{a // 5 * 5}+", f"{a // 10 * 10}s", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])
DEGREES = (Degree.NONE, Degree.LOW, Degree.MEDIUM, Degree.HIGH, Degree.COMPLETE)


def trim(room: AnonymiseWorkspace) -> TrimSettings:
    return room.document.project.anonymise.trim


def push(qtbot: QtBot, room: AnonymiseWorkspace, button: QAbstractButton) -> None:
    button.click()
    idle(qtbot, room)


def write(qtbot: QtBot, room: AnonymiseWorkspace, field: QWidget, text: str) -> None:
    edit = field.focusProxy() or field
    open_step_of(room, edit)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    idle(qtbot, room)


def source(qtbot: QtBot, room: AnonymiseWorkspace, wanted: LevelSource) -> None:
    if wanted is LevelSource.TYPED:
        push(qtbot, room, room.levels.buttons[LevelSource.HAND])
        push(qtbot, room, room.levels.several)
    else:
        push(qtbot, room, room.levels.buttons[wanted])


def show_step(qtbot: QtBot, room: AnonymiseWorkspace, number: int) -> None:
    room.levels.steps.picker.chips.setValue(number)
    idle(qtbot, room)


def level_of_city(room: AnonymiseWorkspace, level: int) -> None:
    """By hand: at level 1 it is `*` in every row, which a button of its own is offered for."""
    room.document.apply("level", lambda session: session.release.columns.set_level("city", level))
