"""The start page has the releases that were made lately, by what lies beside the tables that were open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from workbench.core.paths import sample_data
from workbench.core.progress import SILENT
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import WindowSettings
from workbench.gui.verify_dialog import VerifyDialog
from workbench.project.lately import lately_released
from workbench.project.names_beside import FOLDER


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
    assert lines()[0].text().startswith("staff_release.csv"), "the newest come first"
    path.unlink()
    for more in range(5):
        (tmp_path / FOLDER / f"staff_{more}.csv").unlink()
    window.start.refresh()
    qtbot.waitUntil(lambda: not window.start.made.isVisible(), timeout=PATIENCE_MS)
