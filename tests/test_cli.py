"""The command line: stable keys, honest claims, clear errors, never a traceback."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.said_numbers import whole_numbers
from workbench import bootstrap
from workbench.__main__ import main as start
from workbench.anonymise.privacy import ModelChoice
from workbench.cli.main import main
from workbench.core.hierarchy import Provenance
from workbench.core.paths import resources, sample_data
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings, Preparation
from workbench.session import Session

NBA = sample_data() / "nba_salaries.csv"
HIERARCHY = sample_data() / "nba_hierarchy_salary.csv"
PAIRS = sample_data() / "nba_hierarchy_salary_pairs_of_means.csv"
POSITION = sample_data() / "nba_hierarchy_position.csv"


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str | Path) -> Any:
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return json.loads(captured.out)

    return run


def release_of(out: Path, *more: str | Path) -> list[str | Path]:
    return [
        "anonymise", NBA, "--hierarchy", f"salary={HIERARCHY}", "--level", "salary=3",
        "--hierarchy", f"position={POSITION}", "--level", "position=0",
        "--mechanism", "sample", "--epsilon", "1", "--delta", "1e-5", "--out", out, *more, "--json",
    ]  # fmt: skip


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


def test_a_filter_a_limit_and_a_sample(ask: Any, refused: Any, tmp_path: Path) -> None:
    person = ["--person", "player", "--rows-per-person", "2"]
    where = ["--where", "year >= 2000 and position in ('C', 'SG')"]
    found = ask(*release_of(tmp_path / "o.csv", *person, *where, "--limit-rows", "--sample", "0.9", "--analyst"))
    assert found["claim"] is True
    prepared = found["analyst"]["preparation"]
    assert set(prepared) == {
        "rows_read", "filtered_out", "left_by_sample", "without_person", "over_limit", "misfits",
    }  # fmt: skip
    lost = sum(prepared[key] for key in ("filtered_out", "left_by_sample", "without_person", "over_limit"))
    assert prepared["rows_read"] - lost == found["analyst"]["rows_in"]
    assert min(prepared["filtered_out"], prepared["left_by_sample"], prepared["over_limit"]) > 0
    with (tmp_path / "o.csv").open(newline="", encoding="utf-8") as stream:
        assert {row["position"] for row in csv.DictReader(stream)} <= {"C", "SG"}
    assert "Did you mean “year”" in refused(*release_of(tmp_path / "o.csv", "--where", "yaer > 3"))
    assert "column that tells persons apart" in refused(*release_of(tmp_path / "o.csv", "--limit-rows"))
    assert "research sample" in refused(*release_of(tmp_path / "o.csv", "--sample", "0"))


def test_a_release_with_public_hierarchies_holds(ask: Any, tmp_path: Path) -> None:
    out, statement = tmp_path / "out.csv", tmp_path / "statement.html"
    found = ask(*release_of(out, "--statement", statement, "--analyst"))
    assert found["claim"] is True
    assert found["reasons"] == []
    assert found["levels"] == {"position": 0, "salary": 3}
    assert (found["epsilon"], found["k"]) == (1.0, 46)
    assert found["delta"] <= 1e-5
    assert set(found["analyst"]) == {"rows_in", "sampled", "suppressed"}
    with out.open(newline="", encoding="utf-8") as stream:
        header, *rows = csv.reader(stream)
    assert header == ["position", "salary"]  # columns without a hierarchy are left out
    assert len(rows) == found["rows_out"] == found["analyst"]["sampled"] - found["analyst"]["suppressed"]
    assert min(Counter(map(tuple, rows)).values()) >= found["k"]
    page = statement.read_text(encoding="utf-8")
    assert "differentially private release" in page
    secret = {found["analyst"]["sampled"], found["analyst"]["suppressed"]}
    said = whole_numbers(page)
    assert found["k"] in said and found["rows_out"] in said
    # A secret number that is public for another reason, such as k, may be said.
    assert not said & (secret - {found["rows_out"], *range(100)})


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (["--keep", "team"], "team"),
        (["--seed", "5"], "seed"),
        (["--data-derived", "salary"], "salary"),
    ],
)
def test_what_voids_the_claim_is_said(ask: Any, tmp_path: Path, more: list[str], word: str) -> None:
    statement = tmp_path / "s.html"
    found = ask(*release_of(tmp_path / "out.csv", *more, "--statement", statement, "--without-claim"))
    assert found["claim"] is False
    assert any(word in reason for reason in found["reasons"])
    assert "No (ε, δ) claim" in statement.read_text(encoding="utf-8")


def test_the_shipped_derived_hierarchy_is_known_as_such_with_and_without_its_note(ask: Any, tmp_path: Path) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_bytes(PAIRS.read_bytes())
    for number, file in enumerate((PAIRS, bare)):
        found = ask(
            "anonymise", NBA, "--hierarchy", f"salary={file}", "--level", "salary=6", "--epsilon", "1",
            "--delta", "1e-4", "--out", tmp_path / f"{number}.csv", "--without-claim", "--json",
        )  # fmt: skip
        assert found["claim"] is False


def test_grouping_a_column_as_it_is_keeps_the_claim(ask: Any, tmp_path: Path) -> None:
    found = ask(
        "anonymise", NBA, "--group", "position", "--epsilon", "1", "--delta", "1e-5", "--out",
        tmp_path / "o.csv", "--json",
    )  # fmt: skip
    assert found["claim"] is True
    assert found["levels"] == {"position": 0}


def test_no_more_rows_per_person_than_declared_are_released(ask: Any, tmp_path: Path) -> None:
    one = ask(*release_of(tmp_path / "1.csv", "--person", "player"))
    assert one["claim"] is True and any("“player”" in said for said in one["asserted"])
    many = ask(*release_of(tmp_path / "20.csv", "--person", "player", "--rows-per-person", "20", "--epsilon", "5"))
    assert many["claim"] is True
    assert many["k"] > one["k"]


def test_a_seeded_run_repeats_and_equals_the_session(ask: Any, tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    ask(*release_of(first, "--seed", "7"))
    ask(*release_of(second, "--seed", "7"))
    assert first.read_bytes() == second.read_bytes()
    session = Session()
    session.data.open(NBA)
    session.data.attach_hierarchy_file("salary", HIERARCHY)
    session.release.columns.set_level("salary", 3)
    session.data.attach_hierarchy_file("position", POSITION)
    session.release.columns.set_level("position", 0)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1, delta=1e-5))
    session.release.set_seed(7)
    session.release.anonymise()
    session.release.export(tmp_path / "c.csv", without_claim=True)
    assert (tmp_path / "c.csv").read_bytes() == first.read_bytes()


def test_a_saved_project_runs_again_on_a_file(ask: Any, tmp_path: Path) -> None:
    session = Session()
    session.data.open(NBA)
    session.data.attach_hierarchy_file("salary", HIERARCHY, Provenance.PUBLIC)
    session.release.columns.set_level("salary", 3)
    project = tmp_path / "nba.wbench"
    session.save(project)
    found = ask("run", project, "--data", NBA, "--out", tmp_path / "results", "--json")
    assert found["claim"] is True
    assert found["levels"] == {"salary": 3}
    assert (tmp_path / "results" / "release.csv").exists()
    assert (tmp_path / "results" / "statement.html").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["guarantee", "--epsilon", "0", "--delta", "1e-5"], "ε"),
        (["guarantee", "--epsilon", "-1", "--delta", "1e-5"], "ε"),
        (["guarantee", "--epsilon", "nan", "--delta", "1e-5"], "not a number"),
        (["guarantee", "--epsilon", "1", "--delta", "1"], "δ"),
        (["guarantee", "--epsilon", "1", "--delta", "1e-5", "--beta", "1.5"], "β"),
        (["guarantee", "--epsilon", "1", "--delta", "1e-5", "--beta", "0"], "β"),
        (["guarantee", "--epsilon", "one", "--delta", "1e-5"], "not a number"),
        (["guarantee", "--epsilon", "1"], ""),
        (["profile", "missing.csv"], "missing.csv"),
        (["nonsense", "x"], ""),
    ],
)
def test_impossible_input_is_refused_in_words(refused: Any, words: list[str], told: str) -> None:
    assert told in refused(*words, "--json")


def test_errors_name_the_flag_that_leads_on(refused: Any, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("age,pay\n" + "30,\n" + "".join(f"{20 + i % 40},{i}\n" for i in range(99)), encoding="utf-8")
    ask = ["query", people, "--epsilon", "1"]
    assert "--bounds" in refused(*ask, "--query", "mean", "--column", "age")
    collect = ["collect", people, "--epsilon", "1", "--reports", tmp_path / "out.csv", "--column"]
    for protocol in ("grr", "pm"):
        assert "--clip" in refused(*collect, "age", "--bounds", "0,30", "--protocol", protocol)
        assert "--missing" in refused(*collect, "pay", "--bounds", "0,99", "--protocol", protocol, "--missing", "stop")
    assert not (tmp_path / "out.csv").exists()


def test_reports_are_not_overwritten_by_another_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people, out, ledger = tmp_path / "people.csv", tmp_path / "out.csv", tmp_path / "people.ledger"
    people.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(99)), encoding="utf-8")
    words = ["collect", people, "--column", "age", "--bounds", "0,100", "--protocol", "grr", "--epsilon", "1"]
    words = [*map(str, words), "--reports", str(out), "--ledger", str(ledger)]
    assert main(words) == 0
    drawn = out.read_bytes()
    assert main([*words, "--predict"]) == 0
    assert main([*words[:-4], *words[-2:]]) == 0  # a simulation, which is recorded as a look
    assert out.read_bytes() == drawn
    charged = ledger.read_bytes()
    capsys.readouterr()
    assert main(words) == 2
    assert "--force" in capsys.readouterr().err
    assert (out.read_bytes(), ledger.read_bytes()) == (drawn, charged)
    assert main([*words, "--force"]) == 0
    assert out.read_bytes() != drawn


def test_errors_of_a_release_name_what_is_wrong(refused: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    few = tmp_path / "few.csv"
    few.write_text("".join(HIERARCHY.read_text(encoding="utf-8").splitlines(keepends=True)[:50]), encoding="utf-8")
    base = ["anonymise", NBA, "--mechanism", "sample", "--epsilon", "1", "--delta", "1e-5", "--out", out]
    assert "misses" not in refused(*base, "--hierarchy", f"salary={few}", "--level", "salary=9")
    assert "no level 9" in refused(*base, "--hierarchy", f"salary={HIERARCHY}", "--level", "salary=9")
    assert "no column" in refused(*base, "--hierarchy", f"wages={HIERARCHY}")
    assert "whole number" in refused(*base, "--hierarchy", f"salary={HIERARCHY}", "--level", "salary=x")
    assert "No column takes part" in refused(*base)
    # Level 0 of a salary: no two rows alike, everything is dropped.
    assert "Nothing was released" in refused(*base, "--hierarchy", f"salary={HIERARCHY}", "--level", "salary=0",
                                              "--group", "player", "--group", "year")  # fmt: skip
    assert not out.exists()
    assert "nba_salaries.csv" in refused(*release_of(NBA))
    assert "folder" in refused(*release_of(tmp_path / "nowhere" / "out.csv"))


def test_contradictions_and_slips_are_refused(refused: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    base = ["anonymise", NBA, "--epsilon", "1", "--delta", "1e-5", "--out", out, "--hierarchy", f"salary={HIERARCHY}"]
    assert "no hierarchy" in refused(*base, "--data-derived", "salry")
    assert "both" in refused(*base, "--group", "position", "--keep", "position")
    assert "both" in refused(*base, "--group", "salary")
    assert "did you mean anonymise?" in refused("anonymis")
    assert not out.exists()


def test_a_hierarchy_file_is_not_written_over(refused: Any, tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_bytes(HIERARCHY.read_bytes())
    refused("anonymise", NBA, "--hierarchy", f"salary={mine}", "--level", "salary=3", "--epsilon", "1", "--delta",
            "1e-5", "--out", mine)  # fmt: skip
    assert mine.read_bytes() == HIERARCHY.read_bytes()


def test_a_statement_that_cannot_be_written_leaves_no_release(refused: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    refused(*release_of(out, "--statement", tmp_path / "missing" / "s.html"))
    refused(*release_of(out, "--statement", out))
    refused(*release_of(out, "--statement", NBA))
    assert not out.exists()


def test_every_run_of_a_project_is_counted(ask: Any, tmp_path: Path) -> None:
    session = Session()
    session.data.open(NBA)
    session.data.attach_hierarchy_file("salary", HIERARCHY)
    session.release.columns.set_level("salary", 3)
    session.save(tmp_path / "p.wbench")
    first = ask("run", tmp_path / "p.wbench", "--data", NBA, "--out", tmp_path / "1", "--json")
    second = ask("run", tmp_path / "p.wbench", "--data", NBA, "--out", tmp_path / "2", "--json")
    assert first["recorded"] is second["recorded"] is True
    assert not any("release number" in caution for caution in first["cautions"])
    assert any("release number 2" in caution for caution in second["cautions"])


def test_how_a_file_is_written_can_be_said(ask: Any, tmp_path: Path) -> None:
    file = tmp_path / "plain.csv"
    file.write_text("Anna;Ghent\nBert;Leuven\nCleo;Namur\n", encoding="utf-8")
    assert ask("profile", file, "--no-header", "--json")["rows"] == 3
    assert ask("profile", file, "--header", "--json")["rows"] == 2
    assert len(ask("profile", file, "--delimiter", "\\t", "--json")["columns"]) == 1


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


def test_the_input_is_never_written_over(refused: Any) -> None:
    before = NBA.stat().st_mtime_ns
    refused(*release_of(NBA))
    assert NBA.stat().st_mtime_ns == before


def test_a_full_disk_leaves_no_half_file(refused: Any, tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    refused(*release_of(full))


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


def test_what_cannot_leave_is_refused_before_it_is_drawn(ask: Any, refused: Any, tmp_path: Path) -> None:
    out, ledger = tmp_path / "out.csv", tmp_path / "ledger"
    here = ("--ledger", ledger)
    said = []
    said.append(refused(*release_of(tmp_path / "nowhere" / "out.csv", *here)))
    said.append(refused(*release_of(NBA, *here)))
    said.append(refused(*release_of(out, "--statement", out, *here)))
    said.append(refused("anonymise", NBA, "--hierarchy", f"salary={HIERARCHY}", "--model", "k=5", *here,
                        "--out", tmp_path / "nowhere" / "out.csv"))  # fmt: skip
    assert all("folder" in one or "overwritten" in one for one in said), said
    ask("ledger", NBA, *here, "--set-budget", "0.5,1e-3", "--json")
    assert "budget" in refused(*release_of(out, *here))
    session = Session()
    session.ledger.use_file(ledger)
    session.data.open(NBA)
    assert session.ledger.looks(session.data.fingerprint) == ()
    assert not out.exists()


def test_the_kind_of_file_is_not_guessed(ask: Any, refused: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.pdf"
    assert "--out-format" in refused(*release_of(out))
    assert not out.exists()
    ask(*release_of(out, "--out-format", "csv"))
    assert out.read_text(encoding="utf-8").startswith("position,salary")


def test_a_column_that_is_kept_is_told_how_to_be_grouped(refused: Any, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out.csv"
    base = ["anonymise", NBA, "--epsilon", "1", "--delta", "1e-5", "--out", out, "--keep", "position"]
    assert "--group" in refused(*base)
    base += ["--hierarchy", f"salary={HIERARCHY}", "--level", "salary=3"]
    assert "--group position" in refused(*base)
    assert main([*map(str, base), "--without-claim"]) == 0
    assert "--group position" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["verify", str(NBA), "--statement", "missing.html"],
        ["verify", "missing.csv", "--model", "k=5"],
        ["audit", "--channel", "missing.csv"],
    ],
)
def test_files_that_are_not_there_are_told_in_words(refused: Any, words: list[str]) -> None:
    said = refused(*words)
    assert "There is no file “missing." in said
    assert "Errno" not in said


def test_one_release_is_spoken_of_as_one(ask: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tmp_path / "ledger"
    for _ in range(2):
        ask("anonymise", NBA, "--hierarchy", f"salary={HIERARCHY}", "--model", "k=5", "--out", tmp_path / "out.csv",
            "--force", "--ledger", ledger, "--json")  # fmt: skip
        assert main(["ledger", str(NBA), "--ledger", str(ledger)]) == 0
        said = capsys.readouterr().out
        assert ("1 of the releases has no claim" in said) != ("2 of the releases have no claim" in said)


def test_a_message_does_not_follow_unfinished_progress(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    words = ["anonymise", NBA, "--where", "nothing = 1", "--group", "age", "--epsilon", "1", "--delta", "1e-5"]
    assert main([*map(str, words), "--out", str(tmp_path / "out.csv")]) == 2
    shown = capsys.readouterr().err
    assert " % " in shown  # there was progress
    assert shown.split("workbench: ")[0].endswith("\r\033[K")


def test_a_release_in_parts(ask: Any, refused: Any, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    for number in range(2):
        (parts / f"{number}.csv").write_text("a,b\n" + "x,1\ny,2\n" * 300, encoding="utf-8")
    common = ("anonymise", parts, "--group", "a", "--group", "b", "--json")
    kinds = {"promised": ("--mechanism", "sample", "--epsilon", "1", "--delta", "1e-5"), "model": ("--model", "k=5")}
    for name, kind in kinds.items():
        out = tmp_path / name
        made = ask(*common, *kind, "--parts", "--out", out, "--out-format", "csv")
        assert [path.suffix for path in out.iterdir()] == [".csv"]
        assert (
            ask("verify", out, "--model", "k=5", "--group", "a", "--group", "b", "--json")["rows"] == made["rows_out"]
        )
    for inside in (("--out", parts / "out.csv"), ("--parts", "--out", parts / "out.csv")):
        told = refused(*common, *kinds["promised"], *inside)
        assert "would lie among the parts of" in told
    assert len(list(parts.iterdir())) == 2


def test_a_memory_budget_is_for_an_engine(ask: Any, refused: Any) -> None:
    assert "--memory-budget is for data in an engine" in refused("profile", NBA, "--memory-budget", "80MB")
    assert ask("profile", NBA, "--engine", "DuckDB", "--memory-budget", "80MB", "--json")["engine"] == "duckdb"


def test_interrupted_while_it_starts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "prepare", interrupted)
    assert start() == 130
    assert capsys.readouterr().err == "workbench: interrupted.\n"
