"""Projects in the library: saved, run, and reported of, as the command does it."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import workbench as wb
from tests.library.helpers import AGES, JOBS, opened, people
from workbench.anonymise.privacy import ModelChoice
from workbench.cli.main import main
from workbench.project import outside
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session import Session


@pytest.fixture
def project(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    people().to_csv(file, index=False)
    data = wb.open(file).describe(age=wb.integer(0, 120))
    data.forecast(hierarchies={"age": AGES, "job": JOBS}, epsilon=1, delta="1e-5")
    return data.save_project(tmp_path / "people.wbench")


def test_a_project_of_the_library_is_run_by_both(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nurse,52" not in project.read_bytes().decode("latin-1")
    made = wb.run_project(project, tmp_path / "released.csv")
    assert isinstance(made, wb.Release) and made.claimed and wb.verify(tmp_path / "released.csv").holds
    assert len(pd.read_csv(tmp_path / "released.csv")) == made.rows
    with pytest.raises(wb.Refused, match="exist already"):
        wb.run_project(project, tmp_path / "released.csv")
    data = ["--data", str(tmp_path / "people.csv"), "--out", str(tmp_path / "again"), "--json"]
    assert main(["run", str(project), *data]) == 0
    assert json.loads(capsys.readouterr().out)["counted"] == 0
    assert wb.open(tmp_path / "people.csv").spent[0] == 2
    with pytest.raises(wb.Refused, match="is there already"):
        opened().save_project(project)
    with pytest.raises(wb.Refused, match="no name of a project"):
        opened().save_project(tmp_path / "people.json")


def test_a_project_that_can_claim_nothing_is_refused_before_it_is_drawn(project: Path, tmp_path: Path) -> None:
    wb.open(tmp_path / "people.csv").look()
    with pytest.raises(wb.Refused, match="cannot be claimed"):
        wb.run_project(project, tmp_path / "released.csv")
    assert not (tmp_path / "released.csv").exists() and wb.open(tmp_path / "people.csv").spent == (0, 0)
    made = wb.run_project(project, tmp_path / "released.csv", without_claim=True)
    assert isinstance(made, wb.Release) and not made.claimed


def test_a_project_with_a_privacy_model_makes_its_table(project: Path, tmp_path: Path) -> None:
    session = Session.from_file(project)
    session.data.open(tmp_path / "people.csv")
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.syntactic.set_models([ModelChoice.parse("k=50")])
    session.save(project)
    made = wb.run_project(project, tmp_path / "table.csv")
    assert not isinstance(made, wb.Release) and made.rows == 400 == len(pd.read_csv(tmp_path / "table.csv"))
    assert "nothing is promised" in repr(made)


def test_the_reports_of_a_project_are_a_look(project: Path, tmp_path: Path) -> None:
    made = wb.run_project(project, tmp_path / "released.csv")
    assert isinstance(made, wb.Release)
    with pytest.raises(wb.Refused, match="figures of the true rows"):
        wb.report_project(project, tmp_path / "reports")
    assert not (tmp_path / "reports").exists()
    found = wb.report_project(
        project, tmp_path / "reports", release=tmp_path / "released.csv", formats=["html"], look=True
    )
    assert found.shows_rows and not found.unrecorded
    assert [path.name for path in sorted((tmp_path / "reports").iterdir())] == [
        "analyst_report.html",
        "release_report.html",
    ]
    with pytest.raises(wb.Refused, match="cannot be claimed"):
        wb.open(tmp_path / "people.csv").release(["job"], levels={"job": 0})


def test_a_project_that_names_data_elsewhere_warns(project: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    moved = project.rename(tmp_path / "folder" / project.name)
    chosen = outside._file()
    chosen.unlink(missing_ok=True)
    with pytest.warns(UserWarning, match="outside its own folder"):
        wb.run_project(moved, tmp_path / "released.csv")
