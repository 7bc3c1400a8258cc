"""Estimates from reports, with their bands: estimator, post-processing, and confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import percent
from workbench.core.progress import SILENT, Progress
from workbench.core.settings import Flag, setting
from workbench.core.typed_fields import typed_fields
from workbench.ldp.binomial import first_of_two, share_held
from workbench.ldp.estimator import AUTO as AUTO
from workbench.ldp.estimator import ESTIMATORS, LocalEstimator
from workbench.ldp.normal_margin import normal_or_wider
from workbench.ldp.postprocessing import DEFAULT, POSTPROCESSES, Noise, PostProcess, postprocess
from workbench.ldp.protocol import PROTOCOLS, FrequencyRandomiser, Randomiser, Support

Floats = NDArray[np.float64]

COVERAGE = 0.95


@dataclass(frozen=True)
@typed_fields
class EstimationMethod:
    """A way to estimate: identifiers of an estimator and a post-processing, or "auto" for the defaults.

    Defaults: for protocols that use distances, EM with smoothing chosen by the reports, which needs nothing after it;
    for all others the unbiased estimator and Norm-Sub.
    """

    estimator: str = setting(
        AUTO,
        title="Estimator",
        about="How the reports become estimated counts.",
        undo="Change the estimator",
        flag=Flag("X", help=lambda: f"one of {AUTO}, {ESTIMATORS.names()}"),
    )
    postprocess: str = setting(
        AUTO,
        title="Post-processing",
        label="Then",
        about="How the estimates are made to fit together.",
        undo="Change the estimator",
        flag=Flag("Y", help=f"one of {', '.join((AUTO, *POSTPROCESSES))}"),
    )

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


AUTOMATIC = EstimationMethod()


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimated people per value and 95 % bands.

    Parameters
    ----------
    counts, low, high
        Shape (domain size,).
    estimator, postprocess
        What was used, by identifier.
    """

    counts: Floats
    low: Floats
    high: Floats
    estimator: str
    postprocess: str

    def answers(self, apart: int) -> Estimate:
        """Of the answers alone, without so many values at the end."""
        upto = len(self.counts) - apart
        return replace(self, counts=self.counts[:upto], low=self.low[:upto], high=self.high[:upto])


def estimates(
    randomiser: FrequencyRandomiser, supports: Sequence[Support], method: EstimationMethod, progress: Progress = SILENT
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
    method: EstimationMethod,
    *,
    sampled: bool = False,
    progress: Progress = SILENT,
) -> Estimate:
    """Estimate one collection, with a 95 % band for each value by itself.

    The band is that of the protocol's own estimate, which is right on average (see `band`), cut to what is possible and
    wide enough to hold the estimate. Estimators that are smoothed or made consistent lie closer to the truth as a rule,
    but not around it, so their own spread tells nothing.

    Parameters
    ----------
    sampled
        Whether the band is about all people from whom those who reported are drawn, as of `band`.

    Raises
    ------
    WorkbenchError
        If there is no report, or the estimator does not go with the protocol.
    """
    if not support.reports:
        raise WorkbenchError("There is no report to estimate anything from.", field="reports")
    estimator = method.estimator_for(randomiser)
    after = method.postprocess_for(estimator)
    counts = _consistent(randomiser, [support], estimator, after, progress)[0]
    low, high = band(randomiser, support, sampled=sampled)
    return Estimate(counts, np.minimum(low, counts), np.maximum(high, counts), estimator.identifier, after.identifier)


def may_be_sampled(randomiser: Randomiser) -> bool:
    """Whether a band with sampling error in it can be told exactly: each report names a value with p or q by itself."""
    return isinstance(randomiser, FrequencyRandomiser) and randomiser.one_by_one and randomiser.unbiased


