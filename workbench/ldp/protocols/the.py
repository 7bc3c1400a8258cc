"""Thresholding with histogram encoding: which of the noisy numbers are above a threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.params import ParamSpec, ParamType
from workbench.ldp.coins import odds
from workbench.ldp.parameters import SPEND, given, whole
from workbench.ldp.protocol import LocalProtocol
from workbench.ldp.unary import Unary


def chances(epsilon: float, theta: float) -> tuple[float, float]:
    """(p, q): the chance that 1 + Laplace(2/ε) and that 0 + Laplace(2/ε) is above θ ≤ 1."""
    return 1 - math.exp(epsilon * (theta - 1) / 2) / 2, math.exp(-epsilon * theta / 2) / 2


def best_threshold(epsilon: float) -> float:
    """θ in (½, 1) that minimises the variance q(1−q)/(p−q)² of rare values."""
    low, high = 0.5, 1.0
    for _ in range(60):
        theta = (low + high) / 2
        p, q = chances(epsilon, theta)
        # The logarithm of the variance falls as long as this is above 0: p' = −ε(1−p)/2 and q' = −εq/2.
        if 1 - q / (1 - q) - 2 * (1 - p - q) / (p - q) > 0:
            low = theta
        else:
            high = theta
    return (low + high) / 2


def tuned(ratio: Fraction, domain_size: int, theta: float = 0.0) -> tuple[Fraction, Fraction]:
    """(p, q) for noise of any scale whose bits spend all of ε.

    Parameters
    ----------
    ratio
        e^ε, or a little less.
    theta
        The threshold; 0 for the one with the smallest variance.

    Notes
    -----
    Noise of scale 1/s and the threshold θ give 2(1−p) = e^{−s(1−θ)} and 2q = e^{−sθ}, so every p and q around ½ belongs
    to one s and θ; and the bits have ε where q = p/(p + e^ε(1−p)). That leaves p, from ½ (θ = 1, optimised unary
    encoding) to where p = 1 − q (θ = ½, symmetric unary encoding). The variances of all d values add up to
    n[p(1−p) + (d−1)q(1−q)]/(p−q)², whatever the values are.
    """
    e = float(ratio)
    low, high = 0.5, 1 / (1 + math.exp(-math.log(e) / 2))

    def other(p: float) -> float:
        return p / (p + e * (1 - p))

    def variance(p: float) -> float:
        q = other(p)
        return (p * (1 - p) + (domain_size - 1) * q * (1 - q)) / (p - q) ** 2

    def threshold(p: float) -> float:
        below, above = math.log(2 * other(p)), math.log(2 * (1 - p))
        return below / (below + above)

    for _ in range(80):
        if theta:
            middle = (low + high) / 2
            rising = threshold(middle) > theta
        else:
            middle, step = (low + high) / 2, (high - low) / 8
            rising = variance(middle - step) > variance(middle + step)
        if rising:
            low = middle if theta else middle - step
        else:
            high = middle if theta else middle + step
    p = Fraction((low + high) / 2)
    return p, p / (p + ratio * (1 - p))


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Unary:
    # The bits are coins of these chances, so nothing continuous is ever drawn. What they reveal is less than what
    # the noisy numbers would; the stated ε is theirs.
    asked, theta = given(epsilon, PLUGIN.title), float(values["theta"])
    if theta and not 0.5 < theta < 1.0:
        raise WorkbenchError(
            f"The threshold θ = {exact(theta)} is not between 0.5 and 1.",
            hint="Choose one strictly between, or 0 for the best one.",
            field="theta",
        )
    if whole(values):
        return Unary(domain_size, *tuned(odds(asked), domain_size, theta))
    p, q = chances(asked, theta or best_threshold(asked))
    return Unary(domain_size, Fraction(p), Fraction(q))


PLUGIN = LocalProtocol(
    "the",
    "Thresholding with histogram encoding",
    "Adds Laplace noise to one number per value and reports which are above a threshold. As published it spends a "
    "part of ε only.",
    "T. Wang, J. Blocki, N. Li, S. Jha: Locally differentially private protocols for frequency estimation, USENIX "
    "Security 2017.",
    (
        ParamSpec(
            "theta",
            "Threshold θ",
            ParamType.NUMBER,
            default=0.0,
            minimum=0.0,
            maximum=1.0,
            open_maximum=True,
            placeholder="automatic",
            help="Strictly between 0.5 and 1; 0 for the one with the smallest error.",
        ),
        SPEND,
    ),
    construct,
    later=(SPEND.name,),
)
