"""Hierarchies as trees of named groups, and as plain rows that may still be wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy

DEEPEST = 100
"""Levels a tree may have."""

Tree = str | Mapping[str, Any]
"""A value, or a group: {"label": text, "children": [tree, …]}."""


def tree_rows(trees: Sequence[Tree]) -> list[tuple[str, ...]]:
    """One row per value: the value, then the groups it lies in, from the smallest to the largest.

    A value that lies less deep than others stays itself until its first group comes.

    Raises
    ------
    WorkbenchError
        If an entry is neither a value nor a group, a group is empty, or the tree is deeper than `DEEPEST`.
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    waiting: list[tuple[Tree, tuple[str, ...]]] = [(tree, ()) for tree in reversed(trees)]
    while waiting:
        tree, above = waiting.pop()
        if isinstance(tree, str):
            found.append((tree, above))
            continue
        if not isinstance(tree, Mapping) or set(tree) != {"label", "children"}:
            raise _wrong("An entry of the tree is neither a value nor a group with a label and children.")
        label, children = tree["label"], tree["children"]
        if not isinstance(label, str) or not isinstance(children, Sequence) or isinstance(children, str):
            raise _wrong("A group of the tree has no label or no list of children.")
        if not children:
            raise _wrong(f"The group “{label}” of the tree is empty.", "Move a value into it, or remove it.")
        if len(above) >= DEEPEST:
            raise _wrong(f"The tree has more than {DEEPEST} levels.", "Join some of them.")
        waiting.extend((child, (label, *above)) for child in reversed(children))
    if not found:
        raise _wrong("The tree is empty.", "List its values, and sort them into groups.")
    height = max(len(above) for _, above in found)
    return [(value, *[value] * (height - len(above)), *above) for value, above in found]


def rows_tree(rows: Sequence[Sequence[str]]) -> list[Tree]:
    """The tree whose `tree_rows` are these nested rows, their order aside."""
    top: list[Tree] = []
    groups: dict[tuple[str, ...], list[Tree]] = {(): top}
    for row in rows:
        above = tuple(reversed(row[1:]))
        for depth in range(1, len(above) + 1):
            if above[:depth] not in groups:
                children: list[Tree] = []
                groups[above[:depth]] = children
                groups[above[: depth - 1]].append({"label": above[depth - 1], "children": children})
        groups[above].append(row[0])
    return top


@dataclass(frozen=True)
class Split:
    """A group that a higher level tears apart.

    Parameters
    ----------
    level
        The level that is not coarser than the one before it.
    group
        The label at the level before.
    parts
        The label at `level` and the values that have it, the largest part first.
    """

    level: int
    group: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Faults:
    """The faults that keep rows from being a hierarchy.

    Parameters
    ----------
    duplicates
        Values that have more than one row.
    uneven
        Values whose row has another length than most rows.
    splits
        Groups a higher level tears apart.
    """

    duplicates: tuple[str, ...] = ()
    uneven: tuple[str, ...] = ()
    splits: tuple[Split, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.duplicates or self.uneven or self.splits)


def faults(rows: Sequence[Sequence[str]]) -> Faults:
    """Everything that is wrong with the rows, value by value."""
    listed = Counter(row[0] for row in rows if row)
    duplicates = tuple(value for value, count in listed.items() if count > 1)
    lengths = Counter(map(len, rows))
    width = max(lengths, key=lambda length: (lengths[length], length), default=0)
    uneven = tuple(row[0] if row else "" for row in rows if len(row) != width)
    first = {row[0]: row for row in reversed(rows) if len(row) == width and row}
    splits: list[Split] = []
    for level in range(1, width):
        parts: dict[str, dict[str, list[str]]] = {}
        for value, row in first.items():
            parts.setdefault(row[level - 1], {}).setdefault(row[level], []).append(value)
        for group, labels in parts.items():
            if len(labels) > 1:
                ranked = sorted(labels.items(), key=lambda part: -len(part[1]))
                splits.append(Split(level, group, tuple((label, tuple(values)) for label, values in ranked)))
    return Faults(duplicates, uneven, tuple(splits))


def repaired(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Rows without faults: the first row of each value, filled up with its last label, torn groups joined.

    A torn group gets the label most of its values have, at that level and, with that label, above.
    """
    width = max(map(len, rows), default=0)
    kept = {row[0]: list(row) + [row[-1]] * (width - len(row)) for row in reversed(rows) if row}
    table = [kept[value] for value in dict.fromkeys(row[0] for row in rows if row)]
    for level in range(1, width):
        votes: dict[str, Counter[str]] = {}
        for row in table:
            votes.setdefault(row[level - 1], Counter())[row[level]] += 1
        winners = {group: counted.most_common(1)[0][0] for group, counted in votes.items()}
        for row in table:
            row[level] = winners[row[level - 1]]
    return [tuple(row) for row in table]


def as_table(hierarchy: Hierarchy) -> list[list[str]]:
    """The rows of a hierarchy as JSON would hold them."""
    return [list(row) for row in hierarchy.rows()]


def _wrong(message: str, hint: str = "") -> WorkbenchError:
    return WorkbenchError(message, hint=hint or "Correct the tree, or build it anew.", field="tree")
