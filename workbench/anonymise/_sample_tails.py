"""ln δ, from above, of "sample with β, generalise publicly, suppress classes of fewer than k rows".

One row per person here. X is the number of sampled rows of one class, Bin(n, β) where the class has n
original rows; the release shows X if X ≥ k and nothing otherwise; the other classes are independent of it.
Neighbours have n and n−1 rows. Write e = e^ε, q = 1 − β, P_n(j) = P[Bin(n, β) = j].

**Where the exact maximum over n lies**

*Adding a row.* With γ = 1 − q/e, P_n(j) − e·P_{n−1}(j) = P_n(j)·(j − γn)/(n(1−γ)), positive exactly for j >
γn; the outcome "nothing" never counts, because it is more probable under n − 1. So the divergence at n is
D(n) = Σ_{j ≥ max(k, ⌊γn⌋+1)} P_n(j)·(j − γn)/(n(1−γ)). Put n* = max(1, ⌈(k−1)/γ⌉).

- n < n*, so γn < k − 1: the sum starts at k, D(n) = P[Bin(n) ≥ k] − e·P[Bin(n−1) ≥ k], and
  D(n+1) − D(n) = β·P_n(k−1)·(1 − e(n−k+1)/(nq)) > 0 ⇔ k − 1 > γn. D rises up to n*.
- n ≥ n*, so γn ≥ k − 1: only j ≥ k count even without suppression, so D(n) is the divergence between the
  untruncated Bin(n, β) and Bin(n−1, β). Both are the pair for n − 1 plus an independent Bernoulli(β), which
  is post-processing. D falls from n* on.

At n* the sum starts at k, because γn* < k. So the maximum over all n is D(n*) = Σ_{j ≥ k} P_{n*}(j)·(j −
γn*)/(n*(1−γ)): no search, nothing to miss. Where γn = k − 1 exactly, D(n+1) = D(n): rounding cannot change
the value at that boundary.

*Removing a row.* With γ' = 1 − e·q, P_{n−1}(j) − e·P_n(j) = P_n(j)·(γ'n − j)/(nq), positive exactly for j <
γ'n, so never if γ' ≤ 0, that is β ≤ 1 − e^−ε. The same argument mirrored: while γ'n < k − 1 only the
outcome "nothing" can count, and P[Bin(n−1) < k] − e·P[Bin(n) < k] rises; from n' = max(1, ⌈(k−1)/γ'⌉) on
every j < k counts on its own, so hiding them behind "nothing" loses nothing and the divergence is the
untruncated one, which falls. The maximum is Σ_{j < k} P_{n'}(j)·(γ'n' − j)/(n'q). It can be the larger of the
two by half a percent (ε = 0.05, β = 0.97, k = 35).

**Numbers.** e^ε, γ, n and j − γn come from 50-digit decimals. Binomial probabilities use the deviance form,
which has no difference of large log-factorials; its rounding error is bounded term by term and added. Sums
are cut where the rest is bounded by a geometric series, and that bound is added. Every returned logarithm
is therefore an upper bound; it is too large by about 1e-13 for usual k and less than 1e-9 for every k whose
δ is above 1e-300.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.core.binomial import log_probabilities

_DIGITS = 50
_FIXED_POINT = 96
_ONE = 1 << _FIXED_POINT
_BATCH = 24
_FEW = 8
_TAIL_TERMS = 48
_ULP = 2.0**-53

Floats = NDArray[np.float64]


@lru_cache(maxsize=256)
def exponential(epsilon: float) -> Decimal:
    """e^ε to 50 digits."""
    with localcontext(prec=_DIGITS):
        return Decimal(epsilon).exp()


def exact_log_delta(epsilon: float, beta: float, k: int) -> float:
    """An upper bound, tight to rounding, of ln δ: both hockey-stick divergences, maximised over n.

    Parameters
    ----------
    epsilon
        ε in [1e-9, 10].
    beta
        Sampling probability in [1e-10, 1); it may exceed 1 − e^−ε.
    k
        Smallest class released, in rows after sampling, 1 … 100,000.
    """
    return max(_log_divergence_adding(epsilon, beta, k), _log_divergence_removing(epsilon, beta, k))


def _log_divergence_adding(epsilon: float, beta: float, k: int) -> float:
    with localcontext(prec=_DIGITS):
        above_gamma = (1 - Decimal(beta)) / exponential(epsilon)
        gamma = 1 - above_gamma
        n = max(1, int(((k - 1) / gamma).to_integral_value(ROUND_CEILING)))
        first = float(k - gamma * n)
        scale = float(n * above_gamma)
    point = _log_probability(n, k, beta)
    odds = beta / (1 - beta)
    return point + _log_weighted_sum(n - k, k + 1, odds, first, scale)


def _log_divergence_removing(epsilon: float, beta: float, k: int) -> float:
    with localcontext(prec=_DIGITS):
        kept_out = 1 - Decimal(beta)
        gamma = 1 - exponential(epsilon) * kept_out
        if gamma <= 0:
            return -math.inf
        n = max(1, int(((k - 1) / gamma).to_integral_value(ROUND_CEILING)))
        first = float(gamma * n - (k - 1))
        scale = float(n * kept_out)
    point = _log_probability(n, k - 1, beta)
    odds = (1 - beta) / beta
    return point + _log_weighted_sum(k - 1, n - k + 2, odds, first, scale)


def classical_log_delta(epsilon: float, beta: float, k: int) -> float:
    """An upper bound, tight to rounding, of ln δ by the theorem of Li, Qardaji and Su (arXiv 1101.2604).

    δ = max over n ≥ ⌈k/γ − 1⌉ of P[Bin(n, β) > γn], γ = 1 − (1−β)·e^−ε. Needs ε ≥ −ln(1−β), which the caller
    checks and may waive within rounding: the removing divergence, 0 otherwise, is part of the maximum.
    """
    return max(worst_tail_log(gamma_fixed_point(epsilon, beta), beta, k), _log_divergence_removing(epsilon, beta, k))


def gamma_fixed_point(epsilon: float, beta: float) -> int:
    """γ·2^96, rounded down by a few units in the last place of ε and β.

    P[X > γn] is strict: where γn is an integer the whole term P[X = γn] hangs on it, and the floats nearest
    to ln 2 or 1/10 lie on either side of what was meant. A γ a little too small counts the term when in
    doubt.
    """
    with localcontext(prec=_DIGITS):
        above_gamma = (1 - Decimal(beta)) / exponential(epsilon)
        doubt = (Decimal(epsilon) * above_gamma + Decimal(beta) / exponential(epsilon)) * Decimal(4 * _ULP)
        return int(((1 - above_gamma - doubt) * _ONE).to_integral_value(ROUND_FLOOR))


def worst_tail_log(gamma_scaled: int, beta: float, k: int) -> float:
    """ln of the largest P[Bin(n_J, β) ≥ J] over J ≥ k, n_J the largest n with γn < J; `gamma_scaled` is γ·2^96.

    P[Bin(n, β) > γn] = P[Bin(n, β) ≥ J] with J = ⌊γn⌋ + 1, and for one J it rises with n: only the n_J matter.
    Each tail is at most exp(−n_J·KL(γ‖β)), because J/n_J > γ > β, and n_J grows with J: the search is over when
    that is below the largest tail found. As KL/γ for γ ≤ 1/2 and KL/(1−γ) for γ > 1/2 are above 0.18 whenever
    β ≤ 1 − e^−ε, a few batches are enough.
    """
    gap_scaled = _ONE - gamma_scaled
    gamma, gap = gamma_scaled / _ONE, gap_scaled / _ONE
    rate = gamma * math.log(gamma / beta) + gap * (math.log(gap) - math.log1p(-beta))
    rate *= 1 - 1e-9
    successes, worst = k, -math.inf
    while True:
        rows, needed, successes = _candidates(gamma_scaled, successes, _BATCH)
        worst = max(worst, float(_log_upper_tails(rows, needed, np.array([beta])).max()))
        if -rate * rows[-1] <= worst:
            return worst


def tails_surely_above(epsilon: float, edges: Floats, k: int, log_delta: float) -> list[bool]:
    """For each interval between neighbouring values of β: is the classical ln δ above `log_delta` all over it?

    With γ from the upper end of an interval and β from the lower end, every tail is at most what it is anywhere
    inside. Only the first candidates are looked at, so False means "not proved".

    Parameters
    ----------
    edges
        Descending β, float64 of shape (intervals + 1,).
    """
    rows: list[int] = []
    needed: list[int] = []
    for upper in edges[:-1]:
        gamma = 1 - (1 - float(upper)) * math.exp(-epsilon)
        some_rows, some_needed, _ = _candidates(int(gamma * (1 + 1e-14) * _ONE), k, _FEW)
        rows += some_rows
        needed += some_needed
    tails = _log_upper_tails(rows, needed, np.repeat(edges[1:], _FEW)).reshape(-1, _FEW)
    above: list[bool] = (tails.max(axis=1) > log_delta + 1e-9).tolist()
    return above


def _candidates(gamma_scaled: int, first: int, count: int) -> tuple[list[int], list[int], int]:
    """The next n_J and J from J = `first` on that can hold the largest tail, and the J after them.

    Among the J with the same number m = n_J − J of rows that may be missed, P[Bin(J+m, 1−β) ≤ m] falls with J:
    only the first J of each m counts, which skips far where γ is close to 1.
    """
    rows: list[int] = []
    needed: list[int] = []
    skip, gap_scaled = 2 * gamma_scaled > _ONE, _ONE - gamma_scaled
    successes = first
    for _ in range(count):
        n = (successes << _FIXED_POINT) // gamma_scaled
        rows.append(n)
        needed.append(successes)
        missed = n - successes + 1
        successes = max(successes + 1, -(-missed * gamma_scaled // gap_scaled)) if skip else successes + 1
    return rows, needed, successes


def _log_upper_tails(rows: list[int], needed: list[int], beta: Floats) -> Floats:
    """ln P[Bin(n, β) ≥ J] for each pair, J well above nβ; float64 of shape (pairs,)."""
    n = np.array(rows, dtype=np.float64)
    j = np.array(needed, dtype=np.float64)
    step = np.arange(_TAIL_TERMS, dtype=np.float64)
    odds = (beta / (1 - beta))[:, None]
    ratio = np.maximum((n - j)[:, None] - step, 0.0) / ((j + 1)[:, None] + step) * odds
    terms = np.cumprod(ratio, axis=1)
    # The rest after the last term is below a geometric series with the last ratio.
    rest = terms[:, -1] * ratio[:, -1] / (1 - ratio[:, -1])
    total = 1 + terms.sum(axis=1) + rest
    result: Floats = log_probabilities(n, j, beta) + np.log(total) + 4 * _TAIL_TERMS * _ULP
    return result


def _log_weighted_sum(falling: int, rising: int, odds: float, first: float, scale: float) -> float:
    """ln Σ_{i ≥ 0} t_i·(first + i)/scale with t_0 = 1, t_{i+1}/t_i = odds·(falling − i)/(rising + i) < 1."""
    start = odds * falling / rising
    if start <= 0:
        return math.log(first / scale) + 4 * _ULP if first > 0 else -math.inf
    # ln t_i ≤ i·ln(start) − i²/2·(1/falling + 1/(2·rising)), near enough: only the cost depends on it.
    linear = 45 / max(-math.log(start), 1e-300)
    curved = math.sqrt(90 / (1 / falling + 0.5 / rising))
    count = int(min(falling, linear + 8, curved + 8))
    step = np.arange(count, dtype=np.float64)
    ratio = odds * (falling - step) / (rising + step)
    terms = np.cumprod(ratio)
    total = first + float(np.dot(terms, first + 1 + step))
    if count < falling:
        last = odds * (falling - count) / (rising + count)
        # Σ_{i > count} t_i·(first + i) ≤ t_count·Σ_{s ≥ 1} last^s·(first + count + s)
        total += float(terms[-1]) * last / (1 - last) * (first + count + 1 / (1 - last))
    return math.log(total / scale) + (8 * count + 16) * _ULP


def _log_probability(n: int, j: int, beta: float) -> float:
    return float(log_probabilities(np.array([float(n)]), np.array([float(j)]), beta)[0])
