"""How rows are taken to lie in possible groups as long as nobody has looked: in proportion to r^−s by rank r."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod, sqrt

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.chains import rows_kept, sum_of_powers
from workbench.anonymise.forecast import StepForecast

STEEP = 0.9
"""Of real tables of a few columns."""
FLAT = 0.3
"""Of groups that are of about the same size."""
_RANKS = 256
"""Groups of a higher rank are too small to matter."""


def shares_of(
    steps: Sequence[StepForecast], groups: Sequence[float], rows: int, steepness: float = STEEP
) -> list[float]:
    """The share of the rows that comes out at each step."""
    left, found = float(rows), []
    for step, possible in zip(steps, groups, strict=True):
        kept = rows_kept(left, float(possible), step.half_survive, steepness)
        left -= kept
        found.append(kept / rows)
    return found


def joined_groups(labels: Sequence[Sequence[int]]) -> list[float]:
    """Groups of columns that go together about as far as those of real tables do, from their labels at each step."""
    return [sqrt(prod(some) * max(some, default=1)) for some in labels]


def parts(groups: float, steepness: float = STEEP) -> NDArray[np.float64]:
    """The shares of the largest of so many groups, float64 of shape (at most 256,); all of them add up to 1."""
    ranks = np.arange(1, min(max(int(groups), 1), _RANKS) + 1, dtype=np.float64)
    found = ranks**-steepness
    return np.asarray(found / (sum_of_powers(groups, steepness) if groups > _RANKS else found.sum()))
