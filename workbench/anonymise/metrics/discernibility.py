"""Discernibility: how many rows each row cannot be told from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.rollup import Levels
from workbench.anonymise.utility import FittedLoss, Key, LossMetric, LossSetting, spread


class Indiscernible(FittedLoss):
    """Σ |class|² over released classes, plus all rows for each suppressed row."""

    def __init__(self, setting: LossSetting) -> None:
        self._setting = setting

    def floor(self) -> NDArray[np.float64]:
        lattice = self._setting.lattice
        radices = [
            np.array(one.axis.radices[a : b + 1], dtype=np.float64)
            for one, a, b in zip(self._setting.attributes, lattice.low, lattice.high, strict=True)
        ]
        return np.maximum(self._spread_over(spread(radices, np.multiply)), self._least)

    def floor_from(self, levels: Levels) -> float:
        combinations = math.prod([one.axis.radices[x] for one, x in zip(self._setting.attributes, levels, strict=True)])
        return max(float(self._spread_over(np.array(float(combinations)))), self._least)

    def score(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> Key:
        lost = classes.sizes[failing].astype(np.float64)
        return (_squares(classes.sizes) - float((lost * lost).sum()) + self._setting.rows * float(lost.sum()),)

    def score_and_bound(
        self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp], lost: NDArray[np.int64]
    ) -> tuple[Key, float]:
        gone = float(lost.sum())
        rows = self._setting.rows
        bound = gone * rows + (rows - gone) * min(self._setting.smallest_class, rows)
        return self.score(levels, classes, failing), bound

    def above(self, levels: Levels, classes: ClassTable) -> float:
        # Merging only adds to Σ|class|², and a suppressed row costs more than a kept one.
        return _squares(classes.sizes)

    @property
    def _least(self) -> float:
        return float(self._setting.rows) * min(self._setting.smallest_class, self._setting.rows)

    def _spread_over(self, combinations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Σ|class|² of so many classes of equal size, less what rounding might have added."""
        squares: NDArray[np.float64] = float(self._setting.rows) ** 2 / combinations * (1 - 1e-9)
        return squares


def _squares(sizes: NDArray[np.int64]) -> float:
    numbers = sizes.astype(np.float64)
    return float((numbers * numbers).sum())


def fit(values: Mapping[str, Any], setting: LossSetting) -> FittedLoss:
    return Indiscernible(setting)


PLUGIN = LossMetric(
    "discernibility",
    "Discernibility",
    "For each row the number of rows that look like it, itself included; all rows for a suppressed one. Summed up.",
    "R. Bayardo, R. Agrawal: Data privacy through optimal k-anonymization, ICDE 2005.",
    (),
    fit,
)
