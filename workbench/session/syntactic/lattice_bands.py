"""The combinations of levels that a search looked at, arranged to be drawn: in bands, each with how good it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from workbench.session.syntactic.neighbours import Node, NodeNeighbours
from workbench.session.syntactic.results import RecodingResult

Levels = tuple[int, ...]

MOST = 10_000
"""Combinations shown; of more those nearest to the best one."""


@dataclass(frozen=True, eq=False)
class Square:
    """One square: its levels, what is known of the node (None: it was not looked at), and how good it is.

    `strength` is 1 for the least loss among the combinations that do not fail and 0 for the most; of one that was not
    looked at it goes by the loss its levels have at least. `failing` is the share of the rows that are or would be
    suppressed; `doomed` says that a node which was not looked at fails, because a more general one shows it.
    """

    levels: Levels
    node: Node | None
    strength: float = 0.0
    failing: float = 0.0
    doomed: bool = False


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


def only_holding(drawn: LatticeBands) -> LatticeBands:
    """Those of the combinations at which the models hold."""
    bands = (
        (total, tuple(cell for cell in cells if cell.node is not None and cell.node.feasible))
        for total, cells in drawn.bands
    )
    return replace(drawn, bands=tuple((total, cells) for total, cells in bands if cells), complete=False)


def lattice_bands(found: RecodingResult, around: NodeNeighbours, most: int = MOST) -> LatticeBands:
    """The bands of the combinations as they are drawn; takes some milliseconds for a thousand of them."""
    names, rows = found.problem.names, found.problem.rows
    best = tuple(found.result.levels[name] for name in names)
    known = {tuple(node.levels[name] for name in names): node for node in around.nodes}
    lattice = found.problem.lattice
    if lattice.size <= most:
        shown = list(product(*(range(low, high + 1) for low, high in zip(lattice.low, lattice.high, strict=True))))
    else:
        shown = sorted(known, key=lambda levels: sum(abs(a - b) for a, b in zip(levels, best, strict=True)))[:most]
    doomed = _doomed(found, known)
    loss = {levels: node.score for levels, node in known.items() if node.feasible}
    if lattice.size <= most:
        floor, low = found.problem.loss.floor(), lattice.low
        for levels in shown:
            if levels not in known and levels not in doomed:
                place = tuple(level - first for level, first in zip(levels, low, strict=True))
                loss[levels] = found.problem.loss.shown_bound(float(floor[place]))
    # By rank: the losses of most combinations lie so close together that their colours could not be told apart.
    order = sorted({loss[levels] for levels in shown if levels in loss})
    strength = {score: 1 - place / max(len(order) - 1, 1) for place, score in enumerate(order)}
    bands: dict[int, list[Square]] = {}
    for levels in shown:
        node, strong = known.get(levels), strength[loss[levels]] if levels in loss else 0.0
        failing = node.suppressed / max(rows, 1) if node is not None else 0.0
        cell = Square(levels, node, strong, failing, node is None and levels in doomed)
        bands.setdefault(sum(levels), []).append(cell)
    ordered = tuple((total, tuple(sorted(bands[total], key=_order))) for total in sorted(bands, reverse=True))
    return LatticeBands(names, ordered, best, rows, lattice.size <= most)


def _doomed(found: RecodingResult, known: Mapping[Levels, Node]) -> set[Levels]:
    """Of a lattice that is drawn whole, the combinations below one that shows that they fail."""
    lattice = found.problem.lattice
    if lattice.size > MOST:
        return set()
    below = np.zeros([high - low + 1 for low, high in zip(lattice.low, lattice.high, strict=True)], dtype=np.bool_)
    for levels, node in known.items():
        if node.dooms:
            below[lattice.below(levels)] = True
    return {tuple(int(n) for n in place + np.array(lattice.low)) for place in np.argwhere(below)}


def _order(cell: Square) -> tuple[int, float, Levels]:
    if cell.node is None:
        return (3, 0.0, cell.levels) if cell.doomed else (2, -cell.strength, cell.levels)
    return (0, cell.node.score, cell.levels) if cell.node.feasible else (1, cell.failing, cell.levels)
