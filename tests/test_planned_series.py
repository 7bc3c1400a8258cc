"""Releases that are planned before the first of them is drawn: what they cost together, and what pays for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.project.model import GuaranteeSettings, new_project
from workbench.session import Session


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    file.write_text("age,town\n" + "".join(f"{20 + i % 40},{'ab'[i % 2]}\n" for i in range(1000)), encoding="utf-8")
    ages = "".join(f"{age};{age // 10}0s;{'old' if age > 39 else 'young'};*\n" for age in range(20, 60))
    (tmp_path / "age.csv").write_text(ages, encoding="utf-8")
    (tmp_path / "town.csv").write_text("a;*\nb;*\n", encoding="utf-8")
    return file


@pytest.fixture
def words(data: Path, tmp_path: Path) -> list[str]:
    found = ["anonymise", str(data), "--epsilon", "0.5", "--delta", "1e-4", "--ledger", str(tmp_path / "ledger.jsonl")]
    for name in ("age", "town"):
        found += ["--hierarchy", f"{name}={tmp_path / name}.csv"]
    return found


SEARCH = ["--search", "dp", "--search-epsilon", "0.25", "--mechanism", "trim"]


@pytest.mark.parametrize("more", [[], SEARCH, ["--mechanism", "sample", "--beta", "best"]])
def test_a_series_is_charged_once_and_pays_for_its_releases(
    words: list[str], data: Path, tmp_path: Path, ask: Any, more: list[str]
) -> None:
    each = 0.75 if more is SEARCH else 0.5
    plan = ["--releases", "3", "--releases-delta", "1e-2"]
    expected = None if more else ask(*words, "--plan", *plan)["planned"]
    answer = ask(*words, *more, *plan, "--out", str(tmp_path / "0.csv"))
    planned = answer["planned"]
    assert planned["releases"] == 3 and planned["entry"] and planned["epsilon"] < 3 * each
    assert expected is None or (expected["entry"], expected["exactly"]) == (None, planned["exactly"])
    assert answer["epsilon"] == each and answer["claim"]

    def spent() -> Any:
        return ask("ledger", str(data), "--ledger", str(tmp_path / "ledger.jsonl"))["spent"]

    assert spent()["exactly"] == planned["exactly"]
    for number in (1, 2):
        ask(*words, *more, "--out", str(tmp_path / f"{number}.csv"))
        assert spent()["exactly"] == planned["exactly"], "the plan pays"
    ask(*words, *more, "--out", str(tmp_path / "3.csv"))
    assert spent()["epsilon"] == pytest.approx(planned["epsilon"] + each), "and for no fourth one"


@pytest.mark.parametrize("more", [[], SEARCH])
def test_a_budget_that_a_plan_has_taken_suffices_for_its_releases(
    words: list[str], data: Path, tmp_path: Path, ask: Any, more: list[str]
) -> None:
    plan = ["--releases", "2", "--releases-delta", "1e-2"]
    elsewhere = [word.replace("ledger.jsonl", "elsewhere.jsonl") for word in words]
    price = ask(*elsewhere, *more, *plan, "--out", str(tmp_path / "x.csv"))["planned"]["exactly"]
    budget = f"{price['epsilon']},{price['delta']}"
    ask("ledger", str(data), "--ledger", str(tmp_path / "ledger.jsonl"), "--set-budget", budget)
    ask(*words, *more, *plan, "--out", str(tmp_path / "0.csv"))
    ask(*words, *more, "--out", str(tmp_path / "1.csv"))
    assert main([*words, *more, "--out", str(tmp_path / "2.csv")]) == 2, "nothing is left beyond it"
    assert not (tmp_path / "2.csv").exists()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--releases", "1"], "between 2 and"),
        (["--releases-delta", "1e-2"], "--releases does not say"),
        (["--releases", "3", "--releases-delta", "1e-4"], "below 1, and not below the sum"),
        (["--releases", "3", "--seed", "1"], "simulations"),
        (["--releases", "3", "--data-derived", "age", "--steps", "one", "--without-claim"], "no claim can be made"),
        (["--releases", "3", "--model", "k=2"], "cannot be combined"),
    ],
)
def test_what_cannot_be_planned_is_refused_before_anything_is_charged(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], why: str
) -> None:
    assert main([*words, *more, "--out", str(tmp_path / "o.csv")]) == 2
    said = capsys.readouterr().err
    assert why in said or "--releases plans (ε, δ) releases" in said
    assert not (tmp_path / "o.csv").exists() and "charged" not in said


def test_a_project_is_run_as_a_series(words: list[str], data: Path, tmp_path: Path, ask: Any) -> None:
    session = Session(new_project())
    session.data.open(data)
    for name in ("age", "town"):
        session.data.attach_hierarchy_file(name, tmp_path / f"{name}.csv")
    session.release.set_guarantee(GuaranteeSettings(epsilon=0.5, delta=1e-4))
    session.save(tmp_path / "p.wbench")
    run = ["run", str(tmp_path / "p.wbench"), "--data", str(data), "--ledger", str(tmp_path / "ledger.jsonl")]
    planned = ask(*run, "--out", str(tmp_path / "1"), "--releases", "2", "--releases-delta", "1e-2")["planned"]
    ask(*run, "--out", str(tmp_path / "2"))
    spent = ask("ledger", str(data), "--ledger", str(tmp_path / "ledger.jsonl"))["spent"]
    assert spent["exactly"] == planned["exactly"]


def test_an_open_plan_is_used_up_before_another_is_made(data: Path, tmp_path: Path) -> None:
    session = Session(new_project())
    session.ledger.use_file(tmp_path / "ledger.jsonl")
    session.data.open(data)
    for name in ("age", "town"):
        session.data.attach_hierarchy_file(name, tmp_path / f"{name}.csv")
    session.release.set_guarantee(GuaranteeSettings(epsilon=0.5, delta=1e-4))
    assert session.release.series.plan(2).entry
    with pytest.raises(WorkbenchError, match="pays for such a release already"):
        session.release.series.plan(2)
