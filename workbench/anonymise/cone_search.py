"""Search of lattices too large to hold a bound per node: branch and bound over cones, as far as time allows."""

from __future__ import annotations

import heapq
import time

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.outcome import Incumbent, SearchResult, nothing_feasible, result_of
from workbench.anonymise.problem import SearchProblem
from workbench.anonymise.rollup import Levels
from workbench.anonymise.utility import Bound
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress


def search_cones(
    problem: SearchProblem,
    evaluator: Evaluator,
    seconds: float | None,
    nodes: int | None,
    progress: Progress = SILENT,
    start: float | None = None,
) -> SearchResult:
    """Look for the best node of a lattice of any size.

    The cone of a node is everything above it. All open cones together hold every node that could be better than
    the best so far; the lowest of their bounds is how good such a node could be. If the foot of a cone lies below
    a node that shuts everything under it, the rest of the cone is covered by the cones that start one level above
    that node in one attribute each.

    Parameters
    ----------
    problem, evaluator
        What to search, and what judges nodes.
    seconds, nodes
        Stop after so many seconds or nodes looked at; None for no limit.

    Returns
    -------
    SearchResult
        `optimal` if the search ended by itself; otherwise `gap` says how much better an unseen node could be.

    Raises
    ------
    WorkbenchError
        If nothing feasible was found.
    """
    return _Cones(problem, evaluator, seconds, nodes, progress, time.perf_counter() if start is None else start).run()


class _Cones:
    def __init__(
        self,
        problem: SearchProblem,
        evaluator: Evaluator,
        seconds: float | None,
        nodes: int | None,
        progress: Progress,
        start: float,
    ) -> None:
        self._problem = problem
        self._lattice = problem.lattice
        self._evaluator = evaluator
        self._seconds = seconds
        self._nodes = nodes
        self._progress = progress
        self._start = start
        self._incumbent = Incumbent()
        self._dead = _Nodes(len(problem.names))
        self._costly = _Bounds(problem)
        self._looked: set[Levels] = set()
        self._known: set[Levels] = set()
        self._open: list[tuple[float, Levels]] = []

    def run(self) -> SearchResult:
        self._look(self._lattice.high)
        self._push(self._lattice.low)
        while self._open and self._open[0][0] <= self._incumbent.first and not self._out_of_time():
            foot = heapq.heappop(self._open)[1]
            shut = self._shut_by(foot)
            if shut is None:
                self._try_to_shut(foot)
                shut = self._shut_by(foot)
            if shut is None:
                # The foot has been looked at, and everything else in its cone is in the cones a level higher.
                shut = foot
            for attribute, (level, high) in enumerate(zip(shut, self._lattice.high, strict=True)):
                if level < high:
                    self._push((*foot[:attribute], level + 1, *foot[attribute + 1 :]))
        # Of a key of several parts, an equal first part decides nothing.
        tied = self._incumbent.key is not None and len(self._incumbent.key) > 1
        first = self._incumbent.first
        left = [bound for bound, _ in self._open if bound < first or (tied and bound == first)]
        if self._incumbent.levels is None:
            if not left:
                raise nothing_feasible(self._problem, self._evaluator.judge(self._lattice.high))
            raise WorkbenchError(
                "No combination of levels that satisfies the privacy models was found in the time allowed.",
                hint="Allow more time, a higher suppression limit, or weaker privacy models.",
                field="search",
            )
        self._progress(1.0)
        bound = min(left) if left else None
        return result_of(self._problem, self._incumbent, bound, len(self._looked), time.perf_counter() - self._start)

    def _push(self, foot: Levels) -> None:
        if foot not in self._known:
            bound = self._problem.loss.floor_from(foot)
            if bound <= self._incumbent.first:
                self._known.add(foot)
                heapq.heappush(self._open, (bound, foot))

    def _shut_by(self, foot: Levels) -> Levels | None:
        """A node above the foot such that nothing between the two can be better than the best so far."""
        return self._dead.above(foot) or self._costly.above(foot, self._incumbent.first)

    def _try_to_shut(self, foot: Levels) -> None:
        """Look at nodes above the foot, high ones first, until one of them shuts it or the foot itself is seen."""
        path = self._climb(foot)
        place = len(path) - 1
        while True:
            if path[place] not in self._looked:
                self._look(path[place])
                if place == 0 or self._shut_by(foot) is not None:
                    return
            elif place == 0:
                return
            place //= 2

    def _climb(self, foot: Levels) -> list[Levels]:
        path = [foot]
        loss, high = self._problem.loss, self._lattice.high
        while True:
            steps = [
                (*path[-1][:a], level + 1, *path[-1][a + 1 :]) for a, level in enumerate(path[-1]) if level < high[a]
            ]
            bounds = [(loss.floor_from(step), step) for step in steps if self._dead.above(step) is None]
            if not bounds or min(bounds)[0] >= self._incumbent.first:
                return path
            path.append(min(bounds)[1])

    def _look(self, levels: Levels) -> None:
        self._progress(self._share_of_time(), f"{len(self._looked):,} combinations of levels looked at")
        self._looked.add(levels)
        judgement = self._evaluator.look(levels)
        if judgement is None or judgement.unavoidable > self._problem.most_suppressed:
            self._dead.add(levels)
            return
        key, bound = self._problem.loss.score_and_bound(levels, judgement.classes, judgement.failing, judgement.lost)
        self._costly.add(levels, bound)
        if judgement.feasible:
            self._incumbent.offer(key, self._lattice.number(levels), levels, judgement)

    def _share_of_time(self) -> float:
        shares = [0.0]
        if self._seconds:
            shares.append((time.perf_counter() - self._start) / self._seconds)
        if self._nodes:
            shares.append(len(self._looked) / self._nodes)
        return max(shares)

    def _out_of_time(self) -> bool:
        return self._share_of_time() > 1.0


