"""Crowds that are only counted: the same people as one by one, in an order that is just as random."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chi2

from workbench.core.randomness import SeededSource
from workbench.ldp import crowd as crowd_module
from workbench.ldp import simulated_reports
from workbench.ldp.binomial import upper_quantile
from workbench.ldp.crowd import Crowd, Headcount, Persons, crowd_of

COUNTS = st.lists(st.integers(0, 40), min_size=1, max_size=12)
CERTAIN = 1e-9
"""How often a right program fails a test of this module that looks at frequencies."""


def people(counts: list[int]) -> tuple[Headcount, np.ndarray]:
    values = np.array([7, -2, 5, 0, 11, 3, 9, 1, 8, 2, 6, 4][: len(counts)])
    return Headcount(values, np.array(counts, dtype=np.int64)), np.repeat(values, counts)


@settings(deadline=None)
@given(COUNTS, st.integers(1, 50), st.integers(1, 30))
def test_a_headcount_is_the_same_people(counts: list[int], size: int, number: int) -> None:
    counted, everybody = people(counts)
    assert len(counted) == len(everybody) == len(Persons(everybody))
    for crowd in (counted, Persons(everybody)):
        blocks = list(crowd.blocks(size))
        assert all(len(block) == size for block in blocks[:-1])
        assert np.concatenate([everybody[:0], *blocks]).tolist() == everybody.tolist()
        shuffled = list(crowd.shuffled(size, SeededSource(1)))
        assert all(0 < len(block) <= size for block in shuffled)
        assert Counter(np.concatenate([everybody[:0], *shuffled]).tolist()) == Counter(everybody.tolist())
    if len(everybody):
        assert counted.evenly(number).tolist() == Persons(everybody).evenly(number).tolist()
        assert math.isclose(counted.mean, Persons(everybody).mean, rel_tol=1e-12, abs_tol=1e-12)
        assert math.isclose(counted.total(np.square), Persons(everybody).total(np.square), rel_tol=1e-12)


def test_an_array_is_taken_one_by_one() -> None:
    values = np.array([3.0, 1.0])
    assert isinstance(crowd_of(values), Persons)
    counted: Crowd = Headcount(values, np.array([1, 2]))
    assert crowd_of(counted) is counted


@pytest.mark.parametrize("at_once", [1, 3])
def test_every_order_is_equally_likely(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(crowd_module, "_AT_ONCE", at_once)
    counted = Headcount(np.array([0, 1, 2]), np.array([2, 1, 1]))
    orders = sorted(set(permutations([0, 0, 1, 2])))
    source, draws = SeededSource(at_once), 2_500
    found = Counter(tuple(np.concatenate(list(counted.shuffled(2, source))).tolist()) for _ in range(draws))
    assert set(found) == set(orders)
    expected = draws / len(orders)
    statistic = sum((found[order] - expected) ** 2 / expected for order in orders)
    assert statistic < chi2.isf(CERTAIN, len(orders) - 1)


def test_everybody_throws_a_coin_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd_module, "_COINS", 64)
    counts = np.array([1, 3, 200, 64, 5], dtype=np.int64)
    source, draws = SeededSource(4), 2000
    heads = np.array([crowd_module._heads(counts, source) for _ in range(draws)])
    assert ((heads >= 0) & (heads <= counts)).all()
    for kind, count in enumerate(counts.tolist()):
        # The number of heads is binomial, in the mean and in the spread.
        assert abs(heads[:, kind].mean() - count / 2) < 6.2 * math.sqrt(count / 4 / draws)
        expected = draws * binom.pmf(np.arange(count + 1), count, 0.5)
        likely = expected > 10
        seen = np.bincount(heads[:, kind], minlength=count + 1)
        statistic = float(((seen - expected) ** 2 / np.maximum(expected, 1e-300))[likely].sum())
        assert statistic < chi2.isf(CERTAIN, int(likely.sum()))
    # And of different kinds they have nothing to do with each other.
    together = np.corrcoef(heads.T)
    assert np.abs(together - np.eye(len(counts))).max() < 6.2 / math.sqrt(draws)


@pytest.mark.parametrize(
    "counts,number,found",
    [
        ([30, 10, 0], 40, [30, 10, 0]),
        ([30, 10, 0], 8, [6, 2, 0]),
        ([1, 1, 1], 5, [2, 2, 1]),
        ([5, 4, 1], 4, [2, 2, 0]),  # 2, 1.6 and 0.4
        ([5, 4, 1], 0, [0, 0, 0]),
        ([0, 0], 3, [0, 0]),
        ([], 3, []),
    ],
)
def test_people_are_distributed_by_largest_remainders(counts: list[int], number: int, found: list[int]) -> None:
    """Nobody is made up where nobody is."""
    assert simulated_reports.people(np.array(counts, dtype=np.int64), number).tolist() == found


def test_a_number_of_successes_that_is_exceeded_every_second_time() -> None:
    assert upper_quantile(10, 0.25, 0.5) == 2  # P(more than 2) = 0.474, P(more than 1) = 0.756
    assert upper_quantile(10, 0.25, 0.25) == 3  # P(more than 3) = 0.224
