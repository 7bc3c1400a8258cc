"""What is kept to recognise data that is nearly the same: for its owner alone, without a word of it, and damaged."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.query.near_tables import (
    HALF,
    command,
    next_month,
    opened,
    others,
    people,
    released,
    sketches,
    written,
)
from workbench.core.errors import WorkbenchError
from workbench.core.near_releases import NearReleases
from workbench.core.sketch import SAMPLE
from workbench.query import near_ledgers
from workbench.query.ledger import Charge, Ledger
from workbench.query.ledger_file import ledgers_folder
from workbench.query.sketch_folder import SketchFolder

__all__ = ["command", "next_month", "others", "people"]


# What is kept


@pytest.mark.skipif(os.name == "nt", reason="another system of rights")
def test_everything_is_for_its_owner_alone(people: Path, next_month: Path) -> None:
    released(people)
    opened(next_month).ledger.declare_other_people()
    files = list(sketches().iterdir())
    assert {file.suffix for file in files} == {"", ".sketch", ".near", ".other"}
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name
    assert stat.S_IMODE(sketches().stat().st_mode) == 0o700


def test_without_the_key_nothing_can_be_told_from_a_sketch(tmp_path: Path) -> None:
    """Neither values nor which rows are alike nor how many there are: equal sizes, and bytes without a pattern."""
    few = released(written(tmp_path / "few.csv", ["1,A", "2,B"] * 20, "age,city"))
    many = released(written(tmp_path / "many.csv", ["1,A", "2,B", "3,C"] * 2000, "age,city"))
    contents = [(sketches() / f"{session.data.fingerprint}.sketch").read_bytes() for session in (few, many)]
    assert len(contents[0]) == len(contents[1]) > 4 * SAMPLE
    for content in contents:
        counts = [content.count(bytes([byte])) for byte in range(256)]
        expected = len(content) / 256
        spread = sum((count - expected) ** 2 / expected for count in counts)
        assert spread < 400, "χ² of 255 degrees of freedom exceeds 400 once in 10⁸ times"
    again = opened(tmp_path / "few.csv")
    (sketches() / f"{again.data.fingerprint}.sketch").unlink()
    again.data.loaded.near.keep()
    assert (sketches() / f"{again.data.fingerprint}.sketch").read_bytes() != contents[0], "not even that it is the same"


def test_the_key_goes_into_no_ledger_project_or_statement(people: Path, next_month: Path, tmp_path: Path) -> None:
    released(people)
    key = (sketches() / "key").read_bytes()
    assert len(key) == 32
    session = opened(next_month)
    session.release.anonymise()
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html", note=tmp_path / "out.json")
    session.save(tmp_path / "p.wbench")
    for file in (*tmp_path.iterdir(), *ledgers_folder().glob("*.jsonl")):
        content = file.read_bytes()
        assert key not in content
        assert key.hex().encode() not in content


def test_keys_differ() -> None:
    keys = {SketchFolder(Path(str(ledgers_folder()) + name)).key(make=True) for name in "ab"}
    assert len(keys) == 2
    assert None not in keys
    for name in "ab":
        there = [file.name for file in SketchFolder(Path(str(ledgers_folder()) + name)).folder.iterdir()]
        assert there == ["key"], "no copy of a secret stays under another name"


# What goes wrong


def test_a_ledger_from_before_there_were_sketches(people: Path, next_month: Path) -> None:
    session = opened(people)
    Ledger.for_data(session.data.fingerprint).charge(Charge("query", "x", HALF))
    assert not sketches().exists()
    assert not opened(next_month).ledger.nearly_same().unsettled
    opened(people)
    assert opened(next_month).ledger.nearly_same().unsettled


@pytest.mark.parametrize("content", [b"", b"short", b"\0" * 33])
def test_a_damaged_key_keeps_nobody_from_work(people: Path, next_month: Path, content: bytes) -> None:
    released(people)
    (sketches() / "key").write_bytes(content)
    session = opened(next_month)
    near = session.ledger.nearly_same()
    assert near.releases is NearReleases.NONE
    assert "damaged" in near.problems[0]
    session.ledger.current.charge(Charge("query", "y", HALF))
    assert opened(people).ledger.current.spent().epsilon == HALF
    assert (sketches() / "key").read_bytes() == content
    assert "damaged" not in json.dumps([r.text + r.remedy for r in session.release.claim().cautions])


def test_a_lost_key_is_told(people: Path, next_month: Path, command: Callable[..., tuple[dict, str]]) -> None:
    released(people)
    (sketches() / "key").unlink()
    _, err = command("query", next_month, "--query", "count", "--epsilon", "1")
    assert "There is no key" in err
    _, err = command("query", next_month, "--query", "count", "--epsilon", "1")
    assert "another key" in err
    opened(people)  # by which its sketch is made anew
    assert opened(next_month).ledger.nearly_same().unsettled


@pytest.mark.parametrize(
    "damage", [lambda c: b"", lambda c: c[:-1], lambda c: c[:99] + bytes([c[99] ^ 1]) + c[100:], lambda c: c * 2]
)
def test_a_damaged_sketch_keeps_nobody_from_work(
    people: Path, next_month: Path, damage: Callable[[bytes], bytes]
) -> None:
    session = released(people)
    file = sketches() / f"{session.data.fingerprint}.sketch"
    file.write_bytes(damage(file.read_bytes()))
    near = opened(next_month).ledger.nearly_same()
    assert near.releases is NearReleases.NONE
    assert "damaged" in near.problems[0]
    assert released(next_month).ledger.current.spent().epsilon == HALF


def test_what_cannot_be_compared_is_told_and_not_taken_for_the_same(
    people: Path, next_month: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> bool:
        raise WorkbenchError("The engine is gone.", hint="Start it again.")

    released(people)
    monkeypatch.setattr(near_ledgers, "is_nearly_the_same", gone)
    near = opened(next_month).ledger.nearly_same()
    assert near.releases is NearReleases.NONE and "The engine is gone." in near.problems


def test_what_was_found_once_stays_though_its_sketch_is_damaged(people: Path, next_month: Path) -> None:
    released(people)
    assert released(next_month).ledger.nearly_same().releases is NearReleases.NOT_ADDED_UP
    (sketch,) = [file for file in sketches().glob("*.sketch") if opened(people).ledger.current.fingerprint in file.name]
    sketch.write_bytes(b"no sketch")
    assert opened(next_month).ledger.nearly_same().releases is NearReleases.NOT_ADDED_UP


def test_a_sketch_under_another_name_is_not_believed(people: Path, next_month: Path, others: Path) -> None:
    one, two = released(people), released(others)
    (sketches() / f"{one.data.fingerprint}.sketch").replace(sketches() / f"{two.data.fingerprint}.sketch")
    assert two.data.fingerprint not in opened(next_month).ledger.nearly_same().unsettled


def test_a_folder_that_cannot_be_made_loses_no_charge(people: Path, next_month: Path) -> None:
    ledgers_folder().mkdir(parents=True)
    sketches().write_bytes(b"a file in its place")
    session = released(people)
    assert session.ledger.current.spent().epsilon == HALF
    assert session.ledger.nearly_same().problems
    assert opened(next_month).ledger.nearly_same().releases is NearReleases.NONE


def test_a_damaged_ledger_of_nearly_the_same_data_is_taken_for_releases(people: Path, next_month: Path) -> None:
    first = released(people)
    first.ledger.current.path.write_bytes(b"rubbish\n")
    session = opened(next_month)
    assert session.ledger.nearly_same().releases is NearReleases.NOT_ADDED_UP
    session.ledger.current.charge(Charge("query", "y", HALF))


def test_the_sketch_is_there_before_the_charge(people: Path, next_month: Path) -> None:
    """Whoever is killed right after a charge is written has left the sketch too."""
    code = (
        "import os, sys\nfrom fractions import Fraction\nfrom pathlib import Path\n"
        "from workbench.query import ledger_file\nfrom workbench.query.ledger import Charge\n"
        "from workbench.session import Session\n"
        "session = Session()\nsession.data.open(Path(sys.argv[1]))\n"
        "forced = os.fsync\n"
        "def die(descriptor):\n    forced(descriptor)\n    os._exit(7)\n"
        "write = ledger_file.LedgerFile._write\n"
        "def watched(self, *rest):\n    os.fsync = die\n    write(self, *rest)\n"
        "ledger_file.LedgerFile._write = watched\n"
        "session.ledger.current.charge(Charge('query', 'x', Fraction(1, 2)))\n"
    )
    died = subprocess.run([sys.executable, "-c", code, str(people)], check=False)
    assert died.returncode == 7
    session = opened(next_month)
    assert session.ledger.nearly_same().unsettled
    session.ledger.continue_count()
    assert session.ledger.current.spent().epsilon == HALF


def test_a_ledger_that_was_named_is_told_too(people: Path, next_month: Path, tmp_path: Path) -> None:
    released(people)
    session = opened(next_month)
    session.ledger.use_file(tmp_path / "own.jsonl")
    assert session.ledger.nearly_same().unsettled
    session.ledger.continue_count()
    assert session.ledger.current.spent().epsilon == HALF


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_word_that_is_kept_first_makes_a_folder_that_nobody_else_can_list(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        SketchFolder(tmp_path).declare_other_people("a", "b")
    finally:
        os.umask(before)
    folder = SketchFolder(tmp_path).folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert SketchFolder(tmp_path).other_people("b") == {"a"}


@pytest.mark.skipif(os.name != "posix", reason="not every system brings the names of a folder to the disk")
def test_a_new_key_is_on_the_disk_before_its_name_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a power cut could leave a key of noughts, which anybody could guess, under the name of a whole one."""
    forced, sizes, force = [], list[int](), os.fsync
    sketches = SketchFolder(tmp_path)

    def watched(descriptor: int) -> None:
        known = sorted(file.name for file in sketches.folder.iterdir() if not file.name.startswith("."))
        forced.append((os.fstat(descriptor).st_ino, known))
        sizes.append(os.fstat(descriptor).st_size)
        force(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    made = sketches.key(make=True)
    assert made is not None and sizes[0] == len(made)
    key = next(file for file in sketches.folder.iterdir())
    assert forced == [(key.stat().st_ino, []), (sketches.folder.stat().st_ino, [key.name])]


def test_no_key_is_made_by_looking_for_one(tmp_path: Path) -> None:
    sketches = SketchFolder(tmp_path / "ledgers")
    assert sketches.key() is None and not sketches.has("rows1-x") and not sketches.problems
    assert not list(tmp_path.iterdir())


def test_only_what_is_said_of_two_tables_is_known_of_them(tmp_path: Path) -> None:
    sketches = SketchFolder(tmp_path)
    sketches.remember_near("b", "a")
    sketches.remember_near("c", "d")
    sketches.declare_other_people("a", "c")
    (sketches.folder / "a~e.near").mkdir()
    assert [sorted(sketches.near(name)) for name in "abcde"] == [["b"], ["a"], ["d"], ["c"], []]
    assert [sorted(sketches.other_people(name)) for name in "abcde"] == [["c"], [], ["a"], [], []]


@pytest.mark.parametrize("begun", [lambda one: one.remember_near("one", "other"), lambda one: one.key(make=True)])
def test_the_folder_of_sketches_is_for_its_owner_alone(tmp_path: Path, begun: Callable[[SketchFolder], object]) -> None:
    folder = tmp_path / "ledgers" / "sketches"
    begun(SketchFolder(folder.parent))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("damage", ["{}\n", "no ledger\n{}\n"])
def test_a_damaged_ledger_of_ones_own_is_no_release(people: Path, next_month: Path, damage: str) -> None:
    session = released(people)
    (ledger,) = ledgers_folder().glob("*.jsonl")
    ledger.write_text(damage, encoding="utf-8")
    for sketch in sketches().glob("*.sketch"):
        sketch.unlink()
    assert session.data.reading.table.rows == 3000
    opened(people).ledger.nearly_same()
    assert not list(sketches().glob("*.sketch")), "nothing is known to have been released"
