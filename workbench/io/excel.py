"""Reading a sheet of an Excel workbook through python-calamine, which is optional and imported when needed.

Cells become texts as a CSV would hold them: whole numbers without ".0", dates as 2020-01-31, dates with a time as
2020-01-31 12:30:00, truth values as true and false, empty cells and errors such as #N/A as nothing. What a cell shows
by its number format, such as a currency sign, is not part of its value. Columns without any value are left out.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, overload

from workbench.core.errors import WorkbenchError
from workbench.io.dialect import Dialect
from workbench.io.export_format import ExportForm
from workbench.io.missing_package import missing_package
from workbench.io.opening import explained
from workbench.io.recognise import recognise_rows
from workbench.io.rows import Batch

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_BATCH = 2048
_SAMPLE = 400
_EXACT = float(1 << 53)


class Workbook:
    """One workbook, open.

    Raises
    ------
    WorkbenchError
        If the file cannot be read, is damaged or locked, or python-calamine is not installed.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            import python_calamine
        except ImportError as error:
            raise missing_package(
                self.path.name,
                "an Excel workbook",
                "python-calamine",
                "in Excel or LibreOffice choose Save As, CSV (UTF-8), and open that file.",
            ) from error
        self._failures: tuple[type[Exception], ...] = (python_calamine.CalamineError, OSError, ValueError)
        self._locked = python_calamine.PasswordError
        with explained(self.path):
            self.path.stat()
        self._book: CalamineWorkbook = self._call(lambda: python_calamine.CalamineWorkbook.from_path(self.path))
        self.sheets: tuple[str, ...] = tuple(
            sheet.name for sheet in self._book.sheets_metadata if sheet.typ == python_calamine.SheetTypeEnum.WorkSheet
        )
        self._open: tuple[str, CalamineSheet] | None = None
        self.fraction = 0.0

    def recognise(self, sheet: str = "") -> Dialect:
        """Where the table is: the sheet, whether it has a heading, and how many rows stand above it."""
        name = sheet or self._first_filled()
        rows = islice(self._call(self._sheet(name).iter_rows), _SAMPLE)
        texts = [(line, list(map(cell_text, row))) for line, row in enumerate(rows)]
        header, above = recognise_rows([(line, row) for line, row in texts if any(cell.strip() for cell in row)])
        return Dialect(header=header, skip_lines=above, sheet=name)

    def batches(self, dialect: Dialect) -> Iterator[Batch]:
        """The rows of the dialect's sheet below the lines it skips; the line of a row is its number in the sheet."""
        name = dialect.sheet or self._first_filled()
        filled, timed = self._columns(name, dialect.skip_lines)
        total = max(self._sheet(name).total_height, 1)
        before = dialect.skip_lines
        below = islice(self._call(self._sheet(name).iter_rows), before, None)
        while cells := list(islice(below, _BATCH)):
            rows = [[cell_text(row[place], place in timed) for place in filled] for row in cells]
            rows = [row if any(row) else [] for row in rows]
            yield Batch(rows, _AsLines(rows), before)
            before += len(rows)
            self.fraction = before / total

    def _columns(self, name: str, above: int) -> tuple[list[int], set[int]]:
        """Below that many rows: the columns with a value, and those in which a date has a time."""
        filled: set[int] = set()
        timed: set[int] = set()
        for row in islice(self._call(self._sheet(name).iter_rows), above, None):
            filled.update(place for place, value in enumerate(row) if value != "")
            timed.update(place for place, value in enumerate(row) if isinstance(value, datetime.datetime))
        return sorted(filled), timed

    def _first_filled(self) -> str:
        for name in self.sheets:
            if self._sheet(name).start is not None:
                return name
        raise WorkbenchError(
            f"The Excel workbook “{self.path.name}” holds no table: all its sheets are empty.",
            hint="Choose another file.",
            field="path",
        )

    def _sheet(self, name: str) -> CalamineSheet:
        if self._open is None or self._open[0] != name:
            if name not in self.sheets:
                raise WorkbenchError(
                    f"The Excel workbook “{self.path.name}” has no sheet “{name}”.",
                    hint=f"Its sheets are: {', '.join(self.sheets)}.",
                    field="sheet",
                )
            self._open = (name, self._call(lambda: self._book.get_sheet_by_name(name)))
        return self._open[1]

    def _call(self, work: Any) -> Any:
        try:
            return work()
        except self._locked as error:
            raise WorkbenchError(
                f"The Excel workbook “{self.path.name}” is protected by a password.",
                hint="Save a copy without a password and open that.",
                field="path",
            ) from error
        except self._failures as error:
            raise WorkbenchError(
                f"The Excel workbook “{self.path.name}” is damaged: {error}.",
                hint="Open it in Excel or LibreOffice, save it as CSV (UTF-8), and open that file.",
                field="path",
            ) from error


def cells_of(file: BinaryIO) -> Iterator[list[str]]:
    """The rows of the first sheet of a workbook that was just written, heading included, from an open file.

    Raises
    ------
    WorkbenchError
        If it cannot be read.
    """
    if (missing := ExportForm.XLSX.missing) is not None:
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


def cell_text(value: Any, timed: bool = False) -> str:
    """The text of a cell. Midnight is a date without a time, unless others in the column (`timed`) have one."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) <= _EXACT else repr(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, datetime.date):
        return f"{value.isoformat()} 00:00:00" if timed else value.isoformat()
    if isinstance(value, datetime.time):
        return value.isoformat()
    return "" if value is None else str(value)


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
