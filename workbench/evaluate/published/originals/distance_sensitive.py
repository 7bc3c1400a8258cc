"""Distance-sensitive encoding as its program draws it, not as private as claimed, with its aggregation.

The rule of page 57 adds m/(d − 1) to all but the true value; its rows sum to 1 and its ε is the one that is claimed.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.evaluate.published.originals.flaw import OriginalFlaw
from workbench.ldp.by_distance import distances

Floats = NDArray[np.float64]


_ONE_BY_ONE = 64
"""So many steps are added one by one, as published; the sums of the others are known. ε = 30 has three million."""


def reach_of(epsilon: float) -> int:
    """θ = ⌊(√(4e^ε + 1) − 1)/2⌋ of equation 4.4; a float just below a whole number counts as that.

    Raises
    ------
    WorkbenchError
        Below ln 2, where θ is 0 and nothing can be drawn.
    """
    theta = math.floor((math.sqrt(4 * math.exp(epsilon) + 1) - 1) / 2 * (1 + 1e-12))
    if theta < 1:
        raise WorkbenchError(
            "Distance-sensitive encoding does not exist below ε = ln 2.", hint="Take a larger ε.", field="epsilon"
        )
    return theta


def level(values: int, theta: int) -> float:
    """a = θ(θ+1)/(3θ² − θ + d − 1), the chance of the true value far from both ends."""
    return theta * (theta + 1) / (3 * theta**2 - theta + values - 1)


def channel(values: int, theta: int) -> Floats:
    """P(output | value) as the program draws, shape (values, values).

    What a row lacks at an end of the domain is spread a hundred times too thin and the weights are then scaled to 1,
    so the true value of a row at an end gets more than a.
    """
    a = level(values, theta)
    gaps = distances(values)
    steps = np.minimum(np.maximum(gaps, 1), theta)
    weights = a / (steps * (steps + 1))
    places = np.arange(values)
    lacking = np.zeros(values)
    near = min(theta, max(values, _ONE_BY_ONE))
    for step in range(1, near + 1):
        missing = a / (step * (step + 1)) - a / (theta * (theta + 1))
        lacking += missing * (places - step < 0)
        lacking += missing * ((places + step >= values) & (places + theta > values) & (step < theta))
    # Farther steps leave the domain from every place, on either side; the last of them lacks nothing.
    lacking += 2 * (a / (near + 1) - a / (theta + 1) - a * (theta - near) / (theta * (theta + 1)))
    weights = weights + (lacking / (values - 1) / 100)[:, np.newaxis]
    np.fill_diagonal(weights, a)
    found: Floats = weights / weights.sum(axis=1, keepdims=True)
    return found


def estimates(values: int, epsilon: float, counts: NDArray[np.int64], generator: np.random.Generator) -> Floats:
    """Estimated counts of one collection: below 0 set to 0, cut to whole numbers, shape (values,).

    (support − n·s)/(p* − s) with p* the chance of all outputs nearer than θ. Reports of a value are also those of
    people whose own value is near, which no divisor takes out again. As those outputs are 2θ − 1, the total would be
    right with p* − (2θ − 1)s.
    """
    theta = reach_of(epsilon)
    reported = generator.multinomial(counts, channel(values, theta)).sum(axis=0)
    near, far = _near_and_far(values, theta)
    found: Floats = np.trunc(np.maximum((reported - counts.sum() * far) / (near - far), 0.0))
    return found


def _near_and_far(values: int, theta: int) -> tuple[float, float]:
    """p* and s."""
    a = level(values, theta)
    near = min(theta - 1, _ONE_BY_ONE)
    first = sum(a / (step * (step + 1)) for step in range(1, near + 1))
    return a + 2 * (first + (a / (near + 1) - a / theta)), a / (theta * (theta + 1))


LIMIT_OF_TOTAL, LIMIT, BEST_LIMIT, BY_TOTAL = (
    "Limit of the total, %",
    "Limit, published divisor",
    "Limit, best divisor",
    "Limit, part of the total",
)
"""Names under which limits with ever more people are kept: of the total, of the error, and what the total makes of it.

The best divisor is known of a Manhattan error, what the total makes of one of a Kantorovich error.
"""


def limits(epsilon: float, shares: Floats) -> tuple[float, float]:
    """Σ |estimated − true| for every 100 people with ever more of them, by the published divisor and by the best.

    Parameters
    ----------
    shares
        The true shares of the values.
    """
    theta = reach_of(epsilon)
    near, far = _near_and_far(len(shares), theta)
    above = np.maximum(shares @ channel(len(shares), theta) - far, 0.0)

    def errs(divisor: float) -> float:
        return 100 * float(np.abs(above / divisor - shares).sum())

    # The sum is piecewise linear in 1/divisor, so it is least where one of its terms is 0.
    best = min(errs(above[value] / shares[value]) for value in np.flatnonzero((shares > 0) & (above > 0)))
    return errs(near - far), best


def limit_of_estimates(epsilon: float, shares: Floats) -> Floats:
    """Limit of the estimates by the published divisor with ever more people, as shares of them; shape (values,)."""
    theta = reach_of(epsilon)
    near, far = _near_and_far(len(shares), theta)
    found: Floats = np.maximum(shares @ channel(len(shares), theta) - far, 0.0) / (near - far)
    return found


def spent(values: int, epsilon: float) -> float:
    """The ε that the published program really spends: ln of the largest ratio of two chances of one report."""
    chances = channel(values, reach_of(epsilon))
    return float(np.log((chances.max(axis=0) / chances.min(axis=0)).max()))


def flaw(values: int, epsilon: float) -> OriginalFlaw:
    """Flaw that an audit finds in the program at an ε that is claimed."""
    claim = f"With θ = {reach_of(epsilon)}, which this ε gives, ε should be"
    return replace(FLAW, claimed=epsilon, real=spent(values, epsilon), claim=claim)


FLAW = OriginalFlaw(
    "Distance-sensitive encoding, as in the author's code, not private enough",
    "unlike that of the text, p. 57",
    "Near an end of the domain, the probability that falls outside is by p. 57 shared among the other outputs, which "
    "keeps ε; the code shares a hundredth of it and then scales all probabilities, which does not.",
    math.log(12),
    spent(50, math.log(12)),
    "With θ = 3, which ε = ln 12 gives, ε should be",
    said="As in the author's code, distance-sensitive encoding is not private enough",
)
