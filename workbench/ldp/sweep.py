"""Errors of several protocols over a range of ε or of people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.progress import SILENT, Progress
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.simulated_reports import Drawing
from workbench.ldp.simulation import (
    METRICS,
    Baselines,
    SimulationErrors,
    SimulationSetting,
    baselines,
    simulate_frequencies,
)


@dataclass(frozen=True)
class SweepCell:
    """An ε and a number of people."""

    epsilon: float
    users: int


@dataclass(frozen=True, eq=False)
class SweepPoint:
    """The errors of one protocol in one cell.

    Parameters
    ----------
    cell, choice
        Where it belongs.
    epsilon
        The real ε of one person's report; nan if the protocol cannot be built there.
    errors
        By metric; empty if the protocol cannot be built there.
    exact
        Whether the collections were drawn exactly.
    problem
        Why there are no errors, in words; "" if there are.
    """

    cell: SweepCell
    choice: ProtocolChoice
    epsilon: float
    errors: Mapping[str, SimulationErrors]
    exact: bool = True
    problem: str = ""


@dataclass(frozen=True, eq=False)
class Sweep:
    """All points, protocol by protocol within each cell, and the baselines of each cell."""

    points: tuple[SweepPoint, ...]
    baselines: Mapping[SweepCell, Baselines]

    def series(self, choice: ProtocolChoice) -> tuple[SweepPoint, ...]:
        """The points of one protocol, in the order of the cells."""
        return tuple(point for point in self.points if point.choice == choice)


def sweep(
    choices: Sequence[ProtocolChoice],
    cells: Sequence[SweepCell],
    counts: NDArray[np.integer],
    setting: SimulationSetting,
    *,
    positions: ArrayLike | None = None,
    others: Callable[[ProtocolChoice], float | None] = lambda _: None,
    partial: Callable[[SweepPoint], None] | None = None,
    progress: Progress = SILENT,
) -> Sweep:
    """Simulate every protocol in every cell; the ε and people of `setting` are those of the cell.

    Collections whose sums cannot be drawn at once are drawn from the normal distribution with the exact variances.
    The random numbers of a cell depend on the seed, the protocol and the cell alone, so that a point is the same
    whatever else is asked for.

    Parameters
    ----------
    others
        As of `simulate_frequencies`, by protocol.
    partial
        Is told each point as soon as it is there, on the thread that runs this.
    """
    points: list[SweepPoint] = []
    around: dict[SweepCell, Baselines] = {}
    steps = len(cells) * (len(choices) + 1)
    for cell in cells:
        here = replace(setting, epsilon=cell.epsilon, users=cell.users)
        progress((len(points) + len(around)) / max(steps, 1), f"ε = {exact(cell.epsilon)}, {cell.users:,} people")
        around[cell] = baselines(counts, here, positions=positions)
        for choice in choices:
            done = len(points) + len(around)
            part = progress.part(done / steps, (done + 1) / steps)
            part(0.0, f"{choice.protocol.title} at ε = {exact(cell.epsilon)}, {cell.users:,} people")
            point = _point(choice, cell, counts, here, positions, others, part)
            points.append(point)
            if partial is not None:
                partial(point)
    progress(1.0)
    return Sweep(tuple(points), around)


def _point(
    choice: ProtocolChoice,
    cell: SweepCell,
    counts: NDArray[np.integer],
    setting: SimulationSetting,
    positions: ArrayLike | None,
    others: Callable[[ProtocolChoice], float | None],
    progress: Progress,
) -> SweepPoint:
    try:
        found = simulate_frequencies(
            choice,
            counts,
            setting,
            positions=positions,
            drawing=Drawing.AT_ONCE,
            others=others(choice),
            progress=progress,
        )
    except WorkbenchError as error:
        # One protocol that does not exist at this ε, such as distance-sensitive encoding below ln 2, is a gap in its
        # curve and no reason to throw the others away.
        return SweepPoint(cell, choice, float("nan"), {}, problem=str(error))
    return SweepPoint(cell, choice, found.epsilon, {m: found.errors[m] for m in METRICS}, found.exact)
