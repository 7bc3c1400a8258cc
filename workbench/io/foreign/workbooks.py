"""Reading a sheet of a workbook through python-calamine, which makes room for the whole rectangle around its cells."""

from __future__ import annotations

import datetime
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from workbench.core.errors import WorkbenchError
from workbench.io.foreign import frames, limits
from workbench.io.foreign.sheet_size import SheetSize, Unseen, beside_sheets, size_of
from workbench.io.foreign.spreadsheet_size import size_of_all
from workbench.io.recognise import recognise_rows

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_SAMPLE = 400
_TOP = 20
_LONGEST_LINE = 1200
_BATCH = 2048
_LONGEST_ROW = 1 << 22
_MOST_CELLS = limits.MOST // limits.BYTES_PER_CELL
_EXACT = float(1 << 53)
_AS_CSV = "Open it in Excel or LibreOffice, save it as CSV (UTF-8), and open that file."


def run(request: dict[str, Any], out: frames.FrameWriter) -> None:
    """Send the rows of a sheet as texts.

    For the job "sheet", of the one that is named, or the first one with cells, below the lines that are skipped or else
    those that seem to stand above the table, without columns that hold nothing; for "sheet cells", of the first one,
    all of them.

    Raises
    ------
    WorkbenchError
        If the workbook is damaged or locked, has no such sheet, or reaches further than there is memory.
    """
    book = _Book(Path(request["paths"][0]), out, request.get("form", "excel"))
    if request["job"] == "sheet cells":
        sheet = book.sheet(0)
        rows = (list(map(cell_text, row)) for row in sheet.iter_rows())
        width = sheet.width
        for batch in batches(row + [""] * (width - len(row)) for row in rows):
            out.send(frames.ROWS, batch)
        return
    place = book.place_of(request["sheet"]) if request["sheet"] else book.first_filled()
    sheet = book.sheet(place)
    header, above = request["header"], request["skip_lines"]
    if above is None:
        header, above = _recognised(sheet)
    filled, timed = _columns(sheet, above)
    all_filled, all_timed = _columns(sheet, 0, above)
    whole, hours = sorted({*filled, *all_filled}), timed | all_timed
    out.tell(
        frames.INFO,
        sheets=[book.names[one] for one in book.sheets],
        sheet=book.names[place],
        header=header,
        skip_lines=above,
        height=sheet.total_height,
        top=["\t".join(_texts(row, whole, hours))[:_LONGEST_LINE] for row in islice(sheet.iter_rows(), _TOP)],
    )
    below = islice(sheet.iter_rows(), above, None)
    for batch in batches(_texts(row, filled, timed) for row in below):
        out.send(frames.ROWS, batch)


