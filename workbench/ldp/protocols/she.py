"""Summation with histogram encoding: Laplace noise on one number per value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource
from workbench.ldp.noise import GridLaplace, grid_steps
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Codes, Floats, FrequencyRandomiser, LocalProtocol, Reports, Support
from workbench.ldp.report_cells import number_lists


class Summation(FrequencyRandomiser):
    """One whole number per value: `steps` at the true one, 0 elsewhere, plus noise on a grid, so no low bits leak.

    Two numbers differ between any two values, so each may spend ε/2. `Support.sums` adds the numbers up. Means and
    variances are those of the clamped table of chances; the variance is 8/ε² per person to five digits.
    """

    columns = ("numbers",)

    def __init__(self, domain_size: int, epsilon: float) -> None:
        self.domain_size = domain_size
        self._steps = grid_steps(epsilon, 2)
        self._noise = GridLaplace(self._steps, epsilon / 2)
        (self._none, self._none_spread), (self._one, self._one_spread) = map(self._noise.moments, (0, self._steps))

    @property
    def worst_ratio(self) -> Fraction:
        return self._noise.worst_ratio**2

    @property
    def bits(self) -> float:
        return self.domain_size * math.log2(self._noise.highest - self._noise.lowest + 1)

    @property
    def width(self) -> int:
        return 4 * self.domain_size

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        numbers = np.zeros((len(values), self.domain_size), dtype=np.int32)
        numbers[np.arange(len(values)), values] = self._steps
        return self._noise.add(numbers, source)

    def accumulate(self, reports: Reports) -> Support:
        return Support(len(reports), reports.sum(axis=0, dtype=np.int64))

    def simulate(self, counts: Codes, generator: np.random.Generator) -> Support:
        people = int(counts.sum())
        noise = self._noise.sums(people, self.domain_size, generator) if people else 0
        return Support(people, counts * self._steps + noise)

    def expected(self, counts: NDArray[Any]) -> Support:
        people = counts.sum()
        return Support(int(people), counts * self._one + (people - counts) * self._none)

    def estimate(self, support: Support) -> Floats:
        estimate: Floats = (support.sums - support.reports * self._none) / (self._one - self._none)
        return estimate

    def variance(self, counts: NDArray[Any]) -> Floats:
        spread = counts * self._one_spread + (counts.sum() - counts) * self._none_spread
        variance: Floats = spread / (self._one - self._none) ** 2
        return variance

    def worst_variance(self, people: float) -> Floats:
        worst = people * max(self._one_spread, self._none_spread) / (self._one - self._none) ** 2
        return np.full(self.domain_size, worst)

    def step(self, people: float) -> Floats:
        # Noise has no end; its moments are those that Bernstein's inequality wants of steps of three deviations.
        return np.asarray(3.0 * np.sqrt(self.worst_variance(1.0)))

    def covariance(self, counts: NDArray[Any]) -> Floats:
        return np.diag(self.variance(counts))

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return [(" ".join(map(str, row)),) for row in reports.tolist()]

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        noise = self._noise
        return number_lists(rows, 0, self.domain_size, noise.lowest, noise.highest).astype(np.int32)


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Summation:
    return Summation(domain_size, given(epsilon, PLUGIN.title))


PLUGIN = LocalProtocol(
    "she",
    "Summation with histogram encoding",
    "Adds Laplace noise to one number per value and reports them all. The noise is drawn on a grid of whole numbers.",
    "T. Wang, J. Blocki, N. Li, S. Jha: Locally differentially private protocols for frequency estimation, USENIX "
    "Security 2017.",
    (),
    construct,
)
