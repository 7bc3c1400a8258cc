"""The interval for the noise alone of an answer within bounds that were found first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.library.answer import AskedAnswer
from workbench.query.catalogue import QueryDraft
from workbench.query.narrowed import FIGURES
from workbench.session import Session
from workbench.session.answer_facts import answer_notes
from workbench.session.answer_files import copied
from workbench.session.noise_alone import noise_alone
from workbench.session.query_answers import PaidAnswer

VALUES = [17.0 * (one % 50) for one in range(1998)] + [90_000.0] * 2


@pytest.fixture
def session(tmp_path: Path) -> Session:
    file = tmp_path / "pay.csv"
    file.write_text("pay\n" + "\n".join(map(str, VALUES)), encoding="utf-8")
    made = Session()
    made.data.open(file)
    made.data.set_unit(PrivacyUnit(protected=UnitAnswer.SAID))
    return made


def asked(session: Session, figure: str = "mean", kind: str = "narrowed") -> PaidAnswer:
    values = {"column": "pay", "lower": "0", "upper": "100000"}
    values |= {"figure": figure} if kind == "narrowed" else {}
    session.queries.set_draft(QueryDraft(kind, "2", values))
    return session.queries.ask(session.project.queries.draft)


@pytest.mark.parametrize("figure", list(FIGURES))
def test_it_holds_the_exact_answer_to_values_within_the_bounds_that_were_found(session: Session, figure: str) -> None:
    within, limits = 0, False
    for _ in range(20):
        found = noise_alone(asked(session, figure))
        assert found is not None and found.released.interval is not None
        low, high = (float(one.replace(",", "")) for one in found.bounds)
        limits = limits or high < 90_000
        limited = np.clip(VALUES, low, high)
        truth = {
            "mean": limited.mean(),
            "sum": limited.sum(),
            "variance": limited.var(),
            "standard-deviation": limited.std(),
        }[figure]
        least, most = found.released.interval
        within += bool(least - 1e-6 <= truth <= most + 1e-6)
    assert limits, "else nothing was left out"
    assert within >= 15, "at least 95 % are to; 14 of 20 or fewer happen once in 40,000 runs"


def test_no_other_answer_has_it_nor_one_that_does_not_follow_from_its_numbers(session: Session) -> None:
    assert noise_alone(asked(session, kind="mean")) is None
    answered = asked(session)
    assert noise_alone(replace(answered, released=replace(answered.released, value=1.0))) is None
    for lacking in ("frames", "columns", "values"):
        question = {name: one for name, one in answered.question.items() if name != lacking}
        assert noise_alone(replace(answered, question=question)) is None
    assert noise_alone(replace(answered, question={**answered.question, "engine": "another"})) is None
    assert noise_alone(replace(answered, released=replace(answered.released, noisy={}))) is None


def test_how_many_rows_there_are_is_told_by_it_whatever_bounds_were_found(session: Session) -> None:
    asked(session)
    plan = session.queries.plan(QueryDraft("mean", "1", {"column": "pay", "lower": "0", "upper": "1000"}))
    assert plan.counted is not None and plan.rows == pytest.approx(2000, abs=60), "and not a part of them"


def test_what_is_copied_or_framed_says_of_an_interval_for_the_noise_alone_that_it_is_one(session: Session) -> None:
    answered = asked(session)
    found = noise_alone(answered)
    assert found is not None and found.released.interval is not None
    heading, row = copied(answered)
    assert heading == ("", "value", "at least, noise alone", "at most, noise alone")
    assert tuple(map(float, row[2:])) == pytest.approx(found.released.interval, rel=1e-12)
    frame = AskedAnswer(answered).frame
    assert list(frame) == ["", "value", "noise_alone_low", "noise_alone_high"]
    assert tuple(frame.iloc[0, 2:]) == found.released.interval
    plain = asked(session, kind="mean")
    assert copied(plain)[0] == ("", "value", "at least", "at most")
    assert list(AskedAnswer(plain).frame) == ["", "value", "low", "high"]


def test_a_count_below_0_is_said_to_be_one_by_noise(session: Session) -> None:
    """A fourth of the counts of nobody are below 0: that none of 90 is happens less than once in 10^9 runs."""
    session.queries.set_draft(QueryDraft("count", "1", where="pay > 95000"))
    said = False
    for _ in range(90):
        answered = session.queries.ask(session.project.queries.draft)
        below = answered.released.value < 0 and not answered.released.notes
        assert any("Noise can take a count below 0" in one for one in answer_notes(answered, 0)) is below
        said = said or below
        if said:
            break
    assert said
