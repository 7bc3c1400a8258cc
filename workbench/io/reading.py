"""Reading a table from a file: every row is either in the table or in the list of problems.

The rules, where files differ:

- A blank line (empty or only spaces) is ignored. In a file of one column a blank line between values is a
  row without a value; those after the last value are ignored.
- A row with another number of cells than the heading is a problem and left out. Where the heading ends
  with delimiters and the columns below have no values, these columns are left out.
- If every row has exactly one cell more than the heading, the first column is taken for row names.
- Columns without a name become "column 3"; a name that comes again becomes "name (2)". Both are reported.
- Bytes that are no text and NUL characters become "�"; the row is kept and reported.

Workbooks (one sheet), Parquet files, files of SPSS, Stata and SAS, JSON lines and databases are recognised by their
content and read by the same rules; see `workbench.io.excel`, `workbench.io.parquet` and `workbench.io.typed_tables`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Literal

from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.garbage import no_garbage_collection
from workbench.core.progress import SILENT, Progress
from workbench.core.rough_counts import roughly_rows
from workbench.core.schema import ColumnSpec
from workbench.core.table import Table
from workbench.io.block_reading import collect
from workbench.io.column_codes import MAX_PROBLEMS, Collector, ReadingProblem
from workbench.io.dialect import Dialect, recognise_dialect
from workbench.io.excel import Workbook
from workbench.io.line_map import LineMap
from workbench.io.opening import FileContent, Source, file_fingerprint
from workbench.io.parquet import read_columns
from workbench.io.parts import fingerprint_of, form_of_parts, joint_fingerprint, parts_of, steady_parts
from workbench.io.rows import excerpt, row_batches, text_lines
from workbench.io.typed_tables import content_fingerprint, read_typed

__all__ = ["MAX_PROBLEMS", "FileContent", "FilePreview", "Reading", "ReadingProblem", "preview", "read_table"]

_PREVIEW_BATCH = 1 << 14
_RAW_LINES = 20
_RAW_LENGTH = 300
_REPORT_EVERY = 0.05  # seconds


@discreet
@dataclass(frozen=True)
class Reading:
    """A table and how it came out of its file.

    Parameters
    ----------
    table
        The rows that could be read, in the order of the file.
    dialect
        How the file was read.
    problems, problem_count
        The first problems, and how many there are in all.
    skipped
        Rows that are not in the table.
    fingerprint
        SHA-256 of the file, in hexadecimal.
    form, sheets
        What the file is, and the names of its sheets or tables if it is a workbook or database.
    lines
        Where the rows start in the file.
    parts
        The files it was read from; none if that is only `path` itself.
    specs
        What the file says of its columns; none if it says nothing, so that it must be proposed by their texts.
    """

    table: Table
    dialect: Dialect
    problems: tuple[ReadingProblem, ...]
    problem_count: int
    skipped: int
    fingerprint: str
    path: Path
    form: FileContent = FileContent.CSV
    sheets: tuple[str, ...] = ()
    lines: LineMap = field(default_factory=LineMap, compare=False, repr=False)
    parts: tuple[Path, ...] = ()
    specs: tuple[ColumnSpec, ...] = ()

    @property
    def rows(self) -> int:
        return self.table.rows

    def unread(self, most: int = MAX_PROBLEMS) -> tuple[str, ...]:
        """Where lines are that are not in the table, in words; of up to `most` of them."""
        return tuple(problem.place for problem in self.problems if not problem.kept)[:most]

    def line_of(self, row: int) -> int:
        """The line of the file, from 1, in which a row of the table, from 0, starts; in a sheet its row."""
        return self.lines.line_of(row)

    def place_of(self, row: int) -> str:
        """Where a row of the table, from 0, starts, in words."""
        return self.lines.place_of(row)


@dataclass(frozen=True)
class FilePreview:
    """The beginning of a file, to look at before it is loaded.

    `lines` are the first 20 lines as they stand in the file, shortened; the rest is as in `Reading`.
    """

    dialect: Dialect
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    problems: tuple[ReadingProblem, ...]
    lines: tuple[str, ...]
    form: FileContent = FileContent.CSV
    sheets: tuple[str, ...] = ()
    specs: tuple[ColumnSpec, ...] = ()


def read_table(
    path: str | os.PathLike[str],
    dialect: Dialect | None = None,
    progress: Progress = SILENT,
    *,
    on_bad: Literal["skip", "stop"] = "skip",
    limit: int | None = None,
) -> Reading:
    """Read a CSV file, plain or packed as `.gz` or `.zip`, a sheet, a table of a database, or a file of another form.

    Parameters
    ----------
    path
        A file; the address of a database; or a folder, or a pattern such as `parts/*.csv`, whose files, written alike
        and with the same columns, follow one another in the order of their names.
    dialect
        How the file is written; recognised if not given. One that names a sheet is meant for workbooks, one that
        names none for CSV files; for the other sort of file it counts as not given.
    on_bad
        Whether to go on at a row that cannot be read as it stands, or to stop with an error.
    limit
        Rows to read at most. The fingerprint is of the whole file all the same.

    Raises
    ------
    WorkbenchError
        If a file cannot be read or is no table, or needs a package that is not installed, or parts have different
        columns, or one of them changes while it is read; with "stop" at the first problem in a row.
    Cancelled
        If the person pressed Cancel.
    """
    paths = parts_of(path, progress)
    with steady_parts(path, paths, progress):
        return _read_parts(path, paths, dialect, progress, on_bad, limit)


def _read_parts(
    path: str | os.PathLike[str],
    paths: tuple[Path, ...],
    dialect: Dialect | None,
    progress: Progress,
    on_bad: Literal["skip", "stop"],
    limit: int | None,
) -> Reading:
    form = form_of_parts(path, paths)
    if form.typed:
        return _read_typed(paths[0], form, dialect, progress, on_bad, limit)
    if form.sheets:
        progress(0.0, "Reading the sheet")
        with Workbook(paths[0], dialect, progress.part(0.0, 0.95)) as book:
            return replace(_read_workbook(book, progress, on_bad, limit), path=Path(path), form=form)
    parts = paths if paths != (Path(path),) else ()
    if form is FileContent.PARQUET:
        progress(0.0, "Reading the file")
        table, problems = read_columns(paths, limit, progress.part(0.0, 0.95))
        fingerprint = fingerprint_of(paths, progress.part(0.95, 1.0))
        return Reading(
            table,
            Dialect(),
            tuple(problems[:MAX_PROBLEMS]),
            len(problems),
            0,
            fingerprint,
            Path(path),
            form,
            parts=parts,
        )
    chosen = _recognised(paths[0], progress) if dialect is None or dialect.sheet else dialect
    collector = Collector(paths[0].name, chosen, on_bad, limit)
    fingerprints: list[str] = []
    progress(0.0, "Reading the file")
    with no_garbage_collection():
        for place, one in enumerate(paths):
            part = progress.part(0.97 * place / len(paths), 0.97 * (place + 1) / len(paths))
            with Source(one, part) as source:
                if not collector.full:
                    if len(paths) > 1:
                        collector.begin_part(one.name)
                    _collect(collector, source, chosen, part.part(0.0, 0.98))
                fingerprints.append(source.fingerprint(part.part(0.98, 1.0)))
        table = collector.table(progress)
    progress(1.0, f"{roughly_rows(table.rows)} read")
    return Reading(
        table,
        chosen,
        tuple(collector.problems),
        collector.problem_count,
        collector.skipped,
        joint_fingerprint(fingerprints),
        Path(path),
        lines=collector.lines,
        parts=parts,
    )


def _collect(collector: Collector, source: Source, dialect: Dialect, progress: Progress) -> None:
    """Read the rows of one file, as far as they are wanted."""
    last = time.monotonic()
    for _ in collect(collector, source, dialect):
        now = time.monotonic()
        if now - last >= _REPORT_EVERY:
            progress(source.fraction, f"{roughly_rows(collector.rows)} read")
            last = now


def _read_workbook(book: Workbook, progress: Progress, on_bad: Literal["skip", "stop"], limit: int | None) -> Reading:
    chosen = book.dialect
    collector = Collector(book.path.name, chosen, on_bad, limit)
    for batch in book.batches():
        collector.add(batch)
        if collector.full:
            break
        progress(0.95 * book.fraction, f"{roughly_rows(collector.rows)} read")
    table = collector.table(progress)
    fingerprint = file_fingerprint(book.path, progress.part(0.98, 1.0))
    progress(1.0, f"{roughly_rows(table.rows)} read")
    return Reading(
        table,
        chosen,
        tuple(collector.problems),
        collector.problem_count,
        collector.skipped,
        fingerprint,
        book.path,
        FileContent.EXCEL,
        book.sheets,
        collector.lines,
    )


def _read_typed(
    path: Path,
    form: FileContent,
    dialect: Dialect | None,
    progress: Progress,
    on_bad: Literal["skip", "stop"],
    limit: int | None,
) -> Reading:
    progress(0.0, "Reading the table")
    found = read_typed(path, form, dialect, limit, progress.part(0.0, 0.95))
    if on_bad == "stop" and found.skipped:
        first = next(problem for problem in found.problems if not problem.kept)
        raise WorkbenchError(
            f"Line {first.line:,} of “{path.name}” cannot be read: {first.reason}.",
            hint=f"Correct the line, or let such lines be reported: {first.text}",
            field="path",
        )
    # A database file changes with every table in it, and one on a server is no file.
    read = content_fingerprint(found.table) if form.database else file_fingerprint(path, progress.part(0.95, 1.0))
    progress(1.0, f"{roughly_rows(found.table.rows)} read")
    return Reading(
        found.table,
        found.dialect,
        found.problems[:MAX_PROBLEMS],
        found.problem_count,
        found.skipped,
        read,
        path,
        form,
        found.tables,
        specs=found.specs,
    )


def preview(path: str | os.PathLike[str], dialect: Dialect | None = None, rows: int = 50) -> FilePreview:
    """The first `rows` rows of a file, or of the first one of several parts. Reads no more of it than that takes.

    Raises
    ------
    WorkbenchError
        If the file cannot be read or is no table.
    """
    paths = parts_of(path)
    path, form = paths[0], form_of_parts(path, paths)
    if form.typed:
        return _typed_preview(path, form, dialect, rows)
    if form is not FileContent.CSV:
        return _table_preview(path, form, dialect, rows)
    chosen = _recognised(path) if dialect is None or dialect.sheet else dialect
    with Source(path) as source:
        collector = Collector(source.path.name, chosen, "skip", rows)
        for batch in row_batches(source, chosen, _PREVIEW_BATCH):
            collector.add(batch)
            if collector.full:
                break
        table = collector.table(SILENT)
    with Source(path) as source:
        raw = list(_first(text_lines(source, chosen.encoding, _PREVIEW_BATCH), _RAW_LINES))
    return FilePreview(
        chosen,
        table.names,
        tuple(table.row(i) for i in range(table.rows)),
        tuple(collector.problems),
        tuple(excerpt(line, _RAW_LENGTH) for line in raw),
    )


def _table_preview(path: str | os.PathLike[str], form: FileContent, dialect: Dialect | None, rows: int) -> FilePreview:
    """The first rows of a file that has no lines of text; as lines it shows its cells with tabs between them."""
    if form is FileContent.PARQUET:
        table, problems = read_columns([path], rows)
        lines = ("\t".join(table.names), *("\t".join(table.row(i)) for i in range(min(table.rows, _RAW_LINES - 1))))
        chosen, sheets = Dialect(), tuple[str, ...]()
    else:
        with Workbook(path, dialect) as book:
            chosen, lines = book.dialect, book.top
            collector = Collector(book.path.name, chosen, "skip", rows)
            for batch in book.batches():
                collector.add(batch)
                if collector.full:
                    break
        table, problems, sheets = collector.table(SILENT), collector.problems, book.sheets
    return FilePreview(
        chosen,
        table.names,
        tuple(table.row(i) for i in range(table.rows)),
        tuple(problems),
        tuple(excerpt(line, _RAW_LENGTH) for line in lines),
        form,
        sheets,
    )


def _typed_preview(path: Path, form: FileContent, dialect: Dialect | None, rows: int) -> FilePreview:
    found = read_typed(path, form, dialect, rows)
    shown = tuple(found.table.row(i) for i in range(found.table.rows))
    lines = ("\t".join(found.table.names), *("\t".join(row) for row in shown[: _RAW_LINES - 1]))
    return FilePreview(
        found.dialect,
        found.table.names,
        shown,
        found.problems,
        tuple(excerpt(line, _RAW_LENGTH) for line in lines),
        form,
        found.tables,
        found.specs,
    )


def _recognised(path: str | os.PathLike[str], progress: Progress = SILENT) -> Dialect:
    with Source(path, progress) as source:
        return recognise_dialect(source)


def _first(batches: Iterator[list[str]], count: int) -> Iterator[str]:
    return (line for line, _ in zip(chain.from_iterable(batches), range(count), strict=False))
