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
from tests.library.helpers import AGES, JOBS, opened, people
from workbench.cli.main import main
from workbench.io import clipboard
from workbench.library import opening

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


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
    "integer": "lower upper missing role written",
    "number": "lower upper missing role written",
    "percent": "lower upper missing role written",
    "money": "lower upper missing role written",
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
    "published": "figure data column repetitions seed look settings",
    "Data.forecast": "self columns epsilon delta hierarchies levels steps shares floor rows",
    "Data.release": "self columns epsilon delta hierarchies levels steps shares mechanism "
    "beta floor rows step_column count_column seed known without_claim",
    "Data.search": "self models columns hierarchies suppression_limit metric local_recoding",
    "Data.ask": "self question column epsilon where noise again values",
    "Data.collect": "self column epsilon protocols people bounds bins encoding settings",
    "Data.compare": "self experiment hierarchies look",
    "Data.look": "self",
    "Data.plan": "self question column epsilon where noise rows values",
    "Data.simulate": "self column epsilon protocols people bounds bins encoding repetitions seed look settings",
    "Data.collect_reports": "self path column epsilon protocol bounds bins encoding seed force trial settings",
    "Data.save_project": "self path force",
    "aggregate": "reports top estimator postprocess one_file_per_person with_trials",
    "run_project": "project path data ledger chosen known without_claim force template",
    "report_project": "project folder data release formats ledger look",
    "sign": "path key out statement force",
    "new_key": "path",
    "new_pseudonym_key": "path",
    "Data.pseudonymise": "self columns path leave_out key force template",
    "Release.figure": "self column",
    "AskedAnswer.figure": "self",
    "Release.save": "self path without_claim force template left_out one_level",
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


def test_where_everybody_knows_how_many_there_are_it_is_claimed_for_replacing_a_person(tmp_path: Path) -> None:
    data = opened()
    release = data.release(["job"], levels={"job": 0}, epsilon=0.5, known="people")
    assert release.claimed and "(1, 2e-5)" in release.claim and "replacing one person by another" in release.claim
    release.save(tmp_path / "jobs.csv")
    assert wb.verify(tmp_path / "jobs.csv").holds
    assert data.spent == (1, 2 * Fraction(1, 10**5) - Fraction(1, 10**10))
    # Nobody says it again, and nobody can say the opposite.
    assert "(1, 2e-5)" in data.release(["job"], levels={"job": 0}, epsilon=0.5).claim
    with pytest.raises(wb.Refused, match="no known “heads”"):
        data.release(["job"], levels={"job": 0}, known="heads")


def test_a_draw_that_counts_twice_must_fit_the_budget_before_it_is_drawn() -> None:
    data = opened().budget(1, "1e-3")
    with pytest.raises(wb.Refused):
        data.release(["job"], levels={"job": 0}, epsilon=0.75, known="people")
    assert data.spent == (0, 0)
    assert data.release(["job"], levels={"job": 0}, epsilon=0.5, known="people").claimed


@pytest.mark.parametrize("model", ["k=900", "average-risk=0.0001", "l=4:job", "k=3"])
def test_a_refused_search_tells_no_number_of_the_table(model: str) -> None:
    told = set()
    for rows in (400, 404):
        frame = people(rows)
        frame["name"] = [f"p{row}" for row in range(rows)]
        with pytest.raises(wb.Refused) as refused:
            opened(frame).search(model, ["age", "job", "name"], hierarchies={"age": AGES})
        error = refused.value
        within = error.__traceback__.tb_next if error.__traceback__ else None
        frames = traceback.TracebackException(type(error), error, within, capture_locals=True)
        shown = (str(error), repr(error), *error._render_traceback_())
        assert not any(str(rows) in text for text in shown)
        told.add((*shown, repr(vars(error)), *traceback.format_exception(error), *frames.format()))
    assert len(told) == 1


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


# Commands that are calls too


