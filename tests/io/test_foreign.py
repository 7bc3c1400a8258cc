"""Files of others' formats are read by a process of their own, and nothing they do to it does anything else."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shlex
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.io.foreign import child, frames, limits, packed, sheet_size, worker
from workbench.io.opening import Source
from workbench.io.reading import preview, read_table

pytest.importorskip("python_calamine")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

Writer = Callable[[Path, dict[str, list[list[Any]]]], Path]
_CODE = "import os, sys, time, struct, signal; sys.stdin.buffer.readline(); out = sys.stdout.buffer\n"


def _children() -> set[str]:
    """Processes that were started by this one and are not yet reaped; none where the system does not list them."""
    found: set[str] = set()
    for task in Path("/proc/self/task").glob("*"):
        with contextlib.suppress(FileNotFoundError):  # a thread that has ended since
            found.update((task / "children").read_text().split())
    return found


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """After every test no process of ours is there, running or dead, that was not before: an engine's may go on."""
    before = _children()
    yield
    if before:
        assert _children() <= before
        return
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.fixture
def book(tmp_path: Path, write_workbook: Writer) -> Path:
    return write_workbook(tmp_path / "book.xlsx", {"S": [["name", "age"], ["Ann", 30], ["Bob", 31]]})


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"name": ["Ann", "Bob", None], "age": [30, 31, 32]}), path)
    return path


@pytest.fixture
def packed_csv(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(b"name,age\nAnn,30\nBob,31\n"))
    return path


@pytest.fixture(params=["book", "parquet", "packed_csv"])
def foreign(request: pytest.FixtureRequest) -> Path:
    """One file of each sort that is not read in this process."""
    path: Path = request.getfixturevalue(request.param)
    return path


def instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let the other process do something else than it should."""
    words = [sys.executable, "-I", "-S", "-c", _CODE + textwrap.dedent(code)]
    monkeypatch.setattr(child, "command", lambda: words)


def changed(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let the other process do something before it begins."""
    words = child.command()
    words[-1] = words[-1].replace("from workbench.io.foreign.worker", f"{code}; from workbench.io.foreign.worker")
    monkeypatch.setattr(child, "command", lambda: words)


def with_sheet(path: Path, change: Callable[[bytes], bytes]) -> Path:
    """A workbook with another text in its first sheet."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = "xl/worksheets/sheet1.xml"
    members[name] = change(members[name])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in members.items():
            archive.writestr(member, text)
    return path


def with_cell(path: Path, place: str) -> Path:
    cell = f'<row r="{place.lstrip("ABCDEFXZ")}"><c r="{place}"><v>1</v></c></row></sheetData>'
    return with_sheet(path, lambda text: text.replace(b"</sheetData>", cell.encode()))


_PEAK = """
import resource, sys
from workbench.core.errors import WorkbenchError
from workbench.io.reading import read_table
try:
    read_table(sys.argv[1])
except WorkbenchError:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


