"""Choosing levels privately: one draw over a public set of nodes, paid for with its own ε.

The draw reads the true rows through a score of sensitivity 1, so the chosen levels may be published. The release
that follows must draw a fresh sample; together they cost (ε of the choice + ε of the release, δ of the release).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import product as combinations

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.lattice import Lattice
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import Limits, lattice_of, prepare
from workbench.anonymise.rollup import GroupTable, Levels, product, roll_up
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, permutation
from workbench.core.table import Table

UNIT = 1 << 20
"""Scores are whole numbers of 1/UNIT rows, so that no rounding enters them; one row changes a score by at most UNIT."""

MOST_NODES = 20_000
"""A public set of nodes is thinned out, by a rule that does not see the data, until it has at most this many."""

_LARGEST_EPSILON = 100.0


class Draw(StrEnum):
    """How the node is drawn. Both give ε-differential privacy; the scores are monotone, so no factor 2 is needed."""

    PERMUTE_AND_FLIP = "permute-and-flip"
    """Go through the nodes in random order, take each with probability exp(−ε·(best score − its score))."""
    EXPONENTIAL = "exponential"
    """Probabilities in proportion to exp(ε·score)."""


class Degree(StrEnum):
    """How far to generalise when the levels are fixed without looking at the data."""

    NONE = "none"
    LOW = "low"
    LOW_MEDIUM = "low-medium"
    MEDIUM = "medium"
    MEDIUM_HIGH = "medium-high"
    HIGH = "high"
    COMPLETE = "complete"

    @property
    def share(self) -> Fraction:
        """The share of the height of each hierarchy."""
        return _DEGREES[self]


_DEGREES = {
    Degree.NONE: Fraction(0),
    Degree.LOW: Fraction(1, 5),
    Degree.LOW_MEDIUM: Fraction(2, 5),
    Degree.MEDIUM: Fraction(1, 2),
    Degree.MEDIUM_HIGH: Fraction(3, 5),
    Degree.HIGH: Fraction(4, 5),
    Degree.COMPLETE: Fraction(1),
}


def degree_levels(hierarchies: Mapping[str, Hierarchy], degree: Degree) -> dict[str, int]:
    """Levels fixed without the data: round(degree × highest level), halves upwards."""
    return {
        name: math.floor(degree.share * hierarchy.height + Fraction(1, 2)) for name, hierarchy in hierarchies.items()
    }


@dataclass(frozen=True)
class PrivateChoice:
    """Levels chosen privately. All of it may be published.

    Parameters
    ----------
    levels
        Level per column.
    epsilon
        What the choice cost.
    draw
        How it was drawn.
    threshold
        The T of the score.
    nodes
        Size of the public set of nodes.
    secure
        Whether the randomness came from the operating system; without that the choice costs more than `epsilon`.
    """

    levels: dict[str, int]
    epsilon: float
    draw: Draw
    threshold: int
    nodes: int
    secure: bool


def choose_levels(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    *,
    epsilon: float,
    threshold: int,
    source: RandomSource,
    draw: Draw = Draw.PERMUTE_AND_FLIP,
    limits: Limits | None = None,
    most_nodes: int = MOST_NODES,
    progress: Progress = SILENT,
) -> PrivateChoice:
    """Draw one node with ε-differential privacy (add or remove one row).

    Parameters
    ----------
    table, hierarchies, limits
        The data, and what spans the public set of nodes. The hierarchies must be public.
    epsilon
        ε of the choice, in (0, 100].
    threshold
        T: about how many rows of the table a class needs to survive the release, ⌈k/β⌉ of it. Public.
    source
        Secure for a real choice.
    draw
        The mechanism.
    most_nodes
        The public set is thinned out to at most this many.

    Raises
    ------
    WorkbenchError
        If ε or T is not allowed, or a hierarchy was made from the data.
    Cancelled
        If the progress was cancelled; nothing has been spent then, as long as nobody saw the progress in detail.

    Notes
    -----
    The score of a node is Σ over its classes of q·max(0, rows − T) with public q in [0, 1]: how much the labels of
    the class still say, 1 − the mean over the columns of (share − 1/D)/(1 − 1/D). One row more raises one class's
    rows by 1, so every score rises by at most 1 and none falls.
    """
    checked = _checked_epsilon(epsilon)
    for name, hierarchy in hierarchies.items():
        if hierarchy.provenance is not Provenance.PUBLIC:
            raise WorkbenchError(
                f"The hierarchy of “{name}” was made from the data, so which levels it offers is not public.",
                hint=f"Give “{name}” a public hierarchy.",
                field=name,
            )
    nodes = public_nodes(hierarchies, limits=limits, most_nodes=most_nodes)
    scores = scores_of(table, hierarchies, nodes, threshold, progress)
    chosen = draw_node(scores, checked, draw, source)
    return PrivateChoice(nodes[chosen], epsilon, draw, threshold, len(nodes), source.secure)


def public_nodes(
    hierarchies: Mapping[str, Hierarchy], *, limits: Limits | None = None, most_nodes: int = MOST_NODES
) -> list[dict[str, int]]:
    """The nodes among which is chosen, as levels per column. The data has no say in which they are.

    Raises
    ------
    WorkbenchError
        If there is no hierarchy, or the limits contradict themselves.
    """
    if not hierarchies:
        raise WorkbenchError(
            "No column has a hierarchy, so there are no levels to choose.",
            hint="Attach a hierarchy to at least one column.",
            field="hierarchies",
        )
    names = tuple(hierarchies)
    lattice = lattice_of(names, hierarchies, limits or {})
    return [dict(zip(names, levels, strict=True)) for levels in combinations(*_thinned(lattice, most_nodes))]


def scores_of(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    nodes: Sequence[Mapping[str, int]],
    threshold: int,
    progress: Progress = SILENT,
) -> list[int]:
    """The score of each node in units of 1/`UNIT` rows, exact whole numbers. Analyst only.

    Raises
    ------
    WorkbenchError
        If the threshold is negative, or a hierarchy misses values.
    """
    if threshold < 0:
        raise WorkbenchError("T must not be negative.", hint="Take k/β, rounded up.", field="threshold")
    if not table.rows:
        return [0] * len(nodes)
    # Any model would do, only the encoding is needed; this one accepts every table.
    problem = prepare(table, hierarchies, [ModelChoice("average-risk", {"threshold": 1.0})])
    worth = [[_worth(one.shares[level], one.domain) for level in range(one.height + 1)] for one in problem.attributes]
    scores = []
    tables = _PrefixTables(problem.bottom)
    for position, node in enumerate(nodes):
        if position % 16 == 0:
            progress(position / len(nodes), "Scoring combinations of levels")
        levels = problem.levels_of(node)
        scores.append(_score(ClassTable(tables.at(levels), problem.layout), levels, worth, threshold))
    progress(1.0)
    return scores


def selection_probabilities(scores: Sequence[int], epsilon: float, draw: Draw) -> NDArray[np.float64]:
    """How likely each node is to be drawn, shape (nodes,). Analyst only.

    With p = exp(ε·(score − best)/UNIT), the exponential mechanism draws with p/Σp. Permute-and-flip draws node i
    with pᵢ·∫₀¹ Π_{j≠i}(1 − t·pⱼ) dt: node i comes at time t of the random order, and all before it were refused.
    The integrand is a polynomial, so Gauss's rule is exact for up to 2,000 nodes and precise beyond.
    """
    best = max(scores)
    exact = Fraction(epsilon)
    p = np.array([math.exp(-float(exact * (best - score) / UNIT)) for score in scores])
    if draw is Draw.EXPONENTIAL:
        shares: NDArray[np.float64] = p / p.sum()
        return shares
    points, weights = np.polynomial.legendre.leggauss(min(len(scores) // 2 + 1, 1000))
    times = (points + 1) / 2
    logs = np.log1p(-np.outer(times, p))
    others = np.exp(logs.sum(axis=1, keepdims=True) - logs)
    drawn: NDArray[np.float64] = p * (weights / 2 @ others)
    return drawn


def draw_node(scores: Sequence[int], epsilon: Fraction, draw: Draw, source: RandomSource) -> int:
    """Draw the position of one score, exactly: only whole numbers are compared, nothing is rounded.

    Exponential mechanism: draw a node uniformly and accept it with probability p, until one is accepted.
    """
    coins = _Coins(source)
    best = max(scores)
    if draw is Draw.PERMUTE_AND_FLIP:
        for position in permutation(source, len(scores)).tolist():
            if coins.exponential(epsilon * (best - scores[position]) / UNIT):
                return int(position)
    while True:
        position = coins.below(len(scores))
        if coins.exponential(epsilon * (best - scores[position]) / UNIT):
            return position


class _Coins:
    """Exact coins from random words."""

    def __init__(self, source: RandomSource) -> None:
        self._source = source
        self._words: Iterator[int] = iter(())

    def _word(self) -> int:
        for word in self._words:
            return word
        self._words = iter(self._source.words(256).tolist())
        return self._word()

    def below(self, bound: int) -> int:
        """A uniform integer in [0, bound)."""
        words = max(1, (bound.bit_length() + 63) // 64)
        whole = 1 << 64 * words
        accepted = whole - whole % bound
        while True:
            number = 0
            for _ in range(words):
                number = number << 64 | self._word()
            if number < accepted:
                return number % bound

    def exponential(self, x: Fraction) -> bool:
        """True with probability exp(−x), x ≥ 0 (Canonne, Kamath, Steinke 2020)."""
        whole = int(x)
        for _ in range(whole):
            if not self._exponential_below_one(1, 1):
                return False
        rest = x - whole
        return self._exponential_below_one(rest.numerator, rest.denominator)

    def _exponential_below_one(self, numerator: int, denominator: int) -> bool:
        """exp(−γ) is the chance that the first refusal of coins γ/1, γ/2, γ/3, … comes at an odd place."""
        place = 1
        while self.below(denominator * place) < numerator:
            place += 1
        return place % 2 == 1


class _PrefixTables:
    """Group tables of nodes visited in any order, quickest if the last column's level changes fastest."""

    def __init__(self, bottom: GroupTable) -> None:
        self._chain = [bottom]

    def at(self, levels: Levels) -> GroupTable:
        # The chain holds tables of (levels[:1], low…), (levels[:2], low…), …: each is finer than the next.
        bottom = self._chain[0].levels
        for length in range(1, len(levels) + 1):
            wanted = (*levels[:length], *bottom[length:])
            if length < len(self._chain) and self._chain[length].levels == wanted:
                continue
            del self._chain[length:]
            last = self._chain[-1]
            self._chain.append(last if last.levels == wanted else roll_up(last, wanted))
        return self._chain[-1]


