"""Quantiles on grids of a few points, from the weight of every point by its definition."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from tests.query.helpers import seeded
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column, Table
from workbench.query.grid import Grid
from workbench.query.mechanism import StatisticValues
from workbench.query.quantiles import Quantiles, between_values, points_of
from workbench.query.rows import Rows
from workbench.query.spread import spread_evenly

SPEC = ColumnSpec("age", Kind.DECIMAL)
GRID = Grid(SPEC, Fraction(10), Fraction(13), Fraction(1, 2))
"""Seven points, 10 to 13."""
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
TABLES: list[dict[int, int]] = [{}, {3: 1}, {0: 2, 6: 2}, {2: 1, 3: 4, 4: 1}, {0: 1, 1: 1, 5: 6}]
"""Rows by point."""


def statistic(rows: dict[int, int]) -> StatisticValues:
    return {"points": np.array(sorted(rows), dtype=np.int64), "counts": np.array([rows[at] for at in sorted(rows)])}


def loss(rows: dict[int, int], point: int, share: Fraction) -> Fraction:
    """By how many rows a point misses that a share is below it and the rest above."""
    below = sum(count for at, count in rows.items() if at < point)
    equal = rows.get(point, 0)
    above = sum(rows.values()) - below - equal
    return max(
        Fraction(0), (1 - share) * below - share * (equal + above), share * above - (1 - share) * (below + equal)
    )


def law(rows: dict[int, int], share: Fraction, epsilon: Fraction, per_person: int) -> np.ndarray:
    rate = epsilon / (2 * max(share, 1 - share) * per_person)
    weights = np.array([math.exp(-float(rate * loss(rows, point, share))) for point in range(7)])
    return weights / weights.sum()


@pytest.mark.parametrize("per_person", [1, 3])
@pytest.mark.parametrize("rows", TABLES)
@pytest.mark.parametrize("share", [THIRD, HALF, Fraction(9, 10)])
def test_simulated_quantiles_follow_the_law(rows: dict[int, int], share: Fraction, per_person: int) -> None:
    """Every point within 5 standard deviations of 20,000, fixed seeds."""
    epsilon = Fraction(3)
    mechanism = Quantiles(GRID, (share,), epsilon, per_person)
    follows(mechanism.simulate(statistic(rows), 20_000, np.random.default_rng(6)).ravel().tolist(), rows, mechanism)


@pytest.mark.parametrize("rows", TABLES[1:4])
def test_released_quantiles_follow_the_law(rows: dict[int, int]) -> None:
    """Every point within 5 standard deviations of 120, fixed seeds."""
    mechanism, draws = Quantiles(GRID, (THIRD,), Fraction(6), 2), seeded(8)
    follows([mechanism.release(statistic(rows), draws).value for _ in range(120)], rows, mechanism)


def follows(values: list[float], rows: dict[int, int], mechanism: Quantiles) -> None:
    counts, size, (part,) = Counter(values), len(values), mechanism.parts
    (share,) = mechanism.shares
    per_person = part.sensitivity // max(share.numerator, share.denominator - share.numerator)
    assert set(counts) <= {10 + point / 2 for point in range(7)}
    for point, chance in enumerate(law(rows, share, part.epsilon, per_person).tolist()):
        assert abs(counts[10 + point / 2] - size * chance) < 5 * math.sqrt(size * chance * (1 - chance)) + 0.5


def test_several_quantiles_share_epsilon_and_are_sorted() -> None:
    """The pair of the smaller and the larger of two draws, each at half of ε."""
    rows, shares, epsilon = TABLES[3], (Fraction(9, 10), THIRD), Fraction(4)
    mechanism = Quantiles(GRID, shares, epsilon, 1)
    assert mechanism.shares == (THIRD, Fraction(9, 10))
    assert [part.epsilon for part in mechanism.parts] == [2, 2]
    assert [part.sensitivity for part in mechanism.parts] == [2, 9]
    one, two = (law(rows, share, Fraction(2), 1) for share in sorted(shares))
    chances = Counter[tuple[int, ...]]()
    for a, b in itertools.product(range(7), repeat=2):
        chances[tuple(sorted((a, b)))] += one[a] * two[b]
    drawn = mechanism.simulate(statistic(rows), 20_000, np.random.default_rng(7))
    counts = Counter(tuple(int(2 * (value - 10)) for value in pair) for pair in drawn.tolist())
    for pair, chance in chances.items():
        assert abs(counts[pair] - 20_000 * chance) < 5 * math.sqrt(20_000 * chance * (1 - chance)) + 0.5
    answer = mechanism.release(statistic(rows), seeded(3))
    assert answer.value == sorted(answer.value) and len(answer.value) == 2
    assert answer.noisy["steps"] == tuple(int(2 * (value - 10)) for value in answer.value)


@pytest.mark.parametrize("shares", [(HALF,), (THIRD,), (THIRD, HALF), (Fraction(1, 10), HALF, Fraction(9, 10))])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(7)])
@pytest.mark.parametrize("per_person", [1, 2])
def test_ranks_are_off_by_no_more_than_is_said(
    shares: tuple[Fraction, ...], epsilon: Fraction, per_person: int
) -> None:
    """With G points in all, a loss above r has at most the chance G·e^(−rate·r); so r is ln(20 G)/rate, rounded up."""
    mechanism = Quantiles(GRID, shares, epsilon, per_person)
    reach = max(
        math.log(7 * len(shares) * 20) * 2 * float(max(share, 1 - share)) * per_person * len(shares) / float(epsilon)
        for share in shares
    )
    assert mechanism.rank_reach() == math.ceil(reach)
    for rows in TABLES[1:]:
        outside = 0.0
        for share in shares:
            chances = law(rows, share, epsilon / len(shares), per_person)
            outside += sum(chances[at] for at in range(7) if loss(rows, at, share) > mechanism.rank_reach())
        assert outside <= 0.05
    if len(shares) > 2:
        assert mechanism.enclosing_rows() == math.floor(mechanism.rank_reach() / Fraction(2, 5)) + 1


@pytest.mark.parametrize(("low", "proposed"), [(Fraction(1, 20), False), (Fraction(6, 100), True), (HALF, True)])
def test_neighbours_are_proposed_where_there_are_any(low: Fraction, proposed: bool) -> None:
    for share in (low, 1 - low):
        said = Quantiles(GRID, (share,), Fraction(1), 1)._enclosed()
        assert ("Asked together" in said) is proposed
    assert "Asked together" not in Quantiles(GRID, (THIRD, HALF), Fraction(1), 1)._enclosed()
    assert "lies between the answers" in Quantiles(GRID, (THIRD, HALF, 2 * THIRD), Fraction(1), 1)._enclosed()


@pytest.mark.parametrize("rows", TABLES)
@pytest.mark.parametrize("share", [Fraction(1, 8), THIRD, HALF, Fraction(2, 3), Fraction(1)])
def test_the_truth_is_the_smallest_that_so_many_do_not_exceed(rows: dict[int, int], share: Fraction) -> None:
    total = sum(rows.values())
    found = Quantiles(GRID, (share,), Fraction(1), 1).truth(statistic(rows)).tolist()
    if not rows:
        assert found == [11.5]
    else:
        right = min(at for at in rows if sum(c for other, c in rows.items() if other <= at) >= share * total)
        assert found == [10 + right / 2]


@pytest.mark.parametrize("steps", [0, 1, 6, 9])
@pytest.mark.parametrize("rows", [0, 1, 2, 7, 10, 35])
def test_rows_are_spread_evenly_over_all_points(steps: int, rows: int) -> None:
    """Row i of n lies in the middle of its n-th of the range."""
    grid = Grid(SPEC, Fraction(0), Fraction(steps), Fraction(1))
    found = spread_evenly(grid, rows)
    places = Counter(((2 * i + 1) * (steps + 1)) // (2 * max(rows, 1)) for i in range(max(rows, 1)))
    assert dict(zip(found["points"].tolist(), found["counts"].tolist(), strict=True)) == dict(places)


def test_many_rows_are_spread_as_evenly() -> None:
    grid = Grid(SPEC, Fraction(0), Fraction(99), Fraction(1))
    found = spread_evenly(grid, 10_001)
    assert int(found["counts"].sum()) == 10_001
    assert found["counts"].min() >= 100 and found["counts"].max() <= 101
    assert spread_evenly(grid, 1_000_000)["counts"].tolist() == [10_000] * 100


@pytest.mark.parametrize(
    ("counts", "shares", "moved"),
    [
        ([4, 4, 4], [HALF], [6, 2, 4]),
        ([4, 4, 4], [Fraction(5, 12)], [5, 3, 4]),
        ([4, 4, 4], [Fraction(1, 12)], [1, 7, 4]),
        ([4, 4, 4], [THIRD], [4, 4, 4]),
        ([5, 5], [Fraction(1)], [10, 0]),
        ([5, 5], [Fraction(1, 100)], [0, 10]),
        ([5], [HALF], [5]),
        ([4, 4, 4], [Fraction(5, 12), Fraction(8, 12)], [5, 3, 4]),
        ([4, 4, 4], [Fraction(3, 12), Fraction(5, 12)], [5, 3, 4]),
    ],
)
def test_an_end_of_a_value_moves_to_the_rank_that_is_asked(
    counts: list[int], shares: list[Fraction], moved: list[int]
) -> None:
    points = np.arange(len(counts)) * 10
    found = between_values({"points": points, "counts": np.array(counts)}, shares)
    kept = [(10 * at, count) for at, count in enumerate(moved) if count]
    assert list(zip(found["points"].tolist(), found["counts"].tolist(), strict=True)) == kept


def test_values_are_read_onto_the_grid() -> None:
    """Halves are rounded upwards, beyond the bounds is at the bounds, what is no number is left out or counts as 11."""
    texts = ["10", "10.24", "10.25", "10.75", "9", "14", "?", "12.76", "13.0", "10.24"]
    table = Table((Column.from_texts("age", texts),))
    plain = {0: 4, 1: 1, 2: 1, 6: 3}
    for missing, more in ((None, {}), (2, {2: 1})):
        grid = Grid(SPEC, Fraction(10), Fraction(13), Fraction(1, 2), missing)
        found = points_of(grid, Rows(table))
        told = dict(zip(found["points"].tolist(), found["counts"].tolist(), strict=True))
        assert told == dict(Counter(plain) + Counter(more))
        part = points_of(grid, Rows(table, np.array([0, 2, 6])))
        assert dict(zip(part["points"].tolist(), part["counts"].tolist(), strict=True)) == {0: 1, 1: 1, **more}
