"""Expected errors by formula as far as there is one, and by simulation for the rest.

The noise of an unbiased estimate is normal, of many people, and so is what it is off as long as nothing that is done to
it cuts anything off. Then the expected L1 error of d shares is √(2/π) Σ σᵢ, as de Moivre found of one. What is cut off,
and what a root or a sum along a line makes of it, is simulated: the error of each try is compared with what the same
try would have without, whose mean is known (a control variate). Where nothing is cut off, nothing is left to chance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import rounded
from workbench.ldp.simulation import SimulationErrors

Floats = NDArray[np.float64]

_MEAN_SIZE = math.sqrt(2.0 / math.pi)
"""E|X| of a normal X in standard deviations."""
_NOT_NORMAL = 0.002
"""How far whom is drawn may move an error from that of a normal distribution, as a part of it, to be left out."""
_ARITHMETIC = 1e-9
"""What is left of an error that is a formula, as a part of it: by computing alone."""


@dataclass(frozen=True, eq=False)
class Linear:
    """L1 errors that estimates would have if nothing of them were cut off, in each try and by formula.

    Parameters
    ----------
    tried, expected
        Shape (tries,).
    """

    tried: Floats
    expected: Floats


def linear(
    shares: Floats,
    sampled: Floats,
    noise: Floats,
    covariance: Floats,
    people: float,
    *,
    sums: bool,
    apart: int,
) -> Linear | None:
    """What estimated shares are off if nothing of them is cut off; None where that is not normal.

    Parameters
    ----------
    shares, sampled
        True shares, and how far those of the people who are asked are from them, shape (tries, domain size).
    noise, covariance
        Of the estimated shares, shape (tries, reported values) and the square of it; or the variances alone where
        values are independent, shape (reported values,).
    people
        So many are drawn, so that `sampled` has variances of share·(1 − share) ÷ people; ∞ where it is 0.
    sums
        Whether what estimates add up to is corrected in all values alike, else in proportion to them.
    apart
        So many reported values at the end are taken off again.

    Notes
    -----
    Of the noise e with the sum S, value i keeps eᵢ + aᵢ e_last − bᵢ S: with shares p, a = p where values are taken off
    and 0 elsewhere, and b = p in proportion, (1 + a) ÷ values where all are shifted alike.
    """
    size = shares.shape[1]
    every = covariance if covariance.ndim == 2 else np.diag(covariance)
    rows, last = every.sum(axis=1), np.arange(size, size + apart)
    taken = shares if apart else np.zeros_like(shares)
    back = (1.0 + taken * apart) / (size + apart) if sums else shares
    moved = sampled + noise[:, :size] + taken * noise[:, last].sum(axis=1, keepdims=True)
    moved = moved - back * noise.sum(axis=1, keepdims=True)
    variance = (
        np.diag(every)[:size]
        + taken**2 * every[np.ix_(last, last)].sum()
        + back**2 * rows.sum()
        + 2.0 * taken * every[:size, last].sum(axis=1)
        - 2.0 * back * (rows[:size] + taken * rows[last].sum())
    )
    drawn = shares * (1.0 - shares) / people
    together = np.maximum(variance, 0.0) + drawn
    spread = np.sqrt(together)
    if not _normal_enough(drawn, together, people):
        return None
    return Linear(np.abs(moved).sum(axis=1), _MEAN_SIZE * spread.sum(axis=1))


def _normal_enough(drawn: Floats, together: Floats, people: float) -> bool:
    """Whether drawing so many people leaves what moves as good as normal.

    Notes
    -----
    A binomial number of variance v has the kurtosis 1/v more than a normal one, and E|X| is less by 1/24 of what of
    that remains in the sum (Gram and Charlier): r²/v, where r is its part of the variance of the sum.
    """
    if math.isinf(people):
        return True
    size = np.sqrt(together)
    less = np.divide(drawn, people * people * together * size, out=np.zeros_like(size), where=together > 0)
    return float(less.sum()) / 24.0 <= _NOT_NORMAL * float(size.sum())


def steadied(wrong: Floats, beside: Linear | None) -> tuple[float, float]:
    """The expected error, and how far it may be off by chance as a standard error: 0 where it is a formula.

    Parameters
    ----------
    wrong
        The error of each try, shape (tries,).
    beside
        What is known of the same tries; None for nothing.
    """
    if beside is None:
        return SimulationErrors(wrong).mean, SimulationErrors(wrong).se
    chance = beside.tried - beside.expected
    # The expected errors differ between tries, as shapes do: that is no chance, and has a slope of its own.
    known = np.column_stack([np.ones_like(chance), beside.expected, chance])
    slopes = np.linalg.lstsq(known, wrong, rcond=1e-10)[0]
    mean = float((wrong - slopes[2] * chance).mean())
    left = SimulationErrors(wrong - known @ slopes).se
    # Rounded, so that what is one mechanism under several names has one error.
    return rounded(mean, 10), 0.0 if left <= _ARITHMETIC * mean else left
