"""Dominating pairs of the mechanisms of this program that are better than the worst of their (ε, δ)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from workbench.core.binomial import log_probabilities
from workbench.core.kept_results import kept_within
from workbench.core.loss_distributions import Floats, LossDistribution, LossPair, float_up, for_rows, from_curves

_ERROR = 1e-12
_LISTED, _POINTS = 2_000, 1_000
"""As many losses of a noisy number are listed; of more, some stand for those between them."""
_MOST_GROUPS = 2_000_000
_MOST_BYTES = 16 << 20
"""Of all pairs of a kind that are kept: one of them may list millions of losses."""


def _bytes_of(pair: LossPair) -> int:
    return sum(one.losses.nbytes + one.masses.nbytes for one in (pair.adding, pair.removing))


@kept_within(_MOST_BYTES, _bytes_of)
def sampling_pair(beta: float, k: int, rows_per_person: int = 1) -> LossPair:
    """Sampling with β, generalising publicly and suppressing groups of fewer than k rows.

    Toss a coin with β until k of them have shown a head; N tosses are needed. Then the sampled rows of a group of n
    rows, if they are k or more, are as many as k and the heads of n − N further tosses, if N ≤ n, and otherwise nothing
    is shown. So with M = N the release of a group of n − 1 rows is a function of M and of further coins, and with
    M = N − 1 the same function gives the release of n rows:

        k + Bin(n − 1 − M, β) if M ≤ n − 1, otherwise nothing.

    Whatever n is, the release with and without the row is a post-processing of M = N − 1 and of M = N. That is one pair
    for all n at once, and no other is smaller: at each ε some n attains it.

    With P[N = n] = C(n−1, k−1)·β^k·(1−β)^(n−k), the loss of M = n is ln(n(1−β)/(n−k+1)) when the row is added, infinite
    for n = k − 1, which has probability β^k, and the negative of it when the row is removed.

    Raises
    ------
    ValueError
        If there is no such mechanism, or too many losses to list.
    """
    if not (0 < beta < 1 and k >= 1 and rows_per_person >= 1):
        raise ValueError("an impossible sampling")
    mean = k + 12 * math.sqrt(k) + 60
    last = int(mean / beta) + 2
    if last - k > _MOST_GROUPS:
        raise ValueError("too many losses to list")
    # P[N > n] = P[Bin(n, β) < k] ≤ exp(−(nβ − k)²/(2nβ)), below 1e-18 here.
    rest = math.exp(-((mean - k) ** 2) / (2 * mean))
    n = np.arange(k, last + 1, dtype=np.float64)
    chances = np.exp(np.log(k / n) + log_probabilities(n, np.full(len(n), float(k)), beta)) * (1 + _ERROR)
    adding = math.log1p(-beta) - np.log1p(-(k - 1) / n)
    error = 1e-15 * (4 + np.abs(adding))
    added = LossDistribution(
        (adding + error)[-2::-1], _with(chances[:0:-1], rest, first=True), min(1.0, float(chances[0]))
    )
    top = -math.log1p(-beta)
    removed = LossDistribution(np.append(error - adding, top * (1 + _ERROR)), np.append(chances, rest))
    return for_rows(LossPair(added, removed), rows_per_person)


def _with(masses: Floats, rest: float, *, first: bool) -> Floats:
    """The masses with more on the first of them."""
    found = masses.copy()
    found[0 if first else -1] += rest
    return found


@kept_within(_MOST_BYTES, _bytes_of)
def noisy_number_pair(epsilon: Fraction, sensitivity: int) -> LossPair:
    """Whole numbers that a person changes by `sensitivity` in all, each with noise z of weight e^(−ε|z|/sensitivity).

    All of it in one number is the worst: what tells two tables apart is a sum of losses, one for each number, and no
    sum has more of its probability at both ends than the loss of one number that is changed by the whole. With
    q = e^(−ε/sensitivity) that has the losses ε − 2mε/sensitivity, m = 0 … sensitivity, with probabilities 1/(1+q),
    (1−q)/(1+q)·q^m and, for the last, q^m/(1+q); so that δ = 1 − q^m there.
    """
    if not (epsilon > 0 and sensitivity >= 1):
        raise ValueError("noise without an ε")
    rate = epsilon / sensitivity
    if sensitivity <= _LISTED:
        m = np.arange(sensitivity, -1, -1, dtype=np.float64)
        q = math.exp(-float(rate))
        masses = np.exp(-m * float(rate)) * (-math.expm1(-float(rate)) / (1 + q))
        masses[-1], masses[0] = 1 / (1 + q), math.exp(-float(epsilon)) / (1 + q)
        losses = float_up(epsilon) - m * (2 * float(rate))
        losses += 1e-15 * np.abs(losses) + 1e-15 * float(epsilon)
        return LossPair.symmetric(LossDistribution(losses, masses * (1 + _ERROR + 1e-15 * float(epsilon))))
    half = -(-sensitivity // 2)
    # The lowest loss that is listed is 0, or below 0 if their number is odd; δ at 0 is at most that below it.
    steps = np.unique(np.linspace(0, half, _POINTS).round())[::-1]
    losses = np.maximum(0.0, float_up(epsilon) - steps * (2 * float(rate)) * (1 - _ERROR))
    values = -np.expm1(-steps * float(rate)) * (1 + _ERROR)
    found = from_curves(losses, values, values)
    return LossPair.symmetric(found.adding)
