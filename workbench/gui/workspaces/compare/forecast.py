"""A forecast of an experiment: what is there already, methods that cannot answer, and the remaining time."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError
from workbench.evaluate.findings import Findings
from workbench.evaluate.remaining_time import RemainingWork
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.session.comparison_status import ExperimentStatus, looker

LOOK_JOB, ESTIMATE_JOB = "compare.look", "compare.estimate"
_SETTLE_MS = 120


class ExperimentForecast(QObject):
    """Looks at the experiment in the background, a moment after the last change of it, once that is recorded.

    Signals
    -------
    seen()
        Another look is over; `found` is what it saw.
    failed(object)
        The question cannot be asked of these rows, as this `WorkbenchError` says.
    estimated()
        How long the rest takes is known.
    """

    seen = Signal()
    failed = Signal(object)
    estimated = Signal()

    def __init__(self, document: Document, draft: ExperimentDraft, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._draft = draft
        self._paces: dict[str, float] = {}
        self.found: ExperimentStatus | None = None
        self.estimate: RemainingWork | None = None
        self._later = Later(self, self.now, _SETTLE_MS)

    @property
    def current(self) -> ExperimentStatus | None:
        """Status of the current experiment; None while that is not known."""
        found = self.found
        return found if found is not None and found.key == self._key() else None

    @property
    def outdated(self) -> bool:
        """Whether nothing is known of the current experiment, as of the same with other data or hierarchies."""
        seen = self.current
        return seen is not None and not seen.known

    @property
    def looks(self) -> bool:
        """Whether what is there, or how long the rest takes, is still being found out."""
        jobs = self._document.runner.jobs
        return self._later.isActive() or any(job.key in (LOOK_JOB, ESTIMATE_JOB) for job in jobs)

    def soon(self) -> None:
        """Look when nothing was changed for a moment."""
        self._later.start()

    def stop(self) -> None:
        """Look no more for now."""
        self._later.stop()

    def forget(self) -> None:
        """Nothing that was seen is so any more."""
        self.found = self.estimate = None

    def forget_part(self) -> None:
        """Forget what was seen unless all of the experiment is there, of which another look would tell the same."""
        if self.current is None or not self.current.findings.complete:
            self.forget()

    def take_in(self, findings: Findings) -> None:
        """What a run found of the current experiment is what is there, and needs no look."""
        found = self.current
        if found is not None and found.findings.experiment == findings.experiment:
            self.found, self.estimate = replace(found, findings=findings), None

    def stop_estimating(self) -> None:
        """Leave the computer to the run itself."""
        for job in self._document.runner.jobs:
            if job.key == ESTIMATE_JOB:
                job.cancel()

    def now(self) -> None:
        """Look at once."""
        self._later.stop()
        experiment = self._draft.experiment
        if experiment is None or not self._draft.can_ask or not self._draft.may_run:
            return
        if self.current is not None:
            self.seen.emit()
            return
        try:
            work = looker(self._draft.desk, experiment)
        except WorkbenchError as error:
            self.failed.emit(error)
            return
        self._document.runner.start(
            "Looking at the experiment",
            work,
            on_done=self._take,
            on_failed=self._refuse,
            key=LOOK_JOB,
            latest_wins=True,
        )

    def estimate_rest(self) -> None:
        """Find out how long the missing points take."""
        experiment, found = self._draft.experiment, self.current
        if experiment is None or found is None or found.findings.complete:
            return
        try:
            work = self._draft.desk.estimator(experiment, self._paces, self._draft.place)
        except WorkbenchError:
            return
        self._document.runner.start(
            "Estimating the time",
            work,
            on_done=partial(self._take_estimate, found),
            on_failed=self._refuse,
            key=ESTIMATE_JOB,
            latest_wins=True,
            owner=self,
        )

    def _key(self) -> str:
        experiment = self._draft.experiment
        return self._draft.desk.key(experiment) if experiment is not None and self._draft.can_ask else ""

    def _take(self, found: ExperimentStatus) -> None:
        self.found, self.estimate = found, None
        if self.current is not None:
            self.seen.emit()

    def _take_estimate(self, found: ExperimentStatus, estimate: RemainingWork) -> None:
        if found is self.found:
            self.estimate = estimate
            self.estimated.emit()

    def _refuse(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self.failed.emit(error)
        return True
