"""The rows of a released file in blocks: in an anonymised file most rows of a block are alike."""

from __future__ import annotations

import csv
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from workbench.core.discreet import discreet

_ROWS = 1 << 14
_MOST = 1 << 16
"""Different lines that are remembered at a time."""


@discreet
@dataclass(frozen=True, eq=False)
class RowBlock:
    """Rows that follow one another.

    Parameters
    ----------
    marks
        A mark for each row.
    rows
        The cells by mark; the same cells may have several marks.
    """

    marks: Sequence[Hashable]
    rows: Mapping[Hashable, Sequence[str]]


class RowBlocks(Iterator[Sequence[str]]):
    """Rows one after the other, or from any row on a block at a time."""

    def __init__(self, blocks: Iterable[RowBlock]) -> None:
        self._blocks = iter(blocks)
        self._left: Iterator[Hashable] = iter(())
        self._rows: Mapping[Hashable, Sequence[str]] = {}

    def __next__(self) -> Sequence[str]:
        for mark in self._left:
            return self._rows[mark]
        block = next(self._blocks)
        self._left, self._rows = iter(block.marks), block.rows
        return next(self)

    def blocks(self) -> Iterator[RowBlock]:
        """The rows that are left."""
        if marks := list(self._left):
            yield RowBlock(marks, self._rows)
        yield from self._blocks


def blocks_of(rows: Iterator[Sequence[str]]) -> Iterator[RowBlock]:
    """The rows that are left, in blocks, even if nothing is known of which are alike."""
    if isinstance(rows, RowBlocks):
        yield from rows.blocks()
        return
    while block := list(islice(rows, _ROWS)):
        yield RowBlock(range(len(block)), dict(enumerate(block)))


def blocks_of_lines(text: Iterable[str], delimiter: str) -> Iterator[RowBlock]:
    """The rows that Python's own reader finds in the lines of a CSV, each different line parsed once.

    Where a row runs over several lines, or hardly any line comes twice, the rest is read row by row.

    Raises
    ------
    csv.Error
        If the lines are no CSV.
    """
    lines = iter(text)
    known: dict[str, list[str]] = {}
    while block := list(islice(lines, _ROWS)):
        different = set(block)
        fresh = different.difference(known)
        parsed = {line: _row(line, delimiter) for line in fresh} if 2 * len(fresh) <= len(block) + 2 else {}
        found = {line: row for line, row in parsed.items() if row is not None}
        if len(found) < len(fresh):
            yield from blocks_of(csv.reader(chain(block, lines), delimiter=delimiter, strict=True))
            return
        if len(known) + len(found) > _MOST:
            known = {line: known[line] for line in different.difference(found)}
        known.update(found)
        yield RowBlock(block, {line: known[line] for line in different})


def _row(line: str, delimiter: str) -> list[str] | None:
    """The one row of a line; None if it has no row of its own, such as one with half a quotation."""
    try:
        rows = list(csv.reader((line,), delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return rows[0] if len(rows) == 1 else None
