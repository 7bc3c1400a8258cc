"""The library for notebooks: its surface, its paths, and that nothing it shows by accident is of the data."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import math
import re
import subprocess
import sys
import traceback
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from workbench.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture(autouse=True)
def own_ledgers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "ledgers"))


def people(rows: int = 400) -> pd.DataFrame:
    ages = [34, 35, 36, 52]
    return pd.DataFrame({"age": ages * (rows // 4), "job": ["cook", "cook", "nurse", "nurse"] * (rows // 4)})


JOBS = wb.hierarchy.categories({"health": ["nurse"], "food": ["cook"]})
AGES = wb.hierarchy.intervals(10, 2, whole=True)


def opened(frame: pd.DataFrame | None = None) -> wb.Data:
    return wb.open(people() if frame is None else frame).describe(age=wb.integer(0, 120))


# The surface


def test_importing_it_loads_nothing() -> None:
    code = "import sys; before = set(sys.modules); import workbench; print(*sorted(set(sys.modules) - before))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert found == ["workbench"]


def test_what_is_offered_is_there_and_explained_and_hides_no_package() -> None:
    packages = {path.parent.name for path in Path(wb.__file__).parent.glob("*/__init__.py")}
    modules = {path.stem for path in Path(wb.__file__).parent.glob("*.py")}
    for name in wb.__all__:
        assert inspect.getdoc(getattr(wb, name)), name
    assert not set(wb.__all__) & (packages | modules)
    assert set(wb.__all__) <= set(dir(wb))
    assert not hasattr(wb, "nothing_of_that_name")


def test_types_say_the_same_as_the_package() -> None:
    stub = ast.parse(Path(wb.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    said = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(map(str, said)) == sorted(wb.__all__)
    for name, place in said.items():
        module, _, inner = place.rpartition(".")
        parent = importlib.import_module(module)
        assert getattr(wb, str(name)) in (getattr(parent, inner, None), sys.modules.get(place))


FROZEN = {
    "open": "source table query written where person rows_per_person limit_rows ledger",
    "integer": "lower upper missing role",
    "number": "lower upper missing role",
    "percent": "lower upper missing role",
    "money": "lower upper missing role",
    "text": "missing role",
    "category": "values ordered missing role",
    "date": "pattern missing role",
    "moment": "pattern missing role",
    "guarantee": "epsilon delta mechanism rows_per_person beta k half_survive always_survive floor",
    "audit": "mechanism claim delta neighbours sample repeat beside then parameters",
    "verify": "path original hierarchies key",
    "hierarchy.intervals": "width factors start whole lowest highest",
    "hierarchy.categories": "groups declared",
    "hierarchy.dates": "units",
    "hierarchy.masking": "step levels length side",
    "hierarchy.rule": "builder parameters details",
    "hierarchy.read": "path declared",
    "Data.describe": "self columns",
    "Data.budget": "self epsilon delta",
    "published": "figure data column repetitions seed look",
    "Data.forecast": "self columns epsilon delta hierarchies levels steps shares floor rows",
    "Data.release": "self columns epsilon delta hierarchies levels steps shares mechanism "
    "beta floor rows step_column count_column seed without_claim",
    "Data.search": "self models columns hierarchies suppression_limit metric local_recoding",
    "Data.ask": "self question column epsilon where noise again values",
    "Data.collect": "self column epsilon protocols people bounds bins encoding settings",
    "Data.compare": "self experiment hierarchies look",
    "Data.look": "self",
    "Release.figure": "self column",
    "AskedAnswer.figure": "self",
    "Release.save": "self path without_claim force",
}


@pytest.mark.parametrize("name", FROZEN)
def test_what_was_offered_once_stays(name: str) -> None:
    found: Any = wb
    for part in name.split("."):
        found = getattr(found, part)
    assert " ".join(inspect.signature(found).parameters) == FROZEN[name]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_of_the_page_run(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(example, str(PAGE), "exec"), {})


# Paths


def test_a_release_of_a_frame_is_saved_verified_and_counted(tmp_path: Path) -> None:
    data = opened()
    release = data.release(hierarchies={"age": AGES, "job": JOBS})
    assert release.claimed and "(1, 1e-5)-differentially private" in release.claim
    assert len(release.frame) == release.rows and 200 <= release.rows <= 400
    with pytest.raises(wb.Refused, match="does not follow from its name"):
        release.save(tmp_path / "out.weird")
    file = release.save(tmp_path / "out.csv")
    assert wb.verify(file).holds
    assert data.spent == (1, Fraction(1, 100000))
    assert data.ledger["claim"].tolist() == [True]
    assert len(pd.read_csv(file, dtype=str)) == release.rows
    # Twice the same settings are one draw; another one costs.
    assert data.release(hierarchies={"age": AGES, "job": JOBS}).frame.equals(release.frame)
    assert data.spent[0] == 1
    data.release(["age"], levels={"age": 2})
    assert data.spent[0] == 2


def test_the_best_table_of_a_model_is_found_saved_and_counted_as_a_look(tmp_path: Path) -> None:
    frame = people()
    frame.loc[0, "age"] = 77
    data = opened(frame)
    found = data.search("k=50", hierarchies={"age": AGES, "job": JOBS}, suppression_limit=0.01)
    # The one of 77 is left out; at level 0 each of the others stands for a hundred, but for the row that is missing.
    assert found.rows == 399 and set(found.levels) == {"age", "job"} and 77 not in set(found.frame["age"])
    assert "77" not in repr(found) and "nothing is promised" in repr(found)
    assert wb.verify(found.save(tmp_path / "k.csv")).found.holds
    with pytest.raises(wb.Refused, match="cannot be claimed"):
        data.release(["job"], levels={"job": 1})


def test_the_ledger_is_that_of_the_same_rows_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = people()
    opened(frame).ask("count", epsilon=0.5)
    frame.to_csv(tmp_path / "people.csv", index=False)
    assert main(["ledger", str(tmp_path / "people.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spent"]["epsilon"] == 0.5


def test_an_answer_is_paid_for_once() -> None:
    data = opened()
    first = data.ask("mean", "age", epsilon="1/2")
    again = data.ask("mean", "age", epsilon=Fraction(1, 2))
    assert again.stored and not first.stored and again.value == first.value
    assert data.spent[0] == Fraction(1, 2)
    assert first.interval is not None and first.interval[0] <= first.value <= first.interval[1]
    assert first.frame.shape == (1, 4)
    bars = data.ask("histogram", "age", epsilon=np.float64(0.25), bins=4)
    assert len(bars.value) == 4 == len(bars.frame)
    assert data.spent[0] == Fraction(3, 4)


def test_a_budget_is_kept() -> None:
    data = opened().budget(1).budget(1)
    with pytest.raises(wb.Refused):
        data.budget(2)
    data.ask("count", epsilon=0.75)
    with pytest.raises(wb.Refused):
        data.ask("count", where="age > 30", epsilon=0.5)
    assert data.spent[0] == Fraction(3, 4)


def test_what_cannot_be_claimed_is_refused_before_it_is_charged() -> None:
    derived = wb.hierarchy.categories({"a": ["nurse"], "b": ["cook"]}, declared=False)
    data = opened()
    with pytest.raises(wb.Refused, match="cannot be claimed"):
        data.release(["job"], hierarchies={"job": derived}, levels={"job": 1})
    assert data.spent == (0, 0)
    without = data.release(["job"], levels={"job": 1}, without_claim=True)
    assert not without.claimed and "Analyst only" in without._repr_html_()


def test_a_survey_is_planned_without_looking_at_a_row() -> None:
    plans = [opened(people(rows)).collect("age", 1, ["oue", "grr"], people=5000, bins=8) for rows in (4, 400)]
    found = [plan.frame for plan in plans]
    assert found[0].equals(found[1]) and (found[0].to_numpy() > 0).all()
    assert plans[0].advice == plans[1].advice and plans[0].advice in repr(plans[0])
    with pytest.raises(wb.Refused, match="how many people"):
        opened().collect("age", 1)


def test_methods_are_compared_on_the_true_values_only_where_a_look_is_allowed() -> None:
    spec = {
        "question": {"figure": "mean", "column": "age"},
        "methods": ["global-grid"],
        "axis": "epsilon",
        "places": [1.0],
        "repetitions": 3,
        "seed": 1,
    }
    with pytest.raises(wb.Refused):
        opened().compare(spec)
    found = opened().compare(spec, look=True)
    assert found.frame["method"].nunique() == 1 and (found.frame["error"] >= 0).all()
    assert found.analyst_only and found._repr_html_().startswith("<p>Analyst only.")


def test_guarantees_and_audits_need_no_table() -> None:
    found = wb.guarantee(1, "1e-5")
    assert (found.half_survive, found.always_survive) == (12, 23)
    assert wb.guarantee(1, 1e-5, mechanism="sample").k > 1
    audited = wb.audit([[0.75, 0.25], [Fraction(1, 4), "3/4"]], claim="ln 3")
    assert audited.exact == "ln(3)" and audited.holds and audited.epsilon >= math.log(3)
    assert wb.audit([[0.75, 0.25], [0.25, 0.75]], claim=1).holds is False


# Refusals


WRONG: dict[str, Any] = {
    "question": lambda data: data.ask("meen", "age", epsilon=1),
    "column": lambda data: data.ask("mean", "agee", epsilon=1),
    "epsilon": lambda data: data.ask("mean", "age", epsilon="much"),
    "epsilon-type": lambda data: data.ask("mean", "age", epsilon=True),
    "no-epsilon": lambda data: data.ask("mean", "age"),
    "no-column": lambda data: data.release(["salary"]),
    "nothing": lambda data: data.release([]),
    "mechanism": lambda data: data.release(["age"], mechanism="sampling"),
    "level": lambda data: data.release(["age"], levels={"age": 9}),
    "described": lambda data: data.describe(agee=wb.integer(0, 1)),
    "bounds": lambda data: data.describe(age=wb.integer(5, 1)),
    "one-bound": lambda data: wb.integer(lower=0),
    "role": lambda data: wb.text(role="secret"),
    "no-table": lambda data: wb.open(3),
    "no-columns": lambda data: wb.open(pd.DataFrame()),
    "no-file": lambda data: wb.open("nowhere.csv"),
    "no-release": lambda data: wb.verify("nowhere.csv"),
    "matrix": lambda data: wb.audit([["1/2", "1/2"], ["1"]]),
    "no-hierarchy": lambda data: wb.hierarchy.read("nowhere.csv"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_a_sentence_and_costs_nothing(name: str) -> None:
    data = opened()
    with pytest.raises(wb.Refused) as caught:
        WRONG[name](data)
    assert str(caught.value).strip().endswith((".", "?"))
    shown = [Path(frame.filename) for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert [file.name for file in shown if file.parent.name == "library"][-1] == "plainly.py"
    assert not {"core", "session", "query", "io", "project"} & {file.parent.name for file in shown}
    assert data.spent == (0, 0)


# What is shown by accident

SECRETS = ("SECRET-1a", 987654321, "1999-09-09")


def test_no_representation_holds_a_value_of_the_data() -> None:
    frame = people()
    frame["name"], frame["pay"], frame["born"] = "some", 1, "2000-01-01"
    frame.loc[7, ["name", "pay", "born"]] = SECRETS
    data = wb.open(frame).describe(age=wb.integer(0, 120), born=wb.date())
    release = data.release(["name", "age"], hierarchies={"age": AGES}, levels={"age": 1})
    answer = data.ask("count", epsilon=1)
    simulated = data.release(["name", "age"], levels={"age": 1}, seed=3)
    made = [data, release, simulated, answer, JOBS, wb.integer(0, 9), data._session.release.result]
    texts = [repr(one) for one in made]
    texts += [one._repr_html_() for one in made if hasattr(one, "_repr_html_")]
    texts += [release.statement, release.frame.to_csv(), str(release.frame["name"].cat.categories.tolist())]
    for refused in (
        lambda: data.ask("mean", "name", epsilon=1),
        lambda: data.ask("mean", "pay", epsilon=1),
        lambda: data.describe(pay=wb.date()).ask("mean", "pay", epsilon=1),
    ):
        with pytest.raises(wb.Refused) as caught:
            refused()
        texts.append("".join(traceback.format_exception(caught.value)))
        within = [one for one, _ in traceback.walk_tb(caught.value.__traceback__) if one.f_code.co_name == "called"]
        texts += [repr(value) for one in within for value in one.f_locals.values()]
    for text in texts:
        assert not any(str(secret) in text for secret in SECRETS)
    assert "simulation" in repr(simulated) and str(simulated.rows) not in repr(simulated)
