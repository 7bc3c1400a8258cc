"""The effect of "Next": the step itself where that is safe, else it marks the control where it is done."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from workbench.gui.later import Later
from workbench.gui.next_step import KNOWN, RELEASED
from workbench.gui.spotlight import Spotlight
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.construction import Workspaces

_AFTER = {"data": "hierarchies", "hierarchies": "anonymise"}
"""The room after one whose step can be done apart, or that says when it is done."""
_SETTLE_MS = 120
"""A page that was just shown is laid out by then."""
_MOST_TRIES = 25
"""So often is looked for a control that cannot take the focus yet, such as a button that waits for a forecast."""


class Following(QObject):
    """Follows the next step of a window.

    Parameters
    ----------
    reach
        Shows a room with a control of it that has the focus.
    rooms
        Where the steps are done.
    window
        Over which a control is marked.
    """

    def __init__(self, reach: Callable[[str, str], object], rooms: Workspaces, window: QWidget) -> None:
        super().__init__(window)
        self._reach, self._rooms, self._window = reach, rooms, window
        self.spotlight = Spotlight(window)
        self._at = ("", "")
        self._tries = 0
        self._mark = Later(self, self._mark_control, _SETTLE_MS)

    @property
    def settled(self) -> bool:
        """Whether the control is marked by now."""
        return not self._mark.isActive()

    def follow(self, room: str, field: str) -> None:
        """Do a step, or show where it is done."""
        self.spotlight.put_out()
        seen = next((one for one in self._rooms.built().values() if one.isVisible()), None)
        if seen is not self._rooms[room] and self._rooms[room].do_apart(field, partial(self._go_on, room, seen)):
            return
        self._at, self._tries = (room, field), 0
        self._reach(room, field)
        if not self._rooms[room].do_next(field):
            self._mark.start()

    def _go_on(self, room: str, seen: QWidget | None) -> None:
        """After a step that was done: to what is left to do in its room, else to the next, if nobody left."""
        if seen is not None and not seen.isVisible():
            return
        at = room
        while at in _AFTER and not self._rooms[at].next_hint():
            at = _AFTER[at]
        field = self._rooms[at].next_field()
        self.follow(at, "run" if field in (KNOWN, RELEASED) else field)  # what spends is pressed by the person

    def attend(self, room: Workspace) -> None:
        """Mark what a room points out, and lead on from it where it says that nothing is left to do."""
        room.pointed_out.connect(self.point_out)
        room.done.connect(partial(self._go_on, room.identifier, room))

    def stop(self) -> None:
        """Mark nothing any more."""
        self._mark.stop()
        self.spotlight.put_out()

    def point_out(self, control: QWidget) -> None:
        """Give a control the focus, and mark it."""
        control.setFocus()
        self.spotlight.flash_on(control)

    def _mark_control(self) -> None:
        room, focus = self._rooms[self._at[0]], self._window.focusWidget()
        if not room.isVisible():
            return  # somebody went elsewhere
        if focus is not None and room.isAncestorOf(focus):
            self.spotlight.flash_on(focus)
        elif self._tries < _MOST_TRIES:
            self._tries += 1
            room.reach(self._at[1])
            self._mark.start()
