"""The search against brute force: every privacy model and every loss metric from its definition, on small lattices."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise import evaluation, keys
from workbench.anonymise.cone_search import search_cones
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.outcome import Incumbent, SearchResult
from workbench.anonymise.privacy import MODELS, Background, ModelChoice, TableRequirement
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.recode import apply
from workbench.anonymise.search import Effort, evaluate, find_best, optimise
from workbench.anonymise.separable import SeparableLoss
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.contracts.syntactic import bounds_hold
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.table import Column, Table
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.reading import read_table

DISEASES = Hierarchy.from_rows([("1", "low", "*"), ("2", "low", "*"), ("3", "high", "*"), ("4", "high", "*")])


@dataclass(frozen=True)
class Case:
    """A small table: quasi-identifiers, one sensitive value and one mark per row."""

    rows: tuple[tuple[str, ...], ...]
    sensitive: tuple[str, ...]
    marks: tuple[str, ...]
    hierarchies: tuple[Hierarchy, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"q{position}" for position in range(len(self.hierarchies)))

    def table(self) -> Table:
        columns = [Column.from_texts(name, [row[i] for row in self.rows]) for i, name in enumerate(self.names)]
        columns.append(Column.from_texts("disease", self.sensitive))
        columns.append(Column.from_texts("mark", self.marks))
        return Table(tuple(columns))

    def by_name(self) -> dict[str, Hierarchy]:
        return dict(zip(self.names, self.hierarchies, strict=True))


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    """Nested levels over the numbers 0, 1, …; not every one ends in a single label."""
    size = draw(st.integers(1, 6))
    levels = [list(range(size))]
    for _ in range(draw(st.integers(0, 3))):
        below = levels[-1]
        merged = {label: draw(st.integers(0, max(below))) for label in sorted(set(below))}
        levels.append([merged[label] for label in below])
    if draw(st.booleans()):
        levels.append([0] * size)
    return Hierarchy.from_rows(
        [
            tuple(f"{level[i]}" if depth == 0 else f"L{depth}.{level[i]}" for depth, level in enumerate(levels))
            for i in range(size)
        ]
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    chosen = tuple(draw(hierarchies()) for _ in range(draw(st.integers(1, 3))))
    count = draw(st.integers(2, 24))
    row = st.tuples(*[st.sampled_from(hierarchy.values) for hierarchy in chosen])
    rows = tuple(draw(st.lists(row, min_size=count, max_size=count)))
    sensitive = tuple(draw(st.lists(st.sampled_from("1234"), min_size=count, max_size=count)))
    marks = tuple(draw(st.lists(st.sampled_from(("yes", "no")), min_size=count, max_size=count)))
    return Case(rows, sensitive, ("yes", *marks[1:]), chosen)


# Privacy models, from their definitions. `inside` holds the sensitive values of the released rows of a class,
# `people` counts the rows of the population in it, `everybody` holds the sensitive values of all released rows.

Demand = Callable[[Sequence[str], int, Sequence[str]], bool]


def entropy_is_at_least(inside: Sequence[str], least: Fraction) -> bool:
    counts, rows = Counter(inside).values(), len(inside)
    # exp(H) ≥ l, both sides to the power of the number of rows: n^n / Π c^c ≥ l^n.
    return Fraction(rows**rows, math.prod(c**c for c in counts)) >= least**rows


def recursive(inside: Sequence[str], c: Fraction, least: int) -> bool:
    counts = sorted(Counter(inside).values(), reverse=True)
    return counts[0] < c * sum(counts[least - 1 :])


def shares(values: Sequence[str]) -> dict[str, Fraction]:
    return {value: Fraction(count, len(values)) for value, count in Counter(values).items()}


def total_variation(p: Mapping[str, Fraction], q: Mapping[str, Fraction]) -> Fraction:
    return sum((abs(p.get(v, Fraction(0)) - q.get(v, Fraction(0))) for v in {*p, *q}), Fraction(0)) / 2


def ordered_distance(inside: Sequence[str], everybody: Sequence[str]) -> Fraction:
    p, q = shares(inside), shares(everybody)
    flow, moved = Fraction(0), Fraction(0)
    order = sorted(POPULATION_VALUES[0], key=float)
    for value in order:
        flow += p.get(value, Fraction(0)) - q.get(value, Fraction(0))
        moved += abs(flow)
    return moved / max(len(order) - 1, 1)


def tree_distance(inside: Sequence[str], everybody: Sequence[str]) -> Fraction:
    """Earth mover's distance on the tree of DISEASES, by moving as much as possible low in the tree first."""
    left = {v: shares(inside).get(v, Fraction(0)) - shares(everybody).get(v, Fraction(0)) for v in DISEASES.values}
    cost = Fraction(0)
    for level in range(1, DISEASES.height + 1):
        groups: dict[int, list[str]] = defaultdict(list)
        for position, value in enumerate(DISEASES.values):
            groups[int(DISEASES.maps[level][position])].append(value)
        for members in groups.values():
            more = sum((left[v] for v in members if left[v] > 0), Fraction(0))
            less = -sum((left[v] for v in members if left[v] < 0), Fraction(0))
            moved = min(more, less)
            cost += moved * Fraction(level, DISEASES.height)
            for sign in (1, -1):
                amount = moved
                for v in members:
                    if left[v] * sign > 0 and amount > 0:
                        taken = min(left[v] * sign, amount)
                        left[v] -= sign * taken
                        amount -= taken
    return cost


