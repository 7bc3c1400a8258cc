"""The spread of rows over possible groups as long as nobody has looked, and what of them stays if each loses some."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

STEEP = 0.9
"""Of real tables of a few columns."""
FLAT = 0.3
"""Of groups that are of about the same size."""
_STEEPNESS = 0.7
"""The group of rank r is taken to have rows in proportion to r^−0.7 where nothing else is said."""


def rows_kept(rows: ArrayLike, groups: ArrayLike, lost: float, steepness: float = _STEEPNESS) -> NDArray[np.float64]:
    """Rows that stay of so many, if each group gives up as many; the group of rank r has rows in proportion to r^−s.

    Parameters
    ----------
    rows, groups
        Numbers or arrays that go together.
    lost
        Rows that a group gives up.

    Returns
    -------
    float64 of the shape of both
    """
    there, possible = np.asarray(rows, np.float64), np.asarray(groups, np.float64)
    largest = np.maximum(there, 0.0) / sum_of_powers(possible, steepness)
    staying = np.floor(np.minimum(possible, (largest / lost) ** (1 / steepness)))
    kept = largest * sum_of_powers(np.maximum(staying, 1.0), steepness) - staying * lost
    return np.where(staying >= 1, np.maximum(kept, 0.0), 0.0)


def sum_of_powers(count: ArrayLike, s: float) -> NDArray[np.float64]:
    """Σ r^−s for r = 1 … count, by Euler and Maclaurin; s is not 1."""
    many = np.asarray(count, np.float64)
    return (many ** (1 - s) - 1) / (1 - s) + (1 + many**-s) / 2 + s / 12 * (1 - many ** (-s - 1))


def going_together(labels: ArrayLike) -> NDArray[np.float64]:
    """Groups of columns that go together about as far as those of real tables do.

    Parameters
    ----------
    labels
        Of each column, along the last axis; there may be none.
    """
    sizes = np.asarray(labels, np.float64)
    return np.asarray(np.sqrt(sizes.prod(axis=-1) * sizes.max(axis=-1, initial=1.0)), np.float64)