class _Book:
    """A workbook, open."""

    def __init__(self, path: Path, out: frames.FrameWriter, form: str) -> None:
        import python_calamine

        self._open_document = form == "ods"
        self._what = "OpenDocument spreadsheet" if self._open_document else "Excel workbook"

        self.path, self._out = path, out
        self._failures = (python_calamine.CalamineError, OSError, ValueError)
        self._locked = python_calamine.PasswordError
        self._packed = path.stat().st_size
        self._room = limits.MemoryAllowance()
        self._room.limit(limits.allowance(self._packed))
        if self._open_document:
            self._look_at_all()
        elif not self._room.limited:
            self._look_beside_sheets()
        self._book: CalamineWorkbook = self._call(lambda: python_calamine.CalamineWorkbook.from_path(path))
        listed = self._book.sheets_metadata
        self.names = [sheet.name for sheet in listed]
        self.sheets = [at for at, one in enumerate(listed) if one.typ == python_calamine.SheetTypeEnum.WorkSheet]
        self._open: tuple[int, CalamineSheet] | None = None

    def place_of(self, name: str) -> int:
        found = next((place for place in self.sheets if self.names[place] == name), None)
        if found is None:
            raise WorkbenchError(
                f"The {self._what} “{self.path.name}” has no sheet “{name}”.",
                hint=f"Its sheets are: {', '.join(self.names[place] for place in self.sheets)}.",
                field="sheet",
            )
        return found

    def first_filled(self) -> int:
        for place in self.sheets:
            if self.sheet(place).start is not None:
                return place
        raise WorkbenchError(
            f"The {self._what} “{self.path.name}” holds no table: all its sheets are empty.",
            hint="Choose another file.",
            field="path",
        )

    def sheet(self, place: int) -> CalamineSheet:
        """A sheet with all its cells, after a look at how far they reach."""
        if self._open is None or self._open[0] != place:
            self._open = None
            if not self._open_document:
                self._allow(self._look(place))
            self._open = (place, self._call(lambda: self._book.get_sheet_by_index(place)))
        return self._open[1]

    def _allow(self, size: SheetSize) -> None:
        """Give room and time for so many cells."""
        self._room.limit(limits.allowance(self._packed, size.cells))
        self._out.tell(frames.WORK, cells=size.cells)
        self._out.expect_cells(size.cells)

    def _look_at_all(self) -> None:
        """Its reader takes in all sheets at once."""
        size = self._looked(lambda file: size_of_all(file, _MOST_CELLS, self._going_on))
        allowed = limits.allowance(self._packed, size.cells)
        if size.cells > _MOST_CELLS or size.places * limits.BYTES_PER_PLACE > allowed:
            raise WorkbenchError(
                f"The {self._what} “{self.path.name}” reaches over {size.places:,} places: more than fits "
                "into the memory that reading a workbook may take.",
                hint="Delete the rows and columns beyond the tables, or save the sheet as CSV (UTF-8), and open that.",
                field="path",
            )
        self._allow(size)

    def _going_on(self) -> None:
        self._out.tell(frames.WORK, cells=0)

    def _looked(self, look: Callable[[BinaryIO], SheetSize]) -> SheetSize:
        try:
            with self.path.open("rb") as file:
                return look(file)
        except (Unseen, NotImplementedError) as error:
            raise self._damaged("how far its cells reach cannot be looked at") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise self._damaged(str(error)) from error

    def _look(self, place: int) -> SheetSize:
        size = self._looked(lambda file: size_of(file, place, _MOST_CELLS, self._going_on))
        allowed = limits.allowance(self._packed, size.cells)
        if size.cells > _MOST_CELLS:
            raise self._too_large(place, f"holds more than {_MOST_CELLS:,} cells", "")
        if size.cells * limits.BYTES_PER_CELL // 2 + size.places * limits.BYTES_PER_PLACE > allowed:
            reach = (
                f"reaches to the cell {_letters(size.columns)}{size.rows}, {size.places:,} places "
                f"for {size.cells:,} cells that are filled"
            )
            raise self._too_large(
                place, reach, "Delete the rows and columns beyond the table, which only stray cells keep, and save. Or "
            )
        return size

    def _too_large(self, place: int, why: str, first: str) -> WorkbenchError:
        copy = "copy the table into a new workbook or save it as CSV (UTF-8), and open that file."
        return WorkbenchError(
            f"The sheet “{self.names[place]}” of the {self._what} “{self.path.name}” {why}: more than fits into "
            "the memory that reading a workbook may take.",
            hint=f"{first}{copy if first else copy.capitalize()}",
            field="path",
        )

    def _look_beside_sheets(self) -> None:
        """Where the system keeps no limit: texts, which are all read at once, must not unpack to too much."""
        most = limits.allowance(self._packed) // 2
        try:
            with self.path.open("rb") as file:
                total = beside_sheets(file, most)
        except (Unseen, NotImplementedError) as error:
            raise self._damaged("it is packed in a way that no workbook is") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise self._damaged(str(error)) from error
        if total > most:
            raise WorkbenchError(
                f"The {self._what} “{self.path.name}” unpacks to more than {most >> 20} MiB beside its sheets: more "
                "than fits into the memory that reading a workbook may take.",
                hint=_AS_CSV,
                field="path",
            )

    def _damaged(self, why: str) -> WorkbenchError:
        return WorkbenchError(f"The {self._what} “{self.path.name}” is damaged: {why}.", hint=_AS_CSV, field="path")

    def _call(self, work: Any) -> Any:
        try:
            return work()
        except self._locked as error:
            raise WorkbenchError(
                f"The {self._what} “{self.path.name}” is protected by a password.",
                hint="Save a copy without a password and open that.",
                field="path",
            ) from error
        except self._failures as error:
            raise self._damaged(str(error)) from error


def _recognised(sheet: CalamineSheet) -> tuple[bool, int]:
    """Whether the table has a heading, and how many rows stand above it."""
    texts = [(line, list(map(cell_text, row))) for line, row in enumerate(islice(sheet.iter_rows(), _SAMPLE))]
    return recognise_rows([(line, row) for line, row in texts if any(cell.strip() for cell in row)])


def _columns(sheet: CalamineSheet, first: int, last: int | None = None) -> tuple[set[int], set[int]]:
    """In these rows: the columns with a value, and those in which a date has a time."""
    filled: set[int] = set()
    timed: set[int] = set()
    for row in islice(sheet.iter_rows(), first, last):
        filled.update(place for place, value in enumerate(row) if value != "")
        timed.update(place for place, value in enumerate(row) if isinstance(value, datetime.datetime))
    return filled, timed


def _texts(row: Sequence[Any], places: Iterable[int], timed: set[int]) -> list[str]:
    texts = [cell_text(row[place], place in timed) for place in places]
    return texts if any(texts) else []


def batches(rows: Iterable[list[str]]) -> Iterator[bytes]:
    """Rows of texts as frames hold them: some at a time, fewer where they are long.

    Raises
    ------
    WorkbenchError
        If a row is longer than any table has.
    """
    waiting: list[list[str]] = []
    length = 0
    for row in rows:
        here = sum(map(len, row))
        if here > _LONGEST_ROW:
            raise WorkbenchError(
                f"A row of the file has over {_LONGEST_ROW:,} characters.",
                hint="Check that it is a table with one row for each person or thing.",
                field="path",
            )
        waiting.append(row)
        length += here
        if len(waiting) >= _BATCH or length > _LONGEST_ROW:
            yield json.dumps(waiting).encode()
            waiting, length = [], 0
    if waiting:
        yield json.dumps(waiting).encode()


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


def _letters(place: int) -> str:
    """A for 1, AA for 27."""
    name = ""
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
