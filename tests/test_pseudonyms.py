"""Pseudonyms: one for each value, the same in every file of a key, and nothing is claimed of a file that has them."""

from __future__ import annotations

import csv
import hashlib
import hmac
import json
import os
from base64 import b32encode, b64decode
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.cli.main import main
from workbench.core.canonical import natural_key
from workbench.core.errors import WorkbenchError
from workbench.core.pseudonyms import pseudonym, pseudonymised
from workbench.core.schema import Role
from workbench.core.table import Column
from workbench.io.export_format import ExportFormat
from workbench.io.pseudonym_key import read_pseudonym_key, usual_pseudonym_key
from workbench.project.names_beside import statement_beside
from workbench.query.ledger_file import ledgers_folder
from workbench.report.pseudonym_statement import LINKAGE, NOT_CLAIMED, WHY
from workbench.session import Session
from workbench.session.export import Targets
from workbench.session.pseudonyms import new_pseudonym_key, pseudonymiser

KEY = bytes(range(32))
Say = Callable[..., tuple[int, str]]
PEOPLE = [("7", "Ann", "30"), ("8", "Bob", "41"), ("7", "Ann", "31"), ("", "Eve", "5"), ("9", "Zoë", "41")]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    def run(*words: object) -> tuple[int, str]:
        code = main([str(word) for word in words])
        found = capsys.readouterr()
        return code, found.out + found.err

    return run


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return new_pseudonym_key(tmp_path / "secret" / "key.pem")


def table(path: Path, rows: list[tuple[str, ...]], heading: tuple[str, ...] = ("id", "name", "age")) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([heading, *rows])
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def out(tmp_path: Path, name: str = "out.csv") -> Path:
    (tmp_path / "passed on").mkdir(exist_ok=True)
    return tmp_path / "passed on" / name


# What a pseudonym is


def test_a_pseudonym_is_the_start_of_an_hmac() -> None:
    made = hmac.new(KEY, "anonymisation-workbench pseudonym 1\0Zoë".encode(), hashlib.sha256).digest()
    assert pseudonym(KEY, "Zoë") == f"p{b32encode(made)[:20].decode().lower()}"
    assert pseudonym(KEY, "Zoe\u0308") == pseudonym(KEY, "Zoë") != pseudonym(KEY, "Zoe")
    assert pseudonym(KEY[::-1], "Zoë") != pseudonym(KEY, "Zoë")
    with pytest.raises(ValueError, match="32 bytes"):
        pseudonym(b"", "Zoë")


def test_many_values_have_as_many_pseudonyms() -> None:
    values = tuple(str(number) for number in range(20_000))
    made = pseudonymised(Column("id", np.arange(len(values)), values), KEY, ("",))
    assert len(set(made.values)) == len(values)
    assert {len(one) for one in made.values} == {21} and all(one.isalnum() and one[0] == "p" for one in made.values)


def test_two_values_that_would_share_one_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.core.pseudonyms._SIGNS", 0)
    with pytest.raises(WorkbenchError, match="same pseudonym"):
        pseudonymised(Column.from_texts("id", ["7", "8"]), KEY, ())


# Files


def test_a_file_has_pseudonyms_and_says_that_nothing_is_claimed(tmp_path: Path, key: Path, say: Say) -> None:
    data, made = table(tmp_path / "people.csv", PEOPLE), out(tmp_path)
    words = ["pseudonymise", data, "--column", "id", "--leave-out", "name", "--out", made, "--key", key, "--json"]
    code, said = say(*words)
    found = json.loads(said)
    assert code == 0 and found["claim"] is False and NOT_CLAIMED in found["reasons"]
    secret = read_pseudonym_key(key)
    expected = [{"id": pseudonym(secret, one) if one else "", "age": age} for one, _name, age in PEOPLE]
    assert sorted(rows_of(made), key=str) == sorted(expected, key=str)
    in_order = sorted((one["id"] for one in expected), key=natural_key)  # in which p2a comes before p10a
    assert [one["id"] for one in rows_of(made)] == in_order, "not in the order of the data"
    page = statement_beside(made).read_text("utf-8")
    assert all(sentence.replace("'", "&#x27;") in page for sentence in (NOT_CLAIMED, *WHY, *LINKAGE))
    assert hashlib.sha256(made.read_bytes()).hexdigest() in page
    before = made.read_bytes()
    assert say(*words)[0] == 2 and made.read_bytes() == before, "nothing is overwritten without being asked to"
    assert say(*words, "--force")[0] == 0 and made.read_bytes() == before


