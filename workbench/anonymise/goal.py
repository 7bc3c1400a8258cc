"""The goal of a search for levels: what the table must satisfy, and what may be lost for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from workbench.anonymise.asked import checked_share
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.utility import MetricChoice
from workbench.core.hierarchy import Hierarchy

Limits: TypeAlias = Mapping[str, tuple[int | None, int | None]]
"""Lowest and highest level allowed per column; None where the hierarchy decides."""


@dataclass(frozen=True)
class Goal:
    """Everything asked of a table, whichever levels are tried and wherever its rows are.

    Parameters
    ----------
    models
        The privacy models; all must hold. A model names its sensitive column.
    metric
        The loss to minimise.
    suppression_limit
        Share of the rows that may be suppressed, 0 to 1.
    weights
        How much the loss of a column counts; 1 unless given. Metrics of whole rows ignore it.
    limits
        Lowest and highest level allowed per column.
    sensitive_hierarchies
        For sensitive columns whose values are more or less alike.

    Raises
    ------
    WorkbenchError
        If the suppression limit is no share.
    """

    models: Sequence[ModelChoice]
    metric: MetricChoice = field(default_factory=MetricChoice)
    suppression_limit: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    limits: Limits = field(default_factory=dict)
    sensitive_hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked_share(self.suppression_limit)

    def may_suppress(self, rows: int) -> int:
        """How many of so many rows may be suppressed."""
        return int(checked_share(self.suppression_limit) * rows)

    def whatever_is_suppressed(self) -> Goal:
        """The same, of which every row may be suppressed."""
        return replace(self, suppression_limit=1.0)

    def at(self, levels: Mapping[str, int]) -> Goal:
        """The models alone, at these levels: no loss is compared, and whatever fails the models may be suppressed."""
        fixed = {name: (level, level) for name, level in levels.items()}
        return Goal(self.models, suppression_limit=1.0, limits=fixed, sensitive_hierarchies=self.sensitive_hierarchies)
