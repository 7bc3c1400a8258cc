"""A file that DuckDB reads by itself is read as the program reads it in memory, or not by DuckDB."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.engines import byte_accounts, duckdb_files, duckdb_numbering, opening
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import TableFiles, files_of
from workbench.engines.opening import open_stored
from workbench.engines.stored import UnlistedColumn
from workbench.io.dialect import Dialect
from workbench.io.reading import read_table

PIECES = (*'ab1,,,"\n\n\n\r é\t\\\0#', '""', "\r\n", "NULL", '\n"a\nb",c\n', "\na,b\n", '\n"",""\n', "\n,\n")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
HEADINGS = st.sampled_from(
    ("a,b\n", "a,b\n", "a,b\r\n", '"line\nbreak",b\n', "a,b,\n", 'He said "hi\na,b\n', "", "\ufeff")
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reading")


def check_read_alike(store: DuckStore, path: Path, text: str, dialect: Dialect) -> None:
    path.write_text(text, encoding="utf-8", newline="")
    try:
        memory = read_table(path, dialect)
    except WorkbenchError:
        with pytest.raises(WorkbenchError):
            open_stored(store, files_of(path, dialect))
        return
    opened = open_stored(store, files_of(path, dialect))
    assert opened.table.names == memory.table.names
    assert opened.table.page(0, 99) == memory.table.page(0, 99)
    assert [column.values for column in opened.table.columns] == [column.values for column in memory.table.columns]
    assert (opened.problems, opened.problem_count) == (memory.problems, memory.problem_count)
    assert opened.skipped == memory.skipped


@given(HEADINGS, TEXTS, st.sampled_from((True, True, True, False)), st.sampled_from((0, 0, 0, 1, 2)))
@example("a,b\n", "1,2,\n3,4\n", True, 0)  # a cell too many, which is empty
@example("a,b\n", '"1" ,2\n', True, 0)  # a space after a quotation mark
@example("a,b\n", "1,\0\n", True, 0)
@example('"line\nbreak",b\n', "1,2\n3,4\n", True, 0)  # a heading of two lines
@example('He said "hi\na,b\n', '1,2\n"3",4\n', True, 1)  # a quotation mark above the heading
@example("a,b\r", "1,2\n3,4\n", True, 0)  # line ends of two sorts
@example("a,b\n", "\t\r\n\t\t\na,b\n", True, 1)
@example(",,\n", "1,2,\n", True, 0)  # names for columns of nothing are not spoken of
@settings(max_examples=examples(45), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_in_the_file(
    duckdb_store: DuckStore, folder: Path, heading: str, text: str, header: bool, skip_lines: int
) -> None:
    dialect = Dialect(header=header, skip_lines=skip_lines)
    check_read_alike(duckdb_store, folder / "data.csv", heading + text, dialect)


@pytest.mark.parametrize(
    ("text", "quickly"),
    [
        ('a,b\n1,"x,""y"""\n"",é😀\n,"two\nlines"\n', True),
        ("a,b\r\n1,2\r\n", True),
        ("a,b\n1,2\n\n\n", True),
        ("a,b\n1,2", True),
        ("\ufeffa,b\n1,2\n", True),
        ('My "title\na,b\n1,2\n', False),
        ('a,b\r\n1,"two\nlines"\r\n', False),
        ("a,b\n1,2,\n3,4\n", False),
        ("a,b\n1,\0\n", False),
        ('"a\nb",c\n1,2\n', False),
    ],
)
def test_duckdb_reads_what_it_reads_alike(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, quickly: bool
) -> None:
    """Were every file left to the program's reader, the engine would be slow, and these tests would say nothing."""
    read = []
    own = duckdb_files._by_own_reader

    def noticed(store: DuckStore, files: TableFiles, *more: object) -> object:
        read.append(files)
        return own(store, files, *more)

    monkeypatch.setattr(duckdb_files, "_by_own_reader", noticed)
    dialect = Dialect(skip_lines=1 if text.startswith("My") else 0)
    check_read_alike(duckdb_store, tmp_path / "data.csv", text, dialect)
    assert (not read) == quickly


