"""Nodes of a large table refuted by their rarest classes: never one that brute force allows, and the same optimum."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.anonymise.brute_force import DEMANDS, SCORES, Case, cases, check
from tests.anonymise.test_search import LIMITS
from tests.properties import examples
from workbench.anonymise import look_order, rare_cells
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import prepare
from workbench.anonymise.rare_cells import RareCells, RareLabels
from workbench.anonymise.search import find_best
from workbench.core.counting import counts_of
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table


@settings(max_examples=examples(150), deadline=None)
@given(
    case=cases(),
    more=st.lists(st.sampled_from(sorted(set(DEMANDS) - {"k-anonymity"})), max_size=2, unique=True),
    metric=st.sampled_from(sorted(SCORES)),
    limit=LIMITS,
    witnesses=st.integers(0, 12),
)
def test_the_optimum_is_that_of_brute_force(
    case: Case, more: list[str], metric: str, limit: float, witnesses: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rare_cells, "WORTH_IT", 1)
        patch.setattr(rare_cells, "_WORTH_LABELS", 1)
        patch.setattr(rare_cells, "_SPARED", 1)
        patch.setattr(rare_cells, "_WITNESSES", witnesses)
        patch.setattr(rare_cells, "_PARTED", 0)
        patch.setattr(rare_cells, "_SAMPLED", 1)
        check(case, ["k-anonymity", *more], metric, limit, [1.0] * len(case.hierarchies))


def uneven(rows: int, seed: int) -> tuple[Table, dict[str, Hierarchy]]:
    """Three columns of skewed numbers, with fives, twenties and `*` above them."""
    rng = np.random.default_rng(seed)
    lines = [(str(v), f"{v // 5} fives", f"{v // 20} twenties", "*") for v in range(60)]
    values = tuple(line[0] for line in lines)
    codes = [np.minimum(rng.geometric(0.1, rows) - 1, 59).astype(np.uint8) for _ in "abc"]
    columns = tuple(Column(name, one, values) for name, one in zip("abc", codes, strict=True))
    return Table(columns), dict.fromkeys("abc", Hierarchy.from_rows(lines))


def refutes_what_is_infeasible(
    kind: type[RareCells] | type[RareLabels], seed: int, limit: float, models: list[str]
) -> None:
    table, hierarchies = uneven(5000, seed)
    sensitive = {model.partition(":")[2] for model in models}
    given_to = {name: one for name, one in hierarchies.items() if name not in sensitive}
    problem = prepare(table, given_to, Goal([ModelChoice.parse(model) for model in models], suppression_limit=limit))
    rare = kind(problem.bottom, problem.layout, problem.lattice, problem.smallest_class, problem.most_suppressed)
    evaluator = Evaluator(problem, 1 << 20)
    refuted = 0
    for levels in product(*[range(high + 1) for high in problem.lattice.high]):
        if rare.refute(levels):
            refuted += 1
            assert evaluator.judge(levels).unavoidable > problem.most_suppressed
    assert refuted > 0


@pytest.mark.parametrize(("limit", "models"), [(0.0, ["k=5"]), (0.01, ["k=5"]), (0.0, ["k=3", "l-diversity=2:c"])])
def test_what_is_refuted_is_infeasible_and_so_is_everything_below(
    limit: float, models: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rare_cells, "_WITNESSES", 200)
    refutes_what_is_infeasible(RareCells, 3, limit, models)


@pytest.mark.parametrize(
    ("limit", "models"),
    [(0.0, ["k=5"]), (0.001, ["k=5"]), (0.03, ["k=5"]), (0.02, ["k=9"]), (0.02, ["k=3", "l-diversity=2:c"])],
)
@pytest.mark.parametrize("parted", [0, 1 << 14])
def test_what_the_rarest_labels_refute_is_infeasible_and_so_is_everything_below(
    limit: float, models: list[str], parted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where of the rows with these labels fewer are looked at first, those with rare labels of a second column."""
    monkeypatch.setattr(rare_cells, "_PARTED", parted)
    monkeypatch.setattr(rare_cells, "_WITNESSES", 20)
    refutes_what_is_infeasible(RareLabels, 5, limit, models)