def likeness(inside: Sequence[str], everybody: Sequence[str], beta: float, enhanced: bool) -> bool:
    p, q = shares(inside), shares(everybody)
    for value, share in p.items():
        gain = min(beta, -math.log(q[value])) if enhanced else beta
        if float(share) > float(q[value]) * (1 + gain) * (1 + 1e-12):
            return False
    return True


POPULATION_VALUES: list[tuple[str, ...]] = [()]
"""The sensitive values of the table at hand, for the ordered distance."""

T = Fraction(3, 10)
DEMANDS: dict[str, tuple[ModelChoice, Demand]] = {
    "k-anonymity": (ModelChoice("k-anonymity", {"k": 2}), lambda inside, people, all_: len(inside) >= 2),
    "l-diversity": (
        ModelChoice("l-diversity", {"l": 2, "column": "disease"}),
        lambda inside, people, all_: len(set(inside)) >= 2,
    ),
    "entropy-l-diversity": (
        ModelChoice("entropy-l-diversity", {"l": 1.8, "column": "disease"}),
        lambda inside, people, all_: entropy_is_at_least(inside, Fraction(9, 5)),
    ),
    "recursive-l-diversity": (
        ModelChoice("recursive-l-diversity", {"c": 2.0, "l": 2, "column": "disease"}),
        lambda inside, people, all_: recursive(inside, Fraction(2), 2),
    ),
    "t-closeness": (
        ModelChoice("t-closeness", {"t": 0.3, "column": "disease"}),
        lambda inside, people, all_: total_variation(shares(inside), shares(all_)) <= T,
    ),
    "ordered-t-closeness": (
        ModelChoice("ordered-t-closeness", {"t": 0.3, "column": "disease"}),
        lambda inside, people, all_: ordered_distance(inside, all_) <= T,
    ),
    "hierarchical-t-closeness": (
        ModelChoice("hierarchical-t-closeness", {"t": 0.3, "column": "disease"}),
        lambda inside, people, all_: tree_distance(inside, all_) <= T,
    ),
    "b-likeness": (
        ModelChoice("b-likeness", {"beta": 0.8, "column": "disease"}),
        lambda inside, people, all_: likeness(inside, all_, 0.8, True),
    ),
    "k-map": (
        ModelChoice("k-map", {"k": 3, "subset_column": "mark", "subset_value": "yes"}),
        lambda inside, people, all_: people >= 3,
    ),
    "d-presence": (
        ModelChoice("d-presence", {"least": 0.2, "most": 0.6, "subset_column": "mark", "subset_value": "yes"}),
        lambda inside, people, all_: Fraction(1, 5) <= Fraction(len(inside), people) <= Fraction(3, 5),
    ),
    "average-risk": (ModelChoice("average-risk", {"threshold": 0.5}), lambda inside, people, all_: True),
}


@dataclass(frozen=True)
class Group:
    """One class of a node: its labels, and the row numbers to be released."""

    labels: tuple[str, ...]
    released: tuple[int, ...]
    people: int


def groups_of(case: Case, levels: Sequence[int], part: bool) -> list[Group]:
    members: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, row in enumerate(case.rows):
        labels = []
        for value, hierarchy, level in zip(row, case.hierarchies, levels, strict=True):
            labels.append(hierarchy.labels[level][hierarchy.maps[level][hierarchy.values.index(value)]])
        members[tuple(labels)].append(number)
    return [
        Group(labels, tuple(n for n in numbers if not part or case.marks[n] == "yes"), len(numbers))
        for labels, numbers in members.items()
    ]


def split(case: Case, levels: Sequence[int], names: Sequence[str], part: bool) -> tuple[list[Group], list[Group]]:
    """Classes that are kept and classes that are suppressed."""
    everybody = [value for n, value in enumerate(case.sensitive) if not part or case.marks[n] == "yes"]
    occupied = [group for group in groups_of(case, levels, part) if group.released]
    kept = [
        group
        for group in occupied
        if all(DEMANDS[name][1]([case.sensitive[n] for n in group.released], group.people, everybody) for name in names)
    ]
    if "average-risk" in names:
        while kept and 2 * len(kept) > sum(len(group.released) for group in kept):
            smallest = min(len(group.released) for group in kept)
            kept = [group for group in kept if len(group.released) > smallest]
    return kept, [group for group in occupied if group not in kept]


