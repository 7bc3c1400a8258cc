"""Edits of trees and orders by hand, on random ones: nothing is lost, and what moves arrives."""

from __future__ import annotations

import copy
import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as some

from workbench.core import tree_edits
from workbench.core.order_edits import Grouping
from workbench.core.tree_edits import Path
from workbench.core.trees import Tree

LEAVES = some.uuids().map(str)
TREES: some.SearchStrategy[list[Any]] = some.lists(
    some.recursive(
        LEAVES,
        lambda below: some.builds(tree_edits.group, LEAVES, some.lists(below, min_size=1, max_size=4)),
        max_leaves=12,
    ),
    min_size=1,
    max_size=5,
)
SIZES = some.lists(some.integers(1, 4), min_size=1, max_size=3)
GROUPINGS = some.builds(
    Grouping.of_sizes, some.integers(1, 12).map(lambda count: tuple("abcdefghijkl"[:count])), some.tuples(SIZES, SIZES)
)


def paths(trees: Any, above: Path = ()) -> list[Path]:
    found = []
    for position, tree in enumerate(trees):
        found.append((*above, position))
        found += paths(tree_edits.children_of(tree), (*above, position))
    return found


def values(trees: list[Tree]) -> list[str]:
    return sorted(tree_edits.values_in(trees))


@given(TREES, some.data())
def test_what_moves_arrives_together_and_nothing_is_lost(trees: list[Tree], data: some.DataObject) -> None:
    chosen = data.draw(some.lists(some.sampled_from(paths(trees)), min_size=1, max_size=4, unique=True))
    target = data.draw(some.sampled_from([(), *(path for path, _ in tree_edits.group_paths(trees))]))
    position = data.draw(some.integers(0, len(tree_edits.entries_at(trees, target))))
    before = copy.deepcopy(trees)
    fresh, places = tree_edits.moved(trees, chosen, target, position)
    assert trees == before, "the old tree is not touched"
    assert values(fresh) == values(trees)
    outermost = [path for path in sorted(chosen) if not any(path[:n] in chosen for n in range(1, len(path)))]
    if any(target[: len(path)] == path for path in outermost):
        assert fresh == trees, "a group cannot get into itself"
        return
    assert [tree_edits.entry_at(fresh, place) for place in places] == [
        tree_edits.entry_at(trees, path) for path in outermost
    ]
    assert [place[-1] for place in places] == list(range(places[0][-1], places[0][-1] + len(places)))
    inside = places[0][:-1]
    if target:
        wanted, found = tree_edits.entry_at(trees, target), tree_edits.entry_at(fresh, inside)
        assert tree_edits.label_of(wanted) == tree_edits.label_of(found)
    else:
        assert inside == ()


@given(TREES, some.data())
def test_a_group_is_made_and_dissolved_again(trees: list[Tree], data: some.DataObject) -> None:
    chosen = data.draw(some.lists(some.sampled_from(paths(trees)), min_size=1, max_size=3, unique=True))
    fresh, place = tree_edits.grouped(trees, chosen, "new")
    assert values(fresh) == values(trees)
    assert tree_edits.label_of(tree_edits.entry_at(fresh, place)) == "new"
    again = tree_edits.dissolved(fresh, place)
    assert values(again) == values(trees)
    assert "new" not in [label for _, label in tree_edits.group_paths(again)]


@given(TREES)
def test_sizes_count_the_values_of_every_group(trees: list[Tree]) -> None:
    sizes = tree_edits.sizes_of(trees)
    for path, _ in tree_edits.group_paths(trees):
        found = tree_edits.entry_at(trees, path)
        assert sizes[id(found)][1] == len(list(tree_edits.values_in([found])))


@given(TREES)
def test_empty_groups_go_and_repeats_stay_once(trees: list[Tree]) -> None:
    hollow = [*trees, tree_edits.group("a", [tree_edits.group("b", [])])]
    assert tree_edits.without_empty(hollow) == trees
    assert values(tree_edits.without_repeats([*trees, *tree_edits.values_in(trees)])) == values(trees)


@given(GROUPINGS, some.integers(1, 2), some.booleans(), some.data())
def test_items_of_an_order_move_whole(grouping: Grouping, level: int, into_next: bool, data: some.DataObject) -> None:
    begins = [*grouping.item_starts(level).tolist(), len(grouping.values)]
    items = [grouping.values[begin:end] for begin, end in itertools.pairwise(begins)]
    chosen = data.draw(some.lists(some.integers(0, len(items) - 1), min_size=1, max_size=len(items), unique=True))
    before = data.draw(some.integers(0, len(items)))
    moved = grouping.moved(level, chosen, before, into_next=into_next)
    rest = [item for item in range(len(items)) if item not in chosen]
    if rest:
        place = sum(item < before for item in rest)
        order = [*rest[:place], *sorted(chosen), *rest[place:]]
        assert moved.values == tuple(value for item in order for value in items[item])
    assert moved.starts[1][0]
    assert not (moved.starts[1] & ~moved.starts[0]).any(), "nested"
    again = Grouping.of_sizes(moved.values, moved.sizes())
    assert all((one == other).all() for one, other in zip(again.starts, moved.starts, strict=True)), "sizes say it all"


@given(GROUPINGS, some.integers(1, 2), some.data())
def test_a_group_that_is_divided_is_joined_again(grouping: Grouping, level: int, data: some.DataObject) -> None:
    item = data.draw(some.integers(0, len(grouping.item_starts(level)) - 1))
    divided = grouping.split(level, item)
    assert divided.begins(level)[item]
    assert not (divided.starts[1] & ~divided.starts[0]).any(), "nested"
    joined = divided.joined(level, 0, len(grouping.item_starts(level)) - 1)
    assert int(joined.starts[level - 1].sum()) == 1
    assert not (joined.starts[1] & ~joined.starts[0]).any(), "nested"
