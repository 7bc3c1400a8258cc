"""Chances and ε rounded to the safe side, against a hundred digits."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest

from workbench.core.randomness import SeededSource
from workbench.ldp.coins import TWO_64, Weighted, below, down, nepers, odds, rounded_at_random, up
from workbench.ldp.noise import GridLaplace
from workbench.ldp.protocols.she import Summation

F = Fraction
MANY = Context(prec=100, Emin=-999_999, Emax=999_999)


def decimal(number: Fraction) -> Decimal:
    return MANY.divide(Decimal(number.numerator), Decimal(number.denominator))


@pytest.mark.parametrize(
    "epsilon", [1e-9, 1e-3, 0.1, 0.5, math.log(2), 1.0, math.log(3), 2.0, 7.25, 20.0, 100.0, 700.0]
)
def test_odds_are_never_above_the_exponential_of_any_decimal_that_reads_as_the_epsilon(epsilon: float) -> None:
    found = odds(epsilon)
    least = (F(epsilon) + F(math.nextafter(epsilon, 0.0))) / 2  # the smallest decimal that reads as it
    assert found <= F(MANY.exp(decimal(least)))
    assert found >= F(MANY.exp(Decimal(epsilon))) * (1 - (2 + F(epsilon)) / (1 << 52))


RATIOS = [
    F(1),
    F(1) + F(1, 10**12),
    F(3, 2),
    F(2),
    F(1000, 3),
    F(10) ** 30,
    F(1 << 200),
    F(1 << 200) + 1,
    F(7, 3) ** 900,
]


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_logarithm_of_a_ratio_is_never_too_small_and_hardly_too_large(ratio: Fraction) -> None:
    found, true = F(nepers(ratio)), F(MANY.ln(decimal(ratio)))
    assert true <= found <= true * (1 + (F(1, 10**11) if ratio > 1 << 200 else F(3, 10**15)))


def test_chances_are_the_nearest_multiples_on_their_side() -> None:
    for chance in (F(0), F(1, 3), F(1, 1 << 64), F(1, 1 << 65), F(1, 2), 1 - F(1, 1 << 65), F(1)):
        lower, upper = down(chance), up(chance)
        assert (lower * TWO_64).denominator == (upper * TWO_64).denominator == 1
        assert lower <= chance <= upper
        assert chance - lower < F(1, TWO_64) and upper - chance < F(1, TWO_64)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 16, 100, 1 << 31, 3 << 30, (1 << 32) - 1, 1 << 32])
def test_uniform_integers_are_within_their_bound_and_even(bound: int) -> None:
    """Of 20,000 draws no quarter has 600 more or less than it should: a false alarm in 10²⁰."""
    drawn = below(SeededSource(bound), 20_000, bound)
    assert drawn.min() >= 0 and drawn.max() < bound
    for quarter in range(4):
        lower, upper = -(-quarter * bound // 4), -(-(quarter + 1) * bound // 4)
        expected = 20_000 * (upper - lower) / bound
        assert abs(int(((drawn >= lower) & (drawn < upper)).sum()) - expected) < 600


def test_rounding_at_random_goes_to_a_neighbour_and_keeps_the_mean() -> None:
    """Of 40,000 draws the mean is off by less than 0.02, eight standard errors."""
    for number in (-2.0, -1.75, -0.5, 0.0, 0.001, 0.25, 3.9, 17.0):
        drawn = rounded_at_random(np.full(40_000, number), SeededSource(3))
        assert set(drawn.tolist()) <= {math.floor(number), math.ceil(number)}
        assert abs(drawn.mean() - number) < 0.02


class Told:
    """A source of one word: its first sixteen bits, and then the others above bits that are not used."""

    secure = False

    def __init__(self, word: int) -> None:
        self._pieces = [word >> 48, (word & ((1 << 48) - 1)) << 16]

    def words(self, count: int) -> np.ndarray:
        assert count <= 1
        return np.array([self._pieces.pop(0)] if count else [], dtype=np.uint64)


@pytest.mark.parametrize(
    "weights",
    [
        [1 << 63, 1 << 63],
        [1, TWO_64 - 1],
        [TWO_64 - 1, 1],
        [1 << 62, 1 << 48, (1 << 48) - 1, TWO_64 - (1 << 62) - (1 << 49) + 1],
        [TWO_64 // 3, TWO_64 // 3, TWO_64 - 2 * (TWO_64 // 3)],
    ],
)
def test_every_word_gives_the_index_in_whose_weight_it_lies(weights: list[int]) -> None:
    ends = [sum(weights[: place + 1]) for place in range(len(weights))]
    # Next to every border, and where sixteen bits begin and end.
    words = {0, TWO_64 - 1}
    for end in ends[:-1]:
        words |= {end - 1, end, min(end + 1, TWO_64 - 1), end >> 48 << 48, (end >> 48 << 48) - 1, end | (1 << 48) - 1}
    for word in sorted(word for word in words if word >= 0):
        drawn = Weighted(np.array(weights, dtype=np.uint64)).draw(Told(word), 1)
        assert drawn.tolist() == [next(place for place, end in enumerate(ends) if word < end)]


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("reach", [1, 7, 100])
def test_noise_on_a_grid_ends_where_it_is_rarer_than_a_chance_in_four_billion(reach: int, epsilon: float) -> None:
    """P(k) = (1 − α)/(1 + α) α^|k| is at most 2⁻³² at the step M that it is clamped to, and not one step before."""
    noise = GridLaplace(reach, epsilon)
    alpha = math.exp(-epsilon / reach)
    most = noise.highest - reach
    assert noise.lowest == -most
    for steps, rare in ((most, True), (most - 1, False)):
        assert ((1 - alpha) / (1 + alpha) * alpha**steps <= 2.0**-32 * (1 + 1e-6)) == rare


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 5.0])
def test_a_sum_of_numbers_has_the_moments_of_its_table(epsilon: float) -> None:
    """A number is between its ends, each as likely as the table says, where it is a step at the true value."""
    randomiser = Summation(3, epsilon)
    noise = randomiser._noise
    outputs = np.arange(noise.lowest, noise.highest + 1, dtype=np.float64)
    assert randomiser.bits == pytest.approx(3 * math.log2(len(outputs)), rel=1e-12)
    means, spreads = [], []
    for value in (0, randomiser._steps):
        chances = np.array([int(one) / TWO_64 for one in noise.rows(value)])
        means.append(float(chances @ outputs))
        spreads.append(float(chances @ (outputs - means[-1]) ** 2))
    counts = np.array([50, 0, 30])
    wanted = (counts * spreads[1] + (80 - counts) * spreads[0]) / (means[1] - means[0]) ** 2
    np.testing.assert_allclose(randomiser.variance(counts), wanted, rtol=1e-9)
    np.testing.assert_allclose(randomiser.estimate(randomiser.expected(counts)), counts, atol=1e-6)
