"""The (ε, δ) mechanism in an engine: the same as in memory where no coin is tossed, and honest coins where one is."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.sampling import Recipe, sample_generalise_suppress
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SeededSource, source_for
from workbench.core.table import Table
from workbench.engines import sampling
from workbench.engines.dispatch import engine_of
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.store import Store
from workbench.engines.stored import StoredTable
from workbench.io.dialect import Dialect
from workbench.io.reading import read_table

_NASTY = ("", "a", "b", "'; DROP TABLE w1; --", '"', "\\", "é😀", "${x}", "a,b", "*", "`")


def written(folder: Path, rows: list[tuple[str, ...]], names: tuple[str, ...] = ("a", "b", "c")) -> Path:
    """A CSV file with these rows."""
    path = folder / "data.csv"
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in (names, *rows)]
    path.write_text("\n".join(quoted) + "\n", encoding="utf-8")
    return path


def both(store: Store, path: Path) -> tuple[Table, StoredTable]:
    """The file in memory and in the engine."""
    return read_table(path, Dialect()).table, open_stored(store, files_of(path, Dialect())).table


def halves(column_values: tuple[str, ...]) -> Hierarchy:
    """A hierarchy that puts values in two groups, then all in one."""
    groups = np.arange(len(column_values)) % 2
    return Hierarchy.from_levels(column_values, [(groups, ("even", "odd")), (0 * groups, ("*",))])


def texts(table: Table) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(column.texts() for column in table.columns), strict=True))


def check_same_without_coins(
    store: Store, folder: Path, rows: list[tuple[str, ...]], k: int, level: int, other: Treatment
) -> None:
    memory, stored = both(store, written(folder, rows))
    hierarchies = {"a": halves(memory["a"].values)}
    plans = (
        ColumnPlan("a", Treatment.GENERALISE, level),
        ColumnPlan("b", Treatment.GENERALISE),
        ColumnPlan("c", other),
    )
    recipe = Recipe(plans, 1.0, k)
    here = sample_generalise_suppress(memory, recipe, hierarchies, source_for(None))
    there = engine_of(stored).release(recipe, hierarchies, source_for(None))
    assert texts(there.release) == texts(here.release)
    assert texts(there.sampled) == texts(here.sampled)
    assert sorted(there.class_sizes.tolist()) == sorted(here.class_sizes.tolist())
    assert (there.rows_in, there.rows_out, there.suppressed) == (here.rows_in, here.rows_out, here.suppressed)
    assert (there.classes_out, there.secure) == (here.classes_out, True)
    for name in there.release.names:
        assert (
            there.release[name].counts.tolist()
            == np.bincount(there.release[name].codes, minlength=len(there.release[name].values)).tolist()
        )
    assert (
        list(there.release.page(0, 10**6))
        == [there.release.row(number) for number in range(there.rows_out)]
        == list(zip(*(column.texts() for column in there.release.columns), strict=True))
    )


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(*[st.sampled_from(_NASTY)] * 3), min_size=1, max_size=30),
    k=st.integers(1, 5),
    level=st.integers(0, 2),
    other=st.sampled_from(Treatment),
)
def test_without_coins_a_release_is_the_same_as_in_memory(
    duckdb_store: Store, tmp_path: Path, rows: list[tuple[str, ...]], k: int, level: int, other: Treatment
) -> None:
    check_same_without_coins(duckdb_store, tmp_path, rows, k, level, other)


def test_classes_of_many_columns_are_told_apart_where_one_number_does_not_suffice(
    duckdb_store: Store, tmp_path: Path
) -> None:
    generator = np.random.default_rng(3)
    names = tuple(f"q{place}" for place in range(12))
    cells = generator.integers(0, 60, (80, 12)).astype(str)
    rows = [tuple(row) for row in np.concatenate([cells, cells[:40]]).tolist()]
    memory, stored = both(duckdb_store, written(tmp_path, rows, names))
    assert math.prod(len(column.values) for column in memory.columns) > 1 << 62
    recipe = Recipe(tuple(ColumnPlan(name, Treatment.GENERALISE) for name in names), 1.0, 2)
    here = sample_generalise_suppress(memory, recipe, {}, source_for(None))
    there = engine_of(stored).release(recipe, {}, source_for(None))
    assert texts(there.release) == texts(here.release)
    assert there.rows_out == 80


def numbered(folder: Path, rows: int) -> Path:
    return written(folder, [(str(number % 7), str(number % 3), str(number)) for number in range(rows)])


def drawn_numbers(store: Store, stored: StoredTable, beta: float, seed: int) -> np.ndarray:
    relation = sampling.draw_rows(store, stored.place.relation, [], beta, SeededSource(seed))
    return np.sort(store.fetch(f"SELECT n FROM {relation}")[0])


@pytest.mark.parametrize("beta", [0.6321205588285577, 0.05, 1 / 3])
def test_a_row_is_sampled_exactly_if_the_keyed_hash_of_its_number_says_so(
    duckdb_store: Store, tmp_path: Path, beta: float
) -> None:
    _, stored = both(duckdb_store, numbered(tmp_path, 3000))
    key = SeededSource(5).words(2).astype(">u8").tobytes().hex()
    coins = [int(hashlib.sha256(f"{key}:{row}".encode()).hexdigest()[:16], 16) for row in range(3000)]
    wanted = [row for row, coin in enumerate(coins) if coin < math.floor(beta * 2**64)]
    assert drawn_numbers(duckdb_store, stored, beta, 5).tolist() == wanted


def test_samples_have_the_size_and_independence_of_coins(duckdb_store: Store, tmp_path: Path) -> None:
    # Fixed seeds, so it never fails by chance; for a random seed each bound of 4 σ would err once in 16,000.
    _, stored = both(duckdb_store, numbered(tmp_path, 4000))
    beta, draws = 0.3, 30
    kept = np.zeros((draws, 4000), dtype=bool)
    for seed in range(draws):
        kept[seed, drawn_numbers(duckdb_store, stored, beta, seed)] = True
    deviation = math.sqrt(draws * 4000 * beta * (1 - beta))
    assert abs(kept.sum() - draws * 4000 * beta) < 4 * deviation
    neighbours = (kept[:, 1:] & kept[:, :-1]).sum()  # the next row of the same draw
    assert abs(neighbours - draws * 3999 * beta**2) < 4 * math.sqrt(draws * 3999 * beta**2)
    between = (kept[1:] & kept[:-1]).sum()  # the same row of the next draw
    assert abs(between - (draws - 1) * 4000 * beta**2) < 4 * math.sqrt((draws - 1) * 4000 * beta**2)


def test_every_release_draws_anew(duckdb_store: Store, tmp_path: Path) -> None:
    _, stored = both(duckdb_store, numbered(tmp_path, 500))
    recipe = Recipe((ColumnPlan("c", Treatment.GENERALISE),), 0.5, 1)
    first, second = (engine_of(stored).release(recipe, {}, source_for(None)).release["c"].texts() for _ in range(2))
    assert set(first) != set(second)


@pytest.mark.parametrize("kept", [False, True])
def test_the_order_of_a_release_has_nothing_to_do_with_that_of_the_table(
    duckdb_store: Store, tmp_path: Path, kept: bool
) -> None:
    path = tmp_path / "data.csv"
    rows = [f"{number},{number % 3},{number % 7}" for number in range(2000)]
    recipe = Recipe(
        (
            ColumnPlan("c", Treatment.GENERALISE),
            ColumnPlan("a", Treatment.KEEP if kept else Treatment.GENERALISE),
            ColumnPlan("b", Treatment.GENERALISE),
        ),
        1.0,
        1,
    )
    found = []
    for order in (rows, rows[::-1]):
        path.write_text("\n".join(["c,a,b", *order]), encoding="utf-8")
        for table in both(duckdb_store, path):
            made = engine_of(table).release(recipe, {}, source_for(None)).release
            texts = [made[name].texts() for name in made.names]
            found.append((texts, [made[name].values for name in made.names]))
    assert all(one == found[0] for one in found)
    assert found[0][0][0] == [str(number) for number in range(2000)]


@pytest.mark.parametrize("kept", [False, True])
def test_a_release_lists_the_labels_that_occur_and_no_others(duckdb_store: Store, tmp_path: Path, kept: bool) -> None:
    path = tmp_path / "data.csv"
    path.write_text("c,a\n" + "secret,z\n" + "b,y\n" * 40 + "a,x\n" * 40, encoding="utf-8")
    other = Treatment.KEEP if kept else Treatment.GENERALISE
    recipe = Recipe((ColumnPlan("c", Treatment.GENERALISE), ColumnPlan("a", other)), 0.9, 5)
    for table in both(duckdb_store, path):
        made = engine_of(table).release(recipe, {}, SeededSource(1)).release
        assert [made[name].values for name in made.names] == [("a", "b"), ("x", "y")]
        assert [int(made[name].counts.sum()) for name in made.names] == [made.rows, made.rows]


def test_an_engine_that_drops_the_condition_is_found_out(
    duckdb_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, stored = both(duckdb_store, numbered(tmp_path, 400))
    keep = type(duckdb_store).keep

    def every_row(self: Store, select: str, *rest: Any, **more: Any) -> str:
        return keep(self, select.split(" WHERE h <")[0], *rest, **more)

    monkeypatch.setattr(type(duckdb_store), "keep", every_row)
    recipe = Recipe((ColumnPlan("c", Treatment.GENERALISE),), 0.5, 1)
    with pytest.raises(WorkbenchError, match="did not sample as it was told: of 400 rows 400 were kept"):
        engine_of(stored).release(recipe, {}, source_for(None))


def test_an_engine_that_loses_a_row_of_a_release_of_all_is_found_out(
    duckdb_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, stored = both(duckdb_store, numbered(tmp_path, 400))
    keep = type(duckdb_store).keep

    def all_but_one(self: Store, select: str, *rest: Any, **more: Any) -> str:
        sampling = "Sampling rows" in rest
        return keep(self, f"SELECT * FROM ({select}) AS z LIMIT 399" if sampling else select, *rest, **more)

    monkeypatch.setattr(type(duckdb_store), "keep", all_but_one)
    recipe = Recipe((ColumnPlan("c", Treatment.GENERALISE),), 1.0, 1)
    with pytest.raises(WorkbenchError, match="did not sample as it was told: of 400 rows 399 were kept"):
        engine_of(stored).release(recipe, {}, source_for(None))


def test_an_honest_sample_of_an_unlikely_size_is_not_refused(
    duckdb_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, stored = both(duckdb_store, numbered(tmp_path, 400))
    monkeypatch.setattr(sampling, "_SIGMAS", -1)
    monkeypatch.setattr(sampling, "_SLACK", 0)
    assert 100 < len(drawn_numbers(duckdb_store, stored, 0.5, 1)) < 300


def test_nothing_is_left_in_the_engine_after_a_release_is_forgotten(duckdb_store: Store, tmp_path: Path) -> None:
    _, stored = both(duckdb_store, numbered(tmp_path, 50))
    tables = "SELECT count(*) FROM duckdb_tables()"
    duckdb_store.sweep()
    before = duckdb_store.rows(tables)
    recipe = Recipe((ColumnPlan("a", Treatment.GENERALISE),), 0.9, 1)
    outcome = engine_of(stored).release(recipe, {}, source_for(None))
    del outcome
    duckdb_store.sweep()
    assert duckdb_store.rows(tables) == before


def test_what_became_of_each_row_is_refused_in_words(duckdb_store: Store, tmp_path: Path) -> None:
    _, stored = both(duckdb_store, numbered(tmp_path, 20))
    outcome = engine_of(stored).release(Recipe((ColumnPlan("a", Treatment.GENERALISE),), 1.0, 1), {}, source_for(None))
    for ask in (lambda: outcome.kept, lambda: outcome.class_ids, lambda: outcome.sampled_rows):
        with pytest.raises(WorkbenchError, match="because the rows are in an engine"):
            ask()


def test_a_recipe_that_cannot_be_costs_no_randomness(duckdb_store: Store, tmp_path: Path) -> None:
    memory, stored = both(duckdb_store, numbered(tmp_path, 20))

    class Untouchable:
        secure = True

        def words(self, count: int) -> np.ndarray:
            raise AssertionError("something was drawn")

    recipe = Recipe((ColumnPlan("a", Treatment.GENERALISE, 9),), 0.5, 1)
    with pytest.raises(WorkbenchError):
        engine_of(stored).release(recipe, {"a": halves(memory["a"].values)}, Untouchable())


@pytest.mark.xdist_group("spark")
@pytest.mark.timeout(180)
def test_spark_tosses_the_same_coins_and_releases_the_same_rows(spark_store: Store, tmp_path: Path) -> None:
    memory, stored = both(spark_store, numbered(tmp_path, 300))
    key = SeededSource(5).words(2).astype(">u8").tobytes().hex()
    (numbers,) = spark_store.fetch(f"SELECT r FROM {stored.place.relation}")
    coins = {row: int(hashlib.sha256(f"{key}:{row}".encode()).hexdigest()[:16], 16) for row in numbers.tolist()}
    assert len(coins) == 300
    wanted = sorted(row for row, coin in coins.items() if coin < math.floor(0.4 * 2**64))
    assert drawn_numbers(spark_store, stored, 0.4, 5).tolist() == wanted
    recipe = Recipe((ColumnPlan("a", Treatment.GENERALISE, 1), ColumnPlan("b", Treatment.GENERALISE)), 1.0, 45)
    hierarchies = {"a": halves(memory["a"].values)}
    here = sample_generalise_suppress(memory, recipe, hierarchies, source_for(None))
    there = engine_of(stored).release(recipe, hierarchies, source_for(None))
    assert 0 < there.rows_out < 300 and texts(there.release) == texts(here.release)
