"""What ε of an answer hides of which value a person has, beside whether they are in the data."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.query.catalogue import QueryDraft
from workbench.query.plans import QueryPlan, plan
from workbench.session.query_promise import short_promise

SCHEMA = Schema(
    (
        ColumnSpec("team", Kind.CATEGORY, domain=("a", "b")),
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 80.0)),
    )
)


def planned(kind: str, epsilon: str = "1", **values: Any) -> QueryPlan:
    return plan(QueryDraft(kind, epsilon, values), SCHEMA)


def most(counts: list[int], others: list[int], epsilon: float) -> float:
    """How many times as likely any noisy counts are of these counts as of the others."""
    steps = np.arange(-40, 60)
    laws = [[np.exp(-epsilon * np.abs(steps - count)) for count in some] for some in (counts, others)]
    return math.prod(float((one / other).max()) for one, other in zip(*laws, strict=True))


def test_one_value_for_another_is_hidden_at_twice_the_epsilon() -> None:
    assert most([10, 7], [9, 7], 1.0) == pytest.approx(math.e), "with or without one person"
    assert most([10, 7], [9, 8], 1.0) == pytest.approx(math.e**2), "the other value of the same person"
    said = short_promise(planned("histogram", column="team"))
    assert said == (
        "e^ε ≤ 2.719: a 50 : 50 guess whether a person is in the data rises to 73.11 % at most; which value "
        "they have, to 88.08 % at most (e^2ε)."
    )


def test_of_one_count_it_is_the_same_epsilon() -> None:
    assert most([10], [9], 1.0) == pytest.approx(math.e), "whichever value is changed, one count moves by one"
    assert short_promise(planned("count")) == (
        "e^ε ≤ 2.719: a 50 : 50 guess whether a person is in the data, or which value they have, rises to "
        "73.11 % at most."
    )


@pytest.mark.parametrize("kind", ["count", "mean"])
def test_where_the_number_is_known_only_the_value_is_hidden(kind: str) -> None:
    values = {} if kind == "count" else {"column": "age"}
    said = short_promise(planned(kind, **values), number_known=True)
    assert said.startswith("e^2ε ≤ 7.39: a 50 : 50 guess between two values of a person rises to 88.08 % at most.")
    assert "in the data" not in said


def test_a_delta_is_that_of_both_steps() -> None:
    asked = planned("undeclared-groups", "1", column="team", delta="1e-4")
    said = short_promise(asked)
    assert "but for a chance of δ = 0.0001;" in said
    twice = float(said.rpartition("but for a chance of ")[2].rstrip("."))
    assert 1e-4 * (1 + math.e) <= twice <= 1e-4 * (1 + math.e) * 1.01


def test_where_a_change_is_what_epsilon_is_for_it_counts_once() -> None:
    asked = planned("mean", column="age")
    assert "which value" in short_promise(asked)
    foreign = plan(QueryDraft("mean", "1", {"column": "age"}, noise=asked.draft.noise.DIFFPRIVLIB), SCHEMA)
    assert foreign.unclaimed and "e^2ε" not in short_promise(foreign), "what is not vouched for is not explained"
