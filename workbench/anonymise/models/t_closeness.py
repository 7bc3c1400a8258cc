"""t-closeness with equal distances: total variation between a class and the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.closeness import CITATION, PARAMS, WithinDistance
from workbench.anonymise.privacy import Background, PrivacyModel


class WithinTotalVariation(WithinDistance):
    """½ Σ|p − q| ≤ t, which is Σ max(0, p − q): only values that occur in the class count."""

    def distances(self, classes: ClassTable) -> NDArray[np.float64]:
        cells = classes.cells(self.column)
        excess = cells.count * self.rows
        excess -= classes.sizes[cells.owner] * self.reference[cells.value]
        return np.bincount(cells.owner, weights=np.maximum(excess, 0), minlength=len(classes)).astype(np.float64)

    def farthest(self) -> float:
        # All rows have the rarest value.
        return 1.0 - float(self.reference[self.reference > 0].min()) / self.rows


def fit(values: Mapping[str, Any], background: Background) -> WithinTotalVariation:
    column = str(values["column"])
    return WithinTotalVariation(column, float(values["t"]), background.sensitive[column].counts)


PLUGIN = PrivacyModel(
    "t-closeness",
    "t-closeness, equal distances",
    "The sensitive values of every class are distributed like those of the table, up to a total variation "
    "distance of t.",
    CITATION,
    PARAMS,
    fit,
)
