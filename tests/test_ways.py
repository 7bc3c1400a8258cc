"""Ways to share detail among columns, and what leaving one out gains: from public facts alone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.balanced import Importance
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.forecast_changes import ShownForecast
from workbench.session.release.knowledge import known_columns, say_matters_most
from workbench.session.release.leaving_out import STARRED, UNTICKED, foreseen, gains_of_leaving_out, leave_out
from workbench.session.release.steps import LevelSource
from workbench.session.release.ways import offers_ways, ways
from workbench.session.release.wishes import least_of, wish_exactly

CITIES = Hierarchy.from_rows([(f"C{city}", f"region {city // 4}", "*") for city in range(20)])
AGES = Hierarchy.from_rows([(str(age), f"{age // 20 * 20}s", "*") for age in range(20, 80)])
JOBS = Hierarchy.from_rows([(f"J{job}", "*") for job in range(10)])


def opened(folder: Path, *more: str, rows: int = 1_000) -> Session:
    """Three columns that have not all room, and rows besides."""
    folder.mkdir()
    lines = [f"C{i % 20},{20 + i % 60},J{i % 10}" for i in range(600)]
    text = "\n".join(("city,age,job", *lines, *more))
    (folder / "people.csv").write_text(f"{text}\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "people.csv")
    for name, hierarchy in (("city", CITIES), ("age", AGES), ("job", JOBS)):
        session.data.attach_hierarchy(name, hierarchy)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=rows))
    session.release.steps.set_source(LevelSource.BALANCED)
    return session


def _spare(session: Session, names: Collection[str]) -> None:
    leave_out(names, session)


def test_no_row_is_read_for_a_way_or_for_what_leaving_out_gains(tmp_path: Path) -> None:
    one, other = opened(tmp_path / "one"), opened(tmp_path / "other", "C0,79,J9", "C1,20,J1")
    found = [[replace(way, edit=print) for way in ways(session)] for session in (one, other)]
    assert found[0] == found[1] and len(found[0]) > 1
    gains = [gains_of_leaving_out(session, _spare, ("city", "job")) for session in (one, other)]
    assert gains[0] == gains[1] and set(gains[0]) == {"city", "job"}


def test_the_present_way_comes_first_and_each_other_does_what_it_says(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    now, *others = ways(session)
    assert now.is_now and now.kept == () and not any(one.is_now for one in others) and len(others) <= 5
    before = session.project
    for one in others:
        trial = session.snapshot()
        one.edit(trial)
        again = ways(trial)[0]
        told = replace(one, is_now=True, edit=again.edit)
        assert again == told, "taken, it is the present way, with the same forecast"
    assert session.project is before
    pairs = {frozenset(name.partition(" (")[0] for name in (*one.mostly, *one.partly)) for one in (now, *others)}
    assert any({"age", "job"} <= some for some in pairs) and any({"city", "job"} <= some for some in pairs)


def test_one_label_for_all_that_can_occur_is_not_told(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    assert any("age (3 groups)" in (*one.mostly, *one.partly) for one in ways(session))
    session.release.steps.set_said("age", "20-39")  # one of the three
    for one in ways(session):
        assert not any("3 groups" in words for words in (*one.mostly, *one.partly)), one


def test_what_was_wished_otherwise_stays(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    wish_exactly(session, "age", 1)
    session.release.steps.set_importance("job", Importance.GIVE_UP)
    for one in ways(session):
        trial = session.snapshot()
        one.edit(trial)
        assert {step["age"] for step in trial.release.chain().vectors} == {1}
        assert trial.release.steps.importance("job") is Importance.GIVE_UP


def test_nothing_is_offered_where_there_is_nothing_to_choose(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    assert offers_ways(session)
    leave_out(("city", "job"), session)
    assert not offers_ways(session) and ways(session) == ()
    session.release.steps.set_source(LevelSource.STEPS)
    assert not offers_ways(session)


def test_of_a_column_that_says_nothing_that_is_told_and_what_cannot_be_tried_is_not_told(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", rows=20)
    silent = [name for way in ways(session)[:1] for name in way.never]
    assert silent, "so few people leave a column nothing to say"
    assert gains_of_leaving_out(session, _spare, silent[:1]) == {silent[0]: STARRED}

    def refuse(_session: Session, _names: Collection[str]) -> None:
        raise WorkbenchError("no")

    assert gains_of_leaving_out(session, refuse, ("age",)) == {}


@pytest.mark.parametrize("rows", [200, 1_000, 100_000])
def test_none_that_is_offered_is_as_good_as_another_in_everything(tmp_path: Path, rows: int) -> None:
    found = ways(opened(tmp_path / "one", rows=rows))
    shapes = [(one.mostly, one.partly, one.never, one.rows) for one in found]
    assert len(set(shapes)) == len(shapes)


def test_what_is_ticked_is_never_a_star_where_more_rows_tell_all_of_it_so(tmp_path: Path) -> None:
    """What a step spends on rows in which it is `*` is lost for those in which it is told."""
    never = {}
    for rows in (500, 900, 1_400, 2_000):
        session = opened(tmp_path / str(rows), rows=rows)
        before = session.project.anonymise
        free, other = session.snapshot(), session.snapshot()
        for name in ("city", "job"):
            say_matters_most(session, name, most=True)
            free.release.steps.set_importance(name, Importance.KEEP)
        for name in ("job", "city"):
            say_matters_most(other, name, most=True)
        mine, may = foreseen(session), foreseen(free)
        assert mine is not None and may is not None
        assert foreseen(other) == mine and other.project == session.project, "in whichever order they are ticked"
        told = [sum(low for low, _ in _tell(may, name)) for name in ("city", "job")]
        never[rows] = not any(one.words == "*" for name in ("city", "job") for one in mine.lines(name))
        assert not never[rows] or mine.rows[0] > min(told), "all of it is told in more rows"
        say_matters_most(session, "city", most=False)
        assert least_of(session, "city") is None, "who unticks it leaves it to the program again"
        say_matters_most(session, "job", most=False)
        assert session.project.anonymise == before, "and all of it is undone by unticking it"
    assert never[1_400] and not never[500], "not where hardly a row may come out"


def _tell(found: ShownForecast, name: str) -> list[tuple[int, int]]:
    return [one.rows for one in found.lines(name) if one.words != "*"]


def test_what_is_a_star_only_while_it_is_not_ticked_is_told_so(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", rows=300)
    silent = [name for way in ways(session)[:1] for name in way.never]
    found = gains_of_leaving_out(session, _spare, silent[:1])
    trial = session.snapshot()
    trial.release.steps.set_importance(silent[0], Importance.KEEP)
    ticked = foreseen(trial)
    assert ticked is not None and any(one.words != "*" and max(one.rows) for one in ticked.lines(silent[0]))
    assert found == {silent[0]: UNTICKED} and UNTICKED.endswith(", unless you tick it")
    leave_out(silent[:1], session)
    (known,) = (one for one in known_columns(session) if one.name == silent[0])
    assert not known.needed and known.most is False, "it can be ticked at once with being needed"


@pytest.mark.parametrize("rows", [300, 1_000, 3_000, 30_000])
def test_what_may_be_a_star_in_many_rows_is_not_told_in_most(tmp_path: Path, rows: int) -> None:
    session = opened(tmp_path / "one", rows=rows)
    for way in ways(session):
        trial = session.snapshot()
        way.edit(trial)
        prospect = assess(trial).prospect
        assert prospect is not None and prospect.outlook is not None
        mostly = {name.partition(" (")[0] for name in way.mostly}
        assert mostly.isdisjoint((*prospect.outlook.starred, *prospect.outlook.maybe)), prospect.outlook.stars
