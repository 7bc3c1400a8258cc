"""Parameters that several protocols share."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType

FUNCTIONS = ParamSpec(
    "functions",
    "Shared hash functions",
    ParamType.INTEGER,
    default=0,
    minimum=0,
    maximum=1 << 20,
    placeholder="one for each",
    help="0: every report has a hash function of its own, the most accurate. A number, such as 4096: everybody picks "
    "one of so many public functions, which makes very large domains affordable.",
)

WHOLE = "whole"

SPEND = ParamSpec(
    "spend",
    "Spends",
    ParamType.CHOICE,
    default="published",
    choices=(("published", "as published"), (WHOLE, "the whole ε")),
    help="As published, its reports reveal less than the ε that was asked for, and are less accurate than they could "
    "be. The whole ε: tuned so that the most that a report can reveal is that ε, and no more.",
)
"""Whether a protocol that leaves a part of ε unused as published is to spend it."""


def whole(values: Mapping[str, Any]) -> bool:
    """Whether the whole ε is to be spent."""
    return str(values[SPEND.name]) == WHOLE


def chance(name: str, title: str, default: float, explained: str, design: str = "") -> ParamSpec:
    """A probability strictly between 0 and 1; of one design alone, where one is given."""
    return ParamSpec(
        name,
        title,
        ParamType.NUMBER,
        default=default,
        minimum=0.0,
        maximum=1.0,
        open_minimum=True,
        open_maximum=True,
        chance=True,
        when=(("design", (design,)),) if design else (),
        help=explained,
    )


def given(epsilon: float | None, title: str) -> float:
    """The ε asked for, by a protocol that cannot do without."""
    if epsilon is None:
        raise WorkbenchError(f"{title} needs an ε.", hint="Give a number above 0.", field="epsilon")
    return epsilon


def exactly(number: float) -> Fraction:
    """The decimal a person typed, not the nearest binary fraction."""
    return Fraction(repr(float(number)))
