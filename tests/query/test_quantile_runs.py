"""Runs of points with the same loss for a quantile, against the loss of every point of the grid by its definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.discrete_noise import Coins
from workbench.core.randomness import SeededSource
from workbench.query.placed_values import Sorted
from workbench.query.quantiles import _Runs


@settings(max_examples=examples(200), deadline=None)
@given(
    rows=st.dictionaries(st.integers(0, 14), st.integers(1, 4), max_size=9),
    share=st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
    seed=st.integers(0, 50),
)
def test_runs_tell_the_loss_of_every_point_of_the_grid(rows: dict[int, int], share: Fraction, seed: int) -> None:
    steps, points = 14, sorted(rows)
    statistic = {"points": np.array(points, dtype=np.int64), "counts": np.array([rows[p] for p in points], np.int64)}
    runs = _Runs(statistic, share, steps)
    losses = []
    for x in range(steps + 1):
        below, equal, above = (sum(n for p, n in rows.items() if (p > x) - (p < x) == side) for side in (-1, 0, 1))
        top, bottom = share.numerator, share.denominator
        losses.append(
            max(
                0,
                (bottom - top) * below - top * (equal + above),
                top * above - (bottom - top) * (below + equal),
            )
        )
    found: list[int] = []
    for position in range(len(runs)):
        start, width = runs.run(position)
        assert start == len(found)
        found += [losses[start]] * width
        assert losses[start : start + width] == found[start:]
    assert found == losses
    assert (runs.least, runs.candidates) == (min(losses), steps + 1)
    starts, widths, whole = (one.tolist() for one in runs.all())
    assert [runs.run(position) for position in range(len(runs))] == list(zip(starts, widths, strict=True))
    for furthest in range(min(losses), max(losses) + 2):
        near = [position for position, loss in enumerate(whole) if loss <= furthest]
        numbers, many, paid = (one.tolist() for one in runs.near(furthest))
        assert numbers == near
        assert (many, paid) == ([widths[one] for one in near], [whole[one] for one in near])
    drawn = Coins(SeededSource(seed)).choose(runs, Fraction(1, 7))
    assert drawn == Coins(SeededSource(seed)).choice(widths, whole, Fraction(1, 7))


@settings(max_examples=examples(100), deadline=None)
@given(values=st.lists(st.tuples(st.integers(-1, 6), st.integers(0, 3)), max_size=12))
def test_steps_are_sorted_and_their_rows_added_up(values: list[tuple[int, int]]) -> None:
    expected: dict[int, int] = {}
    for step, many in values:
        if step >= 0 and many:
            expected[step] = expected.get(step, 0) + many
    known = Sorted(np.array([step for step, _ in values], dtype=np.int64))
    counts = np.array([many for _, many in values], dtype=np.int64)
    for keep in (True, False):
        points, rows = known.merged(counts, keep=keep)
        assert dict(zip(points.tolist(), rows.tolist(), strict=True)) == expected
        assert points.tolist() == sorted(expected)
    twice = known.merged(2 * counts)
    assert twice[1].tolist() == [2 * expected[point] for point in sorted(expected)]
