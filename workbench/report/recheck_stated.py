"""The statements about a released file, as far as whoever counts it again can find out whether they are so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.anonymise.privacy import ModelChoice
from workbench.core.hierarchy import Hierarchy
from workbench.report.recheck_models import SensitiveReference
from workbench.report.recheck_told import ToldOfFile


@dataclass(frozen=True)
class StatedChain:
    """A release in steps, of which each row has labels of one step; also one with a single step.

    Parameters
    ----------
    levels
        For each step the level of every grouped column; `*` where nothing but that is in the file, and at which level
        is not told.
    step_column
        The column that tells the step of a row, from 1; "" if there is none.
    count_column
        The column that tells how many rows a line stands for, where there is one line for each group; "" if there is
        one for each row.
    """

    levels: tuple[Mapping[str, int | str], ...]
    step_column: str = ""
    count_column: str = ""

    @property
    def adds(self) -> bool:
        """Whether a column was added to those of the release."""
        return bool(self.step_column or self.count_column)

    @property
    def uniform(self) -> dict[str, int]:
        """The columns that stand at one level in all steps, and that level."""
        first = self.levels[0]
        return {
            name: level
            for name, level in first.items()
            if isinstance(level, int) and all(one.get(name) == level for one in self.levels)
        }


@dataclass(frozen=True)
class Stated:
    """The statements about a file.

    Parameters
    ----------
    models
        Privacy models that must hold.
    grouped
        Columns whose values together make rows alike; None for all that no model calls sensitive.
    hierarchies, levels
        Where the labels of grouped columns come from; a column without a level may have any one level.
    mixed_levels
        Rows may have labels of different levels, as local recoding makes them.
    columns
        The columns there must be, in any order; None if that is not stated.
    all_grouped
        Every column must take part in the grouping, as an (ε, δ) release needs it.
    sensitive_hierarchies
        How alike sensitive values are.
    references
        How sensitive values are distributed in the whole table, where the original is not given.
    rows, fingerprint
        Number of rows and SHA-256 of the file; None and "" if they are not stated.
    untold
        Columns whose hierarchies are not to be spoken of: their levels are checked, and left out of what was found.
    small_groups_dropped
        Nothing stands in the place of a row that was dropped, so a row of nothing but `*` is one like any other.
    chain
        The steps of a release that was trimmed; None for others.
    told
        The figures of the file that its statement names; None if it names none.
    by_labels
        The rows must stand in the order of their labels, which tells nothing of where they stood in the table.
    """

    models: tuple[ModelChoice, ...] = ()
    grouped: tuple[str, ...] | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)
    mixed_levels: bool = False
    columns: tuple[str, ...] | None = None
    all_grouped: bool = False
    sensitive_hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    references: Mapping[str, SensitiveReference] = field(default_factory=dict)
    rows: int | None = None
    fingerprint: str = ""
    untold: frozenset[str] = frozenset()
    small_groups_dropped: bool = False
    chain: StatedChain | None = None
    told: ToldOfFile | None = None
    by_labels: bool = False
