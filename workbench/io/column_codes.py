"""Columns of codes from rows of cells; what does not fit becomes a list of problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from workbench.core.errors import WorkbenchError
from workbench.core.garbage import look_at_the_young
from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.io.coded_column import CodedColumn
from workbench.io.dialect import Dialect
from workbench.io.line_map import LineCounter, LineMap, LineRuns, place_in_words
from workbench.io.plain_blocks import PlainBlock
from workbench.io.rows import Batch, damaged, excerpt, lines_of, repaired

MAX_PROBLEMS = 1000
"""Problems listed one by one; further ones are only counted."""

_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class ReadingProblem:
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
    part
        The file it is in, if the table was read from several; else "".
    """

    line: int
    reason: str
    text: str
    kept: bool = False
    part: str = ""

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return place_in_words(self.line, self.part)


class Collector:
    """Takes batches of rows in and gives a table out."""

    def __init__(self, name: str, dialect: Dialect, on_bad: str, limit: int | None) -> None:
        self.problems: list[ReadingProblem] = []
        self.problem_count = 0
        self.skipped = 0
        self.rows = 0
        self._file = name
        self._dialect = dialect
        self._stop = on_bad == "stop"
        self._limit = limit
        self._part = ""
        self._heading: ColumnHeadings | None = None
        self._first: tuple[str, ColumnHeadings] | None = None
        self._blank_lines = LineRuns()
        self._columns: list[CodedColumn] = []
        self._lines = LineCounter()

    @property
    def lines(self) -> LineMap:
        """Where the rows start."""
        return self._lines.result()

    @property
    def full(self) -> bool:
        return self._limit is not None and self._heading is not None and self.rows >= self._limit

    def begin_part(self, name: str) -> None:
        """Go on with a file, one of several that make one table."""
        if self._part:
            self._check_begun()
        self._file = self._part = name
        self._heading = None
        self._blank_lines = LineRuns()
        self._lines.begin_part(name, self.rows)

    def add(self, batch: Batch) -> None:
        rows, first = batch.rows, 0
        if self._heading is None:
            first = self._begin(batch)
            rows = rows[first:]
        if self._heading is not None and rows:
            width = len(self._heading.names)
            if self._blank_lines or set(map(len, rows)) != {width}:
                if any(len(row) == width for row in rows):
                    self._encode_blank_lines()
                rows, starts = self._fitting(rows, batch.starts()[first:], batch, width)
                self._encode(rows, starts)
            else:
                self._encode(rows, batch.starts()[first:])
        if batch.unclosed is not None and not self.full:
            line = batch.before + len(batch.lines) + 1
            reason = f"a quotation mark {self._dialect.quote} is opened and never closed"
            self._report(ReadingProblem(line, reason, excerpt(batch.unclosed)))

    @property
    def width(self) -> int:
        """The cells of a row; 0 before the heading was found."""
        return len(self._heading.names) if self._heading is not None else 0

    def add_plain(self, block: PlainBlock, before: int) -> None:
        """Take in a block that is as wide as the heading, `before` lines from the start of the file."""
        self._encode_blank_lines()
        if self._limit is not None:
            block = block.first(self._limit - self.rows)
        if not block.rows:
            return
        for position, column in enumerate(self._columns):
            column.add_plain(block, position)
        self._lines.add(self.rows, range(before + 1, before + 1 + block.rows))
        self.rows += block.rows

    def table(self, progress: Progress) -> Table:
        heading = self._check_begun()
        count = len(heading.names)
        # Delimiters at the end of every line, the heading included, make columns of nothing.
        while count > 1 and count - 1 in heading.unnamed and self._columns[count - 1].codes.texts() in ((), ("",)):
            count -= 1
        columns = []
        for position, name in enumerate(heading.names[:count]):
            progress(0.97 + 0.01 * position / count, "Joining the columns")
            columns.append(self._columns[position].joined(name, self.rows))
            # Lets the garbage collector see the texts of one column, after which it never looks at them again;
            # later it would look at those of all columns in one go, which takes long.
            look_at_the_young()
        renamed = [problem for position, problem in heading.problems if position < count]
        self.problems = (renamed + self.problems)[:MAX_PROBLEMS]
        self.problem_count += len(renamed)
        return Table(tuple(columns))

    def _check_begun(self) -> ColumnHeadings:
        """The heading, without which a file is no table."""
        if self._heading is None:
            because = f"{self.problems[0].reason}." if self.problems else "there is no text in it."
            raise WorkbenchError(
                f"“{self._file}” holds no table: {because}",
                hint="Choose another file, or change how it is read.",
                field="path",
            )
        return self._heading

    def _begin(self, batch: Batch) -> int:
        """Find the heading; returns the number of the batch's rows above the first row of values."""
        rows = batch.rows
        first = next((i for i, row in enumerate(rows) if any(map(str.strip, row)) or len(row) > 1), None)
        if first is None:
            return len(rows)
        if self._dialect.header:
            line = batch.starts()[first]
            below = [row for row in rows[first + 1 :] if not _blank(row)]
            self._heading = heading_of(rows[first], below, line, batch.excerpt(line))
            first += 1
        else:
            widths = Counter(len(row) for row in rows if not _blank(row))
            width = max(widths, key=lambda w: (widths[w], w))
            self._heading = ColumnHeadings([f"column {i}" for i in range(1, width + 1)], [], frozenset())
        if self._first is not None:
            begun, heading = self._first
            check_same_columns(begun, heading.names, self._file, self._heading.names)
            self._heading = heading
            return first
        if self._part:
            named = [(column, replace(problem, part=self._part)) for column, problem in self._heading.problems]
            self._heading = replace(self._heading, problems=named)
        self._first = (self._file, self._heading)
        self._columns = [CodedColumn() for _ in self._heading.names]
        look_at_the_young()  # what it has seen empty it need not look at when it is full
        return first

    def _fitting(
        self, rows: Sequence[list[str]], starts: Sequence[int], batch: Batch, width: int
    ) -> tuple[list[list[str]], list[int]]:
        """The rows with the right number of cells and where they start; the others become problems."""
        good: list[list[str]] = []
        lines: list[int] = []
        blank: list[int] = []
        for row, line in zip(rows, starts, strict=True):
            if len(row) == width:
                good += [*([""] for _ in blank), row]
                lines += [*blank, line]
                blank = []
            elif not row and width == 1:
                blank.append(line)
            elif not _blank(row):
                last = line + lines_of(row) - 1
                over = f" (the row runs to line {last:,})" if last > line else ""
                cells = "1 cell" if len(row) == 1 else f"{len(row):,} cells"
                self._report(ReadingProblem(line, f"{cells} instead of {width:,}{over}", batch.excerpt(line)))
            if self._limit is not None and self.rows + len(good) >= self._limit:
                break
        self._blank_lines.add(blank)
        return good, lines

    def _encode_blank_lines(self) -> None:
        """Blank lines in a single column, which a value below them has made rows."""
        for lines in self._blank_lines.taken(_AT_ONCE):
            self._encode([[""]] * len(lines), lines)

    def _encode(self, rows: Sequence[list[str]], starts: Sequence[int]) -> None:
        if self._limit is not None:
            rows = rows[: self._limit - self.rows]
        if not rows:
            return
        hurt = False
        for column, cells in zip(self._columns, zip(*rows, strict=True), strict=True):
            column.add(cells, len(cells))
            hurt = hurt or column.codes.hurt
        self._lines.add(self.rows, starts[: len(rows)])
        self.rows += len(rows)
        if hurt:
            self._report_damage(rows, starts)

    def _report_damage(self, rows: Sequence[list[str]], starts: Sequence[int]) -> None:
        names = self._heading.names if self._heading else []
        for row, line in zip(rows, starts, strict=False):
            where = next((i for i, cell in enumerate(row) if damaged(cell)), None)
            if where is not None:
                what = "a NUL character" if "\0" in row[where] else f"bytes that are not {self._dialect.encoding}"
                reason = f"“{names[where]}” holds {what}, now �"
                self._report(ReadingProblem(line, reason, excerpt(row[where]), kept=True))

    def _report(self, problem: ReadingProblem) -> None:
        if self._stop:
            raise WorkbenchError(
                f"Line {problem.line:,} of “{self._file}” cannot be read: {problem.reason}.",
                hint=f"Correct the line, or let such lines be reported: {problem.text}",
                field="path",
            )
        self.problem_count += 1
        self.skipped += not problem.kept
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(replace(problem, part=self._part) if self._part else problem)


