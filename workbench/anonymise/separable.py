"""Losses that are added up attribute by attribute and then joined into one number."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.rollup import Levels
from workbench.anonymise.utility import Key, Loss, Setting, spread


class Aggregate(StrEnum):
    """How the losses x of the attributes become one number, wₐ the weights and m the number of attributes."""

    GEOMETRIC = "geometric"
    """Π(1 + wₐxₐ)^(1/m) − 1."""
    ARITHMETIC = "arithmetic"
    """Σ wₐxₐ / m."""
    SUM = "sum"
    """Σ wₐxₐ."""
    MAXIMUM = "maximum"
    """max wₐxₐ."""
    RANK = "rank"
    """The largest wₐxₐ decides; between equals the second largest, and so on."""


class SeparableLoss(Loss):
    """Per attribute a total over the rows, scaled to a loss; then all losses joined.

    The total of an attribute is `base(a)[level]` as if nothing were suppressed, plus a penalty for the suppressed
    rows, which depends on how many rows of each label they are.
    """

    def __init__(self, setting: Setting, aggregate: Aggregate) -> None:
        self.setting = setting
        self.aggregate = aggregate
        self._join: np.ufunc = {
            Aggregate.GEOMETRIC: np.multiply,
            Aggregate.ARITHMETIC: np.add,
            Aggregate.SUM: np.add,
            Aggregate.MAXIMUM: np.maximum,
            Aggregate.RANK: np.maximum,
        }[aggregate]
        positions = range(len(setting.attributes))
        self._base = [self.base(position) for position in positions]
        self._terms = [self._term(position, base) for position, base in enumerate(self._base)]
        # Also from below every coarser level, for metrics whose base may fall as levels rise.
        self._rising = [np.minimum.accumulate(term[::-1])[::-1] for term in self._terms]

    @abstractmethod
    def base(self, attribute: int) -> NDArray[np.float64] | NDArray[np.int64]:
        """The least total of an attribute at each level, whatever is suppressed; shape (height + 1,)."""

    @abstractmethod
    def scaled(self, attribute: int, totals: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """Totals as losses; must not fall when a total rises."""

    @abstractmethod
    def penalty(self, attribute: int, level: int, rows: NDArray[np.int64]) -> float:
        """What is added to the total when `rows[label]` rows of each label of the level are suppressed."""

    def penalties_below(self, attribute: int, level: int, low: int, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """A lower bound of the penalty at each level from `low` to `level` if at least `rows` are suppressed there."""
        return np.full(level - low + 1, self.penalty(attribute, level, rows) * (1 - 1e-12))

    def floor(self) -> NDArray[np.float64]:
        lattice = self.setting.lattice
        parts = [term[a : b + 1] for term, a, b in zip(self._terms, lattice.low, lattice.high, strict=True)]
        return spread(lattice, parts, self._join)

    def floor_from(self, levels: Levels) -> float:
        return self._joined([term[level] for term, level in zip(self._rising, levels, strict=True)])[0]

    def score(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> Key:
        return self._joined(self._terms_at(levels, classes, failing))

    def per_attribute(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> tuple[float, ...]:
        totals = self._totals_at(levels, classes, failing)
        return tuple(float(self.scaled(a, np.asarray([total]))[0]) for a, total in enumerate(totals))

    def below(
        self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp], lost: NDArray[np.int64]
    ) -> NDArray[np.float64] | float | None:
        if not len(failing):
            return None
        lattice = self.setting.lattice
        parts = []
        for position, (level, low) in enumerate(zip(levels, lattice.low, strict=True)):
            rows = self._by_label(position, level, classes, failing, lost)
            totals = self._base[position][low : level + 1] + self.penalties_below(position, level, low, rows)
            parts.append(self._term(position, totals))
        return spread(lattice, parts, self._join)

    def shown(self, key: Key) -> float:
        attributes = len(self.setting.attributes)
        if self.aggregate is Aggregate.GEOMETRIC:
            return float(key[0] ** (1.0 / attributes) - 1.0)
        if self.aggregate is Aggregate.ARITHMETIC:
            return float(key[0] / attributes)
        return float(key[0])

    def _terms_at(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> list[float]:
        if not len(failing):
            return [float(term[level]) for term, level in zip(self._terms, levels, strict=True)]
        totals = self._totals_at(levels, classes, failing)
        return [float(self._term(position, np.asarray([total]))[0]) for position, total in enumerate(totals)]

    def _totals_at(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> list[float]:
        lost = classes.sizes[failing]
        return [
            base[level] + (self.penalty(a, level, self._by_label(a, level, classes, failing, lost)) if len(failing) else 0)
            for a, (base, level) in enumerate(zip(self._base, levels, strict=True))
        ]

    def _by_label(
        self, attribute: int, level: int, classes: ClassTable, failing: NDArray[np.intp], lost: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        labels = classes.labels(attribute, failing)
        radix = self.setting.attributes[attribute].axis.radices[level]
        return np.bincount(labels, weights=lost, minlength=radix).astype(np.int64)

    def _term(self, attribute: int, totals: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        weighted = self.scaled(attribute, totals) * self.setting.attributes[attribute].weight
        return weighted + 1.0 if self.aggregate is Aggregate.GEOMETRIC else weighted

    def _joined(self, terms: Sequence[float]) -> Key:
        if self.aggregate is Aggregate.RANK:
            return tuple(sorted((float(term) for term in terms), reverse=True))
        whole = float(terms[0])
        for term in terms[1:]:
            if self._join is np.multiply:
                whole *= float(term)
            elif self._join is np.add:
                whole += float(term)
            else:
                whole = max(whole, float(term))
        return (whole,)


AGGREGATES = (
    (Aggregate.GEOMETRIC.value, "geometric mean"),
    (Aggregate.ARITHMETIC.value, "arithmetic mean"),
    (Aggregate.MAXIMUM.value, "maximum"),
    (Aggregate.RANK.value, "rank"),
)
