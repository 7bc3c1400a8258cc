"""A writer of small workbooks, so that the tests of the reader need no second package."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from tests.postgresql_server import address as address
from tests.postgresql_server import server as server

DATE, MOMENT = 's="1"', 's="2"'
"""Attributes of a cell that shows its number as a date, or as a date with a time."""

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

Cell = str | float | bool | tuple[str, str] | None
Writer = Callable[[Path, Mapping[str, Sequence[Sequence[Cell]]]], Path]


@pytest.fixture
def write_workbook() -> Writer:
    """A function that writes sheets of cells; a tuple is an attribute of the cell and its raw value."""
    return _write


def _write(path: Path, sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{number}" r:id="rId{number}"/>'
        for number, name in enumerate(sheets, start=1)
    )
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in range(1, len(sheets) + 1)
    )
    members = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{links}'
        f'<Relationship Id="styles" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs count="3">'
        '<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>',
    }
    for number, rows in enumerate(sheets.values(), start=1):
        body = "".join(_row(place, cells) for place, cells in enumerate(rows, start=1) if cells)
        members[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'
        )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, _HEAD + text)
    return path


def _row(number: int, cells: Sequence[Cell]) -> str:
    return f'<row r="{number}">{"".join(_cell(f"{chr(65 + i)}{number}", cell) for i, cell in enumerate(cells))}</row>'


def _cell(place: str, value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return f'<c r="{place}" {value[0]}><v>{value[1]}</v></c>'
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'
