"""Average class size: rows divided by classes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.rollup import Levels
from workbench.anonymise.utility import FittedLoss, Key, LossMetric, LossSetting, spread


class RowsPerClass(FittedLoss):
    """All rows / (released classes + 1 if anything is suppressed): the suppressed rows are one class more."""

    def __init__(self, setting: LossSetting) -> None:
        self._setting = setting
        self._most = float(setting.rows // max(setting.smallest_class, 1) + 1)

    def floor(self) -> NDArray[np.float64]:
        lattice = self._setting.lattice
        radices = [
            np.array(one.axis.radices[a : b + 1], dtype=np.float64)
            for one, a, b in zip(self._setting.attributes, lattice.low, lattice.high, strict=True)
        ]
        floor: NDArray[np.float64] = self._setting.rows / np.minimum(spread(radices, np.multiply), self._most)
        return floor

    def floor_from(self, levels: Levels) -> float:
        combinations = math.prod([one.axis.radices[x] for one, x in zip(self._setting.attributes, levels, strict=True)])
        return float(self._setting.rows / min(float(combinations), self._most))

    def score(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> Key:
        occupied = int((classes.sizes > 0).sum())
        gone = int((classes.sizes[failing] > 0).sum())
        return (float(self._setting.rows / (occupied - gone + (gone > 0))),)

    def score_and_bound(
        self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp], lost: NDArray[np.int64]
    ) -> tuple[Key, float]:
        rows = self._setting.rows
        bound = float(rows / ((rows - int(lost.sum())) // max(self._setting.smallest_class, 1) + 1))
        return self.score(levels, classes, failing), bound

    def above(self, levels: Levels, classes: ClassTable) -> float:
        return float(self._setting.rows / int((classes.sizes > 0).sum()))


def fit(values: Mapping[str, Any], setting: LossSetting) -> FittedLoss:
    return RowsPerClass(setting)


PLUGIN = LossMetric(
    "average-class-size",
    "Average class size",
    "The number of rows divided by the number of classes; the suppressed rows together are one class.",
    "K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian multidimensional k-anonymity, ICDE 2006.",
    (),
    fit,
)
