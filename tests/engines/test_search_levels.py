"""Searches of the syntactic models in an engine: the same levels as in memory, to the last digit."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.searching import (
    ALIKE,
    DISEASES,
    MODELS,
    QUICK,
    Case,
    as_read,
    cases,
    chosen,
    found,
    numbers,
    rows_of,
    small_budget,
    stored,
    table_of,
)
from workbench.anonymise.dp_search import PrivateSearch, choose_levels, public_nodes
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.level_scores import LevelScoring, Score, scores_of
from workbench.anonymise.problem import prepare
from workbench.anonymise.recode import apply
from workbench.anonymise.risk import class_sizes
from workbench.anonymise.search import Effort, evaluate, optimise
from workbench.anonymise.survival import population_sizes
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.randomness import SeededSource
from workbench.core.table import Column, Table, TooManyGroups
from workbench.core.trim_law import trim_law
from workbench.engines.dispatch import engine_of
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.store import Store


def check_same_search(store: Store, folder: Path, case: Case, models: Sequence[str], limit: float, metric: str) -> None:
    there = stored(store, folder, case.table)
    wanted = found(case.table, case, models, limit, metric)
    assert found(there, case, models, limit, metric) == wanted
    assert "codes" not in vars(there["q0"])  # no row was brought
    if isinstance(wanted, str):
        return
    alike = {"disease": ALIKE}
    goal = Goal(chosen(models), MetricChoice.parse(metric), limit, sensitive_hierarchies=alike)
    one = prepare(case.table, case.hierarchies, goal)
    two = prepare(there, case.hierarchies, goal)
    assert two.bottom.counts.tolist() == one.bottom.counts.tolist()
    assert two.bottom.keys is not None
    assert one.bottom.keys is not None
    assert two.bottom.keys.tolist() == one.bottom.keys.tolist()
    for node in (dict.fromkeys(case.hierarchies, 0), case.top):
        here, over_there = evaluate(one, node), evaluate(two, node)
        assert (over_there.score, over_there.losses) == (here.score, here.losses)
        assert (over_there.suppressed, over_there.why) == (here.suppressed, here.why)
        assert over_there.sizes.tolist() == here.sizes.tolist()


@QUICK
@given(
    case=cases(),
    models=st.sampled_from(MODELS),
    limit=st.sampled_from((0.0, 0.2, 1.0)),
    metric=st.sampled_from([metric.identifier for metric in METRICS if metric.identifier != "squared-error"]),
)
def test_a_search_in_the_engine_finds_the_same_as_in_memory(
    duckdb_store: Store, tmp_path: Path, case: Case, models: Sequence[str], limit: float, metric: str
) -> None:
    check_same_search(duckdb_store, tmp_path, case, models, limit, metric)


def test_a_metric_that_looks_at_the_values_themselves_finds_the_same(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    assert next(metric for metric in METRICS if metric.identifier == "squared-error")
    check_same_search(duckdb_store, tmp_path, case, ("k=3",), 0.1, "squared-error")


@pytest.mark.parametrize(
    ("models", "limit"),
    [(("k=5",), 0.0), (("k=5",), 0.04), (("k=5", "l-diversity=2:disease"), 0.04), (("k-map=9:mark=yes", "k=2"), 0.02)],
)
def test_nodes_are_counted_by_the_engine_one_by_one_where_the_rows_are_of_too_many_kinds(
    duckdb_store: Store, tmp_path: Path, models: Sequence[str], limit: float
) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    whole = prepare(case.table, case.hierarchies, Goal(chosen(models), suppression_limit=limit))
    wanted = found(case.table, case, models, limit)
    keys = 1 if whole.layout.radix == 1 else 2
    for share in (0.9, 0.5):
        with small_budget(duckdb_store, int(share * len(whole.bottom)), keys):
            problem = prepare(there, case.hierarchies, Goal(chosen(models), suppression_limit=limit))
            assert problem.counted is None
            assert found(there, case, models, limit) == wanted
            lowest = problem.lattice.low
            assert Evaluator(problem, 1 << 20).look(lowest) is None


@QUICK
@given(case=cases(), models=st.sampled_from(MODELS), limit=st.sampled_from((0.0, 0.2)), groups=st.integers(2, 12))
def test_with_little_memory_a_search_finds_the_same_or_says_that_it_cannot(
    duckdb_store: Store, tmp_path: Path, case: Case, models: Sequence[str], limit: float, groups: int
) -> None:
    there = stored(duckdb_store, tmp_path, case.table)
    wanted = found(case.table, case, models, limit)
    with small_budget(duckdb_store, groups), contextlib.suppress(TooManyGroups):
        assert found(there, case, models, limit) == wanted


def test_what_is_too_small_is_counted_of_the_rows_to_be_released_only(duckdb_store: Store, tmp_path: Path) -> None:
    # Of class a one row is to be released and of class b three, each among others.
    rows = [("a", "flu", "yes"), *[("a", "flu", "no")] * 9, *[("b", "flu", "yes")] * 3, ("b", "flu", "no")]
    table = table_of(("q0", "disease", "mark"), rows)
    there = stored(duckdb_store, tmp_path, table)
    hierarchies = {"q0": Hierarchy.from_rows([("a", "*"), ("b", "*")])}
    with small_budget(duckdb_store, 1, 2):
        problem = prepare(there, hierarchies, Goal(chosen(["k=2", "k-map=3:mark=yes"]), suppression_limit=1.0))
        assert problem.counter is not None
        with pytest.raises(TooManyGroups) as caught:
            problem.counter.at((0,), smallest=3)
        assert caught.value.rare == 1
        with pytest.raises(TooManyGroups) as caught:
            problem.counter.at((0,), smallest=4)
        assert caught.value.rare == 4


def test_a_search_that_does_not_fit_says_what_to_do(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    with small_budget(duckdb_store, 3), pytest.raises(TooManyGroups, match="different kinds") as caught:
        optimise(there, case.hierarchies, Goal(chosen(["k=5"]), suppression_limit=1.0))
    assert "memory budget" in caught.value.hint
    assert found(there, case, ("k=5",), 0.0) == found(case.table, case, ("k=5",), 0.0)


def wide(rows: int = 120, columns_of_many: int = 14) -> Case:
    """Columns with so many values that no one number tells their combinations apart."""
    generator = np.random.default_rng(7)
    cells = generator.integers(0, 40, (rows, columns_of_many))
    cells[rows // 2 :] = cells[: rows - rows // 2]
    columns = [Column(f"q{place}", cells[:, place], tuple(map(str, range(40)))) for place in range(columns_of_many)]
    columns.append(Column("disease", generator.integers(0, 4, rows), DISEASES))
    hierarchies = {
        f"q{place}": Hierarchy.from_rows([(str(value), str(value % 2), "*") for value in range(40)])
        for place in range(columns_of_many)
    }
    return Case(as_read(Table(tuple(columns))), hierarchies)


@pytest.mark.parametrize("models", [("k=2",), ("k=2", "l-diversity=2:disease")])
def test_many_columns_are_told_apart_where_one_number_does_not_suffice(
    duckdb_store: Store, tmp_path: Path, models: Sequence[str]
) -> None:
    case = wide()
    there = stored(duckdb_store, tmp_path, case.table)
    one = prepare(case.table, case.hierarchies, Goal(chosen(models)))
    two = prepare(there, case.hierarchies, Goal(chosen(models)))
    assert one.bottom.keys is two.bottom.keys is None
    assert two.bottom.counts.tolist() == one.bottom.counts.tolist()
    for position in range(len(one.names) + 1):
        assert two.bottom.digit(position).tolist() == one.bottom.digit(position).tolist()
    levels = dict.fromkeys(case.hierarchies, 0)
    here = apply(case.table, case.hierarchies, levels, Goal(chosen(models), suppression_limit=1.0))
    over_there = engine_of(there).recode(case.hierarchies, levels, Goal(chosen(models), suppression_limit=1.0))
    assert rows_of(over_there.table) == rows_of(here.table)
    effort = Effort(nodes=40)
    found_here = optimise(case.table, case.hierarchies, Goal(chosen(models), suppression_limit=0.5), effort=effort)
    found_there = optimise(there, case.hierarchies, Goal(chosen(models), suppression_limit=0.5), effort=effort)
    assert (found_there.levels, found_there.score, found_there.gap) == (
        found_here.levels,
        found_here.score,
        found_here.gap,
    )


@QUICK
@given(case=cases(), data=st.data())
def test_sizes_of_classes_are_counted_by_the_engine(
    duckdb_store: Store, tmp_path: Path, case: Case, data: st.DataObject
) -> None:
    there = stored(duckdb_store, tmp_path, case.table)
    names = [*case.hierarchies, "disease"]
    assert class_sizes(there, names).tolist() == class_sizes(case.table, names).tolist()
    levels = {name: data.draw(st.integers(0, hierarchy.height)) for name, hierarchy in case.hierarchies.items()}
    levels["mark"] = 0
    wanted = population_sizes(case.table, case.hierarchies, levels)
    assert population_sizes(there, case.hierarchies, levels).tolist() == wanted.tolist()


@pytest.mark.parametrize("score", Score)
def test_levels_are_drawn_privately_by_the_same_scores(duckdb_store: Store, tmp_path: Path, score: Score) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    law = trim_law(Fraction(1), Fraction(1, 100_000)) if score is Score.TRIMMED else None
    judgement = LevelScoring(score, 4, 0.5, law)
    nodes = public_nodes(case.hierarchies)
    wanted = scores_of(case.table, case.hierarchies, nodes, judgement)
    assert scores_of(there, case.hierarchies, nodes, judgement) == wanted
    fresh = stored(duckdb_store, tmp_path, case.table)
    with small_budget(duckdb_store, 70):
        assert scores_of(fresh, case.hierarchies, nodes, judgement) == wanted
    search = PrivateSearch(1.0, score=score)
    drawn = [
        choose_levels(table, case.hierarchies, search, k=4, beta=0.5, source=SeededSource(3), law=law)
        for table in (case.table, there)
    ]
    assert drawn[0] == drawn[1]


def test_a_search_can_be_cancelled_and_leaves_nothing(duckdb_store: DuckStore, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)

    def relations() -> int:
        return int(duckdb_store.rows("SELECT count(*) FROM duckdb_tables()")[0][0])

    before, token = relations(), CancelToken()

    def listen(fraction: float, text: str) -> None:
        if "alike" in text:
            token.cancel()

    with pytest.raises(Cancelled):
        optimise(there, case.hierarchies, Goal(chosen(["k=5"])), progress=Progress(listen, token))
    with pytest.raises(Cancelled):
        engine_of(there).recode(
            case.hierarchies, case.top, Goal(chosen(["k=2"]), suppression_limit=0.0), progress=Progress(listen, token)
        )
    assert relations() == before
    assert found(there, case, ("k=5",), 0.0) == found(case.table, case, ("k=5",), 0.0)
