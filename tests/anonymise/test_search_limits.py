"""What a search refuses, where it stops early, and what it tells of what it found."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.anonymise.brute_force import (
    AGES,
    BOTH,
    CITIES,
    DEMANDS,
    DISEASES,
    POPULATION_VALUES,
    SIX,
    Case,
    cases,
    people,
    prepared,
    split,
)
from tests.properties import examples
from workbench.anonymise import evaluation
from workbench.anonymise.cone_search import search_cones
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import prepare
from workbench.anonymise.recode import apply
from workbench.anonymise.search import Effort, evaluate, optimise
from workbench.anonymise.utility import MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.table import Column, Table
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.reading import read_table


@pytest.mark.parametrize(
    ("models", "may"),
    [
        ("l-diversity=2:illness", True),
        ("k=2 l-diversity=2:illness", True),
        ("average-risk=0.5 l-diversity=2:illness", True),
        ("entropy-l-diversity=2:illness", False),
        ("l-diversity=2:illness t-closeness=0.5:illness", False),
        ("k=2", False),
    ],
)
def test_values_are_merged_where_nothing_else_is_asked_of_them(models: str, may: bool) -> None:
    problem = prepare(SIX, BOTH, Goal([ModelChoice.parse(one) for one in models.split()]))
    assert problem.counted is not None
    assert evaluation._may_merge(problem, problem.counted) == may


def test_levels_are_named_and_the_reasons_are_there() -> None:
    found = optimise(SIX, BOTH, Goal([ModelChoice("k-anonymity", {"k": 3})]))
    assert found.levels == {"age": 1, "city": 1}
    assert (found.suppressed, found.nodes, found.optimal) == (0, 9, True)
    problem = prepare(SIX, BOTH, Goal([ModelChoice("k-anonymity", {"k": 3})]))
    facts = evaluate(problem, {"age": 0, "city": 2})
    assert not facts.feasible and facts.suppressed == 6 and "6 of 6 rows" in facts.why
    good = evaluate(problem, found.levels)
    assert good.sizes.tolist() == [3, 3] and good.why == "" and good.losses["city"] == pytest.approx(0.25)


@pytest.mark.parametrize("metric", ["loss", "loss=arithmetic", "loss=maximum", "loss=rank", "precision"])
def test_what_a_node_costs_is_the_same_whether_or_not_it_is_asked_for_a_bound(metric: str) -> None:
    """To the last bit, at every node: a search compares the one, and a node by itself is told the other."""
    rng = np.random.default_rng(24)
    ages, cities = [str(20 + int(age)) for age in rng.geometric(0.1, 90) % 40], ["Athens", "Patras", "Oslo"]
    table = people(*[(age, cities[int(rng.integers(3))], "flu") for age in ages])
    for k in (2, 5):
        problem = prepare(
            table,
            BOTH,
            Goal([ModelChoice("k-anonymity", {"k": k})], metric=MetricChoice.parse(metric), suppression_limit=1.0),
        )
        evaluator, some = Evaluator(problem, 0), 0
        for levels in problem.lattice:
            seen = evaluator.judge(levels)
            key, _ = problem.loss.score_and_bound(levels, seen.classes, seen.failing, seen.lost)
            assert key == problem.loss.score(levels, seen.classes, seen.failing)
            some += bool(len(seen.failing))
        assert some


def test_squared_error_is_that_of_the_columns_of_numbers() -> None:
    """A column that holds one number among its texts has none of its own, and takes nothing from the others' share."""
    rooms = Hierarchy.from_rows([("7", "*"), ("roof", "*")])
    table = Table((*SIX.columns, Column.from_texts("room", ["7", "roof"] * 3)))
    choice = [ModelChoice("k-anonymity", {"k": 2})]
    alone = prepare(SIX, {"age": AGES}, Goal(choice, metric=MetricChoice.parse("squared-error")))
    beside = prepare(
        table, {"age": AGES, "city": CITIES, "room": rooms}, Goal(choice, metric=MetricChoice.parse("squared-error"))
    )
    for age in range(3):
        facts = evaluate(beside, {"age": age, "city": 1, "room": 1})
        assert facts.score == pytest.approx(evaluate(alone, {"age": age}).score, abs=1e-12)
        assert facts.losses["city"] == facts.losses["room"] == 0
    with pytest.raises(WorkbenchError) as caught:
        prepare(table, {"city": CITIES, "room": rooms}, Goal(choice, metric=MetricChoice.parse("squared-error")))
    assert caught.value.field == "metric"


