"""The search against brute force: every privacy model and every loss metric from its definition, on small lattices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.anonymise.brute_force import (
    AGES,
    BOTH,
    DEMANDS,
    SCORES,
    SIX,
    Case,
    cases,
    check,
    prepared,
    shares,
    total_variation,
)
from tests.properties import examples
from workbench.anonymise import evaluation, keys
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.outcome import Incumbent
from workbench.anonymise.privacy import MODELS, Background, ModelChoice, TableRequirement
from workbench.anonymise.problem import prepare
from workbench.anonymise.separable import SeparableLoss
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.contracts.syntactic import bounds_hold
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table

# Privacy models, from their definitions. `inside` holds the sensitive values of the released rows of a class,
# `people` counts the rows of the population in it, `everybody` holds the sensitive values of all released rows.


# Loss metrics, from their definitions.


LIMITS = st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])
WEIGHTS = st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=3, max_size=3)


@pytest.mark.parametrize("metric", sorted(SCORES))
@pytest.mark.parametrize("model", sorted(DEMANDS))
@settings(max_examples=examples(6), deadline=None)
@given(case=cases(), limit=LIMITS, weights=WEIGHTS)
def test_the_best_node_is_the_one_brute_force_finds(
    model: str, metric: str, case: Case, limit: float, weights: list[float]
) -> None:
    check(case, [model], metric, limit, weights[: len(case.hierarchies)])


@settings(max_examples=examples(100), deadline=None)
@given(
    case=cases(),
    names=st.lists(st.sampled_from(sorted(DEMANDS)), min_size=2, max_size=4, unique=True),
    metric=st.sampled_from(sorted(SCORES)),
    limit=LIMITS,
)
def test_models_combine(case: Case, names: list[str], metric: str, limit: float) -> None:
    check(case, names, metric, limit, [1.0] * len(case.hierarchies))


def test_every_model_and_metric_is_compared_with_brute_force() -> None:
    assert {model.identifier for model in MODELS} == set(DEMANDS)
    assert {metric.identifier for metric in METRICS} == {name.partition("=")[0] for name in SCORES}


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=cases(), limit=LIMITS, also=st.booleans(), dense=st.booleans())
def test_merging_sensitive_values_changes_nothing_that_a_look_finds(
    case: Case, limit: float, also: bool, dense: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether keys are counted by address or sorted, and whichever table a node is counted from."""
    names = ["l-diversity", "k-anonymity"] if also else ["l-diversity"]
    problem = prepared(case, names, "loss", limit, [1.0] * len(case.hierarchies))
    if problem is None:
        return
    with monkeypatch.context() as patched:
        if not dense:
            patched.setattr(keys, "_addressed", lambda entries, radix: False)
        merged = Evaluator(problem, 1 << 20)
        patched.setattr(evaluation, "_may_merge", lambda problem, ground: False)
        whole = Evaluator(problem, 1 << 20)
        for levels in problem.lattice:
            one, other = merged.judge(levels), whole.judge(levels)
            assert len(one.classes.groups) == len(one.classes) == len(other.classes)
            assert one.classes.sizes.tolist() == other.classes.sizes.tolist()
            assert (one.failing.tolist(), one.lost.tolist()) == (other.failing.tolist(), other.lost.tolist())
            assert (one.suppressed, one.unavoidable, one.feasible) == (
                other.suppressed,
                other.unavoidable,
                other.feasible,
            )
            scored = [problem.loss.score_and_bound(levels, it.classes, it.failing, it.lost)[0] for it in (one, other)]
            assert scored[0] == scored[1]


def check_bounds(case: Case, names: Sequence[str], metric: str, limit: float) -> None:
    problem = prepared(case, names, metric, limit, [1.0] * len(case.hierarchies))
    if problem is None:
        return
    bounds_hold(problem)


@settings(max_examples=examples(100), deadline=None)
@given(case=cases(), limit=LIMITS, data=st.data())
def test_bounds_hold_for_every_node_below_and_above(case: Case, limit: float, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(DEMANDS)), min_size=1, max_size=2, unique=True))
    check_bounds(case, names, data.draw(st.sampled_from(sorted(SCORES))), limit)


def test_a_suppressed_number_may_be_nearer_to_the_truth_than_a_generalised_one() -> None:
    lines = [(str(v), "far" if v in (0, 4) else "rest", "*") for v in range(10)]
    case = Case((("4",), ("9",), ("9",)), ("1", "2", "3"), ("yes",) * 3, (Hierarchy.from_rows(lines),))
    check_bounds(case, ["k-anonymity"], "squared-error", 1.0)
    check(case, ["k-anonymity"], "squared-error", 1.0, [1.0])


def test_what_finer_nodes_must_lose_is_not_overestimated() -> None:
    average = ModelChoice("average-risk", {"threshold": 0.5})
    demand = average.model.fit(average.checked(), Background(7, 7))
    assert isinstance(demand, TableRequirement)
    sizes = np.array([1, 4, 1, 1])
    # Three of the classes have one row and are dropped together, although dropping one would do.
    assert demand.smallest_kept(sizes) == 4
    assert demand.least_lost(sizes) == 1
    # Ten people share the labels of the one released row; a finer class may have the row and two of them.
    alone = Case((("0",),) * 2 + (("1",),) * 8, ("1",) * 10, ("yes",) + ("no",) * 9, (hierarchy_of_two(),))
    check(alone, ["d-presence"], "loss", 0.0, [1.0])
    check_bounds(alone, ["d-presence"], "loss", 0.0)


