"""The run of an experiment: started, paused, cancelled, and what comes of it."""

from __future__ import annotations

import math
from collections import deque

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.experiment_run import Gate
from workbench.evaluate.findings import Findings
from workbench.gui.document import Document
from workbench.gui.runner import Job
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.session.comparison_words import running_words

RUN_JOB = "compare.run"


class Run(QObject):
    """At most one experiment runs at a time.

    Signals
    -------
    changed()
        It began, was paused, went on, came further or is being cancelled.
    arrived(object)
        The `Findings` so far.
    done(object)
        The `Findings` of all of it.
    failed(object)
        The `WorkbenchError` it ended with.
    ended()
        It runs no more, whatever the outcome.
    """

    changed = Signal()
    arrived = Signal(object)
    done = Signal(object)
    failed = Signal(object)
    ended = Signal()

    def __init__(self, document: Document, draft: ExperimentDraft, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._draft = draft
        self._gate = Gate()
        self._waiting: deque[Findings] = deque(maxlen=1)
        self._latest: Findings | None = None
        self.job: Job | None = None
        self.experiment: Experiment | None = None
        self.unasked: Experiment | None = None
        """Experiment that was begun because somebody came into the room, or changed it, and pressed no button."""
        self.glances = False
        """Whether it ends where one looks first, because a change began it."""
        self.repeats = False
        """Whether it is more tries of what was answered before."""
        self.first: tuple[float, ...] = ()
        """The places that are run before the others: what the tiles are about."""
        self.wanted = False
        """Whether the button was pressed while that was on its way out, so that a run is to follow."""
        document.runner.progress.connect(self._progressed)
        document.runner.finished.connect(self._finished)

    @property
    def running(self) -> bool:
        return self.job is not None

    @property
    def paused(self) -> bool:
        return self._gate.paused

    @property
    def cancelling(self) -> bool:
        return self.job is not None and self.job.cancelling

    def start(self, experiment: Experiment) -> bool:
        """Run what is missing of an experiment; False if one is running or it cannot be run."""
        if self.job is not None:
            return False
        # The thread keeps its own, so that a late result of an old run is not taken for one of a new run.
        self._gate, self._waiting, self._latest = Gate(), deque(maxlen=1), None
        try:
            place = self._draft.place
            work = self._draft.desk.runner(experiment, self._waiting.append, self._gate, first=place)
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return False
        self.experiment, self.unasked, self.wanted = experiment, None, False
        self.first = experiment.first_places(place)
        self.glances = self.repeats = False
        self.job = self._document.runner.start(
            "Comparing methods", work, on_done=self._take, on_failed=self._refuse, key=RUN_JOB
        )
        self.changed.emit()
        return True

    @property
    def runs_unasked(self) -> bool:
        """Whether what runs was begun by itself."""
        return self.running and self.experiment == self.unasked

    @property
    def gives_way(self) -> bool:
        """Whether what runs was begun by itself, and is of settings that have changed since or is being left."""
        return self.runs_unasked and (self.cancelling or self.experiment != self._draft.experiment)

    def make_way(self) -> None:
        """Stop what began by itself: `wanted` is a run of the settings as they stand, as soon as that has ended."""
        self.leave()
        self.wanted = self.running
        self.changed.emit()

    def leave(self) -> None:
        """Stop what nobody asked for; it may be begun again."""
        if self.runs_unasked:
            unasked = self.unasked
            if self.job is not None:
                self.job.superseded = True  # nobody who changed the question is told that the old one was cancelled
            self.cancel()
            self.unasked = unasked

    def follow(self) -> None:
        """Stop more tries of a question that is asked no more: another one is not to wait for them."""
        if self.running and self.repeats and self.experiment != self._draft.experiment:
            self.unasked = self.experiment
            self.leave()

    def take(self) -> None:
        """Let what has begun by itself be what somebody asked for: all of it."""
        self.unasked, self.glances = None, False
        self.changed.emit()

    def cancel(self) -> None:
        """Stop it; what is finished stays."""
        if self.job is not None:
            self.unasked, self.wanted = None, False
            self._gate.resume()
            self.job.cancel()
            self.changed.emit()

    def pause_or_go_on(self) -> None:
        """Let it stand still, or go on."""
        if self._gate.paused:
            self._gate.resume()
        else:
            self._gate.pause()
        self.changed.emit()

    def words(self, told: Findings | None, there: int = 0) -> str:
        """How far it is, beside what is `told` of it, and where all of it is `there` of so many tries."""
        job = self.job
        if job is None:
            return ""
        if job.cancelling:
            return "Starting…" if self.wanted else "Cancelling…"
        if self.experiment != self._draft.experiment:
            return f"Another experiment is running: {math.floor(100 * job.fraction)} %"
        if self.paused:
            return "Paused. Finished points stay."
        if there and self.experiment is not None:
            return f"{there:,} tries; {self.experiment.repetitions:,} are running: {math.floor(100 * job.fraction)} %"
        if self.glances:
            return "Renewing the tiles after a change…"
        return running_words(self._latest, told, job.fraction, self.first)

    def _take(self, findings: Findings) -> None:
        self._waiting.clear()
        self.done.emit(findings)

    def _refuse(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self.failed.emit(error)
        self._document.failed.emit(error)
        return True

    def _progressed(self, job: Job, _fraction: float, _text: str) -> None:
        if job is self.job:
            if self._waiting:
                self._latest = self._waiting.pop()
                self.arrived.emit(self._latest)
                if self.glances and set(self.first) <= set(self._latest.through):
                    self.leave()
            self.changed.emit()

    def _finished(self, job: Job) -> None:
        if job is self.job:
            self.job = self.experiment = self._latest = None
            self._waiting.clear()
            self.ended.emit()
