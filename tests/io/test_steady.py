"""A file that changes while it is read is refused; what is taken in is what its fingerprint is of."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from tests.properties import is_whole, some
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.core.table import Column, Table
from workbench.engines.choice import DUCKDB, EngineChoice
from workbench.engines.store import Store
from workbench.io.hierarchy_csv import note_path, read_hierarchy
from workbench.io.parts import fingerprint_of, parts_of
from workbench.io.xlsx import xlsx_into
from workbench.project.loading import load

_FIRST = [("f", "1"), ("m", "2"), ("f", "3")]
_SECOND = [("m", "4"), ("m", "5"), ("f", "6")]
_LONGER = [*_SECOND, *[("m", str(number)) for number in range(2000)]]
_SHORTER = _FIRST[:1]


def _csv(rows: list[tuple[str, str]]) -> bytes:
    return "".join(f"{sex},{age}\n" for sex, age in [("sex", "age"), *rows]).encode()


def _write_csv(path: Path, rows: list[tuple[str, str]]) -> None:
    path.write_bytes(_csv(rows))


def _write_gz(path: Path, rows: list[tuple[str, str]]) -> None:
    path.write_bytes(gzip.compress(_csv(rows), mtime=0))


def _write_zip(path: Path, rows: list[tuple[str, str]]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("table.csv", _csv(rows))


def _write_parquet(path: Path, rows: list[tuple[str, str]]) -> None:
    columns = {"sex": [row[0] for row in rows], "age": [row[1] for row in rows]}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)


def _write_xlsx(path: Path, rows: list[tuple[str, str]]) -> None:
    names = ("sex", "age")
    table = Table([Column.from_texts(name, [row[place] for row in rows]) for place, name in enumerate(names)])
    with path.open("w+b") as file:
        xlsx_into(table, file)


_WRITERS = {
    "table.csv": _write_csv,
    "table.csv.gz": _write_gz,
    "table.csv.zip": _write_zip,
    "table.parquet": _write_parquet,
    "table.xlsx": _write_xlsx,
}
_IN_DUCKDB = ("table.csv", "table.csv.gz", "table.parquet")
_Write = Callable[[Path, list[tuple[str, str]]], None]


def _other_rows(path: Path, write: _Write) -> None:
    """Other rows under the old time, as a copy that keeps times leaves them."""
    before = path.stat()
    write(path, _SECOND)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _grown(path: Path, write: _Write) -> None:
    write(path, _LONGER)


def _cut(path: Path, write: _Write) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size * 2 // 3)


def _replaced(path: Path, write: _Write) -> None:
    other = path.with_name("other")
    write(other, _SECOND)
    other.replace(path)


def _removed(path: Path, write: _Write) -> None:
    path.unlink()


STRIDE = 1 if is_whole() else 4
_CHANGES = [_other_rows, _grown, _cut, _replaced, _removed]


@pytest.fixture(scope="module")
def duckdb() -> Iterator[Store]:
    store = EngineChoice(DUCKDB).start()
    assert store is not None
    yield store
    store.close()


def _rows_of(loaded: object) -> list[tuple[str, ...]]:
    table = loaded.reading.table
    return [table.row(place) for place in range(table.rows)]


class _Meddling:
    """Changes a file when the reader reports for the n-th time."""

    def __init__(self, turn: int, change: Callable[[], None]) -> None:
        self.turn, self.told, self._change = turn, 0, change

    @property
    def progress(self) -> Progress:
        return Progress(self._report)

    def _report(self, _fraction: float, _text: str) -> None:
        self.told += 1
        if self.told == self.turn:
            self._change()


def _read_while_it_changes(
    path: Path, write: _Write, change: Callable[[Path, _Write], None], store: Store | None
) -> int:
    """Change a file at every moment a reader reports, or at some of them; how often that was refused.

    What is taken in is, to the last row, what its fingerprint is of.
    """
    turn, refused = 1 - STRIDE, 0
    while True:
        turn += STRIDE
        if path.exists():
            path.unlink()
        write(path, _FIRST)
        before = path.read_bytes()
        meddling = _Meddling(turn, lambda: change(path, write))
        try:
            loaded = load(path, None, meddling.progress, store)
        except WorkbenchError as error:
            assert meddling.told >= turn
            assert str(path) in error.message or path.name in error.message
            refused += "while it was read" in error.message
            continue
        assert loaded.reading.fingerprint == hashlib.sha256(before).hexdigest()
        assert _rows_of(loaded) == _FIRST
        if meddling.told < turn:
            return refused


@pytest.mark.properties
@pytest.mark.parametrize(("name", "change"), some(itertools.product(_WRITERS, _CHANGES)))
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, name: str, change: Callable[[Path, _Write], None]
) -> None:
    assert _read_while_it_changes(tmp_path / name, _WRITERS[name], change, None) > 0


@pytest.mark.properties
@pytest.mark.parametrize(("name", "change"), some(itertools.product(_IN_DUCKDB, _CHANGES), 3))
def test_a_file_that_changes_while_an_engine_reads_it_is_refused(
    tmp_path: Path, name: str, change: Callable[[Path, _Write], None], duckdb: Store
) -> None:
    assert _read_while_it_changes(tmp_path / name, _WRITERS[name], change, duckdb) > 0


def _a_part_more(folder: Path) -> None:
    _write_csv(folder / "c.csv", _SECOND)


def _a_part_less(folder: Path) -> None:
    (folder / "b.csv").unlink()


def _another_part(folder: Path) -> None:
    _write_csv(folder / "b.csv", _LONGER)


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("pattern", ["", "*.csv"])
@pytest.mark.parametrize("change", [_a_part_more, _a_part_less, _another_part])
def test_parts_that_come_go_or_change_while_they_are_read_are_refused(
    tmp_path: Path, change: Callable[[Path], None], pattern: str, stored: bool, duckdb: Store
) -> None:
    folder = tmp_path / "parts"
    turn = refused = 0
    while True:
        turn += 1
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        _write_csv(folder / "a.csv", _FIRST)
        _write_csv(folder / "b.csv", _SECOND)
        fingerprint = fingerprint_of(parts_of(folder))
        meddling = _Meddling(turn, lambda: change(folder))
        try:
            loaded = load(folder / pattern, None, meddling.progress, duckdb if stored else None)
        except WorkbenchError as error:
            refused += "while" in error.message and "finished" in error.hint
            assert refused or "There is no file" in error.message  # it was gone before it was looked at
            continue
        assert (loaded.reading.fingerprint, _rows_of(loaded)) == (fingerprint, [*_FIRST, *_SECOND])
        if meddling.told < turn:
            break
    assert refused


def test_the_refusal_says_what_happened_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    _write_csv(path, _FIRST)
    small = path.stat().st_size
    meddling = _Meddling(1, lambda: _grown(path, _write_csv))
    with pytest.raises(WorkbenchError) as refused:
        load(path, None, meddling.progress)
    assert str(path) in refused.value.message
    assert f"it had {small:,} bytes and now has {path.stat().st_size:,}" in refused.value.message
    assert "Open it again" in refused.value.hint
    assert load(path).reading.rows == len(_LONGER)


def test_a_hierarchy_that_changes_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of one state must not be taken for those of a note that speaks of another one."""
    path = tmp_path / "sex.csv"
    path.write_text("f;*\nm;*\n")
    from workbench.io import hierarchy_csv

    read = hierarchy_csv.row_batches

    def meddling(*arguments: object, **named: object) -> object:
        note_path(path).write_text('{"provenance": "data-derived", "origin": "built"}')
        return read(*arguments, **named)

    monkeypatch.setattr(hierarchy_csv, "row_batches", meddling)
    with pytest.raises(WorkbenchError, match="appeared while it was read"):
        read_hierarchy(path)


def test_what_was_read_stays_when_the_file_changes_later(tmp_path: Path, duckdb: Store) -> None:
    """Nothing is read a second time: a file that changes while its window stands open changes nothing there."""
    path = tmp_path / "table.csv"
    for store in (None, duckdb):
        _write_csv(path, _FIRST)
        loaded = load(path, store=store)
        path.write_bytes(b"something else")
        assert _rows_of(loaded) == _FIRST
