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


def text_lines(source: Source, encoding: str, batch: int = BATCH) -> Iterator[list[str]]:
    """The lines of a source with their line ends (LF, CR LF or CR), in batches.

    Raises
    ------
    WorkbenchError
        If a line is longer than any table has, or the bytes cannot be decoded at all.
    """
    decoder = codecs.getincrementaldecoder(encoding)("workbench-mark")
    rest, count, first, ended = "", 0, True, False
    while not ended:
        data = source.read(batch)
        ended = not data
        try:
            text = decoder.decode(data, final=ended)
        except (UnicodeError, ValueError, AssertionError) as error:
            raise WorkbenchError(
                f"“{source.path.name}” cannot be read as {encoding}.",
                hint="Choose another encoding.",
                field="encoding",
            ) from error
        if first and text:
            text, first = text.removeprefix("\ufeff"), False
        lines = io.StringIO(rest + text, newline="").readlines()
        # The last line may go on, and a CR at the very end may be half of a CR LF.
        rest = lines.pop() if lines and not ended and not lines[-1].endswith("\n") else ""
        if len(rest) > LONGEST or any(len(line) > LONGEST for line in lines[:1]):
            raise WorkbenchError(
                f"Line {count + len(lines) + 1:,} of “{source.path.name}” has over {LONGEST:,} characters.",
                hint="Check that the file is a table with one line for each row.",
                field="path",
            )
        count += len(lines)
        if lines:
            yield lines


def row_batches(source: Source, dialect: Dialect, batch: int = BATCH) -> Iterator[Batch]:
    """The rows of a source, below the lines the dialect skips."""
    lines = text_lines(source, dialect.encoding, batch)
    done, pending = 0, list[str]()
    to_skip = dialect.skip_lines
    while True:
        fresh = next(lines, None)
        if fresh and done < to_skip:
            cut = min(to_skip - done, len(fresh))
            done, fresh = done + cut, fresh[cut:]
        pending = pending + fresh if fresh and pending else (fresh or pending)
        while pending:
            rows = _parse(pending, dialect)
            last = rows.pop() if rows else []
            if last == [_END, _END]:
                yield Batch(rows, pending, done)
                done, pending = done + len(pending), []
                break
            whole = sum(map(lines_of, rows))
            opened = pending[whole:]
            if fresh is not None and sum(map(len, opened)) <= LONGEST:
                yield Batch(rows, pending[:whole], done)
                done, pending = done + whole, opened
                break
            # What follows holds no odd run of quotation marks, or the quotation would have ended there. So
            # nothing in it stays open when it is read again, and this happens once per `LONGEST` at most.
            yield Batch(rows, pending[:whole], done, opened[0])
            done, pending = done + whole + 1, opened[1:]
        if fresh is None:
            return


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
