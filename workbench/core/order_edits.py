"""Edits of an order in groups by hand: values moved, groups split and joined, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.value_orders import runs


@dataclass(frozen=True)
class Grouping:
    """Values in an order and where the groups of each level begin.

    Parameters
    ----------
    values
        The values in their order.
    starts
        For each level from 1 up, whether a group begins at the value; bool of shape (len(values),). Where a
        group of a level begins, one of every level below begins too.
    """

    values: tuple[str, ...]
    starts: tuple[NDArray[np.bool_], ...]

    @classmethod
    def of_sizes(cls, values: Sequence[str], sizes: Sequence[Sequence[int]]) -> Grouping:
        """The grouping a specification's `levels` describe, every value a unit of its own."""
        groups = np.arange(len(values), dtype=np.int64)
        starts = []
        for level in sizes:
            count = int(groups[-1]) + 1 if len(groups) else 0
            groups = runs(count, level)[groups] if count else groups
            starts.append(_changes(groups))
        return cls(tuple(values), tuple(starts))

    @property
    def levels(self) -> int:
        return len(self.starts)

    def sizes(self) -> list[list[int]]:
        """Lengths of the groups of each level, as short as a specification can say it: the last repeats."""
        return [_shortest(self._lengths(level)) for level in range(1, self.levels + 1)]

    def item_starts(self, level: int) -> NDArray[np.intp]:
        """Where the items that a level joins begin: for level 1 every value, above that the groups below it."""
        if level == 1:
            return np.arange(len(self.values), dtype=np.intp)
        return np.flatnonzero(self.starts[level - 2])

    def begins(self, level: int) -> NDArray[np.bool_]:
        """Whether a group of the level begins at each of its items."""
        return self.starts[level - 1][self.item_starts(level)]

    def split(self, level: int, item: int) -> Grouping:
        """Let a group of the level begin at an item."""
        return self._changed(level, int(self.item_starts(level)[item]), begins=True)

    def joined(self, level: int, first: int, last: int) -> Grouping:
        """Join the groups of all items from the first to the last.

        Where a higher level had them in different groups, those are joined as well: else it would tear the new
        group apart.
        """
        items = self.item_starts(level)
        starts = [one.copy() for one in self.starts]
        for one in starts[level - 1 :]:
            one[items[first + 1 : last + 1]] = False
        return Grouping(self.values, tuple(starts))

    def moved(self, level: int, chosen: Sequence[int], before: int, *, into_next: bool = True) -> Grouping:
        """Items of a level moved before another item, or with the number of items to the end.

        They get into the group of the item they now stand before, or with `into_next` False into that of the item
        they stand behind. Whatever lies within them stays together.
        """
        items = self.item_starts(level)
        picked = np.unique(np.asarray(chosen, dtype=np.intp))
        rest = np.setdiff1d(np.arange(len(items)), picked, assume_unique=True)
        if not len(rest) or not len(picked):
            return self
        place = int(np.searchsorted(rest, before))
        neighbour = rest[place] if into_next and place < len(rest) else rest[max(place - 1, 0)]
        order = np.concatenate([rest[:place], picked, rest[place:]])
        lengths = np.diff(np.append(items, len(self.values)))[order]
        first = np.cumsum(lengths) - lengths
        permutation = np.arange(len(self.values)) - np.repeat(first - items[order], lengths)
        moving = np.zeros(len(self.values), dtype=np.bool_)
        moving[permutation[np.repeat(np.isin(order, picked), lengths)]] = True
        starts = []
        for number, one in enumerate(self.starts, start=1):
            groups = np.cumsum(one)
            if number >= level:
                groups[moving] = groups[items[neighbour]]
            starts.append(_changes(groups[permutation]))
        # Two groups of a lower level that come to stand side by side stay two: their numbers differ.
        return Grouping(tuple([self.values[i] for i in permutation.tolist()]), tuple(starts))

    def stepped(self, level: int, chosen: Sequence[int], down: bool) -> tuple[Grouping, int]:
        """Neighbouring items moved by one place; crossing the border of a group is a step of its own.

        Returns
        -------
        tuple of Grouping and int
            The new grouping, and where the first of the items is now.
        """
        first, last = min(chosen), max(chosen)
        begins, count = self.begins(level), len(self.item_starts(level))
        picked = list(range(first, last + 1))
        if down:
            if last + 1 >= count:
                return self, first
            if begins[last + 1]:
                return self.moved(level, picked, last + 1), first
            return self.moved(level, picked, last + 2, into_next=False), first + 1
        if first == 0:
            return self, first
        if begins[first]:
            return self.moved(level, picked, first, into_next=False), first
        return self.moved(level, picked, first - 1), first - 1

    def _changed(self, level: int, place: int, *, begins: bool) -> Grouping:
        starts = [one.copy() for one in self.starts]
        starts[level - 1][place] = begins
        return Grouping(self.values, tuple(starts))

    def _lengths(self, level: int) -> list[int]:
        begins = self.begins(level)
        lengths: list[int] = np.diff(np.append(np.flatnonzero(begins), len(begins))).tolist()
        return lengths


def _changes(groups: NDArray[np.integer]) -> NDArray[np.bool_]:
    changes: NDArray[np.bool_] = np.r_[True, groups[1:] != groups[:-1]][: len(groups)]
    return changes


def _shortest(lengths: Sequence[int]) -> list[int]:
    """The lengths without those that repeat the one before, the last group being what is left over."""
    if not lengths:
        return [1]
    kept = list(lengths)
    if len(kept) > 1 and kept[-1] <= kept[-2]:
        kept.pop()
    while len(kept) > 1 and kept[-1] == kept[-2]:
        kept.pop()
    return kept
