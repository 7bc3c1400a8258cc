"""A membership test on an (ε, δ) release: can anybody tell whether a person was in the table? Analyst only, simulated.

The attacker knows the whole table but not whether one person is in it, all settings, and the release. Of the release
only the number of rows in the person's group depends on the person: each row is sampled with probability β, and a group
of fewer than k sampled rows is dropped. He says “in the table” where that number is more probable with the person
than without, which no other rule beats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress

_WIDTH = 12.0  # standard deviations; what lies beyond is below 1e-30
_TRIED = 400


@discreet
@dataclass(frozen=True)
class MembershipTest:
    """The success of the attacker, beside the most the promise allows.

    Parameters
    ----------
    group
        Rows of the group in the table, with the person's own. The group is the one in which he does best.
    own
        Rows of the person in it.
    accused_in, accused_out
        Share of the simulated runs in which he said “in the table”, with the person in it and without.
    right, low, high
        Share of all runs in which he was right, with its 95 % band (Wilson).
    exact
        The chance to be right, computed.
    bound
        The most that the promise allows any attacker; None if there is no claim. Guessing is right half the time.
    runs, seed
        Runs with the person, and as many without; with which seed they can be repeated.
    """

    group: int
    own: int
    accused_in: float
    accused_out: float
    right: float
    low: float
    high: float
    exact: float
    bound: float | None
    runs: int
    seed: int


def most_right(epsilon: float, delta: float) -> float:
    """The most often anybody is right about a person who is in the table with probability one half.

    Any test has true positives ≤ e^ε · false positives + δ, and the same for negatives; so the difference of the two
    rates is at most (e^ε − 1 + 2δ)/(e^ε + 1) (Kairouz, Oh and Viswanath 2015), and half of that is added to one half.
    """
    advantage = math.tanh(epsilon / 2) + 2 * delta / (1 + math.exp(epsilon))
    return min(1.0, 0.5 + advantage / 2)


def tell_membership(
    groups: Sequence[int] | NDArray[np.int64],
    beta: float,
    k: int,
    *,
    own: int = 1,
    promised: tuple[float, float] | None = None,
    runs: int = 2000,
    seed: int = 0,
    progress: Progress = SILENT,
) -> MembershipTest:
    """Try to tell whether a person is in the table, in the group where that is easiest.

    Parameters
    ----------
    groups
        Rows of each group of the table.
    beta, k
        Sampling probability and smallest released group.
    own
        Rows of the person, all in one group.
    promised
        (ε, δ) of all that was released, the choice of levels with it, if there is a claim.

    Raises
    ------
    WorkbenchError
        If there is no group, or no run is asked for.
    Cancelled
        If the progress was cancelled.
    """
    sizes = sorted({int(size) for size in groups if size > 0})
    if not sizes:
        raise WorkbenchError("The table has no rows, so nobody can be looked for.", field="data")
    if runs < 1:
        raise WorkbenchError("At least one run is needed.", field="runs")
    best, group = -1.0, sizes[0]
    chances = _Chances(sizes[-1], beta, k)
    tried = _telling(sizes, beta, k)
    for position, size in enumerate(tried):
        progress(0.8 * position / len(tried), "Looking for the group that gives most away")
        apart = chances.apart(size, min(own, size))
        if apart > best:
            best, group = apart, size
    own = min(own, group)
    says_in = chances.rule(group, own)
    source = np.random.default_rng(seed)
    accused = []
    for rows in (group, group - own):
        drawn = source.binomial(rows, beta, runs)
        drawn[drawn < k] = 0
        accused.append(int(says_in[drawn].sum()))
    right = accused[0] + runs - accused[1]
    progress(1.0)
    return MembershipTest(
        group,
        own,
        accused[0] / runs,
        accused[1] / runs,
        right / (2 * runs),
        *share_band(right, 2 * runs),
        0.5 + best / 2,
        None if promised is None else most_right(*promised),
        runs,
        seed,
    )


def _telling(sizes: list[int], beta: float, k: int) -> list[int]:
    """The groups that may give most away: the smallest, and those that are released about half the time."""
    if len(sizes) <= _TRIED:
        return sizes
    near = sorted(sizes, key=lambda size: abs(size * beta - k))[: _TRIED // 2]
    return sorted({*sizes[: _TRIED // 4], *near, *sizes[:: max(1, 4 * len(sizes) // _TRIED)]})


class _Chances:
    """The probability of each number of released rows of a group: Binomial(rows, β), 0 where it is below k."""

    def __init__(self, largest: int, beta: float, k: int) -> None:
        self._beta = beta
        self._k = k
        self._logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, largest + 1, dtype=np.float64)))))
        """Logarithms of the factorials."""

    def apart(self, size: int, own: int) -> float:
        """Total variation between what is released of the group with the person and without."""
        return float(np.abs(self._released(size, size) - self._released(size - own, size)).sum() / 2)

    def rule(self, size: int, own: int) -> NDArray[np.bool_]:
        """For each number of released rows, whether it speaks for the person."""
        decided: NDArray[np.bool_] = self._released(size, size) > self._released(size - own, size)
        return decided

    def _released(self, rows: int, longest: int) -> NDArray[np.float64]:
        beta, logs = self._beta, self._logs
        chances = np.zeros(longest + 1)
        if beta >= 1.0:
            chances[rows] = 1.0
        else:
            middle, spread = rows * beta, math.sqrt(rows * beta * (1 - beta)) + 1
            first, last = max(0, int(middle - _WIDTH * spread)), min(rows, int(middle + _WIDTH * spread) + 1)
            drawn = np.arange(first, last + 1)
            chances[first : last + 1] = np.exp(
                logs[rows]
                - logs[drawn]
                - logs[rows - drawn]
                + drawn * math.log(beta)
                + (rows - drawn) * math.log1p(-beta)
            )
        dropped = slice(1, min(self._k, longest + 1))
        chances[0] += chances[dropped].sum()
        chances[dropped] = 0.0
        return chances


def share_band(right: int, runs: int) -> tuple[float, float]:
    """95 % band of a share (Wilson 1927)."""
    z = 1.959963984540054
    share = right / runs
    middle = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    half = z * math.sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs)) / (1 + z * z / runs)
    return middle - half, middle + half
