"""Exact random draws: coins with probability exp(−x), two-sided geometric noise, and choices by exp(−x).

Only whole numbers are compared and nothing is rounded, so what is drawn has the stated distribution exactly, and no
trace of a floating-point number is left in it: the noise can be any whole number, however far from 0, and its last
digits say nothing about what it was added to.

Sources: Canonne, Kamath and Steinke 2020, algorithms 1 and 2 (the coin exp(−x), the discrete Laplace distribution);
Ghosh, Roughgarden and Sundararajan 2009 (the geometric mechanism).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource

Numbers = Sequence[int] | NDArray[np.int64]

_WORDS = 256
_LARGEST = (1 << 63) - 1
_PRECISION = 192
"""Binary places with which a weighted choice starts; that they do not suffice has a chance below 2⁻¹⁰⁰."""
_OFF = 4
"""Units in the last place by which a computed exp(−x) may be off."""


class Choices(Protocol):
    """Positions to choose from, each with some candidates of the same loss."""

    @property
    def least(self) -> int:
        """The least loss of all."""

    @property
    def candidates(self) -> int:
        """How many candidates there are in all."""

    def __len__(self) -> int:
        """How many positions there are."""

    def near(self, furthest: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The positions with at most this loss, rising; how many candidates each has, from 1, and its loss."""


