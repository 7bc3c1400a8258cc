"""Simulated collections: what each protocol would have estimated, and how wrong. For the analyst only.

Errors are distances between normalised distributions (`workbench.core.distances`). Two baselines are always there:
guessing that all values are equally frequent, and a trusted curator who adds noise to the exact counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.core.distances import euclidean, kantorovich, manhattan, normalised
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.crowd import Crowd, Persons, crowd_of
from workbench.ldp.estimation import AUTOMATIC, COVERAGE, EstimationMethod
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.protocol import FrequencyRandomiser
from workbench.ldp.sampling import drawn_crowds
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulated_errors import MarginWatch, SimulatedMargin
from workbench.ldp.simulated_errors import SimulationErrors as SimulationErrors
from workbench.ldp.simulated_reports import Drawing, drawn_estimates, drawn_means, global_histograms, people, seed_of

Floats = NDArray[np.float64]

METRICS = ("l1", "l2", "kantorovich")
_BLOCK = 1 << 23
"""Numbers of estimates that are held at once."""


@dataclass(frozen=True, eq=False)
class FrequencyResult:
    """The results of one protocol.

    Parameters
    ----------
    epsilon, spent, bits
        Real ε of one person's report, the same as it is added up, and bits it takes.
    estimate, low, high
        Mean estimated people per value, and ±1.96 standard deviations of single collections around it, shape
        (domain size,); low and high are nan for a single repetition. Not below 0 where no estimate was, as after
        post-processing: what is counted is what is shown.
    errors
        By metric: `METRICS`.
    exact
        Whether the collections were drawn exactly, or from the normal distribution with the exact variances.
    estimator, postprocess
        What was used.
    margin
        Of an unbiased share, whatever estimator is used; None where there is no formula for it, or others report, too.
    """

    choice: ProtocolChoice
    title: str
    epsilon: float
    spent: Fraction
    bits: float
    estimate: Floats
    low: Floats
    high: Floats
    errors: Mapping[str, SimulationErrors]
    exact: bool
    estimator: str
    postprocess: str
    margin: SimulatedMargin | None = None

    def errors_by(self, metric: str) -> SimulationErrors | None:
        """Its errors by one of `METRICS`, or its margin; None where there is none."""
        return self.margin if metric == MARGIN else self.errors[metric]


@dataclass(frozen=True, eq=False)
class MeanResult:
    """The results of one protocol for means, in units of the column.

    Parameters
    ----------
    epsilon, spent, bits
        As of `FrequencyResult`.
    estimates
        One mean per repetition.
    errors
        |estimate − truth| per repetition.
    deviation
        The exact standard deviation of the estimate.
    """

    choice: ProtocolChoice
    title: str
    epsilon: float
    spent: Fraction
    bits: float
    estimates: Floats
    errors: SimulationErrors
    deviation: float


@dataclass(frozen=True, eq=False)
class Baselines:
    """Errors by metric of guessing the uniform distribution, and of a trusted curator with the same ε."""

    uniform: Mapping[str, float]
    curator: Mapping[str, SimulationErrors]
    curator_estimate: Floats


@dataclass(frozen=True)
class SimulationSetting:
    """The setting that is repeated: people, ε, repetitions, the way to estimate, and the seed.

    Parameters
    ----------
    sampling
        Whether each collection asks others, drawn one by one from all people, whose shares are those that are given:
        errors are then against all of them, and not against those who are asked alone.
    of_one_person
        As of `CollectionPlan`: so many of the reports are of one person, and alike.
    """

    epsilon: float
    users: int
    repetitions: int = 20
    method: EstimationMethod = AUTOMATIC
    seed: int = 0
    sampling: bool = False
    of_one_person: int = 1

    @property
    def people(self) -> int:
        """How many people are drawn, as `CollectionPlan.people` has it."""
        return max(self.users // self.of_one_person, 1)

    def __post_init__(self) -> None:
        for value, what, field in (
            (self.users, "person", "users"),
            (self.repetitions, "repetition", "repetitions"),
        ):
            if value < 1:
                raise WorkbenchError(f"There must be at least one {what}.", hint="Give 1 or more.", field=field)
        if self.seed < 0:
            raise WorkbenchError("The seed must not be negative.", hint="Give a whole number from 0.", field="seed")


def simulate_frequencies(
    choice: ProtocolChoice,
    counts: NDArray[np.integer],
    setting: SimulationSetting,
    *,
    positions: ArrayLike | None = None,
    drawing: Drawing = Drawing.EXACT,
    others: float | None = None,
    progress: Progress = SILENT,
) -> FrequencyResult:
    """Repeat a collection by one protocol and measure it against the truth.

    Parameters
    ----------
    counts
        True people per value; `setting.users` people distributed like them report, or drawn from them.
    positions
        Places of the values for the Kantorovich distance; 0, 1, … if not given.
    drawing
        What to do where the sums of reports cannot be drawn at once.
    others
        How many people for each one of them take no part and report that, from a further input; None if only those
        who take part report. They are taken off what is estimated.

    Raises
    ------
    WorkbenchError
        If the protocol cannot be built for this domain and ε, or the estimator does not go with it.
    """
    check_counts(counts)
    apart = int(others is not None)
    randomiser = choice.frequency(len(counts) + apart, setting.epsilon)
    randomiser.apart = apart
    truth = _truth(counts, setting)
    everybody = truth if others is None else np.append(truth, round(others * setting.users))
    method = setting.method
    seed = seed_of(setting.seed, choice.identifier, dict(choice.values), setting.epsilon, setting.users)
    block = max(1, _BLOCK // len(counts))
    found: dict[str, list[Floats]] = {metric: [] for metric in METRICS}
    margin = None if apart else _margin_watch(randomiser, truth, setting)
    total, squares, least, drawn_exactly = np.zeros(len(counts)), np.zeros(len(counts)), 0.0, True
    blocks = range(0, setting.repetitions, block)
    crowds = _crowd_seeds(setting, len(blocks))
    for number, (start, part_seed, crowd_seed) in enumerate(zip(blocks, seed.spawn(len(blocks)), crowds, strict=True)):
        repetitions = min(block, setting.repetitions - start)
        asked = _drawn(counts, setting, repetitions, crowd_seed)
        if asked is not None and others is not None:
            apart_too = np.full((repetitions, 1), everybody[-1])
            asked = np.concatenate([asked, apart_too], axis=1)
        part = progress.part(number / len(blocks), (number + 1) / len(blocks))
        told, drawn_exactly = drawn_estimates(
            randomiser,
            everybody,
            repetitions,
            part_seed,
            method,
            drawing=drawing,
            asked=asked,
            watch=margin,
            progress=part,
        )
        told = told[:, : len(truth)]
        for metric, wrong in errors(truth, told, positions).items():
            found[metric].append(wrong)
        least = min(least, float(told.min()))
        total += told.sum(axis=0)
        squares += np.square(told - truth).sum(axis=0)
    progress(1.0)
    mean = total / setting.repetitions
    estimator = method.estimator_for(randomiser)
    half = np.full(len(counts), np.nan)
    if setting.repetitions > 1:
        spread = squares - setting.repetitions * np.square(mean - truth)
        deviation = np.sqrt(np.maximum(spread, 0.0) / (setting.repetitions - 1))
        half = NormalDist().inv_cdf(0.5 + COVERAGE / 2) * deviation
    return FrequencyResult(
        choice,
        choice.protocol.title,
        randomiser.epsilon,
        randomiser.spent,
        randomiser.bits,
        mean,
        mean - half if least < 0 else np.maximum(mean - half, 0.0),
        mean + half,
        {metric: SimulationErrors(np.concatenate(parts)) for metric, parts in found.items()},
        drawn_exactly,
        estimator.identifier,
        method.postprocess_for(estimator).identifier,
        None if margin is None else margin.found,
    )


def _margin_watch(
    randomiser: FrequencyRandomiser, truth: NDArray[np.int64], setting: SimulationSetting
) -> MarginWatch | None:
    if len(truth) < 2:
        return None
    plan = CollectionPlan(
        setting.users, len(truth), setting.epsilon, sampling=setting.sampling, of_one_person=setting.of_one_person
    )
    return MarginWatch.of(randomiser, truth, plan)


def simulate_mean(
    choice: ProtocolChoice,
    values: Floats | Crowd,
    setting: SimulationSetting,
    *,
    half_range: float = 1.0,
    middle: float = 0.0,
    progress: Progress = SILENT,
) -> MeanResult:
    """Repeat a collection of numbers in [−1, 1] and measure the estimated mean against the true one.

    Parameters
    ----------
    values
        What each person has.
    half_range, middle
        Turn means of [−1, 1] into units of the column: middle + half_range · mean.

    Raises
    ------
    WorkbenchError
        If there is no number, or the protocol cannot be built for this ε.
    """
    everybody = crowd_of(values)
    if not len(everybody):
        raise WorkbenchError("No row has a number, so there is no mean to estimate.", field="column")
    randomiser: MeanRandomiser = choice.mean(setting.epsilon)
    if setting.users != len(everybody) and not setting.sampling:
        # Evenly spaced people in the order of their numbers are distributed as all of them.
        everybody = Persons(everybody.evenly(setting.users))
    seed = seed_of(setting.seed, choice.identifier, dict(choice.values), setting.epsilon, setting.users)
    if setting.sampling:
        estimates = drawn_means(
            randomiser, everybody, setting.repetitions, seed, progress, drawn=(setting.people, setting.users)
        )
        spread = everybody.total(np.square) / len(everybody) - everybody.mean**2
        noise = everybody.total(randomiser.variance) / len(everybody)
        deviation = float(np.sqrt(noise / setting.users + max(spread, 0.0) / setting.people))
    else:
        estimates = drawn_means(randomiser, everybody, setting.repetitions, seed, progress)
        deviation = float(np.sqrt(everybody.total(randomiser.variance))) / len(everybody)
    progress(1.0)
    return MeanResult(
        choice,
        choice.protocol.title,
        randomiser.epsilon,
        randomiser.spent,
        randomiser.bits,
        middle + half_range * estimates,
        SimulationErrors(half_range * np.abs(estimates - everybody.mean)),
        half_range * deviation,
    )


def baselines(
    counts: NDArray[np.integer], setting: SimulationSetting, *, positions: ArrayLike | None = None
) -> Baselines:
    """Errors of a uniform guess and of a trusted curator on the same people."""
    check_counts(counts)
    truth = _truth(counts, setting)
    uniform = errors(truth, np.full((1, len(truth)), 1.0), positions)
    block = max(1, _BLOCK // len(truth))
    starts = range(0, setting.repetitions, block)
    found: dict[str, list[Floats]] = {metric: [] for metric in METRICS}
    total = np.zeros(len(truth))
    seeds = seed_of(setting.seed, "curator", setting.epsilon, setting.users).spawn(len(starts))
    for start, seed, crowd_seed in zip(starts, seeds, _crowd_seeds(setting, len(starts)), strict=True):
        repetitions = min(block, setting.repetitions - start)
        asked = _drawn(counts, setting, repetitions, crowd_seed)
        noisy = global_histograms(truth if asked is None else asked, setting.epsilon, repetitions, seed)
        total += noisy.sum(axis=0)
        for metric, wrong in errors(truth, noisy, positions).items():
            found[metric].append(wrong)
    return Baselines(
        {metric: float(wrong[0]) for metric, wrong in uniform.items()},
        {metric: SimulationErrors(np.concatenate(parts)) for metric, parts in found.items()},
        total / setting.repetitions,
    )


def _truth(counts: NDArray[np.integer], setting: SimulationSetting) -> NDArray[np.int64]:
    """What estimates are held against: those who are asked, or all whom they are drawn from."""
    return counts.astype(np.int64) if setting.sampling else people(counts, setting.users)


def _crowd_seeds(setting: SimulationSetting, blocks: int) -> list[np.random.SeedSequence]:
    """Whom each block of collections asks: the same people by every protocol, so that these are compared on them."""
    return seed_of(setting.seed, "asked", setting.users).spawn(blocks)


def _drawn(
    counts: NDArray[np.integer], setting: SimulationSetting, repetitions: int, seed: np.random.SeedSequence
) -> NDArray[np.int64] | None:
    """Who is asked in each collection, shape (repetitions, values); None where they are the same every time."""
    if not setting.sampling:
        return None
    generator = np.random.Generator(np.random.PCG64(seed))
    return drawn_crowds(counts.astype(np.float64), setting.people, setting.users, repetitions, generator)


def errors(truth: NDArray[np.number], estimates: Floats, positions: ArrayLike | None = None) -> dict[str, Floats]:
    """By metric, the distance between the normalised distributions of the truth and of each estimate.

    Parameters
    ----------
    truth, estimates
        Shapes (values,) and (repetitions, values).
    """
    wanted, found = normalised(truth), normalised(estimates)
    return {
        "l1": manhattan(wanted, found),
        "l2": euclidean(wanted, found),
        "kantorovich": kantorovich(wanted, found, positions),
    }


def check_counts(counts: NDArray[np.integer]) -> None:
    """Refuse a truth nobody belongs to."""
    if not int(counts.sum()):
        raise WorkbenchError(
            "No row has a value of the domain, so there is nobody to collect from.",
            hint="Check the column, its domain and which rows take part.",
            field="column",
        )


def frequency_choices(choices: Sequence[ProtocolChoice]) -> tuple[ProtocolChoice, ...]:
    """Those that estimate how many people have each value."""
    return tuple(choice for choice in choices if not choice.estimates_mean)
