"""What is asked of a table is one value: nothing of it is lost on the way, and nothing impossible sets out."""

from __future__ import annotations

import math
from typing import Any

import pytest

from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.utility import MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.session import Session

K2 = ModelChoice.parse("k=2")
KINDS = Hierarchy.from_rows([("flu", "*"), ("gout", "*")])
WHOLE = Goal((K2,), MetricChoice("squared-error"), 0.29, {"age": 2.0}, {"age": (0, 1)}, {"illness": KINDS})


@pytest.mark.parametrize("limit", [-1e-9, 1 + 1e-9, math.nan, math.inf, True, "0.1", None])
def test_an_impossible_limit_is_refused_before_there_is_a_row(limit: Any) -> None:
    with pytest.raises(WorkbenchError) as refused:
        Goal([K2], suppression_limit=limit)
    assert refused.value.field == "suppression_limit"


@pytest.mark.parametrize(("limit", "rows", "most"), [(0.29, 100, 29), (0, 9, 0), (1, 9, 9), (0.5, 3, 1), (0.04, 0, 0)])
def test_as_many_rows_may_be_suppressed_as_were_typed(limit: float, rows: int, most: int) -> None:
    """0.29 as the nearest binary number would be 28 of 100."""
    assert Goal([K2], suppression_limit=limit).may_suppress(rows) == most


def test_at_some_levels_only_the_models_are_asked() -> None:
    assert WHOLE.at({"age": 1, "city": 2}) == Goal(
        (K2,), suppression_limit=1.0, limits={"age": (1, 1), "city": (2, 2)}, sensitive_hierarchies={"illness": KINDS}
    )


def test_a_search_where_all_may_be_suppressed_keeps_the_rest() -> None:
    without = WHOLE.whatever_is_suppressed()
    assert without.suppression_limit == 1
    assert vars(without) | {"suppression_limit": 0.29} == vars(WHOLE)


def test_the_question_of_a_project_is_asked_whole() -> None:
    session = Session()
    session.syntactic.set_suppression_limit(0.07)
    question = session.syntactic.question()
    assert vars(question.goal) == {name: getattr(question, name) for name in vars(question.goal)}
    assert question.goal.suppression_limit == 0.07
