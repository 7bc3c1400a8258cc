"""The remaining time of an experiment, from a block of each method that is tried and thrown away."""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from dataclasses import dataclass

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.cell import BLOCK, ExperimentCell
from workbench.evaluate.experiment import Axis, Experiment, digest
from workbench.evaluate.experiment_run import cells_of
from workbench.evaluate.store import ResultStore
from workbench.evaluate.subject import ExperimentData

_MOST_SECONDS = 1.5
"""Trying stops after so long; methods that were not tried are taken to be as fast as the slowest of the others."""


@dataclass(frozen=True)
class RemainingWork:
    """The work that is still to be done.

    Parameters
    ----------
    points, missing
        Places times methods, and how many of these are not there yet.
    seconds
        About how long these take; large blocks on several cores take less.
    first
        About how long those take of the place that is looked at first, which are run before the others.
    """

    points: int
    missing: int
    seconds: float
    first: float = 0.0


def estimate(
    experiment: Experiment,
    material: ExperimentData,
    store: ResultStore,
    paces: MutableMapping[str, float],
    progress: Progress = SILENT,
    first: float | None = None,
) -> RemainingWork:
    """How long what is missing takes.

    Parameters
    ----------
    paces
        Seconds per block that were measured before; new ones are added.
    first
        Where one looks.

    Raises
    ------
    WorkbenchError
        If the question cannot be asked of this data.
    Cancelled
        If the progress was cancelled.
    """
    cells = cells_of(experiment, material)
    missing = [cell for cell in cells if store.get(cell.key) is None]
    began, slowest = time.perf_counter(), 0.0
    untried: list[ExperimentCell] = []
    tried: list[tuple[ExperimentCell, float]] = []
    # Where most users or bins are, a block takes longest.
    for cell in sorted(missing, key=lambda one: -one.place):
        progress(0.0)
        key = _kind(cell, material)
        if key not in paces:
            if time.perf_counter() - began > _MOST_SECONDS:
                untried.append(cell)
                continue
            paces[key] = _tried(cell, progress)
        slowest = max(slowest, paces[key])
        tried.append((cell, paces[key]))
    # Not divided by the number of cores: small blocks spend most of their time where only one of them can run.
    every = [(cell, pace * len(cell.blocks)) for cell, pace in (*tried, *((one, slowest) for one in untried))]
    there = experiment.first_places(first)
    soon = sum(seconds for cell, seconds in every if cell.place in there)
    return RemainingWork(len(cells), len(missing), sum(seconds for _cell, seconds in every), soon)


def _kind(cell: ExperimentCell, material: ExperimentData) -> str:
    """Digest of what the pace of a block depends on: ε hardly matters."""
    repetitions = min(BLOCK, cell.experiment.repetitions)
    where = cell.place if cell.experiment.axis is not Axis.EPSILON else 0
    values = cell.choice.checked()
    return digest(
        material.key, cell.subject.question.to_json(), cell.choice.identifier, values, where, cell.setting.users,
        repetitions, cell.experiment.truth.value,
    )  # fmt: skip


def _tried(cell: ExperimentCell, progress: Progress) -> float:
    """Seconds of one block; what the first one prepares for all others is left out."""
    try:
        answerer = cell.answerer()
        cell.sample(0)
        began = time.perf_counter()
        cell.block(answerer, 0, progress.part(0.0, 0.0))
    except WorkbenchError:
        return 0.0
    return time.perf_counter() - began
