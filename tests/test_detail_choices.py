"""What one detail of a column in every row costs, before it is chosen: from no row, and as the forecast has it then."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outlook_steps import expect, opened, outlook
from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.core.progress import Progress
from workbench.session import Session
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
            assert trial.release.steps.importance(name) is Importance.KEEP and chosen(trial, name) == [LAST]
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


def test_a_ticked_column_is_marked_as_such_however_fine_the_tick_made_it(tmp_path: Path) -> None:
    session = prepared(tmp_path / "one")
    say_matters_most(session, "pay", most=True)
    assert session.release.steps.importance("pay") is Importance.KEEP
    ticked = session.project
    wish_least(session, "pay", 2)
    levels = {step["pay"] for step in session.release.chain().vectors}
    assert chosen(session, "pay") == ["intervals of 10,000"] and levels == {1}, "every row has that one as all is set"
    assert not any(one.words.startswith("Always ") for one in detail_choices(session, "pay")), "nor is it there twice"
    (same,) = (one for one in detail_choices(session, "pay") if one.is_chosen)
    wished = session.project
    same.edit(session)
    assert session.project == wished, "what is so already changes nothing"
    assert LAST not in {one.words for one in detail_choices(session, "pay")}, "it is ticked already"
    wish_least(session, "pay", 0)
    assert chosen(session, "pay") == ["as it is"], "no other level is finer"
    (loose,) = (one for one in detail_choices(session, "pay") if one.words == BY_PROGRAM)
    loose.edit(session)
    assert chosen(session, "pay") == [BY_PROGRAM] and not session.project.anonymise.level_choice.limits
    (last,) = (one for one in detail_choices(session, "pay") if one.words == LAST)
    last.edit(session)
    assert session.project == ticked, "the choice is the tick of the table"
