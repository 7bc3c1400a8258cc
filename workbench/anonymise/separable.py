"""Losses that are added up attribute by attribute and then joined into one number."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.rollup import Levels
from workbench.anonymise.utility import Bound, FittedLoss, Key, LossSetting, spread


class Aggregate(StrEnum):
    """The rule that makes one number of the losses x of m attributes, with their weights wₐ."""

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


class SeparableLoss(FittedLoss):
    """Per attribute a total over the rows, scaled to a loss; then all losses joined.

    The total of an attribute is `base(a)[level]` as if nothing were suppressed, plus a penalty for the suppressed
    rows, which depends on how many rows of each label they are.
    """

    exact_bounds = False
    """Whether the last of `penalties_below` is `penalty` to the last bit."""

    def __init__(self, setting: LossSetting, aggregate: Aggregate) -> None:
        self.setting = setting
        self.aggregate = aggregate
        self.join = {
            Aggregate.GEOMETRIC: np.multiply,
            Aggregate.ARITHMETIC: np.add,
            Aggregate.SUM: np.add,
            Aggregate.MAXIMUM: np.maximum,
            Aggregate.RANK: np.maximum,
        }[aggregate]
        attributes = range(len(setting.attributes))
        self._every = np.arange(len(setting.attributes))
        self._weights = np.array([one.weight for one in setting.attributes])
        self._base = [np.asarray(self.base(attribute), dtype=np.float64) for attribute in attributes]
        self._terms = [self._term(np.full(len(base), a), base) for a, base in enumerate(self._base)]
        # The least from each level on, for metrics whose base may fall as levels rise.
        self._rising = [np.minimum.accumulate(term[::-1])[::-1] for term in self._terms]

    @abstractmethod
    def base(self, attribute: int) -> NDArray[np.float64] | NDArray[np.int64]:
        """The least total of an attribute at each level, whatever is suppressed; shape (height + 1,)."""

    @abstractmethod
    def scaled(self, attributes: NDArray[np.intp], totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Totals as losses, each of the attribute with the number beside it; must not fall when a total rises."""

    @abstractmethod
    def penalty(self, attribute: int, level: int, rows: NDArray[np.float64]) -> float:
        """Penalty added to the total when `rows[label]` rows of each label of the level are suppressed."""

    def penalties_below(self, attribute: int, level: int, low: int, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """A lower bound of the penalty at each level from `low` to `level` if at least `rows` are suppressed there."""
        return np.full(level - low + 1, self.penalty(attribute, level, rows) * (1 - 1e-12))

    def floor(self) -> NDArray[np.float64]:
        lattice = self.setting.lattice
        parts = [term[a : b + 1] for term, a, b in zip(self._terms, lattice.low, lattice.high, strict=True)]
        return spread(parts, self.join)

    def floor_from(self, levels: Levels) -> float:
        return self._joined([float(term[level]) for term, level in zip(self._rising, levels, strict=True)])[0]

    def score(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> Key:
        if not len(failing):
            return self._joined(self._without_penalty(levels))
        return self._scored(self._totals(levels, classes.marginals(failing, classes.sizes[failing])))

    def score_and_bound(
        self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp], lost: NDArray[np.int64]
    ) -> tuple[Key, Bound]:
        if not len(failing):
            return self._joined(self._without_penalty(levels)), None
        sizes = classes.sizes[failing]
        rows = classes.marginals(failing, sizes)
        if np.array_equal(sizes, lost):
            bound = self._bound(levels, rows)
            if self.exact_bounds:
                # What is lost below is lost here, so each attribute's last bound is what the node itself costs.
                return self._joined([float(terms[-1]) for terms in bound]), bound
            return self._scored(self._totals(levels, rows)), bound
        key = self._scored(self._totals(levels, rows))
        return key, self._bound(levels, classes.marginals(failing, lost))

    def per_attribute(self, levels: Levels, classes: ClassTable, failing: NDArray[np.intp]) -> tuple[float, ...]:
        rows = classes.marginals(failing, classes.sizes[failing])
        return tuple(self.scaled(self._every, self._totals(levels, rows)).tolist())

    def shown(self, key: Key) -> float:
        attributes = len(self.setting.attributes)
        if self.aggregate is Aggregate.GEOMETRIC:
            return float(key[0] ** (1.0 / attributes) - 1.0)
        if self.aggregate is Aggregate.ARITHMETIC:
            return float(key[0] / attributes)
        return float(key[0])

    def of_totals(self, totals: NDArray[np.float64]) -> tuple[float, tuple[float, ...]]:
        """The loss if these are the totals of the attributes, and that of each attribute by itself."""
        return self.shown(self._scored(totals)), tuple(self.scaled(self._every, totals).tolist())

    def _without_penalty(self, levels: Levels) -> list[float]:
        return [float(term[level]) for term, level in zip(self._terms, levels, strict=True)]

    def _totals(self, levels: Levels, rows: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        return np.array(
            [
                base[level] + self.penalty(attribute, level, rows[attribute])
                for attribute, (base, level) in enumerate(zip(self._base, levels, strict=True))
            ]
        )

    def _scored(self, totals: NDArray[np.float64]) -> Key:
        return self._joined(self._term(self._every, totals).tolist())

    def _bound(self, levels: Levels, rows: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
        """The bound of everything below a node, of which at least `rows` of each label are suppressed."""
        lows = self.setting.lattice.low
        totals = [
            base[low : level + 1] + self.penalties_below(attribute, level, low, rows[attribute])
            for attribute, (base, level, low) in enumerate(zip(self._base, levels, lows, strict=True))
        ]
        lengths = [len(part) for part in totals]
        terms = self._term(np.repeat(self._every, lengths), np.concatenate(totals))
        ends = np.cumsum(lengths).tolist()
        return [terms[end - length : end] for end, length in zip(ends, lengths, strict=True)]

    def _term(self, attributes: NDArray[np.intp], totals: NDArray[np.float64]) -> NDArray[np.float64]:
        weighted = self.scaled(attributes, totals) * self._weights[attributes]
        terms: NDArray[np.float64] = weighted + 1.0 if self.aggregate is Aggregate.GEOMETRIC else weighted
        return terms

    def _joined(self, terms: Sequence[float]) -> Key:
        if self.aggregate is Aggregate.RANK:
            return tuple(sorted(terms, reverse=True))
        whole = terms[0]
        for term in terms[1:]:
            if self.join is np.multiply:
                whole *= term
            elif self.join is np.add:
                whole += term
            else:
                whole = max(whole, term)
        return (whole,)


AGGREGATES = (
    (Aggregate.GEOMETRIC.value, "geometric mean"),
    (Aggregate.ARITHMETIC.value, "arithmetic mean"),
    (Aggregate.MAXIMUM.value, "maximum"),
    (Aggregate.RANK.value, "rank"),
)
