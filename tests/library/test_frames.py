"""DataFrames become tables and tables DataFrames: every text follows from its own value."""

from __future__ import annotations

import datetime as dt
import enum
import itertools
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from workbench.core.content import fingerprints
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import parse
from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.core.table import Column, Table
from workbench.io.reading import read_table
from workbench.library.frames import as_frame, frame_of, is_frame, table_of


def texts(values: object, dtype: object = None) -> list[str]:
    frame = pd.DataFrame({"x": pd.Series(values, dtype=dtype)})
    return table_of(frame)[0]["x"].texts()


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        (["00123", "7", None], "string", ["00123", "7", ""]),
        ([1, 2, 2], "int64", ["1", "2", "2"]),
        ([1, None, 3], "Int64", ["1", "", "3"]),
        ([1.0, None, 3.5], "float64", ["1", "", "3.5"]),
        ([0.1, 1e300, float("inf")], "float64", ["0.1", "1e+300", "inf"]),
        ([0.1], "float32", ["0.1"]),
        ([True, False, None], "boolean", ["True", "False", ""]),
        ([Decimal("1.50"), Decimal("1E+3")], object, ["1.50", "1000"]),
        ([dt.date(2024, 1, 31), None], object, ["2024-01-31", ""]),
        (["b", "a", "b"], pd.CategoricalDtype(["a", "b", "c"], ordered=True), ["b", "a", "b"]),
        (["a\0b", "ü"], object, ["a�b", "ü"]),
        ([1, "1", None], object, ["1", "1", ""]),
    ],
)
def test_a_value_is_written_as_it_is(values: list[object], dtype: object, expected: list[str]) -> None:
    assert texts(values, dtype) == expected


def test_moments_are_written_with_their_time_where_they_have_one() -> None:
    moments = [dt.datetime(2024, 1, 31), dt.datetime(2024, 1, 31, 12, 30, 5), None]
    assert texts(moments, "datetime64[ns]") == ["2024-01-31", "2024-01-31 12:30:05", ""]


@pytest.mark.parametrize("zone", [None, dt.UTC])
@pytest.mark.parametrize("part", [{}, {"hour": 12}, {"hour": 12, "microsecond": 250_000}])
def test_a_moment_is_read_as_it_was(zone: dt.tzinfo | None, part: dict[str, int]) -> None:
    moment = dt.datetime(2024, 1, 31, tzinfo=zone).replace(**part)
    table, schema = table_of(pd.DataFrame({"x": [moment, moment.replace(hour=7), None]}))
    assert schema["x"].kind is Kind.DATETIME
    read = parse(table["x"].texts(), schema["x"])
    wanted = [one.replace(tzinfo=dt.UTC).timestamp() for one in (moment, moment.replace(hour=7))]
    assert read[:2].tolist() == wanted and np.isnan(read[2])
    saved = replace(schema["x"], format=Format(pattern="%Y-%m-%d %H:%M:%S or %Y-%m-%d"))
    assert parse(["2024-01-31"], saved).tolist() == parse(["2024-01-31"], schema["x"]).tolist(), "as once saved"


@pytest.mark.parametrize("other", [3.0, 3.5, None, 1e20])
def test_the_text_of_a_value_depends_on_no_other_value(other: float | None) -> None:
    assert texts([1.0, 2.5, other])[:2] == ["1", "2.5"]


class Truth(enum.IntEnum):
    YES = 1


ALIKE = (
    True, 1, 1.0, Decimal("1"), Decimal("1.0"), Fraction(1), np.float32(1e20), float(np.float32(1e20)), Truth.YES, "1",
    dt.datetime(2024, 1, 31, 12, tzinfo=dt.UTC),
    dt.datetime(2024, 1, 31, 13, tzinfo=dt.timezone(dt.timedelta(hours=1))),
    dt.timedelta(1), pd.Timedelta(1, "D"), None,
)  # fmt: skip
"""Many of them are equal, and written differently."""


