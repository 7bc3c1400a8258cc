"""Data in an engine in the other rooms: releases, parts of files, and columns of very many values."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.engines.helpers import DUCK, ROWS, settle
from tests.gui.helpers import OnScreen
from workbench.core.hierarchy import Hierarchy
from workbench.core.working_table import Preparation
from workbench.engines import opening
from workbench.gui.document import Document
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.release.export_panel import ExportPanel
from workbench.session import Session


@pytest.mark.usefixtures("sampling")
class TestARelease:
    @pytest.fixture
    def ready(self, qtbot: QtBot, document: Document, on_screen: OnScreen, people: Path) -> AnonymiseWorkspace:
        made = on_screen(AnonymiseWorkspace(document))
        document.open_data(people, engine=DUCK)
        settle(qtbot, document)
        ages = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
        cities = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])

        def attach(session: Session) -> None:
            session.data.attach_hierarchy("age", ages)
            session.data.attach_hierarchy("city", cities)
            session.release.columns.set_level("age", 1)
            session.release.columns.set_level("city", 0)

        document.apply("attach", attach)
        settle(qtbot, document)
        return made

    def test_it_is_shown_alone_with_the_reason_and_can_be_written(
        self, qtbot: QtBot, ready: AnonymiseWorkspace, errors: list[BaseException], tmp_path: Path
    ) -> None:
        document = ready.document
        ready.run()
        settle(qtbot, document)
        document.look(publish=True)
        settle(qtbot, document)
        comparison = ready.result.table
        assert document.session.release.result is not None and not errors
        shown = comparison.view.lines
        assert "DuckDB" in comparison.note.full_text and not comparison.one_by_one.isVisible()
        rows = [[str(shown.data(shown.index(row, column))) for column in range(3)] for row in range(shown.rowCount())]
        result = document.session.release.result
        assert sum(int(count.replace(",", "")) for count, _, _ in rows) == result.outcome.rows_out
        assert all(age.endswith("0s") and city in ("Bern", "Basel", "Chur") for _, age, city in rows)
        target = tmp_path / "release.csv"
        document.export(target, None)
        settle(qtbot, document)
        assert not errors
        assert len(target.read_text().splitlines()) == document.session.release.result.outcome.rows_out + 1

    def test_without_memory_for_rows_nothing_fails(
        self, qtbot: QtBot, ready: AnonymiseWorkspace, errors: list[BaseException]
    ) -> None:
        ready.document.engines.budget.limit = 1000
        ready.run()
        settle(qtbot, ready.document)
        for page in range(ready.result.tabs.count()):
            ready.result.tabs.setCurrentIndex(page)
            settle(qtbot, ready.document)
        assert not errors and ready.document.session.release.result is not None

    def test_which_rows_take_part_is_worked_out_beside_the_window(
        self, qtbot: QtBot, ready: AnonymiseWorkspace, errors: list[BaseException]
    ) -> None:
        document = ready.document
        document.apply("filter", lambda session: session.data.set_preparation(Preparation(where="age >= 40")))
        ready.status()
        settle(qtbot, document)
        prepared = document.session.data.prepared
        assert not errors and prepared is not None and 0 < prepared.table.rows < ROWS
        assert not prepared.table.in_memory

    def test_it_can_be_written_in_parts(
        self, qtbot: QtBot, ready: AnonymiseWorkspace, errors: list[BaseException], tmp_path: Path
    ) -> None:
        ready.run()
        settle(qtbot, ready.document)
        folder = tmp_path / "release"
        ready.document.export(folder, tmp_path / "statement.html", parts=True)
        settle(qtbot, ready.document)
        result = ready.document.session.release.result
        assert not errors and result is not None and folder.is_dir()
        lines = [line for part in sorted(folder.glob("*.csv")) for line in part.read_text().splitlines()[1:]]
        assert len(lines) == result.outcome.rows_out > 0


class TestParts:
    def test_a_folder_has_no_ending_and_a_file_has_that_of_its_kind(
        self, document: Document, on_screen: OnScreen
    ) -> None:
        panel = on_screen(ExportPanel(document))
        panel.file.setText("/data/people.v2.csv")
        panel.parts.setChecked(True)
        assert panel.file.text() == "/data/people.v2"
        panel.file_style.form.choose("parquet")
        panel.file_style.form.activated.emit(panel.file_style.form.currentIndex())
        assert panel.file.text() == "/data/people.v2" and panel.file_style.chosen.form == "parquet"
        panel.parts.setChecked(False)
        assert panel.file.text() == "/data/people.v2.parquet"
        panel.parts.setChecked(True)
        panel.file_style.form.choose("xlsx")
        panel.file_style.form.activated.emit(panel.file_style.form.currentIndex())
        assert not panel.parts.isEnabled() and not panel.parts.isChecked()


class TestTheOtherRooms:
    @pytest.fixture
    def many(self, qtbot: QtBot, document: Document, people: Path, monkeypatch: pytest.MonkeyPatch) -> Document:
        """The people, with more persons than DuckDB is to list."""
        monkeypatch.setattr(opening, "MOST_VALUES", 1000)
        document.open_data(people, engine=DUCK)
        settle(qtbot, document)
        return document

    def test_a_column_without_a_list_of_values_has_no_hierarchy_and_the_room_says_why(
        self, qtbot: QtBot, many: Document, on_screen: OnScreen, errors: list[BaseException]
    ) -> None:
        room = on_screen(HierarchiesWorkspace(many))
        room.attributes.pick("person")
        settle(qtbot, many)
        assert room.unlisted.isVisible() and "different values" in room.unlisted.words.text()
        room.attributes.pick("age")
        settle(qtbot, many)
        assert room.unlisted.isHidden() and not errors

    def test_such_a_column_can_be_chosen_in_collect_without_a_failure(
        self, qtbot: QtBot, many: Document, on_screen: OnScreen
    ) -> None:
        room = on_screen(CollectWorkspace(many))
        room.status()
        settle(qtbot, many)
        column = room.question.column
        column.setCurrentIndex(column.findData("person"))
        column.activated.emit(column.currentIndex())
        room.status()
        settle(qtbot, many)
        assert many.project.collect.column == "person"
