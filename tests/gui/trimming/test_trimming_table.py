"""The table of what is likely to come out, and what is said of columns beside it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.trimming.helpers import source
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_tables import DetailTable
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import Prospect
from workbench.session.release.steps import LevelSource


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
    for at in (2, 3):
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
