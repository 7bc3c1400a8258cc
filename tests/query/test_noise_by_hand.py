"""The law of the noise and amounts in texts and floats, worked out in fractions."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind
from workbench.query import likely, noise
from workbench.query.amounts import not_above, shares
from workbench.query.grid import MOST_STEPS, grid_of, untyped_step

F = Fraction
RATES = [1e-6, 1e-3, 0.01, 0.1, 0.5, math.log(2), 1.0, math.log(3), 2.5, 10.0, 40.0]


def beyond(rate: float, reach: int) -> float:
    """P(|Z| > r), with the logarithm of q alone rounded."""
    return 2 * math.exp(-rate * (reach + 1)) / (1 + math.exp(-rate))


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("outside", [0.5, 0.05, 0.01, 1e-9])
def test_a_half_width_is_the_smallest_that_is_missed_seldom_enough(rate: float, outside: float) -> None:
    found = noise.half_width(rate, outside)
    assert beyond(rate, found) <= outside * (1 + 1e-9)
    assert found == 0 or beyond(rate, found - 1) > outside * (1 - 1e-9)


@pytest.mark.parametrize("base", [2, 3, 7])
@pytest.mark.parametrize("reach", range(6))
def test_what_is_missed_exactly_as_often_as_allowed_is_wide_enough(base: int, reach: int) -> None:
    """q = 1/base: P(|Z| > r) is 2·base^−(r+1)/(1 + 1/base), a fraction."""
    exactly = F(2, base ** (reach + 1)) / (1 + F(1, base))
    if exactly < 1:
        assert noise.half_width(math.log(base), float(exactly)) == reach


@pytest.mark.parametrize("rate", [0.01, 0.1, 1.0, 5.0])
def test_the_law_is_that_of_two_sided_geometric_noise(rate: float) -> None:
    reach = noise.half_width(rate, 1e-12)
    points, chances = noise.law(rate, reach)
    assert points.tolist() == list(range(-reach, reach + 1))
    q = math.exp(-rate)
    assert chances == pytest.approx([(1 - q) / (1 + q) * q ** abs(z) for z in range(-reach, reach + 1)], rel=1e-9)
    assert chances.sum() == pytest.approx(1)
    assert noise.mean_absolute(rate) == pytest.approx((np.abs(points) * chances).sum(), rel=1e-6)


def test_of_a_wide_law_few_points_stand_for_all() -> None:
    rate = 1e-5
    points, chances = noise.law(rate, noise._MOST_POINTS + 1)
    assert len(points) == noise._POINTS - 1 and chances.sum() == pytest.approx(1)
    assert (np.abs(points) * chances).sum() == pytest.approx(noise.mean_absolute(rate), rel=1e-3)
    assert len(noise.law(rate, noise._MOST_POINTS)[0]) == 2 * noise._MOST_POINTS + 1


@pytest.mark.parametrize("numbers", [1, 2, 3])
@pytest.mark.parametrize("rate", [0.05, 0.7, 3.0])
def test_points_that_stand_for_the_noise_have_its_chances(rate: float, numbers: int) -> None:
    points = noise.evenly(rate, numbers)
    assert points.shape == (noise._POINTS - 1, numbers)
    assert sorted(points.tolist()) == sorted((-points).tolist())
    for column in points.T:
        for reach in (0, 1, 2, 5, 20):
            assert (np.abs(column) > reach).mean() == pytest.approx(beyond(rate, reach), abs=2.5e-4)
    # And they are as if independent: the sum's variance is the sum of the variances.
    q = math.exp(-rate)
    assert points.sum(axis=1).var() == pytest.approx(numbers * 2 * q / (1 - q) ** 2, rel=0.02)


@pytest.mark.parametrize("rate", [0.05, 0.7, 3.0])
def test_simulated_noise_has_the_chances_of_its_law(rate: float) -> None:
    """100,000 draws; a share is off by less than six of its standard errors, and so it is for a fixed seed."""
    drawn = noise.simulated(rate, 100_000, np.random.default_rng(7))
    for at in (-2, -1, 0, 1, 2):
        q = math.exp(-rate)
        chance = (1 - q) / (1 + q) * q ** abs(at)
        assert abs((drawn == at).mean() - chance) < 6 * math.sqrt(chance / 100_000)


def test_a_rate_whose_squares_leave_the_floats_is_refused() -> None:
    assert len(noise.evenly(noise._LEAST_RATE, 1))
    with pytest.raises(WorkbenchError) as refused:
        noise.evenly(noise._LEAST_RATE * (1 - 1e-9), 1)
    assert refused.value.field == "epsilon"


# Amounts

DRAW = random.Random(8)
AMOUNTS = [
    *(F(number) for number in (1, 2, 10, 100, 999_999, 0.1, 0.3, 1e-9, 2**60)),
    *(F(1, number) for number in (3, 7, 10, 1000, 10**12)),
    *(F(DRAW.randint(1, 10**18), DRAW.randint(1, 10**18)) for _ in range(200)),
]


def test_a_float_that_is_told_is_the_largest_that_is_not_above() -> None:
    for value in AMOUNTS:
        found = not_above(value)
        assert F(found) <= value < F(math.nextafter(found, math.inf))


def test_shares_are_in_proportion_and_add_up() -> None:
    for _ in range(50):
        weights = tuple(F(DRAW.randint(1, 9), DRAW.randint(1, 9)) for _ in range(DRAW.randint(1, 5)))
        total = F(DRAW.randint(1, 99), 7)
        found = shares(total, weights)
        assert sum(found) == total
        assert all(one * weights[0] == found[0] * weight for one, weight in zip(found, weights, strict=True))
    for weights in ((F(0),), (F(1), F(0)), (F(2), F(-1))):
        with pytest.raises(WorkbenchError) as refused:
            shares(F(1), weights)
        assert refused.value.field == "weight"


# Grids

PAY = ColumnSpec("pay", Kind.DECIMAL)


@pytest.mark.parametrize(
    ("missing", "step"),
    [("0", 0), ("-5", 0), ("0.05", 1), ("0.04", 0), ("0.15", 2), ("0.5", 5), ("0.96", 10), ("1", 10), ("7", 10)],
)
def test_what_is_missing_counts_as_the_nearest_step(missing: str, step: int) -> None:
    grid = grid_of(PAY, "0", "1", "0.1", missing)
    assert (grid.steps, grid.missing) == (10, step)


def test_a_grid_has_a_whole_number_of_steps_and_not_too_many() -> None:
    assert grid_of(PAY, "0", str(MOST_STEPS), "1").steps == MOST_STEPS
    for upper, resolution in (
        (str(MOST_STEPS + 1), "1"),
        ("1", "0.3"),
        ("1", "2"),
        ("1", "0"),
        ("1", "-1"),
        ("1/3", ""),
    ):
        with pytest.raises(WorkbenchError) as refused:
            grid_of(PAY, "0", upper, resolution)
        assert refused.value.field == "resolution"
    with pytest.raises(WorkbenchError) as refused:
        grid_of(PAY, "0", "1", "0.3")
    assert "0.9" in refused.value.hint and "1.2" in refused.value.hint
    with pytest.raises(WorkbenchError) as refused:
        grid_of(PAY, "0", "1", "2")
    assert "2" in refused.value.hint and "4" in refused.value.hint


@pytest.mark.parametrize(
    ("lower", "upper", "step"),
    [
        ("0", "200000", F(1)),
        ("0", "1", F(1, 10**5)),
        ("-2.5", "0.05", F(1, 10**5)),
        ("0.25", "1000000", F(1, 100)),
        ("0", "0.0007", F(1, 10**9)),
    ],
)
def test_a_step_that_nobody_typed_is_a_power_of_ten_by_the_public_bounds(lower: str, upper: str, step: F) -> None:
    grid, declared = grid_of(PAY, lower, upper), replace(PAY, bounds=(float(lower), float(upper)))
    assert grid.resolution == untyped_step(PAY, lower, upper) == grid_of(declared).resolution == step
    assert 100_000 <= grid.steps <= 10**9
    seen = replace(declared, observed=frozenset({"bounds"}))
    assert untyped_step(seen) is None, "bounds that were read from the data decide nothing"


@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(7, 10), Fraction(3)])
def test_counts_below_0_that_become_0_err_by_this_much(rate: Fraction) -> None:
    points = np.arange(-600, 601)
    chances = np.exp(-float(rate) * np.abs(points)) * math.tanh(float(rate) / 2)
    for count in (0, 1, 5, 40):
        by_hand = float((np.abs(np.maximum(count + points, 0) - count) * chances).sum())
        found = noise.mean_absolute_above(rate, np.array([float(count)]))
        assert found.tolist() == pytest.approx([by_hand], rel=1e-9)


def enough_are_not_above(value: float, values: np.ndarray, share: float) -> bool:
    """Whether it is the smallest of the values which so large a share does not exceed."""
    return (values <= value).sum() >= share * len(values) > (values < value).sum()


@pytest.mark.parametrize("rate", [Fraction(1, 50), Fraction(1, 3), Fraction(2)])
def test_an_answer_is_off_by_what_enough_of_the_points_do_not_exceed(rate: Fraction) -> None:
    sums = np.array([[300.0], [40.0]])

    def quotient(of: np.ndarray) -> np.ndarray:
        return of[..., 0, :] / (of[..., 0, :] + np.abs(of[..., 1, :]) + 1)

    mean, reach = likely.error_of(quotient, sums, rate)
    off = np.array([abs(quotient(sums + point[:, None]) - quotient(sums))[0] for point in noise.evenly(rate, 2)])
    assert mean == pytest.approx(off.mean())
    assert enough_are_not_above(reach, off, 0.9505)


@pytest.mark.parametrize("rate", [Fraction(1, 500), Fraction(1, 40), Fraction(1, 3), Fraction(2)])
@pytest.mark.parametrize(("above", "below"), [(5000, 0), (4900, 100), (1500, 3500), (60, 60), (20, 0), (0, 0)])
def test_a_share_is_off_by_what_its_law_says(rate: Fraction, above: int, below: int) -> None:
    """Every pair of noises that matters, each with its chance; or points that stand for those of a long law."""
    most = 20
    reach = noise.half_width(rate, 1e-7)
    if reach < 200:
        points, chances = noise.law(rate, reach)
        both = np.stack([one.ravel() for one in np.meshgrid(points, points)])
        chance = np.outer(chances, chances).ravel()
    else:
        both = noise.evenly(rate, 2).T
        chance = np.full(both.shape[1], 1 / both.shape[1])

    def share(over: np.ndarray, under: np.ndarray) -> np.ndarray:
        return (1 + np.clip((over - under) / np.maximum(over + under, most), -1, 1)) / 2

    off = np.abs(share(above + both[0], below + both[1]) - share(np.array(above), np.array(below)))
    found = likely.share_reach(float(above), float(below), float(most), rate)
    slack = 1e-7 if reach < 200 else 0.001
    assert chance[off <= found * (1 + 1e-6)].sum() >= 0.95 - slack
    assert chance[off < found * (1 - 1e-6)].sum() <= 0.95 + slack


def test_how_far_a_share_is_off_is_found_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan of a mean with its curve looks for 500 of them."""
    looked = []

    def counting(rate: Fraction, numbers: np.ndarray) -> np.ndarray:
        looked.append(numbers)
        return noise_at_most(rate, numbers)

    noise_at_most = noise.at_most
    monkeypatch.setattr(noise, "at_most", counting)
    for below in (0, 2000, 40_000, 1_234_567):
        looked.clear()
        likely.share_reach(3e8 - below, float(below), 120_000.0, Fraction(3, 1_000_000))
        assert len(looked) <= 30


