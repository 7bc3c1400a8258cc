"""Direct encoding, also called generalised or k-ary randomised response."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource
from workbench.ldp.coins import below, down, flips, odds
from workbench.ldp.instructions import OnPaper, truth_or_another
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Codes, Floats, LocalProtocol, Reports, Support
from workbench.ldp.report_cells import texts_of, whole_numbers
from workbench.ldp.tabulated import LARGEST
from workbench.ldp.unary import PureRandomiser


class DirectEncoding(PureRandomiser):
    """Keep the value, or draw one uniformly that may be the same again: p − q is the chance to keep."""

    columns = ("value",)

    def __init__(self, domain_size: int, epsilon: float) -> None:
        e = odds(epsilon)
        self._keep = down((e - 1) / (e + domain_size - 1))
        q = (1 - self._keep) / domain_size
        super().__init__(domain_size, self._keep + q, q)

    @property
    def worst_ratio(self) -> Fraction:
        return self._p / self._q

    @property
    def bits(self) -> float:
        return math.log2(self.domain_size)

    @property
    def width(self) -> int:
        return 4

    @property
    def tabulated(self) -> bool:
        return self.domain_size <= LARGEST

    def channel(self) -> Floats | None:
        if not self.tabulated:
            return None
        channel = np.full((self.domain_size, self.domain_size), float(self._q))
        np.fill_diagonal(channel, float(self._p))
        return channel

    @property
    def set_drawn(self) -> tuple[int, float]:
        return 1, float(self._p)

    @property
    def answers_named(self) -> int:
        return 1

    def instruction(self, answers: Sequence[str]) -> str:
        return truth_or_another(answers, float(self._p))

    def on_paper(self, answers: Sequence[str], paper: OnPaper) -> str:
        return truth_or_another(answers, float(self._p), paper)

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        reports = values.astype(np.int32)
        leaving = np.flatnonzero(~flips(source, len(values), self._keep))
        reports[leaving] = below(source, len(leaving), self.domain_size)
        return reports

    def accumulate(self, reports: Reports) -> Support:
        return Support(len(reports), np.bincount(reports, minlength=self.domain_size))

    def simulate(self, counts: Codes, generator: np.random.Generator) -> Support:
        people = int(counts.sum())
        kept = generator.binomial(counts, float(self._keep))
        uniform = np.full(self.domain_size, 1 / self.domain_size)
        return Support(people, kept + generator.multinomial(people - int(kept.sum()), uniform))

    def covariance(self, counts: NDArray[Any]) -> Floats | None:
        if not self.tabulated:
            return None
        keep, q = float(self._keep), float(self._q)
        crossed = keep * q * np.add.outer(counts, counts) + q * q * float(counts.sum())
        covariance = np.asarray(-crossed / self._gap**2)
        np.fill_diagonal(covariance, self.variance(counts))
        return covariance

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return [(text,) for text in texts_of(reports)]

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        return whole_numbers(rows, 0, 0, self.domain_size - 1)


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> DirectEncoding:
    return DirectEncoding(domain_size, given(epsilon, PLUGIN.title))


PLUGIN = LocalProtocol(
    "grr",
    "Direct encoding",
    "Reports the true value with a higher chance than any other. Best when there are few values.",
    "P. Kairouz, S. Oh, P. Viswanath: Extremal mechanisms for local differential privacy, 2014.",
    (),
    construct,
)
