"""What a count of the values beyond bounds says beside an answer within them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.ledger_entries import Charge, LedgerEntry
from workbench.session.beyond_bounds import beyond_said
from workbench.session.query_answers import PaidAnswer

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
    assert said((-11.0, -21.0, 0.0), (54.0, 44.0, 64.0)) == f"{first} Without the bounds the mean is larger."
    assert said((-3.0, 0.0, 7.0), (54.0, 44.0, 64.0)).startswith("Of its values at most 7 were below 0 and about 54")
    assert "Without" not in said((-3.0, 0.0, 7.0), (54.0, 44.0, 64.0)), "nobody knows whether any were below"
    assert said((12.0, 2.0, 22.0), (-30.0, 0.0, 0.0)).endswith("Without the bounds the mean is smaller.")
