"""Gives rooms the stylesheet of another theme, a step at a time, so that the window answers in between."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.gui.later import Later
from workbench.gui.runner import Runner
from workbench.gui.theme import dress_a_step, is_dressed

_GAP_MS = 40
"""Between two steps for a room that nobody sees, so that clicks come through."""


class Wardrobe(QObject):
    """Dresses the room in view as soon as the theme changed, and the others while nothing else is to be done.

    Who goes to a room before its turn sees it dressed as well: the window does that at once.

    Parameters
    ----------
    rooms
        The rooms, of which one is seen.
    runner
        While it is busy, no room is dressed that nobody sees.
    """

    def __init__(self, rooms: QStackedWidget, runner: Runner) -> None:
        super().__init__(rooms)
        self._rooms, self._runner = rooms, runner
        self._seen = Later(self, self._dress_seen)
        self._unseen = Later(self, self._dress_unseen, _GAP_MS)

    def take_theme(self) -> None:
        """Begin with the theme in force."""
        # Nobody shall see it between the sheets.
        self._rooms.setUpdatesEnabled(False)
        self._seen.start()

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
