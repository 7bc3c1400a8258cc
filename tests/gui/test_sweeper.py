"""The window's thread lets unreachable objects go, whichever thread made them."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.core.paths import sample_data
from workbench.gui import sweeper as sweeping
from workbench.gui.sweeper import Sweeper

CLOSED = """
import gc, sys, weakref
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from workbench.gui.app import run
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces import ROOMS

application, held, rooms, waits = QApplication([]), [], [room.key for room in ROOMS], iter(range(400))

def step():
    [window] = [one for one in application.topLevelWidgets() if isinstance(one, MainWindow)]
    if held:
        if held[0]() is None:
            application.exit(0 if gc.get_freeze_count() > 30_000 else 2)  # no look goes through what modules hold
        elif next(waits, None) is None:
            application.exit(1)
    elif window.document.has_data and not window.runner.jobs:
        if rooms:
            window.show_workspace(rooms.pop())
            return
        held.append(weakref.ref(window.document.session.data.loaded.reading.table))
        window.document.new()

timer = QTimer()
timer.timeout.connect(step)
timer.start(50)
sys.exit(run([sys.argv[1]]))
"""


class Knot:
    """An object that only a search for cycles finds to be unreachable."""

    def __init__(self) -> None:
        self.own = self


def test_what_a_job_leaves_is_let_go_on_the_window_s_thread(qtbot: QtBot) -> None:
    sweeper = Sweeper()
    gone: list[int] = []

    def job() -> None:
        weakref.finalize(Knot(), lambda: gone.append(threading.get_ident()))
        kept.extend([] for _ in range(20 * gc.get_threshold()[0]))

    kept: list[list[int]] = []
    thread = threading.Thread(target=job)
    thread.start()
    thread.join()
    assert not gone and not gc.isenabled()
    qtbot.waitUntil(lambda: bool(gone), timeout=60_000)
    assert gone == [threading.get_ident()]
    sweeper.stop()
    assert gc.isenabled()


def test_what_was_let_go_is_given_back_to_the_system(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def give_back() -> bool:
        asked.append(threading.get_ident())
        return len(asked) > 2  # as though it had been done a moment ago

    monkeypatch.setattr(sweeping, "give_back", give_back)
    gc.collect()
    sweeper = Sweeper()
    made = [[] for _ in range(20 * gc.get_threshold()[0])]
    qtbot.waitUntil(lambda: len(asked) > 2, timeout=60_000)
    sweeper.stop()
    assert made


def test_what_belonged_to_data_that_was_closed_is_let_go_soon(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few objects there are: one of them may be a large table."""
    monkeypatch.setattr(sweeping, "_AFTER_MS", 50)
    sweeper = Sweeper()
    table = Knot()
    held = weakref.ref(table)
    gc.collect()  # it is old by now
    del table
    made = [[] for _ in range(20 * gc.get_threshold()[0])]
    sweeper.heed("file")
    sweeper.heed("data")
    qtbot.wait(600)
    assert held() is not None, "nothing was closed yet"
    sweeper.heed("data")
    qtbot.waitUntil(lambda: held() is None, timeout=60_000)
    sweeper.stop()
    assert made


@pytest.mark.timeout(180)
def test_a_table_is_let_go_when_its_project_is_closed(private_home: Path) -> None:
    """Although rooms that are gone hold it in circles, and although nothing else happens in the window."""
    program = [sys.executable, "-c", CLOSED, str(sample_data() / "nba_salaries.csv")]
    subprocess.run(program, check=True, timeout=170)
