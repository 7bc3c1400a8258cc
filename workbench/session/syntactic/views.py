"""Tables, charts and risks of a table that was made to satisfy privacy models. From true rows: analyst only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.anonymise.compared import Meaning
from workbench.anonymise.risk import Risk, assess_risk, class_sizes
from workbench.anonymise.utility import METRICS
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import sort_keys
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column, Table, TooManyGroups
from workbench.engines.choice import EngineChoice
from workbench.plots import before_after, losses, released_classes
from workbench.session.side_by_side import ReleaseAlone, SampleComparison, arranged
from workbench.session.syntactic.results import Recoded

_UNORDERED = (Kind.CATEGORY, Kind.TEXT)


@dataclass(frozen=True, eq=False)
class RecodedViews:
    """The tables and charts of one result. From true rows: analyst only."""

    recoded: Recoded
    comparison: SampleComparison | ReleaseAlone
    losses: losses.Losses
    sizes: released_classes.ClassSizes


@dataclass(frozen=True, eq=False)
class Risks:
    """The risk of the grouped columns as they were, and as they are released. From true rows: analyst only."""

    recoded: Recoded
    before: Risk | None
    after: Risk
    why_not: str = ""
    """Why nothing is said about the rows as they were: they are of more kinds than may be counted here."""


def prepare(recoded: Recoded, heading: str, suppressed: str, progress: Progress = SILENT) -> RecodedViews:
    """Everything that is shown of a table but its risk and the distribution of a column.

    Parameters
    ----------
    heading, suppressed
        Name of the column that counts the rows alike, and the word for rows that are not released.
    """
    comparison = compare(recoded, heading, suppressed, progress)
    metric = METRICS[recoded.question.metric.identifier].title
    return RecodedViews(
        recoded,
        comparison,
        losses.compute(metric, recoded.facts.losses, recoded.facts.score),
        released_classes.compute(recoded.anonymised.class_sizes, recoded.anonymised.suppressed),
    )


def compare(
    recoded: Recoded, heading: str, suppressed: str, progress: Progress = SILENT
) -> SampleComparison | ReleaseAlone:
    """The rows before and after, arranged; costs a sort of the rows."""
    progress(0.1)
    made, table = recoded.anonymised, recoded.table
    if made.row_by_row is None:
        return ReleaseAlone(made.table, EngineChoice(made.table.engine).title)
    sizes = made.class_sizes
    # Suppressed rows form a group of their own that stands last.
    ids = np.where(made.class_ids < 0, len(sizes), made.class_ids)
    texts = (*(f"{size:,}" for size in sizes.tolist()), suppressed)
    while heading in made.table:
        heading += " "
    rank = np.empty(len(sizes) + 1, dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    rank[-1] = len(sizes)
    progress(0.4)
    order = np.argsort(rank[ids], kind="stable")
    progress(0.8)
    released = [column for column in table.columns if column.name in made.table]
    others = [column for column in table.columns if column.name not in made.table]
    return SampleComparison(
        Table((*released, *others)),
        Table((Column(heading, ids, texts), *(made.table[column.name] for column in released))),
        made.rows,
        made.kept,
        arranged(order, made.rows, made.kept, ids),
        arranged(order[made.kept[order]], made.rows, made.kept, ids),
    )


def assess_before_and_after(recoded: Recoded, threshold: float, progress: Progress = SILENT) -> Risks:
    """The risk before and after.

    Parameters
    ----------
    threshold
        The chance above which a row counts as at risk, 0 to 1.
    """
    progress(0.1)
    made = recoded.anonymised
    names = [name for name in recoded.table.names if name in recoded.hierarchies]
    table = recoded.table if made.rows_in == recoded.table.rows else recoded.table.take(made.rows)
    after = assess_risk(made.class_sizes, threshold, made.population)
    try:
        before = assess_risk(class_sizes(table, names), threshold)
    except TooManyGroups as error:
        return Risks(recoded, None, after, " ".join(filter(None, (error.message, error.hint))))
    progress(0.8)
    return Risks(recoded, before, after)


def distribution(recoded: Recoded, spec: ColumnSpec, progress: Progress = SILENT) -> before_after.BeforeAfter:
    """Rows per value of a released column before and after."""
    progress(0.1)
    made, column = recoded.anonymised, recoded.table[spec.name]
    used = column if made.rows_in == len(column) else column.take(made.rows)
    hierarchy = recoded.hierarchies.get(spec.name)
    kept = made.released_column(spec.name)
    progress(0.4)
    occurring = {value for value, rows in zip(used.values, used.counts.tolist(), strict=True) if rows}
    among = None
    if hierarchy is not None:
        among = np.fromiter((value in occurring for value in hierarchy.values), np.bool_, len(hierarchy.values))
    # Of a table that was recoded locally, labels may be of several levels.
    meaning = Meaning(spec, hierarchy, recoded.levels.get(spec.name, 0))
    divided = meaning.spread(kept.values, kept.counts.astype(np.float64), among)
    after = np.array([divided.get(value, 0.0) for value in column.values])
    progress(0.8)
    order = None
    if spec.kind not in _UNORDERED:
        try:
            order = sort_keys(used, spec)
        except WorkbenchError:
            order = None  # A date whose pattern was not given yet has no order.
    every = np.arange(len(column.values))
    return before_after.compute(spec.name, column.values, used.counts, every, after, order)
