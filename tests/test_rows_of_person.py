"""The rows one person may have: their cost, what one of each would bring, and that no other number is taken over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.test_to_say import opened
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.number_text import estimate
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.project.model import GuaranteeSettings, new_project
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.outlook import Outlook
from workbench.session.release.remedies import remedies
from workbench.session.release.rows_of_person import cost_of_rows, people_expected, protect
from workbench.session.release.tried_remedy import OutlookRemedy

_COLUMNS = "age", "admitted", "illness", "charges"


def stays(folder: Path, *more: str, rows: int = 5, expected: int | None = 2_000) -> Session:
    """Patients with several stays, every hierarchy by rule."""
    folder.mkdir()
    file = folder / "stays.csv"
    lines = [f"P{i % 9},{20 + i},2024-0{1 + i % 9}-11,{('flu', 'asthma')[i % 2]},{i * 37}" for i in range(60)]
    file.write_text("\n".join((f"patient,{','.join(_COLUMNS)}", *lines, *more)), encoding="utf-8")
    session = opened(folder, file)
    session.data.set_unit(PrivacyUnit(rows, "patient", protected=UnitAnswer.SAID))
    for name in _COLUMNS:
        session.data.set_role([name], Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(_COLUMNS)())
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=expected))
    return session


def outlook(session: Session) -> Outlook:
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is not None
    return prospect.outlook


def offer(session: Session) -> OutlookRemedy | None:
    found = remedies(session, outlook(session))
    return next((one for one in found if one.words.startswith("One row per person: ")), None)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-5), (0.1, 1e-6), (3.0, 1e-4)])
@pytest.mark.parametrize("rows", [2, 5, 12])
def test_the_cost_is_that_of_the_law(epsilon: float, delta: float, rows: int) -> None:
    project = new_project()
    settings = GuaranteeSettings(epsilon=epsilon, delta=delta)
    short, words = cost_of_rows(replace(project, anonymise=replace(project.anonymise, guarantee=settings)), rows)
    one, many = (TrimGuarantee(epsilon, delta, each).half_survive for each in (1, rows))
    # What is computed in floating point is off by a row at most.
    ratios = {estimate((many + off) / (one + other), 2) for off in (-1, 0, 1) for other in (-1, 0, 1)}
    start, _, more = words.removesuffix(" × as large to come out.").partition(
        ". Each group of a release gives up about "
    )
    given_up, _, times = more.partition(" × as many rows, and must be about ")
    assert start == f"{rows} rows rather than one cost {rows} × the noise in answers" and times in ratios
    assert short == f"{rows} × the noise, groups lose {given_up} × as much"
    lost = [TrimGuarantee(epsilon, delta, each).laws[0].mean_lost for each in (1, rows)]
    assert lost[1] / lost[0] == pytest.approx(float(given_up), rel=0.1), "a large group gives up so many times as many"


def test_one_row_costs_nothing_more_and_very_many_are_no_error() -> None:
    assert cost_of_rows(new_project(), 1) == ("", "")
    assert cost_of_rows(new_project(), 1_000_000)[0].startswith("1,000,000 × the noise")


@pytest.mark.parametrize(("epsilon", "delta"), [(1e4, 1e-5), (1.0, 0.0), (1.0, 1.0), (0.0, 1e-5), (1.0, 1e-320)])
def test_numbers_of_which_no_promise_is_made_cost_what_is_sure(epsilon: float, delta: float) -> None:
    project, settings = new_project(), GuaranteeSettings(epsilon=epsilon, delta=delta)
    short, words = cost_of_rows(replace(project, anonymise=replace(project.anonymise, guarantee=settings)), 5)
    assert short.startswith("5 × the noise") and "nan" not in words and "∞" not in words and "–" not in words


def test_where_several_rows_cost_most_one_of_each_is_offered_with_what_it_gives(tmp_path: Path) -> None:
    session = stays(tmp_path / "one")
    before, found = outlook(session), offer(session)
    assert found is not None and found.edit is not None
    assert "400 to 2,000 people" in found.about
    found.edit(session)
    unit = session.project.schema.unit
    assert (unit.rows_per_person, unit.person_column) == (1, "patient")
    assert session.project.anonymise.trim.expected_rows is None, "so many rows are no number of people"
    first = next(iter(assess(session).remedies))
    assert first.words == "Say how many people you expect" and first.asks_rows and first.edit is None
    ends = []
    for people in (400, 2_000):
        session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=people))
        ends.append(outlook(session))
    assert ends[1].short.startswith("Of 2,000 people, one row each, "), "the others are lost, which no number tells"
    assert "each," not in before.short, "all rows take part"
    low, high = round(100 * ends[0].fewest), round(100 * ends[1].hopeful)
    assert found.words == f"One row per person: {low} to {high} in 100"
    assert sum(one.told for one in ends) / 2 > 1.1 * before.told
    assert offer(session) is None, "nobody has more now"


def test_it_follows_from_no_row(tmp_path: Path) -> None:
    one, other = stays(tmp_path / "one"), stays(tmp_path / "other", "P77,99,2030-01-01,gout,999999")
    assert offer(one) is not None
    assert [(a.words, a.about) for a in remedies(one, outlook(one))] == [
        (a.words, a.about) for a in remedies(other, outlook(other))
    ]


def test_nobody_is_said_to_have_fewer_rows_than_they_say(tmp_path: Path) -> None:
    """Without a column that says whose rows they are, only the person's word limits them."""
    session = stays(tmp_path / "one")
    session.data.set_unit(PrivacyUnit(5, protected=UnitAnswer.SAID))
    assert people_expected(session.project) is None and offer(session) is None
    assert people_expected(stays(tmp_path / "two", expected=None).project) is None, "nobody said how many there are"
    assert people_expected(stays(tmp_path / "three", rows=1).project) is None


def test_a_number_of_rows_is_not_taken_for_one_of_people(tmp_path: Path) -> None:
    session = stays(tmp_path / "one")
    unit = session.project.schema.unit
    protect(session, replace(unit, rows_per_person=4))
    assert session.project.anonymise.trim.expected_rows == 2_000, "rows are counted as before"
    protect(session, replace(unit, rows_per_person=1))
    assert session.project.anonymise.trim.expected_rows is None
