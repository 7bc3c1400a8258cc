"""From reports to an estimate with its band: estimator, post-processing, and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.ldp.estimator import ESTIMATORS, LocalEstimator
from workbench.ldp.postprocessing import DEFAULT, Noise, PostProcess, postprocess
from workbench.ldp.protocol import PROTOCOLS, FrequencyRandomiser, Support

Floats = NDArray[np.float64]

AUTO = "auto"
COVERAGE = 0.95
RESAMPLES = 100
_DEAL = 20_202
"""Resampling repeats itself for the same reports; it protects nothing and nobody."""


@dataclass(frozen=True)
class Method:
    """How to estimate: identifiers of an estimator and a post-processing, or "auto" for the defaults.

    Defaults: for protocols that use distances, EM with smoothing chosen by the reports, which needs nothing after it;
    for all others the unbiased estimator and Norm-Sub.
    """

    estimator: str = AUTO
    postprocess: str = AUTO

    def __post_init__(self) -> None:
        if self.estimator != AUTO and self.estimator not in ESTIMATORS:
            raise WorkbenchError(
                f"There is no estimator “{self.estimator}”.",
                hint=f"Known are: auto, {', '.join(one.identifier for one in ESTIMATORS)}.",
                field="estimator",
            )
        if self.postprocess != AUTO:
            postprocess(self.postprocess)

    def estimator_for(self, randomiser: FrequencyRandomiser) -> LocalEstimator:
        if self.estimator != AUTO:
            return ESTIMATORS[self.estimator]
        ordinal = PROTOCOLS[randomiser.protocol].ordinal and randomiser.tabulated
        return ESTIMATORS["em-smoothed" if ordinal else "unbiased"]

    def postprocess_for(self, estimator: LocalEstimator) -> PostProcess:
        if self.postprocess != AUTO:
            return postprocess(self.postprocess)
        return postprocess("none" if estimator.consistent else DEFAULT)


AUTOMATIC = Method()


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimated people per value and 95 % bands.

    Parameters
    ----------
    counts, low, high
        Shape (domain size,).
    exact
        Whether the band comes from the exact variance; otherwise from resampling the reports.
    estimator, postprocess
        What was used, by identifier.
    """

    counts: Floats
    low: Floats
    high: Floats
    exact: bool
    estimator: str
    postprocess: str


def estimates(
    randomiser: FrequencyRandomiser, supports: Sequence[Support], method: Method, progress: Progress = SILENT
) -> Floats:
    """Estimated counts of several collections by one randomiser, shape (collections, domain size).

    Raises
    ------
    WorkbenchError
        If the estimator does not go with the protocol.
    """
    estimator = method.estimator_for(randomiser)
    return _consistent(randomiser, supports, estimator, method.postprocess_for(estimator), progress)


def estimate(
    randomiser: FrequencyRandomiser,
    support: Support,
    method: Method,
    *,
    resamples: int = RESAMPLES,
    progress: Progress = SILENT,
) -> Estimate:
    """Estimate one collection, with a 95 % band for each value by itself.

    The band of the unbiased estimator without post-processing is ±1.96 exact standard deviations at the estimate.
    Anything else is estimated again from resampled reports: resampled by output where reports are counted by output,
    otherwise by normal noise of the exact variance around the unbiased estimate.

    Raises
    ------
    WorkbenchError
        If there is no report, or the estimator does not go with the protocol.
    """
    if not support.reports:
        raise WorkbenchError("There is no report to estimate anything from.", field="reports")
    estimator = method.estimator_for(randomiser)
    after = method.postprocess_for(estimator)
    if estimator.fixed is not None:
        estimator = estimator.fixed(randomiser, support, progress.part(0.0, 0.3))
    counts = _consistent(randomiser, [support], estimator, after, progress.part(0.3, 0.4))[0]
    if estimator.identifier == "unbiased" and after.identifier == "none":
        spread = _variance(randomiser, counts, support.reports)
        if spread is not None:
            half = NormalDist().inv_cdf(0.5 + COVERAGE / 2) * np.sqrt(spread)
            return Estimate(counts, counts - half, counts + half, True, estimator.identifier, after.identifier)
    generator = np.random.Generator(np.random.PCG64(_DEAL))
    again = _resampled(randomiser, support, estimator, after, resamples, generator, progress.part(0.4, 1.0))
    low, high = np.quantile(again, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2], axis=0)
    return Estimate(
        counts, np.minimum(low, counts), np.maximum(high, counts), False, estimator.identifier, after.identifier
    )


def noise_of(randomiser: FrequencyRandomiser, reports: int) -> Noise:
    """How noisy the unbiased estimates are, as far as post-processing asks."""
    if randomiser.pure is not None:
        return Noise.of_pure(*randomiser.pure)
    even = np.full(randomiser.domain_size, reports / randomiser.domain_size)
    spread = randomiser.variance(even) if reports else None
    return Noise(0.0 if spread is None else float(np.mean(spread)) / reports)


def _consistent(
    randomiser: FrequencyRandomiser,
    supports: Sequence[Support],
    estimator: LocalEstimator,
    after: PostProcess,
    progress: Progress,
) -> Floats:
    raw = estimator(randomiser, supports, progress)
    return postprocessed(randomiser, raw, np.array([support.reports for support in supports]), after)


def postprocessed(
    randomiser: FrequencyRandomiser, raw: Floats, reports: NDArray[np.integer], after: PostProcess
) -> Floats:
    """Raw estimates of shape (collections, domain size) made consistent, each for its own number of reports."""
    if after.identifier == "none":
        return raw
    found = np.empty_like(raw)
    for number in np.unique(reports).tolist():
        mine = reports == number
        found[mine] = after(raw[mine], number, noise_of(randomiser, number))
    return found


def _variance(randomiser: FrequencyRandomiser, counts: Floats, reports: int) -> Floats | None:
    """The exact variance if the true counts were the estimated ones, made possible counts first."""
    return randomiser.variance(postprocess(DEFAULT)(counts, reports, Noise(1.0)))


def _resampled(
    randomiser: FrequencyRandomiser,
    support: Support,
    estimator: LocalEstimator,
    after: PostProcess,
    resamples: int,
    generator: np.random.Generator,
    progress: Progress,
) -> Floats:
    if randomiser.tabulated:
        shares = np.asarray(support.sums, dtype=np.float64)
        drawn = generator.multinomial(support.reports, shares / shares.sum(), size=resamples)
        again = [Support(support.reports, one) for one in drawn]
        return _consistent(randomiser, again, estimator, after, progress)
    raw = randomiser.estimate(support)
    spread = _variance(randomiser, raw, support.reports)
    if spread is None:
        raise WorkbenchError(
            f"There is no way to say how sure an estimate by “{randomiser.protocol}” is.", field="protocol"
        )
    block = max(1, min(resamples, (1 << 24) // len(raw)))
    found = np.empty((resamples, len(raw)))
    for start in range(0, resamples, block):
        progress(start / resamples)
        size = min(block, resamples - start)
        again_raw = raw + np.sqrt(spread) * generator.standard_normal((size, len(raw)))
        found[start : start + size] = postprocessed(randomiser, again_raw, np.full(size, support.reports), after)
    return found


def default_protocol(domain_size: int, epsilon: float, *, ordinal: bool) -> str:
    """What to use unless there is a reason for something else: Square Wave along a line, else GRR or OUE by size."""
    if ordinal:
        return "square-wave"
    return "grr" if domain_size < 3 * math.exp(epsilon) + 2 else "oue"