# Loss metrics, from their definitions.


def share_of(hierarchy: Hierarchy, level: int, label: str) -> int:
    code = hierarchy.labels[level].index(label)
    return int((hierarchy.maps[level] == code).sum())


def loss_per_attribute(case: Case, levels: Sequence[int], kept: list[Group], gone: list[Group]) -> list[float]:
    rows = sum(len(group.released) for group in kept + gone)
    losses = []
    for position, (hierarchy, level) in enumerate(zip(case.hierarchies, levels, strict=True)):
        domain = len(hierarchy.values)
        total = sum(len(g.released) * share_of(hierarchy, level, g.labels[position]) for g in kept)
        total += domain * sum(len(g.released) for g in gone)
        least = Fraction(1, domain)
        exact = (Fraction(total, rows * domain) - least) / (1 - least) if domain > 1 else Fraction(0)
        losses.append(float(max(exact, Fraction(0))))
    return losses


def loss_metric(aggregate: str) -> Callable[..., float]:
    def score(
        case: Case, levels: Sequence[int], kept: list[Group], gone: list[Group], weights: Sequence[float]
    ) -> float:
        losses = loss_per_attribute(case, levels, kept, gone)
        weighted = [loss * weight for loss, weight in zip(losses, weights, strict=True)]
        if aggregate == "geometric":
            return math.prod(1 + x for x in weighted) ** (1 / len(weighted)) - 1
        return sum(weighted) / len(weighted) if aggregate == "arithmetic" else max(weighted)

    return score


def precision(
    case: Case, levels: Sequence[int], kept: list[Group], gone: list[Group], weights: Sequence[float]
) -> float:
    stay, lost = (sum(len(g.released) for g in part) for part in (kept, gone))
    lifted = 0.0
    for hierarchy, level, weight in zip(case.hierarchies, levels, weights, strict=True):
        lifted += weight * (stay * (level / max(hierarchy.height, 1)) + lost) / (stay + lost)
    return lifted / len(levels)


def entropy_metric(
    case: Case, levels: Sequence[int], kept: list[Group], gone: list[Group], weights: Sequence[float]
) -> float:
    bits = 0.0
    for position, weight in enumerate(weights):
        values = Counter(case.rows[n][position] for g in kept + gone for n in g.released)
        labels: Counter[str] = Counter()
        lost: Counter[str] = Counter()
        for part, suppressed in ((kept, False), (gone, True)):
            for g in part:
                labels[g.labels[position]] += len(g.released)
                if suppressed:
                    lost[g.labels[position]] += len(g.released)
        for g in kept + gone:
            for n in g.released:
                bits += weight * math.log2(labels[g.labels[position]] / values[case.rows[n][position]])
        bits += weight * sum(count * math.log2(sum(lost.values()) / count) for count in lost.values())
    return bits


def discernibility(
    case: Case, levels: Sequence[int], kept: list[Group], gone: list[Group], weights: Sequence[float]
) -> float:
    rows = sum(len(g.released) for g in kept + gone)
    return float(sum(len(g.released) ** 2 for g in kept) + rows * sum(len(g.released) for g in gone))


def class_size(
    case: Case, levels: Sequence[int], kept: list[Group], gone: list[Group], weights: Sequence[float]
) -> float:
    return sum(len(g.released) for g in kept + gone) / (len(kept) + bool(gone))


def ambiguity(
    case: Case, levels: Sequence[int], kept: list[Group], gone: list[Group], weights: Sequence[float]
) -> float:
    total = 0
    for g in kept:
        parts = zip(case.hierarchies, levels, g.labels, strict=True)
        total += len(g.released) * math.prod(share_of(h, level, label) for h, level, label in parts)
    total += sum(len(g.released) for g in gone) * math.prod(len(h.values) for h in case.hierarchies)
    return total / sum(len(g.released) for g in kept + gone)


def squared_error(
    case: Case, levels: Sequence[int], kept: list[Group], gone: list[Group], weights: Sequence[float]
) -> float:
    errors = []
    for position, (hierarchy, level, weight) in enumerate(zip(case.hierarchies, levels, weights, strict=True)):
        numbers = [float(value) for value in hierarchy.values]
        middle = (min(numbers) + max(numbers)) / 2
        error = whole = 0.0
        for part, suppressed in ((kept, False), (gone, True)):
            for g in part:
                try:
                    out = float(g.labels[position])
                except ValueError:
                    code = hierarchy.labels[level].index(g.labels[position])
                    under = [x for x, c in zip(numbers, hierarchy.maps[level], strict=True) if c == code]
                    out = (min(under) + max(under)) / 2
                for n in g.released:
                    x = float(case.rows[n][position])
                    error += (x - (middle if suppressed else out)) ** 2
                    whole += (x - middle) ** 2
        errors.append(weight * error / whole if whole else 0.0)
    return sum(errors) / len(errors)


