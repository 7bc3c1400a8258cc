"""Bins over public bounds: equal widths, typed edges, whole numbers, calendar units."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.level_functions import plain_numbers
from workbench.core.number_text import exact
from workbench.core.schema import Kind

LARGEST_DOMAIN = 1_000_000
"""Values a domain may have."""

_LARGEST_WHOLE = float(1 << 53)
_DAY = 86400.0
_LONGEST_YEARS = (-62_135_596_800.0, 253_402_300_800.0)
"""Seconds since 1970 of the years 1 to 9999."""


class DateUnit(StrEnum):
    """Calendar units."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, eq=False)
class Bins:
    """Neighbouring intervals [a, b[ on the number line; the last one holds its upper edge too if `closed`.

    Parameters
    ----------
    edges
        Rising, shape (count + 1,).
    labels
        One text per bin.
    closed
        Whether the largest edge itself belongs to the last bin.
    whole
        Whether each bin is a single whole number, its lower edge.
    """

    edges: NDArray[np.float64]
    labels: tuple[str, ...]
    closed: bool = True
    whole: bool = False

    @property
    def count(self) -> int:
        return len(self.labels)

    @cached_property
    def middles(self) -> NDArray[np.float64]:
        """Values that the bins stand for, shape (count,)."""
        return self.edges[:-1].copy() if self.whole else (self.edges[:-1] + self.edges[1:]) / 2

    def locate(self, numbers: NDArray[np.float64]) -> NDArray[np.int64]:
        """The bin of each number; −1 below the first and `count` above the last."""
        found = np.searchsorted(self.edges, numbers, side="right").astype(np.int64) - 1
        if self.closed:
            found[numbers == self.edges[-1]] = self.count - 1
        return found


def equal_bins(low: float, high: float, count: int, *, date: Kind | None = None) -> Bins:
    """`count` bins of equal width from `low` to `high`, the edges exact before they are rounded once.

    Raises
    ------
    WorkbenchError
        If there are fewer than two bins or more than a domain may have, or two edges cannot be told apart.
    """
    _check_count(count)
    start, width = Fraction(repr(low)), (Fraction(repr(high)) - Fraction(repr(low))) / count
    edges = np.array([float(start + width * place) for place in range(count + 1)])
    return _intervals(edges, date)


def own_bins(edges: tuple[float, ...]) -> Bins:
    """Bins between the given edges.

    Raises
    ------
    WorkbenchError
        If there are fewer than three edges, or they are not finite or do not rise.
    """
    given = np.array(edges, dtype=np.float64)
    if len(given) < 3 or not np.isfinite(given).all() or not (np.diff(given) > 0).all():
        raise WorkbenchError(
            "The edges must be at least three finite numbers, each above the one before.",
            hint="For three bins write, for example, 0, 18, 65, 120.",
            field="edges",
        )
    _check_count(len(given) - 1)
    return _intervals(given, None)


def whole_bins(low: float, high: float) -> Bins:
    """Every whole number from `low` to `high`.

    Raises
    ------
    WorkbenchError
        If the bounds are not whole or there are more numbers than a domain may have.
    """
    if low != np.floor(low) or high != np.floor(high) or max(abs(low), abs(high)) >= _LARGEST_WHOLE:
        raise WorkbenchError(
            f"{exact(low)} and {exact(high)} are not whole numbers.",
            hint="Give whole bounds, or use bins.",
            field="bounds",
        )
    _check_count(int(high) - int(low) + 1)
    numbers = np.arange(int(low), int(high) + 1)
    return Bins(np.append(numbers, numbers[-1] + 1).astype(np.float64), tuple(map(str, numbers.tolist())), False, True)


def date_bins(low: float, high: float, unit: DateUnit, *, seconds: bool = False) -> Bins:
    """Every day, week (from Monday), month, quarter or year that has a part between `low` and `high`.

    Parameters
    ----------
    low, high
        Days since 1970-01-01, or seconds; the edges are in the same.

    Raises
    ------
    WorkbenchError
        If the bounds leave the years 1 to 9999 or there are more units than a domain may have.
    """
    scale = 1.0 if seconds else _DAY
    if not (_LONGEST_YEARS[0] <= low * scale < _LONGEST_YEARS[1] and _LONGEST_YEARS[0] <= high * scale):
        raise _not_dates()
    if high * scale >= _LONGEST_YEARS[1]:
        raise _not_dates()
    first, last = (np.datetime64(int(bound * scale // _DAY), "D") for bound in (low, high))
    if unit is DateUnit.DAY:
        starts = np.arange(first, last + 2)
        labels = np.datetime_as_string(starts[:-1]).tolist()
    elif unit is DateUnit.WEEK:
        monday = first - (first.astype(np.int64) + 3) % 7
        starts = np.arange(monday, last + 7 + 1, 7)
        starts = starts[: int(np.searchsorted(starts, last, side="right")) + 1]
        labels = [f"week of {start}" for start in starts[:-1]]
    else:
        months = {DateUnit.MONTH: 1, DateUnit.QUARTER: 3, DateUnit.YEAR: 12}[unit]
        begin = int(first.astype("M8[M]").astype(np.int64)) // months
        end = int(last.astype("M8[M]").astype(np.int64)) // months
        numbers = np.arange(begin, end + 2) * months
        starts = numbers.astype("M8[M]").astype("M8[D]")
        years, month = 1970 + numbers[:-1] // 12, numbers[:-1] % 12
        if unit is DateUnit.YEAR:
            labels = [f"{year:04}" for year in years.tolist()]
        elif unit is DateUnit.QUARTER:
            labels = [f"{year:04} Q{m // 3 + 1}" for year, m in zip(years.tolist(), month.tolist(), strict=True)]
        else:
            labels = [f"{year:04}-{m + 1:02}" for year, m in zip(years.tolist(), month.tolist(), strict=True)]
    _check_count(len(labels))
    edges = starts.astype("M8[D]").astype(np.int64).astype(np.float64) * (_DAY / scale)
    return Bins(edges, tuple(labels), False)


def _intervals(edges: NDArray[np.float64], date: Kind | None) -> Bins:
    if not (np.diff(edges) > 0).all():
        raise WorkbenchError("The bins are too narrow to tell their edges apart.", hint="Use fewer bins.", field="bins")
    texts = plain_numbers(edges) if date is None else _moments(edges, date)
    last = len(edges) - 2
    labels = (f"[{texts[i]}, {texts[i + 1]}{']' if i == last else '['}" for i in range(last + 1))
    return Bins(edges, tuple(labels))


def _moments(edges: NDArray[np.float64], kind: Kind) -> list[str]:
    seconds = edges * (_DAY if kind is Kind.DATE else 1.0)
    if not ((seconds >= _LONGEST_YEARS[0]) & (seconds < _LONGEST_YEARS[1])).all():
        raise _not_dates()
    moments = np.floor(seconds).astype(np.int64).astype("M8[s]")
    if (seconds % _DAY == 0).all():
        return [str(one) for one in moments.astype("M8[D]")]
    return [str(one).replace("T", " ") for one in moments]


def _check_count(count: int) -> None:
    if count < 2:
        raise WorkbenchError("There must be at least two bins.", hint="Use 2 or more.", field="bins")
    if count > LARGEST_DOMAIN:
        raise WorkbenchError(
            f"That would be {count:,} bins, more than {LARGEST_DOMAIN:,}.", hint="Use wider bins.", field="bins"
        )


def _not_dates() -> WorkbenchError:
    return WorkbenchError(
        "The bounds leave the years 1 to 9999.", hint="Give an earlier and a later date.", field="bounds"
    )
