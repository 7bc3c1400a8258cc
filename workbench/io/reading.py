"""Reading a table from a CSV file: every row is either in the table or in the list of problems.

The rules, where files differ:

- A blank line (empty or only spaces) is ignored. In a file of one column a blank line between values is a
  row without a value; those after the last value are ignored.
- A row with another number of cells than the heading is a problem and left out. Where the heading ends
  with delimiters and the columns below have no values, these columns are left out.
- If every row has exactly one cell more than the heading, the first column is taken for row names.
- Columns without a name become "column 3"; a name that comes again becomes "name (2)". Both are reported.
- Bytes that are no text and NUL characters become "�"; the row is kept and reported.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table
from workbench.io.dialect import Dialect, recognise_dialect
from workbench.io.opening import Source
from workbench.io.rows import Batch, damaged, excerpt, lines_of, repaired, row_batches, text_lines

MAX_PROBLEMS = 1000
"""Problems listed one by one; further ones are only counted."""

_PREVIEW_BATCH = 1 << 14
_RAW_LINES = 20
_RAW_LENGTH = 300
_REPORT_EVERY = 0.05  # seconds


@dataclass(frozen=True)
class Problem:
    """A place in a file that could not be read as it stands.

    Parameters
    ----------
    line
        Line number, from 1, at which the row starts.
    reason
        What is wrong.
    text
        The line, at most 80 characters of it.
    kept
        Whether the row is in the table nevertheless, repaired as `reason` says.
    """

    line: int
    reason: str
    text: str
    kept: bool = False


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
    """

    table: Table
    dialect: Dialect
    problems: tuple[Problem, ...]
    problem_count: int
    skipped: int
    fingerprint: str
    path: Path

    @property
    def rows(self) -> int:
        return self.table.rows


@dataclass(frozen=True)
class Preview:
    """The beginning of a file, to look at before it is loaded.

    `lines` are the first 20 lines as they stand in the file, shortened; the rest is as in `Reading`.
    """

    dialect: Dialect
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    problems: tuple[Problem, ...]
    lines: tuple[str, ...]


def read_table(
    path: str | os.PathLike[str],
    dialect: Dialect | None = None,
    progress: Progress = SILENT,
    *,
    on_bad: Literal["skip", "stop"] = "skip",
    limit: int | None = None,
) -> Reading:
    """Read a CSV file, plain or packed as `.gz` or `.zip`.

    Parameters
    ----------
    dialect
        How the file is written; recognised if not given.
    on_bad
        Whether to go on at a row that cannot be read as it stands, or to stop with an error.
    limit
        Rows to read at most. The fingerprint is of the whole file all the same.

    Raises
    ------
    WorkbenchError
        If the file cannot be read or is no table; with "stop" at the first problem in a row.
    Cancelled
        If the person pressed Cancel.
    """
    chosen = _recognised(path) if dialect is None else dialect
    with Source(path) as source:
        collector = _Collector(source.path.name, chosen, on_bad, limit)
        last = time.monotonic()
        progress(0.0, "Reading the file")
        for batch in row_batches(source, chosen):
            collector.add(batch)
            if collector.full:
                break
            now = time.monotonic()
            if now - last >= _REPORT_EVERY:
                progress(0.97 * source.fraction, f"{collector.rows:,} rows read")
                last = now
        table = collector.table(progress)
        fingerprint = source.fingerprint(progress.part(0.98, 1.0))
        progress(1.0, f"{table.rows:,} rows read")
    return Reading(
        table,
        chosen,
        tuple(collector.problems),
        collector.problem_count,
        collector.skipped,
        fingerprint,
        source.path,
    )


def preview(path: str | os.PathLike[str], dialect: Dialect | None = None, rows: int = 50) -> Preview:
    """The first `rows` rows of a file. Reads no more of it than that takes.

    Raises
    ------
    WorkbenchError
        If the file cannot be read or is no table.
    """
    chosen = _recognised(path) if dialect is None else dialect
    with Source(path) as source:
        collector = _Collector(source.path.name, chosen, "skip", rows)
        for batch in row_batches(source, chosen, _PREVIEW_BATCH):
            collector.add(batch)
            if collector.full:
                break
        table = collector.table(SILENT)
    with Source(path) as source:
        raw = list(_first(text_lines(source, chosen.encoding, _PREVIEW_BATCH), _RAW_LINES))
    return Preview(
        chosen,
        table.names,
        tuple(table.row(i) for i in range(table.rows)),
        tuple(collector.problems),
        tuple(excerpt(line, _RAW_LENGTH) for line in raw),
    )


