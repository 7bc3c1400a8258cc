"""t-closeness: the distance between the sensitive values of a class and those of the whole table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.privacy import COLUMN, ROUNDING, ClassRequirement
from workbench.core.params import ParamSpec, ParamType

T = ParamSpec(
    "t",
    "t",
    ParamType.NUMBER,
    default=0.2,
    minimum=0.0,
    maximum=1.0,
    open_minimum=True,
    help="The largest distance allowed, from 0 (every class is distributed like the table) to 1.",
)

PARAMS = (T, COLUMN)

CITATION = "N. Li, T. Li, S. Venkatasubramanian: t-Closeness, ICDE 2007."

_CHUNK_CELLS = 1 << 21


class WithinDistance(ClassRequirement):
    """Earth mover's distance to the table of at most t.

    Parameters
    ----------
    column, t
        The sensitive column and the threshold.
    reference
        Rows of the table with each value, int64 of shape (values,).

    Notes
    -----
    The distance of a mixture is at most the mixture of the distances, so classes that are close stay so when
    they merge. Distances are computed on whole numbers: with n rows in a class and N in the table, everything
    is multiplied by n·N.
    """

    def __init__(self, column: str, t: float, reference: NDArray[np.int64]) -> None:
        self.column = column
        self.t = t
        self.reference = reference
        self.rows = int(reference.sum())
        self._farthest = self.farthest()

    @abstractmethod
    def distances(self, classes: ClassTable) -> NDArray[np.float64]:
        """n·N times the distance of each class of n rows, shape (classes,)."""

    @abstractmethod
    def farthest(self) -> float:
        """The distance of the farthest distribution there can be, at most 1."""

    def holds(self, classes: ClassTable) -> NDArray[np.bool_]:
        return self.distances(classes) <= classes.sizes * (self.t * self.rows * (1 + ROUNDING))

    def least_lost(self, classes: ClassTable, failing: NDArray[np.intp]) -> NDArray[np.int64]:
        # Of n rows at distance d, take a away so that the rest is within t. What is taken away is at most D off, and
        # distances are convex: n·d ≤ (n − a)·t + a·D, so a ≥ n·(d − t)/(D − t).
        sizes = classes.sizes[failing]
        excess = self.distances(classes)[failing] / self.rows - sizes * self.t
        lost = excess / max(self._farthest - self.t, 1e-9)
        return np.clip(np.ceil(lost * (1 - 1e-9) - 1e-6), 1, sizes).astype(np.int64)

    def counted(self, classes: ClassTable, position: NDArray[np.intp]) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Rows per class and value as dense arrays, some classes at a time, values in the order of `position`."""
        cells = classes.cells(self.column)
        values = len(self.reference)
        step = max(1, _CHUNK_CELLS // values)
        for first in range(0, len(classes), step):
            last = min(first + step, len(classes))
            low, high = np.searchsorted(cells.owner, (first, last))
            key = (cells.owner[low:high] - first) * values + position[cells.value[low:high]]
            dense = np.bincount(key, weights=cells.count[low:high], minlength=(last - first) * values)
            yield slice(first, last), dense.astype(np.float64, copy=False).reshape(last - first, values)
