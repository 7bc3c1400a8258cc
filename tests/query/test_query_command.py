"""`workbench query`: stable keys, plans that spend nothing, and refusals in words."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.core.paths import sample_data
from workbench.core.randomness import RandomSource, SecureSource
from workbench.core.schema import KNOWN_BEFOREHAND
from workbench.core.settings_json import from_json
from workbench.query.catalogue import QueryDraft
from workbench.query.draws import ExactDraws
from workbench.query.ledger import Charge
from workbench.session import Session, charged_answers
from workbench.session.query_command import command

NBA = sample_data() / "nba_salaries.csv"
KEYS = {"answer", "interval", "epsilon", "delta", "neighbours", "engine", "spent", "remaining"}
AGE = ["--column", "age", "--bounds", "15,50", "--resolution", "1"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    def command(*words: str | Path, json_too: bool = True) -> Any:
        more = ["--ledger", str(tmp_path / "ledger.jsonl"), *(["--json"] if json_too else [])]
        code = main(["query", str(NBA), *map(str, words), *more])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return json.loads(captured.out) if json_too else captured.out

    return command


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    def command(*words: str | Path) -> str:
        try:
            code = main(["query", str(NBA), *map(str, words), "--ledger", str(tmp_path / "ledger.jsonl"), "--json"])
        except SystemExit as error:
            code = error.code  # type: ignore[assignment]
        captured = capsys.readouterr()
        assert code == 2 and captured.out == "" and "Traceback" not in captured.err
        return captured.err

    return command


def test_a_mean(run: Any) -> None:
    found = run("--query", "mean", *AGE, "--epsilon", "0.5", "--budget", "1")
    assert set(found) >= KEYS
    assert 20 < found["answer"] < 35
    assert found["interval"][0] <= found["answer"] <= found["interval"][1]
    assert (found["epsilon"], found["delta"]) == (0.5, 0)
    assert (found["neighbours"], found["engine"]) == ("add/remove", "grid")
    assert found["spent"]["epsilon"] == found["remaining"]["epsilon"] == 0.5
    again = run("--query", "count", "--epsilon", "0.5", "--where", "age > 30")
    assert again["remaining"]["epsilon"] == 0


def test_noise_comes_from_the_operating_system(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the session's runs are seeded, and numpy's generator too."""
    sources = []

    class Seen(ExactDraws):
        def __init__(self, source: RandomSource) -> None:
            sources.append(source)
            super().__init__(source)

    monkeypatch.setattr(charged_answers, "ExactDraws", Seen)
    answers = set()
    for _ in range(4):
        np.random.seed(1)
        answers.add(run("--query", "count", "--epsilon", "0.0001", "--again")["answer"])
    assert len(answers) > 1
    assert all(isinstance(source, SecureSource) and source.secure for source in sources) and len(sources) == 4


def test_a_plan_spends_nothing(run: Any, tmp_path: Path) -> None:
    found = run("--query", "mean", *AGE, "--epsilon", "0.5", "--plan", "--assumed-rows", "500")
    assert 0 < found["expected_error"] < found["half_width"]
    assert found["spent"]["epsilon"] == 0 and "500 rows" in found["assumption"]
    assert "answer" not in found
    text = run("--query", "mean", *AGE, "--epsilon", "0.5", "--plan", json_too=False)
    assert "Nothing was spent" in text and "e^ε" in text
    session = Session()
    session.data.open(NBA)
    session.ledger.use_file(tmp_path / "ledger.jsonl")
    assert session.ledger.current.entries == ()


