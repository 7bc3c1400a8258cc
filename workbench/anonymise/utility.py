"""Loss metrics: the interface of a metric, and a chosen metric with its parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.lattice import Lattice
from workbench.anonymise.rollup import AttributeNumbering, Levels
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.core.params import ParamSpec, filled
from workbench.core.plugins import Described, Registry
from workbench.core.typed_fields import Scalar, typed_fields

Key = tuple[float, ...]
"""Key that nodes are compared by, in the order of tuples: smaller is better."""

Bound = list[NDArray[np.float64]] | float | None
"""A lower bound for many nodes: terms per attribute and level that are to be joined, one number, or nothing."""


@dataclass(frozen=True, eq=False)
class Attribute:
    """A quasi-identifier as loss metrics see it.

    Parameters
    ----------
    name, weight
        The column, and how much its loss counts.
    height
        The highest level of its hierarchy.
    axis
        The numbering of its labels. At level 0 these are the values that occur.
    domain
        Number of values its hierarchy lists, whether they occur or not.
    shares
        Per level, how many values of the hierarchy each label stands for, int64.
    counts
        Per level, how many rows to be released have each label, int64.
    values
        The texts of level 0.
    labels
        Per level, the texts of the labels.
    spans
        Computes, per level, the smallest and the largest number under each label in the whole hierarchy, float64 of
        shape (labels, 2), and last those of the whole domain, shape (1, 2); values that are no numbers are left out.
    """

    name: str
    weight: float
    height: int
    axis: AttributeNumbering
    domain: int
    shares: tuple[NDArray[np.int64], ...]
    counts: tuple[NDArray[np.int64], ...]
    values: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    spans: Callable[[], tuple[NDArray[np.float64], ...]]

    @cached_property
    def _widest(self) -> dict[tuple[int, int], NDArray[np.int64]]:
        return {}

    def widest_share(self, level: int, finer: int) -> NDArray[np.int64]:
        """For each label of `level`, the largest share among the labels of level `finer` under it."""
        found = self._widest.get((level, finer))
        if found is None:
            found = np.zeros(self.axis.radices[level], dtype=np.int64)
            np.maximum.at(found, self.axis.up(finer, level), self.shares[finer])
            self._widest[level, finer] = found
        return found


@dataclass(frozen=True, eq=False)
class LossSetting:
    """The material of a loss metric: the columns, the nodes that come into question, and how many rows are released.

    Parameters
    ----------
    attributes
        The quasi-identifiers, in the order of levels.
    rows
        Rows to be released, at least 1.
    lattice
        The nodes that come into question.
    smallest_class
        The privacy models release no class with fewer rows.
    """

    attributes: tuple[Attribute, ...]
    rows: int
    lattice: Lattice
    smallest_class: int = 1


class FittedLoss(ABC):
    """A loss metric fitted to a table.

    Bounds are on the first component of the key. A bound that says nothing is 0, or None where that is allowed.
    """

    needs_ground = False
    """Whether `score` asks for the rows of level 0 behind a class."""

    join: np.ufunc = np.maximum
    """Operation that makes one bound of the terms of all attributes, from the first to the last."""

    @abstractmethod
    def floor(self) -> NDArray[np.float64]:
        """A lower bound for every node that needs no grouping, shape of the lattice."""

    @abstractmethod
    def floor_from(self, levels: Levels) -> float:
        """A lower bound for a node and everything above it."""

    @abstractmethod
    def score(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> Key:
        """The loss of a node of which the classes `failing` are suppressed."""

    def shown(self, key: Key) -> float:
        """The loss as people know it."""
        return key[0]

    def shown_bound(self, bound: float) -> float:
        """A bound on the scale of `shown`."""
        return self.shown((bound,))

    def per_attribute(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> tuple[float, ...]:
        """The loss of each attribute by itself; empty if the metric looks at whole rows only."""
        return ()

    def score_and_bound(
        self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp], lost: NDArray[np.int64]
    ) -> tuple[Key, Bound]:
        """The loss of a node, and a lower bound for everything below it.

        Parameters
        ----------
        failing, lost
            Classes of the node that are suppressed, and how many rows of each everything below must suppress at
            least.

        Returns
        -------
        tuple
            The key, and one bound for everything below, or one vector of terms per attribute over the levels from
            the lowest to that of the node, which joined make the bound of each node; or None.
        """
        return self.score(levels, classes, failing), None

    def above(self, levels: Levels, classes: ClassTable) -> float | None:
        """A lower bound for everything above a node, or None."""
        return None


@dataclass(frozen=True)
class LossMetric(Described):
    """One loss metric: the declaration that forms, flags and help are made from, and how to apply it."""

    params: tuple[ParamSpec, ...]
    fit: Callable[[Mapping[str, Any], LossSetting], FittedLoss]


@dataclass(frozen=True)
@typed_fields
class MetricChoice:
    """A loss metric with its parameters, such as `MetricChoice("loss", {"aggregate": "maximum"})`."""

    identifier: str = "loss"
    values: Mapping[str, Scalar] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> MetricChoice:
        """Read a choice as it is written in a command: `loss`, or `loss=maximum`.

        Raises
        ------
        WorkbenchError
            If there is no such metric or the value does not fit.
        """
        identifier, _, given = text.partition("=")
        metric = METRICS[identifier.strip()]
        parts = [part for part in given.split(",") if part.strip()]
        if len(parts) > len(metric.params):
            takes = ", ".join(spec.name for spec in metric.params) or "none"
            raise WorkbenchError(
                f"“{metric.identifier}” has {counted(len(metric.params), 'parameter')}, not {len(parts)}.",
                hint=f"Its parameters: {takes}.",
            )
        values = {spec.name: spec.parse(part) for spec, part in zip(metric.params, parts, strict=False)}
        return cls(metric.identifier, values)

    def typed(self) -> str:
        """The choice as `parse` reads it."""
        values = ",".join(map(str, filled(METRICS[self.identifier].params, dict(self.values)).values()))
        return f"{self.identifier}={values}" if self.values else self.identifier

    def fit(self, setting: LossSetting) -> FittedLoss:
        """The metric on a table.

        Raises
        ------
        WorkbenchError
            If there is no such metric, a parameter is wrong, or the metric does not apply to the table.
        """
        metric = METRICS[self.identifier]
        return metric.fit(filled(metric.params, dict(self.values)), setting)


METRICS: Registry[LossMetric] = Registry("loss metric", "workbench.anonymise.metrics", LossMetric)
"""Every loss metric there is."""


def spread(vectors: Sequence[NDArray[np.float64]], join: np.ufunc) -> NDArray[np.float64]:
    """One number per node, joined from one vector per attribute over its levels.

    Joining runs from the first attribute to the last, exactly as a loop over the attributes of one node would, so
    the two agree to the last bit.
    """
    whole = vectors[0]
    for vector in vectors[1:]:
        whole = join.outer(whole, vector)
    return whole
