"""The effect of "Next": the step itself where that is safe, else it marks the control where it is done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from workbench.gui.later import Later
from workbench.gui.spotlight import Spotlight
from workbench.gui.workspaces.construction import Workspaces

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
        self._at, self._tries = (room, field), 0
        self._reach(room, field)
        if not self._rooms[room].do_next(field):
            self._mark.start()

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
