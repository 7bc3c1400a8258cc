"""The distance of those who are asked from everybody they were drawn from, before any answer is randomised."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def sampled(shares: Floats, number: int, repetitions: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Whom so many repetitions ask: `number` people each, drawn one by one from the shares of all.

    Parameters
    ----------
    shares
        The same every time, shape (values,), or others, shape (repetitions, values).

    Returns
    -------
    array
        How many have each value, shape (repetitions, values).
    """
    parts = np.broadcast_to(shares / shares.sum(axis=-1, keepdims=True), (repetitions, shares.shape[-1]))
    return generator.multinomial(number, parts)


def whole(wanted: Floats, users: int) -> NDArray[np.int64]:
    """Whole numbers near these whose rows add up to `users`: by largest remainders, as `people` does of counts."""
    asked = np.floor(wanted).astype(np.int64)
    ranks = np.argsort(np.argsort(asked - wanted, axis=1, kind="stable"), axis=1, kind="stable")
    asked += ranks < users - asked.sum(axis=1, keepdims=True)
    return asked


def drawn_crowds(
    shares: Floats, people: int, users: int, repetitions: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Who reports in each repetition, where so many people are drawn who send `users` reports, those of each alike.

    Parameters
    ----------
    shares
        As of `sampled`.

    Returns
    -------
    array
        How many reports are of each value, shape (repetitions, values).
    """
    drawn = sampled(shares, people, repetitions, generator)
    return drawn if people == users else whole(np.asarray(drawn * (users / people), dtype=np.float64), users)


def sampling_error(shares: Floats, number: int) -> float:
    """The expected L1 distance between the shares of so many people drawn from all and those of all.

    Notes
    -----
    The number X of people with a value of share p is binomial, and de Moivre found
    E|X − np| = 2 k C(n, k) p^k (1 − p)^(n − k + 1) for k = ⌊np⌋ + 1.
    """
    total = math.fsum(_deviation(number, share) for share in (shares / shares.sum()).tolist())
    return total / number


def _deviation(number: int, share: float) -> float:
    if not 0 < share < 1:
        return 0.0
    above = math.floor(number * share) + 1
    if above > number:  # rounding alone; the share is as good as 1
        return 0.0
    log = (
        math.lgamma(number + 1)
        - math.lgamma(above + 1)
        - math.lgamma(number - above + 1)
        + above * math.log(share)
        + (number - above + 1) * math.log1p(-share)
    )
    return 2 * above * math.exp(log)
