"""Columns and their hierarchies as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.rollup import AttributeNumbering
from workbench.anonymise.utility import Attribute
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column


def attribute_of(
    column: Column, hierarchy: Hierarchy, weight: float, rows: NDArray[np.int64]
) -> tuple[Attribute, NDArray[np.intp]]:
    """How a column is generalised, and the number at level 0 of each of the column's codes.

    Parameters
    ----------
    rows
        Rows to be released per distinct value, shape (len(column.values),).

    Raises
    ------
    WorkbenchError
        If the hierarchy misses a value that occurs, or is not nested.
    """
    ground = hierarchy.level_map(column, 0)
    used = np.unique(ground[column.counts > 0])
    radices, steps, shares, labels = [], [], [], []
    below: NDArray[np.intp] | None = None
    numbers = used.astype(np.intp)
    for level, codes in enumerate(hierarchy.maps):
        occurring, numbers = np.unique(codes[used], return_inverse=True)
        radices.append(len(occurring))
        shares.append(np.bincount(codes, minlength=len(hierarchy.labels[level]))[occurring].astype(np.int64))
        labels.append(tuple(hierarchy.labels[level][label] for label in occurring))
        if below is not None:
            step = np.zeros(radices[level - 1], dtype=np.intp)
            step[below] = numbers
            if np.any(step[below] != numbers):
                raise WorkbenchError(
                    f"Level {level} of the hierarchy of “{column.name}” is not coarser than level {level - 1}.",
                    hint="Give all values with the same label the same label on the next level.",
                    field=column.name,
                )
            steps.append(step)
        below = numbers
    axis = AttributeNumbering(tuple(radices), tuple(steps))
    number = np.zeros(len(hierarchy.values), dtype=np.intp)
    number[used] = np.arange(len(used)) if len(used) else 0
    first = _numbers_at_ground(hierarchy, used)
    of_code = first[number[ground]] if len(used) else number[ground]
    counts = [np.bincount(of_code, weights=rows, minlength=radices[0]).astype(np.int64)]
    for level in range(1, len(radices)):
        counts.append(np.bincount(axis.up(0, level), weights=counts[0], minlength=radices[level]).astype(np.int64))
    return (
        Attribute(
            column.name,
            weight,
            hierarchy.height,
            axis,
            len(hierarchy.values),
            tuple(shares),
            tuple(counts),
            labels[0],
            tuple(labels),
            lambda: _spans(hierarchy, used),
        ),
        of_code,
    )


def _numbers_at_ground(hierarchy: Hierarchy, used: NDArray[np.integer]) -> NDArray[np.intp]:
    """The number at level 0 of each used ground value: its label's rank there."""
    _, numbers = np.unique(hierarchy.maps[0][used], return_inverse=True)
    return numbers.astype(np.intp)


def _spans(hierarchy: Hierarchy, used: NDArray[np.integer]) -> tuple[NDArray[np.float64], ...]:
    """Per level and occurring label the smallest and largest number under it in the whole hierarchy; then of all."""
    numbers = np.array([_number(value) for value in hierarchy.values])
    spans = []
    for codes, labels in zip(hierarchy.maps, hierarchy.labels, strict=True):
        least = np.full(len(labels), np.inf)
        most = np.full(len(labels), -np.inf)
        known = np.isfinite(numbers)
        np.minimum.at(least, codes[known], numbers[known])
        np.maximum.at(most, codes[known], numbers[known])
        occurring = np.unique(codes[used])
        spans.append(np.column_stack([least[occurring], most[occurring]]))
    known = numbers[np.isfinite(numbers)]
    spans.append(np.array([[known.min(), known.max()]] if len(known) else [[np.nan, np.nan]]))
    return tuple(spans)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
