"""Choosing levels privately: exact probabilities, exact privacy, and draws that follow them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.anonymise.dp_search import (
    UNIT,
    Degree,
    Draw,
    choose_levels,
    degree_levels,
    draw_node,
    public_nodes,
    scores_of,
    selection_probabilities,
)
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.randomness import SecureSource, SeededSource
from workbench.core.table import Column, Table

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 40)])
CITIES = Hierarchy.from_rows([("Athens", "Greece"), ("Patras", "Greece"), ("Oslo", "Norway")])
BOTH = {"age": AGES, "city": CITIES}

ROWS = st.lists(st.tuples(st.sampled_from(AGES.values), st.sampled_from(CITIES.values)), min_size=0, max_size=15)


def table_of(rows: list[tuple[str, str]]) -> Table:
    return Table(
        tuple(Column.from_texts(name, [row[position] for row in rows]) for position, name in enumerate(("age", "city")))
    )


def score_by_hand(rows: list[tuple[str, str]], node: dict[str, int], threshold: int) -> Fraction:
    """Σ q·max(0, n − T), q = 1 − mean of (share − 1/D)/(1 − 1/D)."""
    classes: Counter[tuple[int, ...]] = Counter()
    for row in rows:
        labels = []
        for value, (name, hierarchy) in zip(row, BOTH.items(), strict=True):
            labels.append(int(hierarchy.maps[node[name]][hierarchy.values.index(value)]))
        classes[tuple(labels)] += 1
    total = Fraction(0)
    for labels, count in classes.items():
        lost = Fraction(0)
        for label, (name, hierarchy) in zip(labels, BOTH.items(), strict=True):
            domain = len(hierarchy.values)
            lost += Fraction(int((hierarchy.maps[node[name]] == label).sum()) - 1, domain - 1)
        total += (1 - lost / len(BOTH)) * max(0, count - threshold)
    return total


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, threshold=st.integers(0, 4))
def test_scores_are_what_they_are_defined_to_be(rows: list[tuple[str, str]], threshold: int) -> None:
    nodes = public_nodes(BOTH)
    for node, score in zip(nodes, scores_of(table_of(rows), BOTH, nodes, threshold), strict=True):
        exact = score_by_hand(rows, node, threshold) * UNIT
        assert exact - 3 * len(rows) <= score <= exact


@settings(max_examples=100, deadline=None)
@given(
    rows=ROWS, more=st.tuples(st.sampled_from(AGES.values), st.sampled_from(CITIES.values)), threshold=st.integers(0, 4)
)
def test_one_more_row_raises_every_score_by_at_most_one_and_lowers_none(
    rows: list[tuple[str, str]], more: tuple[str, str], threshold: int
) -> None:
    nodes = public_nodes(BOTH)
    before = scores_of(table_of(rows), BOTH, nodes, threshold)
    after = scores_of(table_of([*rows, more]), BOTH, nodes, threshold)
    assert all(0 <= b - a <= UNIT for a, b in zip(before, after, strict=True))


@settings(max_examples=60, deadline=None)
@given(
    rows=ROWS,
    more=st.tuples(st.sampled_from(AGES.values), st.sampled_from(CITIES.values)),
    epsilon=st.sampled_from([0.1, 1.0, 3.0]),
    draw=st.sampled_from(Draw),
)
def test_the_draw_is_differentially_private(
    rows: list[tuple[str, str]], more: tuple[str, str], epsilon: float, draw: Draw
) -> None:
    nodes = public_nodes(BOTH)
    without = selection_probabilities(scores_of(table_of(rows), BOTH, nodes, 1), epsilon, draw)
    with_it = selection_probabilities(scores_of(table_of([*rows, more]), BOTH, nodes, 1), epsilon, draw)
    ratios = with_it / without
    assert ratios.max() <= math.exp(epsilon) * (1 + 1e-9)
    assert ratios.min() >= math.exp(-epsilon) * (1 - 1e-9)


def permute_and_flip_by_enumeration(p: list[float]) -> list[float]:
    chances = [0.0] * len(p)
    for order in permutations(range(len(p))):
        left = 1.0 / math.factorial(len(p))
        for position in order:
            chances[position] += left * p[position]
            left *= 1 - p[position]
    return chances


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 2.5])
def test_probabilities_agree_with_enumeration_on_a_small_lattice(epsilon: float) -> None:
    rows = [("21", "Athens")] * 3 + [("25", "Patras")] * 2 + [("31", "Oslo")] * 4
    nodes = public_nodes(BOTH)
    scores = scores_of(table_of(rows), BOTH, nodes, 1)
    assert len(nodes) == 6 and len(set(scores)) > 3
    p = [math.exp(epsilon * (score - max(scores)) / UNIT) for score in scores]
    assert selection_probabilities(scores, epsilon, Draw.EXPONENTIAL) == pytest.approx(
        [x / sum(p) for x in p], rel=1e-12
    )
    enumerated = permute_and_flip_by_enumeration(p)
    assert selection_probabilities(scores, epsilon, Draw.PERMUTE_AND_FLIP) == pytest.approx(enumerated, rel=1e-12)


@pytest.mark.parametrize("draw", Draw)
def test_draws_follow_their_probabilities(draw: Draw) -> None:
    scores = [0, UNIT, 2 * UNIT, 5 * UNIT // 2, 9 * UNIT]
    epsilon, runs = 0.4, 20_000
    source = SeededSource(11)
    counts = Counter(draw_node(scores, Fraction(epsilon), draw, source) for _ in range(runs))
    expected = selection_probabilities(scores, epsilon, draw) * runs
    distance = sum((counts[i] - expected[i]) ** 2 / expected[i] for i in range(len(scores)))
    assert distance < 44.0  # χ² with 4 degrees of freedom exceeds this once in 10⁸


def test_equal_scores_are_equally_likely() -> None:
    for draw in Draw:
        assert selection_probabilities([5, 5, 5, 5], 1.0, draw) == pytest.approx([0.25] * 4)


def test_the_set_of_nodes_is_public_and_thinned_out_evenly() -> None:
    tall = Hierarchy.from_rows([("a", *[f"l{i}" for i in range(1, 10)])])
    every = {f"c{i}": tall for i in range(5)}
    nodes = public_nodes(every, most_nodes=500)
    assert len(nodes) <= 500
    assert {frozenset(node.values()) for node in nodes} >= {frozenset({0}), frozenset({9})}
    assert public_nodes(every, most_nodes=500) == nodes
    assert len(public_nodes(BOTH, limits={"age": (1, None)})) == 4
    assert len(public_nodes(BOTH, most_nodes=1)) == 1


def test_levels_are_chosen_and_what_it_cost_is_said() -> None:
    rows = [("21", "Athens")] * 40 + [("25", "Patras")] * 40 + [("31", "Oslo")] * 40
    choice = choose_levels(table_of(rows), BOTH, epsilon=5.0, threshold=10, source=SeededSource(3))
    # Nothing need be generalised for 40 rows each, and ε is large enough to see that.
    assert choice.levels == {"age": 0, "city": 0}
    assert (choice.epsilon, choice.nodes, choice.threshold, choice.secure) == (5.0, 6, 10, False)
    assert choose_levels(table_of(rows), BOTH, epsilon=0.5, threshold=10, source=SecureSource()).secure


def test_what_would_void_the_choice_is_refused() -> None:
    table = table_of([("21", "Athens")])
    derived = Hierarchy.from_rows(AGES.rows(), provenance=Provenance.DERIVED)
    for arguments, field in [
        ({"hierarchies": {"age": derived}}, "age"),
        ({"hierarchies": {}}, "hierarchies"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"threshold": -1}, "threshold"),
    ]:
        wanted = {"hierarchies": BOTH, "epsilon": 1.0, "threshold": 1, "source": SeededSource(1), **arguments}
        with pytest.raises(WorkbenchError) as caught:
            choose_levels(table, wanted.pop("hierarchies"), **wanted)
        assert caught.value.field == field


def test_an_empty_table_gets_a_choice_like_any_other() -> None:
    choice = choose_levels(table_of([]), BOTH, epsilon=1.0, threshold=1, source=SeededSource(1))
    assert choice.levels in public_nodes(BOTH)


def test_choosing_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        choose_levels(
            table_of([("21", "Athens")]),
            BOTH,
            epsilon=1.0,
            threshold=1,
            source=SeededSource(1),
            progress=Progress(token=token),
        )


def test_degrees_round_halves_up() -> None:
    heights = {degree: degree_levels(BOTH, degree) for degree in Degree}
    assert heights[Degree.NONE] == {"age": 0, "city": 0}
    assert heights[Degree.LOW] == {"age": 0, "city": 0}
    assert heights[Degree.MEDIUM] == {"age": 1, "city": 1}
    assert heights[Degree.COMPLETE] == {"age": 2, "city": 1}
    by_height = [math.floor(float(Degree.HIGH.share) * height + 0.5) for height in range(6)]
    assert by_height == [0, 1, 2, 2, 3, 4]


def test_rare_groups_do_not_decide() -> None:
    # The scores of two tables that differ in one row differ by less than the noise of a small ε.
    scores = defaultdict(list)
    for extra, node in product((0, 1), public_nodes(BOTH)):
        rows = [("21", "Athens")] * (10 + extra)
        scores[extra] += scores_of(table_of(rows), BOTH, [node], 10)
    chances = [selection_probabilities(scores[extra], 0.1, Draw.PERMUTE_AND_FLIP) for extra in (0, 1)]
    assert np.abs(chances[0] - chances[1]).max() < 0.1
