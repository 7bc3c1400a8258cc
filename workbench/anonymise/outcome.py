"""Outcome of a search: the best node, and the facts about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.evaluation import NodeJudgement
from workbench.anonymise.problem import SearchProblem
from workbench.anonymise.rollup import Levels
from workbench.anonymise.utility import Key
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact


@discreet
@dataclass(frozen=True, eq=False)
class NodeFacts:
    """One node. Everything but the levels is computed from the true rows: analyst only.

    Parameters
    ----------
    levels
        Level per column.
    score
        Its loss, on the scale of the metric.
    losses
        The loss of each column by itself; empty if the metric looks at whole rows only.
    feasible
        Whether all models hold within the suppression limit.
    suppressed
        Rows that must be suppressed for the models to hold.
    classes
        Classes that are released.
    sizes
        Their rows, int64 of shape (classes,).
    why
        Why the node is not feasible, or "".
    """

    levels: dict[str, int]
    score: float
    losses: dict[str, float]
    feasible: bool
    suppressed: int
    classes: int
    sizes: NDArray[np.int64]
    why: str = ""


@discreet
@dataclass(frozen=True)
class SearchResult:
    """The best node found. Everything but the levels is computed from the true rows: analyst only.

    Parameters
    ----------
    levels
        Level per column.
    score
        Its loss, on the scale of the metric.
    suppressed
        Rows that are suppressed.
    nodes, nodes_checked
        Nodes of the lattice, and how many of them were counted.
    seconds
        How long it took, with reading the rows.
    optimal
        Whether no other node can be better.
    gap
        How much lower the loss of a node that was not looked at could be, at most; 0 if `optimal`.
    """

    levels: dict[str, int]
    score: float
    suppressed: int
    nodes: int
    nodes_checked: int
    seconds: float
    optimal: bool
    gap: float = 0.0


@dataclass
class Incumbent:
    """The best feasible node so far. Of equally good ones the one with the lowest number counts."""

    key: Key | None = None
    number: int = -1
    levels: Levels | None = None
    suppressed: int = 0
    first: float = field(default=math.inf)
    """First component of the key; bounds are compared with it."""

    def offer(self, key: Key, number: int, levels: Levels, judgement: NodeJudgement) -> None:
        """Take the node if it is better."""
        if self.key is None or (key, number) < (self.key, self.number):
            self.key, self.number, self.levels = key, number, levels
            self.suppressed = judgement.suppressed
            self.first = key[0]

    def beaten_by(self, bound: float, number: int) -> bool:
        """Whether a node with this bound might be better."""
        if self.key is None:
            return bound < math.inf
        if bound != self.first:
            return bound < self.first
        # With a key of several parts, an equal first part decides nothing.
        return number < self.number if len(self.key) == 1 else True


def facts_of(problem: SearchProblem, judgement: NodeJudgement, key: Key) -> NodeFacts:
    """The facts of a judged node."""
    sizes = judgement.classes.sizes
    kept = np.ones(len(sizes), dtype=np.bool_)
    kept[judgement.failing] = False
    released = sizes[kept & (sizes > 0)]
    losses = problem.loss.per_attribute(judgement.levels, judgement.classes, judgement.failing)
    why = ""
    if not judgement.feasible:
        why = (
            f"{judgement.suppressed:,} of {problem.rows:,} rows would have to be suppressed; "
            f"{problem.most_suppressed:,} may be."
        )
    return NodeFacts(
        problem.named(judgement.levels),
        problem.loss.shown(key),
        dict(zip(problem.names, losses, strict=False)),
        judgement.feasible,
        judgement.suppressed,
        len(released),
        released,
        why,
    )


def result_of(
    problem: SearchProblem, incumbent: Incumbent, bound: float | None, checked: int, seconds: float
) -> SearchResult:
    """The result of a search; `bound` is the least loss an unseen node could have, None if there is none left."""
    assert incumbent.levels is not None and incumbent.key is not None
    score = problem.loss.shown(incumbent.key)
    gap = 0.0 if bound is None else max(0.0, score - problem.loss.shown_bound(bound))
    return SearchResult(
        problem.named(incumbent.levels),
        score,
        incumbent.suppressed,
        problem.lattice.size,
        checked,
        seconds,
        bound is None,
        gap,
    )


def nothing_feasible(problem: SearchProblem, top: NodeJudgement) -> WorkbenchError:
    """The error that says that no node satisfies the models; to the analyst also which limit would be enough."""
    words = "No combination of levels satisfies the privacy models: even at the highest levels"
    hint = "Allow higher levels, weaken the privacy models, or raise the suppression limit"
    enough = exact(math.ceil(1000 * top.suppressed / problem.rows) / 1000)
    return _refusal(
        f"{words} more rows would have to be suppressed than may be.",
        f"{hint}.",
        f"{words} {top.suppressed:,} of {problem.rows:,} rows would have to be suppressed, and "
        f"{problem.most_suppressed:,} may be.",
        f"{hint} to about {enough}.",
    )


def too_fine(suppressed: int, rows: int, most: int) -> WorkbenchError:
    """The error that says that the models do not hold at some levels; to the analyst also how many rows fail."""
    hint = "Raise the levels or the suppression limit, or weaken the models."
    return _refusal(
        "At these levels more rows do not satisfy the privacy models than may be suppressed.",
        hint,
        f"At these levels {suppressed:,} of {rows:,} rows do not satisfy the privacy models, and {most:,} may be "
        "suppressed.",
        hint,
    )


def _refusal(words: str, hint: str, for_analyst: str, hint_for_analyst: str) -> WorkbenchError:
    """An error about the suppression limit, which tells analysts how many rows fail."""
    field = "suppression_limit"
    return WorkbenchError(
        words, hint=hint, field=field, analyst=WorkbenchError(for_analyst, hint=hint_for_analyst, field=field)
    )
