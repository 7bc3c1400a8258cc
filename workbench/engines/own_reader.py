"""The program's own reader, batch by batch: for files an engine reads otherwise than the program does in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.rough_counts import roughly_rows
from workbench.io.column_codes import Collector, ColumnHeadings, check_same_columns
from workbench.io.dialect import Dialect
from workbench.io.opening import Source
from workbench.io.rows import Batch, damaged, lines_of, repaired, row_batches

Sink = Callable[[Sequence[Sequence[str]]], None]
"""Takes the columns of some rows."""


@dataclass(frozen=True)
class Beginning:
    """The heading of a file and the lines above the first row of values.

    `plain` says whether every reader counts these lines alike: no row among them runs over several lines, and above the
    heading there are no quotation marks, which some readers take for the beginning of such a row.
    """

    heading: ColumnHeadings
    lines: int
    plain: bool


class _RowReader(Collector):
    """Hands rows on instead of collecting them."""

    def __init__(self, path: Path, dialect: Dialect, sink: Sink) -> None:
        super().__init__(path.name, dialect, "skip", None)
        self._sink = sink
        self.above = 0
        self.heading_lines = 0

    @property
    def heading(self) -> ColumnHeadings | None:
        return self._heading

    def _begin(self, batch: Batch) -> int:
        first = super()._begin(batch)
        if self._heading is not None:
            last = first - 1
            header = self._dialect.header
            self.heading_lines = lines_of(batch.rows[last]) if header else 0
            self.above = batch.starts()[last] + self.heading_lines - 1 if header else self._dialect.skip_lines
        return first

    def _encode(self, rows: Sequence[list[str]], starts: Sequence[int]) -> None:
        if not rows:
            return
        columns = list(zip(*rows, strict=True))
        if any(map(damaged, map("".join, columns))):
            self._report_damage(rows, starts)
            columns = [tuple(map(repaired, column)) for column in columns]
        self.rows += len(rows)
        self._sink(columns)


def beginning_of(path: Path, dialect: Dialect) -> Beginning:
    """The heading of a CSV file, as it is read in memory.

    Raises
    ------
    WorkbenchError
        If there is none.
    """
    reader = _RowReader(path, dialect, lambda columns: None)
    with Source(path) as source:
        for batch in row_batches(source, dialect):
            reader.add(batch)
            if reader.heading is not None:
                above = source.head.split(b"\n")[: reader.above - reader.heading_lines]
                quoted = dialect.quote != "" and dialect.quote.encode() in b"".join(above)
                return Beginning(reader.heading, reader.above, reader.heading_lines <= 1 and not quoted)
    raise _no_table(path)


def read_rows(path: Path, dialect: Dialect, sink: Sink, progress: Progress = SILENT) -> Collector:
    """Read a CSV file and hand its rows on; what is returned knows the problems."""
    reader = _RowReader(path, dialect, sink)
    with Source(path) as source:
        for batch in row_batches(source, dialect):
            reader.add(batch)
            progress(source.fraction, f"{roughly_rows(reader.rows)} read")
    if reader.heading is None:
        raise _no_table(path)
    return reader


def same_heading(paths: Sequence[Path], headings: Sequence[ColumnHeadings]) -> ColumnHeadings:
    """The heading that all parts of a table share.

    Raises
    ------
    WorkbenchError
        If one of them has other columns.
    """
    for path, heading in zip(paths, headings, strict=True):
        check_same_columns(paths[0].name, headings[0].names, path.name, heading.names)
    if len(paths) == 1:
        return headings[0]
    named = [(column, replace(problem, part=paths[0].name)) for column, problem in headings[0].problems]
    return replace(headings[0], problems=named)


def _no_table(path: Path) -> WorkbenchError:
    return WorkbenchError(
        f"“{path.name}” holds no table: there is no text in it.",
        hint="Choose another file, or change how it is read.",
        field="path",
    )
