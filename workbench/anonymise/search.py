"""The best node of the lattice: the least loss at which all privacy models hold."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.cone_search import search_cones
from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.goal import Goal
from workbench.anonymise.lattice import counted_below
from workbench.anonymise.look_order import LookOrder
from workbench.anonymise.outcome import Incumbent, NodeFacts, SearchResult, facts_of, nothing_feasible, result_of
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.rollup import Levels
from workbench.anonymise.utility import Bound, spread
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table

MOST_NODES = 1 << 22
"""Lattices up to this size are searched with one bound per node in memory."""

PATIENCE = 30.0
"""Seconds after which the search of a larger lattice stops unless told otherwise."""

_WARM_UP = 3
"""Paths that are bisected to the top before the search goes for the highest open nodes."""

_LARGE = 1 << 16
"""Distinct rows of a table in which nodes are refuted by few of them."""

_SELDOM = 8
"""Open nodes are counted anew after one more climb in so many."""

_REPORT_EVERY = 0.1

_LEAST_CACHE = 1 << 23


@dataclass(frozen=True)
class Effort:
    """The time a search may take.

    Parameters
    ----------
    seconds, nodes
        Stop after so many seconds, or nodes looked at; the best node so far is the answer. None: no limit, except
        that lattices of more than `MOST_NODES` nodes stop after `PATIENCE` seconds.
    optimal
        Refuse a lattice that is too large for a search that is sure to end.
    memory
        Bytes for class tables that are kept; None for as much as the codes of the table take, 8 MiB at least.
    """

    seconds: float | None = None
    nodes: int | None = None
    optimal: bool = False
    memory: int | None = None


def optimise(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    goal: Goal,
    *,
    effort: Effort | None = None,
    progress: Progress = SILENT,
) -> SearchResult:
    """Find the levels with the least loss at which all privacy models hold.

    Parameters are those of `prepare` and `find_best`.

    Raises
    ------
    WorkbenchError
        If the question contradicts itself, or no node satisfies the models within the suppression limit.
    Cancelled
        If the progress was cancelled.
    """
    start = time.perf_counter()
    problem = prepare(table, hierarchies, goal, progress=progress.part(0.0, 0.1))
    codes = table.codes_size(problem.names)
    return find_best(problem, effort=effort, progress=progress.part(0.1, 1.0), start=start, codes=codes)


def find_best(
    problem: SearchProblem,
    *,
    effort: Effort | None = None,
    progress: Progress = SILENT,
    start: float | None = None,
    codes: int = 0,
) -> SearchResult:
    """Search the lattice of a prepared problem.

    Parameters
    ----------
    problem
        From `prepare`.
    effort
        How long it may take.
    progress
        Reports the share of nodes that are decided; may cancel.
    start
        When the work began, by `time.perf_counter`; now unless given.
    codes
        Bytes of the codes of the table, which decide how much memory is used.

    Raises
    ------
    WorkbenchError
        If no node satisfies the models within the suppression limit, or the lattice is too large for an optimal
        search and only that is wanted.
    Cancelled
        If the progress was cancelled.
    """
    start = time.perf_counter() if start is None else start
    effort = effort or Effort()
    evaluator = Evaluator(problem, effort.memory if effort.memory is not None else max(codes, _LEAST_CACHE))
    if problem.lattice.size > MOST_NODES:
        if effort.optimal:
            raise WorkbenchError(
                f"There are {problem.lattice.size:,} combinations of levels, too many to be sure of the best one.",
                hint="Limit the levels of some columns, or allow a search that stops after a while.",
                field="search",
            )
        seconds = PATIENCE if effort.seconds is None and effort.nodes is None else effort.seconds
        return search_cones(problem, evaluator, seconds, effort.nodes, progress, start)
    return _BestFirst(problem, evaluator, effort, progress, start).run()


def evaluate(problem: SearchProblem, levels: Mapping[str, int]) -> NodeFacts:
    """Everything about one node.

    Raises
    ------
    WorkbenchError
        If a level is missing or out of reach.
    """
    evaluator = Evaluator(problem, 0)
    judgement = evaluator.judge(problem.levels_of(levels))
    return facts_of(problem, judgement, evaluator.key(judgement))


class _BestFirst:
    """Branch and bound with one lower bound per node.

    A node that is looked at tells about everything below it: that it is infeasible too, because its classes are
    parts of classes that must lose too many rows; or that it costs at least so much, because of the rows that
    must be suppressed there. It may also bound what is above it. Bounds only rise; a node whose bound cannot beat
    the best so far is closed. The search ends when none is open.

    To close many at once, the search takes the open node with the lowest bound, climbs from there through open
    nodes to where most open ones lie below, and looks at the last one: whatever it shuts, it shuts for the most. If
    that one is infeasible, higher ones may shut even more, so the climb goes on as long as this has mostly paid.
    The first few times the search bisects the way to the top instead, which soon gives a good node to compare with.
    In a small table of which few rows may be suppressed, guesses of what a look will shut take the place of climbs.
    """

    def __init__(
        self, problem: SearchProblem, evaluator: Evaluator, effort: Effort, progress: Progress, start: float
    ) -> None:
        self._problem = problem
        self._lattice = problem.lattice
        self._evaluator = evaluator
        self._effort = effort
        self._progress = progress
        self._start = start
        self._reported = start
        self._bounds = np.array(problem.loss.floor())
        self._flat: NDArray[np.float64] = self._bounds.reshape(-1)
        self._floor = self._flat.copy()
        self._incumbent = Incumbent()
        self._climbs_won = self._climbs_lost = 0
        self._small = problem.counted is not None and len(problem.counted) < _LARGE
        self._order = LookOrder(problem, self._floor) if LookOrder.fits(problem) else None
        self._warm_up = _WARM_UP if self._order is None else 1
        self._climbs = self._count_again = 0
        self._below: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        """How many open nodes were below each node when that was last counted, itself included."""
        self._decided = 0.0
        self._seen: dict[int, bool] = {}
        """Nodes looked at, and whether everything below them is infeasible."""

    def run(self) -> SearchResult:
        top = self._lattice.high
        self._look(top)
        paths = 0
        while (number := self._lowest_open()) is not None:
            if self._out_of_time():
                break
            if paths < self._warm_up:
                self._bisect(number)
            elif self._order is not None:
                best = self._order.next(self._bounds, self._incumbent.first)
                self._look(self._lattice.levels(number if best is None else best))
                if self._order.exhausted:
                    self._order = None
            else:
                self._shut_from_above(number)
            paths += 1
        left = None if number is None else float(self._flat[number])
        if self._incumbent.levels is None:
            if number is None:
                raise nothing_feasible(self._problem, self._evaluator.judge(top))
            raise WorkbenchError(
                "No combination of levels that satisfies the privacy models was found in the time allowed.",
                hint="Allow more time, a higher suppression limit, or weaker privacy models.",
                field="search",
            )
        self._progress(1.0)
        return result_of(self._problem, self._incumbent, left, len(self._seen), time.perf_counter() - self._start)

    def _look(self, levels: Levels) -> None:
        problem, lattice = self._problem, self._lattice
        number = lattice.number(levels)
        self._report()
        judgement = self._evaluator.look(levels)
        if self._order is not None:
            self._order.looked(number, levels, None if judgement is None else judgement.unavoidable)
        dead = judgement is None or judgement.unavoidable > problem.most_suppressed
        self._seen[number] = dead
        if judgement is None:
            self._bounds[lattice.below(levels)] = np.inf
            return
        if dead:
            self._bounds[lattice.below(levels)] = np.inf
        else:
            key, bound = problem.loss.score_and_bound(levels, judgement.classes, judgement.failing, judgement.lost)
            self._raise_below(levels, bound)
            if judgement.feasible:
                self._incumbent.offer(key, number, levels, judgement)
        above = problem.loss.above(levels, judgement.classes)
        if above is not None:
            box = self._bounds[lattice.above(levels)]
            np.maximum(box, above, out=box)
        self._flat[number] = np.inf

    def _raise_below(self, levels: Levels, bound: Bound) -> None:
        if bound is None:
            return
        box = self._bounds[self._lattice.below(levels)]
        np.maximum(box, bound if isinstance(bound, float) else spread(bound, self._problem.loss.join), out=box)

    def _open(self, number: int) -> bool:
        return self._incumbent.beaten_by(float(self._flat[number]), number)

    def _lowest_open(self) -> int | None:
        number = int(self._flat.argmin())
        return number if self._open(number) else None

    def _highest_open_above(self, number: int) -> Levels:
        """Climb from an open node, always to the best open node a level higher, until there is none.

        In small tables that is the one with most open ones below, which a look may shut all at once; they are counted
        anew ever more seldom, since that is no more than advice. In large ones it is the one with the highest bound:
        few of their rows refute a node near the top, and steep steps lead to such, as measured.
        """
        lattice, flat = self._lattice, self._flat
        levels = list(lattice.levels(number))
        limit = self._incumbent.first
        if self._small and self._climbs >= self._count_again:
            self._below = counted_below(self._bounds < limit).reshape(-1)
            self._count_again = self._climbs + 1 + self._climbs // _SELDOM
        self._climbs += 1
        worth = self._below if self._small else flat
        while True:
            best, step = -np.inf, -1
            for attribute, (level, high, stride) in enumerate(zip(levels, lattice.high, lattice.strides, strict=True)):
                above = number + stride
                if level < high and flat[above] < limit and worth[above] > best:
                    best, step = worth[above], attribute
            if step < 0:
                return tuple(levels)
            levels[step] += 1
            number += lattice.strides[step]

    def _shut_from_above(self, number: int) -> None:
        """Look at the highest open node above an open one and, while that pays, at still higher ones."""
        levels = self._highest_open_above(number)
        self._look(levels)
        step = 1
        while self._seen[self._lattice.number(levels)] and self._climbs_won + 4 >= self._climbs_lost:
            levels = self._path(self._lattice.number(levels), step)[-1]
            place = self._lattice.number(levels)
            if place in self._seen:
                return
            self._look(levels)
            if self._seen[place]:
                self._climbs_won += 1
            else:
                self._climbs_lost += 1
            step *= 2

    def _bisect(self, number: int) -> None:
        """Find how far up the cheapest way to the top nodes still shut the open node at its foot."""
        path = self._path(number)
        low, high = 0, len(path) - 1
        while low <= high:
            middle = (low + high) // 2
            known = self._seen.get(self._lattice.number(path[middle]))
            if known is None:
                self._look(path[middle])
                shut = not self._open(number) and middle > 0
            else:
                shut = known
            if shut:
                low = middle + 1
            else:
                high = middle - 1

    def _path(self, number: int, steps: int | None = None) -> list[Levels]:
        """The nodes on the cheapest way from a node to the top, or so many steps of it."""
        lattice = self._lattice
        levels = list(lattice.levels(number))
        path = [tuple(levels)]
        while steps is None or len(path) <= steps:
            cheapest, step = np.inf, -1
            for attribute, (level, high, stride) in enumerate(zip(levels, lattice.high, lattice.strides, strict=True)):
                if level < high and (floor := self._floor[number + stride]) < cheapest:
                    cheapest, step = floor, attribute
            if step < 0:
                break
            levels[step] += 1
            number += lattice.strides[step]
            path.append(tuple(levels))
        return path

    def _out_of_time(self) -> bool:
        seconds, nodes = self._effort.seconds, self._effort.nodes
        return (seconds is not None and time.perf_counter() - self._start > seconds) or (
            nodes is not None and len(self._seen) >= nodes
        )

    def _report(self) -> None:
        now = time.perf_counter()
        if now - self._reported < _REPORT_EVERY:
            self._progress(self._decided)
            return
        self._reported = now
        still_open = int(np.count_nonzero(self._flat < self._incumbent.first))
        self._decided = 1.0 - still_open / self._lattice.size
        self._progress(
            self._decided,
            f"{self._lattice.size - still_open:,} of {self._lattice.size:,} combinations of levels decided",
        )
