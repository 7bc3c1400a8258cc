"""Intervals of a range that was said end where it ends, and the number with which it ends is in the last of them."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.forging import FILE, NOTE, PAGE
from tests.report.label_releases import exported
from workbench.cli.main import main
from workbench.core.builder_suggestions import Suggested, public_specification
from workbench.core.building import build_hierarchy
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.interval_widths import is_otherwise
from workbench.session.release.knowledge import say
from workbench.session.suggested_hierarchies import follows_said, reaching

RANGE = "0-100000"


def opened(folder: Path, last: str) -> Session:
    """People of whom each earns something, the last one as is said."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [f"{'abc'[i % 3]},{1000 * (i % 101)}" for i in range(4000)]
    (folder / "pay.csv").write_text("\n".join(["town,salary", *rows, f"a,{last}"]) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "pay.csv")
    session.data.set_role(("town", "salary"), Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["town", "salary"])(SILENT))
    say(session, {"salary": (RANGE, ""), "town": ("a, b, c", "")}, expected_rows=4000, number_known=False)
    take_finer(session, session.data.hierarchy_suggester(["salary"])(SILENT))
    return session


def labels_of(hierarchy: Hierarchy, value: str) -> tuple[str, ...]:
    return next(row[1:-1] for row in hierarchy.rows() if row[0] == value)


@pytest.mark.parametrize("last", ["7", "100000", "100001", "250000", ""])
def test_which_labels_there_are_is_the_same_whatever_a_row_says(tmp_path: Path, last: str) -> None:
    here, there = (
        opened(tmp_path / name, one).project.hierarchies["salary"] for name, one in (("a", last), ("b", "5"))
    )
    assert here.specification == there.specification and here.height == there.height
    for value in ("0", "50000", "99000", "100000"):
        assert labels_of(here, value) == labels_of(there, value)
    assert "90000-100000" in labels_of(here, "100000") and "90000-100000" in labels_of(here, "99000")
    assert all(label.endswith("-100000") for label in labels_of(here, "100000"))


def test_a_release_names_them_verifies_and_denies_no_number_beyond(tmp_path: Path) -> None:
    session = opened(tmp_path, "250000")
    facts = exported(session, tmp_path)
    (column,) = (one for one in facts["release"]["columns"] if one["name"] == "salary")
    assert column["hierarchy"]["grid"] == {"from": 0.0, "lowest": 0.0, "highest": 100000.0, "included": True}
    with (tmp_path / FILE).open(encoding="utf-8", newline="") as lines:
        found = {row["salary"] for row in csv.DictReader(lines)}
    assert any(label.endswith("-100000") for label in found) and not any(label[:1] in "≥>" for label in found if label)
    page = (tmp_path / PAGE).read_text(encoding="utf-8")
    assert "all numbers above 100,000 have one label" in page and "is in the interval that begins" not in page
    assert main(["verify", str(tmp_path / FILE), "--metadata", str(tmp_path / NOTE)]) == 0
    (tmp_path / NOTE).write_text(json.dumps({**facts, "version": 31}), encoding="utf-8")
    assert main(["verify", str(tmp_path / FILE), "--metadata", str(tmp_path / NOTE)]) == 1, "no such note has it"


def test_a_project_without_the_entry_means_what_it_did_and_is_made_anew_with_another_range_alone(
    tmp_path: Path,
) -> None:
    session = opened(tmp_path, "90000")
    spec, column = session.project.schema["salary"], session.data.table["salary"]
    for way in (Suggested.OPEN, Suggested.FIRST):
        plain = public_specification(reaching(spec, (RANGE,)), way=way)
        made = build_hierarchy(plain, column.values, column.counts, spec)
        session.data.attach_hierarchies({"salary": replace(made, specification={**plain, **made.specification})})
        session.save(tmp_path / "pay.wbench")
        again = Session.from_file(tmp_path / "pay.wbench")
        again.data.open(tmp_path / "pay.csv")
        kept = again.project.hierarchies["salary"]
        assert kept.rows() == made.rows() and labels_of(kept, "100000")[0] == "100000-100499"
        assert follows_said(kept, spec, (RANGE,))
        assert not is_otherwise(again.project, "salary", widening=False, ruled=True)
    assert is_otherwise(opened(tmp_path, "5").project, "salary", widening=False, ruled=True) is False


def test_a_closed_end_follows_the_range(tmp_path: Path) -> None:
    session = opened(tmp_path, "110000")
    assert labels_of(session.project.hierarchies["salary"], "110000")[0] == ">100000"
    for reach in ("0-120000", "0-90000"):
        say(session, {"salary": (reach, "")}, expected_rows=4000, number_known=False)
        assert is_otherwise(session.project, "salary", widening=False, ruled=True)
        take_finer(session, session.data.hierarchy_suggester(["salary"])(SILENT))
        end = float(reach.partition("-")[2])
        assert session.project.hierarchies["salary"].specification["details"]["highest"]["coding"] == end


def test_the_command_line_builds_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pay.csv").write_text("pay\n5\n100\n120\n", encoding="utf-8")
    levels = [{"group": 1, "function": "bounds"}, {"group": 2, "function": "bounds"}]
    details = {"intervals": [{"from": 0, "to": 10}], "levels": levels, "highest": {"coding": 100, "included": True}}
    rule = {"format": "workbench-hierarchy-spec", "version": 1, "builder": "intervals", "parameters": {"whole": True}}
    (tmp_path / "rule.json").write_text(json.dumps({**rule, "details": details}), encoding="utf-8")
    words = ["hierarchy", "build", str(tmp_path / "rule.json"), "--data", str(tmp_path / "pay.csv"), "--column", "pay"]
    assert main([*words, "--out", str(tmp_path / "h.csv")]) == 0
    made = (tmp_path / "h.csv").read_text(encoding="utf-8").splitlines()
    assert "100;90-100;80-100;*" in made and "120;>100;>100;*" in made
    details["highest"] = {"coding": 100, "inclded": True}
    (tmp_path / "rule.json").write_text(json.dumps({**rule, "details": details}), encoding="utf-8")
    assert main([*words, "--out", str(tmp_path / "other.csv")]) != 0
    assert "inclded" in capsys.readouterr().err
