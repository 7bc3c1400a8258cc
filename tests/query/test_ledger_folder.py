"""The same people in a file that is read or written in another way have one budget."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.core.composition import TablePart
from workbench.core.content import fingerprints
from workbench.core.errors import WorkbenchError
from workbench.core.table import Column, Table
from workbench.io.dialect import Dialect
from workbench.query.ledger import Charge, Ledger, LedgerHistory
from workbench.query.ledger_file import ledgers_folder
from workbench.query.ledger_folder import LedgerFolder
from workbench.session import Session

HALF = Fraction(1, 2)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    file.write_text("age,city\n" + "".join(f"{20 + i % 40},Zürich\n" for i in range(100)), encoding="utf-8")
    return file


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., dict]:
    def run(*words: object, code: int = 0) -> dict:
        assert main([*map(str, words), "--json"]) == code
        out, err = capsys.readouterr()
        return json.loads(out) if code == 0 else {"error": err}

    return run


def opened(file: Path, dialect: Dialect | None = None) -> Session:
    session = Session()
    session.data.open(file, dialect)
    return session


def charge(epsilon: Fraction = HALF) -> Charge:
    return Charge("query", "x", epsilon)


def no_heading(file: Path) -> Session:
    return opened(file, Dialect(header=False))


def other_encoding(file: Path) -> Session:
    return opened(file, Dialect(encoding="cp1252"))


def lines_left_out(file: Path) -> Session:
    return opened(file, Dialect(skip_lines=1))


def renamed(file: Path) -> Session:
    other = file.with_name("renamed.csv")
    other.write_text(file.read_text(encoding="utf-8").replace("age,", "years,"), encoding="utf-8")
    return opened(other)


def renamed_and_shuffled(file: Path) -> Session:
    other = file.with_name("shuffled.csv")
    _, *rows = file.read_text(encoding="utf-8").splitlines()
    swapped = ["a;b", *(";".join(reversed(row.split(","))) for row in reversed(rows))]
    other.write_text("\n".join(swapped) + "\n", encoding="utf-8")
    return opened(other)


@pytest.mark.parametrize("other", [no_heading, other_encoding, lines_left_out, renamed, renamed_and_shuffled])
def test_another_reading_has_the_same_budget(people: Path, other: Callable[[Path], Session]) -> None:
    first = opened(people)
    first.ledger.current.set_budget(Fraction(1), Fraction(0))
    first.ledger.current.charge(charge())
    second = other(people)
    assert second.data.fingerprint != first.data.fingerprint
    assert second.ledger.current.spent().epsilon == HALF
    assert second.ledger.current.budget == first.ledger.current.budget
    second.ledger.current.charge(charge())
    assert opened(people).ledger.current.spent().epsilon == 1, "and the other way round"
    assert first.ledger.current.spent().epsilon == 1, "at once"
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        first.ledger.current.charge(charge())


def test_what_was_found_is_written_down(people: Path) -> None:
    first = opened(people)
    first.ledger.current.charge(charge())
    second = no_heading(people)
    second.ledger.current.charge(charge())
    first.ledger.current.path.unlink()
    assert no_heading(people).ledger.current.spent().epsilon == 1
    assert opened(people).ledger.current.spent().epsilon == 1


def test_a_ledger_leads_to_the_next(people: Path) -> None:
    """Its rows with other headings, and that file read without any: three ledgers of the same people."""
    opened(people).ledger.current.charge(charge())
    renamed(people).ledger.current.charge(charge())
    third = no_heading(people.with_name("renamed.csv"))
    assert third.ledger.current.spent().epsilon == 1
    third.ledger.current.charge(charge())
    assert opened(people).ledger.current.spent().epsilon == Fraction(3, 2)


def swapped(file: Path) -> Path:
    """The same rows, whose two headings changed places."""
    other = file.with_name("swapped.csv")
    other.write_text(file.read_text(encoding="utf-8").replace("age,city", "city,age"), encoding="utf-8")
    return other


@pytest.mark.parametrize("gone", [False, True])
def test_parts_of_the_same_rows_under_other_headings_are_no_parts_of_one_column(
    people: Path, command: Callable[..., dict], gone: bool
) -> None:
    """What is “city” in one file is an age in the other: whoever is 20 in Zürich is in both parts."""
    ask = ("--query", "count", "--epsilon", "1", "--where")
    assert command("query", people, *ask, "city = 'Zürich'")["spent"]["epsilon"] == 1
    first = opened(people).ledger.current.path
    assert command("query", people, *ask, "city = 'Bern'")["spent"]["epsilon"] == 1, "in parallel"
    assert command("query", swapped(people), *ask, "age = 'Basel'")["spent"]["epsilon"] == 3
    if gone:
        first.unlink()
    assert command("ledger", swapped(people))["spent"]["epsilon"] == 3
    assert command("query", people, *ask, "city = 'Biel'")["spent"]["epsilon"] == 4


def test_parts_that_were_read_in_another_encoding_are_no_parts_of_one_column(people: Path) -> None:
    first, second = opened(people), other_encoding(people)
    for session, name in ((first, "Zürich"), (second, "ZÃ¼rich")):
        session.ledger.current.charge(Charge("query", "x", HALF, cells=TablePart("city", frozenset({name}))))
    assert first.ledger.current.spent().epsilon == second.ledger.current.spent().epsilon == 1
    first.ledger.current.path.unlink()
    assert other_encoding(people).ledger.current.spent().epsilon == 1, "it is written down"


@pytest.mark.skipif(os.name == "nt", reason="there no folder can be locked")
def test_two_readings_of_the_same_rows_cannot_spend_the_same_budget_at_once(people: Path) -> None:
    """Each has a file and a lock of its own, and decides by what is in both."""
    first, second = opened(people).ledger.current, no_heading(people).ledger.current
    first.set_budget(Fraction(1))
    wide = Charge("query", "x", Fraction(3, 4))
    refused: list[str] = []

    def spend() -> None:
        try:
            second.charge(wide)
        except WorkbenchError as error:
            refused.append(str(error))

    other = threading.Thread(target=spend)
    read = first._beside.related  # type: ignore[union-attr]

    def slowly(*names: Any) -> LedgerHistory:
        found = read(*names)
        if other.ident is None:
            other.start()
            other.join(0.3)  # it waits until this is written, or would have written
        return found

    first._beside.related = slowly  # type: ignore[method-assign, union-attr]
    first._known = None
    first.charge(wide)
    other.join()
    assert len(refused) == 1 and "beyond the budget" in refused[0]
    assert opened(people).ledger.current.spent().epsilon == Fraction(3, 4)


def test_an_answer_is_not_given_again_for_the_same_rows_under_other_headings(
    tmp_path: Path, command: Callable[..., dict]
) -> None:
    first = tmp_path / "first.csv"
    first.write_text("age,city\n" + "young,Bern\nold,Bern\n" * 50, encoding="utf-8")
    ask = ("--query", "count", "--epsilon", "20", "--where", "city = 'Bern'")
    assert command("query", first, *ask)["answer"] == 100
    found = command("query", swapped(first), *ask)
    assert not found["stored"] and found["answer"] == 0


def test_other_data_has_another_ledger(people: Path) -> None:
    opened(people).ledger.current.charge(charge())
    for number, text in enumerate(("age,city\n20,Bern\n", "a,b\n", "c,d\n", people.read_text("utf-8") + "20,Bern\n")):
        other = people.with_name(f"other {number}.csv")
        other.write_text(text, encoding="utf-8")
        session = opened(other)
        assert not session.ledger.current.entries
        session.ledger.current.charge(charge())
        assert session.ledger.current.spent().epsilon == HALF


def test_another_reading_on_another_machine(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(people)
    session.ledger.current.charge(charge())
    session.save(tmp_path / "p.wbench")
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "another machine"))
    there = Session.from_file(tmp_path / "p.wbench")
    there.data.open(people)
    there.ledger.current.charge(charge())
    assert no_heading(people).ledger.current.spent().epsilon == 1


def test_a_ledger_of_ones_own_counts_the_usual_one(people: Path, tmp_path: Path, command: Callable[..., dict]) -> None:
    ask = ["query", people, "--query", "count", "--epsilon", "0.5", "--again"]
    command("ledger", people, "--set-budget", "1,0")
    command(*ask)
    own = tmp_path / "own.jsonl"
    command(*ask, "--ledger", own)
    assert command("ledger", people, "--ledger", own)["spent"]["epsilon"] == 1
    assert "beyond the budget" in command(*ask, "--ledger", own, code=2)["error"]
    assert command("ledger", people)["spent"]["epsilon"] == 0.5


def test_reading_it_otherwise_does_not_get_around_the_budget(people: Path, command: Callable[..., dict]) -> None:
    command("ledger", people, "--set-budget", "1,0")
    ask = ["query", people, "--query", "count", "--epsilon", "1", "--again"]
    command(*ask)
    for more in (["--encoding", "cp1252"], ["--no-header"]):
        assert "beyond the budget" in command(*ask, *more, code=2)["error"]


def test_a_damaged_ledger_of_the_same_data_stops_everything_and_others_nothing(people: Path) -> None:
    first = opened(people)
    first.ledger.current.charge(charge())
    beside = ledgers_folder() / "rubbish.ledger.jsonl"
    beside.write_bytes(b"rubbish\n")
    (ledgers_folder() / "folder.ledger.jsonl").mkdir()
    assert no_heading(people).ledger.current.spent().epsilon == HALF
    content = first.ledger.current.path.read_bytes()
    first.ledger.current.path.write_bytes(content.replace(b'"1/2"', b'"1/9"'))
    with pytest.raises(WorkbenchError, match="damaged"):
        no_heading(people).ledger.current.charge(charge())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may read everything")
def test_a_ledger_nobody_may_read_is_not_passed_over(people: Path) -> None:
    first = opened(people)
    first.ledger.current.charge(charge())
    first.ledger.current.path.chmod(0)
    with pytest.raises(WorkbenchError, match="cannot be read"):
        no_heading(people).ledger.current.charge(charge())


def test_a_copy_counts_once(people: Path) -> None:
    first = opened(people)
    first.ledger.current.charge(charge())
    copy = first.ledger.current.path.with_name("copy.ledger.jsonl")
    copy.write_bytes(first.ledger.current.path.read_bytes())
    assert opened(people).ledger.current.spent().epsilon == HALF


def test_text_in_a_ledger_does_not_name_its_data(tmp_path: Path) -> None:
    text = '{"type":"alias","of":"bytes"} "ledger":"x","version":1,"fingerprint":"bytes"'
    Ledger.for_data("rows1-a").charge(Charge("query", text, HALF))
    assert not Ledger.for_data("rows1-b", LedgerHistory(aliases=frozenset({"bytes"}))).entries


def test_headings_do_not_matter_for_the_texts() -> None:
    def table(*columns: tuple[str, list[str]]) -> Table:
        return Table(tuple(Column.from_texts(name, texts) for name, texts in columns))

    one = table(("a", ["1", "2", "3"]), ("b", ["x", "y", "x"]))
    assert fingerprints(one).rows.startswith("rows1-") and fingerprints(one).texts.startswith("texts1-")
    same = table(("y", ["3", "1", "2"]), ("x", ["x", "x", "y"]))
    assert fingerprints(one).texts == fingerprints(same).texts
    assert fingerprints(one).rows != fingerprints(same).rows
    for other in (
        table(("a", ["1", "2", "3"]), ("b", ["y", "x", "x"])),
        table(("a", ["1", "2", "3"])),
        table(("a", ["1", "2", "3"]), ("b", ["x", "y", "x"]), ("c", ["", "", ""])),
    ):
        assert fingerprints(one).texts != fingerprints(other).texts
    long = np.arange(150_000, dtype=np.int32) % 7
    first = Table((Column("a", long, tuple("abcdefg")),))
    assert fingerprints(first).texts == fingerprints(Table((Column("b", long[::-1], tuple("abcdefg")),))).texts


def test_ledgers_that_never_met_are_found_one_by_another() -> None:
    for name, aliases in (("a", "x"), ("b", "xy"), ("c", "y"), ("d", "z")):
        path = ledgers_folder() / f"rows1-{name}.ledger.jsonl"
        Ledger(path, f"rows1-{name}", LedgerHistory(aliases=frozenset(aliases))).charge(charge())
    assert [Ledger.for_data(f"rows1-{name}").spent().epsilon * 2 for name in "abcd"] == [3, 3, 3, 1]


def test_what_a_ledger_says_its_data_is_called_is_read_again_when_it_has_changed(people: Path) -> None:
    session = opened(people)
    session.ledger.current.charge(charge())
    folder = LedgerFolder(ledgers_folder())
    fingerprint = session.data.fingerprint
    other = "rows1-" + "0f" * 32
    assert other not in folder.family([fingerprint])
    session.ledger.current.continue_counts_of([other])
    assert other in folder.family([fingerprint]) and fingerprint in folder.family([other])