def _recognised(path: str | os.PathLike[str]) -> Dialect:
    with Source(path) as source:
        return recognise_dialect(source)


def _first(batches: Iterator[list[str]], count: int) -> Iterator[str]:
    return (line for line, _ in zip(chain.from_iterable(batches), range(count), strict=False))


class _Codes(dict[str, int]):
    """Gives every new text the next code; a damaged text shares the code of its repaired form.

    Damaged texts are not stored, so `hurt` is set each time one comes.
    """

    hurt = False

    def __missing__(self, text: str) -> int:
        if damaged(text):
            self.hurt = True
            return self[repaired(text)]
        code = self[text] = len(self)
        return code


class _Collector:
    """Takes batches of rows in and gives a table out."""

    def __init__(self, name: str, dialect: Dialect, on_bad: str, limit: int | None) -> None:
        self.problems: list[Problem] = []
        self.problem_count = 0
        self.skipped = 0
        self.rows = 0
        self._file = name
        self._dialect = dialect
        self._stop = on_bad == "stop"
        self._limit = limit
        self._heading: _Heading | None = None
        self._blank_lines: list[int] = []
        self._codes: list[_Codes] = []
        self._parts: list[list[NDArray[np.unsignedinteger]]] = []

    @property
    def full(self) -> bool:
        return self._limit is not None and self._heading is not None and self.rows >= self._limit

    def add(self, batch: Batch) -> None:
        rows, first = batch.rows, 0
        if self._heading is None:
            first = self._begin(batch)
            rows = rows[first:]
        if self._heading is not None and rows:
            width = len(self._heading.names)
            if self._blank_lines or set(map(len, rows)) != {width}:
                rows, starts = self._fitting(rows, batch.starts()[first:], batch, width)
                self._encode(rows, lambda: starts, batch)
            else:
                self._encode(rows, lambda: batch.starts()[first:], batch)
        if batch.unclosed is not None and not self.full:
            line = batch.before + len(batch.lines) + 1
            reason = f"a quotation mark {self._dialect.quote} is opened and never closed"
            self._report(Problem(line, reason, excerpt(batch.unclosed)))

    def table(self, progress: Progress) -> Table:
        heading = self._heading
        if heading is None:
            because = f"{self.problems[0].reason}." if self.problems else "there is no text in it."
            raise WorkbenchError(
                f"“{self._file}” holds no table: {because}",
                hint="Choose another file, or change how it is read.",
                field="path",
            )
        count = len(heading.names)
        # Delimiters at the end of every line, the heading included, make columns of nothing.
        while count > 1 and count - 1 in heading.unnamed and set(self._codes[count - 1]) <= {""}:
            count -= 1
        columns = []
        for position, name in enumerate(heading.names[:count]):
            progress(0.97 + 0.01 * position / count, "Joining the columns")
            columns.append(self._joined(position, name))
        renamed = [problem for position, problem in heading.problems if position < count]
        self.problems = (renamed + self.problems)[:MAX_PROBLEMS]
        self.problem_count += len(renamed)
        return Table(tuple(columns))

    def _begin(self, batch: Batch) -> int:
        """Find the heading; returns the number of the batch's rows above the first row of values."""
        rows = batch.rows
        first = next((i for i, row in enumerate(rows) if any(map(str.strip, row)) or len(row) > 1), None)
        if first is None:
            return len(rows)
        if self._dialect.header:
            line = batch.starts()[first]
            below = [row for row in rows[first + 1 :] if not _blank(row)]
            self._heading = _heading(rows[first], below, line, batch.excerpt(line))
            first += 1
        else:
            widths = Counter(len(row) for row in rows if not _blank(row))
            width = max(widths, key=lambda w: (widths[w], w))
            self._heading = _Heading([f"column {i}" for i in range(1, width + 1)], [], frozenset())
        self._codes = [_Codes() for _ in self._heading.names]
        self._parts = [[] for _ in self._heading.names]
        return first

    def _fitting(
        self, rows: Sequence[list[str]], starts: Sequence[int], batch: Batch, width: int
    ) -> tuple[list[list[str]], list[int]]:
        """The rows with the right number of cells and where they start; the others become problems."""
        good: list[list[str]] = []
        lines: list[int] = []
        for row, line in zip(rows, starts, strict=True):
            if len(row) == width:
                if self._blank_lines:
                    good += [[""]] * len(self._blank_lines)
                    lines += self._blank_lines
                    self._blank_lines = []
                good.append(row)
                lines.append(line)
            elif not row and width == 1:
                self._blank_lines.append(line)
            elif not _blank(row):
                last = line + lines_of(row) - 1
                over = f" (the row runs to line {last:,})" if last > line else ""
                cells = "1 cell" if len(row) == 1 else f"{len(row):,} cells"
                self._report(Problem(line, f"{cells} instead of {width:,}{over}", batch.excerpt(line)))
            if self._limit is not None and self.rows + len(good) >= self._limit:
                break
        return good, lines

    def _encode(self, rows: Sequence[list[str]], starts: Callable[[], list[int]], batch: Batch) -> None:
        if self._limit is not None:
            rows = rows[: self._limit - self.rows]
        if not rows:
            return
        hurt = False
        for codes, parts, cells in zip(self._codes, self._parts, zip(*rows, strict=True), strict=True):
            codes.hurt = False
            coded = np.fromiter(map(codes.__getitem__, cells), np.int32, len(cells))
            parts.append(coded.astype(_smallest(len(codes))))
            hurt = hurt or codes.hurt
        self.rows += len(rows)
        if hurt:
            self._report_damage(rows, starts(), batch)

    def _report_damage(self, rows: Sequence[list[str]], starts: Sequence[int], batch: Batch) -> None:
        names = self._heading.names if self._heading else []
        for row, line in zip(rows, starts, strict=False):
            where = next((i for i, cell in enumerate(row) if damaged(cell)), None)
            if where is not None:
                what = "a NUL character" if "\0" in row[where] else f"bytes that are not {self._dialect.encoding}"
                reason = f"“{names[where]}” holds {what}, now �"
                self._report(Problem(line, reason, excerpt(row[where]), kept=True))

    def _report(self, problem: Problem) -> None:
        if self._stop:
            raise WorkbenchError(
                f"Line {problem.line:,} of “{self._file}” cannot be read: {problem.reason}.",
                hint=f"Correct the line, or let such lines be reported: {problem.text}",
                field="path",
            )
        self.problem_count += 1
        self.skipped += not problem.kept
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def _joined(self, position: int, name: str) -> Column:
        codes, parts = self._codes[position], self._parts[position]
        joined = np.empty(self.rows, dtype=_smallest(len(codes)))
        filled = 0
        for part in parts:
            joined[filled : filled + len(part)] = part
            filled += len(part)
        values = tuple(codes)
        parts.clear()
        codes.clear()
        return Column(name, joined, values)


