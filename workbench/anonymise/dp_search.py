"""Levels that are fixed without the data, by a degree, or drawn privately, which is paid for with its own ε.

The draw reads the true rows through a score that one row can change by little only, so the chosen levels may be
published. The release that follows must draw a fresh sample; together they cost (ε of the choice + ε of the release,
δ of the release).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import product

import numpy as np

from workbench.anonymise.goal import Limits
from workbench.anonymise.lattice import Lattice
from workbench.anonymise.level_scores import UNIT, LevelScoring, Score, row_worth, scores_of
from workbench.anonymise.problem import lattice_of
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.sample_guarantee import MAX_EPSILON
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import exact
from workbench.core.private_draw import Draw, draw_position, selection_probabilities
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource
from workbench.core.rationals import rational
from workbench.core.table import Table
from workbench.core.trim_law import TrimLaw
from workbench.core.typed_fields import typed_fields

MOST_NODES = 20_000
"""A public set of nodes is thinned out, by a rule that does not see the data, until it has at most this many."""

_LIKELIEST = 5


class Degree(StrEnum):
    """A degree of generalisation that fixes the levels without looking at the data."""

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


def degree_levels(hierarchies: Mapping[str, Hierarchy], degree: Degree, limits: Limits | None = None) -> dict[str, int]:
    """Levels fixed without the data: round(degree × highest level), halves upwards, then kept within the limits.

    Raises
    ------
    WorkbenchError
        If the limits contradict themselves.
    """
    lattice = lattice_of(tuple(hierarchies), hierarchies, limits or {})
    return {
        name: min(max(math.floor(degree.share * hierarchy.height + Fraction(1, 2)), low), high)
        for (name, hierarchy), low, high in zip(hierarchies.items(), lattice.low, lattice.high, strict=True)
    }


@dataclass(frozen=True)
@typed_fields
class PrivateSearch:
    """A private draw of levels: its price, its mechanism and its score. All of it is public.

    Parameters
    ----------
    epsilon
        What one draw costs a person, in (0, 10].
    draw
        The mechanism.
    score
        What the combinations of levels are judged by.
    """

    epsilon: float = 0.2
    draw: Draw = Draw.PERMUTE_AND_FLIP
    score: Score = Score.KEPT_DETAIL

    def __post_init__(self) -> None:
        if isinstance(self.epsilon, bool) or not 0 < self.epsilon <= MAX_EPSILON:
            raise WorkbenchError(
                f"ε of choosing the levels must lie between 0 and {exact(MAX_EPSILON)}, not {self.epsilon}.",
                hint="Give a part of the ε you want to spend, such as 0.2.",
                field="search_epsilon",
            )

    def of_mechanism(self, mechanism: ReleaseMechanism) -> PrivateSearch:
        """The same for a release by a mechanism: the detail that is kept is that which the mechanism keeps."""
        kept = {ReleaseMechanism.SAMPLE: Score.KEPT_DETAIL, ReleaseMechanism.TRIM: Score.TRIMMED}
        return replace(self, score=kept[mechanism]) if self.score in kept.values() else self


@dataclass(frozen=True)
class PrivateChoice:
    """Levels chosen privately. All of it may be published.

    Parameters
    ----------
    levels
        Level per column.
    search, judgement
        How they were drawn, and what the combinations were judged by.
    nodes
        Size of the public set of combinations.
    secure
        Whether the randomness came from the operating system; without that the choice costs more than it says.
    """

    levels: Mapping[str, int]
    search: PrivateSearch
    judgement: LevelScoring
    nodes: int
    secure: bool


@dataclass(frozen=True)
class Chance:
    """The chance that a combination of levels had of being drawn. Analyst only."""

    levels: Mapping[str, int]
    probability: float


@dataclass(frozen=True)
class DrawnLevels:
    """A private choice, and what an analyst may know about it.

    Parameters
    ----------
    choice
        Public.
    chance
        How likely the drawn combination was. Analyst only.
    likeliest
        The combinations that were likeliest, best first. Analyst only.
    """

    choice: PrivateChoice
    chance: float
    likeliest: tuple[Chance, ...]


def choose_levels(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    search: PrivateSearch,
    *,
    k: int,
    beta: float,
    source: RandomSource,
    rows_per_person: int = 1,
    limits: Limits | None = None,
    most_nodes: int = MOST_NODES,
    law: TrimLaw | None = None,
    before: Callable[[int], object] | None = None,
    progress: Progress = SILENT,
) -> DrawnLevels:
    """Draw one combination of levels with ε-differential privacy (add or remove all rows of one person).

    Parameters
    ----------
    table, hierarchies
        The data, and the hierarchies of the grouped columns; one without levels for a column grouped as it is.
        They must be public, else nothing is promised.
    search
        ε and the mechanism.
    k, beta
        Those of the release; public.
    source
        Secure for a real choice.
    rows_per_person
        The most rows one person may have, c. Their rows can change a score c times as much as one row.
    limits
        Lowest and highest level per column; public.
    most_nodes
        The public set of combinations is thinned out to at most this many.
    law
        Of what a group gives up in a release that trims, public; None for one that samples.
    before
        Called with the size of the public set when everything is there but the draw, to pay for it; if it raises,
        nothing is drawn.

    Raises
    ------
    WorkbenchError
        If there are no levels to choose from, the limits contradict themselves, or a hierarchy misses values.
    Cancelled
        If the progress was cancelled, which is possible until the levels are drawn.

    Notes
    -----
    Each row of a person changes every score by at most the sensitivity Δ, so the person changes it by cΔ. Both draws
    cost ε at a rate of ε/(2cΔ), or of ε/(cΔ) if one row more lowers no score.
    """
    nodes = public_nodes(hierarchies, limits=limits, most_nodes=most_nodes)
    search = search.of_mechanism(ReleaseMechanism.SAMPLE if law is None else ReleaseMechanism.TRIM)
    judgement = LevelScoring(search.score, k, beta, law)
    scores = scores_of(table, hierarchies, nodes, judgement, progress.part(0.0, 0.9))
    heights = [hierarchy.height for hierarchy in hierarchies.values()]
    worth = Fraction(max(row_worth(list(node.values()), heights) for node in nodes), UNIT)
    rate = judgement.rate(rational(search.epsilon), len(hierarchies), rows_per_person, worth)
    chances = selection_probabilities(scores, rate, search.draw)
    likeliest = np.argsort(-chances, kind="stable")[:_LIKELIEST].tolist()
    progress(1.0, "Scoring combinations of levels")
    if before is not None:
        before(len(nodes))
    drawn = draw_position(scores, rate, search.draw, source)
    return DrawnLevels(
        PrivateChoice(nodes[drawn], search, judgement, len(nodes), source.secure),
        float(chances[drawn]),
        tuple(Chance(nodes[position], float(chances[position])) for position in likeliest),
    )


def public_nodes(
    hierarchies: Mapping[str, Hierarchy], *, limits: Limits | None = None, most_nodes: int = MOST_NODES
) -> list[dict[str, int]]:
    """The nodes among which is chosen, as levels per column. The data has no say in which they are.

    Raises
    ------
    WorkbenchError
        If there is no hierarchy, or the limits contradict themselves.
    """
    if not any(hierarchy.height for hierarchy in hierarchies.values()):
        raise WorkbenchError(
            "No column has a hierarchy, so there are no levels to choose.",
            hint="Attach a hierarchy to at least one column.",
            field="hierarchies",
        )
    names = tuple(hierarchies)
    lattice = lattice_of(names, hierarchies, limits or {})
    return [dict(zip(names, levels, strict=True)) for levels in product(*_thinned(lattice, most_nodes))]


def _thinned(lattice: Lattice, most: int) -> list[list[int]]:
    """Levels per attribute, the longest lists thinned out evenly until few enough combinations remain."""
    choices = [list(range(low, high + 1)) for low, high in zip(lattice.low, lattice.high, strict=True)]
    while math.prod([len(levels) for levels in choices]) > most:
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
