"""The dialog of engine and memory, and what it keeps."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.engines.helpers import DUCK, pyspark, settle
from tests.gui.helpers import PATIENCE_MS, OnScreen, RecordingBar, click
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.engines.budget import LEAST, MemoryBudget, usual_limit
from workbench.engines.choice import EngineChoice
from workbench.gui.engine_chip import EngineChip
from workbench.gui.engine_dialog import EngineDialog
from workbench.gui.engines import Engines
from workbench.gui.settings import WindowSettings
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.data import DataWorkspace
from workbench.io.missing_package import install_command


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


def test_an_error_about_memory_leads_to_the_budget(qtbot: QtBot, messages: RecordingBar) -> None:
    asked: list[int] = []
    messages.offer_way_out("memory", "Engine and memory…", lambda: asked.append(1))
    plain = messages.show_error(WorkbenchError("It went wrong.", field="data"))
    assert not plain._actions
    shown = messages.show_error(WorkbenchError("It does not fit.", field="memory"))
    shown._act()
    assert asked == [1]
