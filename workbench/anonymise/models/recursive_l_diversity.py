"""Recursive (c, l)-diversity: the most frequent sensitive value of a class is not too frequent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.diversity import L, checked_l
from workbench.anonymise.privacy import COLUMN, ROUNDING, Background, ClassRequirement, PrivacyModel
from workbench.core.params import ParamSpec, ParamType


@dataclass(frozen=True)
class RecursiveDiversity(ClassRequirement):
    """r₁ < c·(r_l + r_{l+1} + …), r₁ ≥ r₂ ≥ … the counts of the sensitive values of a class."""

    column: str
    c: float
    least: int

    def holds(self, classes: ClassTable) -> NDArray[np.bool_]:
        holds: NDArray[np.bool_] = self._excess(classes) < 0
        return holds

    def least_lost(self, classes: ClassTable, failing: NDArray[np.intp]) -> NDArray[np.int64]:
        # Taking rows away lowers no count's rank sum: with a rows less, r₁ − a ≤ r₁' < c·tail' ≤ c·tail.
        sizes = classes.sizes[failing]
        lost = np.floor(self._excess(classes)[failing] - 1e-6) + 1
        clipped: NDArray[np.int64] = np.clip(lost, 1, sizes).astype(np.int64)
        return clipped

    @property
    def smallest_class(self) -> int:
        return self.least

    def _excess(self, classes: ClassTable) -> NDArray[np.float64]:
        """r₁ − c·tail of each class, taken as 0 where the two are equal but for rounding."""
        cells = classes.cells(self.column)
        order = np.lexsort((-cells.count, cells.owner))
        owner, count = cells.owner[order], cells.count[order]
        new = np.ones(len(owner), dtype=np.bool_)
        np.not_equal(owner[1:], owner[:-1], out=new[1:])
        starts = np.flatnonzero(new)
        rank = np.arange(len(owner)) - np.repeat(starts, np.diff(starts, append=len(owner)))
        top = np.zeros(len(classes))
        top[owner[starts]] = count[starts]
        in_tail = rank >= self.least - 1
        tail = np.bincount(owner[in_tail], weights=count[in_tail], minlength=len(classes))
        excess = top - self.c * tail
        excess[np.abs(excess) <= ROUNDING * top] = 0.0
        # A class without released rows is harmless.
        excess[classes.sizes == 0] = -1.0
        return excess


def fit(values: Mapping[str, Any], background: Background) -> RecursiveDiversity:
    return RecursiveDiversity(values["column"], float(values["c"]), int(checked_l(values, background)))


PLUGIN = PrivacyModel(
    "recursive-l-diversity",
    "Recursive (c, l)-diversity",
    "In every class the most frequent sensitive value occurs less than c times as often as all but the l − 1 most "
    "frequent ones together.",
    "A. Machanavajjhala et al.: l-Diversity, ACM TKDD 1(1), 2007.",
    (
        ParamSpec(
            "c",
            "c",
            ParamType.NUMBER,
            default=3.0,
            minimum=0.0,
            open_minimum=True,
            help="How many times as frequent as the rare values the most frequent one may be; smaller is stricter.",
        ),
        L,
        COLUMN,
    ),
    fit,
)
