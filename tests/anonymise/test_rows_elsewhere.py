"""The search over rows that are in an engine and not in memory: every node is as it is in memory."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import prepare
from workbench.anonymise.row_counter import key_ranges, sizes_of_classes
from workbench.anonymise.search import evaluate, find_best, optimise
from workbench.anonymise.utility import MetricChoice
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table, TooManyGroups
from workbench.engines.counting import group_size
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.io.dialect import Dialect

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)])
CITIES = Hierarchy.from_rows([("Athens", "Greece", "*"), ("Patras", "Greece", "*"), ("Oslo", "Norway", "*")])
BOTH = {"age": AGES, "city": CITIES}


@pytest.fixture(scope="module")
def store() -> Iterator[DuckStore]:
    with DuckStore() as started:
        yield started


def stored(store: DuckStore, folder: Path, table: Table) -> Table:
    path = folder / "data.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([table.names, *table.page(0, table.rows)])
    return open_stored(store, files_of(path, Dialect())).table


def people(rows: int = 60) -> Table:
    rng = np.random.default_rng(8)
    drawn = {
        "age": [str(age) for age in rng.integers(20, 50, rows)],
        "city": [CITIES.values[place] for place in rng.integers(0, 3, rows)],
        "illness": [("flu", "cold", "gout")[place] for place in rng.integers(0, 3, rows)],
        "wage": [str(amount) for amount in rng.integers(1, 5, rows)],
        "in": [("yes", "no")[place] for place in rng.integers(0, 2, rows)],
    }
    return Table(tuple(Column.from_texts(name, texts) for name, texts in drawn.items()))


@pytest.mark.parametrize("metric", ["loss", "squared-error", "discernibility"])
@pytest.mark.parametrize(
    "models",
    [
        ["k=3"],
        ["l=2:illness", "t=0.5:wage"],
        ["k-map=4:in=yes"],
        ["d-presence=0.1,0.9:in=yes", "l=2:illness", "entropy-l-diversity=1.5:wage"],
        ["k-map=6:illness=flu", "t=0.9:illness"],
    ],
)
def test_every_node_is_as_in_memory(models: list[str], metric: str, store: DuckStore, tmp_path: Path) -> None:
    table = people()
    elsewhere = stored(store, tmp_path, table)
    assert not elsewhere.in_memory
    choices = [ModelChoice.parse(model) for model in models]
    hierarchies = {"age": AGES} if metric == "squared-error" else BOTH
    here, there = (
        prepare(one, hierarchies, Goal(choices, metric=MetricChoice.parse(metric), suppression_limit=0.3))
        for one in (table, elsewhere)
    )
    for levels in product(range(3), repeat=len(hierarchies)):
        named = dict(zip(hierarchies, levels, strict=True))
        one, other = evaluate(here, named), evaluate(there, named)
        assert (one.suppressed, one.feasible, sorted(one.sizes)) == (
            other.suppressed,
            other.feasible,
            sorted(other.sizes),
        )
        assert one.score == pytest.approx(other.score) and one.losses == pytest.approx(other.losses)
    best = [
        optimise(one, hierarchies, Goal(choices, metric=MetricChoice.parse(metric), suppression_limit=1.0)).levels
        for one in (table, elsewhere)
    ]
    assert best[0] == best[1]


def test_keys_beyond_64_bits_give_the_same_classes(store: DuckStore, tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    hierarchy = Hierarchy.from_rows([(str(v), f"{v // 50}x", "*") for v in range(200)])
    rows = rng.integers(0, 200, (40, 12))[rng.integers(0, 40, 400)]
    columns = [Column.from_texts(f"c{i}", [str(v) for v in rows[:, i]]) for i in range(12)]
    table = Table((*columns, Column.from_texts("illness", [str(v) for v in rng.integers(0, 3, 400)])))
    every = {column.name: hierarchy for column in columns}
    elsewhere = stored(store, tmp_path, table)
    for models in (["k=5"], ["l=2:illness"]):
        choices = [ModelChoice.parse(model) for model in models]
        here, there = (prepare(one, every, Goal(choices, suppression_limit=1.0)) for one in (table, elsewhere))
        for level in (0, 1):
            one, other = (evaluate(problem, dict.fromkeys(every, level)) for problem in (here, there))
            assert sorted(one.sizes) == sorted(other.sizes) and one.suppressed == other.suppressed


def test_runs_of_attributes_fit_64_bits_and_are_as_long_as_they_can_be() -> None:
    assert key_ranges([2] * 62) == [(0, 62)]
    assert key_ranges([2] * 63) == [(0, 62), (62, 63)]
    assert key_ranges([1 << 40, 1 << 22, 2, 1 << 61, 1 << 62, 3]) == [(0, 2), (2, 4), (4, 5), (5, 6)]
    assert key_ranges([]) == [(0, 0)]


def test_classes_of_columns_are_counted_there(store: DuckStore, tmp_path: Path) -> None:
    table = stored(store, tmp_path, people())
    age, city = table["age"], table["city"]
    decades = np.array([int(text) // 10 - 2 for text in age.values])
    asked = [("age", decades, 3), ("city", np.arange(len(city.values)), len(city.values))]
    here = people()
    pairs = zip(here["age"].texts(), here["city"].texts(), strict=True)
    expected: dict[tuple[int, int], int] = {}
    for text, town in pairs:
        key = int(text) // 10 - 2, city.values.index(town)
        expected[key] = expected.get(key, 0) + 1
    assert sizes_of_classes(table, asked).tolist() == [expected[key] for key in sorted(expected)]


def test_nodes_of_too_many_classes_are_left_out_where_none_of_them_could_be_released(
    store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the lowest node some classes of 38 rows are too many for the memory, and most people are in smaller ones."""
    here = people(3000)
    choices = [ModelChoice.parse("k=38")]
    best = optimise(here, BOTH, Goal(choices, suppression_limit=0.1))
    elsewhere = stored(store, tmp_path, here)
    monkeypatch.setattr(store.budget, "limit", group_size(1) * 9)
    problem = prepare(elsewhere, BOTH, Goal(choices, suppression_limit=0.1))
    with pytest.raises(TooManyGroups) as refused:
        evaluate(problem, {"age": 0, "city": 0})
    assert refused.value.rare == sum(size for size in sizes_at_ground(here) if size < 38) > problem.most_suppressed
    assert find_best(problem).levels == best.levels


def sizes_at_ground(table: Table) -> list[int]:
    return list(Counter(zip(table["age"].texts(), table["city"].texts(), strict=True)).values())
