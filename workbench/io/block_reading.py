"""Reading a file block by block: plain ones by numpy, all others row by row, with the same outcome."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.io.column_codes import Collector
from workbench.io.dialect import Dialect
from workbench.io.opening import Source
from workbench.io.plain_blocks import PlainReader
from workbench.io.rows import BATCH, RowReader

_BATCHES = 4
"""The most batches that make a block."""

_FEWEST = 256
"""Rows of a block for which looking at it column by column pays."""


def collect(collector: Collector, source: Source, dialect: Dialect) -> Iterator[None]:
    """Hand the rows of a file to the collector until it is full; yields now and then, so that others get their turn.

    The reader of rows is fed the batches that it would be fed if it read the whole file, except for those it never
    sees, because some of what it decides depends on where they end: what the heading is, and that a quotation mark is
    never closed. Where no row is open between two batches, the line that has begun is kept here, so that the next block
    can begin with it, whoever reads that.

    Raises
    ------
    WorkbenchError
        If a line is longer than any table has, or the bytes cannot be decoded at all.
    """
    rows, plain = RowReader(source.path.name, dialect), PlainReader(dialect)
    begun, between, position = b"", plain.possible, 0
    while not collector.full:
        ready = between and collector.width > 0
        data = source.read(BATCH - position % BATCH + (BATCH * (_BATCHES - 1) if ready else 0))
        if ready and data:
            lines = begun + data
            cut = lines.rfind(b"\n") + 1
            block = plain.block(lines[:cut], collector.width)
            if block is not None and block.rows >= _FEWEST:
                collector.add_plain(block, rows.done)
                rows.take_back(block.rows)
                begun, position = lines[cut:], position + len(data)
                yield
                continue
        for piece in _batches(data, position):
            if _take_in(collector, rows, begun + piece):
                return
            begun = b""
            yield
        position += len(data)
        if not data:
            if not (begun and _take_in(collector, rows, begun)):
                _take_in(collector, rows, b"")
            return
        line = data.rfind(b"\n") + 1
        between = plain.possible and rows.whole and line > 0 and b"\r" not in data[line:]
        if between:
            rows.take_back()
            begun = data[line:]


def _take_in(collector: Collector, rows: RowReader, data: bytes) -> bool:
    """Hand on the rows that these bytes complete; returns whether the collector is full."""
    for batch in rows.feed(data):
        collector.add(batch)
        if collector.full:
            return True
    return False


def _batches(data: bytes, position: int) -> Iterator[bytes]:
    """The bytes from a place of the file on, cut where batches end."""
    start = 0
    while start < len(data):
        stop = start + BATCH - (position + start) % BATCH
        yield data[start:stop]
        start = stop
