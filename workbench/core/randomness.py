"""The two sources of randomness: the operating system's for releases, a seeded one for simulations."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError

_CHUNK = 1 << 20
_TWO_64 = 1 << 64


class RandomSource(Protocol):
    """Independent uniform 64-bit integers; everything else is derived from them."""

    @property
    def secure(self) -> bool:
        """True only if nobody can predict or repeat the numbers."""

    def words(self, count: int) -> NDArray[np.uint64]:
        """`count` independent uniform integers in [0, 2**64)."""


class SecureSource:
    """The operating system's cryptographic random source."""

    secure = True

    def words(self, count: int) -> NDArray[np.uint64]:
        return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)


class SeededSource:
    """A repeatable source for simulations and tests. Never good enough for a release."""

    secure = False

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def words(self, count: int) -> NDArray[np.uint64]:
        return self._bits.random_raw(count)


class PaidSource:
    """A source that is paid for before its first number is drawn.

    Parameters
    ----------
    source
        Where the numbers come from.
    pay
        Called once, before anything is drawn; what it raises keeps anything from being drawn.
    """

    def __init__(self, source: RandomSource, pay: Callable[[], object]) -> None:
        self._source, self._pay = source, pay
        self.paid = False
        """Whether it was paid for, so that something may have been drawn."""

    @property
    def secure(self) -> bool:
        return self._source.secure

    def pay(self) -> None:
        """Pay now, if that has not been done."""
        if not self.paid:
            self._pay()
            self.paid = True

    def words(self, count: int) -> NDArray[np.uint64]:
        self.pay()
        return self._source.words(count)


def source_for(seed: int | None) -> RandomSource:
    """The secure source, or a seeded one if a seed is given.

    Raises
    ------
    WorkbenchError
        If the seed is negative.
    """
    if seed is None:
        return SecureSource()
    if seed < 0:
        raise WorkbenchError("The seed must not be negative.", hint="Give a whole number from 0.", field="seed")
    return SeededSource(seed)


def bernoulli(source: RandomSource, count: int, probability: float) -> NDArray[np.bool_]:
    """`count` independent coins that show True with `probability`, rounded *down* to a multiple of 2⁻⁶⁴.

    The comparison is between integers, so no floating-point rounding enters: the true probability is
    floor(probability · 2⁶⁴) / 2⁶⁴, which never exceeds what was asked for.
    """
    threshold = int(Fraction(probability) * _TWO_64)
    if threshold >= _TWO_64:
        return np.ones(count, dtype=np.bool_)
    kept = np.empty(count, dtype=np.bool_)
    for start in range(0, count, _CHUNK):
        stop = min(start + _CHUNK, count)
        np.less(source.words(stop - start), np.uint64(threshold), out=kept[start:stop])
    return kept


def permutation(source: RandomSource, count: int) -> NDArray[np.intp]:
    """A uniformly random order of `count` things, from sorting random 64-bit keys.

    A tie between keys would leave a trace of the original order, so tied keys are drawn again.
    """
    while True:
        keys = source.words(count)
        order = np.argsort(keys)
        ranked = keys[order]
        if not np.any(ranked[1:] == ranked[:-1]):
            return order
