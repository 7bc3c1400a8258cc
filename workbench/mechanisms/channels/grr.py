"""Randomised response over d values."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.epsilon import Epsilon, growth
from workbench.mechanisms.mechanism import MOST_EXACT, ConfiguredMechanism, Mechanism

EPSILON = ParamSpec(
    "epsilon",
    "ε",
    ParamType.TEXT,
    default="ln 3",
    help="A logarithm such as ln 3, which gives exact fractions, or a number such as 1.",
)


def finite_epsilon(text: str) -> Epsilon:
    """An ε that a mechanism can be made for.

    Raises
    ------
    WorkbenchError
        If it cannot be read or is infinite.
    """
    epsilon = Epsilon.parse(text)
    if epsilon.infinite:
        raise WorkbenchError(
            "No mechanism is made for an infinite ε.", hint="Write such as ln 3 or 1.", field="epsilon"
        )
    return epsilon


def make(values: Mapping[str, Any]) -> ConfiguredMechanism:
    epsilon, d = finite_epsilon(values["epsilon"]), values["d"]
    names = [str(value) for value in range(1, d + 1)]
    e = epsilon.exp
    title = f"Randomised response over {d} values, ε = {epsilon.text}"
    if e is not None and d * d <= MOST_EXACT:
        rows = [[(e if x == y else 1) / (e + d - 1) for y in range(d)] for x in range(d)]
        return ConfiguredMechanism(title, Channel.of_fractions(names, names, rows))
    odds = float(growth(epsilon, Fraction(1)))
    table = np.full((d, d), 1 / (odds + d - 1))
    np.fill_diagonal(table, odds / (odds + d - 1))
    return ConfiguredMechanism(title, Channel.of_floats(names, names, table))


PLUGIN = Mechanism(
    "grr",
    "Randomised response over d values",
    "Every person reports their value, or with some chance one of the other values.",
    "P. Kairouz, S. Oh, P. Viswanath: Extremal mechanisms for local differential privacy, JMLR 17, 2016.",
    (
        ParamSpec("d", "Values", ParamType.INTEGER, default=4, minimum=2, maximum=2000, help="How many values."),
        EPSILON,
    ),
    make,
)
