"""Questions of the Collect workspace, asked as a person would."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.helpers import choose, idle
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.collect.answer_card import AnswerCard

JOBS = ("clerk", "nurse", "pilot", "smith")


def ask_job(qtbot: QtBot, room: CollectWorkspace) -> None:
    """Ask for the job, with its values typed."""
    choose(room.question.column, "job")
    idle(qtbot, room)
    choose(room.question.source, "typed")
    room.question.values.setPlainText("\n".join(JOBS))
    room.question.values.tell()
    idle(qtbot, room)


def ask_age(qtbot: QtBot, room: CollectWorkspace, bounds: tuple[float, float] = (20, 60)) -> None:
    """Ask for the age, in eight bins between typed bounds."""
    choose(room.question.column, "age")
    idle(qtbot, room)
    room.question.bins.setValue(8)
    choose(room.question.source, "typed")
    for field, value in zip(room.question.bounds.numbers, bounds, strict=True):
        field.edit.setText(str(value))
        field.edit.editingFinished.emit()
    idle(qtbot, room)


def simulate(qtbot: QtBot, room: CollectWorkspace) -> None:
    qtbot.mouseClick(room.button, Qt.MouseButton.LeftButton)
    idle(qtbot, room)


def read_card(card: AnswerCard) -> str:
    """All that a card says below its answer, also where it is pointed at."""
    seen = (words for words in (card.measure.text(), card.detail.text()) if words)
    return " ".join((*seen, card.accessibleDescription())).replace("±\u00a0", "± ").strip()
