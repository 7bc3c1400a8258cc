"""The words of a question are seen whole where they are typed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.collect_plan.helpers import type_answers
from tests.gui.helpers import idle
from workbench.gui.workspaces.collect import CollectWorkspace

LONG = "Have you ever taken money from the till of a shop in which you worked, and not brought it back?"


def test_the_field_grows_with_the_question_and_enter_ends_it(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "yes", "no", "rather not say")
    field, steps = room.question.wording["question"], room.document.undo_stack.count()
    low = field.height()
    field.setFocus()
    qtbot.keyClicks(field, LONG)
    idle(qtbot, room)
    aside = field.horizontalScrollBar()
    aside.setRange(0, 8)  # as where a space at the end of a line has no room in it
    aside.setValue(8)
    assert aside.value() == 0, "no line loses its first letter"
    # Two lines are there from the start.
    assert field.height() >= low + field.fontMetrics().height(), "all of it is seen"
    assert not field.verticalScrollBar().isVisible()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert room.document.project.collect.question == LONG and field.text() == LONG, "and Enter begins no line"
    assert room.document.undo_stack.count() == steps + 1
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert field.text() == "" and field.height() == low


def test_a_question_of_two_lines_moves_nothing_while_it_is_typed(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "yes", "no")
    field, below = room.question.wording["question"], room.question.wording["asked_by"]
    low, place = field.height(), below.y()
    qtbot.keyClicks(field, "Have you ever evaded a fare?")
    idle(qtbot, room)
    assert field.document().size().height() == 2, "more than a line of this field"
    assert (field.height(), below.y()) == (low, place)


def test_lines_that_are_pasted_are_one_sentence(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "yes", "no")
    field = room.question.wording["question"]
    QGuiApplication.clipboard().setText("Have you ever\n  stolen?\n")
    field.setFocus()
    field.paste()
    room.question.wording["asked_by"].setFocus()
    idle(qtbot, room)
    assert room.document.project.collect.question == "Have you ever stolen?"
