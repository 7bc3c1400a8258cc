"""The three steps to a release: its promise, its levels and its run."""

from __future__ import annotations

from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.problems import first_problem
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.steps import StepColumn
from workbench.gui.workspaces.anonymise.levels_step import LevelsStep
from workbench.gui.workspaces.anonymise.promise_step import PromiseStep
from workbench.gui.workspaces.anonymise.run_step import RunStep
from workbench.session.release.assessment import PromiseAssessment

PROMISE, LEVELS, RUN = "promise", "levels", "run"
_EXPLAINED = {PROMISE: "anonymise.epsilon", LEVELS: "anonymise.levels_by", RUN: "anonymise.forecast"}
"""By step, what F1 explains at its head."""


class ThreeSteps(StepColumn):
    """The steps with what is set in them, of which one is open."""

    def __init__(self, promise: PromiseStep, levels: LevelsStep, plan: RunStep) -> None:
        super().__init__("Anonymise in three steps")
        self._promise, self._levels, self._plan = promise, levels, plan
        for key, title, content in (
            (PROMISE, "Promise", promise),
            (LEVELS, "Levels", levels),
            (RUN, "Run", plan),
        ):
            set_explain(self.add_step(key, title, content), _EXPLAINED[key])

    @property
    def mistyped(self) -> str:
        """Which field holds no number that it can have, and where it is; "" if there is none."""
        for title, part in (("Promise", self._promise), ("Levels", self._levels), ("Run", self._plan)):
            if not part.valid:
                beside = self._plan.rows.problem if part is self._plan else ""
                return beside or f"{first_problem(part) or 'A field holds no number.'} See {title}."
        return ""

    def show_summaries(self, found: PromiseAssessment) -> None:
        """Say on the head of each step what is set in it, and where something stands in the way."""
        wrong = Status.WARNING if not self._promise.valid or found.guarantee is None else None
        self.set_summary(PROMISE, self._promise.summary(found), wrong)
        self.set_summary(LEVELS, self._levels.summary(found), None if found.grouped else Status.WARNING)
        over = found.prospect is not None and not found.prospect.fits and not found.current
        self.set_summary(RUN, self._plan.summary(found), Status.WARNING if over else None)
