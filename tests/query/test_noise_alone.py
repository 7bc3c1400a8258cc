"""The interval for the noise alone of an answer within bounds that were found first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.query.catalogue import QueryDraft
from workbench.query.narrowed import FIGURES
from workbench.session import Session
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
