"""What a class that fails must lose at least, worked out once more in fractions from the rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tests.anonymise.brute_force import DISEASES, ordered_distance, shares, total_variation
from tests.anonymise.brute_force import POPULATION_VALUES as VALUES
from workbench.anonymise import closeness
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.models import t_closeness
from workbench.anonymise.privacy import ClassRequirement, ModelChoice, TableRequirement
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table

GROUPS = 14
PLACES = Hierarchy.from_rows([(f"p{one:02}", "*") for one in range(GROUPS)])


def drawn(seed: int) -> list[tuple[str, str, str]]:
    """People of fourteen places, whose illnesses are skewed differently at each; the first ones are small."""
    rng = np.random.default_rng(seed)
    rows = []
    for place in range(GROUPS):
        weights = rng.dirichlet([0.6] * 4)
        for _ in range(1 + place * 2 + int(rng.integers(0, 3))):
            rows.append(
                (f"p{place:02}", str(rng.choice(list("1234"), p=weights)), "no" if rng.random() < 0.4 else "yes")
            )
    return rows


def asked(rows: Sequence[tuple[str, str, str]], model: str) -> SearchProblem:
    columns = [Column.from_texts(name, [row[at] for row in rows]) for at, name in enumerate(("place", "illness", "in"))]
    tree = {"illness": DISEASES}
    return prepare(
        Table(tuple(columns)),
        {"place": PLACES},
        Goal([ModelChoice.parse(model)], suppression_limit=1.0, sensitive_hierarchies=tree),
    )


def told(rows: Sequence[tuple[str, str, str]], model: str) -> tuple[list[bool], list[int]]:
    """Whether each place is released, and what those that are not must lose at least, 0 of the others."""
    problem = asked(rows, model)
    classes = Evaluator(problem, 0).judge(problem.lattice.low).classes
    (demand,) = problem.requirements
    assert isinstance(demand, ClassRequirement)
    holds = demand.holds(classes)
    failing = np.flatnonzero(~holds)
    lost = np.zeros(len(classes), dtype=np.int64)
    lost[failing] = demand.least_lost(classes, failing)
    return holds.tolist(), lost.tolist()


def up(share: Fraction | float) -> int:
    return math.ceil(share - Fraction(1, 10**6))


def by_place(rows: Sequence[tuple[str, str, str]]) -> list[tuple[list[str], int]]:
    """The illnesses of those who are in, and how many people there are."""
    places = sorted({place for place, *_ in rows})
    return [
        ([ill for one, ill, mark in rows if (one, mark) == (place, "yes")], sum(one == place for one, *_ in rows))
        for place in places
    ]


def all_in(rows: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    return [(place, ill, "yes") for place, ill, _ in rows]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("least", [1.5, 2.2, 3.0])
def test_entropy(seed: int, least: float) -> None:
    """n·H(whole) ≥ (n − a)·H(rest), so a ≥ n − n·H/ln l."""
    rows = all_in(drawn(seed))
    holds, lost = told(rows, f"entropy-l-diversity={least}:illness")
    for (inside, _), fine, gone in zip(by_place(rows), holds, lost, strict=True):
        n = len(inside)
        bits = n * math.log(n) - sum(c * math.log(c) for c in Counter(inside).values())
        assert fine == (bits >= n * math.log(least) - 1e-9)
        assert gone == (0 if fine else min(max(up(n - bits / math.log(least)), 1), n))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("c", "least"), [(1.5, 2), (2.0, 3), (0.5, 2)])
def test_recursive(seed: int, c: float, least: int) -> None:
    """The most frequent one must get below c times the tail, which never grows."""
    rows = all_in(drawn(seed))
    holds, lost = told(rows, f"recursive-l-diversity={c},{least}:illness")
    for (inside, _), fine, gone in zip(by_place(rows), holds, lost, strict=True):
        counts = sorted(Counter(inside).values(), reverse=True)
        excess = counts[0] - Fraction(c) * sum(counts[least - 1 :])
        assert fine == (excess < 0)
        assert gone == (0 if fine else min(max(up(excess), 1), len(inside)))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("t", [0.1, 0.25, 0.4])
def test_ordered_and_hierarchical_closeness(monkeypatch: pytest.MonkeyPatch, seed: int, t: float) -> None:
    """n·d ≤ (n − a)·t + a·D, with D the distance of the farthest distribution there is."""
    monkeypatch.setattr(closeness, "_CHUNK_CELLS", 13)
    rows = all_in(drawn(seed))
    everybody = [ill for _, ill, _ in rows]
    VALUES[0] = tuple(sorted(set(everybody)))
    farthest = max(ordered_distance([one], everybody) for one in (min(everybody), max(everybody)))
    trees = [{value: value for value in VALUES[0]}, {value: "low" if value in "12" else "high" for value in VALUES[0]}]

    def tree_distance(inside: list[str]) -> Fraction:
        return sum(
            (
                total_variation(shares([up[one] for one in inside]), shares([up[one] for one in everybody]))
                for up in trees
            ),
            Fraction(0),
        ) / len(trees)

    rarest = sum((1 - min(shares([up[one] for one in everybody]).values()) for up in trees), Fraction(0)) / len(trees)
    for model, distance, most in (
        ("ordered-t-closeness", lambda inside: ordered_distance(inside, everybody), farthest),
        ("hierarchical-t-closeness", tree_distance, rarest),
    ):
        holds, lost = told(rows, f"{model}={t}:illness")
        for (inside, _), fine, gone in zip(by_place(rows), holds, lost, strict=True):
            n, far = len(inside), distance(inside)
            assert fine == (far <= Fraction(str(t)))
            wanted = n * (far - Fraction(t)) / (most - Fraction(t))
            assert gone == (0 if fine else min(max(up(wanted), 1), n))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("t", [0.1, 0.25, 0.4])
def test_closeness(monkeypatch: pytest.MonkeyPatch, seed: int, t: float) -> None:
    """m rows can be kept only if Σ min(n_v, m·q_v) ≥ (1 − t)·m."""
    monkeypatch.setattr(t_closeness, "_STEPS", 30)
    rows = all_in(drawn(seed))
    everybody = shares([ill for _, ill, _ in rows])
    holds, lost = told(rows, f"t-closeness={t}:illness")
    for (inside, _), fine, gone in zip(by_place(rows), holds, lost, strict=True):
        counts, n = Counter(inside), len(inside)
        assert fine == (total_variation(shares(inside), everybody) <= Fraction(str(t)))
        kept = [
            m for m in range(n)
            if sum((min(Fraction(rows), m * everybody[v]) for v, rows in counts.items()), Fraction(0))
            >= (1 - Fraction(str(t))) * m
        ]  # fmt: skip
        assert gone == (0 if fine else n - max(kept))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("limits", [(0.3, 0.5), (0.0, 0.34), (0.6, 0.6), (0.2, 1.0)])
def test_presence(seed: int, limits: tuple[float, float]) -> None:
    """Of too many, so many go that the rest is a small enough part of all; of too few none need go."""
    rows = drawn(seed)
    holds, lost = told(rows, f"d-presence={limits[0]},{limits[1]}:in=yes")
    least, most = (Fraction(str(limit)) for limit in limits)
    for (inside, people), fine, gone in zip(by_place(rows), holds, lost, strict=True):
        n = len(inside)
        assert fine == (not n or least * people <= n <= most * people)
        assert gone == (0 if fine else min(max(up(n - people * most), 0), n))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("beta", "variant"), [(0.5, "basic"), (1.0, "basic"), (0.9, "enhanced"), (3.0, "enhanced")])
def test_likeness(seed: int, beta: float, variant: str) -> None:
    """c − a ≤ limit·(n − a) for every value."""
    rows = all_in(drawn(seed))
    everybody = shares([ill for _, ill, _ in rows])
    holds, lost = told(rows, f"b-likeness={beta},{variant}:illness")
    gains = {v: min(beta, -math.log(q)) if variant == "enhanced" else beta for v, q in everybody.items()}
    limits = {v: min(float(q) * (1 + gains[v]), 1.0) for v, q in everybody.items()}
    for (inside, _), fine, gone in zip(by_place(rows), holds, lost, strict=True):
        n, counts = len(inside), Counter(inside)
        over = [v for v, c in counts.items() if c > limits[v] * n * (1 + 1e-12)]
        wanted = max(((counts[v] - limits[v] * n) / (1 - limits[v]) for v in over), default=0.0)
        assert fine == (not over)
        assert gone == (0 if fine else min(max(up(wanted), 1), n))


@pytest.mark.parametrize("share", [0.1, 0.21, 0.25, 0.34, 0.5, 1.0])
def test_average_risk(share: float) -> None:
    """The smallest go size by size until there are few enough classes; of a finer node they may go one by one."""
    rows = all_in(drawn(5))
    (demand,) = asked(rows, f"average-risk={share}").requirements
    assert isinstance(demand, TableRequirement)
    limit = Fraction(str(share))
    for sizes in product((0, 1, 2, 5, 9), (1, 3), (2, 3, 10), (4,)):
        kept = sorted(size for size in sizes if size)
        sound = [at for at in range(len(kept)) if len(kept) - at <= sum(kept[at:]) * limit]
        whole = [kept[at] for at in sound if not at or kept[at - 1] < kept[at]]
        assert demand.smallest_kept(np.array(sizes)) == (whole[0] if whole else kept[-1] + 1)
        assert demand.least_lost(np.array(sizes)) == sum(kept[: sound[0]] if sound else kept)
    none = np.zeros(2, dtype=np.int64)
    assert (demand.smallest_kept(none), demand.least_lost(none)) == (1, 0)


@pytest.mark.parametrize(
    ("model", "smallest"),
    [
        ("k=7", 7), ("l=3:illness", 3), ("entropy-l-diversity=2.2:illness", 3), ("entropy-l-diversity=3:illness", 3),
        ("recursive-l-diversity=2,3:illness", 3), ("t=0.3:illness", 1), ("b-likeness=1:illness", 1),
        ("d-presence=0.1,0.9:in=yes", 1), ("k-map=5:in=yes", 1),
    ],
)  # fmt: skip
def test_a_class_of_fewer_rows_is_never_released(model: str, smallest: int) -> None:
    (demand,) = asked(drawn(1), model).requirements
    assert isinstance(demand, ClassRequirement)
    assert demand.smallest_class == smallest
