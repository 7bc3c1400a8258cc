"""The state of an experiment: what is there already, and which methods cannot answer it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from workbench.core.progress import Progress
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.findings import Findings
from workbench.evaluate.method_list import batches
from workbench.session.comparison import ComparisonDesk


@dataclass(frozen=True, eq=False)
class ExperimentStatus:
    """The findings of a look at an experiment.

    Parameters
    ----------
    key
        Of the experiment and everything it depends on.
    findings
        What is known already.
    refused
        Why methods cannot answer, by the key of their offer.
    problems
        Why curves cannot, by their place in the experiment.
    """

    key: str
    findings: Findings
    refused: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[int, str] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """Points that are there."""
        return self.points - self.findings.missing

    @property
    def points(self) -> int:
        """All points."""
        return len(self.findings.keys)


def looker(desk: ComparisonDesk, experiment: Experiment) -> Callable[[Progress], ExperimentStatus]:
    """Look at an experiment; call it on any thread.

    Raises
    ------
    WorkbenchError
        If the question cannot be asked of this data; raised when it is called.
    """
    key = desk.key(experiment)
    look, judge = desk.looker(experiment), desk.refuser(experiment)
    every = [(desk.refuser(some), keys) for some, keys in batches(experiment)]

    def work(progress: Progress) -> ExperimentStatus:
        findings = look(progress)
        refused = {keys[place]: why for asked, keys in every for place, why in asked(progress).items()}
        return ExperimentStatus(key, findings, refused, judge(progress))

    return work
