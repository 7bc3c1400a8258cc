"""The window: how soon it is there, and how long its thread is ever busy while a million rows are worked on."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
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


def compiled() -> dict[str, str]:
    """An environment with compiled modules at hand, as in every start but the first."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp()
    # Each module at its first import would be compiled by the window's thread, and counted as its work.
    compiling = [sys.executable, "-m", "compileall", "-q", str(ROOT / "workbench"), *map(str, _packages())]
    subprocess.run(compiling, env=environment, check=False)
    return environment


def _packages() -> list[Path]:
    """Where the libraries are that the window shows charts and tables with."""
    import matplotlib
    import numpy

    return [Path(library.__file__).parent for library in (numpy, matplotlib)]


def first_paint(environment: dict[str, str]) -> None:
    """Processor seconds from the first import to the first paint, best of three, in processes of their own."""
    found = []
    for _ in range(4):
        run = subprocess.run(
            [sys.executable, "-c", FIRST_PAINT], capture_output=True, text=True, cwd=ROOT, check=True, env=environment
        )
        seconds, charts = run.stdout.split()
        found.append(float(seconds))
        assert charts == "False", "matplotlib was imported before the first paint"
    print(f"first paint: {min(found):.2f} s of the processor (aim 0.6 s)")


class Watchdog:
    """The longest passes of the window's thread through its events, in processor time of that thread, and their cause.

    Beside it a thread looks every two milliseconds where the window's thread is, so that a pass that takes too long is
    named by what most of it was spent in.
    """

    def __init__(self, app: QApplication) -> None:
        self._app = app
        self._passes: list[tuple[float, str]] = []
        self._seen: Counter[str] = Counter()
        self._watched = threading.get_ident()
        self.worst: list[tuple[float, str]] = []
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            time.sleep(0.002)
            frame = sys._current_frames().get(self._watched)
            places = []
            while frame is not None:
                path, name = frame.f_code.co_filename, frame.f_code.co_qualname
                if "/workbench/" in path and "workbench/core/" not in path:
                    places.append(f"{path.rpartition('/workbench/')[2].removesuffix('.py')}:{name}")
                frame = frame.f_back
            # The innermost place, and from where on the window it was asked.
            self._seen[" < ".join(places[:3]) or "Qt"] += 1

    def once(self, what: Callable[[], object]) -> None:
        """What a click starts is a pass as well."""
        self._seen.clear()
        begin = time.thread_time()
        what()
        took = (time.thread_time() - begin) * 1000
        seen = Counter(self._seen)
        self._passes.append((took, "; ".join(name for name, _ in seen.most_common(2))))

    def measure(self, name: str, begin: Callable[[], object], busy: Callable[[], object]) -> None:
        """Do a step of the tour, with everything that comes of it."""
        for _ in range(20):
            self._app.processEvents()
        self._passes.clear()
        start = time.perf_counter()
        self.once(begin)
        quiet = 0
        while quiet < 20:
            quiet = 0 if busy() else quiet + 1
            self.once(self._app.processEvents)
            time.sleep(0.001)
        seconds = time.perf_counter() - start
        passes = sorted(self._passes, reverse=True)
        over = sum(took > AIM_MS for took, _ in passes)
        longest = ", ".join(f"{took:.0f}" for took, _ in passes[:3])
        print(f"{name}: {seconds:.2f} s, longest passes {longest} ms, {over} over {AIM_MS} ms", flush=True)
        for took, cause in passes[:over]:
            self.worst.append((took, f"{name}: {cause}"))

    def report(self) -> None:
        """Name the passes that took too long, the longest first."""
        print(f"passes of the window's thread over {AIM_MS} ms: {len(self.worst)}")
        for took, cause in sorted(self.worst, reverse=True):
            print(f"  {took:.0f} ms  {cause}")


def tour() -> None:
    """The longest pass for each step of a tour of all rooms with a million rows, to the very end."""
    from PySide6.QtWidgets import QApplication, QMessageBox

    from workbench.core.hierarchy import Hierarchy
    from workbench.gui.main_window import MainWindow
    from workbench.gui.settings import WindowSettings
    from workbench.gui.theme import Mode, ThemeManager, is_dressed
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
        measure(f"looking at {key}", partial(window.show_workspace, key))
    measure(f"releasing {ROWS:,} × 9", window.document.run)
    measure("looking at release", lambda: window.show_workspace("release"))
    measure("exporting", lambda: window.document.export(folder / "out.csv", None, without_claim=True))
    watchdog.measure(
        "another theme",
        lambda: themes.set_mode(Mode.DARK),
        lambda: window.runner.jobs or not all(map(is_dressed, window.workspaces.built().values())),
    )

    def back_and_on() -> None:
        themes.set_mode(Mode.LIGHT)
        window.show_workspace("compare")

    measure("the theme back, and a room at once", back_and_on)
    for key in window.workspaces:
        measure(f"looking at {key} again", partial(window.show_workspace, key))
    measure("undo", window.document.undo_stack.undo)
    QMessageBox.question = lambda *_: QMessageBox.StandardButton.Discard  # type: ignore[method-assign]
    measure("quitting", window.close)
    watchdog.report()


def main() -> None:
    environment = compiled()
    first_paint(environment)
    subprocess.run([sys.executable, __file__, "tour"], cwd=ROOT, check=True, env=environment)


if __name__ == "__main__":
    tour() if "tour" in sys.argv[1:] else main()
