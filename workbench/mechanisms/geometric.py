"""The geometric mechanism in fractions: truncated to {0 … n}, and on all whole numbers.

Ghosh, Roughgarden, Sundararajan: Universally utility-maximizing privacy mechanisms, 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

ZERO, ONE = Fraction(0), Fraction(1)
Polynomial = list[Fraction]


def truncated(alpha: Fraction, n: int, x: int) -> tuple[Fraction, ...]:
    """P(y | x) for y in 0 … n: α^x/(1+α) at 0, α^(n−x)/(1+α) at n, else (1−α)/(1+α) · α^|y−x|.

    Two-sided geometric noise on x, with everything beyond 0 and n moved to the nearest end.
    """
    if n == 0:
        return (ONE,)
    inside = (1 - alpha) / (1 + alpha)
    return (
        alpha**x / (1 + alpha),
        *(inside * alpha ** abs(y - x) for y in range(1, n)),
        alpha ** (n - x) / (1 + alpha),
    )


def mass(alpha: Fraction, offset: int) -> Fraction:
    """P(noise = offset) of two-sided geometric noise: (1−α)/(1+α) · α^|offset|."""
    return (1 - alpha) / (1 + alpha) * alpha ** abs(offset)


def at_most(alpha: Fraction, offset: int) -> Fraction:
    """P(noise ≤ offset)."""
    return ONE - alpha ** (offset + 1) / (1 + alpha) if offset >= 0 else alpha**-offset / (1 + alpha)


class OverAllNumbers:
    """Σ over all whole numbers τ of P(centre + noise = τ) · Π factors(τ), without cutting anything off.

    Every factor is the chance that other geometric noise around a value is at most, or above, τ. Beyond all centres
    such a chance is linear in α^|τ|, so a product is a polynomial in it, and a tail of the sum is a few geometric
    series.

    Parameters
    ----------
    weight, centre
        α of the noise that is summed over, and what it is added to.
    alpha
        α of the noise in the factors.
    centres
        All values that factors will be centred at: between them and `centre` the sum is taken term by term.
    """

    def __init__(self, weight: Fraction, centre: int, alpha: Fraction, centres: Sequence[int]) -> None:
        self._weight, self._centre, self._alpha = weight, centre, alpha
        self._low, self._high = min(centre, *centres) - 1, max(centre, *centres) + 1
        self._middle = {tau: mass(weight, tau - centre) for tau in range(self._low, self._high + 1)}
        self._left: Polynomial = [ONE]
        self._right: Polynomial = [ONE]

    def multiply(self, value: int, *, above: bool) -> None:
        """Take the chance that `value` + noise ≤ τ (or, `above`, > τ) into the product."""
        self._middle = {tau: term * self._factor(value, tau, above) for tau, term in self._middle.items()}
        self._left = _times(self._left, *self._line(value, above, left=True))
        self._right = _times(self._right, *self._line(value, above, left=False))

    def total_with(self, value: int | None = None, *, above: bool = True) -> Fraction:
        """The sum, with one more factor that is not kept if `value` is given."""
        middle, left, right = self._middle, self._left, self._right
        if value is not None:
            middle = {tau: term * self._factor(value, tau, above) for tau, term in middle.items()}
            left = _times(left, *self._line(value, above, left=True))
            right = _times(right, *self._line(value, above, left=False))
        ends = self._tail(left, self._centre - self._low) + self._tail(right, self._high - self._centre)
        return sum(middle.values(), ZERO) + ends

    def _factor(self, value: int, tau: int, above: bool) -> Fraction:
        below = at_most(self._alpha, tau - value)
        return 1 - below if above else below

    def _line(self, value: int, above: bool, *, left: bool) -> tuple[Fraction, Fraction]:
        """The factor beyond the middle as a + b·u with u = α^s, s = 1, 2, … steps beyond it."""
        edge = self._low if left else self._high
        chance = at_most(self._alpha, edge - value)
        # Left of every value P(noisy ≤ τ) falls to 0, right of it P(noisy > τ) does, each by α a step.
        vanishing = chance if left else 1 - chance
        return (ZERO, vanishing) if left != above else (ONE, -vanishing)

    def _tail(self, polynomial: Polynomial, distance: int) -> Fraction:
        """Σ over s ≥ 1 of P(noise = distance + s) · polynomial(α^s)."""
        first = mass(self._weight, distance)
        total, power = ZERO, ONE
        for coefficient in polynomial:
            rate = self._weight * power
            total += coefficient * first * rate / (1 - rate)
            power *= self._alpha
        return total


def _times(polynomial: Polynomial, constant: Fraction, slope: Fraction) -> Polynomial:
    product = [constant * coefficient for coefficient in polynomial] + [ZERO]
    for power, coefficient in enumerate(polynomial):
        product[power + 1] += slope * coefficient
    return product
