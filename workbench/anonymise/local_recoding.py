"""Local recoding: what one node suppresses is generalised further instead of being lost.

The rows that the best node suppresses are searched by themselves, for a node that releases some of them; then those
still left; until nothing is left or nothing is gained. The released rows carry the levels of the pass they were
released in, so the same value may be written in several ways.

Models that compare with the whole table (t-closeness, β-likeness, k-map by estimate) compare with the whole table in
every pass. A class that a pass releases takes its rows, and those of the population that look like them, out of the
passes that follow: nobody is counted twice, and whoever knows how the table was made still finds every model satisfied.

Because equal labels may come from different levels, two passes can release the same labels. So the table is read once
more as it is, its labels as they stand, and every class of it is checked again.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.goal import Goal
from workbench.anonymise.outcome import SearchResult
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.recode import (
    Anonymised,
    Generalised,
    LocalRecoding,
    Pass,
    Suppressed,
    apply,
    check_columns,
    generalise,
)
from workbench.anonymise.search import Effort, evaluate, find_best
from workbench.anonymise.separable import SeparableLoss
from workbench.anonymise.utility import LossSetting, MetricChoice
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table

MOST_PASSES = 100
"""Every pass costs a search; so many have never been needed."""


def recode_locally(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
    goal: Goal,
    *,
    keep: Sequence[str] = (),
    on_suppressed: Suppressed = Suppressed.DROP,
    effort: Effort | None = None,
    progress: Progress = SILENT,
) -> Anonymised:
    """Generalise to the given levels, and what fails the models there to other levels, pass by pass.

    Parameters
    ----------
    table, hierarchies
        As in `prepare`.
    levels
        Level per column of the first pass.
    goal
        What must hold, and what may be lost in the end; the later passes search with it.
    keep, on_suppressed
        As in `apply`.
    effort
        How long all passes together may take; those that are done when the time is over count.
    progress
        Reports the share of the rows that were released; may cancel.

    Returns
    -------
    Anonymised
        With `local` filled. Rows of one column may have labels of different levels.

    Raises
    ------
    WorkbenchError
        If the input contradicts itself, or more rows fail the models in the end than may be suppressed.
    Cancelled
        If the progress was cancelled.

    Notes
    -----
    The loss that is reported is that of the default metric, the share of the domain each released value might stand
    for, because it is defined row by row: L = (Σ share/n − 1/D)/(1 − 1/D) with the share of the label each row has.
    If the metric is that one, the loss of a single pass is the score of the search.
    """
    check_columns(table, hierarchies, levels, keep)
    effort = effort or Effort()
    until = None if effort.seconds is None else time.perf_counter() + effort.seconds
    of_rows = replace(goal, metric=MetricChoice(), limits={})
    whole = prepare(table, hierarchies, of_rows, progress=progress.part(0.0, 0.1))
    written = _Written(table, whole)
    left = np.arange(table.rows)
    node: Mapping[str, int] | None = dict(levels)
    complete = True
    while node is not None and len(written.nodes) < MOST_PASSES:
        # How many passes there will be nobody knows; each takes half of what the bar has left.
        step = progress.part(0.8 - 0.7 * 0.5 ** len(written.nodes), 0.8 - 0.35 * 0.5 ** len(written.nodes))
        found = generalise(table, hierarchies, node, goal, left, step.part(0.0, 0.2))
        left = written.take(found, node, left)
        node = None
        rest = None if until is None else until - time.perf_counter()
        if not found.suppressed:
            break
        if rest is not None and rest <= 0:
            complete = False
            break
        step(0.2, f"{found.suppressed:,} rows are left after {len(written.nodes)} passes")
        problem = prepare(table, hierarchies, goal.whatever_is_suppressed(), among=left, progress=step.part(0.2, 0.4))
        effort_left = Effort(rest, effort.nodes, memory=effort.memory)
        best = find_best(problem, effort=effort_left, progress=step.part(0.4, 1.0))
        complete = complete and best.optimal
        node = _releasing(problem, best)
    rows = np.flatnonzero(written.number >= 0)
    if len(rows):
        # The table is read as it is written, labels as they stand, and every class of it must satisfy the models.
        table = written.table()
        hierarchies = {name: Hierarchy.from_levels(table[name].values, ()) for name in whole.names}
        levels = dict.fromkeys(whole.names, 0)
    made = apply(
        table,
        hierarchies,
        levels,
        goal,
        keep=keep,
        on_suppressed=on_suppressed,
        # Where no pass released anything, the first one says so.
        among=rows if len(rows) else None,
        progress=progress.part(0.8, 1.0),
    )
    return replace(made, local=written.told(made, goal.metric, complete))


def _releasing(problem: SearchProblem, best: SearchResult) -> dict[str, int] | None:
    """The best node if it releases rows; else the highest one if that does, and costs no more; else None."""
    if best.suppressed < problem.rows:
        return best.levels
    top = evaluate(problem, problem.named(problem.lattice.high))
    return top.levels if top.suppressed < problem.rows and top.score <= best.score else None


class _Written:
    """The labels that every row was given, and in which pass."""

    def __init__(self, table: Table, whole: SearchProblem) -> None:
        self._source = table
        self._whole = whole
        self.nodes: list[dict[str, int]] = []
        self.number: NDArray[np.int16] = np.full(table.rows, -1, dtype=np.int16)
        """The pass of each row, -1 as long as it has none."""
        # A label may stand for fewer values at one level than at another, so it counts once for each.
        self._labels: dict[str, dict[tuple[str, int], int]] = {name: {} for name in whole.names}
        self._codes = {name: np.zeros(table.rows, dtype=np.int32) for name in whole.names}

    def take(self, found: Generalised, node: Mapping[str, int], among: NDArray[np.intp]) -> NDArray[np.intp]:
        """Write the rows of a pass whose classes satisfy the models; returns the rows that are left."""
        kept = found.alive[found.ids]
        rows = among[kept]
        self.number[rows] = len(self.nodes)
        self.nodes.append({name: node[name] for name in self._whole.names})
        for attribute in found.problem.attributes:
            name, level = attribute.name, node[attribute.name]
            known = self._labels[name]
            pairs = zip(attribute.labels[level], attribute.shares[level].tolist(), strict=True)
            place = np.array([known.setdefault(pair, len(known)) for pair in pairs], dtype=np.int32)
            self._codes[name][rows] = place[found.columns[name].codes[kept]]
        return among[~kept]

    def table(self) -> Table:
        """The whole table with the labels; rows without any have some label, too."""
        return Table(tuple(self._column(column) for column in self._source.columns))

    def _column(self, column: Column) -> Column:
        if column.name not in self._codes:
            return column
        texts = dict.fromkeys(text for text, _ in self._labels[column.name])
        place = {text: number for number, text in enumerate(texts)}
        number = np.array([place[text] for text, _ in self._labels[column.name]], dtype=np.int32)
        return Column(column.name, number[self._codes[column.name]], tuple(texts))

    def told(self, made: Anonymised, metric: MetricChoice, complete: bool) -> LocalRecoding:
        """Outcome of local recoding, counting only rows that are in the table that was made."""
        number = np.where(made.kept, self.number[made.rows], -1)
        rows = np.bincount(number[number >= 0], minlength=len(self.nodes))
        passes = [Pass(node, count) for node, count in zip(self.nodes, rows.tolist(), strict=True)]
        before, _ = self._loss(made.rows[number == 0], metric)
        after, losses = self._loss(made.rows[number >= 0], metric)
        # A later pass is only in the list if something of it is in the table.
        listed = [place for place, one in enumerate(passes) if one.rows or not place]
        places = np.full(len(passes) + 1, -1, dtype=np.int16)
        places[listed] = np.arange(len(listed))
        return LocalRecoding(
            tuple(passes[place] for place in listed),
            int(rows[1:].sum()),
            before,
            after,
            losses,
            complete,
            places[number],
        )

    def _loss(self, rows: NDArray[np.intp], metric: MetricChoice) -> tuple[float, dict[str, float]]:
        """The share of the domain if these rows are released, together and by column."""
        whole = self._whole
        choice = metric if metric.identifier == MetricChoice().identifier else MetricChoice()
        loss = choice.fit(LossSetting(whole.attributes, whole.rows, whole.lattice))
        assert isinstance(loss, SeparableLoss)
        totals = []
        for attribute in whole.attributes:
            shares = np.array([share for _, share in self._labels[attribute.name]], dtype=np.int64)
            stands_for = int(shares[self._codes[attribute.name][rows]].sum())
            totals.append(stands_for + attribute.domain * (whole.rows - len(rows)))
        shown, each = loss.of_totals(np.array(totals, dtype=np.float64))
        return shown, dict(zip(whole.names, each, strict=True))
