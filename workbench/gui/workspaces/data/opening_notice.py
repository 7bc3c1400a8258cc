"""While a file is being opened the empty room says so, in the place of the ways to open one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from workbench.gui.document import OPEN_JOB
from workbench.gui.runner import Job, Runner
from workbench.gui.widgets.empty_state import EmptyState

HOW_TO_OPEN = "Drop a file anywhere in this window, or open one. Nothing is changed in it."
_SHOW_AFTER_SECONDS = 0.25


class OpeningNotice(QObject):
    """Follows the job that opens a file.

    Signals
    -------
    changed()
        It is said now that something is being opened, or no longer.
    """

    changed = Signal()

    def __init__(self, runner: Runner, empty: EmptyState) -> None:
        super().__init__(empty)
        self._empty = empty
        self._job: Job | None = None
        runner.progress.connect(self._follow)
        runner.finished.connect(self._end)

    @property
    def shown(self) -> bool:
        """Whether it is said that something is being opened."""
        return self._job is not None

    def _follow(self, job: Job, _fraction: float, _text: str) -> None:
        # What is over in a moment would only flicker.
        if job.key == OPEN_JOB and self._job is None and job.elapsed >= _SHOW_AFTER_SECONDS:
            self._job = job
            self._tell(job.name)

    def _end(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._tell("")

    def _tell(self, words: str) -> None:
        """Say that something is being opened, which can take its time; "" offers the ways to begin again."""
        progress = "How far it has come is shown at the bottom, where it can be cancelled."
        self._empty.set_text(f"{words}… {progress}" if words else HOW_TO_OPEN)
        for button in (self._empty.primary_button, *self._empty.secondary_buttons):
            if button is not None:
                button.setVisible(not words)
        self.changed.emit()
