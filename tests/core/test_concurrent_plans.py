"""A plan adds up with what is drawn between its slots: all ways to interleave them, gone through exactly.

Source: Haney et al., "Concurrent composition for interactive differential privacy with adaptive privacy-loss
parameters", CCS 2023.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from workbench.core.composition import ReleaseSpending, total

_BETWEEN = Fraction(1, 2)
_E = {Fraction(1): Fraction("2.718281828"), Fraction(1, 2): Fraction("1.648721270")}
"""e^ε rounded down, so that each mechanism is a little better than what is counted for it."""

Leaf = tuple[Fraction, Fraction]
"""The probability of an outcome under both tables."""


def answers(epsilon: Fraction) -> list[Leaf]:
    """The worst mechanism with this ε: a coin that says the truth with probability e^ε/(1 + e^ε)."""
    true = _E[epsilon] / (1 + _E[epsilon])
    return [(true, 1 - true), (1 - true, true)]


def outcomes(strategy: tuple[bool, ...]) -> list[Leaf]:
    """All outcomes of a slot, perhaps a draw beside the plan, and perhaps the second slot, as a strategy has it.

    Whether each is made follows from every answer before it: two bits say so for the draw between, and six for the
    second slot (after either answer of the first, and none, or either answer of the draw between).
    """
    found = []
    for first, one in enumerate(answers(Fraction(1))):
        between = [(0, (Fraction(1), Fraction(1)))]
        if strategy[first]:
            between = [(place + 1, leaf) for place, leaf in enumerate(answers(_BETWEEN))]
        for seen, other in between:
            last = answers(Fraction(1)) if strategy[2 + 3 * first + seen] else [(Fraction(1), Fraction(1))]
            found += [(one[0] * other[0] * two[0], one[1] * other[1] * two[1]) for two in last]
    return found


@pytest.mark.parametrize("extra", [Fraction(1, 10), Fraction(1, 50)])
def test_no_way_to_interleave_costs_more_than_what_is_quoted(extra: Fraction) -> None:
    slot = ReleaseSpending(Fraction(1), Fraction(0))
    plan = ReleaseSpending(Fraction(2), extra, slots=(slot, slot), identity="plan")
    between = ReleaseSpending(_BETWEEN, Fraction(0))
    quoted = total([plan, between])
    assert quoted.epsilon < 2 * slot.epsilon + _BETWEEN, "the plan costs less than adding, at this δ"
    growth = Fraction(2.718281828459045 ** float(quoted.epsilon)) * (1 - Fraction(1, 10**12))
    worst = max(
        max(sum(max(p - growth * q, Fraction(0)) for p, q in leaves), sum(max(q - growth * p, 0) for p, q in leaves))
        for strategy in product((False, True), repeat=8)
        for leaves in [outcomes(strategy)]
    )
    assert 0 < worst <= quoted.delta == extra
