"""The common part of the recipes, and of the outcomes, of all mechanisms of an (ε, δ) release."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from workbench.core.table import Table
from workbench.core.worded import Worded


class ReleaseMechanism(Worded):
    """The mechanism that gives a release its (ε, δ)."""

    TRIM = "trim", "trimming"
    """Every group gives up a random number of its rows."""
    SAMPLE = "sample", "sampling"
    """Rows are sampled, and small groups of the sample dropped."""


class Treatment(StrEnum):
    """The treatment of a column on its way into the release."""

    GENERALISE = "generalise"
    """Replaced by its label at a level, and part of what makes rows alike."""
    KEEP = "keep"
    """Passed through as it is without being grouped. No (ε, δ) claim survives this."""
    LEAVE_OUT = "leave out"


@dataclass(frozen=True)
class ColumnPlan:
    """One column of the recipe. `level` matters only when the column is generalised."""

    name: str
    treatment: Treatment
    level: int = 0


class ReleaseRecipe(ABC):
    """Everything a mechanism needs besides the data and the hierarchies."""

    columns: tuple[ColumnPlan, ...]

    @property
    @abstractmethod
    def mechanism(self) -> ReleaseMechanism:
        """Which mechanism it is for."""

    @property
    @abstractmethod
    def levels(self) -> dict[str, int]:
        """By generalised column the finest level at which it may be released."""

    @property
    def chain(self) -> tuple[Mapping[str, int], ...]:
        """The levels of each step, the finest first; a release that is not made in steps has one."""
        return (self.levels,)

    @property
    def added(self) -> tuple[str, ...]:
        """The columns of a release that are not of the table."""
        return ()

    @abstractmethod
    def at(self, levels: Mapping[str, int]) -> Self:
        """The same recipe with these levels; columns without an entry keep theirs."""

    def named(self, treatment: Treatment) -> tuple[ColumnPlan, ...]:
        return tuple(plan for plan in self.columns if plan.treatment is treatment)


class ReleaseOutcome(ABC):
    """The outcome of one run of a mechanism, as far as everybody may know it.

    Parameters
    ----------
    recipe
        What was run.
    release
        What may leave, in canonical form (`workbench.core.canonical`).
    secure
        Whether it was drawn from the operating system's randomness.
    engine
        What the engine is called in which the rows are; "" for memory.
    """

    recipe: ReleaseRecipe
    release: Table
    secure: bool
    engine: str

    @property
    def mechanism(self) -> ReleaseMechanism:
        return self.recipe.mechanism

    @property
    def columns_out(self) -> tuple[str, ...]:
        """The columns of the data that are released."""
        return self.release.names

    @property
    @abstractmethod
    def rows_out(self) -> int:
        """Rows that are released."""

    @property
    @abstractmethod
    def released_sizes(self) -> NDArray[np.int64]:
        """Rows of each group that is released, shape (groups,), as the release shows them."""

    @abstractmethod
    def label_counts(self, name: str) -> tuple[tuple[int, tuple[str, ...], NDArray[np.int64]], ...]:
        """Of a generalised column, for each level it may be released at: the level, labels, and released rows of each.

        A level may come more than once, and labels of which no row is released may be among them.
        """

    @property
    def classes_out(self) -> int:
        """Groups of which rows are released."""
        return len(self.released_sizes)
