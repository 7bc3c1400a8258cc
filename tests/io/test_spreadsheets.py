"""OpenDocument spreadsheets: sheets, values, and files that say that they hold more than there is."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.io.open_documents import open_document, row
from workbench.core.errors import WorkbenchError
from workbench.io.dialect import Dialect
from workbench.io.opening import FileContent, form_of
from workbench.io.reading import preview, read_table

pytest.importorskip("python_calamine")
PEOPLE = row("zip", "age", "born") + row("00123", 30, "2001-01-31") + row("7", 41.5, "")


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "people.ods"
    path.write_bytes(open_document({"empty": "", "people": PEOPLE, "more": row("a") + row(1)}))
    return path


def test_sheets_are_read_as_those_of_other_workbooks(sheet: Path) -> None:
    reading = read_table(sheet)
    assert (reading.form, reading.sheets, reading.dialect.sheet) == (
        FileContent.ODS,
        ("empty", "people", "more"),
        "people",
    )
    assert [column.texts() for column in reading.table.columns] == [
        ["00123", "7"],
        ["30", "41.5"],
        ["2001-01-31", ""],
    ]
    assert read_table(sheet, Dialect(sheet="more")).table.row(0) == ("1",)
    assert preview(sheet).names == ("zip", "age", "born")
    with pytest.raises(WorkbenchError, match=r"OpenDocument spreadsheet “people\.ods” has no sheet “x”"):
        read_table(sheet, Dialect(sheet="x"))


def test_it_is_known_by_its_content(sheet: Path) -> None:
    assert form_of(sheet.rename(sheet.with_suffix(".zip"))) is FileContent.ODS


@pytest.mark.parametrize(
    "rows",
    [
        row("a") + '<table:table-row table:number-rows-repeated="1048576">'
        '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"/>'
        "</table:table-row>",
        row("a") + '<table:table-row table:number-rows-repeated="1048575"><table:table-cell/></table:table-row>'
        '<table:table-row><table:table-cell table:number-columns-repeated="16000"/>'
        '<table:table-cell office:value-type="float" office:value="1"/></table:table-row>',
    ],
    ids=["filled", "stray"],
)
def test_a_small_file_that_stands_for_a_large_one_is_refused_before_it_is_read(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "x.ods"
    path.write_bytes(open_document({"S": rows}))
    assert path.stat().st_size < 4096
    for read in (read_table, preview):
        with pytest.raises(WorkbenchError, match=r"“x\.ods” reaches over .* more than fits") as caught:
            read(path)
        assert caught.value.hint


@pytest.mark.parametrize("content", [b"", b"<office", b"\xff\xfe<\0", b"no xml at all"])
def test_damaged_files_are_explained(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.ods"
    path.write_bytes(open_document({}, content))
    for read in (read_table, preview):
        with pytest.raises(WorkbenchError, match=r"OpenDocument spreadsheet “x\.ods”") as caught:
            read(path)
        assert caught.value.hint


def test_a_spreadsheet_without_its_content_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "x.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    with pytest.raises(WorkbenchError, match="is damaged"):
        read_table(path)
