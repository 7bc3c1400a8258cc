"""Amounts that matter most keep their finest intervals, and others are coarser first, by public facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_interval_widths import NOT_TOLD, remade
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.interval_widths import widths_now
from workbench.session.release.forecast_changes import ShownForecast
from workbench.session.release.knowledge import say, say_matters_most
from workbench.session.release.leaving_out import foreseen
from workbench.session.release.preferred_fine import preferred
from workbench.session.release.wishes import enough_of, least_of, wish_exactly, wish_least

NAMES = ("ward", "age", "charge", "sex")
FOR = NAMES[:3]
WARDS = "Emergency, Medicine, Surgery, Paediatrics, Eye clinic"


def opened(folder: Path, charges: str = "low") -> Session:
    """People with an age and a charge; whether the charges are low, high or all alike is nothing that counts."""
    folder.mkdir(parents=True, exist_ok=True)
    low, spread = {"low": (0, 900), "high": (90_000, 9000), "alike": (50, 1)}[charges]
    wards = WARDS.split(", ")
    rows = [f"{wards[i % 5]},{i * 3 % 90},{low + i * 7 % spread}.5,{'fm'[i % 2]}" for i in range(3000)]
    path = folder / "visits.csv"
    path.write_text("\n".join([",".join(NAMES), *rows]) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(path)
    session.data.set_role(NAMES, Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(NAMES)(SILENT))
    return session


def said(session: Session, people: int = 9000, **typed: str) -> None:
    """As the dialog takes it over: what occurs, and the rules that follow from it."""
    settled = {name: one for name in typed if (one := widths_now(session.project, name)) is not None}
    listed = {name: (words, "") for name, words in typed.items()}
    most = dict.fromkeys(FOR, True)
    say(session, listed, expected_rows=people, number_known=False, not_told=NOT_TOLD, most=most)
    remade(session, tuple(typed), settled)


def forecast(session: Session) -> ShownForecast:
    found = foreseen(session)
    assert found is not None
    return found


def details(session: Session) -> dict[str, list[str]]:
    found = forecast(session)
    return {name: [one.words for one in found.lines(name)] for name in FOR}


def free(session: Session) -> ShownForecast:
    """The forecast where nothing is preferred."""
    trial = session.snapshot()
    for name in FOR:
        wish_least(trial, name, None)
    return forecast(trial)


def test_a_charge_keeps_ten_intervals_and_an_age_is_coarser_first(tmp_path: Path) -> None:
    session = opened(tmp_path)
    said(session, ward=WARDS, age="0-110", charge="0-100000")
    before, now = free(session), forecast(session)
    assert before.lines("charge")[0].detail.startswith("4 intervals"), "by itself most would lie in one of four"
    (charge,) = now.lines("charge")
    assert charge.detail.startswith("10 intervals") and preferred(session) == {"charge"}
    assert now.lines("age")[0].level > before.lines("age")[0].level
    assert not now.starred.intersection(FOR), "no column pays for it with all it tells"
    assert sum(now.rows) >= sum(before.rows) - 10, "nor are there clearly fewer rows"


def test_the_order_of_ticks_and_of_what_is_said_makes_no_difference(tmp_path: Path) -> None:
    at_once, in_turn = opened(tmp_path / "a"), opened(tmp_path / "b")
    said(at_once, ward=WARDS, age="0-110", charge="0-100000")
    for name in FOR:
        say_matters_most(in_turn, name, most=False)
    said(in_turn, ward=WARDS, age="0-110", charge="0-100000")
    for name in reversed(FOR):
        say_matters_most(in_turn, name, most=False)
    assert not preferred(in_turn), "what is not ticked is preferred to nothing"
    for name in reversed(FOR):
        say_matters_most(in_turn, name, most=True)
    assert details(in_turn) == details(at_once)


@pytest.mark.parametrize("charges", ["high", "alike"])
def test_no_value_decides_it(tmp_path: Path, charges: str) -> None:
    low, other = opened(tmp_path / "a"), opened(tmp_path / "b", charges)
    for session in (low, other):
        said(session, ward=WARDS, age="0-110", charge="0-100000")
    limits = [dict(session.project.anonymise.level_choice.limits) for session in (low, other)]
    assert limits[0] == limits[1] and limits[0]["charge"] == (0, 1)


def test_it_is_not_preferred_where_clearly_fewer_rows_would_come_out(tmp_path: Path) -> None:
    session = opened(tmp_path)
    said(session, 400, ward=WARDS, age="0-110", charge="0-100000")
    assert not preferred(session)
    trial = session.snapshot()
    wish_least(trial, "charge", 1)
    after, now = forecast(trial), forecast(session)
    lost = after.starred.intersection(FOR) - now.starred
    assert after.rows[0] < 40 or sum(after.rows) < sum(now.rows) - 10 or lost


def test_one_detail_that_somebody_chose_stays(tmp_path: Path) -> None:
    session = opened(tmp_path)
    said(session, ward=WARDS, age="0-110", charge="0-100000")
    wish_exactly(session, "charge", 2)
    said(session, ward=WARDS, age="0-120", charge="0-100000")
    assert (enough_of(session, "charge"), least_of(session, "charge")) == (2, 2)
    assert not preferred(session)
