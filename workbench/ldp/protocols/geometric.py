"""The truncated geometric mechanism on the values of a domain, d-private."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.ldp.by_distance import SCOPE, Stepwise, distances, per_step, step_of
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Floats, LocalProtocol
from workbench.ldp.tabulated import LARGEST


def chances(domain_size: int, rate: float) -> Floats:
    """(1−α)/(1+α) α^|y−x| inside, α^|y−x|/(1+α) at both ends, α = e^(−rate)."""
    alpha = np.exp(-rate)
    weights = np.exp(-rate * distances(domain_size)) / (1 + alpha)
    weights[:, 1:-1] *= -np.expm1(-rate)
    return np.asarray(weights)


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Stepwise:
    asked = given(epsilon, PLUGIN.title)
    share = 1 if values["scope"] == "neighbours" else domain_size - 1
    return Stepwise(chances(domain_size, step_of(asked, share)), asked, str(values["scope"]))


PLUGIN = LocalProtocol(
    "geometric",
    "Geometric noise",
    "Moves the value by a two-sided geometric number of steps and clamps it to the domain. Made to hide small "
    "distances; hiding all of them needs much noise.",
    "A. Ghosh, T. Roughgarden, M. Sundararajan: Universally utility-maximizing privacy mechanisms, 2009; "
    "K. Chatzikokolakis et al.: Broadening the scope of differential privacy using metrics, PETS 2013.",
    (SCOPE,),
    construct,
    ordinal=True,
    maximum_domain=LARGEST,
    stepwise=per_step,
)
