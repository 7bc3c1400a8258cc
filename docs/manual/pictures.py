"""Take the pictures of the manual anew, from the real window in both themes: `python docs/manual/pictures.py`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from workbench.gui.main_window import MainWindow

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PICTURES = HERE / "pictures"
ROOMS = ("data", "hierarchies", "anonymise", "release", "query", "collect", "compare", "mechanisms")
SIZE = (1280, 800)
_COLOURS = 128
_QUIET = 1.2
_MOST = 60.0

sys.path.insert(0, str(ROOT))


def main() -> None:
    """Take them in a process for each theme: nothing of what was done in one window is seen in the next one's."""
    if sys.argv[1:]:
        _take(sys.argv[1])
    for mode in ("light", "dark"):
        subprocess.run([sys.executable, __file__, mode], check=True)


def _take(wanted: str) -> NoReturn:
    """Open a sample, release it, and go through all rooms, in one theme."""
    place = tempfile.mkdtemp()
    home = Path(tempfile.gettempdir(), "home")  # which is seen in the picture of an export
    home.mkdir(exist_ok=True)
    os.environ |= {"QT_QPA_PLATFORM": "offscreen", "WORKBENCH_LEDGERS": f"{place}/ledgers", "XDG_CONFIG_HOME": place,
                   "XDG_STATE_HOME": place, "XDG_DATA_HOME": place, "HOME": str(home)}  # fmt: skip
    from workbench.gui.main_window import MainWindow
    from workbench.gui.screen import application
    from workbench.gui.settings import WindowSettings
    from workbench.gui.theme import Mode, ThemeManager

    project = _project(Path(place))
    app = application(["workbench"])
    settings = WindowSettings(Path(place) / "window.json")
    settings.set_value("tour_offered", value=True)
    themes = ThemeManager(app, settings)
    themes.set_mode(Mode(wanted))
    window = MainWindow(settings, themes)
    window.resize(*SIZE)
    window.show()
    window.open_path(project)
    PICTURES.mkdir(exist_ok=True)
    for room in ROOMS:
        if room == "release":
            window.rail.select("anonymise")
            window.spend()  # so that there is something to be released
            _settle(app, window)
        window.rail.select(room)
        window.rail.setFocus()  # as that of whoever comes by it
        if room == "collect":
            _plan_survey(window)
        _settle(app, window)
        _keep(window, PICTURES / f"{room}-{wanted}.png", Path(place))
    shutil.rmtree(place, ignore_errors=True)
    os._exit(0)  # a window that is not closed would ask whether to save


def _plan_survey(window: MainWindow) -> None:
    """Ask for a column between typed bounds, so that the room has something to predict."""
    from workbench.ldp.encoding_choice import EncodingChoice

    asked = EncodingChoice(bounds=(0.0, 250_000.0), bins=10)
    window.document.apply(
        "Plan a survey",
        lambda session: session.collection.change(column="annual salary", encoding=asked, users=5_000),
    )


def _project(place: Path) -> Path:
    from workbench.cli.main import main as command

    samples, path = ROOT / "sample_data", place / "salaries.wbench"
    title, salary = (samples / f"baltimore_hierarchy_{name}.csv" for name in ("job_title", "annual_salary"))
    words = ["--data", samples / "baltimore_salaries.csv", "--rows-per-person", "1", "--role"]
    words += ["job title=quasi-identifying", "--role", "name=identifying", "--role", "annual salary=sensitive"]
    words += ["--role", "gross pay=sensitive", "--hierarchy", f"job title={title}"]
    words += ["--hierarchy", f"annual salary={salary}", "--quiet"]
    code = command(["project", "new", str(path), *map(str, words)])
    if code:
        raise SystemExit(code)
    return path


def _settle(app: QApplication, window: MainWindow) -> None:
    from workbench.gui.later import Later

    quiet = begun = time.monotonic()
    while time.monotonic() - quiet < _QUIET and time.monotonic() - begun < _MOST:
        app.processEvents()
        time.sleep(0.005)
        if window.document.runner.jobs or any(one.isActive() for one in window.findChildren(Later)):
            quiet = time.monotonic()


def _keep(window: MainWindow, path: Path, place: Path) -> None:
    """Keep a picture of the window with as few colours as it needs."""
    from PIL import Image

    whole = place / "whole.png"
    window.grab().save(str(whole))
    with Image.open(whole) as picture:
        picture.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main()
