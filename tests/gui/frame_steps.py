"""Opens a table in the window, and waits for it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from workbench.core.paths import sample_data
from workbench.gui.main_window import MainWindow

AGES = sample_data() / "ages.csv"
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def all_settled(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: all(room.settled for room in window.workspaces.values()), timeout=PATIENCE_MS)


def open_file(qtbot: QtBot, window: MainWindow, path: Path = AGES) -> None:
    window.open_path(path)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    all_settled(qtbot, window)
