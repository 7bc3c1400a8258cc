"""The spread of rows over possible groups as long as nobody has looked: in proportion to r^−s by rank r."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.assumed_spread import FLAT, STEEP, going_together, rows_kept, sum_of_powers
from workbench.anonymise.forecast import StepForecast

EVEN = 0.05
"""Of values that are spread as evenly as can be. Nothing loses more: each possible group then gives up all it can."""
UNEVEN = 2.5
"""Of values of which few are frequent."""
TOGETHER = 1
"""Which of `ends_of` is that of columns that go together, as those of real tables do."""
_RANKS = 256
"""Groups of a higher rank are too small to matter."""
FEW = 5
"""Fewer in 100 are told as 0 where that is a lower end."""
_WIDE = 50
"""From so many in 100 between both ends on, the one that says more is told."""


def shares_of(
    steps: Sequence[StepForecast], groups: Sequence[float], rows: int, steepness: float = STEEP
) -> list[float]:
    """The share of the rows that comes out at each step."""
    left, found = float(rows), []
    for step, possible in zip(steps, groups, strict=True):
        kept = float(rows_kept(left, possible, step.half_survive, steepness))
        left -= kept
        found.append(kept / rows)
    return found


def joined_groups(labels: Sequence[Sequence[int]]) -> list[float]:
    """Groups of columns that go together about as far as those of real tables do, from their labels at each step."""
    return [float(going_together(some)) for some in labels]


def ends_of(
    steps: Sequence[StepForecast],
    labels: Sequence[Sequence[int]],
    least: Sequence[Sequence[int]],
    most: Sequence[Sequence[int]],
    rows: int,
) -> list[list[float]]:
    """The shares of the rows at each step as columns may lie: what is told of a column lies between these.

    Parameters
    ----------
    labels
        Of the columns at each step.
    least
        How many of them occur at the least.
    most
        How many of them may well occur, as far as nobody said it.

    Returns
    -------
    list of list of float
        If columns have nothing to do with each other, if they go together, if as few occur as can be, if all groups
        are of about the same size, if they are spread as evenly as can be over as many as may well occur, and if few
        values are frequent.
    """
    groups = [prod(some) for some in labels]
    return [
        shares_of(steps, groups, rows),
        shares_of(steps, joined_groups(labels), rows),
        shares_of(steps, joined_groups(least), rows),
        shares_of(steps, groups, rows, FLAT),
        shares_of(steps, [prod(some) for some in most], rows, EVEN),
        shares_of(steps, joined_groups(labels), rows, UNEVEN),
    ]


def with_blanks(
    steps: Sequence[StepForecast], labels: Sequence[Sequence[int]], dumb: Sequence[Sequence[bool]], rows: int
) -> tuple[list[float], list[float]]:
    """The shares of the rows at each step if cells are blank in every column, in as many rows as have each value.

    First if all groups are of about the same size, then if they are spread as evenly as can be.

    Parameters
    ----------
    labels
        Of the columns at each step. A cell without a value is one label more, unless all of its column are alike.
    dumb
        Whether they are.
    """
    groups = [
        prod(size + (not alike) for size, alike in zip(some, which, strict=True))
        for some, which in zip(labels, dumb, strict=True)
    ]
    return shares_of(steps, groups, rows, FLAT), shares_of(steps, groups, rows, EVEN)


def in_hundred(shares: Sequence[float]) -> tuple[int, int]:
    """The smallest and the largest of some shares, of 100."""
    return round(100 * min(1.0, *shares)), round(100 * min(1.0, max(shares)))


def told_ends(low: int, high: int) -> tuple[int, int | None]:
    """Which ends of a range in 100 are told: next to nothing is told as 0, and of two far apart only the lower one.

    An upper end by itself would be read as what is likely.
    """
    if low == high:
        return low, high
    if low < FEW:
        return 0, high
    return low, None if high == 100 or high - low >= _WIDE else high


def parts(groups: float, steepness: float = STEEP) -> NDArray[np.float64]:
    """The shares of the largest of so many groups, float64 of shape (at most 256,); all of them add up to 1."""
    ranks = np.arange(1, min(max(int(groups), 1), _RANKS) + 1, dtype=np.float64)
    found = ranks**-steepness
    return np.asarray(found / (float(sum_of_powers(groups, steepness)) if groups > _RANKS else found.sum()))


def between(least: float, most: float) -> str:
    """A part of the rows between two ends, which may be the same as far as it is told.

    >>> between(0.916, 0.924), between(0.8, 1.0000001)
    ('92 in 100', '80 to 100 in 100')
    """
    low, high = (round(100 * min(share, 1)) for share in (least, most))
    return f"{low} in 100" if low >= high else f"{low} to {high} in 100"


def listed_names(names: Sequence[str]) -> str:
    """Names in a sentence."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
