"""Data in an engine, through the window: opening, looking at it, and what each room does with it."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, RecordingBar, click
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Progress
from workbench.core.working_table import Preparation
from workbench.engines import opening
from workbench.engines.budget import LEAST, MemoryBudget, usual_limit
from workbench.engines.choice import DUCKDB, EngineChoice
from workbench.engines.duckdb_store import DuckStore
from workbench.gui import engines as engines_module
from workbench.gui.document import Document
from workbench.gui.engine_chip import EngineChip
from workbench.gui.engine_dialog import EngineDialog
from workbench.gui.engines import Engines
from workbench.gui.large_data import LargeData
from workbench.gui.opener import Opener
from workbench.gui.runner import Job, JobState, Runner
from workbench.gui.settings import WindowSettings
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.paged_cells import PAGE
from workbench.gui.widgets.table_view import BEING_BROUGHT, DataTableView
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.release.export_panel import ExportPanel
from workbench.io.dialect import Dialect
from workbench.io.missing_package import install_command
from workbench.project.model import DataSource, Project
from workbench.project.storage import load_project, save_project
from workbench.session import Session

ROWS = 1_500
DUCK = EngineChoice(DUCKDB)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engines") / "people.csv"
    lines = [f"P{i:05},{20 + i * 7 % 40},{('Bern', 'Basel', 'Chur')[i % 3]}" for i in range(ROWS)]
    path.write_text("person,age,city\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def nothing_of_the_engine_on_the_window_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A part of the window that lets DuckDB work while the person waits fails the test."""
    guilty: list[str] = []
    usual = DuckStore._cursor

    def cursor(store: DuckStore) -> object:
        if threading.current_thread() is threading.main_thread():
            frames = traceback.extract_stack()
            guilty.extend(f"{one.filename}:{one.lineno}" for one in frames if "workbench/gui/" in one.filename)
        return usual(store)

    monkeypatch.setattr(DuckStore, "_cursor", cursor)
    yield
    assert not guilty


@pytest.fixture
def document(messages: RecordingBar, settings: WindowSettings) -> Iterator[Document]:
    runner = Runner(messages)
    made = Document(runner, engines=Engines(settings))
    made.failed.connect(messages.show_error)
    yield made
    runner.shutdown()
    made.close()


@pytest.fixture
def opener(qtbot: QtBot, document: Document, settings: WindowSettings) -> Opener:
    window = QWidget()
    qtbot.addWidget(window)
    return Opener(document, settings, lambda question: True, window)


@pytest.fixture
def room(document: Document, on_screen: OnScreen) -> DataWorkspace:
    return on_screen(DataWorkspace(document))


@pytest.fixture
def stored(qtbot: QtBot, room: DataWorkspace, people: Path) -> DataWorkspace:
    """The Data workspace with the people in DuckDB."""
    room.document.open_data(people, engine=DUCK)
    settle(qtbot, room.document)
    return room


def settle(qtbot: QtBot, document: Document) -> None:
    QGuiApplication.processEvents()
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=PATIENCE_MS)
    QGuiApplication.processEvents()
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=PATIENCE_MS)


def asked(opener: Opener, kind: type[LargeData]) -> LargeData:
    window = opener.parent()
    assert isinstance(window, QWidget)
    return window.findChildren(kind)[-1]


def in_memory(path: Path) -> Session:
    session = Session()
    session.data.open(path)
    return session


def rows_shown(qtbot: QtBot, table: DataTableView, document: Document, first: int, count: int) -> list[list[str]]:
    """The texts at these places of the screen, once they have been brought."""
    model = table.model()
    width = model.columnCount()

    def text(row: int, column: int) -> str:
        return str(model.data(model.index(row, column)))

    for row in range(first, first + count):
        text(row, 0)
        qtbot.waitUntil(lambda row=row: text(row, 0) != BEING_BROUGHT, timeout=PATIENCE_MS)
    settle(qtbot, document)
    return [[text(row, column) for column in range(width)] for row in range(first, first + count)]


def pyspark(monkeypatch: pytest.MonkeyPatch, *, there: bool) -> None:
    """Let the window find pyspark installed, or not."""
    usual = engines_module.find_spec

    def find(name: str) -> object:
        return (name if there else None) if name == "pyspark" else usual(name)

    monkeypatch.setattr(engines_module, "find_spec", find)


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
        assert many.show_values("person") is None
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


