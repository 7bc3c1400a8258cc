"""Whole-number weights of the optimal trimming law, and the bounds of one row that they are checked against.

Everything is a whole number of 1/2^bits, and every rounding goes to the side that promises less: e^{ε/c} is
rounded down, its c-th power up, δ of a row down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

WORD = 64
LONGEST = 100_000
"""The most rows a group may have to give up: beyond that hardly any group is left, and drawing takes long."""

_BITS = 256
_SPARE = 2 * WORD


@dataclass(frozen=True)
class RowBounds:
    """Bounds on the cost of one row, so that c rows in any groups cost at most (ε, δ).

    Parameters
    ----------
    bits
        Weights are whole numbers of 1/2^bits.
    growth
        E·2^bits for a rational E ≤ e^{ε/c}.
    delta
        δ₀ ≤ δ·(E − 1)/(E^c − 1).
    """

    bits: int
    growth: int
    delta: Fraction

    def covers(self, weights: Sequence[int]) -> bool:
        """Whether shifting the weights by one costs at most (ln E, δ₀), in both directions; in whole numbers.

        With w outside the support being 0: (A) Σ max(0, w_z − E·w_{z−1}) and (B) Σ max(0, w_z − E·w_{z+1}) are both at
        most δ₀·Σw. These are the hockey-stick divergences of a group of one row more and of one row less.
        """
        return max(self.excesses(weights)) <= self.delta * (sum(weights) << self.bits)

    def excesses(self, weights: Sequence[int]) -> tuple[int, int]:
        """The sums of (A) and (B), times 2^bits."""
        grown = [self.growth * weight for weight in weights]
        raised = [weight << self.bits for weight in weights]
        added = sum(max(0, weight - before) for weight, before in zip(raised, [0, *grown], strict=False))
        removed = sum(max(0, weight - after) for weight, after in zip(raised, [*grown[1:], 0], strict=True))
        return added, removed


def row_bounds(epsilon: Fraction, delta: Fraction, rows: int) -> RowBounds:
    """The bounds of one row of a person who has at most so many, by group privacy."""
    # δ of a row is at least δ/(c·e^ε), which 22,027 bounds for ε up to 10.
    spare = (rows * 22_027 / delta).__ceil__().bit_length() + _SPARE
    bits = max(_BITS, math.ceil(spare / WORD) * WORD)
    growth = exponential_below(epsilon / rows, bits)
    one = 1 << bits
    return RowBounds(bits, growth, delta * Fraction(growth - one, _power_above(growth, rows, bits) - one))


def exponential_below(x: Fraction, bits: int) -> int:
    """A whole number at most 2^bits·e^x, and off by some units only; x ≥ 0.

    All terms of Σ x^i/i! are positive, so that leaving some out and rounding each down stays below.
    """
    total, term, place = 0, 1 << bits, 0
    while term:
        total += term
        place += 1
        term = term * x.numerator // (x.denominator * place)
    return total


def _power_above(base: int, power: int, bits: int) -> int:
    """A whole number at least 2^bits·(base/2^bits)^power, by squaring and rounding up."""
    result = 1 << bits
    while power:
        if power & 1:
            result = -(-result * base >> bits)
        base = -(-base * base >> bits)
        power >>= 1
    return result


def optimal_weights(bounds: RowBounds) -> tuple[int, ...] | None:
    """The law that keeps each group, and any number of its rows, as often as the bounds allow; None if it is too long.

    With π(0) = 0 and π(n+1) = min(E·π(n) + δ₀, 1 − (1 − π(n) − δ₀)/E, 1) for P[Z < n], weights are its differences.
    1 − π is carried beside π, for it is what the falling half depends on.

    Source: Desfontaines, Voss, Gipson and Mandayam, Differentially private partition selection, PoPETs 2022(1).
    """
    bits, growth = bounds.bits, bounds.growth
    whole = 1 << bits
    allowed = int(bounds.delta * whole)
    if 2 * allowed < whole:
        # Each weight is rounded by less than a unit, which costs less than E units, and E is below 2^15.
        allowed -= LONGEST << 16
    weights: list[int] = []
    below, rest = 0, whole
    while rest:
        if len(weights) == LONGEST:
            return None
        rising = ((growth - whole) * below >> bits) + allowed
        falling = ((growth - whole) * rest + (allowed << bits)) // growth
        weight = min(rising, falling, rest)
        weights.append(weight)
        below, rest = below + weight, rest - weight
    return tuple(weights)
