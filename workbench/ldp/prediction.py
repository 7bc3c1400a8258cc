"""Predicted errors before anybody is asked: from numbers alone, never from data.

Distributions are assumed: a smooth and a spiky one, or one that is declared, of a public shape or a public guess. What
is predicted, ranked by and solved for is the error under the worst of them. The expected error after post-processing
has no closed form, so a few collections are drawn from an assumed distribution: their sums at once, or from the normal
distribution with the exact variances. The same seed is used for all, so that curves are smooth and answers repeat.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.progress import SILENT, Progress
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.protocol import LARGEST_EPSILON, PROTOCOLS, SMALLEST_EPSILON, Family, FrequencyRandomiser
from workbench.ldp.sampling import sampled
from workbench.ldp.simulated_reports import Drawing, drawn_estimates, global_histograms, people, seed_of
from workbench.ldp.simulation import METRICS, SimulationErrors, errors

__all__ = [
    "MOST_USERS",
    "CollectionPlan",
    "Prediction",
    "ReferenceErrors",
    "Shape",
    "as_tuple",
    "every_protocol",
    "predict",
    "predict_one",
    "reference",
    "smallest_epsilon",
    "smallest_users",
]

Case = Mapping[str, float]
"""Errors by metric."""

MOST_USERS = 10**9
"""Collections of more people than this are not planned."""

_SEED = 7
_DRAWS = 400
_FEWEST = 4
_NUMBERS = 1 << 15
"""Numbers per prediction that are drawn at most, unless the domain is larger than that."""

_ITERATED = 1_600
_ITERATED_DRAWS = 64
"""The same for estimators that iterate, whose every estimate takes its time: 32 collections of 50 values."""

_CERTAIN = 2.0
"""Standard errors of a difference beyond which one protocol is said to be better than another."""

_SMOOTHING = ("ems", "em-smoothed")
"""Estimators that take neighbouring values to be alike."""

_STEP = 0.01
"""The smallest number of people or ε is found to this relative accuracy."""


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

    @property
    def smooths(self) -> bool:
        """Whether it takes neighbouring values to be alike, so that it does well on smooth distributions only."""
        return self.choice.protocol.ordinal or self.estimator in _SMOOTHING

    def error(self, metric: str) -> float:
        return {"l1": self.l1, "l2": self.l2, "kantorovich": self.kantorovich}[metric]

    def se(self, metric: str) -> float:
        """The standard error of an expected error; nan where `problem` says why."""
        return self.ses.get(metric, math.nan)

    def told_from(self, better: Prediction, metric: str) -> bool:
        """Whether this error is larger beyond what the few drawn collections leave open."""
        gap = self.error(metric) - better.error(metric)
        return gap > _CERTAIN * math.hypot(self.se(metric), better.se(metric))


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
        randomiser = choice.frequency(plan.domain_size, plan.epsilon)
        cases: dict[Shape, tuple[Case, Case]] = {}
        for case in plan.cases:
            progress(len(cases) / len(plan.cases))
            cases[case.shape] = _expected(case, randomiser, len(plan.cases))
        estimator = plan.method.estimator_for(randomiser)
    except WorkbenchError as error:
        nothing = float("nan")
        return Prediction(
            choice, choice.protocol.title, nothing, nothing, nothing, nothing, nothing, problem=str(error)
        )
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
        cases=MappingProxyType({shape: MappingProxyType(dict(wrong)) for shape, (wrong, _) in cases.items()}),
    )


def reference(plan: CollectionPlan) -> ReferenceErrors:
    """The baselines of a plan."""
    cases = {case.shape: _baselines(case) for case in plan.cases}
    uniform = {shape: one for shape, (one, _) in cases.items()}
    curator = {shape: one for shape, (_, one) in cases.items()}
    return ReferenceErrors(_worst(uniform), _worst(curator), MappingProxyType(uniform), MappingProxyType(curator))


def _baselines(plan: CollectionPlan) -> tuple[Case, Case]:
    counts = _assumed(plan)
    positions = plan.positions or None
    uniform = errors(counts, np.ones((1, plan.domain_size)), positions)
    draws = _draws(plan.domain_size)
    asked = _asked(plan, draws)
    noisy = global_histograms(counts if asked is None else asked, plan.epsilon, draws, seed_of(_SEED, "curator"))
    curator = errors(counts if asked is None else plan.shares, noisy, positions)
    return (
        {metric: float(uniform[metric][0]) for metric in METRICS},
        {metric: float(curator[metric].mean()) for metric in METRICS},
    )


def _worst(cases: Mapping[Shape, Case]) -> dict[str, float]:
    return {metric: max(case[metric] for case in cases.values()) for metric in METRICS}


def smallest_users(plan: CollectionPlan, choice: ProtocolChoice, metric: str, target: float) -> int:
    """The smallest number of people, to 1 %, for which the expected error is at most `target`.

    Raises
    ------
    WorkbenchError
        If the protocol cannot be used, or not even 10⁹ people suffice.
    """
    _check(metric, target)

    def wrong(users: float) -> float:
        return _error(_with(plan, users=round(users)), choice, metric)

    found = _smallest(wrong, 1.0, float(MOST_USERS), target)
    if found is None:
        raise WorkbenchError(
            f"Not even {MOST_USERS:,} people bring the error of {choice.protocol.title} to {exact(target)}.",
            hint="Allow a larger error or a larger ε, or use fewer values.",
            field="target",
        )
    return math.ceil(found)


def smallest_epsilon(plan: CollectionPlan, choice: ProtocolChoice, metric: str, target: float) -> float:
    """The smallest ε asked for, to 1 %, for which the expected error is at most `target`.

    Raises
    ------
    WorkbenchError
        If the protocol's ε follows from its parameters, it cannot be used, or no ε up to 20 suffices.
    """
    _check(metric, target)
    if choice.own_epsilon:
        raise WorkbenchError(
            f"The ε of {choice.protocol.title} follows from its parameters.",
            hint="Change the parameters, or choose another protocol.",
            field="protocol",
        )

    def wrong(epsilon: float) -> float:
        try:
            return _error(_with(plan, epsilon=epsilon), choice, metric)
        except WorkbenchError:
            return math.inf  # it does not exist at so small an ε

    found = _smallest(wrong, max(0.01, SMALLEST_EPSILON), min(20.0, LARGEST_EPSILON), target)
    if found is None:
        raise WorkbenchError(
            f"No ε up to 20 brings the error of {choice.protocol.title} to {exact(target)}.",
            hint="Allow a larger error, ask more people, or use fewer values.",
            field="target",
        )
    return found


def _expected(plan: CollectionPlan, randomiser: FrequencyRandomiser, cases: int) -> tuple[Case, Case]:
    """Expected errors by metric, and their standard errors, of one of so many assumed distributions."""
    counts = _assumed(plan)
    # The same random numbers whatever n and ε are, so that the error is a smooth function of both.
    seed = seed_of(_SEED, randomiser.protocol)
    draws = _draws(plan.domain_size, iterated=cases if plan.method.estimator_for(randomiser).consistent else 0)
    estimates, _ = drawn_estimates(
        randomiser, counts, draws, seed, plan.method, drawing=Drawing.NORMAL, asked=_asked(plan, draws)
    )
    wrong = errors(plan.shares, estimates, plan.positions or None)
    found = {metric: SimulationErrors(wrong[metric]) for metric in METRICS}
    return {metric: one.mean for metric, one in found.items()}, {metric: one.se for metric, one in found.items()}


def _assumed(plan: CollectionPlan) -> NDArray[np.int64]:
    """People per value if the assumption held exactly."""
    scale = 1 << 40
    return people(np.rint(plan.shares * scale).astype(np.int64), plan.users)


def _asked(plan: CollectionPlan, draws: int) -> NDArray[np.int64] | None:
    """Who is asked in each drawn collection, where they are drawn from more people; None where they are the same."""
    if not plan.sampling:
        return None
    return sampled(plan.shares, plan.users, draws, np.random.Generator(np.random.PCG64(seed_of(_SEED, "sample"))))


def _draws(domain_size: int, *, iterated: int = 0) -> int:
    """How many collections are drawn; those of estimators that iterate are shared among so many distributions."""
    if iterated:
        return max(_FEWEST, min(_ITERATED_DRAWS, _ITERATED // domain_size) // iterated)
    return max(_FEWEST, min(_DRAWS, _NUMBERS // domain_size))


def _error(plan: CollectionPlan, choice: ProtocolChoice, metric: str) -> float:
    randomiser = choice.frequency(plan.domain_size, plan.epsilon)
    return max(_expected(case, randomiser, len(plan.cases))[0][metric] for case in plan.cases)


def _with(plan: CollectionPlan, *, users: int | None = None, epsilon: float | None = None) -> CollectionPlan:
    return replace(
        plan,
        users=plan.users if users is None else max(users, 1),
        epsilon=plan.epsilon if epsilon is None else epsilon,
    )


def _smallest(wrong: Callable[[float], float], low: float, high: float, target: float) -> float | None:
    """Where a falling error first is at most `target`, by bisection on a logarithmic scale."""
    if wrong(low) <= target:
        return low
    # Doubling from below asks about few people first, which is what is cheap to answer.
    reach = low
    while wrong(reach) > target:
        if reach >= high:
            return None
        low, reach = reach, min(reach * 4.0, high)
    high = reach
    while high > low * (1.0 + _STEP):
        middle = math.sqrt(low * high)
        if wrong(middle) <= target:
            high = middle
        else:
            low = middle
    return high


def _check(metric: str, target: float) -> None:
    if metric not in METRICS:
        raise WorkbenchError(f"“{metric}” is no error.", hint=f"Known are: {', '.join(METRICS)}.", field="metric")
    if not target > 0:
        raise WorkbenchError("The error to reach must be above 0.", hint="Give a number above 0.", field="target")


def as_tuple(numbers: ArrayLike | None) -> tuple[float, ...]:
    """Numbers as a plan holds them."""
    return () if numbers is None else tuple(np.asarray(numbers, dtype=np.float64).tolist())
