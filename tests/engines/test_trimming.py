"""Trimming in an engine: with equal random numbers the same release as in memory, steps and all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engines.test_release import both, halves, written
from tests.properties import examples
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SecureSource, SeededSource
from workbench.core.table import Table
from workbench.engines.budget import MemoryBudget
from workbench.engines.dispatch import engine_of
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.spark_store import SparkStore
from workbench.engines.store import Store

_NASTY = ("", "a", "b", "'; DROP TABLE w1; --", '"', "\\", "é😀", "${x}", "a,b", "*", "`", "12", "9")
MILD = (Fraction(1), Fraction(1, 2))


def recipe_of(*steps: tuple[int, ...], names: str = "ab", **others: object) -> TrimRecipe:
    columns = tuple(ColumnPlan(name, Treatment.GENERALISE, level) for name, level in zip(names, steps[0], strict=True))
    chain = tuple(TrimStep(dict(zip(names, levels, strict=True)), *MILD) for levels in steps)
    return replace(TrimRecipe(columns, chain), **others)


def parts(table: Table) -> list[tuple[str, tuple[str, ...], list[str], list[int]]]:
    return [(column.name, column.values, column.texts(), column.counts.tolist()) for column in table.columns]


def check_same(
    store: Store,
    folder: Path,
    rows: list[tuple[str, ...]],
    recipe: TrimRecipe,
    seed: int,
    hierarchies: dict[str, Hierarchy] | None = None,
    names: tuple[str, ...] = ("a", "b", "c"),
) -> None:
    memory, stored = both(store, written(folder, rows, names))
    known = {"a": halves(memory["a"].values[1:] or ("q",))} if hierarchies is None else hierarchies
    here = engine_of(memory).release(recipe, known, SeededSource(seed))
    there = engine_of(stored).release(recipe, known, SeededSource(seed))
    assert parts(there.release) == parts(here.release)
    assert list(there.release.page(3, 50)) == list(here.release.page(3, 50))
    assert (there.rows_in, there.rows_out, there.classes_out) == (here.rows_in, here.rows_out, here.classes_out)
    assert there.rows_of_steps == here.rows_of_steps
    assert [step.counts.tolist() for step in there.steps] == [step.counts.tolist() for step in here.steps]
    assert [step.released.tolist() for step in there.steps] == [step.released.tolist() for step in here.steps]
    assert (here.engine, there.engine) == ("", store.product)


CHAINS = (((0, 0),), ((1, 0),), ((0, 0), (1, 0), (1, 1)), ((0, 0), (0, 1), (2, 1)))


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(*[st.sampled_from(_NASTY)] * 3), min_size=1, max_size=50),
    chain=st.sampled_from(CHAINS),
    floor=st.integers(1, 3),
    columns=st.sampled_from([("", ""), ("step", ""), ("", "rows"), ("step", "rows")]),
    seed=st.integers(0, 99),
)
def test_a_release_is_the_same_as_in_memory(
    duckdb_store: Store,
    tmp_path: Path,
    rows: list[tuple[str, ...]],
    chain: tuple[tuple[int, ...], ...],
    floor: int,
    columns: tuple[str, str],
    seed: int,
) -> None:
    recipe = recipe_of(*chain, floor=floor, step_column=columns[0], count_column=columns[1])
    check_same(duckdb_store, tmp_path, rows, recipe, seed)


def many_rows() -> list[tuple[str, ...]]:
    generator = np.random.default_rng(4)
    return [(str(a), "xyz"[b], str(c)) for a, b, c in generator.geometric([0.2, 0.6, 0.9], (3000, 3)) % [40, 3, 2]]


@pytest.mark.xdist_group("spark")
@pytest.mark.timeout(180)
@pytest.mark.parametrize("columns", [("step", ""), ("", "rows")])
def test_spark_releases_the_same_as_memory(spark_store: SparkStore, tmp_path: Path, columns: tuple[str, str]) -> None:
    recipe = recipe_of((0, 0), (1, 0), (2, 1), step_column=columns[0], count_column=columns[1])
    check_same(spark_store, tmp_path, many_rows(), recipe, 11)


@pytest.mark.parametrize("columns", [("step", ""), ("", "rows"), ("step", "rows")])
def test_large_groups_in_several_steps_are_the_same_as_in_memory(
    duckdb_store: Store, tmp_path: Path, columns: tuple[str, str]
) -> None:
    recipe = recipe_of((0, 0), (1, 0), (2, 1), step_column=columns[0], count_column=columns[1])
    check_same(duckdb_store, tmp_path, many_rows(), recipe, 11)


def test_large_groups_are_written_whole(duckdb_store: Store, tmp_path: Path) -> None:
    rows = [("a", "b", "c")] * 140_000 + [("a", "d", "c")] * 65_600
    check_same(duckdb_store, tmp_path, rows, recipe_of((0, 0), (1, 1)), 3)


def test_groups_of_many_columns_are_told_apart_where_one_number_does_not_suffice(
    duckdb_store: Store, tmp_path: Path
) -> None:
    names = "abcdefghijkl"
    cells = np.random.default_rng(3).integers(0, 60, (300, 12)).astype(str).tolist()
    rows = [tuple(row) for row in cells for _ in range(9)]
    assert min(len(set(column)) for column in zip(*cells, strict=True)) ** 12 > 1 << 63
    chain = recipe_of((0,) * 12, (0,) * 6 + (1,) * 6, names=names)
    check_same(duckdb_store, tmp_path, rows, chain, 5, {}, tuple(names))


def test_what_leaves_an_engine_is_drawn_anew_each_time(duckdb_store: Store, tmp_path: Path) -> None:
    _, stored = both(duckdb_store, written(tmp_path, many_rows()))
    recipe = recipe_of((0, 0), count_column="rows")
    made = [engine_of(stored).release(recipe, {}, SecureSource()) for _ in range(3)]
    assert all(one.secure for one in made)
    assert len({tuple(one.release["rows"].texts()) for one in made}) > 1


def test_more_groups_than_fit_are_refused_without_counting_them(tmp_path: Path) -> None:
    with DuckStore(MemoryBudget(64 << 20)) as store:
        _, stored = both(store, written(tmp_path, many_rows()))
        store.budget.limit = 1000
        with pytest.raises(WorkbenchError, match="more groups than the memory budget holds") as refused:
            engine_of(stored).release(recipe_of((0, 0)), {}, SecureSource())
        assert not any(letter.isdigit() for letter in str(refused.value) + refused.value.hint)


def test_rows_one_by_one_are_not_taken_into_memory_where_they_do_not_fit(tmp_path: Path) -> None:
    with DuckStore(MemoryBudget(64 << 20)) as store:
        _, stored = both(store, written(tmp_path, many_rows()))
        made = engine_of(stored).release(recipe_of((0, 0), count_column="rows"), {}, SecureSource())
        assert isinstance(made, TrimOutcome) and made.rows_alone.rows == made.rows_out
        del made.__dict__["rows_alone"]
        store.budget.limit = 10
        with pytest.raises(WorkbenchError, match="the released rows one by one"):
            list(made.rows_alone.names)
