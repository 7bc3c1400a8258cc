"""Protocols that draw from a row of a table: a finite channel with any probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import RandomSource
from workbench.ldp.coins import TWO_64, Words
from workbench.ldp.protocol import Codes, Floats, FrequencyRandomiser, Reports, Support
from workbench.ldp.report_cells import texts_of, whole_numbers

LARGEST = 2048
"""Values of a domain whose table is kept in memory."""

_SINGULAR = 1e-9
"""A channel flatter than this has no inverse that rounding leaves anything of."""

SLACK = 1 - Fraction(1, 10**13)
"""Tables are computed from e^ε times this, so that rounding their entries cannot exceed the ε asked for."""


def integer_weights(probabilities: Floats) -> Words:
    """The table as multiples of 2⁻⁶⁴, each row summing to 2⁶⁴ exactly, none 0.

    Every entry is rounded up but the largest of a row, which takes what is left: the chances of unlikely outputs
    go up and that of the likeliest down, so ratios shrink.
    """
    rows, largest = np.arange(len(probabilities)), probabilities.argmax(axis=1)
    scaled = np.maximum(np.ceil(probabilities * float(TWO_64)), 1.0)
    scaled[rows, largest] = 0.0  # which may be 2⁶⁴, and no number of 64 bits
    weights = scaled.astype(np.uint64)
    # Unsigned sums wrap at 2⁶⁴, so their negative is what is left.
    weights[rows, largest] = np.negative(weights.sum(axis=1, dtype=np.uint64))
    return weights


def largest_ratio(high: Words, low: Words) -> Fraction:
    """The largest of the ratios high/low, compared exactly where floats cannot tell."""
    close = high / low
    best = np.flatnonzero(close >= close.max() * (1 - 1e-12))
    pairs = set(zip(high[best].tolist(), low[best].tolist(), strict=True))
    return max(Fraction(above, under) for above, under in pairs)


class Tabulated(FrequencyRandomiser):
    """One draw from the row of the true value; `Support.sums` counts the outputs.

    Parameters
    ----------
    probabilities
        P(output | value), shape (domain size, outputs), outputs at least as many; rows sum to 1, no entry 0.

    Notes
    -----
    The estimate is y G with the pseudo-inverse G of P; as P G = I, its covariance is Gᵀ diag(nP) G − diag(n).
    """

    columns = ("output",)

    def __init__(self, probabilities: Floats) -> None:
        self.domain_size = len(probabilities)
        self._weights = integer_weights(probabilities)
        self._channel: Floats = self._weights / float(TWO_64)

    @property
    def tabulated(self) -> bool:
        return True

    def channel(self) -> Floats:
        return self._channel

    @cached_property
    def worst_ratio(self) -> Fraction:
        return largest_ratio(self._weights.max(axis=0), self._weights.min(axis=0))

    @property
    def bits(self) -> float:
        return math.log2(self._channel.shape[1])

    @property
    def width(self) -> int:
        return 4

    @cached_property
    def _tops(self) -> Words:
        return np.cumsum(self._weights, axis=1, dtype=np.uint64)[:, :-1]

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        reports = np.empty(len(values), dtype=np.int32)
        words = source.words(len(values))
        order = np.argsort(values, kind="stable")
        ends = np.cumsum(np.bincount(values, minlength=self.domain_size))
        start = 0
        for value, end in enumerate(ends.tolist()):
            if end > start:
                people = order[start:end]
                reports[people] = np.searchsorted(self._tops[value], words[people], side="right")
            start = end
        return reports

    def accumulate(self, reports: Reports) -> Support:
        return Support(len(reports), np.bincount(reports, minlength=self._channel.shape[1]))

    def simulate(self, counts: Codes, generator: np.random.Generator) -> Support:
        # Nothing is drawn for a value that nobody has, so leaving it out changes no draw.
        held = slice(None) if counts.all() else np.flatnonzero(counts)
        return Support(int(counts.sum()), generator.multinomial(counts[held], self._channel[held]).sum(axis=0))

    def expected(self, counts: NDArray[Any]) -> Support:
        return Support(int(counts.sum()), counts @ self._channel)

    @cached_property
    def _factors(self) -> tuple[Floats, Floats]:
        orthogonal, triangle = np.linalg.qr(self._channel.T)
        return np.asarray(orthogonal), np.asarray(triangle)

    @property
    def unbiased(self) -> bool:
        sizes = np.abs(np.diag(self._factors[1]))
        return bool(sizes.min() > _SINGULAR * sizes.max())

    @cached_property
    def _inverse(self) -> Floats:
        # The pseudo-inverse of a matrix of full row rank, by P' = QR: a tenth of the time of singular values.
        if not self.unbiased:
            raise WorkbenchError(
                f"Different answers give the same reports by “{self.protocol}”, so nothing can be estimated.",
                hint="Choose another ε or another protocol.",
                field="epsilon",
            )
        orthogonal, triangle = self._factors
        return np.asarray(np.linalg.solve(triangle, orthogonal.T).T, dtype=np.float64)

    def estimate(self, support: Support) -> Floats:
        estimate: Floats = support.sums @ self._inverse
        return estimate

    def variance(self, counts: NDArray[Any]) -> Floats:
        variance: Floats = (counts @ self._channel) @ self._inverse**2 - counts
        return np.maximum(variance, 0.0)

    @cached_property
    def _worst(self) -> Floats:
        each = self._channel @ self._inverse**2 - np.eye(self.domain_size)
        return np.asarray(np.maximum(each.max(axis=0), 0.0))

    def worst_variance(self, people: float) -> Floats:
        return np.asarray(people * self._worst)

    def step(self, people: float) -> Floats:
        return self._step

    def variance_at_most(self, support: Support) -> Floats:
        # Σ G(G − 1) over the reports is the variance on average, and moves by less than a step as a deviation.
        shown = np.maximum(support.sums @ (self._inverse**2 - self._inverse), 0.0)
        return np.minimum((np.sqrt(shown) + self._step) ** 2, self.worst_variance(float(support.reports)))

    @cached_property
    def _step(self) -> Floats:
        # What a report adds, and what it should: 1 for the value of who reports, 0 for others.
        return np.asarray(np.maximum(np.abs(self._inverse), np.abs(self._inverse - 1.0)).max(axis=0))

    def covariance(self, counts: NDArray[Any]) -> Floats:
        spread = self._inverse * (counts @ self._channel)[:, None]
        return np.asarray(self._inverse.T @ spread) - np.diag(counts)

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return [(text,) for text in texts_of(reports)]

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        return whole_numbers(rows, 0, 0, self._channel.shape[1] - 1)
