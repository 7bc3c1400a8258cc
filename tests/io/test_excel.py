"""Workbooks: the right sheet and rows, values as texts, and words where it cannot be read."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Kind
from workbench.io.dialect import Dialect
from workbench.io.infer import propose
from workbench.io.reading import FileContent, Reading, preview, read_table

pytest.importorskip("python_calamine")

Writer = Callable[[Path, dict[str, list[list[Any]]]], Path]
DATE, MOMENT = 's="1"', 's="2"'


def rows(reading: Reading) -> list[tuple[str, ...]]:
    return [reading.table.row(i) for i in range(reading.rows)]


@pytest.fixture
def book(tmp_path: Path, write_workbook: Writer) -> Path:
    return write_workbook(
        tmp_path / "book.xlsx",
        {
            "Cover": [],
            "People": [
                ["name", "age", "zip", "pay", "ok", "born", "seen", "note"],
                ["Ann", 30, "01234", 1234.5, True, (DATE, "43831"), (MOMENT, "43831.5"), "a, b"],
                ["Bob", 1e15, "00007", 0.1, False, (DATE, "1"), (MOMENT, "43832"), None],
                [],
                ["Cid", -7, "", 1e20, True, None, None, ('t="e"', "#N/A")],
            ],
            "Small & odd": [[None, None], [None, "x"], [None, 1], [None, 2]],
        },
    )


def test_the_first_sheet_with_cells_is_read_faithfully(book: Path) -> None:
    reading = read_table(book)
    assert reading.table.names == ("name", "age", "zip", "pay", "ok", "born", "seen", "note")
    assert rows(reading) == [
        ("Ann", "30", "01234", "1234.5", "true", "2020-01-01", "2020-01-01 12:00:00", "a, b"),
        ("Bob", "1000000000000000", "00007", "0.1", "false", "1900-01-01", "2020-01-02 00:00:00", ""),
        ("Cid", "-7", "", "1e+20", "true", "", "", ""),
    ]
    assert (reading.form, reading.sheets) == (FileContent.EXCEL, ("Cover", "People", "Small & odd"))
    assert reading.dialect == Dialect(sheet="People")
    assert (reading.problem_count, reading.skipped) == (0, 0)
    assert reading.fingerprint == hashlib.sha256(book.read_bytes()).hexdigest()
    assert [reading.line_of(i) for i in range(3)] == [2, 3, 5]
    kinds = {column.name: propose(column).kind for column in reading.table.columns}
    assert (kinds["born"], kinds["seen"], kinds["zip"]) == (Kind.DATE, Kind.DATETIME, Kind.TEXT)


def test_another_sheet_can_be_chosen_and_empty_columns_are_no_columns(book: Path) -> None:
    reading = read_table(book, Dialect(sheet="Small & odd", skip_lines=1))
    assert reading.table.names == ("x",)
    assert reading.table["x"].texts() == ["1", "2"]
    assert reading.line_of(1) == 4
    bare = read_table(book, Dialect(sheet="Small & odd", skip_lines=2, header=False))
    assert rows(bare) == [("1",), ("2",)]


def test_a_sheet_that_is_not_there_is_named_with_those_that_are(book: Path) -> None:
    with pytest.raises(WorkbenchError, match="no sheet “Gone”") as caught:
        read_table(book, Dialect(sheet="Gone"))
    assert "People" in caught.value.hint
    assert caught.value.field == "sheet"


def test_titles_above_and_an_empty_column_before_the_table(tmp_path: Path, write_workbook: Writer) -> None:
    sheet = [["Report 2024"], [], [None, "name", "age"], [None, "Ann", 30], [None, "Bob", 31], [None, "Cid", 32]]
    reading = read_table(write_workbook(tmp_path / "x.xlsx", {"S": sheet}))
    assert reading.table.names == ("name", "age")
    assert rows(reading) == [("Ann", "30"), ("Bob", "31"), ("Cid", "32")]
    assert reading.dialect.skip_lines == 2


def test_a_sheet_without_a_heading(tmp_path: Path, write_workbook: Writer) -> None:
    reading = read_table(write_workbook(tmp_path / "x.xlsx", {"S": [[1, 2.5], [3, 4], [5, 6]]}))
    assert reading.table.names == ("column 1", "column 2")
    assert rows(reading)[0] == ("1", "2.5")


def test_names_that_come_twice_and_many_rows(tmp_path: Path, write_workbook: Writer) -> None:
    sheet = [["a", "a", None], *[[i, i % 3, f"t{i}"] for i in range(5000)]]
    reading = read_table(write_workbook(tmp_path / "x.xlsx", {"S": sheet}))
    assert reading.table.names == ("a", "a (2)", "column 3")
    assert reading.problem_count == 2
    assert reading.table.row(4999) == ("4999", "1", "t4999")
    assert reading.line_of(4999) == 5001
    assert read_table(tmp_path / "x.xlsx", limit=10).rows == 10


def test_preview_shows_cells_and_sheets(book: Path) -> None:
    shown = preview(book, rows=2)
    assert (shown.form, shown.sheets) == (FileContent.EXCEL, ("Cover", "People", "Small & odd"))
    assert shown.names[:2] == ("name", "age")
    assert len(shown.rows) == 2
    assert shown.lines[0].split("\t")[:3] == ["name", "age", "zip"]
    assert shown.dialect.sheet == "People"
    assert preview(book, Dialect(sheet="Small & odd")).names


def test_a_dialect_of_the_other_sort_of_file_is_not_used(book: Path, tmp_path: Path) -> None:
    assert read_table(book, Dialect(";", skip_lines=3)).table.names[0] == "name"
    plain = tmp_path / "plain.csv"
    plain.write_text("a;b\n1;2\n", encoding="utf-8")
    assert read_table(plain, Dialect(sheet="People")).table.names == ("a", "b")


def test_a_workbook_of_empty_sheets_and_a_damaged_one(tmp_path: Path, write_workbook: Writer) -> None:
    with pytest.raises(WorkbenchError, match="all its sheets are empty"):
        read_table(write_workbook(tmp_path / "x.xlsx", {"A": [], "B": []}))
    damaged = tmp_path / "damaged.xlsx"
    with zipfile.ZipFile(damaged, "w") as archive:
        archive.writestr("xl/workbook.xml", "<no")
    for read in (read_table, preview):
        with pytest.raises(WorkbenchError, match=r"Excel workbook “damaged\.xlsx” is damaged") as caught:
            read(damaged)
        assert "CSV" in caught.value.hint


def test_the_command_line_can_choose_the_sheet(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", str(book), "--sheet", "Small & odd", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["form"], found["sheets"]) == ("excel", ["Cover", "People", "Small & odd"])
    assert found["dialect"]["sheet"] == "Small & odd"
    assert [column["name"] for column in found["columns"]] == ["x"]
    assert main(["profile", str(book)]) == 0
    assert "sheet “People” of an Excel workbook" in capsys.readouterr().out


def test_where_the_package_is_missing_the_command_is_named(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec

    def without(name: str, package: str | None = None) -> Any:
        return None if name in ("python_calamine", "pyarrow") else real(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    parquet = book.with_name("x.parquet")
    parquet.write_bytes(b"PAR1 and more")
    for path, package in ((book, "python-calamine"), (parquet, "pyarrow")):
        for read in (read_table, preview):
            with pytest.raises(WorkbenchError, match=package) as caught:
                read(path)
            assert f"-m pip install {package}" in caught.value.hint
            assert "CSV" in caught.value.hint


@pytest.mark.parametrize(
    ("sheet", "names", "above"),
    [
        ([["name", "age"], ["Ann", 3], ["Bob", 4]], ("name", "age"), 0),
        ([["Title"], ["name", "age"], ["Ann", 3], ["Bob", 4]], ("Title", "column 2"), 0),
        ([["Title"], [], ["name", "age"], ["Ann", 3], ["Bob", 4]], ("name", "age"), 2),
        ([["Title"], ["Sub"], ["name", "age", "x"], ["Ann", 3, 1], ["Bob", 4, 2]], ("name", "age", "x"), 2),
        ([["name"], ["Ann"], ["Bob"]], ("name",), 0),
        ([["name", None, "x"], ["Ann", 3, 1], ["Bob", 4, 2]], ("name", "column 2", "x"), 0),
    ],
)
def test_where_the_table_starts(
    tmp_path: Path, write_workbook: Writer, sheet: list[list[Any]], names: tuple[str, ...], above: int
) -> None:
    reading = read_table(write_workbook(tmp_path / "x.xlsx", {"S": sheet}))
    assert (reading.table.names, reading.dialect.skip_lines) == (names, above)