def zipped(content: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("data.csv", content)
    return made.getvalue()


@pytest.mark.parametrize(
    ("content", "dialect", "quickly"),
    [
        (b"a,b\n1,2\n", Dialect(encoding="UTF8"), True),
        (b"a,b\n\xe9,2\n", Dialect(encoding="latin-1"), False),
        (b"a, b\n1, 2\n", Dialect(skip_spaces=True), False),
        (b"a\n1\n\n2\n", Dialect(), False),  # of one column DuckDB keeps blank lines
        ("a§b\n1§2\n".encode(), Dialect(delimiter="§"), False),
        (b"a;b\n'1;2';3\n", Dialect(delimiter=";", quote="'"), True),
        (gzip.compress(b"a,b\n1,2\n"), Dialect(), False),
        (zipped(b"a,b\n1,2\n"), Dialect(), False),
    ],
    ids=("utf8", "latin", "spaces", "one column", "delimiter", "quote", "gzip", "zip"),
)
def test_what_duckdb_would_read_otherwise_is_left_to_the_program(
    duckdb_store: DuckStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: bytes,
    dialect: Dialect,
    quickly: bool,
) -> None:
    asked = []
    quick = duckdb_files._quickly

    def noticed(*words: Any) -> object:
        asked.append(words)
        return quick(*words)

    monkeypatch.setattr(duckdb_files, "_quickly", noticed)
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    memory, stored = read_table(path, dialect).table, open_stored(duckdb_store, files_of(path, dialect)).table
    assert (stored.names, stored.page(0, 9)) == (memory.names, memory.page(0, 9))
    assert bool(asked) == quickly


@pytest.mark.parametrize(("first", "second", "quickly"), [("", "", True), ("gz", "", False), ("", "gz", False)])
def test_one_packed_part_is_enough_for_the_program_to_read_all(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, second: str, quickly: bool
) -> None:
    asked = []
    own = duckdb_files._by_own_reader
    monkeypatch.setattr(duckdb_files, "_by_own_reader", lambda *words: (asked.append(words), own(*words))[1])
    for name, packed in (("part-1.csv", first), ("part-2.csv", second)):
        content = f"a,b\n{name},x\n".encode()
        (tmp_path / name).write_bytes(gzip.compress(content) if packed else content)
    opened = open_stored(duckdb_store, files_of(tmp_path / "part-*.csv"))
    assert opened.table.page(0, 9) == [("part-1.csv", "x"), ("part-2.csv", "x")]
    assert (not asked) == quickly


@pytest.mark.parametrize(
    ("rows", "different", "looked", "listed"),
    [
        (10, 10, False, True),  # as many rows as may be listed cannot have too many values
        (11, 10, True, True),
        (11, 11, True, False),
        (40, 3, True, True),
        (40, 40, True, False),
    ],
)
def test_a_column_is_not_listed_in_vain(
    duckdb_store: DuckStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rows: int,
    different: int,
    looked: bool,
    listed: bool,
) -> None:
    """Where its first rows surely have more values than are held, nobody goes through all of them."""
    monkeypatch.setattr(opening, "MOST_VALUES", 10)
    monkeypatch.setattr(opening, "_BEGINNING", 20)
    monkeypatch.setattr(duckdb_numbering, "MOST_VALUES", -1)  # nothing is listed while it is read
    asked = []
    of_store = duckdb_store.rows
    monkeypatch.setattr(duckdb_store, "rows", lambda select, *more: (asked.append(select), of_store(select, *more))[1])
    streamed = []
    stream = duckdb_store.stream
    monkeypatch.setattr(
        duckdb_store, "stream", lambda select, *more: (streamed.append(select), stream(select, *more))[1]
    )
    path = tmp_path / "data.csv"
    path.write_text("id,few\n" + "".join(f"v{row % different},x\n" for row in range(rows)), encoding="utf-8")
    one, few = open_stored(duckdb_store, files_of(path)).table.columns
    assert any("approx_count_distinct" in select for select in asked) == looked
    assert isinstance(one, UnlistedColumn) == (not listed)
    assert not isinstance(few, UnlistedColumn)
    if listed:
        assert list(one.values) == [f"v{number}" for number in range(different)]
        assert one.counts.sum() == rows
    else:
        assert one.distinct == pytest.approx(min(different, 20), abs=3)
    # Of 40 values in 20 rows it is certain; of 11 an estimate may be wrong, and so they are counted.
    assert any("t0 AS v" in select or "(SELECT t0" in select for select in streamed) == (different < 40)


def test_little_memory_is_enough_for_a_little_file(tmp_path: Path) -> None:
    from workbench.engines.budget import MemoryBudget

    with DuckStore(MemoryBudget(64 << 20)) as store:
        check_read_alike(store, tmp_path / "data.csv", "a,b\n1,2\n", Dialect())


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1 << 16])
@pytest.mark.parametrize(
    ("content", "even"),
    [
        (b"a\r\nb\r\nc\r\n", True),
        (b"a\nb\nc\n", True),
        (b"a\r\nb\nc\r\n", False),
        (b"a\r\nb\rc\r\n", False),
        (b"a\n\rb\n\r", False),
        (b"a\rb\r", False),
    ],
)
def test_line_ends_are_even_wherever_a_block_ends(
    content: bytes, even: bool, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a block ends between a carriage return and its line feed."""
    monkeypatch.setattr(byte_accounts, "_BLOCK", block)
    (tmp_path / "some.csv").write_bytes(content)
    found = byte_accounts.counted([(tmp_path / "some.csv", 0)], ",", '"')
    assert found.even_lines == even
    assert (found.delimiters, found.quotes, found.nothings) == (0, 0, 0)
    assert found.others == sum(letter in b"abc" for letter in content)


def test_a_column_that_the_engine_makes_no_texts_of_is_read_by_the_program(
    duckdb_store: DuckStore, tmp_path: Path
) -> None:
    """Among columns that it can read; all of them are as in memory."""
    moments = pa.array([0, 1_500_000, None], pa.int64()).cast(pa.timestamp("us"))
    others = {
        "floats": pa.array([0.1, 1e300, None]),
        "moments": moments,
        "truths": pa.array([True, False, None]),
        "bytes": pa.array([b"x", b"", None]),
        "times": pa.array([0, 61, None], pa.int32()).cast(pa.time32("s")),
    }
    for name, column in others.items():
        path = tmp_path / f"{name}.parquet"
        pq.write_table(pa.table({"text": ["a", "b", "c"], name: column}), path)
        memory, stored = read_table(path).table, open_stored(duckdb_store, files_of(path)).table
        assert stored.page(0, 9) == memory.page(0, 9), name


@pytest.mark.parametrize(("second", "quickly"), [(pa.int64(), True), (pa.float64(), False)])
def test_parts_of_the_same_types_are_read_by_the_engine_itself(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second: pa.DataType, quickly: bool
) -> None:
    """Where the types of two parts differ, the program makes texts of them: the engine would make them alike."""
    read = []
    own = duckdb_files._parquet_by_own_reader

    def noticed(store: DuckStore, files: TableFiles, *more: object) -> object:
        read.append(files)
        return own(store, files, *more)

    monkeypatch.setattr(duckdb_files, "_parquet_by_own_reader", noticed)
    for name, kind in (("1", pa.int64()), ("2", second)):
        pq.write_table(pa.table({"n": pa.array([1, 2], kind)}), tmp_path / f"{name}.parquet")
    opened = open_stored(duckdb_store, files_of(tmp_path))
    assert len(opened.table.page(0, 9)) == 4 and (not read) == quickly


def test_a_parquet_file_without_a_column_is_refused(duckdb_store: DuckStore, tmp_path: Path) -> None:
    pq.write_table(pa.table({}), tmp_path / "nothing.parquet")
    with pytest.raises(WorkbenchError, match="it has no column"):
        open_stored(duckdb_store, files_of(tmp_path / "nothing.parquet"))
