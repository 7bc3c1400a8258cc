"""How the steps of a release share ε by default: every share tried, rows counted group by group."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from workbench.anonymise._sample_solving import row_epsilon
from workbench.anonymise._trim_solving import rows_needed, smallest
from workbench.anonymise.assumed_spread import rows_kept, sum_of_powers
from workbench.anonymise.chains import EXPECTED_ROWS, check_chain, default_shares
from workbench.anonymise.trim_recipe import MOST_STEPS
from workbench.core.errors import WorkbenchError
from workbench.core.trim_law import trim_law


@pytest.mark.parametrize("power", [0.5, 0.7])
def test_a_sum_of_powers_is_added_up(power: float) -> None:
    for count in (1, 2, 3, 7, 16, 500):
        added = sum(rank**-power for rank in range(1, count + 1))
        assert sum_of_powers(count, power) == pytest.approx(added, rel=2e-3)
    assert sum_of_powers(1, power) == 1
    exact = sum(rank**-power for rank in range(11, 5001))
    assert sum_of_powers(5000, power) - sum_of_powers(10, power) == pytest.approx(exact, abs=1e-5)


def kept_of(rows: float, groups: int, lost: float, power: float = 0.7) -> float:
    """Rows left when each of the groups, of sizes in proportion to rank^−power, loses as many or all it has."""
    whole = sum(rank**-power for rank in range(1, groups + 1))
    return sum(max(0.0, rows * rank**-power / whole - lost) for rank in range(1, groups + 1))


@pytest.mark.parametrize("lost", [1.0, 5.0, 40.0, 300.0, 2_500.0])
@pytest.mark.parametrize("groups", [1, 2, 16, 256])
def test_rows_kept_are_those_left_in_each_group(groups: int, lost: float) -> None:
    for rows in (100.0, 1_000.0, 10_000.0):
        assert rows_kept(rows, float(groups), lost) == pytest.approx(
            kept_of(rows, groups, lost), rel=5e-3, abs=0.003 * rows
        )


def test_no_rows_and_groups_that_are_too_small_keep_nothing() -> None:
    assert rows_kept(0.0, 16.0, 1.0) == rows_kept(-1.0, 16.0, 1.0) == 0.0
    assert rows_kept(10.0, 1.0, 10.0) == rows_kept(10.0, 1.0, 11.0) == 0.0
    assert rows_kept(10.0, 1.0, 9.0) == pytest.approx(1.0)
    assert rows_kept(1.0, 1.0, 0.25) == pytest.approx(0.75)


def all_shares(steps: int) -> Iterator[tuple[int, ...]]:
    return (tenths for tenths in product(range(1, 11), repeat=steps) if sum(tenths) == 10)


def best(fine: list[list[float]], epsilon: float, delta: float, per_person: int, rows: int) -> tuple[Fraction, ...]:
    """By the rule's own words."""
    found = []
    for tenths in all_shares(len(fine)):
        left, detail = float(rows), 0.0
        for parts, part in zip(fine, tenths, strict=True):
            lost = rows_needed(epsilon * part / 10, delta * part / 10, per_person)[0]
            kept = rows_kept(left, math.prod(16.0**one for one in parts), float(lost))
            left -= kept
            detail += kept * math.fsum(parts) / len(parts)
        found.append((rows - left, detail, tenths))
    most = max(kept for kept, _, _ in found)
    chosen = max((round(d, 6), round(k, 6), tenths) for k, d, tenths in found if k >= 0.97 * most)
    return tuple(Fraction(part, 10) for part in chosen[2])


