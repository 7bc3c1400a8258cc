"""The whole path of a trimmed release in the real window: a sample, Anonymise, Run, Release, export, verify."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, no_jobs, open_file
from workbench.cli.main import main
from workbench.core.paths import sample_data
from workbench.gui.main_window import MainWindow


def open_salaries(qtbot: QtBot, window: MainWindow) -> None:
    """The sample of city salaries, with the hierarchies that lie beside it."""
    open_file(qtbot, window, sample_data() / "baltimore_salaries.csv")
    for column in ("job title", "annual salary"):
        file = sample_data() / f"baltimore_hierarchy_{column.replace(' ', '_')}.csv"
        assert window.document.apply(
            f"Attach {column}",
            lambda session, column=column, file=file: session.data.attach_hierarchy_file(column, file),
        )


@pytest.mark.parametrize("by_keyboard", [True, False])
def test_a_sample_is_run_released_and_verified_without_a_setting(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, by_keyboard: bool
) -> None:
    open_salaries(qtbot, window)
    window.show_workspace("anonymise")
    room, release = window.workspaces["anonymise"], window.workspaces["release"]
    no_jobs(qtbot, window)
    room.settle()
    no_jobs(qtbot, window)
    if by_keyboard:
        room.run_button.setFocus()
        qtbot.keyClick(room.run_button, Qt.Key.Key_Space)
    else:
        qtbot.mouseClick(room.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.document.session.release.result is not None, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    result = window.document.session.release.result
    assert result is not None
    assert result.outcome.rows_out >= 0.8 * 13_811
    window.show_workspace("release")
    no_jobs(qtbot, window)
    said = "\n".join(one.text() for one in release.findChildren(QLabel) if one.isVisibleTo(release))
    assert "k were fixed" not in said, "there is no k"
    out = tmp_path / "release.csv"
    release.export.file.setText(str(out))
    if by_keyboard:
        for tick in release.assertions.ticks:
            qtbot.keyClick(tick, Qt.Key.Key_Space)
        qtbot.keyClick(release.export.file, Qt.Key.Key_Return)
    else:
        for tick in release.assertions.ticks:
            qtbot.mouseClick(tick, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(release.export.export, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(out.exists, timeout=PATIENCE_MS)
    no_jobs(qtbot, window)
    header, *rows = out.read_text(encoding="utf-8").splitlines()
    assert header == "job title,annual salary"
    assert len(rows) == result.outcome.rows_out
    command = release.export.verify_command()
    assert main(command.split()[1:]) == 0
