"""The start page has the releases that were made lately, by what lies beside the tables that were open."""

from __future__ import annotations

import os
import time
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from workbench.core.paths import sample_data
from workbench.core.progress import SILENT
from workbench.gui.known_releases import CheckFound, known_releases
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import WindowSettings
from workbench.gui.verify_dialog import VerifyDialog
from workbench.gui.widgets.eliding_button import ElidingButton
from workbench.project.lately import LatelyReleased, lately_released
from workbench.project.names_beside import FOLDER
from workbench.report.recheck import Rechecked
from workbench.session.verifying.verified import Verified


def written(folder: Path, name: str, beside: str, when: float) -> Path:
    """A file with a page or note of that name beside it, written at this time."""
    folder.mkdir(exist_ok=True)
    (folder / beside).write_text("", encoding="utf-8")
    path = folder / name
    path.write_text("age\n20s\n", encoding="utf-8")
    os.utime(path, (when, when))
    return path


def test_releases_are_known_by_what_lies_beside_them_and_the_newest_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "staff.csv"
    table.write_text("age\n20\n", encoding="utf-8")
    first = written(tmp_path, "old_release.csv", "old_release_statement.html", 1e9)
    other = written(tmp_path / FOLDER, "staff_release.parquet", "staff_release_parquet_metadata.json", 1.2e9)
    last = written(tmp_path / FOLDER, "staff_release.csv", "staff_release_statement.html", 1.1e9 + 5e8)
    (tmp_path / FOLDER / "alone_release.csv").write_text("", encoding="utf-8")
    found = lately_released([table, tmp_path / "another.csv"], 9)(SILENT)
    assert [one.path for one in found] == [last, other, first], "nothing twice, and no table without a statement"
    assert [one.path for one in lately_released([table], 1)(SILENT)] == [last]
    assert lately_released([tmp_path / "gone" / "x.csv"], 9)(SILENT) == ()
    away = tmp_path / "own" / "x.csv"
    assert lately_released([table], 9, [away])(SILENT) == tuple(found), "what is gone is not listed"
    written(away.parent, "x.csv", "x_statement.html", 1.3e9)
    listed = lately_released([table], 1, [away, other])(SILENT)
    assert [one.path for one in listed] == [last, away, other], "what was exported is listed wherever it is, and once"
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    (sample,) = sample_data().glob("ages.csv")
    assert len(lately_released([sample], 9)(SILENT)) == 3, "what is made of samples lies in the home folder"


def test_a_release_is_found_on_the_start_page_and_verified_from_there(
    qtbot: QtBot, window: MainWindow, settings: WindowSettings, tmp_path: Path
) -> None:
    def lines() -> list[QPushButton]:
        return [one for one in window.start.made.findChildren(QPushButton) if one.isVisible()]

    table = tmp_path / "staff.csv"
    table.write_text("age\n20\n", encoding="utf-8")
    settings.add_recent(table)
    window.show_start()
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)
    assert not window.start.made.isVisible() and lines() == []
    path = written(tmp_path / FOLDER, "staff_release.csv", "staff_release_statement.html", 1.2e9)
    window.document.exported.emit(path)
    window.start.refresh()
    qtbot.waitUntil(lambda: len(lines()) == 1, timeout=PATIENCE_MS)
    (line,) = lines()
    assert line.text() == "staff_release.csv · 2008-01-10" and str(path) in line.toolTip()
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    dialog = window.findChild(VerifyDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.name.full_text == path.name and not window.runner.jobs, timeout=PATIENCE_MS)
    dialog.reject()
    for more in range(5):
        written(tmp_path / FOLDER, f"staff_{more}.csv", f"staff_{more}_statement.html", 1.1e9 + more)
    window.start.refresh()
    qtbot.waitUntil(lambda: len(lines()) == 4, timeout=PATIENCE_MS)
    assert window.start.made.more.isVisible()
    assert shown(window)[0].startswith("staff_release.csv"), "the newest come first"
    path.unlink()
    for more in range(5):
        (tmp_path / FOLDER / f"staff_{more}.csv").unlink()
    window.start.refresh()
    qtbot.waitUntil(lambda: not window.start.made.isVisible(), timeout=PATIENCE_MS)


def shown(window: MainWindow) -> list[str]:
    """What the lines say, from above."""
    lines = (one for one in window.start.made.findChildren(ElidingButton) if not one.isHidden())
    return [one.words for one in sorted(lines, key=lambda one: one.mapTo(window, QPoint(0, 0)).y())]


def checked(path: Path, *, holds: bool) -> Verified:
    """What a check of a file comes to, as far as the start page is concerned."""
    found = SimpleNamespace(holds=holds)
    return Verified((path,), "", cast(Rechecked, found), None, original=False)


