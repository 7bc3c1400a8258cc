"""The piecewise mechanism for a mean: a number near the true one, on a wider range."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource
from workbench.ldp.coins import below, down, flips, odds, rounded_at_random
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Family, Floats, LocalProtocol, Reports
from workbench.ldp.report_cells import texts_of, whole_numbers

_STEPS = 1 << 26


class Piecewise(MeanRandomiser):
    """The piecewise mechanism on a grid: an input of 0…N has a window of W outputs out of N + W.

    An output inside the window is E times as likely as one outside; output j stands for α(j − (N+W−1)/2) with the α
    that makes the mean the input exactly. W/N = e^(−ε/2) as in the continuous mechanism, whose variance this has to
    eight digits; and as reports are whole numbers there are no low bits that could leak.
    """

    columns = ("output",)

    def __init__(self, epsilon: float) -> None:
        e = odds(epsilon)
        self._window = max(1, round(_STEPS * math.exp(-epsilon / 2)))
        self._outputs = _STEPS + self._window
        self._inside = down(self._window * e / (self._window * e + _STEPS))
        self._base = (1 - self._inside) / _STEPS
        self._extra = self._inside / self._window - self._base
        self._scale = float(2 / (_STEPS * self._window * self._extra))

    @property
    def worst_ratio(self) -> Fraction:
        return 1 + self._extra / self._base

    @property
    def bits(self) -> float:
        return math.log2(self._outputs)

    @property
    def width(self) -> int:
        return 8

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        people = len(values)
        start = rounded_at_random((values + 1.0) * (_STEPS / 2), source)
        reports = start + below(source, people, self._window)
        leaving = np.flatnonzero(~flips(source, people, self._inside))
        other = below(source, len(leaving), _STEPS)
        reports[leaving] = other + np.where(other >= start[leaving], self._window, 0)
        return reports.astype(np.int32)

    def decoded(self, reports: Reports) -> Floats:
        return np.asarray(self._scale * (reports - (self._outputs - 1) / 2))

    @property
    def step(self) -> float:
        return self._scale * (self._outputs - 1) / 2 + 1.0

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return [(text,) for text in texts_of(reports)]

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        return whole_numbers(rows, 0, 0, self._outputs - 1).astype(np.int32)

    def variance(self, values: NDArray[Any]) -> Floats:
        place = (values + 1.0) * (_STEPS / 2)
        part = place - np.floor(place)
        middle = (values * (_STEPS / 2)) ** 2 + part * (1 - part)
        window, outputs = float(self._window), float(self._outputs)
        everywhere = float(self._base) * outputs * (outputs**2 - 1) / 12
        inside = float(self._extra) * window * ((window**2 - 1) / 12 + middle)
        return np.asarray(self._scale**2 * (everywhere + inside) - np.square(values, dtype=np.float64))


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Piecewise:
    return Piecewise(given(epsilon, PLUGIN.title))


PLUGIN = LocalProtocol(
    "pm",
    "Piecewise mechanism",
    "Reports a number that is likely near the true one. Better than Duchi's mechanism for larger ε.",
    "N. Wang et al.: Collecting and analyzing multidimensional data with local differential privacy, ICDE 2019.",
    (),
    construct,
    family=Family.MEAN,
)
