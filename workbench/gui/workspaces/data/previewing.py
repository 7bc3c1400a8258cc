"""A preview of a file by its beginning, before it is opened."""

from __future__ import annotations

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
from workbench.session.file_preview import troubles_of

ROWS = 500
"""Rows that are shown."""


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
        mendable = any(trouble.mend for trouble in self.troubles)
        return bool(self.preview.problems) or not self.preview.dialect.header or mendable

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
