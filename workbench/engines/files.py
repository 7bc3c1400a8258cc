"""The files of a table: one file, a folder of parts, or all that a pattern names."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.io.dialect import Dialect, sniff
from workbench.io.opening import FileContent
from workbench.io.parts import fingerprint_of, form_of_parts, parts_of, steady_parts


@dataclass(frozen=True)
class TableFiles:
    """The files of one table, all written in the same way.

    Parameters
    ----------
    given
        What the person named.
    paths
        The files, in the order of their names; their rows follow one another.
    form, dialect
        What they are, and how texts are written.
    """

    given: Path
    paths: tuple[Path, ...]
    form: FileContent
    dialect: Dialect

    @property
    def size(self) -> int:
        """Bytes in all."""
        return sum(path.stat().st_size for path in self.paths)

    def steady(self, progress: Progress = SILENT) -> AbstractContextManager[None]:
        """Refuse what an engine reads of the files inside if they change meanwhile."""
        return steady_parts(self.given, self.paths, progress)

    def fingerprint(self, progress: Progress = SILENT) -> str:
        """SHA-256 of the file, or of the SHA-256 of every part in order."""
        return fingerprint_of(self.paths, progress)


def files_of(given: Path, dialect: Dialect | None = None, progress: Progress = SILENT) -> TableFiles:
    """Find the files that a path, a folder or a pattern such as `parts/*.csv` names.

    Parameters
    ----------
    dialect
        How they are written; recognised from the first one if not given.

    Raises
    ------
    WorkbenchError
        If there is none, or they are of different forms or workbooks.
    """
    paths = parts_of(given, progress)
    form = form_of_parts(given, paths)
    if not form.for_engines:
        raise WorkbenchError(
            f"“{given.name}” cannot be opened in an engine: {form.many} are read in memory only.",
            hint="Open it in memory, or save it as CSV first.",
            field="path",
        )
    if form is FileContent.PARQUET:
        return TableFiles(given, paths, form, Dialect())
    return TableFiles(given, paths, form, sniff(paths[0]) if dialect is None or dialect.sheet else dialect)
