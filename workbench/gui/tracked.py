"""The one job of a button that runs and cancels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from workbench.core.progress import Progress
from workbench.gui.runner import Job, Runner


class TrackedJob(QObject):
    """Follows one job at a time, from its start until it has ended in whatever way.

    Signals
    -------
    moved()
        It has come further.
    ended(str)
        It is over; with its key. What it found was handed over before.
    """

    moved = Signal()
    ended = Signal(str)

    def __init__(self, runner: Runner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._job: Job | None = None
        runner.progress.connect(self._progressed)
        runner.finished.connect(self._finished)

    @property
    def running(self) -> bool:
        """Whether there is one; it may be waiting for its turn."""
        return self._job is not None

    @property
    def cancelling(self) -> bool:
        """Whether it was asked to stop, and has not ended yet."""
        return self._job is not None and self._job.cancelling

    @property
    def fraction(self) -> float:
        """How far it has come, 0 to 1."""
        return self._job.fraction if self._job is not None else 0.0

    @property
    def key(self) -> str:
        """The key of the job that runs; "" without one."""
        return (self._job.key if self._job is not None else None) or ""

    def start(self, name: str, function: Callable[[Progress], Any], **how: Any) -> None:
        """Start a job, as `Runner.start` does, and follow it."""
        self.follow(self._runner.start(name, function, **how))

    def follow(self, job: Job) -> None:
        """Follow a job that was started elsewhere."""
        self._job = job

    def cancel(self) -> None:
        """Ask it to stop, if there is one."""
        if self._job is not None:
            self._job.cancel()

    def _progressed(self, job: Job, _fraction: float, _text: str) -> None:
        if job is self._job:
            self.moved.emit()

    def _finished(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self.ended.emit(job.key or "")
