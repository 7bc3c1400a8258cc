"""The canonical form of released rows: a function of how often each row occurs, and of nothing else.

A table in memory tells more than its rows: which values the column could have held, which of them came first in the
file, and where each row stood. Whatever is made of a release, a file, a page, a chart, may show such a thing by
accident, so a release is brought into this form before anything can see it. A column lists the labels that occur, in
their natural order, and no others; the rows stand in the order of their labels.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.core.kinds import text_ranks
from workbench.core.table import Column, Table

_WHOLE = re.compile(r"(?<![0-9][.,])(?<![0-9])[0-9]+")
"""Digits that are no decimals."""
_WIDEST = 1 << 62


def natural_key(label: str) -> str:
    """Sorts labels as people do, whole numbers within them by their size; different labels have different keys."""
    folded = label.casefold()
    return f"{_WHOLE.sub(_sized, folded)}\0{folded}\0{label}"


def _sized(found: re.Match[str]) -> str:
    digits = found[0].lstrip("0")
    return f"{len(digits):08d}{digits}"


def canonical_labels(values: Sequence[str], counts: NDArray[np.int64]) -> tuple[tuple[str, ...], NDArray[np.integer]]:
    """The labels that occur in their natural order, and for each of `values` its place among them.

    Parameters
    ----------
    counts
        Rows per value, shape (len(values),).

    Returns
    -------
    labels, places
        Distinct labels; and the smallest whole numbers that hold their places, shape (len(values),), 0 for a value
        that does not occur.
    """
    used = np.flatnonzero(counts > 0).tolist()
    occurring = list(dict.fromkeys(values[code] for code in used))
    ranks = text_ranks([natural_key(label) for label in occurring])
    place_of = dict(zip(occurring, ranks.tolist(), strict=True))
    labels = tuple(sorted(occurring, key=place_of.__getitem__))
    places = np.zeros(len(values), dtype=np.min_scalar_type(max(len(labels) - 1, 0)))
    places[used] = [place_of[values[code]] for code in used]
    return labels, places


def canonical(table: Table, first: Collection[str] = ()) -> Table:
    """The rows of a table in memory in canonical form: the same for every table with the same rows, as often each.

    Parameters
    ----------
    first
        Columns by which the rows are sorted before they are by the others: those that make rows alike, so that these
        are together.
    """
    if not table.columns:
        return table
    columns = []
    for column in table.columns:
        labels, places = canonical_labels(column.values, column.counts)
        columns.append(
            Column(column.name, places[column.codes] if len(places) else column.codes.astype(np.uint8), labels)
        )
    order = _ascending(sorted(columns, key=lambda column: column.name not in first), table.rows)
    return Table(tuple(column.take(order) for column in columns))


def _ascending(columns: Sequence[Column], rows: int) -> NDArray[np.intp]:
    """The order of rows by the first column, then the second, …"""
    keys: list[NDArray[np.int64]] = []
    width = _WIDEST
    # As few keys as hold all columns, because each costs a sort. Equal rows may come in any order: nobody can tell.
    for column in columns:
        size = max(len(column.values), 1)
        if width * size >= _WIDEST:
            keys.append(np.zeros(rows, dtype=np.int64))
            width = 1
        keys[-1] *= size
        keys[-1] += column.codes
        width *= size
    return np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys[::-1])
