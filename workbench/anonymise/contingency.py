"""Two columns at once, before and after: how many rows have which pair. From true rows: analyst only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.compared import Compared, Meaning
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column

MOST = 12
"""Values of a column that have a row or column of their own; the rest are put together."""

_COUNTABLE = 1 << 22


@dataclass(frozen=True, eq=False)
class CrossTable:
    """The number of rows with each pair of values.

    Parameters
    ----------
    first, second
        The values that head the rows and the columns.
    others_first, others_second
        How many more values the last row and the last column put together; 0 if every value has its own.
    counts
        Rows of the data, int64 of shape (len(first) + (others_first > 0), len(second) + (others_second > 0)).
    association
        Cramér's V over all values, 0 for independent columns to 1; nan if a column has one value only.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    others_first: int
    others_second: int
    counts: NDArray[np.int64]
    association: float

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    @property
    def shares(self) -> NDArray[np.float64]:
        """The counts as shares of all rows, 0 if there are none."""
        return self.counts / max(self.total, 1)


@dataclass(frozen=True, eq=False)
class Contingency:
    """Two columns before and after.

    Parameters
    ----------
    first, second
        The columns.
    before, after
        The rows that were to be released, as they were read, and the rows that went out.
    grouped
        The rows before, with the released labels: what generalising alone leaves. It has the rows and columns of
        `after` wherever these occur.
    difference
        Total variation distance between the shares of all pairs of labels in `grouped` and in `after`: the share
        of rows that would have to move. 0 to 1, nan if no row went out.
    """

    first: str
    second: str
    before: CrossTable
    grouped: CrossTable
    after: CrossTable
    difference: float


def cross(compared: Compared, first: str, second: str, most: int = MOST, progress: Progress = SILENT) -> Contingency:
    """Count the pairs of two columns before and after.

    Parameters
    ----------
    most
        Values of each column that are shown by themselves, the most frequent ones.

    Raises
    ------
    WorkbenchError
        If a column is not in the release, or both are the same.
    Cancelled
        If the progress was cancelled.
    """
    if first == second:
        raise WorkbenchError("The two columns are the same.", hint="Choose two different columns.", field="second")
    meanings = compared.meaning(first), compared.meaning(second)
    progress(0.1)
    after = _Pairs.of(compared.after(first), compared.after(second))
    progress(0.4)
    grouped = _Pairs.of(compared.grouped(first), compared.grouped(second))
    progress(0.7)
    before = _Pairs.of(compared.before(first), compared.before(second))
    progress(0.9)
    # The labels before and after are the same, so that one can be laid on the other; the most frequent before
    # decide, since after many may be gone.
    heads = tuple(
        _heads(meaning, grouped.totals(side), after.totals(side), most) for side, meaning in enumerate(meanings)
    )
    return Contingency(
        first,
        second,
        before.table(*(_heads(meaning, before.totals(side), {}, most) for side, meaning in enumerate(meanings))),
        grouped.table(*heads),
        after.table(*heads),
        grouped.distance(after),
    )


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The pairs that occur: texts of both columns, positions in them, and the rows of each pair."""

    texts: tuple[tuple[str, ...], tuple[str, ...]]
    codes: tuple[NDArray[np.int64], NDArray[np.int64]]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, first: Column, second: Column) -> _Pairs:
        width = max(len(second.values), 1)
        key = first.codes.astype(np.int64) * width + second.codes
        if len(first.values) * width <= max(_COUNTABLE, 2 * len(key)):
            totals = np.bincount(key, minlength=1)
            used = np.flatnonzero(totals)
            counts = totals[used]
        else:
            used, counts = np.unique(key, return_counts=True)
        return cls((first.values, second.values), (used // width, used % width), counts.astype(np.int64))

    def totals(self, side: int) -> dict[str, int]:
        """Rows per text of one column, those that occur."""
        sums = np.bincount(self.codes[side], weights=self.counts, minlength=len(self.texts[side]))
        found: dict[str, int] = {}
        for text, rows in zip(self.texts[side], sums.tolist(), strict=True):
            if rows:
                found[text] = found.get(text, 0) + round(rows)
        return found

    def table(self, first: tuple[tuple[str, ...], int], second: tuple[tuple[str, ...], int]) -> CrossTable:
        (rows, more_rows), (columns, more_columns) = first, second
        places = [_places(texts, heads) for texts, heads in zip(self.texts, (rows, columns), strict=True)]
        counts = np.zeros((len(rows) + 1, len(columns) + 1), dtype=np.int64)
        np.add.at(counts, (places[0][self.codes[0]], places[1][self.codes[1]]), self.counts)
        shown = counts[: len(rows) + (more_rows > 0), : len(columns) + (more_columns > 0)]
        return CrossTable(rows, columns, more_rows, more_columns, shown, self.association())

    def association(self) -> float:
        """Cramér's V: √(χ²/n ÷ (least number of values − 1)), χ²/n = Σ n_ij²/(r_i c_j) − 1."""
        total = int(self.counts.sum())
        sums = [
            np.bincount(codes, weights=self.counts, minlength=len(texts))
            for codes, texts in zip(self.codes, self.texts, strict=True)
        ]
        least = min(int((one > 0).sum()) for one in sums)
        if least < 2:
            return math.nan
        expected = sums[0][self.codes[0]] * (sums[1][self.codes[1]] / total)
        # As a sum over the pairs that occur; those that do not each add their expectation.
        missing = total - float(expected.sum())
        chi = float(((self.counts - expected) ** 2 / expected).sum()) + max(missing, 0.0)
        return min(1.0, math.sqrt(chi / total / (least - 1)))

    def distance(self, other: _Pairs) -> float:
        """Total variation distance between the shares of the pairs."""
        if not len(self.counts) or not len(other.counts):
            return math.nan
        shares: dict[tuple[str, str], float] = {}
        for pairs, sign in ((self, 1.0), (other, -1.0)):
            total = float(pairs.counts.sum())
            first, second = pairs.texts
            for i, j, rows in zip(pairs.codes[0].tolist(), pairs.codes[1].tolist(), pairs.counts.tolist(), strict=True):
                pair = first[i], second[j]
                shares[pair] = shares.get(pair, 0.0) + sign * rows / total
        return sum(map(abs, shares.values())) / 2


def _places(texts: Sequence[str], heads: Sequence[str]) -> NDArray[np.intp]:
    index = {text: place for place, text in enumerate(heads)}
    return np.fromiter((index.get(text, len(heads)) for text in texts), np.intp, len(texts))


def _heads(meaning: Meaning, totals: dict[str, int], others: dict[str, int], most: int) -> tuple[tuple[str, ...], int]:
    """The values to show, in their order, and how many more there are."""
    known = {**dict.fromkeys(others, 0), **totals}
    ranked = sorted(known, key=lambda text: (-known[text], text))
    # One more than allowed needs no row of its own to be put together in.
    shown = ranked if len(ranked) <= most + 1 else ranked[:most]
    counts = np.array([known[text] for text in shown], dtype=np.int64)
    order = meaning.order(shown, counts)
    return tuple(shown[place] for place in order.tolist()), len(ranked) - len(shown)
