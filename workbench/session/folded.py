"""A release as it is read: rows that are alike are one line with their number, perhaps with the rows behind it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.grouping import classes
from workbench.anonymise.sampling import Outcome
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table, TooManyGroups


@dataclass(frozen=True, eq=False)
class RowsBehind:
    """The rows of a table that each line stands for. From true rows: analyst only.

    Parameters
    ----------
    table
        The whole table as it was read.
    numbers
        Row numbers in it, those of the first line first, ascending within a line.
    starts
        Where the rows of each line begin in `numbers`, shape (lines + 1,).
    """

    table: Table
    numbers: NDArray[np.intp]
    starts: NDArray[np.int64]

    def of(self, line: int) -> NDArray[np.intp]:
        """The rows of a line by their numbers."""
        return self.numbers[self.starts[line] : self.starts[line + 1]]

    @cached_property
    def in_order(self) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """All these rows by their numbers, ascending, and the line of each; costs a sort of the rows."""
        order = np.argsort(self.numbers, kind="stable")
        line_of = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return self.numbers[order], line_of[order]


@dataclass(frozen=True, eq=False)
class FoldedTable:
    """Lines of rows that are alike, the largest groups first, those that are not released last.

    Parameters
    ----------
    lines
        The labels, one row for each line.
    sizes
        Rows that each line stands for, int64 of shape (lines,), all ≥ 1.
    released
        How many of the lines are released; they come first.
    dropped
        The word for rows of the others.
    steps
        At which steps each line was released, or by which passes; None where there is but one, or a column of the
        release says it.
    about_steps
        The levels of the steps or passes, a line of text each.
    shaded
        Which lines stand on a ground of their own, so that groups are told apart, shape (lines,).
    group_sizes
        Rows of the group each line is part of, where a column that is not grouped splits groups; else None.
    behind
        The rows as they were: analyst only. None for what a reader gets, or if nobody knows them.
    note
        Why they are not known; "" if they are or need not be.
    """

    lines: Table
    sizes: NDArray[np.int64]
    released: int
    dropped: str = ""
    steps: Column | None = None
    about_steps: str = ""
    shaded: NDArray[np.bool_] | None = None
    group_sizes: NDArray[np.int64] | None = None
    behind: RowsBehind | None = None
    note: str = ""

    def ready(self) -> FoldedTable:
        """The same, with what is asked for later worked out now, on the thread that folds."""
        _ = self.constants
        if self.behind is not None:
            _ = self.behind.in_order
        return self

    @cached_property
    def constants(self) -> dict[str, str]:
        """The columns with one label in all released rows, and that label; none where there is but one line."""
        if self.released < 2:
            return {}
        found = {}
        for column in self.lines.columns:
            codes = column.codes[: self.released]
            if (codes == codes[0]).all():
                found[column.name] = column.values[int(codes[0])]
        return found if len(found) < len(self.lines.columns) else {}


@dataclass(frozen=True, eq=False)
class UnfoldedRelease:
    """The rows of a release in an engine, which has more groups than may be counted here."""

    table: Table
    engine: str

    def ready(self) -> UnfoldedRelease:
        """Itself: nothing of it is worked out before it is seen."""
        return self


def why_alone(engine: str) -> str:
    """Why the rows as they were are not beside a release from an engine."""
    return (
        f"Before and after are known together only for data in memory: in {engine} nobody keeps which row became which."
    )


def folded_release(outcome: Outcome | TrimOutcome, progress: Progress = SILENT) -> FoldedTable | UnfoldedRelease:
    """The release for readers: of trimmed groups from their counts, of sampled rows for the price of counting them."""
    if not isinstance(outcome, TrimOutcome):
        return folded_rows(outcome.release, outcome.engine, progress)
    made, line_of = outcome.written_lines  # without a column that is not in the file, more rows are alike
    order = np.argsort(-made.sizes, kind="stable")
    lines = Table(
        tuple(
            Column(name, codes[order], labels)
            for name, codes, labels in zip(made.names, made.codes, made.labels, strict=True)
        )
    )
    steps = _steps(outcome, line_of, len(made.sizes))
    return FoldedTable(
        lines,
        made.sizes[order],
        len(order),
        steps=steps.take(order) if steps is not None else None,
        about_steps=_about_steps(outcome),
    )


def folded_rows(table: Table, engine: str, progress: Progress = SILENT) -> FoldedTable | UnfoldedRelease:
    """The rows of any table, those that are alike in all columns as one line."""
    try:
        lines, sizes = table.distinct(table.names, progress)
    except TooManyGroups:
        return UnfoldedRelease(table, engine)
    order = np.argsort(-sizes, kind="stable")
    return FoldedTable(lines.take(order), sizes[order], len(order))


def folded_with_rows(
    table: Table, outcome: Outcome | TrimOutcome, dropped: str, progress: Progress = SILENT
) -> FoldedTable | UnfoldedRelease:
    """The release with the rows behind each line, and what was not released; costs a sort of the rows.

    Where groups were trimmed, it is not said of any row that it went out, only of how many of its group. Here those are
    shown as released that come first in the table, at the labels of their step.

    Parameters
    ----------
    table
        The table the outcome was made from.
    dropped
        The word for rows that are not released.
    """
    progress(0.1)
    if isinstance(outcome, TrimOutcome):
        found = _trimmed(table, outcome, dropped, progress)
    elif outcome.row_by_row is not None:
        sizes = outcome.class_sizes
        grouped = tuple(outcome.recipe.levels)
        found = behind_classes(
            table, outcome.sampled, grouped, outcome.sampled_rows, outcome.class_ids, sizes >= outcome.recipe.k, dropped
        )
    else:
        found = None
    if found is not None:
        return found
    alone = folded_release(outcome, progress)
    if isinstance(alone, UnfoldedRelease):
        return alone
    return FoldedTable(
        alone.lines,
        alone.sizes,
        alone.released,
        steps=alone.steps,
        about_steps=alone.about_steps,
        note=why_alone(outcome.engine),
    )


def behind_classes(
    table: Table,
    after: Table,
    grouped: Collection[str],
    rows: NDArray[np.intp],
    class_ids: NDArray[np.int64],
    released: NDArray[np.bool_],
    dropped: str,
    progress: Progress = SILENT,
    *,
    passes: NDArray[np.integer] | None = None,
    about_passes: str = "",
) -> FoldedTable:
    """Lines of generalised rows whose classes are known.

    Parameters
    ----------
    table
        As it was read.
    after
        The generalised rows.
    grouped
        The columns in which the rows of a class are alike.
    rows, class_ids
        Of each generalised row its number in `table`, and its class.
    released
        Of each class whether it is released.
    dropped
        The word for rows that are not.
    passes, about_passes
        Of each generalised row which pass made it, from 0, -1 for none; and the levels of the passes, a line each.
    """
    apart = [name for name in after.names if name not in grouped]
    ids, sizes = _alike(after, apart, (class_ids, len(released)), progress)
    first = _first(ids, len(sizes))
    class_of = class_ids[first]
    groups = np.bincount(class_ids, minlength=len(released)).astype(np.int64)
    return _arranged(
        table,
        rows,
        ids,
        after.take(first),
        sizes,
        released[class_of],
        class_of,
        groups if apart else None,
        dropped,
        groups,
        _marks("Pass", ids, passes, len(sizes)) if passes is not None else None,
        about_passes,
    )


def _trimmed(table: Table, outcome: TrimOutcome, dropped: str, progress: Progress) -> FoldedTable | None:
    fates = outcome.fates()
    if fates is None:
        return None
    progress(0.4)
    made, last = outcome.lines, len(outcome.steps) - 1
    lines = len(made.sizes)
    # A row that went out is in the group its labels form in the release, another in what is left of its last group.
    ids = lines + fates.group
    for number in range(len(outcome.steps)):
        here = fates.step == number
        ids[here] = outcome.line_of[number][fates.group[here]]
    ends = outcome.labels_of(last)
    columns = []
    for name, codes, labels in zip(made.names, made.codes, made.labels, strict=True):
        rest = ends[name] if name in ends else Column(name, np.zeros(ends.rows, dtype=np.intp), ("",))
        both = np.concatenate([codes.astype(np.intp), rest.codes.astype(np.intp) + len(labels)])
        columns.append(Column(name, both, (*labels, *rest.values)))
    found = np.bincount(ids, minlength=lines + ends.rows).astype(np.int64)
    used = np.flatnonzero(found)
    place = np.zeros(len(found), dtype=np.int64)
    place[used] = np.arange(len(used))
    steps = _steps(outcome, outcome.line_of, len(outcome.lines.sizes))
    if steps is not None:
        steps = Column(
            steps.name,
            np.concatenate([steps.codes, np.full(ends.rows, len(steps.values))])[used],
            (*steps.values, ""),
        )
    labels_of = Table(tuple(columns)).take(used)
    return _arranged(
        table,
        np.arange(table.rows),
        place[ids],
        labels_of,
        found[used],
        used < lines,
        np.arange(len(used)),
        None,
        dropped,
        found[used],
        steps,
        _about_steps(outcome),
    )


def _arranged(
    table: Table,
    rows: NDArray[np.intp],
    ids: NDArray[np.int64],
    lines: Table,
    sizes: NDArray[np.int64],
    released: NDArray[np.bool_],
    class_of: NDArray[np.integer],
    group_sizes: NDArray[np.int64] | None,
    dropped: str,
    groups: NDArray[np.int64],
    steps: Column | None = None,
    about_steps: str = "",
) -> FoldedTable:
    """The lines in the order they are shown: what is released first, large groups first, those of a group together."""
    order = np.lexsort((-sizes, class_of, -groups[class_of], ~released))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    behind = RowsBehind(
        table, rows[np.argsort(rank[ids], kind="stable")], np.concatenate([[0], np.cumsum(sizes[order])])
    )
    return FoldedTable(
        lines.take(order),
        sizes[order],
        int(released.sum()),
        dropped,
        steps.take(order) if steps is not None else None,
        about_steps,
        alternating(class_of[order]),
        group_sizes[class_of[order]] if group_sizes is not None else None,
        behind,
    )


def _alike(
    table: Table, names: Collection[str], within: tuple[NDArray[np.int64], int] | None, progress: Progress
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows alike in these columns, and in the groups they are already in: of each row its line, of each its rows."""
    keys = [(table[name].codes, max(len(table[name].values), 1)) for name in names]
    found = classes([within, *keys] if within is not None else keys, table.rows, progress)
    return found.ids, found.sizes


