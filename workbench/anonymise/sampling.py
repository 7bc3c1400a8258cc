"""Releases by sampling: sampling + generalisation + k-suppression, the older mechanism of an (ε, δ) release.

Keep each row with probability β, generalise by a public scheme, drop every class of fewer than k rows,
release the rest (Li, Qardaji, Su 2012; Bild, Kuhn, Prasser 2018) in canonical form, so that nothing is left in it of
the order of the table or of what was not released.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.grouping import classes
from workbench.anonymise.recipe import ColumnPlan, ReleaseMechanism, ReleaseOutcome, ReleaseRecipe, Treatment
from workbench.core.canonical import canonical
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, bernoulli
from workbench.core.table import Column, Table


@dataclass(frozen=True)
class Recipe(ReleaseRecipe):
    """Everything sampling needs besides the data and the hierarchies.

    `beta` is the sampling probability in (0, 1], `k` the smallest class that is released.
    """

    columns: tuple[ColumnPlan, ...]
    beta: float
    k: int

    @property
    def mechanism(self) -> ReleaseMechanism:
        return ReleaseMechanism.SAMPLE

    @property
    def levels(self) -> dict[str, int]:
        return {plan.name: plan.level for plan in self.named(Treatment.GENERALISE)}

    def at(self, levels: Mapping[str, int]) -> Recipe:
        """The same recipe with these levels; columns without an entry keep theirs."""
        columns = (replace(plan, level=levels.get(plan.name, plan.level)) for plan in self.columns)
        return replace(self, columns=tuple(columns))


@discreet
@dataclass(frozen=True, eq=False)
class RowByRow:
    """The fate of each row of the table.

    Parameters
    ----------
    numbers
        Row numbers of the input that were sampled, ascending.
    kept
        For each sampled row, whether its class had at least k rows.
    class_ids
        For each sampled row the number of its class.
    """

    numbers: NDArray[np.intp]
    kept: NDArray[np.bool_]
    class_ids: NDArray[np.int64]


class KnownRowByRow:
    """Something of which is known what became of each row, if the rows are in memory."""

    row_by_row: RowByRow | None

    @property
    def kept(self) -> NDArray[np.bool_]:
        """For each row, in the order of their numbers, whether it was kept."""
        return self.each_row.kept

    @property
    def class_ids(self) -> NDArray[np.int64]:
        """For each of these rows the number of its class."""
        return self.each_row.class_ids

    @property
    def each_row(self) -> RowByRow:
        """Record of what became of each row.

        Raises
        ------
        WorkbenchError
            If the rows are in an engine.
        """
        if self.row_by_row is None:
            raise WorkbenchError(
                "What became of each row is not kept, because the rows are in an engine and not in memory.",
                hint="Look at the release itself, or run on a part of the data that fits into memory.",
                field="memory",
            )
        return self.row_by_row


@discreet
@dataclass(frozen=True, eq=False)
class Outcome(ReleaseOutcome, KnownRowByRow):
    """The outcome of one run of sampling, generalising and dropping small classes.

    Only `release` may be published. Everything else is computed from the true rows: analyst only.

    Parameters
    ----------
    release
        The released rows in canonical form (`workbench.core.canonical`).
    sampled
        The sampled rows after generalisation, in the order of the table where that is in memory.
    class_sizes
        Rows per class of the sample, released or not.
    row_by_row
        What became of each row; None where the rows are in an engine.
    engine
        What the engine is called in which the rows are; "" for memory.
    """

    release: Table
    sampled: Table
    class_sizes: NDArray[np.int64]
    rows_in: int
    recipe: Recipe
    secure: bool
    row_by_row: RowByRow | None = None
    engine: str = ""

    @property
    def rows_out(self) -> int:
        return self.release.rows

    @property
    def suppressed(self) -> int:
        return self.sampled.rows - self.release.rows

    @cached_property
    def released_sizes(self) -> NDArray[np.int64]:
        return self.class_sizes[self.class_sizes >= self.recipe.k]

    def label_counts(self, name: str) -> tuple[tuple[int, tuple[str, ...], NDArray[np.int64]], ...]:
        column = self.release[name]
        return ((self.recipe.levels[name], column.values, column.counts),)

    @property
    def sampled_rows(self) -> NDArray[np.intp]:
        """Row numbers of the input that were sampled, ascending.

        Raises
        ------
        WorkbenchError
            As `kept` and `class_ids` do, if the rows are in an engine.
        """
        return self.each_row.numbers


def sample_generalise_suppress(
    table: Table,
    recipe: Recipe,
    hierarchies: Mapping[str, Hierarchy],
    source: RandomSource,
    progress: Progress = SILENT,
) -> Outcome:
    """Run the mechanism once with fresh randomness.

    Generalised columns without a hierarchy are grouped by their values as they are (level 0).

    Raises
    ------
    WorkbenchError
        If no column is generalised, a level does not exist, or a hierarchy misses values.
    Cancelled
        If the progress was cancelled.
    """
    check_recipe(recipe)
    # Hierarchies are matched with the data before anything is drawn: a bad recipe costs no randomness.
    maps: dict[str, tuple[NDArray[np.integer], tuple[str, ...]]] = {}
    for plan in recipe.named(Treatment.GENERALISE):
        maps[plan.name] = labels_of(table[plan.name], hierarchies.get(plan.name), plan.level)
    kept_as_is = [table[plan.name] for plan in recipe.named(Treatment.KEEP)]

    progress(0.05, "Sampling rows")
    rows = np.flatnonzero(bernoulli(source, table.rows, recipe.beta))

    generalised: dict[str, Column] = {}
    for position, (name, (label_of, labels)) in enumerate(maps.items()):
        progress(0.15 + 0.35 * position / len(maps), "Generalising columns")
        generalised[name] = Column(name, label_of[table[name].codes[rows]], labels)

    step = progress.part(0.5, 0.75)
    step(0.0, "Finding rows that are alike")
    found = classes([(column.codes, max(len(column.values), 1)) for column in generalised.values()], len(rows), step)
    progress(0.75, "Dropping small classes")
    kept = found.row_sizes >= recipe.k

    for column in kept_as_is:
        generalised[column.name] = column.take(rows)
    # The columns of the release keep the order they have in the file.
    sampled = Table(tuple(generalised[name] for name in table.names if name in generalised))
    progress(0.85, "Sorting what is released")
    release = canonical(sampled.take(np.flatnonzero(kept)), first=tuple(maps))
    progress(1.0)
    return Outcome(
        release=release,
        sampled=sampled,
        class_sizes=found.sizes,
        rows_in=table.rows,
        recipe=recipe,
        secure=source.secure,
        row_by_row=RowByRow(rows, kept, found.ids),
    )


def labels_of(column: Column, hierarchy: Hierarchy | None, level: int) -> tuple[NDArray[np.integer], tuple[str, ...]]:
    """The label index of each distinct value, in the smallest integers that hold it, and the labels.

    Raises
    ------
    WorkbenchError
        If there is no such level, or the hierarchy misses values.
    """
    if hierarchy is None:
        if level:
            raise WorkbenchError(
                f"Column “{column.name}” has no hierarchy, so it cannot be generalised to level {level}.",
                hint="Attach a hierarchy, or use level 0.",
                field=column.name,
            )
        codes: NDArray[np.integer] = np.arange(len(column.values))
        labels = column.values
    else:
        codes = hierarchy.level_map(column, level)
        labels = hierarchy.labels[level]
    return codes.astype(np.min_scalar_type(max(len(labels) - 1, 0))), labels


def check_recipe(recipe: Recipe) -> None:
    """Refuse a recipe that says nothing or what cannot be.

    Raises
    ------
    WorkbenchError
        If no column is generalised, or β or k is impossible.
    """
    if not recipe.named(Treatment.GENERALISE):
        raise WorkbenchError(
            "No column takes part in the release.",
            hint="Attach a hierarchy to at least one column, or group one as it is.",
            field="columns",
            flags="--group",
        )
    if not 0 < recipe.beta <= 1:
        raise WorkbenchError("The sampling probability β must lie between 0 and 1.", hint="Try 0.6.", field="beta")
    if recipe.k < 1:
        raise WorkbenchError("k must be at least 1.", hint="Try 50.", field="k")