def test_the_price_is_said_as_it_counts_where_that_is_not_what_is_set(run: Any) -> None:
    count, in_all = ["--query", "count"], "With all that was released of this data before it would be"
    alone = run(*count, "--epsilon", "0.5", "--plan")
    assert alone["charged"]["exactly"] == alone["spent_with_it"]["exactly"] == {"epsilon": "1/2", "delta": "0"}
    assert in_all not in run(*count, "--epsilon", "0.5", "--plan", json_too=False), "nothing was released before"
    assert run(*count, "--epsilon", "1")["charged"]["epsilon"] == 1
    again = [*count, "--epsilon", "0.5", "--plan"]
    assert f"{in_all} ε = 1.5." in run(*again, json_too=False)
    several = run(*again, "--rows-per-person", "9", json_too=False)
    assert f"{in_all} ε = 9.5, for persons with up to 9 rows." in several
    assert run(*again, "--rows-per-person", "9")["spent_with_it"]["epsilon"] == 9.5
    run(*count, "--epsilon", "0.9", "--rows-per-person", "9")
    counts = "as ε = 4.5: others were made for persons with up to 9 rows."
    planned, text = run(*again), run(*again, json_too=False)
    assert (planned["epsilon"], planned["charged"]["epsilon"], planned["spent_with_it"]["epsilon"]) == (0.5, 4.5, 14.4)
    assert f"It would count {counts}" in text
    answered = run(*again[:-1], json_too=False)
    assert f"This cost ε = 0.5.\n  It counts {counts}" in answered
    shown = run(*again[:-1])
    assert shown["stored"] and "charged" not in shown, "shown again for nothing"