def test_the_same_value_has_the_same_pseudonym_in_every_file_of_a_key(tmp_path: Path, key: Path) -> None:
    one = wb.open(table(tmp_path / "a.csv", [("7", "30")], ("id", "age")))
    other = wb.open(table(tmp_path / "b.csv", [("Bern", "7")], ("town", "patient")))
    a, b = out(tmp_path, "a.csv"), out(tmp_path, "b.csv")
    one.pseudonymise("id", a, key=key)
    other.pseudonymise(["patient"], b, leave_out="town", key=key)
    assert rows_of(a)[0]["id"] == rows_of(b)[0]["patient"]
    one.pseudonymise("id", out(tmp_path, "c.csv"), key=wb.new_pseudonym_key(tmp_path / "other" / "key.pem"))
    assert rows_of(out(tmp_path, "c.csv"))[0]["id"] != rows_of(a)[0]["id"]


def test_of_two_neighbouring_tables_the_files_differ_in_one_persons_rows_alone(
    tmp_path: Path, key: Path, say: Say
) -> None:
    """What is written of everybody else depends on neither the person nor the order; and the person can be seen."""
    files = []
    for number, left_out in enumerate(("", "7", "8")):
        data = table(tmp_path / f"people{number}.csv", [row for row in PEOPLE if not left_out or row[0] != left_out])
        words = ("--column", "id", "--column", "name", "--key", key)
        assert say("pseudonymise", data, *words, "--out", out(tmp_path, f"{number}.csv"))[0] == 0
        files.append([tuple(row.values()) for row in rows_of(out(tmp_path, f"{number}.csv"))])
    secret = read_pseudonym_key(key)
    for file, left_out in zip(files[1:], ("7", "8"), strict=True):
        assert file == [row for row in files[0] if row[0] != pseudonym(secret, left_out)]
        assert file != files[0], "so no (ε, δ) can be claimed, and none is"


def test_the_ledger_counts_a_release_without_a_claim(tmp_path: Path, key: Path, say: Say) -> None:
    data = table(tmp_path / "people.csv", PEOPLE)
    assert say("query", data, "--query", "count", "--epsilon", "1")[0] == 0
    assert json.loads(say("ledger", data, "--json")[1])["spent"]["bounded"] is True
    assert say("pseudonymise", data, "--column", "id", "--out", out(tmp_path), "--key", key)[0] == 0
    found = json.loads(say("ledger", data, "--json", "--statements", tmp_path / "pages")[1])
    assert found["spent"]["bounded"] is False and found["spent"]["epsilon"] == 1.0
    entry = found["entries"][-1]
    assert entry["kind"] == "pseudonyms" and entry["claim"] is False
    assert entry["files"] == [{"name": "out.csv", "sha256": hashlib.sha256(out(tmp_path).read_bytes()).hexdigest()}]
    assert NOT_CLAIMED in Path(found["statements"][-1]).read_text("utf-8")


