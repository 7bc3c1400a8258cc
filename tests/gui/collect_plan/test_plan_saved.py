"""A plan is saved at a press, and it is said that it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.collect_plan.helpers import open_modes, type_answers
from tests.gui.helpers import idle
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.session import Session


def test_a_plan_is_saved_at_a_press_and_once_it_is_said_where(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, noted = tmp_path / "survey.wbench", list[str]()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.show_workspace("collect")
    room = window.workspaces["collect"]
    assert isinstance(room, CollectWorkspace)
    idle(qtbot, room)
    type_answers(qtbot, room, "a", "b", "c")
    room.document.noted.connect(lambda _kind, words: noted.append(words))
    assert room.foot.save.isVisible() and room.foot.save.text() == "Save the plan…"
    qtbot.mouseClick(room.foot.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(noted))
    assert noted == ["The plan is saved in survey.wbench."]
    assert Session.from_file(path).collection.settings.encoding.domain == ("a", "b", "c")
    assert room.foot.save.text() == "Save the plan", "nothing is asked any more"


def test_beside_a_table_there_is_no_plan_to_save(qtbot: QtBot, room: CollectWorkspace, tmp_path: Path) -> None:
    open_modes(qtbot, room, tmp_path)
    assert room.foot.save.isHidden()