def test_limits_and_weights_are_respected() -> None:
    choice = [ModelChoice("k-anonymity", {"k": 3})]
    assert optimise(SIX, BOTH, Goal(choice, limits={"city": (2, None)})).levels == {"age": 1, "city": 2}
    assert optimise(SIX, BOTH, Goal(choice, limits={"age": (None, 1)})).levels["age"] == 1
    assert optimise(SIX, BOTH, Goal(choice, limits={"age": (2, 2)})).levels == {"age": 2, "city": 1}
    with pytest.raises(WorkbenchError) as caught:
        optimise(SIX, BOTH, Goal(choice, limits={"age": (0, 0)}))
    assert caught.value.field == "suppression_limit"


def test_a_suppression_limit_is_read_as_it_was_typed() -> None:
    rows = [("21", "Athens", "flu")] * 71 + [("31", "Oslo", "flu")] * 29
    problem = prepare(people(*rows), BOTH, Goal([ModelChoice("k-anonymity")], suppression_limit=0.29))
    assert problem.most_suppressed == 29


def test_a_search_can_be_cancelled_and_reports_what_is_decided() -> None:
    seen: list[float] = []
    optimise(
        SIX,
        BOTH,
        Goal([ModelChoice("k-anonymity", {"k": 3})]),
        progress=Progress(lambda share, text: seen.append(share)),
    )
    assert seen == sorted(seen) and seen[-1] == 1.0
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        optimise(SIX, BOTH, Goal([ModelChoice("k-anonymity", {"k": 3})]), progress=Progress(token=token))


def test_a_search_that_stops_early_says_so_and_by_how_much_it_may_be_off() -> None:
    rng = np.random.default_rng(5)
    hierarchy = Hierarchy.from_rows([(str(v), f"{v // 2}a", f"{v // 4}b", f"{v // 8}c", "*") for v in range(16)])
    columns = [Column.from_texts(f"c{i}", [str(v) for v in rng.integers(0, 16, 300)]) for i in range(4)]
    table = Table(tuple(columns))
    every = dict.fromkeys(table.names, hierarchy)
    best = optimise(table, every, Goal([ModelChoice("k-anonymity")], suppression_limit=0.1))
    early = optimise(table, every, Goal([ModelChoice("k-anonymity")], suppression_limit=0.1), effort=Effort(nodes=4))
    assert best.optimal and best.gap == 0
    assert not early.optimal
    assert early.score - early.gap <= best.score <= early.score


def test_a_lattice_beyond_memory_is_searched_as_long_as_allowed() -> None:
    rng = np.random.default_rng(6)
    hierarchy = Hierarchy.from_rows([(str(v), f"{v // 2}a", f"{v // 4}b", f"{v // 8}c", "*") for v in range(16)])
    table = Table(tuple(Column.from_texts(f"c{i}", [str(v) for v in rng.integers(0, 16, 200)]) for i in range(12)))
    every = dict.fromkeys(table.names, hierarchy)
    found = optimise(table, every, Goal([ModelChoice("k-anonymity")], suppression_limit=0.1), effort=Effort(nodes=150))
    assert found.nodes == 5**12
    assert found.gap >= 0 and found.nodes_checked <= 151 + 10
    facts = evaluate(prepare(table, every, Goal([ModelChoice("k-anonymity")], suppression_limit=0.1)), found.levels)
    assert facts.feasible and facts.score == pytest.approx(found.score)
    with pytest.raises(WorkbenchError) as caught:
        optimise(table, every, Goal([ModelChoice("k-anonymity")]), effort=Effort(optimal=True))
    assert caught.value.field == "search"


def test_a_search_by_rank_that_stops_early_does_not_claim_to_know_about_ties() -> None:
    """The highest node loses everything in every column, and so do, in the column that counts first, many others."""
    hierarchy = Hierarchy.from_rows([(str(v), f"{v // 2}a", "*") for v in range(8)])
    rng = np.random.default_rng(7)
    table = Table(tuple(Column.from_texts(f"c{i}", [str(v) for v in rng.integers(0, 8, 60)]) for i in range(6)))
    problem = prepare(
        table,
        dict.fromkeys(table.names, hierarchy),
        Goal([ModelChoice("k-anonymity")], metric=MetricChoice.parse("loss=rank")),
    )
    whole = search_cones(problem, Evaluator(problem, 1 << 20), None, None)
    early = search_cones(problem, Evaluator(problem, 1 << 20), None, 1)
    assert whole.optimal
    assert early.levels != whole.levels
    assert not early.optimal


def test_cones_say_that_nothing_is_feasible() -> None:
    ages = Table((Column.from_texts("age", ["21", "22", "31", "32"]),))
    tens = Hierarchy.from_rows([(text, text[0]) for text in ("21", "22", "31", "32")])
    problem = prepare(ages, {"age": tens}, Goal([ModelChoice.parse("k=3")]))
    with pytest.raises(WorkbenchError, match="even at the highest levels more rows"):
        search_cones(problem, Evaluator(problem, 1 << 20), None, None)


