"""People with what each of them has: one by one, or how many there are of each kind.

A collection needs everybody's value, but not whose it is: reports come in a random order. People who are only counted
can be put in a random order as well, in the memory that their different values take.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.randomness import RandomSource, permutation
from workbench.ldp.sampling import drawn_crowds

Floats = NDArray[np.float64]

_AT_ONCE = 1 << 15
"""So many people are put in order in memory."""
_COINS = 1 << 20
"""Coins that are thrown at once; a multiple of 64."""


class Crowd(ABC):
    """Everybody who is asked."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def blocks(self, size: int) -> Iterator[NDArray[Any]]:
        """Everybody's value, up to `size` people at a time, in an order that says nothing."""

    @abstractmethod
    def shuffled(self, size: int, source: RandomSource) -> Iterator[NDArray[Any]]:
        """The same in a random order, each order equally likely."""

    @abstractmethod
    def total(self, of: Callable[[Any], Floats]) -> float:
        """The sum of a number that follows from each person's value."""

    @abstractmethod
    def evenly(self, number: int) -> NDArray[Any]:
        """The values of so many people, evenly spaced among all of them in the order of their values."""

    @abstractmethod
    def drawn(self, people: int, reports: int, generator: np.random.Generator) -> Crowd:
        """So many people, drawn one by one from all of them, who send so many reports together, those of each alike."""

    @abstractmethod
    def joined_by(self, number: int, value: int) -> Crowd:
        """Everybody, and so many more people who have the same value."""

    @property
    def mean(self) -> float:
        """The mean of their numbers; there must be somebody."""
        return self.total(lambda numbers: np.asarray(numbers, dtype=np.float64)) / len(self)


@dataclass(frozen=True, eq=False)
class Persons(Crowd):
    """People one by one.

    Parameters
    ----------
    values
        What each of them has, shape (people,).
    """

    values: NDArray[Any]

    def __len__(self) -> int:
        return len(self.values)

    def blocks(self, size: int) -> Iterator[NDArray[Any]]:
        return (self.values[start : start + size] for start in range(0, len(self.values), size))

    def shuffled(self, size: int, source: RandomSource) -> Iterator[NDArray[Any]]:
        return Persons(self.values[permutation(source, len(self.values))]).blocks(size)

    def total(self, of: Callable[[Any], Floats]) -> float:
        return float(of(self.values).sum())

    def evenly(self, number: int) -> NDArray[Any]:
        return np.sort(self.values)[_evenly(number, len(self))]

    def drawn(self, people: int, reports: int, generator: np.random.Generator) -> Persons:
        return Persons(np.resize(self.values[generator.integers(0, len(self), people)], reports))

    def joined_by(self, number: int, value: int) -> Persons:
        return Persons(np.concatenate([self.values, np.full(number, value, dtype=self.values.dtype)]))

    @property
    def mean(self) -> float:
        return float(self.values.mean())


@dataclass(frozen=True, eq=False)
class Headcount(Crowd):
    """The number of people of each kind.

    Parameters
    ----------
    values
        The different values, shape (values,).
    counts
        People with each of them, same shape.
    """

    values: NDArray[Any]
    counts: NDArray[np.int64]

    def __len__(self) -> int:
        return int(self.counts.sum())

    def blocks(self, size: int) -> Iterator[NDArray[Any]]:
        ends = np.cumsum(self.counts)
        people = len(self)
        for start in range(0, people, size):
            stop = min(start + size, people)
            first, last = np.searchsorted(ends, [start, stop - 1], side="right")
            within = np.clip(ends[first : last + 1], start, stop)
            yield np.repeat(self.values[first : last + 1], np.diff(within, prepend=start))

    def shuffled(self, size: int, source: RandomSource) -> Iterator[NDArray[Any]]:
        # Everybody throws a coin, heads go before tails, and each half is put in order in the same way: that is an
        # order by independent random numbers, drawn bit by bit as far as they are needed.
        held = np.flatnonzero(self.counts)
        waiting = [(self.values[held], self.counts[held])]
        while waiting:
            values, counts = waiting.pop()
            people = int(counts.sum())
            if people > _AT_ONCE:
                heads = _heads(counts, source)
                for part in (counts - heads, heads):
                    there = np.flatnonzero(part)
                    waiting.append((values[there], part[there]))
            elif people:
                yield from Persons(np.repeat(values, counts)).shuffled(size, source)

    def total(self, of: Callable[[Any], Floats]) -> float:
        held = self.counts > 0
        return float(of(self.values[held]) @ self.counts[held])

    def evenly(self, number: int) -> NDArray[Any]:
        order = np.argsort(self.values, kind="stable")
        ends = np.cumsum(self.counts[order])
        return self.values[order][np.searchsorted(ends, _evenly(number, len(self)), side="right")]

    def drawn(self, people: int, reports: int, generator: np.random.Generator) -> Headcount:
        counts = drawn_crowds(self.counts.astype(np.float64), people, reports, 1, generator)[0]
        return Headcount(self.values, counts)

    def joined_by(self, number: int, value: int) -> Headcount:
        values = np.append(self.values, np.array([value], dtype=self.values.dtype))
        return Headcount(values, np.append(self.counts, np.int64(number)))


def crowd_of(people: NDArray[Any] | Crowd) -> Crowd:
    """People one by one as a crowd."""
    return people if isinstance(people, Crowd) else Persons(people)


def _evenly(number: int, people: int) -> NDArray[np.intp]:
    return ((np.arange(number) + 0.5) * (people / max(number, 1))).astype(np.intp)


def _heads(counts: NDArray[np.int64], source: RandomSource) -> NDArray[np.int64]:
    """How many of each kind show heads when everybody throws a fair coin."""
    found = np.zeros(len(counts), dtype=np.int64)
    ends = np.cumsum(counts)
    people = int(ends[-1])
    for start in range(0, people, _COINS):
        stop = min(start + _COINS, people)
        coins = np.unpackbits(source.words(-(-(stop - start) // 64)).view(np.uint8), count=stop - start)
        first, last = np.searchsorted(ends, [start, stop - 1], side="right")
        within = np.clip(ends[first : last + 1], start, stop) - start
        upto = np.cumsum(coins, dtype=np.int64)
        found[first : last + 1] += np.diff(np.where(within > 0, upto[within - 1], 0), prepend=0)
    return found
