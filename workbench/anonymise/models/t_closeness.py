"""t-closeness with equal distances: total variation between a class and the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.closeness import CITATION, PARAMS, WithinDistance
from workbench.anonymise.privacy import Background, PrivacyModel

_STEPS = 4
"""How often the bound of the rows that can be kept is sharpened; each costs as much as the distance itself."""


class WithinTotalVariation(WithinDistance):
    """½ Σ|p − q| ≤ t, which is Σ max(0, p − q): only values that occur in the class count."""

    def distances(self, classes: ClassTable) -> NDArray[np.float64]:
        cells = classes.cells(self.column)
        excess = cells.count * self.rows
        excess -= classes.sizes[cells.owner] * self.reference[cells.value]
        return np.bincount(cells.owner, weights=np.maximum(excess, 0), minlength=len(classes)).astype(np.float64)

    def least_lost(self, classes: ClassTable, failing: NDArray[np.intp]) -> NDArray[np.int64]:
        # m rows can be kept only if Σ min(n_v, m·q_v) ≥ (1 − t)·m, with n_v rows of each value in the class and q_v its
        # share in the table: what lies above m·q_v is the distance. The difference is concave in m and 0 at 0, so the
        # m that can be kept end at its largest root, which Newton's steps approach from above; each step is a bound.
        sizes = classes.sizes[failing]
        cells = classes.cells(self.column)
        number = np.full(len(classes), -1, dtype=np.intp)
        number[failing] = np.arange(len(failing))
        owner = number[cells.owner]
        inside = np.flatnonzero(owner >= 0)
        owner, rows = owner[inside], cells.count[inside].astype(np.float64)
        share = self.reference[cells.value[inside]] / self.rows
        demanded = (1 - self.t) * (1 - 1e-9)
        most = sizes.astype(np.float64)
        for _ in range(_STEPS):
            scarce = most[owner] * share > rows
            there = np.bincount(owner, weights=np.where(scarce, rows, 0.0), minlength=len(failing))
            missing = demanded - np.bincount(owner, weights=np.where(scarce, 0.0, share), minlength=len(failing))
            # Where nothing is missing, so many rows may be kept.
            root = np.divide(there, missing, out=most.copy(), where=missing > 0)
            most = np.minimum(most, root)
        # The class itself fails, so at least one row goes.
        return np.clip(sizes - np.floor(most * (1 + 1e-9) + 1e-6).astype(np.int64), 1, sizes)

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
