"""Edits of a tree of categories by hand: every edit gives a new tree and leaves the old one as it is.

A tree is what `workbench.core.trees` calls one: a list whose entries are values or groups with a label and
children. A place in it is a path: the position at the top, within that group, and so on. Only the groups on the way
to a change are made anew, so that hundreds of thousands of values cost no more than a handful.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from workbench.core.trees import Tree

Trees = list[Tree]
Path = tuple[int, ...]


def group(label: str, children: Sequence[Tree]) -> Tree:
    """A group as the specification writes it."""
    return {"label": label, "children": list(children)}


def is_group(tree: Tree) -> bool:
    return not isinstance(tree, str)


def label_of(tree: Tree) -> str:
    """The text of a value, or the label of a group."""
    return tree if isinstance(tree, str) else str(tree["label"])


def children_of(tree: Tree) -> Sequence[Tree]:
    """Entries of a group; a value has none."""
    return () if isinstance(tree, str) else tree["children"]


def entries_at(trees: Sequence[Tree], path: Path) -> Sequence[Tree]:
    """Entries of the group at a path; the empty path is the top."""
    found = trees
    for position in path:
        found = children_of(found[position])
    return found


def entry_at(trees: Sequence[Tree], path: Path) -> Tree:
    return entries_at(trees, path[:-1])[path[-1]]


def values_in(trees: Iterable[Tree]) -> Iterator[str]:
    """All values below, in their order."""
    waiting = [iter(trees)]
    while waiting:
        for tree in waiting[-1]:
            if isinstance(tree, str):
                yield tree
            else:
                waiting.append(iter(tree["children"]))
                break
        else:
            waiting.pop()


def group_paths(trees: Sequence[Tree], above: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every group with its path, each before those within it."""
    for position, tree in enumerate(trees):
        if is_group(tree):
            yield (*above, position), label_of(tree)
            yield from group_paths(children_of(tree), (*above, position))


def renamed(trees: Sequence[Tree], path: Path, label: str) -> Trees:
    """Another label for a group or another text for a value."""
    tree = entry_at(trees, path)
    fresh = label if isinstance(tree, str) else group(label, children_of(tree))
    return _with_entries(trees, path[:-1], _replaced(entries_at(trees, path[:-1]), path[-1], [fresh]))


def removed(trees: Sequence[Tree], paths: Iterable[Path]) -> Trees:
    """The tree without some of its entries."""
    fresh = list(trees)
    # From the end, so that the paths of the others stay right; what lies in a removed group goes with it.
    for path in sorted(_outermost(paths), reverse=True):
        fresh = _with_entries(fresh, path[:-1], _replaced(entries_at(fresh, path[:-1]), path[-1], []))
    return fresh


def added(trees: Sequence[Tree], path: Path, entries: Sequence[Tree]) -> Trees:
    """The tree with entries at the end of the group at a path."""
    return _with_entries(trees, path, [*entries_at(trees, path), *entries])


def moved(trees: Sequence[Tree], paths: Iterable[Path], target: Path, position: int) -> tuple[Trees, list[Path]]:
    """Entries moved into the group at `target`, before the entry at `position` there.

    Returns
    -------
    tuple of Trees and list of Path
        The tree, and where the entries are now. Nothing happens if a group would get into itself.
    """
    chosen = sorted(_outermost(paths))
    if not chosen or any(target[: len(path)] == path for path in chosen):
        return list(trees), chosen
    entries = [entry_at(trees, path) for path in chosen]
    position -= sum(path[:-1] == target and path[-1] < position for path in chosen)
    # Groups on the way to the target move up where something before them is taken away.
    target = tuple(
        place - sum(path[:-1] == target[:depth] and path[-1] < place for path in chosen)
        for depth, place in enumerate(target)
    )
    fresh = removed(trees, chosen)
    there = list(entries_at(fresh, target))
    there[position:position] = entries
    return _with_entries(fresh, target, there), [(*target, position + place) for place in range(len(entries))]


def grouped(trees: Sequence[Tree], paths: Iterable[Path], label: str) -> tuple[Trees, Path]:
    """Entries put into a new group, which stands where the first of them stood."""
    chosen = sorted(_outermost(paths))
    if not chosen:
        return added(trees, (), [group(label, [])]), (len(trees),)
    entries = [entry_at(trees, path) for path in chosen]
    first = chosen[0]
    fresh = removed(trees, chosen)
    there = list(entries_at(fresh, first[:-1]))
    there[first[-1] : first[-1]] = [group(label, entries)]
    return _with_entries(fresh, first[:-1], there), first


def dissolved(trees: Sequence[Tree], path: Path) -> Trees:
    """A group replaced by what lies in it."""
    inside = children_of(entry_at(trees, path))
    return _with_entries(trees, path[:-1], _replaced(entries_at(trees, path[:-1]), path[-1], inside))


def without_empty(trees: Sequence[Tree]) -> Trees:
    """The tree without groups in which there is no value; what has none is returned as it is."""
    kept: Trees = []
    for tree in trees:
        if isinstance(tree, str):
            kept.append(tree)
            continue
        inside = without_empty(tree["children"])
        if inside:
            unchanged = len(inside) == len(tree["children"]) and all(
                one is other for one, other in zip(inside, tree["children"], strict=True)
            )
            kept.append(tree if unchanged else group(label_of(tree), inside))
    return kept


def without_repeats(trees: Sequence[Tree]) -> Trees:
    """The tree in which every value stands only where it stands first."""
    seen: set[str] = set()

    def once(some: Sequence[Tree]) -> Trees:
        kept: Trees = []
        for tree in some:
            if not isinstance(tree, str):
                kept.append(group(label_of(tree), once(tree["children"])))
            elif tree not in seen:
                seen.add(tree)
                kept.append(tree)
        return kept

    return once(trees)


def sizes_of(trees: Sequence[Tree]) -> dict[int, tuple[Tree, int]]:
    """How many values lie in each group, by the identity of the group, which is kept alive with it."""
    found: dict[int, tuple[Tree, int]] = {}

    def count(tree: Tree) -> int:
        if isinstance(tree, str):
            return 1
        size = sum(map(count, tree["children"]))
        found[id(tree)] = (tree, size)
        return size

    for tree in trees:
        count(tree)
    return found


def fresh_label(taken: Container[str], wanted: str) -> str:
    """A label that is not taken: `wanted`, or with a number behind it."""
    label, number = wanted, 2
    while label in taken:
        label, number = f"{wanted} {number}", number + 1
    return label


def _with_entries(trees: Sequence[Tree], path: Path, entries: Sequence[Tree]) -> Trees:
    """The tree in which the group at `path` holds `entries`."""
    if not path:
        return list(entries)
    inside: Any = trees[path[0]]
    fresh = group(label_of(inside), _with_entries(children_of(inside), path[1:], entries))
    return _replaced(trees, path[0], [fresh])


def _replaced(entries: Sequence[Tree], position: int, by: Sequence[Tree]) -> Trees:
    return [*entries[:position], *by, *entries[position + 1 :]]


def _outermost(paths: Iterable[Path]) -> set[Path]:
    """The paths that do not lie in a group that is chosen as well."""
    chosen = set(paths)
    return {path for path in chosen if not any(path[:depth] in chosen for depth in range(1, len(path)))}
