"""The rows of a room behind the one on the screen are made one at a time, and are all there for who looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.helpers import open_file
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.anonymise.columns import Columns
from workbench.gui.workspaces.anonymise.workspace import AnonymiseWorkspace

NAMES = list("abcdefg")


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    path = tmp_path / "wide.csv"
    lines = [",".join(NAMES), *(",".join(str(row % (3 + place)) for place in range(7)) for row in range(30))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def made_at_once(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each pass makes."""
    passes: list[int] = []
    show, make = Columns.show_assessment, Columns._make_one

    def counting(work: Callable[..., None]) -> Callable[..., None]:
        def counted(self: Columns, *arguments: object) -> None:
            before = len(self.rows)
            work(self, *arguments)
            passes.append(len(self.rows) - before)

        return counted

    monkeypatch.setattr(Columns, "show_assessment", counting(show))
    monkeypatch.setattr(Columns, "_make_one", counting(make))
    return passes


def test_rows_of_a_hidden_room_are_made_one_at_a_time(
    qtbot: QtBot, window: MainWindow, wide: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_workspace("anonymise")
    room = window.stack.currentWidget()
    assert isinstance(room, AnonymiseWorkspace)
    window.show_workspace("data")
    passes = made_at_once(monkeypatch)
    open_file(qtbot, window, wide)
    qtbot.waitUntil(lambda: sorted(room.columns.rows) == NAMES)
    assert max(passes) == 1
    window.show_workspace("anonymise")
    assert all(not room.columns.rows[name].isHidden() for name in NAMES)
    order = [room.columns._list.itemAt(place).widget() for place in range(len(NAMES))]
    assert order == [room.columns.rows[name] for name in NAMES]


def test_who_looks_sees_all_rows_at_once(qtbot: QtBot, window: MainWindow, wide: Path) -> None:
    open_file(qtbot, window, wide)
    window.show_workspace("anonymise")
    room = window.stack.currentWidget()
    assert isinstance(room, AnonymiseWorkspace)
    qtbot.waitUntil(lambda: list(room.columns.rows) == NAMES)
    order = [room.columns._list.itemAt(place).widget() for place in range(room.columns._list.count())]
    assert order == [room.columns.rows[name] for name in NAMES]
