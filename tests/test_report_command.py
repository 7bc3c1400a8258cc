"""`workbench report`: both reports of a project, without a window and without surprises."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.project.storage import load_project
from workbench.session import Session

NAMES = ["analyst_report.html", "analyst_report.pdf", "release_report.html", "release_report.pdf"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(3000)), encoding="utf-8")
    session = Session()
    session.data.open(data)
    rows = [(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)]
    session.data.attach_hierarchy("age", Hierarchy.from_rows(rows, origin="tens"))
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-4))
    path = tmp_path / "p.wbench"
    session.save(path)
    return path


def changed(project: Path, edit) -> None:
    session = Session.from_file(project)
    edit(session)
    session.save(project)


def report(capsys: pytest.CaptureFixture[str], *words: object) -> dict:
    assert main(["report", *map(str, words), "--format", "html", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_simulation_is_the_same_again(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(project, lambda session: session.release.set_seed(4))
    for folder in ("one", "two"):
        assert main(["report", str(project), "--out", str(tmp_path / folder)]) == 0
    assert "analyst only" in capsys.readouterr().out
    assert sorted(one.name for one in (tmp_path / "one").iterdir()) == NAMES
    for name in NAMES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    page = (tmp_path / "one" / "release_report.html").read_text(encoding="utf-8")
    assert "A seeded run is a simulation" in page
    assert "Rows in the file" not in page and "<svg" not in page


def test_without_a_seed_no_file_is_made_up(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = report(capsys, project, "--out", tmp_path / "out")
    page = (tmp_path / "out" / "release_report.html").read_text(encoding="utf-8")
    assert "A file made in this way is an (ε = 1, δ = 0.0001)-differentially private release" in page
    assert "<svg" not in page and "Rows in the file" not in page and "simulat" not in page
    analyst = (tmp_path / "out" / "analyst_report.html").read_text(encoding="utf-8")
    assert "simulated sample" in said["notes"][0] and "simulated sample" in analyst


def test_what_was_shown_counts_as_seen_once(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(capsys, project, "--out", tmp_path / "out")
    (look,) = load_project(project).looks
    before = project.read_bytes()
    report(capsys, project, "--out", tmp_path / "out")
    assert project.read_bytes() == before
    session = Session.from_file(project)
    session.data.open(tmp_path / "people.csv")
    assert [reason.code for reason in session.release.claim().reasons] == ["looked-before"]
    assert look.recipe == "simulation"


def test_a_file_that_left_before_keeps_its_claim_in_reports(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(project), "--data", str(tmp_path / "people.csv"), "--out", str(tmp_path / "run")]) == 0
    capsys.readouterr()
    for _ in range(2):
        report(capsys, project, "--out", tmp_path / "out", "--release", tmp_path / "run" / "release.csv")
        page = (tmp_path / "out" / "release_report.html").read_text(encoding="utf-8")
        assert "A file made in this way is an (ε = 1, δ = 0.0001)-differentially private release" in page
    changed(project, lambda session: session.release.columns.set_level("age", 2))
    report(capsys, project, "--out", tmp_path / "out")
    assert "No (ε, δ) claim can be made" in (tmp_path / "out" / "release_report.html").read_text(encoding="utf-8")


def test_the_released_file_gives_the_pictures(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(project), "--data", str(tmp_path / "people.csv"), "--out", str(tmp_path / "run")]) == 0
    capsys.readouterr()
    release = tmp_path / "run" / "release.csv"
    report(capsys, project, "--out", tmp_path / "out", "--release", release)
    page = (tmp_path / "out" / "release_report.html").read_text(encoding="utf-8")
    rows = len(release.read_text(encoding="utf-8").splitlines()) - 1
    assert f"The file has {rows:,} rows" in page and page.count("<svg") == 2
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("other\n1\n", encoding="utf-8")
    assert main(["report", str(project), "--out", str(tmp_path / "out"), "--release", str(wrong)]) == 2
    assert "does not have the columns" in capsys.readouterr().err


def test_models_have_reports_too(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(project, lambda session: session.syntactic.set_approach(AnonymityKind.SYNTACTIC))
    folder = tmp_path / "out"
    said = report(capsys, project, "--out", folder)
    page = (folder / "release_report.html").read_text(encoding="utf-8")
    assert "k-anonymity" in page.lower() and not said["shows_rows"]
    assert "The file has" not in page and "<svg" not in page and "level " not in page
    session = Session.from_file(project)
    session.data.open(tmp_path / "people.csv")
    session.syntactic.accept_recoded(session.syntactic.recoder()())  # type: ignore[arg-type]
    release = tmp_path / "release.csv"
    exported = session.syntactic.recoded_writer(release)()
    assert report(capsys, project, "--out", folder, "--release", release)["shows_rows"]
    page = (folder / "release_report.html").read_text(encoding="utf-8")
    assert "The file has 3,000 rows" in page and "<svg" in page
    session.syntactic.record_recoded(release, session.syntactic.current_recoded(), exported)
    assert report(capsys, project, "--out", folder)["shows_rows"]
    assert "The file has 3,000 rows" in (folder / "release_report.html").read_text(encoding="utf-8")


def test_a_simulation_is_not_taken_for_the_file(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(project), "--data", str(tmp_path / "people.csv"), "--out", str(tmp_path / "run")]) == 0
    capsys.readouterr()
    changed(project, lambda session: session.release.set_seed(4))
    assert not report(capsys, project, "--out", tmp_path / "out")["shows_rows"]
    said = report(capsys, project, "--out", tmp_path / "out", "--release", tmp_path / "run" / "release.csv")
    page = (tmp_path / "out" / "release_report.html").read_text(encoding="utf-8")
    assert said["shows_rows"] and "<svg" in page and "differentially private release" not in page


def test_data_that_moved_and_data_that_changed(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "people.csv"
    moved = data.rename(tmp_path / "elsewhere.csv")
    assert main(["report", str(project), "--out", str(tmp_path / "out")]) == 2
    assert "--data" in capsys.readouterr().err
    assert report(capsys, project, "--data", moved, "--out", tmp_path / "out")["notes"][1:] == []
    moved.write_text(moved.read_text(encoding="utf-8") + "33\n", encoding="utf-8")
    assert any(
        "not what" in note for note in report(capsys, project, "--data", moved, "--out", tmp_path / "out")["notes"]
    )


def test_a_folder_that_cannot_be_made(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(project), "--out", str(project / "x")]) == 2
    assert "cannot be made" in capsys.readouterr().err
