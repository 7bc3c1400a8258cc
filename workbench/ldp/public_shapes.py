"""Public shapes of the answers to a question: what is assumed wherever nothing of the data may be read.

One definition for everything that is predicted or tried before anybody is asked. A shape is no single distribution: a
way that suits one by luck, because its intervals or its steps fall just so, would win on exactly that one. So each
shape lies elsewhere and is wider or narrower from draw to draw, by two numbers between 0 and 1.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.core.worded import Worded

Floats = NDArray[np.float64]


class PublicShape(Worded):
    """A shape of answers between public bounds, or over public values."""

    SMOOTH = "smooth", "A smooth shape"
    """One hump that leans to the low side, as ages have."""
    SPIKY = "spiky", "A spiky shape"
    """Frequent values scattered among rare ones, as rounded answers, prices or names may be."""
    TAIL = "tail", "A long tail"
    """Most values close to the lower bound, as amounts between bounds that are wide enough for all."""
    DOMINANT = "dominant", "A dominant value"
    """One value that about half of all have, such as “never” or 0, the others as frequent as each other."""
    UNIFORM = "uniform", "Equal shares"
    """Every value as frequent as every other."""


PAIR = 2
"""So many values are neither smooth nor spiky: one of them is rare, or has about a third."""
_NARROWEST = 0.5
"""The part of the range that a hump fills at least."""
_TAIL_AT = 50.0
"""The middle of the values of a long tail usually lies at one over this of the range, else at half to twice of that."""
_TAIL_SPREAD = (0.6, 0.8, 1.0)
"""The standard deviation of the logarithms of its values: least, usual and largest."""
_DOMINANT = (0.3, 0.5, 0.7)
"""What a dominant value has beside its part of all the rest: least, usual and largest."""
_STEEPEST = 1.5
"""Spikes fall off as 1/rank to this power at most, and as 1/rank usually."""
_RARE = (0.01, 0.016, 0.022)
"""The share of the rare one of two values in a smooth shape: least, usual and largest."""
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
_PLASTIC = 1.32471795724474602596
"""The real root of x³ = x + 1: multiples of its inverse and of that squared fill the unit square evenly."""


def shape_shares(shape: PublicShape, size: int, where: float | None = None, width: float | None = None) -> Floats:
    """The share of each of so many values.

    Parameters
    ----------
    where, width
        Between 0 and 1: where the shape lies, and how far it is stretched (of a hump and a tail), how steep it is (of
        spikes) or how large its share (of a dominant value). As it usually is where they are not given.

    Returns
    -------
    array
        Shape (size,); sums to 1.
    """
    if size < 2 or shape is PublicShape.UNIFORM:
        return np.full(size, 1.0 / size)
    if shape is PublicShape.SPIKY:
        power = 1.0 if width is None else 1.0 + (_STEEPEST - 1.0) * width
        return _spiky(size, 0.0 if where is None else where, power)
    if shape is PublicShape.DOMINANT:
        least, usual, most = _DOMINANT
        share = usual if width is None else least + (most - least) * width
        given = np.full(size, (1.0 - share) / size)
        given[min(int((where or 0.0) * size), size - 1)] += share
        return given
    if shape is PublicShape.SMOOTH and size == PAIR:
        # A hump would leave the second value anything from nothing to an eighth, which is no shape.
        least, usual, most = _RARE
        rare = usual if width is None else least + (most - least) * width
        return np.array([1.0 - rare, rare])
    place = (np.arange(size) + 0.5) / size
    if shape is PublicShape.TAIL:
        least, usual, most = _TAIL_SPREAD
        spread = usual if width is None else least + (most - least) * width
        middle = _TAIL_AT if where is None else _TAIL_AT * 4.0 ** (where - 0.5)
        # Log-normal, as incomes are: amounts between bounds wide enough for all.
        given = np.exp(-0.5 * (np.log(middle * place) / spread) ** 2) / place
        return np.asarray(given / given.sum())
    # One hump that leans to the low side, as ages and incomes do (Beta(2, 5)). A symmetric one would flatter whatever
    # is right in the middle: guesses and the coarsest releases. It fills the range or half of it, anywhere.
    filled = 1.0 if width is None else _NARROWEST + (1.0 - _NARROWEST) * width
    start = (0.0 if where is None else where) * (1.0 - filled)
    inside = np.clip((place - start) / filled, 0.0, 1.0)
    given = inside * (1.0 - inside) ** 4 + 1e-9  # of few values none may lie in the hump
    return np.asarray(given / given.sum())


_KEPT = 1 << 19
"""Numbers of shapes that are kept: of a million values they would be hundreds of megabytes."""


def evenly_moved(shape: PublicShape, size: int, number: int) -> Floats:
    """The shape in so many places and widths, as evenly scattered as may be; always the same ones.

    An average over them has a small error though they are few, and no random numbers are behind it.

    Returns
    -------
    array
        Shape (number, size); each row sums to 1. Cannot be written to, as small ones are kept.
    """
    return _kept(shape, size, number) if number * size <= _KEPT else _moved(shape, size, number)


def _moved(shape: PublicShape, size: int, number: int) -> Floats:
    steps = np.arange(1, number + 1)
    places, widths = (0.5 + steps / _PLASTIC) % 1.0, (0.5 + steps / _PLASTIC**2) % 1.0
    each = (shape_shares(shape, size, *two) for two in zip(places.tolist(), widths.tolist(), strict=True))
    found = np.array(list(each)).reshape(number, size)
    found.flags.writeable = False
    return found


_kept = lru_cache(maxsize=16)(_moved)


def _spiky(size: int, where: float, power: float) -> Floats:
    # Multiples of the golden ratio, less their whole part, are as evenly scattered as may be.
    order = np.argsort((np.arange(size) * _GOLDEN + where) % 1.0, kind="stable")
    given = np.empty(size)
    given[order] = np.arange(1.0, size + 1.0) ** -power
    return np.asarray(given / given.sum())
