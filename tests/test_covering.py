"""Labels that hold all that can occur: which they are, and that forecast and result warn of them as of `*`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.recipe import Treatment
from workbench.core.builder_suggestions import follows_publicly
from workbench.core.building import build_hierarchy, specification
from workbench.core.covering import begun_by_ends, covers_all, may_hold_all, one_of_two
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.level_words import level_words
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, Role
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.came_out import came_out, one_label_words
from workbench.session.release.prospect import expected_of
from workbench.session.release.remedies import is_due, remedies
from workbench.session.release.said import said_of
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import OutlookRemedy

BMI = ColumnSpec("bmi", kind=Kind.DECIMAL)


def intervals(*groups: object, values: Sequence[str] = ("12.5", "31.0")) -> Hierarchy:
    """Of numbers by rule, whatever occurs: the first level and those above, then *."""
    levels = [{"group": one} for one in groups]
    made = specification(
        "intervals",
        {"unlisted": "any"},
        {"intervals": [{"from": 0.0, "to": 10.0}], "levels": levels},
        column=BMI,
    )
    return build_hierarchy(made, values, None, BMI)


@pytest.mark.parametrize(
    ("said", "level", "begun"),
    [
        (("0-100",), 1, 1),  # 100 to 110, of those of 10
        (("0-99.9",), 1, 0),
        (("0-90",), 2, 1),  # 90 to 120, of those of 30
        (("0-100",), 2, 0),
        (("0-90", "95-99"), 2, 0),  # which holds others too
        (("40",), 1, 0),
        ((), 1, 0),
        (("much",), 1, 0),
        (("0-90",), 3, 0),  # that is *
    ],
)
def test_the_far_end_of_a_range_can_begin_an_interval_of_its_own(said: Sequence[str], level: int, begun: int) -> None:
    assert begun_by_ends(intervals(1, 3), level, said) == begun
    assert begun_by_ends(replace(intervals(1, 3), provenance=Provenance.DERIVED), level, said) == 0


@pytest.mark.parametrize(
    ("said", "level", "covered"),
    [
        (("10-40",), 2, True),  # the end of a range alone makes no other label
        (("10-39.9",), 2, True),
        (("10-41",), 2, False),
        (("10-40",), 1, False),
        (("10-20", "25-35"), 2, True),
        (("12", "55"), 2, False),
        (("40",), 2, True),
        ((), 2, False),  # nobody says what can occur
        (("much",), 2, False),
        (("10-40",), 3, False),  # that is *
        (("10-40",), 0, False),
        (("10-40",), 9, False),
    ],
)
def test_an_interval_covers_all_that_was_said(said: tuple[str, ...], level: int, covered: bool) -> None:
    assert covers_all(intervals(1, 4), level, said) is covered


def test_of_intervals_of_different_widths_nothing_is_claimed() -> None:
    assert not covers_all(intervals(1, [2, 3]), 2, ("1-9",))


def test_a_list_with_one_label_covers_all_and_one_beside_stars_does_not() -> None:
    world = Hierarchy.from_rows([("Bern", "Europe"), ("Oslo", "Europe"), ("Lima", "America")])
    assert covers_all(world, 1, ("Bern", "Oslo")) and not covers_all(world, 1) and not covers_all(world, 0)
    starred = Hierarchy.from_rows([("Bern", "Europe"), ("Oslo", "*")])
    assert not covers_all(starred, 1), "who has it is told from who has *"
    assert not covers_all(Hierarchy.from_rows([("Bern", "*"), ("Oslo", "*")]), 1), "that is said already"
    derived = replace(world, provenance=Provenance.DERIVED)
    assert not covers_all(derived, 1, ("Bern",)), "its labels are data"
    assert covers_all(None, 0, ("yes",)) and not covers_all(None, 0, ("yes", "no")) and not covers_all(None, 1, ("x",))


def opened(folder: Path, *more: float) -> Session:
    """A table of body mass from 12 to 31 by hand at the level of 40, and these rows besides."""
    folder.mkdir()
    rows = [12 + place % 20 for place in range(2_000)]
    lines = (f"{one},{'ab'[place % 2]}" for place, one in enumerate([*rows, *more]))
    (folder / "school.csv").write_text("bmi,class\n" + "\n".join(lines) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "school.csv")
    values = session.data.reading.table["bmi"].values
    session.data.attach_hierarchy("bmi", intervals(1, 4, values=values))
    session.data.attach_hierarchy("class", Hierarchy.from_rows([("a", "*"), ("b", "*")]))
    session.release.steps.set_source(LevelSource.HAND)
    session.release.columns.set_level("bmi", 2)
    session.release.columns.set_level("class", 0)
    return session


def test_forecast_and_result_warn_of_it_as_they_do_of_stars_whatever_the_rows_are(tmp_path: Path) -> None:
    told = []
    for session in (opened(tmp_path / "one"), opened(tmp_path / "other", 95.0)):
        before = assess(session).prospect
        assert before is not None and before.outlook is not None
        assert not before.outlook.covering and not before.outlook.stars, "nobody said what can occur"
        session.release.steps.set_said("bmi", "10-40")
        found = assess(session)
        assert found.prospect is not None and found.prospect.outlook is not None
        after = found.prospect.outlook
        assert after.covering == ("bmi",) and after.told < before.outlook.told
        (line,) = (one for one in found.details if one.column == "bmi")
        told.append((after.stars, line.words, line.caution, line.caution_told))
    assert told[0] == told[1] == (
        "One label for all in many rows: bmi",
        "intervals of 40",
        "one label for all",
        "One label holds all, or nearly all, that can occur.",
    )  # fmt: skip
    session.release.set_seed(3)
    result = session.release.anonymise(SILENT)
    lines = came_out(result, said_of(session.project))
    assert [one.covers for one in lines if one.column == "bmi" and one.words != "*"] == [True]
    words = one_label_words(lines)
    assert words.startswith("No news in most rows") and words.endswith("bmi (intervals of 40 in 100 %)")
    assert not one_label_words(came_out(result, {})), "without what was said nothing is known of it"


def test_a_column_with_one_label_for_all_can_be_left_out_in_one_press_whatever_the_rows_are(tmp_path: Path) -> None:
    told = []
    for session in (opened(tmp_path / "one"), opened(tmp_path / "other", 95.0)):
        session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=2_000))
        assert not any("out" in one.words for one in offered(session)), "nobody said what can occur"
        session.release.steps.set_said("bmi", "10-40")
        (one,) = (one for one in offered(session) if one.words == "Leave bmi out")
        assert one.edit is not None and "one label for all, or nearly all, that can occur" in one.about
        told.append(one.about)
        trial = session.snapshot()
        one.edit(trial)
        assert trial.release.columns.treatment("bmi") is Treatment.LEAVE_OUT
        session.release.columns.set_level("class", 1)
        assert not any(one.words.startswith("Leave bmi") for one in offered(session)), "no other would be left"
    assert told[0] == told[1]


def offered(session: Session) -> tuple[OutlookRemedy, ...]:
    """What helps, as the forecast has it."""
    outlook = expected_of(session, session.release.promise())[1]
    assert outlook is not None
    return remedies(session, outlook)


def test_every_column_that_may_be_a_star_in_many_rows_is_named(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_source(LevelSource.BALANCED)
    for rows in (60, 120, 240, 500, 1_000, 2_000, 10_000):
        session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=rows))
        found = assess(session)
        assert found.prospect is not None and found.prospect.outlook is not None
        outlook = found.prospect.outlook
        many = {one.column for one in found.details if one.words == "*" and one.rows[1] > 50}
        if outlook.fewest >= 0.5:
            assert all(name in outlook.stars for name in many), (rows, many, outlook.stars)


def test_one_wide_interval_may_hold_all_as_long_as_nobody_said_how_far_the_numbers_reach() -> None:
    amounts = intervals(1, 100, 4)
    assert may_hold_all(amounts, 2) and not may_hold_all(amounts, 2, ("0-60000",))
    assert not may_hold_all(amounts, amounts.height) and not may_hold_all(amounts, 0), "*, or as it is"
    assert not may_hold_all(amounts, 1), "of ages one knows how many there are"


def test_one_of_two_wide_intervals_may_hold_nearly_all_that_was_said() -> None:
    amounts = intervals(1, 100, 4)  # 10, 1,000 and 4,000 wide
    assert one_of_two(amounts, 2, ("0-2000",)), "of which the far end does not count"
    assert one_of_two(amounts, 3, ("0-6000",)) and not one_of_two(amounts, 2, ("0-6000",))
    assert not one_of_two(amounts, 2, ()) and not one_of_two(amounts, 2, ("0-1000",)), (
        "nothing is said, or one holds all"
    )
    assert not one_of_two(amounts, 1, ("0-20",)), "narrow ones are no amounts"
    assert not one_of_two(amounts, amounts.height, ("0-6000",)) and not one_of_two(None, 0, ("a", "b"))
    assert not one_of_two(amounts, 2, ("soon",)), "what no longer fits the hierarchy is no range"


def test_the_forecast_warns_of_amounts_without_a_range_and_it_is_asked_for(tmp_path: Path) -> None:
    told = []
    for name, charge in (("one", 900), ("other", 987_654)):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "stays.csv"
        path.write_text(
            "ward,charge\n" + "".join(f"{'AB'[i % 2]},{100 + i % 900}\n" for i in range(500)) + f"A,{charge}\n"
        )
        session = Session(new_project())
        session.data.open(path)
        session.data.set_role(["ward", "charge"], Role.QUASI)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(["ward", "charge"])(SILENT))
        session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=500))
        found = assess(session)
        lines = [one for one in found.details if one.column == "charge" and one.words != "*"]
        assert lines and all(one.unknown and one.caution == "say how far it reaches" for one in lines)
        outlook = expected_of(session, session.release.promise())[1]
        assert outlook is not None and "charge" in outlook.unknown
        offered = remedies(session, outlook)
        (asked,) = (one for one in offered if one.field.startswith("occurring:") and "charge" in one.columns)
        assert not is_due(asked, outlook), "it may well make nothing finer"
        assert is_due(asked, outlook, ("charge",)), "what the release is for is not left to a guess"
        told.append([(one.words, one.caution) for one in found.details])
        session.release.steps.set_said("charge", "0-100000")
        assert not any(one.unknown for one in assess(session).details), "once it is said, it is known"
    assert told[0] == told[1], "whoever is in the table"


def test_a_rule_that_is_built_after_a_range_was_said_is_as_fine_as_the_range_asks_for(tmp_path: Path) -> None:
    told = []
    for name, charge in (("one", 900), ("other", 987_654)):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "stays.csv"
        path.write_text("ward,charge\n" + "".join(f"A,{100 + i % 800}\n" for i in range(500)) + f"A,{charge}\n")
        session = Session(new_project())
        session.data.open(path)
        session.data.set_role(["ward", "charge"], Role.QUASI)
        coarse = session.data.hierarchy_suggester(["charge"])(SILENT)["charge"]
        session.release.steps.set_said("charge", "50-900")
        fine = session.data.hierarchy_suggester(["charge"])(SILENT)["charge"]
        assert [level_words(one, 1, example=False) for one in (coarse, fine)] == [
            "intervals of 10,000",
            "intervals of 5",
        ]
        assert fine.provenance is Provenance.PUBLIC and not follows_publicly(
            fine.specification or {}, session.project.schema["charge"]
        ), "somebody answers for what was said"
        told.append(fine.specification)
        session.release.steps.set_said("charge", "")
        session.data.set_role(["charge"], Role.QUASI)
        assert session.data.hierarchy_suggester(["charge"])(SILENT)["charge"].specification == coarse.specification
    assert told[0] == told[1], "whoever is in the table"
