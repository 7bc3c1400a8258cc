"""A number line cut into cells with exact edges.

Edges are decimal numbers. They are kept as whole multiples of a power of ten and divided once, so that the edge
between `[0.2, 0.3[` and `[0.3, 0.4[` is the number 0.3 itself and not the sum 0.1 + 0.1 + 0.1.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact

_EXACT = float(1 << 53)
_FARTHEST = 1e100


@dataclass(frozen=True)
class IntervalCells:
    """Neighbouring intervals, repeated in both directions or not.

    Parameters
    ----------
    edges
        Rising: cell i lies between `edges[i]` and `edges[i + 1]`.
    repeated
        Whether the same cells follow again and again on both sides.
    closed_low
        Whether a cell holds its lower edge (`[a, b[`) or its upper one (`]a, b]`).

    Raises
    ------
    WorkbenchError
        If the edges do not rise.
    """

    edges: tuple[float, ...]
    repeated: bool
    closed_low: bool

    def __post_init__(self) -> None:
        if any(abs(edge) > _FARTHEST for edge in self.edges):
            raise WorkbenchError("An interval is too far out.", hint="Give ends below 1e100.", field="intervals")
        if len(self.edges) < 2 or any(b <= a for a, b in itertools.pairwise(self.edges)):
            raise WorkbenchError(
                "The base intervals do not follow each other.",
                hint="Give every interval an end above its start, and start each where the one before ends.",
                field="intervals",
            )

    @property
    def count(self) -> int:
        """Cells before they repeat."""
        return len(self.edges) - 1

    @cached_property
    def _whole(self) -> tuple[NDArray[np.int64] | None, float]:
        """The edges times a power of ten as whole numbers, and that power; None if they are too fine for that."""
        decimals = [Decimal(repr(edge)) for edge in self.edges]
        places = max(0, *(-int(edge.as_tuple().exponent) for edge in decimals))
        if places > 15:
            return None, 1.0
        scaled = [int(edge.scaleb(places)) for edge in decimals]
        if max(abs(edge) for edge in scaled) >= _EXACT:
            return None, 1.0
        return np.array(scaled, dtype=np.int64), float(10**places)

    def edge(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """The lower edge of each cell, a number read from its exact decimal where that is possible."""
        cycle, within = np.divmod(cells, self.count)
        if not self.repeated:
            cycle, within = np.zeros_like(cells), np.clip(cells, 0, self.count)
        edges = np.array(self.edges)
        found: NDArray[np.float64] = edges[within] + cycle * (edges[-1] - edges[0])
        whole, scale = self._whole
        if whole is not None:
            period = int(whole[-1] - whole[0])
            # Decided for each cell by itself: a far-away number must not move the cells of the others.
            exact = np.abs(cycle) <= (_EXACT - float(np.abs(whole).max())) / period
            found[exact] = (whole[within[exact]] + cycle[exact] * period) / scale
        return found

    def reach(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Of which numbers the cell is known exactly, bool of their shape; of repeated cells not those too far away."""
        if not self.repeated:
            return np.ones(numbers.shape, dtype=np.bool_)
        with np.errstate(over="ignore"):
            cycle = np.floor((numbers - self.edges[0]) / (self.edges[-1] - self.edges[0]))
        near: NDArray[np.bool_] = np.abs(cycle) * self.count < _EXACT / 4
        return near

    def locate(self, numbers: NDArray[np.float64]) -> NDArray[np.int64]:
        """The cell of each number; -1 and `count` stand for "below" and "above" if the cells do not repeat."""
        edges = np.array(self.edges)
        side: str = "right" if self.closed_low else "left"
        if not self.repeated:
            return np.searchsorted(edges, numbers, side=side).astype(np.int64) - 1  # type: ignore[call-overload, no-any-return]
        period = edges[-1] - edges[0]
        with np.errstate(over="ignore"):
            cycle = np.floor((numbers - edges[0]) / period)
        if not self.reach(numbers).all():
            raise WorkbenchError(
                "The intervals are too narrow for the numbers they should hold.",
                hint="Make them wider, or code values below or above a bound.",
                field="intervals",
            )
        within = np.searchsorted(edges, numbers - cycle * period, side="right") - 1
        cells = cycle.astype(np.int64) * self.count + np.clip(within, 0, self.count - 1)
        for _ in range(2):  # the estimate above is rounded: at most one cell off on either side
            if self.closed_low:
                cells -= numbers < self.edge(cells)
                cells += numbers >= self.edge(cells + 1)
            else:
                cells -= numbers <= self.edge(cells)
                cells += numbers > self.edge(cells + 1)
        located: NDArray[np.int64] = cells
        return located


def equal_cells(low: float, high: float, count: int) -> tuple[float, ...]:
    """Edges of `count` cells of equal width from `low` to `high`."""
    if low == high:
        high = low + 1.0
    return tuple(float(edge) for edge in np.linspace(low, high, count + 1))


def neighbours(pairs: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """The edges of intervals that must follow each other.

    Raises
    ------
    WorkbenchError
        If there is none or one does not start where the one before ends.
    """
    if not pairs:
        raise WorkbenchError(
            "There is no base interval.", hint="Give at least one, such as from 0 to 10.", field="intervals"
        )
    for (_, end), (start, _) in itertools.pairwise(pairs):
        if end != start:
            raise WorkbenchError(
                f"One base interval ends at {exact(end)} and the next starts at {exact(start)}.",
                hint="Start each interval where the one before ends.",
                field="intervals",
            )
    return (*(start for start, _ in pairs), pairs[-1][1])
