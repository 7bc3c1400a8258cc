"""What one detail of a column in every row costs, before it is chosen: from no row, and as the forecast has it then."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outlook_steps import expect, opened, outlook
from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.core.progress import Progress
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.detail_choices import (
    ALONE,
    BY_PROGRAM,
    LAST,
    LEFT_OUT,
    DetailChoice,
    detail_choices,
    with_rows,
)
from workbench.session.release.knowledge import say_matters_most
from workbench.session.release.spread import in_hundred
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import offers_details, wish_enough, wish_least

_COLUMNS = ("born", "postcode", "job", "pay")


def prepared(folder: Path, *more: tuple[str, str, str, int]) -> Session:
    session = opened(folder, *more)
    session.release.steps.set_source(LevelSource.BALANCED)
    expect(session, 2_400)
    return session


def chosen(session: Session, name: str) -> list[str]:
    return [one.words for one in detail_choices(session, name) if one.is_chosen]


def test_a_person_more_changes_no_choice_and_no_forecast_of_one(tmp_path: Path) -> None:
    def told(session: Session, name: str) -> list[tuple[object, ...]]:
        found = with_rows(session, name, detail_choices(session, name))
        return [(one.words, one.is_chosen, one.rows, one.lost, one.doubtful, one.costs) for one in found]

    one = prepared(tmp_path / "one")
    other = prepared(tmp_path / "other", ("1811-12-31", "99999", "Lord Mayor", 987_654))
    for name in _COLUMNS:
        assert offers_details(one, name) and offers_details(other, name)
        assert told(one, name) == told(other, name)


@pytest.mark.parametrize("name", _COLUMNS)
def test_each_choice_costs_what_the_forecast_says_once_it_is_made(tmp_path: Path, name: str) -> None:
    session = prepared(tmp_path / "one")
    before = outlook(session)
    choices = with_rows(session, name, detail_choices(session, name))
    assert [one.words for one in choices if one.is_chosen] == [BY_PROGRAM]
    for one in choices:
        trial = session.snapshot()
        one.edit(trial)
        after = outlook(trial)
        assert one.rows == in_hundred((after.fewest, after.hopeful))
        assert set(one.lost) == set(after.starred) - set(before.starred)
        seen = {*before.starred, *before.maybe}
        assert set(one.doubtful) == set(after.maybe) - seen and set(after.maybe) <= set(after.often)
        assert all(name in one.costs or "columns" in one.costs for name in (*one.lost, *one.doubtful))
        hierarchy = trial.project.hierarchies[name]
        if one.words == LEFT_OUT:
            assert trial.release.columns.treatment(name) is Treatment.LEAVE_OUT
        elif one.words == LAST:
            assert trial.release.steps.importance(name) is Importance.KEEP
            assert chosen(trial, name) == [BY_PROGRAM], "a tick is no choice of a detail"
            assert LAST not in {each.words for each in detail_choices(trial, name)}, "it is ticked already"
        elif one.words != BY_PROGRAM:
            levels = {step[name] for step in trial.release.chain().vectors}
            assert len(levels) == 1 and not hierarchy.says_nothing(levels.pop()), "every row has this one detail"
            assert chosen(trial, name) == [one.words]
            detail_choices(trial, name)[0].edit(trial)
            assert trial.project == session.project, "and it can be left to the program again"


def test_what_was_wished_elsewhere_stands_first_and_is_the_one_that_is_chosen(tmp_path: Path) -> None:
    session = prepared(tmp_path / "one")
    session.release.steps.set_importance("pay", Importance.GIVE_UP)
    assert chosen(session, "pay") == ["Matters least"], "it becomes * before the others"
    assert "Matters least" not in [one.words for one in detail_choices(session, "job")]
    session.release.steps.set_importance("pay", Importance.NORMAL)
    wish_enough(session, "pay", 2)
    first = detail_choices(session, "pay")[0]
    assert chosen(session, "pay") == [first.words], (
        "no finer than a level is neither one detail nor left to the program"
    )
    assert first.words.startswith("Never finer than ")
    before = session.project
    first.edit(session)
    assert session.project == before, "what is so already changes nothing"
    wish_least(session, "pay", 2)
    assert len(chosen(session, "pay")) == 1
    detail_choices(session, "pay")[0].edit(session)
    assert chosen(session, "pay") == [BY_PROGRAM]


def test_a_column_that_stands_alone_is_not_offered_to_be_left_out(tmp_path: Path) -> None:
    session = prepared(tmp_path / "one")
    assert chosen(session, "pay") == [BY_PROGRAM]
    for name in ("postcode", "job", "pay"):
        (out,) = (one for one in detail_choices(session, name) if one.words == LEFT_OUT)
        out.edit(session)
        assert not offers_details(session, name)
    alone = {one.words for one in detail_choices(session, "born")}
    assert ALONE in alone and not {BY_PROGRAM, LAST, LEFT_OUT} & alone, (
        "there are no others that it could matter beside"
    )


def test_details_are_chosen_only_where_balanced_steps_decide(tmp_path: Path) -> None:
    session = prepared(tmp_path / "one")
    session.release.steps.set_source(LevelSource.STEPS)
    assert not any(offers_details(session, name) for name in _COLUMNS)
    session.release.steps.set_source(LevelSource.BALANCED)
    session.release.columns.suppress("pay")
    assert not offers_details(session, "pay") and not offers_details(session, "nothing of that name")


def test_working_it_out_can_be_cancelled(tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    told: list[float] = []

    def stop(fraction: float, _step: str) -> None:
        told.append(fraction)
        if len(told) > 1:
            raise Stop

    session = prepared(tmp_path / "one")
    choices: tuple[DetailChoice, ...] = detail_choices(session, "pay")
    with pytest.raises(Stop):
        with_rows(session, "pay", choices, Progress(stop))
    assert told[0] == 0 < told[1] < 1


def test_of_a_ticked_column_only_a_detail_that_somebody_chose_is_marked(tmp_path: Path) -> None:
    session = prepared(tmp_path / "one")
    say_matters_most(session, "pay", most=True)
    ticked = session.project
    wish_least(session, "pay", 2)
    kept = session.project
    levels = {step["pay"] for step in session.release.chain().vectors}
    assert chosen(session, "pay") == [BY_PROGRAM], "to be no coarser than this came of the tick"
    choices = {one.words: one for one in with_rows(session, "pay", detail_choices(session, "pay"))}
    assert levels == {1} and choices[BY_PROGRAM].finest == "intervals of 10,000", "which it names all the same"
    choices[BY_PROGRAM].edit(session)
    assert session.project == kept, "what is so already changes nothing"
    for words in ("intervals of 10,000", "as it is"):
        choices[words].edit(session)
        assert chosen(session, "pay") == [words]
        assert session.release.steps.importance("pay") is Importance.KEEP
    (loose,) = (one for one in detail_choices(session, "pay") if one.words == BY_PROGRAM)
    loose.edit(session)
    assert session.project == ticked and chosen(session, "pay") == [BY_PROGRAM], "the tick stays"


@pytest.mark.parametrize("name", _COLUMNS)
@pytest.mark.parametrize("people", [60, 2_400])
def test_what_the_program_would_choose_is_named_whatever_it_is(tmp_path: Path, name: str, people: int) -> None:
    session = prepared(tmp_path / "one")
    expect(session, people)
    for ticked in (False, True):
        if ticked:
            say_matters_most(session, name, most=True)
        (free, *_) = with_rows(session, name, detail_choices(session, name))
        lines = [one.words for one in assess(session).details if one.column == name and max(one.rows)]
        assert free.words == BY_PROGRAM and free.is_chosen
        assert free.finest.removeprefix("at best ").removesuffix(", or *") == lines[0]
        assert len(lines) > 1 or free.finest == lines[0], "one detail is no best of several"
