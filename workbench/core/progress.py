"""Progress reports that double as cancellation points."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Cancelled(Exception):
    """Raised inside a job when the person pressed Cancel. Never shown as an error."""


class CancelToken:
    """A flag one thread raises and another checks."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()


class _UntilThen(CancelToken):
    """A token that does not count any more once something is done."""

    def __init__(self, token: CancelToken, done: Callable[[], bool]) -> None:
        super().__init__()
        self._token, self._done = token, done

    @property
    def cancelled(self) -> bool:
        return self._token.cancelled and not self._done()


Listener = Callable[[float, str], None]


class Progress:
    """Tells a listener how far a job has come, and stops the job when it was cancelled.

    Call it with a fraction in [0, 1] and, where the step changes, a text. Every call checks the cancel
    token and raises `Cancelled`, so a function that reports progress can be cancelled for free.
    `part(a, b)` gives a sub-task its own 0…1 scale inside [a, b] of this one.
    """

    def __init__(
        self,
        listener: Listener | None = None,
        token: CancelToken | None = None,
        *,
        start: float = 0.0,
        stop: float = 1.0,
    ) -> None:
        self._listener = listener
        self._token = token
        self._start = start
        self._stop = stop

    def __call__(self, fraction: float, text: str = "") -> None:
        if self._token is not None and self._token.cancelled:
            raise Cancelled
        if self._listener is not None:
            inside = min(max(fraction, 0.0), 1.0)
            self._listener(self._start + inside * (self._stop - self._start), text)

    @property
    def silent(self) -> Progress:
        """Tells nobody how far a sub-task has come, and is cancelled with this one."""
        return Progress(None, self._token)

    def until(self, done: Callable[[], bool]) -> Progress:
        """The same, which cannot be cancelled any more once `done` says so: what was paid for is finished."""
        token = None if self._token is None else _UntilThen(self._token, done)
        return Progress(self._listener, token, start=self._start, stop=self._stop)

    def part(self, start: float, stop: float) -> Progress:
        """A progress for a sub-task that covers [start, stop] of this one."""
        span = self._stop - self._start
        return Progress(self._listener, self._token, start=self._start + start * span, stop=self._start + stop * span)


SILENT = Progress()
"""A progress nobody listens to."""
