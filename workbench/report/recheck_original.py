"""A released file beside the table it was made from: who shares its labels, and whether its order shows through."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from workbench.core.canonical import natural_key
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.report.recheck_counting import WITH_COMMA, plain
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
        if found <= as_read_back(hierarchy.labels[level]) | unlisted:
            return level
    return None


def as_compared(text: str) -> str:
    """The text without what writing a file may have changed in it."""
    known = plain(text)
    return known.replace(",", ".") if WITH_COMMA.fullmatch(known) else known


def as_read_back(labels: Iterable[str]) -> set[str]:
    """Labels, and what is made of them when a file is read that could have been written of other ones.

    A text with an apostrophe before a formula may have been made safe or have had it before; a number with a comma may
    have been given it for the file.
    """
    known = set(labels)
    read = {plain(label) for label in known}
    return known | read | {label.replace(",", ".") for label in read if WITH_COMMA.fullmatch(label)}


def generalised(
    original: Table,
    grouped: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, Level],
    progress: Progress = SILENT,
) -> Iterator[Labels]:
    """The rows of the original as labels of the grouped columns, each at its one level."""
    labels = [_labels_of(original, name, hierarchies.get(name), levels.get(name)) for name in grouped]
    if not labels:
        yield from repeat((), original.rows)
        return
    for codes in original.blocks(grouped, progress=progress):
        yield from zip(*(map(known.__getitem__, some.tolist()) for known, some in zip(labels, codes, strict=True)),
                       strict=True)  # fmt: skip


def counted_labels(
    original: Table,
    grouped: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, Level],
    progress: Progress = SILENT,
) -> Counter[Labels]:
    """How many rows of the original have the same labels, as `generalised` gives them."""
    labels = {name: _labels_of(original, name, hierarchies.get(name), levels.get(name)) for name in grouped}
    return counted_by(original, labels, progress)


def counted_by(original: Table, labels: Mapping[str, Sequence[str]], progress: Progress = SILENT) -> Counter[Labels]:
    """How many rows of the original have the same labels, given that of each distinct value of each column."""
    numbers: dict[str, NDArray[np.int64]] = {}
    different: list[list[str]] = []
    for name, known in labels.items():
        number = {label: place for place, label in enumerate(dict.fromkeys(known))}
        numbers[name] = np.array([number[label] for label in known], dtype=np.int64)
        different.append(list(number))
    digits, counts = original.combinations(numbers, progress)
    columns = (map(known.__getitem__, some.tolist()) for known, some in zip(different, digits, strict=True))
    rows = zip(*columns, strict=True) if digits else iter([()])
    return Counter(dict(zip(rows, counts.tolist(), strict=True)))


def _labels_of(original: Table, name: str, hierarchy: Hierarchy | None, level: Level) -> Sequence[str]:
    """The label of each distinct value of a column."""
    values = original[name].values
    if hierarchy is None or not level:
        return values
    label = {row[0]: row[level] for row in hierarchy.rows()}
    return [label.get(text, ANY) for text in values]


def population(
    original: Table,
    classes: Iterable[Labels],
    grouped: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, Level],
    progress: Progress = SILENT,
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
        counts = counted_labels(original, grouped, hierarchies, dict(zip(grouped, chosen, strict=True)), progress)
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


def order_fault(
    original: Iterable[Labels],
    of_original: Mapping[Labels, int],
    released: Iterable[Labels],
    sizes: Mapping[Labels, int],
) -> str | None:
    """Whether the rows of a file stand in the order of the original: a sentence, "" if not, None if it cannot be told.

    It can be told where all rows of the released classes are there: then the two are the same sequence, or not. By
    chance that happens to shuffled rows once in (rows)!/∏(rows of a class)! orders, which must be a billion.

    Parameters
    ----------
    original, released
        The labels row by row; no more of them are taken than tell the two apart.
    of_original, sizes
        How often each occurs.
    """
    if any(of_original.get(labels) != size for labels, size in sizes.items()):
        return None
    orders = math.lgamma(sum(sizes.values()) + 1) - math.fsum(math.lgamma(size + 1) for size in sizes.values())
    if orders < _CERTAIN:
        return None
    last: tuple[Labels, list[str]] = ((), [])
    as_texts = as_labels = True
    for before, after in zip((labels for labels in original if labels in sizes), released, strict=False):
        if before != after:
            return ""
        here = after, [natural_key(label) for label in after]
        as_texts, as_labels, last = as_texts and last[0] <= here[0], as_labels and last[1] <= here[1], here
    if as_texts or as_labels:
        return ""  # sorted rows say nothing, whatever the original is
    return "The rows stand in the order of the original, which tells who is who: sort or shuffle them."
