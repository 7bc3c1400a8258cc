"""Released files as they lie on the disk: read row by row by this program, or counted by an engine."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.engines.files import TableFiles
from workbench.engines.line_counts import tally
from workbench.engines.store import Store
from workbench.io.dialect import Dialect
from workbench.io.export_format import ExportFormat, ReaderApart, not_read_back
from workbench.io.opening import explained
from workbench.io.parts import fingerprint_of, parts_of
from workbench.io.row_blocks import RowBlock, RowBlocks, blocks_of
from workbench.report.recheck import Rechecked, Stated, compare
from workbench.report.recheck_counting import Counted, Names, picker, wanted_columns
from workbench.report.recheck_models import Labels

_BLOCK = 1 << 20
_SIZE = 400
"""Bytes that one combination of values takes in memory, about, beside its texts."""


def read_back(file: BinaryIO, style: ExportFormat) -> Iterator[Sequence[str]]:
    """The rows of a file that was just released as texts, heading first, from the open file.

    Raises
    ------
    WorkbenchError
        If it cannot be read.
    """
    return style.kind.read_back(file, style)


@dataclass(frozen=True)
class ReleasedFiles:
    """A released file, or a folder of parts that are one release.

    Parameters
    ----------
    paths
        The files in the order of their rows.
    style
        How they are written.
    store
        The engine that counts them; None if this program does, as it does in any case where engines cannot: workbooks,
        and encodings other than UTF-8.
    own
        Whether this process has just written them, and nobody else.
    """

    paths: tuple[Path, ...]
    style: ExportFormat
    store: Store | None = None
    own: bool = False

    @classmethod
    def of(cls, given: Path, style: ExportFormat, store: Store | None = None, *, own: bool = False) -> ReleasedFiles:
        """The files that a path, a folder or a pattern stands for.

        Raises
        ------
        WorkbenchError
            If there is no such file.
        """
        return cls(parts_of(given), style, store, own)

    @cached_property
    def heading(self) -> tuple[str, ...]:
        """The names of the columns as they stand there.

        Raises
        ------
        WorkbenchError
            If a file cannot be read, or the parts have different ones.
        """
        if (reader := self._reader_apart) is not None:
            headings = [tuple(names) for names in reader.headings(self.paths)]
        else:
            headings = [self._heading_of(path) for path in self.paths]
        for path, heading in zip(self.paths, headings, strict=True):
            if heading != headings[0]:
                raise WorkbenchError(
                    f"“{path.name}” has other columns than “{self.paths[0].name}”, so they are not one release.",
                    hint="Name the files of one release only.",
                    field="path",
                )
        return headings[0]

    def _heading_of(self, path: Path) -> tuple[str, ...]:
        with explained(path), path.open("rb") as file:
            return tuple(next(read_back(file, self.style), ()))

    def rows(self, progress: Progress = SILENT) -> Iterator[Sequence[str]]:
        """The rows one after the other, read by this program."""
        if (reader := self._reader_apart) is not None:
            yield from reader.rows(self.paths, progress)
            return
        yield from chain.from_iterable(map(block.rows.__getitem__, block.marks) for block in self._blocks())

    def _blocks(self) -> Iterator[RowBlock]:
        """The rows one block after the other, read by this program."""
        for path in self.paths:
            with explained(path), path.open("rb") as file:
                lines = read_back(file, self.style)
                next(lines, ())
                yield from blocks_of(lines)

    @property
    def _reader_apart(self) -> ReaderApart | None:
        """The reader of them in another process, where they may be somebody else's; None if they are read here."""
        return None if self.own else self.style.kind.apart

    def fingerprint(self, progress: Progress = SILENT) -> str:
        """SHA-256 of the file, or of the SHA-256 of every part in order."""
        return fingerprint_of(self.paths, progress)

    def count(self, names: Names, grouped: Names, sensitive: Names, progress: Progress) -> Counted:
        """The files as counts."""
        if self.store is None or not self._known_to_engines:
            rows = RowBlocks(self._blocks()) if self._reader_apart is None else self.rows(progress)
            return Counted.of(rows, names, grouped, sensitive, self.style.decimal, progress)
        pick = picker([names.index(name) for name in wanted_columns(grouped, sensitive)])
        return Counted.of_counts(
            self._tallied(self.store, [names.index(name) for name in wanted_columns(grouped, sensitive)], progress),
            grouped,
            sensitive,
            self.style.decimal,
            lambda: map(pick, self.rows()),
        )

    @property
    def _known_to_engines(self) -> bool:
        kind = self.style.kind
        return kind.engines and (
            not kind.delimited or codecs.lookup(self.style.encoding).name in ("utf-8", "utf-8-sig")
        )

    def _refuse_what_is_no_text(self, progress: Progress) -> None:
        """Engines do not look at the bytes of columns that are not counted."""
        for path in self.paths:
            decoder = codecs.getincrementaldecoder("utf-8")()
            with explained(path), path.open("rb") as file:
                try:
                    while block := file.read(_BLOCK):
                        decoder.decode(block)
                        progress(0.0)
                    decoder.decode(b"", final=True)
                except UnicodeDecodeError as error:
                    raise not_read_back(error) from error

    def _tallied(self, store: Store, places: Sequence[int], progress: Progress) -> Iterator[tuple[Labels, int]]:
        progress(0.0, "Reading the file back")
        if self.style.kind.delimited:
            self._refuse_what_is_no_text(progress)
        files = TableFiles(self.paths[0], self.paths, self.style.kind.recognised_as, Dialect(self.style.delimiter))
        one: dict[str, str] = {}
        checked = False
        for size, cells, counts in tally(store, files, places, self.heading, progress):
            if not checked:
                store.budget.check(size * _SIZE, "every combination of values of the released file", store.title)
                checked = True
            # Each text is there once, however many rows have it.
            columns = [[one.setdefault(text, text) for text in column] for column in cells]
            yield from zip(zip(*columns, strict=True) if columns else [()], counts, strict=True)


def recheck_files(
    files: ReleasedFiles,
    stated: Stated,
    original: Table | None = None,
    *,
    fingerprint: str = "",
    progress: Progress = SILENT,
) -> Rechecked:
    """Count released files and compare them with what is stated; see `recheck`.

    Raises
    ------
    WorkbenchError
        If they are no table, a model names a column that is not there, or a model needs the original.
    Cancelled
        If the progress was cancelled.
    """
    return compare(files.heading, files.count, stated, original, fingerprint=fingerprint, progress=progress)
