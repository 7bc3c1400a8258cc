"""Neighbours of a node in the lattice: their costs, and the small change of the question that would help."""

from __future__ import annotations

import contextlib
import heapq
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.anonymise.evaluation import Evaluator, NodeJudgement
from workbench.anonymise.outcome import facts_of
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import SearchProblem
from workbench.anonymise.rollup import Levels
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import rounded
from workbench.core.params import ParamSpec, ParamType
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table, TooManyGroups
from workbench.session.syntactic.question import SyntacticQuestion

_MOST_NODES = 10_000
_SECONDS = 1.0
_MEMORY = 1 << 24
_DOUBLINGS = 8
_HALVINGS = 12
_DIGITS = 3


@dataclass(frozen=True)
class Node:
    """A node and what it costs. Everything but the levels is computed from the true rows: analyst only.

    Parameters
    ----------
    levels
        Level per column.
    score
        Its loss, on the scale of the metric.
    feasible
        Whether all models hold within the suppression limit.
    suppressed
        Rows that must be suppressed for the models to hold.
    classes, smallest
        Classes that are released, and rows of the smallest one; 0 if there is none.
    dooms
        Whether everything finer is known to fail too.
    """

    levels: Mapping[str, int]
    score: float
    feasible: bool
    suppressed: int
    classes: int
    smallest: int
    dooms: bool = False


@dataclass(frozen=True)
class NodeNeighbours:
    """Nodes, the best first and the infeasible last, and how many there are in the whole lattice."""

    nodes: tuple[Node, ...]
    size: int

    @property
    def complete(self) -> bool:
        return len(self.nodes) == self.size


def surroundings(
    problem: SearchProblem, start: Mapping[str, int], seconds: float = _SECONDS, progress: Progress = SILENT
) -> NodeNeighbours:
    """Look at nodes from one outwards: all of a small lattice, the nearest of a large one.

    Parameters
    ----------
    problem
        From `prepare`.
    start
        Where to begin.
    seconds
        When to stop.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    evaluator = Evaluator(problem, _MEMORY)
    lattice, until = problem.lattice, time.perf_counter() + seconds
    origin = tuple(start[name] for name in problem.names)
    waiting: list[tuple[int, Levels]] = [(0, origin)]
    known = {origin}
    nodes: list[Node] = []
    most, looked_at = min(_MOST_NODES, lattice.size), 0
    while waiting and looked_at < most and (not looked_at or time.perf_counter() < until):
        progress(looked_at / most)
        looked_at += 1
        distance, levels = heapq.heappop(waiting)
        with contextlib.suppress(TooManyGroups):  # what an engine cannot bring here is left out
            nodes.append(_node(problem, evaluator, levels))
        for other in _next_to(levels):
            if other in lattice and other not in known:
                known.add(other)
                heapq.heappush(waiting, (distance + 1, other))
    nodes.sort(key=lambda node: (not node.feasible, node.score if node.feasible else node.suppressed))
    return NodeNeighbours(tuple(nodes), lattice.size)


def _next_to(levels: Levels) -> Iterator[Levels]:
    for position, level in enumerate(levels):
        for other in (level - 1, level + 1):
            yield (*levels[:position], other, *levels[position + 1 :])


def _node(problem: SearchProblem, evaluator: Evaluator, levels: Levels) -> Node:
    judgement = evaluator.judge(levels)
    facts = facts_of(problem, judgement, evaluator.key(judgement))
    smallest = int(facts.sizes.min()) if len(facts.sizes) else 0
    dooms = judgement.unavoidable > problem.most_suppressed
    return Node(facts.levels, facts.score, facts.feasible, facts.suppressed, facts.classes, smallest, dooms)


# What would help


@dataclass(frozen=True)
class AllowSuppression:
    """Let up to this share of the rows be suppressed."""

    limit: float


@dataclass(frozen=True)
class WeakenModel:
    """Give a parameter of the model at this position another value."""

    position: int
    parameter: str
    value: float


@dataclass(frozen=True)
class RaiseLevel:
    """Generalise a column to this level."""

    column: str
    level: int


@dataclass(frozen=True)
class AllowLevel:
    """Let a search generalise a column up to this level."""

    column: str
    level: int


Change = AllowSuppression | WeakenModel | RaiseLevel | AllowLevel
"""A change of the question or of the levels after which the models hold."""


def cheapest_changes(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    question: SyntacticQuestion,
    goals: Sequence[Mapping[str, int]],
    *,
    searched: bool,
    seconds: float = _SECONDS,
    progress: Progress = SILENT,
) -> tuple[Change, ...]:
    """Changes after which one of the given nodes, or one close to it, satisfies the models: one of each kind.

    Each was tried; those for which the time did not suffice are left out.

    Parameters
    ----------
    table, hierarchies, question
        As for the search.
    goals
        The nodes that are to become feasible.
    searched
        Whether levels are searched, so that limits of levels may stand in the way, or given by hand.
    seconds
        When to stop trying.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    trial = _Trial(table, hierarchies, question, goals, time.perf_counter() + seconds, progress)
    found: dict[str, Change | None] = {}
    attempts = {
        "level": trial.allowed_level if searched else trial.raised_level,
        "suppression": trial.suppression,
        "model": trial.weaker_model,
    }
    for kind, attempt in attempts.items():
        with contextlib.suppress(TooManyGroups):  # an engine has the rows, and more classes than can be brought
            found[kind] = attempt()
    changes = (found.get(kind) for kind in ("suppression", "level", "model"))
    return tuple(change for change in changes if change is not None)


