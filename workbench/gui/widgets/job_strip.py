"""The bottom strip: facts on the left, the running job on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QWidget

from workbench.core.number_text import estimate
from workbench.gui import tokens
from workbench.gui.runner import Job, JobState, Runner
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import label

_SHOW_AFTER_SECONDS = 0.25
_TELL_ELAPSED_AFTER_SECONDS = 3.0
_PERMILLE = 1000
_WIDE = 1200
"""Pixels from which on facts and a job have room beside each other."""
_SEEN_ELSEWHERE = frozenset({"rows"})
MUCH = 0.8
"""Share from which on a meter is amber."""


class Fact(QWidget):
    """One fact, with an optional meter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ElidedLabel()  # where a job needs the room
        self._words.setFont(tabular_font())
        self._meter = QProgressBar()
        self._meter.setRange(0, _PERMILLE)
        self._meter.setTextVisible(False)
        self._meter.setFixedWidth(tokens.METER_WIDTH)
        boxes.row(self._words, self._meter, spacing="s", inside=self)

    @property
    def text(self) -> str:
        return self._words.full_text

    def set(self, text: str, tip: str, share: float | None) -> None:
        self._words.set_text(text)
        self.setToolTip(f"{text}\n{tip}".strip())
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self._meter.setVisible(share is not None)
        if share is not None:
            self._meter.setValue(round(min(max(share, 0.0), 1.0) * _PERMILLE))
            self._meter.setAccessibleName(text)
            set_look(self._meter, tone="error" if share > 1 else "warning" if share >= MUCH else "none")


class JobStrip(QFrame):
    """Facts about the project, and the job that runs, with its progress, the time it still takes, and Cancel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("line", "top")
        self._facts: dict[str, Fact] = {}
        self._jobs: list[Job] = []
        self._left = QHBoxLayout()
        self._left.setSpacing(tokens.SPACE_XL)
        self._note = label(muted=True)
        self._text = ElidedLabel(muted=True)
        self._text.setMinimumWidth(tokens.JOB_WIDTH)
        self._text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(tokens.METER_WIDTH)
        self._bar.setAccessibleName("Progress of the job")
        self._time = label(muted=True)
        self._time.setFont(tabular_font())
        self._time.setMinimumWidth(self._time.fontMetrics().horizontalAdvance("100 %  ·  00 min so far"))
        self._cancel = push_button("Cancel", self._cancel_shown, name="Cancel the running job", quiet=True)
        layout = boxes.row(self._left, 1, self._note, margins="m xs m xs", spacing="m", inside=self)
        for widget in self._job_widgets:
            layout.addWidget(widget)
        layout.addStrut(tokens.CONTROL_HEIGHT)  # as high without a job; its room at the right is for the facts
        self._show_job(None)

    @property
    def _job_widgets(self) -> tuple[QWidget, ...]:
        return (self._text, self._bar, self._time, self._cancel)

    @property
    def job(self) -> Job | None:
        """The job shown: the oldest that runs, and in whose place no newer one has come."""
        return next((job for job in self._jobs if not job.superseded and not job.over), None)

    def watch(self, runner: Runner) -> None:
        """Show the jobs and notes of a runner."""
        runner.progress.connect(self._progress)
        runner.finished.connect(self._finished)
        for signal in (runner.started, runner.ended):
            signal.connect(self._look_again)
        runner.note.connect(self.show_note)

    def set_fact(self, key: str, text: str, tip: str = "", share: float | None = None) -> None:
        """Show or change a fact such as "Spent so far  ε 1.00 · δ 1e-5"; an empty text removes it.

        With `share` in 0…1 a meter shows how much is used, which turns amber at 0.8 and red above 1.
        """
        fact = self._facts.get(key)
        if not text:
            if fact is not None:
                del self._facts[key]
                self._left.removeWidget(fact)
                fact.deleteLater()
            return
        if fact is None:
            fact = self._facts[key] = Fact()
            self._left.addWidget(fact)
        fact.set(text, tip, share)

    def add(self, widget: QWidget) -> None:
        """Show a widget of its own before the facts."""
        self._left.insertWidget(0, widget)

    def fact(self, key: str) -> str:
        """The text of a fact; empty if there is none."""
        return self._facts[key].text if key in self._facts else ""

    def show_note(self, text: str) -> None:
        """A remark that stays until the next job shows."""
        self._note.setText(text)
        self._note.setAccessibleName(text)

    def _progress(self, job: Job, fraction: float, text: str) -> None:
        # What is over in a moment would only flicker.
        if job.elapsed < _SHOW_AFTER_SECONDS:
            return
        if job not in self._jobs:
            self._jobs.append(job)
            self._note.clear()
        if job is self.job:
            self._show_job(job)

    def _look_again(self, _job: Job) -> None:
        """Nobody waits for what was superseded, nor for what has ended and now waits for a person's answer."""
        self._show_job(self.job)

    def _finished(self, job: Job) -> None:
        # What was said about an earlier try is over; what goes on by itself beside it is no other try.
        if job.state is JobState.DONE and (job in self._jobs or job.name in self._note.text()):
            self._note.clear()
        if job in self._jobs:
            self._jobs.remove(job)
            self._show_job(self.job)

    def _show_job(self, job: Job | None) -> None:
        for widget in self._job_widgets:
            widget.setVisible(job is not None)
        self._make_room()
        if job is None:
            return
        words = f"{job.name}: {job.text}" if job.text else job.name
        others = sum(not one.superseded and not one.over for one in self._jobs) - 1
        if others:
            words += f"  (+{others} more)"
        if job.cancelling:
            words = f"Cancelling: {job.name}"
        self._text.set_text(words)
        if job.fraction > 0:
            self._bar.setRange(0, _PERMILLE)
            self._bar.setValue(round(job.fraction * _PERMILLE))
            percent = f"{int(job.fraction * 100)} %"
        else:
            self._bar.setRange(0, 0)
            percent = ""
        self._time.setText("  ·  ".join(filter(None, (percent, self._duration(job)))))
        self._cancel.setEnabled(not job.cancelling)

    def _make_room(self) -> None:
        """In a narrow window a fact that is seen in its room too makes room for the job: none is cut in its middle."""
        narrow = self.width() < _WIDE and self.job is not None
        for key, fact in self._facts.items():
            fact.setVisible(key not in _SEEN_ELSEWHERE or not narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _duration(self, job: Job) -> str:
        """How long it still takes; where nobody knows, how long it has taken, so that one sees that it goes on."""
        left = job.seconds_left
        seconds = job.elapsed if left is None else left
        if left is None and seconds < _TELL_ELAPSED_AFTER_SECONDS:
            return ""
        if seconds < 60:
            time = f"{max(1, round(seconds))} s"
        elif seconds < 3600:
            time = f"{round(seconds / 60)} min"
        else:
            time = f"{estimate(seconds / 3600, 2)} h"
        return ("{time} so far" if left is None else "{time} left").format(time=time)

    def _cancel_shown(self) -> None:
        job: Job | None = self.job
        if job is not None:
            job.cancel()
            self._show_job(job)
