"""The file of a ledger: what comes back of it, copies, crashes, changes, disks that fail, and who may read it."""

from __future__ import annotations

import errno
import json
import os
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from tests.query.helpers import again, query
from workbench.core.composition import REPLACE_ONE
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.query.ledger import Budget, Charge, Ledger, LedgerEntry, LedgerHistory, LeftFile, TablePart
from workbench.query.ledger_file import ledgers_folder


def test_everything_comes_back_as_it_was_written(ledger: Ledger) -> None:
    charge = Charge(
        "query", "mean of “größe”\n", Fraction(1, 3), Fraction(1, 10**7), 2, "grid", REPLACE_ONE,
        {"bounds": [0, 1.5], "where": "a = 'ü'", "none": None}, TablePart("größe", frozenset({"x", ""})), True, "draw",
    )  # fmt: skip
    entry = ledger.charge(charge)
    ledger.answer(entry.id, {"value": 3.25, "interval": [1, 2]})
    (found,) = again(ledger).answered()
    assert (found.id, found.when, found.answer) == (entry.id, entry.when, {"value": 3.25, "interval": [1, 2]})
    assert found.charge == charge


def test_an_answer_belongs_to_one_charge_and_stays(ledger: Ledger) -> None:
    entry = ledger.charge(query("1"))
    ledger.answer(entry.id, 7)
    ledger.answer(entry.id, 7)
    with pytest.raises(ValueError, match="second answer"):
        ledger.answer(entry.id, 8)
    with pytest.raises(ValueError, match="without a charge"):
        ledger.answer("nobody", 8)
    assert [e.answer for e in again(ledger).entries] == [7]


def test_the_same_draw_is_paid_for_once(ledger: Ledger) -> None:
    first = ledger.charge(query("1", key="draw"))
    assert again(ledger).charge(query("1", key="draw")).id == first.id
    ledger.charge(query("1"))
    ledger.charge(query("1"))  # no key: always a new one
    assert again(ledger).spent().epsilon == 3


def test_copies_are_united_entry_by_entry(ledger: Ledger, tmp_path: Path) -> None:
    other = Ledger(tmp_path / "other.jsonl", ledger.fingerprint)
    shared = ledger.charge(query("0.1"))
    other.merge(ledger.entries)
    other.charge(query("0.2"))
    other.answer(shared.id, 5)
    other.set_budget(Fraction(2), Fraction(1, 10))
    ledger.set_budget(Fraction(3))
    for _ in range(2):
        ledger.merge(other.entries, other.budget)
    assert again(ledger).spent().epsilon == Fraction(3, 10)
    assert again(ledger).entries[0].answer == 5
    assert again(ledger).budget == Budget(Fraction(2), Fraction(0))  # the smaller of each


def test_what_is_carried_counts_before_it_is_written(ledger: Ledger) -> None:
    carried = LedgerHistory((LedgerEntry("a", "2020", query("0.9")),), Budget(Fraction(1), Fraction(0)))
    fresh = Ledger(ledger.path, ledger.fingerprint, carried)
    assert fresh.spent().epsilon == Fraction(9, 10)
    assert not fresh.path.exists()
    with pytest.raises(WorkbenchError, match="budget"):
        fresh.charge(query("0.2"))
    fresh.charge(query("0.1"))
    assert again(ledger).spent().epsilon == 1
    assert again(ledger).budget == carried.budget


@pytest.mark.parametrize("others", [0, 4])
def test_what_was_known_counts_also_where_an_older_copy_of_the_file_was_put_back(ledger: Ledger, others: int) -> None:
    ledger.set_budget(Fraction(1))
    ledger.charge(query("1/4"))
    early = ledger.path.read_bytes()
    ledger.charge(query("1/2"))
    ledger.path.write_bytes(early)
    for _ in range(others):
        again(ledger).charge(query("1/100"))
    spent = Fraction(3, 4) + others * Fraction(1, 100)
    assert ledger.spent().epsilon == spent
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        ledger.charge(query("1/2"))
    ledger.charge(query("1/5"))
    assert again(ledger).spent().epsilon == spent + Fraction(1, 5), "and stands in the file again"


@pytest.mark.parametrize("begun_by_another", [False, True])
@pytest.mark.parametrize("how", ["removed", "emptied", "moved to another folder", "copied and removed"])
def test_what_was_known_counts_also_where_the_file_is_gone(
    ledger: Ledger, tmp_path: Path, how: str, begun_by_another: bool
) -> None:
    ledger.set_budget(Fraction(1))
    entry = ledger.charge(query("1/2"))
    ledger.answer(entry.id, 7)
    (tmp_path / "elsewhere").mkdir()
    if how == "emptied":
        ledger.path.write_bytes(b"")
    elif how == "moved to another folder":
        ledger.path.rename(tmp_path / "elsewhere" / ledger.path.name)
    else:
        if how == "copied and removed":
            (tmp_path / "copy").write_bytes(ledger.path.read_bytes())
        ledger.path.unlink()
        (tmp_path / "anything").write_text("a new file may take the number of the one that is gone", encoding="utf-8")
    spent = Fraction(1, 2)
    if begun_by_another:
        again(ledger).charge(query("1/4"))
        spent += Fraction(1, 4)
    assert ledger.spent().epsilon == spent
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        ledger.charge(query("3/5"))
    ledger.charge(query("1/5"))
    written = again(ledger)
    assert written.spent().epsilon == spent + Fraction(1, 5), "and stands in the file again"
    assert (written.budget, [one.answer for one in written.answered()]) == (Budget(Fraction(1), Fraction(0)), [7])