class _Nodes:
    """A growing set of nodes that can be asked for one above another."""

    def __init__(self, attributes: int) -> None:
        self._levels = np.empty((64, attributes), dtype=np.int16)
        self._count = 0

    def add(self, levels: Levels) -> None:
        if self._count == len(self._levels):
            self._levels = np.concatenate([self._levels, np.empty_like(self._levels)])
        self._levels[self._count] = levels
        self._count += 1

    def above(self, foot: Levels) -> Levels | None:
        """The highest node of the set above `foot`, by sum of levels."""
        known = self._levels[: self._count]
        above = np.flatnonzero((known >= foot).all(axis=1))
        if not len(above):
            return None
        best = above[known[above].sum(axis=1, dtype=np.int64).argmax()]
        return tuple(known[best].tolist())


class _Bounds:
    """Nodes that bound the loss of everything below them."""

    def __init__(self, problem: SearchProblem) -> None:
        self._problem = problem
        heights = [high - low + 1 for low, high in zip(problem.lattice.low, problem.lattice.high, strict=True)]
        self._shape = (len(heights), max(heights))
        self._levels: list[Levels] = []
        self._terms = np.empty((64, *self._shape))
        self._whole = np.empty(64)

    def add(self, levels: Levels, bound: Bound) -> None:
        if bound is None:
            return
        count = len(self._levels)
        if count == len(self._terms):
            self._terms = np.concatenate([self._terms, np.empty_like(self._terms)])
            self._whole = np.concatenate([self._whole, np.empty_like(self._whole)])
        self._whole[count] = bound if isinstance(bound, float) else -np.inf
        for attribute, terms in enumerate(bound if isinstance(bound, list) else []):
            # The least term from each level on: it holds for everything between a foot and this node.
            self._terms[count, attribute, : len(terms)] = np.minimum.accumulate(terms[::-1])[::-1]
        self._levels.append(levels)

    def above(self, foot: Levels, limit: float) -> Levels | None:
        """The highest node above `foot` such that nothing between the two can cost less than `limit`."""
        if not self._levels:
            return None
        levels = np.array(self._levels, dtype=np.int16)
        above = np.flatnonzero((levels >= foot).all(axis=1))
        if not len(above):
            return None
        places = np.array(foot) - self._problem.lattice.low
        terms = self._terms[above][:, np.arange(len(foot)), places]
        joined: NDArray[np.float64] = terms[:, 0]
        for attribute in range(1, terms.shape[1]):
            joined = self._problem.loss.join(joined, terms[:, attribute])
        bounds = np.where(np.isfinite(self._whole[above]), self._whole[above], joined)
        shut = above[bounds > limit]
        if not len(shut):
            return None
        return self._levels[int(shut[levels[shut].sum(axis=1, dtype=np.int64).argmax()])]
