"""What is written from an engine is what is written from memory, to the last byte, and there whole or not at all."""

from __future__ import annotations

import hashlib
import os
import resource
import shutil
import signal
import stat
import subprocess
from collections import namedtuple
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.table import Column, Table
from workbench.engines import writing
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.store import Store
from workbench.engines.stored import StoredColumn, StoredRelation, StoredTable, TooManyValues, UnlistedColumn
from workbench.engines.writing import parts_into, write_place, write_stored
from workbench.io.export_format import ExportFormat
from workbench.io.exporting import Written, write_table
from workbench.io.writing import neutralised_texts
from workbench.report.recheck_files import ReleasedFiles

NASTY = [
    "=1+1", "@x", "'=1+1", "x, y; z|\t", 'say "hi"', '"', "two\nlines", "cr\rx", "crlf\r\n", "", " edge ", "\\", "\\N",
    "NULL", "é€\U0001f600", "#", "$a ${x}", "\x01", "007", "sep=;", "\ufeffmark", "'; DROP TABLE w1; --",
]  # fmt: skip
NUMBERS = [
    ["1", "-5", "", "900719925474099"],
    ["1.5", "-0.25", "2", ""],
    ["0.1", "3.5", "7.25", "1e-07"],
    ["1.50", "2"],
]
STYLES = [
    ExportFormat(),
    ExportFormat(delimiter=";", decimal=",", encoding="utf-8-sig"),
    ExportFormat(delimiter="\t", quote_all=True, encoding="utf-16"),
    ExportFormat("parquet"),
]


def stored_copy(store: Store, table: Table) -> StoredTable:
    """The same table in an engine."""
    named = {f"c{place}": column.codes.astype(np.int64) for place, column in enumerate(table.columns)}
    rows = {store.dialect.carry_row: np.arange(table.rows)} if store.dialect.carry_row else {}
    uploaded = store.upload({**rows, **named})
    place = StoredRelation(
        store, store.derive(uploaded, [f"CAST(d.{name} AS INTEGER) AS {name}" for name in named]), table.rows
    )
    store.drop(uploaded)
    columns = [
        StoredColumn(column.name, place, physical, column.values, column.counts)
        for physical, column in zip(named, table.columns, strict=True)
    ]
    return StoredTable(place, columns)


def nasty_table(seed: int, rows: int = 3000) -> Table:
    """Random columns of texts and numbers; some values are listed that no row has."""
    source = np.random.default_rng(seed)
    columns = []
    for place in range(int(source.integers(1, 6))):
        some = NASTY if source.random() < 0.5 else NUMBERS[int(source.integers(len(NUMBERS)))]
        values = [str(text) for text in source.permutation(np.array(some, dtype=object))]
        used = int(source.integers(1, len(values) + 1))
        name = f"{source.choice(np.array(NASTY, dtype=object))}{place}"
        columns.append(Column(name, source.integers(0, used, rows).astype(np.uint8), (*values, "=NEVER USED")))
    return Table(tuple(columns))


@pytest.fixture
def table(duckdb_store: DuckStore) -> StoredTable:
    return stored_copy(duckdb_store, nasty_table(1))


@pytest.fixture
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_ROWS", 2048)
    monkeypatch.setattr(writing, "_PART_SIZE", 1)


def rows_of(place: Path, style: ExportFormat) -> list[tuple[str, ...]]:
    return [tuple(row) for row in ReleasedFiles.of(place, style).rows()]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.form}-{style.encoding}")
def test_the_same_bytes_as_from_memory(duckdb_store: DuckStore, tmp_path: Path, style: ExportFormat) -> None:
    for seed in range(12):
        table = nasty_table(seed)
        here = write_table(table, tmp_path / "here", style)
        there = write_stored(stored_copy(duckdb_store, table), tmp_path / "there", style)
        assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes(), seed
        assert there == here
        assert there.report.neutralised == neutralised_texts(table)


