"""Subset selection: a random set of k values, more likely one with the true value in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.randomness import RandomSource
from workbench.ldp.coins import below, down, flips, odds
from workbench.ldp.instructions import OnPaper, one_set
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Floats, LeftOpen, LocalProtocol, Reports, Support
from workbench.ldp.report_cells import bit_texts, bits_of
from workbench.ldp.unary import AUDITED, PureRandomiser, ones


class SubsetSelection(PureRandomiser):
    """A uniform set of k values with the true one (chance p) or without it.

    Notes
    -----
    M. Ye, A. Barg: Optimal schemes for discrete distribution estimation under locally differential privacy, 2018.
    Sets are drawn by R. Floyd's method: k steps and no permutation, uniform exactly.
    """

    columns = ("bits",)

    def __init__(self, domain_size: int, epsilon: float, size: int) -> None:
        p, q = chances(domain_size, odds(epsilon), size)
        self._size = size
        super().__init__(domain_size, p, q)

    @property
    def worst_ratio(self) -> Fraction:
        others = self.domain_size - self._size
        return self._p * others / (self._size * (1 - self._p))

    @property
    def came_to(self) -> str:
        if self._size == 1:
            return f"A set has 1 of {self.domain_size:,} values: this is direct encoding."
        return f"A set has {self._size:,} of {self.domain_size:,} values."

    @property
    def simpler(self) -> str:
        return "grr" if self._size == 1 else ""

    @property
    def bits(self) -> float:
        return math.log2(math.comb(self.domain_size, self._size))

    @property
    def set_drawn(self) -> tuple[int, float]:
        return self._size, float(self._p)

    @property
    def answers_named(self) -> int:
        return self._size

    def instruction(self, answers: Sequence[str]) -> str:
        return one_set(answers, self._size, float(self._p))

    def on_paper(self, answers: Sequence[str], paper: OnPaper) -> str:
        return one_set(answers, self._size, float(self._p), paper)

    def public(self) -> dict[str, Any]:
        # The size itself, so that reports are read as they were made whatever rule sets it later.
        return {**super().public(), "parameters": {"k": self._size}}

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        people = np.arange(len(values))
        chosen = np.zeros((len(values), self.domain_size), dtype=np.bool_)
        without = np.flatnonzero(~flips(source, len(values), self._p))
        others = self.domain_size - 1
        # Those without the true value choose k of the others, the rest k − 1: the same steps but for the first.
        for last in range(others - self._size, others):
            who = without if last == others - self._size else people
            true = values[who]
            pick = below(source, len(who), last + 1)
            taken = chosen[who, pick + (pick >= true)]
            pick[taken] = last
            chosen[who, pick + (pick >= true)] = True
        chosen[people, values] = True
        chosen[without, values[without]] = False
        return chosen

    def accumulate(self, reports: Reports) -> Support:
        return Support(len(reports), ones(reports))

    def covariance(self, counts: NDArray[Any]) -> Floats:
        d, k, p = self.domain_size, self._size, float(self._p)
        q = float(self._q)
        # Chances that two values are both in the set: the true one and another, or two others.
        with_true = p * (k - 1) / (d - 1)
        neither = (p * (k - 1) * (k - 2) + (1 - p) * k * (k - 1)) / ((d - 1) * (d - 2)) if d > 2 else 0.0
        pairs = np.add.outer(counts, counts)
        covariance = pairs * (with_true - p * q) + (counts.sum() - pairs) * (neither - q * q)
        covariance = np.asarray(covariance / self._gap**2)
        np.fill_diagonal(covariance, self.variance(counts))
        return covariance

    def channel(self) -> Floats | None:
        if self.domain_size > AUDITED:
            return None
        sets = [set(one) for one in combinations(range(self.domain_size), self._size)]
        inside = float(self._p / math.comb(self.domain_size - 1, self._size - 1))
        outside = float((1 - self._p) / math.comb(self.domain_size - 1, self._size))
        return np.array([[inside if value in one else outside for one in sets] for value in range(self.domain_size)])

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return [(text,) for text in bit_texts(reports)]

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        chosen = bits_of(rows, 0, self.domain_size)
        wrong = np.flatnonzero(chosen.sum(axis=1) != self._size)
        if len(wrong):
            raise WorkbenchError(
                f"Report {wrong[0] + 1:,} is not a set of {self._size:,} values, so another protocol made it.",
                hint="Aggregate reports with the public parameters they were made with.",
                field="reports",
            )
        return chosen


def chances(domain_size: int, e: Fraction, size: int) -> tuple[Fraction, Fraction]:
    """(p, q) for sets of `size`."""
    p = down(size * e / (size * e + domain_size - size))
    return p, (p * (size - 1) + (1 - p) * size) / (domain_size - 1)


def best_size(domain_size: int, epsilon: float) -> int:
    """The size whose squared errors add up to the least over all values: about d/(e^ε + 1), or one beside it.

    Notes
    -----
    That sum is p(1 − p)/(p − q)² + (d − 1) q(1 − q)/(p − q)² for each report, whatever the shares are. Where they are
    equal each value has the same part of it, so that this size misplaces the fewest people, too. Each size errs less at
    a larger ε, so the least of them does as well. For rare values alone it may be another one, see `rare_size`.
    """

    def spread(e: Fraction, size: int) -> float:
        p, q = chances(domain_size, e, size)
        return float((p * (1 - p) + (domain_size - 1) * q * (1 - q)) / (p - q) ** 2)

    return _least(domain_size, epsilon, spread)


def rare_size(domain_size: int, epsilon: float) -> int:
    """d/(e^ε + 1), rounded to the side with the smaller variance of rare values: what older reports were made with."""

    def spread(e: Fraction, size: int) -> float:
        p, q = chances(domain_size, e, size)
        return float(q * (1 - q) / (p - q) ** 2)

    return _least(domain_size, epsilon, spread)


def _least(domain_size: int, epsilon: float, spread: Callable[[Fraction, int], float]) -> int:
    e = odds(epsilon)
    ideal = math.floor(domain_size / (e + 1))
    return min((size for size in (ideal, ideal + 1) if 1 <= size < domain_size), key=lambda size: spread(e, size))


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> SubsetSelection:
    asked, size = given(epsilon, PLUGIN.title), int(values["k"])
    if size >= domain_size:
        raise WorkbenchError(
            f"A set of {size:,} of {domain_size:,} values leaves none out, so it says nothing.",
            hint=f"Choose 1 to {domain_size - 1:,}, or 0 for the best.",
            field="k",
        )
    return SubsetSelection(domain_size, asked, size or best_size(domain_size, asked))


def restore(
    domain_size: int, epsilon: float | None, values: Mapping[str, Any], public: Mapping[str, Any]
) -> SubsetSelection:
    """As it was published; earlier versions left the size open, which was then the one for rare values."""
    size = int(values["k"]) or rare_size(domain_size, given(epsilon, PLUGIN.title))
    return construct(domain_size, epsilon, {"k": size})


PLUGIN = LocalProtocol(
    "subset-selection",
    "Subset selection",
    "Reports a random set of values that more likely contains the true one. Where there are many values and ε is "
    "small, no protocol errs less.",
    "M. Ye, A. Barg: Optimal schemes for discrete distribution estimation under locally differential privacy, 2018.",
    (
        ParamSpec(
            "k",
            "Values in a set",
            ParamType.INTEGER,
            default=0,
            minimum=0,
            placeholder="automatic",
            help="Fewer than there are values; 0 for the least squared error of all answers together, about "
            "d/(e^ε + 1): of equal shares it misplaces the fewest people. A margin to reach sets its own.",
        ),
    ),
    construct,
    maximum_domain=1 << 16,
    restore=restore,
    left_open=LeftOpen("k", lambda domain_size, _epsilon: range(1, domain_size), best_size),
)
