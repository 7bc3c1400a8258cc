"""Rows of cells from bytes, a batch at a time, without losing count of the lines.

The file is decoded and cut into lines in batches of 128 KiB: small enough for the processor's cache and for
other threads to get their turn, large enough that the loops over cells run in C. Every batch ends with a
line of our own; if the reader does not give that line back, a quotation mark is still open and the row
waits for the next batch.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.io.dialect import Dialect
    from workbench.io.opening import Source

BATCH = 1 << 17
"""Bytes per batch."""

LONGEST = 1 << 22
"""Characters a line, or a row in quotation marks that runs over many lines, may have."""

EXCERPT = 80
"""Characters of a line shown in a problem."""

_MARK = "\udcff"
_DAMAGED = re.compile(f"[\0{_MARK}]")
_REPAIR = {0: "\ufffd", ord(_MARK): "\ufffd"}
_END = "\0"

# A lone surrogate cannot come out of sound text, so it marks bytes that are no text in any encoding; the
# name is the project's own, so nothing else is affected.
codecs.register_error("workbench-mark", lambda error: (_MARK, error.end))  # type: ignore[attr-defined]
csv.field_size_limit(max(csv.field_size_limit(), 4 * LONGEST))


@dataclass(frozen=True)
class Batch:
    """Complete rows, and where they stood.

    Parameters
    ----------
    rows
        The cells of each row; a blank line is an empty list.
    lines
        The text lines the rows were made from.
    before
        Lines of the file above them.
    unclosed
        The text of the line after `lines` if a quotation mark on it is never closed, else None. That line is
        in no row, the lines after it are read as if it were not there.
    """

    rows: list[list[str]]
    lines: Sequence[str]
    before: int
    unclosed: str | None = None

    def starts(self) -> list[int]:
        """The line number, from 1, at which each row starts."""
        if len(self.rows) == len(self.lines):
            return list(range(self.before + 1, self.before + 1 + len(self.rows)))
        starts, line = [], self.before + 1
        for row in self.rows:
            starts.append(line)
            line += lines_of(row)
        return starts

    def excerpt(self, line: int) -> str:
        """The text of line number `line`, cut to 80 characters."""
        return excerpt(self.lines[line - self.before - 1])


def lines_of(row: Sequence[str]) -> int:
    """How many lines of the file a row covers: one more than the line breaks inside its cells."""
    return 1 + sum(cell.count("\n") + cell.count("\r") - cell.count("\r\n") for cell in row)


def damaged(text: str) -> bool:
    """Whether the text holds a NUL or bytes that could not be decoded."""
    return ("\0" in text) if text.isascii() else _DAMAGED.search(text) is not None


def repaired(text: str) -> str:
    """The text with a replacement character for every NUL and every run of undecodable bytes."""
    return text.translate(_REPAIR)


def excerpt(text: str, length: int = EXCERPT) -> str:
    """The text on one line, at most `length` characters."""
    flat = repaired(text[: 4 * length]).rstrip("\r\n").replace("\r\n", "⏎").replace("\n", "⏎").replace("\r", "⏎")
    return flat if len(flat) <= length else flat[: length - 1] + "…"


class LineCutter:
    """Cuts bytes, a piece at a time, into lines with their line ends (LF, CR LF or CR).

    Parameters
    ----------
    name
        The file they are of, for messages.
    """

    def __init__(self, name: str, encoding: str) -> None:
        self._name = name
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)("workbench-mark")
        self._first = True
        self.rest = ""
        self.count = 0

    def cut(self, data: bytes) -> list[str]:
        """The lines that are complete with these bytes; b"" ends the file, and its last line.

        Raises
        ------
        WorkbenchError
            If a line is longer than any table has, or the bytes cannot be decoded at all.
        """
        ended = not data
        try:
            text = self._decoder.decode(data, final=ended)
        except (UnicodeError, ValueError, AssertionError) as error:
            raise WorkbenchError(
                f"“{self._name}” cannot be read as {self._encoding}.",
                hint="Choose another encoding.",
                field="encoding",
            ) from error
        if self._first and text:
            text, self._first = text.removeprefix("\ufeff"), False
        lines = io.StringIO(self.rest + text, newline="").readlines()
        # The last line may go on, and a CR at the very end may be half of a CR LF.
        self.rest = lines.pop() if lines and not ended and not lines[-1].endswith("\n") else ""
        if len(self.rest) > LONGEST or any(len(line) > LONGEST for line in lines[:1]):
            raise WorkbenchError(
                f"Line {self.count + len(lines) + 1:,} of “{self._name}” has over {LONGEST:,} characters.",
                hint="Check that the file is a table with one line for each row.",
                field="path",
            )
        self.count += len(lines)
        return lines

    def take_back(self, lines: int = 0) -> None:
        """Forget the line that has begun, whose bytes will be given again; and that other lines were read elsewhere."""
        self._decoder.reset()
        self.rest = ""
        self.count += lines


def text_lines(source: Source, encoding: str, batch: int = BATCH) -> Iterator[list[str]]:
    """The lines of a source with their line ends, in batches.

    Raises
    ------
    WorkbenchError
        If a line is longer than any table has, or the bytes cannot be decoded at all.
    """
    cutter = LineCutter(source.path.name, encoding)
    while data := source.read(batch):
        if lines := cutter.cut(data):
            yield lines
    if lines := cutter.cut(b""):
        yield lines


class RowReader:
    """Makes rows of bytes, a piece at a time, below the lines the dialect skips."""

    def __init__(self, name: str, dialect: Dialect) -> None:
        self._dialect = dialect
        self._cutter = LineCutter(name, dialect.encoding)
        self._pending: list[str] = []
        self.done = 0
        """Lines that are in rows already."""

    @property
    def whole(self) -> bool:
        """Whether no row has begun, except for the line that has begun."""
        return not self._pending

    def take_back(self, lines: int = 0) -> None:
        """Forget the line that has begun, whose bytes will be given again; and that other lines were read elsewhere."""
        self._cutter.take_back(lines)
        self.done += lines

    def feed(self, data: bytes) -> Iterator[Batch]:
        """The rows that are complete with these bytes; b"" ends the file."""
        fresh = self._cutter.cut(data)
        if data and not fresh:
            return
        if fresh and self.done < self._dialect.skip_lines:
            cut = min(self._dialect.skip_lines - self.done, len(fresh))
            self.done, fresh = self.done + cut, fresh[cut:]
        pending = self._pending + fresh if fresh and self._pending else (fresh or self._pending)
        while pending:
            rows = _parse(pending, self._dialect)
            last = rows.pop() if rows else []
            if last == [_END, _END]:
                yield Batch(rows, pending, self.done)
                self.done, pending = self.done + len(pending), []
                break
            whole = sum(map(lines_of, rows))
            opened = pending[whole:]
            if data and sum(map(len, opened)) <= LONGEST:
                yield Batch(rows, pending[:whole], self.done)
                self.done, pending = self.done + whole, opened
                break
            # What follows holds no odd run of quotation marks, or the quotation would have ended there. So
            # nothing in it stays open when it is read again, and this happens once per `LONGEST` at most.
            yield Batch(rows, pending[:whole], self.done, opened[0])
            self.done, pending = self.done + whole + 1, opened[1:]
        self._pending = pending


def row_batches(source: Source, dialect: Dialect, batch: int = BATCH) -> Iterator[Batch]:
    """The rows of a source, below the lines the dialect skips."""
    reader = RowReader(source.path.name, dialect)
    while data := source.read(batch):
        yield from reader.feed(data)
    yield from reader.feed(b"")


def _parse(lines: Sequence[str], dialect: Dialect) -> list[list[str]]:
    # Two cells, because an open quotation mark would keep them in one.
    end = f"{_END}{dialect.delimiter}{_END}"
    reader = csv.reader(
        chain(lines, (end,)),
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        skipinitialspace=dialect.skip_spaces,
    )
    return list(reader)
