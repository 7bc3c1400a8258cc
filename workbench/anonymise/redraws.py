"""The other draws that a release might have been as well, simulated. From true rows: analyst only.

Groups, not rows, are drawn: of a cell of rows that are alike in everything that matters it is drawn how many would have
been released.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.compared import Compared, Floats, OtherDraws, RedrawnCells
from workbench.anonymise.grouping import classes
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.randomness import SeededSource
from workbench.core.table import Column


@dataclass(frozen=True)
class SampledDraws(OtherDraws):
    """Other samples: Bin(n, β) rows of a cell of n are sampled, and kept if their class has k sampled rows."""

    k: int

    def cells(self, compared: Compared, names: Sequence[str]) -> RedrawnCells:
        grouped = [compared.grouped(name) for name in compared.levels]
        found = classes([(one.codes, max(len(one.values), 1)) for one in grouped], compared.rows_before)
        # A class of fewer than k rows survives no sample, so it need not be drawn.
        large = np.flatnonzero(found.row_sizes >= self.k)
        columns = [compared.grouped(name) if name else unasked(compared.rows_before) for name in names]
        wanted: list[tuple[NDArray[np.integer], int]] = [(found.ids[large], max(len(found.sizes), 1))]
        wanted += [(one.codes[large], max(len(one.values), 1)) for one in columns]
        cells = classes(wanted, len(large))
        first = np.zeros(len(cells.sizes), dtype=np.intp)
        first[cells.ids[::-1]] = large[::-1]
        _, class_of = np.unique(found.ids[first], return_inverse=True)
        classes_in_all = int(class_of.max(initial=-1)) + 1

        def draw(random: np.random.Generator) -> Floats:
            sampled = random.binomial(cells.sizes, compared.beta)
            totals = np.bincount(class_of, weights=sampled, minlength=classes_in_all)
            return np.where(totals[class_of] >= self.k, sampled, 0).astype(np.float64)

        return RedrawnCells(tuple(column.take(first) for column in columns), draw)


@dataclass(frozen=True, eq=False)
class TrimmedDraws(OtherDraws):
    """Other trimmings of the same groups, all steps; a cell is a group of one step."""

    outcome: TrimOutcome

    def cells(self, compared: Compared, names: Sequence[str]) -> RedrawnCells:
        outcome = self.outcome
        groups = sum(len(step.groups) for step in outcome.steps)
        columns = [outcome.groups_of_steps(name) if name else unasked(groups) for name in names]

        def draw(random: np.random.Generator) -> Floats:
            steps = outcome.trimmed_again(SeededSource(int(random.integers(1 << 63))))
            return np.concatenate([step.released for step in steps]).astype(np.float64)

        return RedrawnCells(tuple(columns), draw)


def unasked(rows: int) -> Column:
    """Stands for a column that is not looked at."""
    return Column("", np.zeros(rows, dtype=np.int8), ("",))