class _Trial:
    """Tries changes until the time is over."""

    def __init__(
        self,
        table: Table,
        hierarchies: Mapping[str, Hierarchy],
        question: SyntacticQuestion,
        goals: Sequence[Mapping[str, int]],
        until: float,
        progress: Progress,
    ) -> None:
        self._table, self._hierarchies, self._question = table, hierarchies, question
        self._until, self._progress = until, progress
        self._problem = self._prepared(question.models)
        self._goals = [tuple(goal[name] for name in self._problem.names) for goal in goals]
        self._evaluator = Evaluator(self._problem, _MEMORY)

    def suppression(self) -> Change | None:
        """The least limit at which a goal would be feasible."""
        rows = self._problem.rows
        needed = min((self._judge(goal).suppressed for goal in self._goals), default=rows)
        if needed >= rows or needed <= self._problem.most_suppressed:
            return None
        return AllowSuppression(math.ceil(1000 * needed / rows) / 1000)

    def raised_level(self) -> Change | None:
        """The single level that can be raised at the least loss."""
        best: tuple[tuple[float, ...], Change] | None = None
        for goal in self._goals:
            for position, name in enumerate(self._problem.names):
                for level in range(goal[position] + 1, self._problem.lattice.high[position] + 1):
                    if self._out_of_time():
                        break
                    judgement = self._judge((*goal[:position], level, *goal[position + 1 :]))
                    if judgement.feasible:
                        key = self._evaluator.key(judgement)
                        if best is None or key < best[0]:
                            best = key, RaiseLevel(name, level)
                        break
        return best[1] if best is not None else None

    def allowed_level(self) -> Change | None:
        """The single upper limit of a level that can be raised at the least loss."""
        limited = {name for name, (_, high) in self._question.limits.items() if high is not None}
        change = self.raised_level() if limited else None
        if isinstance(change, RaiseLevel) and change.column in limited:
            return AllowLevel(change.column, change.level)
        return None

    def weaker_model(self) -> Change | None:
        """The model whose strength must be changed least, relative to what it is."""
        best: tuple[float, Change] | None = None
        for position, choice in enumerate(self._question.models):
            spec = _strength(choice)
            if spec is None:
                continue
            now = float(choice.checked()[spec.name])
            value = self._nearest(position, spec, now)
            if value is not None:
                distance = abs(value - now) / max(abs(now), 1e-9)
                if best is None or distance < best[0]:
                    best = distance, WeakenModel(position, spec.name, value)
        return best[1] if best is not None else None

    def _nearest(self, position: int, spec: ParamSpec, now: float) -> float | None:
        """The feasible value of a parameter that is closest to the present one, on either side of it."""
        for far in _far_values(spec, now):
            if self._out_of_time():
                return None
            if self._helps(position, spec, far):
                return self._bisected(position, spec, now, far)
        return None

    def _bisected(self, position: int, spec: ParamSpec, bad: float, good: float) -> float:
        for _ in range(_HALVINGS):
            middle = (bad + good) / 2
            if spec.type is ParamType.INTEGER:
                middle = math.floor(middle) if good < bad else math.ceil(middle)
            else:
                middle = rounded(middle, _DIGITS)
            if middle in (bad, good) or self._out_of_time():
                break
            if self._helps(position, spec, middle):
                good = middle
            else:
                bad = middle
        return int(good) if spec.type is ParamType.INTEGER else good

    def _helps(self, position: int, spec: ParamSpec, value: float) -> bool:
        choices = list(self._question.models)
        typed = int(value) if spec.type is ParamType.INTEGER else value
        choices[position] = replace(choices[position], values={**choices[position].values, spec.name: typed})
        try:
            evaluator = Evaluator(self._prepared(tuple(choices)), _MEMORY)
        except WorkbenchError:
            return False  # Not a value the model takes with this table.
        return any(evaluator.judge(goal).feasible for goal in self._goals)

    def _prepared(self, models: tuple[ModelChoice, ...]) -> SearchProblem:
        self._progress(0.0)
        return replace(self._question, models=models).problem(self._table, self._hierarchies, self._progress)

    def _judge(self, levels: Levels) -> NodeJudgement:
        self._progress(0.0)
        return self._evaluator.judge(levels)

    def _out_of_time(self) -> bool:
        return time.perf_counter() > self._until


def _strength(choice: ModelChoice) -> ParamSpec | None:
    """The parameter that says how strict a model is: its first number."""
    numbers = (ParamType.INTEGER, ParamType.NUMBER)
    return next((spec for spec in choice.model.params if spec.type in numbers), None)


def _far_values(spec: ParamSpec, now: float) -> Iterator[float]:
    """Values far from the present one, on either side; which of them is weaker depends on the model."""
    if math.isfinite(spec.minimum) and spec.minimum < now:
        yield spec.minimum if not spec.open_minimum else (spec.minimum + now) / 2
    if math.isfinite(spec.maximum):
        if spec.maximum > now:
            yield spec.maximum if not spec.open_maximum else (spec.maximum + now) / 2
        return
    for doubling in range(1, _DOUBLINGS):
        if now > 0:
            yield now * 2.0**doubling
