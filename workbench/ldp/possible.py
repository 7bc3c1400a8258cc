"""Reports that a protocol hardly ever gives, whatever people's answers are: true answers, or those at another ε."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.ldp.estimation import may_be_sampled
from workbench.ldp.protocol import FrequencyRandomiser, Support

Floats = NDArray[np.float64]

FALSE_ALARM = 1e-4
"""The chance that reports of the protocol are called all but impossible, over all values together, is at most this."""


def all_but_impossible(randomiser: FrequencyRandomiser, support: Support) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The values that too many reports support for the protocol, and those that too few do, by their codes.

    None where reports do not support each value with p or q by itself: then it is not looked for.

    Notes
    -----
    Whoever has a value, the number of n reports that support it is at least as large as a binomial number with q, and
    at most as large as one with p. That such a number of chance c is s or farther off its mean has a probability of
    exp(−n KL(s ÷ n, c)) at most (H. Chernoff, Annals of Mathematical Statistics 1952), which is compared with
    `FALSE_ALARM` shared among both sides of all values.
    """
    if not support.reports or randomiser.pure is None or not may_be_sampled(randomiser):
        return (), ()
    p, q = randomiser.pure
    reports = float(support.reports)
    seen = np.clip(np.rint(randomiser.estimate(support) * (p - q) + reports * q) / reports, 0.0, 1.0)
    rare = np.log(2 * len(seen) / FALSE_ALARM) / reports
    many = (seen > p) & (_divergence(seen, p) > rare)
    few = (seen < q) & (_divergence(seen, q) > rare)
    return tuple(np.flatnonzero(many).tolist()), tuple(np.flatnonzero(few).tolist())


def _divergence(shares: Floats, chance: float) -> Floats:
    """The Kullback-Leibler divergence of coins with these shares from one with this chance, in nats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = [
            np.where(share > 0, share * (np.log(share) - np.log(told)), 0.0)
            for share, told in ((shares, np.float64(chance)), (1.0 - shares, np.float64(1.0 - chance)))
        ]
    return np.asarray(parts[0] + parts[1], dtype=np.float64)