def test_the_rows_a_frequent_value_must_lose_are_counted_to_the_row() -> None:
    hierarchy = Hierarchy.from_rows([("a", "A", "*"), ("b", "A", "*"), ("c", "C", "*")])
    rows = [("a", "1")] * 2 + [("b", "1")] * 4 + [("b", "2")] * 4 + [("c", "2")] * 14
    table = Table(tuple(Column.from_texts(n, [row[i] for row in rows]) for i, n in enumerate(("place", "illness"))))
    # A quarter of the table has value 1, so half of a class may. Of A, 6 of 10 have it; the two rows of `a` must go.
    model = ModelChoice("b-likeness", {"beta": 1.0, "variant": "basic", "column": "illness"})
    evaluator = Evaluator(prepare(table, {"place": hierarchy}, Goal([model], suppression_limit=1.0)), 0)
    assert evaluator.judge((1,)).unavoidable == evaluator.judge((0,)).suppressed == 2


@given(
    others=st.lists(st.integers(0, 6), min_size=2, max_size=4),
    inside=st.lists(st.integers(0, 4), min_size=2, max_size=4),
    t=st.sampled_from((0.05, 0.2, 0.5, 0.9)),
    k=st.sampled_from((1, 2, 4)),
)
@settings(max_examples=examples(150), deadline=None)
def test_no_more_is_lost_to_t_closeness_than_the_largest_part_that_is_close(
    others: list[int], inside: list[int], t: float, k: int
) -> None:
    """Every part of a class is tried; the bound is never above what is lost then."""
    values = [str(v) for v in range(4) for _ in range([*inside, 0, 0][v])]
    rest = [str(v) for v in range(4) for _ in range([*others, 0, 0][v])]
    everybody = values + rest
    if not values or not rest or len(everybody) < k:
        return
    parts = [
        dict(zip("0123", counts, strict=True)) for counts in product(*[range(values.count(v) + 1) for v in "0123"])
    ]
    close = 0
    for part in parts:
        size = sum(part.values())
        if size > close and size >= k:
            of_part = {v: Fraction(count, size) for v, count in part.items()}
            if total_variation(of_part, shares(everybody)) <= Fraction(repr(t)):
                close = size
    place = [("in", "*")] * len(values) + [("out", "*")] * len(rest)
    table = Table((Column.from_texts("place", [p for p, _ in place]), Column.from_texts("illness", everybody)))
    models = [ModelChoice("t-closeness", {"t": t, "column": "illness"})]
    models += [ModelChoice("k-anonymity", {"k": k})] if k > 1 else []
    hierarchy = Hierarchy.from_rows([("in",), ("out",)])
    evaluator = Evaluator(prepare(table, {"place": hierarchy}, Goal(models, suppression_limit=1.0)), 0)
    judgement = evaluator.judge((0,))
    lost = {int(c): int(rows) for c, rows in zip(judgement.failing, judgement.lost, strict=True)}.get(0, 0)
    assert lost <= len(values) - close


def test_a_class_of_too_few_values_is_known_to_be_lost_whole() -> None:
    rows = [("in", "1")] * 4 + [("in", "2")] * 2 + [("out", value) for value in "123456" for _ in range(6)]
    table = Table(tuple(Column.from_texts(n, [row[i] for row in rows]) for i, n in enumerate(("place", "illness"))))
    hierarchy = Hierarchy.from_rows([("in",), ("out",)])
    model = ModelChoice("t-closeness", {"t": 0.3, "column": "illness"})
    judgement = Evaluator(prepare(table, {"place": hierarchy}, Goal([model], suppression_limit=1.0)), 0).judge((0,))
    # Values 1 and 2 are 18 of 42 rows of the table, and no part of a class of them alone is within 0.3.
    assert (judgement.failing.tolist(), judgement.lost.tolist()) == ([0], [6])


def hierarchy_of_two() -> Hierarchy:
    return Hierarchy.from_rows([("0", "*"), ("1", "*")])


def test_an_equal_largest_loss_does_not_end_the_search_by_rank() -> None:
    best = Incumbent()
    problem = prepare(SIX, BOTH, Goal([ModelChoice("k-anonymity", {"k": 3})], metric=MetricChoice.parse("loss=rank")))
    judgement = Evaluator(problem, 0).judge((1, 1))
    best.offer((1.0, 0.8), 3, (1, 1), judgement)
    assert best.beaten_by(1.0, 7) and not best.beaten_by(1.1, 2)
    best.offer((1.0, 0.5), 7, (1, 2), judgement)
    assert best.number == 7


@pytest.mark.parametrize("metric", ["non-uniform-entropy", "squared-error"])
def test_a_bound_of_what_suppression_costs_never_exceeds_it(metric: str) -> None:
    """Not by a rounding either: it decides which combinations are not looked at."""
    hierarchies = {"age": AGES} if metric == "squared-error" else BOTH
    loss = prepare(
        SIX, hierarchies, Goal([ModelChoice("k-anonymity", {"k": 2})], metric=MetricChoice.parse(metric))
    ).loss
    assert isinstance(loss, SeparableLoss)
    for attribute, hierarchy in enumerate(hierarchies.values()):
        for level in range(hierarchy.height + 1):
            rows = np.full(len(hierarchy.labels[level]), 1.0)
            below = loss.penalties_below(attribute, level, 0, rows)
            assert below.shape == (level + 1,)
            exact = loss.penalty(attribute, level, rows)
            assert exact * (1 - 1e-9) <= below[-1] <= exact


# The search as a whole


# Bad input


# Applying a node
