"""Public shapes of a column, moved and stretched at random, so that nothing is chosen because it suits one of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.experiment import Basis
from workbench.evaluate.public_crowd import MovedShares
from workbench.evaluate.question import Floats

_NARROWEST = 0.5
"""The part of the range that a hump fills at least."""
_TAIL_AT = 50.0
"""The middle of the values of a long tail usually lies at one over this of the range, else at half to twice of that."""
_TAIL_SPREAD = (0.6, 0.8, 1.0)
"""The standard deviation of the logarithms of its values: least, usual and largest."""
_STEEPEST = 1.5
"""Spikes fall off as 1/rank to this power at most, and as 1/rank usually."""
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


def moved_shares(basis: Basis, size: int, bars: NDArray[np.int32] | None = None) -> MovedShares:
    """The shares of so many values that a public shape gives them.

    Parameters
    ----------
    bars
        The bar in which each value lies, if what is spiky is the bars and not the values within them.
    """

    def shares(generator: np.random.Generator | None) -> Floats:
        if basis is not Basis.SPIKY or bars is None:
            return _shares(basis, size, generator)
        each = _shares(basis, int(bars.max()) + 1, generator)
        found = each[bars] / np.bincount(bars, minlength=len(each))[bars]
        return np.asarray(found / found.sum())

    return shares


def _shares(basis: Basis, size: int, generator: np.random.Generator | None) -> Floats:
    if size < 2 or basis is Basis.UNIFORM:
        return np.full(size, 1.0 / size)
    where, width = (0.0, 1.0) if generator is None else generator.random(2).tolist()
    if basis is Basis.SPIKY:
        return _spiky(size, where, 1.0 if generator is None else 1.0 + (_STEEPEST - 1.0) * width)
    place = (np.arange(size) + 0.5) / size
    if basis is Basis.TAIL:
        least, usual, most = _TAIL_SPREAD
        spread = usual if generator is None else least + (most - least) * width
        middle = _TAIL_AT if generator is None else _TAIL_AT * 4.0 ** (where - 0.5)
        # Log-normal, as incomes are: amounts between bounds wide enough for all.
        given = np.exp(-0.5 * (np.log(middle * place) / spread) ** 2) / place
        return np.asarray(given / given.sum())
    # One hump that leans to the low side, as ages and incomes do (Beta(2, 5)). A symmetric one would flatter whatever
    # is right in the middle: guesses and the coarsest releases. It fills the range or half of it, anywhere.
    filled = _NARROWEST + (1.0 - _NARROWEST) * width
    inside = np.clip((place - where * (1.0 - filled)) / filled, 0.0, 1.0)
    given = inside * (1.0 - inside) ** 4 + 1e-9  # of two values none may lie in the hump
    return np.asarray(given / given.sum())


def _spiky(size: int, where: float, power: float) -> Floats:
    # Multiples of the golden ratio, less their whole part, are as evenly scattered as may be.
    order = np.argsort((np.arange(size) * _GOLDEN + where) % 1.0, kind="stable")
    given = np.empty(size)
    given[order] = np.arange(1.0, size + 1.0) ** -power
    return np.asarray(given / given.sum())
