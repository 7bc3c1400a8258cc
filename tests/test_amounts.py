"""ε and δ in commands, as people write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main


@pytest.fixture
def table(tmp_path: Path) -> Path:
    made = tmp_path / "table.csv"
    made.write_text("age\n" + "\n".join(str(20 + row % 40) for row in range(200)) + "\n", encoding="utf-8")
    return made


@pytest.mark.parametrize(
    ("typed", "epsilon"), [("0,5", 0.5), ("1/3", 0.333333333334), ("ln 3", 1.09861228867), ("2 ln 2", 1.38629436112)]
)
def test_a_guarantee_is_worked_out_for_it(capsys: pytest.CaptureFixture[str], typed: str, epsilon: float) -> None:
    assert main(["guarantee", "--epsilon", typed, "--delta", "0,00001", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["epsilon"], found["delta"]) == (epsilon, 1e-5)


def test_what_is_no_amount_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    for typed, said in (("1,000", "two ways"), ("much", "Write 0.5, 1/3 or ln 3")):
        with pytest.raises(SystemExit, match="2"):
            main(["guarantee", "--epsilon", typed, "--delta", "1e-5"])
        assert said in capsys.readouterr().err


def test_a_query_is_charged_what_was_written_rounded_up(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spent = []
    for typed in ("0,5", "1/3", "ln 3"):
        assert main(["query", str(table), "--query", "count", "--epsilon", typed]) == 0
        capsys.readouterr()
        assert main(["ledger", str(table), "--json"]) == 0
        spent.append(_entries(json.loads(capsys.readouterr().out))[-1]["exactly"]["epsilon"])
    assert spent == ["1/2", "1/3", "109861228867/100000000000"]


def test_where_a_comma_parts_two_numbers_it_goes_on_doing_so(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", str(table), "--set-budget", "ln 3,1/1000", "--json"]) == 0
    budget = json.loads(capsys.readouterr().out)["budget"]["exactly"]
    assert (budget["epsilon"], budget["delta"]) == ("109861228867/100000000000", "1/1000")


def _entries(found: dict[str, Any]) -> list[dict[str, Any]]:
    return found["entries"]


def test_a_collection_is_planned_for_it(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["collect", str(table), "--column", "age", "--protocol", "grr", "--seed", "1", "--json"]
    assert main([*words, "--epsilon", "ln 3"]) == 0
    by_logarithm = json.loads(capsys.readouterr().out)
    assert main([*words, "--epsilon", "1.09861228867"]) == 0
    assert json.loads(capsys.readouterr().out) == by_logarithm
