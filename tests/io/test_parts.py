"""One table in several files: in memory it is what it would be in one file, and messages name the file."""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Kind, Misfits
from workbench.core.working_table import Preparation
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.io.dialect import Dialect
from workbench.io.opening import FileContent
from workbench.io.parts import is_there, parts_of, place_beside, refuse_among_parts
from workbench.io.reading import Reading, preview, read_table
from workbench.project.loading import load
from workbench.session import Session

TEXTS = st.text(st.sampled_from('ab ,"\n\r;é😀\\'), max_size=4)


def written(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def rows_of(reading: Reading) -> list[tuple[str, ...]]:
    return [reading.table.row(row) for row in range(reading.rows)]


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A folder of three parts, written by no particular program, with marks and leftovers."""
    folder = tmp_path / "parts"
    written(folder / "part-2.csv", "name,age", "cid,3")
    written(folder / "part-1.csv", "name,age", "ann,1", "bob,2")
    written(folder / "more" / "part-3.csv", "name,age", "ann,4")
    (folder / "_SUCCESS").touch()
    written(folder / "_temporary" / "part-0.csv", "name,age", "nobody,0")
    written(folder / ".hidden.csv", "nothing")
    (folder / "part-9.csv").touch()
    return folder


def test_a_folder_is_read_in_the_order_of_the_names(parts: Path) -> None:
    reading = read_table(parts)
    assert rows_of(reading) == [("ann", "4"), ("ann", "1"), ("bob", "2"), ("cid", "3")]
    assert reading.table["name"].values == ("ann", "bob", "cid")
    assert reading.table["name"].counts.tolist() == [2, 1, 1]
    assert [part.name for part in reading.parts] == ["part-3.csv", "part-1.csv", "part-2.csv"]
    assert reading.path == parts
    assert (reading.problem_count, reading.skipped) == (0, 0)


def test_a_pattern_names_what_is_read(parts: Path) -> None:
    assert rows_of(read_table(parts / "*.csv")) == [("ann", "1"), ("bob", "2"), ("cid", "3")]
    assert len(rows_of(read_table(parts / "**" / "part-*.csv"))) == 5  # a pattern asks for what it says
    assert rows_of(read_table(parts / "part-[2].csv")) == [("cid", "3")]
    assert preview(parts / "*.csv").rows == (("ann", "1"), ("bob", "2"))


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    path = written(tmp_path / "a[1].csv", "x,y", "1,2")
    written(tmp_path / "a1.csv", "x,y", "3,4")
    assert rows_of(read_table(path)) == [("1", "2")]
    assert read_table(path).parts == ()


def test_the_fingerprint_is_of_all_parts_in_order(parts: Path) -> None:
    first = read_table(parts).fingerprint
    single = [hashlib.sha256(path.read_bytes()).hexdigest() for path in parts_of(parts)]
    assert first == hashlib.sha256("".join(single).encode()).hexdigest()
    assert first == files_of(parts).fingerprint()
    assert read_table(parts, limit=1).fingerprint == first
    written(parts / "part-2.csv", "name,age", "cid,4")
    assert read_table(parts).fingerprint != first
    alone = parts / "part-1.csv"
    assert read_table(alone).fingerprint == hashlib.sha256(alone.read_bytes()).hexdigest()
    assert read_table(parts / "part-1*").fingerprint == read_table(alone).fingerprint


@given(
    st.lists(st.lists(st.tuples(TEXTS, TEXTS), max_size=4), min_size=1, max_size=4).filter(any),
    st.integers(1, 8),
)
@settings(max_examples=examples(40), deadline=None)
def test_parts_make_the_table_that_one_file_makes(
    tmp_path_factory: pytest.TempPathFactory, cells: list[list[tuple[str, str]]], limit: int
) -> None:
    folder = tmp_path_factory.mktemp("parts")

    def save(path: Path, rows: list[tuple[str, str]]) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("a", "b"), *rows])

    for place, rows in enumerate(cells):
        save(folder / f"part-{place}.csv", rows)
    save(folder / "whole", [row for rows in cells for row in rows])
    for most in (None, limit):
        one = read_table(folder / "whole", Dialect(), limit=most).table
        several = read_table(folder / "*.csv", Dialect(), limit=most).table
        assert several.names == one.names
        for column, other in zip(several.columns, one.columns, strict=True):
            assert (column.values, column.codes.tolist()) == (other.values, other.codes.tolist())
            assert column.codes.dtype == other.codes.dtype


def test_problems_name_the_part(parts: Path) -> None:
    written(parts / "part-2.csv", "name,age", "cid,3", "too,many,cells", "\0,5")
    reading = read_table(parts)
    assert [(problem.part, problem.line, problem.kept) for problem in reading.problems] == [
        ("part-2.csv", 3, False),
        ("part-2.csv", 4, True),
    ]
    assert reading.problems[0].place == "line 3 of “part-2.csv”"
    assert (reading.problem_count, reading.skipped) == (2, 1)
    assert [reading.place_of(row) for row in (0, 1, 4)] == [
        "line 2 of “part-3.csv”",
        "line 2 of “part-1.csv”",
        "line 4 of “part-2.csv”",
    ]
    # In one file alone the line is enough.
    assert read_table(parts / "part-2.csv").problems[0].place == "line 3"


def test_problems_of_the_heading_are_told_once(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        written(tmp_path / name, "x,x,", "1,2,3")
    reading = read_table(tmp_path)
    assert reading.table.names == ("x", "x (2)", "column 3")
    assert [problem.part for problem in reading.problems] == ["a.csv", "a.csv"]
    assert reading.rows == 2


def test_the_engine_says_the_same(parts: Path) -> None:
    written(parts / "part-2.csv", "name,age", "cid,3", "too,many,cells", "\0,5")
    memory = read_table(parts)
    with DuckStore() as store:
        opened = open_stored(store, files_of(parts))
        assert (opened.problems, opened.problem_count, opened.skipped) == (memory.problems, 2, 1)
        assert opened.table.page(0, 9) == rows_of(memory)


def test_parts_must_have_the_same_columns(parts: Path) -> None:
    written(parts / "part-2.csv", "age,name", "3,cid")
    with pytest.raises(WorkbenchError, match=r"column 1 is “name” in “part-3.csv” and “age” in “part-2.csv”"):
        read_table(parts)
    written(parts / "part-2.csv", "", "  ")
    with pytest.raises(WorkbenchError, match=r"“part-2.csv” holds no table"):
        read_table(parts)


def test_a_part_without_rows_or_packed_is_a_part(parts: Path) -> None:
    written(parts / "part-0.csv", "name,age")
    with gzip.open(parts / "part-4.csv.gz", "wt", encoding="utf-8") as file:
        file.write("name,age\ndan,5\n")
    reading = read_table(parts)
    assert rows_of(reading)[-1] == ("dan", "5")
    assert reading.rows == 5
    assert reading.place_of(0) == "line 2 of “part-3.csv”"


def test_what_cannot_be_parts(parts: Path, tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match=r"no file whose name is like “.*none"):
        read_table(parts / "none*.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(WorkbenchError, match="holds no file to read"):
        read_table(tmp_path / "empty")
    with pytest.raises(WorkbenchError, match=r"There is no file “.*gone.csv”"):
        read_table(parts / "gone.csv")
    (parts / "part-5.csv").write_bytes(b"PAR1 and so on")
    with pytest.raises(WorkbenchError, match="different forms: csv and parquet"):
        read_table(parts)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WorkbenchError, match="device or pipe"):
        read_table(tmp_path / "pipe")


def test_parquet_parts_may_have_different_types(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"a": [1, 2], "b": ["x", None]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": [2.5, 3.0], "b": ["y", "x"]}), tmp_path / "2.parquet")
    reading = read_table(tmp_path)
    assert reading.form is FileContent.PARQUET
    assert rows_of(reading) == [("1", "x"), ("2", ""), ("2.5", "y"), ("3", "x")]
    assert rows_of(read_table(tmp_path, limit=3)) == rows_of(reading)[:3]
    with DuckStore() as store:
        assert open_stored(store, files_of(tmp_path)).table.page(0, 9) == rows_of(reading)
        folder = tmp_path / "year=2020"
        folder.mkdir()
        (tmp_path / "1.parquet").rename(folder / "1.parquet")
        (tmp_path / "2.parquet").unlink()
        # Names of folders are no columns, wherever the table is.
        assert open_stored(store, files_of(tmp_path)).table.names == read_table(tmp_path).table.names == ("a", "b")
    pq.write_table(pa.table({"b": ["y"], "a": [1]}), tmp_path / "3.parquet")
    with pytest.raises(WorkbenchError, match=r"column 1 is “b” in “3.parquet” and “a” in “1.parquet”"):
        read_table(tmp_path)


def test_a_session_opens_a_pattern_and_protects_its_parts(parts: Path) -> None:
    session = Session()
    session.data.open(parts / "*.csv")
    assert session.data.table.rows == 3
    assert session.project.data is not None
    assert session.project.data.path == str(parts / "*.csv")
    assert {parts / "part-1.csv", parts / "part-2.csv"} <= set(session.ledger.protected)
    # The rows are those of one file, and so is what was asked of them before.
    whole = written(parts.parent / "whole.csv", "name,age", "ann,1", "bob,2", "cid,3")
    assert load(whole).content == session.data.fingerprint


def test_a_value_that_does_not_fit_is_found_in_its_part(parts: Path) -> None:
    written(parts / "part-2.csv", "name,age", "cid,3", "dan,x")
    session = Session()
    session.data.open(parts)
    session.data.set_kind(["age"], Kind.INTEGER)
    session.data.set_misfits("age", Misfits.STOP)
    session.data.set_preparation(Preparation(where="name is not missing"))
    with pytest.raises(WorkbenchError, match=r"“x” in line 3 of “part-2.csv”"):
        session.data.prepared_table()


def test_where_the_parts_are_and_where_results_go(parts: Path) -> None:
    assert is_there(parts)
    assert is_there(parts / "*.csv")
    assert not is_there(parts / "none*.csv")
    assert not is_there(parts / "gone.csv")
    # Beside the folder: a release that lay among the parts would be read as one of them.
    assert place_beside(parts / "*.csv") == (parts.parent, "parts")
    assert place_beside(parts / "*" / "part-?.csv") == (parts.parent, "parts")
    assert place_beside(parts) == (parts.parent, "parts")
    assert place_beside(parts / "part-1.csv") == (parts, "part-1")


def test_a_folder_that_may_not_be_looked_into_is_no_smaller_table(parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.scandir

    def closed(place: str) -> object:
        if Path(place).name == "more":
            raise PermissionError(13, "Permission denied", place)
        return real(place)

    monkeypatch.setattr(os, "scandir", closed)
    with pytest.raises(WorkbenchError, match="more” may not be looked into: Permission denied"):
        parts_of(parts)


def test_a_folder_that_may_not_be_read_but_is_no_part_does_not_matter(
    parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir

    def closed(place: str) -> object:
        if Path(place).name == "_temporary":
            raise PermissionError(13, "Permission denied", place)
        return real(place)

    monkeypatch.setattr(os, "scandir", closed)
    assert len(parts_of(parts)) == 3


def test_columns_in_the_names_of_folders_are_not_lost_silently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for sex in ("f", "m"):
        written(tmp_path / "hive" / f"sex={sex}" / "age=1" / "part-0.csv", "name,age", "ann,1")
    assert main(["profile", str(tmp_path / "hive")]) == 0
    assert "it stands in the names of folders alone: “sex”." in capsys.readouterr().out
    assert main(["profile", str(tmp_path / "hive" / "sex=f" / "age=1" / "part-0.csv")]) == 0
    assert "names of folders" not in capsys.readouterr().out


def test_different_columns_are_told_where_they_differ(tmp_path: Path) -> None:
    same = ",".join("abcdefghij")
    written(tmp_path / "parts" / "1.csv", f"{same},k", ",".join("0" * 11))
    written(tmp_path / "parts" / "2.csv", same, ",".join("0" * 10))
    told = r"column 11 is “k” in “1\.csv” and missing in “2\.csv”"
    with pytest.raises(WorkbenchError, match=told):
        read_table(tmp_path / "parts")
    with DuckStore() as store, pytest.raises(WorkbenchError, match=told):
        open_stored(store, files_of(tmp_path / "parts"))


@pytest.mark.parametrize(
    ("read", "path", "refused"),
    [
        ("parts", "parts/release.csv", True),
        ("parts", "parts/out/release.csv", True),
        ("parts", "parts/statement.html", True),
        ("parts", "parts/_out/release.csv", False),
        ("parts", "parts-2/release.csv", False),
        ("parts/*.csv", "parts/release.csv", True),
        ("parts/*.csv", "parts/release.parquet", False),
        ("parts/*.csv", "parts/out/release.csv", False),
        ("parts/**/*.csv", "parts/out/release.csv", True),
        ("p*s/*.csv", "parts/release.csv", True),
        ("parts/part-1.csv", "parts/release.csv", False),
    ],
)
def test_nothing_is_written_where_it_would_be_read_as_a_part(
    parts: Path, monkeypatch: pytest.MonkeyPatch, read: str, path: str, refused: bool
) -> None:
    monkeypatch.chdir(parts.parent)
    for source in (Path(read), Path.cwd() / read):
        if refused:
            with pytest.raises(WorkbenchError, match="and be read as one of them the next time"):
                refuse_among_parts(Path(path), [source])
        else:
            refuse_among_parts(Path(path), [source])
