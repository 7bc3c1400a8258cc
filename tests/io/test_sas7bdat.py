"""Tables of SAS (`.sas7bdat`), sound and damaged, through what reads them: command, library, what the window shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import workbench as wb
from tests.sas7bdat import MAGIC, SasColumn, sas_table
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import misfits
from workbench.core.progress import SILENT
from workbench.core.schema import Kind
from workbench.io.dialect import Dialect
from workbench.io.opening import FileContent, form_of
from workbench.io.reading import preview, read_table
from workbench.session.file_preview import look_through

pytest.importorskip("pyreadstat")

COLUMNS = (
    SasColumn("AGE", [30, 41, None, "A"], label="Age in years"),
    SasColumn("ZIP", ["00123", "", "7", "Zürich"], 8),
    SasColumn("HALF", [0.5, 1, 2, -3]),
    SasColumn("BORN", [15006, 15006, 0, None], display="DATE"),
)
CELLS = {
    "AGE": ["30", "41", "", ".A"],
    "ZIP": ["00123", "", "7", "Zürich"],
    "HALF": ["0.5", "1", "2", "-3"],
    "BORN": ["2001-01-31", "2001-01-31", "1960-01-01", ""],
}
KINDS = {"AGE": Kind.INTEGER, "ZIP": Kind.TEXT, "HALF": Kind.DECIMAL, "BORN": Kind.DATE}


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.sas7bdat"
    path.write_bytes(sas_table(COLUMNS))
    return path


def test_cells_and_kinds_are_as_they_stand(survey: Path, tmp_path: Path) -> None:
    reading = read_table(survey)
    assert (reading.form, reading.rows, reading.problem_count) == (FileContent.SAS, 4, 0)
    assert {column.name: column.texts() for column in reading.table.columns} == CELLS
    assert {spec.name: spec.kind for spec in reading.specs} == KINDS
    assert reading.specs[0].missing == ("", ".A")
    for spec in reading.specs:
        assert not misfits(reading.table[spec.name].values, spec)
    assert read_table(survey, limit=3).rows == 3
    assert form_of(survey.rename(tmp_path / "renamed.dat")) is FileContent.SAS


def test_what_is_shown_before_it_is_opened(survey: Path) -> None:
    shown = preview(survey, rows=2)
    assert (shown.form, [tuple(row) for row in shown.rows]) == (
        FileContent.SAS,
        [("30", "00123", "0.5", "2001-01-31"), ("41", "", "1", "2001-01-31")],
    )
    seen = look_through(survey, Dialect(), SILENT)
    assert {spec.name: spec.kind for spec in seen.specs} == KINDS
    assert [trouble.words for trouble in seen.troubles if trouble.column == "AGE"] == ["“.A” counts as no value."]


def test_command_and_library_read_it_alike(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "--json", str(survey)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["rows"] == 4
    assert {one["name"]: one["kind"] for one in said["columns"]} == {name: kind.value for name, kind in KINDS.items()}
    assert repr(wb.open(survey)) == "<Data: 4 columns: AGE, ZIP, HALF, BORN>"


def test_another_encoding_is_the_one_it_names(tmp_path: Path) -> None:
    path = tmp_path / "west.sas7bdat"
    path.write_bytes(sas_table([SasColumn("ORT", ["Köln"], 6)], encoding="windows-1252"))
    assert read_table(path).table["ORT"].texts() == ["Köln"]


def test_a_damaged_table_is_explained(survey: Path, tmp_path: Path) -> None:
    whole = survey.read_bytes()
    damaged = {
        "head": MAGIC + b"\xff" * 400,
        "cut": whole[:5000],
        "no-page": whole[:1024],
        "names": whole.replace((0xFFFFFFFF).to_bytes(4, "little"), b"\x07" * 4, 1),
        "rows": sas_table(COLUMNS, claimed_rows=60_000),
    }
    for name, content in damaged.items():
        path = tmp_path / f"{name}.sas7bdat"
        path.write_bytes(content)
        # That rows are missing is seen by whoever looks for the last one, not from the first few.
        for read in (read_table, preview)[: 1 if name == "rows" else 2]:
            with pytest.raises(WorkbenchError, match=rf"“{name}\.sas7bdat”") as caught:
                read(path)
            assert caught.value.hint == "Get it again, or save it as CSV with the program it came from."
