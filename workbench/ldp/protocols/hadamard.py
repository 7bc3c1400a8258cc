"""Hadamard response: an output from the half of the outputs that belongs to the value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.randomness import RandomSource
from workbench.ldp.coins import below, down, flips, odds
from workbench.ldp.parameters import given
from workbench.ldp.protocol import Codes, Floats, FrequencyRandomiser, LocalProtocol, Reports, Support
from workbench.ldp.report_cells import texts_of, whole_numbers

_LARGEST_CHANNEL = 1 << 22


def best_blocks(domain_size: int, epsilon: float) -> int:
    """2^(⌈log₂ min(e^ε, 2d)⌉ − 1), at least 1: more blocks where ε allows to say more."""
    return 1 << max(0, math.ceil(math.log2(min(math.exp(epsilon), 2 * domain_size))) - 1)


class HadamardResponse(FrequencyRandomiser):
    """Value v has row ⌊v/B⌋ + 1 of a Hadamard matrix of order b in block v mod B; its half are the columns with + 1.

    The report is an output of K = B·b: uniform in the half of the value with chance sE/(sE + K − s), s = b/2, and
    uniform among the others else. `Support.sums` counts outputs; with N the counts of a block, the estimate is the
    Hadamard transform (H N)_row · (sE + K − s)/(s(E − 1)).

    Notes
    -----
    J. Acharya, Z. Sun, H. Zhang: Hadamard response, AISTATS 2019. With one block K = 2^⌈log₂(d+1)⌉.
    """

    columns = ("output",)

    def __init__(self, domain_size: int, epsilon: float, blocks: int) -> None:
        self.domain_size = domain_size
        self._blocks = blocks
        self._order = 1 << math.ceil(math.log2(-(-domain_size // blocks) + 1))
        self._half = self._order // 2
        self._outputs = blocks * self._order
        e = odds(epsilon)
        self._inside = down(self._half * e / (self._half * e + self._outputs - self._half))
        # P(output) is `_base` everywhere and `_extra` more in the half of the value.
        self._base = (1 - self._inside) / (self._outputs - self._half)
        self._extra = self._inside / self._half - self._base

    @property
    def worst_ratio(self) -> Fraction:
        return 1 + self._extra / self._base

    @property
    def bits(self) -> float:
        return math.log2(self._outputs)

    @property
    def width(self) -> int:
        return 8

    @property
    def tabulated(self) -> bool:
        return self.domain_size * self._outputs <= _LARGEST_CHANNEL

    def channel(self) -> Floats | None:
        if not self.tabulated:
            return None
        values, outputs = np.arange(self.domain_size)[:, None], np.arange(self._outputs)[None, :]
        block, row = self._places(values)
        inside = (outputs // self._order == block) & (_odd(row & outputs) == 0)
        return np.where(inside, float(self._base + self._extra), float(self._base))

    def _places(self, values: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        wide = values.astype(np.int64)
        return wide % self._blocks, wide // self._blocks + 1

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        self.check(values)
        people = len(values)
        block, row = self._places(values)
        inside = flips(source, people, self._inside)
        outside = below(source, people, self._outputs - self._half)
        column = below(source, people, self._order)
        # Flipping the lowest bit of the row turns every column of the wrong sign into one of the right sign.
        wrong = _odd(row & column) != (~inside & (outside < self._half))
        column ^= np.where(wrong, row & -row, 0)
        elsewhere = np.flatnonzero(~inside & (outside >= self._half))
        reports = block * self._order + column
        other = outside[elsewhere] - self._half
        reports[elsewhere] = other + np.where(other >= block[elsewhere] * self._order, self._order, 0)
        return np.asarray(reports, dtype=np.int32)

    def accumulate(self, reports: Reports) -> Support:
        return Support(len(reports), np.bincount(reports, minlength=self._outputs))

    def simulate(self, counts: Codes, generator: np.random.Generator) -> Support:
        people = int(counts.sum())
        own = generator.binomial(counts, float(self._extra * self._half))
        uniform = np.full(self._outputs, 1 / self._outputs)
        sums = generator.multinomial(people - int(own.sum()), uniform)
        block, row = self._places(np.repeat(np.arange(self.domain_size), own))
        column = generator.integers(0, self._order, len(row))
        column ^= np.where(_odd(row & column), row & -row, 0)
        return Support(people, sums + np.bincount(block * self._order + column, minlength=self._outputs))

    def expected(self, counts: NDArray[Any]) -> Support:
        people = float(counts.sum())
        coefficients = np.zeros((self._blocks, self._order))
        block, row = self._places(np.arange(self.domain_size))
        coefficients[block, row] = counts
        halves = (transform(coefficients) + coefficients.sum(axis=1, keepdims=True)) / 2
        sums = people * float(self._base) + float(self._extra) * halves.ravel()
        return Support(int(people), sums)

    def estimate(self, support: Support) -> Floats:
        block, row = self._places(np.arange(self.domain_size))
        transformed = transform(support.sums.reshape(self._blocks, self._order).astype(np.float64))
        estimate: Floats = transformed[block, row] / self._gain
        return estimate

    @property
    def _gain(self) -> float:
        return float(self._extra * self._half)

    def variance(self, counts: NDArray[Any]) -> Floats:
        # The statistic of a report is ±1 in the block of the value and 0 elsewhere.
        block, _ = self._places(np.arange(self.domain_size))
        here = np.bincount(block, weights=counts, minlength=self._blocks)[block]
        other = float(self._base * self._order)
        second = here * (other + self._gain) + (counts.sum() - here) * other
        variance: Floats = second / self._gain**2 - counts
        return variance

    def worst_variance(self, people: float) -> Floats:
        # All have another value of the block, if there is one; else this value, or any other.
        other = float(self._base * self._order)
        beside, alone = (
            (other + self._gain) / self._gain**2,
            max(other, other + self._gain - self._gain**2) / self._gain**2,
        )
        return np.full(self.domain_size, people * (beside if self._blocks < self.domain_size else alone))

    def step(self, people: float) -> Floats:
        return np.full(self.domain_size, 1.0 / self._gain + 1.0)

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return [(text,) for text in texts_of(reports)]

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        return whole_numbers(rows, 0, 0, self._outputs - 1)


def _odd(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    return (np.bitwise_count(numbers) & 1).astype(np.bool_)


def transform(rows: Floats) -> Floats:
    """The Hadamard transform of each row, whose length is a power of two, in O(length · log length)."""
    count, length = rows.shape
    step = 1
    while step < length:
        pairs = rows.reshape(count, length // (2 * step), 2, step)
        rows = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2)
        rows = rows.reshape(count, length)
        step *= 2
    return rows


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> HadamardResponse:
    asked, blocks = given(epsilon, PLUGIN.title), int(values["blocks"])
    if blocks & (blocks - 1):
        raise WorkbenchError(
            f"{blocks} blocks are not a power of two.", hint="Choose 1, 2, 4, 8 …, or 0 for the best.", field="blocks"
        )
    return HadamardResponse(domain_size, asked, blocks or best_blocks(domain_size, asked))


PLUGIN = LocalProtocol(
    "hadamard",
    "Hadamard response",
    "Reports one output, more likely one of the half that belongs to the value in a Hadamard matrix. Short reports, "
    "fast to aggregate even over very many values.",
    "J. Acharya, Z. Sun, H. Zhang: Hadamard response, AISTATS 2019.",
    (
        ParamSpec(
            "blocks",
            "Blocks",
            ParamType.INTEGER,
            default=0,
            minimum=0,
            maximum=1 << 20,
            placeholder="automatic",
            help="A power of two; 0 for the best number for ε, 1 for a single matrix.",
        ),
    ),
    construct,
)
