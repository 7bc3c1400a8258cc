"""Plain answers: what a released file says without noise, for nothing, if its statement holds."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.query.catalogue import QueryDraft
from workbench.session import Session

TOWNS = [*["Ulm"] * 200, *["Bonn"] * 120]


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with its statement, made by the program."""
    home = tmp_path_factory.mktemp("released")
    data, release = home / "people.csv", home / "release.csv"
    data.write_text("town\n" + "".join(f"{town}\n" for town in TOWNS), encoding="utf-8")
    hierarchy = home / "town.csv"
    hierarchy.write_text("Ulm;*\nBonn;*\n", encoding="utf-8")
    words = ["anonymise", str(data), "--hierarchy", f"town={hierarchy}", "--level", "town=0", "--epsilon", "1"]
    words += ["--delta", "1e-5", "--ledger", str(home / "ledger.jsonl"), "--out", str(release)]
    assert main([*words, "--statement", str(release.with_suffix(".html"))]) == 0
    return release


def opened(path: Path) -> Session:
    session = Session()
    session.data.open(path)
    return session


def test_a_released_file_is_counted_without_noise_and_for_nothing(released: Path) -> None:
    session = opened(released)
    there = Counter(released.read_text(encoding="utf-8").split()[1:])
    assert session.queries.is_released_file
    count = session.queries.plain(QueryDraft("count", "0.1"))
    assert count.released.value == sum(there.values()) and count.released.interval is None
    assert "(ε = 1, δ = 1e-5)" in count.rests_on and count.asserted
    found = session.queries.plain(QueryDraft("undeclared-groups", "0.1", {"column": "town"}))
    assert dict(zip(found.released.labels[0], found.released.value, strict=True)) == there
    some = session.queries.plain(QueryDraft("count", "", where="town = 'Ulm'"))
    assert some.released.value == there["Ulm"]
    assert not session.ledger.current.entries and not session.ledger.current.history.looks


def test_the_command_says_what_it_rests_on(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(released), "--query", "count", "--plain"]) == 0
    said = capsys.readouterr().out
    assert "without noise" in said and "This cost nothing" in said and "differentially private release" in said
    assert main(["query", str(released), "--query", "count", "--plain", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["plain"] is True and plain["epsilon"] == plain["delta"] == 0 and plain["rests_on"] in said
    assert main(["query", str(released), "--query", "count", "--plain", "--epsilon", "1"]) == 2
    assert "says nothing beside --plain" in capsys.readouterr().err


def test_a_file_that_nobody_released_has_no_plain_answer(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    data.write_text("town\nUlm\nBonn\n", encoding="utf-8")
    session = opened(data)
    assert not session.queries.is_released_file
    with pytest.raises(WorkbenchError, match="no statement"):
        session.queries.plain(QueryDraft("count", "1"))


def test_a_file_that_is_not_what_is_stated_has_no_plain_answer(released: Path, tmp_path: Path) -> None:
    for path in (released, released.with_suffix(".html")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    changed = tmp_path / released.name
    changed.write_text(changed.read_text(encoding="utf-8") + "Ulm\n", encoding="utf-8")
    session = opened(changed)
    assert session.queries.is_released_file, "a statement lies beside it, and that is all that was looked at"
    with pytest.raises(WorkbenchError, match="what a plain answer about"):
        session.queries.plain(QueryDraft("count", "1"))


def test_a_choice_has_no_plain_answer(released: Path) -> None:
    with pytest.raises(WorkbenchError, match="has no plain answer"):
        opened(released).queries.plain(QueryDraft("mode", "1", {"column": "town", "keys": "Ulm, Bonn"}))


def test_rows_are_not_counted_by_the_statement_of_a_file_that_took_their_place(released: Path, tmp_path: Path) -> None:
    """As where a synchronised folder puts a release where the true table was opened."""
    true = tmp_path / released.name
    true.write_bytes((released.with_name("people.csv")).read_bytes())
    session = opened(true)
    for path in (released, released.with_suffix(".html")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert session.queries.is_released_file, "a statement lies there by now"
    with pytest.raises(WorkbenchError, match="is not the file any more that was opened"):
        session.queries.plain(QueryDraft("count", "1"))
    assert opened(true).queries.plain(QueryDraft("count", "1")).released.value > 0
