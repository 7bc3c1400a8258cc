"""The nearest histogram without negative counts that has a given total."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def onto_simplex(counts: NDArray[np.float64], total: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """The nearest point (L2) with no negative count and the right sum: one shift for all, then clipping.

    By sorting (Held, Wolfe and Crowder 1974): the largest k for which the k-th largest count stays positive when the
    k largest are shifted to the right sum.

    Parameters
    ----------
    counts
        Shape (…, d); the last axis is one histogram.
    total
        At least 0; one number, or of shape (…, 1).
    """
    falling = -np.sort(-counts, axis=-1)
    ranks = np.arange(1, counts.shape[-1] + 1)
    shifts = (np.cumsum(falling, axis=-1) - total) / ranks
    active = np.maximum((falling > shifts).sum(axis=-1, keepdims=True), 1)
    shift = np.take_along_axis(shifts, active - 1, axis=-1)
    found: NDArray[np.float64] = np.maximum(counts - shift, 0.0)
    return found
