"""Summary statistics of each released column, before and after. From true rows: analyst only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.compared import Compared, Floats
from workbench.core.progress import SILENT, Progress
from workbench.core.quick_reading import read_values
from workbench.core.schema import Kind

_QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class NumberSummary:
    """Figures of numbers; nan where there are too few.

    `deviation` divides by one less than their count; quartiles lie on the line between neighbours, as is usual.
    """

    count: int
    mean: float
    deviation: float
    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float


@dataclass(frozen=True)
class ValueSummary:
    """One column, at one time.

    Parameters
    ----------
    count
        Rows with a value.
    distinct
        Different values or labels among them.
    mode, mode_share
        The most frequent of them and its share of `count`; "" and nan if there is none.
    missing, starred
        Share of all rows that have no value, and that have the `*` that says nothing; nan without rows.
    numbers
        Figures of the numbers the values or labels stand for; None if the column holds none.
    unread
        Share of `count` that stands for no number; 0 if the column holds none.
    """

    count: int
    distinct: int
    mode: str
    mode_share: float
    missing: float
    starred: float
    numbers: NumberSummary | None
    unread: float = 0.0


@dataclass(frozen=True)
class ColumnSummary:
    """One column before and after."""

    name: str
    kind: Kind
    before: ValueSummary
    after: ValueSummary


@dataclass(frozen=True)
class Summaries:
    """All released columns, and how many rows there were.

    `lost` is the share of the rows that is not in the release: suppressed, dropped or not sampled.
    """

    columns: tuple[ColumnSummary, ...]
    rows_before: int
    rows_after: int

    @property
    def lost(self) -> float:
        return 1 - self.rows_after / self.rows_before if self.rows_before else math.nan


def summarise(compared: Compared, progress: Progress = SILENT) -> Summaries:
    """Describe every released column before and after.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    found = []
    for position, name in enumerate(compared.names):
        progress(position / max(len(compared.names), 1))
        meaning = compared.meaning(name)
        before, after = compared.before(name), compared.after(name)
        known = read_values(before.values, meaning.spec) if meaning.spec.kind.numeric else None
        said = meaning.numbers(after.values) if meaning.spec.kind.numeric else None
        nothing = np.zeros(len(before.values), dtype=np.bool_)
        found.append(
            ColumnSummary(
                name,
                meaning.spec.kind,
                _summary(before.values, before.counts, meaning.no_value(before.values), nothing, known),
                _summary(
                    after.values,
                    after.counts,
                    meaning.no_value(after.values),
                    meaning.nothing_said(after.values),
                    said,
                ),
            )
        )
    progress(1.0)
    return Summaries(tuple(found), compared.rows_before, compared.rows_after)


def _summary(
    values: Sequence[str],
    counts: NDArray[np.int64],
    missing: NDArray[np.bool_],
    starred: NDArray[np.bool_],
    numbers: Floats | None,
) -> ValueSummary:
    rows = int(counts.sum())
    valued = np.where(missing | starred, 0, counts)
    count = int(valued.sum())
    most = int(np.argmax(valued)) if count else -1
    known = None if numbers is None else np.where(np.isfinite(numbers), valued, 0)
    return ValueSummary(
        count=count,
        distinct=int((valued > 0).sum()),
        mode=values[most] if count else "",
        mode_share=float(valued[most] / count) if count else math.nan,
        missing=float(counts[missing].sum() / rows) if rows else math.nan,
        starred=float(counts[starred].sum() / rows) if rows else math.nan,
        numbers=None if numbers is None or known is None else summarise_numbers(numbers, known),
        unread=float(1 - known.sum() / count) if known is not None and count else 0.0,
    )


def summarise_numbers(numbers: Floats, counts: NDArray[np.int64]) -> NumberSummary:
    """Figures of numbers that occur several times each.

    Parameters
    ----------
    numbers
        float64 of shape (values,).
    counts
        How often each occurs, shape (values,); numbers that are not finite must not occur.
    """
    used = np.flatnonzero(counts > 0)
    order = used[np.argsort(numbers[used], kind="stable")]
    ranked, weights = numbers[order], counts[order]
    total = int(weights.sum())
    if not total:
        return NumberSummary(0, *([math.nan] * 7))
    # Summed around the middle, else large numbers that lie close together lose their spread.
    centre = float(ranked[len(ranked) // 2])
    mean = float(((ranked - centre) * weights).sum() / total) + centre
    squares = float((((ranked - mean) ** 2) * weights).sum())
    ends = np.cumsum(weights)

    def at(place: int) -> float:
        return float(ranked[np.searchsorted(ends, place, side="right")])

    quarters = []
    for share in _QUARTERS:
        place = share * (total - 1)
        low = math.floor(place)
        high = min(low + 1, total - 1)
        quarters.append(at(low) + (place - low) * (at(high) - at(low)))
    deviation = math.sqrt(squares / (total - 1)) if total > 1 else math.nan
    lower, middle, upper = quarters
    return NumberSummary(total, mean, deviation, float(ranked[0]), lower, middle, upper, float(ranked[-1]))