def test_equal_values_are_written_as_they_are_whatever_stands_above_them() -> None:
    """Otherwise one person's value would change what is written of another."""
    alone = [texts([value], object)[0] for value in ALIKE]
    for (one, first), (two, second) in itertools.permutations(zip(ALIKE, alone, strict=True), 2):
        assert texts([one, two], object) == [first, second]


@pytest.mark.parametrize(
    "value",
    [10**5000, Fraction(10**5000, 3), Decimal("1E+999999999"), Decimal("1E-999999999")],
    ids=["whole", "fraction", "large", "small"],
)
def test_a_number_that_nobody_writes_is_refused(value: object) -> None:
    with pytest.raises(WorkbenchError, match="“x” holds a number of more than 4,300 digits"):
        texts([value, None], object)


def test_a_moment_of_any_year_is_written() -> None:
    moments = np.array(["99999-01-01", "9999-12-31", "-0044-03-15"], dtype="M8[s]")
    assert texts(moments)[:2] == ["99999-01-01 00:00:00", "9999-12-31"]


@pytest.mark.parametrize("kind", [pa.list_(pa.int8()), pa.struct([("a", pa.int8())]), pa.map_(pa.string(), pa.int8())])
def test_what_arrow_nests_is_refused(kind: pa.DataType) -> None:
    with pytest.raises(WorkbenchError, match="“x” holds something that is no single number"):
        texts(pd.array([None], dtype=pd.ArrowDtype(kind)))


@pytest.mark.parametrize("ordered", [True, False])
def test_categories_that_nobody_has_are_no_other_rows(ordered: bool) -> None:
    few, many = (pd.Categorical(["a", "b"], listed, ordered=ordered) for listed in (["a", "b"], ["a", "q", "b"]))
    found = [table_of(pd.DataFrame({"x": one}, index=[7, 7]))[0] for one in (few, many)]
    assert fingerprints(found[0]) == fingerprints(found[1])


def test_the_types_say_what_columns_are_and_nothing_is_guessed() -> None:
    frame = pd.DataFrame(
        {
            "code": ["123", "456"],
            "whole": [1, 2],
            "real": [1.0, 2.5],
            "when": pd.to_datetime(["2024-01-01", "2024-01-02"]),
            "grade": pd.Categorical(["b", "a"], ["a", "b"], ordered=True),
        }
    )
    _, schema = table_of(frame)
    kinds = [Kind.TEXT, Kind.INTEGER, Kind.DECIMAL, Kind.DATETIME, Kind.ORDERED]
    assert [spec.kind for spec in schema.columns] == kinds
    # An order was given; that no other category may occur was not.
    assert schema["grade"].domain == ("a", "b") and schema["grade"].observed == {"domain"}


def test_the_same_rows_have_the_fingerprints_of_their_file(tmp_path: Path) -> None:
    frame = pd.DataFrame({"age": [30, None, 41], "job": ["cook", "nurse", None], "share": [0.5, 2.25, 3.0]})
    file = tmp_path / "people.csv"
    file.write_text("share,age,job\n2.25,,nurse\n0.5,30,cook\n3,41,\n", encoding="utf-8")
    assert fingerprints(table_of(frame)[0]) == fingerprints(read_table(file).table)


@pytest.mark.parametrize("values", [[[1], [2]], [{"a": 1}], [b"a"], [{1}], [Decimal("sNaN"), None]])
def test_what_is_no_single_value_is_refused_by_the_name_of_its_column(values: list[object]) -> None:
    with pytest.raises(WorkbenchError, match="“x” holds something that is no single number"):
        texts(values, object)


def test_a_table_of_another_package_is_one() -> None:
    table = pa.table({"age": [1, 2], "job": ["a", None]})
    assert is_frame(table) and not is_frame([1]) and not is_frame("file.csv")
    assert table_of(as_frame(table))[0]["job"].texts() == ["a", ""]


