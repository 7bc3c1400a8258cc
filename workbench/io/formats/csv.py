"""CSV: lines of texts, in the encoding and with the signs that the style names."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.io.export_format import Blocks, ExportFormat, FileFormat, WriteReport, not_read_back
from workbench.io.opening import FileContent
from workbench.io.row_blocks import RowBlock, RowBlocks, blocks_of_file
from workbench.io.writing import csv_into


def _write(table: Table, file: BinaryIO, style: ExportFormat, progress: Progress, blocks: Blocks | None) -> WriteReport:
    return csv_into(table, file, style, progress=progress)


def _read_back(file: BinaryIO, style: ExportFormat) -> Iterator[Sequence[str]]:
    return RowBlocks(_blocks(file, style))


def _blocks(file: BinaryIO, style: ExportFormat) -> Iterator[RowBlock]:
    """The cells as Python's own reader finds them, which has nothing in common with what wrote them."""
    try:
        yield from blocks_of_file(file, style.encoding, style.delimiter)
    except (csv.Error, UnicodeError) as error:
        raise not_read_back(error) from error


FORMAT = FileFormat(
    identifier="csv",
    title="CSV",
    one="A CSV file",
    many="CSV files",
    suffixes=(".csv", ".tsv", ".tab", ".txt"),
    write=_write,
    read_back=_read_back,
    recognised_as=FileContent.CSV,
    delimited=True,
    engines=True,
)
