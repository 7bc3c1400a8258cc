"""Where the levels of an (ε, δ) release come from, through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.levels.helpers import AGES, CITIES
from workbench.cli.main import main
from workbench.project.storage import load_project
from workbench.session import Session


@pytest.fixture
def command(data: Path, tmp_path: Path) -> list[str]:
    words = ["anonymise", str(data), "--mechanism", "sample", "--epsilon", "1", "--delta", "1e-5"]
    words += ["--out", str(tmp_path / "o.csv")]
    for name, hierarchy in (("age", AGES), ("city", CITIES)):
        file = tmp_path / f"{name}.csv"
        file.write_text("\n".join(";".join(row) for row in hierarchy.rows()) + "\n", encoding="utf-8")
        words += ["--hierarchy", f"{name}={file}"]
    return words


def ask(capsys: pytest.CaptureFixture[str], words: list[str]) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0, capsys.readouterr().err
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_a_private_search_from_the_command_line(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--search", "dp", "--search-epsilon", "0.25", "--draw", "exponential", "--min-level", "age=1"]
    answer = ask(capsys, [*command, *more])
    assert (answer["epsilon"], answer["release_epsilon"], answer["claim"]) == (1.25, 1.0, True)
    assert answer["search"] == {
        "epsilon": 0.25,
        "draw": "exponential",
        "score": "kept-detail",
        "nodes": 6,
    }
    assert answer["levels"]["age"] >= 1
    assert "analyst" not in answer and answer["groups_out"] >= 1 and set(answer["labels_out"]) == {"age", "city"}
    assert main([*command, *more, "--force"]) == 0
    assert "ε 1.25 = 0.25 for choosing the levels + 1 for the release" in capsys.readouterr().out


def test_the_calculator_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["guarantee", "--epsilon", "1", "--delta", "1e-5", "--search-epsilon", "0.2"]
    answer = ask(capsys, words)
    assert (answer["epsilon"], answer["release_epsilon"], answer["search_epsilon"], answer["k"]) == (1.2, 1.0, 0.2, 46)
    assert main(words) == 0
    assert "ε 1.2 = 0.2 for choosing the levels + 1 for the release" in capsys.readouterr().out


def test_a_degree_from_the_command_line(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    answer = ask(capsys, [*command, "--degree", "high"])
    assert (answer["levels"], answer["degree"], answer["epsilon"]) == ({"age": 2, "city": 1}, "high", 1.0)
    assert "search" not in answer


def test_a_saved_search_runs_again(
    session: Session, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session.save(tmp_path / "p.wbench")
    words = ["run", str(tmp_path / "p.wbench"), "--data", str(data), "--out", str(tmp_path / "out")]
    first = ask(capsys, words)
    assert (first["epsilon"], first["claim"]) == (1.2, True)
    second = ask(capsys, [*words, "--force"])
    assert second["epsilon"] == 1.2, "the first draw was paid for when it was made"
    assert any("2.4" in caution for caution in second["cautions"])
    records = load_project(tmp_path / "p.wbench").releases
    assert [(record.epsilon, record.levels_epsilon) for record in records] == [(1.0, 0.2)] * 2


def test_a_draw_that_led_to_no_release_is_charged_all_the_same(
    command: list[str], data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data.write_text("person,age,city\nP1,20,Bern\nP2,30,Chur\n", encoding="utf-8")
    assert main([*command, "--search", "dp", "--search-epsilon", "0.25"]) == 2
    assert "ε = 0.25" in capsys.readouterr().err
    assert not (tmp_path / "o.csv").exists()
    known = ask(capsys, ["ledger", str(data)])
    assert [(entry["kind"], entry["epsilon"]) for entry in known["entries"]] == [("search", 0.25), ("release", 1.0)]
    assert known["entries"][1]["what"] == "Draw of a release, not published" and not known["entries"][1]["files"]


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (["--search", "dp"], "--search-epsilon"),
        (["--search-epsilon", "0.1"], "--search dp"),
        (["--score", "classes"], "--search dp"),
        (["--search", "dp", "--search-epsilon", "0"], "ε of choosing"),
        (["--search", "dp", "--search-epsilon", "0.1", "--degree", "low"], "--degree"),
        (["--search", "dp", "--search-epsilon", "0.1", "--level", "age=1"], "--level"),
        (["--degree", "low", "--level", "age=1"], "--level"),
        (["--min-level", "age=1"], "--min-level"),
        (["--search", "optimal"], "looks at every row"),
        (["--degree", "low", "--max-level", "age=9"], "no level 9"),
    ],
)
def test_contradictions_are_refused(
    command: list[str], capsys: pytest.CaptureFixture[str], more: list[str], word: str
) -> None:
    assert main([*command, *more]) == 2
    assert word in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--search", "dp"], ["--degree", "low"], ["--search-epsilon", "1"]])
def test_models_take_no_private_search(
    data: Path, command: list[str], capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    words = [word for pair in zip(command[8::2], command[9::2], strict=True) for word in pair]
    assert main(["anonymise", str(data), *words, "--model", "k=5", *more]) == 2
    assert "--model" in capsys.readouterr().err