def test_a_workbook_too(duckdb_store: DuckStore, tmp_path: Path) -> None:
    style = ExportFormat("xlsx")
    if style.kind.missing is not None:
        pytest.skip("the package for it is not installed")
    here = write_table(nasty_table(3, 40), tmp_path / "here.xlsx", style)
    assert write_stored(stored_copy(duckdb_store, nasty_table(3, 40)), tmp_path / "there.xlsx", style) == here


@pytest.mark.usefixtures("many_parts")
@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.form}-{style.encoding}")
def test_parts_hold_the_rows_in_order(duckdb_store: DuckStore, tmp_path: Path, style: ExportFormat) -> None:
    table = nasty_table(5, 9000)
    write_table(table, tmp_path / "one", style)
    place = tmp_path / "release"
    for there in (stored_copy(duckdb_store, table), table):  # a table in memory can be written in parts, too
        written = write_place(there, place, style, into=partial(parts_into, there))
        parts = sorted(place.iterdir())
        assert [part.name for part in parts] == [f"part-{i:05}{style.kind.suffix}" for i in range(written.parts)]
        assert len(parts) > 1
        assert rows_of(place, style) == rows_of(tmp_path / "one", style)
        digests = "".join(hashlib.sha256(part.read_bytes()).hexdigest() for part in parts)
        assert written.fingerprint == hashlib.sha256(digests.encode()).hexdigest()
        assert written.size == sum(part.stat().st_size for part in parts)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "release"]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.form}-{style.encoding}")
def test_parts_that_the_engine_writes_hold_the_same(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, style: ExportFormat
) -> None:
    monkeypatch.setattr(DuckStore, "spread", True)
    for seed in range(4):
        table = nasty_table(seed)
        write_table(table, tmp_path / "one", style)
        write_stored(stored_copy(duckdb_store, table), tmp_path / "parts", style, parts=True)
        assert sorted(rows_of(tmp_path / "parts", style)) == sorted(rows_of(tmp_path / "one", style)), seed
        headings = [ReleasedFiles.of(tmp_path / name, style).heading for name in ("one", "parts")]
        assert headings[0] == headings[1]


@pytest.mark.parametrize(
    ("size", "parts"),
    [
        (1, [10, 10, 10, 5]),  # a part holds a block at least
        (59, [10, 10, 10, 5]),
        (60, [20, 15]),
        (90, [30, 5]),
        (1000, [35]),
    ],
)
def test_parts_are_as_large_as_they_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, parts: list[int]
) -> None:
    """Blocks of ten rows, each row of three bytes: the letter, what is between cells, and what goes with a line."""
    monkeypatch.setattr(writing, "_ROWS", 10)
    monkeypatch.setattr(writing, "_PART_SIZE", size)
    table = Table((Column("a", np.arange(35) % 2, ("xx", "yy")),))
    told: list[tuple[float, str]] = []
    place = tmp_path / "parts"
    files, report = parts_into(table, place, ExportFormat(), Progress(lambda part, text: told.append((part, text))))
    assert [len(rows_of(file, ExportFormat())) for file in files] == parts
    assert [file.name for file in files] == [f"part-{number:05}.csv" for number in range(len(parts))]
    assert report.rows == 35
    texts = list(dict.fromkeys(text for _, text in told if text.startswith("Writing part")))
    assert texts == [f"Writing part {number}" for number in range(1, len(parts) + 1)]
    assert all(0 <= part <= 1 for part, _ in told)


def test_a_table_without_rows_is_one_part_with_its_heading(tmp_path: Path) -> None:
    empty = Table((Column.from_texts("a", []), Column.from_texts("b", [])))
    (file,), report = parts_into(empty, tmp_path / "parts", ExportFormat(), Progress(lambda *_: None))
    assert file.read_text("utf-8") == "a,b\n" and report.rows == 0


