"""Distinct l-diversity: every class has at least l different sensitive values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.diversity import L, checked_l
from workbench.anonymise.privacy import COLUMN, Background, ClassRequirement, PrivacyModel


@dataclass(frozen=True)
class DistinctValues(ClassRequirement):
    """At least l distinct values. Parts of a class with too few have too few as well."""

    column: str
    least: int

    def holds(self, classes: ClassTable) -> NDArray[np.bool_]:
        return classes.different(self.column) >= self.least

    @property
    def asks_only_whether_alike(self) -> bool:
        return self.least <= 2

    @property
    def smallest_class(self) -> int:
        return self.least


def fit(values: Mapping[str, Any], background: Background) -> DistinctValues:
    return DistinctValues(values["column"], int(checked_l(values, background)))


PLUGIN = PrivacyModel(
    "l-diversity",
    "Distinct l-diversity",
    "Every class has at least l different values of the sensitive column.",
    "A. Machanavajjhala et al.: l-Diversity, ACM TKDD 1(1), 2007.",
    (L, COLUMN),
    fit,
)
