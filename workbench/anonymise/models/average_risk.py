"""Average re-identification risk: the marketer risk, classes divided by rows, is at most a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.privacy import ROUNDING, Background, PrivacyModel, TableRequirement
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.params import ParamSpec, ParamType


@dataclass(frozen=True)
class AverageRiskAtMost(TableRequirement):
    """Released classes / released rows ≤ threshold, reached by suppressing the smallest classes, size by size.

    Classes of equal size are treated alike, so what is suppressed does not depend on any order.
    """

    threshold: float

    def smallest_kept(self, sizes: NDArray[np.int64]) -> int:
        ordered = np.sort(sizes[sizes > 0])
        fine = self._fine(ordered)
        # Only at the first class of a size is everything of that size kept or dropped together.
        fine[1:] &= ordered[1:] != ordered[:-1]
        first = np.flatnonzero(fine)
        if len(first):
            return int(ordered[first[0]])
        return int(ordered[-1]) + 1 if len(ordered) else 1

    def least_lost(self, sizes: NDArray[np.int64]) -> int:
        # If a finer node meets the demand, so do the classes here that hold the rows it keeps: no more of them, and no
        # fewer rows. Dropping the smallest classes one by one is the cheapest way to meet it.
        ordered = np.sort(sizes[sizes > 0])
        first = np.flatnonzero(self._fine(ordered))
        return int(ordered[: first[0] if len(first) else len(ordered)].sum())

    def _fine(self, ordered: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the classes from each position on meet the demand."""
        rows = np.cumsum(ordered[::-1])[::-1]
        classes = np.arange(len(ordered), 0, -1)
        return classes <= rows * (self.threshold * (1 + ROUNDING))


def fit(values: Mapping[str, Any], background: Background) -> AverageRiskAtMost:
    threshold = float(values["threshold"])
    if threshold * background.rows < 1 - 1e-9:
        raise WorkbenchError(
            f"An average risk of {exact(threshold)} cannot be reached with so few rows.",
            hint="Choose a larger one: it is at least one in as many as there are rows.",
            field="threshold",
        )
    return AverageRiskAtMost(threshold)


PLUGIN = PrivacyModel(
    "average-risk",
    "Average risk",
    "An attacker who links every released row to somebody is right for at most this share of them: the number of "
    "classes divided by the number of rows.",
    "F. K. Dankar, K. El Emam: A method for evaluating marketer re-identification risk, PAIS 2010.",
    (
        ParamSpec(
            "threshold",
            "Largest average risk",
            ParamType.NUMBER,
            default=0.05,
            minimum=0.0,
            maximum=1.0,
            open_minimum=True,
            help="0.05 means classes of 20 rows on average.",
        ),
    ),
    fit,
)
