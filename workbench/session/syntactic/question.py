"""The question of the syntactic approach: which privacy models must hold, and what may be lost for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from workbench.anonymise.goal import Goal
from workbench.anonymise.local_recoding import recode_locally
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.recode import Anonymised, Suppressed
from workbench.anonymise.search import Effort
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.settings import declared
from workbench.core.table import Table
from workbench.engines.dispatch import engine_of
from workbench.project.anonymise_settings import QuestionSettings
from workbench.project.model import Project


@dataclass(frozen=True)
class SyntacticQuestion(QuestionSettings):
    """The question of the settings, with what a search needs to know beside them.

    Parameters
    ----------
    sensitive_hierarchies
        For sensitive columns whose values are more or less alike.
    effort
        How long the search may take.
    ungrouped
        Columns that are not generalised although their treatment says so, because a model needs them as they are.
    """

    sensitive_hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    effort: Effort = field(default_factory=Effort)
    ungrouped: frozenset[str] = frozenset()

    @property
    def goal(self) -> Goal:
        """The goal of a search: what must hold, and what may be lost for it."""
        return Goal(
            self.models, self.metric, self.suppression_limit, self.weights, self.limits, self.sensitive_hierarchies
        )

    def problem(
        self,
        table: Table,
        hierarchies: Mapping[str, Hierarchy],
        progress: Progress = SILENT,
        *,
        limited: bool = False,
    ) -> SearchProblem:
        """The question about a table, checked and encoded; reads the rows once.

        Parameters
        ----------
        limited
            Whether only levels within the limits can be asked for.

        Raises
        ------
        WorkbenchError
            If the question contradicts itself or the table.
        Cancelled
            If the progress was cancelled.
        """
        goal = self.goal if limited else replace(self.goal, limits={})
        return prepare(table, hierarchies, goal, progress=progress)

    def recode(
        self,
        table: Table,
        hierarchies: Mapping[str, Hierarchy],
        levels: Mapping[str, int],
        keep: Sequence[str],
        on_suppressed: Suppressed = Suppressed.DROP,
        progress: Progress = SILENT,
    ) -> Anonymised:
        """The table at these levels, of which what fails the models is suppressed or recoded locally.

        Raises
        ------
        WorkbenchError
            If the question contradicts itself, or too many rows fail the models.
        """
        if self.local_recoding:
            needed = {*hierarchies, *keep, *(name for choice in self.models for name in choice.columns)}
            return recode_locally(
                engine_of(table).bring(needed),
                hierarchies,
                levels,
                self.goal,
                keep=keep,
                on_suppressed=on_suppressed,
                effort=self.effort,
                progress=progress,
            )
        return engine_of(table).recode(
            hierarchies, levels, self.goal, keep=keep, on_suppressed=on_suppressed, progress=progress
        )


def question_of(project: Project, generalised: Collection[str]) -> SyntacticQuestion:
    """The question of a project. What a model needs as it is, is not generalised.

    Parameters
    ----------
    generalised
        The columns that are generalised as far as their treatment goes.
    """
    asked, hierarchies = project.anonymise.question, project.hierarchies
    sensitive = {choice.column for choice in asked.models if choice.column}
    ungrouped = frozenset(sensitive | {choice.subset[0] for choice in asked.models if choice.subset is not None})
    grouped = set(generalised) - ungrouped
    settings = {name: getattr(asked, name) for name in declared(QuestionSettings)}
    of_grouped = {
        "weights": {name: weight for name, weight in asked.weights.items() if name in grouped},
        "limits": {name: limit for name, limit in asked.limits.items() if name in grouped},
    }
    return SyntacticQuestion(
        **settings | of_grouped,
        sensitive_hierarchies={name: hierarchies[name] for name in sensitive if name in hierarchies},
        ungrouped=ungrouped,
    )