@pytest.mark.parametrize("looked_first", [False, True])
def test_what_was_known_counts_where_the_file_went_just_before_a_charge(ledger: Ledger, looked_first: bool) -> None:
    """The charge makes the file anew, so that there is one again when it looks what was spent."""
    ledger.set_budget(Fraction(1))
    ledger.charge(query("1/2"))
    ledger.path.unlink()
    if looked_first:
        ledger.spent()
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        ledger.charge(query("3/5"))
    ledger.charge(query("1/2"))
    assert again(ledger).spent().epsilon == 1


def test_a_file_of_what_was_charged_before_is_judged_without_charging_it_again(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(2))
    once = query("1", key="k")
    ledger.charge(once)
    left = LeftFile("x.csv", "0" * 64, None, KnownNumber.PEOPLE)
    ledger.charge(once, left=left)  # where the number is known it comes to 2, and would come to 4 if it counted twice
    assert ledger.history.number_known


def test_the_persons_own_folder_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "elsewhere"))
    Ledger.for_data("rows1-y").charge(query("1"))
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["rows1-y.ledger.jsonl"]
    assert Ledger.for_data("rows1-y").spent().epsilon == 1
    assert Ledger.for_data("rows1-z").spent().epsilon == 0
    assert ledgers_folder() == tmp_path / "elsewhere"


@pytest.fixture
def filled(ledger: Ledger) -> Ledger:
    ledger.set_budget(Fraction(10))
    for number in range(1, 4):
        entry = ledger.charge(query(f"{number}/10"))
        ledger.answer(entry.id, number)
    return ledger


def test_a_crash_at_any_byte_loses_at_most_the_last_line(filled: Ledger) -> None:
    whole = filled.path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    charges = [b'"type":"charge"' in line for line in whole.split(b"\n")]
    for cut in range(len(whole) + 1):
        filled.path.unlink()  # a disk waits where a file is written over
        filled.path.write_bytes(whole[:cut])
        left = again(filled)
        lines = sum(end <= cut for end in ends)
        assert len(left.entries) == sum(charges[:lines])
        if cut % 311 == 0 or cut + 1 in ends:  # the next charge goes behind what was torn
            left.charge(query("1/7"))
            (last,) = (e for e in again(filled).entries if e.charge.epsilon == Fraction(1, 7))
            assert len(again(filled).entries) == sum(charges[:lines]) + 1
            assert filled.path.read_bytes().startswith(whole[:cut])
            left.answer(last.id, "after")
            assert again(filled).entries[-1].answer == "after"


def test_crash_upon_crash_is_survived(filled: Ledger) -> None:
    expected = len(filled.entries)
    for number in range(5):
        with filled.path.open("ab") as file:
            file.write(b'{"digest":"' + b"ab" * number)
        if number % 2:
            filled.charge(query("1/100"))
            expected += 1
        assert len(again(filled).entries) == expected


def test_a_line_that_was_changed_cut_out_or_moved_is_noticed(filled: Ledger) -> None:
    lines = filled.path.read_bytes().splitlines(keepends=True)
    cheaper = [line.replace(b'"epsilon":"1/10"', b'"epsilon":"1/99"') for line in lines]
    assert cheaper != lines
    other_answer = [line.replace(b'"answer":3', b'"answer":4') for line in lines]
    wrong = [
        cheaper,
        other_answer,
        lines[1:],
        lines[:2] + lines[3:],
        lines[:2] + lines[3:4] + lines[2:],
        [*lines[:2], b"{}\n", *lines[2:]],
        [*lines, b"rubbish\n"],
        [*lines, lines[-1]],
        [b"\n", *lines],
    ]
    for content in wrong:
        filled.path.write_bytes(b"".join(content))
        with pytest.raises(WorkbenchError, match="damaged or no ledger"):
            again(filled).spent()
        before = filled.path.read_bytes()
        with pytest.raises(WorkbenchError, match="damaged or no ledger"):
            again(filled).charge(query("1"))
        assert filled.path.read_bytes() == before


