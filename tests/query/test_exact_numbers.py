"""Sums of whole numbers and what is likely behind noisy ones, against the slowest way there is to work them out."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from workbench.query import likely
from workbench.query.exact_sums import cell_sums, exact_sums, narrow, power_sums_of, squared, whole

# Where the way of working changes, and one on both sides.
EDGES = sorted(
    {sign * ((1 << bits) + off) for bits in (0, 26, 30, 31, 52, 53, 61, 62) for off in (-1, 0, 1) for sign in (1, -1)}
)
SMALL = [number for number in EDGES if 0 <= number < 1 << 62]


@pytest.mark.parametrize("times", [False, True])
def test_sums_by_cell_are_those_of_whole_numbers(times: bool) -> None:
    draw = random.Random(3)
    for size in (1, 2, 5):
        for _ in range(30):
            numbers = draw.choices([*EDGES, 1 << 70, -(1 << 70)], k=draw.randint(0, 12))
            cells = [draw.randint(-1, size - 1) for _ in numbers]
            often = [draw.randint(0, 3) for _ in numbers] if times else [1] * len(numbers)
            expected = [
                sum(n * o for n, c, o in zip(numbers, cells, often, strict=True) if c == cell) for cell in range(size)
            ]
            given = np.array(often, dtype=np.int64) if times else None
            places = np.array(cells, dtype=np.int64)
            assert exact_sums(whole(numbers), places, size, given) == expected
            if all(abs(number) < 1 << 63 for number in numbers):
                assert exact_sums(np.array(numbers, dtype=np.int64), places, size, given) == expected


def test_sums_are_exact_where_numbers_and_their_count_are_as_large_as_may_be() -> None:
    for numbers in itertools.combinations_with_replacement(SMALL, 2):
        cells = np.zeros(2, dtype=np.int64)
        assert cell_sums(np.array(numbers, dtype=np.int64), cells, 1) == [sum(numbers)]
        squares = squared(np.array(numbers, dtype=np.int64))
        assert cell_sums(squares, cells, 2) == [sum(number * number for number in numbers), 0]
    assert cell_sums(np.array([], dtype=np.int64), np.array([], dtype=np.int64), 2) == [0, 0]


@pytest.mark.parametrize("degree", [1, 2])
def test_sums_of_powers_are_those_of_whole_numbers(degree: int) -> None:
    draw = random.Random(4)
    tables = [*([number] for number in SMALL), *(draw.choices(SMALL, k=4) for _ in range(40))]
    for numbers in [*tables, [3] * ((1 << 14) + 1)]:
        often = [draw.randint(1, 3) for _ in numbers]
        for times in (None, often):
            counts = times or [1] * len(numbers)
            expected = [
                sum(count * number**power for number, count in zip(numbers, counts, strict=True))
                for power in range(degree + 1)
            ]
            given = None if times is None else np.array(times, dtype=np.int64)
            assert power_sums_of(np.array(numbers, dtype=np.int64), given, degree) == expected


def test_numbers_are_of_the_processor_where_they_fit_and_pythons_own_elsewhere() -> None:
    for number in SMALL:
        assert squared(np.array([0, number])).tolist() == [0, number * number]
    for numbers in ([], [0], *([number] for number in EDGES), [-(1 << 61), 5], [(1 << 61) - 1, -(1 << 61) + 1]):
        found = narrow(whole(numbers))
        assert found.tolist() == numbers
        fits = all(abs(number) < 1 << 61 for number in numbers)
        assert found.dtype == (np.int64 if fits else np.object_)


# What is likely behind noisy sums


def test_between_points_of_an_axis_the_weights_are_those_of_a_straight_line() -> None:
    axis = np.array([0.0, 1.0, 3.0, 7.0])
    where = np.array([-1.0, 0.0, 0.25, 1.0, 2.0, 3.0, 6.0, 7.0, 11.0])
    (low, at_low), (high, at_high) = likely._around(axis, where)
    assert at_low.shape == at_high.shape == (len(where), 1, 1)
    for at, (i, j, p, q) in zip(where, zip(low, high, at_low.ravel(), at_high.ravel(), strict=True), strict=True):
        assert j == i + 1 and p + q == pytest.approx(1)
        assert p * axis[i] + q * axis[j] == pytest.approx(at)
        assert axis[i] <= at < axis[j] or i == 0 > at or j == len(axis) - 1


def test_the_widest_of_several_means_is_that_of_each_worked_out_one_by_one() -> None:
    draw = np.random.default_rng(5)
    gaps = draw.normal(size=(len(likely._MEANS), len(likely._SCALES), 4, len(likely._VARIANCES)))
    means = [np.array([0.0, 0.31, 1.0]), np.array([0.5, 0.33, 0.9])]
    scale = np.array([0.0, 0.017, 0.06])
    found = likely._widest(gaps, means, scale)

    def between(axis: np.ndarray, at: float) -> list[tuple[int, float]]:
        below = max(i for i in range(len(axis) - 1) if axis[i] <= at)
        share = (at - axis[below]) / (axis[below + 1] - axis[below])
        return [(below, 1 - share), (below + 1, share)]

    for place in range(3):
        for which, widest in enumerate((max, max, min, min)):
            for variance in range(len(likely._VARIANCES)):
                each = [
                    sum(
                        a * b * gaps[i, j, which, variance]
                        for i, a in between(likely._MEANS, mean[place])
                        for j, b in between(likely._SCALES, scale[place])
                    )
                    for mean in means
                ]
                assert found[which][place, variance] == pytest.approx(widest(each))


def test_a_settled_variance_is_where_it_and_its_gap_agree() -> None:
    draw = np.random.default_rng(6)
    slopes = np.linspace(-0.5, 0.5, len(likely._VARIANCES))
    gaps = slopes + draw.uniform(-0.1, 0.1, size=(40, 1))
    found, scale = draw.uniform(-0.05, 0.3, 40), draw.uniform(0, 0.06, 40)
    settled = likely._settled(found, scale, gaps)
    for at, v, by, gap in zip(settled, found, scale, gaps, strict=True):
        there = np.interp(np.clip(at, 0, 0.25), likely._VARIANCES, gap)
        assert at == pytest.approx(v - by * there, abs=1e-6)


def test_the_least_that_a_share_does_not_exceed() -> None:
    for count in range(1, 9):
        numbers = np.random.default_rng(count).permutation(count).astype(float)
        for tenths in range(1, 11):
            expected = next(n for n in sorted(numbers) if 10 * sum(numbers <= n) >= tenths * count)
            assert likely._least(numbers, tenths / 10) == expected
