"""The error of an estimated mean before anybody is asked, from the exact variance of a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.protocol import PROTOCOLS, Family

_GRID = 201


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
    """

    choice: ProtocolChoice
    title: str
    epsilon: float
    bits: float
    worst: float
    middle: float
    problem: str = ""


def every_mean() -> tuple[ProtocolChoice, ...]:
    """All protocols for means, with their usual parameters."""
    return tuple(ProtocolChoice(one.identifier) for one in PROTOCOLS if one.family is Family.MEAN)


def predict_means(
    users: int, epsilon: float, bounds: tuple[float, float], choices: Sequence[ProtocolChoice] | None = None
) -> tuple[MeanPrediction, ...]:
    """The expected errors of the protocols for means, the smallest worst one first; data-free.

    The mean of n independent reports has the standard deviation √(Σ Var)/n, at most √(max Var/n).

    Raises
    ------
    WorkbenchError
        If there is nobody to ask.
    """
    if users < 1:
        raise WorkbenchError("There must be at least one person.", hint="Give 1 or more.", field="users")
    half = (bounds[1] - bounds[0]) / 2
    found = []
    for choice in every_mean() if choices is None else choices:
        title = choice.protocol.title
        try:
            randomiser = choice.mean(epsilon)
        except WorkbenchError as error:
            nothing = float("nan")
            found.append(MeanPrediction(choice, title, nothing, nothing, nothing, nothing, str(error)))
            continue
        variance = randomiser.variance(np.linspace(-1.0, 1.0, _GRID))
        spread = half * np.sqrt(variance / users)
        found.append(
            MeanPrediction(
                choice, title, randomiser.epsilon, randomiser.bits, float(spread.max()), float(spread[_GRID // 2])
            )
        )
    return tuple(sorted(found, key=lambda one: math.inf if one.problem else one.worst))
