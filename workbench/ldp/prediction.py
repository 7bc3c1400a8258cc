"""Predicted errors before anybody is asked: from numbers alone, never from data.

Distributions are assumed: a smooth and a spiky shape that lie anywhere (`public_shapes.py`) and equal shares, or one
that is declared, of a public shape or a public guess. What is predicted and ranked by is the error under the worst of
them. The expected error after post-processing has no closed form where that cuts something off, so a few collections
are drawn from an assumed distribution: their sums at once, or from the normal distribution with the exact variances.
What is a formula is not left to them (`steadied.py`). The same seed is used for all, so that curves are smooth and
answers repeat.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.core.chance import chance_of
from workbench.core.distances import normalised
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import postprocessed
from workbench.ldp.participation import planned_randomiser, simpler_of
from workbench.ldp.plan import MOST_USERS, CollectionPlan, Shape
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser
from workbench.ldp.sampling import drawn_crowds, sampling_error, whole
from workbench.ldp.simulated_reports import (
    Drawing,
    drawn_estimates,
    global_histograms,
    normal_noise,
    people,
    seed_of,
)
from workbench.ldp.simulation import METRICS, errors
from workbench.ldp.steadied import linear, steadied

__all__ = [
    "MOST_USERS",
    "CollectionPlan",
    "Prediction",
    "ReferenceErrors",
    "Shape",
    "as_tuple",
    "curator_noise",
    "every_protocol",
    "predict",
    "predict_one",
    "reference",
    "sampling_cases",
    "unusable",
]

Case = Mapping[str, float]
"""Errors by metric."""

_SEED = 7
_DRAWS = 400
_FEWEST = 4
_CURATORS = 4
"""Times as many answers of a trusted curator are drawn: they cost next to nothing."""
_NO_NOISE = 700.0
"""ε at which noise is gone."""
_NUMBERS = 1 << 15
"""Numbers per prediction that are drawn at most, unless the domain is larger than that."""

_ITERATED = 1_600
_ITERATED_DRAWS = 64
"""The same for estimators that iterate, whose every estimate takes its time: 32 collections of 50 values."""

_CERTAIN = 2.0
"""Standard errors of a difference beyond which one protocol is said to be better than another; more of few draws."""

_SMOOTHING = ("ems", "em-smoothed")
"""Estimators that take neighbouring values to be alike."""

_DUST = 1e-12
_SCATTERED = 16
"""Places of a shape over which the error of drawing people is averaged."""


@dataclass(frozen=True)
class Prediction:
    """The expected errors of one protocol, between normalised distributions.

    Parameters
    ----------
    epsilon, bits
        Real ε of one person's report, and bits it takes.
    l1, l2, kantorovich
        Expected errors under the worst of the assumed distributions; nan where `problem` says why.
    ses
        How far they may be off by metric because only a few collections are drawn, as a standard error; it says nothing
        of other distributions. Nothing where `problem` says why.
    cases
        Expected errors under each assumed distribution, by its shape and metric; nothing where `problem` says why.
    estimator, postprocess
        The way to estimate they are for.
    problem
        Why the protocol cannot be used here, in words; "" if it can.
    simpler
        A simpler protocol that it is here, by its identifier; "" for none.
    draws
        How many collections are drawn for each of them; 0 where `problem` says why.
    spreads
        By how much the error of a single collection varies by metric, as a standard deviation over those that are drawn
        of the same distribution, wherever it lies in them. Nothing where `problem` says why.
    """

    choice: ProtocolChoice
    title: str
    epsilon: float
    bits: float
    l1: float
    l2: float
    kantorovich: float
    ses: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    estimator: str = ""
    postprocess: str = ""
    problem: str = ""
    cases: Mapping[Shape, Case] = field(default_factory=lambda: MappingProxyType({}))
    simpler: str = ""
    draws: int = 0
    spreads: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def smooths(self) -> bool:
        """Whether it takes neighbouring values to be alike, so that it does well on smooth distributions only."""
        return self.choice.protocol.ordinal or self.estimator in _SMOOTHING

    def error(self, metric: str) -> float:
        return {"l1": self.l1, "l2": self.l2, "kantorovich": self.kantorovich}[metric]

    def se(self, metric: str) -> float:
        """The standard error of an expected error; nan where `problem` says why."""
        return self.ses.get(metric, math.nan)

    def spread(self, metric: str) -> float:
        """By how much the error of one collection varies; nan where `problem` says why."""
        return self.spreads.get(metric, math.nan)

    def simulated(self, metric: str) -> bool:
        """Whether an expected error was found from drawn collections, so that chance moves it."""
        return self.error(metric) > 0 and self.se(metric) > 0

    def told_from(self, better: Prediction, metric: str) -> bool:
        """Whether this error is larger beyond what the few drawn collections leave open."""
        gap = self.error(metric) - better.error(metric)
        certain = max(_CERTAIN, chance_of(min(self.draws, better.draws)))
        return gap > certain * math.hypot(self.se(metric), better.se(metric))


@dataclass(frozen=True)
class ReferenceErrors:
    """The same errors without a local protocol: guessing uniformly, and a trusted curator with the same ε.

    Parameters
    ----------
    uniform, curator
        By metric, under the worst of the assumed distributions for each.
    uniform_cases, curator_cases
        Under each assumed distribution.
    """

    uniform: dict[str, float]
    curator: dict[str, float]
    uniform_cases: Mapping[Shape, Case] = field(default_factory=lambda: MappingProxyType({}))
    curator_cases: Mapping[Shape, Case] = field(default_factory=lambda: MappingProxyType({}))


def every_protocol(domain_size: int, *, ordinal: bool) -> tuple[ProtocolChoice, ...]:
    """All protocols that can tell so many values apart, with their usual parameters."""
    return tuple(
        ProtocolChoice(one.identifier)
        for one in PROTOCOLS
        if one.family is Family.FREQUENCY
        and one.minimum_domain <= domain_size <= one.maximum_domain
        and not ProtocolChoice(one.identifier).own_epsilon
        and (ordinal or not one.ordinal)
    )


def predict(
    plan: CollectionPlan,
    choices: Sequence[ProtocolChoice] | None = None,
    *,
    by: str = "l1",
    progress: Progress = SILENT,
) -> tuple[Prediction, ...]:
    """The expected errors of the protocols, the smallest worst case first; those that cannot be used come last.

    Parameters
    ----------
    choices
        Every protocol that fits if not given.
    by
        The metric to rank by.
    """
    asked = every_protocol(plan.domain_size, ordinal=plan.ordinal) if choices is None else tuple(choices)
    found = []
    for number, choice in enumerate(asked):
        progress(number / len(asked), choice.protocol.title)
        found.append(predict_one(plan, choice, progress.part(number / len(asked), (number + 1) / len(asked))))
    progress(1.0)
    return tuple(sorted(found, key=lambda one: (bool(one.problem), one.error(by) if not one.problem else 0.0)))


def predict_one(plan: CollectionPlan, choice: ProtocolChoice, progress: Progress = SILENT) -> Prediction:
    """The expected errors of one protocol.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    try:
        if choice.protocol.ordinal and not plan.ordinal:
            raise WorkbenchError(
                f"{choice.protocol.title} needs values in an order, such as numbers in bins; these have none."
            )
        randomiser = planned_randomiser(plan, choice)
        cases: dict[Shape, tuple[Case, Case, Case]] = {}
        for case in plan.cases:
            progress(len(cases) / len(plan.cases))
            cases[case.shape] = _expected(case, randomiser, len(plan.cases))
        estimator = plan.method.estimator_for(randomiser)
        draws = _draws_of(plan, randomiser, len(plan.cases))
    except WorkbenchError as error:
        return unusable(choice, str(error))
    worst = {metric: max(cases.values(), key=lambda case: case[0][metric]) for metric in METRICS}
    return Prediction(
        choice,
        choice.protocol.title,
        randomiser.epsilon,
        randomiser.bits,
        worst["l1"][0]["l1"],
        worst["l2"][0]["l2"],
        worst["kantorovich"][0]["kantorovich"],
        MappingProxyType({metric: worst[metric][1][metric] for metric in METRICS}),
        estimator.identifier,
        plan.method.postprocess_for(estimator).identifier,
        cases=MappingProxyType({shape: MappingProxyType(dict(wrong)) for shape, (wrong, *_) in cases.items()}),
        simpler=simpler_of(plan, randomiser),
        draws=draws,
        spreads=MappingProxyType({metric: worst[metric][2][metric] for metric in METRICS}),
    )


