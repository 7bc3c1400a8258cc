"""The distinct values that a hierarchy is built over, and what they mean: numbers, orders, and which are missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.core.kinds import is_missing
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.core.value_orders import text_ranks


@dataclass(frozen=True)
class BuilderValues:
    """The distinct values a hierarchy is built over.

    Parameters
    ----------
    values
        Distinct texts.
    counts
        Rows per value, int64 of shape (len(values),); None if there is no data.
    column
        How to read them. Only what the person declared there (kind, format, missing, bounds, domain) is used.
    unseen
        Whether nobody has looked at them: a value that a rule calls wrong is then not covered, where it would stop
        everything.
    """

    values: tuple[str, ...]
    counts: NDArray[np.int64] | None
    column: ColumnSpec
    unseen: bool = False

    @classmethod
    def of(cls, column: Column, spec: ColumnSpec) -> BuilderValues:
        """The values that occur in a column, with their rows."""
        used = np.flatnonzero(column.counts > 0)
        spec = spec.declared()
        if len(used) == len(column.values):
            return cls(tuple(column.values), column.counts, spec)
        return cls(tuple([column.values[code] for code in used.tolist()]), column.counts[used], spec)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which values stand for "no value", shape (len(values),)."""
        absent = frozenset(self.column.missing)
        return np.fromiter((is_missing(value, absent) for value in self.values), np.bool_, len(self.values))

    @cached_property
    def present(self) -> NDArray[np.intp]:
        """Positions of the values that are not missing."""
        return np.flatnonzero(~self.missing)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """Every value as a number (dates: days, date-times: seconds since 1970), nan where it is none."""
        numbers = read_values(self.values, self.column)
        numbers[self.missing] = np.nan
        return numbers

    @cached_property
    def by_number(self) -> NDArray[np.intp]:
        """Positions of the values that are numbers or dates, rising."""
        order = np.argsort(self.numbers, kind="stable")
        return order[: len(order) - int(np.isnan(self.numbers).sum())]

    def text_ranks(self, order: str) -> NDArray[np.intp]:
        """The place of each value by its letters, in "plain", "natural" or "locale" order; remembered."""
        known = self._ranks.get(order)
        if known is None:
            known = self._ranks[order] = text_ranks(self.values, order)
        return known

    def within(
        self, covered: NDArray[np.intp], numbers: NDArray[np.float64], least: float | None, most: float | None
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """What a rule covers, with its numbers, without values beyond the ends that nobody has looked at."""
        if not self.unseen or (least is None and most is None):
            return covered, numbers
        there = (numbers >= (-np.inf if least is None else least)) & (numbers <= (np.inf if most is None else most))
        return covered[there], numbers[there]

    @cached_property
    def _ranks(self) -> dict[str, NDArray[np.intp]]:
        return {}

    def extended(self, more: Iterable[str]) -> BuilderValues:
        """The same with values that are listed though they may not occur."""
        extra = tuple(dict.fromkeys(more))
        if extra:
            known = set(self.values)
            extra = tuple(value for value in extra if value not in known)
        if not extra:
            return self
        counts = None if self.counts is None else np.r_[self.counts, np.zeros(len(extra), dtype=np.int64)]
        return BuilderValues((*self.values, *extra), counts, self.column, self.unseen)
