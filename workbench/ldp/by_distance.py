"""Channels whose chances depend on the distance between the true value and the output."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.params import ParamSpec, ParamType
from workbench.ldp.coins import nepers
from workbench.ldp.protocol import Floats
from workbench.ldp.tabulated import Tabulated, largest_ratio


def distances(domain_size: int) -> NDArray[np.int64]:
    """|x − y|, shape (domain size, domain size)."""
    positions = np.arange(domain_size)
    gaps: NDArray[np.int64] = np.abs(positions[:, None] - positions[None, :])
    return gaps


def distance_sensitive(domain_size: int, floor: float, power: float = 1.0) -> Floats:
    """Chances that fall as 1/(k(k+1)) with the distance k, down to `floor` times that of the true value.

    Parameters
    ----------
    power
        To which the weights, the floor too, are raised: a larger one tells values apart better.

    Notes
    -----
    w₀ = 1, w_k = max(1/(k(k+1)), floor)^power, floor that power of the one given;
    a = 1/(1 + 2 Σ (w_k − floor) + (d−1)·floor), so that a row with both sides complete sums to 1; what other rows
    lack is spread over all values but the true one. The sum runs over k = 1…d.
    """
    steps = np.arange(1, domain_size + 1, dtype=np.float64)
    weights = np.maximum(1 / (steps * (steps + 1)), floor)
    if power != 1.0:
        weights, floor = weights**power, floor**power
    a = 1 / (1 + 2 * float((weights - floor).sum()) + (domain_size - 1) * floor)
    by_distance = a * np.concatenate([[1.0], weights])
    chances: Floats = by_distance[distances(domain_size)]
    lacking = np.maximum(1 - chances.sum(axis=1, keepdims=True), 0.0)
    chances += lacking / (domain_size - 1)
    # The true value takes no part of what is lacking, so its chance is what is left.
    np.fill_diagonal(chances, 0.0)
    np.fill_diagonal(chances, 1 - chances.sum(axis=1))
    return chances


def sharpened(domain_size: int, floor: float) -> Floats:
    """`distance_sensitive`, sharpened so that the largest ratio of two chances of a report is 1/floor.

    What rows lack at the ends of the domain is spread over far values, so that the published chances are flatter than
    allowed where there are few values. Raised to a power they are as sharp as allowed, to 0.01 % of ε.
    """

    def reached(power: float) -> float:
        chances = distance_sensitive(domain_size, floor, power)
        return math.log(float((chances.max(axis=0) / chances.min(axis=0)).max()))

    wanted = -math.log(floor)
    low, high = 1.0, 2.0
    if reached(low) >= wanted * _NEAR:
        return distance_sensitive(domain_size, floor)
    while reached(high) <= wanted:
        low, high = high, 2 * high
    while reached(low) < wanted * _NEAR and high - low > _FINE * low:
        middle = (low + high) / 2
        low, high = (middle, high) if reached(middle) <= wanted else (low, middle)
    return distance_sensitive(domain_size, floor, low)


_NEAR = 1 - 1e-4
_FINE = 1e-12

SCOPE = ParamSpec(
    "scope",
    "ε holds between",
    ParamType.CHOICE,
    default="any",
    choices=(("any", "any two values"), ("neighbours", "neighbouring values")),
    help="Between any two values as in all other protocols; or between neighbouring ones (d-privacy), where the ε "
    "between the ends of the domain is up to d − 1 times as large, and is the one stated.",
)


def per_step(values: Mapping[str, Any]) -> bool:
    """Whether ε is that of a step between neighbouring values."""
    return str(values["scope"]) == "neighbours"


def step_of(epsilon: float, share: int) -> float:
    """ε/share, less a little so that rounding cannot exceed it."""
    return epsilon * (1 - 1e-11) / share


class Stepwise(Tabulated):
    """A table on distances that knows the ε of one step.

    Parameters
    ----------
    probabilities
        P(output | value).
    epsilon, scope
        What was promised, and between which values: "any" or "neighbours".

    Raises
    ------
    WorkbenchError
        If ε is promised per step and the domain is so wide that rare outputs cannot be drawn exactly enough.
    """

    def __init__(self, probabilities: Floats, epsilon: float, scope: str) -> None:
        super().__init__(probabilities)
        if scope == "neighbours" and self.step_epsilon > epsilon * (1 + 1e-9):
            raise WorkbenchError(
                f"With ε = {exact(epsilon)} per step, values far apart in a domain of {self.domain_size:,} have "
                "outputs "
                "too rare to be drawn exactly.",
                hint="Use fewer or wider bins, a smaller ε, or let ε hold between any two values.",
                field="scope",
            )

    @property
    def step_epsilon(self) -> float:
        """The real ε between neighbouring values, rounded up."""
        low, high = self._weights[:-1], self._weights[1:]
        return nepers(largest_ratio(np.maximum(low, high).ravel(), np.minimum(low, high).ravel()))
