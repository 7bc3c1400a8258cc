"""Columns of UK postcodes from a file to a hierarchy, and projects that were saved with another rule."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Provenance
from workbench.core.progress import SILENT
from workbench.core.schema import Format, Role
from workbench.project.model import hierarchy_digest
from workbench.session import Session
from workbench.session.suggested_hierarchies import hierarchy_suggester, rules_instead

CODES = ("LS1 4AP", "ls62fj", "WF10 3AA", "LS11 4AP")


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    file = tmp_path / "patients.csv"
    lines = (f"{CODES[row % 4]},{20 + row % 60}\n" for row in range(400))
    file.write_text("postcode,age\n" + "".join(lines) + "not known,30\n,31\n", encoding="utf-8")
    return file


def test_what_is_suggested_for_a_file_keeps_districts_apart(patients: Path) -> None:
    session = Session()
    session.data.open(patients)
    schema, table = session.project.schema, session.data.reading.table
    made = hierarchy_suggester(table, schema, ["postcode"])(SILENT)["postcode"]
    assert made.provenance is Provenance.PUBLIC
    assert {row[0]: row[2:] for row in made.rows()} == {
        "LS1 4AP": ("LS1 4", "LS1", "LS", "*"),
        "LS11 4AP": ("LS11 4", "LS11", "LS", "*"),
        "ls62fj": ("LS6 2", "LS6", "LS", "*"),
        "WF10 3AA": ("WF10 3", "WF10", "WF", "*"),
        "not known": ("*", "*", "*", "*"),
        "": ("", "", "", "*"),
    }
    assert "sectors, districts and areas of postcodes" in rules_instead(schema, ["postcode"])


def test_a_project_that_was_saved_with_masking_opens_as_it_was(patients: Path, tmp_path: Path) -> None:
    session = Session()
    session.data.open(patients)
    # As a program had it that knew no postcodes.
    schema = session.project.schema.changed(["postcode"], lambda one: replace(one, role=Role.QUASI, format=Format()))
    session.state.change(schema=schema)
    column, table = schema["postcode"], session.data.reading.table["postcode"]
    plain = specification("masking", {"length": 5, "unlisted": "any"}, column=column)
    session.data.attach_hierarchy("postcode", build_hierarchy(plain, table.values, table.counts, column))
    before = session.project.hierarchies["postcode"]
    session.save(tmp_path / "old.wbench")
    again = Session.from_file(tmp_path / "old.wbench")
    again.data.open(patients)
    after = again.project.hierarchies["postcode"]
    assert again.project.schema["postcode"] == schema["postcode"]
    assert hierarchy_digest(after) == hierarchy_digest(before) and after.specification == before.specification
    assert after.labels == before.labels


def test_the_command_line_builds_it(patients: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule, out = tmp_path / "rule.json", tmp_path / "out.csv"
    rule.write_text(json.dumps(specification("postcodes", {"finest": "sector", "unlisted": "any"})), encoding="utf-8")
    words = ["hierarchy", "build", str(rule), "--data", str(patients), "--column", "postcode", "--out", str(out)]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["provenance"] == "public"
    assert "ls62fj;LS6 2;LS6;LS;*" in out.read_text(encoding="utf-8")
