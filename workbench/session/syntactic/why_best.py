"""The reason why a node of the lattice won, and what any of them costs. From the true rows: analyst only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.anonymise.evaluation import Evaluator
from workbench.anonymise.outcome import NodeFacts, facts_of
from workbench.anonymise.problem import SearchProblem
from workbench.anonymise.risk import Risk, assess_risk
from workbench.core.progress import SILENT, Progress
from workbench.session.syntactic.neighbours import Node, NodeNeighbours
from workbench.session.syntactic.results import RecodingResult

_MEMORY = 1 << 24


@dataclass(frozen=True)
class Finer:
    """The winner with one column one level finer."""

    column: str
    level: int
    node: Node


@dataclass(frozen=True)
class WhyBest:
    """The reason why no other node won.

    Parameters
    ----------
    finer
        For each column that could be finer: what that would cost. Columns at their lowest level are left out.
    runner_up
        The best of the other nodes that were looked at around the winner and at which the models hold, or None.
    tempting
        Nodes that would lose less but at which the models do not hold within the suppression limit; those that
        would have to suppress least first.
    rows, most_suppressed
        Rows to be released, and how many may be suppressed.
    looked_at
        Nodes looked at around the winner.
    """

    finer: tuple[Finer, ...]
    runner_up: Node | None
    tempting: tuple[Node, ...]
    rows: int
    most_suppressed: int
    looked_at: int


def why(found: RecodingResult, around: NodeNeighbours) -> WhyBest:
    """The reasons for the winner, by the nodes around it."""
    best, lowest = found.result, found.problem.named(found.problem.lattice.low)
    nodes = {tuple(node.levels[name] for name in best.levels): node for node in around.nodes}
    finer = []
    for name, level in best.levels.items():
        near = nodes.get(tuple(best.levels[one] - (one == name) for one in best.levels))
        if level > lowest[name] and near is not None:
            finer.append(Finer(name, level - 1, near))
    others = [node for node in around.nodes if dict(node.levels) != dict(best.levels)]
    tempting = [node for node in others if not node.feasible and node.score < best.score]
    return WhyBest(
        tuple(finer),
        next((node for node in others if node.feasible), None),
        tuple(sorted(tempting, key=lambda node: (node.suppressed, node.score))),
        found.problem.rows,
        found.problem.most_suppressed,
        len(around.nodes),
    )


@dataclass(frozen=True, eq=False)
class NodeCost:
    """One node and what it costs, with the risk that is left."""

    facts: NodeFacts
    risk: Risk


def costs_of(
    problem: SearchProblem, nodes: Sequence[Mapping[str, int]], threshold: float = 0.2, progress: Progress = SILENT
) -> tuple[NodeCost, ...]:
    """The costs of some nodes, to lay them side by side.

    Parameters
    ----------
    problem
        From `prepare`.
    nodes
        A level for every column of the problem.
    threshold
        The chance above which a row counts as at risk, 0 to 1.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    evaluator = Evaluator(problem, _MEMORY)
    found = []
    for position, levels in enumerate(nodes):
        progress(position / len(nodes))
        judgement = evaluator.judge(tuple(levels[name] for name in problem.names))
        sizes = judgement.classes.sizes
        kept = sizes > 0
        kept[judgement.failing] = False
        risk = assess_risk(sizes[kept], threshold, judgement.classes.population[kept])
        found.append(NodeCost(facts_of(problem, judgement, evaluator.key(judgement)), risk))
    progress(1.0)
    return tuple(found)
