"""The exponential mechanism on the distance to the true value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.ldp.by_distance import SCOPE, Stepwise, distances, per_step, step_of
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Floats, LocalProtocol
from workbench.ldp.tabulated import LARGEST


def chances(domain_size: int, rate: float) -> Floats:
    """P(y | x) ∝ e^(−rate·|x − y|)."""
    weights = np.exp(-rate * distances(domain_size))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Stepwise:
    # Between neighbours the normalisation differs too, so e^(−rate) per step costs more than the rate, twice at most:
    # to promise ε per step the rate is ε/2. Over the whole domain both ends are normalised alike and it is ε/(d − 1).
    asked = given(epsilon, PLUGIN.title)
    share = 2 if values["scope"] == "neighbours" else domain_size - 1
    return Stepwise(chances(domain_size, step_of(asked, share)), asked, str(values["scope"]))


PLUGIN = LocalProtocol(
    "exponential",
    "Exponential on distance",
    "Reports a value with a chance that falls by a constant factor with each step away from the true one.",
    "F. McSherry, K. Talwar: Mechanism design via differential privacy, 2007.",
    (SCOPE,),
    construct,
    ordinal=True,
    maximum_domain=LARGEST,
    stepwise=per_step,
)
