"""Distances of estimates from the truth: of single numbers, and of histograms over the same values.

Histograms are arrays whose last axis runs over the values; any axes before it are answered at once, one distance
each. Distances between *distributions* first make each histogram's mass 1 (see `normalised`): two histograms of
different totals differ in where their mass is, not in how much of it there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.core.errors import WorkbenchError

Floats = NDArray[np.float64]


def absolute(truth: ArrayLike, estimate: ArrayLike) -> Floats:
    """|x − x̂|, element by element."""
    found: Floats = np.abs(np.asarray(truth, dtype=np.float64) - np.asarray(estimate, dtype=np.float64))
    return found


def percent(truth: ArrayLike, estimate: ArrayLike) -> Floats:
    """|x − x̂| / |x| · 100, element by element: 0 where both are 0, infinite where only the truth is 0."""
    wrong = absolute(truth, estimate)
    size = np.abs(np.broadcast_to(np.asarray(truth, dtype=np.float64), wrong.shape))
    found = np.where(wrong == 0, 0.0, np.inf)
    return np.asarray(np.divide(100.0 * wrong, size, out=found, where=size > 0))


def manhattan(p: ArrayLike, q: ArrayLike) -> Floats:
    """Σ |p − q| of two histograms as they are (L1), shape of the leading axes."""
    first, second = _pair(p, q)
    return np.asarray(np.abs(first - second).sum(axis=-1))


def euclidean(p: ArrayLike, q: ArrayLike) -> Floats:
    """√Σ (p − q)² of two histograms as they are (L2), shape of the leading axes."""
    first, second = _pair(p, q)
    return np.asarray(np.sqrt(np.square(first - second).sum(axis=-1)))


def normalised(histogram: ArrayLike) -> Floats:
    """Each histogram divided by its total.

    A total that is not positive says nothing about where the mass is, so such a histogram becomes the uniform one.
    (Only raw estimates, which may be negative, have such totals.)
    """
    counts = np.asarray(histogram, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    uniform = np.full(counts.shape, 1.0 / counts.shape[-1])
    return np.asarray(np.divide(counts, total, out=uniform, where=np.broadcast_to(total > 0, counts.shape)))


def kantorovich(p: ArrayLike, q: ArrayLike, positions: ArrayLike | None = None) -> Floats:
    """Kantorovich (Wasserstein-1, earth mover's) distance of two distributions on a line.

    W₁ = Σᵢ |F_p(i) − F_q(i)| · (x_{i+1} − x_i), by one cumulative sum (Vallender 1974).

    Parameters
    ----------
    p, q
        Histograms of shape (…, d); they are normalised.
    positions
        The place of each value, finite and rising, shape (d,); 0, 1, …, d − 1 if not given.

    Returns
    -------
    array
        The distance in units of `positions`, shape of the leading axes.
    """
    first, second = _pair(p, q)
    ahead = np.cumsum(normalised(first) - normalised(second), axis=-1)[..., :-1]
    steps = np.ones(first.shape[-1] - 1) if positions is None else _steps(positions, first.shape[-1])
    return np.asarray(np.abs(ahead) @ steps)


def total_variation(p: ArrayLike, q: ArrayLike) -> Floats:
    """½ Σ |p − q| of the normalised histograms: the largest difference of the probability of any event."""
    first, second = _pair(p, q)
    return 0.5 * manhattan(normalised(first), normalised(second))


def kullback_leibler(p: ArrayLike, q: ArrayLike) -> Floats:
    """Σ p ln(p / q) of the normalised histograms, in nats; infinite where q misses what p has.

    A negative share, which only a raw estimate has, counts as none.
    """
    first, second = (normalised(np.maximum(one, 0.0)) for one in _pair(p, q))
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(first > 0, first * np.log(first / second), 0.0)
    return np.asarray(np.maximum(terms.sum(axis=-1), 0.0))


def chi_square(p: ArrayLike, q: ArrayLike) -> Floats:
    """Pearson's Σ (p − q)² / q of the normalised histograms; infinite where q has nothing and p differs from it.

    A negative share, which only a raw estimate has, counts as none.
    """
    first, second = (normalised(np.maximum(one, 0.0)) for one in _pair(p, q))
    wrong = np.square(first - second)
    terms = np.where(wrong == 0, 0.0, np.inf)
    return np.asarray(np.divide(wrong, second, out=terms, where=second > 0).sum(axis=-1))


DISTANCES: Mapping[str, Callable[[ArrayLike, ArrayLike], Floats]] = MappingProxyType(
    {
        "l1": lambda p, q: manhattan(normalised(p), normalised(q)),
        "l2": lambda p, q: euclidean(normalised(p), normalised(q)),
        "kantorovich": kantorovich,
        "total-variation": total_variation,
        "kl": kullback_leibler,
        "chi-square": chi_square,
    }
)
"""Distances between distributions by name; each normalises what it is given."""


def _pair(p: ArrayLike, q: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    if first.ndim == 0 or second.ndim == 0 or first.shape[-1] != second.shape[-1] or not first.shape[-1]:
        raise WorkbenchError(
            f"Histograms of shapes {first.shape} and {second.shape} cannot be compared.",
            hint="Both need one number for each of the same values.",
        )
    first, second = np.broadcast_arrays(first, second)
    return first, second


def _steps(positions: ArrayLike, length: int) -> Floats:
    places = np.asarray(positions, dtype=np.float64)
    steps = np.diff(places)
    if places.shape != (length,) or not np.isfinite(places).all() or (steps < 0).any():
        raise WorkbenchError(
            f"The positions of {length} values must be as many finite numbers that rise.",
            hint="Give one place for each value, the smallest first.",
        )
    return np.asarray(steps)
