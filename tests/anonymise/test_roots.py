"""Roots, from the definition: the side that holds, as near as promised, and in few steps."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise._roots import crossing, first_holding, smallest_whole

POSITIVE = st.floats(1e-6, 1e6)


class Counted:
    """A function that knows how often it was asked."""

    def __init__(self, function: Callable) -> None:
        self.function, self.asked = function, 0
        self.at: list[float] = []

    def __call__(self, at: float) -> float:
        self.asked += 1
        self.at.append(at)
        return self.function(at)


def bisections(good: float, bad: float, tolerance: float) -> int:
    return math.ceil(math.log2(abs(math.log(good / bad)) / tolerance))


SHAPES = {
    "straight": lambda distance: distance,
    "step": lambda distance: math.copysign(1.0, distance) if distance else 0.0,
    "flat": lambda distance: distance**3,
    "steep": lambda distance: math.expm1(min(5 * distance, 700.0)),
    "odd": lambda distance: distance if distance <= 0 else 1e6 + distance,
}


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=examples(30))
@given(st.tuples(POSITIVE, POSITIVE), st.floats(0.001, 0.999), st.sampled_from([1e-11, 1e-6, 1e-2]))
def test_a_crossing_is_near_and_on_the_side_that_holds(
    shape: str, ends: tuple[float, float], share: float, tolerance: float
) -> None:
    good, bad = ends
    if abs(math.log(good / bad)) < 1e-3:
        return
    root = math.log(good) + share * math.log(bad / good)
    sign = math.copysign(1.0, bad - good)
    excess = Counted(lambda at: SHAPES[shape](sign * (math.log(at) - root)))
    found = crossing(good, bad, excess, tolerance)
    assert excess.function(found) <= 0
    assert abs(math.log(found) - root) <= tolerance * 1.001 + 1e-14 * abs(root) + 1e-15
    # Both ends, one more than bisection, and one for roundings.
    assert excess.asked <= bisections(good, bad, tolerance) + 4


def test_a_smooth_function_takes_a_third_of_the_steps() -> None:
    excess = Counted(lambda at: at**2 - 0.3**2)
    crossing(0.3 / 1.3, 0.3 * 1.2, excess)
    assert excess.asked - 2 <= bisections(0.3 / 1.3, 0.3 * 1.2, 1e-11) / 3


def test_a_step_is_found_to_eleven_digits_unless_asked_otherwise() -> None:
    found = crossing(1e-3, 1.0, lambda at: 1.0 if at > 0.3 else -1.0)
    assert 0.3 * (1 - 1.0e-11) <= found <= 0.3


@pytest.mark.parametrize(("good", "bad", "root"), [(1.0, 2.0, 1.5), (2.0, 1.0, 1.5), (1e-9, 1.0, 1e-3)])
def test_what_misses_by_nothing_holds(good: float, bad: float, root: float) -> None:
    """All of the side that holds has an excess of exactly 0."""
    found = crossing(good, bad, lambda at: 1.0 if (at > root) == (bad > good) else 0.0)
    assert found == pytest.approx(root, rel=1e-10) and (found <= root if bad > good else found >= root)
    assert smallest_whole(1, 1000, lambda n: 0.0 if n >= 377 else 5.0) == 377


@given(st.integers(0, 400), st.integers(1, 400), st.data())
def test_the_smallest_whole_number_is_the_smallest(low: int, more: int, data: st.DataObject) -> None:
    high = low + more
    root = data.draw(st.integers(low - 2, high + 2))
    for shape in (
        lambda n: float(root - n),
        lambda n: 1.0 if n < root else 0.0,
        lambda n: 1e-9 if n < root else -1e9,
        lambda n: math.exp(root - n) - 1,
    ):
        excess = Counted(shape)
        expected = next((n for n in range(low, high + 1) if shape(n) <= 0), None)
        assert smallest_whole(low, high, excess) == expected
        assert excess.asked <= 2 + 2 * math.ceil(math.log2(more + 1))
        # Each step throws a number away: none is asked twice.
        assert len(set(excess.at)) == excess.asked


def test_a_straight_line_is_found_at_once() -> None:
    excess = Counted(lambda n: 700_000.0 - n)
    assert smallest_whole(1, 1_000_000, excess) == 700_000
    assert excess.asked <= 6


@pytest.mark.parametrize(("start", "stop"), [(0.1, 0.9), (0.9, 0.1)])
@pytest.mark.parametrize("pieces", [2, 5])
def test_the_first_point_that_holds_is_the_nearest_to_the_start(start: float, stop: float, pieces: int) -> None:
    """A requirement that holds in two places and nowhere else: the nearer one is found, whichever the direction."""
    islands = [(0.3, 0.32), (0.6, 0.61)]

    def holds(at: float) -> bool:
        return any(low <= at <= high for low, high in islands)

    def hopeless(edges: np.ndarray) -> list[bool]:
        pairs = itertools.pairwise(edges.tolist())
        return [not any(low <= max(a, b) and min(a, b) <= high for low, high in islands) for a, b in pairs]

    found = first_holding(start, stop, holds, hopeless, pieces=pieces)
    nearest = 0.3 if start < stop else 0.61
    assert found is not None and holds(found)
    assert abs(found / nearest - 1) <= 1.01e-9
    assert first_holding(0.31, stop, holds, hopeless) == 0.31
    assert first_holding(0.4, 0.5, holds, hopeless) is None
    # What holds at the far end only, and what never does though nothing says so.
    assert first_holding(0.4, 0.6, lambda at: at == 0.6, lambda edges: [False] * (len(edges) - 1), 0.5) == 0.6
    assert first_holding(0.4, 0.6, lambda at: False, lambda edges: [False] * (len(edges) - 1), 1e-2) is None