def unusable(choice: ProtocolChoice, problem: str) -> Prediction:
    """What is said of a protocol that cannot be used, and why."""
    nothing = math.nan
    return Prediction(choice, choice.protocol.title, nothing, nothing, nothing, nothing, nothing, problem=problem)


def reference(plan: CollectionPlan) -> ReferenceErrors:
    """The baselines of a plan."""
    cases = {case.shape: _baselines(case) for case in plan.cases}
    uniform = {shape: one for shape, (one, _) in cases.items()}
    curator = {shape: one for shape, (_, one) in cases.items()}
    return ReferenceErrors(_worst(uniform), _worst(curator), MappingProxyType(uniform), MappingProxyType(curator))


def _baselines(plan: CollectionPlan) -> tuple[Case, Case]:
    positions, draws = plan.positions or None, _draws(plan.domain_size)
    truth, asked = _crowds(plan, draws)
    uniform = errors(truth, np.ones((1, plan.domain_size)), positions)
    seeds = seed_of(_SEED, "curator").spawn(_CURATORS)
    answers = [global_histograms(asked, plan.epsilon, draws, seed) for seed in seeds]
    tries = [errors(truth, one, positions) for one in answers]
    curator = {metric: float(np.mean([one[metric] for one in tries])) for metric in METRICS}
    if not plan.sampling:
        # Whoever knows how many there are need not make counts consistent where that moves them farther off.
        curator["l1"] = min(curator["l1"], curator_noise(plan))
    else:
        # What drawing people adds is known: chance in few draws of them is taken off.
        alone = _sampled(plan)
        curator["l1"] += alone - float(errors(truth, asked.astype(np.float64))["l1"].mean())
        if all((one > 0).all() for one in answers):
            # Noise whose mean is 0 takes none of it away; counts that are kept from falling below 0 can err less.
            curator["l1"] = max(curator["l1"], alone)
    guess = {metric: float(uniform[metric].mean()) for metric in METRICS}
    # Of equal shares a guess is right, but for the dust of summing them.
    return {metric: 0.0 if error < _DUST else error for metric, error in guess.items()}, curator


