"""The optimal law of trimming: how many rows Z a group gives up.

Rows of a group are alike once they are generalised, so a release is one count per group. Trimming releases
max(0, n − Z) of the n rows of every group, with a Z of its own for each, and nothing of a group without rows. Nothing
is invented, and with one row per person no (ε, δ)-DP release that invents nothing keeps any group, or any number of
its rows, more often.

Clamping at 0 and groups without rows cost nothing extra, since a count is a function of n − Z; so one row costs what
shifting the law by one costs. A person with c rows, in whatever groups, is covered by group privacy.

Sources: Desfontaines, Voss, Gipson and Mandayam, Differentially private partition selection, PoPETs 2022(1).
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import overload

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.kept_results import kept_within
from workbench.core.number_text import estimate
from workbench.core.promised_ranges import checked_delta, checked_epsilon, checked_rows
from workbench.core.randomness import RandomSource
from workbench.core.rationals import float_above
from workbench.core.trim_weights import LONGEST, WORD, RowBounds, optimal_weights, row_bounds

_CHUNK = 1 << 20
_MOST_BYTES = 16 << 20
"""Of all laws that are kept: one of them may have 100,000 weights of some words each."""


@dataclass(frozen=True)
class TrimLaw:
    """The law of the number of rows that a group gives up: P[Z = z] = weights[z] / total.

    A law that does not keep (ε, δ) cannot be built: the constructor checks the weights in whole numbers and refuses.

    Parameters
    ----------
    epsilon, delta
        Of a person: ε in (0, 10], δ in (0, 1).
    rows_per_person
        The most rows c one person may have; public, never measured from the table.
    weights
        Whole numbers, at least 1 each, whose sum is a power of 2^64 and at least 2^64/δ of a row.

    Raises
    ------
    WorkbenchError
        If a number is out of range, or the weights do not keep (ε, δ).
    """

    epsilon: Fraction
    delta: Fraction
    rows_per_person: int
    weights: tuple[int, ...] = field(repr=False)

    def __post_init__(self) -> None:
        _check_range(self.epsilon, self.delta, self.rows_per_person)
        bounds = self._bounds
        bits = self.total.bit_length() - 1
        whole = bits >= WORD and bits % WORD == 0 and self.total == 1 << bits and min(self.weights) >= 1
        if not whole or self.total * bounds.delta < 1 << WORD or not bounds.covers(self.weights):
            raise WorkbenchError(
                f"These weights do not give ε = {estimate(float(self.epsilon), 6)} and "
                f"δ = {estimate(float(self.delta), 3)}.",
                hint="Take the weights of the optimal law.",
                field="weights",
            )

    @cached_property
    def _bounds(self) -> RowBounds:
        return row_bounds(self.epsilon, self.delta, self.rows_per_person)

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    @cached_property
    def cumulative(self) -> tuple[int, ...]:
        """P[Z ≤ z]·total, one per weight."""
        return tuple(accumulate(self.weights))

    @cached_property
    def mean_lost(self) -> float:
        """E[Z]: the rows that a group gives up on average, if it has that many."""
        return float(self._mean)

    @cached_property
    def _mean(self) -> Fraction:
        return Fraction(sum(z * weight for z, weight in enumerate(self.weights)), self.total)

    @cached_property
    def sd(self) -> float:
        """The standard deviation of Z, in rows."""
        squares = Fraction(sum(z * z * weight for z, weight in enumerate(self.weights)), self.total)
        return math.sqrt(squares - self._mean**2)

    @cached_property
    def mostly_lost(self) -> tuple[int, int]:
        """From how many to how many rows Z is in 19 of 20 groups at least: at most 1 in 40 is beyond either end."""
        low = next(z for z, upto in enumerate(self.cumulative) if 40 * upto > self.total)
        high = next(z for z, upto in enumerate(self.cumulative) if 40 * (self.total - upto) <= self.total)
        return low, high

    @cached_property
    def half_survive(self) -> int:
        """The smallest group that survives at least as often as not, in rows of the table."""
        return next(n for n, below in enumerate(self.cumulative, 1) if 2 * below >= self.total)

    @property
    def always_survive(self) -> int:
        """The smallest group that always survives, in rows of the table."""
        return len(self.weights)

    @cached_property
    def delta_exact(self) -> float:
        """δ at ε that these weights give, rounded up; with c > 1 rows per person it is what group privacy gives."""
        added, removed = self._bounds.excesses(self.weights)
        reached = Fraction(max(added, removed), self.total << self._bounds.bits)
        return float_above(reached * (self.delta / self._bounds.delta))

    @overload
    def keep(self, rows: int) -> float: ...

    @overload
    def keep(self, rows: NDArray[np.integer]) -> NDArray[np.float64]: ...

    def keep(self, rows: int | NDArray[np.integer]) -> float | NDArray[np.float64]:
        """The probability that something of a group of so many rows is released, P[Z < rows]; rows ≥ 0."""
        found = self._kept[np.minimum(rows, len(self.weights))]
        return float(found) if isinstance(rows, int) else found

    @cached_property
    def _kept(self) -> NDArray[np.float64]:
        total = self.total
        return np.array([0.0, *(below / total for below in self.cumulative)])

    def draw(self, source: RandomSource, groups: int) -> NDArray[np.int64]:
        """Z of each group, independent and with exactly this law; int64 of shape (groups,).

        Each Z looks up a uniform whole number below `total` among the sums of the weights. Its first 64 bits nearly
        always tell which; where they do not, the others are drawn.
        """
        rest = (self.total.bit_length() - 1) // WORD - 1
        sums = self.cumulative[:-1]
        heads = np.array([below >> rest * WORD for below in sums], dtype=np.uint64)
        found = np.empty(groups, dtype=np.int64)
        for start in range(0, groups, _CHUNK):
            stop = min(start + _CHUNK, groups)
            words = source.words(stop - start)
            places = np.searchsorted(heads, words, side="right")
            if len(heads):
                # A first word equal to that of a sum does not say on which side of it the number lies.
                for position in np.flatnonzero((places > 0) & (heads[places - 1] == words)).tolist():
                    number = int(words[position])
                    for word in source.words(rest).tolist():
                        number = number << WORD | word
                    places[position] = bisect_right(sums, number)
            found[start:stop] = places
        return found


def bytes_of(law: TrimLaw) -> int:
    """Size of the weights, of their sums and of the probabilities, be these made yet or not."""
    return len(law.weights) * 2 * (sys.getsizeof(law.total) + 16)


@kept_within(_MOST_BYTES, bytes_of)
def trim_law(epsilon: Fraction, delta: Fraction, rows_per_person: int = 1) -> TrimLaw:
    """The optimal law for (ε, δ) of a person with at most so many rows.

    Parameters
    ----------
    epsilon, delta
        As they were typed: 1/10, not the float next to it.

    Raises
    ------
    WorkbenchError
        If a number is out of range, or groups would have to give up too many rows.
    """
    _check_range(epsilon, delta, rows_per_person)
    weights = optimal_weights(row_bounds(epsilon, delta, rows_per_person))
    if weights is None:
        raise WorkbenchError(
            f"ε = {estimate(float(epsilon), 6)} and δ = {estimate(float(delta), 3)}"
            + (f" for a person with {rows_per_person:,} rows" if rows_per_person > 1 else "")
            + f" would take up to more than {LONGEST:,} rows from each group.",
            hint="Choose a larger ε or δ" + (", or fewer rows per person." if rows_per_person > 1 else "."),
            field="epsilon",
        )
    return TrimLaw(epsilon, delta, rows_per_person, weights)


def _check_range(epsilon: Fraction, delta: Fraction, rows: int) -> None:
    checked_epsilon(epsilon)
    checked_delta(delta)
    checked_rows(rows)