def test_a_folder_that_holds_anything_else_is_not_taken_for_parts(tmp_path: Path) -> None:
    assert writing.only_parts(tmp_path), "nothing is lost with an empty one"
    (tmp_path / "part-00000.csv").touch()
    (tmp_path / "thesis.txt").touch()
    assert not writing.only_parts(tmp_path)
    (tmp_path / "thesis.txt").unlink()
    (tmp_path / "part-00001.csv").mkdir()
    assert not writing.only_parts(tmp_path)


def test_parts_of_an_engine_are_named_in_their_order(tmp_path: Path) -> None:
    for name in ("part-10.csv", "part-9.csv", "part-1.csv", "_SUCCESS", ".part-1.csv.crc"):
        (tmp_path / name).write_text(name, "utf-8")
    assert writing.only_parts(tmp_path)
    named = writing._in_row_order(tmp_path)
    assert [(part.name, part.read_text("utf-8")) for part in named] == [
        ("part-00000.csv", "part-1.csv"), ("part-00001.csv", "part-9.csv"), ("part-00002.csv", "part-10.csv"),
    ]  # fmt: skip
    assert sorted(tmp_path.iterdir()) == list(named)


def test_what_is_written_is_private_until_it_is_complete(table: StoredTable, tmp_path: Path) -> None:
    for parts in (False, True):
        path = tmp_path / ("parts" if parts else "one.csv")
        seen: list[int] = []

        def check(place: Path, written: Written, path: Path = path, seen: list[int] = seen) -> None:
            assert not path.exists()
            assert sum(f.stat().st_size for f in [place, *place.glob("*")] if f.is_file()) == written.size
            seen.append(stat.S_IMODE(place.parent.stat().st_mode))

        write_stored(table, path, ExportFormat(), parts=parts, check=check)
        assert seen == [0o700]
        file = next(path.iterdir()) if parts else path
        umask = os.umask(0)
        os.umask(umask)
        assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~umask
    (tmp_path / "one.csv").chmod(0o640)
    write_stored(table, tmp_path / "one.csv", ExportFormat())
    assert stat.S_IMODE((tmp_path / "one.csv").stat().st_mode) == 0o640


def untouched(tmp_path: Path, parts: bool) -> tuple[Path, Callable[[], bool]]:
    """A release that is there already, and whether it is as it was and nothing else is there."""
    path = tmp_path / "release"
    content = path / "part-00000.csv" if parts else path
    content.parent.mkdir(exist_ok=True)
    content.write_text("old", "utf-8")
    return path, lambda: content.read_text("utf-8") == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("parts", [False, True])
@pytest.mark.parametrize("where", ["check", "before"])
def test_what_fails_leaves_what_was_there(table: StoredTable, tmp_path: Path, parts: bool, where: str) -> None:
    path, as_before = untouched(tmp_path, parts)

    def fail(*_: object) -> None:
        raise WorkbenchError("no")

    with pytest.raises(WorkbenchError, match="no"):
        write_stored(table, path, ExportFormat(), parts=parts, **{where: fail})
    assert as_before()


@pytest.mark.parametrize("parts", [False, True])
@pytest.mark.parametrize("spread", [False, True])
def test_cancelled_in_the_middle_nothing_is_left(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: bool, spread: bool
) -> None:
    monkeypatch.setattr(DuckStore, "spread", spread)
    table = stored_copy(duckdb_store, nasty_table(2, 200_000))
    path, as_before = untouched(tmp_path, parts)
    token, begun = CancelToken(), []

    def listen(_fraction: float, _text: str) -> None:
        if any(tmp_path.glob(".release*.part/*")):
            begun.append(True)
            token.cancel()

    with pytest.raises(Cancelled):
        write_stored(table, path, ExportFormat(), parts=parts, progress=Progress(listen, token))
    assert begun
    assert as_before()


