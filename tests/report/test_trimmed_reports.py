"""Reports, the checklist and certificates of trimmed releases: what is public in them follows from the file alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.properties import is_whole
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.project.model import GuaranteeSettings, new_project
from workbench.project.trim_settings import StepsBy
from workbench.report.checklist import Light
from workbench.report.content import Bullets, Paragraph, Picture, Report, ReportHeading, ReportTable
from workbench.report.html_report import html_of
from workbench.report.pdf_report import pdf_of
from workbench.session import Session
from workbench.session.before_and_after import compared_result
from workbench.session.release_subject import SpreadsheetCounts, subject_of

AGES = Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(20, 60)], origin="tens")
TOWNS = Hierarchy.from_rows([("Bern", "BE", "*"), ("Thun", "BE", "*"), ("Chur", "GR", "*")], origin="cantons")
RARE = "Zebrafish"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A release in three steps; one town is rare and listed nowhere."""
    file = tmp_path / "people.csv"
    rows = [f"{20 + i % 40},{('Bern', 'Thun', 'Chur')[i % 3]}\n" for i in range(3000)] + [f"33,{RARE}\n"]
    file.write_text("age,town\n" + "".join(rows), encoding="utf-8")
    made = Session(new_project())
    made.ledger.use_file(tmp_path / "ledger.jsonl")
    made.data.open(file)
    made.data.attach_hierarchy("age", AGES)
    made.data.attach_hierarchy("town", TOWNS)
    made.release.set_guarantee(GuaranteeSettings(epsilon=2.0, delta=1e-4))
    vectors = ({"age": 0, "town": 0}, {"age": 1, "town": 0}, {"age": 2, "town": 2})
    trimming(made, steps=StepsBy.TYPED, vectors=vectors, shares=(5, 3, 2))
    return made


def trimming(session: Session, **changes: Any) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, **changes))


def words_of(report: Report) -> str:
    found: list[str] = []
    for block in report.blocks:
        if isinstance(block, (Paragraph, ReportHeading)):
            found.append(block.text)
        elif isinstance(block, Bullets):
            found += block.items
        elif isinstance(block, ReportTable):
            found += [*block.heads, *(cell for row in block.rows for cell in row)]
        elif isinstance(block, Picture):
            found += [block.title, block.words, *(cell for row in block.numbers for cell in row)]
    return "\n".join(found)


def titles(report: Report) -> list[str]:
    return [block.title for block in report.blocks if isinstance(block, Picture)]


def counts_of(report: Report, title: str) -> dict[str, int]:
    picture = next(block for block in report.blocks if isinstance(block, Picture) and block.title == title)
    return {label.strip('"'): int(rows) for label, rows in picture.numbers[1:]}


@pytest.mark.properties
@pytest.mark.parametrize("count_column", ["", "n"])
@pytest.mark.parametrize("step_column", ["", "step"])
def test_labels_of_different_levels_have_pictures_of_their_own(
    session: Session, tmp_path: Path, count_column: str, step_column: str
) -> None:
    trimming(session, count_column=count_column, step_column=step_column)
    outcome = session.release.anonymise().outcome
    session.release.export(tmp_path / "out.csv", force=True)
    session.release.look()
    reports = session.reports.maker()()
    public = reports.release
    assert reports.shows_rows
    fine, tens = (counts_of(public, f"Column age, level {level} of 2") for level in (0, 1))
    assert set(fine) <= {str(age) for age in range(20, 60)} and set(tens) <= {"20s", "30s", "40s", "50s"}
    stars = next(
        int(block.text.split(" have * in age")[0].split(", ")[-1].replace(",", ""))
        for block in public.blocks
        if isinstance(block, Paragraph) and "have * in age" in block.text
    )
    assert sum(fine.values()) + sum(tens.values()) + stars == outcome.rows_out
    assert ("Column step" in titles(public)) == bool(step_column)
    assert not any("Column n" in title for title in titles(public))
    said = words_of(public)
    assert RARE not in said and "people.csv" not in said and "3,001" not in said
    for report in (public, reports.for_analyst()):
        assert html_of(report).startswith("<!doctype html>")
        if is_whole() or bool(count_column) == bool(step_column):  # its pages hold the very same blocks
            assert pdf_of(report).startswith(b"%PDF")