@dataclass(frozen=True)
class ColumnHeadings:
    """The names of the columns, what was changed to get them, and which had none in the file."""

    names: list[str]
    problems: list[tuple[int, ReadingProblem]]
    unnamed: frozenset[int]


def heading_of(cells: Sequence[str], below: Sequence[Sequence[str]], line: int, text: str) -> ColumnHeadings:
    widths = set(map(len, below))
    width = next(iter(widths)) if len(widths) == 1 else len(cells)
    raw = [repaired(cell) for cell in cells]
    problems: list[tuple[int, ReadingProblem]] = []
    if width < len(raw) and not any(name.strip() for name in raw[width:]):
        raw = raw[:width]
    elif width == len(raw) + 1 and not any(row[-1] for row in below):
        raw = [*raw, ""]
    elif width == len(raw) + 1 and len(below) > 1 and len({row[0] for row in below}) == len(below):
        raw = ["row name", *raw]
        reason = "one name less than the rows have cells; the first column is taken for row names"
        problems.append((0, ReadingProblem(line, reason, text, kept=True)))
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
            second = f"column {position + 1} is a second “{name}” and becomes “{final}”"
            reason = without_name(position, final) if position in unnamed else second
            problems.append((position, ReadingProblem(line, reason, text, kept=True)))
        elif any(map(damaged, cells)) and "�" in name:
            reason = f"the name of column {position + 1} holds bytes that are no text, now �"
            problems.append((position, ReadingProblem(line, reason, text, kept=True)))
    return ColumnHeadings(names, problems, unnamed)


def without_name(position: int, name: str) -> str:
    """Why a column is called what it is not called in the file, for `ReadingProblem.reason`."""
    return f"column {position + 1} has no name and becomes “{name}”"


def check_same_columns(first: str, names: Sequence[str], part: str, others: Sequence[str]) -> None:
    """Refuse files of one table that have different columns.

    Raises
    ------
    WorkbenchError
        That names both files and their columns.
    """
    if list(names) != list(others):
        pairs = zip_longest(names, others)
        place, (one, other) = next((i, pair) for i, pair in enumerate(pairs, 1) if pair[0] != pair[1])
        raise WorkbenchError(
            f"Parts of one table have different columns: column {place} is {_heading(one)} in “{first}” and "
            f"{_heading(other)} in “{part}”.",
            hint="Name only files of one table, with the same columns in the same order.",
            field="path",
        )


def _heading(name: str | None) -> str:
    return "missing" if name is None else f"“{name}”"


def _blank(row: Sequence[str]) -> bool:
    return not row or (len(row) == 1 and not row[0].strip())
