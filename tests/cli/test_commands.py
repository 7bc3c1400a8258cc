"""Guarantees, profiles and hierarchies on the command line: stable keys, and JSON alone where it is wanted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import NBA, POSITION
from workbench import bootstrap
from workbench.__main__ import main as start
from workbench.cli.main import main
from workbench.core.hierarchy import Provenance
from workbench.core.paths import resources, sample_data
from workbench.project.model import Preparation
from workbench.session import Session


def test_the_largest_epsilon_is_answered_too(ask: Any, capsys: pytest.CaptureFixture[str]) -> None:
    found = ask("guarantee", "--epsilon", "10", "--delta", "1e-5", "--json")
    assert (found["epsilon"], found["delta"], found["k"]) == (10, 1e-5, 100_000)
    assert 0.9998 < found["beta"] < 0.9999
    assert main(["guarantee", "--epsilon", "10", "--delta", "1e-5"]) == 0
    said = capsys.readouterr().out
    assert "no k up to 100,000 goes with that one" in said
    assert "With --beta best, β = 0.383119 and k = 12, groups of about 31 rows survive." in said


def test_guarantee_solves_for_each_unknown(ask: Any) -> None:
    found = ask("guarantee", "--epsilon", "1", "--delta", "1e-5", "--json")
    assert set(found) == {"schema", "epsilon", "delta", "beta", "k", "accounting", "smallest_class"}
    assert found["k"] == 46
    assert found["smallest_class"] == pytest.approx(found["k"] / found["beta"])
    assert ask("guarantee", "--epsilon", "1", "--delta", "1e-5", "--accounting", "classical", "--json")["k"] == 61
    best = ask("guarantee", "--epsilon", "1", "--delta", "1e-5", "--beta", "best", "--json")
    assert best["smallest_class"] < found["smallest_class"]
    delta = ask("guarantee", "--epsilon", "1", "--beta", "0.632", "--k", "61", "--json")["delta"]
    assert delta == pytest.approx(6e-7, rel=0.1)
    epsilon = ask("guarantee", "--beta", "0.632", "--k", "61", "--delta", "1e-5", "--json")["epsilon"]
    assert epsilon < 1


def test_profile_describes_the_file(ask: Any) -> None:
    found = ask("profile", NBA, "--json")
    assert found["rows"] == 12_377
    assert [column["name"] for column in found["columns"]] == ["player", "position", "year", "age", "team", "salary"]
    assert {column["name"]: column["kind"] for column in found["columns"]}["salary"] == "integer"
    assert set(found["columns"][0]) == {
        "name", "kind", "format", "distinct", "missing", "misfits", "distinction", "separation",
    }  # fmt: skip
    assert {"delimiter", "encoding", "quote", "header"} <= set(found["dialect"])
    assert found["problems"] == []
    assert (found["form"], found["sheets"]) == ("csv", [])
    assert "differences" not in found
    assert found["suggestions"][0]["columns"] == ["player"]
    assert found["suggestions"][0]["role"] == "identifying"
    assert all(suggestion["reason"] for suggestion in found["suggestions"])


def test_profile_tells_formats_and_misfits(ask: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    lines = [f'"{1000 + i}.5";{1 + i % 28:02}.01.2020;{"?" if i == 7 else i % 9};unknown' for i in range(100)]
    file.write_text("\n".join(["pay;day;n;x", *lines, "bad"]) + "\n", encoding="utf-8")
    found = ask("profile", file, "--json")
    columns = {column["name"]: column for column in found["columns"]}
    assert columns["pay"]["format"] == {"decimal_mark": ".", "thousands": ""}
    assert columns["day"]["format"] == {"pattern": "%d.%m.%Y"}
    assert columns["x"]["format"] == {}
    assert (columns["n"]["missing"], columns["n"]["misfits"]) == (1, 0)
    assert [(p["line"], p["kept"]) for p in found["problems"]] == [(102, False)]
    assert columns["pay"]["separation"] == columns["pay"]["distinction"] == 1


def test_profile_compares_with_a_project(ask: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session()
    session.data.open(NBA)
    session.data.attach_hierarchy_file("position", POSITION, Provenance.PUBLIC)
    session.data.set_preparation(Preparation("salary > 0"))
    project = tmp_path / "p.wbench"
    session.save(project)
    assert ask("profile", NBA, "--project", project, "--json")["differences"] == {
        "missing": [], "new": [], "new_values": [], "misfits": [], "filter_problem": "",
    }  # fmt: skip
    other = tmp_path / "other.csv"
    lines = [f"{'Judge' if i % 2 else 'C'},{'x' if i == 3 else 20 + i}" for i in range(9)]
    other.write_text("\n".join(["position,age", *lines]) + "\n", encoding="utf-8")
    found = ask("profile", other, "--project", project, "--json")["differences"]
    assert found["missing"] == ["player", "year", "team", "salary"]
    assert found["new_values"] == [{"column": "position", "count": 1, "examples": ["Judge"]}]
    assert found["misfits"] == [{"column": "age", "rows": 1}]
    assert "salary" in found["filter_problem"]
    assert main(["profile", str(other), "--project", str(project)]) == 0
    text = capsys.readouterr().out
    assert "“position” has new values (1): “Judge”" in text
    assert "“salary” is not there" in text


def test_only_workbooks_have_sheets(refused: Any) -> None:
    assert "is no workbook" in refused("profile", NBA, "--sheet", "One", "--json")


def test_hierarchies_are_built_and_checked(ask: Any, refused: Any, tmp_path: Path) -> None:
    spec = resources() / "hierarchies" / "age.json"
    out = tmp_path / "ages.csv"
    column = ["--data", sample_data() / "ages.csv", "--column", "age"]
    built = ask("hierarchy", "build", spec, "--out", out, *column, "--json")
    assert built["provenance"] == "public"
    assert built["groups"][-1] == 1
    found = ask("hierarchy", "check", out, *column, "--json")
    assert found["uncovered"] == [] or found["uncovered"] == 0
    broken = tmp_path / "broken.json"
    broken.write_text("{}", encoding="utf-8")
    refused("hierarchy", "build", broken, "--out", tmp_path / "x.csv", *column)
    assert not (tmp_path / "x.csv").exists()


def test_the_installed_program_speaks_json_only() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "workbench", "guarantee", "--epsilon", "1", "--delta", "1e-5", "--json"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert json.loads(run.stdout)["k"] == 46


def test_the_command_line_needs_no_qt() -> None:
    code = (
        "import sys; from workbench.cli.main import main; "
        "main(['guarantee','--epsilon','1','--delta','1e-5','--json']); "
        "sys.exit(any(name.startswith(('PySide6','matplotlib')) for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)


def test_a_memory_budget_is_for_an_engine(ask: Any, refused: Any) -> None:
    assert "--memory-budget is for data in an engine" in refused("profile", NBA, "--memory-budget", "80MB")
    assert ask("profile", NBA, "--engine", "DuckDB", "--memory-budget", "80MB", "--json")["engine"] == "duckdb"


def test_interrupted_while_it_starts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "prepare", interrupted)
    assert start() == 130
    assert capsys.readouterr().err == "workbench: interrupted.\n"