def test_a_frame_has_no_category_that_does_not_occur() -> None:
    """The table may list values that no row has: those of rows that were given up."""
    column = Column("job", np.array([2, 0, 2], dtype=np.int32), ("b10", "given up", "b9"))
    found = frame_of(Table((column,)), Schema((ColumnSpec("job"),)))["job"]
    assert found.tolist() == ["b9", "b10", "b9"] and found.cat.categories.tolist() == ["b9", "b10"]


def test_numbers_come_back_as_numbers_as_long_as_a_column_holds_nothing_else() -> None:
    schema = Schema((ColumnSpec("age", Kind.INTEGER), ColumnSpec("pay", Kind.DECIMAL), ColumnSpec("old", Kind.INTEGER)))
    table = Table(
        (
            Column.from_texts("age", ["30", "", "41"]),
            Column.from_texts("pay", ["1.5", "2", "2"]),
            Column.from_texts("old", ["30–39", "40", "*"]),
        )
    )
    found = frame_of(table, schema)
    assert [str(dtype) for dtype in found.dtypes] == ["Int64", "Float64", "category"]
    assert found["age"].tolist() == [30, pd.NA, 41] and found["pay"].tolist() == [1.5, 2.0, 2.0]


class Stranger:
    """Whose text says where it is in memory."""


@pytest.mark.parametrize("value", [Stranger(), {1}, [1], b"raw", Path, print], ids=lambda value: type(value).__name__)
def test_what_is_no_single_value_is_refused_and_not_shown(value: object) -> None:
    with pytest.raises(WorkbenchError, match="“x” holds something that is no single number, date or text") as caught:
        texts(["a", value], object)
    assert "0x" not in str(caught.value)


@pytest.mark.parametrize(
    "moments",
    [
        ["2024-01-31", "1999-12-31"],
        ["2024-01-31 12:00:00", "2024-01-31"],
        ["2024-01-31 12:00:00.5", "2024-01-31"],
        ["0999-01-31", "2024-01-31 01:02:03"],
    ],
)
def test_moments_written_at_once_are_written_as_one_by_one(moments: list[str]) -> None:
    given = [dt.datetime.fromisoformat(text) for text in moments]
    assert texts(given, "datetime64[us]") == texts(given, object)


def test_a_table_of_polars_keeps_its_types() -> None:
    pl = pytest.importorskip("polars")
    given = pl.DataFrame(
        {
            "n": [2**60 + 1, None],
            "zip": ["00123", ""],
            "day": [dt.date(2024, 1, 31), None],
            "size": pl.Series(["s", "l"], dtype=pl.Enum(["s", "m", "l"])),
            "ok": [True, None],
            "w": [Decimal("1.50"), None],
        }
    )
    assert is_frame(given)
    table, schema = table_of(as_frame(given))
    assert [column.texts() for column in table.columns] == [
        ["1152921504606846977", ""],
        ["00123", ""],
        ["2024-01-31", ""],
        ["s", "l"],
        ["True", ""],
        ["1.50", ""],
    ]
    kinds = [Kind.INTEGER, Kind.TEXT, Kind.DATE, Kind.ORDERED, Kind.CATEGORY, Kind.DECIMAL]
    assert [spec.kind for spec in schema.columns] == kinds
    assert schema["size"].domain == ("s", "m", "l")
    with pytest.raises(WorkbenchError, match="no single"):
        table_of(as_frame(pl.DataFrame({"x": [[1], [2]]})))


def test_without_pyarrow_a_table_of_another_package_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    given = pa.table({"x": [1]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(WorkbenchError, match="pyarrow is needed") as caught:
        as_frame(given)
    assert "[parquet]" in caught.value.hint


@pytest.mark.parametrize("days", [100_000_000, -1_000_000])
def test_what_pandas_cannot_hold_is_refused_without_naming_it(days: int) -> None:
    """The words of pyarrow name the year of the date, which may be one person's."""
    with pytest.raises(WorkbenchError, match=r"pandas cannot hold what is in it \(\w+\)") as refused:
        as_frame(pa.table({"born": pa.array([0, days], pa.date32())}))
    assert not any(sign.isdigit() for sign in str(refused.value))
