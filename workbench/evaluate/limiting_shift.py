"""By how much bounds that were typed for a question shift a mean of a public shape, which is in no error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from workbench.core.narrow_tail import NarrowTail
from workbench.evaluate.experiment import Basis
from workbench.evaluate.moved_shapes import moved_shares

_MOVES = 50
"""So often a shape is moved, always in the same way."""
_VALUES = 1_000
"""Different values within the declared bounds."""


def limiting_shift(
    shapes: Sequence[Basis],
    declared: tuple[float, float] | None,
    limits: tuple[float, float],
    most: float | None = None,
) -> float:
    """The largest shift of the mean of several shapes within the declared bounds by narrower limits.

    In the unit of the values, on average over where a shape lies; nan where no wider bounds are declared.

    Parameters
    ----------
    most
        Below what most values lie, where the shape is the long tail of which that is known.
    """
    if declared is None or (limits[0] <= declared[0] and declared[1] <= limits[1]):
        return math.nan
    return max(_shift(one, declared, limits, most) for one in shapes)


@lru_cache(maxsize=64)
def _shift(
    basis: Basis, declared: tuple[float, float], limits: tuple[float, float], most: float | None = None
) -> float:
    low, high = declared
    values = low + (np.arange(_VALUES) + 0.5) * (high - low) / _VALUES
    shares, generator = moved_shares(basis, _VALUES), np.random.default_rng(0)
    if most is not None:
        tail = NarrowTail(low, high, most)
        values, shares = tail.values, tail.shares
    by = np.clip(values, *limits) - values
    return sum(abs(float(shares(generator) @ by)) for _ in range(_MOVES)) / _MOVES
