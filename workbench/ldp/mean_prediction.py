"""The error of an estimated mean before anybody is asked, from the exact variance of a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.progress import SILENT, Progress
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.needed import fewest_below, smallest
from workbench.ldp.normal_margin import normal_or_wider
from workbench.ldp.plan import MOST_USERS
from workbench.ldp.protocol import LARGEST_EPSILON, PROTOCOLS, SMALLEST_EPSILON, Family

_GRID = 201
_RANGE = 2.0
"""From the smallest number that is reported to the largest."""
_LEAST_EPSILON, _MOST_EPSILON = max(0.01, SMALLEST_EPSILON), min(20.0, LARGEST_EPSILON)


@dataclass(frozen=True)
class MeanPlan:
    """The plan of a collection for a mean.

    Parameters
    ----------
    users, epsilon
        n and ε.
    bounds
        The public bounds of the numbers.
    sampling
        Whether the error is the one against the mean of all people from whom those who are asked are drawn.
    of_one_person
        How many of the reports, which `users` counts, one person may send, as of `CollectionPlan`.
    """

    users: int
    epsilon: float
    bounds: tuple[float, float]
    sampling: bool = False
    of_one_person: int = 1

    @property
    def half_range(self) -> float:
        """Half the distance of the bounds, in units of the column."""
        return (self.bounds[1] - self.bounds[0]) / 2

    @property
    def people(self) -> int:
        """How many people a sampling error is that of, at least 1."""
        return max(self.users // self.of_one_person, 1)


@dataclass(frozen=True)
class MeanPrediction:
    """The standard deviation of a mean by one protocol, in units of the column.

    Parameters
    ----------
    epsilon, bits
        Real ε of one person's report, and bits it takes.
    worst, middle
        If everybody had the value that is worst for the protocol, and if everybody had the middle one; between them
        lies every distribution's. nan where `problem` says why.
    problem
        Why the protocol cannot be used here, in words; "" if it can.
    margin
        How far off the mean is at most with 95 %, whatever people answer; nan where `problem` says why.
    of_all
        Whether errors are those about all people, of whom those who are asked are a sample.
    """

    choice: ProtocolChoice
    title: str
    epsilon: float
    bits: float
    worst: float
    middle: float
    problem: str = ""
    margin: float = math.nan
    of_all: bool = False


def every_mean() -> tuple[ProtocolChoice, ...]:
    """All protocols for means, with their usual parameters."""
    return tuple(ProtocolChoice(one.identifier) for one in PROTOCOLS if one.family is Family.MEAN)


def planned_means(plan: MeanPlan, choices: Sequence[ProtocolChoice] | None = None) -> tuple[MeanPrediction, ...]:
    """The expected errors of the protocols for means, the smallest worst one first; data-free.

    Raises
    ------
    WorkbenchError
        If there is nobody to ask.

    Notes
    -----
    The mean of n independent reports has the standard deviation √(Σ Var)/n, at most √(max Var/n). Where those who are
    asked are drawn, r reports each, a number X of all people adds r·Var(X)/n: with v(x) the variance of a report of x,
    E v(X) + r·Var(X) is at most max (v(x) + r·x²), and is that where half of the people have x and half −x.
    """
    if plan.users < 1:
        raise WorkbenchError("There must be at least one person.", hint="Give 1 or more.", field="users")
    found = [_predicted(plan, choice) for choice in (every_mean() if choices is None else choices)]
    return tuple(sorted(found, key=lambda one: math.inf if one.problem else one.worst))


def _predicted(plan: MeanPlan, choice: ProtocolChoice) -> MeanPrediction:
    title, half = choice.protocol.title, plan.half_range
    try:
        randomiser = choice.mean(plan.epsilon)
    except WorkbenchError as error:
        nothing = float("nan")
        return MeanPrediction(choice, title, nothing, nothing, nothing, nothing, str(error))
    worst, middle = _deviations(plan, randomiser)
    margin = half * _margin(plan, randomiser, worst)
    return MeanPrediction(
        choice,
        title,
        randomiser.epsilon,
        randomiser.bits,
        half * worst,
        half * middle,
        margin=margin,
        of_all=plan.sampling,
    )


def _deviations(plan: MeanPlan, randomiser: MeanRandomiser) -> tuple[float, float]:
    """Standard deviations of the mean of [−1, 1], of the worst answers and of everybody in the middle."""
    places = np.linspace(-1.0, 1.0, _GRID)
    variance = randomiser.variance(places)
    drawn = np.square(places) / plan.people * plan.users if plan.sampling else 0.0
    spread = np.sqrt((variance + drawn) / plan.users)
    return float(spread.max()), float(np.sqrt(variance[_GRID // 2] / plan.users))


def _margin(plan: MeanPlan, randomiser: MeanRandomiser, worst: float) -> float:
    """The 95 % margin of the mean of [−1, 1]; wider than of a normal distribution where one report weighs much."""
    together = plan.users / plan.people if plan.sampling else 1.0
    step = together * (randomiser.step + (_RANGE if plan.sampling else 0.0))
    return min(float(normal_or_wider(worst, step / plan.users)), _RANGE)


def mean_margin(plan: MeanPlan, choice: ProtocolChoice) -> float:
    """The 95 % margin of the mean by one protocol, in units of the column; ∞ where it cannot be used."""
    margin = _predicted(plan, choice).margin
    return math.inf if math.isnan(margin) else margin


def _with_users(plan: MeanPlan, choice: ProtocolChoice, users: float) -> float:
    return mean_margin(replace(plan, users=max(round(users), 1)), choice)


def _with_epsilon(plan: MeanPlan, choice: ProtocolChoice, epsilon: float) -> float:
    return mean_margin(replace(plan, epsilon=epsilon), choice)


def fewest_for_mean(
    plan: MeanPlan, choices: Sequence[ProtocolChoice], target: float, progress: Progress = SILENT
) -> tuple[int, ProtocolChoice]:
    """The smallest number of people with which one of the protocols has a margin of `target`, and which.

    Raises
    ------
    WorkbenchError
        If not even 10⁹ people suffice.
    """
    progress(0.0, "Looking for the number of people")
    found: list[tuple[int, ProtocolChoice]] = []
    for choice in choices:
        wrong = partial(_with_users, plan, choice)
        people = smallest(wrong, 1.0, float(MOST_USERS), target)
        found += [] if people is None else [(fewest_below(wrong, math.ceil(people), target), choice)]
    if not found:
        raise WorkbenchError(
            f"Not even {MOST_USERS:,} people bring the margin to {exact(target)}.",
            hint="Allow a larger margin or a larger ε.",
            field="target",
        )
    return min(found, key=lambda one: one[0])


def least_epsilon_for_mean(
    plan: MeanPlan, choices: Sequence[ProtocolChoice], target: float, progress: Progress = SILENT
) -> tuple[float, ProtocolChoice]:
    """The smallest ε, to 0.1 %, with which one of the protocols has a margin of `target`, and which.

    Raises
    ------
    WorkbenchError
        If no ε up to 20 suffices.
    """
    progress(0.0, "Looking for ε")
    found: list[tuple[float, ProtocolChoice]] = []
    for choice in choices:
        epsilon = smallest(partial(_with_epsilon, plan, choice), _LEAST_EPSILON, _MOST_EPSILON, target)
        found += [] if epsilon is None else [(epsilon, choice)]
    if not found:
        raise WorkbenchError(
            f"No ε up to {exact(_MOST_EPSILON)} brings the margin to {exact(target)}.",
            hint="Allow a larger margin, or ask more people.",
            field="target",
        )
    return min(found, key=lambda one: one[0])
