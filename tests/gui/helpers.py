"""What the tests of the window share: a bar that remembers errors, a way onto the screen, and a person's patience."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.main_window import MainWindow
from workbench.gui.messages import Message, MessageBar
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.base import Workspace
from workbench.session import Session

PATIENCE_MS = 50_000
Shown = TypeVar("Shown", bound=QWidget)


class RecordingBar(MessageBar):
    """A message bar that also keeps the errors it was told, oldest first."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[BaseException] = []

    def show_error(self, error: BaseException) -> Message:
        self.errors.append(error)
        return super().show_error(error)


class OnScreen(Protocol):
    """Shows a widget in a window of its own, by default as large as a room of the main window at 1280 × 800."""

    def __call__(self, widget: Shown, width: int = 1016, height: int = 700) -> Shown: ...


Anonymising: TypeAlias = Callable[[Path, Callable[[Session], object]], AnonymiseWorkspace]
"""Opens a table, prepares it in one step and makes the Anonymise room; the fixture `anonymising`."""


def settled(workspace: Workspace) -> bool:
    """Whether nothing is under way.

    While no job runs, nothing is waited for but somebody who might go on typing. Nobody does: what was put off is done
    now, one thing after the other, as it would have come.
    """
    if not workspace.settled and not workspace.document.runner.jobs:
        _hurry(workspace)
    return workspace.settled


def _hurry(root: QWidget) -> bool:
    """Do the next of what was put off until a moment later, and say whether anything was."""
    waiting = [later for later in root.findChildren(Later) if later.isActive()]
    if waiting and all(later.interval() for later in waiting):  # what is done at once comes before all that
        first = min(waiting, key=Later.remainingTime)
        first.stop()
        first.timeout.emit()
    return bool(waiting)


def put_off_is_done(qtbot: QtBot, window: MainWindow, timeout: int = PATIENCE_MS) -> None:
    """Have all done that the window put off, as the rail and the strip do for a moment, and what follows from it."""
    qtbot.waitUntil(lambda: not window.runner.jobs and not _hurry(window), timeout=timeout)


def idle(qtbot: QtBot, workspace: Workspace) -> None:
    """Wait until nothing is under way; what a workspace put off until somebody looks is done at once."""
    workspace.settle()
    for _ in range(2):  # what was posted last may begin something
        qtbot.waitUntil(lambda: settled(workspace))
        QCoreApplication.processEvents()


def choose(combo: QComboBox, data: object) -> None:
    """Choose the entry with these data as a click in the list does."""
    choose_row(combo, next(row for row in range(combo.count()) if combo.itemData(row) == data))


def choose_row(combo: QComboBox, row: int) -> None:
    """Choose an entry as a click in the list does."""
    combo.setCurrentIndex(row)
    combo.activated.emit(row)


def click(qtbot: QtBot, widget: QWidget) -> None:
    """Click in the middle of a widget."""
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def press(qtbot: QtBot, workspace: Workspace, button: QWidget) -> None:
    """Click and wait for what comes of it."""
    click(qtbot, button)
    idle(qtbot, workspace)


def pick(qtbot: QtBot, workspace: Workspace, combo: QComboBox, data: object) -> None:
    """Choose the entry with these data and wait for what comes of it."""
    choose(combo, data)
    idle(qtbot, workspace)


def no_jobs(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the whole window has nothing under way."""
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)


def data_is_there(qtbot: QtBot, document: Document) -> None:
    """Wait until the table of a document is there and nothing is under way."""
    qtbot.waitUntil(lambda: document.has_data and not document.runner.jobs, timeout=PATIENCE_MS)


def open_file(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Open a table or a project in the whole window."""
    window.open_path(path)
    data_is_there(qtbot, window.document)
