"""Opening data in an engine, through the window: what is asked, and what stays open where it fails."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.engines.helpers import DUCK, ROWS, asked, settle
from tests.gui.helpers import PATIENCE_MS, click
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.engines.choice import EngineChoice
from workbench.engines.duckdb_store import DuckStore
from workbench.gui import engines as engines_module
from workbench.gui.document import Document
from workbench.gui.large_data import LargeData
from workbench.gui.opener import Opener
from workbench.gui.runner import JobState
from workbench.gui.workspaces.data import DataWorkspace
from workbench.io.dialect import Dialect
from workbench.io.missing_package import install_command
from workbench.project.model import DataSource, Project
from workbench.project.storage import load_project, save_project


class TestOpening:
    def test_data_that_fits_opens_in_memory_at_once(self, qtbot: QtBot, opener: Opener, people: Path) -> None:
        document = opener._document
        opener.open(people)
        settle(qtbot, document)
        assert document.session.data.reading.table.in_memory and document.project.data is not None
        assert document.project.data.engine == ""

    @pytest.mark.parametrize(("button", "engine"), [("duckdb", "duckdb"), ("memory", "")])
    def test_data_larger_than_the_budget_is_asked_about(
        self, qtbot: QtBot, opener: Opener, people: Path, button: str, engine: str
    ) -> None:
        document = opener._document
        document.engines.budget.limit = 10_000
        opener.open(people)
        settle(qtbot, document)
        assert not document.has_data
        question = asked(opener, LargeData)
        assert "more than the 10 kB that may be used" in question.words.text()
        assert question.duckdb.isDefault() and not question.memory.isDefault()
        click(qtbot, getattr(question, button))
        settle(qtbot, document)
        assert document.session.data.reading.table.engine == engine
        assert document.session.data.reading.table.rows == ROWS

    def test_a_larger_budget_makes_memory_the_proposal(self, qtbot: QtBot, opener: Opener, people: Path) -> None:
        document = opener._document
        document.engines.budget.limit = 10_000
        opener.open(people)
        settle(qtbot, document)
        question = asked(opener, LargeData)
        dialog = question.change_budget()
        dialog.budget.set_value(0.5)
        click(qtbot, dialog.apply)
        settle(qtbot, document)
        assert document.engines.limit == 500_000_000
        assert question.memory.isDefault() and "fits" in question.words.text()
        question.reject()
        assert not document.has_data

    def test_the_preview_proposes_the_engine_and_opens_with_it(
        self, qtbot: QtBot, opener: Opener, people: Path
    ) -> None:
        document = opener._document
        document.engines.budget.limit = 10_000
        preview = opener.preview(people)
        assert preview is not None
        settle(qtbot, document)
        assert preview.apply.text().replace("&", "") == "Open with DuckDB"
        assert not preview.in_memory.isHidden() and "more than" in preview.engine_note.text()
        click(qtbot, preview.apply)
        settle(qtbot, document)
        assert document.session.data.reading.table.engine == "duckdb"

    def test_any_data_may_go_to_duckdb(self, qtbot: QtBot, opener: Opener, people: Path) -> None:
        preview = opener.preview(people)
        assert preview is not None
        settle(qtbot, opener._document)
        assert preview.apply.text().replace("&", "") == "Open" and preview.in_memory.isHidden()
        preview.engine.setCurrentIndex(1)
        preview.engine.activated.emit(1)
        assert preview.apply.text().replace("&", "") == "Open with DuckDB"
        click(qtbot, preview.apply)
        settle(qtbot, opener._document)
        assert opener._document.session.data.reading.table.engine == "duckdb"

    def test_a_missing_package_is_named_with_the_command(
        self, qtbot: QtBot, opener: Opener, people: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(engines_module, "find_spec", lambda name: None)
        opener._document.engines.budget.limit = 10_000
        opener.open(people)
        settle(qtbot, opener._document)
        question = asked(opener, LargeData)
        assert not question.duckdb.isEnabled() and question.memory.isDefault()
        assert install_command("scale") in question.missing.text()

    def test_a_folder_of_parts_is_one_table(self, qtbot: QtBot, opener: Opener, tmp_path: Path) -> None:
        parts = tmp_path / "parts"
        parts.mkdir()
        for number in range(3):
            (parts / f"part-{number}.csv").write_text(f"a,b\n{number},x\n{number},y\n", encoding="utf-8")
        preview = opener.preview(parts)
        assert preview is not None
        settle(qtbot, opener._document)
        preview.engine.show_engine(DUCK)
        click(qtbot, preview.apply)
        settle(qtbot, opener._document)
        table = opener._document.session.data.reading.table
        assert table.page(0, 10) == [(str(n), t) for n in range(3) for t in "xy"]

    def test_a_failed_opening_leaves_what_was_open(
        self, qtbot: QtBot, stored: DataWorkspace, errors: list[BaseException], tmp_path: Path
    ) -> None:
        before = stored.document.session.data.loaded
        bad = tmp_path / "empty.csv"
        bad.write_text("", encoding="utf-8")
        stored.document.open_data(bad, engine=DUCK)
        settle(qtbot, stored.document)
        assert len(errors) == 1 and stored.document.session.data.loaded is before
        assert stored.document.session.data.reading.table.page(0, 1)[0][0] == "P00000"

    def test_a_cancelled_opening_leaves_what_was_open(
        self, qtbot: QtBot, stored: DataWorkspace, errors: list[BaseException], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        document, before = stored.document, stored.document.session.data.loaded
        began = threading.Event()
        usual = DuckStore.scan_numbered

        def slow(store: DuckStore, files: object, progress: Progress) -> object:
            began.set()
            store.fetch("SELECT count(*) AS n FROM range(1000000000000) AS r(i) WHERE i % 7 = 3", progress)
            return usual(store, files, progress)

        monkeypatch.setattr(DuckStore, "scan_numbered", slow)
        job = document.open_data(Path(document.session.data.reading.path), engine=DUCK)
        qtbot.waitUntil(began.is_set, timeout=PATIENCE_MS)
        job.cancel()
        settle(qtbot, document)
        assert job.state is JobState.CANCELLED and not errors
        assert document.session.data.loaded is before

    def test_a_project_opens_its_data_where_it_was(self, qtbot: QtBot, stored: DataWorkspace, tmp_path: Path) -> None:
        document, path = stored.document, tmp_path / "people.wbench"
        assert document.save(path)
        saved = load_project(path).data
        assert saved is not None and saved.engine == "duckdb"
        document.new()
        assert document.open_project(path)
        settle(qtbot, document)
        assert document.session.data.reading.table.engine == "duckdb"
        assert not document.modified and not document.differences

    def test_a_project_from_anybody_connects_to_nothing(
        self, qtbot: QtBot, document: Document, tmp_path: Path, people: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(EngineChoice, "start", lambda *_: pytest.fail("something was connected to"))
        source = DataSource(str(people), "0" * 64, 3, Dialect(), "1" * 64, "spark://stranger:7077")
        save_project(Project(data=source), tmp_path / "gift.wbench")
        refused: list[WorkbenchError] = []
        document.failed.connect(refused.append)
        document.open_project(tmp_path / "gift.wbench")
        qtbot.waitUntil(lambda: bool(refused), timeout=10_000)
        assert not document.runner.jobs
        assert "stranger" in refused[0].message and "trust" in refused[0].hint and refused[0].field == "engine"

    def test_going_to_another_engine_is_a_change_of_the_project(
        self, qtbot: QtBot, stored: DataWorkspace, opener: Opener, tmp_path: Path
    ) -> None:
        document = stored.document
        document.save(tmp_path / "people.wbench")
        opener.move(EngineChoice())
        settle(qtbot, document)
        assert document.session.data.reading.table.in_memory and document.modified
        assert document.project.data is not None and document.project.data.engine == ""
