"""Excel workbooks: one sheet, whose texts are shared strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.io import excel
from workbench.io.export_format import Blocks, ExportFormat, FileFormat, ReaderApart, WriteReport
from workbench.io.opening import FileContent
from workbench.io.writing import neutral, neutralised_texts
from workbench.io.xlsx import MOST_ROWS, xlsx_into


def _write(table: Table, file: BinaryIO, style: ExportFormat, progress: Progress, blocks: Blocks | None) -> WriteReport:
    # Nothing runs in such a file, but it would in one saved from it as CSV.
    xlsx_into(table, file, progress, neutral)
    return WriteReport(table.rows, neutralised_texts(table))


def _read_back(file: BinaryIO, style: ExportFormat) -> Iterator[Sequence[str]]:
    return excel.cells_of(file)


def _headings(paths: Sequence[Path]) -> list[list[str]]:
    found = []
    for path in paths:
        with closing(excel.rows_of(path, SILENT)) as rows:
            found.append(list(next(rows, [])))
    return found


def _rows(paths: Sequence[Path], progress: Progress) -> Iterator[Sequence[str]]:
    for path in paths:
        with closing(excel.rows_of(path, progress)) as rows:
            next(rows, [])
            yield from rows


FORMAT = FileFormat(
    identifier="xlsx",
    title="Excel workbook",
    one="A workbook",
    many="Excel workbooks",
    suffixes=(".xlsx",),
    write=_write,
    read_back=_read_back,
    apart=ReaderApart(_headings, _rows),
    recognised_as=FileContent.EXCEL,
    # Written without it, but nothing leaves that was not read back.
    package="python_calamine",
    most_rows=MOST_ROWS - 1,
    in_parts=False,
)
