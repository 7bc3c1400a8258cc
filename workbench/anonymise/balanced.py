"""Balanced steps: a chain of levels that coarsens whatever column has most labels left, by a rule without the data.

By degree all columns are coarsened together, so what has two values is `*` as soon as what has a hundred is in tens.
Here the column with most labels left is coarsened next, and a column becomes `*` late: it then counts half as much,
less if it is to be kept longest, and more if it is to be given up first. Of this path the steps are those whose groups
are few enough for the rows there are about.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from workbench.anonymise._trim_solving import rows_needed
from workbench.anonymise.chains import EXPECTED_ROWS
from workbench.core.worded import Worded

BALANCED_STEPS = 3
"""Steps where nobody says how many."""

_FINEST = 16
"""Possible groups of the first step, times the rows that a group needs, by the rows there are about."""
_COARSER = 10
"""How many times fewer groups are possible at the next step."""


class Importance(Worded):
    """The order in which balanced steps give a column up, until it becomes `*`."""

    KEEP = "keep", "Last to become *"
    NORMAL = "normal", "Automatic"
    GIVE_UP = "give up", "First to become *"


_LAST_COUNTS = {Importance.KEEP: 1 / 8, Importance.NORMAL: 1 / 2, Importance.GIVE_UP: 4.0}
"""By what the logarithm of the labels left is multiplied where the next level of a column says nothing."""


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
    """Levels of each step, the finest first; neighbours may be alike, and are one step then.

    Step i has the finest levels of the path at which at most 16·N/(n·10^(i − 1)) groups are possible, N being the
    rows and n those with which a group survives half of the time at (ε, δ). At the last step there are at most a tenth
    of the groups of the first.

    Parameters
    ----------
    labels
        Of each column, how many labels it has at level 0, 1, … as far as that is public (`core.public_sizes`).
    importance
        Of columns that are not normal.
    steps
        How many, 1 to 6.
    epsilon, delta, rows_per_person
        The promise, and how many rows one person may have.
    rows
        How many rows the table has about, from public knowledge; 10,000 are taken if nobody typed it.
    limits
        Lowest and highest level of a column.
    """
    most = _FINEST * (EXPECTED_ROWS if rows is None else rows) / rows_needed(epsilon, delta, rows_per_person)[0]
    known = tuple((name, tuple(sizes)) for name, sizes in labels.items())
    path = _path(known, tuple(importance.items()), tuple((limits or {}).items()))
    found: list[tuple[Mapping[str, int], int]] = []
    for step in range(steps):
        limit = most / _COARSER**step
        if found and step == steps - 1:
            # Few columns of few labels may fit at once; what is lost there needs somewhere to go.
            limit = min(limit, found[0][1] / _COARSER)
        found.append(next((one for one in path if one[1] <= limit), path[-1]))
    return tuple(dict(levels) for levels, _ in found)


@lru_cache(maxsize=64)
def _path(
    known: tuple[tuple[str, tuple[int, ...]], ...],
    weighed: tuple[tuple[str, Importance], ...],
    bounded: tuple[tuple[str, tuple[int, int]], ...],
) -> tuple[tuple[Mapping[str, int], int], ...]:
    """Ever coarser levels, and how many groups are possible at each; remembered, because every look asks again."""
    labels, importance, limits = dict(known), dict(weighed), dict(bounded)
    found: list[tuple[Mapping[str, int], int]] = []
    ends = {name: limits.get(name, (0, len(sizes) - 1)) for name, sizes in labels.items()}
    levels = {name: _start(labels[name], *ends[name]) for name in labels}
    weights = {name: _LAST_COUNTS[importance.get(name, Importance.NORMAL)] for name in labels}
    place = {name: number for number, name in enumerate(labels)}

    def urgency(name: str) -> tuple[float, int]:
        sizes, level = labels[name], levels[name]
        last = level + 1 == len(sizes) - 1
        # Equal ones must come in the same order on every machine: the later column first.
        return round(math.log(sizes[level]) * (weights[name] if last else 1.0), 9), place[name]

    while True:
        found.append((dict(levels), math.prod(labels[name][level] for name, level in levels.items())))
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
