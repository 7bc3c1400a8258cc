"""Which node is looked at next: a guess that costs time where it is wrong, and nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.anonymise import look_order
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
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
        Table(tuple(columns)), hierarchies, Goal(models, metric=MetricChoice.parse(metric), suppression_limit=limit)
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


def test_before_any_look_the_guess_is_that_of_columns_by_themselves() -> None:
    """Of n·Π p around its mean, by the shares p of the labels of each column."""
    asked = problem(0.04)
    order = LookOrder(asked, np.ones(asked.lattice.size))
    for number, levels in enumerate(asked.lattice):
        mean = spread = 0.0
        for one, level in zip(asked.attributes, levels, strict=True):
            shares = [rows / asked.rows for rows in one.counts[level].tolist() if rows]
            here = sum(p * math.log(p) for p in shares)
            mean += here
            spread += sum(p * math.log(p) ** 2 for p in shares) - here**2
        wanted = 1.7 * (math.log(5 / asked.rows) - mean) / math.sqrt(spread + 0.3)
        assert order._guessed()[number] == pytest.approx(wanted)


def test_looks_correct_the_guess_all_of_them_together_and_the_nearest_most() -> None:
    """A line is fitted to them, which is held near the guess, and what the last one of the nearest is off it fades."""
    asked = problem(0.04)
    lattice = asked.lattice
    order = LookOrder(asked, np.ones(lattice.size))
    before = order._guessed().copy()
    looks = {3: 1499, 11: 700, 20: 40, 50: 1500, 77: 0}
    for number, lost in looks.items():
        order.looked(number, lattice.levels(number), lost)
    order.looked(60, lattice.levels(60), None)  # not counted, so it teaches nothing
    found = [math.log(lost / (1500 - lost)) for lost in (1499, 700, 40, 1499.5, 0.5)]
    given = [[1.0, before[number]] for number in looks]
    firm = [[math.sqrt(0.1), 0.0], [0.0, math.sqrt(3)]]
    fitted = np.linalg.lstsq(np.array(given + firm), np.array([*found, 0.0, math.sqrt(3)]), rcond=None)[0]
    off = [one - float(np.dot(row, fitted)) for one, row in zip(found, given, strict=True)]
    guess = order._guessed()
    for number, levels in enumerate(lattice):
        steps = [sum(abs(a - b) for a, b in zip(levels, lattice.levels(one), strict=True)) for one in looks]
        nearest = max(place for place, away in enumerate(steps) if away == min(steps))
        wanted = fitted[0] + fitted[1] * before[number] + off[nearest] * math.exp(-min(steps) / 1.5)
        assert guess[number] == pytest.approx(wanted)


@pytest.mark.parametrize("multiplied", [False, True])
def test_what_must_be_lost_to_cost_as_much_as_the_best_is_on_the_way_to_what_costs_most(multiplied: bool) -> None:
    asked = problem(0.04)
    floor = np.full(asked.lattice.size, 16.0)
    floor[:3] = 1.0, 2.0, 4.0
    order = LookOrder(asked, floor)
    order._joins_by_product = multiplied
    way = [math.log(4) / math.log(16), math.log(2) / math.log(8), 0.0] if multiplied else [3 / 15, 2 / 14, 0.0]
    shares = [max(1.1 * share, 1e-9) for share in way]
    wanted = [math.log(share / (1 - share)) for share in shares]
    assert order._needed(4.0)[:3] == pytest.approx(wanted, abs=1e-8)
    # Nothing that is lost makes any cost so much.
    for limit in (16.0, 17.0, math.inf):
        assert np.isinf(order._needed(limit)).all()


@pytest.mark.parametrize("shut", [0, 40])
def test_the_first_node_named_shuts_most_of_those_where_too_much_is_lost_by_the_guess(shut: int) -> None:
    asked = problem(0.04)
    order, lattice = LookOrder(asked, np.ones(asked.lattice.size)), asked.lattice
    bounds = np.ones(lattice.shape)
    bounds.reshape(-1)[np.random.default_rng(shut).permutation(lattice.size)[:shut]] = np.inf
    below = [int((bounds[lattice.below(levels)] < math.inf).sum()) for levels in lattice]
    most = math.log(asked.most_suppressed / (asked.rows - asked.most_suppressed))
    guess = order._guessed()
    named = order.next(bounds, math.inf)
    assert named is not None and guess[named] >= most
    assert below[named] == max(count for count, one in zip(below, guess.tolist(), strict=True) if one >= most)


LOOKS = {"loss": 17, "loss=maximum": 9, "loss=rank": 76, "discernibility": 31, "precision": 20}
"""That it took when this was written."""


@pytest.mark.parametrize("metric", LOOKS)
def test_no_more_looks_are_taken_than_once_were(metric: str) -> None:
    assert find_best(problem(0.04, metric)).nodes_checked <= LOOKS[metric]


def _lost(asked: SearchProblem, levels: tuple[int, ...]) -> int:
    return Evaluator(asked, 0).judge(levels).unavoidable
