"""A released file beside the table it was made from: who shares its labels, and whether its order shows through."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.table import Table
from workbench.report.recheck_models import Labels

Level: TypeAlias = int | None
"""The level of a column's labels; None where rows have different ones."""

_CERTAIN = math.log(1e9)


def level_of(hierarchy: Hierarchy, labels: Iterable[str], wanted: int | None = None) -> Level:
    """The lowest level that has all of these labels, or the one that is asked for if it has; None if there is none."""
    found = set(labels)
    levels = range(hierarchy.height + 1) if wanted is None else [wanted]
    for level in levels:
        if not 0 <= level <= hierarchy.height:
            continue
        unlisted = {ANY} if hierarchy.covers_all and level else set()
        if hierarchy.covers_all and not level and wanted == 0:
            return 0  # values that are not listed stay as they are
        if found <= set(hierarchy.labels[level]) | unlisted:
            return level
    return None


def generalised(
    original: Table,
    grouped: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, Level],
) -> list[Labels]:
    """The rows of the original as labels of the grouped columns, each at its one level."""
    columns = []
    for name in grouped:
        texts = original[name].texts()
        hierarchy, level = hierarchies.get(name), levels.get(name)
        if hierarchy is not None and level:
            label = {row[0]: row[level] for row in hierarchy.rows()}
            texts = [label.get(text, ANY) for text in texts]
        columns.append(texts)
    return list(zip(*columns, strict=True)) if columns else [()] * original.rows


def population(
    original: Table,
    classes: Iterable[Labels],
    grouped: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, Level],
) -> dict[Labels, int]:
    """Rows of the original that share the labels of each class.

    Where rows have labels of different levels, a label counts for the lowest level it occurs at, which has the fewest
    people.
    """
    by_levels: dict[tuple[int, ...], list[Labels]] = {}
    for labels in classes:
        by_levels.setdefault(_lowest(labels, grouped, hierarchies, levels), []).append(labels)
    people: dict[Labels, int] = {}
    for chosen, some in by_levels.items():
        counts = Counter(generalised(original, grouped, hierarchies, dict(zip(grouped, chosen, strict=True))))
        people.update({labels: counts[labels] for labels in some})
    return people


def _lowest(
    labels: Labels, grouped: Sequence[str], hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, Level]
) -> tuple[int, ...]:
    found = []
    for name, label in zip(grouped, labels, strict=True):
        level = levels.get(name)
        if level is None and name in hierarchies:
            level = level_of(hierarchies[name], (label,))
        found.append(level or 0)
    return tuple(found)


def order_fault(original: Sequence[Labels], released: Sequence[Labels]) -> str | None:
    """Whether the rows of a file stand in the order of the original: a sentence, "" if not, None if it cannot be told.

    It can be told where all rows of the released classes are there: then the two are the same sequence, or not. By
    chance that happens to shuffled rows once in (rows)!/∏(rows of a class)! orders, which must be a billion.
    """
    sizes = Counter(released)
    kept = [labels for labels in original if labels in sizes]
    if len(kept) != len(released) or Counter(kept) != sizes:
        return None
    orders = math.lgamma(len(released) + 1) - math.fsum(math.lgamma(size + 1) for size in sizes.values())
    if orders < _CERTAIN:
        return None
    if kept != list(released) or list(released) == sorted(released):
        return ""
    return "The rows stand in the order of the original, which tells who is who: shuffle them."
