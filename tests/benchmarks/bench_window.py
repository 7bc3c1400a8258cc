"""The window: how soon it is there, and whether it ever stands still while a million rows are worked on."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).parents[2]
ROWS = 1_000_000
BEAT_MS = 5

FIRST_PAINT = """
import time
from itertools import pairwise
start = time.perf_counter()
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
            print(time.perf_counter() - start, "matplotlib" in sys.modules, flush=True)
            app.quit()
        return False
painted = Painted()
window.stack.currentWidget().installEventFilter(painted)
window.show()
app.exec()
window.runner.shutdown()
"""


def first_paint() -> None:
    """Seconds from the first import to the first paint, best of three, in processes of their own."""
    found = []
    for _ in range(3):
        run = subprocess.run(
            [sys.executable, "-c", FIRST_PAINT], capture_output=True, text=True, cwd=ROOT, check=True, env=os.environ
        )
        seconds, charts = run.stdout.split()
        found.append(float(seconds))
        assert charts == "False", "matplotlib was imported before the first paint"
    print(f"first paint: {min(found):.2f} s (aim 1 s)")


def stalls() -> None:
    """The longest gap between two beats of a timer on the GUI thread, for each step of the main job."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from workbench.core.hierarchy import Hierarchy
    from workbench.gui.main_window import MainWindow
    from workbench.gui.settings import WindowSettings
    from workbench.gui.theme import ThemeManager
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
    window = MainWindow(settings, ThemeManager(app, settings))
    window.resize(1280, 800)
    window.show()
    while window.workspaces.unbuilt():
        app.processEvents()
    beats = [time.perf_counter()]
    timer = QTimer()
    timer.setInterval(BEAT_MS)
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start()

    def measure(what: str, begin: object) -> None:
        for _ in range(20):
            app.processEvents()
        beats[:] = [time.perf_counter()]
        begin()  # type: ignore[operator]
        while window.runner.jobs:
            app.processEvents()
        app.processEvents()
        seconds = beats[-1] - beats[0]
        gap = max((b - a for a, b in pairwise(beats)), default=0.0)
        print(f"{what}: {seconds:.2f} s, longest stall {gap * 1000:.0f} ms (aim 50 ms)")

    measure(f"opening {ROWS:,} × 9", lambda: window.open_path(data))

    def attach(session: Session) -> None:
        for j in range(9):
            values = session.data.reading.table[f"c{j}"].values
            rows = [(v, f"{int(v) // 10}x", "*") for v in values]
            session.data.attach_hierarchy(f"c{j}", Hierarchy.from_rows(rows))
            session.release.columns.set_level(f"c{j}", 1 if j < 4 else 2)

    measure("attaching nine hierarchies", lambda: window.document.apply("attach", attach))
    measure("looking at Anonymise", lambda: window.show_workspace("anonymise"))
    measure(f"releasing {ROWS:,} × 9", window.run)
    measure("looking at Release", lambda: window.show_workspace("release"))
    measure("exporting", lambda: window.document.export(folder / "out.csv", None, without_claim=True))
    timer.stop()
    window.runner.shutdown()


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
    stalls()


if __name__ == "__main__":
    main()
