"""Thresholding with histogram encoding: which of the noisy numbers are above a threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.ldp.parameters import given
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


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Unary:
    # The bits are coins of these chances, so nothing continuous is ever drawn. What they reveal is less than what
    # the noisy numbers would; the stated ε is theirs.
    asked, theta = given(epsilon, PLUGIN.title), float(values["theta"])
    if theta and not 0.5 < theta < 1.0:
        raise WorkbenchError(
            f"The threshold θ = {theta:g} is not between 0.5 and 1.",
            hint="Choose one strictly between, or 0 for the best one.",
            field="theta",
        )
    p, q = chances(asked, theta or best_threshold(asked))
    return Unary(domain_size, Fraction(p), Fraction(q))


PLUGIN = LocalProtocol(
    "the",
    "Thresholding with histogram encoding",
    "Adds Laplace noise to one number per value and reports which are above a threshold.",
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
            help="Strictly between 0.5 and 1; 0 for the one with the smallest error.",
        ),
    ),
    construct,
)
