"""Collections on the command line: what is asked, simulated, reported and aggregated, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.collecting_helpers import JOBS, file
from workbench.cli.main import main
from workbench.core.number_text import rounded_up
from workbench.core.progress import SILENT
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.participation import UNSEEN
from workbench.ldp.protocol import PROTOCOLS, Family
from workbench.session.collection.aggregation import aggregator
from workbench.session.collection.estimated_charts import aggregated_chart

__all__ = ["file"]


def test_collect_prints_the_keys_it_promises(ask: Any, file: Path) -> None:
    data = ask(
        *("collect", file, "--column", "job", "--protocol", "grr,oue,square-wave", "--epsilon", "2"),
        *("--repetitions", "5", "--seed", "1"),
    )
    assert set(data["protocols"]) == {"grr", "oue", "square-wave"}
    for found in data["protocols"].values():
        assert found["epsilon"] == pytest.approx(2.0)
        assert set(found["estimate"]) == set(JOBS)
        # Where those who take no part report as well, it is estimated that there is hardly any.
        assert sum(found["estimate"].values()) == pytest.approx(2000, rel=0.05)
        for metric in ("l1", "l2", "kantorovich"):
            assert found[metric]["mean"] > 0 and found[metric]["se"] > 0
    assert data["domain"]["declared"] is False
    assert any("assumed to be public" in caution for caution in data["cautions"])
    assert sum(data["analyst"]["truth"].values()) == 2000
    again = ask(
        *("collect", file, "--column", "job", "--protocol", "oue", "--epsilon", "2"),
        *("--repetitions", "5", "--seed", "1", "--domain", ",".join(sorted(JOBS))),
    )
    assert again["protocols"]["oue"]["l1"] == data["protocols"]["oue"]["l1"]
    assert again["domain"]["declared"] is True and again["cautions"] == []


@pytest.mark.parametrize("identifier", [one.identifier for one in PROTOCOLS])
def test_reports_of_every_protocol_go_round(identifier: str, ask: Any, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "reports.csv"
    family = PROTOCOLS[identifier].family
    asked = ["--column", "age", "--bounds", "0,100", "--bins", "2" if identifier == "rr" else "5"]
    made = ask("collect", file, *asked, "--protocol", identifier, "--epsilon", "4", "--reports", out, "--seed", "2")
    assert made["count"] == 2000 and made["simulation"] is True and made["claim"] is False
    found = ask("aggregate", out)
    assert found["protocol"] == identifier
    assert found["epsilon"] == made["epsilon"]
    assert found["reports"] == 2000
    if family is Family.MEAN:
        assert 35 < found["estimate"] < 45
        assert found["low"] < found["estimate"] < found["high"]
    else:
        took_part = found.get("participants", {"estimate": 2000})["estimate"]
        assert ("participants" in found) == (found["participation"] == "hidden")
        assert sum(found["estimate"].values()) == pytest.approx(took_part) and abs(took_part - 2000) < 300
        assert all(found["low"][label] <= found["estimate"][label] <= found["high"][label] for label in found["low"])


@pytest.mark.parametrize(
    ("identifier", "words"), [("duchi", "95 %"), ("pm", "about 95 %"), ("oue", "95 %"), ("hadamard", "about 95 %")]
)
def test_a_band_says_whether_it_holds_as_often_or_about(
    identifier: str, words: str, ask: Any, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reports.csv"
    asked = ("--column", "age", "--bounds", "0,100", "--bins", "5", "--protocol", identifier, "--epsilon", "4")
    ask("collect", file, *asked, "--reports", out, "--seed", "2")
    found = aggregator([out], EstimationMethod())(SILENT)
    assert found.coverage == words
    chart = aggregated_chart(found, "")
    assert (None if chart is None else chart.band) == (
        None if found.estimate is None else f"{words} band of these people"
    )
    assert main(["aggregate", str(out)]) == 0
    said = capsys.readouterr().out
    assert (f", {words} band " in said) == (found.mean is not None)


def test_real_reports_from_the_command_line_are_a_promise(ask: Any, file: Path, tmp_path: Path) -> None:
    out, ledger = tmp_path / "reports.csv", tmp_path / "ledger"
    words = ("collect", file, "--column", "job", "--domain", ",".join(JOBS), "--protocol", "oue", "--epsilon", "1")
    made = ask(*words, "--reports", out, "--ledger", ledger)
    assert made["claim"] is True and made["reasons"] == [] and made["simulation"] is False
    assert ledger.exists()
    found = ask("aggregate", out, "--estimator", "unbiased", "--postprocess", "none", "--top", "2")
    assert found["top"][0]["value"] == "clerk" and found["top"][0]["sure"] is True
    assert found["simulation"] is False


def test_a_trial_is_refused_beside_reports_of_people(
    ask: Any, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ("--column", "job", "--domain", ",".join(JOBS), "--epsilon", "1", "--protocol", "oue", "--rows-per-person")
    paths = {name: str(tmp_path / f"{name}.csv") for name in ("real", "more", "trial")}
    for name, path in paths.items():
        trial = ["--trial"] if name == "trial" else []
        found = ask("collect", str(file), *common, "10", "--reports", path, *trial)
        assert found["trial"] is (name == "trial") and found["claim"]
    assert ask("aggregate", paths["real"], paths["more"])["trial"] is False
    assert main(["aggregate", *paths.values()]) == 2
    said = capsys.readouterr().err
    assert "of a trial: nobody gave these answers" in said and f"Leave out {paths['trial']}" in said
    assert main(["aggregate", *paths.values(), "--with-trials"]) == 0
    assert "never counted with those of people" in capsys.readouterr().out
    assert main(["collect", str(file), *common, "10", "--trial"]) == 2
    assert "says nothing without --reports" in capsys.readouterr().err


TYPED: dict[str, tuple[str, ...]] = {
    "answers": ("--domain", "never,once,no answer", "--missing", "stop"),
    "numbers": ("--bounds", "0,120", "--bins", "24"),
    "days": ("--bounds", "1950-01-01,2020-01-01", "--bins", "7"),
}


@pytest.mark.parametrize("asked", TYPED)
def test_a_survey_is_planned_without_a_file(ask: Any, tmp_path: Path, asked: str) -> None:
    ends = TYPED[asked][1].split(",")
    (tmp_path / "answers.csv").write_text("\n".join(["q", *ends]) + "\n", encoding="utf-8")
    words = ("--column", "q", *TYPED[asked], "--epsilon", "1", "--protocol", "grr,oue")
    predicted = ("--users", "2000", "--predict")
    assert ask("collect", *words, *predicted) == ask("collect", str(tmp_path / "answers.csv"), *words, *predicted)
    made = ask("collect", *words[:-1], "grr", "--trial", "--reports", str(tmp_path / "trial.csv"))
    assert made["trial"] and made["count"] == len(ends)
    assert ask("aggregate", str(tmp_path / "trial.csv"))["trial"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "which answers there are"),
        (("--domain", "a,b"), "how many people are asked"),
        (("--predict", "--need", "l1=0.1"), "which answers there are"),
        (("--reports", "r.csv", "--domain", "a,b"), "No data is named"),
        (("--predict",), "which answers there are"),
        (("--predict", "--domain", "a,b"), "how many people are asked"),
    ],
)
def test_without_a_file_all_that_a_plan_needs_is_typed(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["collect", "--column", "q", "--epsilon", "1", "--protocol", "grr", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("shares", "assumed", "truth"),
    [
        (("--guess", "5,3,2"), "own", [500, 300, 200]),
        (("--shape", "uniform"), "uniform", [334, 333, 333]),
        (("--shape", "falling"), "falling", [545, 273, 182]),
        ((), "own", [100, 850, 50]),
    ],
)
def test_a_survey_is_simulated_without_a_file_on_assumed_shares(
    ask: Any, tmp_path: Path, shares: tuple[str, ...], assumed: str, truth: list[int] | None
) -> None:
    """By hand: 1 : 1/2 : 1/3 of 1000 is 545.45, 272.73 and 181.82; few are taken to say yes where nothing is said."""
    ledger = tmp_path / "ledger.json"
    words = ("--column", "q", "--domain", "yes,no,none", "--users", "1000", "--epsilon", "1", "--protocol", "grr,oue")
    found = ask("collect", *words, *shares, "--repetitions", "30", "--seed", "1", "--ledger", ledger)
    assert found["assumed"] == assumed and found["simulation"] and not found["looked"] and not ledger.exists()
    told = found["truth"]
    assert list(told) == ["yes", "no", "none"] and sum(told.values()) == found["users"] == 1000
    assert truth is None or list(told.values()) == truth
    assert "analyst" not in found, "nothing of it is anybody's secret"
    for one in found["protocols"].values():
        assert all(abs(one["estimate"][name] - people) < 60 for name, people in told.items())
        assert one["l1"]["se"] > 0
    assert set(found["baselines"]) == {"uniform", "curator"}


def test_a_file_that_is_called_as_typed_answers_are_is_a_file(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("answers as typed").write_text(
        "who,answer\n" + "".join(f"P{i},{'no' if i % 2 else 'yes'}\n" for i in range(40))
    )
    words = ("--column", "answer", "--epsilon", "1", "--protocol", "oue", "--ledger", tmp_path / "ledger.json")
    found = ask("collect", "answers as typed", *words)
    assert found["looked"] and "assumed" not in found and found["analyst"]["truth"] == {"no": 20, "yes": 20}
    assert (tmp_path / "ledger.json").exists(), "the look is recorded"


def test_without_a_file_nothing_is_nearly_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "people.csv"
    table.write_text("q\n0\n100\n50\n", encoding="utf-8")
    plan = ["collect", "--column", "q", "--bounds", "0,100", "--users", "50", "--protocol", "duchi", "--epsilon", "1"]
    assert main(["query", str(table), "--query", "count", "--epsilon", "1"]) == 0
    capsys.readouterr()
    assert main(plan) == 0
    assert "nearly the same" not in capsys.readouterr().err
    assert main([*plan, "--continue-ledger"]) == 2
    assert "Without a file there is no data" in capsys.readouterr().err


def test_in_words_a_simulation_without_a_file_says_what_it_assumes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--column", "q", "--epsilon", "1", "--protocol", "grr", "--users", "1000", "--seed", "1"]
    assert main(["collect", *words, "--domain", "no,yes"]) == 0
    said = capsys.readouterr().out
    assert "on assumed shares (90 % “no” and 10 % “yes”)" in said and "Nobody gave these answers" in said
    assert "look" not in said and "analyst" not in said
    assert main(["collect", *words[:-4], "--users", "1000", "--protocol", "pm,duchi", "--bounds", "0,100"]) == 0
    assert "on assumed shares (one smooth hump)" in capsys.readouterr().out


def test_a_prediction_without_a_protocol_says_which_to_take(ask: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--column", "q", "--domain", "yes,no,no answer", "--epsilon", "1")
    found = ask("collect", *words, "--users", "2000", "--predict")
    assert len(found["predictions"]) > 5 and set(found["recommended"]) <= set(found["predictions"])
    assert (
        found["predictions"]["grr"]
        == ask("collect", *words, "--users", "2000", "--predict", "--protocol", "grr")["predictions"]["grr"]
    )
    assert main(["collect", *words, "--trial", "--reports", "r.csv"]) == 2
    assert "ask with --predict which one to take" in capsys.readouterr().err


def test_encodings_of_the_command_line(ask: Any, file: Path) -> None:
    def domain(*words: str) -> list[str]:
        data = ask("collect", file, "--protocol", "grr", "--epsilon", "1", *words)
        values: list[str] = data["domain"]["values"]
        return values

    assert domain("--column", "age", "--edges", "0,30,60,100") == ["[0, 30[", "[30, 60[", "[60, 100]"]
    assert len(domain("--column", "age", "--bins", "4")) == 4
    assert len(domain("--column", "age", "--whole", "--bounds", "18,90")) == 73
    assert domain("--column", "day", "--dates", "quarter", "--bounds", "2024-01-01,2024-12-31")[0] == "2024 Q1"
    assert domain("--column", "job", "--is", "cook") == ["not cook", "cook"]
    assert domain("--column", "job", "--domain", "cook,clerk", "--clip") == ["cook", "clerk", "(other)"]


def test_one_report_per_person_and_persons_from_the_command_line(ask: Any, refused: Any, file: Path) -> None:
    words = ("collect", file, "--column", "job", "--protocol", "grr", "--epsilon", "0.5", "--person", "name")
    assert "10 rows" in ask(*words)["analyst"]["rows_beyond_the_unit"][0]
    many = ask(*words, "--rows-per-person", "10")
    assert many["protocols"]["grr"]["epsilon_of_a_person"] == 5.0 and many["analyst"]["rows_beyond_the_unit"] == []
    once = ask(*words, "--one-report-per-person")
    assert (once["protocols"]["grr"]["epsilon_of_a_person"], once["users"]) == (0.5, 200)
    assert "more rows than the one row" in refused(*words, "--reports", file.with_name("r.csv"))


def test_predictions_of_the_command_line(ask: Any, file: Path) -> None:
    data = ask("collect", file, "--column", "job", "--protocol", "grr,oue,rr", "--epsilon", "1", "--predict")
    assert set(data["predictions"]) == {"grr", "oue"} and set(data["problems"]) == {"rr"}
    assert data["predictions"]["grr"]["l1"] < data["baselines"]["uniform"]["l1"]
    assert 0 <= data["predictions"]["grr"]["se"]["l1"] < 0.01 * data["predictions"]["grr"]["l1"]
    assert not data["domain_declared"] and not data["users_declared"] and len(data["cautions"]) == 2
    assert (data["assumed"], data["assumed_shapes"]) == ("auto", ["hump", "spiky", "uniform"])
    assert set(data["recommended"]) <= {"grr", "oue"} and data["recommended"][0] == next(iter(data["predictions"]))
    for one in data["predictions"].values():
        assert one["l1"] == max(case["l1"] for case in one["by_shape"].values()) and not one["smooths"]
    typed = ask(
        *("collect", file, "--column", "job", "--protocol", "grr", "--epsilon", "1", "--predict"),
        *("--domain", ",".join(JOBS), "--users", "500"),
    )
    assert typed["domain_declared"] and typed["users_declared"] and not typed["cautions"]


def test_a_shape_is_declared_on_the_command_line(ask: Any, refused: Any, file: Path) -> None:
    words = ("collect", file, "--column", "age", "--bins", "20", "--bounds", "0,100", "--protocol", "oue,square-wave")
    words = (*words, "--epsilon", "1", "--users", "1000", "--predict")
    usual = ask(*words)
    # Nothing is assumed of bands of numbers either: what smooths waits for a smooth shape to be declared.
    assert usual["assumed"] == "auto" and usual["assumed_shapes"] == ["hump", "spiky", "uniform"]
    assert usual["recommended"] == ["oue"] and "smooth, spiky or equal" in usual["advice"]
    worse = ask(*words, "--shape", "worse")
    assert {**worse, "assumed": "auto"} == usual
    hump = ask(*words, "--shape", "hump")
    assert (hump["assumed"], hump["assumed_shapes"], hump["recommended"]) == ("hump", ["hump"], ["square-wave"])
    assert hump["predictions"]["square-wave"]["smooths"]
    own = ask(*words, "--guess", ",".join(map(str, range(1, 21))))
    assert own["assumed"] == "own" and own["recommended"] == ["oue"]
    assert "2 numbers for 20 values" in refused(*words, "--guess", "1,2")


@pytest.mark.parametrize(
    "protocol,epsilon",
    [("ue=0.9:0.1", 2 * np.log(9.0)), ("geometric=neighbours", 19.0), ("rr=coins", np.log(3.0)), ("grr", 1.0)],
)
def test_a_simulation_states_the_epsilon_of_the_protocol(
    protocol: str, epsilon: float, ask: Any, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    column = ("--column", "job", "--is", "cook") if protocol.startswith("rr") else ("--column", "age", "--bins", "20")
    words = ("collect", file, *column, "--protocol", protocol, "--epsilon", "1", "--bounds", "0,100")
    (found,) = ask(*words)["protocols"].values()
    assert found["epsilon_of_a_person"] == pytest.approx(epsilon, rel=1e-6)
    assert main([*map(str, words)]) == 0
    assert f"ε = {rounded_up(found['epsilon'])} for each person" in capsys.readouterr().out


def test_filter_and_sample_of_the_command_line(ask: Any, file: Path) -> None:
    words = ("collect", file, "--column", "job", "--protocol", "grr", "--epsilon", "1", "--seed", "1")
    some = ask(*words, "--where", "age > 40")
    assert 0 < some["users"] < 1500 and not any("filter" in caution for caution in some["cautions"])
    seen = ask(*words, "--where", "age > 40", "--participation", "open")
    assert seen["users"] == some["users"] and any("filter" in caution for caution in seen["cautions"])
    assert 0 < ask(*words, "--sample", "0.1")["users"] < 400
    assert ask(*words, "--person", "name", "--limit-rows")["users"] == 200


def test_aggregating_says_what_a_person_reveals_and_counts_nothing_twice(ask: Any, refused: Any, file: Path) -> None:
    words = ("collect", file, "--column", "job", "--domain", ",".join(JOBS), "--protocol", "grr", "--epsilon", "0.5")
    for name in ("a.csv", "b.csv"):
        ask(*words, "--rows-per-person", "10", "--reports", file.with_name(name))
    one = ask("aggregate", file.with_name("a.csv"))
    assert (one["reports_per_person"], one["epsilon_of_a_person"], one["promise"]) == (10, 5.0, UNSEEN)
    both = ask("aggregate", file.with_name("a.csv"), file.with_name("b.csv"))
    assert (both["reports"], both["reports_per_person"], both["epsilon_of_a_person"]) == (4000, 20, 10.0)
    assert "count twice" in refused("aggregate", file.with_name("a.csv"), file.with_name("a.csv"))


def test_a_value_that_stands_for_no_value_is_listed_once(refused: Any, file: Path) -> None:
    words = ("collect", file, "--column", "job", "--protocol", "grr", "--epsilon", "1", "--missing", "value")
    assert "(missing)" in refused(*words, "--domain", "cook,(missing)", "--clip")


@pytest.mark.parametrize(
    "words,what",
    [
        (("--column", "job", "--protocol", "grr", "--epsilon", "0"), "above 0"),
        (("--column", "job", "--protocol", "grr", "--epsilon", "-1"), "above 0"),
        (("--column", "job", "--protocol", "grr"), "--epsilon is missing"),
        (("--column", "job", "--protocol", "magic", "--epsilon", "1"), "no local protocol"),
        (("--column", "job", "--protocol", "grr,grr", "--epsilon", "1"), "named twice"),
        (("--column", "no", "--protocol", "grr", "--epsilon", "1"), "no column"),
        (("--column", "job", "--domain", "cook", "--protocol", "grr", "--epsilon", "1"), "only one value"),
        (("--column", "job", "--domain", "cook,clerk", "--protocol", "grr", "--epsilon", "1"), "outside the public"),
        (("--column", "job", "--protocol", "ue=0.25:0.75"), "p"),
        (("--column", "job", "--protocol", "the=0.3", "--epsilon", "1"), "θ|theta|Theta"),
        (("--column", "job", "--protocol", "rr", "--epsilon", "1"), "exactly 2"),
        (("--column", "job", "--protocol", "ds", "--epsilon", "0.5"), "ln|0.69|ε"),
        (("--column", "job", "--protocol", "oue", "--epsilon", "1", "--estimator", "em"), "unbiased"),
        (("--column", "job", "--protocol", "oue", "--epsilon", "1", "--postprocess", "x"), "norm-sub"),
        (("--column", "age", "--bins", "3", "--edges", "0,1,2", "--protocol", "grr", "--epsilon", "1"), "cannot be"),
        (("--column", "job", "--protocol", "duchi", "--epsilon", "1"), "no mean"),
        (("--column", "job", "--protocol", "grr,oue", "--epsilon", "1", "--reports", "x.csv"), "one protocol"),
        (("--column", "job", "--protocol", "grr", "--epsilon", "1", "--users", "0"), "at least one"),
    ],
)
def test_bad_input_of_the_command_line_is_refused(refused: Any, file: Path, words: tuple[str, ...], what: str) -> None:
    assert re.search(what, refused("collect", file, *words))


def test_aggregate_refuses_what_holds_no_reports(refused: Any, file: Path) -> None:
    assert "no reports" in refused("aggregate", file)


def test_bins_are_listed_in_their_order(
    ask: Any, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reports.csv"
    ask("collect", file, "--column", "age", "--bounds", "0,100", "--bins", "25", "--protocol", "oue", "--epsilon", "4",
        "--reports", out, "--seed", "2")  # fmt: skip
    assert main(["aggregate", str(out)]) == 0
    said = capsys.readouterr().out
    rows = [int(low) for low in re.findall(r"^ +(\d+)–\d+ ", said, re.MULTILINE)]
    assert rows == [4 * place for place in range(20)]
    assert "5 more" in said and "less frequent" not in said