def test_keys_wider_than_64_bits_give_the_same_classes() -> None:
    rng = np.random.default_rng(7)
    values = [str(v) for v in range(200)]
    hierarchy = Hierarchy.from_rows([(v, f"{int(v) // 50}x", "*") for v in values])
    base = rng.integers(0, 200, (40, 12))
    rows = base[rng.integers(0, 40, 400)]
    table = Table(tuple(Column.from_texts(f"c{i}", [str(v) for v in rows[:, i]]) for i in range(12)))
    every = dict.fromkeys(table.names, hierarchy)
    problem = prepare(table, every, Goal([ModelChoice("k-anonymity")], suppression_limit=1.0))
    for level in (0, 1):
        facts = evaluate(problem, dict.fromkeys(table.names, level))
        labels = Counter(map(tuple, (rows if level == 0 else rows // 50).tolist()))
        assert sorted(facts.sizes.tolist()) == sorted(count for count in labels.values() if count >= 5)


def test_the_optimum_of_the_adult_data(shared_data: Path) -> None:
    folder = shared_data / "adult"
    table = read_table(folder / "adult.csv").table
    every = {name: read_hierarchy(folder / f"adult_hierarchy_{name}.csv") for name in table.names}
    found = optimise(table, every, Goal([ModelChoice("k-anonymity", {"k": 5})], suppression_limit=0.04))
    assert found.levels == {
        "sex": 0,
        "age": 3,
        "race": 0,
        "marital-status": 1,
        "education": 1,
        "native-country": 1,
        "workclass": 1,
        "occupation": 2,
        "salary-class": 0,
    }
    assert found.score == pytest.approx(0.26611081915757495, rel=1e-12)
    assert (found.suppressed, found.nodes, found.optimal) == (1178, 12_960, True)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"hierarchies": {}}, "hierarchies"),
        ({"models": []}, "models"),
        ({"models": [ModelChoice("k-anonymity", {"k": 7})]}, "k"),
        ({"models": [ModelChoice("k-anonymity", {"k": 2}), ModelChoice("k-anonymity", {"k": 3})]}, "models"),
        ({"models": [ModelChoice("l-diversity", {"l": 2, "column": "city"})]}, "city"),
        ({"models": [ModelChoice("l-diversity", {"l": 3, "column": "illness"})]}, "l"),
        ({"models": [ModelChoice("l-diversity", {"l": 2})]}, "column"),
        ({"models": [ModelChoice("ordered-t-closeness", {"column": "illness"})]}, "illness"),
        ({"models": [ModelChoice("hierarchical-t-closeness", {"column": "illness"})]}, "illness"),
        ({"models": [ModelChoice("d-presence", {})]}, "subset_column"),
        ({"models": [ModelChoice("d-presence", {"subset_column": "illness", "subset_value": "gout"})]}, "subset_value"),
        (
            {"models": [ModelChoice("d-presence", {"least": 0.6, "subset_column": "illness", "subset_value": "flu"})]},
            "least",
        ),
        ({"models": [ModelChoice("k-map", {"k": 3})]}, "subset_column"),
        ({"models": [ModelChoice("k-map", {"k": 3, "people": 2})]}, "people"),
        ({"models": [ModelChoice("average-risk", {"threshold": 0.1})]}, "threshold"),
        ({"suppression_limit": 1.5}, "suppression_limit"),
        ({"suppression_limit": float("nan")}, "suppression_limit"),
        ({"limits": {"age": (2, 1)}}, "age"),
        ({"limits": {"age": (0, 3)}}, "age"),
        ({"limits": {"illness": (0, 1)}}, "illness"),
        ({"weights": {"age": -1.0}}, "age"),
        ({"weights": {"age": 0.0, "city": 0.0}}, "weights"),
        ({"hierarchies": {"city": CITIES}, "metric": MetricChoice("squared-error")}, "metric"),
        ({"hierarchies": {"age": AGES, "nowhere": CITIES}}, "nowhere"),
        ({"hierarchies": {"illness": CITIES}}, "illness"),
    ],
)
def test_contradictions_are_refused_by_name(change: dict, field: str) -> None:
    wanted = {"hierarchies": BOTH, "models": [ModelChoice("k-anonymity", {"k": 2})], **change}
    with pytest.raises(WorkbenchError) as caught:
        optimise(SIX, wanted.pop("hierarchies"), Goal(**wanted))
    assert caught.value.field == field
    assert caught.value.hint


def test_models_disagreeing_on_the_released_rows_are_refused() -> None:
    models = [
        ModelChoice("k-map", {"k": 2, "subset_column": "illness", "subset_value": "flu"}),
        ModelChoice("d-presence", {"subset_column": "illness", "subset_value": "cold"}),
    ]
    with pytest.raises(WorkbenchError) as caught:
        optimise(SIX, BOTH, Goal(models))
    assert caught.value.field == "subset_column"


