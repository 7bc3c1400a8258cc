"""k-anonymity: every class has at least k rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.privacy import Background, ClassRequirement, PrivacyModel
from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType


@dataclass(frozen=True)
class AtLeast(ClassRequirement):
    """At least k rows to be released. Parts of a class that is too small are too small as well."""

    k: int

    def holds(self, classes: ClassTable) -> NDArray[np.bool_]:
        return classes.sizes >= self.k

    @property
    def asks_only_whether_alike(self) -> bool:
        return True

    @property
    def smallest_class(self) -> int:
        return self.k


def fit(values: Mapping[str, Any], background: Background) -> AtLeast:
    k = int(values["k"])
    if k > background.rows:
        raise WorkbenchError(
            f"k = {k:,} is more than all rows together, so no class can be released.",
            hint="Choose a smaller k, or use a table with more rows.",
            field="k",
        )
    return AtLeast(k)


PLUGIN = PrivacyModel(
    "k-anonymity",
    "k-anonymity",
    "Every released row looks like at least k − 1 others.",
    "P. Samarati, L. Sweeney: Protecting privacy when disclosing information, 1998.",
    (
        ParamSpec(
            "k",
            "k",
            ParamType.INTEGER,
            default=5,
            minimum=2,
            unit="rows",
            help="Rows a class must have; the chance to pick the right row in it is at most 1/k.",
        ),
    ),
    fit,
)