def _first(ids: NDArray[np.int64], lines: int) -> NDArray[np.intp]:
    """The first row of each line."""
    first = np.empty(lines, dtype=np.intp)
    first[ids[::-1]] = np.arange(len(ids))[::-1]
    return first


def _steps(outcome: TrimOutcome, line_of: Sequence[NDArray[np.int64]], count: int) -> Column | None:
    """Of each line at which steps it was released, such as “1, 2”. That is part of what is proved, so it may leave."""
    if len(outcome.steps) == 1 or outcome.recipe.step_column:
        return None
    lines = np.concatenate(line_of)
    numbers = np.repeat(np.arange(len(line_of)), [len(some) for some in line_of])
    shown = lines >= 0
    return _marks("Step", lines[shown], numbers[shown], count)


def _marks(name: str, lines: NDArray[np.integer], numbers: NDArray[np.integer], count: int) -> Column:
    """Of so many lines the numbers that go with them, as they are counted by people; -1 is none."""
    at = np.zeros((count, int(numbers.max(initial=0)) + 1), dtype=np.bool_)
    at[lines[numbers >= 0], numbers[numbers >= 0]] = True
    kinds, codes = np.unique(at, axis=0, return_inverse=True)
    texts = tuple(", ".join(str(number + 1) for number in np.flatnonzero(kind)) for kind in kinds)
    return Column(name, codes.reshape(-1), texts)


def _about_steps(outcome: TrimOutcome) -> str:
    about = "At which step a row was released: 1 is the finest, and what it gave up came out at the next."
    return f"{about}\n" + "\n".join(
        f"Step {number}: " + " · ".join(f"{name} {level}" for name, level in step.levels.items())
        for number, step in enumerate(outcome.recipe.steps, start=1)
    )


def alternating(groups: NDArray[np.integer]) -> NDArray[np.bool_]:
    """True for every other run of equal entries; costs a pass over the rows, so do it off the GUI thread."""
    if not len(groups):
        return np.empty(0, dtype=np.bool_)
    changes = np.empty(len(groups), dtype=np.bool_)
    changes[0] = False
    np.not_equal(groups[1:], groups[:-1], out=changes[1:])
    return np.logical_xor.accumulate(changes)