def _worth(shares: NDArray[np.int64], domain: int) -> NDArray[np.int64]:
    """What a label still says, (D − its share)/(D − 1) in units rounded down; 0 for one that says nothing."""
    return (domain - shares) * UNIT // max(domain - 1, 1)


def _score(classes: ClassTable, levels: Levels, worth: Sequence[Sequence[NDArray[np.int64]]], threshold: int) -> int:
    above = np.flatnonzero(classes.sizes > threshold)
    if not len(above):
        return 0
    total = np.zeros(len(above), dtype=np.int64)
    for attribute, level in enumerate(levels):
        total += worth[attribute][level][classes.labels(attribute, above)]
    # Rounded down once more, so the worth of a class is at most one unit.
    return int((total // len(levels) * (classes.sizes[above] - threshold)).sum())


def _thinned(lattice: Lattice, most: int) -> list[list[int]]:
    """Levels per attribute, the longest lists thinned out evenly until few enough combinations remain."""
    choices = [list(range(low, high + 1)) for low, high in zip(lattice.low, lattice.high, strict=True)]
    while product([len(levels) for levels in choices]) > most:
        longest = max(range(len(choices)), key=lambda attribute: len(choices[attribute]))
        levels = choices[longest]
        if len(levels) == 2:
            choices[longest] = levels[1:]
        elif len(levels) == 1:
            break
        else:
            count = len(levels) - 1
            choices[longest] = [levels[round(step * (len(levels) - 1) / (count - 1))] for step in range(count)]
    return choices


def _checked_epsilon(epsilon: float) -> Fraction:
    if isinstance(epsilon, bool) or not 0 < epsilon <= _LARGEST_EPSILON:
        raise WorkbenchError(
            f"ε of the choice must lie between 0 and {_LARGEST_EPSILON:g}, not {epsilon}.",
            hint="Give a part of the ε you want to spend, such as 0.1.",
            field="epsilon",
        )
    return Fraction(epsilon)
