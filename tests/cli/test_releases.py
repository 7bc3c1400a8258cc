"""Releases on the command line: stable keys, honest claims."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import HIERARCHY, NBA, PAIRS, POSITION, release_of
from tests.said_numbers import whole_numbers
from workbench.cli.main import main
from workbench.core.hierarchy import Provenance
from workbench.project.model import GuaranteeSettings
from workbench.session import Session


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


def test_one_release_is_spoken_of_as_one(ask: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tmp_path / "ledger"
    for _ in range(2):
        ask("anonymise", NBA, "--hierarchy", f"salary={HIERARCHY}", "--model", "k=5", "--out", tmp_path / "out.csv",
            "--force", "--ledger", ledger, "--json")  # fmt: skip
        assert main(["ledger", str(NBA), "--ledger", str(ledger)]) == 0
        said = capsys.readouterr().out
        assert ("1 of the releases has no claim" in said) != ("2 of the releases have no claim" in said)


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
