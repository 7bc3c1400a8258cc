"""Exact draws: their distributions, and that nothing is rounded away in the tails."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from workbench.core import discrete_noise
from workbench.core.discrete_noise import Coins
from workbench.core.randomness import SecureSource, SeededSource

FALSE_ALARM = 1e-9  # per comparison, with fixed seeds


def fits(counts: Sequence[int], shares: Sequence[float]) -> bool:
    """χ² test of observed counts against probabilities that add up to one."""
    expected = np.array(shares) * sum(counts)
    return bool(stats.chisquare(counts, expected).pvalue > FALSE_ALARM)


def laplace_shares(q: float, reach: int) -> list[float]:
    """P(−reach … reach) and the rest."""
    inside = [(1 - q) / (1 + q) * q ** abs(z) for z in range(-reach, reach + 1)]
    return [*inside, 1 - sum(inside)]


def binned(drawn: Counter[int], reach: int) -> list[int]:
    inside = [drawn[z] for z in range(-reach, reach + 1)]
    return [*inside, drawn.total() - sum(inside)]


@pytest.mark.parametrize(
    ("rate", "reach"), [(Fraction(1), 4), (Fraction(7, 10), 6), (Fraction(7, 3), 2), (Fraction(1, 9), 30)]
)
def test_two_sided_noise_has_its_distribution(rate: Fraction, reach: int) -> None:
    coins = Coins(SeededSource(11))
    drawn = Counter(coins.two_sided(rate) for _ in range(12_000))
    assert fits(binned(drawn, reach), laplace_shares(math.exp(-rate), reach))


def test_noise_of_a_rational_ratio_has_its_distribution() -> None:
    coins = Coins(SeededSource(12))
    drawn = Counter(coins.two_sided_power(Fraction(3, 5)) for _ in range(12_000))
    assert fits(binned(drawn, 8), laplace_shares(0.6, 8))


def test_large_noise_reaches_every_whole_number() -> None:
    """At a scale of 10¹⁵ the last digits are as good as uniform: nothing is a multiple of a float's spacing."""
    coins = Coins(SeededSource(13))
    drawn = [abs(coins.two_sided(Fraction(1, 10**15))) for _ in range(6_000)]
    assert fits(list(Counter(z % 16 for z in drawn).values()), [1 / 16] * 16)
    assert 0.9e15 < sum(drawn) / len(drawn) < 1.1e15


class Words:
    """A source that shows these words and then goes on by itself."""

    secure = False

    def __init__(self, first: list[int]) -> None:
        self._first, self._rest = first, SeededSource(1)

    def words(self, count: int) -> NDArray[np.uint64]:
        first, self._first = self._first[:count], self._first[count:]
        return np.concatenate([np.array(first, dtype=np.uint64), self._rest.words(count - len(first))])


def test_noise_may_be_as_large_as_luck_will_have_it() -> None:
    """A floating-point uniform number ends at 37 scales; whole numbers go on: here beyond 60."""
    heads = [0, 0, 1]  # the coin exp(−1) shows heads if 0 < 1, then 0 < 1 of two, then not 1 < 1 of three
    assert abs(Coins(Words([0, 0, *heads * 62])).two_sided(Fraction(1))) >= 62


def test_a_choice_has_its_probabilities() -> None:
    widths, losses, rate = [3, 1, 1000, 40], [0, 1, 9, 5], Fraction(7, 10)
    weights = [w * math.exp(-rate * loss) for w, loss in zip(widths, losses, strict=True)]
    coins = Coins(SeededSource(14))
    drawn = Counter(coins.choice(widths, losses, rate) for _ in range(3_000))
    assert fits([drawn[i] for i in range(4)], [w / sum(weights) for w in weights])


def test_a_choice_stays_exact_when_its_first_precision_does_not_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 64 places nothing is certain about a tiny chance of 2⁶¹ candidates, so most draws go on with more."""
    monkeypatch.setattr(discrete_noise, "_PRECISION", 64)
    precisions = []
    weights = discrete_noise._weights

    def watched(widths: list[int], losses: list[int], rate: Fraction, precision: int) -> list[int]:
        precisions.append(precision)
        return weights(widths, losses, rate, precision)

    monkeypatch.setattr(discrete_noise, "_weights", watched)
    coins = Coins(SeededSource(15))
    drawn = Counter(coins.choice([1, 1 << 61, 1], [0, 42, 1], Fraction(1)) for _ in range(1_500))
    exact = [1.0, 2.0**61 * math.exp(-42), math.exp(-1)]
    assert fits([drawn[i] for i in range(3)], [one / sum(exact) for one in exact])
    assert 700 < precisions.count(192) <= 1_500


def test_weights_are_as_close_as_they_say() -> None:
    rate, precision = Fraction(3, 1000), 192
    losses = [0, 1, 17, 400, 5_000, 44_000, 44_300, 10**9]
    found = discrete_noise._weights([1] * len(losses), losses, rate, precision)
    assert discrete_noise._exponentials(rate, [0], precision + 200) == {0: 1 << precision + 200}
    for loss, weight in zip(losses, found, strict=True):
        fine = discrete_noise._exponentials(rate * loss, [1], precision + 200)[1]
        assert abs((weight << 200) - fine) <= 4 << 200


def test_far_losses_are_never_chosen_over_near_ones() -> None:
    coins = Coins(SeededSource(16))
    assert {coins.choice([1, 10**6], [0, 10**6], Fraction(1)) for _ in range(50)} == {0}


def test_only_the_secure_source_is_called_secure() -> None:
    assert Coins(SecureSource()).secure
    assert not Coins(SeededSource(1)).secure
