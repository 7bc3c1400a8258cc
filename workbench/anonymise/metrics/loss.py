"""Loss: the share of its domain that each released value might stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.separable import AGGREGATES, Aggregate, SeparableLoss
from workbench.anonymise.utility import Loss, LossMetric, Setting
from workbench.core.params import ParamSpec, ParamType


class DomainShare(SeparableLoss):
    """L = (Σ share/n − 1/D)/(1 − 1/D), a label's share the values it stands for over the D values of the domain.

    Totals are Σ D·share, whole numbers, so no rounding enters them; a suppressed row stands for all D values.
    """

    def base(self, attribute: int) -> NDArray[np.int64]:
        one = self.setting.attributes[attribute]
        return np.array([int((s * c).sum()) for s, c in zip(one.shares, one.counts, strict=True)], dtype=np.int64)

    def scaled(self, attribute: int, totals: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        rows, domain = self.setting.rows, self.setting.attributes[attribute].domain
        scaled: NDArray[np.float64] = np.maximum(totals - rows, 0) / (rows * max(domain - 1, 1))
        return scaled

    def penalty(self, attribute: int, level: int, rows: NDArray[np.int64]) -> int:
        one = self.setting.attributes[attribute]
        return int((rows * (one.domain - one.shares[level])).sum())

    def penalties_below(self, attribute: int, level: int, low: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:  # type: ignore[override]
        # Which rows of a label are lost is not known, so they are taken to have its widest label of the finer level.
        one = self.setting.attributes[attribute]
        return np.array(
            [int((rows * (one.domain - one.widest_share(level, finer))).sum()) for finer in range(low, level + 1)],
            dtype=np.int64,
        )


def fit(values: Mapping[str, Any], setting: Setting) -> Loss:
    return DomainShare(setting, Aggregate(values["aggregate"]))


PLUGIN = LossMetric(
    "loss",
    "Loss",
    "The share of its domain that a value might stand for after generalising: 0 if it is known, 1 if it is suppressed.",
    "V. S. Iyengar: Transforming data to satisfy privacy constraints, KDD 2002.",
    (
        ParamSpec(
            "aggregate",
            "Attributes together",
            ParamType.CHOICE,
            default=Aggregate.GEOMETRIC.value,
            choices=AGGREGATES,
            help="How the losses of the attributes become one number; the geometric mean avoids losing one of them whole.",
        ),
    ),
    fit,
)
