"""Non-uniform entropy: the bits that are missing to know each original value again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.separable import Aggregate, SeparableLoss
from workbench.anonymise.utility import FittedLoss, LossMetric, LossSetting


class MissingBits(SeparableLoss):
    """Σ over rows and attributes of log₂(rows with the label / rows with the value).

    The s suppressed rows have lost, beyond that, which label they had: log₂(s / suppressed rows with the label).
    """

    def base(self, attribute: int) -> NDArray[np.float64]:
        one = self.setting.attributes[attribute]
        ground = _weighted_log(one.counts[0])
        return np.array([max(_weighted_log(counts) - ground, 0.0) for counts in one.counts])

    def scaled(self, attributes: NDArray[np.intp], totals: NDArray[np.float64]) -> NDArray[np.float64]:
        return totals

    def penalty(self, attribute: int, level: int, rows: NDArray[np.float64]) -> float:
        return max(_weighted_log(rows.sum(keepdims=True)) - _weighted_log(rows), 0.0)


def _weighted_log(counts: NDArray[np.int64] | NDArray[np.float64]) -> float:
    """Σ c·log₂ c."""
    return float((counts * np.log2(np.maximum(counts, 1))).sum())


def fit(values: Mapping[str, Any], setting: LossSetting) -> FittedLoss:
    return MissingBits(setting, Aggregate.SUM)


PLUGIN = LossMetric(
    "non-uniform-entropy",
    "Non-uniform entropy",
    "How many bits are missing to know each original value again, from how often the values under its label occur.",
    "A. De Waal, L. Willenborg: Information loss through global recoding and local suppression, 1999; A. Gionis, "
    "T. Tassa: k-Anonymization with minimal loss of information, IEEE TKDE 21(2), 2009.",
    (),
    fit,
)
