"""The rows of a released file in blocks: in an anonymised file most rows of a block are alike."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO

from workbench.core.discreet import discreet

_ROWS = 1 << 14
_BYTES = 1 << 20
_MOST = 1 << 16
"""Different lines that are remembered at a time."""
_BY_LINES = {"ascii", "utf-8", "utf-8-sig", "iso8859-1", "iso8859-15", "cp1252"}
"""Encodings in which a byte 10 is the end of a line and nothing else."""


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
    known
        How often each mark occurs, if that has been counted.
    """

    marks: Sequence[Hashable]
    rows: Mapping[Hashable, Sequence[str]]
    known: Mapping[Any, int] | None = None

    @property
    def counts(self) -> Mapping[Hashable, int]:
        """How often each mark occurs."""
        return Counter(self.marks) if self.known is None else self.known


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


def blocks_of_file(file: BinaryIO, encoding: str, delimiter: str) -> Iterator[RowBlock]:
    """The rows that Python's own reader finds in a CSV file, each different line decoded and parsed once.

    Where a row runs over several lines, or hardly any line comes twice, the rest is read row by row.

    Parameters
    ----------
    file
        An open file that can go back to where it was.

    Raises
    ------
    csv.Error, UnicodeError
        If the lines are no CSV, or not in this encoding.
    """
    if (name := codecs.lookup(encoding).name) in _BY_LINES:
        if name == "utf-8-sig":
            begin = file.tell()
            if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
                file.seek(begin)
            encoding = "utf-8"
        yield from _repeated_lines(file, encoding, delimiter)
    text = io.TextIOWrapper(file, encoding, newline="")
    try:
        yield from blocks_of(csv.reader(text, delimiter=delimiter, strict=True))
    finally:
        if not file.closed:
            text.detach()  # the file belongs to the caller


def _repeated_lines(file: BinaryIO, encoding: str, delimiter: str) -> Iterator[RowBlock]:
    """Blocks as long as each line is a row and most come more than once; the file is left where that ends."""
    known: dict[bytes, list[str]] = {}
    begin = file.tell()
    while block := file.readlines(_BYTES):
        counts = Counter(block)
        fresh = counts.keys() - known.keys()
        parsed = {} if 2 * len(fresh) > len(block) + 2 else {line: _row(line, encoding, delimiter) for line in fresh}
        found = {line: row for line, row in parsed.items() if row is not None}
        if len(found) < len(fresh):
            file.seek(begin)
            return
        if len(known) + len(found) > _MOST:
            known = {line: known[line] for line in counts.keys() - found.keys()}
        known.update(found)
        yield RowBlock(block, {line: known[line] for line in counts}, counts)
        begin = file.tell()


def _row(line: bytes, encoding: str, delimiter: str) -> list[str] | None:
    """The one row of a line; None if it has no row of its own, such as one with half a quotation."""
    if b"\r" in line.removesuffix(b"\n").removesuffix(b"\r"):
        return None
    try:
        rows = list(csv.reader((line.decode(encoding),), delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return rows[0] if len(rows) == 1 else None
