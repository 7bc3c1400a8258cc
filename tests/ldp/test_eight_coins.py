"""Eight coins at a time: exactly as likely as eight coins thrown one after the other."""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from workbench.core.randomness import SeededSource
from workbench.ldp.coins import TWO_64, EightCoins, down, flips, odds

CHANCES = [
    int(down(1 / (odds(1.0) + 1)) * TWO_64),
    1 << 63,
    1,
    TWO_64 - 1,
    TWO_64 // 3,
    (1 << 60) + 12345,
]


class Told:
    """A source that gives the words it was told, in pieces."""

    secure = False

    def __init__(self, *pieces: NDArray[np.uint64]) -> None:
        self._pieces = list(pieces)

    def words(self, count: int) -> NDArray[np.uint64]:
        found = self._pieces.pop(0)
        assert len(found) == count
        return found


class Rest:
    """A source that gives some words, and then always the same one."""

    secure = False

    def __init__(self, first: NDArray[np.uint64], rest: int) -> None:
        self._first: NDArray[np.uint64] | None = first
        self._rest = rest

    def words(self, count: int) -> NDArray[np.uint64]:
        found, self._first = self._first, None
        return np.full(count, self._rest, dtype=np.uint64) if found is None else found


def thrown(coins: EightCoins, points: list[int]) -> list[int]:
    """The outcomes at these points of 512 bits, each drawn alone."""
    return [outcome_of(coins, point) for point in points]


def outcome_of(coins: EightCoins, point: int) -> int:
    prefix, rest, deep = point >> 496, (point >> 448) & ((1 << 48) - 1), point & ((1 << 448) - 1)
    deeper = np.array([deep >> 64 * place & (TWO_64 - 1) for place in reversed(range(7))], dtype=np.uint64)
    first = np.array([prefix, 0, 0, 0], dtype=np.uint16).view(np.uint64)
    source = Told(first, np.array([rest << 16], dtype=np.uint64), deeper)
    return int(np.packbits(coins.draw(source, 8), bitorder="little")[0])


@pytest.mark.parametrize("threshold", CHANCES)
def test_every_outcome_has_exactly_its_length_of_the_line(threshold: int) -> None:
    coins = EightCoins(threshold)
    chance = Fraction(threshold, TWO_64)
    ends = [0, *coins.tops, 1 << 512]
    for outcome in range(256):
        heads = outcome.bit_count()
        assert Fraction(ends[outcome + 1] - ends[outcome], 1 << 512) == chance**heads * (1 - chance) ** (8 - heads)


@pytest.mark.parametrize("threshold", CHANCES)
def test_every_point_belongs_to_the_outcome_on_whose_part_of_the_line_it_is(threshold: int) -> None:
    """Every prefix of 16 bits at its first and last point, and every border with its neighbours."""
    coins = EightCoins(threshold)
    ends = np.array([0, *coins.tops, 1 << 512], dtype=object)
    points = [top + step for top in coins.tops for step in (-1, 0, 1)]
    points += [point for prefix in range(0, 1 << 16, 257) for point in (prefix << 496, ((prefix + 1) << 496) - 1)]
    points = [point for point in points if 0 <= point < 1 << 512]
    assert thrown(coins, points) == [int(np.searchsorted(ends, point, side="right")) - 1 for point in points]


@pytest.mark.parametrize("threshold", CHANCES)
def test_what_16_bits_decide_they_decide_rightly(threshold: int) -> None:
    """All prefixes at once; those they leave open go on with nothing but zeros, and then with nothing but ones."""
    coins = EightCoins(threshold)
    prefixes = np.arange(1 << 16, dtype=np.uint16)
    for rest in (0, TWO_64 - 1):
        drawn = coins.draw(Rest(prefixes.view(np.uint64), rest), 8 << 16)
        found = np.packbits(drawn, bitorder="little").tolist()
        ends = np.array([*coins.tops], dtype=object)
        low = (1 << 496) - 1 if rest else 0
        wanted = [int(np.searchsorted(ends, (prefix << 496) + low, side="right")) for prefix in range(1 << 16)]
        assert found == wanted


def test_the_coins_of_many_are_as_likely_as_they_should_be() -> None:
    """χ² of 256 outcomes over 400,000 draws with a fixed seed: fails for one seed in 10,000."""
    chance = Fraction(CHANCES[0], TWO_64)
    drawn = flips(SeededSource(7), 8 * 400_000, chance)
    found = Counter(np.packbits(drawn, bitorder="little").tolist())
    expected = [
        400_000 * float(chance ** outcome.bit_count() * (1 - chance) ** (8 - outcome.bit_count()))
        for outcome in range(256)
    ]
    statistic = sum((found[outcome] - wanted) ** 2 / wanted for outcome, wanted in enumerate(expected))
    assert statistic < 347.7  # the quantile of 255 degrees of freedom


def test_any_number_of_coins_is_thrown() -> None:
    for count in (1 << 16, (1 << 16) + 3):
        assert len(flips(SeededSource(1), count, down(Fraction(1, 3)))) == count


@pytest.mark.parametrize("count", [3, 1 << 16])
def test_what_never_or_always_happens_takes_no_coin(count: int) -> None:
    """The hybrid mechanism below ε = 0.61, and a device that keeps every memo, throw such coins."""
    assert not flips(SeededSource(1), count, Fraction(0)).any() and flips(SeededSource(1), count, Fraction(1)).all()


def test_odds_are_below_those_of_every_decimal_that_reads_as_this_epsilon() -> None:
    """Decimals down to half-way to the float below are read as ε; the exact exponential has fifty digits."""
    with localcontext(prec=50):
        for number in range(1, 400):
            epsilon = number * 0.0751
            least = (Decimal(epsilon) + Decimal(math.nextafter(epsilon, 0.0))) / 2
            found = odds(epsilon)
            assert Decimal(found.numerator) / found.denominator < least.exp()
            assert float(found) == pytest.approx(math.exp(epsilon), rel=(3 + epsilon) * 2**-52)
