"""Loss: the share of its domain that each released value might stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.separable import AGGREGATES, Aggregate, SeparableLoss
from workbench.anonymise.utility import FittedLoss, LossMetric, LossSetting
from workbench.core.params import ParamSpec, ParamType

_DECIMALS = 1e10


class DomainShare(SeparableLoss):
    """L = (Σ share/n − 1/D)/(1 − 1/D), a label's share the values it stands for over the D values of the domain.

    Totals are Σ D·share, whole numbers, so no rounding enters them; a suppressed row stands for all D values. The
    loss of an attribute is cut to ten decimals, as ARX does, so that both find the same node and the same number.
    """

    exact_bounds = True

    def __init__(self, setting: LossSetting, aggregate: Aggregate) -> None:
        self._scale = np.array([float(setting.rows * max(one.domain - 1, 1)) for one in setting.attributes])
        self._costs: dict[tuple[int, int, int], NDArray[np.float64]] = {}
        super().__init__(setting, aggregate)

    def base(self, attribute: int) -> NDArray[np.int64]:
        one = self.setting.attributes[attribute]
        return np.array([int((s * c).sum()) for s, c in zip(one.shares, one.counts, strict=True)], dtype=np.int64)

    def scaled(self, attributes: NDArray[np.intp], totals: NDArray[np.float64]) -> NDArray[np.float64]:
        scaled = np.maximum(totals - self.setting.rows, 0.0) / self._scale[attributes]
        cut: NDArray[np.float64] = np.floor(scaled * _DECIMALS) / _DECIMALS
        return cut

    def penalty(self, attribute: int, level: int, rows: NDArray[np.float64]) -> float:
        return float((self._cost(attribute, level, level) @ rows)[0])

    def penalties_below(self, attribute: int, level: int, low: int, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        # Which rows of a label are lost is not known, so they are taken to have its widest label of the finer level.
        return self._cost(attribute, level, low) @ rows

    def _cost(self, attribute: int, level: int, low: int) -> NDArray[np.float64]:
        """At least what a suppressed row adds, for each level from `low` to `level` and each label of `level`."""
        cost = self._costs.get((attribute, level, low))
        if cost is None:
            one = self.setting.attributes[attribute]
            shares = [one.widest_share(level, finer) for finer in range(low, level + 1)]
            cost = (one.domain - np.array(shares)).astype(np.float64)
            self._costs[attribute, level, low] = cost
        return cost


def fit(values: Mapping[str, Any], setting: LossSetting) -> FittedLoss:
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
            help="How the losses of the attributes become one number; the geometric mean spares single ones.",
        ),
    ),
    fit,
)