def test_a_long_law_is_divided_into_parts_of_the_same_chance() -> None:
    rate = Fraction(1, 1000)
    points, chances = noise.law_in_parts(rate)
    assert chances.sum() == pytest.approx(1)
    assert (chances * np.abs(points)).sum() == pytest.approx(noise.mean_absolute(rate), rel=1e-3)
    every, each = noise.law(rate, 20_000)
    for number in (-3000.0, -1.0, 0.0, 1.0, 5000.0):
        assert float(noise.at_most(rate, np.array([number]))[0]) == pytest.approx(each[every <= number].sum(), abs=1e-8)
        assert chances[points <= number].sum() == pytest.approx(each[every <= number].sum(), abs=1e-3)


def test_gaps_are_those_that_enough_of_the_points_do_not_exceed() -> None:
    """Of G − H²/T, with a mean m, a variance v and a scale s, in units of the scale."""
    rate = 0.3
    points, gaps = noise.evenly(rate, 3) * rate, likely._gaps(rate)
    for i, j, k in ((0, 0, 0), (1, 2, 3), (len(likely._MEANS) - 1, 1, 5), (len(likely._MEANS) // 2, 3, 1)):
        m, v, s = likely._MEANS[i], likely._VARIANCES[j], likely._SCALES[k]
        m = min(m, 1 - m)  # a mean and one minus it have the same law
        off = points @ np.array([1 - m, 0.5 - m, -m])
        gap = points @ np.array([(1 - m) ** 2 - v, -m * (1 - m) - v, m**2 - v]) - s * off**2
        for place, share in ((0, 1 - 0.0225), (1, 1 - 0.037)):
            assert enough_are_not_above(gaps[i, k, place, j], gap, share)
            assert enough_are_not_above(-gaps[i, k, 3 - place, j], -gap, share)
