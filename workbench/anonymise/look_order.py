"""The order in which a search looks at nodes: first the one that will probably shut most of what is open below it.

A look shuts a node below it if so many rows are lost where it looks that the models no longer hold there within the
limit, or that the node costs more than the best so far. How many rows are lost at a node nobody has looked at is
guessed: as if columns had nothing to do with one another, a row's class has n·Π p rows, p the share of its label in
each column; the logarithm of that is spread about evenly around its mean, so that the share of rows in too small
classes follows from two numbers a column and level. Looks correct the guess, those nearby most. A wrong guess costs
time and nothing else: what is shut, and which node is best, is decided by looks alone.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.lattice import counted_below
from workbench.anonymise.problem import SearchProblem
from workbench.anonymise.rollup import Levels
from workbench.anonymise.utility import spread

_MOST_NODES = 1 << 17
"""Lattices up to this size are guessed at whole after a look."""

_MOST_ROWS = 1 << 16
"""In tables of more distinct rows, nodes are refuted by few of them, and nothing is learned from that."""

_MOST_SUPPRESSED = 0.1
"""Where a larger share of rows may be suppressed, costs decide what is shut, which are hard to guess: in a table of
which hardly two rows were alike, and any might be suppressed, ten times as many looks were needed as with climbs."""

_MOST_LOOKS = 1000
"""Whoever has guessed so often guesses badly."""

_BANDS = 4
"""Open nodes are counted apart by how much must be lost to shut them, in so many groups of one size."""

_SAMPLED = 256
"""From so many of them it is found out what the groups are."""

_SELDOM = (2, 4)
"""They are counted anew after two looks at first, and one more in four."""

_NEARLY = 0.5
"""A node is good enough if it shuts this part of what the best might, by counts some of which are old."""

_NEARBY = 1.5
"""Steps at which a look corrects the guess by a third of what it corrects at its own node."""

_STEEPNESS = 1.7
"""The logistic curve with this slope is all but the normal one."""

_LAYERED = 0.3
"""Variance of the logarithm of the size of classes that columns alone do not tell."""

_FIRM = (0.1, 3.0)
"""How many looks the guess counts for as it is, where its height and its slope are fitted."""

_OUTWEIGHED = 1.1
"""Bounds know less than losses: so much more must be lost to shut a node than what makes it cost as much."""


@dataclass(frozen=True, eq=False)
class _Relation:
    """How a level of a column stands to another, and what makes one of several columns."""

    kind: type[np.int16] | type[np.bool_]
    of: Callable[[NDArray[np.intp], int], NDArray[Any]]
    join: np.ufunc


_AWAY = _Relation(np.int16, lambda levels, level: np.abs(levels - level), np.add)
"""How many steps they are apart."""

_ABOVE = _Relation(np.bool_, operator.gt, np.logical_or)
"""Whether one is above in any column, so not below it."""


class LookOrder:
    """Guesses how many rows are lost at each node, and says which one to look at.

    Parameters
    ----------
    problem
        What is searched.
    floor
        The least each node may cost, in the order of their numbers.
    """

    def __init__(self, problem: SearchProblem, floor: NDArray[np.float64]) -> None:
        self._lattice = lattice = problem.lattice
        self._floor = floor
        self._joins_by_product = problem.loss.join is np.multiply
        self._rows = problem.rows
        means, variances = [], []
        for one, low, high in zip(problem.attributes, lattice.low, lattice.high, strict=True):
            shares = [counts[counts > 0] / problem.rows for counts in one.counts[low : high + 1]]
            mean = [float(share @ np.log(share)) for share in shares]
            means.append(np.array(mean))
            squares = [float(share @ np.log(share) ** 2) for share in shares]
            variances.append(np.maximum(np.array(squares) - np.array(mean) ** 2, 0.0))
        smallest = math.log(max(problem.smallest_class, 2) / max(problem.rows, 1))
        spread_out = np.sqrt(spread(variances, np.add) + _LAYERED)
        self._prior = (_STEEPNESS * (smallest - spread(means, np.add)) / spread_out).reshape(-1)
        self._most = self._logit(problem.most_suppressed)
        """More than this is not allowed."""
        self._numbers: list[int] = []
        self._found: list[float] = []
        sizes = lattice.shape
        farthest = sum(sizes)
        self._fading = np.exp(-np.arange(farthest + 1) / _NEARBY)
        self._half = min(range(len(sizes)), key=lambda half: max(math.prod(sizes[:half]), math.prod(sizes[half:])))
        self._sides: dict[tuple[_Relation, int, Levels], NDArray[Any]] = {}
        self._distance = np.full(lattice.size, farthest, dtype=np.int16)
        self._nearest = np.zeros(lattice.size, dtype=np.int32)
        self._limit = math.inf
        self._demand = np.full(lattice.size, self._most)
        """How much must be lost to shut a node."""
        self._guess = self._prior
        self._worth = np.zeros(lattice.size)
        self._since = self._asked = 0
        self._wait = 0

    @staticmethod
    def fits(problem: SearchProblem) -> bool:
        """Whether guessing is worth it: in a small table of which few rows may be suppressed, but some."""
        return (
            problem.counted is not None
            and len(problem.counted) < _MOST_ROWS
            and problem.lattice.size <= _MOST_NODES
            and 0 < problem.most_suppressed <= _MOST_SUPPRESSED * problem.rows
        )

    @property
    def exhausted(self) -> bool:
        """Whether it has been asked too often."""
        return self._asked >= _MOST_LOOKS

    def looked(self, number: int, levels: Levels, lost: int | None) -> None:
        """Learn from a look; `lost` rows, None if they were not counted."""
        self._worth[number] = -1.0
        if lost is None:
            return
        away = self._of_halves(levels, _AWAY)
        np.copyto(self._nearest, len(self._numbers), where=away <= self._distance)
        np.minimum(self._distance, away, out=self._distance)
        self._numbers.append(number)
        self._found.append(self._logit(lost))

    def next(self, bounds: NDArray[np.float64], limit: float) -> int | None:
        """The node to look at, or None if nothing seems to shut more than itself.

        Parameters
        ----------
        bounds
            Of all nodes, shape of the lattice.
        limit
            Nodes with lower bounds are open.
        """
        self._asked += 1
        if limit != self._limit or self._since >= self._wait:
            self._count(bounds, limit)
        self._since += 1
        opened = bounds.reshape(-1) < limit
        while True:
            number = int(self._worth.argmax())
            if self._worth[number] <= 1.0:
                return None
            shut = self._of_halves(self._lattice.levels(number), _ABOVE)
            np.less(shut, opened, out=shut)
            if self._guess[number] < self._most:
                shut &= self._demand <= self._guess[number]
            now = float(np.count_nonzero(shut))
            # What was counted some looks ago: what it shuts can only have become less.
            self._worth[number] = now
            if now > 1.0 and now >= _NEARLY * self._worth.max():
                return number

    def _of_halves(self, levels: Levels, relation: _Relation) -> NDArray[Any]:
        """How every node stands to one, in the order of their numbers.

        That of a half of the columns is kept, so that little is left to do, and that in long runs.
        """
        sides = []
        for first, last in ((0, self._half), (self._half, len(levels))):
            place = (relation, first, levels[first:last])
            side = self._sides.get(place)
            if side is None:
                lattice, side = self._lattice, np.zeros(1, dtype=relation.kind)
                steps = zip(levels[first:last], lattice.low[first:last], lattice.high[first:last], strict=True)
                for level, low, high in steps:
                    one = relation.of(np.arange(low, high + 1), level).astype(relation.kind)
                    side = relation.join.outer(side, one).reshape(-1)
                self._sides[place] = side
            sides.append(side)
        return relation.join.outer(*sides).reshape(-1)

    def _count(self, bounds: NDArray[np.float64], limit: float) -> None:
        self._since, self._wait = 0, _SELDOM[0] + self._asked // _SELDOM[1]
        if limit != self._limit:
            self._limit = limit
            self._demand = np.minimum(self._needed(limit), self._most)
        self._guess = self._guessed()
        opened = bounds.reshape(-1) < limit
        where = np.flatnonzero(opened)
        if not len(where):
            # What is open costs as much as the best, and stands before it.
            self._worth = np.zeros(len(opened))
            return
        demand = self._demand.take(where)
        some = np.sort(demand[:: 1 + len(demand) // _SAMPLED])
        edges = np.unique(some[np.linspace(0, len(some) - 1, _BANDS + 1).astype(np.intp)[1:]])
        bands = np.zeros((len(opened), len(edges)), dtype=np.bool_)
        bands[where, np.minimum(np.searchsorted(edges, demand), len(edges) - 1)] = True
        # The bands are one more axis, so what is counted in each are all that need as much or less.
        counted = counted_below(bands.reshape((*bounds.shape, len(edges)))).reshape(bands.shape)
        worth = np.zeros(len(opened))
        for place, edge in enumerate(edges.tolist()):
            np.copyto(worth, counted[:, place], where=self._guess >= edge)
        np.copyto(worth, -1.0, where=self._worth < 0)
        self._worth = worth

    def _guessed(self) -> NDArray[np.float64]:
        """The share of rows lost at each node, as the logarithm of its odds."""
        if not self._numbers:
            return self._prior
        given, found = self._prior[self._numbers], np.array(self._found)
        height, slope = _FIRM
        # Least squares for two numbers, held near 0 and 1.
        a, b, d = len(given) + height, float(given.sum()), float(given @ given) + slope
        y, xy = float(found.sum()), float(given @ found) + slope
        determinant = a * d - b * b
        raised, turned = (d * y - b * xy) / determinant, (a * xy - b * y) / determinant
        wrong = found - raised - turned * given
        guess = turned * self._prior + raised
        guess += wrong.take(self._nearest) * self._fading.take(self._distance)
        return guess

    def _needed(self, limit: float) -> NDArray[np.float64]:
        """How much must be lost at each node so that it costs as much as the limit."""
        worst = float(self._floor.max())
        if not math.isfinite(limit) or worst <= limit:
            return np.full(len(self._floor), np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            if self._joins_by_product:
                share = np.log(limit / self._floor) / np.log(worst / self._floor)
            else:
                share = (limit - self._floor) / (worst - self._floor)
            share = np.nan_to_num(share * _OUTWEIGHED, nan=1.0, posinf=1.0, neginf=0.0)
            needed: NDArray[np.float64] = np.log(np.maximum(share, 1e-9) / np.maximum(1.0 - share, 1e-9))
        return needed

    def _logit(self, rows: int) -> float:
        """The logarithm of the odds of being one of so many rows; half a row from all and none."""
        lost = min(max(rows, 0.5), self._rows - 0.5) if self._rows > 1 else 0.5
        return math.log(lost / (self._rows - lost))
