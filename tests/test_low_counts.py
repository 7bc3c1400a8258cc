"""Labels whose counts are far too low: told beside a file as in its statement, and from its rows alone."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from workbench.anonymise.balanced import Importance
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role
from workbench.project.model import new_project
from workbench.report.counting_by_label import counts_by_label
from workbench.report.far_too_low import in_few_groups
from workbench.report.note import VERSION
from workbench.report.release_note import described
from workbench.session import Session
from workbench.session.release.low_counts import halved_line, low_counts
from workbench.session.release.steps import LevelSource

WARDS, ILLS = ("A1", "A2", "C1", "D1"), tuple(f"I{number:02}" for number in range(12))


def drawn(path: Path, rows_of: dict[tuple[str, str], int]) -> Session:
    """A draw of so many patients of each ward with each illness, of which the ward becomes `*` first."""
    lines = "".join(f"{ward},{ill}\n" * rows for (ward, ill), rows in rows_of.items())
    path.write_text(f"ward,illness\n{lines}", encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    session.data.set_unit(PrivacyUnit())
    session.data.set_role(("ward", "illness"), Role.QUASI)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=8_000))
    for name, values in (("ward", WARDS), ("illness", ILLS)):
        session.release.steps.set_said(name, ", ".join(values))
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["ward", "illness"])(SILENT))
    session.release.steps.set_importance("ward", Importance.GIVE_UP)
    session.release.steps.set_source(LevelSource.BALANCED)
    session.release.anonymise()
    return session


def told(session: Session) -> tuple[str, ...]:
    release = session.release
    result = release.current_result()
    return low_counts(replace(result, outcome=release.as_written(result)), release.current_claim())


def test_a_label_of_which_more_was_given_up_than_came_out_is_named_with_the_numbers_of_the_statement(
    tmp_path: Path,
) -> None:
    every = {(ward, ill): 200 for ward in WARDS[:3] for ill in ILLS}
    session = drawn(tmp_path / "some.csv", {**every, **{("D1", ill): 40 for ill in ILLS}})
    (line,) = (one for one in told(session) if "came out" in one)
    named = re.fullmatch(r"Less than half came out, on average: ward D1 \((\d+) rows, (\d+) by the statement\)\.", line)
    assert named is not None, line
    result, claim = session.release.current_result(), session.release.current_claim()
    stated = described(result.hierarchies, session.release.as_written(result), claim)
    (row,) = re.findall("<td>D1</td>.*?</tr>|<td>D1 .*?</tr>", counts_by_label(stated, VERSION))
    assert re.search(rf">{named[1]}<.*>{named[2]}\b", row), "both numbers stand in the statement"
    written = replace(result, outcome=session.release.as_written(result))
    assert halved_line(written, claim) == line, "beside the draw, before it leaves, too"
    assert not halved_line(written, None)
    assert not told(drawn(tmp_path / "many.csv", {**every, **{("D1", ill): 200 for ill in ILLS}}))


def test_what_the_statement_says_of_few_groups_is_said_beside_the_file_too(tmp_path: Path) -> None:
    every = {(ward, ill): 200 for ward in WARDS[:3] for ill in ILLS}
    session = drawn(tmp_path / "few.csv", {**every, ("D1", ILLS[0]): 100})
    release = session.release
    result, claim = release.current_result(), release.current_claim()
    stated = in_few_groups(described(result.hierarchies, release.as_written(result), claim))
    assert stated.endswith(": ward “D1” in 1 of 12 groups.")
    few = "May be far too low, as most of its groups are missing: ward D1 (1 of 12)."
    assert few in told(session)
    assert low_counts(result, None) == (), "where nothing is promised the statement counts nothing"
