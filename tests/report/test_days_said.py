"""Ranges of days that were said to occur: every year of them counts, before the draw and in the statement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.forging import NOTE, PAGE, as_of, verify
from tests.outlook_steps import expect
from tests.report.label_releases import exported
from tests.report.test_read_first import said_anew
from workbench.anonymise.balanced import Importance
from workbench.anonymise.note_versions import READ_ONCE
from workbench.core.errors import WorkbenchError
from workbench.core.occurring import read_once, years_of
from workbench.core.progress import SILENT
from workbench.core.public_sizes import public_sizes
from workbench.core.schema import Role
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.knowledge import known_columns, refused
from workbench.session.release.said import said_of

TWO_YEARS = "2023-01-01 to 2024-12-31"


def visits(folder: Path) -> Session:
    folder.mkdir()
    rows = [f"2023-{1 + i % 12:02d}-{1 + i % 28:02d},{'ab'[i % 2]}\n" for i in range(3_000)]
    (folder / "visits.csv").write_text("visited,ward\n" + "".join(rows), encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "visits.csv")
    session.data.set_role(("visited", "ward"), Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(("visited", "ward"))(SILENT))
    expect(session, 3_000)
    return session


@pytest.mark.parametrize(
    "words",
    [TWO_YEARS, "2023-01-01-2024-12-31", "2023-01 – 2024-12", "01.01.2023-31.12.2024", "1/1/2023 to 12/31/2024"],
)
def test_a_range_of_days_is_counted_as_its_years_and_said_beside_the_field(tmp_path: Path, words: str) -> None:
    session = visits(tmp_path / "one")
    (column,) = (one for one in known_columns(session) if one.name == "visited")
    assert column.range_read(words) == "2023 to 2024" and not refused(session, {"visited": (words, "")})
    hierarchy, sizes = session.project.hierarchies["visited"], []
    for said in (words, "2023-2024"):
        session.release.steps.set_said("visited", said)
        sizes.append(public_sizes(hierarchy, said_of(session.project)["visited"]).labels)
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize("words", ["2024-01-01 to 2023-01-01", "2023-01-01 to", "2023-01-01 or so", "May 2023"])
def test_what_is_no_range_of_days_is_refused(words: str) -> None:
    with pytest.raises(WorkbenchError, match="says nothing of what can occur"):
        years_of([words])


def drawn(folder: Path) -> dict[str, Any]:
    session = visits(folder)
    session.release.steps.set_said("visited", TWO_YEARS)
    session.release.steps.set_importance("visited", Importance.KEEP)
    session.release.columns.limit_levels("visited", (3, 3))
    return exported(session, folder)


def test_the_statement_says_which_year_no_row_has_and_notes_of_before_keep_their_reading(
    tmp_path: Path, quiet: Any
) -> None:
    folder = tmp_path / "r"
    facts = drawn(folder)
    release = facts["release"]
    assert release["in_no_row"] == {"visited": ["2024"]} and verify(folder, PAGE) == verify(folder, NOTE) == 0
    assert said_anew(folder, {**facts, "release": {**release, "in_no_row": {}}}) == 1, "now it is incomplete"
    told = as_of(facts, READ_ONCE)
    told["release"]["in_no_row"] = {}
    assert read_once([TWO_YEARS, "1980s"]) == ("2023", "1980s")
    quiet()
    assert said_anew(folder, told) == 0, quiet()
