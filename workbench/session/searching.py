"""Syntactic anonymity: the best levels at which privacy models hold, and the table at these levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.anonymise.local_recoding import recode_locally
from workbench.anonymise.mechanism import Treatment
from workbench.anonymise.outcome import SearchResult
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import Limits
from workbench.anonymise.recode import Anonymised, Suppressed
from workbench.anonymise.search import Effort, optimise
from workbench.anonymise.utility import MetricChoice
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.engines.recoding import in_memory, recode
from workbench.session.running import RunningSession


@dataclass(frozen=True)
class Question:
    """Which levels are wanted.

    Parameters
    ----------
    models
        The privacy models; all must hold.
    metric
        The loss to minimise.
    suppression_limit
        Share of the rows that may be suppressed, 0 to 1.
    weights
        How much the loss of a column counts; 1 unless given.
    limits
        Lowest and highest level allowed per column.
    sensitive_hierarchies
        For sensitive columns whose values are more or less alike.
    effort
        How long the search may take.
    ungrouped
        Columns that are not generalised although their treatment says so, because a model needs them as they are.
    local_recoding
        Whether rows that fail the models are generalised further, instead of being suppressed at once.
    """

    models: tuple[ModelChoice, ...]
    metric: MetricChoice = field(default_factory=MetricChoice)
    suppression_limit: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    limits: Limits = field(default_factory=dict)
    sensitive_hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    effort: Effort = field(default_factory=Effort)
    ungrouped: frozenset[str] = frozenset()
    local_recoding: bool = False

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
                in_memory(table, [name for name in table.names if name in needed]),
                hierarchies,
                levels,
                self.models,
                self.suppression_limit,
                metric=self.metric,
                weights=self.weights,
                limits=self.limits,
                keep=keep,
                on_suppressed=on_suppressed,
                sensitive_hierarchies=self.sensitive_hierarchies,
                effort=self.effort,
                progress=progress,
            )
        return recode(
            table,
            hierarchies,
            levels,
            self.models,
            self.suppression_limit,
            keep=keep,
            on_suppressed=on_suppressed,
            sensitive_hierarchies=self.sensitive_hierarchies,
            progress=progress,
        )


class SearchingSession(RunningSession):
    """A session that can also be asked for k-anonymity and its relatives.

    None of these gives an (ε, δ) claim: what is released depends on every row.
    """

    def searcher(self, question: Question) -> Callable[[Progress], SearchResult]:
        """Everything a search needs, bound together now; call it on any thread."""
        then = self.snapshot()

        def search(progress: Progress = SILENT) -> SearchResult:
            share = 0.2 if then.needs_preparing else 0.0
            table = then._prepare(progress.part(0.0, share)).table
            return optimise(
                table,
                then._grouped(question, table),
                question.models,
                metric=question.metric,
                suppression_limit=question.suppression_limit,
                weights=question.weights,
                limits=question.limits,
                sensitive_hierarchies=question.sensitive_hierarchies,
                effort=question.effort,
                progress=progress.part(share, 1.0),
            )

        return search

    def generaliser(self, question: Question, levels: Mapping[str, int]) -> Callable[[Progress], Anonymised]:
        """The table at these levels without the rows that fail the models; call it on any thread."""
        then = self.snapshot()
        keep = then._kept(question)

        def generalise(progress: Progress = SILENT) -> Anonymised:
            grouped = then._grouped(question, then.table)
            return question.recode(
                then.table, grouped, {**dict.fromkeys(grouped, 0), **levels}, keep, progress=progress
            )

        return generalise

    def quasi_identifiers(self) -> dict[str, Hierarchy]:
        """The hierarchies of the columns that are generalised."""
        return {
            name: hierarchy
            for name, hierarchy in self.project.hierarchies.items()
            if self.treatment(name) is Treatment.GENERALISE
        }

    def _grouped(self, question: Question, table: Table) -> dict[str, Hierarchy]:
        """What takes part in the grouping: generalised columns, and those grouped as they are."""
        return self.grouping(table, question.ungrouped)

    def _grouped_as_they_are(self, question: Question) -> tuple[str, ...]:
        """Columns that are grouped without a hierarchy."""
        return tuple(
            name
            for name in self.project.schema.names
            if self.treatment(name) is Treatment.GENERALISE
            and name not in self.project.hierarchies
            and name not in question.ungrouped
        )

    def _kept(self, question: Question) -> tuple[str, ...]:
        """Columns that are released as they are."""
        names = self.project.schema.names
        return tuple(name for name in names if self.treatment(name) is Treatment.KEEP)
