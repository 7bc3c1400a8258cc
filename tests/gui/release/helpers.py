"""What the tests of the Release workspace have in common."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.gui.workspaces.release import ReleaseWorkspace


def tens(provenance: Provenance) -> Hierarchy:
    return Hierarchy.from_rows(
        [(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)], provenance=provenance, origin="tens"
    )


def run(room: ReleaseWorkspace, *, said: bool = True) -> None:
    """Make a new draw, and say what its claim rests on."""
    document = room.document
    document._accept(document.session.release.anonymiser()())
    deadline = time.monotonic() + 50
    while document.runner.jobs and time.monotonic() < deadline:
        QCoreApplication.processEvents()  # until a free name was found for it
    if said:
        say(room)


def say(room: ReleaseWorkspace) -> None:
    """Say all that the claim of this draw rests on, if it has one."""
    for tick in room.assertions.ticks:
        if not tick.isChecked():
            tick.click()


def words_of(part: QWidget) -> str:
    """What is said somewhere, seen or not."""
    return "\n".join(label.text() for label in part.findChildren(QLabel))


def words(room: ReleaseWorkspace) -> str:
    return "\n".join(label.text() for label in room.findChildren(QLabel) if label.isVisibleTo(room))


def show(room: ReleaseWorkspace, page: QWidget) -> None:
    """Bring the tab with this page to the front."""
    for place in range(room.tabs.count()):
        tab = room.tabs.widget(place)
        if tab is page or tab.isAncestorOf(page):
            room.tabs.setCurrentIndex(place)


def click(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)


def questions(monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton) -> list[str]:
    """What is asked from now on, which always gets this answer."""
    asked: list[str] = []

    def ask(_: object, __: str, text: str, *___: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return answer

    monkeypatch.setattr(QMessageBox, "question", ask)
    return asked


EARLIER = "not counted here"
SAY_NOT_SO = "Say that it is not so, or that you are unsure"
"""What is pressed where “Not so, or unsure?” was opened, of the choices."""
VERIFIED = "Exported and verified: holds if what you said is true"
"""Of a file that was found to hold, by the window itself."""