SCORES: dict[str, Callable[..., float]] = {
    "loss": loss_metric("geometric"),
    "loss=arithmetic": loss_metric("arithmetic"),
    "loss=maximum": loss_metric("maximum"),
    "loss=rank": loss_metric("rank"),
    "precision": precision,
    "non-uniform-entropy": entropy_metric,
    "discernibility": discernibility,
    "average-class-size": class_size,
    "ambiguity": ambiguity,
    "squared-error": squared_error,
}


def prepared(
    case: Case, names: Sequence[str], metric: str, limit: float, weights: Sequence[float]
) -> SearchProblem | None:
    """The problem, or None if the models can see at once that nothing satisfies them."""
    choices = []
    for name in names:
        choices.append(DEMANDS[name][0])
    try:
        return prepare(
            case.table(),
            case.by_name(),
            choices,
            metric=metric,
            suppression_limit=limit,
            weights=dict(zip(case.names, weights, strict=True)),
            sensitive_hierarchies={"disease": DISEASES} if "hierarchical-t-closeness" in names else None,
        )
    except WorkbenchError as error:
        assert error.field in {"k", "l", "threshold"}
        return None


def check(case: Case, names: Sequence[str], metric: str, limit: float, weights: Sequence[float]) -> None:
    problem = prepared(case, names, metric, limit, weights)
    if problem is None:
        return
    part = any(DEMANDS[name][0].subset is not None for name in names)
    POPULATION_VALUES[0] = tuple(set(case.sensitive))
    rows = sum(1 for mark in case.marks if not part or mark == "yes")
    allowed = math.floor(Fraction(repr(limit)) * rows)
    scores: dict[tuple[int, ...], float] = {}
    ranks: dict[tuple[int, ...], list[float]] = {}
    for levels in product(*[range(hierarchy.height + 1) for hierarchy in case.hierarchies]):
        kept, gone = split(case, levels, names, part)
        suppressed = sum(len(group.released) for group in gone)
        facts = evaluate(problem, dict(zip(case.names, levels, strict=True)))
        score = SCORES[metric](case, levels, kept, gone, weights)
        assert (facts.suppressed, facts.feasible) == (suppressed, suppressed <= allowed), levels
        assert facts.classes == len(kept)
        assert facts.score == pytest.approx(score, rel=1e-9, abs=1e-9)
        if suppressed <= allowed:
            scores[levels] = score
            losses = loss_per_attribute(case, levels, kept, gone)
            ranks[levels] = sorted((x * w for x, w in zip(losses, weights, strict=True)), reverse=True)
    if not scores:
        with pytest.raises(WorkbenchError) as caught:
            find_best(problem)
        assert caught.value.field == "suppression_limit"
        return
    for found in (find_best(problem), find_best_in_cones(problem)):
        levels = tuple(found.levels[name] for name in case.names)
        assert found.optimal and found.gap == 0
        assert levels in scores
        assert found.score == pytest.approx(scores[levels], rel=1e-9, abs=1e-9)
        assert found.score == pytest.approx(min(scores.values()), rel=1e-9, abs=1e-9)
        if metric == "loss=rank":
            best = min([round(x, 9) for x in rank] for rank in ranks.values())
            assert ranks[levels] == pytest.approx(best, abs=1e-8)


def find_best_in_cones(problem: SearchProblem) -> SearchResult:
    return search_cones(problem, Evaluator(problem, 1 << 20), None, None)


LIMITS = st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])
WEIGHTS = st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=3, max_size=3)


@pytest.mark.parametrize("metric", sorted(SCORES))
@pytest.mark.parametrize("model", sorted(DEMANDS))
@settings(max_examples=examples(6), deadline=None)
@given(case=cases(), limit=LIMITS, weights=WEIGHTS)
def test_the_best_node_is_the_one_brute_force_finds(
    model: str, metric: str, case: Case, limit: float, weights: list[float]
) -> None:
    check(case, [model], metric, limit, weights[: len(case.hierarchies)])


@settings(max_examples=examples(100), deadline=None)
@given(
    case=cases(),
    names=st.lists(st.sampled_from(sorted(DEMANDS)), min_size=2, max_size=4, unique=True),
    metric=st.sampled_from(sorted(SCORES)),
    limit=LIMITS,
)
def test_models_combine(case: Case, names: list[str], metric: str, limit: float) -> None:
    check(case, names, metric, limit, [1.0] * len(case.hierarchies))


