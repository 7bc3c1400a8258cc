"""Privacy losses: how far an output points to one of two neighbouring tables, and how probable that is.

Where an output has probability p under the one table and q under the other, its loss is L = ln(p/q). The distribution
of L under the first table says all there is to know about the two: at every ε,

    δ(ε) = E[max(0, 1 − e^(ε − L))].

What has probability 0 under the other table has an infinite loss. A pair of such distributions *dominates* a mechanism
if its δ(ε) is nowhere smaller, for any neighbouring tables: in the one direction with a person added, in the other with
the person removed. The losses of independent draws add up, so the distribution of several mechanisms is a convolution,
also where each question depends on the answers before, as long as every pair was fixed beforehand.

All that is made here errs to the safe side: a loss, a probability or a δ is never below the true one. A distribution
may therefore hold a little more than the whole probability.

Source: Zhu, Dong and Wang, "Optimal accounting of differential privacy via characteristic function" (AISTATS 2022).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ERROR = 1e-12
"""More than the relative error of what a few operations on floats give."""
_KINKS = 1e-10
"""The same for probabilities that come from the kinks of a curve of at most `_POINTS` points in each direction."""
_POINTS = 400
_FAR = 700.0


@dataclass(frozen=True, eq=False)
class LossDistribution:
    """The losses in one direction.

    Parameters
    ----------
    losses
        Finite losses, ascending, float64 of shape (values,); there may be none.
    masses
        The probability of each under the first table, of the same shape.
    infinite
        The probability of an infinite loss.
    """

    losses: Floats
    masses: Floats
    infinite: float = 0.0

    def __post_init__(self) -> None:
        if self.losses.shape != self.masses.shape or not np.all(np.isfinite(self.losses)):
            raise ValueError("losses without probabilities")
        if not (np.all(self.masses >= 0) and 0 <= self.infinite <= 1 + _ERROR):
            raise ValueError("an impossible probability")

    def delta(self, epsilon: float) -> float:
        """δ at an ε of any sign."""
        above = self.losses > epsilon
        over = -np.expm1(epsilon - self.losses[above])
        return min(1.0, (math.fsum((self.masses[above] * over).tolist()) + self.infinite) * (1 + _ERROR))

    def renyi(self, order: float, sparing: float) -> tuple[float, float]:
        """Divergence and probability set aside that count in a Rényi filter.

        Parameters
        ----------
        order
            Above 1.
        sparing
            Outputs of the largest losses with no more than this probability are set aside.

        Returns
        -------
        divergence, aside
            The Rényi divergence of this order of all other outputs, at least 0, and the probability of those that were
            set aside.
        """
        if not order > 1:
            raise ValueError("an order that is not above 1")
        beyond = self.infinite + np.cumsum(self.masses[::-1])[::-1]
        kept = beyond > max(sparing * (1 - 4 * _ERROR), self.infinite)
        aside = max(self.infinite, float(beyond[~kept].max(initial=0.0)))
        if not kept.any():
            return 0.0, aside
        with np.errstate(divide="ignore"):
            terms = np.log(self.masses[kept]) + (order - 1) * self.losses[kept]
        top = float(terms.max())
        moment = top + math.log(math.fsum(np.exp(terms - top).tolist()))
        # Given that nothing set aside happens, each probability is larger by 1/(1 − aside).
        found = (moment - order * math.log1p(-min(aside, 1 - _ERROR))) / (order - 1)
        return max(0.0, found) + _ERROR * (1 + abs(found)), aside


@dataclass(frozen=True, eq=False)
class LossPair:
    """A dominating pair: the losses with a person added, and with the person removed."""

    adding: LossDistribution
    removing: LossDistribution

    @classmethod
    def symmetric(cls, losses: LossDistribution) -> LossPair:
        """The same in both directions."""
        return cls(losses, losses)

    @property
    def is_symmetric(self) -> bool:
        return self.adding is self.removing

    def delta(self, epsilon: float) -> float:
        """The larger δ of the two."""
        return max(self.adding.delta(epsilon), self.removing.delta(epsilon))


def worst_pair(epsilon: Fraction, delta: Fraction) -> LossPair:
    """Pair that dominates every (ε, δ)-private mechanism: an infinite loss with probability δ, otherwise ±ε.

    Kairouz, Oh and Viswanath 2015 (arXiv 1311.0776), Theorem 3.1.
    """
    high, low, failing = float_up(epsilon), -float_down(epsilon), min(1.0, float_up(delta))
    small = math.exp(-min(high, _FAR))
    kept = float_up(1 - delta) * (1 + _ERROR) / (1 + small)
    if epsilon == 0:
        return LossPair.symmetric(LossDistribution(np.zeros(1), np.array([2 * kept]), failing))
    return LossPair.symmetric(LossDistribution(np.array([low, high]), np.array([small, 1.0]) * kept, failing))


def from_curves(losses: Floats, adding: Floats, removing: Floats) -> LossPair:
    """The pair of two curves of δ, each from ε = 0 on.

    What is a loss in the one direction is minus the loss in the other; so a curve goes on below 0 as
    δ₊(−ε) = 1 − e^−ε·(1 − δ₋(ε)). The lower convex hull in e^ε still lies above a curve that is convex, and what lies
    beyond the last point counts as infinite.

    Parameters
    ----------
    losses
        Values of ε, ascending, beginning with 0, float64 of shape (points,).
    adding, removing
        Upper bounds of δ there, of the same shape.
    """
    below = -losses[:0:-1]
    both = np.concatenate([below, losses])

    def curve(own: Floats, other: Floats) -> LossDistribution:
        reflected = -np.expm1(below) + np.exp(below) * other[:0:-1]
        return _of_points(both, np.minimum(1.0, np.concatenate([reflected, own]) * (1 + _ERROR)))

    return LossPair(curve(adding, removing), curve(removing, adding))


def _of_points(losses: Floats, values: Floats) -> LossDistribution:
    """The distribution whose curve is the lower convex hull of these points and of δ = 1 at e^ε = 0."""
    x = np.concatenate([[0.0], np.exp(losses)])
    y = np.minimum.accumulate(np.concatenate([[1.0], values]))
    if np.any(np.diff(np.diff(y) / np.diff(x)) < -_ERROR):
        hull = _lower_hull(x, y)
        x, y, losses = x[hull], y[hull], losses[np.array(hull[1:]) - 1]
    slopes = np.concatenate([np.diff(y) / np.diff(x), [0.0]])
    # A kink at the ratio e^L, where the slope grows by s, is an output with q = s and p = s·e^L.
    masses = np.maximum(np.diff(slopes), 0.0) * x[1:]
    return LossDistribution(losses, masses * (1 + _KINKS), float(min(1.0, y[-1] * (1 + _KINKS))))


def _lower_hull(x: Floats, y: Floats) -> list[int]:
    """Which points lie on the lower convex hull, from the left; x ascends."""
    kept: list[int] = []
    for point in range(len(x)):
        while len(kept) > 1 and _turns_down(x, y, kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return kept


def _turns_down(x: Floats, y: Floats, first: int, second: int, third: int) -> bool:
    """Whether the second point does not lie below the line from the first to the third."""
    rise = (y[second] - y[first]) * (x[third] - x[first])
    return bool(rise >= (y[third] - y[first]) * (x[second] - x[first]))


def for_rows(pair: LossPair, rows: int) -> LossPair:
    """The pair of a person with so many rows, from the pair of one row.

    From α^c·P[·] of no rows to P[·] of c rows one row at a time: δ_c(cε) ≤ δ₁(ε)·(1 + e^ε + … + e^((c−1)ε)).
    """
    if rows == 1:
        return pair
    high = max(0.0, *(float(one.losses[-1]) for one in (pair.adding, pair.removing) if len(one.losses)))
    at = np.linspace(0.0, high * (1 + _ERROR) + _ERROR, _POINTS)
    growth: Floats = np.exp(np.outer(at, np.arange(rows))).sum(axis=1)

    def grown(one: LossDistribution) -> Floats:
        result: Floats = np.minimum(1.0, np.array([one.delta(epsilon) for epsilon in at.tolist()]) * growth)
        return result

    return from_curves(at * rows * (1 + _ERROR), grown(pair.adding), grown(pair.removing))


def float_up(value: Fraction) -> float:
    """The smallest float that is not below."""
    found = float(value)
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)


def float_down(value: Fraction) -> float:
    """The largest float that is not above."""
    found = float(value)
    return found if Fraction(found) <= value else math.nextafter(found, -math.inf)
