"""The combinations of levels that a search looked at, arranged to be drawn: in bands, each with how good it is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from workbench.session.syntactic.neighbours import Node, NodeNeighbours
from workbench.session.syntactic.results import RecodingResult

Levels = tuple[int, ...]

MOST = 4_000
"""Combinations shown; of more those nearest to the best one."""


@dataclass(frozen=True, eq=False)
class Square:
    """One square: its levels, what is known of the node (None: it was not looked at), and how good it is.

    `strength` is 1 for the least loss among the combinations at which the models hold and 0 for the most; `failing`
    is the share of the rows that are or would be suppressed.
    """

    levels: Levels
    node: Node | None
    strength: float = 0.0
    failing: float = 0.0


@dataclass(frozen=True, eq=False)
class LatticeBands:
    """The combinations to draw.

    Parameters
    ----------
    names
        The columns.
    bands
        The squares by the sum of their levels, the highest sum first; in a band the best first, then those at which
        the models fail, then those that were not looked at.
    best
        The levels of the winner.
    rows
        Rows to be released.
    complete
        Whether these are all combinations there are.
    """

    names: tuple[str, ...]
    bands: tuple[tuple[int, tuple[Square, ...]], ...]
    best: Levels
    rows: int
    complete: bool


def lattice_bands(found: RecodingResult, around: NodeNeighbours, most: int = MOST) -> LatticeBands:
    """What is drawn of the combinations that were looked at; costs a sort of them."""
    names, rows = found.problem.names, found.problem.rows
    best = tuple(found.result.levels[name] for name in names)
    known = {tuple(node.levels[name] for name in names): node for node in around.nodes}
    lattice = found.problem.lattice
    if lattice.size <= most:
        shown = list(product(*(range(low, high + 1) for low, high in zip(lattice.low, lattice.high, strict=True))))
    else:
        shown = sorted(known, key=lambda levels: sum(abs(a - b) for a, b in zip(levels, best, strict=True)))[:most]
    feasible = sorted({known[levels].score for levels in shown if levels in known and known[levels].feasible})
    # By rank: the losses of most combinations lie so close together that their colours could not be told apart.
    strength = {score: 1 - place / max(len(feasible) - 1, 1) for place, score in enumerate(feasible)}
    bands: dict[int, list[Square]] = {}
    for levels in shown:
        node = known.get(levels)
        cell = Square(levels, None)
        if node is not None:
            strong = strength[node.score] if node.feasible else 0.0
            cell = Square(levels, node, strong, node.suppressed / max(rows, 1))
        bands.setdefault(sum(levels), []).append(cell)
    ordered = tuple((total, tuple(sorted(bands[total], key=_order))) for total in sorted(bands, reverse=True))
    return LatticeBands(names, ordered, best, rows, lattice.size <= most)


def _order(cell: Square) -> tuple[int, float, Levels]:
    if cell.node is None:
        return 2, 0.0, cell.levels
    return (0, cell.node.score, cell.levels) if cell.node.feasible else (1, cell.failing, cell.levels)
