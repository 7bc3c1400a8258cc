"""β-likeness: no sensitive value becomes much more likely in a class than it is in the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.privacy import COLUMN, ROUNDING, Background, ClassRequirement, PrivacyModel
from workbench.core.params import ParamSpec, ParamType


@dataclass(frozen=True, eq=False)
class FrequencyAtMost(ClassRequirement):
    """The share of each sensitive value v in a class is at most `limits[v]`, which merging cannot raise."""

    column: str
    limits: NDArray[np.float64]

    def holds(self, classes: ClassTable) -> NDArray[np.bool_]:
        cells = classes.cells(self.column)
        allowed = classes.sizes[cells.owner] * (self.limits[cells.value] * (1 + ROUNDING))
        over = cells.owner[cells.count > allowed]
        holds = np.ones(len(classes), dtype=np.bool_)
        holds[over] = False
        return holds

    def least_lost(self, classes: ClassTable, failing: NDArray[np.intp]) -> NDArray[np.int64]:
        # c − a ≤ limit·(n − a) for every value, so a ≥ (c − limit·n)/(1 − limit).
        cells = classes.cells(self.column)
        limit = self.limits[cells.value]
        excess = (cells.count - limit * classes.sizes[cells.owner]) / np.maximum(1.0 - limit, 1e-9)
        most = np.zeros(len(classes))
        np.maximum.at(most, cells.owner, excess)
        return np.clip(np.ceil(most[failing] * (1 - 1e-9) - 1e-6), 1, classes.sizes[failing]).astype(np.int64)


def fit(values: Mapping[str, Any], background: Background) -> FrequencyAtMost:
    sensitive = background.sensitive[str(values["column"])]
    share = sensitive.counts / max(int(sensitive.counts.sum()), 1)
    gain = np.full(len(share), float(values["beta"]))
    if values["variant"] == "enhanced":
        with np.errstate(divide="ignore"):
            gain = np.minimum(gain, -np.log(share))
    with np.errstate(invalid="ignore"):
        limits = np.where(share > 0, share * (1.0 + gain), 0.0)
    return FrequencyAtMost(str(values["column"]), np.minimum(limits, 1.0))


PLUGIN = PrivacyModel(
    "b-likeness",
    "β-likeness",
    "In every class the share of each sensitive value exceeds its share in the table by at most β times that share.",
    "J. Cao, P. Karras: Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012.",
    (
        ParamSpec(
            "beta",
            "β",
            ParamType.NUMBER,
            default=1.0,
            minimum=0.0,
            open_minimum=True,
            help="The largest relative gain: with β = 1 a value is at most twice as frequent as in the table.",
        ),
        ParamSpec(
            "variant",
            "Variant",
            ParamType.CHOICE,
            default="enhanced",
            choices=(("enhanced", "enhanced"), ("basic", "basic")),
            help="Enhanced also bounds the gain of frequent values by −ln(share), so that none can become certain.",
        ),
        COLUMN,
    ),
    fit,
)