def test_the_analyst_sees_what_each_step_gave_up(session: Session) -> None:
    result = session.release.anonymise()
    session.release.look(publish=True)
    analyst = session.reports.maker()().for_analyst()
    said = words_of(analyst)
    for words in ("Rows that took part", "3,001", "Rows given up at step 3", "ε of the steps", "1, 0.6, 0.4"):
        assert words in said
    assert "steps that were typed" in said
    assert "It holds: ε = 2, δ = 0.0001." in said
    trimming(session, count_column="n", step_column="step")
    assert compared_result(session.release.anonymise()).names == ("age", "town")
    assert compared_result(result).rows_before == 3001


def test_before_there_is_a_file_a_report_says_how_one_is_made(session: Session) -> None:
    session.release.anonymise()
    reports = session.reports.maker()()
    assert not reports.shows_rows
    said = words_of(reports.release)
    for words in (
        "A file made in this way is an (ε = 2, δ = 0.0001)-differentially private release.",
        "Each group gives up a random number of its rows",
        "levels 0, 1 and 2 of 2",
        "levels 0 and 2 of 2",
        "Publishing true counts beside the file",
    ):
        assert words in said
    assert titles(reports.release) == []
    assert "β" not in said


def test_the_checklist_speaks_of_trimming(session: Session, tmp_path: Path) -> None:
    session.release.anonymise()
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None
    checks = {check.title: check for check in subject.checks()}
    assert "steps" in checks["Levels and parameters"].text
    risk = checks["Risk of being recognised"]
    assert risk.light is Light.GREEN
    assert "with probability 0.0001 at most" in risk.text
    assert "larger k" not in " ".join(check.text for check in checks.values())
    session.release.set_seed(3)
    session.release.anonymise()
    seeded = subject_of(session, SpreadsheetCounts())
    assert seeded is not None
    assert next(check for check in seeded.checks() if check.title == risk.title).light is Light.AMBER


def command(tmp_path: Path, *more: str) -> Sequence[str]:
    write_hierarchy(AGES, tmp_path / "ages.csv")
    rows = "".join(f"{20 + i % 40}\n" for i in range(900))
    (tmp_path / "data.csv").write_text(f"age\n{rows}", encoding="utf-8")
    paths = tmp_path / "data.csv", "--hierarchy", f"age={tmp_path / 'ages.csv'}", "--out", tmp_path / "out.csv"
    settings = ("--epsilon", "1", "--delta", "1e-3", "--steps", "one", "--level", "age=1")
    return [*map(str, ("anonymise", *paths, "--mechanism", "trim", *settings, *more))]


@pytest.mark.parametrize("seeded", [False, True])
def test_a_certificate_says_how_the_file_was_made(tmp_path: Path, seeded: bool) -> None:
    ledger = ("--ledger", str(tmp_path / "ledger.jsonl"))
    more = ("--seed", "3", "--without-claim") if seeded else ()
    assert main([*command(tmp_path, *more), *ledger]) == 0
    assert main(["ledger", str(tmp_path / "data.csv"), *ledger, "--statements", str(tmp_path / "pages")]) == 0
    (page,) = (tmp_path / "pages").glob("*.html")
    said = page.read_text("utf-8")
    assert ("gave up a random number of its rows, but something broke" in said) == seeded
    assert ("is (1, 0.001)-differentially private" in said) != seeded
    assert "every group of alike rows gave up a random number of its rows" in said
    assert "β" not in said


def test_the_report_command_reads_a_file_of_steps_and_counts(session: Session, tmp_path: Path) -> None:
    trimming(session, count_column="n", step_column="step")
    session.release.anonymise()
    session.release.export(tmp_path / "out.csv", force=True)
    session.save(tmp_path / "project.wbench")
    out, ledger = tmp_path / "reports", tmp_path / "ledger.jsonl"
    words = ("report", tmp_path / "project.wbench", "--ledger", ledger, "--release", tmp_path / "out.csv", "--out", out)
    assert main([*map(str, words), "--json"]) == 0
    page = (out / "release_report.html").read_text("utf-8")
    assert " lines for " in page
    assert "Column age, level 1 of 2" in page
