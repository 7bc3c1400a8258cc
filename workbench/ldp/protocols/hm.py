"""The hybrid mechanism for a mean: piecewise or Duchi's, by a coin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource
from workbench.ldp.coins import down, flips
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Family, Floats, LocalProtocol, Reports
from workbench.ldp.protocols.duchi import Duchi
from workbench.ldp.protocols.pm import Piecewise
from workbench.ldp.report_cells import texts_of, whole_numbers

_ROOT = 405 * math.sqrt(241)
_SWITCH = math.log((-5 + 2 * (6353 - _ROOT) ** (1 / 3) + 2 * (6353 + _ROOT) ** (1 / 3)) / 27)
"""ε* ≈ 0.61, up to which Duchi's mechanism alone is better."""


class Hybrid(MeanRandomiser):
    """The piecewise mechanism with chance 1 − e^(−ε/2) if ε > ε*, else Duchi's; a report is (1 or 0, its report).

    The coin does not look at the value, so the ε is that of the parts.
    """

    columns = ("piecewise", "output")

    def __init__(self, epsilon: float) -> None:
        self._parts = Duchi(epsilon), Piecewise(epsilon)
        self._share = down(Fraction(-math.expm1(-epsilon / 2))) if epsilon > _SWITCH else Fraction(0)

    @property
    def worst_ratio(self) -> Fraction:
        return max(part.worst_ratio for part in self._parts)

    @property
    def bits(self) -> float:
        return 1.0 + self._parts[1].bits if self._share else 2.0

    @property
    def width(self) -> int:
        return 16

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        reports = np.empty((len(values), 2), dtype=np.int32)
        reports[:, 0] = flips(source, len(values), self._share)
        for which, part in enumerate(self._parts):
            people = np.flatnonzero(reports[:, 0] == which)
            reports[people, 1] = part.perturb(values[people], source)
        return reports

    def decoded(self, reports: Reports) -> Floats:
        plain, piecewise = (part.decoded(reports[:, 1]) for part in self._parts)
        return np.where(reports[:, 0] == 1, piecewise, plain)

    @property
    def step(self) -> float:
        return max(part.step for part in self._parts[: 2 if self._share else 1])

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return list(zip(texts_of(reports[:, 0]), texts_of(reports[:, 1]), strict=True))

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        which = whole_numbers(rows, 0, 0, 1 if self._share else 0)
        reports = np.stack([which, np.zeros_like(which)], axis=1).astype(np.int32)
        for number, part in enumerate(self._parts):
            people = np.flatnonzero(which == number).tolist()
            reports[people, 1] = part.parse([rows[person][1:] for person in people])
        return reports

    def variance(self, values: NDArray[Any]) -> Floats:
        plain, piecewise = (part.variance(values) for part in self._parts)
        return np.asarray(plain + float(self._share) * (piecewise - plain))


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Hybrid:
    return Hybrid(given(epsilon, PLUGIN.title))


PLUGIN = LocalProtocol(
    "hm",
    "Hybrid mechanism",
    "Uses the piecewise mechanism or Duchi's by a coin: the smallest worst error of the three.",
    "N. Wang et al.: Collecting and analyzing multidimensional data with local differential privacy, ICDE 2019.",
    (),
    construct,
    family=Family.MEAN,
)
