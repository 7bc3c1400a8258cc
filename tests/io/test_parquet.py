"""Parquet files: every type as the text a CSV would hold."""

from __future__ import annotations

import datetime
import decimal
import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Kind
from workbench.io.infer import propose
from workbench.io.reading import FileContent, preview, read_table

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

UTC = datetime.UTC


CASES: dict[str, tuple[Any, list[Any], list[str]]] = {
    "int64": (pa.int64(), [1, None, -(2**62)], ["1", "", str(-(2**62))]),
    "uint8": (pa.uint8(), [0, 255], ["0", "255"]),
    "float64": (pa.float64(), [1.0, 0.1, None, float("nan"), 1e300], ["1", "0.1", "", "", "1e+300"]),
    "float32": (pa.float32(), [0.1, 2.0], ["0.1", "2"]),
    "bool": (pa.bool_(), [True, False, None], ["true", "false", ""]),
    "string": (pa.string(), ["007", "", None, "a, b", "é"], ["007", "", "", "a, b", "é"]),
    "large string": (pa.large_string(), ["x", None], ["x", ""]),
    "date": (pa.date32(), [datetime.date(2020, 2, 29), None], ["2020-02-29", ""]),
    "seconds": (pa.timestamp("s"), [datetime.datetime(2020, 1, 1, 12)], ["2020-01-01 12:00:00"]),
    "micros": (
        pa.timestamp("us"),
        [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 1, 1, 2, 3, 450000)],
        ["2020-01-01 00:00:00", "2020-01-01 01:02:03.45"],
    ),
    "zone": (
        pa.timestamp("ms", "Europe/Athens"),
        [datetime.datetime(2020, 1, 1, tzinfo=UTC)],
        ["2020-01-01 00:00:00Z"],
    ),
    "time": (pa.time32("s"), [datetime.time(9, 30)], ["09:30:00"]),
    "decimal": (pa.decimal128(10, 2), [decimal.Decimal("12.50"), None], ["12.50", ""]),
    "dictionary": (pa.dictionary(pa.int8(), pa.string()), ["b", None, "a", "b"], ["b", "", "a", "b"]),
    "bytes": (pa.binary(), [b"abc", b"\xff\x00", None], ["abc", "ff00", ""]),
    "list": (pa.list_(pa.int64()), [[1, 2], None, []], ["[1, 2]", "", "[]"]),
    "struct": (pa.struct([("a", pa.int64())]), [{"a": 1}, None], ['{"a": 1}', ""]),
    "null": (pa.null(), [None, None], ["", ""]),
    "NUL": (pa.string(), ["a\0b"], ["a�b"]),
}


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What was read of each case: those of equal length are columns of one file, as a process is started for each."""
    found = {}
    for rows in {len(values) for _, values, _ in CASES.values()}:
        columns = {name: pa.array(values, kind) for name, (kind, values, _) in CASES.items() if len(values) == rows}
        path = tmp_path_factory.mktemp("types") / f"{rows}.parquet"
        pq.write_table(pa.table(columns), path)
        table = read_table(path).table
        found |= {name: table[name].texts() for name in columns}
    return found


@pytest.mark.parametrize("case", CASES)
def test_types(read: dict[str, list[str]], case: str) -> None:
    assert read[case] == CASES[case][2]


def test_a_file_of_many_rows_in_several_groups(tmp_path: Path) -> None:
    path = tmp_path / "many.parquet"
    rows = 150_000
    table = pa.table(
        {
            "id": pa.array(range(rows)),
            "group": pa.array([f"g{i % 7}" if i % 5 else None for i in range(rows)]).dictionary_encode(),
            "id 2": pa.array([i / 2 for i in range(rows)]),
        }
    )
    pq.write_table(table, path, row_group_size=40_000)
    reading = read_table(path)
    assert (reading.rows, reading.form) == (rows, FileContent.PARQUET)
    assert reading.fingerprint == hashlib.sha256(path.read_bytes()).hexdigest()
    for row in (0, 1, 65_535, 65_536, 149_999):
        assert reading.table.row(row) == (
            str(row),
            f"g{row % 7}" if row % 5 else "",
            str(row // 2) if row % 2 == 0 else str(row / 2),
        )
    assert reading.table["group"].counts.sum() == rows
    assert len(reading.table["group"].values) == 8
    assert propose(reading.table["id 2"]).kind is Kind.DECIMAL
    assert read_table(path, limit=70_000).rows == 70_000


def test_preview_and_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": [1, 2, 3], "": ["x", "y", "z"]}), path)
    shown = preview(path, rows=2)
    assert shown.names == ("a", "column 2")
    assert shown.rows == (("1", "x"), ("2", "y"))
    assert shown.lines[0] == "a\tcolumn 2"
    assert len(shown.problems) == 1
    pq.write_table(pa.table({"a": pa.array([], pa.int64())}), path)
    assert read_table(path).rows == 0
    pq.write_table(pa.table({}), path)
    with pytest.raises(WorkbenchError, match="no column"):
        read_table(path)


@pytest.mark.parametrize("content", [b"PAR1", b"PAR1" * 50, b"PAR1\x15\x04" + bytes(100) + b"PAR1"])
def test_damaged_files_are_explained(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    for read in (read_table, preview):
        with pytest.raises(WorkbenchError, match=r"Parquet file “x\.parquet” cannot be read") as caught:
            read(path)
        assert caught.value.hint


def test_a_text_that_is_no_utf_8_is_refused_without_a_sign_of_it(tmp_path: Path) -> None:
    values = b"Ada\xfe"
    offsets = pa.array([0, len(values)], pa.int32()).buffers()[1]
    texts = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(values)])
    pq.write_table(pa.table({"name": texts}), tmp_path / "x.parquet")
    with pytest.raises(WorkbenchError, match="cannot be read: a text in it is no UTF-8") as refused:
        read_table(tmp_path / "x.parquet")
    assert not any(word in str(refused.value) for word in ("Ada", "fe", "position"))


TEXTS = st.one_of(st.none(), st.text(alphabet=st.characters(exclude_characters="\0", codec="utf-8")))


@settings(max_examples=examples(10), deadline=None)
@given(st.lists(st.lists(TEXTS, min_size=9, max_size=9), min_size=1, max_size=20))
def test_every_text_comes_back(tmp_path_factory: pytest.TempPathFactory, columns: list[list[str | None]]) -> None:
    # A process is started for each file, so one file holds many columns.
    path = tmp_path_factory.getbasetemp() / "texts.parquet"
    pq.write_table(pa.table({f"c{i}": pa.array(values, pa.string()) for i, values in enumerate(columns)}), path)
    table = read_table(path).table
    for column, values in zip(table.columns, columns, strict=True):
        assert column.texts() == [value or "" for value in values]
