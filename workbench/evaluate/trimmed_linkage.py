"""The linkage attack of `workbench.evaluate.linkage` on a trimmed release, whose rows have labels of several levels.

Whoever looks for a person takes a row for possible whose labels cover what he knows, whichever step released it. Any
rows of a group could be those that went out, so a person's chance to be among them follows from counts, and nothing is
simulated. Analyst only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.risk import AttackerRisk, Risk, assess_risk
from workbench.anonymise.trim_counts import grouped
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table
from workbench.evaluate.linkage import Learned, LinkageAttack, combinations_of, share_guessed

Floats = NDArray[np.float64]


def link_trimmed(
    original: Table, outcome: TrimOutcome, known: Sequence[str], *, threshold: float = 0.2, progress: Progress = SILENT
) -> LinkageAttack:
    """Attack a trimmed release by the columns `known`. Parameters, result and errors as of `link`.

    The prosecutor finds F rows that fit and takes one of them: 1/F. The journalist is right if the person is among the
    released rows at all, and then as often.
    """
    if not known:
        raise WorkbenchError(
            "An attacker who knows no column cannot look for anybody.", hint="Tick a column he knows.", field="known"
        )
    axes = {axis.name: axis for axis in outcome.axes}
    for name in known:
        if name not in axes:
            outcome.lines.expanded()[name]  # raises, and says what there is
    progress(0.0, "Counting who fits")
    before_ids = combinations_of([original[name] for name in known], progress.part(0.0, 0.4))
    before = assess_risk(np.bincount(before_ids), threshold)
    progress(0.4)
    out = _shares_out(outcome)
    cells = _Cells.of(outcome, known, out)
    progress(0.6)
    whole = np.zeros(original.rows, dtype=np.int64)
    learned = []
    for axis in outcome.axes:
        # A label can only be guessed where all steps write the same ones.
        if axis.name in known or len({step.levels[axis.name] for step in outcome.recipe.steps}) > 1:
            continue
        truth = Column(axis.name, axis.first[original[axis.name].codes], axis.labels[0])
        after = _guessed(_Cells.of(outcome, [*known, axis.name], out), cells)
        learned.append(Learned(axis.name, share_guessed(truth, whole), share_guessed(truth, before_ids), after))
    progress(1.0)
    everybody = max(original.rows, 1)
    return LinkageAttack(
        tuple(known),
        before,
        cells.risk(threshold),
        float(cells.people[cells.fitting == 0].sum() / everybody),
        float(cells.right.sum() / everybody),
        True,
        tuple(learned),
    )


def _shares_out(outcome: TrimOutcome) -> Floats:
    """For each group of the first step, the chance of one of its rows to go out at some step."""
    left = np.ones(len(outcome.steps[0].groups))
    for number, step in enumerate(outcome.steps):
        rest = np.divide(step.rests, step.counts, out=np.zeros(len(step.counts)), where=step.counts > 0)
        left *= rest[outcome.group_at(number)]
    return 1.0 - left


@dataclass(frozen=True, eq=False)
class _Cells:
    """The people of the table by what the attacker knows of them, at the labels of the first step.

    Parameters
    ----------
    of_group
        The cell of each group of the first step.
    people
        Rows of the table in each cell, shape (cells,).
    out
        How many of them are expected among the released rows.
    fitting
        How many released rows, of all steps, they could be.
    """

    of_group: NDArray[np.int64]
    people: Floats
    out: Floats
    fitting: NDArray[np.int64]

    @classmethod
    def of(cls, outcome: TrimOutcome, known: Sequence[str], out: Floats) -> _Cells:
        places = [place for place, axis in enumerate(outcome.axes) if axis.name in known]
        first = outcome.steps[0]
        of_group, cells = _projected(outcome, 0, places)
        people = np.bincount(of_group, weights=first.counts, minlength=cells).astype(np.float64)
        went = np.bincount(of_group, weights=first.counts * out, minlength=cells).astype(np.float64)
        fitting = np.zeros(cells, dtype=np.int64)
        for number, step in enumerate(outcome.steps):
            coarse, size = _projected(outcome, number, places)
            rows = np.bincount(coarse, weights=step.released, minlength=size).astype(np.int64)
            # All groups of a cell are in one cell of every later step, because labels are nested.
            above = np.zeros(cells, dtype=np.int64)
            above[of_group] = coarse[outcome.group_at(number)]
            fitting += rows[above]
        return cls(of_group, people, went, fitting)

    @property
    def right(self) -> Floats:
        """How many people he is expected to point at, if he looks for everybody."""
        return np.divide(self.out, self.fitting, out=np.zeros(len(self.out)), where=self.fitting > 0)

    def risk(self, threshold: float) -> Risk:
        seen = np.flatnonzero(self.fitting > 0)
        out, fitting, rows = self.out[seen], self.fitting[seen], self.out.sum()
        journalist = _attacker(out, out / self.people[seen] / fitting, threshold)
        return Risk(
            round(float(rows)),
            len(seen),
            threshold,
            _attacker(out, 1.0 / fitting, threshold),
            journalist,
            journalist.average,
            float(out[fitting == 1].sum() / rows) if rows else 0.0,
            int(fitting.min()) if len(seen) else 0,
            int(fitting.max()) if len(seen) else 0,
        )


def _projected(outcome: TrimOutcome, number: int, places: Sequence[int]) -> tuple[NDArray[np.int64], int]:
    """The cell of each group of a step by the labels of some columns, and how many cells there are."""
    groups = outcome.steps[number].groups
    cells, ids = grouped(
        [groups.digits[place] for place in places], [groups.radices[place] for place in places], len(groups)
    )
    return ids, len(cells)


def _attacker(out: Floats, chance: Floats, threshold: float) -> AttackerRisk:
    total = float(out.sum())
    if not total:
        return AttackerRisk(0.0, 0.0, 0.0)
    exposed = chance > threshold * (1 + 1e-12)
    return AttackerRisk(
        float(chance[out > 0].max()), float((out * chance).sum() / total), float(out[exposed].sum() / total)
    )


def _guessed(finer: _Cells, cells: _Cells) -> float:
    """Share of the released people whose label is the most frequent one among the rows that fit."""
    total = finer.out.sum()
    if not total:
        return 0.0
    above = np.zeros(len(finer.out), dtype=np.int64)
    above[finer.of_group] = cells.of_group
    # The last of each cell in this order is the one with most rows.
    order = np.lexsort((finer.fitting, above))
    last = np.append(above[order][1:] != above[order][:-1], True) if len(order) else np.zeros(0, dtype=np.bool_)
    return float(finer.out[order[last]].sum() / total)