@pytest.mark.parametrize("per_person", [1, 3])
@pytest.mark.parametrize("rows", [50, 400, 3_000, None, 200_000])
@pytest.mark.parametrize("levels", [[(0, 0), (1, 1)], [(0, 0), (2, 0), (3, 1)], [(1, 0), (1, 0)], [(0, 1), (2, 1)]])
def test_shares_are_the_best_of_all(levels: list[tuple[int, int]], rows: int | None, per_person: int) -> None:
    heights = {"age": 3, "sex": 1}
    vectors = [dict(zip(heights, one, strict=True)) for one in levels]
    fine = [[1 - level / height for level, height in zip(one, heights.values(), strict=True)] for one in levels]
    for epsilon, delta in ((0.3, 1e-4), (1.0, 1e-6), (3.0, 1e-9)):
        found = default_shares(vectors, heights, epsilon=epsilon, delta=delta, rows_per_person=per_person, rows=rows)
        assert found == best(fine, epsilon, delta, per_person, rows or 10_000)


def test_nobody_types_how_many_rows_there_are_and_one_row_a_person() -> None:
    vectors, heights = [{"age": 0}, {"age": 2}, {"age": 4}], {"age": 4}
    plain = default_shares(vectors, heights, epsilon=0.1, delta=1e-6)
    assert EXPECTED_ROWS == 10_000
    assert plain == default_shares(vectors, heights, epsilon=0.1, delta=1e-6, rows_per_person=1, rows=10_000)


def test_one_step_has_all_and_a_column_of_no_levels_is_as_fine_as_it_can_be() -> None:
    assert default_shares([{"age": 1}], {"age": 3}, epsilon=1, delta=1e-6) == (1,)
    flat, tall = [{"age": 0, "x": 0}, {"age": 1, "x": 0}], {"age": 1, "x": 3}
    assert default_shares(flat, tall, epsilon=1, delta=1e-6) == default_shares(
        flat, {**tall, "x": 0}, epsilon=1, delta=1e-6
    )


@pytest.mark.parametrize(("steps", "fits"), [(1, True), (MOST_STEPS, True), (MOST_STEPS + 1, False), (0, False)])
def test_a_chain_is_as_long_as_is_said(steps: int, fits: bool) -> None:
    if fits:
        check_chain({}, [{"sex": 0}] * steps)
    else:
        with pytest.raises(WorkbenchError, match=f"not {steps}"):
            check_chain({}, [{"sex": 0}] * steps)


@pytest.mark.parametrize("level", [-1, 0, 1, 2])
def test_a_column_without_a_hierarchy_has_two_levels(level: int) -> None:
    if level in (0, 1):
        check_chain({}, [{"sex": level}])
    else:
        with pytest.raises(WorkbenchError, match=f"no level {level}"):
            check_chain({}, [{"sex": level}])


@pytest.mark.parametrize("per_person", [1, 2, 5])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.2, 1e-3), (1.0, 1e-5), (2.5, 1e-8), (0.01, 0.05)])
def test_rows_needed_are_those_of_the_law(epsilon: float, delta: float, per_person: int) -> None:
    law = trim_law(Fraction(epsilon), Fraction(delta), per_person)
    half, always = rows_needed(epsilon, delta, per_person)
    assert abs(law.half_survive - half) <= 1
    assert abs(law.always_survive - always) <= 1
    assert 0 < half < always


def test_the_smallest_for_which_something_holds() -> None:
    assert smallest(1.0, 8.0, lambda number: number >= 3.0) == pytest.approx(3.0, rel=1e-11)
    assert smallest(1.0, 8.0, lambda number: number >= 3.0) >= 3.0
    assert smallest(1.0, 8.0, lambda _: True) == 1.0
    assert smallest(1.0, 8.0, lambda _: False) is None
    assert smallest(1.0, 8.0, lambda number: number >= 8.0) == 8.0
    assert smallest(8.0, 8.0, lambda _: True) == 8.0
    assert smallest(8.1, 8.0, lambda _: True) is None


def test_what_a_row_may_reveal_is_below_its_part_of_what_a_person_may() -> None:
    for epsilon, rows in product((0.1, 0.3, 1.0, 1.1, 2.0, 7.3), (3, 7, 10, 11, 60)):
        share = Fraction(row_epsilon(epsilon, rows))
        assert Fraction(epsilon) * (1 - Fraction(1, 2**50)) < share * rows < Fraction(epsilon)
    assert row_epsilon(0.3, 1) == 0.3
