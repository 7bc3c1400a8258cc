"""The window: how soon it is there, and how long its thread is ever busy while a million rows are worked on."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).parents[2]
ROWS = 1_000_000
AIM_MS = 50

FIRST_PAINT = """
import time
start = time.process_time()
from pathlib import Path
import sys, tempfile
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import ThemeManager
app = QApplication([])
settings = WindowSettings(Path(tempfile.mkdtemp()) / "window.json")
window = MainWindow(settings, ThemeManager(app, settings))
class Painted(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            print(time.process_time() - start, "matplotlib" in sys.modules, flush=True)
            app.quit()
        return False
painted = Painted()
window.stack.currentWidget().installEventFilter(painted)
window.show()
app.exec()
window.runner.shutdown()
"""


def first_paint() -> None:
    """Processor seconds from the first import to the first paint, best of three, in processes of their own.

    With compiled modules at hand: without them the first start takes several times as long.
    """
    found = []
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp()
    for _ in range(4):
        run = subprocess.run(
            [sys.executable, "-c", FIRST_PAINT], capture_output=True, text=True, cwd=ROOT, check=True, env=environment
        )
        seconds, charts = run.stdout.split()
        found.append(float(seconds))
        assert charts == "False", "matplotlib was imported before the first paint"
    print(f"first paint: {min(found):.2f} s of the processor (aim 0.6 s)")


class Watchdog:
    """The longest pass of the window's thread through its events, in processor time of that thread."""

    def __init__(self, app: QApplication) -> None:
        self._app = app
        self._longest = 0.0

    def once(self, what: Callable[[], object]) -> None:
        """What a click starts is a pass as well."""
        begin = time.thread_time()
        what()
        self._longest = max(self._longest, (time.thread_time() - begin) * 1000)

    def measure(self, name: str, begin: Callable[[], object], busy: Callable[[], object]) -> None:
        """Do a step of the tour, with everything that comes of it."""
        for _ in range(20):
            self._app.processEvents()
        self._longest, start = 0.0, time.perf_counter()
        self.once(begin)
        quiet = 0
        while quiet < 20:
            quiet = 0 if busy() else quiet + 1
            self.once(self._app.processEvents)
            time.sleep(0.001)
        seconds = time.perf_counter() - start
        print(f"{name}: {seconds:.2f} s, longest pass {self._longest:.0f} ms (aim {AIM_MS} ms)", flush=True)


def tour() -> None:
    """The longest pass for each step of a tour of all rooms with a million rows, to the very end."""
    from PySide6.QtWidgets import QApplication

    from workbench.core.hierarchy import Hierarchy
    from workbench.gui.main_window import MainWindow
    from workbench.gui.settings import WindowSettings
    from workbench.gui.theme import Mode, ThemeManager
    from workbench.session import Session

    folder = Path(tempfile.mkdtemp())
    data = folder / "million.csv"
    with data.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow([f"c{j}" for j in range(9)])
        block = [[str((i * (j + 3) // 2) % (20 + 7 * j)) for j in range(9)] for i in range(10_000)]
        for _ in range(ROWS // len(block)):
            writer.writerows(block)
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    settings = WindowSettings(folder / "window.json")
    themes = ThemeManager(app, settings)
    themes.set_mode(Mode.LIGHT)
    window = MainWindow(settings, themes)
    window.resize(1280, 800)
    watchdog = Watchdog(app)

    def measure(name: str, begin: Callable[[], object]) -> None:
        watchdog.measure(name, begin, lambda: window.runner.jobs)

    measure("showing the window", window.show)

    watchdog.measure("making all rooms", lambda: None, window.workspaces.unbuilt)
    measure(f"opening {ROWS:,} × 9", lambda: window.open_path(data))

    def attach(session: Session) -> None:
        for j in range(9):
            values = session.data.reading.table[f"c{j}"].values
            rows = [(v, f"{int(v) // 10}x", "*") for v in values]
            session.data.attach_hierarchy(f"c{j}", Hierarchy.from_rows(rows))
            session.release.columns.set_level(f"c{j}", 1 if j < 4 else 2)

    measure("attaching nine hierarchies", lambda: window.document.apply("attach", attach))
    for key in window.workspaces:
        measure(f"looking at {key}", lambda key=key: window.show_workspace(key))
    measure(f"releasing {ROWS:,} × 9", window.document.run)
    measure("looking at release", lambda: window.show_workspace("release"))
    measure("exporting", lambda: window.document.export(folder / "out.csv", None, without_claim=True))
    measure("another theme", lambda: themes.set_mode(Mode.DARK))
    for key in window.workspaces:
        measure(f"looking at {key} again", lambda key=key: window.show_workspace(key))
    measure("undo", window.document.undo)
    window.runner.shutdown()
    begin = time.thread_time()
    window.close()
    app.processEvents()
    print(f"quitting: {(time.thread_time() - begin) * 1000:.0f} ms (aim {AIM_MS} ms)")


def rooms() -> None:
    """Processor time of the GUI thread for each step of making a room, and for another theme with all of them made.

    The old way, one stylesheet for the application, is measured beside it in the same process, and in turns.
    """
    from PySide6.QtWidgets import QApplication

    from workbench.gui.main_window import MainWindow
    from workbench.gui.settings import WindowSettings
    from workbench.gui.stylesheet import build_stylesheet
    from workbench.gui.theme import DARK, LIGHT, Mode, ThemeManager

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    settings = WindowSettings(Path(tempfile.mkdtemp()) / "window.json")
    themes = ThemeManager(app, settings)
    themes.set_mode(Mode.LIGHT)
    window = MainWindow(settings, themes)
    window.resize(1280, 800)
    window.show()

    def cost(what: Callable[[], object]) -> float:
        begin = time.thread_time()
        what()
        return (time.thread_time() - begin) * 1000

    def rest() -> None:
        for _ in range(20):
            app.processEvents()

    rest()
    while waiting := window.workspaces.unbuilt():
        steps = []
        while waiting[0].key not in window.workspaces.built():
            steps.append(cost(window.workspaces.advance))
            steps.append(cost(app.processEvents))
        print(f"making {waiting[0].key}: at most {max(steps):.0f} ms a step (aim 50 ms)")
    for key in window.workspaces:
        window.show_workspace(key)
        rest()
    window.show_workspace("data")
    rest()
    for mode in (Mode.DARK, Mode.LIGHT, Mode.DARK):
        print(f"another theme, as far as it is seen: {cost(lambda mode=mode: (themes.set_mode(mode), rest())):.0f} ms")
        app.setStyleSheet(build_stylesheet(themes.theme))
        sheet = build_stylesheet(LIGHT if themes.theme is DARK else DARK)
        print(f"with one sheet for the application: {cost(lambda sheet=sheet: app.setStyleSheet(sheet)):.0f} ms")
        app.setStyleSheet("")
    window.runner.shutdown()
    window.close()


def main() -> None:
    rooms()
    first_paint()
    tour()


if __name__ == "__main__":
    main()
