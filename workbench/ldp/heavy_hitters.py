"""The most frequent values of a large domain, and which of them are surely there at all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.simplex import onto_simplex
from workbench.ldp.estimation import band, spread_of
from workbench.ldp.protocol import FrequencyRandomiser, Support

FALSE_ALARM = 0.05
"""The probability that any value nobody has is called sure is at most this (Bonferroni over the domain)."""


@dataclass(frozen=True)
class Hitter:
    """One of the values with the largest unbiased estimates.

    Parameters
    ----------
    code
        The value.
    estimate, low, high
        Estimated people and a band of 95 % of this value by itself, as of `estimation.band`. The estimate of a value
        that was picked because it is large is more often too large than too small.
    sure
        Whether noise alone would hardly make any value of the domain so frequent, if the others are about as frequent
        as they seem. With fewer than some hundred shared hash functions values collide with frequent ones too often
        for that.
    """

    code: int
    estimate: float
    low: float
    high: float
    sure: bool


def heavy_hitters(randomiser: FrequencyRandomiser, support: Support, most: int) -> tuple[Hitter, ...]:
    """The `most` values with the largest estimates, falling.

    Raises
    ------
    WorkbenchError
        If none is asked for.
    """
    if most < 1:
        raise WorkbenchError("At least one value must be asked for.", hint="Give 1 or more.", field="top")
    counts = randomiser.estimate(support)
    answers = len(counts) - randomiser.apart
    top = _largest(counts[:answers], min(most, answers))
    held = onto_simplex(counts, float(support.reports))
    low, high = band(randomiser, support)
    chance = FALSE_ALARM / len(counts)
    exactly = randomiser.reach(support.reports, chance)
    found = []
    for code in top.tolist():
        estimate = float(counts[code])
        reach = exactly
        if reach is None:
            # How far noise reaches if nobody has this value; with shared hash functions that depends on the others.
            others = held.copy()
            others[code] = 0.0
            empty = spread_of(randomiser, others * (support.reports / max(float(others.sum()), 1.0)))[code]
            reach = NormalDist().inv_cdf(1.0 - chance) * math.sqrt(empty)
        sure = estimate > reach
        found.append(Hitter(code, estimate, min(float(low[code]), estimate), max(float(high[code]), estimate), sure))
    return tuple(found)


def _largest(counts: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    candidates = np.argpartition(-counts, most - 1)[:most]
    return candidates[np.argsort(-counts[candidates], kind="stable")]
