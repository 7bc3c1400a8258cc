"""Two hierarchies of numbers to compare: one from public bounds, and one from sorting the data."""

from __future__ import annotations

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


def halved_intervals(column: Column, spec: ColumnSpec, bounds: tuple[float, float], finest: int) -> Hierarchy:
    """Intervals of equal width between public bounds: `finest` of them, then half as many, and so on.

    The rule does not look at the data. Numbers beyond the bounds belong to the outermost intervals.

    Raises
    ------
    WorkbenchError
        If the column has no two numbers.
    """
    values, numbers = _numbers(column, spec)
    low, high = bounds
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
