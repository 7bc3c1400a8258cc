"""Bands of estimates: how often they hold the truth, worked out over every outcome there is."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from workbench.core.randomness import SeededSource
from workbench.ldp.binomial import chance_of_at_most, first_of_two, share_held
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTOMATIC, band, beyond_possible, coverage_words, estimate, may_be_sampled
from workbench.ldp.protocol import Support

FEW = [
    ("grr", 2, 100, 6.0),
    ("grr", 2, 1, 6.0),
    ("grr", 2, 2, 0.1),
    ("grr", 2, 40, 20.0),
    ("grr", 4, 20, 6.0),
    ("grr", 20, 60, 4.0),
    ("sue", 4, 50, 8.0),
    ("oue", 4, 30, 1.0),
    ("olh", 4, 25, 5.0),
    ("subset-selection", 6, 45, 2.0),
    ("the", 3, 35, 3.0),
]


def laws(users: int, p: float, q: float) -> list[np.ndarray]:
    """For every number of people who have a value, the chances of every number of reports that support it."""
    return [
        np.convolve(binom.pmf(np.arange(mine + 1), mine, p), binom.pmf(np.arange(users - mine + 1), users - mine, q))
        for mine in range(users + 1)
    ]


@pytest.mark.parametrize(("identifier", "size", "users", "epsilon"), FEW)
def test_a_band_holds_the_people_of_a_value_whatever_they_are_with_at_least_95_of_100(
    identifier: str, size: int, users: int, epsilon: float
) -> None:
    """By the law of two binomial numbers over every count and outcome; ±1.96 deviations held 79 % at the first."""
    built = ProtocolChoice(identifier).frequency(size, epsilon)
    assert built.pure is not None and built.one_by_one and coverage_words(built) == "95 %"
    p, q = built.pure
    ends = []
    for supports in range(users + 1):
        low, high = band(built, Support(users, np.full(size, supports)))
        assert (low == low[0]).all() and (high == high[0]).all()
        ends.append((low[0], high[0]))
    low, high = np.transpose(ends)
    assert (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all() and (low <= high).all()
    for mine, law in enumerate(laws(users, p, q)):
        assert law[(low > mine) | (mine > high)].sum() <= 0.05 + 1e-12


@pytest.mark.parametrize(("identifier", "size", "users", "epsilon"), FEW)
def test_a_band_with_sampling_error_holds_the_share_of_all_people_with_at_least_95_of_100(
    identifier: str, size: int, users: int, epsilon: float
) -> None:
    """By the binomial law of the reports of people who are drawn; that of these people alone held 28 % at ε = 5."""
    built = ProtocolChoice(identifier).frequency(size, epsilon)
    assert built.pure is not None and may_be_sampled(built)
    p, q = built.pure
    each = [Support(users, np.full(size, supports)) for supports in range(users + 1)]
    low, high = np.transpose([[end[0] for end in band(built, one, sampled=True)] for one in each])
    raw = [built.estimate(one)[0] for one in each]
    assert (low <= np.clip(raw, 0, users) + 1e-9).all() and (np.clip(raw, 0, users) <= high + 1e-9).all()
    for share in np.linspace(0.0, 1.0, 41):
        law = binom.pmf(np.arange(users + 1), users, q + share * (p - q))
        assert law[(low > share * users + 1e-9) | (share * users - 1e-9 > high)].sum() <= 0.05 + 1e-12


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize(("identifier", "size", "epsilon"), [("grr", 3, 0.1), ("oue", 4, 1.0), ("hadamard", 4, 1.0)])
def test_a_band_at_an_end_is_as_wide_as_where_the_end_is_the_truth(
    identifier: str, size: int, epsilon: float, sampled: bool
) -> None:
    """Of 500 who all report alike it was one point; now that of as many reports as are expected where all have it."""
    built = ProtocolChoice(identifier).frequency(size, epsilon)
    everybody, nobody = np.array([500] + [0] * (size - 1)), np.zeros(size, dtype=np.int64)
    usual, beyond = built.expected(everybody), built.expected(everybody)
    beyond.sums[:] = (built.expected(4 * everybody).sums - 3 * built.expected(nobody).sums).astype(beyond.sums.dtype)
    sampled = sampled and may_be_sampled(built)
    (low, high), (least, most) = (
        band(built, Support(500, np.asarray(one.sums)), sampled=sampled) for one in (usual, beyond)
    )
    assert least[0] == pytest.approx(low[0], abs=8) and most[0] == high[0] == 500
    assert least[0] < 490 and most[1] > 10, "no point at either end"


def test_direct_encoding_of_two_answers_by_hand() -> None:
    """ε = 6, where 1 of 404 reports is wrong: 3 of 100 are sent by 3 people, or by one and two or more of 99 others.

    That has a chance of 1 − e^−0.245 · 1.245 = 0.0256; that nobody sends them one of 0.002.
    """
    p = math.exp(6) / (1 + math.exp(6))
    assert first_of_two(3, 100, (p, 1 - p), 0.05) == (1, 3)
    # 0 of 100 reports: one person would go unseen with a chance of 1 in 400, three with less.
    assert first_of_two(0, 100, (p, 1 - p), 0.05) == (0, 0)
    assert first_of_two(100, 100, (p, 1 - p), 0.05) == (100, 100)
    # Where a report says nearly nothing anybody may have it.
    assert first_of_two(1, 2, (0.51, 0.49), 0.05) == (0, 2)


@pytest.mark.parametrize("given", ["auto", "none"])
def test_what_is_made_consistent_keeps_the_band_and_lies_in_it(given: str) -> None:
    built = ProtocolChoice("oue").frequency(12, 1.0)
    generator, counts = np.random.default_rng(4), np.array([60, 30, 10] + [0] * 9)
    missed = 0
    for _ in range(200):
        support = built.simulate(counts, generator)
        assert support is not None
        found = estimate(built, support, AUTOMATIC if given == "auto" else type(AUTOMATIC)("unbiased", "none"))
        assert (found.low <= found.counts).all() and (found.counts <= found.high).all()
        missed += int(((counts < found.low) | (counts > found.high)).sum())
    # 5 % of 2,400 at most.
    assert missed <= 120


@pytest.mark.parametrize(("identifier", "at_most"), [("grr", 0.05), ("oue", 0.05)])
def test_the_band_of_a_rare_answer_holds_it_also_where_its_estimate_is_below_0(identifier: str, at_most: float) -> None:
    """Ten of 2,000, whose own estimate is below 0 in about four of ten surveys: it is held by the band of 0 then.

    Seeded; by the binomial law more misses than are allowed for have a chance of 1e-6 at most for each of these.
    """
    built, counts, tries = ProtocolChoice(identifier).frequency(3, 1.0), np.array([1_300, 690, 10]), 600
    generator, missed, below = np.random.default_rng(30), np.zeros(3), 0
    usual = band(built, Support(2_000, built.expected(np.array([2_000, 0, 0])).sums))[1][2]
    for _ in range(tries):
        support = built.simulate(counts, generator)
        assert support is not None
        found = estimate(built, support, AUTOMATIC)
        missed += (found.low > counts) | (found.high < counts)
        raw, beyond = beyond_possible(built, support)
        if beyond[2]:
            below += 1
            assert raw[2] < 0 and found.low[2] == 0
            assert found.high[2] >= 0.8 * usual, "that of an estimate of 0, and not what is left of one around −85"
    assert below > tries / 8
    assert (missed <= binom.isf(1e-6, tries, at_most)).all()


def test_people_seen_in_large_numbers_are_held_by_the_law_too() -> None:
    """Beyond 200 deviations a normal distribution that leans stands for it; here both sides of where that begins."""
    for p, q in ((0.5, 1 / (1 + math.e)), (0.9, 1e-3), (0.73, 0.27)):
        for users in (150_000, 200_000, 4_000_000):
            for mine in (0, users // 50, users // 2, users):
                mean = mine * p + (users - mine) * q
                spread = math.sqrt(mine * p * (1 - p) + (users - mine) * q * (1 - q))
                for seen in (mean - 1.9 * spread, mean, mean + 1.9 * spread):
                    low, high = first_of_two(round(seen), users, (p, q), 0.05)
                    assert low <= mine <= high
                    # By half a report wider than a normal distribution, and by what it leans.
                    assert high - low <= 2 * (1.96 * 1.01 * spread + 2) / (p - q) + 1
                for seen in (mean - 2.05 * spread, mean + 2.05 * spread):
                    low, high = first_of_two(round(seen), users, (p, q), 0.05)
                    assert not low <= mine <= high or min(mine, users - mine) == 0 or spread < 30


@pytest.mark.parametrize("chance", [0.002, 0.1, 0.27, 0.5, 0.8, 0.999])
@pytest.mark.parametrize("trials", [170_000, 300_000, 50_000_000])
def test_a_normal_distribution_that_leans_is_as_near_as_is_allowed_for(chance: float, trials: int) -> None:
    variance = trials * chance * (1 - chance)
    worst = 0.0
    for at in np.linspace(-3.5, 3.5, 57):
        successes = round(trials * chance + at * math.sqrt(variance))
        found, unsure = chance_of_at_most(successes, (trials, chance), (0, 0.5))
        exact = float(binom.cdf(successes, trials, chance))
        assert abs(found - exact) <= unsure
        worst = max(worst, abs(found - exact) * variance)
    assert variance < 200**2 or worst < 0.2


# Means


@pytest.mark.parametrize(("people", "epsilon"), list(product((1, 2, 5, 30, 100), (0.5, 2.0, 5.0, 8.0))))
def test_the_band_of_duchis_mean_holds_it_with_at_least_95_of_100(people: int, epsilon: float) -> None:
    """Where all are alike, where half of them are at one end, and where one is: sums of coins with two chances."""
    built = ProtocolChoice("duchi").mean(epsilon)
    assert coverage_words(built) == "95 %"
    keep = float(built.worst_ratio / (1 + built.worst_ratio))
    c = 1 / (2 * keep - 1)
    width = 1.959963984540054
    ends = [
        built.band(Support(people, np.array([c * (2 * plus - people), people * c * c])), width)
        for plus in range(people + 1)
    ]
    low, high = np.transpose(ends)
    assert (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all() and (low < high).all()
    for one, other, share in product((-1.0, -0.9, 0.0, 0.37, 1.0), (-1.0, 0.2, 1.0), (0, 1, people // 2)):
        mine = min(share, people)
        chances = [0.5 + value / (2 * c) for value in (one, other)]
        law = np.convolve(
            binom.pmf(np.arange(mine + 1), mine, chances[0]),
            binom.pmf(np.arange(people - mine + 1), people - mine, chances[1]),
        )
        mean = (mine * one + (people - mine) * other) / people
        assert law[(low > mean) | (mean > high)].sum() <= 0.05 + 1e-12


def test_shares_of_few_trials_by_hand() -> None:
    """None of 10: 1 − 0.025^(1/10) = 0.3085; all of 10 the other way round; one of one says nearly nothing."""
    assert share_held(0, 10, 0.05) == (0.0, pytest.approx(1 - 0.025**0.1, abs=1e-6))
    assert share_held(10, 10, 0.05) == (pytest.approx(0.025**0.1, abs=1e-6), 1.0)
    assert share_held(1, 1, 0.05) == (pytest.approx(0.025), 1.0)
    low, high = share_held(5, 10, 0.05)
    assert (low, high) == (pytest.approx(0.1871, abs=1e-4), pytest.approx(0.8129, abs=1e-4))


# What has no law at hand

ABOUT = ["hadamard", "square-wave", "exponential", "geometric", "random-matrix", "she", "ds-corrected"]


@pytest.mark.parametrize("identifier", ABOUT)
@pytest.mark.parametrize(("users", "epsilon"), [(10, 6.0), (60, 8.0), (100, 3.0), (500, 8.0)])
def test_elsewhere_it_holds_about_as_often_and_says_about(identifier: str, users: int, epsilon: float) -> None:
    built = ProtocolChoice(identifier).frequency(4, epsilon)
    assert coverage_words(built) == "about 95 %"
    worst = 0.0
    for counts in ([users, 0, 0, 0], [users // 2, 0, users - users // 2, 0], [1, users - 1, 0, 0]):
        source, missed, tries = SeededSource(7), np.zeros(4), 300
        values = np.repeat(np.arange(4), counts)
        for _ in range(tries):
            low, high = band(built, built.accumulate(built.perturb(values, source)))
            missed += (low > counts) | (high < counts)
        worst = max(worst, float(missed.max()) / tries)
    # 5 % are 15 of 300; 30 have a chance below 1 in 10,000.
    assert worst < 0.1


@pytest.mark.parametrize("identifier", ["pm", "hm", "laplace"])
@pytest.mark.parametrize(("people", "epsilon"), [(1, 5.0), (3, 5.0), (30, 6.0)])
def test_the_band_of_another_mean_holds_it_about_as_often_of_few_people_too(
    identifier: str, people: int, epsilon: float
) -> None:
    """±1.96 deviations missed 11.5 % at 3 people; of fewer than ten Chebyshev's inequality holds."""
    built = ProtocolChoice(identifier).mean(epsilon)
    assert coverage_words(built) == "about 95 %"
    for value in (-1.0, 0.0, 0.9, 1.0):
        source, missed, tries = SeededSource(3), 0, 300
        for _ in range(tries):
            low, high = built.band(built.accumulate(built.perturb(np.full(people, value), source)), 1.96)
            missed += low > value or high < value
        # 5 % are 15 of 300; more than 27 have a chance below 1 in 500.
        assert missed <= (27 if people >= 10 else 15)