def test_every_model_and_metric_is_compared_with_brute_force() -> None:
    assert {model.identifier for model in MODELS} == set(DEMANDS)
    assert {metric.identifier for metric in METRICS} == {name.partition("=")[0] for name in SCORES}


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=cases(), limit=LIMITS, also=st.booleans(), dense=st.booleans())
def test_merging_sensitive_values_changes_nothing_that_a_look_finds(
    case: Case, limit: float, also: bool, dense: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether keys are counted by address or sorted, and whichever table a node is counted from."""
    names = ["l-diversity", "k-anonymity"] if also else ["l-diversity"]
    problem = prepared(case, names, "loss", limit, [1.0] * len(case.hierarchies))
    if problem is None:
        return
    with monkeypatch.context() as patched:
        if not dense:
            patched.setattr(keys, "_addressed", lambda entries, radix: False)
        merged = Evaluator(problem, 1 << 20)
        patched.setattr(evaluation, "_may_merge", lambda problem, ground: False)
        whole = Evaluator(problem, 1 << 20)
        for levels in problem.lattice:
            one, other = merged.judge(levels), whole.judge(levels)
            assert len(one.classes.groups) == len(one.classes) == len(other.classes)
            assert one.classes.sizes.tolist() == other.classes.sizes.tolist()
            assert (one.failing.tolist(), one.lost.tolist()) == (other.failing.tolist(), other.lost.tolist())
            assert (one.suppressed, one.unavoidable, one.feasible) == (
                other.suppressed,
                other.unavoidable,
                other.feasible,
            )
            scored = [problem.loss.score_and_bound(levels, it.classes, it.failing, it.lost)[0] for it in (one, other)]
            assert scored[0] == scored[1]


def check_bounds(case: Case, names: Sequence[str], metric: str, limit: float) -> None:
    problem = prepared(case, names, metric, limit, [1.0] * len(case.hierarchies))
    if problem is None:
        return
    bounds_hold(problem)


@settings(max_examples=examples(100), deadline=None)
@given(case=cases(), limit=LIMITS, data=st.data())
def test_bounds_hold_for_every_node_below_and_above(case: Case, limit: float, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(DEMANDS)), min_size=1, max_size=2, unique=True))
    check_bounds(case, names, data.draw(st.sampled_from(sorted(SCORES))), limit)


def test_a_suppressed_number_may_be_nearer_to_the_truth_than_a_generalised_one() -> None:
    lines = [(str(v), "far" if v in (0, 4) else "rest", "*") for v in range(10)]
    case = Case((("4",), ("9",), ("9",)), ("1", "2", "3"), ("yes",) * 3, (Hierarchy.from_rows(lines),))
    check_bounds(case, ["k-anonymity"], "squared-error", 1.0)
    check(case, ["k-anonymity"], "squared-error", 1.0, [1.0])


def test_what_finer_nodes_must_lose_is_not_overestimated() -> None:
    average = ModelChoice("average-risk", {"threshold": 0.5})
    demand = average.model.fit(average.checked(), Background(7, 7))
    assert isinstance(demand, TableRequirement)
    sizes = np.array([1, 4, 1, 1])
    # Three of the classes have one row and are dropped together, although dropping one would do.
    assert demand.smallest_kept(sizes) == 4
    assert demand.least_lost(sizes) == 1
    # Ten people share the labels of the one released row; a finer class may have the row and two of them.
    alone = Case((("0",),) * 2 + (("1",),) * 8, ("1",) * 10, ("yes",) + ("no",) * 9, (hierarchy_of_two(),))
    check(alone, ["d-presence"], "loss", 0.0, [1.0])
    check_bounds(alone, ["d-presence"], "loss", 0.0)


def test_the_rows_a_frequent_value_must_lose_are_counted_to_the_row() -> None:
    hierarchy = Hierarchy.from_rows([("a", "A", "*"), ("b", "A", "*"), ("c", "C", "*")])
    rows = [("a", "1")] * 2 + [("b", "1")] * 4 + [("b", "2")] * 4 + [("c", "2")] * 14
    table = Table(tuple(Column.from_texts(n, [row[i] for row in rows]) for i, n in enumerate(("place", "illness"))))
    # A quarter of the table has value 1, so half of a class may. Of A, 6 of 10 have it; the two rows of `a` must go.
    model = ModelChoice("b-likeness", {"beta": 1.0, "variant": "basic", "column": "illness"})
    evaluator = Evaluator(prepare(table, {"place": hierarchy}, [model], suppression_limit=1.0), 0)
    assert evaluator.judge((1,)).unavoidable == evaluator.judge((0,)).suppressed == 2


@given(
    others=st.lists(st.integers(0, 6), min_size=2, max_size=4),
    inside=st.lists(st.integers(0, 4), min_size=2, max_size=4),
    t=st.sampled_from((0.05, 0.2, 0.5, 0.9)),
    k=st.sampled_from((1, 2, 4)),
)
@settings(max_examples=examples(150), deadline=None)
def test_no_more_is_lost_to_t_closeness_than_the_largest_part_that_is_close(
    others: list[int], inside: list[int], t: float, k: int
) -> None:
    """Every part of a class is tried; the bound is never above what is lost then."""
    values = [str(v) for v in range(4) for _ in range([*inside, 0, 0][v])]
    rest = [str(v) for v in range(4) for _ in range([*others, 0, 0][v])]
    everybody = values + rest
    if not values or not rest or len(everybody) < k:
        return
    parts = [
        dict(zip("0123", counts, strict=True)) for counts in product(*[range(values.count(v) + 1) for v in "0123"])
    ]
    close = 0
    for part in parts:
        size = sum(part.values())
        if size > close and size >= k:
            of_part = {v: Fraction(count, size) for v, count in part.items()}
            if total_variation(of_part, shares(everybody)) <= Fraction(repr(t)):
                close = size
    place = [("in", "*")] * len(values) + [("out", "*")] * len(rest)
    table = Table((Column.from_texts("place", [p for p, _ in place]), Column.from_texts("illness", everybody)))
    models = [ModelChoice("t-closeness", {"t": t, "column": "illness"})]
    models += [ModelChoice("k-anonymity", {"k": k})] if k > 1 else []
    hierarchy = Hierarchy.from_rows([("in",), ("out",)])
    evaluator = Evaluator(prepare(table, {"place": hierarchy}, models, suppression_limit=1.0), 0)
    judgement = evaluator.judge((0,))
    lost = {int(c): int(rows) for c, rows in zip(judgement.failing, judgement.lost, strict=True)}.get(0, 0)
    assert lost <= len(values) - close


def test_a_class_of_too_few_values_is_known_to_be_lost_whole() -> None:
    rows = [("in", "1")] * 4 + [("in", "2")] * 2 + [("out", value) for value in "123456" for _ in range(6)]
    table = Table(tuple(Column.from_texts(n, [row[i] for row in rows]) for i, n in enumerate(("place", "illness"))))
    hierarchy = Hierarchy.from_rows([("in",), ("out",)])
    model = ModelChoice("t-closeness", {"t": 0.3, "column": "illness"})
    judgement = Evaluator(prepare(table, {"place": hierarchy}, [model], suppression_limit=1.0), 0).judge((0,))
    # Values 1 and 2 are 18 of 42 rows of the table, and no part of a class of them alone is within 0.3.
    assert (judgement.failing.tolist(), judgement.lost.tolist()) == ([0], [6])


def hierarchy_of_two() -> Hierarchy:
    return Hierarchy.from_rows([("0", "*"), ("1", "*")])


def test_an_equal_largest_loss_does_not_end_the_search_by_rank() -> None:
    best = Incumbent()
    problem = prepare(SIX, BOTH, [ModelChoice("k-anonymity", {"k": 3})], metric="loss=rank")
    judgement = Evaluator(problem, 0).judge((1, 1))
    best.offer((1.0, 0.8), 3, (1, 1), judgement)
    assert best.beaten_by(1.0, 7) and not best.beaten_by(1.1, 2)
    best.offer((1.0, 0.5), 7, (1, 2), judgement)
    assert best.number == 7


@pytest.mark.parametrize("metric", ["non-uniform-entropy", "squared-error"])
def test_a_bound_of_what_suppression_costs_never_exceeds_it(metric: str) -> None:
    """Not by a rounding either: it decides which combinations are not looked at."""
    hierarchies = {"age": AGES} if metric == "squared-error" else BOTH
    loss = prepare(SIX, hierarchies, [ModelChoice("k-anonymity", {"k": 2})], metric=metric).loss
    assert isinstance(loss, SeparableLoss)
    for attribute, hierarchy in enumerate(hierarchies.values()):
        for level in range(hierarchy.height + 1):
            rows = np.full(len(hierarchy.labels[level]), 1.0)
            below = loss.penalties_below(attribute, level, 0, rows)
            assert below.shape == (level + 1,)
            exact = loss.penalty(attribute, level, rows)
            assert exact * (1 - 1e-9) <= below[-1] <= exact


# The search as a whole


AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)])
CITIES = Hierarchy.from_rows([("Athens", "Greece", "*"), ("Patras", "Greece", "*"), ("Oslo", "Norway", "*")])


def people(*rows: tuple[str, str, str]) -> Table:
    columns = zip(*rows, strict=True)
    return Table(tuple(Column.from_texts(n, list(c)) for n, c in zip(("age", "city", "illness"), columns, strict=True)))


SIX = people(
    ("21", "Athens", "flu"),
    ("22", "Patras", "flu"),
    ("23", "Athens", "cold"),
    ("31", "Oslo", "cold"),
    ("32", "Oslo", "flu"),
    ("33", "Oslo", "cold"),
)
BOTH = {"age": AGES, "city": CITIES}


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
    problem = prepare(SIX, BOTH, [ModelChoice.parse(one) for one in models.split()])
    assert problem.counted is not None
    assert evaluation._may_merge(problem, problem.counted) == may


def test_levels_are_named_and_the_reasons_are_there() -> None:
    found = optimise(SIX, BOTH, [ModelChoice("k-anonymity", {"k": 3})])
    assert found.levels == {"age": 1, "city": 1}
    assert (found.suppressed, found.nodes, found.optimal) == (0, 9, True)
    problem = prepare(SIX, BOTH, [ModelChoice("k-anonymity", {"k": 3})])
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
        problem = prepare(table, BOTH, [ModelChoice("k-anonymity", {"k": k})], metric=metric, suppression_limit=1.0)
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
    alone = prepare(SIX, {"age": AGES}, choice, metric="squared-error")
    beside = prepare(table, {"age": AGES, "city": CITIES, "room": rooms}, choice, metric="squared-error")
    for age in range(3):
        facts = evaluate(beside, {"age": age, "city": 1, "room": 1})
        assert facts.score == pytest.approx(evaluate(alone, {"age": age}).score, abs=1e-12)
        assert facts.losses["city"] == facts.losses["room"] == 0
    with pytest.raises(WorkbenchError) as caught:
        prepare(table, {"city": CITIES, "room": rooms}, choice, metric="squared-error")
    assert caught.value.field == "metric"


def test_limits_and_weights_are_respected() -> None:
    choice = [ModelChoice("k-anonymity", {"k": 3})]
    assert optimise(SIX, BOTH, choice, limits={"city": (2, None)}).levels == {"age": 1, "city": 2}
    assert optimise(SIX, BOTH, choice, limits={"age": (None, 1)}).levels["age"] == 1
    assert optimise(SIX, BOTH, choice, limits={"age": (2, 2)}).levels == {"age": 2, "city": 1}
    with pytest.raises(WorkbenchError) as caught:
        optimise(SIX, BOTH, choice, limits={"age": (0, 0)})
    assert caught.value.field == "suppression_limit"


def test_a_suppression_limit_is_read_as_it_was_typed() -> None:
    rows = [("21", "Athens", "flu")] * 71 + [("31", "Oslo", "flu")] * 29
    problem = prepare(people(*rows), BOTH, [ModelChoice("k-anonymity")], suppression_limit=0.29)
    assert problem.most_suppressed == 29


def test_a_search_can_be_cancelled_and_reports_what_is_decided() -> None:
    seen: list[float] = []
    optimise(
        SIX, BOTH, [ModelChoice("k-anonymity", {"k": 3})], progress=Progress(lambda share, text: seen.append(share))
    )
    assert seen == sorted(seen) and seen[-1] == 1.0
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        optimise(SIX, BOTH, [ModelChoice("k-anonymity", {"k": 3})], progress=Progress(token=token))


def test_a_search_that_stops_early_says_so_and_by_how_much_it_may_be_off() -> None:
    rng = np.random.default_rng(5)
    hierarchy = Hierarchy.from_rows([(str(v), f"{v // 2}a", f"{v // 4}b", f"{v // 8}c", "*") for v in range(16)])
    columns = [Column.from_texts(f"c{i}", [str(v) for v in rng.integers(0, 16, 300)]) for i in range(4)]
    table = Table(tuple(columns))
    every = dict.fromkeys(table.names, hierarchy)
    best = optimise(table, every, [ModelChoice("k-anonymity")], suppression_limit=0.1)
    early = optimise(table, every, [ModelChoice("k-anonymity")], suppression_limit=0.1, effort=Effort(nodes=4))
    assert best.optimal and best.gap == 0
    assert not early.optimal
    assert early.score - early.gap <= best.score <= early.score


def test_a_lattice_beyond_memory_is_searched_as_long_as_allowed() -> None:
    rng = np.random.default_rng(6)
    hierarchy = Hierarchy.from_rows([(str(v), f"{v // 2}a", f"{v // 4}b", f"{v // 8}c", "*") for v in range(16)])
    table = Table(tuple(Column.from_texts(f"c{i}", [str(v) for v in rng.integers(0, 16, 200)]) for i in range(12)))
    every = dict.fromkeys(table.names, hierarchy)
    found = optimise(table, every, [ModelChoice("k-anonymity")], suppression_limit=0.1, effort=Effort(nodes=150))
    assert found.nodes == 5**12
    assert found.gap >= 0 and found.nodes_checked <= 151 + 10
    facts = evaluate(prepare(table, every, [ModelChoice("k-anonymity")], suppression_limit=0.1), found.levels)
    assert facts.feasible and facts.score == pytest.approx(found.score)
    with pytest.raises(WorkbenchError) as caught:
        optimise(table, every, [ModelChoice("k-anonymity")], effort=Effort(optimal=True))
    assert caught.value.field == "search"


def test_a_search_by_rank_that_stops_early_does_not_claim_to_know_about_ties() -> None:
    """The highest node loses everything in every column, and so do, in the column that counts first, many others."""
    hierarchy = Hierarchy.from_rows([(str(v), f"{v // 2}a", "*") for v in range(8)])
    rng = np.random.default_rng(7)
    table = Table(tuple(Column.from_texts(f"c{i}", [str(v) for v in rng.integers(0, 8, 60)]) for i in range(6)))
    problem = prepare(table, dict.fromkeys(table.names, hierarchy), [ModelChoice("k-anonymity")], metric="loss=rank")
    whole = search_cones(problem, Evaluator(problem, 1 << 20), None, None)
    early = search_cones(problem, Evaluator(problem, 1 << 20), None, 1)
    assert whole.optimal
    assert early.levels != whole.levels
    assert not early.optimal


def test_cones_say_that_nothing_is_feasible() -> None:
    ages = Table((Column.from_texts("age", ["21", "22", "31", "32"]),))
    tens = Hierarchy.from_rows([(text, text[0]) for text in ("21", "22", "31", "32")])
    problem = prepare(ages, {"age": tens}, [ModelChoice.parse("k=3")])
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
    problem = prepare(table, every, [ModelChoice("k-anonymity")], suppression_limit=1.0)
    for level in (0, 1):
        facts = evaluate(problem, dict.fromkeys(table.names, level))
        labels = Counter(map(tuple, (rows if level == 0 else rows // 50).tolist()))
        assert sorted(facts.sizes.tolist()) == sorted(count for count in labels.values() if count >= 5)


def test_the_optimum_of_the_adult_data(shared_data: Path) -> None:
    folder = shared_data / "adult"
    table = read_table(folder / "adult.csv").table
    every = {name: read_hierarchy(folder / f"adult_hierarchy_{name}.csv") for name in table.names}
    found = optimise(table, every, [ModelChoice("k-anonymity", {"k": 5})], suppression_limit=0.04)
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


# Bad input


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
        ({"hierarchies": {"city": CITIES}, "metric": "squared-error"}, "metric"),
        ({"hierarchies": {"age": AGES, "nowhere": CITIES}}, "nowhere"),
        ({"hierarchies": {"illness": CITIES}}, "illness"),
    ],
)
def test_contradictions_are_refused_by_name(change: dict, field: str) -> None:
    wanted = {"hierarchies": BOTH, "models": [ModelChoice("k-anonymity", {"k": 2})], **change}
    with pytest.raises(WorkbenchError) as caught:
        optimise(SIX, wanted.pop("hierarchies"), wanted.pop("models"), **wanted)
    assert caught.value.field == field
    assert caught.value.hint


def test_models_disagreeing_on_the_released_rows_are_refused() -> None:
    models = [
        ModelChoice("k-map", {"k": 2, "subset_column": "illness", "subset_value": "flu"}),
        ModelChoice("d-presence", {"subset_column": "illness", "subset_value": "cold"}),
    ]
    with pytest.raises(WorkbenchError) as caught:
        optimise(SIX, BOTH, models)
    assert caught.value.field == "subset_column"


def test_an_empty_table_is_refused() -> None:
    empty = SIX.take(np.array([], dtype=np.intp))
    with pytest.raises(WorkbenchError) as caught:
        optimise(empty, BOTH, [ModelChoice("k-anonymity", {"k": 2})])
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


# Applying a node


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
    common = {"sensitive_hierarchies": {"disease": DISEASES}, "keep": ["mark"]}
    models = [DEMANDS[name][0] for name in names]
    done = apply(case.table(), case.by_name(), dict(zip(case.names, levels, strict=True)), models, 1.0, **common)
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
        models,
        1.0,
        on_suppressed="mark",
        **common,
    )
    assert marked.table.rows == len(expected) + done.suppressed
    assert int((~marked.kept).sum()) == done.suppressed
    for position in np.flatnonzero(~marked.kept).tolist():
        assert set(marked.table.row(position)) == {"*"}


def test_levels_at_which_too_much_fails_are_refused() -> None:
    with pytest.raises(WorkbenchError) as caught:
        apply(SIX, BOTH, {"age": 0, "city": 0}, [ModelChoice("k-anonymity", {"k": 2})], 0.5)
    assert caught.value.field == "suppression_limit"


def test_only_columns_that_were_asked_for_are_released() -> None:
    done = apply(SIX, BOTH, {"age": 1, "city": 1}, [ModelChoice("k-anonymity", {"k": 3})])
    assert done.table.names == ("age", "city")
    with pytest.raises(WorkbenchError):
        apply(SIX, BOTH, {"age": 1, "city": 1}, [ModelChoice("k-anonymity", {"k": 3})], keep=["age"])
    with pytest.raises(WorkbenchError):
        apply(SIX, BOTH, {"age": 1}, [ModelChoice("k-anonymity", {"k": 3})])
