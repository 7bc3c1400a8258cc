"""What a sample is off by at most on average: beside every share, and drawn with an independent formula."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from workbench.evaluate.sampling_error import _peak, misplaced, most_misplaced, most_of_a_mean, of_a_mean


def deviation(people: int, share: float) -> float:
    """Mean deviation of the share among so many people, summed over all that may be drawn."""
    drawn = np.arange(people + 1)
    ways = np.array([math.lgamma(people + 1) - math.lgamma(k + 1) - math.lgamma(people - k + 1) for k in drawn])
    chances: NDArray[np.float64] = np.exp(ways + drawn * math.log(share) + (people - drawn) * math.log1p(-share))
    return float((chances * abs(drawn / people - share)).sum())


@pytest.mark.parametrize("people", [1, 2, 3, 7, 30, 101])
def test_no_share_is_off_by_more_and_one_by_nearly_as_much(people: int) -> None:
    worst = max(deviation(people, share) for share in np.linspace(0.001, 0.999, 999))
    assert worst <= most_of_a_mean(people) <= worst * 1.001


def test_values_between_the_bounds_are_off_by_less() -> None:
    rng = np.random.default_rng(5)
    for shape in (0.2, 1.0, 4.0):
        values = rng.beta(shape, shape, (4000, 12))
        assert abs(values.mean(axis=1) - 0.5).mean() < most_of_a_mean(12)


@pytest.mark.parametrize(("people", "values"), [(10, 2), (10, 5), (12, 9), (60, 4), (200, 30)])
def test_no_shares_are_misplaced_by_more(people: int, values: int) -> None:
    rng = np.random.default_rng(people)
    most = most_misplaced(people, values)
    for kind in (0.3, 1.0, 10.0, 1e4):
        shares = np.clip(rng.dirichlet(np.full(values, kind)), 1e-9, 1 - 1e-9)
        assert sum(deviation(people, float(share)) for share in shares) / 2 <= most


@pytest.mark.parametrize("people", [1, 2, 9, 40, 200])
def test_of_given_shares_it_is_what_summing_over_all_draws_says(people: int) -> None:
    rng = np.random.default_rng(people)
    for values in (2, 5, 30):
        shares = np.clip(rng.dirichlet(np.full(values, 0.4)), 1e-9, 1 - 1e-9)
        summed = sum(deviation(people, float(share)) for share in shares) / 2
        assert misplaced(people, shares.tolist()) == pytest.approx(summed, rel=1e-9)
    assert misplaced(people, (1.0, 0.0)) == 0.0, "all answer alike"


def test_of_given_values_the_mean_is_off_by_what_draws_show() -> None:
    rng = np.random.default_rng(8)
    values = np.clip(rng.lognormal(0, 0.5, 5000), 0, 20)
    drawn = rng.choice(values, (4000, 200)).mean(axis=1)
    shown = abs(drawn - values.mean()).mean()
    assert of_a_mean(200, float(values.std())) == pytest.approx(shown, rel=0.05)


def test_pieces_rise_to_the_middle_ever_more_slowly() -> None:
    for people in (*range(4, 60), 1000):
        peaks = np.array([_peak(people, piece) for piece in range(1, people + 1)])
        assert (np.diff(peaks, 2) <= 1e-15).all()


def test_beyond_a_million_the_limit_is_on_the_safe_side() -> None:
    for people, values in ((1_000_000, 2), (1_000_000, 5), (1_000_000, 20_000)):
        assert most_misplaced(people, values) <= most_misplaced(people + 1, values) * math.sqrt(1 + 1 / people)
    assert most_of_a_mean(1_000_000) <= most_of_a_mean(1_000_001) * math.sqrt(1 + 1e-6)
    assert 20_000 * most_of_a_mean(8000) == pytest.approx(89.21, abs=0.01)
    assert 100 * most_misplaced(8000, 5) == pytest.approx(0.8924, abs=1e-4)


@pytest.mark.parametrize("people", [1, 2, 3, 7, 12, 40, 301])
@pytest.mark.parametrize("within", [(0.0, 0.02), (0.01, 0.2), (0.3, 0.45), (0.4, 0.7), (0.8, 0.9), (0.97, 1.0)])
def test_no_mean_between_two_shares_is_moved_further_than_is_said(people: int, within: tuple[float, float]) -> None:
    """Exactly: the mean deviation of a share of n people, by its law, of shares all over the range."""
    most = most_of_a_mean(people, within)
    assert most <= most_of_a_mean(people)
    worst = 0.0
    for share in np.linspace(*within, 60):
        chances = [math.comb(people, k) * share**k * (1 - share) ** (people - k) for k in range(people + 1)]
        worst = max(worst, sum(one * abs(k / people - share) for k, one in enumerate(chances)))
    assert worst <= most + 1e-12
    assert people < 40 or most < 1.6 * worst, "and not far above it"
