"""Odds, sizes of subsets and tables of a channel, against series, enumeration and fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SeededSource
from workbench.ldp import reports_together
from workbench.ldp.channel_sums import TwoSidedChannel
from workbench.ldp.coins import TWO_64, odds
from workbench.ldp.participation import Attendance
from workbench.ldp.protocols.laplace import construct
from workbench.ldp.protocols.subset_selection import best_size, rare_size
from workbench.ldp.tabulated import SLACK, Tabulated, integer_weights, largest_ratio

EPSILONS = (1e-9, 0.01, 0.1, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 4.7, 7.0, 10.0)


def e_to_the(x: Fraction) -> Fraction:
    """The series, so far that the rest is below 10⁻⁴⁰ of it."""
    total, term, place = Fraction(0), Fraction(1), 0
    while not place or term > total / 10**40:
        total, place = total + term, place + 1
        term *= x / place
    return total


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_odds_are_below_those_of_every_decimal_that_reads_as_this_epsilon(epsilon: float) -> None:
    least = (Fraction(epsilon) + Fraction(math.nextafter(epsilon, 0.0))) / 2  # the smallest that rounds to this float
    exact = e_to_the(Fraction(epsilon))
    assert exact * (1 - (3 + Fraction(epsilon)) * Fraction(1, 2**52)) <= odds(epsilon) < e_to_the(least)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_odds_leave_room_for_an_exponential_that_is_off_by_one_unit_in_the_last_place(epsilon: float) -> None:
    """As the documentation of libraries allows; so two steps down are one more than that."""
    taken = math.exp(math.nextafter(epsilon, 0.0))
    assert (
        sum(Fraction(float(odds(epsilon))) < Fraction(between) for between in (math.nextafter(taken, 0.0), taken)) == 2
    )


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 16, 31])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 1.7, 2.5, 4.0])
def test_the_size_of_a_subset_is_the_best_of_all_sizes(size: int, epsilon: float) -> None:
    """Wang et al. 2016: p = k·e^ε / (k·e^ε + d − k), and a rare value's variance is q(1 − q) / (p − q)².

    One report of value v adds p(1 − p) / (p − q)² to the variance of v and that of a rare one to each other: what all
    of them add up to does not depend on the shares.
    """
    e = math.exp(epsilon)

    def rare(k: int) -> float:
        p = k * e / (k * e + size - k)
        q = p * (k - 1) / (size - 1) + (1 - p) * k / (size - 1)
        return q * (1 - q) / (p - q) ** 2

    def together(k: int) -> float:
        p = k * e / (k * e + size - k)
        q = p * (k - 1) / (size - 1) + (1 - p) * k / (size - 1)
        return p * (1 - p) / (p - q) ** 2 + (size - 1) * rare(k)

    assert rare(rare_size(size, epsilon)) == pytest.approx(min(map(rare, range(1, size))), rel=1e-9)
    assert together(best_size(size, epsilon)) == pytest.approx(min(map(together, range(1, size))), rel=1e-9)


def test_tables_are_made_for_slightly_less_than_was_asked_for() -> None:
    """What floats and weights of 2⁻⁶⁴ round away of a probability above 2⁻²⁰ is below 10⁻¹³, and 10⁻¹³ is enough."""
    assert Fraction(10**13 - 1, 10**13) == SLACK


def test_every_entry_of_a_table_is_rounded_up_but_the_largest() -> None:
    rows = np.array([[0.5, 0.3, 0.2], [0.5, 0.5, 1e-30], [0.1, 0.1, 0.8]])
    for row, weights in zip(rows.tolist(), integer_weights(rows).tolist(), strict=True):
        assert sum(weights) == TWO_64
        largest = row.index(max(row))
        for place, (chance, weight) in enumerate(zip(row, weights, strict=True)):
            if place != largest:
                assert weight == max(1, math.ceil(Fraction(chance) * TWO_64))


def test_the_largest_ratio_is_told_apart_where_floats_cannot() -> None:
    high = np.array([3 * 2**60 + 1, 3 * 2**60, 5], dtype=np.uint64)
    low = np.array([2**60, 2**60 + 1, 5], dtype=np.uint64)
    for order in ([0, 1, 2], [2, 1, 0]):
        assert largest_ratio(high[order], low[order]) == Fraction(3 * 2**60 + 1, 2**60)


WIDE = Tabulated(np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]]))
"""Two values, four outputs."""


def test_a_table_may_have_more_outputs_than_values() -> None:
    assert WIDE.bits == 2 and WIDE.width == 4 and WIDE.unbiased
    assert WIDE.worst_ratio == pytest.approx(4)
    assert WIDE.parse([["0"], ["3"]]).tolist() == [0, 3]
    for strange in ("4", "-1"):
        with pytest.raises(WorkbenchError):
            WIDE.parse([[strange]])
    assert WIDE.accumulate(np.array([1, 1, 0], dtype=np.int32)).sums.tolist() == [1, 2, 0, 0]
    counts = np.array([30, 70])
    assert WIDE.estimate(WIDE.expected(counts)) == pytest.approx(counts)


def test_draws_from_a_table_have_its_chances() -> None:
    values = np.array([0, 1] * 20_000)
    drawn = WIDE.perturb(values, SeededSource(7))
    for value, row in enumerate(WIDE.channel()):
        seen = np.bincount(drawn[values == value], minlength=4) / 20_000
        assert np.abs(seen - row).max() < 0.02
    with pytest.raises(WorkbenchError):
        WIDE.perturb(np.array([2]), SeededSource(7))


def test_a_table_whose_rows_are_alike_is_not_inverted() -> None:
    assert not Tabulated(np.array([[0.5, 0.5], [0.5, 0.5]])).unbiased
    assert not Tabulated(np.array([[0.5, 0.5], [0.5 + 1e-12, 0.5 - 1e-12]])).unbiased
    assert Tabulated(np.array([[0.5, 0.5], [0.5 + 1e-6, 0.5 - 1e-6]])).unbiased


@pytest.mark.parametrize("place", [0.0, 0.1, 0.25, 0.5, 0.9])
def test_rounding_at_random_adds_the_variance_of_a_coin(place: float) -> None:
    """Between two steps of the grid: with f the part above the lower one, f(1 − f) steps², beside the noise's own."""
    randomiser = construct(2, 1.0, {})
    step = float(randomiser.decoded(np.array([1.0]))[0] - randomiser.decoded(np.array([0.0]))[0])
    on, between = randomiser.variance(np.array([0.0, place * step]))
    assert between - on == pytest.approx(place * (1 - place) * step**2, abs=1e-9 * on)


HIDDEN, OPEN = Attendance(True), Attendance(False, why="some report and some do not")


@pytest.mark.parametrize("order", list(itertools.permutations([HIDDEN, OPEN, HIDDEN])))
def test_who_reported_is_hidden_only_if_it_is_in_every_collection(order: tuple[Attendance, ...]) -> None:
    assert reports_together._least(order) == OPEN
    assert reports_together._least([HIDDEN, HIDDEN]) == HIDDEN
    assert reports_together._least([HIDDEN, None]) is None, "and what is not said is not hidden"


def test_a_channel_with_impossible_outputs_has_no_two_sides() -> None:
    """What would be divided by is 0 there; and one of another shape has no two sides either."""
    for matrix in (np.eye(3), np.array([[0.5, 0.5], [1.0, 0.0]]), np.full((2, 3), 1 / 3)):
        assert TwoSidedChannel.of(matrix) is None
    falling = np.exp(-np.abs(np.subtract.outer(np.arange(4), np.arange(4))))
    assert TwoSidedChannel.of(falling / falling.sum(axis=1, keepdims=True)) is not None
