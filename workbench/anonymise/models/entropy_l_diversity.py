"""Entropy l-diversity: the sensitive values of every class are as mixed as l equally frequent ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.diversity import EFFECTIVE_L, checked_l
from workbench.anonymise.privacy import COLUMN, ROUNDING, Background, ClassRequirement, PrivacyModel


@dataclass(frozen=True)
class EntropyAtLeast(ClassRequirement):
    """n·H ≥ n·ln l, where n·H = n ln n − Σ c ln c over the counts c of the sensitive values of a class of n rows."""

    column: str
    least: float

    def holds(self, classes: ClassTable) -> NDArray[np.bool_]:
        return self._entropy(classes) >= classes.sizes * (math.log(self.least) * (1 - ROUNDING))

    def least_lost(self, classes: ClassTable, failing: NDArray[np.intp]) -> NDArray[np.int64]:
        # n·H(whole) ≥ (n − a)·H(rest) and H(rest) ≥ ln l, so a ≥ n − n·H/ln l.
        sizes = classes.sizes[failing]
        lost = sizes - self._entropy(classes)[failing] / math.log(self.least)
        return np.clip(np.ceil(lost - 1e-6), 1, sizes).astype(np.int64)

    @property
    def smallest_class(self) -> int:
        # n rows have an entropy of at most ln n.
        return max(1, math.ceil(self.least * (1 - 1e-9)))

    def _entropy(self, classes: ClassTable) -> NDArray[np.float64]:
        """n·H of each class, in nats."""
        cells = classes.cells(self.column)
        logs = np.bincount(cells.owner, weights=cells.count * np.log(cells.count), minlength=len(classes))
        sizes = classes.sizes.astype(np.float64)
        entropy: NDArray[np.float64] = sizes * np.log(np.maximum(sizes, 1.0)) - logs
        return entropy


def fit(values: Mapping[str, Any], background: Background) -> EntropyAtLeast:
    return EntropyAtLeast(values["column"], checked_l(values, background))


PLUGIN = PrivacyModel(
    "entropy-l-diversity",
    "Entropy l-diversity",
    "The sensitive values of every class are at least as mixed as l equally frequent ones: exp(entropy) ≥ l.",
    "A. Machanavajjhala et al.: l-Diversity, ACM TKDD 1(1), 2007.",
    (EFFECTIVE_L, COLUMN),
    fit,
)
