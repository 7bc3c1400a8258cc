"""Tables, charts and risks of a table that was made to satisfy privacy models. From true rows: analyst only."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.compared import Meaning
from workbench.anonymise.risk import Risk, assess_risk, class_sizes
from workbench.anonymise.utility import METRICS
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import sort_keys
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import TooManyGroups
from workbench.engines.choice import EngineChoice
from workbench.plots import before_after, losses, released_classes
from workbench.plots.paired_bars import PairedShares
from workbench.session.folded import FoldedTable, UnfoldedRelease, behind_classes, folded_rows, why_alone
from workbench.session.syntactic.results import Recoded
from workbench.session.syntactic.words import pass_levels_in_words

_UNORDERED = (Kind.CATEGORY, Kind.TEXT)


@dataclass(frozen=True, eq=False)
class RecodedViews:
    """The tables and charts of one result. From true rows: analyst only."""

    recoded: Recoded
    table: FoldedTable | UnfoldedRelease
    losses: losses.Losses
    sizes: released_classes.ClassSizes


@dataclass(frozen=True, eq=False)
class Risks:
    """The risk of the grouped columns as they were, and as they are released. From true rows: analyst only."""

    recoded: Recoded
    before: Risk | None
    after: Risk
    spread: PairedShares
    """The rows by their risk."""
    attackers: PairedShares
    """The shares that each kind of attacker finds."""
    why_not: str = ""
    """Why nothing is said about the rows as they were: they are of more kinds than may be counted here."""


def prepare(recoded: Recoded, suppressed: str, progress: Progress = SILENT) -> RecodedViews:
    """Everything that is shown of a table but its risk and the distribution of a column.

    Parameters
    ----------
    suppressed
        The word for rows that are not released.
    """
    table = folded(recoded, suppressed, progress).ready()
    metric = METRICS[recoded.question.metric.identifier].title
    return RecodedViews(
        recoded,
        table,
        losses.compute(metric, recoded.facts.losses, recoded.facts.score),
        released_classes.compute(recoded.anonymised.class_sizes, recoded.anonymised.suppressed),
    )


def folded(recoded: Recoded, suppressed: str, progress: Progress = SILENT) -> FoldedTable | UnfoldedRelease:
    """The rows before and after, those that are alike as one line; costs a sort of the rows."""
    progress(0.1)
    made = recoded.anonymised
    if made.row_by_row is None:
        engine = EngineChoice(made.table.engine).title
        alone = folded_rows(made.table, engine, progress)
        return alone if isinstance(alone, UnfoldedRelease) else replace(alone, note=why_alone(engine))
    classes = len(made.class_sizes)
    # Suppressed rows form a group of their own that stands last.
    ids = np.where(made.class_ids < 0, classes, made.class_ids)
    released = np.ones(classes + 1, dtype=np.bool_)
    released[-1] = False
    local = made.local if made.local is not None and len(made.local.passes) > 1 else None
    return behind_classes(
        recoded.table,
        made.table,
        tuple(recoded.hierarchies),
        made.rows,
        ids,
        released,
        suppressed,
        progress,
        passes=local.pass_of if local is not None else None,
        about_passes=pass_levels_in_words(local) if local is not None else "",
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
        sizes = class_sizes(table, names)
    except TooManyGroups as error:
        drawn = _by_risk(None, made.class_sizes), _attackers(None, after)
        return Risks(recoded, None, after, *drawn, str(error))
    before = assess_risk(sizes, threshold)
    progress(0.8)
    return Risks(recoded, before, after, _by_risk(sizes, made.class_sizes), _attackers(before, after))


_RISKS = ((200, "≤ 0.5 %"), (100, "1 %"), (50, "2 %"), (20, "5 %"), (10, "10 %"), (5, "20 %"), (3, "33 %"), (2, "50 %"))
"""Rows of a class at which its risk, one divided by them, is at most that."""


def _by_risk(before: NDArray[np.int64] | None, after: NDArray[np.int64]) -> PairedShares:
    """The share of the rows with each risk of the prosecutor, from the least to those that are alone."""
    least = [rows for rows, _ in _RISKS][::-1]

    def shares(sizes: NDArray[np.int64] | None) -> NDArray[np.float64]:
        if sizes is None:
            return np.full(len(_RISKS) + 1, np.nan)
        place = np.searchsorted(least, sizes, side="right")
        rows = np.bincount(place, weights=sizes, minlength=len(_RISKS) + 1)[::-1]
        return rows / max(float(rows.sum()), 1.0)

    names = (*(name for _, name in _RISKS), "100 %")
    return PairedShares("Risk of a row, up to", "Share of the rows", names, shares(before), shares(after))


def _attackers(before: Risk | None, after: Risk) -> PairedShares:
    """The highest and the average chance of each kind of attacker."""

    def chances(risk: Risk | None) -> NDArray[np.float64]:
        if risk is None:
            return np.full(5, np.nan)
        prosecutor, journalist = risk.prosecutor, risk.journalist
        return np.array([prosecutor.highest, prosecutor.average, journalist.highest, journalist.average, risk.marketer])

    names = ("prosecutor, highest", "prosecutor, average", "journalist, highest", "journalist, average", "marketer")
    return PairedShares("Attacker", "Chance to be right", names, chances(before), chances(after))


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
