"""The table of what is likely to come out, and what is said of columns beside it."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen
from tests.gui.helpers import idle
from tests.gui.trimming.helpers import source, write
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_tables import DetailTable
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import Prospect
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import wish_exactly


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
        DetailOutlook("charge", 4, "intervals of 10,000", (35, 99), (32, None), halved=True),
    )
    table.show_assessment(PromiseAssessment(details=lines))
    QApplication.processEvents()
    head, bar = table.view.horizontalHeader(), table.view.horizontalScrollBar()
    assert bar.maximum() == 0, "nothing is out of sight at the side"
    assert not table.view.isColumnHidden(2), "what differs from column to column is told of each"
    for at in (2,):
        end = head.sectionViewportPosition(at) + head.sectionSize(at)
        assert end <= table.view.viewport().width() and head.sectionSize(at) >= table.view.sizeHintForColumn(at)
    model = table.model
    for row, line in zip((0, 2, 4), lines, strict=True):
        cell, below = model.index(row, 1), model.index(row + 1, 1)
        assert cell.data() == line.words and below.data() == line.caution, "a caution stands below, and is not cut"
        assert line.caution_told in " ".join(cell.data(Qt.ItemDataRole.ToolTipRole).split())
        assert line.caution_told in " ".join(below.data(Qt.ItemDataRole.ToolTipRole).split())
        room = head.sectionSize(1)
        assert width == 400 or room >= table.view.sizeHintForIndex(cell).width()


def test_fewer_columns_are_said_to_help_only_where_leaving_one_out_would(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    table = DetailTable(room.document)
    qtbot.addWidget(table)
    age, city = (DetailOutlook(name, 0, "as it is", (49, 90), (27, 200)) for name in ("age", "city"))
    found = Prospect("", "", outlook=Outlook((8,), ""))
    star = DetailOutlook("trade", 1, "*", (100, 100), None)
    for lines, helps in (
        ((age, star), "Coarser details or more ε help."),
        ((age, city, star), "Fewer columns that are not *, coarser details or more ε help."),
    ):
        table.show_assessment(PromiseAssessment(details=lines, prospect=found))
        assert helps in " ".join(table.more.text().split())


def test_the_column_of_how_many_rows_come_out_stays_whatever_is_known_or_asked(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    table, shown = room.result.details, room.result.details.view
    assert not shown.isColumnHidden(2), "nobody said how many there are, and that is what the dash says"
    assert {table.model.rows_words(one) for one in table.model.records} - {""} == {"–"}
    write(qtbot, room, room.plan.rows, "4000")
    room.outlook.public.no.click()
    for name in ("age", "city"):  # one detail in every row
        room.document.apply("one detail", partial(wish_exactly, name=name, level=1))
    idle(qtbot, room)
    alike = {one.rows for one in table.model.records if one.rows_words}
    assert len(alike) == 1 and seen(room.outlook.words, room) and "4,000 people" in room.outlook.words.text()
    assert not shown.isColumnHidden(2), "though the sentence below says it of all"
    assert shown.columnWidth(1) > 0 and shown.horizontalScrollBar().maximum() == 0
    assert shown.columnWidth(2) >= shown.sizeHintForColumn(2)
    room.document.undo_stack.undo()
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert len({table.model.rows_words(one) for one in table.model.records} - {""}) > 1
    assert not shown.isColumnHidden(2)
    shown.held = True
    for hidden in (True, False):  # under the pointer too the columns have the room that there is
        shown.show_rows(not hidden)
        QApplication.processEvents()
        widths = sum(shown.columnWidth(at) for at in range(3))
        assert shown.horizontalScrollBar().maximum() == 0 and widths <= shown.viewport().width()


def test_how_many_people_a_value_needs_stands_under_details_and_where_one_points(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    table = room.result.details
    assert "needs" not in table.more.text(), "of people whom nobody named it would be believed"
    assert "likely to be missing" not in table.model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    write(qtbot, room, room.plan.rows, "4000")
    city = next(row for row, one in enumerate(table.model.records) if one.column == "city")
    line = table.model.records[city]
    assert line.needs_words and f"city {line.needs_words}" in " ".join(table.more.text().split())
    assert "of fewer than the second number perhaps" in " ".join(table.more.text().split())
    assert line.needs_told in " ".join(table.model.index(city, 1).data(Qt.ItemDataRole.ToolTipRole).split())


def test_columns_that_become_a_star_are_named_and_nobody_is_asked_to_keep_one(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """To keep one costs other columns, which its choices say; a warning that asks for it would be followed unread."""
    source(qtbot, room, LevelSource.BALANCED)
    found = Outlook((8,), "", stars="* in most rows: age", widest=("age", "city"), starred=("age",), often=("city",))
    room.outlook.show_assessment(
        PromiseAssessment(prospect=Prospect("", "", outlook=found)), trims=True, settled=False, taken=None
    )
    assert room.outlook.stars.text() == "* in most rows: age"


@pytest.mark.parametrize("height", range(400, 430, 7))
def test_the_table_of_columns_ends_after_a_whole_row(qtbot: QtBot, room: AnonymiseWorkspace, height: int) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    table = DetailTable(room.document)
    qtbot.addWidget(table)
    table.resize(490, height)
    table.show()
    lines = tuple(DetailOutlook(f"column {place}", 1, "intervals of 10", (80, 90), (17, None)) for place in range(30))
    table.show_assessment(PromiseAssessment(details=lines))
    QApplication.processEvents()
    view = table.view
    last = view.rowAt(view.viewport().height() - 1)
    assert view.visualRect(view.model().index(last, 0)).bottom() == view.viewport().height() - 1
    before = view.viewport().height()
    table.show_assessment(PromiseAssessment(details=lines[:3]))
    QApplication.processEvents()
    assert view.viewport().height() >= before, "few rows leave no gap below the table"
