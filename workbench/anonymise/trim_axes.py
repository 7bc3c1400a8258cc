"""The labels of a column's values at each step of a chain, and the label each becomes at the next.

The labels of a step have numbers in their natural order, whether they occur or not, so that the order of groups is a
function of their labels. A value that the hierarchy misses is `*` at every step, a column without a hierarchy is
released as it is at level 0 and as `*` above; neither rule depends on the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.canonical import natural_key
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.table import Column


@discreet
@dataclass(frozen=True, eq=False)
class TrimAxis:
    """One column along a chain.

    Parameters
    ----------
    name
        The column.
    first
        For each of its codes the number of its label at the first step.
    labels
        Per step the labels by number. Two may read the same: `*` for what the hierarchy misses is a label of its own
        where the other `*` becomes something else.
    ups
        For each step but the last, what its labels become at the next.
    """

    name: str
    first: NDArray[np.intp]
    labels: tuple[tuple[str, ...], ...]
    ups: tuple[NDArray[np.intp], ...]


def axis_of(column: Column, hierarchy: Hierarchy | None, levels: Sequence[int]) -> TrimAxis:
    """How a column is generalised by a chain with these levels.

    Raises
    ------
    WorkbenchError
        If there is no such level, or the hierarchy is not nested.
    """
    check_levels(column.name, hierarchy, levels)
    if hierarchy is None:
        ground = np.arange(len(column.values))
        nodes = [(ground, column.values) if level == 0 else (np.zeros_like(ground), (ANY,)) for level in levels]
    else:
        index = {value: place for place, value in enumerate(hierarchy.values)}
        missed = len(hierarchy.values)
        ground = np.fromiter((index.get(value, missed) for value in column.values), np.intp, len(column.values))
        nodes = _nodes(column.name, hierarchy, levels)
    numbers, labels = [], []
    for codes, texts in nodes:
        order = sorted(range(len(texts)), key=[natural_key(text) for text in texts].__getitem__)
        rank = np.empty(len(texts), dtype=np.intp)
        rank[order] = np.arange(len(texts))
        numbers.append(rank[codes])
        labels.append(tuple(texts[place] for place in order))
    ups = []
    for below, above, texts in zip(numbers, numbers[1:], labels, strict=False):
        up = np.zeros(len(texts), dtype=np.intp)
        up[below] = above
        ups.append(up)
    return TrimAxis(column.name, numbers[0][ground], tuple(labels), tuple(ups))


def check_levels(name: str, hierarchy: Hierarchy | None, levels: Sequence[int]) -> None:
    """Refuse levels that a column does not have."""
    height = 1 if hierarchy is None else hierarchy.height
    for level in levels:
        if not 0 <= level <= height:
            raise WorkbenchError(
                f"Column “{name}” has no level {level}.",
                hint="Without a hierarchy it has the levels 0, as it is, and 1, which is *."
                if hierarchy is None
                else f"Its hierarchy has the levels 0 to {height}.",
                field=name,
            )


def _nodes(name: str, hierarchy: Hierarchy, levels: Sequence[int]) -> list[tuple[NDArray[np.intp], tuple[str, ...]]]:
    """Per step the label of each ground value and, last, of what is missed; and the labels."""
    found: list[tuple[NDArray[np.intp], tuple[str, ...]]] = []
    # From the coarsest step down: what is missed joins a label `*` where that stays together with it from there on.
    for level in reversed(levels):
        codes, labels = hierarchy.maps[level].astype(np.intp), hierarchy.labels[level]
        star = labels.index(ANY) if ANY in labels else None
        if star is not None and found:
            above = found[-1][0]
            star = star if np.all(above[:-1][codes == star] == above[-1]) else None
        if star is None:
            star, labels = len(labels), (*labels, ANY)
        codes = np.append(codes, star)
        if found:
            _check_nested(name, codes, found[-1][0], len(labels))
        found.append((codes, labels))
    return found[::-1]


def _check_nested(name: str, below: NDArray[np.intp], above: NDArray[np.intp], labels: int) -> None:
    """Refuse a step that splits a label of the step before it: then one row could count in two groups."""
    parent = np.zeros(labels, dtype=np.intp)
    parent[below] = above
    if np.any(parent[below] != above):
        raise WorkbenchError(
            f"The hierarchy of “{name}” is not nested: values with the same label have different ones at a higher "
            "level.",
            hint="Give all values with the same label the same label on the levels above.",
            field=name,
        )
