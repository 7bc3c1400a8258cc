"""Tables as CSV that a spreadsheet shows and does not run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.table import Column, Table
from workbench.io.writing import WriteReport, neutral, write_csv


def table(**columns: list[str]) -> Table:
    return Table(tuple(Column.from_texts(name, texts) for name, texts in columns.items()))


def test_writes_and_quotes(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    report = write_csv(table(a=["1", 'say "x"'], b=["x,y", "two\nlines"]), path)
    assert path.read_text("utf-8") == 'a,b\n1,"x,y"\n"say ""x""","two\nlines"\n'
    assert report == WriteReport(2, 0)


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+SUM(A1)", "-2+3+cmd|' /C calc'!A0", "@x", "\t=1", "\r=1", "\n=1", "=", "＝1+1", "-x", "+1-1", "-1;2"],
)
def test_formulas_are_neutralised(text: str, tmp_path: Path) -> None:
    assert neutral(text) == f"'{text}"
    path = tmp_path / "out.csv"
    report = write_csv(table(a=[text, text, "x"]), path)
    assert report == WriteReport(3, 1)
    assert path.read_bytes().count(b"'" + text[:1].encode()) == 2


@pytest.mark.parametrize(
    "text", ["-5", "+3.5", "-1,234.50", "-1e-5", "-$5", "-3 %", "-", "--", "x=1", "", "a@b.co", "+49 170 12"]
)
def test_numbers_and_other_texts_stay(text: str) -> None:
    assert neutral(text) == text


def test_headings_are_neutralised_too_and_it_can_be_left_off(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    assert write_csv(Table((Column.from_texts("=a", ["=b"]),)), path) == WriteReport(1, 2)
    assert path.read_text("utf-8") == "'=a\n'=b\n"
    assert write_csv(Table((Column.from_texts("=a", ["=b"]),)), path, neutralise=False) == WriteReport(1, 0)
    assert path.read_text("utf-8") == "=a\n=b\n"


def test_only_texts_that_occur_are_counted(tmp_path: Path) -> None:
    column = Column("a", np.array([0, 0], dtype=np.uint8), ("x", "=never used", "+nor this"))
    assert write_csv(Table((column,)), tmp_path / "out.csv").neutralised == 0
    assert "never" not in (tmp_path / "out.csv").read_text("utf-8")


def test_an_empty_cell_in_one_column_is_no_blank_line(tmp_path: Path) -> None:
    write_csv(table(a=["", "x"]), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text("utf-8") == 'a\n""\nx\n'


def test_a_table_without_rows_is_a_heading(tmp_path: Path) -> None:
    assert write_csv(table(a=[], b=[]), tmp_path / "out.csv").rows == 0
    assert (tmp_path / "out.csv").read_text("utf-8") == "a,b\n"


def test_impossible_requests(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("precious", encoding="utf-8")
    with pytest.raises(WorkbenchError):
        write_csv(Table(()), tmp_path / "out.csv")
    with pytest.raises(WorkbenchError) as caught:
        write_csv(table(a=["1"]), tmp_path / "out.csv", delimiter=",,")
    assert caught.value.field == "delimiter"
    with pytest.raises(WorkbenchError, match="must not be overwritten"):
        write_csv(table(a=["1"]), data, protected=[data])
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_cancelled_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old", encoding="utf-8")
    token = CancelToken()
    calls: list[float] = []

    def listener(fraction: float, _: str) -> None:
        calls.append(fraction)
        if len(calls) == 2:
            token.cancel()

    column = Column("a", np.zeros(100_000, dtype=np.uint8), ("x",))
    with pytest.raises(Cancelled):
        write_csv(Table((column,)), path, progress=Progress(listener, token))
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
