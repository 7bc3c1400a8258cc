"""The answer that is drawn of an experiment, and whether it is one to the question as it stands."""

from __future__ import annotations

from workbench.evaluate.experiment_edits import but_for_tries
from workbench.evaluate.findings import Findings
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.found_view import FoundView


class ShownAnswer:
    """The findings in view, which stay until more is known.

    Parameters
    ----------
    draft
        The experiment that is looked at.
    found
        Where what was found is drawn.
    """

    def __init__(self, draft: ExperimentDraft, found: FoundView) -> None:
        self._draft, self._found = draft, found
        self._key = ""
        """Of what is drawn, with everything that it rests on."""

    def draw(self, findings: Findings, *, soon: bool = False) -> None:
        """Draw what was found; `soon` while more is on its way."""
        self._key = self._draft.desk.key(findings.experiment)
        self._found.draw(findings, soon=soon)

    @property
    def exact(self) -> bool:
        """Whether it is of the experiment as it stands."""
        shown = self._found.chart.shown
        return shown is not None and shown.experiment == self._draft.experiment

    @property
    def holds(self) -> bool:
        """Whether nothing changed that what is drawn rests on, as of what was typed without the table now open."""
        shown = self._found.chart.shown
        return shown is not None and self._draft.desk.key(shown.experiment) == self._key != ""

    @property
    def other_tries(self) -> int:
        """In how many tries the same question is answered, where another number is asked for by now; 0 if it is not."""
        shown, experiment = self._found.chart.shown, self._draft.experiment
        if shown is None or experiment is None or not shown.complete or self.exact:
            return 0
        return shown.experiment.repetitions if self.holds and but_for_tries(shown.experiment, experiment) else 0

    def gives_way_to(self, findings: Findings) -> bool:
        """Whether findings of the experiment as it stands tell more than what is drawn.

        All of fewer tries tells more than a part of more of them, and an old answer more than ways of which one is
        not tried anywhere.
        """
        if findings.complete or self.exact or self._found.chart.shown is None:
            return True
        return not self.other_tries and bool(findings.through)
