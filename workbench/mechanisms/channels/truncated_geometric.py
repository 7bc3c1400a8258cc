"""The truncated geometric mechanism on counts 0 … n."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.core.params import ParamSpec, ParamType
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.geometric import truncated
from workbench.mechanisms.mechanism import ConfiguredMechanism, Mechanism
from workbench.mechanisms.neighbours import ADJACENT

ALPHA = ParamSpec(
    "alpha",
    "α",
    ParamType.FRACTION,
    default=Fraction(1, 2),
    minimum=0,
    maximum=1,
    open_minimum=True,
    open_maximum=True,
    help="How slowly the noise falls off: each step from the true count is α times as likely. ε is −ln α per unit.",
)
LEAST_AT = ((ALPHA.name, Fraction(1)),)
"""The more noise, the less is told: an output with more is made of one with less, without the count.

M. Gupte, M. Sundararajan: Universally optimal privacy mechanisms for minimax agents, PODS 2010, lemma 3.
"""


def make(values: Mapping[str, Any]) -> ConfiguredMechanism:
    alpha, n = values["alpha"], values["n"]
    names = [str(x) for x in range(n + 1)]
    rows = [truncated(alpha, n, x) for x in range(n + 1)]
    return ConfiguredMechanism(
        f"Truncated {alpha}-geometric on 0 … {n}", Channel.of_fractions(names, names, rows), ADJACENT
    )


PLUGIN = Mechanism(
    "truncated-geometric",
    "Truncated geometric",
    "A count with two-sided geometric noise, moved back into 0 … n where it falls outside.",
    "A. Ghosh, T. Roughgarden, M. Sundararajan: Universally utility-maximizing privacy mechanisms, STOC 2009.",
    (
        ALPHA,
        ParamSpec(
            "n", "Largest count n", ParamType.INTEGER, default=5, minimum=1, maximum=400, help="Counts are 0 to n."
        ),
    ),
    make,
    least_at=LEAST_AT,
)
