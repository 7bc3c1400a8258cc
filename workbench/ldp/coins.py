"""Exact draws from a random source, at the price of a few bits each.

Every probability is a multiple of 2⁻⁶⁴ and is met exactly. A draw looks at 8 (or 16) random bits first and only
where these do not decide at the remaining ones, which is the same as comparing with a number of 64 bits.
Probabilities are worked out as fractions of `odds(ε)`, a float that is never above e^ε, and rounded to the side
that reveals less; so the ε of what is really drawn is never above the one that was asked for.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource

TWO_64 = 1 << 64
_TWO_32 = 1 << 32
_TWO_48 = 1 << 48
_TWO_56 = 1 << 56
_HUGE = 1 << 200

Words = NDArray[np.uint64]


def odds(epsilon: float) -> Fraction:
    """e^ε, or a little less (relative (3 + ε)·2⁻⁵²), never more, whichever decimal was typed that reads as this ε."""
    close = math.exp(math.nextafter(epsilon, 0.0))
    # The library's exponential is off by less than one unit in the last place.
    return Fraction(math.nextafter(math.nextafter(close, 0.0), 0.0))


def nepers(ratio: Fraction) -> float:
    """ln(ratio), or a little more (relative 10⁻¹⁵), never less; the ε of a ratio of two probabilities, at least 1."""
    if ratio > _HUGE:
        return (math.log(ratio.numerator) - math.log(ratio.denominator)) * (1 + 1e-12)
    return math.log1p(float(ratio - 1)) * (1 + 1e-15)


def down(probability: Fraction) -> Fraction:
    """The largest multiple of 2⁻⁶⁴ that is not above; never 1 unless asked for."""
    return Fraction(math.floor(probability * TWO_64), TWO_64)


def up(probability: Fraction) -> Fraction:
    """The smallest multiple of 2⁻⁶⁴ that is not below."""
    return Fraction(math.ceil(probability * TWO_64), TWO_64)


_MANY = 1 << 16
"""So many coins are worth a table of what eight of them may show."""
_BLOCK = 1 << 16
_COINS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").view(np.uint64).ravel()
"""Eight coins as eight bytes, the first one from the lowest bit of their number."""
_UNDECIDED = np.uint64(TWO_64 - 1)

Small = TypeVar("Small", np.uint8, np.uint16, np.uint32)


def _small(source: RandomSource, count: int, kind: type[Small]) -> NDArray[Small]:
    return source.words(-(-count * np.dtype(kind).itemsize // 8)).view(kind)[:count]


def flips(source: RandomSource, count: int, probability: Fraction) -> NDArray[np.bool_]:
    """`count` independent coins, each True with `probability`, which is a multiple of 2⁻⁶⁴."""
    threshold = int(probability * TWO_64)
    high, low = divmod(threshold, _TWO_56)
    if high > 255 or threshold == 0:
        return np.full(count, high > 255)
    if count >= _MANY:
        return _eight_coins(threshold).draw(source, count)
    first = _small(source, count, np.uint8)
    heads: NDArray[np.bool_] = first < np.uint8(high)
    if low:
        undecided = np.flatnonzero(first == np.uint8(high))
        heads[undecided] = (source.words(len(undecided)) >> np.uint64(8)) < np.uint64(low)
    return heads


class EightCoins:
    """Draws eight independent coins at a time, each True with the chance `threshold`·2⁻⁶⁴, at two bits a coin.

    The 2⁸ outcomes, each as long as it is likely, lie one after the other on a line of 2⁵¹² points, and a uniform
    point is drawn bit by bit: 16 bits decide all but one outcome in 256 or so, and 64 nearly all of the rest; only
    where even these end on the border of two outcomes are the other 448 drawn. So the chances are exact.
    """

    def __init__(self, threshold: int) -> None:
        chances = [(TWO_64 - threshold, threshold)[coin] for coin in (0, 1)]
        lengths = [math.prod(chances[outcome >> place & 1] for place in range(8)) for outcome in range(256)]
        self.tops = list(accumulate(lengths))[:-1]
        self._near: Words = np.array([top >> 448 for top in self.tops], dtype=np.uint64)
        prefixes = np.arange(1 << 16, dtype=np.uint64) << np.uint64(48)
        # A border within the points that begin alike, or where they begin, leaves them undecided.
        first = np.searchsorted(self._near, prefixes, side="left")
        last = np.searchsorted(self._near, prefixes + np.uint64(_TWO_48 - 1), side="right")
        self._guide = np.where(first == last, _COINS[first.clip(max=255)], _UNDECIDED)

    def draw(self, source: RandomSource, count: int) -> NDArray[np.bool_]:
        """`count` independent coins."""
        coins: Words = np.empty(-(-count // 8), dtype=np.uint64)
        for start in range(0, len(coins), _BLOCK):
            some = coins[start : start + _BLOCK]
            prefix = _small(source, len(some), np.uint16)
            np.take(self._guide, prefix, out=some, mode="clip")  # any other mode checks every place first
            undecided = np.flatnonzero(some == _UNDECIDED)
            if len(undecided):
                some[undecided] = _COINS[self._decided(source, prefix[undecided])]
        return coins.view(np.bool_)[:count]

    def _decided(self, source: RandomSource, prefix: NDArray[np.uint16]) -> NDArray[np.intp]:
        """The outcomes of points of which the first 16 bits are known."""
        words = (prefix.astype(np.uint64) << np.uint64(48)) | (source.words(len(prefix)) >> np.uint64(16))
        outcome = np.searchsorted(self._near, words, side="left")
        for place in np.flatnonzero(outcome != np.searchsorted(self._near, words, side="right")).tolist():
            point = int(words[place])
            for word in source.words(7).tolist():
                point = point << 64 | word
            outcome[place] = bisect_right(self.tops, point)
        return outcome


_eight_coins = lru_cache(maxsize=8)(EightCoins)


def below(source: RandomSource, count: int, bound: int) -> NDArray[np.int64]:
    """`count` independent uniform integers in [0, bound), bound ≤ 2³².

    D. Lemire: Fast random integer generation in an interval, 2019: the high half of a product with a random word,
    where words that would favour some results are drawn again.
    """
    product = _small(source, count, np.uint32).astype(np.uint64) * np.uint64(bound)
    excess = _TWO_32 % bound
    if excess:
        unfair = np.flatnonzero(product.astype(np.uint32) < np.uint32(excess))
        if len(unfair):
            drawn = (product >> np.uint64(32)).astype(np.int64)
            drawn[unfair] = below(source, len(unfair), bound)
            return drawn
    return (product >> np.uint64(32)).astype(np.int64)


def rounded_at_random(numbers: NDArray[np.float64], source: RandomSource) -> NDArray[np.int64]:
    """Each number rounded to a neighbouring integer such that the mean stays (up to 2⁻³²)."""
    floors = np.floor(numbers)
    chances = ((numbers - floors) * _TWO_32).astype(np.uint64)
    raised = _small(source, len(numbers), np.uint32) < chances
    return floors.astype(np.int64) + raised


class Weighted:
    """Draws an index with given integer weights that sum to 2⁶⁴.

    Parameters
    ----------
    weights
        uint64, shape (outcomes,); weights of 2⁶⁴ wrap to 0 and so are not allowed.
    """

    def __init__(self, weights: Words) -> None:
        self._tops = np.cumsum(weights, dtype=np.uint64)[:-1]
        prefixes = np.arange(1 << 16, dtype=np.uint64) << np.uint64(48)
        first = np.searchsorted(self._tops, prefixes, side="right")
        last = np.searchsorted(self._tops, prefixes + np.uint64(_TWO_48 - 1), side="right")
        # What 16 bits decide is looked up; the others are marked and searched for with all 64.
        self._guide = np.where(first == last, first, -1).astype(np.int32)

    def draw(self, source: RandomSource, count: int) -> NDArray[np.int32]:
        """`count` independent indices."""
        prefix = _small(source, count, np.uint16)
        drawn = self._guide[prefix]
        undecided = np.flatnonzero(drawn < 0)
        words = (prefix[undecided].astype(np.uint64) << np.uint64(48)) | (source.words(len(undecided)) >> np.uint64(16))
        drawn[undecided] = np.searchsorted(self._tops, words, side="right")
        return drawn
