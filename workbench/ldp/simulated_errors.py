"""Errors of simulated collections: one of each of them, and how far chance may have moved what they come to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.chance import chance_of
from workbench.core.errors import WorkbenchError
from workbench.ldp.estimation import COVERAGE, EstimationMethod, estimates
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.protocol import FrequencyRandomiser, Support
from workbench.ldp.share_margin import DEVIATIONS, widest_of

Floats = NDArray[np.float64]

_UNBIASED = EstimationMethod("unbiased", "none")


@dataclass(frozen=True, eq=False)
class SimulationErrors:
    """One error per repetition, shape (repetitions,)."""

    values: Floats

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def se(self) -> float:
        """Standard error of the mean; nan for a single repetition."""
        if len(self.values) < 2:
            return float("nan")
        return float(self.values.std(ddof=1) / np.sqrt(len(self.values)))

    @property
    def band(self) -> tuple[float, float]:
        """Where 95 % of the repetitions lie."""
        low, high = np.quantile(self.values, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
        return float(low), float(high)


@dataclass(frozen=True, eq=False)
class SimulatedMargin(SimulationErrors):
    """The 95 % margin of one unbiased share: of the answer of which it is widest by formula, so none is picked by luck.

    Parameters
    ----------
    values
        By how much the share of that answer was off, of 1, shape (repetitions,).
    expected
        Its margin by formula, see `widest_of`.
    answer
        Its place among the answers.
    normal
        1.96 standard deviations by formula: less than the margin where few reports decide, which is on the safe side.

    Notes
    -----
    1.96 √(mean of squares): an unbiased share is right on average, and 1.96 standard deviations are what a margin by
    formula is, too. Its standard error is that of the mean of the squares, by the slope of the root (delta method),
    whatever their law is.
    """

    expected: float = math.nan
    answer: int = 0
    normal: float = math.nan

    @property
    def mean(self) -> float:
        return DEVIATIONS * math.sqrt(float(np.square(self.values).mean()))

    @property
    def se(self) -> float:
        """Standard error of the margin; nan for a single repetition."""
        if len(self.values) < 2:
            return float("nan")
        squares = np.square(self.values)
        root = math.sqrt(float(squares.mean()))
        spread = float(squares.std(ddof=1)) / math.sqrt(len(squares))
        return DEVIATIONS * spread / (2.0 * root) if root > 0 else 0.0

    @property
    def band(self) -> tuple[float, float]:
        """Where the margin lies as far as chance leaves it open, in 95 of 100 cases."""
        if len(self.values) < 2:
            return self.mean, self.mean
        moved = chance_of(len(self.values)) * self.se
        return max(self.mean - moved, 0.0), self.mean + moved


class MarginWatch:
    """Gathers by how much the unbiased share of one answer is off, from the reports that are estimated from anyway."""

    def __init__(
        self, randomiser: FrequencyRandomiser, answer: int, share: float, users: int, margins: tuple[float, float]
    ) -> None:
        self._randomiser, self._answer, self._share, self._users = randomiser, answer, share, users
        self._expected, self._normal = margins
        self._off: list[Floats] = []

    @classmethod
    def of(
        cls, randomiser: FrequencyRandomiser, truth: NDArray[np.integer], plan: CollectionPlan
    ) -> MarginWatch | None:
        """For the answer with the widest margin; None where there is no formula for it.

        Parameters
        ----------
        truth
            People with each answer, in any scale, shape (domain size,).
        plan
            Of how many people, and whether they are drawn; its assumed distribution has no part in it.
        """
        try:
            answer, *margins = widest_of(plan, randomiser, truth)
        except WorkbenchError:
            return None
        return cls(randomiser, answer, float(truth[answer] / truth.sum()), plan.users, (margins[0], margins[1]))

    def __call__(self, supports: Sequence[Support]) -> None:
        """Take in the sums of the reports of some collections."""
        shares = estimates(self._randomiser, supports, _UNBIASED)[:, self._answer] / self._users
        self._off.append(np.abs(shares - self._share))

    @property
    def found(self) -> SimulatedMargin | None:
        """The margin; None where no reports were drawn."""
        return (
            SimulatedMargin(np.concatenate(self._off), self._expected, self._answer, self._normal)
            if self._off
            else None
        )
