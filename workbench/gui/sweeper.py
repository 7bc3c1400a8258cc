"""Unreachable objects are let go on the window's thread, to which Qt's objects belong."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from workbench.core import garbage
from workbench.core.freed_memory import give_back

_EVERY_MS = 250
_AFTER_MS = 2_000
"""After other data was opened or all was closed; by then its rooms are made."""


class Sweeper(QObject):
    """Looks for unreachable objects while the window is idle, in place of whichever thread makes the next object.

    After objects were made and let go, memory that is free again goes back to the system. What was old when it was let
    go waits until there are many more objects, but for what belonged to data that was closed: it may be a large table.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        garbage.keep_to_this_thread()
        self._made = False
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._sweep)
        self._timer.start()
        self._opened = False
        self._after = QTimer(self, interval=_AFTER_MS, singleShot=True)
        self._after.timeout.connect(self._look_at_all)

    def heed(self, section: str) -> None:
        """Look through all objects soon, if this section of the document changed because other data took its place.

        Nothing was closed when the first data was opened.
        """
        if section == "data":
            if self._opened:
                self._after.start()
            self._opened = True

    def stop(self) -> None:
        """Let Python look by itself again; when no job is running any more."""
        self._timer.stop()
        self._after.stop()
        garbage.give_back()

    def _sweep(self) -> None:
        self._made = bool(garbage.sweep()) or self._made
        if self._made and give_back():
            self._made = False

    def _look_at_all(self) -> None:
        garbage.look_at_all()
        self._made = True
