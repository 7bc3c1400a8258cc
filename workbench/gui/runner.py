"""Work off the GUI thread: one runner for everything that may take more than a moment."""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal

from workbench.core.freed_memory import give_back
from workbench.core.pace import Pace
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.gui.weak_callback import held_weakly

TICK_MS = 50
"""Progress is told at most this often: 20 times a second."""

_SWITCH_SECONDS = 0.001
_GRACE_SECONDS = 1.0
"""How long a job that only reads may take to stop before it is left to itself."""
_HEARTBEAT_SECONDS = 0.5


class JobState(StrEnum):
    """The state of a job in its life."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Messages(Protocol):
    """The part of the message bar that the runner needs."""

    def show_error(self, error: BaseException) -> object: ...


class Job:
    """One piece of work. Read it on the GUI thread only; `cancel` may be called from any.

    Attributes
    ----------
    name
        What it does, for the person: "Searching levels".
    key
        Jobs with one key stand for the same question; see `Runner.start`.
    superseded
        Whether a newer one has come in its place, or what it was for is not asked any more: nobody waits for it.
    """

    def __init__(self, name: str, key: str | None = None) -> None:
        self.name = name
        self.key = key
        self.state = JobState.WAITING
        self._token = CancelToken()
        self._pace = Pace()
        self._text = ""
        self._began: float | None = None
        self._ended: float | None = None
        self.superseded = False

    def __repr__(self) -> str:
        return f"Job({self.name!r}, {self.state})"

    @property
    def fraction(self) -> float:
        """How far it has come, 0 to 1; 0 as long as it has reported nothing."""
        return self._pace.fraction

    @property
    def text(self) -> str:
        """The step it is at; empty if it names none."""
        return self._text

    @property
    def elapsed(self) -> float:
        """Seconds since it began to run, 0 while it waits."""
        if self._began is None:
            return 0.0
        return (self._ended if self._ended is not None else time.monotonic()) - self._began

    @property
    def over(self) -> bool:
        """Whether its function has ended; what is done with the result may still ask a person something."""
        return self._ended is not None

    @property
    def seconds_left(self) -> float | None:
        """Estimate from the pace so far; None while there is too little to judge from."""
        return self._pace.seconds_left(self.elapsed)

    @property
    def cancelling(self) -> bool:
        """Asked to stop but not ended yet."""
        return self._token.cancelled and self.state in (JobState.WAITING, JobState.RUNNING)

    def cancel(self) -> None:
        """Ask it to stop; it does so the next time it reports progress."""
        self._token.cancel()

    def _report(self, fraction: float, text: str) -> None:
        self._pace.report(fraction, self.elapsed)
        if text:
            self._text = text


@dataclass
class _Order:
    """Order to do a job and to pass on its outcome; stays on the GUI thread so that no widget dies on another."""

    function: Callable[[Progress], Any] | None
    on_done: Callable[[], Callable[[Any], object] | None]
    on_failed: Callable[[], Callable[[BaseException], object] | None]
    owner: Callable[[], QObject | None] | None
    keep_late_result: bool
    aside: bool = False
    only_reads: bool = False
    superseded: bool = False
    cancelled_since: float | None = None


class Runner(QObject):
    """Runs functions on threads and brings their outcome back to the GUI thread.

    A function gets a `Progress`, through which it is also cancelled. Its result goes to `on_done`. If it raises
    `Cancelled` nothing is shown but the `note`; any other exception goes to `on_failed` and to the message bar.

    Signals
    -------
    started(Job), finished(Job)
        Around every job; `finished` follows the callback, whatever the outcome.
    ended(Job)
        Before the callback, which may take as long as a person takes to answer.
    progress(Job, float, str)
        At most 20 times a second and job: fraction and step.
    note(str)
        A remark that needs no answer, such as "Cancelled: Searching levels".
    """

    started = Signal(object)
    progress = Signal(object, float, str)
    finished = Signal(object)
    ended = Signal(object)
    note = Signal(str)
    _outcome_ready = Signal()

    def __init__(
        self,
        messages: Messages | None = None,
        parent: QObject | None = None,
        *,
        parallel: int | None = None,
    ) -> None:
        super().__init__(parent)
        self._messages = messages
        self._parallel = parallel or max(2, os.cpu_count() or 2)
        self._orders: dict[Job, _Order] = {}
        self._waiting: deque[Job] = deque()
        self._threads: dict[Job, threading.Thread] = {}
        self._outcomes: deque[tuple[Job, Any, BaseException | None]] = deque()
        self._told: dict[Job, tuple[float, str, float]] = {}
        self._closed = threading.Event()
        self._clock = QTimer(self)
        self._clock.setInterval(TICK_MS)
        self._clock.timeout.connect(self._tell_progress)
        self._outcome_ready.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self._quit)

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Jobs running or waiting, oldest first."""
        return tuple(self._orders)

    def start(
        self,
        name: str,
        function: Callable[[Progress], Any],
        *,
        on_done: Callable[[Any], object] | None = None,
        on_failed: Callable[[BaseException], object] | None = None,
        key: str | None = None,
        latest_wins: bool = False,
        owner: QObject | None = None,
        keep_late_result: bool = False,
        aside: bool = False,
        only_reads: bool = False,
    ) -> Job:
        """Run `function(progress)` on another thread.

        Parameters
        ----------
        name
            What the job does, for the person.
        function
            The work. It must not touch widgets.
        on_done
            Called on the GUI thread with the result. A bound method of a `QObject` is held weakly and not called once
            that object is gone; nor is a closure that knows the object as `self`. For others, name it as `owner`.
        on_failed
            Called on the GUI thread with the exception (also with `Cancelled`, unless a newer job took over).
            If it returns True it has told the person, and no message is shown; of `Cancelled` none ever is.
        key, latest_wins
            With `latest_wins`, older jobs of the same key are cancelled and their results dropped.
        owner
            The result is dropped if this object is gone.
        keep_late_result
            Deliver the result even if Cancel came too late to stop the work. For work with lasting effect,
            such as spending from the budget.
        aside
            Never wait for other jobs, nor make one wait: for what takes a moment and somebody looks at, such as the
            rows a table is being scrolled to.
        only_reads
            Cancel ends it even if a disk or network does not answer: nothing can depend on when its thread ends.

        Returns
        -------
        Job
            Already cancelled if the runner was shut down.
        """
        job = Job(name, key)
        if self._closed.is_set():
            job.cancel()
            job.state = JobState.CANCELLED
            return job
        if latest_wins and key is not None:
            for other, order in list(self._orders.items()):
                if other.key == key:
                    order.superseded = other.superseded = True
                    other.cancel()
        self._orders[job] = _Order(
            function=function,
            on_done=held_weakly(on_done),
            on_failed=held_weakly(on_failed),
            owner=weakref.ref(owner) if owner is not None else None,
            keep_late_result=keep_late_result,
            aside=aside,
            only_reads=only_reads,
        )
        if not aside:
            self._waiting.append(job)
        self.started.emit(job)
        if aside:
            self._begin(job)
        self._fill()
        return job

    def cancel_all(self) -> None:
        """Ask every job to stop."""
        for job in self._orders:
            job.cancel()
        self._fill()

    def shutdown(self, timeout: float = 10.0) -> bool:
        """Cancel everything, wait for the threads, and never call anybody back again.

        Returns
        -------
        bool
            False if a thread did not stop within `timeout` seconds; it cannot call back either.
        """
        self._closed.set()
        for job in self._orders:
            job.cancel()
        began = time.monotonic()
        for job, thread in self._threads.items():
            patience = min(timeout, _GRACE_SECONDS) if self._orders[job].only_reads else timeout
            thread.join(max(began + patience - time.monotonic(), 0.0))
        stopped = not any(thread.is_alive() for thread in self._threads.values())
        for job in self._orders:
            job.state = JobState.CANCELLED
        self._orders.clear()
        self._waiting.clear()
        self._threads.clear()
        self._outcomes.clear()
        self._told.clear()
        self._idle()
        return stopped

    def _quit(self) -> None:
        self.shutdown()

    def _fill(self) -> None:
        for job in [job for job in self._waiting if job.cancelling]:
            self._waiting.remove(job)
            self._outcomes.append((job, None, Cancelled()))
            self._outcome_ready.emit()
        while self._waiting and sum(not self._orders[job].aside for job in self._threads) < self._parallel:
            self._begin(self._waiting.popleft())

    def _begin(self, job: Job) -> None:
        order = self._orders[job]
        job.state = JobState.RUNNING
        job._began = time.monotonic()
        _TURNS.begin(self)
        thread = threading.Thread(target=self._work, args=(job, order.function), name=f"job: {job.name}", daemon=True)
        self._threads[job] = thread
        self._clock.start()
        thread.start()

    def _work(self, job: Job, function: Callable[[Progress], Any]) -> None:
        result: Any = None
        error: BaseException | None = None
        try:
            progress = Progress(job._report, job._token)
            progress(0.0)
            result = function(progress)
        except BaseException as raised:  # SystemExit of a library must not end the job unnoticed either
            error = raised
        # The order keeps the function, so that what it closes over is let go on the GUI thread.
        del function
        give_back()
        if not self._closed.is_set():
            self._outcomes.append((job, result, error))
        # An error refers to this frame, which must not refer to it: what was in hand would stay until somebody looks
        # for such circles.
        del result, error
        if not self._closed.is_set():
            # Shutting down joins this thread before the runner can be deleted.
            self._outcome_ready.emit()

    def _deliver(self) -> None:
        if not self._outcomes:
            return
        job, result, error = self._outcomes.popleft()
        order = self._orders.pop(job, None)
        self._told.pop(job, None)
        thread = self._threads.pop(job, None)
        if thread is not None:
            thread.join()
        if order is None:
            return
        job._ended = time.monotonic()
        self.ended.emit(job)
        late = job._token.cancelled and not order.keep_late_result
        if error is None and (late or order.superseded):
            error = Cancelled()
        try:
            if error is None:
                job.state = JobState.DONE
                job._report(1.0, "")
                self._call(order, order.on_done, result)
            elif isinstance(error, Cancelled):
                job.state = JobState.CANCELLED
                if not order.superseded:
                    self._call(order, order.on_failed, error)
                    if not job.superseded:
                        self.note.emit(f"Cancelled: {job.name}")
            else:
                job.state = JobState.FAILED
                if not order.superseded:
                    told = self._call(order, order.on_failed, error)
                    if told is not True and self._messages is not None:
                        self._messages.show_error(error)
        finally:
            self.finished.emit(job)
            if not self._closed.is_set():
                self._fill()
            if not self._threads:
                self._idle()

    def _call(self, order: _Order, reference: Callable[[], Callable[[Any], object] | None], argument: object) -> object:
        if order.owner is not None:
            owner = order.owner()
            if owner is None or not shiboken6.isValid(owner):
                return None
        callback = reference()
        return callback(argument) if callback is not None else None

    def _tell_progress(self) -> None:
        now = time.monotonic()
        for job in list(self._threads):
            fraction, text, when = self._told.get(job, (-1.0, "", 0.0))
            if (fraction, text) != (job.fraction, job.text) or now - when >= _HEARTBEAT_SECONDS:
                self._told[job] = (job.fraction, job.text, now)
                self.progress.emit(job, job.fraction, job.text)
        for job in [job for job in self._threads if self._orders[job].only_reads and job.cancelling]:
            order = self._orders[job]
            if order.cancelled_since is None:
                order.cancelled_since = now
            elif now - order.cancelled_since >= _GRACE_SECONDS:
                # Its thread ends whenever the disk answers, and nobody listens to it any more.
                del self._threads[job]
                self._outcomes.append((job, None, Cancelled()))
                self._outcome_ready.emit()
        # A waiting job may have been cancelled while all threads are busy.
        if any(job.cancelling for job in self._waiting):
            self._fill()

    def _idle(self) -> None:
        self._clock.stop()
        _TURNS.end(self)


class _Turns:
    """Lets threads take turns often while any runner works: with the usual 5 ms a Python loop on a thread makes the
    window stutter."""

    def __init__(self) -> None:
        self._working: set[int] = set()
        self._usual = 0.0

    def begin(self, runner: Runner) -> None:
        if not self._working:
            self._usual = sys.getswitchinterval()
            sys.setswitchinterval(_SWITCH_SECONDS)
        self._working.add(id(runner))

    def end(self, runner: Runner) -> None:
        if id(runner) in self._working:
            self._working.remove(id(runner))
            if not self._working:
                sys.setswitchinterval(self._usual)


_TURNS = _Turns()
