"""The best levels for models of anonymity on the command line."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import NBA, POSITION
from workbench.anonymise.privacy import ModelChoice
from workbench.core.paths import sample_data
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session import Session


def test_the_best_levels_for_a_model(ask: Any, tmp_path: Path) -> None:
    out = tmp_path / "k.csv"
    hierarchies = [
        word
        for column in ("position", "year", "age")
        for word in ("--hierarchy", f"{column}={sample_data() / f'nba_hierarchy_{column}.csv'}")
    ]
    found = ask(
        "anonymise", NBA, *hierarchies, "--model", "k=5", "--suppression-limit", "0.01", "--search", "optimal",
        "--metric", "loss", "--keep", "team", "--out", out, "--json",
    )  # fmt: skip
    assert found["optimal"] is True
    assert found["claim"] is False
    assert set(found["levels"]) == {"position", "year", "age"}
    assert found["nodes_checked"] <= found["nodes"]
    with out.open(newline="", encoding="utf-8") as stream:
        header, *rows = csv.reader(stream)
    assert header == ["position", "year", "age", "team"]
    assert len(rows) == found["rows_out"] == 12_377 - found["analyst"]["suppressed"]
    assert min(Counter(tuple(row[:3]) for row in rows).values()) >= 5
    fixed = ask(
        "anonymise", NBA, *hierarchies, "--model", "k=5", "--suppression-limit", "0.01",
        *(word for name, level in found["levels"].items() for word in ("--level", f"{name}={level}")), "--json",
    )  # fmt: skip
    assert fixed["analyst"] == found["analyst"]


def test_adults_optimum(ask: Any, shared_data: Path) -> None:
    folder = shared_data / "adult"
    names = [file.stem.removeprefix("adult_hierarchy_") for file in sorted(folder.glob("adult_hierarchy_*.csv"))]
    words = [w for name in names for w in ("--hierarchy", f"{name}={folder / f'adult_hierarchy_{name}.csv'}")]
    found = ask(
        "anonymise", folder / "adult.csv", *words, "--model", "k=5", "--suppression-limit", "0.04", "--search",
        "optimal", "--metric", "loss", "--json",
    )  # fmt: skip
    assert found["score"] == pytest.approx(0.26611081915757495, rel=1e-12)
    assert found["analyst"]["suppressed"] == 1178
    assert found["levels"] == {
        "sex": 0, "age": 3, "race": 0, "marital-status": 1, "education": 1, "native-country": 1, "workclass": 1,
        "occupation": 2, "salary-class": 0,
    }  # fmt: skip


def test_a_project_with_syntactic_models_runs_again(ask: Any, tmp_path: Path) -> None:
    session = Session()
    session.data.open(NBA)
    for column in ("position", "age"):
        session.data.attach_hierarchy_file(column, sample_data() / f"nba_hierarchy_{column}.csv")
        session.release.columns.set_level(column, 1)
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.syntactic.set_models([ModelChoice.parse("k=3")])
    session.syntactic.set_suppression_limit(0.05)
    session.save(tmp_path / "p.wbench")
    found = ask("run", tmp_path / "p.wbench", "--data", NBA, "--out", tmp_path / "made", "--json")
    assert found["claim"] is False
    assert found["recorded"] is True
    assert "No (ε, δ)" in Path(found["statement"]).read_text(encoding="utf-8")
    with (tmp_path / "made" / "release.csv").open(newline="", encoding="utf-8") as stream:
        _, *rows = csv.reader(stream)
    assert min(Counter(map(tuple, rows)).values()) >= 3
    assert Session.from_file(tmp_path / "p.wbench").project.releases[-1].claim is False


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--model", "k=5", "--epsilon", "1"], "combined"),
        (["--model", "z=5"], "z"),
        (["--model", "k=0"], "k"),
        (["--model", "k=99999"], ""),
        (["--model", "l-diversity=2:position"], "position"),
        (["--model", "l-diversity=2"], ""),
        (["--model", "k=5", "--metric", "beauty"], "beauty"),
        (["--model", "k=5", "--suppression-limit", "2"], ""),
        (["--model", "k=5", "--max-level", "salary=1"], "salary"),
        (["--model", "k=5", "--weight", "position=much"], "weight"),
        ([], "--epsilon"),
    ],
)
def test_impossible_questions_are_refused(refused: Any, words: list[str], told: str) -> None:
    assert told in refused("anonymise", NBA, "--hierarchy", f"position={POSITION}", *words, "--json")


def test_nothing_is_searched_where_the_look_cannot_be_recorded(
    refused: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "file"))
    words = ["--hierarchy", f"position={POSITION}", "--model", "k=5", "--json"]
    assert "cannot be written" in refused("anonymise", NBA, *words)
