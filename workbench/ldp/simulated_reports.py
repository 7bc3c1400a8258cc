"""Drawing collections: one person at a time as in reality, or all at once where that is the same in distribution."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, SeededSource
from workbench.core.simplex import onto_simplex
from workbench.ldp.crowd import Crowd, Headcount, crowd_of
from workbench.ldp.estimation import EstimationMethod, estimates, postprocessed
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.protocol import FrequencyRandomiser, Randomiser, Support

Floats = NDArray[np.float64]

_CORRELATED = 128
"""Values up to which errors are drawn with their covariances; of more values these matter little."""

_TABLE = 200_000
"""Entries of a channel up to which drawing each value's outputs at once pays."""


class Drawing(Enum):
    """The way to draw collections where only single reports are exact."""

    EXACT = auto()
    """Every person reports."""
    AT_ONCE = auto()
    """From the normal distribution with the exact variances; sums that can be drawn at once are."""
    NORMAL = auto()
    """From the normal distribution wherever there are exact variances: quick, and smooth in people and ε."""


def collect(
    randomiser: Randomiser, values: NDArray[Any] | Crowd, source: RandomSource, progress: Progress = SILENT
) -> Support:
    """Let every person report, and count: in chunks, so that memory stays bounded.

    Parameters
    ----------
    values
        Codes, or for means numbers in [−1, 1]: what each person has.
    """
    crowd = crowd_of(values)
    total: Support | None = None
    for block in crowd.blocks(randomiser.chunk) if len(crowd) else [crowd.evenly(0)]:
        done = 0 if total is None else total.reports
        progress(done / max(len(crowd), 1), f"{done:,} people have reported")
        support = randomiser.accumulate(randomiser.perturb(block, source))
        total = support if total is None else total + support
    assert total is not None
    return total


def people(counts: NDArray[np.integer], number: int) -> NDArray[np.int64]:
    """Counts of `number` people who are distributed as `counts`, by largest remainders."""
    total = int(counts.sum())
    if number == total or not total:
        return counts.astype(np.int64)
    wanted = counts * (number / total)
    whole: NDArray[np.int64] = np.floor(wanted).astype(np.int64)
    short = number - int(whole.sum())
    order = np.argsort(-(wanted - whole), kind="stable")
    whole[order[:short]] += 1
    return whole


def aggregate(
    randomiser: FrequencyRandomiser, counts: NDArray[np.integer], generator: np.random.Generator
) -> Support | None:
    """Sum of the reports of these people, drawn at once; None if only single reports can be drawn."""
    found = randomiser.simulate(counts, generator)
    if found is not None or not randomiser.tabulated:
        return found
    channel = randomiser.channel()
    if channel is None or channel.size > _TABLE:
        return None
    # Reports are independent, so those of the people with one value are multinomial over the outputs.
    held = np.flatnonzero(counts)
    return Support(int(counts.sum()), generator.multinomial(counts[held], channel[held]).sum(axis=0))


