"""Protocols whose report is one bit per value: each bit a coin of its own."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.randomness import RandomSource
from workbench.ldp.coins import down, flips, up
from workbench.ldp.instructions import OnPaper, one_by_one
from workbench.ldp.protocol import Codes, Floats, FrequencyRandomiser, Reports, Support
from workbench.ldp.report_cells import bit_texts, bits_of

AUDITED = 10
"""Up to so many values the channel with its 2^d outputs is spelled out."""


class PureRandomiser(FrequencyRandomiser):
    """A protocol that is known by p and q: `Support.sums` counts for each value the reports that support it.

    Parameters
    ----------
    domain_size
        Number of values.
    p, q
        The chance that a report supports the true value, and any one other value.

    Notes
    -----
    T. Wang, J. Blocki, N. Li, S. Jha: Locally differentially private protocols for frequency estimation, USENIX
    Security 2017: n̂ᵥ = (Cᵥ − nq)/(p − q), variance [nᵥ p(1−p) + (n−nᵥ) q(1−q)]/(p−q)².
    """

    def __init__(self, domain_size: int, p: Fraction, q: Fraction) -> None:
        self.domain_size = domain_size
        self._p, self._q = p, q
        self._gap = float(p - q)

    @property
    def pure(self) -> tuple[float, float]:
        return float(self._p), float(self._q)

    @property
    def width(self) -> int:
        return self.domain_size

    def expected(self, counts: NDArray[Any]) -> Support:
        people = counts.sum()
        return Support(int(people), counts * self._gap + float(people) * float(self._q))

    def estimate(self, support: Support) -> Floats:
        estimate: Floats = (support.sums - support.reports * float(self._q)) / self._gap
        return estimate

    def variance(self, counts: NDArray[Any]) -> Floats:
        others = counts.sum() - counts
        ones = counts * float(self._p * (1 - self._p)) + others * float(self._q * (1 - self._q))
        variance: Floats = ones / self._gap**2
        return variance

    def worst_variance(self, people: float) -> Floats:
        # All values are alike: those who have the value, or another one.
        crowd = np.zeros(self.domain_size)
        crowd[0] = people
        return np.full(self.domain_size, self.variance(crowd)[:2].max())

    def step(self, people: float) -> Floats:
        return np.full(self.domain_size, float(max(self._p, 1 - self._q)) / self._gap)


def two_bits(p: Fraction, q: Fraction) -> Fraction:
    """e^ε of a report with one bit per value, p ≥ q: two bits differ between any two values."""
    return p * (1 - q) / ((1 - p) * q)


class Unary(PureRandomiser):
    """One coin per value, True with chance p for the true one and q for the others.

    Parameters
    ----------
    domain_size
        Number of values.
    p, q
        As asked for; the coins use p rounded down and q rounded up to multiples of 2⁻⁶⁴.

    Raises
    ------
    WorkbenchError
        If not 0 < q < p < 1.
    """

    columns = ("bits",)

    def __init__(self, domain_size: int, p: Fraction, q: Fraction) -> None:
        if not 0 < q < p < 1:
            raise WorkbenchError(
                f"p = {exact(float(p))} and q = {exact(float(q))} do not tell a value from another.",
                hint="p, the chance of a 1 at the true value, must be above q, both strictly between 0 and 1.",
                field="p",
            )
        super().__init__(domain_size, down(p), up(q))

    @property
    def worst_ratio(self) -> Fraction:
        return two_bits(self._p, self._q)

    @property
    def bits(self) -> float:
        return float(self.domain_size)

    def instruction(self, answers: Sequence[str]) -> str:
        return one_by_one(answers, float(self._p), float(self._q))

    def on_paper(self, answers: Sequence[str], paper: OnPaper) -> str:
        return one_by_one(answers, float(self._p), float(self._q), paper)

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        shape = (len(values), self.domain_size)
        reports = flips(source, shape[0] * shape[1], self._q).reshape(shape)
        reports[np.arange(len(values)), values] = flips(source, len(values), self._p)
        return reports

    def accumulate(self, reports: Reports) -> Support:
        return Support(len(reports), ones(reports))

    def simulate(self, counts: Codes, generator: np.random.Generator) -> Support:
        people = int(counts.sum())
        true = generator.binomial(counts, float(self._p))
        return Support(people, true + generator.binomial(people - counts, float(self._q)))

    def covariance(self, counts: NDArray[Any]) -> Floats:
        # The coins of a report are independent of each other.
        return np.diag(self.variance(counts))

    def channel(self) -> Floats | None:
        if self.domain_size > AUDITED:
            return None
        return product_channel(self.domain_size, float(self._p), float(self._q))

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return [(text,) for text in bit_texts(reports)]

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        return bits_of(rows, 0, self.domain_size)


def ones(bits: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many rows have each bit set, shape (length,)."""
    total = np.zeros(bits.shape[1], dtype=np.int64)
    # 255 rows fit into a byte, and adding bytes is what a processor does fastest.
    for start in range(0, len(bits), 255):
        total += bits[start : start + 255].view(np.uint8).sum(axis=0, dtype=np.uint8)
    return total


def product_channel(size: int, p: float, q: float) -> Floats:
    """P(bits | value) for independent bits, shape (size, 2^size); output number Σ bitᵥ·2ᵛ."""
    outputs = np.arange(1 << size)
    bits = (outputs[None, :] >> np.arange(size)[:, None]) & 1
    channel = np.empty((size, len(outputs)))
    for value in range(size):
        chance = np.where(np.arange(size) == value, p, q)[:, None]
        channel[value] = np.where(bits == 1, chance, 1 - chance).prod(axis=0)
    return channel
