"""Duchi's mechanism for a mean: one of two numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource
from workbench.ldp.binomial import share_held
from workbench.ldp.coins import down, flips, odds, rounded_at_random
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Family, Floats, LocalProtocol, Reports, Support
from workbench.ldp.report_cells import texts_of, whole_numbers


class Duchi(MeanRandomiser):
    """Round t to −1 or 1 at random so that the mean stays, then flip it with chance 1/(E + 1).

    A report is 0 or 1 and stands for ∓c, c = (E+1)/(E−1); its variance is c² − t². The rounding happens before the
    flip, so it may be as coarse as it likes: only the flip is counted on.
    """

    columns = ("sign",)

    def __init__(self, epsilon: float) -> None:
        e = odds(epsilon)
        self._keep = down(e / (1 + e))
        self._c = float(1 / (2 * self._keep - 1))

    @property
    def worst_ratio(self) -> Fraction:
        return self._keep / (1 - self._keep)

    @property
    def bits(self) -> float:
        return 1.0

    @property
    def width(self) -> int:
        return 8

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        side = rounded_at_random((values + 1.0) / 2, source)
        return (side ^ ~flips(source, len(values), self._keep)).astype(np.int8)

    def decoded(self, reports: Reports) -> Floats:
        return np.where(reports == 1, self._c, -self._c)

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return [(text,) for text in texts_of(reports)]

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        return whole_numbers(rows, 0, 0, 1).astype(np.int8)

    @property
    def proved(self) -> bool:
        return True

    def band(self, support: Support, width: float) -> tuple[float, float]:
        """Between which means so many reports of + are not too rare: as often as of a normal distribution, or more."""
        reports = support.reports
        plus = round((float(support.sums[0]) / self._c + reports) / 2)
        ends = share_held(plus, reports, math.erfc(width / math.sqrt(2)))
        return self._c * (2 * ends[0] - 1), self._c * (2 * ends[1] - 1)

    @property
    def step(self) -> float:
        return self._c + 1.0

    def variance(self, values: NDArray[Any]) -> Floats:
        return np.asarray(self._c**2 - np.square(values, dtype=np.float64))


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Duchi:
    return Duchi(given(epsilon, PLUGIN.title))


PLUGIN = LocalProtocol(
    "duchi",
    "Duchi's mechanism",
    "Reports one of two numbers, whose mean is the true one. Best for small ε.",
    "J. C. Duchi, M. I. Jordan, M. J. Wainwright: Minimax optimal procedures for locally private estimation, 2018.",
    (),
    construct,
    family=Family.MEAN,
)
