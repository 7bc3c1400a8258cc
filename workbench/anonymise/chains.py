"""Chains of levels for a release in steps: by degrees, checked, and how the steps share ε and δ by default.

All of it is public. What a hierarchy lists does not count: one made by a public rule may list the values that occur in
the data, so numbers of labels could tell of a row. Levels and heights do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np

from workbench.anonymise._trim_solving import rows_needed
from workbench.anonymise.assumed_spread import rows_kept
from workbench.anonymise.trim_recipe import MOST_STEPS
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy

Vector = Mapping[str, int]

EXPECTED_ROWS = 10_000
"""As many rows a table is taken to have where nobody typed how many."""

_TENTHS = 10
_LABELS = 16.0
"""Labels that a column is taken to have at level 0; at level ℓ of h it has 16^(1 − ℓ/h), so one at the top."""
_ROWS_KEPT = 0.97
"""The part of the most rows that any shares keep, which is given up at most for more detail."""


def check_chain(hierarchies: Mapping[str, Hierarchy], vectors: Sequence[Vector]) -> None:
    """Refuse a chain in which what a step gives up cannot be counted by the next.

    Every vector must be at least as coarse in every column as the one before, and each label of a step must lie
    within one label of the next. A column without a hierarchy is released as it is at level 0 and as `*` at level 1.

    Raises
    ------
    WorkbenchError
        If the chain is empty or too long, a level does not exist, a step is finer than the one before, or a hierarchy
        is not nested.
    """
    if not 1 <= len(vectors) <= MOST_STEPS:
        raise WorkbenchError(
            f"A release has 1 to {MOST_STEPS} steps, not {len(vectors)}.",
            hint="Leave some steps out." if vectors else "Give at least one.",
            field="steps",
        )
    names = tuple(vectors[0])
    for number, vector in enumerate(vectors, start=1):
        if set(vector) != set(names):
            odd = sorted(set(vector) ^ set(names))[0]
            raise WorkbenchError(
                f"Step {number} and the first disagree about “{odd}”.",
                hint="Every step needs a level for every column of the grouping.",
                field="steps",
            )
        for name, level in vector.items():
            height = height_of(hierarchies.get(name))
            if not 0 <= level <= height:
                raise WorkbenchError(
                    f"Column “{name}” has no level {level}.", hint=f"It has the levels 0 to {height}.", field="steps"
                )
    for number, (finer, coarser) in enumerate(pairwise(vectors), start=2):
        for name in names:
            if coarser[name] < finer[name]:
                raise WorkbenchError(
                    f"Step {number} is finer in “{name}” than the step before it.",
                    hint="Each step must be at least as coarse in every column as the one before.",
                    field="steps",
                )
            hierarchy = hierarchies.get(name)
            if hierarchy is not None and not _nested(hierarchy, finer[name], coarser[name]):
                raise WorkbenchError(
                    f"Level {coarser[name]} of “{name}” tears labels of level {finer[name]} apart.",
                    hint="Steps need a hierarchy whose levels only merge; build or import it anew.",
                    field=name,
                )


def height_of(hierarchy: Hierarchy | None) -> int:
    """The highest level of a column; 1, at which it is `*`, if it has no hierarchy."""
    return 1 if hierarchy is None else hierarchy.height


def default_shares(
    vectors: Sequence[Vector],
    heights: Mapping[str, int],
    *,
    epsilon: float,
    delta: float,
    rows_per_person: int = 1,
    rows: int | None = None,
) -> tuple[Fraction, ...]:
    """How the steps share ε and δ where nobody says: tenths, by a rule that does not see the data.

    The rows are taken to lie in 16^(Σ (1 − level/height)) groups at each step, those of rank r in proportion to
    r^−0.7. Of all shares in tenths, those count which then keep at least 97 % of the most rows that any keep, and of
    these the ones that keep most detail: a row at a step counts as the mean of 1 − level/height.

    Parameters
    ----------
    vectors
        Levels of each step, the finest first.
    heights
        The highest level of each column.
    epsilon, delta, rows_per_person
        The promise, and how many rows one person may have.
    rows
        How many rows the table has about, from public knowledge; 10,000 are taken if nobody typed it.

    Returns
    -------
    tuple of Fraction
        One for each step, with the sum 1.
    """
    if len(vectors) == 1:
        return (Fraction(1),)
    expected = float(EXPECTED_ROWS if rows is None else rows)
    fine = [[1 - vector[name] / max(heights[name], 1) for name in vector] for vector in vectors]
    groups = [_LABELS ** sum(parts) for parts in fine]
    details = [sum(parts) / len(parts) for parts in fine]
    lost = [
        float(rows_needed(epsilon * part / _TENTHS, delta * part / _TENTHS, rows_per_person)[0])
        for part in range(1, _TENTHS)
    ]
    return _tenths(tuple(groups), tuple(details), tuple(lost), expected)


@lru_cache(maxsize=64)
def _tenths(
    groups: tuple[float, ...], details: tuple[float, ...], lost: tuple[float, ...], expected: float
) -> tuple[Fraction, ...]:
    """The shares by the rule; remembered, because a window asks again after every edit."""
    found = []
    for tenths in parts_of(_TENTHS, len(groups)):
        left, detail = expected, 0.0
        for possible, worth, part in zip(groups, details, tenths, strict=True):
            kept = float(rows_kept(left, possible, lost[part - 1]))
            left, detail = left - kept, detail + kept * worth
        found.append((expected - left, detail, tenths))
    enough = _ROWS_KEPT * max(kept for kept, _, _ in found)
    # Sums that are equal but for rounding must lead to the same shares on every machine.
    best = max((round(detail, 6), round(kept, 6), tenths) for kept, detail, tenths in found if kept >= enough)
    return tuple(Fraction(part, _TENTHS) for part in best[2])


def parts_of(whole: int, count: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a whole number as a sum of so many from 1 on."""
    if count == 1:
        yield (whole,)
        return
    for first in range(1, whole - count + 2):
        for rest in parts_of(whole - first, count - 1):
            yield (first, *rest)


def _nested(hierarchy: Hierarchy, finer: int, coarser: int) -> bool:
    """Whether labels of one level never fall into several of another."""
    below, above = hierarchy.maps[finer], hierarchy.maps[coarser]
    parent = np.empty(len(hierarchy.labels[finer]), dtype=above.dtype)
    parent[below] = above
    return bool(np.array_equal(parent[below], above))
