"""`workbench anonymise` that trims groups: what is meant, refused, forecast, written and said."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import pytest

from workbench.anonymise.dp_search import Degree
from workbench.cli.main import main
from workbench.core.hierarchy import ANY
from workbench.core.paths import sample_data
from workbench.project.model import new_project
from workbench.project.storage import load_project
from workbench.project.trim_settings import StepsBy
from workbench.session import Session

TOWNS = ("Bern", "Thun", "Chur")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    lines = (f"{20 + i % 40};{TOWNS[i % 3]};{i % 2};{i}\n" for i in range(4000))
    file.write_text("age;town;sick;number, n\n" + "".join(lines), encoding="utf-8")
    (tmp_path / "age.csv").write_text(
        "".join(f"{age};{age // 10}0s;{'old' if age > 39 else 'young'};*\n" for age in range(20, 60)), encoding="utf-8"
    )
    (tmp_path / "town.csv").write_text("Bern;BE;*\nThun;BE;*\nChur;GR;*\n", encoding="utf-8")
    return file


@pytest.fixture
def command(data: Path, tmp_path: Path) -> list[str]:
    words = ["anonymise", str(data), "--epsilon", "1", "--delta", "1e-4", "--out", str(tmp_path / "o.csv")]
    for name in ("age", "town"):
        words += ["--hierarchy", f"{name}={tmp_path / name}.csv"]
    return words


def rows_of(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream, delimiter=";" if ";" in file.read_text(encoding="utf-8") else ","))


def test_without_a_setting_groups_are_trimmed_in_steps(command: list[str], tmp_path: Path, ask: Any) -> None:
    answer = ask(*command, "--statement", str(tmp_path / "s.html"))
    assert answer["mechanism"] == "trim" and answer["claim"] and answer["rows_out"] >= 0.8 * 4000
    assert (answer["epsilon"], answer["delta"]) == (1, 1e-4)
    assert [step["degree"] for step in answer["steps"]] == ["none", "low", "low-medium", "medium", "high", "complete"]
    assert answer["steps"][0]["levels"] == answer["levels"] == {"age": 0, "town": 0}
    assert answer["steps"][-1]["levels"] == {"age": 3, "town": 2}
    assert sum(step["rows_out"] for step in answer["steps"]) == answer["rows_out"]
    assert sum(step["epsilon"] for step in answer["steps"]) == pytest.approx(1)
    assert "beta" not in answer and answer["half_survive"] < answer["always_survive"]
    header, *rows = rows_of(tmp_path / "o.csv")
    assert header == ["age", "town"] and len(rows) == answer["rows_out"]
    assert ask("verify", str(tmp_path / "o.csv"), "--statement", str(tmp_path / "s.html"))["holds"]


def test_epsilon_and_delta_that_nobody_typed_are_the_usual_ones(
    command: list[str], ask: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    at = command.index("--epsilon")
    bare = command[:at] + command[at + 4 :]
    answer = ask(*bare)
    assert (answer["epsilon"], answer["delta"], answer["usual"]) == (1, 1e-5, ["delta", "epsilon"])
    assert "usual" not in ask(*command, "--force")
    assert main([*bare, "--epsilon", "0.5", "--force"]) == 0
    said = capsys.readouterr().out
    assert "Nobody typed it, so δ = 1e-5 was taken. Such a δ is for up to 1,000 people" in said
    for rows, advised in ((1_000, ""), (14_000, "1e-7 for the 14,000 rows you expect")):
        assert main([*bare, "--plan", "--expect", str(rows)]) == 0
        said = capsys.readouterr().out
        assert (advised in said) if advised else "a hundred times the number of people:" not in said
    assert ask(*bare, "--plan")["usual"] == ["delta", "epsilon"]
    for sampling in (["--beta", "best"], ["--mechanism", "sample"], ["--keep", "sick"]):
        assert main([*bare, *sampling, "--force"]) == 2
        assert "--epsilon is missing" in capsys.readouterr().err


def test_each_step_is_said_in_words(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--steps", "medium,complete", "--shares", "3,1"]) == 0
    said = capsys.readouterr().out
    assert "Step 1 of 2 (medium): age 2, town 1; ε = 0.75" in said and "Step 2 of 2 (complete): age 3, town 2" in said
    assert "is released at some level half of the time" in said and "β" not in said


@pytest.mark.parametrize(
    ("more", "chain"),
    [
        (["--level", "age=2"], [{"age": 2, "town": 1}]),
        (["--steps", "one"], [{"age": 1, "town": 1}]),
        (["--degree", "high"], [{"age": 2, "town": 2}]),
        (["--steps", "low,high"], [{"age": 1, "town": 0}, {"age": 2, "town": 2}]),
        (["--steps", "low,high", "--max-level", "age=1"], [{"age": 1, "town": 0}, {"age": 1, "town": 2}]),
        (["--step", "age=1,town=0", "--step", "age=3"], [{"age": 1, "town": 0}, {"age": 3, "town": 0}]),
        (["--step", "age=0,town=0", "--step", "town=2,age=1"], [{"age": 0, "town": 0}, {"age": 1, "town": 2}]),
        (["--data-derived", "age", "--without-claim"], [{"age": 1, "town": 1}]),
    ],
)
def test_the_levels_of_the_steps_are_what_was_typed(
    command: list[str], more: list[str], chain: list[dict[str, int]], ask: Any
) -> None:
    assert [step["levels"] for step in ask(*command, *more)["steps"]] == chain


def test_a_step_may_name_columns_with_commas_and_equals_signs(
    command: list[str], ask: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = ask(*command, "--group", "number, n", "--step", "number, n=1,age=1", "--step", "age=3,town=2")
    assert answer["steps"][0]["levels"] == {"age": 1, "town": 1, "number, n": 1}
    assert main([*command, "--force", "--step", "number, n=1"]) == 2
    assert "takes no part" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_counts_are_written_one_line_per_group(
    command: list[str], tmp_path: Path, engine: str, ask: Any, data: Path
) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    more = ("--steps", "medium,complete", "--as-counts", "--step-column", "step", "--floor", "6", "--engine", engine)
    answer = ask(*command, *more)
    assert (answer["count_column"], answer["step_column"], answer["floor"]) == ("rows", "step", 6)
    assert answer["steps"][0]["always_survive"] == answer["always_survive"]
    header, *rows = rows_of(tmp_path / "o.csv")
    assert header == ["age", "town", "step", "rows"]
    assert sum(int(row[-1]) for row in rows) == answer["rows_out"] and len(rows) == answer["groups_out"]
    assert all(int(row[-1]) >= 6 for row in rows)
    assert len({tuple(row[:3]) for row in rows}) == len(rows)
    assert Counter(row[2] for row in rows if row[:2] == [ANY, ANY]) in ({"2": 1}, {})


def test_what_a_hierarchy_misses_becomes_a_star_and_is_not_told(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "town.csv").write_text("Bern;BE;*\nThun;BE;*\n", encoding="utf-8")
    assert main([*command, "--steps", "none,complete", "--json"]) == 0
    said = capsys.readouterr()
    assert "Chur" not in said.out + said.err and " misses" not in said.out + said.err
    assert {row[1] for row in rows_of(tmp_path / "o.csv")[1:]} <= {"Bern", "Thun", ANY}
    assert main([*command, "--force", "--cover", "--steps", "none,complete"]) == 0
    assert "Chur" not in (tmp_path / "o.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "more", [["--beta", "best"], ["--accounting", "classical"], ["--keep", "sick"], ["--mechanism", "sample"]]
)
def test_what_is_about_sampling_means_sampling(command: list[str], more: list[str], ask: Any) -> None:
    answer = ask(*command, *more, "--without-claim")
    assert answer["mechanism"] == "sample" and answer["k"] > 1 and answer["levels"] == {"age": 1, "town": 1}
    assert answer.get("sampled_because_of", []) == (["sick"] if "--keep" in more else [])


def test_that_a_kept_column_means_sampling_is_said(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--keep", "sick", "--without-claim"]) == 0
    assert "Rows were sampled, because “sick” is kept" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (["--mechanism", "trim", "--beta", "best"], "--beta is about sampling"),
        (["--mechanism", "trim", "--accounting", "classical"], "--accounting classical"),
        (["--mechanism", "trim", "--keep", "sick"], "--group sick"),
        (["--mechanism", "sample", "--steps", "low,high"], "--steps is about trimming"),
        (["--beta", "best", "--floor", "5"], "--floor is about trimming"),
        (["--keep", "sick", "--as-counts"], "--as-counts is about trimming"),
        (["--beta", "0.5", "--plan"], "--plan is about trimming"),
        (["--steps", "low,high", "--level", "age=1"], "--level and --steps"),
        (["--steps", "low,high", "--step", "age=1"], "--steps and --step"),
        (["--steps", "one", "--step", "age=1"], "contradict"),
        (["--steps", "high,low"], "does not come after"),
        (["--steps", "low,odd"], "is no degree"),
        (["--step", "nobody=1"], "names no column"),
        (["--step", "age=1,age=2"], "two levels"),
        (["--step", "age=x"], "whole number"),
        (["--step", "age=9"], "no level 9"),
        (["--step", "age=2", "--step", "age=1"], "finer"),
        (["--steps", "low,high", "--shares", "1,2,3"], "3 shares, and 2 steps"),
        (["--shares", "1"], "1 share, and 6 steps"),
        (["--shares", "1,x"], "no list of numbers"),
        (["--floor", "0"], "1"),
        (["--expect", "0"], "1"),
        (["--steps", "one", "--min-level", "age=1"], "--min-level"),
        (["--as-counts", "age"], "already"),
    ],
)
def test_contradictions_are_refused_with_the_way_out(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], word: str
) -> None:
    assert main([*command, *more]) == 2
    assert word in capsys.readouterr().err
    assert not (tmp_path / "o.csv").exists()


def test_levels_are_drawn_for_trimming(command: list[str], ask: Any) -> None:
    answer = ask(*command, "--search", "dp", "--search-epsilon", "0.5", "--steps", "medium,complete")
    assert answer["claim"] and (answer["epsilon"], answer["release_epsilon"]) == (1.5, 1)
    assert answer["steps"][-1]["levels"] == {"age": 3, "town": 2}


class TestForecast:
    """What `--plan` says."""

    def test_it_reads_no_row(self, command: list[str], data: Path, tmp_path: Path, ask: Any) -> None:
        found = ask(*command, "--plan", "--expect", "4000")
        assert not (tmp_path / "o.csv").exists()
        data.write_text(data.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
        assert ask(*command, "--plan", "--expect", "4000") == found
        data.write_text(data.read_text(encoding="utf-8") + "not;a row;of it\n" * 3, encoding="utf-8")
        assert ask(*command, "--plan", "--expect", "4000") == found

    def test_it_says_what_to_expect_and_what_is_left_out(self, command: list[str], ask: Any) -> None:
        found = ask(*command[:6], *command[8:], "--plan", "--steps", "medium,complete", "--expect", "4000")
        assert found["mechanism"] == "trim" and (found["epsilon"], found["delta"]) == (1, 1e-4)
        assert [step["possible_groups"] for step in found["steps"]] == [3 * 3, 1]
        assert found["released_if_even"] > 0.9 and found["left_out"] == ["sick", "number, n"]
        assert found["steps"][0]["half_survive"] < found["steps"][0]["always_survive"]

    def test_what_a_named_ledger_leaves_is_said(
        self, command: list[str], data: Path, tmp_path: Path, ask: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        ledger = tmp_path / "ledger.jsonl"
        assert ask(*command, "--plan")["remaining"] is None
        assert ask(*command, "--plan", "--ledger", str(ledger))["remaining"] is None
        ask("ledger", str(data), "--ledger", str(ledger), "--set-budget", "2.5,1e-3")
        ask(*command, "--ledger", str(ledger))
        stood = ledger.read_bytes()
        left = ask(*command, "--plan", "--ledger", str(ledger))["remaining"]
        assert left["exactly"] == {"epsilon": "3/2", "delta": "9/10000"}
        assert main([*command, "--plan", "--ledger", str(ledger)]) == 0
        assert "Left in ledger.jsonl: ε = 1.5, δ = 0.0009." in capsys.readouterr().out
        assert ledger.read_bytes() == stood, "nothing is charged for a forecast"

    def test_the_typed_number_of_rows_is_an_assertion_where_it_decides(self, command: list[str], ask: Any) -> None:
        asserted = ask(*command, "--expect", "4000")["asserted"]
        assert any("how many people were expected" in one and "whoever is in the table" in one for one in asserted)

    def test_where_it_decides_nothing_it_is_none(self, command: list[str], ask: Any) -> None:
        asserted = ask(*command, "--expect", "4000", "--steps", "one")["asserted"]
        assert asserted and not any("expected" in one for one in asserted)

    def test_in_words(self, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert main([*command, "--plan", "--group", "sick"]) == 0
        said = capsys.readouterr().out
        assert "no row was read" in said and "--expect N" in said and "number, n" in said
        assert "Any number of groups is possible" in said and "It costs ε = 1" in said

    @pytest.mark.parametrize(
        ("more", "word"),
        [(["--search", "dp", "--search-epsilon", "1"], "drawn"), (["--mechanism", "sample"], "--plan")],
    )
    def test_what_cannot_be_foreseen(
        self, command: list[str], capsys: pytest.CaptureFixture[str], more: list[str], word: str
    ) -> None:
        assert main([*command, "--plan", *more]) == 2
        assert word in capsys.readouterr().err

    @pytest.mark.parametrize("text", ["a;b\n", "\ufeffa;b\r\n1;2\r\n", '"a";"b"\n', "a\tb\n1\t2\n", "a,b"])
    def test_the_header_is_read_however_it_is_written(self, tmp_path: Path, text: str, ask: Any) -> None:
        file = tmp_path / "small.csv"
        file.write_text(text, encoding="utf-8", newline="")
        found = ask("anonymise", str(file), "--group", "a", "--epsilon", "1", "--delta", "1e-4", "--plan")
        assert found["left_out"] == ["b"]


def hierarchies(folder: Path, beginning: str) -> list[str]:
    """What is typed to give every column its hierarchy in a folder."""
    words = []
    for file in sorted(folder.glob(f"{beginning}_hierarchy_*.csv")):
        name = file.stem.removeprefix(f"{beginning}_hierarchy_")
        words += ["--hierarchy", f"{name.replace('_', ' ')}={file}"]
    return words


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_sample_loses_few_of_its_rows_without_a_setting(tmp_path: Path, engine: str, ask: Any) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    file, out, page = sample_data() / "baltimore_salaries.csv", tmp_path / "o.csv", tmp_path / "s.html"
    words = ["anonymise", str(file), *hierarchies(sample_data(), "baltimore"), "--epsilon", "1", "--delta", "1e-5"]
    answer = ask(*words, "--engine", engine, "--out", str(out), "--statement", str(page))
    with file.open(encoding="utf-8") as lines:
        rows = sum(1 for _ in lines) - 1
    assert answer["claim"] and answer["rows_out"] >= 0.8 * rows
    text = page.read_text(encoding="utf-8")
    assert all(escape(sentence) in text for sentence in answer["asserted"])
    assert ask("verify", str(out), "--statement", str(page))["holds"]


def test_adult_loses_few_of_its_rows_without_a_setting(tmp_path: Path, ask: Any, shared_data: Path) -> None:
    data = shared_data / "adult"
    words = ["anonymise", str(data / "adult.csv"), *hierarchies(data, "adult"), "--epsilon", "1", "--delta", "1e-5"]
    answer = ask(*words, "--out", str(tmp_path / "o.csv"))
    assert answer["claim"] and answer["rows_out"] >= 0.8 * 30_162


def test_balanced_steps_keep_what_they_are_told_to_keep(command: list[str], tmp_path: Path, ask: Any) -> None:
    plan = [*(word for word in command if word not in ("--out", str(tmp_path / "o.csv"))), "--plan", "--expect", "100"]
    usual = ask(*plan, "--steps", "balanced")["steps"]
    assert "degree" not in usual[0] and len(usual) <= 3
    assert usual[0]["levels"] == {"age": 2, "town": 1}
    kept = ask(*plan, "--steps", "balanced=1", "--keep-longest", "town", "--give-up-first", "age")["steps"]
    assert [step["levels"] for step in kept] == [{"age": 3, "town": 0}]
    answer = ask(*command, "--steps", "balanced", "--statement", str(tmp_path / "s.html"))
    assert answer["claim"] and answer["rows_out"] >= 0.8 * 4000
    assert ask("verify", str(tmp_path / "o.csv"), "--statement", str(tmp_path / "s.html"))["holds"]


@pytest.mark.parametrize(
    "words,said",
    [
        (("--keep-longest", "town"), "--keep-longest is about balanced steps"),
        (("--steps", "low,high", "--give-up-first", "town"), "--give-up-first is about balanced steps"),
        (("--steps", "balanced", "--keep-longest", "nobody"), "no column “nobody”"),
        (
            ("--steps", "balanced", "--keep-longest", "age", "--give-up-first", "age"),
            "cannot be kept longest and given",
        ),
        (("--steps", "balanced=9"), "9"),
        (("--steps", "balanced", "--step", "age=1"), "both decide about the levels"),
    ],
)
def test_what_balanced_steps_refuse(
    command: list[str], capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert main([*command, *words]) == 2
    assert said in capsys.readouterr().err


def test_a_saved_project_is_trimmed_again_on_a_file(command: list[str], data: Path, tmp_path: Path, ask: Any) -> None:
    session = Session(new_project())
    session.data.open(data)
    for name in ("age", "town"):
        session.data.attach_hierarchy_file(name, tmp_path / f"{name}.csv")
    trim = session.project.anonymise.trim
    session.release.set_trimming(
        replace(trim, steps=StepsBy.DEGREES, degrees=(Degree.MEDIUM, Degree.COMPLETE), step_column="step")
    )
    session.save(tmp_path / "p.wbench")
    answer = ask("run", str(tmp_path / "p.wbench"), "--data", str(data), "--out", str(tmp_path / "out"))
    assert answer["mechanism"] == "trim" and answer["claim"] and answer["recorded"]
    assert [step["degree"] for step in answer["steps"]] == ["medium", "complete"]
    assert rows_of(tmp_path / "out" / "release.csv")[0] == ["age", "town", "step"]
    (record,) = load_project(tmp_path / "p.wbench").releases
    assert (record.mechanism, record.beta, record.k, record.epsilon, record.delta) == ("trim", 0, 0, 1, 1e-5)
    assert load_project(tmp_path / "p.wbench").anonymise.mechanism is None


def test_a_project_that_was_saved_before_samples(data: Path, tmp_path: Path, ask: Any) -> None:
    session = Session()
    session.data.open(data)
    session.data.attach_hierarchy_file("age", tmp_path / "age.csv")
    session.save(tmp_path / "p.wbench")
    answer = ask("run", str(tmp_path / "p.wbench"), "--data", str(data), "--out", str(tmp_path / "out"))
    assert answer["mechanism"] == "sample" and answer["k"] == 46
    (record,) = load_project(tmp_path / "p.wbench").releases
    assert (record.mechanism, record.k) == ("", 46)
