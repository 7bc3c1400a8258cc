"""Attacks, survival and levels on the command line: each is a look, recorded first, and says what the desk computes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main
from workbench.session import Session

COMMANDS = ("attack", "survival", "levels")


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    data = tmp_path / "people.csv"
    rows = [f"{town},{20 + n % 5}" for n in range(80) for town in ("Aarau", "Basel")]
    data.write_text("\n".join(["town,age", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "town.csv").write_text("Aarau;*\nBasel;*\n", encoding="utf-8")
    path = tmp_path / "p.wbench"
    town = f"town={tmp_path / 'town.csv'}"
    assert main(["project", "new", str(path), "--data", str(data), "--hierarchy", town, "--group", "age"]) == 0
    capsys.readouterr()
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_a_look_is_recorded_in_ledger_and_project_before_anything_is_told(
    command: str, project: Path, ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask("project", "check", project)["claim"] is True
    assert ask(command, project)["recorded"] is True
    assert ask("project", "check", project, code=1)["claim"] is False
    assert Session.from_file(project).project.looks


@pytest.mark.parametrize("command", COMMANDS)
def test_what_fails_after_the_look_is_counted_as_one(
    command: str, project: Path, ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = {"attack": ["--knows", "nobody"], "survival": ["--seed", "-1"], "levels": ["--at", "town=9"]}[command]
    ask(command, project, *flags, code=2)
    assert ask("project", "check", project, code=1)["claim"] is False


def test_attacking_equals_the_desk(project: Path, ask: Callable[..., Any]) -> None:
    found = ask("attack", project, "--knows", "town", "--knows", "age", "--membership", "--runs", "50", "--seed", "3")
    session = Session.from_file(project)
    session.data.open(project.parent / "people.csv")
    session.looks.take("attacks")
    session.release.set_seed(3)
    session.release.anonymise()
    attack = session.attacks.linker(("town", "age"))()
    assert found["after"]["prosecutor"]["average"] == attack.after.prosecutor.average
    assert found["before"]["smallest"] == 16 and found["everybody"] == attack.everybody
    assert found["membership"]["exact"] == session.attacks.membership_tester(runs=50, seed=3)().exact


def test_survival_has_a_point_for_the_settings_in_force(project: Path, ask: Callable[..., Any]) -> None:
    found = ask("survival", project)
    assert found["axis"] == "epsilon" and found["rows_in"] == 160
    at = [point for point in found["points"] if point["epsilon"] == found["chosen"]["epsilon"]]
    assert len(at) == 1 and at[0]["rows"]["low"] <= at[0]["rows"]["median"] <= at[0]["rows"]["high"]


def test_levels_stand_side_by_side(project: Path, ask: Callable[..., Any]) -> None:
    own, finer = ask("levels", project, "--at", "town=0")["levels"]
    assert own["levels"]["town"] == 1 and finer["levels"]["town"] == 0
    assert finer["loss"] < own["loss"] and finer["groups"] == 2 * own["groups"]


def test_a_prediction_says_what_an_error_takes(project: Path, ask: Callable[..., Any]) -> None:
    data = project.parent / "people.csv"
    words = ["collect", data, "--column", "town", "--domain", "Aarau,Basel", "--protocol", "grr", "--epsilon", "1"]
    needed = ask(*words, "--users", "100", "--predict", "--need", "l1=0.05")["needed"]["grr"]
    assert needed["people"] > 100 and needed["epsilon"] > 1 and not needed["problem"]
    assert "Write --need l1=0.1" in ask(*words, "--predict", "--need", "much", code=2)["error"]["hint"]
    assert "--predict" in ask(*words, "--need", "l1=0.05", code=2)["error"]["hint"]


def test_how_long_the_longest_value_is_is_not_told_before_a_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mask up to the longest value has a level for each of its characters."""
    monkeypatch.chdir(tmp_path)
    plain = {"format": "workbench-hierarchy-spec", "version": 1, "builder": "masking", "parameters": {"length": 0}}
    Path("mask.json").write_text(json.dumps(plain), encoding="utf-8")
    told = []
    for one in ("cook", "a much longer value"):
        Path("people.csv").write_text("\n".join(["job", *["nurse"] * 50, one, ""]), encoding="utf-8")
        flags = ["--force", "--data", "people.csv", "--kind", "job=text", "--hierarchy", "job=mask.json"]
        told.append(
            [(main(["project", "new", "p.wbench", *flags, *more]), *capsys.readouterr()) for more in ([], ["--json"])]
        )
    assert told[0] == told[1]
    assert "hierarchy by rule (data-derived)" in told[0][0][1]
