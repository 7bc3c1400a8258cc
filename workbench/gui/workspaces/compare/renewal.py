"""The run that follows a change of an experiment by itself: one that is short, and of a public shape."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QComboBox

from workbench.evaluate.experiment import Experiment
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.evaluate.remaining_time import RemainingWork
from workbench.gui.later import Later
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.forecast import ExperimentForecast

_SETTLE_MS, _NEXT_MS = 400, 4000
"""How long after the last change; and after another statistic was asked for, as mostly a column is chosen then, or
another question while nobody said how many people there are, as that is mostly said next."""
_SHORT, _GLANCE = 40.0, 8.0
"""Seconds, as they are estimated, of what begins by itself: of all, whose tiles come first, or of the tiles alone."""


class Renewal(QObject):
    """Tells what may be run by itself after a change, a moment after the last one.

    Of true values that is nothing, and of a public shape, which spends nothing, what is short: all of it, or else the
    place that tiles are about first. What somebody has begun, or has cancelled, is not begun once more.

    Signals
    -------
    wanted(object, bool)
        This `Experiment` may be run; whether only where one looks first.
    """

    wanted = Signal(object, bool)

    def __init__(self, draft: ExperimentDraft, look: ExperimentForecast, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._draft, self._look = draft, look
        self._seen: Experiment | None = None
        self._changed = False
        self._later = Later(self, self.tell, _SETTLE_MS)
        look.estimated.connect(self.tell)

    def follow(self) -> None:
        """Notice whether the experiment that is looked at has changed."""
        experiment = self._draft.experiment
        if experiment != self._seen:
            self._changed = self._seen is not None and experiment is not None
            self._later.setInterval(_pause(self._seen, experiment))
            self._seen = experiment
            self._later.start()

    def forget(self) -> None:
        """It is run, or is looked at for the first time."""
        self._later.stop()
        self._seen, self._changed = self._draft.experiment, False

    @property
    def changed(self) -> bool:
        """Whether somebody has changed it since it was run or looked at for the first time."""
        return self._changed

    @property
    def awaited(self) -> bool:
        """Whether it is run by itself in a moment, or that is still being found out."""
        experiment, rest = self._draft.experiment, self._look.estimate
        if not self._changed or experiment is None or not experiment.basis.public:
            return False
        return self._look.looks if rest is None else _short(rest)

    def tell(self) -> None:
        """Say what may be run, if enough is known and nothing was changed for a moment."""
        experiment, rest = self._draft.experiment, self._look.estimate
        if not self._changed or experiment is None or rest is None or self._later.isActive():
            return
        popup = QApplication.activePopupWidget()
        if popup is not None and isinstance(popup.parentWidget(), QComboBox):
            self._later.start()  # somebody is choosing
            return
        if self._look.current is None or not experiment.basis.public:
            return
        if _short(rest):
            self.wanted.emit(experiment, rest.seconds > _SHORT)


def _short(rest: RemainingWork) -> bool:
    """Whether so much may be run by itself: all of it, or what the tiles are about."""
    return rest.seconds <= _SHORT or 0 < rest.first <= _GLANCE


def _pause(before: Experiment | None, now: Experiment | None) -> int:
    """How long to wait after a change for the one that mostly comes next, in milliseconds."""
    if before is None or now is None or before.question == now.question:
        return _SETTLE_MS
    if now.basis.public and now.users == USUAL_PEOPLE == before.users:
        return _NEXT_MS
    asks_otherwise = before.question.statistic is not now.question.statistic
    return _NEXT_MS if asks_otherwise and before.question.column == now.question.column else _SETTLE_MS
