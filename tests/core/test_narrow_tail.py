"""9 in 10 values lie below the number that was typed, in every shape and wherever between the bounds it lies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.narrow_tail import BELOW, NarrowTail

BOUNDS = [(0.0, 1.0), (0.0, 100.0), (-50.0, 50.0), (0.5, 99.5), (1000.0, 1e9), (1e6, 1e6 + 1), (0.0, 1e9)]
PARTS = [1e-12, 1e-9, 1e-6, 1e-4, 0.01, 0.3, 0.9, 0.999999, 1 - 1e-9]
WHOLE_AND_NOT = [False, True]


def typed(*, whole: bool) -> list[tuple[float, float, float]]:
    """Bounds with a number between them, which floats can tell from its bound, and whole numbers on both sides."""
    found = []
    for low, high in BOUNDS:
        for most in (low + (high - low) * part for part in PARTS):
            apart = min(most - low, high - most) > 1e-12 * max(abs(low), abs(high))
            first, last = math.ceil(low), math.floor(high)
            if low < most < high and (first < most <= last if whole else apart):
                found.append((low, high, most))
    return found


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("whole", WHOLE_AND_NOT)
def test_nine_in_ten_lie_below_in_every_shape(*, whole: bool) -> None:
    for low, high, most in typed(whole=whole):
        tail = NarrowTail(low, high, most, whole=whole)
        for shares in (tail.shares(None), tail.shares(np.random.default_rng(1)), *tail.stretches()):
            assert (shares >= 0).all() and shares.sum() == pytest.approx(1), (low, high, most)
            assert shares[tail.values < most].sum() == pytest.approx(BELOW), (low, high, most)
        assert all(math.isfinite(end) for ends in tail.moments() for end in ends), (low, high, most)


@pytest.mark.parametrize("whole", WHOLE_AND_NOT)
def test_the_number_below_which_nine_in_ten_lie_is_the_one_that_was_typed(*, whole: bool) -> None:
    """Of whole numbers the values fill the line up to half below it, also where they are far apart."""
    for low, high, most in typed(whole=whole):
        tail = NarrowTail(low, high, most, whole=whole)
        end = math.ceil(most) - 0.5 if whole else most
        for shares in tail.stretches():
            (found,) = tail.quantiles(np.array([BELOW]), shares)
            assert found == pytest.approx(end, rel=1e-9, abs=1e-9 * (high - low)), (low, high, most)


@pytest.mark.parametrize(("low", "high", "most", "are"), [(0.5, 99.5, 0.75, "none"), (0, 99.5, 99.2, "all")])
def test_a_number_with_all_whole_ones_on_one_side_is_refused(low: float, high: float, most: float, are: str) -> None:
    with pytest.raises(WorkbenchError, match=f"Most values cannot lie below {most}.*{are} are below it") as refused:
        NarrowTail(low, high, most, whole=True)
    assert refused.value.field == "most_below"
    NarrowTail(low, high, most)
    with pytest.raises(WorkbenchError):
        NarrowTail(0.1, 0.3, 0.2, whole=True)
