"""Errors of a simulated mean without a local protocol: by a trusted curator, and by the middle of the bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.core.rationals import rational
from workbench.ldp.crowd import Crowd, Persons
from workbench.ldp.simulated_reports import seed_of
from workbench.ldp.simulation import SimulationErrors, SimulationSetting
from workbench.session.collection.mean_curves import STEPS, curator_of_mean


@dataclass(frozen=True, eq=False)
class MeanBaselines:
    """The errors of a curator and of a guess, in units of the column.

    Parameters
    ----------
    curator
        Errors of a trusted curator, one per repetition.
    curator_mean
        The mean of the curator's answers.
    guess, middle
        The error of the middle of the bounds, and that.
    """

    curator: SimulationErrors
    curator_mean: float
    guess: float
    middle: float


def mean_baselines(
    people: Crowd, bounds: tuple[float, float], setting: SimulationSetting, progress: Progress = SILENT
) -> MeanBaselines:
    """Both of the people who are simulated, as `simulate_mean` takes them.

    The curator answers as `Averages` does in Query, with noise of a seed.

    Parameters
    ----------
    people
        Their numbers in [−1, 1].
    bounds
        What −1 and 1 stand for.
    """
    generator = np.random.Generator(np.random.PCG64(seed_of(setting.seed, "curator, mean", setting.epsilon)))
    if setting.sampling:
        truth, means = people.mean, np.empty(setting.repetitions)
        for repetition in range(setting.repetitions):
            progress(repetition / setting.repetitions)
            means[repetition] = people.drawn(setting.people, setting.users, generator).mean
    else:
        asked = people if setting.users == len(people) else Persons(people.evenly(setting.users))
        truth = asked.mean
        means = np.full(setting.repetitions, truth)
    total = float(setting.users * STEPS)
    above = np.rint(total * (1.0 + means) / 2.0)
    sums = np.stack([above, total - above], axis=1)[..., np.newaxis]
    shares = curator_of_mean(rational(setting.epsilon)).answer(sums + _noise(setting, sums.shape, generator))[:, 0]
    low, high = bounds
    answers = low + (high - low) * shares
    wrong = np.abs(answers - (low + (high - low) * (1.0 + truth) / 2.0))
    return MeanBaselines(
        SimulationErrors(wrong), float(answers.mean()), (high - low) / 2.0 * abs(truth), (low + high) / 2.0
    )


def _noise(setting: SimulationSetting, shape: tuple[int, ...], generator: np.random.Generator) -> NDArray[np.float64]:
    """Two-sided geometric noise on sums to which a person adds up to so many steps."""
    success = -np.expm1(-setting.epsilon / STEPS)
    return np.asarray(generator.geometric(success, shape) - generator.geometric(success, shape), dtype=np.float64)
