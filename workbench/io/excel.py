"""Reading a sheet of a workbook, of Excel or OpenDocument, in another process (`workbench.io.foreign.workbooks`).

Cells become texts as a CSV would hold them: whole numbers without ".0", dates as 2020-01-31, dates with a time as
2020-01-31 12:30:00, truth values as true and false, empty cells and errors such as #N/A as nothing. What a cell shows
by its number format, such as a currency sign, is not part of its value. Columns without any value are left out.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, overload

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.io.dialect import Dialect
from workbench.io.export_format import FORMATS
from workbench.io.foreign import frames
from workbench.io.foreign.child import Child
from workbench.io.foreign.workbooks import cell_text
from workbench.io.missing_package import missing_package
from workbench.io.opening import form_of
from workbench.io.rows import Batch

_INSTEAD = "in Excel or LibreOffice choose Save As, CSV (UTF-8), and open that file."
_AS_CSV = "Open it in Excel or LibreOffice, save it as CSV (UTF-8), and open that file."


class Workbook:
    """A sheet of a workbook, being read; to be closed.

    Parameters
    ----------
    dialect
        Which sheet, whether it has a heading, and how many rows stand above it; if it names no sheet, the first one
        with cells is read as it looks.

    Raises
    ------
    WorkbenchError
        If the file cannot be read, is damaged or locked, has no such sheet, needs more memory than there is for it, or
        python-calamine is not installed.
    """

    def __init__(
        self, path: str | os.PathLike[str], dialect: Dialect | None = None, progress: Progress = SILENT
    ) -> None:
        self.path = Path(path)
        given = dialect if dialect is not None and dialect.sheet else None
        self._start(
            progress,
            sheet=given.sheet if given else "",
            header=given.header if given else None,
            skip_lines=given.skip_lines if given else None,
        )

    @classmethod
    def recognise(cls, path: str | os.PathLike[str], sheet: str) -> Dialect:
        """Where the table is in a sheet: whether it has a heading, and how many rows stand above it."""
        book = cls.__new__(cls)
        book.path = Path(path)
        book._start(SILENT, sheet=sheet, header=None, skip_lines=None)
        book.close()
        return book.dialect

    def _start(self, progress: Progress, **wanted: Any) -> None:
        self._child = _asked("sheet", self.path, progress, **wanted)
        try:
            self._frames = self._child.frames(frames.INFO, frames.ROWS)
            self._understand(self._frames)
        except BaseException:
            self._child.close()
            raise

    def _understand(self, answers: Iterator[tuple[bytes, bytes]]) -> None:
        kind, payload = next(answers, (b"", b""))
        try:
            found = json.loads(payload)
            self.sheets = tuple(_text(name) for name in found["sheets"])
            self.top = tuple(_text(line) for line in found["top"])
            header, above, height = found["header"], found["skip_lines"], found["height"]
            if not isinstance(header, bool) or type(above) is not int or type(height) is not int or above < 0:
                raise TypeError
            self.dialect = Dialect(header=header, skip_lines=above, sheet=_text(found["sheet"]))
            self._height = max(height, 1)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise self._child.nonsense() from error
        if kind != frames.INFO:
            raise self._child.nonsense()

    def batches(self) -> Iterator[Batch]:
        """The rows of the sheet below the lines that are skipped; the line of a row is its number in the sheet."""
        before = self.dialect.skip_lines
        for rows in _rows(self._child, self._frames):
            yield Batch(rows, _AsLines(rows), before)
            before += len(rows)
            self._child.fraction = min(1.0, before / self._height)

    @property
    def fraction(self) -> float:
        """How much of the sheet was read, in [0, 1]."""
        return self._child.fraction

    def close(self) -> None:
        self._child.close()

    def __enter__(self) -> Workbook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def rows_of(path: Path, progress: Progress = SILENT) -> Generator[list[str], None, None]:
    """The rows of the first sheet of a workbook, heading included.

    Raises
    ------
    WorkbenchError
        If it cannot be read.
    """
    with _asked("sheet cells", path, progress) as child:
        for rows in _rows(child, child.frames(frames.ROWS)):
            yield from rows


def _asked(job: str, path: Path, progress: Progress, **wanted: Any) -> Child:
    if importlib.util.find_spec("python_calamine") is None:
        raise missing_package(path.name, form_of(path).one, "python-calamine", _INSTEAD)
    form = form_of(path)
    return Child(job, [path], form.one.partition(" ")[2], progress, hint=_AS_CSV, form=form.value, **wanted)


def _rows(child: Child, answers: Iterator[tuple[bytes, bytes]]) -> Iterator[list[list[str]]]:
    for kind, payload in answers:
        yield texts_in_rows(child, kind, payload)


def texts_in_rows(child: Child, kind: bytes, payload: bytes) -> list[list[str]]:
    """Rows of texts, if that is what a frame holds."""
    try:
        rows: list[list[str]] = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise child.nonsense() from error
    sound = kind == frames.ROWS and type(rows) is list and set(map(type, rows)) <= {list}
    if not sound or any(set(map(type, row)) - {str} for row in rows):
        raise child.nonsense()
    return rows


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def cells_of(file: BinaryIO) -> Iterator[list[str]]:
    """The rows of the first sheet of a workbook that this program has just written, from the open file.

    What this process wrote itself is no stranger's file: it is read here, from the very file that takes its place next.

    Raises
    ------
    WorkbenchError
        If it cannot be read.
    """
    if (missing := FORMATS["xlsx"].missing) is not None:
        raise missing
    import python_calamine

    try:
        sheet = python_calamine.CalamineWorkbook.from_object(file).get_sheet_by_index(0)
        width = sheet.width
        for row in sheet.iter_rows():
            texts = list(map(cell_text, row))
            yield texts + [""] * (width - len(texts))
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise WorkbenchError(f"The workbook cannot be read back: {error}.", field="path") from error


class _AsLines(Sequence[str]):
    """Rows as lines of text, put together only when one is shown."""

    def __init__(self, rows: Sequence[Iterable[str]]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return _AsLines(self._rows[place])
        return "\t".join(self._rows[place])
