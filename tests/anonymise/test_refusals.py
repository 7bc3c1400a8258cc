"""What cannot be asked of the search and of the mechanism, each refused by the name of what is wrong."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from workbench.anonymise import closeness
from workbench.anonymise.class_table import ClassTable, ExtraLayout
from workbench.anonymise.compared import order_of_labels
from workbench.anonymise.goal import Goal
from workbench.anonymise.models.k_map import estimated_k
from workbench.anonymise.privacy import Background, ModelChoice, in_words
from workbench.anonymise.problem import prepare
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.sampling import Recipe, sample_generalise_suppress
from workbench.anonymise.search import evaluate, optimise
from workbench.anonymise.survival import population_sizes
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column, Table

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)])
CITIES = Hierarchy.from_rows([("Athens", "Greece", "*"), ("Oslo", "Norway", "*")])
BOTH = {"age": AGES, "city": CITIES}
PEOPLE = Table(
    (
        Column.from_texts("age", ["21", "22", "23", "31", "32", "33"]),
        Column.from_texts("city", ["Athens"] * 3 + ["Oslo"] * 3),
        Column.from_texts("illness", ["flu", "flu", "cold", "cold", "flu", "cold"]),
    )
)


def k_of(k: int) -> list[ModelChoice]:
    return [ModelChoice("k-anonymity", {"k": k})]


@pytest.mark.parametrize("model", ["ordered-t-closeness", "hierarchical-t-closeness"])
def test_a_distance_needs_a_place_for_every_value(model: str) -> None:
    choice = [ModelChoice(model, {"column": "illness", "t": 1.0})]
    lacking = {"illness": Hierarchy.from_rows([("flu", "*"), ("gout", "*")])}
    with pytest.raises(WorkbenchError, match="“cold”") as refused:
        optimise(PEOPLE, BOTH, Goal(choice, sensitive_hierarchies=lacking))
    assert refused.value.field == "illness"
    whole = {"illness": Hierarchy.from_rows([("flu", "*"), ("cold", "*")])}
    assert optimise(PEOPLE, BOTH, Goal(choice, sensitive_hierarchies=whole)).levels == {"age": 0, "city": 0}


@pytest.mark.parametrize(
    ("levels", "field", "words"),
    [
        ({"age": 1}, "city", "missing"),
        ({"age": 1, "city": 1, "illness": 0}, "illness", "not generalised"),
        ({"age": 3, "city": 1}, "age", "out of reach"),
        ({"age": -1, "city": 1}, "age", "out of reach"),
        ({"age": 1, "city": 0}, "city", "out of reach"),
        ({"age": 1, "city": 2}, "city", "out of reach"),
    ],
)
def test_a_node_has_one_possible_level_for_every_column(levels: dict[str, int], field: str, words: str) -> None:
    problem = prepare(PEOPLE, BOTH, Goal(k_of(2), limits={"city": (1, 1)}))
    assert evaluate(problem, {"age": 2, "city": 1}).feasible and evaluate(problem, {"age": 0, "city": 1}).classes == 0
    with pytest.raises(WorkbenchError, match=words) as refused:
        evaluate(problem, levels)
    assert refused.value.field == field


def test_weights_are_of_generalised_columns() -> None:
    with pytest.raises(WorkbenchError, match="no weight") as refused:
        optimise(PEOPLE, BOTH, Goal(k_of(2), weights={"illness": 1.0}))
    assert refused.value.field == "illness"


def test_too_many_combinations_of_sensitive_values_are_refused() -> None:
    """There would be no room for them in the number of a class."""
    many = [str(n) for n in range(1 << 14)]
    table = Table(tuple(Column.from_texts(name, many) for name in ("age", "a", "b", "c")))
    everyone = Hierarchy.from_rows([(text, "*") for text in many])
    choices = [ModelChoice("l-diversity", {"l": 2, "column": name}) for name in "abc"]
    with pytest.raises(WorkbenchError, match="too many combinations") as refused:
        optimise(table, {"age": everyone}, Goal(choices))
    assert refused.value.field == "models"
    assert prepare(table, {"age": everyone}, Goal(choices[:2])).names == ("age",)


def test_a_table_without_its_ground_knows_no_members() -> None:
    problem = prepare(PEOPLE, BOTH, Goal(k_of(2)))
    assert problem.counted is not None
    with pytest.raises(ValueError, match="ground"):
        ClassTable(problem.counted, ExtraLayout((), ())).ground_members(np.array([0]))


def test_a_release_needs_a_column_that_is_grouped() -> None:
    for treatment in (Treatment.KEEP, Treatment.LEAVE_OUT):
        with pytest.raises(WorkbenchError, match="No column takes part") as refused:
            sample_generalise_suppress(PEOPLE, Recipe((ColumnPlan("age", treatment),), 0.5, 2), BOTH, SeededSource(1))
        assert refused.value.field == "columns"


@pytest.mark.parametrize("level", [1, -1])
def test_a_column_without_a_hierarchy_has_level_0_only(level: int) -> None:
    recipe = Recipe((ColumnPlan("illness", Treatment.GENERALISE, level),), 1.0, 1)
    with pytest.raises(WorkbenchError, match="no hierarchy") as refused:
        sample_generalise_suppress(PEOPLE, recipe, {}, SeededSource(1))
    assert refused.value.field == "illness"


def test_classes_and_rows_of_a_run_in_memory() -> None:
    recipe = Recipe(
        (ColumnPlan("illness", Treatment.GENERALISE, 0), ColumnPlan("age", Treatment.GENERALISE, 1)), 1.0, 2
    )
    outcome = sample_generalise_suppress(PEOPLE, recipe, {"age": AGES}, SeededSource(1))
    assert (outcome.classes_out, outcome.rows_out, outcome.suppressed) == (2, 4, 2)
    assert outcome.each_row.numbers.tolist() == list(range(6))
    with pytest.raises(WorkbenchError, match="in an engine") as refused:
        _ = replace(outcome, row_by_row=None).each_row
    assert refused.value.field == "memory"


# k-map by estimate


@pytest.mark.parametrize(
    ("k", "fraction", "significance", "truncated", "wanted"),
    [
        # Poisson with mean 1: 1 or more .632, 2 or more .264, 3 or more .080, 4 or more .019.
        (10, 0.1, 0.65, False, 1),
        (10, 0.1, 0.63, False, 2),
        (10, 0.1, 0.27, False, 2),
        (10, 0.1, 0.26, False, 3),
        (10, 0.1, 0.081, False, 3),
        (10, 0.1, 0.079, False, 4),
        # Given that it is not 0, each of them divided by .632: 1, .418, .127, .030.
        (10, 0.1, 0.42, True, 2),
        (10, 0.1, 0.41, True, 3),
        (10, 0.1, 0.128, True, 3),
        (10, 0.1, 0.126, True, 4),
        # Never more than k itself.
        (3, 1.0, 0.001, False, 3),
        (3, 1.0, 0.001, True, 3),
    ],
)
def test_a_class_that_convinces_by_hand(
    k: int, fraction: float, significance: float, truncated: bool, wanted: int
) -> None:
    assert estimated_k(k, fraction, significance, truncated=truncated) == wanted


@pytest.mark.parametrize(("estimator", "needed"), [("poisson", 2), ("truncated", 3)])
def test_people_by_estimate_need_classes_of_that_size(estimator: str, needed: int) -> None:
    values = {"k": 10, "people": 60, "significance": 0.266, "estimator": estimator}
    problem = prepare(PEOPLE, BOTH, Goal([ModelChoice("k-map", values)]))
    assert problem.smallest_class == needed
    assert evaluate(problem, {"age": 1, "city": 0}).feasible


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"k": 10}, "subset_column"),
        ({"k": 10, "people": 60, "subset_column": "illness", "subset_value": "flu"}, "people"),
        ({"k": 10, "people": 5}, "people"),
        ({"k": 7, "people": 6, "significance": 1e-9}, "k"),
        ({"k": 7, "subset_column": "illness", "subset_value": "flu"}, "k"),
    ],
)
def test_a_population_that_cannot_be_is_refused(values: dict[str, Any], field: str) -> None:
    choice = ModelChoice("k-map", values)
    with pytest.raises(WorkbenchError) as refused:
        prepare(PEOPLE, BOTH, Goal([choice]))
    assert refused.value.field == field
    assert choice.model.fit(choice.checked() | {"k": 2, "people": 6, "subset_column": ""}, Background(6, 6))


def test_a_table_may_be_the_whole_population() -> None:
    choice = ModelChoice("k-map", {"k": 6, "subset_column": "illness", "subset_value": "flu"})
    assert optimise(PEOPLE, BOTH, Goal([choice])).levels == {"age": 2, "city": 2}
    assert prepare(PEOPLE, BOTH, Goal([ModelChoice("k-map", {"k": 6, "people": 6})])).smallest_class == 6


def test_models_are_named_with_what_was_chosen() -> None:
    assert in_words(ModelChoice("k-anonymity", {"k": 4})) == "k-anonymity (k = 4)"
    assert in_words(ModelChoice("l-diversity", {"l": 2, "column": "illness"})).endswith("(l = 2) for illness")
    presence = ModelChoice("d-presence", {"subset_column": "illness", "subset_value": "flu"})
    assert presence.columns == ("illness",) and "flu" in in_words(presence)
    assert ModelChoice("k-anonymity", {"k": 4}).columns == ()


# What does not matter, and bounds that follow from one another


@pytest.mark.parametrize("cells", [1, 3, 7])
@pytest.mark.parametrize("model", ["t-closeness", "ordered-t-closeness", "hierarchical-t-closeness", "b-likeness"])
def test_classes_are_judged_alike_however_many_are_looked_at_at_once(
    model: str, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = {"beta": 0.9} if model == "b-likeness" else {"t": 0.3}
    hierarchies = {"illness": Hierarchy.from_rows([("flu", "*"), ("cold", "*")])}
    choice = [ModelChoice(model, {"column": "illness", **limit})]
    problem = prepare(PEOPLE, BOTH, Goal(choice, sensitive_hierarchies=hierarchies))
    levels = [dict(zip(BOTH, pair, strict=True)) for pair in product(range(3), repeat=2)]
    before = [evaluate(problem, level).suppressed for level in levels]
    monkeypatch.setattr(closeness, "_CHUNK_CELLS", cells)
    assert [evaluate(problem, level).suppressed for level in levels] == before
    assert len(set(before)) > 1


@pytest.mark.parametrize("metric", sorted(metric.identifier for metric in METRICS))
def test_the_floor_of_a_node_is_the_same_wherever_it_is_asked(metric: str) -> None:
    hierarchies = {"age": AGES} if metric == "squared-error" else BOTH
    loss = prepare(PEOPLE, hierarchies, Goal(k_of(2), metric=MetricChoice.parse(metric))).loss
    floor = np.asarray(loss.floor())
    for levels in product(range(3), repeat=len(hierarchies)):
        assert loss.floor_from(levels) == pytest.approx(float(floor[levels]), rel=1e-9)


def test_a_column_may_count_for_nothing_but_not_all_of_them() -> None:
    assert optimise(PEOPLE, BOTH, Goal(k_of(2), weights={"age": 0.0})).levels["city"] == 0
    with pytest.raises(WorkbenchError) as refused:
        optimise(PEOPLE, BOTH, Goal(k_of(2), weights={"age": 0.0, "city": 0.0}))
    assert refused.value.field == "weights"


def test_labels_that_are_intervals_stand_in_their_order() -> None:
    spec = ColumnSpec("age", Kind.CATEGORY)
    labels = ["30-39", "[100, 120[", "20-29", "5", "*"]
    order = order_of_labels(labels, np.array([1, 9, 2, 3, 4]), spec)
    assert [labels[place] for place in order] == ["5", "20-29", "30-39", "[100, 120[", "*"]
    words = ["red", "7", "blue"]
    assert [words[place] for place in order_of_labels(words, np.array([2, 1, 3]), spec)] == ["blue", "red", "7"]


def test_nobody_is_in_no_class() -> None:
    nobody = Table((Column.from_texts("age", []), Column.from_texts("city", [])))
    assert population_sizes(nobody, {}, {"age": 0, "city": 0}).tolist() == []
    with pytest.raises(WorkbenchError) as refused:
        population_sizes(PEOPLE, BOTH, {})
    assert refused.value.field == "columns"
    assert sorted(population_sizes(PEOPLE, BOTH, {"age": 1, "illness": 0})) == [1, 1, 2, 2]