def test_an_empty_table_is_refused() -> None:
    empty = SIX.take(np.array([], dtype=np.intp))
    with pytest.raises(WorkbenchError) as caught:
        optimise(empty, BOTH, Goal([ModelChoice("k-anonymity", {"k": 2})]))
    assert caught.value.field == "data"


@pytest.mark.parametrize(
    ("text", "identifier", "values"),
    [
        ("k=5", "k-anonymity", {"k": 5}),
        ("k-anonymity", "k-anonymity", {}),
        ("l-diversity=2:occupation", "l-diversity", {"l": 2, "column": "occupation"}),
        ("recursive-l-diversity=3,2:a=b", "recursive-l-diversity", {"c": 3.0, "l": 2, "column": "a=b"}),
        ("b-likeness=1,basic:pay", "b-likeness", {"beta": 1.0, "variant": "basic", "column": "pay"}),
        ("k-map=3:mark=yes", "k-map", {"k": 3, "subset_column": "mark", "subset_value": "yes"}),
    ],
)
def test_choices_are_read_as_written_in_a_command(text: str, identifier: str, values: dict) -> None:
    assert ModelChoice.parse(text) == ModelChoice(identifier, values)


@pytest.mark.parametrize("text", ["q=5", "k=5,6", "k=5:age", "k=five", "k=1"])
def test_choices_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(WorkbenchError):
        ModelChoice.parse(text)
    with pytest.raises(WorkbenchError):
        MetricChoice.parse("loss=median")


@pytest.mark.parametrize("text", ["loss=maximum,5", "loss=maximum,5,6"])
def test_a_loss_with_more_parameters_than_it_has_is_refused(text: str) -> None:
    with pytest.raises(WorkbenchError, match="has 1 parameter"):
        MetricChoice.parse(text)


@settings(max_examples=examples(60), deadline=None)
@given(
    case=cases(), names=st.lists(st.sampled_from(sorted(DEMANDS)), min_size=1, max_size=2, unique=True), data=st.data()
)
def test_the_applied_table_holds_exactly_the_kept_rows(case: Case, names: list[str], data: st.DataObject) -> None:
    if prepared(case, names, "loss", 1.0, [1.0] * len(case.hierarchies)) is None:
        return
    levels = tuple(data.draw(st.integers(0, hierarchy.height)) for hierarchy in case.hierarchies)
    part = any(DEMANDS[name][0].subset is not None for name in names)
    POPULATION_VALUES[0] = tuple(set(case.sensitive))
    kept, gone = split(case, levels, names, part)
    models = [DEMANDS[name][0] for name in names]
    goal = Goal(models, suppression_limit=1.0, sensitive_hierarchies={"disease": DISEASES})
    done = apply(
        case.table(),
        case.by_name(),
        dict(zip(case.names, levels, strict=True)),
        goal,
        keep=["mark"],
    )
    expected = {n: group.labels for group in kept for n in group.released}
    assert done.rows.tolist() == sorted(expected)
    for position, row in enumerate(done.rows.tolist()):
        assert tuple(done.table[name].text(position) for name in case.names) == expected[row]
    assert sorted(done.class_sizes.tolist()) == sorted(len(group.released) for group in kept)
    assert done.suppressed == sum(len(group.released) for group in gone)
    if done.table.rows:
        assert np.array_equal(np.bincount(done.class_ids), done.class_sizes)
    marked = apply(
        case.table(),
        case.by_name(),
        dict(zip(case.names, levels, strict=True)),
        goal,
        on_suppressed="mark",
        keep=["mark"],
    )
    assert marked.table.rows == len(expected) + done.suppressed
    assert int((~marked.kept).sum()) == done.suppressed
    for position in np.flatnonzero(~marked.kept).tolist():
        assert set(marked.table.row(position)) == {"*"}


def test_levels_at_which_too_much_fails_are_refused() -> None:
    with pytest.raises(WorkbenchError) as caught:
        apply(SIX, BOTH, {"age": 0, "city": 0}, Goal([ModelChoice("k-anonymity", {"k": 2})], suppression_limit=0.5))
    assert caught.value.field == "suppression_limit"


def test_only_columns_that_were_asked_for_are_released() -> None:
    done = apply(SIX, BOTH, {"age": 1, "city": 1}, Goal([ModelChoice("k-anonymity", {"k": 3})]))
    assert done.table.names == ("age", "city")
    with pytest.raises(WorkbenchError):
        apply(SIX, BOTH, {"age": 1, "city": 1}, Goal([ModelChoice("k-anonymity", {"k": 3})]), keep=["age"])
    with pytest.raises(WorkbenchError):
        apply(SIX, BOTH, {"age": 1}, Goal([ModelChoice("k-anonymity", {"k": 3})]))
