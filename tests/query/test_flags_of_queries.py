"""A flag that says nothing about what is asked is refused, and the questions it is for are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.project.model import new_project
from workbench.query.catalogue import QueryDraft
from workbench.session import Session
from workbench.session.query_command import command


@pytest.fixture
def table(tmp_path: Path) -> Path:
    made = tmp_path / "table.csv"
    made.write_text("age\n" + "\n".join(str(20 + row % 40) for row in range(50)) + "\n", encoding="utf-8")
    return made


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tool", "nanmean"], "--noise diffprivlib"),
        (["--noise", "grid", "--tool", "nanmean"], "--noise diffprivlib"),
        (["--share", "0.5"], "minimum"),
    ],
)
def test_beside_one_question(table: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(table), "--query", "count", "--epsilon", "1", *words]) != 0
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["--where", "age > 30"], ["--noise", "grid"], ["--tool", "mean"], ["--assumed-rows", "5"],
              ["--need", "3"], ["--column", "age"], ["--param", "column=age"], ["--bounds", "0,9"]],
)  # fmt: skip
def test_beside_a_batch(table: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    batch = table.with_name("batch.json")
    batch.write_text(json.dumps({"epsilon": "1", "questions": [{"kind": "count"}]}), encoding="utf-8")
    assert main(["query", str(table), "--batch", str(batch), "--plan", *words]) != 0
    assert f"{words[0]} says nothing beside --batch" in capsys.readouterr().err


def test_the_statistic_is_typed_alike_for_every_question(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files and ledgers keep the name that one of them was first given, and it can still be typed."""
    asked = ["query", str(table), "--query", "narrowed", "--column", "age", "--bounds", "0,100", "--epsilon", "1"]
    asked += ["--plan", "--json"]
    found = []
    for words in (["--statistic", "sum"], ["--figure", "sum"], ["--param", "statistic=sum"], ["--param", "figure=sum"]):
        assert main([*asked, *words]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert all(one == found[0] for one in found)
    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out) != found[0]
    for twice in (["--figure", "sum"], ["--param", "figure=sum"]):
        assert main([*asked, "--statistic", "sum", *twice]) != 0
        assert "given twice" in capsys.readouterr().err
    assert main(["query", str(table), "--query", "count", "--epsilon", "1", "--statistic", "sum"]) != 0
    assert "narrowed" in capsys.readouterr().err


def test_a_copied_command_types_the_statistic(table: Path) -> None:
    session = Session(new_project())
    session.data.open(table)
    draft = QueryDraft("narrowed", "1", {"column": "age", "lower": "0", "upper": "100", "figure": "sum"})
    words = command(draft, session.project, None)
    assert words[words.index("--statistic") + 1] == "sum" and "--figure" not in words
