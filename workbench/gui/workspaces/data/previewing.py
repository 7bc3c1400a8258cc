"""A preview of a file by its beginning, before it is opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column, Table
from workbench.gui.large_data import DataSize, weigh
from workbench.io.column_troubles import ColumnTrouble
from workbench.io.dialect import Dialect
from workbench.io.infer import agreeing, propose
from workbench.io.parts import parts_of
from workbench.io.reading import FilePreview, preview
from workbench.session.file_preview import look_through, troubles_of

ROWS = 500
"""Rows that are shown."""
_READ_AT_ONCE = 64_000_000
"""Bytes of which all are looked through before a file is opened."""


@dataclass(frozen=True)
class PreviewContent:
    """The beginning of a file, as a table, with what its columns seem to be."""

    preview: FilePreview
    table: Table
    specs: tuple[ColumnSpec, ...]
    size: DataSize
    troubles: tuple[ColumnTrouble, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether somebody should look first: lines do not fit, nothing names the columns, or values can be mended."""
        return bool(self.preview.problems) or not self.preview.dialect.header or _mendable(self.troubles)

    @property
    def whole(self) -> bool:
        """Whether the file has no more than its beginning."""
        return self.table.rows < ROWS and self.size.parts == 1


def look(path: Path, dialect: Dialect | None, progress: Progress) -> PreviewContent:
    """The first rows of a file, or of the first of several parts, and what its columns seem to be; for any thread.

    Raises
    ------
    WorkbenchError
        If the file cannot be read as a table.
    """
    size = weigh(path, progress)
    seen = preview(parts_of(path)[0], dialect, rows=ROWS)
    progress(0.5)
    columns = zip(*seen.rows, strict=True) if seen.rows else ([] for _ in seen.names)
    table = Table(tuple(Column.from_texts(n, list(c)) for n, c in zip(seen.names, columns, strict=True)))
    specs = seen.specs or agreeing(map(propose, table.columns), {column.name: column for column in table.columns})
    progress(1.0)
    return PreviewContent(seen, table, specs, size, troubles_of(table, specs))


def look_first(path: Path, progress: Progress, *, known: bool) -> bool:
    """Whether somebody should look at a file before it is opened, because there is something to decide.

    That is so if lines do not fit, nothing names the columns, values can be mended, there are several sheets, or there
    is but one column, so that the delimiter may not have been recognised; and if all of it is too much to look through.

    Parameters
    ----------
    known
        Whether it was open before: then its beginning is enough.

    Raises
    ------
    WorkbenchError
        If the file cannot be read as a table.
    """
    seen = look(path, None, progress.part(0.0, 0.2))
    if seen.doubtful or known or seen.whole:
        return seen.doubtful or (not known and _unsure(seen))
    if _unsure(seen) or seen.size.size > _READ_AT_ONCE:
        return True
    found = look_through(path, seen.preview.dialect, progress.part(0.2, 1.0))
    return found.problem_count > 0 or _mendable(found.troubles)


def _unsure(seen: PreviewContent) -> bool:
    return len(seen.preview.sheets) > 1 or len(seen.preview.names) < 2


def _mendable(troubles: Iterable[ColumnTrouble]) -> bool:
    return any(trouble.mend for trouble in troubles)
