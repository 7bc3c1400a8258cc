"""Balanced steps: a chain of levels that coarsens whatever column has most labels left, by a rule without the data.

By degree all columns are coarsened together, so what has two values is `*` as soon as what has a hundred is in tens.
Here the column with most labels left is coarsened next, and a column becomes `*` late: it then counts half as much,
and more if it is to be given up first. One that is to be kept longest counts less at every level. Of this path the
steps are those that are likely to tell most of the rows there are about, as tables may lie. What is to be kept longest
has one level in all of them, or is `*`: whoever counts by it must not find finer and coarser labels beside each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise._trim_solving import rows_needed
from workbench.anonymise.assumed_spread import FLAT, STEEP, going_together, rows_kept
from workbench.anonymise.chains import EXPECTED_ROWS, parts_of
from workbench.core.worded import Worded

BALANCED_STEPS = 3
"""Steps where nobody says how many."""

_TRIED = 48
"""Places of the path that are tried at most; of a longer one as many, evenly spread."""
_TOGETHER = 3
"""So many steps are tried with each other; of more, each further one beside those that are best."""
_DIGITS = 9
"""Sums that are equal but for rounding must lead to the same steps on every machine."""


class Importance(Worded):
    """The order in which balanced steps give a column up, until it becomes `*`."""

    KEEP = "keep", "Matters most"
    NORMAL = "normal", "Automatic"
    GIVE_UP = "give up", "Matters least"


_LAST_COUNTS = {Importance.KEEP: 1 / 8, Importance.NORMAL: 1 / 2, Importance.GIVE_UP: 4.0}
"""By what the logarithm of the labels left is multiplied where the next level of a column says nothing."""
_KEPT = 1 / 4
"""By what that logarithm is multiplied at every other level of a column that is to be kept longest."""
_COUNTS = {Importance.KEEP: 3.0, Importance.NORMAL: 1.0, Importance.GIVE_UP: 1 / 4}
"""How much it counts that a column tells something."""
_DETAILS = {Importance.KEEP: 2 / 5}
"""The power of 1/labels that a label leaves open, 1 of others: of what is to be kept longest finer levels tell more."""


_Labels = tuple[tuple[str, tuple[int, ...]], ...]
_Weighed = tuple[tuple[str, Importance], ...]
_Levels = tuple[tuple[str, int], ...]
_Places = NDArray[np.intp]


def balanced_chain(
    labels: Mapping[str, Sequence[int]],
    importance: Mapping[str, Importance],
    *,
    steps: int,
    epsilon: float,
    delta: float,
    rows_per_person: int = 1,
    rows: int | None = None,
    limits: Mapping[str, tuple[int, int]] | None = None,
) -> tuple[dict[str, int], ...]:
    """Levels of each step, the finest first; neighbours may be alike, and are one step with the shares of both then.

    The steps are those of the path at which the rows tell most, a mean over four tables: of groups that are as many as
    can be, or as columns that go together have, and those of rank r with rows in proportion to r^−0.9 or r^−0.3. What
    a row tells is the mean of 1 − 1/labels over the columns, 0 if it does not come out: no more than one part in so
    many of what can occur is left open. Of columns that are to be kept longest it is 1 − labels^(−2/5), by which twice
    as many labels are worth more rows; beside them others count only in groups that are as many as can be, so that no
    ε is spent on the chance that columns go together, for what nobody asked for. (ε, δ) has as many shares as there may
    be steps, and a step one or several.

    Parameters
    ----------
    labels
        Of each column, how many labels it has at level 0, 1, … as far as that is public (`core.public_sizes`).
    importance
        Of columns that are not normal. To tell what is to be kept longest counts three times, what is given up a
        quarter.
    steps
        How many at most, 1 to 6.
    epsilon, delta, rows_per_person
        The promise, and how many rows one person may have.
    rows
        How many rows the table has about, from public knowledge; 10,000 are taken if nobody typed it.
    limits
        Lowest and highest level of a column.
    """
    if not labels:
        return ({},) * steps
    known = tuple((name, tuple(sizes)) for name, sizes in labels.items())
    weighed = tuple(importance.items())
    path = _path(known, weighed, tuple((limits or {}).items()))
    lost = tuple(
        float(rows_needed(epsilon * part / steps, delta * part / steps, rows_per_person)[0])
        for part in range(1, steps + 1)
    )
    places = _best(path, known, weighed, lost, float(EXPECTED_ROWS if rows is None else rows))
    return tuple(dict(path[place]) for place in places)


class _Telling:
    """What chains of places of a path are likely to tell of the rows there are about."""

    def __init__(self, path: Sequence[_Levels], known: _Labels, weighed: _Weighed, rows: float) -> None:
        labels, importance = dict(known), dict(weighed)
        counts = np.array([_COUNTS[importance.get(name, Importance.NORMAL)] for name, _ in known])
        sizes = np.array([[labels[name][level] for name, level in levels] for levels in path], dtype=np.float64)
        self._rows = rows
        powers = np.array([_DETAILS.get(importance.get(name, Importance.NORMAL), 1.0) for name, _ in known])
        each = 1 - sizes**-powers
        kept = np.array([importance.get(name) is Importance.KEEP for name, _ in known])
        # For what nobody asked for nothing is spent on the chance that columns go together.
        together = counts * kept if kept.any() else counts
        tells = [each @ some / counts.sum() for some in (counts, together)]
        with np.errstate(over="ignore"):  # of hundreds of columns there are more groups than a float holds
            spread = zip((sizes.prod(axis=1), going_together(sizes)), tells, strict=True)
            self._tables = [(groups, told, steep) for groups, told in spread for steep in (STEEP, FLAT)]

    def of(self, chain: Sequence[_Places], lost: Sequence[float]) -> NDArray[np.float64]:
        """The sum over the tables.

        Parameters
        ----------
        chain
            For each step its places, arrays that go together.
        lost
            For each step the rows that a group gives up.
        """
        told = np.zeros(chain[0].shape)
        for groups, tells, steep in self._tables:
            left: NDArray[np.float64] = np.full(chain[0].shape, self._rows)
            for places, given_up in zip(chain, lost, strict=True):
                kept = rows_kept(left, groups[places], given_up, steep)
                left, told = left - kept, told + kept * tells[places]
        return np.round(told / self._rows, _DIGITS)


@lru_cache(maxsize=64)
def _best(
    path: tuple[_Levels, ...], known: _Labels, weighed: _Weighed, lost: tuple[float, ...], rows: float
) -> tuple[int, ...]:
    """The places of the steps on the path, ascending; one that has several shares is repeated as often.

    Parameters
    ----------
    lost
        Rows that a group gives up at a step of 1, 2, … shares.
    """
    tried = np.unique(np.linspace(0, len(path) - 1, min(_TRIED, len(path))).round().astype(np.intp))
    telling = _Telling([path[place] for place in tried], known, weighed, rows)
    may_follow = _may_follow([path[place] for place in tried], known, weighed)
    steps, found = len(lost), []
    for many in range(1, min(steps, _TOGETHER, len(tried)) + 1):
        every = np.indices((len(tried),) * many)
        rising = np.all(every[:-1] < every[1:], axis=0) & np.all(may_follow[every[:-1], every[1:]], axis=0)
        if not rising.any():
            break
        chains = [axis[rising] for axis in every]
        for shares in parts_of(steps, many):
            told = telling.of(chains, [lost[share - 1] for share in shares])
            best = _last_best(told)
            found.append((float(told[best]), -many, [int(axis[best]) for axis in chains], shares))
    if _TOGETHER < steps <= len(tried):
        more = _with_more(telling, max(found)[2], steps, may_follow, lost[0])
        found += [more] if more is not None else []
    _, _, chain, shares = max(found, key=lambda one: one[:2])
    return tuple(int(tried[place]) for place, share in zip(chain, shares, strict=True) for _ in range(share))


def _last_best(told: NDArray[np.float64]) -> int:
    """The place of the most, of equal ones the last: the coarsest steps, where nothing comes out at any."""
    return len(told) - 1 - int(np.argmax(told[::-1]))


def _may_follow(path: Sequence[_Levels], known: _Labels, weighed: _Weighed) -> NDArray[np.bool_]:
    """Whether a place can be the step after another: what is to be kept longest has one level, or says nothing."""
    labels = dict(known)
    found = np.ones((len(path), len(path)), dtype=np.bool_)
    for name, one in weighed:
        if one is Importance.KEEP and name in labels:
            levels = np.array([dict(place)[name] for place in path])
            empty = np.array([labels[name][level] == 1 for level in levels])
            found &= (levels[:, None] == levels) | empty
    return found


def _with_more(
    telling: _Telling, chain: Sequence[int], steps: int, may_follow: NDArray[np.bool_], lost: float
) -> tuple[float, int, list[int], tuple[int, ...]] | None:
    """A chain with further steps, each where it tells most beside the others, all of one share; None without places."""
    told, found = 0.0, list(chain)
    while len(found) < steps:
        longer = (sorted({*found, place}) for place in range(len(may_follow)) if place not in found)
        others = [one for one in longer if all(may_follow[first, second] for first, second in pairwise(one))]
        if not others:
            return None
        each = telling.of(list(np.array(others, dtype=np.intp).T), [lost] * (len(found) + 1))
        best = _last_best(each)
        told, found = float(each[best]), others[best]
    return told, -steps, found, (1,) * steps


@lru_cache(maxsize=64)
def _path(known: _Labels, weighed: _Weighed, bounded: tuple[tuple[str, tuple[int, int]], ...]) -> tuple[_Levels, ...]:
    """Ever coarser levels; remembered, because every look asks again."""
    labels, importance, limits = dict(known), dict(weighed), dict(bounded)
    found: list[_Levels] = []
    ends = {name: limits.get(name, (0, len(sizes) - 1)) for name, sizes in labels.items()}
    levels = {name: _start(labels[name], *ends[name]) for name in labels}
    weights = {name: _LAST_COUNTS[importance.get(name, Importance.NORMAL)] for name in labels}
    place = {name: number for number, name in enumerate(labels)}

    def urgency(name: str) -> tuple[float, int]:
        sizes, level = labels[name], levels[name]
        last = level + 1 == len(sizes) - 1
        # Equal ones must come in the same order on every machine: the later column first.
        fine = _KEPT if importance.get(name) is Importance.KEEP else 1.0
        return round(math.log(sizes[level]) * (weights[name] if last else fine), 9), place[name]

    while True:
        found.append(tuple(levels.items()))
        left = [name for name in labels if levels[name] < ends[name][1]]
        if not left:
            return tuple(found)
        levels[max(left, key=urgency)] += 1


def _start(sizes: Sequence[int], low: int, high: int) -> int:
    """The lowest level, or the coarsest above it with as many labels: what is only written in another way."""
    level = low
    while level < high and sizes[level + 1] >= sizes[level] > 1:
        level += 1
    return level
