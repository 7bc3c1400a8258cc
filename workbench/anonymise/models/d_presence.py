"""δ-presence: nobody can tell well whether a person of a public table is among the released rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.privacy import ROUNDING, SUBSET, Background, ClassRequirement, PrivacyModel
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.params import ParamSpec, ParamType


@dataclass(frozen=True)
class PresenceWithin(ClassRequirement):
    """least ≤ released rows / rows of the population ≤ most, in every class with a released row."""

    least: float
    most: float

    def holds(self, classes: ClassTable) -> NDArray[np.bool_]:
        low = classes.sizes >= classes.population * (self.least * (1 - ROUNDING))
        high = classes.sizes <= classes.population * (self.most * (1 + ROUNDING))
        holds: NDArray[np.bool_] = (low & high) | (classes.sizes == 0)
        return holds

    def least_lost(self, classes: ClassTable, failing: NDArray[np.intp]) -> NDArray[np.int64]:
        # A class with too few released rows may split into one that has enough and others that have none, so it need
        # lose nothing. Of one with too many, the kept rows are at most `most` of the population in them.
        sizes, population = classes.sizes[failing], classes.population[failing]
        lost = sizes - population * self.most
        return np.clip(np.ceil(lost * (1 - 1e-9) - 1e-6), 0, sizes).astype(np.int64)


def fit(values: Mapping[str, Any], background: Background) -> PresenceWithin:
    least, most = float(values["least"]), float(values["most"])
    if not values["subset_column"]:
        raise WorkbenchError(
            "δ-presence needs a column that says which rows of the public table are released.",
            hint="Choose that column and the value that marks the released rows.",
            field="subset_column",
        )
    if least > most:
        raise WorkbenchError(
            f"The smallest presence {exact(least)} is above the largest, {exact(most)}.",
            hint="Give the smaller number first.",
            field="least",
        )
    return PresenceWithin(least, most)


PLUGIN = PrivacyModel(
    "d-presence",
    "δ-presence",
    "Of the people of a public table who share the labels of a released row, between δmin and δmax are among the "
    "released rows. People who share their labels with no released row are left out of account.",
    "M. E. Nergiz, M. Atzori, C. Clifton: Hiding the presence of individuals from shared databases, SIGMOD 2007.",
    (
        ParamSpec(
            "least",
            "δmin",
            ParamType.NUMBER,
            default=0.0,
            minimum=0.0,
            maximum=1.0,
            help="The smallest chance of being among the released rows.",
        ),
        ParamSpec(
            "most",
            "δmax",
            ParamType.NUMBER,
            default=0.5,
            minimum=0.0,
            maximum=1.0,
            open_minimum=True,
            help="The largest chance of being among the released rows.",
        ),
        *SUBSET,
    ),
    fit,
)
