"""Trimming where the data is in an engine: it counts the groups, and writes the released rows from released counts.

No row is brought here and none is looked at twice. Groups come in the order of their labels, as in memory, so that
equal random numbers give the same release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.released_lines import ReleasedLines
from workbench.anonymise.trim_axes import TrimAxis
from workbench.anonymise.trim_counts import LabelGroups
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trimming import TrimOutcome, trimmed_release
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource
from workbench.core.table import TooManyGroups
from workbench.engines.budget import BeyondMemory
from workbench.engines.generalisation import AT_ONCE
from workbench.engines.store import Store
from workbench.engines.stored import StoredColumn, StoredRelation, StoredTable

_WIDEST = 1 << 62


def trim_stored(
    table: StoredTable,
    recipe: TrimRecipe,
    hierarchies: Mapping[str, Hierarchy],
    source: RandomSource,
    progress: Progress = SILENT,
) -> TrimOutcome:
    """Release a table once with fresh randomness in the engine that has the rows.

    Raises
    ------
    WorkbenchError
        As `workbench.anonymise.trimming.trim`; and if the groups of the first step do not fit into memory.
    Cancelled
        If the progress was cancelled.
    """

    def count(axes: Sequence[TrimAxis], progress: Progress) -> tuple[LabelGroups, NDArray[np.int64], None]:
        return (*_counted(table, axes, progress), None)

    return trimmed_release(
        table,
        recipe,
        hierarchies,
        source,
        count,
        lambda lines, step: _written(table.store, lines, recipe, step),
        progress,
        table.store.product,
    )


def _counted(table: StoredTable, axes: Sequence[TrimAxis], progress: Progress) -> tuple[LabelGroups, NDArray[np.int64]]:
    """The groups of the first step and their rows."""
    radices = [max(len(axis.labels[0]), 1) for axis in axes]
    parts = _parts(radices)
    adds = []
    for part in parts:
        below = 1
        added = {}
        for place in reversed(part):
            added[axes[place].name] = axes[place].first.astype(np.int64) * below
            below *= radices[place]
        adds.append(dict(reversed(added.items())))
    try:
        keys, counts = table.groups(adds, progress)
    except TooManyGroups:
        # Not in its own words: they count the groups.
        raise BeyondMemory(
            "At the levels of the first step there are more groups than the memory budget holds.",
            hint="Raise the memory budget, let higher levels be the first ones, or group fewer columns.",
            field="memory",
        ) from None
    digits = []
    for part, key in zip(parts, keys, strict=True):
        found = []
        rest = key
        for place in reversed(part):
            rest, digit = np.divmod(rest, radices[place])
            found.append(digit.astype(np.min_scalar_type(radices[place] - 1)))
        digits += found[::-1]
    return LabelGroups(tuple(digits), tuple(radices)), counts


def _parts(radices: Sequence[int]) -> list[list[int]]:
    """The columns, in their order, in as few runs as have keys of one whole number each."""
    parts: list[list[int]] = [[]]
    width = 1
    for place, radix in enumerate(radices):
        if width * radix >= _WIDEST and parts[-1]:
            parts.append([])
            width = 1
        parts[-1].append(place)
        width *= radix
    return parts


def _written(store: Store, lines: ReleasedLines, recipe: TrimRecipe, progress: Progress) -> StoredTable:
    """The released table in the engine: rows made from the counts, in canonical form."""
    if recipe.count_column:
        table = lines.counted(recipe.count_column)
        columns = [(column.name, column.values, column.codes, column.counts) for column in table.columns]
    else:
        columns = [
            (name, labels, codes, np.bincount(codes, lines.sizes, len(labels)).astype(np.int64))
            for name, labels, codes in zip(lines.names, lines.labels, lines.codes, strict=True)
        ]
    physical = [f"c{place}" for place in range(len(columns))]
    uploaded = {name: codes.astype(np.int64) for name, (_, _, codes, _) in zip(physical, columns, strict=True)}
    sizes = np.ones_like(lines.sizes) if recipe.count_column else lines.sizes
    source = store.upload({**uploaded, "g": np.cumsum(sizes) - sizes, "n": sizes})
    try:
        relation = store.keep(_rows(store, source, physical), progress, "Writing what is released")
    finally:
        store.drop(source)
    place = StoredRelation(store, relation, int(sizes.sum()))
    return StoredTable(
        place,
        [
            StoredColumn(name, place, called, labels, counts)
            for called, (name, labels, _, counts) in zip(physical, columns, strict=True)
        ],
    )


def _rows(store: Store, source: str, physical: Sequence[str]) -> str:
    """A SELECT of as many rows of each line as it stands for, in the order of the lines; g is the first row of each."""
    dialect, named = store.dialect, ", ".join(physical)
    steps = dialect.numbers("CAST(0 AS BIGINT)", "w.n", f"CAST({AT_ONCE} AS BIGINT)")
    each = dialect.numbers("CAST(0 AS BIGINT)", f"least(n - b, {AT_ONCE})", "CAST(1 AS BIGINT)")
    some = f"SELECT {named}, g, w.n AS n, {steps} AS b FROM {source} AS w"
    rows = f"SELECT {named}, g, b, {each} AS i FROM ({some}) AS y"
    chosen = ", ".join(f"CAST({one} AS INTEGER) AS {one}" for one in physical)
    if dialect.carry_row:
        # Numbered by the lines, rows need not be sorted.
        return f"SELECT g + b + i AS {dialect.carry_row}, {chosen} FROM ({rows}) AS s"
    return f"SELECT {chosen} FROM ({rows}) AS s ORDER BY g"
