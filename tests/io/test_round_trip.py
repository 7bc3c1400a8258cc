"""What is written comes back: in any dialect that is known, and in ordinary ones by itself."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.table import Column, Table
from workbench.io.dialect import Dialect, sniff
from workbench.io.reading import read_table
from workbench.io.writing import write_csv

LETTERS = {
    "utf-8": st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
    "utf-8-sig": st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
    "utf-16": st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
    "utf-16-be": st.characters(exclude_characters="\0\ufeff", exclude_categories=["Cs"]),
    "utf-32": st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
    "cp1252": st.characters(codec="cp1252", exclude_characters="\0"),
    "latin-1": st.characters(codec="latin-1", exclude_characters="\0"),
}


@st.composite
def tables(draw: st.DrawFn, letters: st.SearchStrategy[str]) -> Table:
    """Any table: distinct names that are not blank, texts of any letters, marks and line breaks."""
    marks = st.sampled_from(['"', "'", ",", ";", "\t", "|", "\n", "\r", "\r\n", " ", "=", "-1", ""])
    texts = st.lists(st.one_of(letters, marks), max_size=6).map("".join)
    width, height = draw(st.integers(1, 5)), draw(st.integers(0, 6))
    names = draw(st.lists(texts.filter(str.strip), min_size=width, max_size=width, unique=True))
    rows = st.lists(texts, min_size=height, max_size=height)
    return Table(tuple(Column.from_texts(name, draw(rows)) for name in names))


def contents(table: Table) -> tuple[tuple[str, ...], list[list[str]]]:
    return table.names, [column.texts() for column in table.columns]


@settings(max_examples=examples(200), deadline=None)
@given(data=st.data())
def test_any_table_in_any_dialect(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    encoding = data.draw(st.sampled_from(sorted(LETTERS)))
    table = data.draw(tables(LETTERS[encoding]))
    dialect = Dialect(
        data.draw(st.sampled_from(",;\t|:^")),
        encoding,
        data.draw(st.sampled_from("\"'")),
        skip_lines=data.draw(st.integers(0, 3)),
    )
    text = io.StringIO(newline="")
    text.write("anything, above\n" * dialect.skip_lines)
    end = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    # Quoting everything keeps a mark at the start of the first name apart from one of the file.
    writer = csv.writer(
        text, delimiter=dialect.delimiter, quotechar=dialect.quote, lineterminator=end, quoting=csv.QUOTE_ALL
    )
    writer.writerow(table.names)
    writer.writerows(zip(*[column.texts() for column in table.columns], strict=True))
    path = tmp_path_factory.getbasetemp() / "round.csv"
    path.write_bytes(text.getvalue().encode(encoding))
    reading = read_table(path, dialect)
    assert reading.problem_count == 0
    # Lines above with the heading's width never matter, nor does an unnamed column: names are not blank.
    assert contents(reading.table) == contents(table)


@settings(max_examples=examples(200), deadline=None)
@given(table=tables(LETTERS["utf-8"]), delimiter=st.sampled_from(",;\t|:"))
def test_our_own_files(tmp_path_factory: pytest.TempPathFactory, table: Table, delimiter: str) -> None:
    path = tmp_path_factory.getbasetemp() / "own.csv"
    report = write_csv(table, path, delimiter=delimiter, neutralise=False)
    assert (report.rows, report.neutralised) == (table.rows, 0)
    assert contents(read_table(path, Dialect(delimiter)).table) == contents(table)


WORDS = ["Anna", "Bob", "New York", "Smith, John", 'the "best"', "a;b", "x | y", "two\nlines", "é", "7,5", "50%"]


@settings(max_examples=examples(150), deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 99), st.sampled_from(WORDS), st.sampled_from(WORDS), st.floats(0, 1)),
        min_size=3,
        max_size=30,
    ),
    delimiter=st.sampled_from(",;\t|"),
)
def test_ordinary_tables_are_recognised(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str, str, float]], delimiter: str
) -> None:
    columns = zip(*[(str(a), b, c, f"{d:.2f}") for a, b, c, d in rows], strict=True)
    names = ("age", "first name", "remark", "share")
    table = Table(tuple(Column.from_texts(n, list(c)) for n, c in zip(names, columns, strict=True)))
    path = tmp_path_factory.getbasetemp() / "ordinary.csv"
    write_csv(table, path, delimiter=delimiter)
    assert sniff(path) == Dialect(delimiter)
    assert contents(read_table(path).table) == contents(table)


def test_adult_survives(shared_data: Path, tmp_path: Path) -> None:
    reading = read_table(shared_data / "adult" / "adult.csv")
    assert (reading.rows, len(reading.table.columns), reading.problem_count) == (30_162, 9, 0)
    write_csv(reading.table, tmp_path / "again.csv", delimiter=";")
    original = (shared_data / "adult" / "adult.csv").read_bytes()
    assert (tmp_path / "again.csv").read_bytes() == original.replace(b"\r\n", b"\n")
