"""The picture of a plan's errors has their exact law wherever one is known, at whatever ε."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.query.helpers import question
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.query.mechanism import ErrorLaw, QueryMechanism, StatisticValues
from workbench.session.query_plans import spread_of

SCHEMA = Schema((ColumnSpec("age", Kind.INTEGER), ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C"))))
AGE = {"column": "age", "lower": "0", "upper": "40", "resolution": "1"}
ANSWERS = 40_000

LAWS: dict[str, tuple[str, dict[str, Any]]] = {
    "count": ("count", {}),
    "histogram": ("histogram", {"column": "town", "post": "non-negative"}),
    "truncated": ("truncated-geometric", {"alpha": "0.7", "largest": "12"}),
    "median": ("median", AGE),
    "quantiles": ("quantile", {**AGE, "quantile": "0.1, 0.5, 0.6"}),
    "minimum": ("minimum", AGE),
    "bounds": ("bounds", AGE),
    "mode": ("mode", {"column": "town"}),
    "exponential": ("mode", {"column": "town", "draw": "exponential"}),
    "noisy-max": ("noisy-max", {"column": "town"}),
    "threshold": ("above-threshold", {"column": "town", "threshold": "10"}),
}


def chance_at_most(law: ErrorLaw, error: float) -> float:
    return float(law.chances[law.points * (law.step or 1.0) <= error + 1e-9].sum())


def agree(mechanism: QueryMechanism, statistic: StatisticValues) -> None:
    """Whether simulated errors, all of one answer together, have this law to within what chance explains."""
    law = mechanism.drawn_law(statistic)
    assert law is not None and law.chances.sum() == pytest.approx(1, abs=5e-4) and law.chances.min() >= 0
    errors = mechanism.simulate(statistic, ANSWERS, np.random.default_rng(7)) - mechanism.truth(statistic)
    for error in np.unique(np.quantile(errors, np.linspace(0, 1, 21), method="lower")):
        seen = float((errors <= error + 1e-9).mean())
        assert chance_at_most(law, float(error)) == pytest.approx(seen, abs=0.015), error


@pytest.mark.parametrize("epsilon", ["0.3", "1/3", "1"])
@pytest.mark.parametrize("name", LAWS)
def test_the_law_is_that_of_simulated_answers(name: str, epsilon: str) -> None:
    kind, values = LAWS[name]
    plan = question(kind, "" if kind == "truncated-geometric" else epsilon, described=SCHEMA, **values)
    agree(plan.mechanism, plan.mechanism.assumed(9))


@pytest.mark.parametrize("name", ["mode", "exponential", "noisy-max", "threshold", "histogram"])
def test_the_law_is_right_of_counts_that_differ(name: str) -> None:
    kind, values = LAWS[name]
    mechanism = question(kind, "0.4", described=SCHEMA, **values).mechanism
    for counts in ([9, 12, 11], [14, 1, 9], [12, 12, 0]):
        agree(mechanism, {"count": np.array(counts, dtype=object)})


@pytest.mark.parametrize("name", [name for name in LAWS if name != "count"])
def test_no_bar_is_drawn_from_simulated_answers_where_the_law_is_known(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, values = LAWS[name]
    plan = question(kind, "" if kind == "truncated-geometric" else "1/3", described=SCHEMA, **values)
    known = plan.expected  # some expected errors are averages over simulated answers
    assert known is not None

    def drawn(*_words: object) -> None:
        raise AssertionError("simulated")

    mechanism = type(plan.mechanism)
    monkeypatch.setattr(mechanism, "expected", lambda *_words: known)
    monkeypatch.setattr(mechanism, "simulate", drawn)
    found, words = spread_of(plan)
    assert found is not None and found.chances.sum() > 0.9 and words == ""


def test_where_no_law_is_known_it_is_said_that_answers_were_simulated() -> None:
    plan = question("histogram", "1/3", described=SCHEMA, column="town", post="consistent")
    found, words = spread_of(plan)
    assert found is not None and words == "Drawn from 4,000 simulated answers."


def test_a_grid_of_very_many_points_is_not_waited_for() -> None:
    wide = {"column": "age", "lower": "0", "upper": "30000000", "resolution": "1"}
    mechanism = question("median", "1", described=SCHEMA, **wide).mechanism
    assert mechanism.drawn_law(mechanism.assumed(100)) is None
