"""Parquet: typed columns, packed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.io import parquet
from workbench.io.export_format import Blocks, ExportFormat, FileFormat, ReaderApart, WriteReport
from workbench.io.opening import FileContent
from workbench.io.row_blocks import RowBlocks
from workbench.io.writing import neutral, neutralised_texts


def _write(table: Table, file: BinaryIO, style: ExportFormat, progress: Progress, blocks: Blocks | None) -> WriteReport:
    # Nothing runs in such a file, but it would in one saved from it as CSV.
    parquet.parquet_into(table, file, progress, neutral, blocks)
    return WriteReport(table.rows, neutralised_texts(table))


def _read_back(file: BinaryIO, style: ExportFormat) -> Iterator[Sequence[str]]:
    return RowBlocks(parquet.blocks_of_parquet(file))


FORMAT = FileFormat(
    identifier="parquet",
    title="Parquet",
    one="A Parquet file",
    many="Parquet files",
    suffixes=(".parquet",),
    write=_write,
    read_back=_read_back,
    apart=ReaderApart(parquet.column_names, parquet.rows_of),
    recognised_as=FileContent.PARQUET,
    package="pyarrow",
    engines=True,
    folds_names=True,
)