def test_a_line_of_the_ledger_says_what_it_counts_as_for_people_with_more_rows(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--query", "count", "--epsilon", "1")
    run("--query", "count", "--epsilon", "0.9", "--rows-per-person", "9")
    assert main(["ledger", str(NBA), "--ledger", str(tmp_path / "ledger.jsonl")]) == 0
    said = capsys.readouterr().out
    assert "ε = 1, δ = 0 (counts as ε = 9, as others are for persons with up to 9 rows)  Count" in said
    assert "ε = 0.9, δ = 0  Count" in said and "so far: ε = 9.9, δ = 0" in said


def test_a_batch_says_what_it_comes_to_with_what_was_before(run: Any, tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    questions = [{"kind": "count", "weight": "1"}, {"kind": "count", "weight": "1", "where": "age > 30"}]
    spec.write_text(json.dumps({"epsilon": "1", "questions": questions}), encoding="utf-8")
    run("--query", "count", "--epsilon", "0.25")
    found = run("--batch", spec, "--plan")
    before = Fraction(1, 4)
    assert Fraction(found["spent_with_it"]["exactly"]["epsilon"]) == before + Fraction(
        found["charged"]["exactly"]["epsilon"]
    )
    assert run("--batch", spec)["charged"] == found["charged"]
    assert "charged" not in run("--batch", spec, "--plan"), "it was answered, and costs nothing more"


def test_an_answer_says_how_many_values_lie_beyond_once_they_were_counted(run: Any) -> None:
    bounds = ["--column", "age", "--bounds", "20,30"]
    mean = ["--query", "mean", *bounds, "--resolution", "1", "--epsilon", "5"]
    assert "counted_beyond" not in run(*mean) and "“--query limited”" in run(*mean, json_too=False)
    count = run("--query", "limited", *bounds, "--epsilon", "5")
    found = run(*mean)
    beyond = found["counted_beyond"]
    assert (beyond["answer"], beyond["entry"]) == (count["answer"], count["entry"])
    assert beyond["interval"][0].keys() == beyond["answer"].keys()
    assert "by a count that was paid for (95 % each)" in run(*mean, json_too=False)
    other = run("--query", "mean", "--column", "age", "--bounds", "20,31", "--resolution", "1", "--epsilon", "5")
    assert "counted_beyond" not in other, "it limits others"


def test_a_plan_says_where_its_rows_come_from(run: Any) -> None:
    plan = ["--query", "mean", *AGE, "--epsilon", "0.5", "--plan"]
    found = run(*plan)
    assert (found["assumed_rows"], found["rows_from"]) == (1000, "a guess")
    assert "If 1,000 rows match and have a value (a guess; with fewer the margin is wider)" in run(
        *plan, json_too=False
    )
    count = run("--query", "count", "--epsilon", "1")
    found = run(*plan)
    assert found["assumed_rows"] == count["answer"] and found["rows_from"].startswith("from the count released on 2")
    assert f"If {count['answer']:,} rows match and have a value (from the count released on 2" in run(
        *plan, json_too=False
    )
    needed = run("--query", "mean", *AGE, "--need", "0.5", "--plan")
    assert needed["assumed_rows"] == count["answer"] and needed["half_width"] <= 0.5
    for rows in (500, 1000):
        typed = run(*plan, "--assumed-rows", rows)
        assert (typed["assumed_rows"], typed["rows_from"]) == (rows, "as typed")
        assert typed["spent"]["epsilon"] == 1


def test_an_answer_of_limited_values_says_so(run: Any) -> None:
    mean = ["--query", "mean", "--column", "age", "--bounds", "15,25", "--epsilon", "1"]
    assert run(*mean)["limited"] == "values limited to 15…25"
    assert "Of values limited to 15…25; the interval is for these." in run(*mean, json_too=False)
    assert run("--query", "count", "--epsilon", "1")["limited"] == ""
    found = run("--query", "limited", "--column", "age", "--bounds", "15,25", "--epsilon", "1")
    assert set(found["answer"]) == {"below 15", "above 25"} and found["answer"]["above 25"] > 100
    assert found["claim"] and found["parameters"]["parts"] == [{"name": "count", "sensitivity": "1", "epsilon": "1"}]


def test_what_is_needed_says_what_it_costs(run: Any) -> None:
    found = run("--query", "count", "--need", "10", "--plan")
    assert found["half_width"] <= 10 and found["epsilon"] == pytest.approx(0.28, abs=0.03)


def test_histograms_answer_by_label(run: Any) -> None:
    found = run("--query", "histogram", "--column", "position", "--keys", "PG,SG", "--other", "--epsilon", "1")
    assert set(found["answer"]) == set(found["interval"]) == {"PG", "SG", "other values"}
    two = run(
        "--query", "histogram2d", "--column", "age", "--bounds", "15,50", "--bins", "2",
        "--second-column", "position", "--second-keys", "PG,SG", "--epsilon", "1",
    )  # fmt: skip
    assert set(next(iter(two["answer"].values()))) == {"PG", "SG"}
    grouped = run(
        "--query", "group-by", "--by-column", "position", "--by-keys", "PG,SG", "--epsilon", "1", json_too=False
    )
    assert "PG" in grouped and "at most" in grouped


def test_choices_and_mechanisms_by_hand(run: Any) -> None:
    found = run("--query", "above-threshold", "--threshold", "5", "--questions", "age > 60", "--questions", "age > 20",
                "--epsilon", "5")  # fmt: skip
    assert found["answer"] in ("age > 20", "age > 60") and found["interval"] is None
    by_hand = run("--query", "truncated-geometric", "--alpha", "1/2", "--largest", "1000000")
    assert by_hand["epsilon"] == pytest.approx(0.693147180559945, rel=1e-12)
    assert run("--query", "laplace", "--scale", "4")["epsilon"] == 0.25


def test_diffprivlib_is_labelled(run: Any) -> None:
    found = run("--query", "mean", *AGE, "--epsilon", "1", "--engine", "diffprivlib", "--tool", "nanmean")
    assert (found["neighbours"], found["engine"]) == ("replace-one", "diffprivlib")
    assert any("public" in note for note in found["notes"])
    assert found["parameters"]["tool"] == "nanmean"
    assert not found["claim"] and found["unclaimed"].startswith("No guarantee of ours")
    assert (found["spent"]["epsilon"], found["spent"]["bounded"], found["spent"]["neighbours"]) == (
        1, False, "replace-one",
    )  # fmt: skip
    words = ["--query", "mean", *AGE, "--epsilon", "1", "--engine", "diffprivlib"]
    for text in (run(*words, json_too=False), run(*words, "--plan", json_too=False)):
        assert "No guarantee of ours" in text and "Hidden is" not in text and "equally likely" not in text
        assert "nothing bounds all of them together" in text and "replacing a person's rows" in text
    spread = run("--query", "variance", *AGE, "--epsilon", "1", "--engine", "diffprivlib", json_too=False)
    assert "Of values limited to 15…50. How many" in spread, "there is no interval to speak of"


def test_an_answer_is_printed_with_what_is_asserted(run: Any) -> None:
    found = run("--query", "mean", *AGE, "--epsilon", "0.1")
    planned = run("--query", "mean", *AGE, "--epsilon", "0.1", "--plan")
    assert found["claim"] and found["asserted"] == planned["asserted"]
    assert any(KNOWN_BEFOREHAND in said for said in found["asserted"])
    for text in (
        run("--query", "mean", *AGE, "--epsilon", "0.1", json_too=False),
        run("--query", "mean", *AGE, "--epsilon", "0.1", "--plan", json_too=False),
    ):
        assert "if what you assert is so" in text
        assert all(f"- {said}" in text for said in found["asserted"])


def test_the_account_is_that_of_the_ledger_command(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--query", "count", "--epsilon", "0.2")
    session = Session()
    session.data.open(NBA)
    session.ledger.use_file(tmp_path / "ledger.jsonl")
    session.ledger.current.charge(Charge("release", "k-anonymous", Fraction(0), claimed=False))
    found = run("--query", "count", "--epsilon", "0.1", "--plan")
    text = run("--query", "count", "--epsilon", "0.1", "--plan", json_too=False)
    where = ["ledger", str(NBA), "--ledger", str(tmp_path / "ledger.jsonl")]
    assert main([*where, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["spent"], said["remaining"]) == (found["spent"], found["remaining"])
    assert (said["spent"]["bounded"], said["advanced"], said["numerical"]) == (False, None, None)
    assert main(where) == 0
    sentences = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("  ")]
    assert all(sentence in text.splitlines() for sentence in sentences)
    assert any("nothing bounds" in sentence for sentence in sentences)


def test_the_views_of_the_ledger_say_when_they_hold(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--query", "count", "--epsilon", "0.2")
    assert main(["ledger", str(NBA), "--ledger", str(tmp_path / "ledger.jsonl"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["numerical"]["epsilon"] == 0.2
    assert said["views"]["extra_delta"] == 1e-9 and "fixed before" in said["views"]["holds_if"]


def test_several_questions_share_one_epsilon(run: Any, refused: Any, tmp_path: Path) -> None:
    spec = tmp_path / "batch.json"
    questions = [{"kind": "count", "weight": "3"}, {"kind": "count", "where": "age > 30"}]
    spec.write_text(json.dumps({"epsilon": "0.4", "questions": questions}), encoding="utf-8")
    found = run("--batch", spec)
    assert [one["epsilon"] for one in found["answers"]] == [pytest.approx(0.3), pytest.approx(0.1)]
    assert set(found) >= KEYS - {"answer", "interval"} and found["spent"]["epsilon"] == 0.4
    assert len(run("--batch", spec, "--plan")["plans"]) == 2
    spec.write_text("[]", encoding="utf-8")
    assert "does not describe a batch" in refused("--batch", spec)


def test_a_project_describes_the_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session()
    session.data.open(NBA)
    session.data.set_bounds("age", (15.0, 50.0))
    session.queries.set_draft(QueryDraft("mean"))
    path = tmp_path / "p.wbench"
    session.save(path)
    assert main(["query", str(path), "--query", "mean", "--column", "age", "--epsilon", "1", "--json"]) == 0
    assert 20 < json.loads(capsys.readouterr().out)["answer"] < 35


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--query", "mean", "--column", "age", "--epsilon", "1"], "bounds"),
        (["--query", "mean", "--column", "age", "--bounds", "50,15", "--epsilon", "1"], "not below"),
        (["--query", "mean", "--column", "age", "--bounds", "15", "--epsilon", "1"], "--bounds"),
        (["--query", "mean", "--column", "player", "--bounds", "1,2", "--epsilon", "1"], "player"),
        (["--query", "count", "--epsilon", "0"], "ε must be above 0"),
        (["--query", "count", "--epsilon", "nan"], "not a number"),
        (["--query", "count", "--epsilon", "inf"], "not a number"),
        (["--query", "count"], "--epsilon"),
        (["--query", "count", "--epsilon", "1", "--need", "5"], "--epsilon"),
        (["--query", "laplace", "--epsilon", "1"], "own parameters"),
        (["--query", "unheard", "--epsilon", "1"], "no question"),
        (["--query", "count", "--column", "age", "--epsilon", "1"], "no parameter"),
        (["--query", "count", "--epsilon", "1", "--where", "age >"], "value"),
        (["--query", "histogram", "--column", "position", "--epsilon", "1"], "Which values"),
        (["--query", "median", *AGE, "--epsilon", "1", "--engine", "diffprivlib"], "not made for a release"),
        (["--query", "count", "--epsilon", "1", "--budget", "0.5"], "beyond the budget"),
    ],
)
def test_impossible_input_is_refused_in_words(refused: Any, words: list[str], told: str) -> None:
    assert told in refused(*words)


@pytest.mark.parametrize(
    "words,flag,fitting",
    [
        (["--query", "histogram", "--column", "position", "--keys", "C,PF", "--bins", "7"], "--bins", "histogram2d"),
        (["--query", "histogram", "--column", "position", "--keys", "C,PF", "--lower", "3"], "--lower", "mean"),
        (["--query", "histogram", "--column", "position", "--keys", "C,PF", "--bounds", "3,4"], "--bounds", "mean"),
        (["--query", "histogram", "--column", "position", "--keys", "C", "--outside", "exclude"], "--outside", "histo"),
        (["--query", "histogram", "--column", "position", "--keys", "C", "--param", "bins=7"], "--bins", "histogram2d"),
        (["--query", "group-by", "--by-column", "position", "--by-keys", "C", "--column", "age"], "--column", "mean"),
        (["--query", "mean", *AGE, "--threshold", "7"], "--threshold", "above-threshold"),
        (["--query", "count", "--keys", "C"], "--keys", "histogram"),
    ],
)
def test_what_says_nothing_about_a_question_is_refused_with_the_questions_it_is_for(
    refused: Any, words: list[str], flag: str, fitting: str
) -> None:
    said = refused(*words, "--epsilon", "1", "--plan")
    assert flag in said and fitting in said.replace("\n           ", " ")


def test_what_says_nothing_is_kept_where_it_was_saved_and_left_out_of_a_command(tmp_path: Path, run: Any) -> None:
    values = {"column": "position", "keys": "C,PF", "bins": 7, "lower": "3", "outside": "exclude"}
    saved = {"kind": "histogram", "values": values, "epsilon": "1"}
    assert dict(from_json(QueryDraft, saved).values) == values
    batch = tmp_path / "batch.json"
    batch.write_text(json.dumps({"epsilon": "1", "questions": [{**saved, "weight": "1"}]}))
    assert run("--batch", batch, "--plan")["query"] == "histogram"
    session = Session()
    session.data.open(NBA)
    words = command(from_json(QueryDraft, saved), session.project, None)
    assert "--keys" in words and not {"--bins", "--lower", "--outside"} & set(words)


def test_the_command_line_does_not_import_diffprivlib_unasked() -> None:
    code = (
        "import sys; from workbench.cli.main import main; "
        f"main(['query', {str(NBA)!r}, '--query', 'count', '--epsilon', '1', '--plan']); "
        "sys.exit(any(name in sys.modules for name in ('diffprivlib', 'sklearn', 'scipy')))"
    )
    found = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, timeout=60)
    assert found.returncode == 0
