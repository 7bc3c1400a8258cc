"""The syntactic question of a project: models, loss, limits, and what happens to its columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from workbench.anonymise.mechanism import Treatment
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.params import filled
from workbench.project.model import Approach, QuestionSettings
from workbench.session.searching import Question, SearchingSession


class AskingSession(SearchingSession):
    """A session that keeps a syntactic question."""

    @property
    def syntactic(self) -> bool:
        """Whether k-anonymity and its relatives are wanted, and not an (ε, δ) release."""
        return self.project.anonymise.approach is Approach.SYNTACTIC

    def set_approach(self, approach: Approach) -> None:
        self._settings(approach=approach)

    def set_models(self, models: Iterable[ModelChoice]) -> None:
        """Choose the privacy models.

        Raises
        ------
        WorkbenchError
            If a model is not known or a parameter is not allowed.
        """
        chosen = tuple(models)
        for choice in chosen:
            choice.checked()
        self._ask(models=chosen)

    def set_metric(self, metric: MetricChoice) -> None:
        """Choose the loss that is to be least.

        Raises
        ------
        WorkbenchError
            If there is no such metric or a parameter is not allowed.
        """
        filled(METRICS[metric.identifier].params, dict(metric.values))
        self._ask(metric=metric)

    def set_suppression_limit(self, limit: float) -> None:
        """Say which share of the rows may be suppressed.

        Raises
        ------
        WorkbenchError
            If it is not between 0 and 1.
        """
        if not 0 <= limit <= 1:
            raise WorkbenchError(
                f"The suppression limit must lie between 0 and 1, not {limit}.",
                hint="0.04 allows 4 % of the rows to be suppressed.",
                field="suppression_limit",
            )
        self._ask(suppression_limit=limit)

    def set_local_recoding(self, wanted: bool) -> None:
        """Say whether rows that fail the models are generalised further, instead of being suppressed at once."""
        self._ask(local_recoding=wanted)

    def set_weight(self, name: str, weight: float) -> None:
        """Say how much the loss of a column counts; 1 is the usual weight.

        Raises
        ------
        WorkbenchError
            If it is negative.
        """
        if not weight >= 0:
            raise WorkbenchError(f"The weight of “{name}” must not be negative.", hint="1 is usual.", field=name)
        weights = {n: w for n, w in self.project.anonymise.question.weights.items() if n != name}
        if weight != 1:
            weights[name] = weight
        self._ask(weights=MappingProxyType(weights))

    def set_level_limits(self, name: str, low: int, high: int) -> None:
        """Say between which levels a search may choose for a column.

        Raises
        ------
        WorkbenchError
            If the column's hierarchy has no such levels, or they are not in order.
        """
        height = self.project.hierarchies[name].height if name in self.project.hierarchies else 0
        if not 0 <= low <= high <= height:
            raise WorkbenchError(
                f"The levels of “{name}” cannot be limited to {low} to {high}.",
                hint=f"Its levels run from 0 to {height}; give the smaller number first.",
                field=name,
            )
        limits = {n: limit for n, limit in self.project.anonymise.question.limits.items() if n != name}
        if (low, high) != (0, height):
            limits[name] = (low, high)
        self._ask(limits=MappingProxyType(limits))

    def suppress_column(self, name: str) -> None:
        """Release `*` in every row of a column: its top level, at which searches and degrees then leave it.

        A column without a hierarchy gets one that knows `*` alone.

        Raises
        ------
        WorkbenchError
            If the highest level of its hierarchy still says something.
        """
        hierarchy = self.project.hierarchies.get(name)
        if hierarchy is None:
            self.project.schema[name]
            values = dict.fromkeys((*self.reading.table[name].values, *self.table[name].values))
            hierarchy = Hierarchy.suppressing(values)
            self.attach_hierarchy(name, hierarchy)
        if not hierarchy.ends_in_any:
            raise WorkbenchError(
                f"The highest level of the hierarchy of “{name}” is not *, so it cannot suppress the column.",
                hint="Add a top level * to the hierarchy, or leave the column out.",
                field=name,
            )
        top = hierarchy.height
        self.set_treatment(name, Treatment.GENERALISE)
        self.set_level(name, top)
        self.set_level_limits(name, top, top)
        self.limit_levels(name, (top, top))

    def is_suppressed(self, name: str) -> bool:
        """Whether `*` is released in every row of a column, and searches leave it so."""
        hierarchy = self.project.hierarchies.get(name)
        return (
            hierarchy is not None
            and hierarchy.ends_in_any
            and self.treatment(name) is Treatment.GENERALISE
            and self.project.anonymise.question.limits.get(name, (0, 0))[0] == self._level(name) == hierarchy.height
        )

    def release_column(self, name: str) -> None:
        """Let a column that was suppressed have all its levels again."""
        if self.is_suppressed(name):
            self.set_level_limits(name, 0, self.project.hierarchies[name].height)
            self.limit_levels(name, None)

    def apply_levels(self, levels: Mapping[str, int]) -> None:
        """Take levels that were found by looking at the data; from now on they do not count as chosen blindly."""
        for name, level in levels.items():
            if name in self.project.hierarchies:
                self.set_level(name, level)
        self.set_levels_blind(False)

    def _ask(self, **changes: Any) -> None:
        asked: QuestionSettings = replace(self.project.anonymise.question, **changes)
        self._settings(question=asked)

    def question(self) -> Question:
        """The question as it now stands. What a model needs as it is, is not generalised."""
        asked, hierarchies = self.project.anonymise.question, self.project.hierarchies
        sensitive = {choice.column for choice in asked.models if choice.column}
        ungrouped = frozenset(sensitive | {choice.subset[0] for choice in asked.models if choice.subset is not None})
        grouped = self.quasi_identifiers().keys() - ungrouped
        return Question(
            models=asked.models,
            metric=asked.metric,
            suppression_limit=asked.suppression_limit,
            weights={name: weight for name, weight in asked.weights.items() if name in grouped},
            limits={name: limit for name, limit in asked.limits.items() if name in grouped},
            sensitive_hierarchies={name: hierarchies[name] for name in sensitive if name in hierarchies},
            ungrouped=ungrouped,
            local_recoding=asked.local_recoding,
        )

    def _level(self, name: str) -> int:
        return self.project.anonymise.levels.get(name, 0) if name in self.project.hierarchies else 0
