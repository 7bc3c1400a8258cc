"""Local protocols for means: a randomiser of numbers, and the error of a mean of its reports."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.ldp.normal_margin import normal_or_wider
from workbench.ldp.protocol import Floats, Randomiser, Reports, Support

_PLACES = 201
"""Numbers of [−1, 1] at which the largest variance is looked for; both ends and the middle are among them."""


class MeanRandomiser(Randomiser):
    """A randomiser of numbers in [−1, 1]; `Support.sums` is (Σ y, Σ y²) of the numbers y that reports stand for."""

    domain_size = 0

    def estimate(self, support: Support) -> float:
        """Unbiased estimate of the mean."""
        return float(support.sums[0]) / support.reports

    def band(self, support: Support, width: float) -> tuple[float, float]:
        """Where the mean is, `width` standard deviations to each side; not cut to [−1, 1].

        With the largest variance that any numbers could give: what the reports themselves show of it is too small
        when rare ones happen not to be among them; and wider where one report weighs much (`normal_or_wider`).
        """
        reports, mean = support.reports, self.estimate(support)
        spread = math.sqrt(self.worst_variance / reports)
        half = float(normal_or_wider(spread, self.step / reports, math.erf(width / math.sqrt(2))))
        return mean - half, mean + half

    @property
    def worst_variance(self) -> float:
        """The largest variance of a report of any number."""
        return float(self.variance(np.linspace(-1.0, 1.0, _PLACES)).max())

    @property
    def step(self) -> float:
        """How far what a report stands for is from the number it is of at most; ∞ where that is not known."""
        return math.inf

    @abstractmethod
    def decoded(self, reports: Reports) -> Floats:
        """The number that each report stands for; its mean is the input, shape (people,)."""

    def accumulate(self, reports: Reports) -> Support:
        numbers = self.decoded(reports)
        return Support(len(reports), np.array([numbers.sum(), np.square(numbers).sum()]))

    @abstractmethod
    def variance(self, values: NDArray[Any]) -> Floats:
        """Exact variance of one report of each value, same shape; the mean of n has Σ of them / n²."""

    def check(self, values: NDArray[Any]) -> None:
        """Refuse a number outside [−1, 1]."""
        if len(values) and not (float(values.min()) >= -1.0 and float(values.max()) <= 1.0):
            raise WorkbenchError(
                "A number is missing or outside the public bounds.",
                hint="Clip the numbers to the bounds first, or choose wider ones.",
                field="bounds",
            )
