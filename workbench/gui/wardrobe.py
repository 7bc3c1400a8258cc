"""Gives frame and rooms the stylesheet of a theme, rooms a step at a time, so that the window answers in between."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.gui.later import Later
from workbench.gui.runner import Runner
from workbench.gui.theme import dress, dress_a_step, is_dressed
from workbench.gui.workspaces.construction import Nursery

_GAP_MS = 40
"""Between two steps for a room that nobody sees, so that clicks come through."""


class Wardrobe(QObject):
    """Dresses frame and room in view as soon as the theme changed, and the others while nothing else is to be done.

    Who goes to a room before its turn sees it dressed as well: the window does that at once. The window itself wears no
    sheet: all rooms in it would be styled with it, seen or not.

    Parameters
    ----------
    window
        Whose dialogs are dressed with its frame.
    frame
        What is around the rooms.
    rooms
        The rooms, of which one is seen.
    runner
        While it is busy, no room is dressed that nobody sees.
    """

    def __init__(self, window: QWidget, frame: Sequence[QWidget], rooms: QStackedWidget, runner: Runner) -> None:
        super().__init__(window)
        self._window, self._frame = window, frame
        self._rooms, self._runner = rooms, runner
        self._seen = Later(self, self._dress_seen)
        self._unseen = Later(self, self._dress_unseen, _GAP_MS)

    def take_theme(self) -> None:
        """Begin with the theme in force."""
        self.dress_frame()
        # Nobody shall see it between the sheets.
        self._rooms.setUpdatesEnabled(False)
        self._seen.start()

    def dress_frame(self) -> None:
        """Style the frame and the dialogs that are open."""
        direct = self._window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        dialogs = (part for part in direct if part.isWindow() and not isinstance(part, Nursery))
        for part in (*self._frame, *dialogs):
            dress(part)

    def stop(self) -> None:
        """Leave the rooms as they are."""
        self._seen.stop()
        self._unseen.stop()

    def _dress_seen(self) -> None:
        room = self._rooms.currentWidget()
        if room is not None and not is_dressed(room):
            dress_a_step(room)
            self._seen.start()
        else:
            self._rooms.setUpdatesEnabled(True)
            self._unseen.start()

    def _dress_unseen(self) -> None:
        room = next((room for room in self._all() if not is_dressed(room)), None)
        if room is None:
            return
        if not self._runner.jobs:
            dress_a_step(room)
        self._unseen.start()

    def _all(self) -> list[QWidget]:
        return [room for place in range(self._rooms.count()) if (room := self._rooms.widget(place)) is not None]
