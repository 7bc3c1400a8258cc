"""A document with engines, and the Data room with people in DuckDB, which must never work while the window waits."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.engines.helpers import DUCK, ROWS, settle
from tests.gui.helpers import OnScreen, RecordingBar
from workbench.engines.duckdb_store import DuckStore
from workbench.gui.document import Document
from workbench.gui.engines import Engines
from workbench.gui.opener import Opener
from workbench.gui.runner import Runner
from workbench.gui.settings import WindowSettings
from workbench.gui.workspaces.data import DataWorkspace


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
