"""The table of what is likely to come out, in which the columns that matter most are ticked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen
from tests.gui.helpers import idle
from tests.gui.trimming.helpers import source, write
from workbench.anonymise.balanced import Importance
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_tables import DetailTable
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import Prospect
from workbench.session.release.steps import LevelSource


def test_what_matters_most_is_ticked_where_it_is_told_what_is_likely_to_come_out(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    table, steps = room.result.details, room.document.session.release.steps
    assert table.asks.isHidden(), "by degree all columns become coarser together"
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "100")
    assert seen(table.asks, room) and table.model.kept == frozenset()

    def cell(name: str) -> QModelIndex:
        places = (table.model.index(row, 0) for row in range(table.model.rowCount()))
        return next(index for index in places if index.data() == name)

    def stars() -> set[str]:
        return {one.column for one in table.model.records if one.words == "*"}

    assert stars() == {"age"}
    qtbot.mouseClick(table.view.viewport(), Qt.MouseButton.LeftButton, pos=table.view.visualRect(cell("age")).center())
    idle(qtbot, room)
    assert steps.importance("age") is Importance.KEEP and table.model.kept == {"age"}
    assert stars() == {"city"}, "the others become * first"
    assert table.view.currentIndex().data() == "age", "the next key changes what the last one did"
    qtbot.keyClick(table.view, Qt.Key.Key_Space)
    idle(qtbot, room)
    assert steps.importance("age") is Importance.NORMAL and stars() == {"age"}
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert steps.importance("age") is Importance.KEEP and table.model.kept == {"age"}


def test_columns_stay_where_they_are_while_others_are_ticked(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    table, document = room.result.details, room.document
    source(qtbot, room, LevelSource.BALANCED)

    def lines(**levels: int) -> PromiseAssessment:
        made = [DetailOutlook(name, one, f"{one}", (10, 20)) for name, many in levels.items() for one in range(many)]
        return PromiseAssessment(details=tuple(made))

    def places() -> dict[str, int]:
        rows = range(table.model.rowCount())
        return {name: row for row in rows if (name := table.model.index(row, 0).data())}

    def shown(found: PromiseAssessment) -> list[DetailOutlook]:
        table.show_assessment(found)
        return list(table.model.records)

    def tick(name: str, wanted: Importance, found: PromiseAssessment) -> None:
        document.apply("tick", lambda session: session.release.steps.set_importance(name, wanted))
        table.show_assessment(found)

    table.show_assessment(lines(age=3, city=1, job=2))
    assert places() == {"age": 0, "city": 3, "job": 5}
    tick("age", Importance.KEEP, lines(age=1, city=2, job=2))
    assert places() == {"age": 0, "city": 3, "job": 5}, "what is below does not slide under the pointer"
    tick("age", Importance.NORMAL, lines(age=3, city=1, job=2))
    tick("city", Importance.KEEP, lines(age=3, city=1, job=1))
    assert places() == {"age": 0, "city": 3, "job": 5}
    assert [one.words for one in table.model.records] == ["0", "1", "2", "0", "", "0", ""], "blank lines say nothing"
    many = {f"c{place}": 1 for place in range(7)}
    assert "" not in [one.words for one in shown(lines(**many))], "of many columns there is no room for that"
    trimmed = replace(document.project.anonymise.trim, expected_rows=400)
    document.apply("rows", lambda session: session.release.set_trimming(trimmed))
    table.show_assessment(lines(age=2, city=1, job=1))
    assert places() == {"age": 0, "city": 2, "job": 4}, "anything else is shown without room for what was"
    assert "changes nothing" not in table.asks.text()
    tick("job", Importance.KEEP, lines(age=2, city=1, job=1))
    assert "The last tick changes nothing" in table.asks.text(), "who ticks and sees nothing move is told"
    tick("job", Importance.NORMAL, lines(age=2, city=2, job=1))
    assert "changes nothing" not in table.asks.text()


@pytest.mark.parametrize("width", [700, 490, 260])
def test_what_is_said_of_a_tick_moves_no_line_of_the_table(qtbot: QtBot, room: AnonymiseWorkspace, width: int) -> None:
    document = room.document
    source(qtbot, room, LevelSource.BALANCED)
    table = DetailTable(document)
    qtbot.addWidget(table)
    table.resize(width, 500)
    table.show()
    found = PromiseAssessment(details=tuple(DetailOutlook(name, 0, "as it is", (10, 20)) for name in ("age", "city")))
    table.show_assessment(found)
    QApplication.processEvents()
    place = table.view.geometry()
    assert table.asks.text().startswith("Tick what matters most")
    for wanted in (Importance.KEEP, Importance.NORMAL):
        document.apply("tick", lambda session, to=wanted: session.release.steps.set_importance("age", to))
        table.show_assessment(found)
        QApplication.processEvents()
        assert "The last tick changes nothing" in table.asks.text() and table.view.geometry() == place


@pytest.mark.parametrize("width", [900, 490, 400])
def test_numbers_of_the_forecast_stay_in_view_beside_a_long_detail(
    qtbot: QtBot, room: AnonymiseWorkspace, width: int
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    table = DetailTable(room.document)
    qtbot.addWidget(table)
    table.resize(width, 500)
    table.show()
    lines = (
        DetailOutlook("postcode", 3, "first 2 characters", (91, 97), (31, None), covers=True),
        DetailOutlook("salary", 4, "intervals of 40,000", (35, 99), (32, None), unknown=True),
    )
    table.show_assessment(PromiseAssessment(details=lines))
    QApplication.processEvents()
    head, bar = table.view.horizontalHeader(), table.view.horizontalScrollBar()
    assert bar.maximum() == 0, "nothing is out of sight at the side"
    for at in (2, 3):
        end = head.sectionViewportPosition(at) + head.sectionSize(at)
        assert end <= table.view.viewport().width() and head.sectionSize(at) >= table.view.sizeHintForColumn(at)
    model = table.model
    for row, line in ((0, lines[0]), (2, lines[1])):
        cell, below = model.index(row, 1), model.index(row + 1, 1)
        assert cell.data() == line.words and below.data() == line.caution, "a caution stands below, and is not cut"
        assert line.caution_told in cell.data(Qt.ItemDataRole.ToolTipRole)
        assert line.caution_told in below.data(Qt.ItemDataRole.ToolTipRole)
        room = head.sectionSize(1)
        assert width == 400 or room >= table.view.sizeHintForIndex(cell).width()


def test_columns_that_become_a_star_are_named_and_nobody_is_asked_to_tick_one(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """A tick costs other columns, which the table says; a warning that asks for one would be followed unread."""
    source(qtbot, room, LevelSource.BALANCED)
    found = Outlook((8,), "", stars="* in most rows: age", widest=("age", "city"), starred=("age",), often=("city",))
    room.outlook.show_assessment(
        PromiseAssessment(prospect=Prospect("", "", outlook=found)), trims=True, settled=False, taken=None
    )
    assert room.outlook.stars.text() == "* in most rows: age"
