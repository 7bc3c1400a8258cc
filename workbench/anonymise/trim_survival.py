"""Survival of rows under trimming at other ε, by trimming the same groups again. From the true rows: analyst only."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.survival import QUANTILES
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import file_text
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import source_for

DRAWS = 30
"""Simulated draws per point; groups are many, so that what survives in all varies little."""

_POINTS = 11
_REACH = 8.0
"""ε is varied from an eighth of what is promised to eight times that."""
_SMALLEST, _LARGEST = 0.05, 10.0

Floats = NDArray[np.float64]


@discreet
@dataclass(frozen=True, eq=False)
class TrimSurvival:
    """The share of this data that trimming would release at other ε or δ. From true rows: analyst only.

    Parameters
    ----------
    promised
        The guarantee in force.
    epsilons
        ε, float64 of shape (points,), rising.
    released, groups
        The 5, 50 and 95 % quantiles over the draws of the rows and the groups released, shape (3, points); nan where
        groups would have to give up too many rows.
    chosen
        Which of the points is in force.
    rows, classes
        Rows of the table, and groups they form at the finest levels.
    draws, seed
        Simulated draws per point, and what they can be repeated with.
    """

    promised: TrimGuarantee
    epsilons: Floats
    released: Floats
    groups: Floats
    chosen: int
    rows: int
    classes: int
    draws: int
    seed: int


def simulate_trimming(
    outcome: TrimOutcome,
    promised: TrimGuarantee,
    *,
    seed: int = 0,
    draws: int = DRAWS,
    points: int = _POINTS,
    progress: Progress = SILENT,
) -> TrimSurvival:
    """Trim the groups of a draw again and again, with ε from small to large.

    Every ε has the same random numbers, so that what differs is what ε does.

    Parameters
    ----------
    outcome
        Any draw of the release, whose true groups are trimmed.
    promised
        The guarantee it was made with.

    Raises
    ------
    WorkbenchError
        If the seed is negative.
    Cancelled
        If the progress was cancelled.
    """
    ends = max(promised.epsilon / _REACH, _SMALLEST), min(promised.epsilon * _REACH, _LARGEST)
    around = [float(file_text(one, 3)) for one in np.geomspace(*ends, points).tolist()]
    epsilons = np.unique([*around, promised.epsilon])
    found = np.full((2, 3, len(epsilons)), np.nan)
    for place, epsilon in enumerate(epsilons.tolist()):
        step = progress.part(place / len(epsilons), (place + 1) / len(epsilons))
        step(0.0, "Simulating draws")
        try:
            there = replace(promised, epsilon=epsilon)
        except WorkbenchError:
            continue
        counted = _counted(outcome, there, seed, draws, step)
        found[:, :, place] = np.quantile(counted, QUANTILES, axis=1).T
    progress(1.0)
    chosen = int(np.searchsorted(epsilons, promised.epsilon))
    first = outcome.steps[0].counts
    return TrimSurvival(
        promised, epsilons, found[0], found[1], chosen, outcome.rows_in, int((first > 0).sum()), draws, seed
    )


def _counted(outcome: TrimOutcome, promised: TrimGuarantee, seed: int, draws: int, progress: Progress) -> Floats:
    """Rows and groups that each draw releases, shape (2, draws)."""
    spent = zip(outcome.recipe.steps, promised.steps, strict=True)
    steps = tuple(replace(step, epsilon=one.epsilon, delta=one.delta) for step, one in spent)
    other, source = replace(outcome, recipe=replace(outcome.recipe, steps=steps)), source_for(seed)
    found = np.zeros((2, draws))
    for draw in range(draws):
        progress(draw / draws)
        made = [step.released for step in other.trimmed_again(source)]
        found[:, draw] = sum(int(one.sum()) for one in made), sum(int((one > 0).sum()) for one in made)
    return found
