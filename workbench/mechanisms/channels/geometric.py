"""The geometric mechanism on all whole numbers, shown around the inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.core.params import ParamSpec, ParamType
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channels.truncated_geometric import ALPHA, LEAST_AT
from workbench.mechanisms.geometric import at_most, mass
from workbench.mechanisms.mechanism import ConfiguredMechanism, Mechanism
from workbench.mechanisms.neighbours import ADJACENT


def make(values: Mapping[str, Any]) -> ConfiguredMechanism:
    alpha, n, beyond = values["alpha"], values["n"], values["beyond"]
    low, high = -beyond, n + beyond
    inputs = range(n + 1)
    rows = [
        (
            at_most(alpha, low - x),
            *(mass(alpha, y - x) for y in range(low + 1, high)),
            1 - at_most(alpha, high - 1 - x),
        )
        for x in inputs
    ]
    outputs = (f"≤ {low}", *(str(y) for y in range(low + 1, high)), f"≥ {high}")
    return ConfiguredMechanism(
        f"{alpha}-geometric on whole numbers",
        Channel.of_fractions([str(x) for x in inputs], outputs, rows),
        ADJACENT,
        note="Outputs are all whole numbers; those at either end are shown together. That is post-processing and "
        "changes no ε here: the ratios in the tails are the same as in the first output of each.",
    )


PLUGIN = Mechanism(
    "geometric",
    "Geometric",
    "A whole number with two-sided geometric noise, the discrete form of Laplace noise; nothing is cut off.",
    "A. Ghosh, T. Roughgarden, M. Sundararajan: Universally utility-maximizing privacy mechanisms, STOC 2009.",
    (
        ALPHA,
        ParamSpec(
            "n", "Largest input", ParamType.INTEGER, default=5, minimum=1, maximum=200, help="Inputs are 0 to n."
        ),
        ParamSpec(
            "beyond",
            "Outputs beyond",
            ParamType.INTEGER,
            default=4,
            minimum=1,
            maximum=200,
            help="How many outputs are shown below 0 and above the largest input; the rest is shown together.",
        ),
    ),
    make,
    least_at=LEAST_AT,
)