def test_what_is_copied_elsewhere_is_opened(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copied = "zip\tage\r\n00123\t34\r\n00124\t35\r\n"
    monkeypatch.setattr(clipboard, "clipboard_text", lambda: copied)
    data = wb.open("clipboard:")
    assert data.columns == ("zip", "age")
    assert data._session.data.reading.table["zip"].texts() == ["00123", "00124"]
    assert data.ask("count", epsilon=1).epsilon == 1
    assert main(["profile", "clipboard:", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in told["columns"]] == ["zip", "age"]
    assert main(["verify", "clipboard:"]) == 2
    monkeypatch.setattr(clipboard, "clipboard_text", lambda: " \n")
    with pytest.raises(wb.Refused, match="no text on the clipboard"):
        wb.open("clipboard:")


def test_a_clipboard_that_nothing_here_can_read_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard.shutil, "which", lambda _name: None)
    with pytest.raises(wb.Refused, match="cannot be read here"):
        wb.open("clipboard:")


def test_the_tool_of_the_system_reads_the_clipboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "tool.py"
    script.write_text("import sys; sys.stdout.buffer.write('é\\tb\\n1\\t2\\n'.encode())", encoding="utf-8")
    broken = (sys.executable, "-c", "raise SystemExit(1)")
    monkeypatch.setattr(clipboard, "_commands", lambda: (broken, (sys.executable, str(script))))
    assert wb.open("clipboard:").columns == ("é", "b")


def test_a_plan_is_that_of_the_command_and_spends_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = opened()
    plan = data.plan("mean", "age", epsilon=0.5, where="age > 30", rows=300)
    people().to_csv(tmp_path / "people.csv", index=False)
    asked = ["--query", "mean", "--column", "age", "--bounds", "0,120", "--epsilon", "0.5", "--where", "age > 30"]
    assert main(["query", str(tmp_path / "people.csv"), *asked, "--assumed-rows", "300", "--plan", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (plan.error, plan.half_width) == (told["expected_error"], told["half_width"])
    assert list(plan.asserted) == told["asserted"] and plan.claim == told["in_words"]
    assert data.spent == (0, 0)
    # Two tables that differ in a row, or in all of them, have one plan.
    assert repr(opened(people(4)).plan("mean", "age", epsilon=0.5, where="age > 30", rows=300)) == repr(plan)


def test_reports_are_charged_once_and_tell_what_the_command_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = opened().describe(job=wb.category(["cook", "nurse"])).budget(2)
    made = data.collect_reports(tmp_path / "r.csv", "job", Fraction(3, 2), "oue")
    assert made.claimed and made.reports == 400 and data.spent[0] == Fraction(3, 2)
    with pytest.raises(wb.Refused, match="exists already"):
        data.collect_reports(made.path, "job", 0.25, "oue")
    with pytest.raises(wb.Refused):
        data.collect_reports(tmp_path / "much.csv", "job", 1, "oue")
    assert not (tmp_path / "much.csv").exists() and data.spent[0] == Fraction(3, 2)
    simulated = data.collect_reports(tmp_path / "s.csv", "job", 0.25, "grr", seed=1)
    assert not simulated.claimed and "simulation" in simulated.claim
    found = wb.aggregate([made.path])
    assert main(["aggregate", str(made.path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert found.frame["people"].to_dict() == told["estimate"] and found.frame["low"].to_dict() == told["low"]
    assert found.participants is not None and found.participants[0] == told["participants"]["estimate"]
    assert found.epsilon == told["epsilon_of_a_person"] == 1.5
    trial = data.collect_reports(tmp_path / "t.csv", "job", 0.25, "grr", trial=True)
    assert "A trial" in wb.aggregate(trial.path).claim and "A trial" not in found.claim
    other = opened(people(80)).describe(job=wb.category(["cook", "nurse"]))
    answered = other.collect_reports(tmp_path / "o.csv", "job", 0.25, "grr").path
    with pytest.raises(wb.Refused, match="of a trial"):
        wb.aggregate([trial.path, answered])
    assert wb.aggregate([trial.path, answered], with_trials=True).reports == 480
    top = wb.aggregate(made.path, top=1).frame
    assert len(top) == 1 and "sure" in top
    with pytest.raises(wb.Refused):
        wb.aggregate([])
    with pytest.raises(wb.Refused):
        wb.aggregate(made.path, estimator="nothing")


def test_a_mean_of_reports_has_its_band(tmp_path: Path) -> None:
    found = wb.aggregate(opened().collect_reports(tmp_path / "r.csv", "age", 2, "duchi", bounds=(0, 120)).path)
    assert found.mean is not None and found.mean[1] <= found.mean[0] <= found.mean[2]
    assert list(found.frame) == ["mean", "low", "high"] and "Mean" in repr(found)
    with pytest.raises(wb.Refused, match="no picture"):
        found.figure()


def test_a_simulation_is_a_look_and_is_that_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = opened()
    with pytest.raises(wb.Refused):
        data.simulate("age", 1, ["oue"], bins=12, repetitions=3, seed=1)
    found = data.simulate("age", 1, ["oue"], bins=12, repetitions=3, seed=1, look=True)
    people().to_csv(tmp_path / "people.csv", index=False)
    asked = ["--column", "age", "--bounds", "0,120", "--bins", "12", "--epsilon", "1", "--protocol", "oue"]
    assert main(["collect", str(tmp_path / "people.csv"), *asked, "--repetitions", "3", "--seed", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["protocols"]["oue"]
    assert found.frame["l1"].iloc[0] == told["l1"]["mean"]
    assert found.estimates.iloc[:, 1].tolist() == list(told["estimate"].values())
    assert "400" not in repr(found) and found._repr_html_().startswith(
        "<p>SurveySimulation: 1 protocol. For the analyst"
    )
    with pytest.raises(wb.Refused, match="cannot be claimed"):
        data.release(["job"], levels={"job": 0})


def test_a_signature_is_by_ones_own_key_and_of_what_holds(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    key = wb.new_key(tmp_path / "keys" / "mine.pem")
    private = key.path.read_text(encoding="ascii").splitlines()[1]
    (tmp_path / "out").mkdir()
    file = opened().release(["job"], levels={"job": 0}).save(tmp_path / "out" / "jobs.csv")
    signed = wb.sign(file, key=key.path)
    assert wb.verify(file, key=key.key.text).holds and signed.signature.parent == file.parent
    assert private not in repr(key) + repr(signed)
    with pytest.raises(wb.Refused, match="there already"):
        wb.sign(file, key=key.path)
    with pytest.raises(wb.Refused):
        wb.new_key(key.path)
    file.write_text(file.read_text(encoding="utf-8").replace("nurse", "cook", 1), encoding="utf-8")
    with pytest.raises(wb.Refused, match="Nothing was signed"):
        wb.sign(file, key=key.path, force=True)


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


def test_numbers_with_two_readings_are_said_without_a_value_until_it_is_said_how_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    path = tmp_path / "staff.csv"
    path.write_text("pay;team\n" + "".join(f"{n}.250 €;a\n{n}150;b\n" for n in range(30, 60)), encoding="utf-8")
    with pytest.warns(UserWarning, match=r"“pay”.*wb\.money\(written='1\.234,50 €'\) to read thousands") as told:
        data = wb.open(path)
    assert told[0].filename == __file__ and "30" not in str(told[0].message)
    with pytest.warns(UserWarning, match="“pay”"):
        data.describe(pay=wb.money(0, 100_000))
    for written, mean in (("1.234,50 €", 44_700), ("1234.50 €", 22_350)):
        recwarn.clear()
        data.describe(pay=wb.money(0, 100_000, written=written))
        assert not recwarn.list
        assert data.ask("mean", "pay", epsilon=30, resolution=1).value == pytest.approx(mean, rel=0.05)
    with pytest.raises(wb.Refused, match="does not say how numbers are written"):
        wb.integer(written="35.150")
    monkeypatch.setattr(opening, "keep_clipboard", lambda place: place.write_text("a\n5\n1.250\n"))
    with pytest.warns(UserWarning, match="“a”"):
        wb.open("clipboard:")


def test_a_delta_that_is_too_large_for_the_rows_one_expects_is_warned_of() -> None:
    data, ages = opened(), {"age": wb.hierarchy.intervals(10, whole=True)}
    data.forecast(hierarchies=ages, delta="1e-7", rows=14_000)
    with pytest.warns(UserWarning, match="1e-7 for the 14,000 rows you expect"):
        data.forecast(hierarchies=ages, rows=14_000)


def test_nothing_is_shown_where_a_look_cannot_be_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = opened()
    (tmp_path / "file").touch()
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "file"))
    for look in (
        lambda: data.search("k=5", hierarchies={"age": AGES}),
        lambda: data.release(hierarchies={"age": AGES}, seed=1),
        data.look,
    ):
        with pytest.raises(wb.Refused, match="cannot be written"):
            look()