class TestSheetsThatReachTooFar:
    @pytest.mark.parametrize("place", ["XFD1048576", "ZZ1048576", "Z1048576"])
    def test_a_stray_cell_is_named_before_room_is_made_for_it(self, book: Path, place: str) -> None:
        with_cell(book, place)
        assert book.stat().st_size < 4096
        for read in (read_table, preview):
            with pytest.raises(WorkbenchError, match=f"“S” of the Excel workbook “book.xlsx” .*{place}") as caught:
                read(book)
            assert "Delete the rows and columns" in caught.value.hint
        # Measured from a small process: what one starts from a large one counts as large for a moment.
        told = subprocess.run([sys.executable, "-c", _PEAK, str(book)], capture_output=True, text=True, check=True)
        assert int(told.stdout) < 200_000  # KiB

    @pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by the system on Linux only")
    @pytest.mark.parametrize("place", ["XFD1048576", "ZZ1048576"])
    def test_the_limit_of_memory_holds_where_the_look_is_deceived(
        self, book: Path, place: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        blind = (
            "import workbench.io.foreign.workbooks as w, workbench.io.foreign.sheet_size as s; "
            "w.size_of = lambda *_: s.SheetSize()"
        )
        changed(monkeypatch, blind)
        with pytest.raises(WorkbenchError, match=r"“book\.xlsx” cannot be read: reading it needs more memory"):
            read_table(with_cell(book, place))

    def test_without_a_limit_of_the_system_texts_are_weighed_beforehand(
        self, book: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bare = "import workbench.io.foreign.limits as l; l._in_use = lambda: None; l.LEAST = 1 << 20"
        changed(monkeypatch, bare)
        assert read_table(book).rows == 2
        with zipfile.ZipFile(book, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/sharedStrings.xml", b"<sst><si><t>" + bytes(1 << 21) + b"</t></si></sst>")
        with pytest.raises(WorkbenchError, match="unpacks to more than 0 MiB beside its sheets"):
            read_table(book)

    def test_a_bomb_of_cells_is_refused_while_it_is_counted(self, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        changed(monkeypatch, "import workbench.io.foreign.workbooks as w; w._MOST_CELLS = 1_000_000")
        row = b"<row>" + b"<c><v>1</v></c>" * 1000 + b"</row>"
        sheet = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'

        packing = zipfile.ZipFile(book, "a", zipfile.ZIP_DEFLATED)
        with packing, packing.open("xl/bomb.xml", "w") as member:
            member.write(sheet)
            for _ in range(30):
                member.write(row * 50)
        with zipfile.ZipFile(book) as archive:
            members = {name: archive.read(name) for name in archive.namelist() if "rels/workbook" in name}
        relations = members["xl/_rels/workbook.xml.rels"].replace(b"worksheets/sheet1.xml", b"bomb.xml")
        other = book.with_name("bomb.xlsx")
        with zipfile.ZipFile(book) as old, zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                new.writestr(name, relations if name == "xl/_rels/workbook.xml.rels" else old.read(name))
        with pytest.raises(WorkbenchError, match=r"holds more than [0-9,]+ cells"):
            read_table(other)

    def test_cells_that_hold_nothing_reach_nowhere(self, book: Path) -> None:
        def formatted(text: bytes) -> bytes:
            stray = b'<row r="1048576" s="1"><c r="XFD1048576" s="1"/></row></sheetData>'
            return text.replace(b"</sheetData>", stray)

        assert read_table(with_sheet(book, formatted)).rows == 2

    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            ('<row r="2"><c r="B2"><v>1</v></c></row>', (2, 2, 1)),
            ("<row r='7'><c r='AA7'><v>1</v></c></row>", (7, 27, 1)),
            ('<x:row r="3"><x:c s="1" r="C3"><x:v>1</x:v></x:c></x:row>', (3, 3, 1)),
            ("<row><c><v>1</v></c><c><v>1</v></c></row><row><c><v>1</v></c></row>", (2, 2, 3)),
            ('<row r="5"><c><v>1</v></c></row><row><c t="s"><v>1</v></c></row>', (6, 1, 2)),
            ('<row r="1"><c r="A900"><v>1</v></c></row>', (900, 1, 1)),
            ('<row r="9"/><cols><col min="1"/></cols><row r="2"><c r="A2"><v>1</v></c></row>', (2, 1, 1)),
            ('<row\nr="4"><c\n r = "D4"><v>1</v></c></row>', (4, 4, 1)),
            ('<row r="1"><c r="abc1"><v>1</v></c></row>', (1, 731, 1)),
        ],
    )
    @pytest.mark.parametrize("block", [7, 1 << 20])
    def test_how_far_cells_reach(self, cells: str, expected: tuple[int, int, int], block: int) -> None:
        text = f'<?xml version="1.0"?><worksheet><sheetData>{cells}</sheetData></worksheet>'.encode()
        pieces = [text[at : at + block] for at in range(0, len(text), block)]
        size = sheet_size._scanned(pieces, 1000, lambda: None)
        assert (size.rows, size.columns, size.cells) == expected

    def test_how_far_records_of_a_binary_workbook_reach(self) -> None:
        def record(kind: int, held: bytes) -> bytes:
            return bytes([kind, len(held)]) + held

        rows = record(0, (41).to_bytes(4, "little") + bytes(13)) + record(5, (6).to_bytes(4, "little") + bytes(12))
        text = b"\x81\x01\x00" + rows + b"\x82\x01\x00" * 3
        size = sheet_size._scanned([text[:9], text[9:]], 1000, lambda: None)
        assert (size.rows, size.columns, size.cells) == (42, 7, 1)

    def test_a_sheet_in_an_encoding_nobody_writes_is_refused(self, book: Path) -> None:
        with_sheet(book, lambda text: text.decode().replace("UTF-8", "UTF-16").encode("utf-16"))
        with pytest.raises(WorkbenchError, match="how far its cells reach cannot be looked at"):
            read_table(book)


class TestBombs:
    def test_a_packed_file_that_unpacks_without_end_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        small = "import workbench.io.foreign.packed as p; p._LARGE = 1 << 20"
        changed(monkeypatch, small)
        bomb = tmp_path / "bomb.csv.gz"
        bomb.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * (1 << 21)))
        with pytest.raises(WorkbenchError, match=f"unpacks to more than {packed.MOST_TIMES} times its size"):
            read_table(bomb)
        honest = tmp_path / "honest.csv.gz"
        honest.write_bytes(gzip.compress("".join(["a,b\n", *(f"{i},{i % 7}\n" for i in range(200_000))]).encode()))
        assert read_table(honest).rows == 200_000

    def test_rows_that_no_memory_holds_are_refused_by_their_number(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("workbench.io.parquet.MOST_CELLS", 1000)
        path = tmp_path / "long.parquet"
        pq.write_table(pa.table({"a": [1] * 501, "b": [2] * 501}), path)
        with pytest.raises(WorkbenchError, match=r"501 rows of 2 columns: more than 1,000 cells") as caught:
            read_table(path)
        assert "duckdb" in caught.value.hint
        assert read_table(path, limit=500).rows == 500

    def test_the_limits_are_those_that_are_promised(self) -> None:
        assert limits.allowance(0) == limits.LEAST
        assert limits.allowance(100 << 20) == 800 << 20
        assert limits.allowance(1 << 40) == limits.MOST == 2 << 30
        assert limits.allowance(2048, cells=10_000_000) == 1_600_000_000


class TestWhatTheOtherProcessMayDo:
    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
    def test_it_is_killed(self, foreign: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals) -> None:
        instead(
            monkeypatch,
            f"""
            import resource
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.kill(os.getpid(), {int(number)})
            """,
        )
        with pytest.raises(WorkbenchError, match=f"“{foreign.name}” cannot be read: .*signal {int(number)}") as caught:
            read_table(foreign)
        assert caught.value.hint

    def test_it_ends_without_a_word(self, foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        instead(monkeypatch, "sys.exit(7)")
        with pytest.raises(WorkbenchError, match=r"ended early \(code 7\)"):
            read_table(foreign)

    def test_it_has_no_memory_left(self, foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        instead(monkeypatch, f"sys.exit({worker.OUT_OF_MEMORY})")
        with pytest.raises(WorkbenchError, match="needs more memory than a file of its size may take"):
            read_table(foreign)

    @pytest.mark.parametrize("busy", ["time.sleep(600)", "while True: pass"])
    def test_it_hangs(self, foreign: Path, monkeypatch: pytest.MonkeyPatch, busy: str) -> None:
        monkeypatch.setattr(child, "PATIENCE", 0.5)
        instead(monkeypatch, busy)
        began = time.monotonic()
        with pytest.raises(WorkbenchError, match="without a row, and was ended"):
            read_table(foreign)
        assert time.monotonic() - began < 50

    def test_it_hangs_and_somebody_presses_cancel(self, foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        instead(monkeypatch, "time.sleep(600)")
        token = CancelToken()
        threading.Timer(0.3, token.cancel).start()
        began = time.monotonic()
        with pytest.raises(Cancelled):
            read_table(foreign, progress=Progress(token=token))
        assert time.monotonic() - began < 50

    @pytest.mark.parametrize(
        "said",
        [
            b"Traceback (most recent call last): no frame at all",
            frames.HEAD.pack(b"i", 1 << 31),
            frames.HEAD.pack(b"i", 2) + b"[]",
            frames.HEAD.pack(b"i", 2) + b"{}",
            frames.HEAD.pack(b"f", 2) + b"{}",
            frames.HEAD.pack(b"f", 9) + b"\x80\x04\x95nonsen",
            frames.HEAD.pack(b"b", 3) + b"abc",
            frames.HEAD.pack(b"b", 8) + bytes(8),
            frames.HEAD.pack(b"r", 4) + b"[[1]",
            frames.HEAD.pack(b"r", 5) + b"[[1]]",
            frames.HEAD.pack(b"r", 200_000) + b"[" * 200_000,
            frames.HEAD.pack(b"c", 8) + bytes(8),
            frames.HEAD.pack(b"w", 14) + b'{"cells": "x"}',
            frames.HEAD.pack(b"w", 14) + b'{"cells": -10}',
            frames.HEAD.pack(b"e", 0),
        ],
    )
    def test_it_says_what_makes_no_sense(self, foreign: Path, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
        instead(monkeypatch, f"out.write({said!r}); out.flush()")
        with pytest.raises(WorkbenchError):
            read_table(foreign)

    @pytest.mark.parametrize(
        "codes", [[0, 5], [0, -2], [0], [2**31 - 1, 0]], ids=["too large", "too small", "too few", "far too large"]
    )
    def test_numbers_of_values_are_checked(
        self, parquet: Path, monkeypatch: pytest.MonkeyPatch, codes: list[int]
    ) -> None:
        info = b'{"names": ["a"], "rows": 2, "moments": [""]}'
        texts = b'["x", "y"]'
        column = frames.LENGTHS.pack(2, len(texts)) + texts + struct.pack(f"<{len(codes)}i", *codes)
        said = frames.HEAD.pack(b"i", len(info)) + info + frames.HEAD.pack(b"c", len(column)) + column
        instead(monkeypatch, f"out.write({said + frames.HEAD.pack(b'e', 0)!r}); out.flush()")
        with pytest.raises(WorkbenchError, match="answered what makes no sense"):
            read_table(parquet)

    def test_what_it_prints_gets_nowhere(
        self, book: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        loud = (
            "import workbench.io.foreign.workbooks as w, os; real = w.run; "
            "w.run = lambda *a: (os.write(1, b'out'), os.write(2, b'err'), print('more'), real(*a))"
        )
        changed(monkeypatch, loud)
        assert read_table(book).rows == 2
        assert capfd.readouterr() == ("", "")

    def test_it_cannot_be_started(self, foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(child, "command", lambda: ["/nowhere/python"])
        with pytest.raises(WorkbenchError, match="no process could be started to read it"):
            read_table(foreign)

    def test_a_source_that_is_left_leaves_no_process(self, tmp_path: Path) -> None:
        path = tmp_path / "long.csv.gz"
        path.write_bytes(gzip.compress(os.urandom(1 << 16).hex().encode() * 200))
        with Source(path) as source:
            assert source.read(10)

    def test_commands_explain_it(
        self, book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        instead(monkeypatch, "os.kill(os.getpid(), 9)")
        assert main(["profile", str(book)]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert "“book.xlsx” cannot be read" in told.err
        assert "Traceback" not in told.err

    def test_verifying_a_file_of_strangers_is_reading_it(
        self, book: Path, parquet: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for path in (book, parquet):
            assert main(["verify", str(path), "--model", "k=2", "--group", "age"]) in (0, 1)
            capsys.readouterr()
        instead(monkeypatch, "os.kill(os.getpid(), 6)")
        for path in (book, parquet):
            assert main(["verify", str(path), "--model", "k=2"]) == 2
            assert f"“{path.name}” cannot be read" in capsys.readouterr().err


class TestDamagedFiles:
    @pytest.mark.parametrize("kept", [8, 0.3, 0.5, 0.9, -1])
    def test_every_sort_is_explained_when_it_is_cut(self, foreign: Path, kept: float) -> None:
        whole = foreign.read_bytes()
        foreign.write_bytes(whole[: int(kept * len(whole)) if 0 < kept < 1 else int(kept)])
        for read in (read_table, preview):
            with pytest.raises(WorkbenchError) as caught:
                read(foreign)
            assert foreign.name in caught.value.message
            assert caught.value.hint

    def test_pages_that_are_damaged(self, tmp_path: Path) -> None:
        path = tmp_path / "x.parquet"
        pq.write_table(pa.table({"a": [str(i) for i in range(5000)]}), path, compression="snappy", use_dictionary=False)
        content = bytearray(path.read_bytes())
        content[40:400] = b"\xff" * 360
        path.write_bytes(content)
        with pytest.raises(WorkbenchError, match=r"Parquet file “x\.parquet” cannot be read"):
            read_table(path)


class TestTheProcessItself:
    def test_it_imports_nothing_that_it_does_not_need(self, foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        listing = foreign.with_name("modules")
        code = (
            "import sys, workbench.io.foreign.frames as f; send = f.FrameWriter.send; "
            f"f.FrameWriter.send = lambda *a: (open({str(listing)!r}, 'w').write('\\n'.join(sys.modules)), send(*a))"
        )
        changed(monkeypatch, code)
        read_table(foreign)
        found = set(listing.read_text().split())
        roots = {name.partition(".")[0] for name in found}
        assert not roots & {"PySide6", "matplotlib", "duckdb", "diffprivlib", "multiprocessing", "pandas", "scipy"}
        layers = {name.split(".")[1] for name in found if name.startswith("workbench.")}
        assert layers == {"core", "io"}
        if foreign.suffix == ".xlsx":
            assert "numpy" not in roots

    def test_this_process_imports_no_reader(self, foreign: Path) -> None:
        code = (
            f"import sys; from workbench.io.reading import read_table, preview; preview({str(foreign)!r}); "
            f"print(read_table({str(foreign)!r}).rows, *sorted(set(sys.modules) & {{'python_calamine', 'pyarrow', "
            "'multiprocessing'}))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.split()[1:] == []
        assert done.stderr == ""

    def test_a_bundle_starts_itself(self, book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        bundle = tmp_path / "bundle"
        root = Path(child.__file__).resolve().parents[3]
        for entry in ("workbench.__main__ import main", "workbench.starting import command_line as main"):
            code = f"import sys; sys.frozen = True; sys.path.insert(0, {str(root)!r}); from {entry}; main()"
            words = shlex.join([sys.executable, "-c", code])
            bundle.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
            bundle.chmod(0o700)
            monkeypatch.setattr(sys, "frozen", True, raising=False)
            monkeypatch.setattr(sys, "executable", str(bundle))
            assert read_table(book).rows == 2
            monkeypatch.undo()

    @pytest.mark.skipif(sys.platform == "win32", reason="processes are looked for in the way of POSIX")
    def test_it_ends_when_the_one_that_asked_is_killed(self, book: Path, tmp_path: Path) -> None:
        note = tmp_path / "pid"
        code = f"""
            import sys
            from workbench.io.foreign import child
            words = child.command()
            words[-1] = words[-1].replace("from workbench.io.foreign.worker", (
                "import workbench.io.foreign.workbooks as w, os, time; "
                "w.run = lambda *_: (open({str(note)!r}, 'w').write(str(os.getpid())), time.sleep(600)); "
                "from workbench.io.foreign.worker"))
            child.command = lambda: words
            from workbench.io.reading import read_table
            read_table({str(book)!r})
        """
        asking = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)])
        until = time.monotonic() + 40
        while not (note.exists() and note.read_text()) and time.monotonic() < until:
            time.sleep(0.02)
        number = int(note.read_text())
        asking.kill()
        asking.wait()
        while _runs(number) and time.monotonic() < until:
            time.sleep(0.02)
        assert not _runs(number)

    def test_it_ends_by_itself_when_it_hangs_in_its_reader(self, book: Path, tmp_path: Path) -> None:
        """Where the reader holds Python up, no thread of Python sees that nobody waits any more."""
        code = child.command()[-1].replace(
            "from workbench.io.foreign.worker import main",
            "import workbench.io.foreign.workbooks as w, workbench.io.foreign.worker as k; k._OVERTIME = 0.3; "
            "w.run = lambda *_: sum(range(10 ** 12)); main = k.main",
        )
        words = [*child.command()[:-1], code]
        request = {"job": "sheet", "paths": [str(book)], "patience": 0.2}
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin, process.stdout:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            assert process.wait(timeout=30) == 1


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{number}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


class TestSameAsBefore:
    def test_many_parts_are_read_by_one_process(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = tmp_path / "parts"
        folder.mkdir()
        for place in range(5):
            pq.write_table(pa.table({"a": [f"{place}"] * 10}), folder / f"{place}.parquet")
        started: list[object] = []
        real = child.command
        monkeypatch.setattr(child, "command", lambda: started.append(1) or real())
        reading = read_table(folder)
        assert (reading.rows, reading.table["a"].counts.tolist(), len(started)) == (50, [10] * 5, 1)

    def test_rows_that_are_wide_and_long_come_in_pieces(self, tmp_path: Path) -> None:
        path = tmp_path / "x.parquet"
        texts = ["é" * 20_000 + str(i) for i in range(700)]
        pq.write_table(pa.table({"a": texts, "b": list(range(700))}), path)
        table = read_table(path).table
        assert table["a"].texts() == texts
        assert table["b"].texts() == [str(i) for i in range(700)]

    def test_a_cell_longer_than_any_is_explained(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "x.parquet"
        pq.write_table(pa.table({"a": ["x" * (1 << 20)]}), path)
        assert read_table(path).rows == 1
        changed(monkeypatch, "import workbench.io.foreign.frames as f; f.MOST = 1 << 20")
        with pytest.raises(WorkbenchError, match="more than 1 MiB"):
            read_table(path)
