"""A window in which nothing depends on how fast the machine is, so that a monkey does the same in every run.

Time stands still while anything is under way. Then what was put off comes, the soonest first, however long it was put
off for: a clock of its own goes on from one such moment to the next, and a little with every action. What the program
asks the operating system to draw is drawn by the seed, apart for each job.
"""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tests.gui.layout_watch import LayoutWatch
from tests.repeating import Drawn
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets import remove_button

ACTION_MS = 40
"""How much later it is after an action."""
_SOON_MS = 1000
"""What is put off for longer, such as saving aside, happens between later actions."""
_MOST_SECONDS = 10.0
"""What takes longer is cancelled: jobs of a monkey take a moment, or minutes."""
_CALM_ROUNDS = 3
_MOST_LAID_OUT = 500
"""A window in which one widget is laid out more often for one action never comes to rest: it is some dozen times."""
_MOST_ROUNDS = 20_000
"""Nor one of which something is put off for so many rounds of events: a room that is made needs some hundred."""
_NEVER_MS = 10**9


class Calm:
    """Knows when nothing is under way, and lets what was put off come in its turn."""

    def __init__(self, seed: int) -> None:
        self._now = self._actions = 0
        self._due: dict[QTimer, int] = {}
        self._lasts: dict[QTimer, int] = {}
        self._at_once: set[QTimer] = set()
        self._rounds = 0
        self._busy_since: float | None = None
        self._laid_out = LayoutWatch()
        self._waited = 0
        self._take_over_timers()
        drawn = Drawn()
        drawn.begin(str(seed))
        drawn.install()
        # A click is hasty if it belongs to the same action.
        remove_button.time = SimpleNamespace(monotonic=lambda: self._actions)
        QApplication.setDoubleClickInterval(1)
        QApplication.setKeyboardInputInterval(10**6)

    def acted(self) -> None:
        """An action was done; what comes of it is waited for."""
        self._now += ACTION_MS
        self._actions += 1
        self._rounds = self._waited = 0
        self._laid_out.begin()

    @property
    def restless(self) -> str:
        """What never comes to rest though no job is under way; "" where all does."""
        if self._laid_out.most > _MOST_LAID_OUT:
            return f"laid out for ever: {self._laid_out.words()}"
        if self._waited > _MOST_ROUNDS:
            put_off = sorted({_owner(timer) for timer in (*self._at_once, *self._due) if shiboken6.isValid(timer)})
            return f"put off for ever: {', '.join(put_off)}"
        return ""

    def reached(self, window: MainWindow) -> bool:
        """Whether nothing is under way; called again and again, with Qt's events in between, until it is so."""
        if self._is_busy(window):
            self._rounds = 0
            return False
        # What is laid out again and again is not at rest, also where nothing was put off.
        self._rounds = self._rounds + 1 if self._laid_out.is_quiet() else 0
        if self._rounds < _CALM_ROUNDS:
            return False
        timer = self._next()
        if timer is None:
            self._laid_out.pause()
            return True
        self._rounds = 0
        self._now = max(self._now, self._due.pop(timer))
        timer.stop()
        timer.timeout.emit()
        return False

    def _is_busy(self, window: MainWindow) -> bool:
        # What is put off until Qt comes to it may put off more: a room is made in many such steps.
        self._at_once = {timer for timer in self._at_once if _ticks(timer)}
        works = bool(window.runner.jobs) or threading.active_count() > 1
        # What a job brings, such as each curve of a picture, may be laid out as it comes.
        self._waited = 0 if works else self._waited + 1
        self._laid_out.begin() if works else self._laid_out.go_on()
        busy = works or bool(self._at_once)
        if not busy:
            self._busy_since = None
        elif self._busy_since is None:
            self._busy_since = time.monotonic()
        elif time.monotonic() - self._busy_since > _MOST_SECONDS:
            self._busy_since = None
            window.runner.cancel_all()
        return busy

    def _next(self) -> QTimer | None:
        """The timer that is next, unless it is a long one whose time has not come."""
        self._due = {timer: when for timer, when in self._due.items() if _ticks(timer)}
        self._lasts = {timer: long for timer, long in self._lasts.items() if shiboken6.isValid(timer)}
        if not self._due:
            return None
        timer = min(self._due, key=self._due.__getitem__)  # of several the one that was started first
        return timer if self._lasts[timer] <= _SOON_MS or self._due[timer] <= self._now else None

    def _take_over_timers(self) -> None:
        kind: Any = QTimer
        start = kind.start

        def start_calmly(timer: QTimer, *given: object) -> None:
            said = [one for one in given if isinstance(one, int)]  # a signal may bring its text along
            lasts = said[0] if said else self._lasts.get(timer, timer.interval())
            if not timer.isSingleShot() or not lasts:
                start(timer, *said)
                if timer.isSingleShot():
                    self._at_once.add(timer)
                return
            start(timer, _NEVER_MS)  # by itself
            self._lasts[timer] = lasts
            self._due.pop(timer, None)
            self._due[timer] = self._now + lasts

        kind.start = start_calmly


def _owner(timer: QTimer) -> str:
    return type(timer.parent()).__name__


def _ticks(timer: QTimer) -> bool:
    return shiboken6.isValid(timer) and timer.isActive()
