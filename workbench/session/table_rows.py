"""Rows of a large table to be shown, their order, and the places of a text: all on codes, for any thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.kinds import is_missing, sort_keys
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.engines.budget import in_words
from workbench.engines.dispatch import engine_of

_VALUES = 1 << 13
_ROWS = 1 << 18
_FIRST_LOOK = 1 << 12


@dataclass(frozen=True)
class Arrangement:
    """The filter and the order in which a table is seen. The default is everything as it comes.

    Parameters
    ----------
    text
        Only rows that contain this text in some cell, whatever the case.
    column, value
        Only rows with exactly this value in this column; "" for no such limit.
    sort_by, descending
        The column by which the rows are sorted, "" for the order of the file.
    """

    text: str = ""
    column: str = ""
    value: str = ""
    sort_by: str = ""
    descending: bool = False

    @property
    def limited(self) -> bool:
        """Whether rows may be hidden."""
        return bool(self.text or self.column)


_BYTES_PER_ROW = 24
"""Codes, keys and row numbers while the rows are sorted."""


def why_not_arranged(table: Table) -> str:
    """Why the rows of a table in an engine can only be shown as they come; "" if they can be sorted and searched."""
    store = engine_of(table).store
    if store is None:
        return ""
    if not store.picks:
        return f"{store.title} shows the rows in the order of the file only."
    needed = table.rows * _BYTES_PER_ROW
    if needed <= store.budget.limit:
        return ""
    return (
        f"To sort or search {table.rows:,} rows, {in_words(needed)} of memory are needed, and "
        f"{in_words(store.budget.limit)} may be used. Raise it under Run, "
        "Data engine and memory."
    )


@dataclass(frozen=True, eq=False)
class Search:
    """The places where a text occurs: for every listed column which of its values contain it, and the cells in all."""

    text: str
    hits: Mapping[str, NDArray[np.bool_]]
    cells: int


def arranged(table: Table, schema: Schema, wanted: Arrangement, progress: Progress = SILENT) -> NDArray[np.intp] | None:
    """Row numbers in the order in which they are to be shown; None for all rows as they come.

    Raises
    ------
    Cancelled
        If the person pressed Cancel or asked for something else.
    """
    rows: NDArray[np.intp] | None = None
    if wanted.limited:
        shown = np.ones(table.rows, dtype=np.bool_)
        if wanted.column in table:
            column = table[wanted.column]
            _both(shown, _is_value(column, wanted.value), [column], progress.part(0.0, 0.2))
        if wanted.text:
            hits = _occurrences(_listed(table), wanted.text, progress.part(0.2, 0.4))
            shown &= _any_hit(table, hits, progress.part(0.4, 0.5))
        rows = np.flatnonzero(shown)
    if wanted.sort_by not in table:
        return rows
    column = table[wanted.sort_by]
    keys = _keys(column, schema[wanted.sort_by], descending=wanted.descending)
    progress(0.8)
    codes = column.codes if rows is None else np.take(column.codes, rows)
    progress(0.85)
    order = np.argsort(np.take(keys, codes), kind="stable")
    progress(1.0)
    return order if rows is None else np.take(rows, order)


def search(table: Table, text: str, progress: Progress = SILENT) -> Search:
    """Look for a text in every distinct value, whatever the case."""
    listed = _listed(table)
    hits = _occurrences(listed, text, progress)
    cells = sum(int(column.counts[hit].sum()) for column, hit in zip(listed, hits, strict=True))
    return Search(text, dict(zip((column.name for column in listed), hits, strict=True)), cells)


def _listed(table: Table) -> list[Column]:
    """The columns whose different values are known; no text can be looked for in the others."""
    return [column for column in table.columns if table.lists(column.name)]


def next_cell(
    table: Table,
    rows: NDArray[np.intp] | None,
    found: Search,
    start: tuple[int, int],
    *,
    backwards: bool = False,
    progress: Progress = SILENT,
) -> tuple[int, int] | None:
    """The next cell with the text after `start` (row shown, column), going round at the end; None if there is none.

    Parameters
    ----------
    rows
        The rows shown, as `arranged` gives them.
    """
    shown = table.rows if rows is None else len(rows)
    width = len(table.columns)
    at = start[0] * width + start[1]
    spans = [(at + 1, shown * width), (0, min(at + 1, shown * width))]
    if backwards:
        spans = [(0, max(at, 0)), (max(at, 0), shown * width)]
    for low, high in spans:
        place = _first_hit(table, rows, found, low, high, backwards=backwards, progress=progress)
        if place is not None:
            return divmod(place, width)
    return None


def _first_hit(
    table: Table,
    rows: NDArray[np.intp] | None,
    found: Search,
    low: int,
    high: int,
    *,
    backwards: bool,
    progress: Progress,
) -> int | None:
    """The first cell from `low` to `high`, counted row by row, or the last one; looks further and further away."""
    width, size = len(table.columns), _FIRST_LOOK
    while low < high:
        progress(0.0)
        first, last = (max(high - size * width, low), high) if backwards else (low, min(low + size * width, high))
        top = first // width
        places = top * width + np.flatnonzero(_cells(table, rows, found, top, -(-last // width)))
        places = places[(places >= first) & (places < last)]
        if len(places):
            return int(places[-1 if backwards else 0])
        if backwards:
            high = first
        else:
            low = last
        size = min(2 * size, _ROWS)
    return None


def counted_values(column: Column, spec: ColumnSpec, *, by_value: bool, text: str = "") -> NDArray[np.intp]:
    """Codes of the values that occur and contain `text`, the most frequent first, or in the order of the values."""
    used = np.flatnonzero(column.counts > 0)
    if text:
        used = used[_occurrences([column], text, SILENT)[0][used]]
    if by_value:
        return used[np.argsort(_keys(column, spec, descending=False)[used], kind="stable")]
    return used[np.argsort(-column.counts[used], kind="stable")]


def _keys(column: Column, spec: ColumnSpec, *, descending: bool) -> NDArray[np.integer]:
    """A small integer per distinct value by which rows can be sorted; missing values come last either way."""
    try:
        keys = sort_keys(column, spec)
    except WorkbenchError:  # A date whose pattern was not given yet is sorted as text.
        keys = sort_keys(column, replace(spec, kind=Kind.TEXT))
    if descending:
        absent = frozenset(spec.missing)
        present = len(keys) - sum(is_missing(value, absent) for value in column.values)
        keys = np.where(keys < present, present - 1 - keys, keys)
    # Rows with few distinct values are sorted by counting, in a fraction of the time.
    return keys.astype(np.min_scalar_type(max(len(keys) - 1, 0)))


def _occurrences(columns: Iterable[Column], text: str, progress: Progress) -> tuple[NDArray[np.bool_], ...]:
    folded = text.casefold()
    listed = list(columns)
    hits = []
    for position, column in enumerate(listed):
        part = progress.part(position / len(listed), (position + 1) / len(listed))
        hit = np.zeros(len(column.values), dtype=np.bool_)
        for start in range(0, len(hit), _VALUES):
            part(start / len(hit))
            block = column.values[start : start + _VALUES]
            hit[start : start + len(block)] = [folded in value.casefold() for value in block]
        hits.append(hit)
    return tuple(hits)


def _is_value(column: Column, value: str) -> NDArray[np.bool_]:
    hit = np.zeros(len(column.values), dtype=np.bool_)
    if value in column.values:
        hit[column.values.index(value)] = True
    return hit


def _both(shown: NDArray[np.bool_], hit: NDArray[np.bool_], columns: list[Column], progress: Progress) -> None:
    for column in columns:
        for start in range(0, len(shown), _ROWS):
            progress(start / len(shown))
            shown[start : start + _ROWS] &= np.take(hit, column.codes[start : start + _ROWS])


def _any_hit(table: Table, hits: tuple[NDArray[np.bool_], ...], progress: Progress) -> NDArray[np.bool_]:
    shown = np.zeros(table.rows, dtype=np.bool_)
    for column, hit in zip(_listed(table), hits, strict=True):
        if hit.any():
            for start in range(0, len(shown), _ROWS):
                progress(start / len(shown))
                shown[start : start + _ROWS] |= np.take(hit, column.codes[start : start + _ROWS])
    return shown


def _cells(table: Table, rows: NDArray[np.intp] | None, found: Search, first: int, last: int) -> NDArray[np.bool_]:
    """Which cells of the rows shown from `first` to `last` have the text, row by row in one array."""
    where = slice(first, last) if rows is None else rows[first:last]
    height = last - first
    cells = np.zeros((height, len(table.columns)), dtype=np.bool_)
    for position, column in enumerate(table.columns):
        hit = found.hits.get(column.name)
        if hit is not None and hit.any():
            cells[:, position] = np.take(hit, column.codes[where])
    return cells.ravel()