def drawn_estimates(
    randomiser: FrequencyRandomiser,
    counts: NDArray[np.integer],
    repetitions: int,
    seed: np.random.SeedSequence,
    method: EstimationMethod,
    *,
    drawing: Drawing = Drawing.EXACT,
    asked: NDArray[np.integer] | None = None,
    watch: Callable[[Sequence[Support]], None] | None = None,
    progress: Progress = SILENT,
) -> tuple[Floats, bool]:
    """Estimates of as many independent collections.

    Parameters
    ----------
    counts
        How many of those who are asked have each value.
    asked
        The same for each collection where others are asked every time, shape (repetitions, domain size); `counts` are
        then those on average.
    watch
        Is told the sums of the reports of which the estimates are, where they are drawn exactly.

    Returns
    -------
    array, bool
        Shape (repetitions, domain size), and whether they were drawn exactly.

    Raises
    ------
    WorkbenchError
        If the estimator does not go with the protocol.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    first = None if drawing is Drawing.NORMAL else randomiser.simulate(counts, generator)
    if first is None and drawing is not Drawing.EXACT:
        normal = _normal(randomiser, counts, repetitions, generator, method, counts if asked is None else asked)
        if normal is not None:
            return normal, False
    supports = []
    for repetition in range(repetitions):
        here = counts if asked is None else asked[repetition]
        part = progress.part(0.7 * repetition / repetitions, 0.7 * (repetition + 1) / repetitions)
        part(0.0)
        known = first if repetition == 0 and asked is None else None
        support = aggregate(randomiser, here, generator) if known is None else known
        if support is None:
            source = SeededSource(int(generator.integers(1 << 62)))
            everybody = Headcount(np.arange(len(here)), here.astype(np.int64))
            support = collect(randomiser.fresh(source), everybody, source, part)
        supports.append(support)
    if watch is not None:
        watch(supports)
    return estimates(randomiser, supports, method, progress.part(0.7, 1.0)), True


def drawn_means(
    randomiser: MeanRandomiser,
    values: Floats | Crowd,
    repetitions: int,
    seed: np.random.SeedSequence,
    progress: Progress = SILENT,
    *,
    drawn: tuple[int, int] | None = None,
) -> Floats:
    """Estimated means of as many independent collections, shape (repetitions,).

    Parameters
    ----------
    drawn
        How many people each collection draws from all, and how many reports these send; None where all report once.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    found = np.empty(repetitions)
    for repetition in range(repetitions):
        part = progress.part(repetition / repetitions, (repetition + 1) / repetitions)
        asked = values if drawn is None else crowd_of(values).drawn(*drawn, generator)
        found[repetition] = randomiser.estimate(
            collect(randomiser, asked, SeededSource(int(generator.integers(1 << 62))), part)
        )
    return found


def global_histograms(
    counts: NDArray[np.integer], epsilon: float, repetitions: int, seed: np.random.SeedSequence
) -> Floats:
    """Histograms as a trusted curator would publish them: two-sided geometric noise, then Norm-Sub.

    The counts are the same every time, shape (values,), or others, shape (repetitions, values).

    One more or one fewer person changes one count by 1, so noise with ratio e^−ε gives ε for these neighbours. (A
    local protocol's ε is between any two answers of one person, whose presence is known.)
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    success = -np.expm1(-epsilon)
    shape = (repetitions, counts.shape[-1])
    noise = (generator.geometric(success, shape) - generator.geometric(success, shape)).astype(np.float64)
    noisy: Floats = counts.astype(np.float64) + noise
    return onto_simplex(noisy, np.maximum(noisy.sum(axis=-1, keepdims=True), 1.0))


def seed_of(seed: int, *what: Any) -> np.random.SeedSequence:
    """Independent random numbers for each thing that is drawn, the same ones whatever else is drawn beside it."""
    text = json.dumps(what, sort_keys=True, default=str)
    return np.random.SeedSequence([seed, *np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint32).tolist()])


def normal_noise(
    randomiser: FrequencyRandomiser, counts: NDArray[np.integer], repetitions: int, generator: np.random.Generator
) -> tuple[Floats, Floats] | None:
    """Noise of unbiased estimates of people with these values, from the normal distribution with exact variances.

    Returns
    -------
    array, array
        Shape (repetitions, domain size); and the covariances it is drawn with, or of many values the variances alone.
        None if there is no formula.
    """
    spread = randomiser.variance(counts)
    if spread is None:
        return None
    noise = generator.standard_normal((repetitions, len(counts)))
    together = randomiser.covariance(counts) if len(counts) <= _CORRELATED else None
    if together is None:
        return noise * np.sqrt(spread), spread
    # The symmetric root, so that the same normal numbers give an error that changes smoothly with n and ε.
    sizes, directions = np.linalg.eigh(together)
    return noise @ (directions * np.sqrt(np.maximum(sizes, 0.0))) @ directions.T, together


def _normal(
    randomiser: FrequencyRandomiser,
    counts: NDArray[np.integer],
    repetitions: int,
    generator: np.random.Generator,
    method: EstimationMethod,
    asked: NDArray[np.integer],
) -> Floats | None:
    estimator = method.estimator_for(randomiser)
    found = normal_noise(randomiser, counts, repetitions, generator) if estimator.identifier == "unbiased" else None
    if found is None:
        return None
    reports = np.full(repetitions, int(counts.sum()))
    return postprocessed(randomiser, asked + found[0], reports, method.postprocess_for(estimator))
