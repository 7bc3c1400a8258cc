"""Ambiguity: how many combinations of original values a released row might stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.rollup import Levels
from workbench.anonymise.utility import FittedLoss, Key, LossMetric, LossSetting, spread


class Combinations(FittedLoss):
    """Σ over rows of Π over attributes of the values the label stands for; all combinations for a suppressed row.

    The mean of a product is at least the product of geometric means, so Π exp(mean log share) bounds a node from
    the histograms alone.
    """

    def __init__(self, setting: LossSetting) -> None:
        self._setting = setting
        self._all = float(np.prod([float(one.domain) for one in setting.attributes]))
        self._means = [
            np.array(
                [np.exp((c * np.log(s)).sum() / setting.rows) for s, c in zip(one.shares, one.counts, strict=True)]
            )
            for one in setting.attributes
        ]

    def floor(self) -> NDArray[np.float64]:
        lattice = self._setting.lattice
        parts = [means[a : b + 1] for means, a, b in zip(self._means, lattice.low, lattice.high, strict=True)]
        return spread(parts, np.multiply) * (self._setting.rows * (1 - 1e-9))

    def floor_from(self, levels: Levels) -> float:
        whole = self._setting.rows * (1 - 1e-9)
        for means, level in zip(self._means, levels, strict=True):
            whole *= float(means[level])
        return whole

    def score(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> Key:
        each = self._each(levels, classes)
        each[failing] = self._all
        return (float((each * classes.sizes).sum()),)

    def score_and_bound(
        self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp], lost: NDArray[np.int64]
    ) -> tuple[Key, float]:
        gone = float(lost.sum())
        bound = (gone * self._all + self._setting.rows - gone) * (1 - 1e-9)
        return self.score(levels, classes, failing), bound

    def above(self, levels: Levels, classes: ClassTable) -> float:
        return float((self._each(levels, classes) * classes.sizes).sum()) * (1 - 1e-9)

    def shown(self, key: Key) -> float:
        return key[0] / self._setting.rows

    def _each(self, levels: Levels, classes: ClassTable) -> NDArray[np.float64]:
        each = np.ones(len(classes))
        for position, (one, level) in enumerate(zip(self._setting.attributes, levels, strict=True)):
            each *= one.shares[level][classes.labels(position)]
        return each


def fit(values: Mapping[str, Any], setting: LossSetting) -> FittedLoss:
    return Combinations(setting)


PLUGIN = LossMetric(
    "ambiguity",
    "Ambiguity",
    "How many combinations of original values a released row might stand for, on average.",
    "J. Goldberger, T. Tassa: Efficient anonymizations with enhanced utility, Transactions on Data Privacy 3, 2010.",
    (),
    fit,
)
