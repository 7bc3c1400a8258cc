"""Writing a table in any of the formats, read back and checked before it takes its place."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table
from workbench.io.atomic import atomic_write
from workbench.io.export_format import ExportForm, ExportFormat
from workbench.io.parquet import parquet_into
from workbench.io.writing import WriteReport, csv_into, neutral, neutralised_texts, require_columns
from workbench.io.xlsx import xlsx_into

_BLOCK = 1 << 20
_SPARE = 1 << 20
"""Bytes that are left free on the disk at least."""


@dataclass(frozen=True)
class Written:
    """A file that is complete but has not taken its place yet. All of it is about the file alone.

    `fingerprint` is the SHA-256 of its bytes, `size` their number.
    """

    report: WriteReport
    fingerprint: str
    size: int


def write_table(
    table: Table,
    path: str | os.PathLike[str],
    style: ExportFormat,
    *,
    protected: Iterable[str | os.PathLike[str]] = (),
    check: Callable[[BinaryIO, Written], object] | None = None,
    before: Callable[[], object] | None = None,
    progress: Progress = SILENT,
) -> Written:
    """Write `table` with texts that no spreadsheet runs; the old file survives untouched if anything goes wrong.

    Parameters
    ----------
    protected
        Files that must not be overwritten, such as the one the data was read from.
    check
        Called with the complete file, to be read, while only its owner can see it. If it raises, nothing appears.
    before
        Called last, right before the file takes its place. If it raises, nothing appears.

    Raises
    ------
    WorkbenchError
        If the table has no column, the format does not suit it, or the file cannot be written or has no room.
    Cancelled
        If the person pressed Cancel; nothing is changed then.
    """
    require_columns(table)
    if (missing := style.form.missing) is not None:
        raise missing
    _check_room(table, Path(path))
    with atomic_write(path, protected=protected) as file:
        report = _write(table, file, style, progress.part(0.0, 0.6))
        file.flush()
        written = Written(report, *_fingerprint(file))
        if check is not None:
            file.seek(0)
            check(file, written)
        progress(1.0)
        if before is not None:
            before()
    return written


def _write(table: Table, file: BinaryIO, style: ExportFormat, progress: Progress) -> WriteReport:
    if style.form is ExportForm.CSV:
        return csv_into(table, file, style, progress=progress)
    report = WriteReport(table.rows, neutralised_texts(table))
    safe = Table(tuple(_neutral(column) for column in table.columns))
    if style.form is ExportForm.PARQUET:
        parquet_into(safe, file, progress)
    else:
        xlsx_into(safe, file, progress)
    return report


def _neutral(column: Column) -> Column:
    """In these formats nothing runs, but a file saved from them as CSV would."""
    return Column(neutral(column.name), column.codes, tuple(map(neutral, column.values)))


def _fingerprint(file: BinaryIO) -> tuple[str, int]:
    file.seek(0)
    digest, size = hashlib.sha256(), 0
    while block := file.read(_BLOCK):
        digest.update(block)
        size += len(block)
    return digest.hexdigest(), size


def _check_room(table: Table, path: Path) -> None:
    """Refuse to begin a file that does not fit: of texts as long as they are, which no format exceeds by much."""
    wanted = _SPARE
    for column in table.columns:
        lengths = (len(text.encode("utf-8", "replace")) + 1 for text in column.values)
        wanted += sum(length * count for length, count in zip(lengths, column.counts.tolist(), strict=True))
    try:
        free = shutil.disk_usage(path.resolve().parent).free
    except OSError:
        return  # writing says what is wrong with the folder
    if free < wanted:
        raise WorkbenchError(
            f"“{path}” needs about {wanted / 1e6:,.0f} MB, and {free / 1e6:,.0f} MB are free there. Nothing was "
            "changed.",
            hint="Choose another folder, or make room and try again.",
            field="path",
        )
