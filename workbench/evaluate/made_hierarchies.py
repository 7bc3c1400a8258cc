"""Two hierarchies of numbers to compare: one from public bounds, and one from sorting the data."""

from __future__ import annotations

import itertools
import math

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.number_text import file_text
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.evaluate.question import Floats


def pairs_of_means(column: Column, spec: ColumnSpec, levels: int) -> Hierarchy:
    """Distinct numbers sorted, pairs of neighbours joined again and again, each group labelled with its mean.

    It is made from the data: a release through it has no (ε, δ) claim.

    Raises
    ------
    WorkbenchError
        If the column has no two numbers.
    """
    values, numbers = _numbers(column, spec)
    distinct, place = np.unique(numbers, return_inverse=True)
    built = []
    for level in range(1, levels):
        group = np.arange(len(distinct)) >> level
        means = np.bincount(group, weights=distinct) / np.bincount(group)
        built.append((group[place], [file_text(mean) for mean in means.tolist()]))
    built.append((np.zeros(len(values), dtype=np.int64), [ANY]))
    hierarchy = Hierarchy.from_levels(
        values, built, provenance=Provenance.DERIVED, origin="Means of pairs of the sorted values of this data."
    )
    return hierarchy.covering(column.values)


def narrow_edges(bounds: tuple[float, float], most: float, finest: int) -> list[float]:
    """Edges of at most so many intervals: equal ones below a number, and above it each twice as wide as the one before.

    As many are below it as leave enough to reach the upper bound.
    """
    low, high = bounds
    for below in range(finest - 1, 0, -1):
        width = (most - low) / below
        above = math.ceil(math.log2((high - most) / width + 1))
        if below + above <= finest:
            break
    wider = [most + width * (2**number - 1) for number in range(1, above)]
    return [*(low + width * number for number in range(below)), most, *wider, high]


def halved_intervals(
    column: Column, spec: ColumnSpec, bounds: tuple[float, float], finest: int, most: float | None = None
) -> Hierarchy:
    """Intervals of equal width between public bounds: `finest` of them, then half as many, and so on.

    The rule does not look at the data. Numbers beyond the bounds belong to the outermost intervals.

    Parameters
    ----------
    most
        Where it is public below which number most values lie: intervals are narrow there, and wider above it.

    Raises
    ------
    WorkbenchError
        If the column has no two numbers.
    """
    values, numbers = _numbers(column, spec)
    low, high = bounds
    if most is not None:
        return _joined(column, values, numbers, narrow_edges(bounds, most, finest))
    # Cut off first: what is far beyond the bounds is no whole number of 64 bits.
    place = np.clip((numbers - low) / (high - low) * finest, 0, finest - 1).astype(np.int64)
    built = []
    width = (high - low) / finest
    while finest > 1:
        labels = [f"[{file_text(low + i * width)}, {file_text(low + (i + 1) * width)}[" for i in range(finest)]
        built.append((place, labels))
        place, width, finest = place // 2, width * 2, (finest + 1) // 2
    built.append((np.zeros(len(values), dtype=np.int64), [ANY]))
    hierarchy = Hierarchy.from_levels(
        values, built, origin=f"Equal intervals between {file_text(low, 6)} and {file_text(high, 6)}, halved."
    )
    return hierarchy.covering(column.values)


def _joined(column: Column, values: list[str], numbers: Floats, edges: list[float]) -> Hierarchy:
    """Intervals with these edges, then two neighbours together, and so on."""
    low, high = edges[0], edges[-1]
    place = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, len(edges) - 2).astype(np.int64)
    built = []
    while len(edges) > 2:
        labels = [f"[{file_text(one)}, {file_text(other)}[" for one, other in itertools.pairwise(edges)]
        built.append((place, labels))
        place, edges = place // 2, [*edges[:-1:2], high]
    built.append((np.zeros(len(values), dtype=np.int64), [ANY]))
    hierarchy = Hierarchy.from_levels(
        values,
        built,
        origin=f"Intervals between {file_text(low, 6)} and {file_text(high, 6)}, wider and wider at the end, halved.",
    )
    return hierarchy.covering(column.values)


def _numbers(column: Column, spec: ColumnSpec) -> tuple[list[str], Floats]:
    """The distinct values that are numbers, and those numbers."""
    numbers = read_values(column.values, spec)
    used = np.flatnonzero(np.isfinite(numbers) & (column.counts > 0))
    if len(np.unique(numbers[used])) < 2:
        raise WorkbenchError(
            f"“{column.name}” has no two different numbers.",
            hint="Choose a column with at least two.",
            field="column",
        )
    return [column.values[position] for position in used.tolist()], numbers[used]
