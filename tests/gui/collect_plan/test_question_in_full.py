"""The words of a question are seen whole where they are typed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.collect_plan.helpers import type_answers
from tests.gui.helpers import idle
from workbench.gui.workspaces.collect import CollectWorkspace

LONG = "Have you ever taken money from the till of a shop in which you worked, and not brought it back?"


def places(room: CollectWorkspace) -> dict[str, tuple[int, int, int, int]]:
    """Where all that is seen of the room stands, but for what is inside the field itself."""
    field = room.question.wording["question"]
    seen = [one for one in room.findChildren(QWidget) if one.isVisible() and not field.isAncestorOf(one)]
    found = {}
    for number, one in enumerate(seen):
        corner = one.mapTo(room, QPoint())
        found[f"{number} {type(one).__name__} {one.accessibleName()}"] = (corner.x(), corner.y(), *one.size().toTuple())
    return found


def test_nothing_moves_while_a_question_is_typed_and_enter_ends_it(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "yes", "no", "rather not say")
    field, steps = room.question.wording["question"], room.document.undo_stack.count()
    field.setFocus()
    idle(qtbot, room)
    before = places(room)
    for word in LONG.split(" "):
        qtbot.keyClicks(field, f" {word}" if field.text() else word)
        assert places(room) == before, word
    idle(qtbot, room)
    assert places(room) == before
    aside = field.horizontalScrollBar()
    aside.setRange(0, 8)  # as where a space at the end of a line has no room in it
    aside.setValue(8)
    assert aside.value() == 0, "no line loses its first letter"
    lines = field.document().size().height()
    assert lines > 2 and lines * field.fontMetrics().height() <= field.viewport().height(), "all of it is seen"
    assert not field.verticalScrollBar().isVisible()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert room.document.project.collect.question == LONG and field.text() == LONG, "and Enter begins no line"
    assert room.document.undo_stack.count() == steps + 1
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert field.text() == "" and places(room) == before


def test_a_question_that_is_longer_scrolls_in_its_place(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "yes", "no")
    field, below = room.question.wording["question"], room.question.wording["asked_by"]
    high, place = field.height(), below.y()
    qtbot.keyClicks(field, f"{LONG} {LONG}")
    idle(qtbot, room)
    assert field.document().size().height() > field.most
    assert (field.height(), below.y()) == (high, place)
    assert field.verticalScrollBar().isVisible() and field.cursorRect().bottom() <= field.viewport().height()


def test_lines_that_are_pasted_are_one_sentence(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "yes", "no")
    field = room.question.wording["question"]
    QGuiApplication.clipboard().setText("Have you ever\n  stolen?\n")
    field.setFocus()
    field.paste()
    room.question.wording["asked_by"].setFocus()
    idle(qtbot, room)
    assert room.document.project.collect.question == "Have you ever stolen?"
