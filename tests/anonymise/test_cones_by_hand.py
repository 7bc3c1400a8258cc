"""Searching cone by cone: the same best nodes as by looking at all, how far it looks, and where it stops."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from workbench.anonymise.cone_search import search_cones
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.outcome import SearchResult
from workbench.anonymise.problem import ModelChoice, SearchProblem
from workbench.anonymise.search import evaluate, find_best, prepare
from workbench.anonymise.utility import MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table

EIGHT = Hierarchy.from_rows([(str(v), f"{v // 2}a", f"{v // 4}b", "*") for v in range(8)])
SKEWED = Hierarchy.from_rows([(str(v), "low" if v < 6 else str(v), "*") for v in range(8)])


def problem(seed: int, rows: int, metric: str, limit: float = 0.1, columns: int = 4) -> SearchProblem:
    draw = np.random.default_rng(seed)
    texts = [[str(v) for v in draw.integers(0, draw.integers(2, 9), rows)] for _ in range(columns)]
    table = Table(tuple(Column.from_texts(f"c{at}", some) for at, some in enumerate(texts)))
    hierarchies = {f"c{at}": (EIGHT, SKEWED)[at % 2] for at in range(columns)}
    models = [ModelChoice("k-anonymity", {"k": 4})]
    return prepare(table, hierarchies, Goal(models, metric=MetricChoice.parse(metric), suppression_limit=limit))


def in_cones(
    asked: SearchProblem, seconds: float | None = None, nodes: int | None = None, progress: Progress = SILENT
) -> SearchResult:
    return search_cones(asked, Evaluator(asked, 1 << 20), seconds, nodes, progress)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("metric", ["loss", "loss=rank", "loss=maximum", "discernibility", "non-uniform-entropy"])
def test_the_best_is_that_of_all_nodes(seed: int, metric: str) -> None:
    asked = problem(seed, 60, metric)
    found, whole = in_cones(asked), find_best(asked)
    assert (found.levels, found.score, found.suppressed) == (whole.levels, whole.score, whole.suppressed)
    assert found.optimal and found.gap == 0 and found.nodes == 144
    assert 2 <= found.nodes_checked <= 120, "many are shut by others"
    every = [
        evaluate(asked, dict(zip(asked.names, levels, strict=True)))
        for levels in product(*(range(a, b + 1) for a, b in zip(asked.lattice.low, asked.lattice.high, strict=True)))
    ]
    assert found.score == pytest.approx(min(one.score for one in every if one.feasible))


@pytest.mark.parametrize("metric", ["loss", "precision", "discernibility", "average-class-size", "non-uniform-entropy"])
def test_more_nodes_shut_others_than_were_foreseen(metric: str) -> None:
    """Of 1,728 nodes at least 65 and at most a quarter are looked at."""
    asked = problem(1, 300, metric, columns=6)
    found, whole = in_cones(asked), find_best(asked)
    assert (found.levels, found.score, found.optimal) == (whole.levels, whole.score, True)
    assert 64 < found.nodes_checked < found.nodes // 4


@pytest.mark.parametrize("nodes", [1, 2, 5, 20, 60])
@pytest.mark.parametrize("metric", ["loss", "loss=rank", "discernibility"])
def test_a_search_that_is_stopped_says_how_far_it_may_be_off(metric: str, nodes: int) -> None:
    asked = problem(1, 300, metric, columns=6)
    best = find_best(asked)
    found = in_cones(asked, nodes=nodes)
    assert found.nodes_checked > nodes, "what is allowed is used"
    assert found.nodes_checked <= nodes + 12, "one way up at most is looked at beyond it"
    assert found.score - found.gap <= best.score <= found.score
    assert found.optimal is (found.gap == 0 and found.levels == best.levels and found.nodes_checked <= nodes)


def test_without_time_the_highest_node_alone_is_known() -> None:
    asked = problem(2, 60, "loss")
    found = in_cones(asked, seconds=1e-9)
    assert (found.nodes_checked, found.optimal) == (1, False)
    assert found.score == pytest.approx(1.0) and found.gap > 0
    assert in_cones(asked, seconds=3600.0).optimal and in_cones(asked, nodes=10_000).optimal


def test_where_only_the_highest_node_is_out_of_reach_nothing_was_found_in_time() -> None:
    """Nothing can be suppressed and two rows are alone in a column that keeps its values."""
    flat = Hierarchy.from_rows([(str(v), f"{v // 4}b") for v in range(8)])
    table = Table((Column.from_texts("a", [*"0123" * 5, "7", "7"]),))
    asked = prepare(table, {"a": flat}, Goal([ModelChoice("k-anonymity", {"k": 4})], suppression_limit=0.0))
    with pytest.raises(WorkbenchError, match="even at the highest levels") as caught:
        in_cones(asked)
    assert caught.value.field == "suppression_limit"


def test_what_is_done_is_the_larger_share_of_nodes_and_time() -> None:
    shares: list[float] = []
    asked = problem(1, 300, "loss", columns=6)
    in_cones(asked, nodes=40, progress=Progress(lambda share, text: shares.append(share)))
    assert shares[0] == 0 and shares[-1] == 1
    assert shares[1:-1] == pytest.approx([at / 40 for at in range(1, len(shares) - 1)])
    timed: list[float] = []
    in_cones(asked, seconds=1e6, nodes=40, progress=Progress(lambda share, text: timed.append(share)))
    assert [round(share, 2) for share in timed] == [round(share, 2) for share in shares]