def test_own_releases_come_first_and_what_failed_a_check_comes_last_and_says_so(
    qtbot: QtBot, window: MainWindow, settings: WindowSettings, tmp_path: Path
) -> None:
    table = tmp_path / "staff.csv"
    table.write_text("age\n20\n", encoding="utf-8")
    settings.add_recent(table)
    own = written(tmp_path / FOLDER, "staff_release.csv", "staff_release_statement.html", 1.1e9)
    received = written(tmp_path, "other_release.csv", "other_release_statement.html", 1.2e9)
    forged = written(tmp_path, "staff_release.csv", "staff_release_statement.html", 1.3e9)
    window.document.exported.emit(own)
    window.document.verified.emit(checked(forged, holds=False))
    window.show_start()
    qtbot.waitUntil(lambda: len(shown(window)) == 3, timeout=PATIENCE_MS)
    assert shown(window) == [
        f"staff_release.csv in {FOLDER} · 2004-11-09",
        "Found: other_release.csv · not exported here",
        f"Found: staff_release.csv in {tmp_path.name} · not what is stated",
    ], "two of one name are told apart by their folders"
    known = known_releases(settings, lately_released([table], 9)(SILENT))
    assert [one.standing for one in known] == [CheckFound.HOLDS, CheckFound.UNKNOWN, CheckFound.FAILED]
    window.document.verified.emit(checked(own, holds=False))
    known = known_releases(settings, lately_released([table], 9)(SILENT))
    assert known[0].path == received, "an own one that was tampered with is none to hand over"
    later = time.time() + 60
    os.utime(own, (later, later))
    known = known_releases(settings, lately_released([table], 9)(SILENT))
    assert (known[0].path, known[0].standing) == (own, CheckFound.UNKNOWN), "it was changed since, and nobody looked"
    window.forget_recent()
    assert settings.value("releases") is None, "nothing of it is kept on"


def test_releases_without_a_line_are_listed_behind_one(
    qtbot: QtBot, window: MainWindow, settings: WindowSettings, tmp_path: Path
) -> None:
    table = tmp_path / "staff.csv"
    table.write_text("age\n20\n", encoding="utf-8")
    settings.add_recent(table)
    paths = [written(tmp_path / FOLDER, f"r{i}.csv", f"r{i}_statement.html", 1.1e9 + 86_400 * i) for i in range(6)]
    window.show_start()
    qtbot.waitUntil(lambda: len(shown(window)) == 4, timeout=PATIENCE_MS)
    assert shown(window)[0].startswith("Found: r5.csv") and shown(window)[-1] == "3 more"
    window.start.made.more.click()
    (menu,) = [one for one in window.start.made.findChildren(QMenu) if one.isVisible()]
    assert [one.text().split(" ")[1] for one in menu.actions()] == ["r2.csv", "r1.csv", "r0.csv"]
    menu.actions()[0].trigger()
    menu.close()
    dialog = window.findChild(VerifyDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.name.full_text == paths[2].name and not window.runner.jobs, timeout=PATIENCE_MS)
    dialog.reject()


def test_an_exported_file_is_an_own_release(settings: WindowSettings, tmp_path: Path) -> None:
    """Also when it is read back by another window that was started later, and notes that somebody edited are none."""
    path = tmp_path / "x.csv"
    settings.set_value("releases", {str(path): {"own": True, "when": "soon", "holds": True}, "y": 3})
    one = LatelyReleased(path, datetime.fromtimestamp(1e9))
    again = WindowSettings(settings.path)
    assert [(found.own, found.standing) for found in known_releases(again, [one])] == [(True, CheckFound.UNKNOWN)]
    settings.set_value("releases", ["x"])
    assert [found.own for found in known_releases(settings, [one])] == [False]


def test_a_received_file_is_looked_for_first_where_the_newest_own_release_lies(
    qtbot: QtBot, window: MainWindow, settings: WindowSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the tables nothing lies that could be checked."""
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (asked.append(given[2]), ("", ""))[1])
    table = tmp_path / "staff.csv"
    table.write_text("age\n20\n", encoding="utf-8")
    settings.add_recent(table)
    window.verify_file().reject()
    path = written(tmp_path / FOLDER, "staff_release.csv", "staff_release_statement.html", 1.2e9)
    written(tmp_path / FOLDER, "other_release.csv", "other_release_statement.html", 1.3e9)
    window.document.exported.emit(path)
    window.show_start()
    window.start.refresh()
    qtbot.waitUntil(lambda: len(shown(window)) == 2, timeout=PATIENCE_MS)
    window.verify_file().reject()
    assert asked == [str(tmp_path), str(path)]


def test_what_was_exported_to_any_folder_is_listed_and_what_lies_beside_a_table_does_not_look_like_it(
    qtbot: QtBot, window: MainWindow, settings: WindowSettings, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    table = tmp_path / "data" / "staff.csv"
    table.write_text("age\n20\n", encoding="utf-8")
    settings.add_recent(table)
    left = written(table.parent, "staff_release.csv", "staff_release_statement.html", 1.2e9)
    own = written(tmp_path / "mine", "staff_release.csv", "staff_release_statement.html", 1.1e9)
    window.document.exported.emit(own)
    window.show_start()
    qtbot.waitUntil(lambda: len(shown(window)) == 2, timeout=PATIENCE_MS)
    assert shown(window) == [
        "staff_release.csv in mine · 2004-11-09",
        "Found: staff_release.csv in data · not exported here",
    ]
    lines = {one.toolTip().partition("\n")[0]: one for one in window.start.made.findChildren(ElidingButton)}
    assert "No window of this program exported it" in lines[f"Check {left}"].toolTip()
    assert lines[f"Check {own}"].toolTip() == f"Check {own}"
    window.document.exported.emit(left)
    window.start.refresh()
    newest = ["staff_release.csv in data · 2008-01-10"]
    qtbot.waitUntil(lambda: shown(window)[:1] == newest, timeout=PATIENCE_MS)
