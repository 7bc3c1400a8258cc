"""Which node is looked at next: a guess that costs time where it is wrong, and nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.anonymise import look_order
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.look_order import LookOrder
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.search import find_best
from workbench.anonymise.utility import MetricChoice
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table

SIZES = (12, 9, 2, 20)


def problem(limit: float, metric: str = "loss") -> SearchProblem:
    """Skewed columns, with levels of threes and `*`, that have nothing to do with one another."""
    rng = np.random.default_rng(7)
    columns, hierarchies = [], {}
    for place, size in enumerate(SIZES):
        codes = np.minimum(rng.geometric(2.5 / (size + 3), 1500) - 1, size - 1).astype(np.uint8)
        columns.append(Column(f"c{place}", codes, tuple(map(str, range(size)))))
        hierarchies[f"c{place}"] = Hierarchy.from_rows([(str(one), f"{one // 3} of 3", "*") for one in range(size)])
    models = [ModelChoice.parse("k=5")]
    return prepare(
        Table(tuple(columns)), hierarchies, models, metric=MetricChoice.parse(metric), suppression_limit=limit
    )


@pytest.mark.parametrize("limit", [0.01, 0.04, 0.3, 1.0])
@pytest.mark.parametrize("metric", ["loss", "loss=maximum", "loss=rank", "discernibility", "precision"])
def test_the_order_of_looks_changes_nothing_but_how_many_there_are(
    monkeypatch: pytest.MonkeyPatch, limit: float, metric: str
) -> None:
    monkeypatch.setattr(look_order, "_MOST_SUPPRESSED", 1.0)
    asked = problem(limit, metric)
    assert LookOrder.fits(asked)
    guessed = find_best(asked)
    monkeypatch.setattr(look_order, "_MOST_NODES", 0)
    assert not LookOrder.fits(asked)
    climbed = find_best(asked)
    assert (guessed.levels, guessed.score, guessed.suppressed) == (climbed.levels, climbed.score, climbed.suppressed)
    assert guessed.optimal
    assert climbed.optimal


@pytest.mark.parametrize(("limit", "fits"), [(0.0, False), (0.0001, False), (0.04, True), (0.1, True), (0.2, False)])
def test_guesses_are_made_where_few_rows_may_be_suppressed_but_some(limit: float, fits: bool) -> None:
    assert LookOrder.fits(problem(limit)) == fits


def test_who_has_guessed_too_often_climbs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = problem(0.04)
    guessed = find_best(asked)
    monkeypatch.setattr(look_order, "_MOST_LOOKS", 2)
    climbed = find_best(asked)
    assert guessed.levels == climbed.levels
    assert climbed.optimal


def test_a_guess_is_near_where_columns_have_nothing_to_do_with_one_another() -> None:
    asked = problem(0.04)
    order = LookOrder(asked, np.ones(asked.lattice.size))
    for number in range(0, asked.lattice.size, 7):
        levels = asked.lattice.levels(number)
        order.looked(number, levels, _lost(asked, levels))
    guess = 1 / (1 + np.exp(-order._guessed()))
    wrong = [
        abs(guess[number] - _lost(asked, asked.lattice.levels(number)) / asked.rows)
        for number in range(asked.lattice.size)
    ]
    assert sum(wrong) / len(wrong) < 0.05
    # What was looked at is known.
    assert max(wrong[::7]) < 0.01


def test_the_node_named_is_one_nobody_has_looked_at_that_shuts_more_than_itself() -> None:
    asked = problem(0.04)
    order, bounds = LookOrder(asked, np.ones(asked.lattice.size)), np.ones(asked.lattice.shape)
    seen: list[int] = []
    while (number := order.next(bounds, math.inf)) is not None:
        assert number not in seen
        seen.append(number)
        levels = asked.lattice.levels(number)
        lost = _lost(asked, levels)
        order.looked(number, levels, lost)
        if lost > asked.most_suppressed:
            bounds[asked.lattice.below(levels)] = np.inf
    assert 1 < len(seen) < asked.lattice.size
    bounds[...] = np.inf
    assert order.next(bounds, 1.0) is None


def test_how_nodes_stand_to_one_is_told_in_the_order_of_their_numbers() -> None:
    asked = problem(0.04)
    order, lattice = LookOrder(asked, np.ones(asked.lattice.size)), asked.lattice
    here = lattice.levels(23)
    every = [lattice.levels(number) for number in range(lattice.size)]
    away = [sum(abs(a - b) for a, b in zip(one, here, strict=True)) for one in every]
    above = [any(a > b for a, b in zip(one, here, strict=True)) for one in every]
    assert order._of_halves(here, look_order._AWAY).tolist() == away
    assert order._of_halves(here, look_order._ABOVE).tolist() == above


def _lost(asked: SearchProblem, levels: tuple[int, ...]) -> int:
    return Evaluator(asked, 0).judge(levels).unavoidable
