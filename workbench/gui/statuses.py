"""Beside each room in the rail how far it is, and below them the next step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from workbench.gui.later import Later
from workbench.gui.next_step import HANDED_OVER, Way
from workbench.gui.widgets.rail import Rail
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.construction import Workspaces


class Statuses(QObject):
    """Asks one room after the other how far it is: each may bring itself up to date for that, which takes its time.

    Parameters
    ----------
    rail
        Where it is shown.
    rooms
        Those that are asked, once they are made.
    way
        On whose path the next step lies.
    window
        For as long as which it is shown.
    """

    def __init__(self, rail: Rail, rooms: Workspaces, way: Way, window: QObject) -> None:
        super().__init__(window)
        self._rail, self._rooms, self._way = rail, rooms, way
        self._unasked: list[str] = []
        self._asking = Later(self, self._ask)

    def follow(self, room: Workspace, later: Callable[[], object]) -> None:
        """Say the next step of a room as soon as it says another one, and the rest `later`, once its status changed."""
        room.status_changed.connect(later)
        room.step_changed.connect(partial(self._show_step_of, room))

    def _show_step_of(self, room: Workspace) -> None:
        """What the room in view names itself is named here at the same time, before the other rooms are asked."""
        if self._rail.current != room.identifier:
            return
        hint, field = room.next_hint(), room.next_field()
        if hint and field != HANDED_OVER:
            self._rail.set_next(hint, room.identifier, field)
        else:
            self._rail.set_next("")
            self.show()

    def show(self) -> None:
        """Begin with the first room."""
        self._unasked = list(self._rooms.built())
        self._asking.start()

    def clear(self) -> None:
        """Say nothing of any room."""
        for key in self._rooms:
            self._rail.set_status(key, None)
        self._rail.set_next("")

    def stop(self) -> None:
        """Ask no room any more."""
        self._asking.stop()

    def _ask(self) -> None:
        rooms = self._rooms.built()
        if self._unasked:
            key = self._unasked.pop(0)
            if key in rooms:
                self._rail.set_status(key, rooms[key].status())
            self._asking.start()
        else:
            self._rail.set_next(*self._way.step(self._rail.current, rooms))
