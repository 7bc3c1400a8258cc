"""The table of the Data workspace: order, narrowing, finding, values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.data_room.people import open_text
from tests.gui.helpers import PATIENCE_MS, idle
from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.core.table import Column, Table
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.data import DataWorkspace
from workbench.session import Session
from workbench.session.table_rows import Arrangement, arranged, counted_values, next_cell, search

pytestmark = pytest.mark.usefixtures("after_a_look")


def shown(workspace: DataWorkspace, column: int) -> list[str]:
    model = workspace.panel.model
    return [model.text(row, column) for row in range(model.rowCount())]


def click_heading(qtbot: QtBot, workspace: DataWorkspace, section: int) -> None:
    header = workspace.table.horizontalHeader()
    spot = QPoint(header.sectionViewportPosition(section) + 20, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    idle(qtbot, workspace)


TEXT = "n,w\n10,b\n9,a\n,c\n100,b\nx,a\n"


def test_a_heading_sorts_up_down_and_back(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path, TEXT)
    workspace.document.apply("x", lambda session: session.data.set_kind(["n"], Kind.INTEGER))
    idle(qtbot, workspace)
    click_heading(qtbot, workspace, 0)
    assert shown(workspace, 0) == ["9", "10", "100", "x", ""]
    assert "sorted by n" in workspace.panel.state.full_text
    assert "in this view only" in workspace.panel.state.full_text
    click_heading(qtbot, workspace, 0)
    assert shown(workspace, 0) == ["x", "100", "10", "9", ""], "missing values stay last"
    assert workspace.panel.model.headerData(0, Qt.Orientation.Vertical) == "5", "the number in the file"
    click_heading(qtbot, workspace, 0)
    assert shown(workspace, 0) == ["10", "9", "", "100", "x"]
    assert workspace.document.undo_stack.count() == 1, "looking is no edit"


def test_beside_texts_that_are_read_as_other_values_it_is_said_as_which(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path, "name;salary\nAnn;€8.544\nBen;€9.120\n")
    written = Format(decimal_mark=",", thousands=".", symbol="€")

    def read(session: Session) -> None:
        session.data.set_kind(["salary"], Kind.MONEY)
        session.data.set_format("salary", written)

    workspace.document.apply("x", read)
    idle(qtbot, workspace)
    assert shown(workspace, 1) == ["€8.544", "€9.120"], "the file stays as it is"
    model = workspace.panel.model
    assert model.data(model.index(1, 1), Qt.ItemDataRole.ToolTipRole) == "Read as 9120"
    assert model.data(model.index(1, 0), Qt.ItemDataRole.ToolTipRole) is None
    assert workspace.panel.state.full_text == "As in the file; €8.544 in salary is read as 8544"


def test_typing_narrows_what_is_seen_only(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    before = workspace.document.project
    workspace.panel.filter.setFocus()
    qtbot.keyClicks(workspace.panel.filter, "BASEL")
    qtbot.waitUntil(lambda: workspace.panel.model.rowCount() == 20, timeout=PATIENCE_MS)
    assert set(shown(workspace, 1)) == {"Basel"}
    assert "20 of 61 rows" in workspace.panel.state.full_text
    assert workspace.document.project is before
    workspace.panel.reset.click()
    idle(qtbot, workspace)
    assert workspace.panel.model.rowCount() == 61
    assert workspace.panel.filter.text() == ""


def test_the_menu_shows_the_rows_of_one_value(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    menu = workspace.panel.menu(0, 1)
    next(action for action in menu.actions() if "with this" in action.text()).trigger()
    menu.deleteLater()
    idle(qtbot, workspace)
    assert set(shown(workspace, 1)) == {"Basel"}


def test_text_is_found_forth_and_back(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.table.setFocus()
    qtbot.keyClick(workspace.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    bar = workspace.panel.find_bar
    assert bar.isVisible()
    qtbot.keyClicks(bar.edit, "person 07")

    def go(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> tuple[int, int]:
        qtbot.keyClick(bar.edit, key, modifier)
        idle(qtbot, workspace)
        current = workspace.table.currentIndex()
        return current.row(), current.column()

    assert go(Qt.Key.Key_Return) == (7, 0)
    assert go(Qt.Key.Key_F3) == (47, 0)
    assert go(Qt.Key.Key_F3) == (7, 0), "round"
    assert go(Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier) == (47, 0)
    assert "2 cells" in bar.result.full_text
    bar.edit.setText("nowhere")
    go(Qt.Key.Key_Return)
    assert bar.result.full_text == "Not found"
    qtbot.keyClick(bar.edit, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_the_values_of_a_column_filter_the_table(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("city")
    workspace.detail.all_values.click()
    dialog = workspace.dialogs.values
    assert dialog is not None
    idle(qtbot, workspace)
    model = dialog.model
    assert [(model.value(row), model.rows_of(row)) for row in range(3)] == [("Bern", 40), ("Basel", 20), ("-", 1)]
    dialog.view.clicked.emit(model.index(2, 0))
    idle(qtbot, workspace)
    assert shown(workspace, 0) == ["Person 99"]
    dialog.search.setText("er")
    dialog._work()
    idle(qtbot, workspace)
    assert model.rowCount() == 1
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == "Bern\t40"
    dialog.close()
    assert workspace.dialogs.values is None


def test_the_list_of_columns_takes_what_it_needs_and_leaves_the_rest_to_the_table(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    """In a small window each row counts: the list ends after its last column, which is whole."""
    workspace.resize(1080, 630)
    names = ",".join(f"c{number}" for number in range(9))
    open_text(qtbot, workspace, tmp_path, f"{names}\n" + "1,2,3,4,5,6,7,8,9\n" * 40)
    workspace.protected.every_row.click()
    idle(qtbot, workspace)
    columns, table = workspace.columns, workspace.table
    spare = columns.viewport().height() - columns.verticalHeader().length()
    assert 0 <= spare <= 4 and not columns.verticalScrollBar().isVisible()
    assert table.viewport().height() // table.verticalHeader().defaultSectionSize() >= 3


def test_another_file_is_shown_from_its_beginning(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.panel.sort("age")
    workspace.dialogs.show_values("city")
    idle(qtbot, workspace)
    open_text(qtbot, workspace, tmp_path, TEXT, "next.csv")
    assert shown(workspace, 0) == ["10", "9", "", "100", "x"]
    assert workspace.panel.arrangement == Arrangement()
    assert workspace.dialogs.values is None


def test_every_key_has_a_help_text(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    book = HelpBook()
    detail, who = workspace.detail, workspace.protected
    for widget in (
        workspace.table,
        workspace.suggest,
        workspace.banner.settle,
        workspace.which_rows.choose,
        detail.format.decimal,
        detail.missing.edit,
        detail.misfits.policy,
        detail.domain.edit,
        detail.all_values,
        who.limit,
    ):
        assert book.find(explain_key(widget)) is not None, widget


# The work behind it

texts = st.lists(st.sampled_from(["", "a", "B", "ab", "10", "9", "-3", "NA"]), min_size=1, max_size=30)


@given(texts, st.booleans(), st.sampled_from(["", "A", "b", "1"]))
def test_arranging_is_sorting_and_selecting(values: list[str], descending: bool, text: str) -> None:
    spec = ColumnSpec("x", Kind.INTEGER, missing=("", "NA"))
    table = Table((Column.from_texts("x", values),))
    rows = arranged(table, Schema((spec,)), Arrangement(text=text, sort_by="x", descending=descending))
    assert rows is not None
    wanted = [row for row, value in enumerate(values) if text.casefold() in value.casefold()]
    assert sorted(rows.tolist()) == wanted
    group = {"": 2, "NA": 2, "a": 1, "B": 1, "ab": 1}
    seen = [values[row] for row in rows.tolist()]
    present = [value for value in seen if group.get(value, 0) < 2]
    assert seen[: len(present)] == present, "missing values come last"
    numbers = [int(value) for value in present if value not in group]
    assert numbers == sorted(numbers, reverse=descending)


@given(st.lists(texts.filter(lambda v: len(v) > 2).map(lambda v: v[:3]), min_size=1, max_size=8), st.booleans())
def test_finding_visits_every_cell_once(rows: list[list[str]], backwards: bool) -> None:
    table = Table(tuple(Column.from_texts(f"c{i}", list(column)) for i, column in enumerate(zip(*rows, strict=True))))
    order = np.arange(len(rows))[::-1].copy()
    found = search(table, "a")
    cells = [(r, c) for r, row in enumerate(rows[::-1]) for c, value in enumerate(row) if "a" in value.casefold()]
    assert found.cells == len(cells)
    at: tuple[int, int] = (0, -1)
    visited = []
    for _ in cells:
        place = next_cell(table, order, found, at, backwards=backwards)
        assert place is not None
        visited.append(place)
        at = place
    assert visited == (cells[::-1] if backwards else cells)
    if not cells:
        assert next_cell(table, order, found, at, backwards=backwards) is None


def test_values_are_counted_by_number_or_by_value() -> None:
    column = Column.from_texts("x", ["10", "9", "9", "b"]).take(np.array([0, 1, 2]))
    spec = ColumnSpec("x", Kind.INTEGER)
    assert [column.values[code] for code in counted_values(column, spec, by_value=False)] == ["9", "10"]
    assert [column.values[code] for code in counted_values(column, spec, by_value=True)] == ["9", "10"]
    assert [column.values[code] for code in counted_values(column, spec, by_value=True, text="0")] == ["10"]
