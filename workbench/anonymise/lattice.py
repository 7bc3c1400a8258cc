"""The lattice of nodes: every combination of levels between a lowest and a highest one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.rollup import Levels


@dataclass(frozen=True)
class Lattice:
    """All level vectors between `low` and `high`, both included.

    A node is below another if none of its levels is higher. Numbers of nodes count the last attribute fastest, as
    the flat index of an array of shape `shape` does.
    """

    low: Levels
    high: Levels

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return tuple(top - bottom + 1 for bottom, top in zip(self.low, self.high, strict=True))

    @cached_property
    def size(self) -> int:
        """Number of nodes."""
        return math.prod(self.shape)

    @cached_property
    def strides(self) -> tuple[int, ...]:
        return tuple(math.prod(self.shape[position + 1 :]) for position in range(len(self.shape)))

    def __contains__(self, levels: object) -> bool:
        return (
            isinstance(levels, tuple)
            and len(levels) == len(self.low)
            and all(a <= level <= b for a, level, b in zip(self.low, levels, self.high, strict=True))
        )

    def __iter__(self) -> Iterator[Levels]:
        return product(*[range(a, b + 1) for a, b in zip(self.low, self.high, strict=True)])

    def number(self, levels: Levels) -> int:
        """The number of a node."""
        steps = zip(levels, self.low, self.strides, strict=True)
        return sum((level - bottom) * stride for level, bottom, stride in steps)

    def levels(self, number: int) -> Levels:
        """The node of a number."""
        found = []
        for bottom, stride in zip(self.low, self.strides, strict=True):
            step, number = divmod(number, stride)
            found.append(bottom + step)
        return tuple(found)

    def below(self, levels: Levels) -> tuple[slice, ...]:
        """The box of everything below a node, itself included, in an array of the lattice's shape."""
        return tuple(slice(0, level - bottom + 1) for level, bottom in zip(levels, self.low, strict=True))

    def above(self, levels: Levels) -> tuple[slice, ...]:
        """The box of everything above a node, itself included."""
        return tuple(slice(level - bottom, None) for level, bottom in zip(levels, self.low, strict=True))


def counted_below(chosen: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How many of the chosen nodes are below each node, itself included; both have the shape of the lattice."""
    shape, half = chosen.shape, chosen.ndim // 2
    # Along half of the axes at a time, with the others last, so that what is added up at once is long.
    found = _added_up(chosen.astype(np.int32).reshape(math.prod(shape[:half]), -1), shape[:half])
    found = _added_up(np.ascontiguousarray(found.T), shape[half:])
    return np.ascontiguousarray(found.T).reshape(shape)


def _added_up(counts: NDArray[np.int32], shape: tuple[int, ...]) -> NDArray[np.int32]:
    """Sums along axes of this shape, which together are the first axis of the counts; these are written to."""
    for place, length in enumerate(shape):
        lines = counts.reshape(math.prod(shape[:place]), length, -1)
        for position in range(1, length):
            lines[:, position] += lines[:, position - 1]
    return counts
