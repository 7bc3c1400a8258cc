"""Ways are compared on a public shape without any table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main

NUMBERS = {"figure": "mean", "column": "hours", "encoding": {"bounds": [0, 80]}}
BARS = {"figure": "histogram", "column": "hours", "encoding": {"how": "bins", "bins": 4, "bounds": [0, 80]}}
EDGES = {"figure": "histogram", "column": "hours", "encoding": {"how": "edges", "edges": [0, 10, 80]}}
WORDS = {"figure": "histogram", "column": "mode", "encoding": {"domain": ["car", "bus", "bike"]}}
COUNT = {"figure": "count", "column": "mode", "encoding": {"answer": "car"}}


def written(folder: Path, question: dict[str, Any], **changes: Any) -> Path:
    path = folder / "spec.json"
    plain = {
        "question": question,
        "methods": ["best-global", "best-anonymised", "best-local"],
        "basis": "either",
        "users": 300,
        "places": [1],
        "repetitions": 10,
    }
    path.write_text(json.dumps({**plain, **changes}), encoding="utf-8")
    return path


@pytest.mark.parametrize("question", [NUMBERS, BARS, EDGES, WORDS, COUNT])
def test_the_answer_is_that_beside_a_table(ask: Any, tmp_path: Path, question: dict[str, Any]) -> None:
    spec = written(tmp_path, question)
    table = tmp_path / "table.csv"
    table.write_text("hours,mode\n" + "7,car\n70,bus\n33,bike\n" * 5, encoding="utf-8")
    found = ask("compare", spec)
    assert not found["looked"] and len(found["analyst"]["points"]) == 3
    beside = ask("compare", spec, "--data", table)
    if question is not COUNT:  # of which the other values are those of the table
        assert found["analyst"]["points"] == beside["analyst"]["points"]
    assert found["verdicts"]


@pytest.mark.parametrize(
    ("question", "changes", "said"),
    [
        (NUMBERS, {"basis": "rows", "users": None}, "No data is named, so there are no true values."),
        ({"figure": "mean", "column": "hours"}, {}, "nobody knows which values are possible"),
    ],
)
def test_all_that_a_shape_needs_is_in_the_file(
    refused: Any, tmp_path: Path, question: dict[str, Any], changes: dict[str, Any], said: str
) -> None:
    assert said in refused("compare", written(tmp_path, question, **changes))


def test_a_question_without_a_column_is_refused(refused: Any, tmp_path: Path) -> None:
    assert "column" in refused("compare", written(tmp_path, {**NUMBERS, "column": ""}))


def test_below_what_most_values_lie_is_a_key_and_is_said(
    ask: Any, refused: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    usual = ask("compare", written(tmp_path, NUMBERS))
    spec = written(tmp_path, NUMBERS, most_below=5)
    assert ask("compare", spec)["analyst"]["points"] != usual["analyst"]["points"]
    assert main(["compare", str(spec)]) == 0
    assert "300 rows, 9 in 10 values below 5." in capsys.readouterr().out
    assert "cannot lie below 90: possible are 0 to 80" in refused("compare", written(tmp_path, NUMBERS, most_below=90))
