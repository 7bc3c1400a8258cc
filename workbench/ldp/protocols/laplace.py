"""Laplace noise on every person's number, for a mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource
from workbench.ldp.coins import rounded_at_random
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.noise import GridLaplace, grid_steps
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Family, Floats, LocalProtocol, Reports
from workbench.ldp.report_cells import texts_of, whole_numbers


class Laplace(MeanRandomiser):
    """Round t to a public grid at random so that the mean stays, and add noise on the grid, so no low bits leak.

    A report is a whole number of steps above −1. The noise is clamped symmetrically at chances of about 10⁻⁷, which
    moves a mean by less than 10⁻⁶ of its noise; the variance is 8/ε² per person to four digits.
    """

    columns = ("steps",)

    def __init__(self, epsilon: float) -> None:
        self._steps = grid_steps(epsilon, 2)
        self._noise = GridLaplace(2 * self._steps, epsilon)
        self._spread = self._noise.moments(self._steps)[1]

    @property
    def worst_ratio(self) -> Fraction:
        return self._noise.worst_ratio

    @property
    def bits(self) -> float:
        return math.log2(self._noise.highest - self._noise.lowest + 1)

    @property
    def width(self) -> int:
        return 8

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        return self._noise.add(rounded_at_random((values + 1.0) * self._steps, source), source)

    def decoded(self, reports: Reports) -> Floats:
        return np.asarray(reports / self._steps - 1.0)

    @property
    def step(self) -> float:
        # Noise has no end; its moments are those that Bernstein's inequality wants of steps of three deviations.
        return 3.0 * math.sqrt(self.worst_variance)

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return [(text,) for text in texts_of(reports)]

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        return whole_numbers(rows, 0, self._noise.lowest, self._noise.highest).astype(np.int32)

    def variance(self, values: NDArray[Any]) -> Floats:
        place = (values + 1.0) * self._steps
        part = place - np.floor(place)
        return np.asarray((self._spread + part * (1 - part)) / self._steps**2)


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Laplace:
    return Laplace(given(epsilon, PLUGIN.title))


PLUGIN = LocalProtocol(
    "laplace",
    "Laplace noise",
    "Adds Laplace noise to every number. The simplest, seldom the best.",
    "C. Dwork, F. McSherry, K. Nissim, A. Smith: Calibrating noise to sensitivity in private data analysis, 2006.",
    (),
    construct,
    family=Family.MEAN,
)