class Listed:
    """Choices that are all at hand: how many candidates each position has, from 1, and its loss."""

    def __init__(self, widths: Numbers, losses: Numbers) -> None:
        self.widths, self.losses = (
            one if isinstance(one, np.ndarray) else np.array(one, dtype=object) for one in (widths, losses)
        )
        self.least = int(self.losses.min())
        self.candidates = int(self.widths.sum())

    def __len__(self) -> int:
        return len(self.widths)

    def near(self, furthest: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        most = furthest if self.losses.dtype == object else min(furthest, _LARGEST)
        found = np.flatnonzero(self.losses <= most)
        return found, self.widths[found], self.losses[found]


class Coins:
    """Exact coins and whole numbers from random words."""

    def __init__(self, source: RandomSource) -> None:
        self._source = source
        self._words: Iterator[int] = iter(())

    @property
    def secure(self) -> bool:
        """True only if nobody can predict or repeat what is drawn."""
        return self._source.secure

    def _word(self) -> int:
        for word in self._words:
            return word
        self._words = iter(self._source.words(_WORDS).tolist())
        return self._word()

    def bits(self, words: int) -> int:
        """A uniform integer of 64·`words` bits."""
        number = 0
        for _ in range(words):
            number = number << 64 | self._word()
        return number

    def below(self, bound: int) -> int:
        """A uniform integer in [0, bound)."""
        words = max(1, (bound.bit_length() + 63) // 64)
        whole = 1 << 64 * words
        accepted = whole - whole % bound
        while True:
            number = self.bits(words)
            if number < accepted:
                return number % bound

    def share(self, probability: Fraction) -> bool:
        """True with this rational probability, 0 to 1."""
        return self.below(probability.denominator) < probability.numerator

    def exponential(self, x: Fraction) -> bool:
        """True with probability exp(−x), x ≥ 0."""
        whole = int(x)
        for _ in range(whole):
            if not self._exponential_below_one(1, 1):
                return False
        rest = x - whole
        return self._exponential_below_one(rest.numerator, rest.denominator)

    def _exponential_below_one(self, numerator: int, denominator: int) -> bool:
        """exp(−γ) is the chance that the first refusal of coins γ/1, γ/2, γ/3, … comes at an odd place."""
        place = 1
        while self.below(denominator * place) < numerator:
            place += 1
        return place % 2 == 1

    def two_sided(self, rate: Fraction) -> int:
        """A whole number z with probability in proportion to exp(−rate·|z|), rate > 0: discrete Laplace noise.

        Added to a whole number that one person changes by at most Δ, a rate of ε/Δ costs exactly ε.
        """
        steps, scale = rate.numerator, rate.denominator
        while True:
            # `fine` + scale·`coarse` is geometric with ratio exp(−1/scale); every `steps` of it make one step.
            fine = self.below(scale)
            if not self.exponential(Fraction(fine, scale)):
                continue
            coarse = 0
            while self._exponential_below_one(1, 1):
                coarse += 1
            size = (fine + scale * coarse) // steps
            negative = self.below(2) == 1
            if size or not negative:  # 0 has no sign and must not count twice
                return -size if negative else size

    def two_sided_power(self, alpha: Fraction) -> int:
        """A whole number z with probability (1 − α)/(1 + α)·α^|z|, rational α in (0, 1)."""
        while True:
            size = 0
            while self.share(alpha):
                size += 1
            negative = self.below(2) == 1
            if size or not negative:
                return -size if negative else size

    def choice(self, widths: Numbers, losses: Numbers, rate: Fraction) -> int:
        """A position, drawn with probability in proportion to widths[i]·exp(−rate·losses[i]).

        Parameters
        ----------
        widths
            How many candidates stand at each position, whole numbers from 1.
        losses
            Their loss, whole numbers.
        rate
            How much a loss of one counts, above 0.
        """
        return self.choose(Listed(widths, losses), rate)

    def choose(self, choices: Choices, rate: Fraction) -> int:
        """A position, drawn with probability in proportion to its width·exp(−rate·its loss), rate > 0.

        A uniform real number is looked up among the sums of the weights. Its binary places are drawn, and the sums
        computed, until it is certain between which sums it lies; so the probabilities are exact.
        """
        least = choices.least
        # Every sum may be off by this much, and so may the total.
        off = _OFF * choices.candidates
        number, places, precision = 0, 0, _PRECISION
        while True:
            words = precision // 64 - places // 64
            number, places = number << 64 * words | self.bits(words), places + 64 * words
            # What lies beyond weighs less than a unit in the last place: 0.694 is above ln 2.
            near, many, paid = choices.near(least + int(precision * Fraction(694, 1000) / rate) + 1)
            weights = _weights(many.tolist(), [loss - least for loss in paid.tolist()], rate, precision)
            sums = list(accumulate(weights))
            lowest = number * (sums[-1] - off) >> places
            highest = ((number + 1) * (sums[-1] + off) >> places) + 1
            found = bisect_right(sums, lowest)
            if found < len(sums):
                position = int(near[found])
                after_one_before = position == 0 or (sums[found - 1] if found else 0) + off <= lowest
                before_next = position == len(choices) - 1 or highest <= sums[found] - off
                if after_one_before and before_next:
                    return position
            precision += 128


def _weights(widths: Sequence[int], losses: Sequence[int], rate: Fraction, precision: int) -> list[int]:
    """widths[i]·2^precision·exp(−rate·losses[i]), each off by at most _OFF·widths[i]."""
    largest = max(losses)
    # exp(−rate·loss) = coarse[loss // step]·fine[loss % step], so few exponentials serve many losses.
    step = math.isqrt(largest) + 1
    coarse = _exponentials(rate * step, sorted({loss // step for loss in losses}), precision)
    fine = _exponentials(rate, sorted({loss % step for loss in losses}), precision)
    return [
        width * (coarse[loss // step] * fine[loss % step] >> precision)
        for width, loss in zip(widths, losses, strict=True)
    ]


def _exponentials(rate: Fraction, wanted: Iterable[int], precision: int) -> dict[int, int]:
    """2^precision·exp(−rate·i) for each i that is wanted, off by at most one."""
    with localcontext() as context:
        context.prec = precision * 30103 // 100000 + 30
        top, bottom = Decimal(rate.numerator), Decimal(rate.denominator)
        unit = Decimal(1 << precision)
        return {i: int((-(top * i / bottom)).exp() * unit) for i in wanted}
