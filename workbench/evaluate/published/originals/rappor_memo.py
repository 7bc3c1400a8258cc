"""Basic RAPPOR as published, not private in the way claimed: one memory of permanent bits for all people."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.published.originals.flaw import OriginalFlaw

Floats = NDArray[np.float64]

F, P, Q = 0.25, 0.75, 0.25


def estimates(counts: NDArray[np.int64], generator: np.random.Generator) -> Floats:
    """Estimated counts of one collection, shape (values,).

    The permanent bits of a value are drawn once and shared by everybody who has it, so their noise does not average
    out; and the aggregation (ones − f·n/2)/(1 − f) forgets the second step of noise.
    """
    values = len(counts)
    kept = generator.random((values, values)) < np.where(np.eye(values, dtype=bool), 1 - F / 2, F / 2)
    ones = generator.binomial(counts[:, np.newaxis], np.where(kept, P, Q)).sum(axis=0)
    found: Floats = (ones - F / 2 * counts.sum()) / (1 - F)
    return found


FLAW = OriginalFlaw(
    "One memory of permanent bits for all, as in the author's code, not private",
    "unlike the text, p. 43",
    "Whoever has the same value shares its permanent bits; many reports reveal the bits of everybody, and where those "
    "of two people differ, so do their values.",
    2 * math.log((1 - F / 2) / (F / 2)),
    math.inf,
    "By RAPPOR's formula with f = ¼, all reports of a person together would have ε =",
    said="In the author's code RAPPOR's permanent bits are drawn once for all people, which is not private",
)
