"""A flag that says nothing about what is asked is refused, and the questions it is for are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.cli.main import main


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
