"""Precision: how high values were lifted in their hierarchies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.separable import Aggregate, SeparableLoss
from workbench.anonymise.utility import FittedLoss, LossMetric, LossSetting


class LiftedShare(SeparableLoss):
    """Mean of level/height over the rows, a suppressed row counting as lifted to the top. Totals are in levels."""

    def base(self, attribute: int) -> NDArray[np.int64]:
        return np.arange(self.setting.attributes[attribute].height + 1) * self.setting.rows

    def scaled(self, attributes: NDArray[np.intp], totals: NDArray[np.float64]) -> NDArray[np.float64]:
        heights = np.array([self._height(attribute) for attribute in range(len(self.setting.attributes))])
        return totals / (heights[attributes] * float(self.setting.rows))

    def penalty(self, attribute: int, level: int, rows: NDArray[np.float64]) -> float:
        return float(rows.sum()) * (self._height(attribute) - level)

    def penalties_below(self, attribute: int, level: int, low: int, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return float(rows.sum()) * (self._height(attribute) - np.arange(low, level + 1, dtype=np.float64))

    def _height(self, attribute: int) -> int:
        # A column without levels above the ground loses everything in suppressed rows and nothing else.
        return max(self.setting.attributes[attribute].height, 1)


def fit(values: Mapping[str, Any], setting: LossSetting) -> FittedLoss:
    return LiftedShare(setting, Aggregate.ARITHMETIC)


PLUGIN = LossMetric(
    "precision",
    "Precision",
    "How high values were lifted: the level over the height of the hierarchy, averaged over rows and attributes; "
    "suppressed rows count as 1.",
    "L. Sweeney: Achieving k-anonymity privacy protection using generalization and suppression, 2002.",
    (),
    fit,
)
