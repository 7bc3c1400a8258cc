"""Facts about a column or a hierarchy from the true data. For the analyst only: none of it may be released."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.kinds import is_missing
from workbench.core.progress import SILENT, Progress
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column

BARS = 40
"""Bars of a histogram at most."""

_FREQUENT = 8
_CHUNK = 1 << 14
_NAMED_MISFITS = 5


@dataclass(frozen=True)
class ColumnFacts:
    """Counts of one column.

    Parameters
    ----------
    distinct
        Distinct values that occur, missing ones aside.
    missing
        Rows without a value.
    bars
        Rows per bar, int64 of shape (bars,): numbers and dates along their axis in bars of equal width, from
        `least` to `greatest`; anything else the most frequent values, falling.
    along_axis
        Which of the two it is.
    least, greatest
        The smallest and largest number or date as a number, nan if there is none.
    frequent
        The most frequent values with their rows, falling.
    misfits, misfit_count
        Values that occur but do not fit the column's kind: the first few, and how many distinct ones.
    misfit_rows
        How many rows hold one of them.
    repeats
        For each number of rows that some value has: how many values have it.
    two_ways
        How its numbers could be read as well, in words that may quote one; "" where they can be read in one way.
    """

    distinct: int
    missing: int
    bars: NDArray[np.int64]
    along_axis: bool
    least: float
    greatest: float
    frequent: tuple[tuple[str, int], ...]
    misfits: tuple[str, ...] = ()
    misfit_count: int = 0
    misfit_rows: int = 0
    repeats: tuple[tuple[int, int], ...] = ()
    two_ways: str = ""

    def rows_within(self, limit: int) -> int:
        """How many rows stay where of each value at most `limit` do; rows without a value do not."""
        return sum(min(times, limit) * values for times, values in self.repeats)

    @property
    def most_rows(self) -> int:
        """The largest number of rows that share one value."""
        return self.frequent[0][1] if self.frequent else 0


def column_facts(column: Column, spec: ColumnSpec, progress: Progress = SILENT) -> ColumnFacts:
    """Count what occurs in a column, read as `spec` says."""
    counts = column.counts
    progress(0.1)
    absent = frozenset(spec.missing)
    missing = np.fromiter((is_missing(value, absent) for value in column.values), np.bool_, len(counts))
    used = np.flatnonzero((counts > 0) & ~missing)
    weights = counts[used]
    progress(0.2)
    top = used[_largest(weights, _FREQUENT)]
    frequent = tuple((column.values[code], int(counts[code])) for code in top)
    along_axis = spec.kind.numeric or spec.kind.temporal
    least = greatest = float("nan")
    wrong = np.zeros(0, dtype=np.intp)
    bars = np.zeros(0, dtype=np.int64)
    if along_axis:
        numbers = _parsed(column, used, spec, progress.part(0.2, 0.9))
        fits = np.isfinite(numbers)
        wrong = used[~fits]
        if fits.any():
            least, greatest = float(numbers[fits].min()), float(numbers[fits].max())
            bars = _bars(numbers[fits], weights[fits], whole=spec.kind is Kind.INTEGER)
    else:
        bars = weights[_largest(weights, BARS)]
        wrong = _outside_domain(column, used, spec)
    progress(1.0)
    return ColumnFacts(
        distinct=len(used),
        missing=int(counts[missing].sum()),
        bars=bars,
        along_axis=along_axis,
        least=least,
        greatest=greatest,
        frequent=frequent,
        misfits=tuple(column.values[code] for code in wrong[:_NAMED_MISFITS].tolist()),
        misfit_count=len(wrong),
        misfit_rows=int(counts[wrong].sum()),
        repeats=tuple(zip(*(found.tolist() for found in np.unique(weights, return_counts=True)), strict=True)),
    )


def misfitting(column: Column, spec: ColumnSpec, progress: Progress = SILENT) -> NDArray[np.intp]:
    """The values that occur, are not missing and do not fit the kind, as rising codes.

    The same values as `workbench.core.kinds.misfits` finds. Of a kind that was chosen without saying how it is
    written, no value fits.
    """
    occurring = np.flatnonzero(column.counts > 0)
    if spec.kind.numeric or spec.kind.temporal:
        suspects = occurring[np.isnan(_parsed(column, occurring, spec, progress))]
    else:
        suspects = _outside_domain(column, occurring, spec)
    absent = frozenset(spec.missing)
    return np.array([code for code in suspects.tolist() if not is_missing(column.values[code], absent)], dtype=np.intp)


@dataclass(frozen=True)
class Coverage:
    """The values of the data that a hierarchy covers, and those it misses.

    Parameters
    ----------
    rows
        Rows per ground value of the hierarchy, int64 of shape (len(values),).
    uncovered
        Values that occur in the data and that the hierarchy does not list.
    uncovered_rows
        How many rows hold one of them.
    """

    rows: NDArray[np.int64]
    uncovered: tuple[str, ...]
    uncovered_rows: int

    def rows_per_label(self, hierarchy: Hierarchy, level: int) -> NDArray[np.int64]:
        """Rows per label of a level, int64 of shape (len(labels[level]),)."""
        return _add_up(hierarchy.maps[level], self.rows, len(hierarchy.labels[level]))


def coverage(hierarchy: Hierarchy, column: Column) -> Coverage:
    """Count the rows of each ground value, and find the values the hierarchy misses."""
    counts = column.counts
    index = {value: position for position, value in enumerate(hierarchy.values)}
    ground = np.fromiter((index.get(v, -1) for v in column.values), np.int64, len(column.values))
    listed = ground >= 0
    missed = np.flatnonzero(~listed & (counts > 0))
    return Coverage(
        rows=_add_up(ground[listed], counts[listed], len(hierarchy.values)),
        uncovered=tuple(column.values[code] for code in missed.tolist()),
        uncovered_rows=int(counts[missed].sum()),
    )


def _parsed(column: Column, codes: NDArray[np.intp], spec: ColumnSpec, progress: Progress) -> NDArray[np.float64]:
    numbers = np.full(len(codes), np.nan)
    for start in range(0, len(codes), _CHUNK):
        progress(start / len(codes))
        texts = [column.values[code] for code in codes[start : start + _CHUNK].tolist()]
        try:
            numbers[start : start + _CHUNK] = read_values(texts, spec)
        except WorkbenchError:
            return numbers  # The kind was chosen but not how it is written: then no value reads as it.
    return numbers


def _outside_domain(column: Column, codes: NDArray[np.intp], spec: ColumnSpec) -> NDArray[np.intp]:
    if spec.kind is not Kind.ORDERED or spec.domain is None:
        return np.zeros(0, dtype=np.intp)
    known = frozenset(spec.domain)
    return np.array([code for code in codes.tolist() if column.values[code] not in known], dtype=np.intp)


def _add_up(where: NDArray[np.integer], counts: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    # The sums are floats, which is exact for fewer than 2**53 rows.
    total: NDArray[np.int64] = np.bincount(where, weights=counts, minlength=length).astype(np.int64)
    return total


def _largest(counts: NDArray[np.int64], most: int) -> NDArray[np.intp]:
    """Positions of the largest counts, falling; equal ones in their order."""
    if len(counts) > 4 * most:
        # Sorting a million counts only to look at the first few would be a waste.
        bound = np.partition(counts, len(counts) - most)[len(counts) - most]
        candidates = np.flatnonzero(counts >= bound)
    else:
        candidates = np.arange(len(counts))
    order = np.argsort(-counts[candidates], kind="stable")
    return candidates[order][:most]


def _bars(numbers: NDArray[np.float64], weights: NDArray[np.int64], *, whole: bool) -> NDArray[np.int64]:
    least, greatest = numbers.min(), numbers.max()
    if least == greatest:
        return np.array([weights.sum()], dtype=np.int64)
    span = greatest - least
    if whole:
        # Every bar covers equally many whole numbers; cutting the range in equal parts would not see to that.
        width = np.ceil((span + 1) / BARS)
        place = ((numbers - least) // width).astype(np.int64)
        return _add_up(place, weights, int(span // width) + 1)
    place = np.minimum(((numbers - least) / span * BARS).astype(np.int64), BARS - 1)
    return _add_up(place, weights, BARS)
