"""A survey that is planned without a table, typed as a person would."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.helpers import choose, idle
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.ldp.encoding import EncodingKind
from workbench.project.collect_settings import RANKED

MODES = ("car", "bus", "bike", "walk", "train")


def type_answers(qtbot: QtBot, room: CollectWorkspace, *answers: str) -> None:
    room.question.values.setPlainText("\n".join(answers))
    room.question.values.tell()
    idle(qtbot, room)


def type_bounds(qtbot: QtBot, room: CollectWorkspace, low: str, high: str, how: EncodingKind) -> None:
    combo = room.question.how
    idle(qtbot, room)
    combo.setCurrentIndex(combo.findData(how))
    combo.activated.emit(combo.currentIndex())
    idle(qtbot, room)
    for field, text in zip(room.question.bounds.numbers, (low, high), strict=True):
        field.edit.setText(text)
        field.edit.editingFinished.emit()
    idle(qtbot, room)


def open_modes(qtbot: QtBot, room: CollectWorkspace, folder: Path) -> None:
    path = folder / "modes.csv"
    path.write_text("mode,minutes\n" + "car,12\nbus,30\n" * 20, encoding="utf-8")
    room.document.open_data(path)
    idle(qtbot, room)


def ask(qtbot: QtBot, room: CollectWorkspace, column: str) -> None:
    combo = room.question.column
    combo.setCurrentIndex(combo.findData(column))
    combo.activated.emit(combo.currentIndex())
    idle(qtbot, room)


def type_for_a_column(qtbot: QtBot, room: CollectWorkspace, folder: Path) -> None:
    """Open a table, ask about a column of it, and type which answers are possible."""
    open_modes(qtbot, room, folder)
    ask(qtbot, room, "mode")
    choose(room.question.source, "typed")
    type_answers(qtbot, room, "car", "bus")


def aim_at_misplaced(room: CollectWorkspace) -> None:
    """Plan for how many are misplaced, with few collections, as was usual before margins were."""
    room.document.apply(
        "Aim", lambda session: session.collection.change(aim=RANKED, target=5.0, repetitions=20), merge=""
    )
