"""Of everything that has a limit, the last that is allowed and the first that is not."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from workbench.anonymise.asked import checked_share, checked_weights
from workbench.anonymise.assumed_spread import rows_kept
from workbench.anonymise.dp_search import Degree, PrivateSearch, degree_levels
from workbench.anonymise.goal import Goal
from workbench.anonymise.level_scores import LevelScoring, Score
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import prepare
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.recode import apply
from workbench.anonymise.sample_guarantee import Accounting, Guarantee, guarantee
from workbench.anonymise.sampling import Recipe, check_recipe
from workbench.anonymise.search import optimise
from workbench.anonymise.trim_axes import axis_of, check_levels
from workbench.anonymise.trim_guarantee import MOST_STEPS, checked_floor, checked_shares
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep, check_trim_recipe
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.promised_ranges import MAX_EPSILON, MIN_DELTA, MIN_EPSILON
from workbench.core.table import Column, Table
from workbench.core.trim_law import TrimLaw, trim_law

F = Fraction
AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 40)])
CITIES = Hierarchy.from_rows([("Athens", "Greece", "*"), ("Oslo", "Norway", "*")])
BOTH = {"age": AGES, "city": CITIES}
PEOPLE = Table(
    (
        Column.from_texts("age", ["21", "22", "23", "31", "32", "33"]),
        Column.from_texts("city", ["Athens"] * 3 + ["Oslo"] * 3),
        Column.from_texts("illness", ["flu", "flu", "cold", "cold", "flu", "cold"]),
    )
)
K2 = ModelChoice("k-anonymity", {"k": 2})
L2 = ModelChoice("l-diversity", {"l": 2, "column": "illness"})
GROUPED = ColumnPlan("age", Treatment.GENERALISE, 0)
RECIPE = Recipe((GROUPED,), 0.5, 2)


def step(level: int = 0, epsilon: str = "1", delta: str = "1/100") -> TrimStep:
    return TrimStep({"age": level}, F(epsilon), F(delta))


def trimmed(*steps: TrimStep, **more: Any) -> Callable[[], None]:
    return lambda: check_trim_recipe(replace(TrimRecipe((GROUPED,), steps), **more), ("age", "city"))


def presence(value: str, column: str = "city") -> ModelChoice:
    return ModelChoice("d-presence", {"subset_column": column, "subset_value": value})


def asked(*models: ModelChoice, hierarchies: dict[str, Hierarchy] | None = None, **more: Any) -> Callable[[], object]:
    return lambda: prepare(PEOPLE, {"age": AGES} if hierarchies is None else hierarchies, Goal(models, **more))


REFUSED: list[tuple[Callable[[], object], list[Callable[[], object]], str]] = [
    (asked(K2), [asked(K2, hierarchies={})], "hierarchies"),
    (asked(K2), [asked()], "models"),
    (asked(K2, L2), [asked(K2, K2), asked(L2, K2, L2)], "models"),
    (asked(L2), [asked(L2, hierarchies={"illness": CITIES})], "illness"),
    (asked(presence("Oslo")), [asked(presence("Oslo"), hierarchies=BOTH)], "city"),
    (
        asked(presence("Oslo"), ModelChoice("k-map", {"k": 2, "subset_column": "city", "subset_value": "Oslo"})),
        [asked(presence("Oslo"), ModelChoice("k-map", {"k": 2, "subset_column": "city", "subset_value": "Athens"}))],
        "subset_column",
    ),
    (lambda: checked_share(0), [lambda: checked_share(-1e-9), lambda: checked_share(math.nan)], "suppression_limit"),
    (lambda: checked_share(1.0), [lambda: checked_share(1 + 1e-9), lambda: checked_share(True)], "suppression_limit"),
    (lambda: checked_weights("ab", {"a": 0.0}), [lambda: checked_weights("ab", {"a": -1e-9})], "a"),
    (lambda: checked_weights("ab", {"b": 1e300}), [lambda: checked_weights("ab", {"b": math.inf})], "b"),
    (lambda: checked_weights("ab", {}), [lambda: checked_weights("ab", {"b": math.nan})], "b"),
    (asked(K2, limits={"age": (0, 2)}), [asked(K2, limits={"age": (0, 3)}), asked(K2, limits={"age": (-1, 2)})], "age"),
    (asked(K2, limits={"age": (1, 1)}), [asked(K2, limits={"age": (2, 1)})], "age"),
    (asked(K2, limits={"age": (2, None)}), [asked(K2, limits={"age": (3, None)})], "age"),
    (asked(K2, limits={"age": (None, 0)}), [asked(K2, limits={"age": (None, -1)})], "age"),
    (asked(K2, limits={}), [asked(K2, limits={"city": (0, 0)})], "city"),
    (
        lambda: PrivateSearch(MAX_EPSILON),
        [lambda: PrivateSearch(MAX_EPSILON * 1.001), lambda: PrivateSearch(0.0)],
        "search_epsilon",
    ),
    (lambda: LevelScoring(Score.CLASSES, 1, 1.0), [lambda: LevelScoring(Score.CLASSES, 0, 1.0)], "k"),
    (lambda: LevelScoring(Score.CLASSES, 1, 1e-9), [lambda: LevelScoring(Score.CLASSES, 1, 0.0)], "k"),
    (lambda: LevelScoring(Score.CLASSES, 1, 1.0), [lambda: LevelScoring(Score.CLASSES, 1, 1.001)], "k"),
    (lambda: check_recipe(RECIPE), [lambda: check_recipe(replace(RECIPE, columns=()))], "columns"),
    (lambda: check_recipe(replace(RECIPE, k=1)), [lambda: check_recipe(replace(RECIPE, k=0))], "k"),
    (lambda: check_recipe(replace(RECIPE, beta=1.0)), [lambda: check_recipe(replace(RECIPE, beta=1.001))], "beta"),
    (lambda: check_recipe(replace(RECIPE, beta=1e-9)), [lambda: check_recipe(replace(RECIPE, beta=0.0))], "beta"),
    (trimmed(*[step()] * MOST_STEPS), [trimmed(*[step()] * (MOST_STEPS + 1)), trimmed()], "steps"),
    (trimmed(step(epsilon="0")), [trimmed(step(epsilon="-1/1000"))], "shares"),
    (trimmed(step(delta="1e-9")), [trimmed(step(delta="0")), trimmed(step(), step(delta="-1"))], "shares"),
    (trimmed(step(delta="0.999")), [trimmed(step(delta="1"))], "shares"),
    (trimmed(step(0), step(1), step(1)), [trimmed(step(1), step(0)), trimmed(step(0), step(2), step(1))], "age"),
    (trimmed(step()), [trimmed(TrimStep({"age": 0, "city": 0}, F(1), F(1, 9)))], "city"),
    (trimmed(step()), [trimmed(TrimStep({}, F(1), F(1, 9)))], "age"),
    (trimmed(step(), rows_per_person=1), [trimmed(step(), rows_per_person=0)], "rows"),
    (trimmed(step(), floor=1), [trimmed(step(), floor=0)], "floor"),
    (trimmed(step(), step_column="s", count_column="n"), [trimmed(step(), step_column="n", count_column="n")], "n"),
    (
        lambda: checked_floor(1),
        [lambda: checked_floor(0), lambda: checked_floor(True), lambda: checked_floor(2.0)],
        "floor",
    ),
    (
        lambda: checked_shares((F(1, MOST_STEPS),) * MOST_STEPS),
        [
            lambda: checked_shares((F(1, MOST_STEPS + 1),) * (MOST_STEPS + 1)),
            lambda: checked_shares(()),
            lambda: checked_shares((F(1), F(0))),
            lambda: checked_shares((F(1, 2), F(1, 3))),
            lambda: checked_shares((F(3, 2), F(-1, 2))),
        ],
        "shares",
    ),
    (lambda: check_levels("a", AGES, [0, 2]), [lambda: check_levels("a", AGES, [0, 3])], "a"),
    (lambda: check_levels("a", None, [0, 1]), [lambda: check_levels("a", None, [2])], "a"),
    (lambda: check_levels("a", None, []), [lambda: check_levels("a", AGES, [-1, 1])], "a"),
    (lambda: trim_law(F(10), F(1, 9)), [lambda: trim_law(F(10001, 1000), F(1, 9))], "epsilon"),
    (lambda: trim_law(F(1), F(999, 1000)), [lambda: trim_law(F(1), F(1)), lambda: trim_law(F(1), F(0))], "delta"),
    (lambda: trim_law(F(1), F(1, 9), 1), [lambda: trim_law(F(1), F(1, 9), 0)], "rows_per_person"),
    (
        lambda: guarantee(epsilon=MIN_EPSILON * 2.1, beta=1e-9, k=9, rows_per_person=2),
        [lambda: guarantee(epsilon=MIN_EPSILON * 1.9, beta=1e-9, k=9, rows_per_person=2)],
        "rows_per_person",
    ),
    (
        lambda: apply(PEOPLE, {"age": AGES}, {"age": 1}, Goal([K2]), keep=("city",)),
        [lambda: apply(PEOPLE, {"age": AGES}, {"age": 1}, Goal([K2]), keep=("age",))],
        "age",
    ),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_the_last_that_is_allowed_and_the_first_that_is_not(case: int) -> None:
    allowed, refused, field = REFUSED[case]
    allowed()
    for one in refused:
        with pytest.raises(WorkbenchError) as found:
            one()
        assert found.value.field == field and found.value.hint


def test_a_law_is_made_of_its_own_weights_only() -> None:
    law = trim_law(F(1), F(1, 9))
    assert TrimLaw(law.epsilon, law.delta, 1, law.weights).total == law.total
    fewer = (law.weights[0] + (1 << 50), law.weights[1] - (1 << 50), *law.weights[2:])
    for weights in ((), (1,), (0, *law.weights), law.weights[:-1], fewer, (1 << 64,), (1 << 63, 1 << 63)):
        with pytest.raises((WorkbenchError, ValueError)):
            TrimLaw(law.epsilon, law.delta, 1, weights)
    for epsilon, delta, rows in ((F(11), law.delta, 1), (F(1), F(1), 1), (F(1), F(0), 1), (F(1), law.delta, 0)):
        with pytest.raises(WorkbenchError):
            TrimLaw(epsilon, delta, rows, law.weights)


def test_a_guarantee_holds_at_its_smallest_delta_and_not_below() -> None:
    found = guarantee(epsilon=1, beta=0.5, k=20)
    Guarantee(1.0, found.delta, 0.5, 20, Accounting.EXACT, 1)
    with pytest.raises(WorkbenchError):
        Guarantee(1.0, found.delta * (1 - 1e-9), 0.5, 20, Accounting.EXACT, 1)
    assert found.delta > MIN_DELTA


@pytest.mark.parametrize("k", [1, 3, 5, 10, 20])
@pytest.mark.parametrize("tenths", range(1, 11))
def test_a_class_needs_so_many_rows_that_its_sample_has_k(k: int, tenths: int) -> None:
    """⌈k/β⌉ for the β that is the float, which may lie a little below or above what was typed."""
    found = LevelScoring(Score.CLASSES, k, tenths / 10).threshold
    assert (found - 1) * F(tenths / 10) < k <= found * F(tenths / 10)


@pytest.mark.parametrize("height", range(1, 8))
def test_degrees_are_rounded_with_halves_upwards_and_kept_within_limits(height: int) -> None:
    rows = [("a", *[f"{level}" for level in range(height - 1)], "*"), ("b", *["x"] * (height - 1), "*")]
    tall = {"one": Hierarchy.from_rows(rows)}
    shares = {Degree.LOW: F(1, 5), Degree.LOW_MEDIUM: F(2, 5), Degree.MEDIUM: F(1, 2), Degree.MEDIUM_HIGH: F(3, 5),
              Degree.HIGH: F(4, 5), Degree.COMPLETE: F(1)}  # fmt: skip
    for degree, share in shares.items():
        level = int(2 * share * height + 1) // 2
        assert degree_levels(tall, degree) == {"one": level}
        for low, high in product(range(height + 1), repeat=2):
            if low <= high:
                assert degree_levels(tall, degree, {"one": (low, high)}) == {"one": min(max(level, low), high)}


@pytest.mark.parametrize("limit", [0.0, 1 / 6, 0.333, 0.334, 0.5, 1.0])
def test_as_many_rows_are_suppressed_as_the_limit_says(limit: float) -> None:
    """At level 0 all six rows are alone; of two classes of three, k = 4 leaves none."""
    allowed = math.floor(F(repr(limit)) * 6)
    four = [ModelChoice("k-anonymity", {"k": 4})]
    if allowed < 6:
        with pytest.raises(WorkbenchError):
            apply(PEOPLE, {"age": AGES}, {"age": 1}, Goal(four, suppression_limit=limit))
    else:
        assert apply(PEOPLE, {"age": AGES}, {"age": 1}, Goal(four, suppression_limit=limit)).suppressed == 6
    assert apply(PEOPLE, {"age": AGES}, {"age": 1}, Goal([K2], suppression_limit=limit)).suppressed == 0


def test_what_is_not_possible_at_any_level_names_a_limit_that_is_enough() -> None:
    """Seven rows of which one is alone at the highest level there is: 1/7 is .142857, and .143 is enough."""
    table = Table((Column.from_texts("city", ["Athens"] * 6 + ["Oslo"]),))
    with pytest.raises(WorkbenchError) as refused:
        optimise(table, {"city": CITIES}, Goal([K2], limits={"city": (0, 1)}))
    told = refused.value.for_analyst()
    assert refused.value.field == told.field == "suppression_limit" and "0.143" in told.hint
    assert "1 of 7 rows" in told.message and not any(letter.isdigit() for letter in str(refused.value))
    found = optimise(table, {"city": CITIES}, Goal([K2], suppression_limit=0.143, limits={"city": (0, 1)}))
    assert found.suppressed == 1


def test_rows_stay_of_whole_groups_only() -> None:
    """The group of rank r has rows in proportion to 1/r^s; ranks whose group is smaller than what is lost go."""
    for rows, groups, lost, steepness in (
        (1000, 10, 20, 0.8),
        (1000, 50, 7.5, 1.2),
        (100, 5, 40, 0.8),
        (5, 5, 90, 0.8),
    ):
        sizes = np.arange(1, groups + 1) ** -steepness
        sizes *= rows / sizes.sum()
        expected = sum(size - lost for size in sizes if size >= lost)
        assert rows_kept(rows, groups, lost, steepness) == pytest.approx(expected, rel=0.02, abs=0.5)
    assert rows_kept(0, 5, 1) == rows_kept(-3, 5, 1) == 0.0


def test_a_step_may_not_split_what_the_step_before_it_has_together() -> None:
    column = Column.from_texts("age", ["21", "22", "31"])
    with pytest.raises(WorkbenchError) as refused:
        axis_of(column, AGES, [1, 0])
    assert refused.value.field == "age"
    assert [len(labels) for labels in axis_of(column, AGES, [0, 1, 1, 2]).labels] == [21, 3, 3, 1]
