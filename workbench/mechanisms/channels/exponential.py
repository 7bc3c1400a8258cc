"""The exponential mechanism on typed scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.exact import SMALLEST, nearest_float
from workbench.core.number_text import counted
from workbench.core.params import ParamSpec, ParamType
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channels.grr import EPSILON, finite_epsilon
from workbench.mechanisms.epsilon import Epsilon, growth
from workbench.mechanisms.mechanism import OTHERS, ConfiguredMechanism, Mechanism
from workbench.mechanisms.scores import CHANGE, SCORES, Scores, parse_scores

SENSITIVITY = ParamSpec(
    "sensitivity",
    "Sensitivity",
    ParamType.FRACTION,
    default=Fraction(1),
    minimum=0,
    open_minimum=True,
    help="By how much one person can change a score.",
)


def make(values: Mapping[str, Any]) -> ConfiguredMechanism:
    scores = parse_scores(values["scores"])
    epsilon = finite_epsilon(values["epsilon"])
    sensitivity: Fraction = values["sensitivity"]
    one = values["change"] == "one"
    halved = 2 if values["factor"] == "half" else 1
    return ConfiguredMechanism(
        f"Exponential mechanism over {len(scores.choices)} choices, ε = {epsilon.text}",
        _channel(scores, epsilon, Fraction(1) / (halved * sensitivity)).placed(scores.parts(one=one)),
        scores.neighbours(sensitivity, one=one),
        note=f"ε is over the datasets that are listed; {OTHERS}.",
        listed=counted(len(scores.names), "dataset"),
    )


def _channel(scores: Scores, epsilon: Epsilon, rate: Fraction) -> Channel:
    # Only differences of scores count, and taking off the largest keeps the numbers small.
    weights = [[growth(epsilon, (score - max(row)) * rate) for score in row] for row in scores.rows]
    exact = [[weight for weight in row if isinstance(weight, Fraction)] for row in weights]
    if all(len(row) == len(scores.choices) for row in exact):
        rows = [[weight / sum(row, Fraction(0)) for weight in row] for row in exact]
        return Channel.of_fractions(scores.names, scores.choices, rows)
    table = np.array([[nearest_float(Fraction(weight)) for weight in row] for row in weights])
    table /= table.sum(axis=1, keepdims=True)
    if (table < float(SMALLEST)).any():
        # As a float it would be impossible, and its ratio to another dataset would not be seen.
        raise WorkbenchError(
            "Some choice is rarer than 1e-300, and nothing nearer to 0 is computed.",
            hint="Choose a smaller ε or scores nearer to each other, or an ε such as ln(2), which is computed exactly.",
            field="epsilon",
        )
    return Channel.of_floats(scores.names, scores.choices, table)


PLUGIN = Mechanism(
    "exponential",
    "Exponential mechanism",
    "Chooses among several things; every unit of score makes a choice e^(ε/2Δ) times likelier.",
    "F. McSherry, K. Talwar: Mechanism design via differential privacy, FOCS 2007.",
    (
        SCORES,
        replace(EPSILON, default="ln 4"),
        SENSITIVITY,
        ParamSpec(
            "factor",
            "Exponent",
            ParamType.CHOICE,
            default="half",
            choices=(("half", "ε · score / 2Δ"), ("full", "ε · score / Δ")),
            help="Half is what the general proof needs. Where adding a person can only raise scores, as with counts, "
            "full is enough, and the audit shows it.",
        ),
        CHANGE,
    ),
    make,
)
