"""Rows that repeat, as they are written and read back: the same as if each had been looked at by itself."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator, Sequence
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.progress import SILENT
from workbench.core.table import Column, Table
from workbench.io import row_blocks, writing
from workbench.io.export_format import FORMATS, ExportFormat
from workbench.io.row_blocks import RowBlocks, blocks_of, blocks_of_file
from workbench.io.writing import csv_into
from workbench.report.recheck_counting import Counted

PIECES = ["a,b\n", "a,b\n", "c,d\n", '"q",e\n', '"two\n', 'lines",f\n', "\n", '"x\ry",1\n', "g\rh,i\n"]
PIECES += ["é,b\n", "é,b\n", "ß,ß\n", 'j"k,l\n', '"m""n",o\n', "p,q\r\n", '"r"s,t\n', "u"]


def rows_or_error(rows: Iterator[Sequence[str]]) -> tuple[list[list[str]], str]:
    """The rows up to an error of the reader, and its words without the line it names."""
    found: list[list[str]] = []
    try:
        found.extend(list(row) for row in rows)
    except csv.Error as error:
        return [], str(error).split("line ")[0]
    return found, ""


@settings(max_examples=examples(300), deadline=None)
@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=30),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le"]),
    marked=st.booleans(),
    size=st.integers(1, 60),
    most=st.integers(0, 4),
)
def test_lines_parsed_once_give_the_rows_that_python_reads(
    pieces: list[str], encoding: str, marked: bool, size: int, most: int
) -> None:
    written = "".join(pieces).encode("utf-8" if encoding == "utf-8-sig" and not marked else encoding)
    with (
        patch.object(row_blocks, "_BYTES", size),
        patch.object(row_blocks, "_ROWS", size),
        patch.object(row_blocks, "_MOST", most),
    ):
        found = rows_or_error(RowBlocks(blocks_of_file(io.BytesIO(written), encoding, ",")))
    text = io.TextIOWrapper(io.BytesIO(written), encoding, newline="")
    assert found == rows_or_error(csv.reader(text, delimiter=",", strict=True))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "ascii"])
def test_bytes_that_are_no_text_are_refused_wherever_they_stand(encoding: str) -> None:
    for written in (b"a,b\n" * 9 + b"\xff,b\n", b"\xff,b\n" + b"a,b\n" * 9, b"a,b\n" * 9 + b"\xc3"):
        with pytest.raises(UnicodeDecodeError):
            list(blocks_of_file(io.BytesIO(written), encoding, ","))


@given(st.lists(st.sampled_from(["a,1\n", "b,2\n", '"c\nd",3\n']), max_size=20), st.integers(0, 20))
def test_blocks_go_on_where_rows_were_taken(lines: list[str], taken: int) -> None:
    with patch.object(row_blocks, "_ROWS", 3), patch.object(row_blocks, "_BYTES", 10):
        rows = RowBlocks(blocks_of_file(io.BytesIO("".join(lines).encode()), "utf-8", ","))
        first = [row for _, row in zip(range(taken), rows, strict=False)]
        rest = [block.rows[mark] for block in blocks_of(rows) for mark in block.marks]
    assert [*first, *rest] == list(csv.reader(io.StringIO("".join(lines), newline="")))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_counts_of_blocks_are_counts_of_rows(form: str) -> None:
    pytest.importorskip("pyarrow") if form == "parquet" else None
    draw = random.Random(3)
    names = ("a", "b", "c")
    rows = [(draw.choice(["x", "=y", "", '"z"']), draw.choice("12"), str(draw.random())[:3]) for _ in range(500)]
    table = Table(tuple(Column.from_texts(n, texts) for n, texts in zip(names, zip(*rows, strict=True), strict=True)))
    file = io.BytesIO()
    FORMATS[form].write(table, file, ExportFormat(form), SILENT, None)

    def counted(apart: bool) -> Counted:
        file.seek(0)
        read = FORMATS[form].read_back(file, ExportFormat(form))
        next(read)
        return Counted.of(iter(list(read)) if apart else read, names, ("a", "b"), ("c",), ".", SILENT)

    with patch.object(row_blocks, "_ROWS", 37), patch.object(row_blocks, "_BYTES", 99):
        one, other = counted(apart=True), counted(apart=False)
    assert (one.rows, one.sizes, one.values) == (other.rows, other.sizes, other.values)
    assert one.in_order is not None
    assert other.in_order is not None
    assert list(one.in_order()) == list(other.in_order())
    assert one.rows == 500


@settings(max_examples=examples(100), deadline=None)
@given(
    columns=st.lists(
        st.lists(st.sampled_from(["", "a", "b,c", 'd"e', "=f", "g\nh"]), min_size=12, max_size=12),
        min_size=1,
        max_size=3,
    ),
    most=st.integers(0, 3),
    numbered=st.booleans(),
)
def test_rows_written_once_are_those_written_each(columns: list[list[str]], most: int, numbered: bool) -> None:
    table = Table(tuple(Column.from_texts(f"c{place}", texts) for place, texts in enumerate(columns)))
    table = table.take(np.array([0, 1, 2, 3, 0, 1, 2, 3, 0, 0, 0, 5, 4, 11, 6, 7, 8, 9, 10, 11, 0, 1], dtype=np.intp))

    def written(rows: int, room: int) -> bytes:
        file = io.BytesIO()
        with (
            patch.object(writing, "_ROWS", rows),
            patch.object(writing, "_MOST", most),
            patch.object(writing, "_ROOM", room),
        ):
            csv_into(table, file, ExportFormat())
        return file.getvalue()

    assert written(8, 1 << 62 if numbered else 0) == written(1, 0)
