"""The sentences said before Release in a line, and lists of values of which one has a comma."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.terms import BOTH_NOT_TOLD, PEOPLE_KNOWN, PEOPLE_NOT_TOLD, hierarchies_line, rows_line
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.came_out import came_out, missing_lines
from workbench.session.release.own_choices import own_choices
from workbench.session.release.said import said_of
from workbench.session.release.said_in_short import said_in_short
from workbench.session.release.steps import LevelSource

LISTED = 'East, "West, old", North'


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "districts.csv"
    path.write_text("district\n" + "East\n" * 900 + '"North, new"\n' * 900, encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    session.data.set_unit(PrivacyUnit())
    session.data.set_role(("district",), Role.QUASI)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=2_000))
    session.release.steps.set_said("district", LISTED)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["district"])(SILENT))
    session.release.steps.set_source(LevelSource.BALANCED)
    return session


def test_what_was_said_before_is_told_in_few_words(session: Session) -> None:
    session.release.anonymise()
    claim = session.release.current_claim()
    short = said_in_short(claim)
    assert short[rows_line(claim.terms)] == ("1 row each",)
    assert short[hierarchies_line(claim.terms)] == (f"district {LISTED}",)
    assert short[PEOPLE_NOT_TOLD] == ("number not told",) and short[PEOPLE_KNOWN] == ("number perhaps known",)
    several = replace(claim, terms=replace(claim.terms, rows_per_person=3), occurring={"district": ("x" * 61,)})
    short = said_in_short(several)
    assert short[rows_line(several.terms)] == ("up to 3 rows each",) and BOTH_NOT_TOLD in short
    assert short[hierarchies_line(several.terms)] == ("district 1 value",), "a long list is counted"


def test_a_value_with_a_comma_is_read_as_one_wherever_it_is_listed(session: Session) -> None:
    result = session.release.anonymise()
    claim, said = session.release.current_claim(), said_of(session.project)
    assert f"Occurs in district: {LISTED}" in own_choices(session, claim.terms, ["district"])
    lines = came_out(result, said)
    lost, beyond = missing_lines(lines)
    assert lost == 'No row says district: "West, old", North.'
    assert beyond == 'Not among what you said: district "North, new".'
    assert lines[-1].missing_words == '"West, old", North'
