"""Local hashing: a person hashes the value to few buckets and reports one of them by direct encoding.

The hash functions are h(v) = ⌊g·top₃₂(a·π(v) + b mod 2⁶⁴)/2³²⌋ with 64-bit a and b of the person's own: multiply-shift,
strongly universal (M. Dietzfelbinger, STACS 1996), so that for any two values the buckets are independent and uniform
(up to g/2³²) and q is 1/g. π shuffles the 32-bit numbers, because neighbouring values would otherwise stand on a
line, and then fall into one bucket together too often: three values would not be independent. a and b are made from
a 64-bit key by SplitMix64, and the key is part of the report.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import RandomSource
from workbench.ldp.coins import Words, below, down, flips, odds
from workbench.ldp.instructions import chance_down, decimals
from workbench.ldp.protocol import Codes, Floats, Reports, Support
from workbench.ldp.report_cells import hexadecimals, texts_of, whole_numbers
from workbench.ldp.unary import PureRandomiser, ones

_BLOCK = 1 << 16
"""Hashes computed at once: few enough to stay in a processor's cache."""

_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0x3C6EF372FE94F82A)
_32 = np.uint64(32)


def _mixed(words: Words) -> Words:
    # The finaliser of SplitMix64: every bit of the result depends on every bit of the word.
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _shuffled(values: NDArray[Any]) -> Words:
    # The finaliser of MurmurHash3 is a bijection of the 32-bit numbers; + 1 because it leaves 0 where it is.
    words = values.astype(np.uint32) + np.uint32(1)
    words = (words ^ (words >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    words = (words ^ (words >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return (words ^ (words >> np.uint32(16))).astype(np.uint64)


def buckets(keys: Words, values: NDArray[Any], size: int) -> Words:
    """The bucket in [0, size) of each value under the hash function of each key; keys and values broadcast."""
    hashes = _mixed(keys + _FIRST) * _shuffled(values) + _mixed(keys + _SECOND)
    hashes >>= _32
    hashes *= np.uint64(size)
    hashes >>= _32
    return hashes


class LocalHashing(PureRandomiser):
    """Hash to `buckets`, then direct encoding among them; a report is (key, bucket), uint64 of shape (people, 2).

    Parameters
    ----------
    domain_size
        Number of values.
    epsilon
        Of one report: the key is drawn without looking at the value.
    size
        Number of buckets, at least 2.
    functions
        How many hash functions there are: 0 for one per person out of 2⁶⁴; a number if everybody picks one of so many
        public ones, others in every collection. Then all supports of a large domain cost `functions` times its size
        instead of people times it, and people who share both value and function collide together, which adds
        Σᵤ nᵤ(nᵤ−1)/(functions·(size−1)) over the other values u to the variance.
    """

    columns = ("key", "bucket")

    def __init__(self, domain_size: int, epsilon: float, size: int, functions: int) -> None:
        e = odds(epsilon)
        # Stay, or go to a uniform bucket that may be the same again.
        self._stay = down((e - 1) / (e + size - 1))
        self._size, self._functions, self._salt = size, functions, 0
        super().__init__(domain_size, self._stay + (1 - self._stay) / size, Fraction(1, size))

    @property
    def worst_ratio(self) -> Fraction:
        return self._p / ((1 - self._stay) / self._size)

    @property
    def came_to(self) -> str:
        return f"{self.domain_size:,} values are hashed to {self._size:,} buckets."

    @property
    def bits(self) -> float:
        return (math.log2(self._functions) if self._functions else 64.0) + math.log2(self._size)

    @property
    def width(self) -> int:
        return 8

    def instruction(self, answers: Sequence[str]) -> str:
        number, of = chance_down(float(self._p))
        return (
            f"The device of each person draws a hash function, which puts every answer into one of {self._size:,} "
            f"buckets. It sends the function and the bucket of the answer with probability {decimals(number, of)}, "
            "else the function and another bucket, each equally likely."
        )

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        people = len(values)
        reports = np.empty((people, 2), dtype=np.uint64)
        reports[:, 0] = below(source, people, self._functions) if self._functions else source.words(people)
        reports[:, 1] = buckets(self._keys(reports[:, 0]), values, self._size)
        leaving = np.flatnonzero(~flips(source, people, self._stay))
        reports[leaving, 1] = below(source, len(leaving), self._size)
        return reports

    def _keys(self, numbers: Words) -> Words:
        # Where few functions are shared, chance would favour the same values in every collection but for the salt.
        return np.asarray(numbers + np.uint64(self._salt))

    def fresh(self, source: RandomSource) -> Self:
        return self.salted(int(source.words(1)[0])) if self._functions else self

    def salted(self, salt: int) -> Self:
        """The same with other shared functions."""
        other = copy(self)
        other._salt = salt
        return other

    def public(self) -> dict[str, Any]:
        return {**super().public(), "salt": f"{self._salt:016x}"}

    def shared(self) -> dict[str, Any]:
        return super().public()

    def accumulate(self, reports: Reports) -> Support:
        return self.support_of(reports, np.arange(self.domain_size))

    def support_of(self, reports: Reports, candidates: Codes) -> Support:
        """The support of some values only, in their order; `estimate` works on it as well."""
        if 0 < self._functions < len(reports):
            return Support(len(reports), self._by_function(reports, candidates))
        return Support(len(reports), self._by_report(reports, candidates))

    def _by_report(self, reports: Reports, candidates: Codes) -> NDArray[np.int64]:
        sums = np.empty(len(candidates), dtype=np.int64)
        for first in range(0, len(candidates), _BLOCK):
            values = _shuffled(candidates[first : first + _BLOCK])
            total = np.zeros(len(values), dtype=np.int64)
            step = max(1, _BLOCK // len(values))
            hashes = np.empty((step, len(values)), dtype=np.uint64)
            for start in range(0, len(reports), step):
                keys, reported = self._keys(reports[start : start + step, 0]), reports[start : start + step, 1]
                part = hashes[: len(keys)]
                np.multiply(_mixed(keys + _FIRST)[:, None], values, out=part)
                part += _mixed(keys + _SECOND)[:, None]
                part >>= _32
                part *= np.uint64(self._size)
                part >>= _32
                total += ones(part == reported[:, None])
            sums[first : first + _BLOCK] = total
        return sums

    def _by_function(self, reports: Reports, candidates: Codes) -> NDArray[np.int64]:
        cells = reports[:, 0].astype(np.int64) * self._size + reports[:, 1].astype(np.int64)
        table = np.bincount(cells, minlength=self._functions * self._size).reshape(self._functions, self._size)
        sums = np.zeros(len(candidates), dtype=np.int64)
        keys = self._keys(np.arange(self._functions, dtype=np.uint64))
        for first in range(0, len(candidates), _BLOCK):
            values = candidates[first : first + _BLOCK]
            for key in np.flatnonzero(table.any(axis=1)):
                sums[first : first + _BLOCK] += table[key][buckets(keys[key : key + 1], values, self._size)]
        return sums

    @property
    def one_by_one(self) -> bool:
        # With shared functions a value collides with all people of a frequent one at once.
        return not self._functions

    def variance(self, counts: NDArray[Any]) -> Floats:
        variance = super().variance(counts)
        if self._functions:
            together = counts * (counts - 1.0)
            variance += (together.sum() - together) / (self._functions * (self._size - 1))
        return variance

    def covariance(self, counts: NDArray[Any]) -> Floats | None:
        """With shared functions two values collide for both of those who have them: nᵥ·nᵤ/(functions·(size−1))."""
        if not self._functions:
            return super().covariance(counts)
        together = np.outer(counts, counts) / (self._functions * (self._size - 1))
        np.fill_diagonal(together, self.variance(counts))
        return together

    def step(self, people: float) -> Floats:
        if not self._functions:
            return super().step(people)
        # Two values of one function's are counted alike of everybody who has it: of so many, as good as never of more.
        each = people / self._functions
        return super().step(people) * min(each + 5.0 * math.sqrt(each) + 10.0, people)

    def simulate(self, counts: Codes, generator: np.random.Generator) -> Support | None:
        if self._functions:
            return None
        people = int(counts.sum())
        true = generator.binomial(counts, float(self._p))
        return Support(people, true + generator.binomial(people - counts, float(self._q)))

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        keys = [f"{key:016x}" for key in reports[:, 0].tolist()]
        return list(zip(keys, texts_of(reports[:, 1]), strict=True))

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        reports = np.empty((len(rows), 2), dtype=np.uint64)
        highest = (self._functions or 1 << 64) - 1
        reports[:, 0] = hexadecimals(rows, 0, highest)
        reports[:, 1] = whole_numbers(rows, 1, 0, self._size - 1)
        return reports


def salted_as(randomiser: LocalHashing, public: Mapping[str, Any]) -> LocalHashing:
    """The randomiser with the shared functions of `public`.

    Raises
    ------
    WorkbenchError
        If they are missing or damaged.
    """
    try:
        salt = int(str(public["salt"]), 16)
    except (KeyError, ValueError):
        salt = -1
    if not 0 <= salt < 1 << 64:
        raise WorkbenchError(
            "The public hash functions of these reports are missing or damaged.",
            hint="Use the public parameters that were written together with the reports.",
            field="salt",
        )
    return randomiser.salted(salt)
