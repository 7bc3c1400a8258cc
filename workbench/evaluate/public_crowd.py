"""People who take part in a try on a public shape: drawn anew each time, from the shape as it then lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.question import Floats

MovedShares: TypeAlias = Callable[[np.random.Generator | None], Floats]
"""The share of each possible value: of a shape that is moved at random, or, without a generator, as it lies usually."""


@dataclass(frozen=True, eq=False)
class PublicCrowd:
    """People with values of a public shape.

    A way that suited one shape by luck, because the middles of its intervals balance just there, would win on exactly
    that one. So settings are chosen on some draws of the family and shown on others, and all ways meet the same draws.

    Parameters
    ----------
    people
        How many.
    shares
        The shape, over the rows of the table it stands for.
    coarse
        Whether a row stands for many numbers, as one of cents does, so that people of one row are not alike.
    """

    people: int
    shares: MovedShares
    coarse: bool = False

    def drawn(self, generator: np.random.Generator) -> NDArray[np.intp]:
        """The row of each person, rising, of people drawn at random from the shape where it lies this time."""
        return self.asked(self.people, generator)[0]

    def asked(self, people: int, generator: np.random.Generator) -> tuple[NDArray[np.intp], Floats]:
        """The same of so many people, and the shares they are drawn from: those of everybody there is."""
        shares = self.shares(generator)
        return self._rows(generator.multinomial(people, shares)), shares

    def evenly(self) -> NDArray[np.intp]:
        """The row of each person, rising, where nothing is left to chance."""
        reached = np.cumsum(self.shares(None))
        rows = np.searchsorted(reached, (np.arange(self.people) + 0.5) / self.people, side="left")
        return np.minimum(rows, len(reached) - 1)

    @staticmethod
    def _rows(counts: NDArray[np.int64]) -> NDArray[np.intp]:
        return np.repeat(np.arange(len(counts)), counts)
