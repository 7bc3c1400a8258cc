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
from workbench.core.number_text import count
from workbench.core.paths import followed
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.io.atomic import atomic_write
from workbench.io.export_format import ExportFormat, WriteReport
from workbench.io.writing import require_columns

_BLOCK = 1 << 20
_SPARE = 1 << 20
"""Bytes that are left free on the disk at least."""


@dataclass(frozen=True)
class Written:
    """A file that is complete but has not taken its place yet. All of it is about the file alone.

    `fingerprint` is the SHA-256 of its bytes, `size` their number. Of a folder, `parts` is the number of its files, and
    the fingerprint is that of `workbench.io.parts.fingerprint_of`; of one file `parts` is 0.
    """

    report: WriteReport
    fingerprint: str
    size: int
    parts: int = 0


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
    if (missing := style.kind.missing) is not None:
        raise missing
    check_room(table, Path(path))
    with atomic_write(path, protected=protected) as file:
        report = write_into(table, file, style, progress.part(0.0, 0.6))
        file.flush()
        written = Written(report, *_fingerprint(file))
        if check is not None:
            file.seek(0)
            check(file, written)
        progress(1.0)
        if before is not None:
            before()
    return written


def write_into(table: Table, file: BinaryIO, style: ExportFormat, progress: Progress = SILENT) -> WriteReport:
    """Write a table with columns into an open file, with texts that no spreadsheet runs."""
    return style.kind.write(table, file, style, progress, None)


def _fingerprint(file: BinaryIO) -> tuple[str, int]:
    file.seek(0)
    digest, size = hashlib.sha256(), 0
    while block := file.read(_BLOCK):
        digest.update(block)
        size += len(block)
    return digest.hexdigest(), size


def check_room(table: Table, path: Path) -> None:
    """Refuse to begin a file that does not fit: of texts as long as they are, which no format exceeds by much.

    Raises
    ------
    WorkbenchError
        If there is less room.
    """
    _refuse_without(_SPARE + size_of_texts(table), path)


def check_spare_room(path: Path) -> None:
    """Refuse a place where no file at all would be begun, as `check_room` does: before anything is drawn for it.

    Raises
    ------
    WorkbenchError
        If less room is left there than always is.
    """
    _refuse_without(_SPARE, path)


def _refuse_without(wanted: int, path: Path) -> None:
    try:
        free = shutil.disk_usage(followed(path).parent).free
    except OSError:
        return  # writing says what is wrong with the folder
    if free < wanted:
        raise WorkbenchError(
            f"“{path}” needs about {count(wanted / 1e6)} MB, and {count(free / 1e6)} MB are free there. Nothing was "
            "changed.",
            hint="Choose another folder, or make room and try again.",
            field="path",
        )


def size_of_texts(table: Table) -> int:
    """Bytes of all cells and what is between them; no row is looked at."""
    return sum(
        (len(text.encode("utf-8", "replace")) + 1) * count
        for column in table.columns
        for text, count in zip(column.values, column.counts.tolist(), strict=True)
    )