@dataclass(frozen=True)
class _Heading:
    """The names of the columns, what was changed to get them, and which had none in the file."""

    names: list[str]
    problems: list[tuple[int, Problem]]
    unnamed: frozenset[int]


def _heading(cells: Sequence[str], below: Sequence[Sequence[str]], line: int, text: str) -> _Heading:
    widths = set(map(len, below))
    width = next(iter(widths)) if len(widths) == 1 else len(cells)
    raw = [repaired(cell) for cell in cells]
    problems: list[tuple[int, Problem]] = []
    if width < len(raw) and not any(name.strip() for name in raw[width:]):
        raw = raw[:width]
    elif width == len(raw) + 1 and not any(row[-1] for row in below):
        raw = [*raw, ""]
    elif width == len(raw) + 1 and len(below) > 1 and len({row[0] for row in below}) == len(below):
        raw = ["row name", *raw]
        reason = "one name less than the rows have cells; the first column is taken for row names"
        problems.append((0, Problem(line, reason, text, kept=True)))
    names: list[str] = []
    taken, written = set[str](), set(raw)
    unnamed = frozenset(i for i, name in enumerate(raw) if not name.strip())
    for position, name in enumerate(raw):
        wanted = f"column {position + 1}" if position in unnamed else name
        final, number = wanted, 2
        while final in taken or (final != name and final in written):
            final, number = f"{wanted} ({number})", number + 1
        names.append(final)
        taken.add(final)
        if final != name:
            what = "has no name" if position in unnamed else f"is a second “{name}”"
            reason = f"column {position + 1} {what} and becomes “{final}”"
            problems.append((position, Problem(line, reason, text, kept=True)))
        elif any(map(damaged, cells)) and "�" in name:
            reason = f"the name of column {position + 1} holds bytes that are no text, now �"
            problems.append((position, Problem(line, reason, text, kept=True)))
    return _Heading(names, problems, unnamed)


def _blank(row: Sequence[str]) -> bool:
    return not row or (len(row) == 1 and not row[0].strip())


def _smallest(distinct: int) -> type[np.unsignedinteger]:
    """The smallest type that holds codes below `distinct`."""
    if distinct <= 1 << 8:
        return np.uint8
    return np.uint16 if distinct <= 1 << 16 else np.uint32
