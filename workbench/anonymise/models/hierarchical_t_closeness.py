"""t-closeness with hierarchical distances: values are as far apart as their lowest common label is high."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.closeness import CITATION, PARAMS, WithinDistance
from workbench.anonymise.privacy import Background, PrivacyModel, Sensitive
from workbench.core.errors import WorkbenchError


class WithinHierarchicalDistance(WithinDistance):
    """Mean over the levels below the root of the total variation between class and table at that level ≤ t.

    On a tree whose leaves all have depth H and whose edges are 1/(2H) long, two leaves that first meet h levels
    up are h/H apart, and the earth mover's distance is the sum over edges of length × |difference of what lies
    below|.
    """

    def __init__(self, column: str, t: float, reference: NDArray[np.int64], levels: list[NDArray[np.intp]]) -> None:
        self._levels = levels
        super().__init__(column, t, reference)

    def distances(self, classes: ClassTable) -> NDArray[np.float64]:
        total = np.zeros(len(classes))
        everything = np.arange(len(self.reference))
        for part, counts in self.counted(classes, everything):
            for labels in self._levels:
                order = np.argsort(labels, kind="stable")
                starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
                here = np.add.reduceat(counts[:, order], starts, axis=1) * self.rows
                here -= classes.sizes[part, None] * np.add.reduceat(self.reference[order], starts)
                total[part] += np.maximum(here, 0, out=here).sum(axis=1)
        return total / len(self._levels)

    def farthest(self) -> float:
        # At each level at most 1 minus the share of the rarest label.
        rest = 0.0
        for labels in self._levels:
            counts = np.bincount(labels, weights=self.reference)
            rest += 1.0 - float(counts[counts > 0].min()) / self.rows
        return rest / len(self._levels)


def levels_of(column: str, sensitive: Sensitive) -> list[NDArray[np.intp]]:
    """Per level below the root, the label of each value. If the top level has several labels, a root joins them.

    Raises
    ------
    WorkbenchError
        If there is no hierarchy, or it misses values.
    """
    hierarchy = sensitive.hierarchy
    if hierarchy is None:
        raise WorkbenchError(
            f"Hierarchical distances need a hierarchy of “{column}”.",
            hint=f"Give “{column}” a hierarchy, or use equal distances.",
            field=column,
        )
    missed = hierarchy.uncovered(sensitive.values)
    if missed:
        raise WorkbenchError(
            f"The hierarchy of “{column}” misses “{missed[0]}”, so it has no distance to other values.",
            hint="Add the missing values to the hierarchy.",
            field=column,
        )
    index = {value: position for position, value in enumerate(hierarchy.values)}
    ground = np.array([index[value] for value in sensitive.values], dtype=np.intp)
    top = hierarchy.height if len(hierarchy.labels[-1]) == 1 else hierarchy.height + 1
    return [hierarchy.maps[level][ground].astype(np.intp) for level in range(max(top, 1))]


def fit(values: Mapping[str, Any], background: Background) -> WithinHierarchicalDistance:
    column = str(values["column"])
    sensitive = background.sensitive[column]
    return WithinHierarchicalDistance(column, float(values["t"]), sensitive.counts, levels_of(column, sensitive))


PLUGIN = PrivacyModel(
    "hierarchical-t-closeness",
    "t-closeness, hierarchical distances",
    "The sensitive values of every class are distributed like those of the table, up to an earth mover's distance of "
    "t; values with a common label one level up are closer than those that meet only at the top.",
    CITATION,
    PARAMS,
    fit,
    needs_hierarchy=True,
)
