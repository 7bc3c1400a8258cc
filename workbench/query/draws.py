"""The random draws of a query: exact, and in one place, so that a test can look at every one of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.core.discrete_noise import Choices, Coins
from workbench.core.private_draw import Draw, draw_position
from workbench.core.randomness import RandomSource
from workbench.core.trim_law import TrimLaw


class Draws(Protocol):
    """The random draws of a mechanism. Nothing else in a query is random."""

    def two_sided(self, rate: Fraction) -> int:
        """A whole number z with probability in proportion to exp(−rate·|z|)."""

    def two_sided_power(self, alpha: Fraction) -> int:
        """A whole number z with probability in proportion to alpha^|z|."""

    def choose(self, choices: Choices, rate: Fraction) -> int:
        """A position, with probability in proportion to its width·exp(−rate·its loss)."""

    def below(self, bound: int) -> int:
        """A uniform integer in [0, bound)."""

    def position(self, scores: Sequence[int], rate: Fraction, draw: Draw) -> int:
        """The position of a high score, see `workbench.core.private_draw`."""

    def trimmed(self, law: TrimLaw, groups: int) -> NDArray[np.int64]:
        """How many rows each of these groups gives up, shape (groups,)."""


class ExactDraws(Coins):
    """Draws from a random source, without any rounding."""

    def __init__(self, source: RandomSource) -> None:
        super().__init__(source)
        self._whole_source = source

    def position(self, scores: Sequence[int], rate: Fraction, draw: Draw) -> int:
        return draw_position(scores, rate, draw, self._whole_source)

    def trimmed(self, law: TrimLaw, groups: int) -> NDArray[np.int64]:
        return law.draw(self._whole_source, groups)