def curator_noise(plan: CollectionPlan) -> float:
    """The expected L1 error of a trusted curator's counts as shares of the people who are asked, exactly.

    Notes
    -----
    Each count gets two-sided geometric noise X with ratio r = e^−ε, of which E|X| = 2r ÷ (1 − r²) = 1 ÷ sinh ε, so
    that the error of d shares of n people is d ÷ (n sinh ε), whatever they are. Counts that are made consistent, and
    not negative, err less where noise is large beside them, and somewhat more elsewhere.
    """
    return plan.domain_size / (plan.users * math.sinh(plan.epsilon)) if plan.epsilon < _NO_NOISE else 0.0


def _worst(cases: Mapping[Shape, Case]) -> dict[str, float]:
    return {metric: max(case[metric] for case in cases.values()) for metric in METRICS}


def sampling_alone(plan: CollectionPlan) -> float:
    """The expected L1 error of asking some of all people, before any answer is randomised, under the worst shape."""
    return max(sampling_cases(plan).values())


def sampling_cases(plan: CollectionPlan) -> dict[Shape, float]:
    """The same under each of the assumed distributions."""
    return {case.shape: _sampled(case) for case in plan.cases}


def _sampled(case: CollectionPlan) -> float:
    """The same under one of the assumed distributions."""
    return float(np.mean([sampling_error(shares, case.people) for shares in case.drawn_shares(_SCATTERED)]))