class TestTheDialog:
    """The tests that need nothing of Spark but its package say whether it is installed, whatever is here."""

    @pytest.fixture
    def dialog(self, stored: DataWorkspace) -> EngineDialog:
        made = EngineDialog(stored.document, stored)
        made.open()
        return made

    def test_it_shows_where_the_data_is(self, dialog: EngineDialog) -> None:
        assert dialog.duckdb.isChecked() and dialog.apply.text().replace("&", "") == "Apply"
        dialog.memory.setChecked(True)
        assert dialog.apply.text().replace("&", "") == "Open the data there"

    def test_another_engine_is_told(self, qtbot: QtBot, dialog: EngineDialog) -> None:
        dialog.memory.setChecked(True)
        with qtbot.waitSignal(dialog.engine_chosen) as chosen:
            click(qtbot, dialog.apply)
        assert chosen.args == [EngineChoice()]

    @pytest.mark.parametrize(
        "text", ["spark://user:hunter2@host:7077", "sc://host:15002/;token=abc", "duckdb", "ftp:x"]
    )
    @pytest.mark.parametrize("there", [True, False], ids=["with pyspark", "without pyspark"])
    def test_credentials_and_strangers_are_refused(
        self, dialog: EngineDialog, monkeypatch: pytest.MonkeyPatch, text: str, there: bool
    ) -> None:
        pyspark(monkeypatch, there=there)
        dialog.connection.setText(text)
        assert dialog.spark.isChecked() and not dialog.apply.isEnabled() and not dialog.test.isEnabled()
        assert dialog.problem.text() and "hunter2" not in dialog.problem.text()
        dialog.connection.setText("local[2]")
        assert dialog.apply.isEnabled() == there and dialog.problem.isHidden() == there
        assert there or install_command("spark") in dialog.problem.text()

    def test_without_pyspark_its_command_is_named_and_the_others_can_be_chosen(
        self, qtbot: QtBot, dialog: EngineDialog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pyspark(monkeypatch, there=False)
        dialog.spark.setChecked(True)
        assert install_command("spark") in dialog.problem.text() and dialog.problem.isVisible()
        assert not dialog.apply.isEnabled() and not dialog.test.isEnabled()
        dialog.connection.setText("sc://host:15002")
        assert not dialog.apply.isEnabled() and not dialog.test.isEnabled()
        dialog.memory.setChecked(True)
        assert dialog.apply.isEnabled() and dialog.problem.isHidden()
        with qtbot.waitSignal(dialog.engine_chosen) as chosen:
            click(qtbot, dialog.apply)
        assert chosen.args == [EngineChoice()]

    def test_the_budget_is_a_preference_of_the_machine(
        self, qtbot: QtBot, dialog: EngineDialog, settings: WindowSettings
    ) -> None:
        dialog.budget.set_value(0.25)
        click(qtbot, dialog.apply)
        settle(qtbot, dialog._document)
        assert Engines(WindowSettings(settings.path)).limit == 250_000_000
        assert dialog._document.session.data.reading.table.store.budget.limit == 250_000_000

    def test_a_test_tells_why_nobody_answers(
        self, qtbot: QtBot, dialog: EngineDialog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def nobody(choice: EngineChoice, budget: MemoryBudget, progress: Progress) -> None:
            raise WorkbenchError("Spark cannot be reached.", hint="Check host and port.")

        monkeypatch.setattr(EngineChoice, "start", nobody)
        pyspark(monkeypatch, there=True)
        dialog.connection.setText("spark://nobody:7077")
        click(qtbot, dialog.test)
        settle(qtbot, dialog._document)
        assert dialog.answer.text() == "Spark cannot be reached. Check host and port." and dialog.test.isEnabled()

    def test_a_test_can_be_stopped(self, qtbot: QtBot, dialog: EngineDialog, monkeypatch: pytest.MonkeyPatch) -> None:
        began = threading.Event()

        def wait(choice: EngineChoice, budget: MemoryBudget, progress: Progress) -> None:
            began.set()
            while True:
                progress(0.0)
                threading.Event().wait(0.01)

        monkeypatch.setattr(EngineChoice, "start", wait)
        pyspark(monkeypatch, there=True)
        dialog.connection.setText("spark://nobody:7077")
        click(qtbot, dialog.test)
        qtbot.waitUntil(began.is_set, timeout=PATIENCE_MS)
        click(qtbot, dialog.test)
        settle(qtbot, dialog._document)
        assert dialog.answer.text() == "Stopped."

    def test_everything_is_explained(self, dialog: EngineDialog) -> None:
        keys = HelpBook().keys
        for widget in (dialog, dialog.connection, dialog.test, dialog.budget):
            assert explain_key(widget) in keys
        assert {"engine.chip", "engine.budget", "engine.spark"} <= set(keys)


class TestTheEngines:
    def test_an_engine_is_shared_while_data_is_in_it_and_ends_with_it(self, settings: WindowSettings) -> None:
        engines = Engines(settings)
        first = engines.start(DUCK)
        assert first is not None and engines.start(DUCK) is first
        first.close()
        second = engines.start(DUCK)
        assert second is not None and second is not first
        engines.close()
        assert second.closed

    @pytest.mark.parametrize("stored", ["much", -5, LEAST - 1, None])
    def test_a_budget_that_cannot_be_is_forgotten(self, settings: WindowSettings, stored: object) -> None:
        settings.set_value("memory_budget", stored)
        assert Engines(settings).limit == usual_limit()

    def test_no_credentials_are_remembered(self, settings: WindowSettings) -> None:
        engines = Engines(settings)
        engines.remember(EngineChoice("local[2]"))
        assert Engines(settings).spark == "local[2]"
        settings.set_value("spark", "spark://me:secret@host:7077")
        assert Engines(settings).spark == ""

    def test_the_chip_says_where_the_data_is(
        self, qtbot: QtBot, stored: DataWorkspace, on_screen: OnScreen, people: Path
    ) -> None:
        chip = on_screen(EngineChip(stored.document))
        chip.refresh()
        assert not chip.isHidden() and chip.text() == "DuckDB" and "DuckDB" in chip.accessibleName()
        stored.document.open_data(people)
        settle(qtbot, stored.document)
        assert chip.isHidden()


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


def test_an_error_about_memory_leads_to_the_budget(qtbot: QtBot, messages: RecordingBar) -> None:
    asked: list[int] = []
    messages.offer_way_out("memory", "Engine and memory…", lambda: asked.append(1))
    plain = messages.show_error(WorkbenchError("It went wrong.", field="data"))
    assert not plain._actions
    shown = messages.show_error(WorkbenchError("It does not fit.", field="memory"))
    shown._act()
    assert asked == [1]
