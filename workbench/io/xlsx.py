"""Writing one sheet as an Excel workbook: a ZIP archive of a few XML parts (ECMA-376, part 1).

Texts are shared strings, which no spreadsheet runs; a column of numbers becomes numbers. The archive has fixed times,
so the same table gives the same bytes.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from typing import BinaryIO

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.io.occurring_values import NumberKind, OccurringValues

MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
LONGEST_TEXT = 32_767
_ROWS = 4096
_NEEDS_ESCAPE = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def xlsx_into(table: Table, file: BinaryIO, progress: Progress = SILENT, written: Callable[[str], str] = str) -> None:
    """Write a table with columns into an open file. `written` says how its texts and names are spelled.

    Raises
    ------
    WorkbenchError
        If the table is larger than a sheet can be.
    Cancelled
        If the person pressed Cancel.
    """
    _check_size(table)
    columns = [OccurringValues.of(column, written) for column in table.columns]
    shared: dict[str, int] = {}
    heading = [f' t="s"><v>{shared.setdefault(name, len(shared))}</v></c>' for name in map(written, table.names)]
    cells = [_cells(column, shared) for column in columns]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _FIXED_PARTS.items():
            archive.writestr(_part(name), _HEAD + text)
        with archive.open(_part("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as sheet:
            sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            letters = [_letters(place) for place in range(len(columns))]
            sheet.write(_row(1, letters, heading).encode())
            done = 0
            for codes in table.blocks(table.names, _ROWS):
                progress(done / table.rows, f"{done:,} rows written")
                places = (column.places[some].tolist() for column, some in zip(columns, codes, strict=True))
                chosen = (map(texts.__getitem__, some) for texts, some in zip(cells, places, strict=True))
                rows = zip(*chosen, strict=True)
                sheet.write("".join(_row(n, letters, row) for n, row in enumerate(rows, done + 2)).encode())
                done += len(codes[0])
            sheet.write(b"</sheetData></worksheet>")
        with archive.open(_part("xl/sharedStrings.xml"), "w", force_zip64=True) as strings:
            strings.write(f'{_HEAD}<sst xmlns="{_MAIN}" uniqueCount="{len(shared)}">'.encode())
            strings.write("".join(f'<si><t xml:space="preserve">{_xml(text)}</t></si>' for text in shared).encode())
            strings.write(b"</sst>")
    progress(1.0, f"{table.rows:,} rows written")


def _check_size(table: Table) -> None:
    if table.rows >= MOST_ROWS or len(table.columns) > MOST_COLUMNS:
        raise WorkbenchError(
            f"A sheet of a workbook has at most {MOST_ROWS - 1:,} rows below its heading and {MOST_COLUMNS:,} columns; "
            f"the table has {table.rows:,} and {len(table.columns):,}.",
            hint="Choose CSV or Parquet.",
            field="format",
        )
    if any(
        len(text) > LONGEST_TEXT // 2 and len(text.encode("utf-16-le", "replace")) > 2 * LONGEST_TEXT
        for column in table.columns
        for text in (column.name, *column.values)
    ):
        raise WorkbenchError(
            f"A cell of a workbook holds at most {LONGEST_TEXT:,} characters, and the table has a longer text.",
            hint="Choose CSV or Parquet.",
            field="format",
        )


def _cells(column: OccurringValues, shared: dict[str, int]) -> list[str]:
    """For each distinct value what follows the place of the cell; nothing for an empty one."""
    if column.numbers is not NumberKind.NONE:
        return [f"><v>{text}</v></c>" if text else "" for text in column.texts]
    return [f' t="s"><v>{shared.setdefault(text, len(shared))}</v></c>' if text else "" for text in column.texts]


def _row(number: int, letters: list[str], cells: Iterator[str] | list[str] | tuple[str, ...]) -> str:
    inside = "".join(f'<c r="{column}{number}"{cell}' for column, cell in zip(letters, cells, strict=True) if cell)
    return f'<row r="{number}">{inside}</row>'


def _letters(place: int) -> str:
    """A, B, …, Z, AA, …"""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def _xml(text: str) -> str:
    escaped = _NEEDS_ESCAPE.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _part(name: str) -> zipfile.ZipInfo:
    part = zipfile.ZipInfo(name)  # without a time it is 1980
    part.compress_type = zipfile.ZIP_DEFLATED
    return part


_FIXED_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>'
    f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_TYPE}.sharedStrings+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="Release" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
}
