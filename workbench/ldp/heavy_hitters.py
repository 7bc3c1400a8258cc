"""The most frequent values of a large domain, and which of them are surely there at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.ldp.estimation import band
from workbench.ldp.normal_margin import hardly_reached
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
        Estimated people and the band of this value by itself, as of `estimation.band`. The estimate of a value that was
        picked because it is large is more often too large than too small, and its band misses more often than others.
    sure
        Whether noise alone would hardly make any value of the domain so frequent, whatever the others are. With fewer
        than some hundred shared hash functions values collide with frequent ones too often for that.
    """

    code: int
    estimate: float
    low: float
    high: float
    sure: bool


def heavy_hitters(
    randomiser: FrequencyRandomiser, support: Support, most: int, *, sampled: bool = False
) -> tuple[Hitter, ...]:
    """The `most` values with the largest estimates, falling; `sampled` as of `estimation.band`.

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
    low, high = band(randomiser, support, sampled=sampled)
    chance = FALSE_ALARM / len(counts)
    exactly = randomiser.reach(support.reports, chance)
    # How far noise reaches if nobody has a value, whatever the others have.
    if exactly is not None:
        reaches = np.full(len(counts), exactly)
    elif randomiser.unbiased:
        worst, step = randomiser.worst_variance(support.reports), randomiser.step(support.reports)
        reaches = np.array([hardly_reached(*one, chance) for one in zip(np.sqrt(worst), step, strict=True)])
    else:
        reaches = np.full(len(counts), np.inf)
    found = []
    for code in top.tolist():
        estimate = float(counts[code])
        sure = estimate > float(reaches[code])
        found.append(Hitter(code, estimate, min(float(low[code]), estimate), max(float(high[code]), estimate), sure))
    return tuple(found)


def _largest(counts: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    candidates = np.argpartition(-counts, most - 1)[:most]
    return candidates[np.argsort(-counts[candidates], kind="stable")]
