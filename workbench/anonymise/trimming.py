"""Trimming with levels in steps: the release of generalised rows that keeps as many as its (ε, δ) allows.

Groups are counted at the finest levels, and each gives up a random number of its rows; what a step did not release is
counted at the levels of the next. The rows that are released are written from these counts, so that nothing is left in
them of the order of the table or of what was not released. No released row is invented: each is a generalised real one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.after_draw import AS_DRAWN, AfterDraw
from workbench.anonymise.recipe import ReleaseOutcome
from workbench.anonymise.released_lines import ReleasedLines, along_chain, released_lines
from workbench.anonymise.trim_axes import TrimAxis, axis_of
from workbench.anonymise.trim_counts import Draw, LabelGroups, TrimmedStep, cascade, grouped
from workbench.anonymise.trim_recipe import TrimRecipe, check_trim_recipe
from workbench.core.discreet import discreet
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource
from workbench.core.table import Column, Table
from workbench.core.trim_law import trim_law

Counting = Callable[[Sequence[TrimAxis], Progress], tuple[LabelGroups, NDArray[np.int64], NDArray[np.int64] | None]]
"""Counts the groups of the first step: the groups, their rows, and the group of each row where rows are in memory."""


@discreet
@dataclass(frozen=True, eq=False)
class RowFates:
    """The fate of each row of the table: analyst only.

    Parameters
    ----------
    step
        At which step it went out, from 0; -1 for a row that did not. Shape (rows,).
    group
        Its group of that step, or of the last step.
    """

    step: NDArray[np.int64]
    group: NDArray[np.int64]


@discreet
@dataclass(frozen=True, eq=False)
class TrimOutcome(ReleaseOutcome):
    """The outcome of one run of trimming.

    Only `release`, `lines` and what follows from them may be published. `steps`, `parents`, `line_of`,
    `rows_in` and `group_of` are computed from the true rows: analyst only.

    Parameters
    ----------
    release
        What may leave: one row per released row, or one line per group with a column of its size.
    recipe
        What was run.
    secure
        Whether it was drawn with the operating system's randomness; without it nothing is protected.
    lines
        The same, one line per group.
    axes
        What the columns are called at each step.
    steps
        Groups, true counts and released counts of every step.
    parents
        For each step but the last, the group of the next one that each group falls into.
    line_of
        Per step the line that each group adds rows to, -1 where it releases none.
    rows_in
        How many rows the table has.
    group_of
        The group of the first step that each row of the table is in; None where the rows are in an engine.
    engine
        What the engine is called that has the rows; "" where they are in memory.
    after
        What was done to the released rows after the draw.
    """

    release: Table
    recipe: TrimRecipe
    secure: bool
    lines: ReleasedLines
    axes: tuple[TrimAxis, ...]
    steps: tuple[TrimmedStep, ...]
    parents: tuple[NDArray[np.int64], ...]
    line_of: tuple[NDArray[np.int64], ...]
    rows_in: int
    group_of: NDArray[np.int64] | None = None
    engine: str = ""
    after: AfterDraw = AS_DRAWN

    @property
    def columns_out(self) -> tuple[str, ...]:
        return tuple(axis.name for axis in self.axes if axis.name not in self.after.left_out)

    @property
    def rows_out(self) -> int:
        return self.lines.rows

    @property
    def released_sizes(self) -> NDArray[np.int64]:
        return self.lines.sizes

    def label_counts(self, name: str) -> tuple[tuple[int, tuple[str, ...], NDArray[np.int64]], ...]:
        place = next(place for place, axis in enumerate(self.axes) if axis.name == name)
        labels = self.axes[place].labels
        return tuple(
            (
                step.levels[name],
                labels[number],
                np.bincount(made.groups.digits[place], made.released, len(labels[number])).astype(np.int64),
            )
            for number, (step, made) in enumerate(zip(self.recipe.steps, self.steps, strict=True))
        )

    @cached_property
    def rows_of_steps(self) -> tuple[int, ...]:
        """Rows that each step released. The steps are part of what is proved, so this may leave."""
        return tuple(int(step.released.sum()) for step in self.steps)

    @property
    def last_step(self) -> int:
        """The last step that released a row, from 1: the released rows themselves show it."""
        return max((number for number, rows in enumerate(self.rows_of_steps, 1) if rows), default=1)

    @property
    def names_out(self) -> tuple[str, ...]:
        """The columns of the file, with those that are added."""
        return (*self.columns_out, *self.recipe.added)

    def done_to(self, after: AfterDraw) -> TrimOutcome:
        """The same draw as it is written in another way; its rows are made by `written`.

        Raises
        ------
        WorkbenchError
            See `AfterDraw.check`.
        """
        if not after:
            return self
        after.check(self.recipe)
        return replace(self, recipe=replace(self.recipe, step_column=after.step_of(self.recipe)), after=after)

    def written(self) -> Table:
        """Table that is exported; what is done after the draw depends on the released rows and their steps alone.

        Raises
        ------
        WorkbenchError
            If the rows are in an engine, something is done to them, and they do not fit into memory.
        """
        recipe = self.recipe
        if not self.after:
            return self.release
        lines, _ = self.written_lines
        if recipe.count_column:
            return lines.counted(recipe.count_column)
        width = sum(codes.itemsize for codes in lines.codes)
        self.release.check_room(lines.rows * width, "the released rows")
        return lines.expanded()

    @cached_property
    def written_lines(self) -> tuple[ReleasedLines, tuple[NDArray[np.int64], ...]]:
        """The lines of what is written, and for each step the line of each group, -1 for none."""
        after = self.after
        if not after:
            return self.lines, self.line_of
        return released_lines(
            self.axes, self.steps, self.recipe.step_column, left_out=after.left_out, one_level=after.one_level
        )

    @cached_property
    def rows_alone(self) -> Table:
        """The released rows without a column that tells the step or the size of a group.

        Raises
        ------
        WorkbenchError
            If an engine has them, and they do not fit into memory.
        """
        if not (self.recipe.step_column or self.recipe.count_column):
            return self.release
        lines, _ = released_lines(self.axes, self.steps)
        width = sum(codes.itemsize for codes in lines.codes)
        self.release.check_room(lines.rows * width, "the released rows one by one")
        return lines.expanded()

    def groups_of_steps(self, name: str) -> Column:
        """The labels of a generalised column in the groups of all steps, one after the other: analyst only."""
        place = next(place for place, axis in enumerate(self.axes) if axis.name == name)
        return along_chain(self.axes[place], [step.groups.digits[place] for step in self.steps])

    def fates(self) -> RowFates | None:
        """At which step each row may have gone out: analyst only. None where the rows are in an engine.

        Of a group's rows any could be those that go out. Here they are the first ones, in the order of the table.
        """
        if self.group_of is None:
            return None
        step_of = np.full(self.rows_in, -1, dtype=np.int64)
        group = self.group_of.copy()
        left = np.arange(self.rows_in)
        for number, step in enumerate(self.steps):
            here = group[left]
            order = np.argsort(here, kind="stable")
            ordered = here[order]
            rank = np.arange(len(left)) - np.searchsorted(ordered, ordered)
            out = np.zeros(len(left), dtype=np.bool_)
            out[order] = rank < step.released[ordered]
            step_of[left[out]] = number
            left = left[~out]
            if number < len(self.parents):
                group[left] = self.parents[number][group[left]]
        return RowFates(step_of, group)

    def trimmed_again(self, source: RandomSource) -> tuple[TrimmedStep, ...]:
        """Outcome of another draw of the same groups, for the analyst only."""
        first = self.steps[0]
        steps, _ = cascade(
            first.groups, first.counts, _ups(self.axes), _drawing(self.recipe, source), self.recipe.floor
        )
        return steps

    def labels_of(self, step: int) -> Table:
        """The groups of a step by their labels, one row each, in the order of its counts: analyst only."""
        groups = self.steps[step].groups
        return Table(
            tuple(
                Column(axis.name, digits, axis.labels[step])
                for axis, digits in zip(self.axes, groups.digits, strict=True)
            )
        )

    def group_at(self, step: int) -> NDArray[np.intp]:
        """The group of a step that each group of the first falls into, shape (groups of the first step,)."""
        member = np.arange(len(self.steps[0].groups))
        for parent in self.parents[:step]:
            member = parent[member]
        return member


def trim(
    table: Table,
    recipe: TrimRecipe,
    hierarchies: Mapping[str, Hierarchy],
    source: RandomSource,
    progress: Progress = SILENT,
) -> TrimOutcome:
    """Release a table in memory once with fresh randomness.

    Parameters
    ----------
    hierarchies
        Values that one misses become `*`. A column without one is released as it is at level 0, and as `*` above.

    Raises
    ------
    WorkbenchError
        If the recipe says nothing or what cannot be, a level does not exist, or a hierarchy is not nested.
    Cancelled
        If the progress was cancelled.
    """

    def count(
        axes: Sequence[TrimAxis], progress: Progress
    ) -> tuple[LabelGroups, NDArray[np.int64], NDArray[np.int64] | None]:
        progress(0.0, "Generalising columns")
        columns, radices = [], []
        for place, axis in enumerate(axes):
            progress(0.5 * place / len(axes))
            kind = np.min_scalar_type(max(len(axis.labels[0]) - 1, 0))
            columns.append(axis.first.astype(kind)[table[axis.name].codes])
            radices.append(max(len(axis.labels[0]), 1))
        progress(0.5, "Finding rows that are alike")
        groups, ids = grouped(columns, radices, table.rows)
        return groups, np.bincount(ids, minlength=len(groups)).astype(np.int64), ids

    def write(lines: ReleasedLines, progress: Progress) -> Table:
        return lines.counted(recipe.count_column) if recipe.count_column else lines.expanded()

    return trimmed_release(table, recipe, hierarchies, source, count, write, progress)


def trimmed_release(
    table: Table,
    recipe: TrimRecipe,
    hierarchies: Mapping[str, Hierarchy],
    source: RandomSource,
    count: Counting,
    write: Callable[[ReleasedLines, Progress], Table],
    progress: Progress = SILENT,
    engine: str = "",
) -> TrimOutcome:
    """Release a table wherever its rows are.

    Parameters
    ----------
    count
        Counts the groups of the first step, ascending by their labels, so that equal random numbers give equal releases
        everywhere.
    write
        Makes the released table.
    engine
        What the engine is called that has the rows.

    Raises
    ------
    WorkbenchError, Cancelled
        As `trim` does.
    """
    check_trim_recipe(recipe, table.names)
    # Hierarchies are matched with the data before anything is drawn: a bad recipe costs no randomness.
    chosen = set(recipe.grouped)
    axes = tuple(
        axis_of(table[name], hierarchies.get(name), [step.levels[name] for step in recipe.steps])
        for name in table.names
        if name in chosen
    )
    draw = _drawing(recipe, source)
    groups, counts, group_of = count(axes, progress.part(0.05, 0.6))
    progress(0.6, "Trimming groups")
    steps, parents = cascade(groups, counts, _ups(axes), draw, recipe.floor)
    progress(0.75, "Writing what is released")
    lines, line_of = released_lines(axes, steps, recipe.step_column)
    release = write(lines, progress.part(0.75, 1.0))
    progress(1.0)
    return TrimOutcome(
        release=release,
        recipe=recipe,
        secure=source.secure,
        lines=lines,
        axes=axes,
        steps=steps,
        parents=parents,
        line_of=line_of,
        rows_in=table.rows,
        group_of=group_of,
        engine=engine,
    )


def _ups(axes: Sequence[TrimAxis]) -> list[tuple[list[NDArray[np.intp]], list[int]]]:
    """For each step but the first what the labels of all columns become, and how many there are then."""
    return [
        ([axis.ups[place] for axis in axes], [max(len(axis.labels[place + 1]), 1) for axis in axes])
        for place in range(len(axes[0].ups))
    ]


def _drawing(recipe: TrimRecipe, source: RandomSource) -> Draw:
    """Draws what the groups of a step give up, each step by its own law."""
    laws = [trim_law(step.epsilon, step.delta, recipe.rows_per_person) for step in recipe.steps]
    return lambda step, groups: laws[step].draw(source, groups)
