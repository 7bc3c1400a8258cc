"""Random matrix projection as in the author's code, not private: the size of a reported number tells the value."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.published.originals.flaw import OriginalFlaw

Floats = NDArray[np.float64]

ROWS = 10
"""Rows m of the matrix in the published program; its text says 5."""
EPSILON = 1.0
"""The ε that all published points have: none was passed on, and this is the default of the program."""


def drawn_matrix(values: int, generator: np.random.Generator) -> Floats:
    """Entries between −1/√m and 1/√m, shape (m, values). Both entries of Bassily and Smith are ±1/√m."""
    bound = 1 / math.sqrt(ROWS)
    found: Floats = generator.uniform(-bound, bound, (ROWS, values))
    return found


def estimates(matrix: Floats, counts: NDArray[np.int64], generator: np.random.Generator) -> Floats:
    """Estimated counts of one collection, cut to whole numbers, shape (values,).

    A report is (r, b·c·m·Φ[r, v]) with b = ±1; the estimate of i sums y·Φ[r, i] over all reports. Since the entries
    are no ±1/√m, it is m·E[Φ²] = a third of the truth, and other values leave a share that no number of people
    averages out.
    """
    odds = math.exp(EPSILON)
    scale = (odds + 1) / (odds - 1)
    rows = generator.multinomial(counts, np.full(ROWS, 1 / ROWS)).T
    signs = 2 * generator.binomial(rows, odds / (odds + 1)) - rows
    summed = scale * ROWS * (signs * matrix).sum(axis=1)
    found: Floats = np.trunc(summed @ matrix)
    return found


FLAW = OriginalFlaw(
    "Random matrix, as in the author's code, not private",
    "unlike that of the text, p. 44",
    "Page 44 has only entries of ±1/m; in the code all entries of the public matrix differ, so that the size of a "
    "reported number tells which value it came from.",
    EPSILON,
    math.inf,
    "Its ε is set to",
    said="As in the author's code, the random matrix is not private",
)
