"""Before and after, row by row: the rows as they were beside what became of them. From true rows: analyst only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.mechanism import Outcome
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table


@dataclass(frozen=True, eq=False)
class RowOrder:
    """Which sampled rows to show in which order.

    `order` are positions among the sampled rows, `rows` their row numbers in the whole table, `dropped` and
    `shaded` what to mark; all of shape (rows shown,).
    """

    order: NDArray[np.intp]
    rows: NDArray[np.intp]
    dropped: NDArray[np.bool_]
    shaded: NDArray[np.bool_] | None


@dataclass(frozen=True, eq=False)
class SampleComparison:
    """Two tables of the sampled rows and the orders to show them in.

    Parameters
    ----------
    before
        The whole table as it was read, the columns of the release first.
    after
        The sampled rows generalised, with a first column that says how many sampled rows are alike.
    rows
        Row numbers of the sampled rows in `before`, shape (sampled,).
    kept
        Which of them were released, shape (sampled,).
    together, together_kept
        The rows of a group together, large groups first; with and without the dropped rows.
    """

    before: Table
    after: Table
    rows: NDArray[np.intp]
    kept: NDArray[np.bool_]
    together: RowOrder
    together_kept: RowOrder

    def arrangement(self, *, by_group: bool, with_dropped: bool) -> RowOrder:
        """The rows to show; cheap, because what needs sorting was prepared."""
        if by_group:
            return self.together if with_dropped else self.together_kept
        order = np.arange(len(self.rows)) if with_dropped else np.flatnonzero(self.kept)
        rows = self.rows if with_dropped else self.rows[order]
        return RowOrder(order, rows, ~self.kept[order], None)


@dataclass(frozen=True, eq=False)
class ReleaseAlone:
    """The rows of a release where nobody knows which rows of the data they were: the data is in an engine."""

    table: Table
    engine: str


def side_by_side(
    table: Table, outcome: Outcome, heading: str, dropped: str, progress: Progress = SILENT
) -> SampleComparison | ReleaseAlone:
    """Prepare the two tables; costs a sort of the sampled rows.

    Parameters
    ----------
    table
        The table the outcome was made from.
    heading
        Name of the column that counts the rows alike.
    dropped
        The word for rows that are not released.
    """
    progress(0.1)
    if outcome.row_by_row is None:
        return ReleaseAlone(outcome.release, outcome.engine)
    sizes, ids = outcome.class_sizes, outcome.class_ids
    k = outcome.recipe.k
    texts = tuple(f"{size:,}" if size >= k else f"{size:,} · {dropped}" for size in sizes.tolist())
    progress(0.4)
    while heading in outcome.sampled:
        heading += " "
    alike = Column(heading, ids, texts)
    # Groups ranked by size first: one sort of the rows instead of two.
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    order = np.argsort(rank[ids], kind="stable")
    progress(0.8)
    kept = outcome.kept
    released = [column for column in table.columns if column.name in outcome.sampled]
    others = [column for column in table.columns if column.name not in outcome.sampled]
    return SampleComparison(
        Table((*released, *others)),
        Table((alike, *outcome.sampled.columns)),
        outcome.sampled_rows,
        kept,
        arranged(order, outcome.sampled_rows, kept, ids),
        arranged(order[kept[order]], outcome.sampled_rows, kept, ids),
    )


def arranged(
    order: NDArray[np.intp], rows: NDArray[np.intp], kept: NDArray[np.bool_], groups: NDArray[np.int64]
) -> RowOrder:
    """These rows in this order, every other run of one group shaded."""
    return RowOrder(order, rows[order], ~kept[order], alternating(groups[order]))


def alternating(classes: NDArray[np.integer]) -> NDArray[np.bool_]:
    """True for every other run of equal entries; costs a pass over the rows, so do it off the GUI thread."""
    if not len(classes):
        return np.empty(0, dtype=np.bool_)
    changes = np.empty(len(classes), dtype=np.bool_)
    changes[0] = False
    np.not_equal(classes[1:], classes[:-1], out=changes[1:])
    return np.logical_xor.accumulate(changes)
