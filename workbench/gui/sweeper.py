"""Unreachable objects are let go on the window's thread, to which Qt's objects belong."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from workbench.core import garbage
from workbench.core.freed_memory import give_back

_EVERY_MS = 250


class Sweeper(QObject):
    """Looks for unreachable objects while the window is idle, in place of whichever thread makes the next object.

    After objects were made and let go, memory that is free again goes back to the system.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        garbage.keep_to_this_thread()
        self._made = False
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._sweep)
        self._timer.start()

    def stop(self) -> None:
        """Let Python look by itself again; when no job is running any more."""
        self._timer.stop()
        garbage.give_back()

    def _sweep(self) -> None:
        self._made = bool(garbage.sweep()) or self._made
        if self._made and give_back():
            self._made = False
