"""The node named is the one that is found by counting node by node; see `LookOrder`."""

from __future__ import annotations

import math
import time
from itertools import product

import numpy as np
import pytest

from workbench.anonymise import look_order
from workbench.anonymise.cone_search import search_cones
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.look_order import LookOrder
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.search import find_best
from workbench.anonymise.utility import MetricChoice
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.table import Column, Table

Levels = tuple[int, ...]


def problem(metric: str, limit: float = 0.04) -> SearchProblem:
    """Five skewed columns, two of which have something to do with one another; 4·3·3·4·2 nodes."""
    rng = np.random.default_rng(11)
    columns, hierarchies = [], {}
    before = np.zeros(600, dtype=np.intp)
    for name, size, steps in (("a", 16, 4), ("b", 9, 3), ("c", 6, 3), ("d", 20, 4), ("e", 3, 2)):
        drawn = rng.geometric(2.5 / (size + 3), 600) - 1
        before = np.minimum(drawn + before // 4, size - 1)
        columns.append(Column(name, before.astype(np.uint8), tuple(map(str, range(size)))))
        wide = (3, 6)[: steps - 2]
        lines = [(str(one), *(f"{one // width} of {width}" for width in wide), "*") for one in range(size)]
        hierarchies[name] = Hierarchy.from_rows(lines)
    models = [ModelChoice.parse("k=4")]
    return prepare(
        Table(tuple(columns)), hierarchies, Goal(models, metric=MetricChoice.parse(metric), suppression_limit=limit)
    )


class NodeByNode:
    """The same, of lists of levels and without anything that is kept for its speed."""

    def __init__(self, asked: SearchProblem, floor: list[float]) -> None:
        self.rows, self.floor = asked.rows, floor
        self.by_product = asked.loss.join is np.multiply
        self.nodes = [asked.lattice.levels(number) for number in range(asked.lattice.size)]
        self.prior = []
        for levels in self.nodes:
            mean, variance = 0.0, 0.3
            for one, level in zip(asked.attributes, levels, strict=True):
                shares = [count / asked.rows for count in one.counts[level].tolist() if count]
                here = sum(share * math.log(share) for share in shares)
                mean += here
                variance += sum(share * math.log(share) ** 2 for share in shares) - here**2
            smallest = math.log(asked.smallest_class / asked.rows)
            self.prior.append(1.7 * (smallest - mean) / math.sqrt(variance))
        self.most = self.odds(asked.most_suppressed)
        self.looks: dict[int, float] = {}
        self.limit, self.since, self.wait, self.asked = math.inf, 0, 0, 0
        self.demand = [self.most] * len(self.nodes)
        self.worth = [0.0] * len(self.nodes)
        self.guess = self.prior

    def odds(self, rows: float) -> float:
        lost = min(max(rows, 0.5), self.rows - 0.5)
        return math.log(lost / (self.rows - lost))

    def looked(self, number: int, lost: int | None) -> None:
        self.worth[number] = -1.0
        if lost is not None:
            self.looks[number] = self.odds(lost)

    def guessed(self) -> list[float]:
        if not self.looks:
            return self.prior
        rows = [[1.0, self.prior[one]] for one in self.looks] + [[math.sqrt(0.1), 0.0], [0.0, math.sqrt(3)]]
        found = list(self.looks.values())
        fitted = np.linalg.lstsq(np.array(rows), np.array([*found, 0.0, math.sqrt(3)]), rcond=None)[0]
        off = [one - float(np.dot(row, fitted)) for one, row in zip(found, rows, strict=False)]
        guess = []
        for levels, prior in zip(self.nodes, self.prior, strict=True):
            steps = [sum(abs(a - b) for a, b in zip(levels, self.nodes[one], strict=True)) for one in self.looks]
            last = max(place for place, away in enumerate(steps) if away == min(steps))
            guess.append(float(fitted[0] + fitted[1] * prior + off[last] * math.exp(-min(steps) / 1.5)))
        return guess

    def needed(self, limit: float) -> list[float]:
        worst = max(self.floor)
        if worst <= limit:
            return [math.inf] * len(self.nodes)
        needed = []
        for floor in self.floor:
            if floor == worst:
                share = 0.0  # it is not open
            elif self.by_product:
                share = math.log(limit / floor) / math.log(worst / floor) * 1.1
            else:
                share = (limit - floor) / (worst - floor) * 1.1
            needed.append(math.log(max(share, 1e-9) / max(1 - share, 1e-9)))
        return needed

    def below(self, number: int, other: int) -> bool:
        return all(a <= b for a, b in zip(self.nodes[other], self.nodes[number], strict=True))

    def next(self, bounds: list[float], limit: float) -> int | None:
        self.asked += 1
        opened = [number for number, bound in enumerate(bounds) if bound < limit]
        if limit != self.limit or self.since >= self.wait:
            self.since, self.wait = 0, 2 + self.asked // 4
            if limit != self.limit:
                self.limit, self.demand = limit, [min(one, self.most) for one in self.needed(limit)]
            self.guess = self.guessed()
            self.count(opened)
        self.since += 1
        while True:
            best = max(self.worth)
            number = self.worth.index(best)
            if best <= 1:
                return None
            shut = [one for one in opened if self.below(number, one)]
            if self.guess[number] < self.most:
                shut = [one for one in shut if self.demand[one] <= self.guess[number]]
            self.worth[number] = len(shut)
            if len(shut) > 1 and len(shut) >= max(self.worth) / 2:
                return number

    def count(self, opened: list[int]) -> None:
        """Of five quantiles of what a sample of the open ones demands, those but the lowest are upper ends."""
        some = sorted([self.demand[one] for one in opened][:: 1 + len(opened) // look_order._SAMPLED])
        if not some:
            self.worth = [0.0] * len(self.nodes)
            return
        ends = sorted({some[(len(some) - 1) * quarter // 4] for quarter in (1, 2, 3, 4)})
        end = {one: next((up for up in ends if up >= self.demand[one]), ends[-1]) for one in opened}
        for number, guess in enumerate(self.guess):
            if self.worth[number] >= 0:
                reached = [one for one in opened if end[one] <= guess]
                self.worth[number] = sum(self.below(number, one) for one in reached)


@pytest.mark.parametrize("metric", ["loss", "loss=arithmetic"])
@pytest.mark.parametrize("sampled", [256, 60])
@pytest.mark.parametrize("uncounted", [7, 1000])
def test_the_same_nodes_are_named_in_the_same_order(
    monkeypatch: pytest.MonkeyPatch, metric: str, sampled: int, uncounted: int
) -> None:
    monkeypatch.setattr(look_order, "_SAMPLED", sampled)
    asked = problem(metric)
    lattice, evaluator = asked.lattice, Evaluator(asked, 1 << 20)
    bounds = np.array(asked.loss.floor())
    floor = bounds.reshape(-1).copy()
    order, slow = LookOrder(asked, floor), NodeByNode(asked, floor.tolist())
    assert order._needed(math.inf).tolist() == slow.needed(math.inf)
    limit, named = math.inf, list[int]()
    # First the top and the bottom, as a search does, then whatever is named.
    for number in (lattice.size - 1, 0):
        levels = lattice.levels(number)
        lost = evaluator.judge(levels).unavoidable
        order.looked(number, levels, lost)
        slow.looked(number, lost)
        bounds.reshape(-1)[number] = math.inf
    while True:
        found = order.next(bounds, limit)
        assert found == slow.next(bounds.reshape(-1).tolist(), limit)
        assert order._guess == pytest.approx(slow.guess)
        assert order._demand == pytest.approx(slow.demand)
        assert order._worth.tolist() == slow.worth
        if found is None:
            break
        named.append(found)
        levels = lattice.levels(found)
        lost = evaluator.judge(levels).unavoidable
        known = None if len(named) % uncounted == 0 else lost
        order.looked(found, levels, known)
        slow.looked(found, known)
        bounds.reshape(-1)[found] = math.inf
        if lost > asked.most_suppressed:
            bounds[lattice.below(levels)] = math.inf
        else:
            limit = min(limit, float(floor[found]) * 1.02 + 0.01)
    assert len(named) > 8 and limit < math.inf
    assert not order.exhausted


def test_nothing_is_named_where_nothing_is_open_and_again_where_something_is() -> None:
    asked = problem("loss")
    floor = np.array(asked.loss.floor())
    order, slow = LookOrder(asked, floor.reshape(-1)), NodeByNode(asked, floor.reshape(-1).tolist())
    shut = np.full_like(floor, math.inf)
    for bounds, limit in ((shut, 5.0), (floor, 5.0), (shut, 1.2), (floor, 1.2), (floor, 1.2), (floor, 1.2)):
        assert order.next(bounds, limit) == slow.next(bounds.reshape(-1).tolist(), limit)


def test_a_small_table_with_few_rows_to_lose_is_guessed_at_up_to_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = problem("loss", 0.1)
    assert asked.counted is not None and asked.most_suppressed == 60
    monkeypatch.setattr(look_order, "_MOST_ROWS", len(asked.counted) + 1)
    monkeypatch.setattr(look_order, "_MOST_NODES", asked.lattice.size)
    assert LookOrder.fits(asked)
    assert not LookOrder.fits(problem("loss", 0.1 + 1 / 600))
    assert LookOrder.fits(problem("loss", 1 / 600)) and not LookOrder.fits(problem("loss", 0.0))
    monkeypatch.setattr(look_order, "_MOST_NODES", asked.lattice.size - 1)
    assert not LookOrder.fits(asked)
    monkeypatch.setattr(look_order, "_MOST_NODES", asked.lattice.size)
    monkeypatch.setattr(look_order, "_MOST_ROWS", len(asked.counted))
    assert not LookOrder.fits(asked)


def test_whoever_asked_as_often_as_allowed_is_told() -> None:
    asked = problem("loss")
    order, shut = LookOrder(asked, np.ones(asked.lattice.size)), np.full(asked.lattice.shape, math.inf)
    for _ in range(999):
        order.next(shut, 1.0)
    assert not order.exhausted
    order.next(shut, 1.0)
    assert order.exhausted


@pytest.mark.parametrize("levels", list(product((0, 2), (1, 2), (0, 1), (3,), (0, 1))))
def test_half_a_row_is_the_least_and_all_but_half_the_most(levels: Levels) -> None:
    asked = problem("loss")
    order, number = LookOrder(asked, np.ones(asked.lattice.size)), asked.lattice.number(levels)
    slow = NodeByNode(asked, [1.0] * asked.lattice.size)
    for lost in (0, 1, 599, 600):
        order.looked(number, levels, lost)
        assert order._found[-1] == pytest.approx(slow.odds(lost))


def looks(metric: str, limit: float) -> tuple[int, int, int]:
    """How many nodes are looked at by guesses, by climbs and cone by cone; the same one is found."""
    asked = problem(metric, limit)
    guessed = find_best(asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(look_order, "_MOST_NODES", 0)
        climbed = find_best(asked)
    coned = search_cones(asked, Evaluator(asked, 1 << 20), None, None, SILENT, time.perf_counter())
    assert guessed.levels == climbed.levels == coned.levels and guessed.score == climbed.score == coned.score
    return guessed.nodes_checked, climbed.nodes_checked, coned.nodes_checked


LOOKS = {
    "ambiguity": ((44, 44, 47), (60, 57, 65), (50, 50, 76)),
    "average-class-size": ((60, 60, 63), (72, 60, 63), (121, 121, 138)),
    "discernibility": ((60, 60, 70), (66, 75, 99), (79, 79, 101)),
    "loss": ((49, 49, 31), (34, 47, 33), (51, 51, 55)),
    "loss=arithmetic": ((49, 49, 31), (29, 41, 31), (36, 36, 32)),
    "loss=maximum": ((168, 168, 253), (41, 107, 253), (13, 13, 16)),
    "loss=rank": ((203, 203, 253), (254, 211, 253), (13, 13, 16)),
    "non-uniform-entropy": ((46, 46, 39), (53, 54, 43), (99, 99, 104)),
    "precision": ((62, 62, 46), (39, 58, 44), (60, 60, 76)),
    "squared-error": ((36, 36, 30), (30, 28, 24), (14, 14, 12)),
}
"""That it took when this was written, where no row, a fiftieth and two fifths may be suppressed."""


@pytest.mark.parametrize("metric", LOOKS)
def test_no_more_nodes_are_looked_at_than_once_were(metric: str) -> None:
    for limit, once in zip((0.0, 0.02, 0.4), LOOKS[metric], strict=True):
        now = looks(metric, limit)
        assert np.all(np.array(now) <= once), (limit, now)
