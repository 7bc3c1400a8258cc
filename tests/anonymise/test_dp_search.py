"""Choosing levels privately: exact probabilities, exact privacy, and draws that follow them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise.dp_search import (
    Degree,
    DrawnLevels,
    PrivateSearch,
    choose_levels,
    degree_levels,
    public_nodes,
)
from workbench.anonymise.level_scores import UNIT, LevelScoring, Score, row_worth, scores_of
from workbench.anonymise.promise import Promise
from workbench.anonymise.sample_guarantee import guarantee
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.private_draw import Draw, draw_position, selection_probabilities
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.randomness import SecureSource, SeededSource
from workbench.core.table import Column, Table
from workbench.core.trim_law import trim_law

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 40)])
CITIES = Hierarchy.from_rows([("Athens", "Greece"), ("Patras", "Greece"), ("Oslo", "Norway")])
BOTH = {"age": AGES, "city": CITIES}

ROWS = st.lists(st.tuples(st.sampled_from(AGES.values), st.sampled_from(CITIES.values)), min_size=0, max_size=15)


LAW = trim_law(Fraction(2), Fraction(2, 5))
"""Of three weights, so that small tables have groups that always survive."""


def judged(score: Score, k: int, beta: float) -> LevelScoring:
    return LevelScoring(score, k, beta, LAW)


def table_of(rows: list[tuple[str, str]]) -> Table:
    return Table(
        tuple(Column.from_texts(name, [row[position] for row in rows]) for position, name in enumerate(("age", "city")))
    )


NODES = public_nodes(BOTH)
SIMPLE = guarantee(epsilon=0.7, delta=1e-4)
KS = st.integers(1, 4)
BETAS = st.sampled_from([0.3, 0.63, 1.0])
ONE = st.tuples(st.sampled_from(AGES.values), st.sampled_from(CITIES.values))


def classes_by_hand(rows: list[tuple[str, str]], node: dict[str, int]) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        found[
            tuple(
                hierarchy.labels[node[name]][hierarchy.maps[node[name]][hierarchy.values.index(value)]]
                for value, (name, hierarchy) in zip(row, BOTH.items(), strict=True)
            )
        ] += 1
    return found


def score_by_hand(rows: list[tuple[str, str]], node: dict[str, int], score: Score, k: int, beta: float) -> Fraction:
    """The formulas of the scores, row by row."""
    classes, n, m = classes_by_hand(rows, node), len(rows), len(BOTH)
    lost = sum(Fraction(node[name], hierarchy.height) for name, hierarchy in BOTH.items())
    kept = {labels: count for labels, count in classes.items() if count >= k}
    suppressed = n - sum(kept.values())
    if score is Score.KEPT_DETAIL:
        threshold = math.ceil(Fraction(k) / Fraction(beta))
        return (1 - lost / m) * sum(max(0, count - threshold) for count in classes.values())
    if score is Score.TRIMMED:
        weights = [(z, Fraction(weight, LAW.total)) for z, weight in enumerate(LAW.weights)]
        stay = {count: sum(chance * max(0, count - z) for z, chance in weights) for count in classes.values()}
        return (1 - lost / m) * sum(stay[count] for count in classes.values())
    if score is Score.CLASSES:
        return Fraction(len(kept))
    if score is Score.INTENSITY:
        return -(lost * sum(kept.values()) + m * suppressed)
    if not n:
        return Fraction(0)
    if score is Score.DISCERNIBILITY:
        return -(Fraction(sum(count * count for count in kept.values()), n) + suppressed)
    total = Fraction(0)
    for position, (name, hierarchy) in enumerate(BOTH.items()):
        counts: Counter[str] = Counter()
        for labels, count in kept.items():
            counts[labels[position]] += count
        if node[name] == hierarchy.height:
            total += n
        else:
            total += Fraction(sum(count * count for count in counts.values()), n) + suppressed
    return -total


@settings(max_examples=examples(120), deadline=None)
@given(rows=ROWS, k=KS, beta=BETAS, score=st.sampled_from(Score))
def test_scores_are_what_they_are_defined_to_be(rows: list[tuple[str, str]], k: int, beta: float, score: Score) -> None:
    judgement = judged(score, k, beta)
    found = scores_of(table_of(rows), BOTH, NODES, judgement)
    for node, units in zip(NODES, found, strict=True):
        # A weight is rounded by less than a unit for each row, at most once per column.
        by_hand = score_by_hand(rows, node, score, k, beta) * judgement.unit
        assert abs(by_hand - units) <= (2 * len(rows) + 2) * judgement.unit / UNIT


@settings(max_examples=examples(150), deadline=None)
@given(rows=ROWS, more=ONE, k=KS, beta=BETAS, score=st.sampled_from(Score))
def test_one_more_row_changes_no_score_by_more_than_its_sensitivity(
    rows: list[tuple[str, str]], more: tuple[str, str], k: int, beta: float, score: Score
) -> None:
    judgement = judged(score, k, beta)
    most = judgement.sensitivity(len(BOTH)) * judgement.unit
    before = scores_of(table_of(rows), BOTH, NODES, judgement)
    after = scores_of(table_of([*rows, more]), BOTH, NODES, judgement)
    changes = [b - a for a, b in zip(before, after, strict=True)]
    assert max(map(abs, changes)) <= most
    if judgement.monotone:
        assert min(changes) >= 0


@pytest.mark.parametrize("score", Score)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_sensitivities_hold_for_every_small_table(score: Score, k: int) -> None:
    # All multisets of up to five rows over four kinds of row, each with one more row of every kind.
    kinds = [("20", "Athens"), ("21", "Athens"), ("21", "Oslo"), ("35", "Oslo")]
    judgement = judged(score, k, 1.0)
    scored = {
        counts: scores_of(
            table_of([kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]),
            BOTH,
            NODES,
            judgement,
        )
        for counts in product(range(6), repeat=4)
        if sum(counts) <= 5
    }
    largest, signs = 0, set()
    for counts, before in scored.items():
        for kind in range(4):
            more = tuple(count + (place == kind) for place, count in enumerate(counts))
            if more in scored:
                changes = [b - a for a, b in zip(before, scored[more], strict=True)]
                largest = max(largest, *map(abs, changes))
                signs |= {change > 0 for change in changes if change}
    assert 0 < largest <= judgement.sensitivity(len(BOTH)) * judgement.unit
    if judgement.monotone:
        assert signs == {True}
    if score in (Score.KEPT_DETAIL, Score.TRIMMED, Score.INTENSITY, Score.CLASSES):
        assert largest == judgement.sensitivity(len(BOTH)) * judgement.unit, "these bounds are reached"


@settings(max_examples=examples(100), deadline=None)
@given(
    rows=ROWS,
    person=st.lists(ONE, min_size=1, max_size=3),
    epsilon=st.sampled_from([0.1, 1.0, 3.0]),
    draw=st.sampled_from(Draw),
    score=st.sampled_from(Score),
    k=KS,
)
def test_the_draw_is_differentially_private_for_a_person_with_several_rows(
    rows: list[tuple[str, str]], person: list[tuple[str, str]], epsilon: float, draw: Draw, score: Score, k: int
) -> None:
    judgement = judged(score, k, 0.63)
    rate = judgement.rate(Fraction(str(epsilon)), len(BOTH), len(person))
    without = selection_probabilities(scores_of(table_of(rows), BOTH, NODES, judgement), rate, draw)
    with_them = selection_probabilities(scores_of(table_of([*rows, *person]), BOTH, NODES, judgement), rate, draw)
    ratios = with_them / without
    assert ratios.max() <= math.exp(epsilon) * (1 + 1e-9)
    assert ratios.min() >= math.exp(-epsilon) * (1 - 1e-9)


@pytest.mark.parametrize("draw", Draw)
@pytest.mark.parametrize("score", [Score.KEPT_DETAIL, Score.TRIMMED, Score.CLASSES])
def test_the_bound_is_nearly_reached(draw: Draw, score: Score) -> None:
    # Else more ε would be charged than is spent. At its best a draw spends what the factor 2 would have doubled.
    epsilon = 2.0
    judgement = judged(score, 1, 1.0)
    rate = judgement.rate(Fraction(2), len(BOTH), 1)
    most = 0.0
    for rows in ([], [("20", "Athens")] * 1, [("20", "Athens")] * 30, [("20", "Athens")] * 30 + [("35", "Oslo")] * 30):
        for more in (("20", "Athens"), ("21", "Athens"), ("35", "Oslo")):
            pair = [
                selection_probabilities(scores_of(table_of(some), BOTH, NODES, judgement), rate, draw)
                for some in (rows, [*rows, more])
            ]
            most = max(most, float(np.abs(np.log(pair[1] / pair[0])).max()))
    assert epsilon / 2 < most <= epsilon + 1e-9


@pytest.mark.parametrize("draw", Draw)
@pytest.mark.parametrize("score", [score for score in Score if not judged(score, 2, 1.0).monotone])
def test_scores_that_rise_here_and_fall_there_are_drawn_at_half_the_rate(draw: Draw, score: Score) -> None:
    # A second row completes the class at level 0 and makes the top worse; with k = 2 both by the whole sensitivity.
    judgement, epsilon = judged(score, 2, 1.0), 4
    tables = [[("20", "Athens"), ("35", "Oslo")], [("20", "Athens"), ("35", "Oslo"), ("20", "Athens")]]
    scores = [scores_of(table_of(rows), BOTH, NODES, judgement) for rows in tables]
    rate = judgement.rate(Fraction(epsilon), len(BOTH), 1)

    def spent(at: Fraction) -> float:
        one, other = (selection_probabilities(some, at, draw) for some in scores)
        return float(np.abs(np.log(one / other)).max())

    assert spent(rate) <= epsilon
    if score is Score.INTENSITY:
        assert spent(2 * rate) > epsilon, "without the factor 2 more would be spent than is charged"


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(1, "1e-5"), (1, "0.01"), (0.1, "1e-6"), (10, "1e-6"), (10, "0.9"), (3, "1e-4")]
)
def test_what_trimming_keeps_rises_by_at_most_a_row_wherever_a_group_stands(epsilon: float, delta: str) -> None:
    # Also where classes begin to count: those that keep less than a thousandth of a row do not.
    law = trim_law(Fraction(str(epsilon)), Fraction(delta))
    judgement = LevelScoring(Score.TRIMMED, 1, 1.0, law)
    ages = {"age": AGES}
    sizes = range(1, law.always_survive + 3)
    scores = [0]
    for size in sizes:
        table = Table((Column.from_texts("age", ["21"] * size),))
        scores += scores_of(table, ages, [{"age": 0}], judgement)
    steps = np.diff([float(score) for score in scores])
    assert steps.min() >= 0
    assert steps.max() <= judgement.unit
    assert steps[-1] == judgement.unit
    kept = [sum(weight / law.total * max(0, size - z) for z, weight in enumerate(law.weights)) for size in sizes]
    assert np.array(scores[1:]) / judgement.unit == pytest.approx(kept, abs=1 / 1000)
    assert scores[judgement.smallest_counted - 1] == 0 < scores[judgement.smallest_counted + 1]


@settings(max_examples=examples(60), deadline=None)
@given(rows=ROWS, person=st.lists(ONE, min_size=1, max_size=3), epsilon=st.sampled_from([0.1, 1.0, 3.0]))
def test_the_draw_of_a_trimming_release_costs_its_epsilon(
    rows: list[tuple[str, str]], person: list[tuple[str, str]], epsilon: float
) -> None:
    # Levels are kept from the lowest: no row counts a whole one there, and the rate makes up for it.
    limits: dict[str, tuple[int | None, int | None]] = {"age": (1, None), "city": (1, None)}
    nodes, heights = public_nodes(BOTH, limits=limits), [one.height for one in BOTH.values()]
    worth = Fraction(max(row_worth(list(node.values()), heights) for node in nodes), UNIT)
    assert worth == Fraction(1, 4)
    judgement = judged(Score.TRIMMED, 1, 1.0)
    rate = judgement.rate(Fraction(str(epsilon)), len(BOTH), len(person), worth)
    assert rate == 4 * judgement.rate(Fraction(str(epsilon)), len(BOTH), len(person))
    for draw in Draw:
        without, with_them = (
            selection_probabilities(scores_of(table_of(some), BOTH, nodes, judgement), rate, draw)
            for some in (rows, [*rows, *person])
        )
        ratios = with_them / without
        assert ratios.max() <= math.exp(epsilon) * (1 + 1e-9)
        assert ratios.min() >= math.exp(-epsilon) * (1 - 1e-9)


def test_each_mechanism_is_judged_by_what_it_keeps() -> None:
    rows = [("21", "Athens")] * 40 + [("31", "Oslo")] * 40
    law = trim_law(Fraction(1), Fraction(1, 100_000))
    trimmed = chosen(rows, law=law).choice
    assert (trimmed.search.score, trimmed.judgement.score, trimmed.judgement.law) == (*[Score.TRIMMED] * 2, law)
    assert "trimmed" in trimmed.judgement.words
    assert chosen(rows).choice.search.score is Score.KEPT_DETAIL
    compared = choose_levels(
        table_of(rows), BOTH, PrivateSearch(1.0, score=Score.CLASSES), k=12, beta=1.0, source=SeededSource(3), law=law
    )
    assert compared.choice.judgement.score is Score.CLASSES
    promise = Promise(TrimGuarantee(1, 1e-5), PrivateSearch(0.2))
    assert promise.search == PrivateSearch(0.2, score=Score.TRIMMED)
    assert Promise(SIMPLE, PrivateSearch(0.2, score=Score.TRIMMED)).search == PrivateSearch(0.2)
    with pytest.raises(WorkbenchError) as caught:
        scores_of(table_of(rows), BOTH, NODES, LevelScoring(Score.TRIMMED, 1, 1.0))
    assert caught.value.field == "score"


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
    scores = scores_of(table_of(rows), BOTH, NODES, LevelScoring(Score.KEPT_DETAIL, 1, 1.0))
    assert len(NODES) == 6 and len(set(scores)) > 3
    rate = Fraction(epsilon) / UNIT
    p = [math.exp(epsilon * (score - max(scores)) / UNIT) for score in scores]
    assert selection_probabilities(scores, rate, Draw.EXPONENTIAL) == pytest.approx([x / sum(p) for x in p], rel=1e-12)
    enumerated = permute_and_flip_by_enumeration(p)
    assert selection_probabilities(scores, rate, Draw.PERMUTE_AND_FLIP) == pytest.approx(enumerated, rel=1e-12)


@pytest.mark.parametrize("draw", Draw)
def test_draws_follow_their_probabilities(draw: Draw) -> None:
    scores = [0, 2, 4, 5, 18]
    rate, runs = Fraction(1, 5), 20_000
    source = SeededSource(11)
    counts = Counter(draw_position(scores, rate, draw, source) for _ in range(runs))
    expected = selection_probabilities(scores, rate, draw) * runs
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


def chosen(rows: list[tuple[str, str]], epsilon: float = 1.0, **other: Any) -> DrawnLevels:
    wanted = {"k": 10, "beta": 1.0, "source": SeededSource(3), "hierarchies": BOTH, **other}
    return choose_levels(table_of(rows), wanted.pop("hierarchies"), PrivateSearch(epsilon), **wanted)


def test_levels_are_chosen_and_what_it_cost_is_said() -> None:
    rows = [("21", "Athens")] * 40 + [("25", "Patras")] * 40 + [("31", "Oslo")] * 40
    drawn = chosen(rows, 5.0)
    # Nothing need be generalised for 40 rows each, and ε is large enough to see that.
    assert drawn.choice.levels == {"age": 0, "city": 0}
    assert (drawn.choice.search.epsilon, drawn.choice.nodes, drawn.choice.judgement.threshold) == (5.0, 6, 10)
    assert not drawn.choice.secure
    assert chosen(rows, source=SecureSource()).choice.secure
    assert drawn.likeliest[0].levels == {"age": 0, "city": 0}
    assert drawn.chance == drawn.likeliest[0].probability > 0.9
    assert len(drawn.likeliest) == 5


def test_a_person_with_more_rows_gets_a_flatter_draw() -> None:
    rows = [("21", "Athens")] * 20 + [("31", "Oslo")] * 20
    chances = [chosen(rows, 0.5, rows_per_person=c).likeliest[0].probability for c in (1, 2, 8)]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > chances[2]
    # c rows at ε are as one row at ε/c.
    assert chances[1] == pytest.approx(chosen(rows, 0.25).likeliest[0].probability)


def test_the_draw_does_not_see_which_values_the_hierarchy_happens_to_list() -> None:
    # A hierarchy by a public rule may list the values of the data; one more of them must not change any score.
    longer = Hierarchy.from_rows([*AGES.rows(), ("77", "70s", "*"), ("78", "70s", "*")])
    rows = [("21", "Athens")] * 9 + [("25", "Patras")] * 7
    for score in Score:
        judgement = judged(score, 2, 0.5)
        assert scores_of(table_of(rows), BOTH, NODES, judgement) == scores_of(
            table_of(rows), {**BOTH, "age": longer}, NODES, judgement
        )


def test_columns_grouped_as_they_are_count_in_the_grouping() -> None:
    as_it_is = {"age": AGES, "city": Hierarchy.from_levels(CITIES.values, ())}
    assert {frozenset(node.items()) for node in public_nodes(as_it_is)} == {
        frozenset({"age": level, "city": 0}.items()) for level in range(3)
    }
    rows = [("21", "Athens")] * 3 + [("21", "Oslo")] * 3
    assert (
        scores_of(table_of(rows), as_it_is, public_nodes(as_it_is), LevelScoring(Score.CLASSES, 3, 1.0))
        == [2 * UNIT] * 3
    )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"hierarchies": {}}, "hierarchies"),
        ({"hierarchies": {"city": Hierarchy.from_levels(CITIES.values, ())}}, "hierarchies"),
        ({"limits": {"age": (2, 1)}}, "age"),
        ({"k": 0}, "k"),
    ],
)
def test_what_leaves_no_choice_is_refused(change: dict[str, Any], field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        chosen([("21", "Athens")], **change)
    assert caught.value.field == field


@pytest.mark.parametrize("epsilon", [0.0, -1.0, 11.0, float("nan"), float("inf")])
def test_an_epsilon_that_is_none_is_refused(epsilon: float) -> None:
    with pytest.raises(WorkbenchError) as caught:
        PrivateSearch(epsilon)
    assert caught.value.field == "search_epsilon"


def test_an_empty_table_gets_a_choice_like_any_other() -> None:
    assert chosen([]).choice.levels in NODES


def test_choosing_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        chosen([("21", "Athens")], progress=Progress(token=token))


def test_the_total_is_the_sum_of_what_was_typed_and_never_less() -> None:
    release = guarantee(epsilon=0.2, delta=1e-5)
    assert Promise(release, PrivateSearch(0.1)).epsilon == 0.3
    assert Promise(release, PrivateSearch(0.1)).search_epsilon == 0.1
    assert Promise(release).epsilon == 0.2
    assert Promise(release).split == ""
    words = Promise(release, PrivateSearch(0.1)).split
    assert words == "ε 0.3 = 0.1 for choosing the levels + 0.2 for the release"


@settings(max_examples=examples(50), deadline=None)
@given(search=st.floats(1e-3, 9))
def test_the_total_is_rounded_up(search: float) -> None:
    promise = Promise(SIMPLE, PrivateSearch(search))
    exact = Fraction(repr(search)) + Fraction(repr(SIMPLE.epsilon))
    assert exact <= Fraction(repr(promise.epsilon)) <= exact * (1 + Fraction(1, 10**15))


def test_degrees_round_halves_up() -> None:
    heights = {degree: degree_levels(BOTH, degree) for degree in Degree}
    assert heights[Degree.NONE] == {"age": 0, "city": 0}
    assert heights[Degree.LOW] == {"age": 0, "city": 0}
    assert heights[Degree.MEDIUM] == {"age": 1, "city": 1}
    assert heights[Degree.COMPLETE] == {"age": 2, "city": 1}
    by_height = [math.floor(float(Degree.HIGH.share) * height + 0.5) for height in range(6)]
    assert by_height == [0, 1, 2, 2, 3, 4]


def test_degrees_stay_within_the_limits() -> None:
    assert degree_levels(BOTH, Degree.COMPLETE, {"age": (0, 1)}) == {"age": 1, "city": 1}
    assert degree_levels(BOTH, Degree.NONE, {"age": (1, 2)}) == {"age": 1, "city": 0}


def output_distribution(
    rows: list[tuple[str, str]], promise: Promise, draw: Draw
) -> dict[tuple[int, tuple[tuple[tuple[str, ...], int], ...]], float]:
    """Every pair of levels and released file, with its probability: the whole mechanism, by enumeration.

    The released file is, per class, the number of sampled rows if that is at least k. Classes are sampled
    independently of each other and of the draw of the levels.
    """
    assert promise.search is not None
    judgement = LevelScoring(promise.search.score, promise.k, promise.beta)
    rate = judgement.rate(Fraction(repr(promise.search.epsilon)), len(BOTH), promise.rows_per_person)
    chances = selection_probabilities(scores_of(table_of(rows), BOTH, NODES, judgement), rate, draw)
    found: dict[tuple[int, tuple[tuple[tuple[str, ...], int], ...]], float] = defaultdict(float)
    for position, node in enumerate(NODES):
        classes = sorted(classes_by_hand(rows, node).items())
        for sampled in product(*[range(count + 1) for _, count in classes]):
            probability = float(chances[position])
            seen = []
            for (labels, count), some in zip(classes, sampled, strict=True):
                probability *= math.comb(count, some) * promise.beta**some * (1 - promise.beta) ** (count - some)
                if some >= promise.k:
                    seen.append((labels, some))
            found[position, tuple(seen)] += probability
    return found


@pytest.mark.parametrize("draw", Draw)
@pytest.mark.parametrize("score", [Score.KEPT_DETAIL, Score.INTENSITY])
def test_search_and_release_together_keep_what_is_promised(draw: Draw, score: Score) -> None:
    release = guarantee(epsilon=0.8, beta=0.5, k=2)
    promise = Promise(release, PrivateSearch(0.5, draw, score))
    tables = [
        [("20", "Athens")] * a + [("21", "Athens")] * b + [("35", "Oslo")] * c
        for a, b, c in [(2, 1, 0), (1, 1, 1), (3, 0, 2), (2, 2, 2), (0, 0, 1)]
    ]
    worst = 0.0
    for rows in tables:
        for more in (("20", "Athens"), ("21", "Athens"), ("35", "Oslo")):
            pair = [output_distribution(some, promise, draw) for some in (rows, [*rows, more])]
            for one, other in (pair, pair[::-1]):
                excess = sum(
                    max(0.0, p - math.exp(promise.epsilon) * other.get(output, 0.0)) for output, p in one.items()
                )
                worst = max(worst, excess)
    assert 0 < worst <= promise.delta