def band(randomiser: FrequencyRandomiser, support: Support, *, sampled: bool = False) -> tuple[Floats, Floats]:
    """Where the people with each value are with 95 %, each by itself, shape (domain size,) twice.

    Parameters
    ----------
    sampled
        Whether it is about all people from whom those who reported, each once, are drawn at random: their shares, times
        the number of reports. Only where `may_be_sampled`.

    Raises
    ------
    WorkbenchError
        If there is no way to say how sure an estimate by this protocol is.

    Notes
    -----
    Where each report supports a value with chance p or q by itself, at least 95 %: by the law of two binomial numbers,
    whatever the counts are, of few people too. Elsewhere about 95 %, as `coverage_words` says: ±1.96 standard
    deviations, on the safe side of what the reports show of them, and wider where one report weighs much, as
    `normal_or_wider` has it.

    Of all people with a share π of a value, a report of one who is drawn supports it with chance r = q + π(p − q), so
    that one binomial number of n reports does. Its ends for r (C. J. Clopper, E. S. Pearson, Biometrika 1934) are those
    of π = (r − q)/(p − q), cut to 0 and 1. Who draws without putting back errs less.

    Fewer reports than are expected where nobody has a value, or more than where all have it, tell no more than as many
    as are expected there: the band is that of those. So it never shrinks to its end by chance, or by reports that are
    none of the protocol; it is wider than without, so that it holds as often at least.
    """
    people = float(support.reports)
    if not randomiser.unbiased:
        # Different people answer alike, so the reports say nothing about single values.
        return np.zeros(randomiser.domain_size), np.full(randomiser.domain_size, people)
    raw = randomiser.estimate(support)
    if randomiser.one_by_one and randomiser.pure is not None:
        p, q = randomiser.pure
        seen = np.clip(np.rint(raw * (p - q) + people * q), math.floor(people * q), math.ceil(people * p))
        supports, places = np.unique(seen.astype(np.int64), return_inverse=True)
        if sampled:
            shares = np.array([share_held(one, support.reports, 1.0 - COVERAGE) for one in supports.tolist()])
            ends = np.clip((shares - q) / (p - q), 0.0, 1.0) * people
            return ends[places, 0], ends[places, 1]
        ends = np.array(
            [first_of_two(one, support.reports, (p, q), 1.0 - COVERAGE) for one in supports.tolist()], dtype=np.float64
        )
        return ends[places, 0], ends[places, 1]
    half = normal_or_wider(np.sqrt(randomiser.variance_at_most(support)), randomiser.step(people), COVERAGE)
    possible = np.clip(raw, 0.0, people)
    # Where the whole band would lie beyond an end, cutting it would leave a point.
    middle = np.where(np.abs(raw - possible) >= half, possible, raw)
    return np.clip(middle - half, 0.0, people), np.clip(middle + half, 0.0, people)


def beyond_possible(randomiser: FrequencyRandomiser, support: Support) -> tuple[Floats, NDArray[np.bool_]]:
    """The protocol's own estimates, and which of them `band` takes for the nearest number of people that there can be.

    Those are below 0, or above all who reported, and elsewhere than in pure protocols by more than half their band.
    """
    raw, people = randomiser.estimate(support), float(support.reports)
    if not randomiser.unbiased:
        return raw, np.zeros(len(raw), dtype=np.bool_)  # the band is all there is
    if randomiser.one_by_one and randomiser.pure is not None:
        p, q = randomiser.pure
        seen = np.rint(raw * (p - q) + people * q)
        return raw, (seen < math.floor(people * q)) | (seen > math.ceil(people * p))
    half = normal_or_wider(np.sqrt(randomiser.variance_at_most(support)), randomiser.step(people), COVERAGE)
    off = np.abs(raw - np.clip(raw, 0.0, people))
    return raw, (off > 0) & (off >= half)


def coverage_words(randomiser: Randomiser) -> str:
    """Coverage of the band in words: "95 %" where that is proved, "about 95 %" where it is nearly so."""
    return percent(COVERAGE) if randomiser.proved else f"about {percent(COVERAGE)}"


def noise_of(randomiser: FrequencyRandomiser, reports: int) -> Noise:
    """How noisy the unbiased estimates are, as far as post-processing asks."""

    def reach(chance: float) -> float | None:
        return randomiser.reach(reports, chance)

    if randomiser.pure is not None:
        return replace(Noise.of_pure(*randomiser.pure), reach=reach)
    even = np.full(randomiser.domain_size, reports / randomiser.domain_size)
    spread = randomiser.variance(even) if reports else None
    return Noise(0.0 if spread is None else float(np.mean(spread)) / reports, reach=reach)


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


def default_protocol(domain_size: int, epsilon: float) -> str:
    """Protocol to use unless there is a reason for another one: GRR or OUE, by the number of values.

    Also where values have an order: protocols that smooth along a line do better where the shares of neighbouring
    values are alike, and several times worse where they are not, which nobody has declared here.
    """
    return "grr" if domain_size < 3 * math.exp(epsilon) + 2 else "oue"
