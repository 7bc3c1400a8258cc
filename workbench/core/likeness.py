"""Likeness of tables: whether one shares at least half of its rows with another of which only a sketch is left.

Columns belong together by what is in them, and by their headings where several would do. What is counted is, for the
rows of the sketch, how many rows of the table are like them in these columns. Let a and b be the rows of the old and
of the new table that are like a row, and ρ the size of the new table divided by that of the old one.

- The mean of min(1, b/a) over the rows of the sketch is the share of the old rows that the new table has; both tables
  may have many rows alike, so this also counts rows that are alike by chance.
- The mean of b − ρ(a − 1) is that share without those that chance explains: if both tables were drawn from the same
  people independently, a and b would be Poisson with means λ and ρλ, E[ab] = ρλ² = ρE[a(a − 1)], and it would be 0.
- Where a few combinations make up most rows, that mean is too noisy. There b must be closer to ρa than it would be in
  999 of 1000 pairs of tables with half of their rows in common, by the quantile of χ².

Shares are of the smaller table. The first two must be a half and as much more as the sample may err; so two tables with
equal columns and less than half of their rows in common pass with a probability of about one in a thousand at most.
Where several columns are gone, rows that no other row is like tell the share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.core.sketch import HashedTable, Lookup, Sketch, noise

_SURE = 3.1
"""Deviations that one value in a thousand exceeds."""

_CHANCE = 0.001
_NOISY = 0.1
_HALF = 0.5
_MATCHES = 0.4
"""So much of a column must be in another one if these are to belong together: half the rows, and some that err."""

_FEW_APART = 2.5
"""Fewer rows than this in one table only, and two tables are nearly the same however few combinations there are."""

_SAME_HEADING = 0.1
"""Weight of the same heading beside how much columns are alike."""

_MARGIN, _MOST_MARGIN = 0.7, 0.35
"""Deviations by which rows that are alike by chance may err, and the most that is allowed for them."""

_SINGLE = 0.05
"""The least share of rows that no other row is like, for the share of rows in common to be told by these."""

_FEW = 0.01
"""If fewer rows than this occur less often, all rows occur so often because the table was put together so."""


@dataclass(frozen=True)
class _Pair:
    """A column of the sketch, the column of the table that belongs to it, and whether their headings are the same."""

    old: int
    new: str
    named: bool


def is_nearly_the_same(sketch: Sketch, hashed: HashedTable, progress: Progress = SILENT) -> bool:
    """Whether the table has at least half of its rows, or of those of the sketched table, in common with that one.

    The rows of the table are passed over only if the columns belong together.

    Parameters
    ----------
    sketch
        Of the other table, made with the same key.
    """
    pairs = _pairs(sketch, hashed)
    if not pairs or 2 * len(pairs) < min(len(sketch.names), len(hashed.narrow) + (sketch.wide >= 0)):
        return False
    chosen = list(_choices(pairs))
    lookups = [Lookup(frozenset(pair.new for pair in one), sketch.sums(pair.old for pair in one)) for one in chosen]
    # The columns as they are matched nearly always decide; the other choices cost about as much again.
    first = hashed.rows_like(lookups[:1], progress.part(0.0, 0.5))
    if _judged(sketch, hashed, chosen[0], first[0]):
        return True
    rest = hashed.rows_like(lookups[1:], progress.part(0.5, 1.0)) if len(lookups) > 1 else []
    return any(_judged(sketch, hashed, one, found) for one, found in zip(chosen[1:], rest, strict=True))


def _choices(pairs: Sequence[_Pair]) -> Iterator[tuple[_Pair, ...]]:
    """All pairs, and then without those that only look alike, one by one and all of them."""
    yield tuple(pairs)
    doubtful = [pair for pair in pairs if not pair.named]
    if len(doubtful) < len(pairs) and len(doubtful) > 1:
        yield tuple(pair for pair in pairs if pair.named)
    if len(pairs) > 1:
        for pair in doubtful:
            yield tuple(one for one in pairs if one is not pair)


# Columns


def _pairs(sketch: Sketch, hashed: HashedTable) -> list[_Pair]:
    """Which columns belong together: the most alike first, those with the same heading before others.

    None do if a column has another content under the same heading: then there are equal columns and other rows.
    """
    columns = list(hashed.narrow)
    names = dict(zip(columns, hashed.keyed.names(columns).tolist(), strict=True))
    left = [old for old in range(len(sketch.names)) if old != sketch.wide]
    others_fit = not left
    scores = [
        (_alike(sketch, old, hashed, new) + _SAME_HEADING * (names[new] == sketch.names[old]), old, new)
        for old in left
        for new in columns
    ]
    found = []
    for score, old, new in sorted(scores, key=lambda one: (-one[0], one[1], one[2])):
        named = bool(names[new] == sketch.names[old])
        if score - _SAME_HEADING * named >= _MATCHES and old in left and new in columns:
            found.append(_Pair(old, new, named))
            left.remove(old)
            columns.remove(new)
    if {names[new] for new in columns} & {int(sketch.names[old]) for old in left}:
        return []
    return [*found, *_wide_pair(sketch, hashed, columns, bool(found) or others_fit)]


def _wide_pair(sketch: Sketch, hashed: HashedTable, left: Sequence[str], others_fit: bool) -> list[_Pair]:
    """The column that belongs to the wide one of the sketch. To look into one takes time, so one is looked into."""
    if sketch.wide < 0 or not others_fit:
        return []
    columns = (*hashed.wide, *left)
    named = [name for name in columns if hashed.keyed.names([name])[0] == sketch.names[sketch.wide]]
    for name in (*named, *columns)[:1]:
        if _alike(sketch, sketch.wide, hashed, name) >= _MATCHES:
            return [_Pair(sketch.wide, name, bool(named))]
    return []


def _alike(sketch: Sketch, old: int, hashed: HashedTable, new: str) -> float:
    """How much of a column of the sketch is in a column of the table, at least as often as it may be expected."""
    used = np.flatnonzero(hashed.table[new].counts)
    values, rows = hashed.values(new)[used], hashed.table[new].counts[used]
    order = np.argsort(values)
    values, rows = values[order], rows[order]
    cells, expected = np.unique(sketch.cells[old], return_counts=True)
    starts, ends = np.searchsorted(values, cells), np.searchsorted(values, cells, side="right")
    summed = np.concatenate([[0], np.cumsum(rows)])
    there = summed[ends] - summed[starts]  # several texts may have one plain form
    least = np.maximum(1.0, (expected - _SURE * np.sqrt(expected)) * hashed.table.rows / sketch.size)
    least[expected <= 2 * _SURE**2] = 1.0
    # A part of a table has a part of its rare values, however alike it is.
    could = np.where(least > 1.0, 1.0, min(1.0, hashed.table.rows / sketch.rows))
    return min(1.0, float((expected * np.minimum(1.0, there / least)).sum() / (expected * could).sum()))


# Rows


def _judged(sketch: Sketch, hashed: HashedTable, pairs: Sequence[_Pair], rows: NDArray[np.int64]) -> bool:
    """Whether enough rows are in common, given how many rows of the table are like each row of the sketch."""
    ratio = hashed.table.rows / sketch.rows
    smaller = max(1.0, 1.0 / ratio)
    left_out = [old for old in range(len(sketch.names)) if all(pair.old != old for pair in pairs)]
    if len(left_out) > 1:
        return _judged_by_single_rows(sketch, hashed, pairs, rows, ratio)
    counts = sketch.counts[left_out[0] + 1 if left_out else 0].astype(np.float64)
    in_common = np.minimum(1.0, rows / counts).mean()
    if sketch.size == sketch.rows and sketch.rows * (1 + ratio - 2 * in_common) < _FEW_APART:
        return True
    share = in_common * smaller
    beyond_chance = (rows - ratio * (counts - 1)).mean() * smaller
    enough, sums = _enough(sketch, ratio), sketch.sums(pair.old for pair in pairs)
    if min(share, beyond_chance) < enough:
        return False
    several = counts > 1
    margin = min(_MARGIN * noise(counts, sums, ratio, several), _MOST_MARGIN)
    mostly_single = several.mean() <= _HALF
    if beyond_chance >= enough + margin and (mostly_single or noise(counts, sums, ratio) <= _NOISY):
        return True
    return not mostly_single and _closer_than_chance(counts, rows, sums, ratio)


def _judged_by_single_rows(
    sketch: Sketch, hashed: HashedTable, pairs: Sequence[_Pair], rows: NDArray[np.int64], ratio: float
) -> bool:
    """The same where it is not known how many old rows are alike, because several columns are gone.

    An old row is missing from the new table if it is not in common and no other row is like it, and a new row is
    single if no other row is like it: with a share s in common, the one is 1 − s times as frequent as the other.
    """
    names = [pair.new for pair in pairs]
    own = hashed.some_sums(names)
    (alike,) = hashed.rows_like([Lookup(frozenset(names), own)])
    single = float((alike <= np.quantile(alike, _FEW)).mean())
    if single < _SINGLE:
        return False
    missing = float((rows == 0).mean())
    spread = math.sqrt(missing * (1 - missing) / sketch.size + single * (1 - single) / len(own)) / single
    share = (1 - missing / single) * max(1.0, 1.0 / ratio)
    return share >= _enough(sketch, ratio) + _SURE * spread


def _enough(sketch: Sketch, ratio: float) -> float:
    """A half, and what a sample of the old rows may err by; of a table that is in the sketch whole, nothing."""
    seen = min(1.0, ratio)
    unseen = 1.0 - sketch.size / sketch.rows
    return _HALF + _SURE * math.sqrt(_HALF * (1 - _HALF * seen) / (sketch.size * seen) * unseen)


def _closer_than_chance(
    counts: NDArray[np.float64], rows: NDArray[np.int64], sums: NDArray[np.uint64], ratio: float
) -> bool:
    _, first = np.unique(sums, return_index=True)
    first = first[counts[first] > 1]
    expected = ratio * counts[first]
    distance = float(((rows[first] - expected) ** 2 / (expected * (1 + ratio))).sum())
    return distance <= _HALF * _low_quantile(len(first) - 1)


def _low_quantile(freedom: int) -> float:
    """Lower bound of the quantile at `_CHANCE` of a χ² with `freedom` degrees of freedom.

    From the tail of the density without its exponential, or from Wilson and Hilferty (1931).
    """
    if freedom < 1:
        return 0.0
    half = freedom / 2
    tail = 2 * math.exp((math.log(_CHANCE) + math.lgamma(half + 1)) / half)
    spread = 2 / (9 * freedom)
    return max(tail, freedom * max(0.0, 1 - spread - _SURE * math.sqrt(spread)) ** 3)
