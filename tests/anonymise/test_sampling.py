"""The mechanism as run: what it releases, what it never releases, and its exact (ε, δ) on tiny tables."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise.grouping import classes
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.sample_guarantee import delta
from workbench.anonymise.sampling import Recipe, sample_generalise_suppress
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.randomness import SecureSource, SeededSource, bernoulli, permutation
from workbench.core.table import Column, Table

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)])


def table_of(ages: list[int], cities: list[str] | None = None) -> Table:
    columns = [Column.from_texts("age", [str(age) for age in ages])]
    if cities is not None:
        columns.append(Column.from_texts("city", cities))
    return Table(tuple(columns))


def recipe_of(beta: float, k: int, level: int = 1, **others: Treatment) -> Recipe:
    plans = [ColumnPlan("age", Treatment.GENERALISE, level)]
    plans += [ColumnPlan(name, treatment) for name, treatment in others.items()]
    return Recipe(tuple(plans), beta, k)


class ScriptedSource:
    """Samples exactly the rows it is told to."""

    secure = False

    def __init__(self, keep: tuple[bool, ...]) -> None:
        self._script = np.array([0 if kept else 2**64 - 1 for kept in keep], dtype=np.uint64)

    def words(self, count: int) -> np.ndarray:
        if self._script is not None and count == len(self._script):
            script, self._script = self._script, None
            return script
        return np.arange(count, dtype=np.uint64)


def released(table: Table, recipe: Recipe, keep: tuple[bool, ...]) -> tuple:
    outcome = sample_generalise_suppress(table, recipe, {"age": AGES}, ScriptedSource(keep))
    return tuple(sorted(Counter(outcome.release.row(i) for i in range(outcome.rows_out)).items()))


def law(table: Table, recipe: Recipe) -> dict[tuple, float]:
    """The exact distribution of what is released, by running the mechanism on every possible sample."""
    chances: dict[tuple, float] = defaultdict(float)
    for keep in product((False, True), repeat=table.rows):
        weight = math.prod(recipe.beta if kept else 1 - recipe.beta for kept in keep)
        chances[released(table, recipe, keep)] += weight
    return chances


def hockey_stick(p: dict[tuple, float], q: dict[tuple, float], epsilon: float) -> float:
    return sum(max(0.0, p[out] - math.exp(epsilon) * q.get(out, 0.0)) for out in p)


@pytest.mark.parametrize(("beta", "k", "epsilon"), [(0.5, 2, 1.0), (0.5, 3, 0.8), (0.3, 2, 0.5), (0.8, 3, 1.0)])
def test_exact_privacy_of_the_mechanism_as_it_runs(beta: float, k: int, epsilon: float) -> None:
    # Two cells of different sizes; the removed row comes from either.
    table = table_of([21, 22, 23, 24, 25, 26, 31, 32, 33])
    recipe = recipe_of(beta, k)
    whole = law(table, recipe)
    promised = delta(epsilon, beta, k)
    for removed in (0, 8):
        smaller = law(table.take(np.array([i for i in range(table.rows) if i != removed])), recipe)
        assert hockey_stick(whole, smaller, epsilon) <= promised
        assert hockey_stick(smaller, whole, epsilon) <= promised


def test_the_bound_is_reached_by_the_worst_table() -> None:
    # With β = 0.5, k = 2, ε = 1 the worst cell has few rows: the audit must come close, or it audits nothing.
    beta, k, epsilon = 0.5, 2, 1.0
    promised = delta(epsilon, beta, k)
    worst = 0.0
    for rows in range(1, 8):
        table = table_of([20 + i for i in range(rows)])
        whole = law(table, recipe_of(beta, k))
        smaller = law(table.take(np.arange(rows - 1)), recipe_of(beta, k)) if rows > 1 else {(): 1.0}
        worst = max(worst, hockey_stick(whole, smaller, epsilon), hockey_stick(smaller, whole, epsilon))
    assert promised == pytest.approx(worst, rel=1e-9)


def test_no_small_class_no_star_row_no_original_order() -> None:
    rng = np.random.default_rng(7)
    ages = rng.integers(20, 60, 5000).tolist()
    table = table_of(ages, [f"city {i % 3}" for i in range(5000)])
    outcome = sample_generalise_suppress(
        table, recipe_of(0.5, 100, city=Treatment.GENERALISE), {"age": AGES}, SeededSource(1)
    )
    rows = [outcome.release.row(i) for i in range(outcome.rows_out)]
    assert rows
    assert min(Counter(rows).values()) >= 100
    assert all("*" not in row for row in rows)
    assert outcome.rows_out + outcome.suppressed == len(outcome.sampled_rows)
    in_order = [outcome.sampled.row(int(i)) for i in np.flatnonzero(outcome.kept)]
    assert sorted(in_order) == rows != in_order


def test_columns_keep_the_order_of_the_file_and_left_out_ones_are_gone() -> None:
    table = table_of([21] * 50, ["Ghent"] * 50)
    recipe = Recipe((ColumnPlan("age", Treatment.GENERALISE, 1), ColumnPlan("city", Treatment.LEAVE_OUT)), 0.9, 5)
    release = sample_generalise_suppress(table, recipe, {"age": AGES}, SecureSource()).release
    assert release.names == ("age",)
    both = recipe_of(0.9, 5, city=Treatment.KEEP)
    assert sample_generalise_suppress(table, both, {"age": AGES}, SecureSource()).release.names == ("age", "city")


def test_secure_runs_differ_and_seeded_runs_repeat() -> None:
    table = table_of([20 + i % 40 for i in range(2000)])

    def run(source: object) -> list[int]:
        outcome = sample_generalise_suppress(table, recipe_of(0.5, 1, 0), {"age": AGES}, source)
        return outcome.sampled_rows.tolist()

    assert run(SeededSource(3)) == run(SeededSource(3))
    assert run(SeededSource(3)) != run(SeededSource(4))
    assert run(SecureSource()) != run(SecureSource())


def test_a_value_the_hierarchy_misses_is_named_before_anything_is_drawn() -> None:
    class NoSource:
        secure = True

        def words(self, count: int) -> np.ndarray:
            raise AssertionError("drew randomness for a recipe that cannot run")

    with pytest.raises(WorkbenchError, match="99") as caught:
        sample_generalise_suppress(table_of([21, 99]), recipe_of(0.5, 1), {"age": AGES}, NoSource())
    assert caught.value.field == "age"


@pytest.mark.parametrize("level", [-1, 3])
def test_a_level_out_of_range_is_refused(level: int) -> None:
    with pytest.raises(WorkbenchError, match="no level"):
        sample_generalise_suppress(table_of([21]), recipe_of(0.5, 1, level), {"age": AGES}, SecureSource())


def test_cancelling_stops_the_run() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        sample_generalise_suppress(
            table_of([21] * 10), recipe_of(0.5, 1), {"age": AGES}, SecureSource(), Progress(token=token)
        )


@settings(deadline=None, max_examples=examples(60))
@given(
    st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=60),
    st.sampled_from([5, 10**6, 10**7, 2**40]),
)
def test_grouping_agrees_with_a_dictionary(rows: list[tuple[int, int, int]], radix: int) -> None:
    # Large radixes force the sorted and the re-ranked path.
    columns = [(np.array([row[j] for row in rows], dtype=np.int64), radix) for j in range(3)]
    found = classes(columns, len(rows))
    counts = Counter(rows)
    assert [int(size) for size in found.row_sizes] == [counts[row] for row in rows]
    assert sorted(found.sizes.tolist()) == sorted(counts.values())
    assert len({(row, int(i)) for row, i in zip(rows, found.ids, strict=True)}) == len(counts)


@pytest.mark.parametrize("beta", [2**-64, 0.001, 0.3, 0.5, 1 - 2**-53])
def test_bernoulli_threshold_is_an_integer_never_above_beta(beta: float) -> None:
    class Edge:
        """One word just below the threshold and one on it."""

        secure = False

        def words(self, count: int) -> np.ndarray:
            threshold = math.floor(beta * 2**64)  # exact: a float times a power of two
            return np.array([threshold - 1, threshold], dtype=np.uint64)[:count]

    assert bernoulli(Edge(), 2, beta).tolist() == [True, False]


def test_bernoulli_rate() -> None:
    # 1e6 coins of 0.3: six standard deviations are 0.00275; false alarms below 2e-9 for this fixed seed's family.
    kept = bernoulli(SeededSource(11), 1_000_000, 0.3)
    assert abs(kept.mean() - 0.3) < 6 * math.sqrt(0.21 / 1e6)
    assert bernoulli(SeededSource(11), 10, 1.0).all()


def test_permutation_is_uniform_and_redraws_ties() -> None:
    counts = Counter(tuple(permutation(SeededSource(seed), 3).tolist()) for seed in range(6000))
    assert len(counts) == 6
    # Each order 1,000 times; six standard deviations of Bin(6000, 1/6) are 173.
    assert max(abs(count - 1000) for count in counts.values()) < 173

    class Ties:
        secure = False
        calls = 0

        def words(self, count: int) -> np.ndarray:
            self.calls += 1
            return np.zeros(count, dtype=np.uint64) if self.calls == 1 else np.arange(count, dtype=np.uint64)[::-1]

    source = Ties()
    assert permutation(source, 4).tolist() == [3, 2, 1, 0]
    assert source.calls == 2


@pytest.mark.parametrize(
    ("beta", "k", "field"), [(0.0, 2, "beta"), (-0.5, 2, "beta"), (math.nextafter(1, 2), 2, "beta"), (0.5, 0, "k")]
)
def test_an_impossible_recipe_is_refused_before_a_draw(beta: float, k: int, field: str) -> None:
    class Untouched:
        secure = True

        def words(self, count: int) -> np.ndarray:
            raise AssertionError("a draw was spent")

    with pytest.raises(WorkbenchError) as refused:
        sample_generalise_suppress(table_of([21, 22]), recipe_of(beta, k), {"age": AGES}, Untouched())
    assert refused.value.field == field


def test_every_row_may_be_sampled_and_every_class_be_kept() -> None:
    outcome = sample_generalise_suppress(table_of([21, 35]), recipe_of(1.0, 1), {"age": AGES}, SecureSource())
    assert sorted(outcome.release["age"].texts()) == ["20s", "30s"]


@pytest.mark.parametrize("level", [0, 1])
def test_more_labels_than_a_byte_can_count(level: int) -> None:
    ages = [str(age) for age in range(1000, 1300)]
    hierarchy = Hierarchy.from_rows([(age, f"about {age}") for age in ages])
    table = Table((Column.from_texts("age", ages),))
    outcome = sample_generalise_suppress(table, recipe_of(1.0, 1, level), {"age": hierarchy}, SecureSource())
    assert sorted(outcome.release["age"].texts()) == sorted(hierarchy.labels[level])
    assert outcome.class_sizes.tolist() == [1] * 300
