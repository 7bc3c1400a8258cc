"""Distances between numbers and distributions, against scipy and cases worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from workbench.core import distances
from workbench.core.errors import WorkbenchError


def random_pairs(count: int = 20) -> list[tuple[np.ndarray, np.ndarray]]:
    generator = np.random.default_rng(11)
    pairs = []
    for _ in range(count):
        size = int(generator.integers(2, 30))
        pairs.append((generator.integers(0, 50, size) + 1.0, generator.integers(0, 50, size) + 1.0))
    return pairs


@pytest.mark.parametrize("p,q", random_pairs())
def test_distributions_agree_with_scipy(p: np.ndarray, q: np.ndarray) -> None:
    first, second = p / p.sum(), q / q.sum()
    places = np.cumsum(np.abs(np.sin(p)) + 0.1)
    here = np.arange(len(p))
    assert distances.kantorovich(p, q) == pytest.approx(stats.wasserstein_distance(here, here, p, q), abs=1e-12)
    assert distances.kantorovich(p, q, places) == pytest.approx(
        stats.wasserstein_distance(places, places, p, q), abs=1e-12
    )
    assert distances.kullback_leibler(p, q) == pytest.approx(stats.entropy(first, second), abs=1e-12)
    assert distances.chi_square(first, second) == pytest.approx(stats.chisquare(first, second).statistic, abs=1e-12)
    assert distances.total_variation(p, q) == pytest.approx(np.abs(first - second).sum() / 2)
    assert distances.euclidean(p, q) == pytest.approx(np.linalg.norm(p - q))
    assert distances.manhattan(p, q) == pytest.approx(np.linalg.norm(p - q, 1))


def test_hand_cases() -> None:
    assert distances.kantorovich([1, 0, 0], [0, 0, 1]) == pytest.approx(2.0)
    assert distances.kantorovich([1, 0, 0], [0, 0, 1], [0.0, 1.0, 10.0]) == pytest.approx(10.0)
    assert distances.total_variation([3, 1], [1, 3]) == pytest.approx(0.5)
    assert distances.kullback_leibler([1, 1], [1, 0]) == math.inf
    assert distances.kullback_leibler([1, 0], [1, 1]) == pytest.approx(math.log(2))
    assert distances.chi_square([0, 1], [0, 1]) == 0.0
    assert distances.chi_square([1, 1], [0, 1]) == math.inf
    assert distances.percent([0.0, 0.0, 4.0], [0.0, 1.0, 5.0]).tolist() == [0.0, math.inf, 25.0]
    assert distances.absolute(3.0, 5.0) == 2.0


def test_unequal_masses_are_normalised_and_not_charged_the_longest_way() -> None:
    assert distances.kantorovich([10, 10], [1, 1]) == pytest.approx(0.0)
    assert distances.kantorovich([1, 2, 3], [100, 200, 300]) == pytest.approx(0.0, abs=1e-12)


def test_many_at_once_are_each_by_itself() -> None:
    truth = np.array([5.0, 3.0, 2.0])
    many = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 4.0]])
    for name, distance in distances.DISTANCES.items():
        together = distance(truth, many)
        assert together.shape == (2,), name
        np.testing.assert_allclose(together, [distance(truth, one) for one in many])


def test_a_histogram_without_positive_mass_counts_as_uniform() -> None:
    np.testing.assert_allclose(distances.normalised([[-3.0, 1.0], [1.0, 3.0]]), [[0.5, 0.5], [0.25, 0.75]])


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(WorkbenchError, match="cannot be compared"):
        distances.manhattan([1, 2], [1, 2, 3])
    with pytest.raises(WorkbenchError, match="rise"):
        distances.kantorovich([1, 2], [2, 1], [1.0, 0.0])
    with pytest.raises(WorkbenchError, match="finite"):
        distances.kantorovich([1, 2], [2, 1], [0.0, math.nan])
