"""Values and combinations that a file does not tell: counted in its rows, the same whatever the table has besides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.came_out import came_out, missing_lines
from workbench.session.release.not_told import (
    combinations_listed,
    combinations_words,
    left_out_words,
    not_told,
    rows_of_each,
)
from workbench.session.release.result import Result
from workbench.session.release.said import said_of
from workbench.session.release.starred import starred_words
from workbench.session.release.steps import LevelSource

WARDS, ILLS = ("A1", "A2", "C1"), ("I10", "N39", "J45")
SAID = {"ward": WARDS, "illness": ILLS}
NO_BLANK = "No row has an empty cell, though the table may."


def patients(path: Path, absent: set[tuple[str, str]], *, alone: int = 0) -> Path:
    """A table of 900 patients of each ward with each illness, but for those that are absent, and so many of these."""
    pairs = [(ward, ill) for ward in WARDS for ill in ILLS if (ward, ill) not in absent]
    rows = [*(pair for pair in pairs for _ in range(900)), *(pair for pair in sorted(absent) for _ in range(alone))]
    lines = "".join(f"P{place:05},{ward},{ill}\n" for place, (ward, ill) in enumerate(rows))
    path.write_text(f"patient,ward,illness\n{lines}", encoding="utf-8")
    return path


def prepare(session: Session, unit: PrivacyUnit | None = None) -> None:
    """Say what wards and illnesses there are, and who is protected."""
    session.data.set_unit(PrivacyUnit() if unit is None else unit)
    session.data.set_role(("ward", "illness"), Role.QUASI)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=8_000))
    for name, values in (("ward", WARDS), ("illness", ILLS)):
        session.release.steps.set_said(name, ", ".join(values))
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["ward", "illness"])(SILENT))
    session.release.steps.set_source(LevelSource.BALANCED)


def drawn(path: Path, absent: set[tuple[str, str]], *, alone: int = 0, unit: PrivacyUnit | None = None) -> Result:
    """A draw of these."""
    patients(path, absent, alone=alone)
    session = Session(new_project())
    session.data.open(path)
    prepare(session, unit)
    result = session.release.anonymise()
    assert not missing_lines(came_out(result, said_of(session.project))), "each value by itself is there"
    return result


def test_how_much_the_table_has_besides_is_no_part_of_what_is_told(tmp_path: Path) -> None:
    """Of two neighbouring tables from which the same rows come out, the same is said."""
    for alone in (0, 1):
        result = drawn(tmp_path / f"{alone}.csv", {("C1", "N39")}, alone=alone)
        rows, groups = result.outcome.rows_out, len(result.outcome.lines.sizes)
        assert left_out_words(result, 8_000) == (
            f"The file has {rows:,} rows in {groups} groups; you expect 8,000 people."
        )
        assert f"{groups} groups. It does not" in left_out_words(result)


@pytest.mark.parametrize("alone", [0, 1])
def test_one_or_two_combinations_are_named_and_the_same_in_a_neighbouring_table(tmp_path: Path, alone: int) -> None:
    result = drawn(tmp_path / "one.csv", {("C1", "N39")}, alone=alone)
    assert combinations_words(result) == "No row says ward C1 with illness N39."
    assert not_told(result, SAID) == (NO_BLANK,), "they stood above the table"


@pytest.mark.parametrize("blanks", [0, 1, 400])
def test_that_no_row_has_an_empty_cell_follows_from_the_file_alone(tmp_path: Path, blanks: int) -> None:
    """Of one person without a value nothing comes out, and the same is said as if they were not there."""
    path = patients(tmp_path / "blank.csv", set())
    path.write_text(path.read_text("utf-8") + "".join(f"B{one},A1,\n" for one in range(blanks)), encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    prepare(session)
    result = session.release.anonymise()
    labels = [label for _, some, _ in result.outcome.label_counts("illness") for label in some]
    assert (NO_BLANK in not_told(result, SAID)) is not (blanks > 1) and ("" in labels) >= (blanks > 1)


def test_columns_that_are_a_star_in_some_rows_are_told_with_their_share(tmp_path: Path) -> None:
    rare = tuple(f"R{number:02}" for number in range(60))
    ills = {"A1": ("I10",) * 900 + rare * 5, "A2": ("I10",) * 900}
    lines = "".join(f"{ward},{ill}\n" for ward, some in ills.items() for ill in some)
    path = tmp_path / "rare.csv"
    path.write_text(f"ward,illness\n{lines}", encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    session.data.set_unit(PrivacyUnit())
    session.data.set_role(("ward", "illness"), Role.QUASI)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=2_000))
    for name, values in (("ward", ("A1", "A2")), ("illness", ("I10", *rare))):
        session.release.steps.set_said(name, ", ".join(values))
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["ward", "illness"])(SILENT))
    session.release.steps.set_source(LevelSource.BALANCED)
    result = session.release.anonymise()
    share = round(100 * result.starred["illness"])
    assert starred_words(result) == f"* in some rows: illness in {share} %" and 5 < share < 20
    assert starred_words(result, ["illness"]) == "", "it is not in the file"
    assert not any("*" in line for line in not_told(result, said_of(session.project))), "it stood above the table"


def test_more_are_counted_and_none_is_told_where_all_are_there(tmp_path: Path) -> None:
    absent = {("A1", "I10"), ("A2", "N39"), ("C1", "J45")}
    result = drawn(tmp_path / "three.csv", absent)
    told = "Of the labels in the file, 3 of the 9 combinations of ward and illness are in no row."
    assert combinations_words(result) == told
    assert combinations_listed(result) == (("ward", "illness"), *sorted(absent))
    more = (*SAID["ward"], "B7"), SAID["illness"]
    found = not_told(result, dict(zip(SAID, more, strict=True)))
    once = f"{told} No row has an empty cell. The table may have such rows."
    assert found == not_told(result, SAID) == (once,), "once for both; also where a value is missing"
    result = drawn(tmp_path / "one.csv", {("C1", "N39")})
    (line,) = not_told(result, dict(zip(SAID, more, strict=True)))
    assert line.startswith("No row says ward C1 with illness N39. No row"), "above the table it gave way to the value"
    result = drawn(tmp_path / "none.csv", set())
    assert combinations_words(result) == "" and combinations_listed(result) == ()
    assert not_told(result, SAID) == (NO_BLANK,)


def test_that_each_person_has_one_row_follows_from_the_settings_alone(tmp_path: Path) -> None:
    unit = PrivacyUnit(1, "patient", protected=UnitAnswer.SAID)
    result = drawn(tmp_path / "persons.csv", set(), unit=unit)
    told = "One row per person at most: of several, one counts, chosen at random."
    assert rows_of_each(result) == told and not_told(result, SAID) == (NO_BLANK,)
    several = replace(result, schema=replace(result.schema, unit=replace(unit, rows_per_person=3)))
    assert rows_of_each(several) == "3 rows per person at most, chosen at random."
    assert rows_of_each(drawn(tmp_path / "rows.csv", set())) == ""


@pytest.mark.parametrize(
    ("ages", "end", "label"),
    [
        ((20, 60), "0 to 74", " 60-74."),
        ((20, 60), "13 to 59", ": 13-19."),
        ((20, 60), "0 to 190", ": 80-119 … 160-190."),
    ],
)
def test_what_no_row_says_has_the_label_that_the_file_would_have(
    tmp_path: Path, ages: tuple[int, int], end: str, label: str
) -> None:
    """What can occur may end within an interval, or begin where the rule cuts it; of several two are named."""
    path = tmp_path / "ages.csv"
    path.write_text("age\n" + "".join(f"{age}\n" * 60 for age in range(*ages)), encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    session.data.set_unit(PrivacyUnit())
    session.data.set_role(("age",), Role.QUASI)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=2_400))
    session.release.steps.set_said("age", end)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["age"])(SILENT))
    session.release.steps.set_source(LevelSource.BALANCED)
    result = session.release.anonymise()
    assert label in missing_lines(came_out(result, said_of(session.project)))[0]
