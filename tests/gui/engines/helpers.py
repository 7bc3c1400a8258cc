"""Opens data in an engine as a person does, and waits for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from workbench.engines.choice import DUCKDB, EngineChoice
from workbench.gui import engines as engines_module
from workbench.gui.document import Document
from workbench.gui.large_data import LargeData
from workbench.gui.opener import Opener
from workbench.gui.widgets.table_view import BEING_BROUGHT, DataTableView
from workbench.session import Session

ROWS = 1_500
DUCK = EngineChoice(DUCKDB)


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