def test_other_files_are_not_taken_for_a_ledger(tmp_path: Path, filled: Ledger) -> None:
    table = tmp_path / "table.csv"
    for content in (b"a,b\n1,2\n", b"a,b", b"\x00" * 100, b"{}\n", b"null\n"):
        table.write_bytes(content)
        with pytest.raises(WorkbenchError, match="no ledger"):
            Ledger(table, "rows1-x").charge(query("1"))
        assert table.read_bytes() == content
    with pytest.raises(WorkbenchError, match="other data"):
        Ledger(filled.path, "rows1-other").charge(query("1"))
    with pytest.raises(WorkbenchError, match="no ordinary file"):
        Ledger(Path("/dev/full"), "rows1-x").charge(query("1"))


def test_a_newer_ledger_is_left_alone(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as context:
        context.setattr("workbench.query.ledger_file.VERSION", 99)
        ledger.charge(query("1"))
    with pytest.raises(WorkbenchError, match="newer version"):
        again(ledger).spent()


def test_a_record_of_an_unknown_kind_is_not_skipped(ledger: Ledger) -> None:
    ledger._file.append(lambda _: [{"type": "refund", "epsilon": "1"}])
    with pytest.raises(WorkbenchError, match="does not understand"):
        again(ledger).charge(query("1"))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_full_disk_refuses_before_any_answer(filled: Ledger, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    write, room = os.write, 40

    def full(descriptor: int, data: bytes) -> int:
        nonlocal room
        if room <= 0:
            raise OSError(code, os.strerror(code))
        written = write(descriptor, bytes(data)[:room])
        room -= written
        return written

    before = filled.spent()
    with monkeypatch.context() as context, pytest.raises(WorkbenchError, match=r"cannot be written.*was released"):
        context.setattr(os, "write", full)
        filled.charge(query("1"))
    assert again(filled).spent() == before
    filled.charge(query("1"))
    assert again(filled).spent().epsilon == before.epsilon + 1


def test_a_disk_that_cannot_promise_refuses(filled: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    before = filled.spent().epsilon
    with monkeypatch.context() as context, pytest.raises(WorkbenchError, match="cannot be written"):
        context.setattr(os, "fsync", broken)
        filled.charge(query("1"))
    assert again(filled).spent().epsilon >= before  # it may stand there, which is the safe side


def test_places_that_cannot_be_written(tmp_path: Path, ledger: Ledger) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="cannot be written"):
        Ledger(tmp_path / "file" / "l.jsonl", "x").charge(query("1"))
    with pytest.raises(WorkbenchError, match="cannot be written"):
        Ledger(tmp_path, "x").charge(query("1"))
    with pytest.raises(WorkbenchError, match="cannot be read"):
        Ledger(tmp_path, "x").spent()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_folder_without_permission_refuses(ledger: Ledger) -> None:
    ledger.path.parent.chmod(0o500)
    try:
        with pytest.raises(WorkbenchError, match="you may not write there"):
            ledger.charge(query("1"))
    finally:
        ledger.path.parent.chmod(0o700)


def test_others_may_not_read_a_ledger(ledger: Ledger) -> None:
    ledger.charge(query("1"))
    if os.name == "posix":
        assert ledger.path.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix", reason="who may read is said in another way")
def test_others_may_not_even_list_the_folder_of_ledgers(tmp_path: Path) -> None:
    folder = tmp_path / "ledgers"
    before = os.umask(0)
    try:
        Ledger(folder / "data.ledger.jsonl", "x").charge(query("1"))
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix", reason="not every system brings the names of a folder to the disk")
def test_a_new_ledger_has_its_name_on_the_disk_before_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its name, a power cut would take the whole ledger away, and what was spent would count as unspent."""
    folder, forced, force = tmp_path / "ledgers", [], os.fsync
    ledger = Ledger(folder / "data.ledger.jsonl", "x")

    def watched(descriptor: int) -> None:
        forced.append(os.fstat(descriptor).st_ino)
        force(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    ledger.charge(query("1"))
    assert forced == [ledger.path.stat().st_ino, folder.stat().st_ino]
    ledger.charge(query("1"))
    assert forced[2:] == [ledger.path.stat().st_ino]


def test_a_ledger_that_was_moved_away_while_open_is_begun_anew(filled: Ledger) -> None:
    filled.path.rename(filled.path.with_name("moved"))
    filled.charge(query("1"))
    assert filled.spent().epsilon == 1
    assert Ledger(filled.path.with_name("moved"), "rows1-x").spent().epsilon == Fraction(6, 10), "which keeps the rest"


def test_lines_are_json(filled: Ledger) -> None:
    records = [json.loads(line) for line in filled.path.read_text("ascii").splitlines()]
    assert records[0]["version"] == 1
    assert [record["epsilon"] for record in records if record.get("type") == "charge"] == ["1/10", "1/5", "3/10"]


def test_what_was_known_counts_where_the_whole_folder_is_gone(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "its" / "data.ledger.jsonl", "rows1-x")
    ledger.path.parent.mkdir()
    ledger.charge(query("1/2"))
    shutil.rmtree(ledger.path.parent)
    assert ledger.spent().epsilon == Fraction(1, 2)
