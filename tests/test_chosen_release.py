"""A release that was chosen among several, from the command line: what it claims, and what of it can be forged."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main
from workbench.report.statement import statement_page
from workbench.session import Session

Ask = Callable[..., Any]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a table and a hierarchy that is public."""
    rows = [f"{20 + i % 40},{'ab'[i % 2]}" for i in range(900)]
    (tmp_path / "people.csv").write_text("\n".join(["age,group", *rows]) + "\n", encoding="utf-8")
    lines = [f"{age},{age // 10 * 10}s,*" for age in range(20, 60)]
    (tmp_path / "age.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def release(place: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Make a release and give what is printed as JSON."""

    def make(name: str, *more: str, code: int = 0) -> Any:
        words = ["anonymise", str(place / "people.csv"), "--hierarchy", f"age={place / 'age.csv'}", "--group", "group"]
        words += ["--steps", "one", "--epsilon", "1", "--delta", "1e-5", "--out", str(place / f"{name}.csv")]
        words += ["--statement", str(place / f"{name}.html"), "--metadata", str(place / f"{name}.json"), "--json"]
        capsys.readouterr()
        assert main([*words, *more]) == code
        printed = capsys.readouterr().out
        return json.loads(printed) if printed else None

    return make


@pytest.fixture
def chosen(place: Path, release: Ask) -> Path:
    """The note of the third draw, which was chosen."""
    release("first")
    release("second", "--level", "age=0")
    release("third", "--level", "age=2", "--chosen")
    return place / "third.json"


def verified(place: Path, name: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, Any]:
    capsys.readouterr()
    words = ["verify", str(place / f"{name}.csv"), "--statement", str(place / f"{name}.html")]
    code = main([*words, "--metadata", str(place / f"{name}.json"), "--json", *more])
    return code, json.loads(capsys.readouterr().out)


def test_it_claims_the_sum_of_all_draws(place: Path, release: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    assert release("first")["counted"] == 0
    assert release("second", "--level", "age=0")["epsilon"] == 1.0
    third = release("third", "--level", "age=2", "--chosen")
    assert (third["epsilon"], third["delta"], third["counted"]) == (3.0, 3e-5, 3)
    assert third["own_draw"] == {"epsilon": 1.0, "delta": 1e-5}
    assert not any("not picked" in one for one in third["asserted"])
    assert any("other than through the 3 releases counted here" in one for one in third["asserted"])
    code, found = verified(place, "third", capsys)
    assert code == 0
    promised = found["promised"]
    assert (promised["epsilon"], promised["delta"], promised["counted"]) == (3.0, 3e-5, 3)
    assert promised["asserted"] == third["asserted"]
    page = (place / "third.html").read_text("utf-8")
    assert "This file is an (ε = 3, δ = 3e-5)-differentially private release." in page
    assert "its own draw is (1, 1e-5)" in page and "at most 96 %" in page


def test_the_first_draw_of_all_claims_itself(release: Ask) -> None:
    only = release("only", "--chosen")
    assert (only["epsilon"], only["counted"]) == (1.0, 0)


def test_answers_count_as_well(place: Path, release: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    question = ["query", str(place / "people.csv"), "--query", "count", "--epsilon", "0.5"]
    assert main(question) == 0
    capsys.readouterr()
    after = release("after", "--chosen")
    assert (after["epsilon"], after["delta"], after["counted"]) == (1.5, 1e-5, 2)


def test_where_there_is_no_sum_nothing_is_drawn(place: Path, release: Ask) -> None:
    release("open", "--without-claim", "--data-derived", "age")
    release("third", "--chosen", code=2)
    assert not (place / "third.csv").exists()


def test_the_ledger_and_projects_remember_it(chosen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = chosen.parent
    capsys.readouterr()
    assert main(["ledger", str(place / "people.csv"), "--statements", str(place / "pages"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["claimed_together"] for one in found["entries"][:2]] == [None, None]
    third = found["entries"][2]
    assert third["epsilon"] == 1.0, "it costs what its own draw costs"
    assert third["claimed_together"]["releases"] == 3 and third["claimed_together"]["epsilon"] == 3.0
    pages = sorted((place / "pages").iterdir())
    assert "(3, 3e-5)-differentially private" in pages[2].read_text("utf-8")
    assert found["spent"]["epsilon"] == 3.0
    session = Session()
    session.data.open(place / "people.csv")
    session.save(place / "kept.workbench")
    entries = Session.from_file(place / "kept.workbench").project.histories
    known = [entry for history in entries.values() for entry in history.entries]
    assert [None if one.together is None else one.together.epsilon for one in known] == [None, None, Fraction(3)]


def less(facts: dict[str, Any]) -> None:
    """The sum of two, where the reader is told of three."""
    facts["release"]["promised"] |= {"epsilon": 2.0, "delta": 2e-5}


def another_number(facts: dict[str, Any]) -> None:
    facts["release"]["terms"]["counted"] = 2
    for kind in ("asserted", "checked"):
        facts["release"][kind] = [one.replace("the 3 releases", "the 2 releases") for one in facts["release"][kind]]


def nobody_counted(facts: dict[str, Any]) -> None:
    facts["release"]["terms"]["counted"] = 0


def untold(facts: dict[str, Any]) -> None:
    facts["release"]["cautions"] = []


def below_its_own(facts: dict[str, Any]) -> None:
    facts["release"]["promised"] |= {"epsilon": 0.9, "delta": 9e-6}
    for one in facts["release"]["cautions"]:
        one["text"] = one["text"].replace("(3, 3e-5)", "(0.9, 9e-6)")


def picked_and_not(facts: dict[str, Any]) -> None:
    facts["release"]["asserted"].append("The released table was not picked from several for its content.")


def an_older_note(facts: dict[str, Any]) -> None:
    facts["version"] = 3


def one_alone(facts: dict[str, Any]) -> None:
    facts["release"]["terms"]["counted"] = 1


@pytest.mark.parametrize(
    "forge",
    [less, another_number, nobody_counted, untold, below_its_own, picked_and_not, an_older_note, one_alone],
)
def test_what_does_not_follow_is_found(
    chosen: Path, forge: Callable[[dict[str, Any]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """By whoever knows the template, so that page and note agree."""
    place = chosen.parent
    assert verified(place, "third", capsys)[0] == 0
    facts = json.loads(chosen.read_text("utf-8"))
    forge(facts)
    chosen.write_text(json.dumps(facts), encoding="utf-8")
    (place / "third.html").write_text(statement_page(facts), encoding="utf-8")
    code, found = verified(place, "third", capsys)
    assert code == 1 and found["statement"]["faults"] and found["promised"] is None
