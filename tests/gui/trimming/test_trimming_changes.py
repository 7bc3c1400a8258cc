"""What the last step made of the forecast stands where it is, until the next step or the draw."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked, seen
from tests.gui.helpers import idle
from tests.gui.trimming.helpers import push, source, write
from workbench.gui.theme import colour
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_tables import DetailTable
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.knowledge import matters_most, say_matters_most
from workbench.session.release.steps import LevelSource


@pytest.fixture
def table(qtbot: QtBot, room: AnonymiseWorkspace) -> DetailTable:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "4000")
    push(qtbot, room, room.outlook.public.no)
    return room.result.details


def marks(table: DetailTable) -> dict[str, str]:
    """What is said where a detail stands of what it was, by column."""
    model = table.model
    tips = {
        model.records[row].column: (model.index(row, 1).data(Qt.ItemDataRole.ToolTipRole) or "").splitlines()
        for row in range(model.rowCount())
        if model.index(row, 0).data()
    }
    begins = {name: [place for place, line in enumerate(tip) if ", was " in line] for name, tip in tips.items()}
    return {name: " ".join(tips[name][places[0] :]) for name, places in begins.items() if places}


def wish(qtbot: QtBot, room: AnonymiseWorkspace, column: str, place: int) -> None:
    """Choose one of the wishes for a column in its line."""
    box = room.columns.rows[column].wish
    box.setCurrentIndex(place)
    box.activated.emit(place)
    idle(qtbot, room)


def test_a_column_that_became_coarser_says_what_it_was_and_so_does_one_line_at_the_foot(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    assert not marks(table) and not seen(room.outlook.change, room), "an answer that changes nothing says nothing"
    write(qtbot, room, room.plan.rows, "100")
    assert marks(table)["age"].startswith(("Coarser, was", "In fewer rows, was", "* in every row, was"))
    words = room.outlook.change.words.text()
    assert words.startswith("This change: ") and "age" in words and seen(room.outlook.change.undo, room)
    brush = table.model.index(0, 1).data(Qt.ItemDataRole.ForegroundRole)
    assert table.model.records[0].column == "age"
    assert brush is None or brush.color() == colour("muted"), "a colour alone says to nobody what it means"


def test_the_first_number_of_people_is_compared_with_nothing(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "100")
    assert not marks(room.result.details) and not seen(room.outlook.change, room), "nobody had named the people before"
    push(qtbot, room, room.outlook.public.no)
    write(qtbot, room, room.plan.rows, "4000")
    assert marks(room.result.details) and seen(room.outlook.change, room)


@pytest.mark.parametrize("first", ["number", "answer"])
def test_what_stands_there_until_both_questions_are_answered_is_compared_with_nothing(
    first: str, qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """Nobody reads what is there for a moment, between the number that is typed and the answer below it."""
    source(qtbot, room, LevelSource.BALANCED)
    if first == "answer":
        push(qtbot, room, room.outlook.public.yes)
    write(qtbot, room, room.plan.rows, "100")
    if first == "number":
        push(qtbot, room, room.outlook.public.yes)
    assert not marks(room.result.details) and not seen(room.outlook.change, room)
    push(qtbot, room, room.outlook.public.no)
    assert seen(room.outlook.change, room), "both answers stood there"


def test_whoever_answers_that_others_know_the_number_hears_which_column_that_took(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """More rows may come out for it, beside an answer that says that it costs accuracy."""
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "250")
    push(qtbot, room, room.outlook.public.yes)
    words = room.outlook.change.words.text()
    assert words.startswith("This change: ") and "* in every row" in words and seen(room.outlook.change, room)


def test_where_no_number_of_rows_is_seen_none_is_compared(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    push(qtbot, room, room.outlook.public.no)
    table = room.result.details
    write(qtbot, room, room.promise.fields["epsilon"], "0.01")
    assert {table.model.index(row, 2).data() for row in range(table.model.rowCount())} <= {"–", ""}
    assert room.outlook.change.words.text() == "This change: age coarser.", "what is seen of a detail is"
    assert not marks(table).get("city")


def test_it_is_taken_back_beside_and_is_gone_then(qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable) -> None:
    before = room.document.project
    write(qtbot, room, room.plan.rows, "100")
    room.outlook.change.undo.setFocus()
    qtbot.keyClick(room.outlook.change.undo, Qt.Key.Key_Space)
    idle(qtbot, room)
    assert room.document.project == before
    assert room.window().focusWidget() is room.plan.rows.edit, "and not whatever comes next in the window"
    assert not marks(table) and not seen(room.outlook.change, room)


def test_the_next_step_takes_its_place_and_the_keys_of_one_number_are_one_step(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    write(qtbot, room, room.plan.rows, "100")
    first = marks(table)
    assert first["age"].startswith("* in every row, was 8 groups → 4 groups. "), "and not what it was after one key"
    push(qtbot, room, room.outlook.public.yes)
    assert marks(table) != first


def test_of_the_first_digits_of_a_number_there_is_no_forecast(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    """It would be read beside the whole number, and cry that next to nothing comes out."""
    edit, words = room.plan.rows.edit, room.outlook.words
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, "4")
    qtbot.wait(60)
    assert "Of 4 people" not in words.text()
    qtbot.keyClicks(edit, "000")
    qtbot.waitUntil(lambda: words.text().startswith("Of 4,000 people"))
    edit.selectAll()
    qtbot.keyClicks(edit, "3000")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: words.text().startswith("Of 3,000 people"), timeout=350)


def test_the_draw_ends_it(qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable) -> None:
    write(qtbot, room, room.plan.rows, "300")
    assert marks(table)
    room.run()
    idle(qtbot, room)
    assert room.document.session.release.result is not None
    assert not seen(room.outlook.change, room)
    write(qtbot, room, room.plan.rows, "4000")
    assert marks(room.result.ahead), "and the next step is compared with what was drawn"


def test_what_is_reached_for_stays_where_it_is_when_the_line_comes(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    room.steps.open("promise")
    QApplication.processEvents()

    def places() -> list[QPoint]:
        parts = (room.outlook.rows, room.outlook.public.no, room.outlook.public.yes, room.run_button)
        return [part.mapTo(room, QPoint()) for part in parts]

    before = places()
    room.plan.rows.edit.setFocus()
    room.plan.rows.edit.selectAll()
    qtbot.keyClicks(room.plan.rows.edit, "1000")
    idle(qtbot, room)
    assert seen(room.outlook.change, room)
    assert places() == before


def test_no_tick_moves_the_line_of_the_next_one(qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable) -> None:
    def places() -> dict[str, int]:
        names = {table.model.index(row, 0).data(): row for row in range(table.model.rowCount())}
        return {name: table.view.rowViewportPosition(row) for name, row in names.items() if name}

    def tick(name: str) -> None:
        most = matters_most(room.document.session, name)
        room.document.apply("", lambda session: say_matters_most(session, name, most=not most))
        idle(qtbot, room)

    write(qtbot, room, room.plan.rows, "100")
    assert set(marks(table)) == {"age"}
    before = places()
    tick("age")
    assert places() == before and set(marks(table)) == {"age", "city"}
    tick("age")
    write(qtbot, room, room.plan.rows, "101")
    assert places() == before and not marks(table)


def test_no_line_moves_under_the_pointer_whatever_lines_a_column_needs_after_a_tick(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    view, model = table.view, table.model

    def points(there: bool) -> None:
        at = QPointF(view.rect().center())
        QApplication.sendEvent(view, QEnterEvent(at, at, at) if there else QEvent(QEvent.Type.Leave))

    def lines() -> list[tuple[str, str]]:
        return [(model.index(row, 0).data(), model.index(row, 1).data()) for row in range(model.rowCount())]

    def tick(row: int) -> None:
        assert model.tick(row)
        idle(qtbot, room)

    write(qtbot, room, room.plan.rows, "2000")
    both = [("age", "8 groups or coarser"), ("city", "as it is")]
    assert lines() == both, "each has one line, whoever points where"
    told = model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert "4 groups in others: " in " ".join(told.split())
    for there in (True, False):
        points(there)
        tick(0)
        assert lines() == [("age", "as it is"), ("city", "not in the file")], "and city did not move"
        table.others.click()
        idle(qtbot, room)
        assert lines() == [("age", "8 groups"), ("city", "as it is, or *")], "nor with both"
        points(not there)
        assert lines() == [("age", "8 groups"), ("city", "as it is, or *")], "nor afterwards, and no hole is left"
        tick(0)
        assert lines() == both


def test_no_column_moves_under_the_pointer_and_the_last_one_reaches_the_frame(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    room.resize(1120, 640)
    room.show()
    idle(qtbot, room)
    view, head = table.view, table.view.horizontalHeader()
    long = DetailOutlook("age", 0, "intervals of 40,000", (0, 86), (17, 200), usual=62)
    short = DetailOutlook("age", 0, "*", (49, 97), (12, 20))

    def shown(one: DetailOutlook) -> list[int]:
        table.model.show_lines([one])
        view.fit()
        return [head.sectionSize(at) for at in range(head.count())]

    first, room_of_all = shown(long), view.viewport().width()
    assert sum(shown(short)) == sum(first) == room_of_all, "no gap opens beside the last column"
    before = shown(long)
    at = QPointF(view.rect().center())
    QApplication.sendEvent(view, QEnterEvent(at, at, at))
    assert shown(short) == before
    shown(short)
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    few = [head.sectionSize(place) for place in range(head.count())]
    assert few != before and sum(few) == room_of_all, "nobody reaches for a line any more"
    QApplication.sendEvent(view, QEnterEvent(at, at, at))
    assert shown(long) == before, "no number is cut to keep its place"


def test_a_column_left_out_for_nothing_is_told_at_the_foot(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    lines = {line.name: line for line in dialog.lines}
    lines["city"].needed.click()
    dialog.use.click()
    idle(qtbot, room)
    assert "city left out" in room.outlook.change.words.text()
    qtbot.mouseClick(room.outlook.change.undo, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert "city" in room.document.session.release.columns.quasi_identifiers()