def expected_error(plan: CollectionPlan, choice: ProtocolChoice, metric: str) -> float:
    """The expected error of one protocol under the worst of the assumed distributions.

    Raises
    ------
    WorkbenchError
        If it cannot be used.
    """
    randomiser = planned_randomiser(plan, choice)
    return max(_expected(case, randomiser, len(plan.cases))[0][metric] for case in plan.cases)


def _expected(plan: CollectionPlan, randomiser: FrequencyRandomiser, cases: int) -> tuple[Case, Case, Case]:
    """Expected errors by metric, their standard errors and spreads, of one of so many assumed distributions."""
    # The same random numbers whatever n and ε are, so that the error is a smooth function of both; and whatever the
    # protocol is, so that what is the same mechanism under two names errs alike.
    seed = seed_of(_SEED, "noise")
    draws = _draws_of(plan, randomiser, cases)
    truth, asked = _crowds(plan, draws)
    reporting = np.pad(asked, ((0, 0), (0, randomiser.apart)))
    counts = people(reporting.sum(axis=0), plan.users)
    estimator = plan.method.estimator_for(randomiser)
    generator = np.random.Generator(np.random.PCG64(seed))
    noise = normal_noise(randomiser, counts, draws, generator) if estimator.identifier == "unbiased" else None
    beside = None
    if noise is None:
        found, _ = drawn_estimates(
            randomiser, counts, draws, seed, plan.method, drawing=Drawing.NORMAL, asked=reporting
        )
    else:
        after = plan.method.postprocess_for(estimator)
        found = postprocessed(randomiser, reporting + noise[0], np.full(draws, plan.users), after)
        shares, of = normalised(truth), plan.users
        beside = linear(
            shares,
            asked / of - shares,
            noise[0] / of,
            noise[1] / of**2,
            float(plan.people) if plan.sampling else math.inf,
            sums=after.sums,
            apart=randomiser.apart,
        )
    wrong = errors(truth, found[:, : plan.domain_size], plan.positions or None)
    each = {metric: steadied(wrong[metric], beside) for metric in METRICS}
    return (
        {metric: one for metric, (one, _) in each.items()},
        {metric: se for metric, (_, se) in each.items()},
        {metric: float(wrong[metric].std(ddof=1)) for metric in METRICS},
    )


def _crowds(plan: CollectionPlan, draws: int) -> tuple[NDArray[np.number], NDArray[np.int64]]:
    """True shares or counts, and the people asked, in each drawn collection; shape (draws, domain size) twice.

    Those who are asked are as the assumption says, and right; or they are drawn from everybody, who are as it says.
    """
    shares = plan.drawn_shares(draws)
    if plan.sampling:
        generator = np.random.Generator(np.random.PCG64(seed_of(_SEED, "sample")))
        # Reports of a person are taken to be alike, see `CollectionPlan.people`.
        return shares, drawn_crowds(shares, plan.people, plan.users, draws, generator)
    asked = whole(shares * plan.users, plan.users)
    return asked, asked


def _draws_of(plan: CollectionPlan, randomiser: FrequencyRandomiser, cases: int) -> int:
    return _draws(plan.domain_size, iterated=cases if plan.method.estimator_for(randomiser).consistent else 0)


def _draws(domain_size: int, *, iterated: int = 0) -> int:
    """How many collections are drawn; those of estimators that iterate are shared among so many distributions."""
    if iterated:
        return max(_FEWEST, min(_ITERATED_DRAWS, _ITERATED // domain_size) // iterated)
    return max(_FEWEST, min(_DRAWS, _NUMBERS // domain_size))


def as_tuple(numbers: ArrayLike | None) -> tuple[float, ...]:
    """Numbers as a plan holds them."""
    return () if numbers is None else tuple(np.asarray(numbers, dtype=np.float64).tolist())