def test_where_rows_may_be_suppressed_the_rarest_labels_spare_counting_all(monkeypatch: pytest.MonkeyPatch) -> None:
    # As in tables that are large enough for it: what is not counted teaches no guess.
    monkeypatch.setattr(look_order, "_MOST_ROWS", 0)
    table, hierarchies = uneven(5000, seed=6)
    problem = prepare(table, hierarchies, Goal([ModelChoice.parse("k=9")], suppression_limit=0.03))
    plain = find_best(problem)
    monkeypatch.setattr(rare_cells, "_WITNESSES", 100)
    monkeypatch.setattr(rare_cells, "_WORTH_LABELS", 100)
    judged: list[object] = []
    whole = Evaluator.judge
    monkeypatch.setattr(Evaluator, "judge", lambda self, levels: judged.append(levels) or whole(self, levels))
    found = find_best(problem)
    assert (found.levels, found.score, found.nodes_checked) == (plain.levels, plain.score, plain.nodes_checked)
    assert len(judged) < plain.nodes_checked


@pytest.mark.parametrize("cells", [1 << 16, 0])
def test_a_large_table_is_refuted_without_counting_all_of_it(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    """Nor where there are too many classes near the top to sort out: then the rarest labels refute."""
    table, hierarchies = uneven(5000, seed=4)
    problem = prepare(table, hierarchies, Goal([ModelChoice.parse("k=5")]))
    plain = find_best(problem)
    monkeypatch.setattr(rare_cells, "WORTH_IT", 100)
    monkeypatch.setattr(rare_cells, "_WORTH_LABELS", 100)
    monkeypatch.setattr(rare_cells, "_MOST_CELLS", cells)
    judged: list[object] = []
    whole = Evaluator.judge
    monkeypatch.setattr(Evaluator, "judge", lambda self, levels: judged.append(levels) or whole(self, levels))
    found = find_best(problem)
    assert (found.levels, found.score, found.nodes_checked) == (plain.levels, plain.score, plain.nodes_checked)
    assert len(judged) < plain.nodes_checked / 2


def test_most_nodes_are_refuted_by_few_of_the_rows_with_the_rarest_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    table, hierarchies = uneven(5000, seed=5)
    problem = prepare(table, hierarchies, Goal([ModelChoice.parse("k=5")]))
    monkeypatch.setattr(rare_cells, "_WITNESSES", 5)
    plain, sizes = rare_cells.roll_up, list[int]()
    monkeypatch.setattr(rare_cells, "roll_up", lambda rows, to: sizes.append(len(rows)) or plain(rows, to))

    def looked(parted: int) -> tuple[int, int]:
        """Nodes that are refuted, and rows that were looked at."""
        monkeypatch.setattr(rare_cells, "_PARTED", parted)
        made = (problem.bottom, problem.layout, problem.lattice, problem.smallest_class, problem.most_suppressed)
        rare = RareLabels(*made)
        sizes.clear()
        nodes = product(*[range(high + 1) for high in problem.lattice.high])
        return sum(rare.refute(levels) for levels in nodes), sum(sizes)

    (refuted, whole), (again, few) = looked(1 << 14), looked(20)
    assert refuted == again > 0, "the same is found out"
    assert few < whole, "by fewer rows"


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int32, np.int64])
@pytest.mark.parametrize("rows", [0, 1, 999, (1 << 16) + 1, (1 << 18) + 7])
def test_small_numbers_are_counted_as_numpy_counts_them(kind: type, rows: int) -> None:
    kinds = 200 if kind is np.uint8 else 70_000 if kind is np.int64 else 3000
    codes = np.random.default_rng(rows).integers(0, kinds, rows).astype(kind)
    assert np.array_equal(counts_of(codes, kinds), np.bincount(codes, minlength=kinds))
    assert counts_of(codes[::2], kinds).sum() == len(codes[::2])