def test_names_that_must_not_be_taken(table: StoredTable, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    data = folder / "part-0.csv"
    data.write_text("a\n1\n", "utf-8")
    for path, parts, said in [
        (data, False, "must not be overwritten"),
        (folder, True, "must not be overwritten"),
        (tmp_path, True, "something else"),
        (folder, False, "is a folder"),
        (data, True, "is a file"),
        (tmp_path / "none" / "x", True, "no folder"),
    ]:
        protected = [data] if "overwritten" in said else []
        with pytest.raises(WorkbenchError, match=said):
            write_stored(table, path, ExportFormat(), parts=parts, protected=protected)
    with pytest.raises(WorkbenchError, match="overwritten"):
        write_stored(table, folder, ExportFormat(), parts=True, protected=[folder / "*.csv"])
    assert data.read_text("utf-8") == "a\n1\n"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["in", "part-0.csv"]
    write_stored(table, folder, ExportFormat(), parts=True)  # parts of an earlier release may be replaced
    assert [path.name for path in folder.iterdir()] == ["part-00000.csv"]


def test_formats_that_cannot_be(duckdb_store: DuckStore, table: StoredTable, tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match="workbook"):
        write_stored(table, tmp_path / "x", ExportFormat("xlsx"), parts=True)
    alike = stored_copy(duckdb_store, Table((Column.from_texts("a", ["1"]), Column.from_texts("A", ["2"]))))
    with pytest.raises(WorkbenchError, match="apart"):
        write_stored(alike, tmp_path / "x", ExportFormat("parquet"), parts=True)
    with pytest.raises(WorkbenchError, match="“Ω”"):
        other = stored_copy(duckdb_store, Table((Column.from_texts("a", ["x", "Ω"]),)))
        write_stored(other, tmp_path / "x", ExportFormat(encoding="cp1252"))
    place = table.place
    with pytest.raises(TooManyValues):
        write_stored(StoredTable(place, [UnlistedColumn("id", place, "c0", 10**7)]), tmp_path / "x", ExportFormat())
    assert list(tmp_path.iterdir()) == []
    write_stored(alike, tmp_path / "x", ExportFormat("parquet"))
    assert ReleasedFiles.of(tmp_path / "x", ExportFormat("parquet")).heading == ("a", "A")


@pytest.mark.parametrize("parts", [False, True])
def test_without_room_nothing_begins(
    table: StoredTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: bool
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 10, 1000))
    with pytest.raises(WorkbenchError, match="free there"):
        write_stored(table, tmp_path / "out", ExportFormat(), parts=parts)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="files cannot be limited here")
def test_a_file_that_may_not_grow(duckdb_store: DuckStore, tmp_path: Path) -> None:
    table = stored_copy(duckdb_store, Table((Column("a", np.zeros(50_000, dtype=np.uint8), ("x" * 50,)),)))
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
        for parts in (False, True):
            with pytest.raises(WorkbenchError, match="not enough room"):
                write_stored(table, tmp_path / "out", ExportFormat(), parts=parts)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB, where this process may mount one."""
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("spread", [False, True])
def test_a_full_disk(duckdb_store: DuckStore, small_disk: Path, monkeypatch: pytest.MonkeyPatch, spread: bool) -> None:
    monkeypatch.setattr(DuckStore, "spread", spread)
    monkeypatch.setattr(writing, "check_room", lambda *_: None)  # it fills up while the file is written
    table = stored_copy(duckdb_store, Table((Column("a", np.zeros(200_000, dtype=np.uint8), ("x" * 50,)),)))
    for parts in (spread, True):
        with pytest.raises(WorkbenchError, match="not enough room"):
            write_stored(table, small_disk / "out", ExportFormat(), parts=parts)
    assert list(small_disk.iterdir()) == []


def test_the_old_parts_come_back_if_the_new_ones_cannot_take_their_place(
    table: StoredTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, as_before = untouched(tmp_path, True)
    right = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if target == path and self.parent.parent.name.endswith(".part") and self.name == path.name:
            raise OSError(5, "Input/output error", str(self))
        return right(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(WorkbenchError, match="Input/output error"):
        write_stored(table, path, ExportFormat(), parts=True)
    assert as_before()
