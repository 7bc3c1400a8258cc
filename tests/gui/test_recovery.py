"""Unsaved work survives a crash, and two windows do not overwrite each other's project."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from workbench.gui import recovery
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import Settings
from workbench.gui.theme import ThemeManager
from workbench.project.recovery import Slot
from workbench.project.storage import load_project
from workbench.session import Session

Window = Callable[[], MainWindow]


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """Opens main windows that keep unsaved work at once; unsaved work is discarded when they are closed."""
    monkeypatch.setattr(recovery, "AUTOSAVE_MS", 1)
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    made: list[MainWindow] = []

    def open_window() -> MainWindow:
        window = MainWindow(settings, ThemeManager(qapp, settings))
        made.append(window)
        return window

    yield open_window
    for one in made:
        one.close()
        one.deleteLater()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(50)), encoding="utf-8")
    session = Session()
    session.open(data)
    path = tmp_path / "p.wbench"
    session.save(path)
    return path


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> MainWindow:
    window.document.open_project(path)
    qtbot.waitUntil(lambda: window.document.has_data and not window.runner.jobs, timeout=10_000)
    return window


def idle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.runner.jobs and not window.recovery._later.isActive(), timeout=10_000)


def edit(qtbot: QtBot, window: MainWindow, bound: float) -> None:
    assert window.document.apply("bounds", lambda session: session.set_bounds("age", (0.0, bound)))
    idle(qtbot, window)


def press(window: MainWindow, words: str) -> None:
    next(b for b in window.messages.findChildren(QPushButton) if b.text() == words).click()


def crash(window: MainWindow) -> None:
    """What the end of a process does: its locks are gone, its files are not."""
    for lock in (window.recovery.slot._lock, window.document._place._lock):
        if lock is None:
            continue
        found = getattr(lock, "_lock", lock)
        os.close(found._descriptor)
        found._descriptor = None
    window.recovery.slot = Slot()


def test_unsaved_work_is_kept_and_gone_once_it_is_saved(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    file = one.recovery.slot.file
    idle(qtbot, one)
    assert not one.document.modified and not file.exists()
    edit(qtbot, one, 90.0)
    assert load_project(file).schema["age"].bounds == (0.0, 90.0)
    assert load_project(project).schema["age"].bounds is None
    edit(qtbot, one, 99.0)
    assert load_project(file).schema["age"].bounds == (0.0, 99.0)
    assert one.document.save(project)
    idle(qtbot, one)
    assert not file.exists()


def test_closing_leaves_nothing(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    folder = one.recovery.slot.folder
    assert list(folder.iterdir())
    one.close()
    assert not list(folder.iterdir())


def test_after_a_crash_the_work_is_offered_and_goes_on(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    crash(one)
    two = window()
    two.recovery.offer()
    (message,) = two.messages.messages
    assert "before p was saved" in message.text
    press(two, "Recover")
    qtbot.waitUntil(lambda: two.document.has_data and not two.runner.jobs, timeout=10_000)
    assert two.document.project.schema["age"].bounds == (0.0, 90.0)
    assert two.document.modified and two.document.path == project
    assert load_project(two.recovery.slot.file).schema["age"].bounds == (0.0, 90.0)
    three = window()
    three.recovery.offer()
    assert three.messages.messages == ()
    two.save()
    qtbot.waitUntil(lambda: not two.document.modified, timeout=10_000)
    assert load_project(project).schema["age"].bounds == (0.0, 90.0)


def test_discarded_work_is_not_offered_again(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    crash(one)
    two = window()
    two.recovery.offer()
    press(two, "Discard")
    assert two.messages.messages == ()
    two.recovery.offer()
    assert two.messages.messages == ()


def test_who_stays_with_unsaved_work_is_asked_again(
    qtbot: QtBot, window: Window, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    crash(one)
    two = opened(qtbot, window(), project)
    edit(qtbot, two, 50.0)
    two.recovery.offer()
    with monkeypatch.context() as context:
        context.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Cancel)
        press(two, "Recover")
    assert two.document.project.schema["age"].bounds == (0.0, 50.0)
    assert any(message.text.startswith("The program ended") for message in two.messages.messages)


def test_work_that_cannot_be_kept_is_told_once(qtbot: QtBot, window: Window, project: Path, tmp_path: Path) -> None:
    one = opened(qtbot, window(), project)
    (tmp_path / "file").write_text("", encoding="utf-8")
    one.recovery.slot = Slot(tmp_path / "file" / "recovery")
    edit(qtbot, one, 90.0)
    assert [m.text for m in one.messages.messages if "Unsaved work" in m.text]
    one.messages.clear()
    edit(qtbot, one, 91.0)
    assert one.messages.messages == ()


def test_a_second_window_is_told_and_does_not_overwrite(
    qtbot: QtBot, window: Window, project: Path, tmp_path: Path
) -> None:
    one = opened(qtbot, window(), project)
    two = opened(qtbot, window(), project)
    assert any("another window" in message.text for message in two.messages.messages)
    edit(qtbot, one, 90.0)
    edit(qtbot, two, 50.0)
    assert not two.document.save(project)
    assert one.document.save(project)
    assert not two.document.save(project)
    one.close()
    two.messages.clear()
    assert not two.document.save(project)  # it would put back what was there before
    assert "since it was opened here" in two.messages.messages[0].text
    assert load_project(project).schema["age"].bounds == (0.0, 90.0)
    assert two.document.save(tmp_path / "other.wbench")
    assert load_project(tmp_path / "other.wbench").schema["age"].bounds == (0.0, 50.0)
    three = opened(qtbot, window(), project)
    assert three.document.save(project)


def test_a_project_that_is_left_can_be_opened_elsewhere(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    one.document.new()
    two = opened(qtbot, window(), project)
    assert not [m for m in two.messages.messages if "another window" in m.text]
    assert two.document.save(project)
