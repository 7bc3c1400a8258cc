"""ε as it was typed, and what it means in words."""

from __future__ import annotations

import math
from fractions import Fraction

from workbench.core.amount_text import read_amount
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, exact, rounded_up
from workbench.core.rationals import float_above
from workbench.core.times_as_likely import no_likelier

SMALLEST_EPSILON = Fraction(1, 10**6)
"""An answer with less says nothing about the data, and its noise grows beyond what can be computed with."""
LARGEST_EPSILON = 100
"""An ε beyond this promises nothing to anybody."""


def epsilon_of(value: str | int | Fraction, field: str = "epsilon") -> Fraction:
    """A privacy parameter from its text, exactly: “0.1” is 1/10; a logarithm such as “ln 3” is rounded up.

    Raises
    ------
    WorkbenchError
        If it is no number, not above 0, or so small or large that the answer or the promise means nothing.
    """
    number = read_amount(value, field, tiny=True) if isinstance(value, str) else Fraction(value)
    if not 0 < number <= LARGEST_EPSILON:
        raise WorkbenchError(
            f"ε must be above 0 and at most {LARGEST_EPSILON}, not {value}.",
            hint="Usual values lie between 0.01 and 2. Smaller ones protect better and answer less exactly.",
            field=field,
        )
    return answerable(number, field)


def answerable(epsilon: Fraction, field: str = "epsilon") -> Fraction:
    """The same ε, if it is large enough for an answer.

    Raises
    ------
    WorkbenchError
        If it is not.
    """
    if epsilon < SMALLEST_EPSILON:
        raise WorkbenchError(
            f"ε must be at least {exact(float(SMALLEST_EPSILON))}: with less, an answer says nothing but noise.",
            hint="Usual values lie between 0.01 and 2. Nothing was spent.",
            field=field,
        )
    return epsilon


def shares(total: Fraction, weights: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """`total` divided in proportion to the weights; the parts add up to it exactly."""
    whole = sum(weights, Fraction(0))
    if any(weight <= 0 for weight in weights):
        raise WorkbenchError("Every weight must be above 0.", hint="Leave out what gets no share.", field="weight")
    return tuple(total * weight / whole for weight in weights)


def not_above(value: Fraction) -> float:
    """The largest float that does not exceed the value: what must be told to code that knows floats only."""
    found = value.numerator / value.denominator
    return found if Fraction(found) <= value else math.nextafter(found, -math.inf)


def in_words(epsilon: Fraction, delta: Fraction = Fraction(0)) -> str:
    """The promise of ε and δ to one person, in words."""
    besides = f" {delta_words(delta)}" if delta else ""
    return f"{_epsilon_words(epsilon)}{besides}"


def delta_words(delta: Fraction) -> str:
    """The part of a promise that a δ takes away, in words."""
    return (
        f"Besides, with a chance of at most δ = {rounded_up(delta)} the answer may tell more of a person, such as a "
        "value that nobody else has."
    )


def _epsilon_words(epsilon: Fraction) -> str:
    above = float_above(epsilon)
    factor = math.exp(above)
    if factor >= 1000:
        return (
            f"e^ε is about {estimate(factor, 2)}: whoever sees the answer may become almost certain that a "
            "person is in the "
            "data, or what they earn. This is hardly a promise at all."
        )
    # The chance of telling apart two equally likely tables with and without the person: e/(1 + e).
    # 50 % is no news, so what is above it is what must not be rounded away.
    likelier = no_likelier(above, "answer")
    sure = 50 + 50 * math.tanh(above / 2)
    return (
        f"{likelier[0].upper()}{likelier[1:]} (e^ε). Somebody who knows everything except whether you are in the data, "
        f"and holds both for equally likely, can be at most {rounded_up(sure)} % sure after the answer."
    )
