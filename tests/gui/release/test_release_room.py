"""What the Release page does with the room that a window leaves it."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.release.helpers import run
from tests.gui.release.test_release_done import said_before
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.gui.workspaces.release.said_before import SaidBefore


class Counted(QObject):
    """How often something happens to a part of the window."""

    def __init__(self, watched: QObject, kind: QEvent.Type) -> None:
        super().__init__(watched)
        self.number, self._kind = 0, kind
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.number += event.type() == self._kind
        return False


def wait(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        QCoreApplication.processEvents()


def test_what_was_said_before_opens_where_it_has_room_and_then_the_page_is_at_rest(
    room: ReleaseWorkspace, tmp_path: Path
) -> None:
    said_before(room, tmp_path)
    run(room, said=False)
    assert not room.assertions.before.isHidden() and _opens(room, 1_200)
    limit = next(height for height in range(1_160, 300, -40) if not _opens(room, height))
    resizes, found = Counted(room.page.scrolled.viewport(), QEvent.Type.Resize), set[bool]()
    for height in range(limit - 20, limit + 64, 4):
        found.add(_opens(room, height))
        resizes.number = 0
        wait(0.1)
        assert resizes.number == 0, f"{resizes.number} times in 0.1 s, long after a resize to {height}"
    assert found == {True, False}, "on both sides of the limit"


def test_choices_that_are_opened_fold_nothing_else_and_move_no_line_above_them(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    """What was said before stays open: it is signed, too, and scrolls where it has no room."""
    said_before(room, tmp_path)
    run(room, said=False)
    page, before, fold = room.page, room.assertions.before, next(iter(room.assertions.folds.values()))
    assert _opens(room, next(height for height in range(400, 1_200, 20) if _opens(room, height)))
    place = fold.button.mapTo(room, QPoint())
    qtbot.mouseClick(fold.button, Qt.MouseButton.LeftButton)
    wait(0.2)
    assert before.is_open and fold.isVisible() and fold.button.mapTo(room, QPoint()) == place
    lines = fold.findChildren(QLabel)
    assert all(one.visibleRegion().boundingRect() == one.rect() for one in lines), "nothing of them is cut"
    assert page.scrolled.verticalScrollBar().maximum() > 0
    qtbot.mouseClick(fold.button, Qt.MouseButton.LeftButton)
    wait(0.2)
    assert before.is_open and fold.button.mapTo(room, QPoint()) == place
    before.button.click()
    for _ in range(2):
        qtbot.mouseClick(fold.button, Qt.MouseButton.LeftButton)
        wait(0.2)
        assert not before.is_open, "nor does it open by itself"


def test_what_a_person_opens_elsewhere_leaves_open_what_was_said_before(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    """Be the page at rest, of another height, or the window of another one by now."""
    said_before(room, tmp_path)
    run(room, said=False)
    page, before = room.page, room.assertions.before
    fold = page.checks.more
    fits = next(height for height in range(400, 1_200, 20) if _opens(room, height))
    qtbot.mouseClick(fold.button, Qt.MouseButton.LeftButton)
    wait(0.2)
    assert page.scrolled.verticalScrollBar().maximum() > 0, "now there is less room than all of it needs"
    assert before.is_open
    assert _opens(room, fits - 40), "nor does what is below a file that is ready move it"
    run(room, said=False)
    wait(0.2)
    assert not before.is_open, "for another draw it is as if nobody had opened anything"


def test_a_bar_that_comes_or_goes_is_no_reason_to_try_again_what_has_room(
    room: ReleaseWorkspace, tmp_path: Path
) -> None:
    """To try it lets one come and go by itself, and so the window would be busy for ever."""
    said_before(room, tmp_path)
    run(room, said=False)
    assert not _opens(room, next(height for height in range(1_200, 300, -40) if not _opens(room, height)))
    shown = Counted(room.assertions.before.findChildren(SaidBefore)[0], QEvent.Type.Show)
    area, seen = room.page.scrolled, list[bool]()
    inside = area.widget()
    for height in (2_000, 0, 2_000, 0):
        inside.setMinimumHeight(height)
        wait(0.1)
        seen.append(area.verticalScrollBar().isEnabled())
    assert seen == [True, False] * 2 and shown.number == 0 and not room.assertions.before.is_open


def _opens(room: ReleaseWorkspace, height: int) -> bool:
    room.resize(900, height)
    wait(0.1)
    return room.assertions.before.is_open
