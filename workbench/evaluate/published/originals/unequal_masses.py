"""The Kantorovich distance of histograms of unequal mass, as published: each row too many costs the whole width."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.published.originals.flaw import OriginalFlaw

Floats = NDArray[np.float64]


def unequal_kantorovich(first: Floats, second: Floats) -> float:
    """The cheapest way to move what both have in common, and d − 1 for each row that one has more.

    Parameters
    ----------
    first, second
        Counts of shape (d,), in steps of 1; they may be negative.

    Notes
    -----
    This is the distance of Pele and Werman (ECCV 2008) with their usual penalty, the greatest distance there is. With
    D the running difference and s what is surplus, it minimises Σ |D_k − R_k| over running sums R of what stays
    unmoved, 0 ≤ R_k − R_{k−1} ≤ s_k, which is convex in one number per step.
    """
    ahead = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if ahead.sum() < 0:
        ahead = -ahead
    left_over = float(ahead.sum())
    steep = len(ahead) + 2
    below, above, shift, least = [-0.0] * steep, [0.0] * steep, 0.0, 0.0
    for running, surplus in zip(np.cumsum(ahead).tolist(), np.maximum(ahead, 0.0).tolist(), strict=True):
        shift += surplus
        least += max(0.0, -below[0] - running) + max(0.0, running - (above[0] + shift))
        top = -heapq.heappushpop(below, -running)
        heapq.heappush(above, top - shift)
        bottom = heapq.heappushpop(above, running - shift) + shift
        heapq.heappush(below, -bottom)
    moved = least + sum(max(0.0, -end - left_over) for end in below)
    moved += sum(max(0.0, left_over - (end + shift)) for end in above)
    return moved + (len(ahead) - 1) * left_over


def of_total(first: Floats, second: Floats) -> float:
    """The part of that distance that only says how far apart the totals are."""
    return (len(first) - 1) * abs(float(np.sum(first) - np.sum(second)))


FLAW = OriginalFlaw(
    "Kantorovich distance of unequal masses",
    "figures 3.6, 4.4, 4.6, 4.9 and 4.10",
    "Each row or person too many or too few costs as much as moving one across the whole range.",
    said="The Kantorovich distance was computed between histograms of unequal totals",
)