def test_the_key_is_its_owners_alone_and_stands_nowhere_else(tmp_path: Path, key: Path, say: Say) -> None:
    data = table(tmp_path / "people.csv", PEOPLE)
    assert os.name != "posix" or key.stat().st_mode & 0o777 == 0o600
    session = Session()
    session.data.open(data)
    assert wb.open(data).pseudonymise("id", out(tmp_path), key=key).columns == ("id",)
    session.save(tmp_path / "p.wbench")
    told = say("ledger", data, "--statements", tmp_path / "pages", "--csv", tmp_path / "ledger.csv")[1]
    text = key.read_bytes()
    secret = read_pseudonym_key(key)
    spellings = [secret, secret.hex().encode(), text.split()[-5], b64decode(text.splitlines()[1])]
    places = [one for one in (*tmp_path.rglob("*"), *ledgers_folder().rglob("*")) if one.is_file() and one != key]
    assert len(places) > 5
    for one in places:
        assert not any(spelling in one.read_bytes() for spelling in spellings if len(spelling) > 20), one
    assert secret.hex() not in told and text.splitlines()[1].decode() not in told
    assert say("pseudonymise", "--new-key", "--key", key)[0] == 2 and key.read_bytes() == text
    assert say("ledger", data, "--csv", key, "--force")[0] == 2
    assert key.read_bytes() == text, "no command writes over it"


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
def test_a_key_that_others_may_read_is_refused(tmp_path: Path, key: Path, say: Say) -> None:
    data = table(tmp_path / "people.csv", PEOPLE)
    key.chmod(0o640)
    code, said = say("pseudonymise", data, "--column", "id", "--out", out(tmp_path), "--key", key)
    assert code == 2 and "Others may read or change the key" in said and not out(tmp_path).exists()


@pytest.mark.parametrize("what", ["pseudonymise", "sign"])
def test_links_in_a_circle_are_no_place_for_a_key(what: str, tmp_path: Path, say: Say) -> None:
    (circle := tmp_path / "circle.pem").symlink_to(circle)
    code, said = say(what, "--new-key", "--key", circle)
    assert code == 2 and "is there already" in said and circle.is_symlink()
    if what == "pseudonymise":
        data = table(tmp_path / "people.csv", PEOPLE)
        (tmp_path / "passed").mkdir()
        code, said = say(what, data, "--column", "id", "--out", tmp_path / "passed" / "p.csv", "--key", circle)
        assert code == 2 and "cannot be read" in said and not any((tmp_path / "passed").iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--column", "age", "--column", "nobody"], "nobody"),
        ([], "No column is named"),
        (["--column", "id", "--leave-out", "id"], "cannot hold pseudonyms and be left out"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_written(
    words: list[str], said: str, tmp_path: Path, key: Path, say: Say
) -> None:
    data = table(tmp_path / "people.csv", PEOPLE)
    code, told = say("pseudonymise", data, *words, "--out", out(tmp_path), "--key", key)
    assert code == 2 and said in told
    assert not list(out(tmp_path).parent.iterdir()) and not ledgers_folder().exists()


def test_a_key_beside_the_file_or_in_its_place_is_refused(tmp_path: Path, key: Path, say: Say) -> None:
    data = table(tmp_path / "people.csv", PEOPLE)
    made = ["pseudonymise", data, "--column", "id", "--key", key]
    assert "would go with it" in say(*made, "--out", key.parent / "out.csv")[1]
    assert say(*made, "--out", key, "--force")[0] == 2
    no_key = tmp_path / "none" / "key.pem"
    no_key.parent.mkdir()
    no_key.write_text("nothing\n")
    no_key.chmod(0o600)
    assert "holds no key" in say(*made[:-1], no_key, "--out", out(tmp_path))[1]
    assert "pseudonymise --new-key" in say(*made[:-1], tmp_path / "gone.pem", "--out", out(tmp_path))[1]
    assert not usual_pseudonym_key().exists()


def test_a_column_that_names_a_person_does_not_slip_through(tmp_path: Path, key: Path) -> None:
    session = Session()
    session.data.open(table(tmp_path / "people.csv", PEOPLE))
    session.data.set_role(["id", "name"], Role.IDENTIFYING)
    targets = Targets(out(tmp_path), ExportFormat.of(out(tmp_path)), statement_beside(out(tmp_path)))
    with pytest.raises(WorkbenchError, match="“name” names a person"):
        pseudonymiser(session, ["id"], targets, key=key)
    assert pseudonymiser(session, ["id", "name"], targets, key=key) is not None
    assert pseudonymiser(session, ["id"], targets, left_out=["name"], key=key) is not None
