"""t-closeness with ordered distances: moving a row to the next value costs 1/(values − 1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.closeness import CITATION, PARAMS, WithinDistance
from workbench.anonymise.privacy import Background, PrivacyModel, Sensitive
from workbench.core.errors import WorkbenchError


class WithinOrderedDistance(WithinDistance):
    """Σ|cumulated p − q| ≤ t·(values − 1), values in their order."""

    def __init__(self, column: str, t: float, reference: NDArray[np.int64], order: NDArray[np.intp]) -> None:
        self._position = np.argsort(order)
        self._cumulated = np.cumsum(reference[order]).astype(np.float64)
        super().__init__(column, t, reference)

    def distances(self, classes: ClassTable) -> NDArray[np.float64]:
        steps = max(len(self.reference) - 1, 1)
        sums = np.empty(len(classes))
        for part, counts in self.counted(classes, self._position):
            flow = np.cumsum(counts, axis=1)
            flow *= self.rows
            flow -= classes.sizes[part, None] * self._cumulated
            sums[part] = np.abs(flow, out=flow).sum(axis=1)
        return sums / steps

    def farthest(self) -> float:
        # Of all rows on one value the distance is convex in its place, so it is largest at the first or the last.
        steps = max(len(self.reference) - 1, 1)
        to_first = float((self.rows - self._cumulated).sum()) / self.rows / steps
        to_last = float(self._cumulated[:-1].sum()) / self.rows / steps
        return min(1.0, max(to_first, to_last))


def order_of(column: str, sensitive: Sensitive) -> NDArray[np.intp]:
    """The order of the values: as numbers, or as the hierarchy of the column lists them.

    Raises
    ------
    WorkbenchError
        If a value is no number and there is no hierarchy, or the hierarchy misses one.
    """
    if sensitive.hierarchy is not None:
        place = {value: position for position, value in enumerate(sensitive.hierarchy.values)}
        keys = [place.get(value, -1) for value in sensitive.values]
        if min(keys, default=0) < 0:
            missed = sensitive.hierarchy.uncovered(sensitive.values)
            raise WorkbenchError(
                f"The hierarchy of “{column}” misses “{missed[0]}”, so its place in the order is not known.",
                hint="Add the missing values to the hierarchy.",
                field=column,
            )
        return np.argsort(np.array(keys), kind="stable")
    numbers = []
    for value in sensitive.values:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise WorkbenchError(
                f"“{value}” in “{column}” is no number, so the values have no order.",
                hint=f"Give “{column}” a hierarchy that lists its values in order, or use equal distances.",
                field=column,
            )
        numbers.append(number)
    return np.argsort(np.array(numbers), kind="stable")


def fit(values: Mapping[str, Any], background: Background) -> WithinOrderedDistance:
    column = str(values["column"])
    sensitive = background.sensitive[column]
    return WithinOrderedDistance(column, float(values["t"]), sensitive.counts, order_of(column, sensitive))


PLUGIN = PrivacyModel(
    "ordered-t-closeness",
    "t-closeness, ordered distances",
    "The sensitive values of every class, which have an order, are distributed like those of the table, up to an earth "
    "mover's distance of t; neighbouring values are close, the first and the last are 1 apart.",
    CITATION,
    PARAMS,
    fit,
)
