"""The table of data in an engine, as the window shows it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.engines.helpers import DUCK, ROWS, in_memory, rows_shown, settle
from tests.gui.helpers import PATIENCE_MS
from workbench.core.progress import Progress
from workbench.engines import opening
from workbench.gui.runner import Job, JobState
from workbench.gui.widgets.paged_cells import PAGE
from workbench.gui.widgets.table_view import BEING_BROUGHT
from workbench.gui.workspaces.data import DataWorkspace

TOLD = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)


@pytest.mark.usefixtures("after_a_look")
class TestTheTable:
    def test_rows_are_brought_as_they_are_looked_at(self, qtbot: QtBot, stored: DataWorkspace, people: Path) -> None:
        table, expected = stored.table, in_memory(people).data.reading.table
        model = table.model()
        assert model.rowCount() == ROWS
        far = 5 * PAGE
        assert model.data(model.index(far, 0)) == BEING_BROUGHT
        for first in (far, ROWS - 3, 0):
            found = rows_shown(qtbot, table, stored.document, first, 3)
            assert found == [list(row) for row in expected.page(first, 3)]

    def test_pages_come_beside_other_jobs(self, qtbot: QtBot, stored: DataWorkspace) -> None:
        document, go_on = stored.document, threading.Event()

        def wait(progress: Progress) -> None:
            go_on.wait(PATIENCE_MS / 1000)

        jobs: list[Job] = [document.runner.start("Waiting", wait) for _ in range(document.runner._parallel + 1)]
        try:
            model = stored.table.model()
            qtbot.waitUntil(lambda: model.data(model.index(4 * PAGE, 1)) != BEING_BROUGHT, timeout=PATIENCE_MS)
            assert all(job.state in (JobState.RUNNING, JobState.WAITING) for job in jobs)
        finally:
            go_on.set()
            settle(qtbot, document)

    @pytest.mark.parametrize("descending", [False, True])
    def test_sorting_and_searching_are_as_in_memory(
        self, qtbot: QtBot, stored: DataWorkspace, people: Path, descending: bool
    ) -> None:
        panel, document = stored.panel, stored.document
        panel.sort("age", descending=descending)
        settle(qtbot, document)
        panel.filter.setText("bern")
        panel.filter.returnPressed.emit()
        settle(qtbot, document)
        rows = [row for row in in_memory(people).data.reading.table.page(0, ROWS) if row[2] == "Bern"]
        expected = sorted(rows, key=lambda row: -int(row[1]) if descending else int(row[1]))
        assert panel.model.rowCount() == len(expected)
        found = rows_shown(qtbot, panel.table, document, 300, 4)
        assert found == [list(row) for row in expected[300:304]]

    def test_a_text_is_found(self, qtbot: QtBot, stored: DataWorkspace) -> None:
        bar = stored.panel.find_bar
        bar.begin()
        bar.edit.setText("P01234")
        bar.next()
        settle(qtbot, stored.document)
        assert stored.table.currentIndex().row() == 1234 and bar.result.full_text == "in 1 cell"

    def test_what_exceeds_the_budget_is_disabled_and_says_why(self, qtbot: QtBot, stored: DataWorkspace) -> None:
        panel, engines = stored.panel, stored.document.engines
        notes: list[str] = []
        stored.document.noted.connect(lambda kind, text: notes.append(text))
        engines.budget.limit = 1000
        engines.limit_changed.emit()
        assert not panel.filter.isEnabled() and "memory" in panel.filter.toolTip()
        panel.sort("age")
        settle(qtbot, stored.document)
        assert panel.arrangement.sort_by == "" and "To sort or search 1,500 rows" in notes[-1]
        engines.budget.limit = 1 << 30
        engines.limit_changed.emit()
        assert panel.filter.isEnabled()

    def test_cells_that_are_not_here_yet_can_be_copied(self, qtbot: QtBot, stored: DataWorkspace, people: Path) -> None:
        stored.table.selectAll()
        stored.table.copy_selection(headings=True)
        settle(qtbot, stored.document)
        lines = QGuiApplication.clipboard().text().split("\n")
        expected = in_memory(people).data.reading.table.page(0, ROWS)
        assert lines == ["person\tage\tcity", *("\t".join(row) for row in expected)]

    def test_examples_and_counts_are_as_in_memory(self, qtbot: QtBot, stored: DataWorkspace, people: Path) -> None:
        def texts() -> list[list[str]]:
            model = stored.columns_model
            return [
                [str(model.data(model.index(row, column))) for column in range(model.columnCount())]
                for row in range(model.rowCount())
            ]

        there = texts()
        stored.document.open_data(people)
        settle(qtbot, stored.document)
        assert stored.document.session.data.reading.table.in_memory and texts() == there


@pytest.mark.usefixtures("after_a_look")
class TestAColumnWithVeryManyValues:
    @pytest.fixture
    def many(self, qtbot: QtBot, room: DataWorkspace, people: Path, monkeypatch: pytest.MonkeyPatch) -> DataWorkspace:
        monkeypatch.setattr(opening, "MOST_VALUES", 1000)
        room.document.open_data(people, engine=DUCK)
        settle(qtbot, room.document)
        return room

    def test_it_is_shown_and_said_to_be_so(
        self, qtbot: QtBot, many: DataWorkspace, errors: list[BaseException], people: Path
    ) -> None:
        assert rows_shown(qtbot, many.table, many.document, 1499, 1)[0][0] == "P01499"
        many.columns.select("person")
        settle(qtbot, many.document)
        assert "different values" in many.detail.unlisted.text() and not many.detail.unlisted.isHidden()
        assert many.dialogs.show_values("person") is None
        many.columns.select("age")
        assert many.detail.unlisted.isHidden()
        assert not errors

    def test_the_others_can_still_be_sorted_and_searched(self, qtbot: QtBot, many: DataWorkspace) -> None:
        many.panel.sort("age")
        settle(qtbot, many.document)
        found = rows_shown(qtbot, many.table, many.document, 0, 40)
        assert [row[1] for row in found[:37]] == ["20"] * 37 and found[0][0] == "P00000"
        many.panel.sort("")
        settle(qtbot, many.document)
        many.panel._click(0)
        assert many.panel.arrangement.sort_by == ""


def test_before_a_look_nobody_is_told_how_many_values_such_a_column_has(
    qtbot: QtBot, room: DataWorkspace, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MOST_VALUES", 1000)
    room.document.open_data(people, engine=DUCK)
    settle(qtbot, room.document)
    room.columns.select("person")
    settle(qtbot, room.document)

    def said() -> str:
        model = room.columns.model()
        cells = (model.index(0, column) for column in range(model.columnCount()))
        told = [str(model.data(cell, role)) for cell in cells for role in TOLD]
        return " ".join([*told, room.detail.unlisted.text()])

    assert "> 1,000,000" in said() and "≈" not in said() and "about" not in said()
    room.document.session.looks.take("values")
    room.document.changed.emit("file")
    settle(qtbot, room.document)
    assert "≈ 1," in said()
