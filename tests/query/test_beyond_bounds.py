"""What a count of the values beyond bounds says beside an answer within them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.catalogue import QueryDraft
from workbench.query.ledger_entries import Charge, LedgerEntry
from workbench.session.beyond_bounds import beyond_said, counted_beyond
from workbench.session.query_answers import PaidAnswer
from workbench.session.session import Session

MEAN = ReleasedAnswer(AnswerForm.NUMBER, 5.0, (4.0, 6.0))


def paid(question: Mapping[str, Any], released: ReleasedAnswer = MEAN) -> PaidAnswer:
    charge = Charge(kind="query", what="", epsilon=Fraction(1), delta=Fraction(0), rows_per_person=1)
    return PaidAnswer(LedgerEntry("1", "2026-01-01T00:00:00+00:00", charge), 0, question, released)


def test_a_count_of_values_beyond_bounds_is_never_said_to_be_below_none() -> None:
    def said(*sides: tuple[float, float, float]) -> str:
        values, low, high = (list(one) for one in zip(*sides, strict=True))
        released = ReleasedAnswer(AnswerForm.LIST, values, (low, high), (("below 0", "above 9"),))
        return beyond_said(paid({"query": "mean"}), paid({"query": "limited"}, released))

    first = "Of its values none were below 0 and about 54 ± 10 were above 9, by a count that was paid for (95 % each)."
    alone = "If both hold, the bounds alone make the mean"
    assert said((-11.0, -21.0, 0.0), (54.0, 44.0, 64.0)) == f"{first} {alone} smaller, rounding and noise aside."
    assert said((-3.0, 0.0, 7.0), (54.0, 44.0, 64.0)).startswith("Of its values at most 7 were below 0 and about 54")
    assert "alone" not in said((-3.0, 0.0, 7.0), (54.0, 44.0, 64.0)), "nobody knows whether any were below"
    assert said((12.0, 2.0, 22.0), (-30.0, 0.0, 0.0)).endswith(f"{alone} larger, rounding and noise aside.")


@pytest.fixture
def costs(tmp_path: Path) -> Session:
    """Of 1,000 rows the 100 of group a have 50, the 900 of b have 500 or nothing."""
    path = tmp_path / "costs.csv"
    rows = [f"p{i},{'a' if i < 100 else 'b'},{50 if i < 100 else 500 if i % 2 else ''}" for i in range(1000)]
    path.write_text("patient,team,cost\n" + "\n".join(rows) + "\n", encoding="utf-8")
    session = Session()
    session.data.open(path)
    session.data.set_unit(PrivacyUnit())
    return session


BOUNDS = {"column": "cost", "lower": "0", "upper": "100"}
LIMITED = QueryDraft("limited", "20", BOUNDS)
MEAN_OF_ALL = QueryDraft("mean", "20", {**BOUNDS, "resolution": "1"})


def test_a_count_stands_beside_no_answer_about_other_values(costs: Session) -> None:
    count = costs.queries.ask(LIMITED)
    grouped = {**MEAN_OF_ALL.values, "by_column": "team", "by_keys": "a", "statistic": "mean"}
    assert counted_beyond(costs.queries.ask(MEAN_OF_ALL), [count]) is count
    assert counted_beyond(costs.queries.ask(QueryDraft("group-by", "20", grouped)), [count]) is None, (
        "none of a is beyond"
    )
    filled = costs.queries.ask(QueryDraft("mean", "20", {**MEAN_OF_ALL.values, "missing": "100"}))
    assert counted_beyond(filled, [count]) is None, "it has more values than were counted"


@pytest.mark.parametrize("drawn", [Preparation(limit_rows=True), Preparation(sample=0.5)], ids=["limit", "sample"])
def test_a_count_of_drawn_rows_stands_beside_no_answer_since_it_may_be_of_another_draw(
    costs: Session, drawn: Preparation
) -> None:
    costs.data.set_unit(PrivacyUnit(1, "patient" if drawn.limit_rows else ""))
    costs.data.set_preparation(drawn)
    count = costs.queries.ask(LIMITED)
    assert counted_beyond(costs.queries.ask(MEAN_OF_ALL), [count]) is None
