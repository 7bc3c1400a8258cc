"""Searches by brute force: every model and metric worked out once more, as its definition says; and six people."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import strategies as st

from workbench.anonymise.cone_search import search_cones
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.outcome import SearchResult
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.search import evaluate, find_best
from workbench.anonymise.utility import MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table

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
            Goal(
                choices,
                metric=MetricChoice.parse(metric),
                suppression_limit=limit,
                weights=dict(zip(case.names, weights, strict=True)),
                sensitive_hierarchies={"disease": DISEASES} if "hierarchical-t-closeness" in names else {},
            ),
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
