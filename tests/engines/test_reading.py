"""A file that DuckDB reads by itself is read as the program reads it in memory, or not by DuckDB."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.engines import byte_accounts, duckdb_files
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import TableFiles, files_of
from workbench.engines.opening import open_stored
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
