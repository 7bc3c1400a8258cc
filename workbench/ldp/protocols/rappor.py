"""Basic RAPPOR: unary encoding in two stages, so that reporting again and again does not wear the privacy off."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.params import ParamSpec, ParamType
from workbench.core.randomness import RandomSource
from workbench.ldp.coins import down, flips, nepers, up
from workbench.ldp.instructions import kept_and_shown
from workbench.ldp.parameters import chance, exactly
from workbench.ldp.protocol import Codes, Floats, LocalProtocol, Reports, Support, always
from workbench.ldp.report_cells import bit_texts, bits_of
from workbench.ldp.unary import AUDITED, PureRandomiser, ones, product_channel, two_bits


def reported(f: Fraction, p: Fraction, q: Fraction) -> tuple[Fraction, Fraction]:
    """(p*, q*): the chance of a 1 in one report at the true value and at another, after both stages."""
    return (1 - f / 2) * p + f / 2 * q, f / 2 * p + (1 - f / 2) * q


class Rappor(PureRandomiser):
    """Permanent bits, one set per person and value, then `rounds` instantaneous reports of them.

    The permanent bit is 1 with chance 1 − f/2 at the true value and f/2 elsewhere; each report shows a 1 with chance
    p where it is 1 and q where it is 0. `Support.sums` adds the ones of all rounds.

    Parameters
    ----------
    domain_size, rounds
        Numbers of values, and of reports that each person sends.
    f, p, q
        As asked for; the coins use f rounded up, p down and q up to multiples of 2⁻⁶⁴.

    Notes
    -----
    Ú. Erlingsson, V. Pihur, A. Korolova: RAPPOR, CCS 2014 (which calls q here p, and p here q).
    """

    def __init__(self, domain_size: int, f: Fraction, p: Fraction, q: Fraction, rounds: int) -> None:
        if not 0 < q < p < 1:
            raise WorkbenchError(
                f"p = {exact(float(p))} and q = {exact(float(q))} do not tell a 1 from a 0.",
                hint="p, the chance of a 1 where the permanent bit is 1, must be above q. The paper names them the "
                "other way round.",
                field="p",
            )
        self._true, self._other = 1 - up(f / 2), up(f / 2)
        self._one, self._zero = down(p), up(q)
        self._rounds = rounds
        super().__init__(domain_size, *reported(2 * self._other, self._one, self._zero))

    @cached_property
    def worst_ratio(self) -> Fraction:
        """Of all rounds of one value together."""
        # How often a bit was 1 is all that counts, and the more often the more it speaks for the true value.
        return self._speaks(self._one, self._zero) * self._speaks(1 - self._zero, 1 - self._one)

    def _speaks(self, likely: Fraction, unlikely: Fraction) -> Fraction:
        # The ratio of the chances of the same bit in every round, with a permanent bit that makes it likely or not.
        likely, unlikely = likely**self._rounds, unlikely**self._rounds
        return (self._true * likely + self._other * unlikely) / (self._other * likely + self._true * unlikely)

    @property
    def epsilon_one(self) -> float:
        """The ε of a single report."""
        return nepers(two_bits(self._p, self._q))

    @property
    def epsilon_forever(self) -> float:
        """The ε of endlessly many reports of the same value: that of the permanent bits; infinite without them."""
        return nepers((self._true / self._other) ** 2) if self._other else math.inf

    @property
    def bits(self) -> float:
        return float(self.domain_size * self._rounds)

    @property
    def width(self) -> int:
        return self.domain_size * self._rounds

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"round_{number + 1}" for number in range(self._rounds))

    def instruction(self, answers: Sequence[str]) -> str:
        kept, shown = (float(self._true), float(self._other)), (float(self._one), float(self._zero))
        return kept_and_shown(kept, shown, self._rounds)

    def permanent(self, values: NDArray[Any], source: RandomSource) -> NDArray[np.bool_]:
        """The bits a person draws once for a value and keeps, shape (people, domain size)."""
        shape = (len(values), self.domain_size)
        memo = flips(source, shape[0] * shape[1], self._other).reshape(shape)
        memo[np.arange(len(values)), values] = flips(source, len(values), self._true)
        return memo

    def instantaneous(self, memo: NDArray[np.bool_], source: RandomSource) -> NDArray[np.bool_]:
        """One report of permanent bits, same shape."""
        spread = (self._one - self._zero) / (1 - self._zero)
        # A 1 shows with chance p: as 0 would, or else by a second coin. That coin is rounded down, on the safe side.
        shown = flips(source, memo.size, self._zero).reshape(memo.shape)
        places = np.flatnonzero(memo & ~shown)
        shown.reshape(-1)[places] = flips(source, len(places), down(spread))
        return shown

    def perturb(self, values: NDArray[Any], source: RandomSource) -> Reports:
        """Reports of shape (people, rounds, domain size).

        `values` has shape (people,), or (people, rounds) for a value per round. Rounds with the same value of a
        person share permanent bits; every person and every value has bits of its own.
        """
        self.check(values.ravel())
        by_round = values if values.ndim == 2 else np.broadcast_to(values[:, None], (len(values), self._rounds))
        if by_round.shape[1] != self._rounds:
            raise WorkbenchError(
                f"There are values of {by_round.shape[1]} rounds, but {self._rounds} are reported.", field="rounds"
            )
        reports = np.empty((len(values), self._rounds, self.domain_size), dtype=np.bool_)
        memos: list[NDArray[np.bool_]] = []
        for current in range(self._rounds):
            memo = self.permanent(by_round[:, current], source)
            for earlier in range(current if values.ndim == 2 else min(current, 1)):
                same = by_round[:, earlier] == by_round[:, current]
                memo[same] = memos[earlier][same]
            memos.append(memo)
            reports[:, current] = self.instantaneous(memo, source)
        return reports

    def accumulate(self, reports: Reports) -> Support:
        return Support(len(reports), ones(reports.reshape(-1, self.domain_size)))

    def simulate(self, counts: Codes, generator: np.random.Generator) -> Support:
        people = int(counts.sum())
        kept = generator.binomial(counts, float(self._true))
        kept += generator.binomial(people - counts, float(self._other))
        sums = generator.binomial(kept * self._rounds, float(self._one))
        return Support(people, sums + generator.binomial((people - kept) * self._rounds, float(self._zero)))

    def expected(self, counts: NDArray[Any]) -> Support:
        single = super().expected(counts)
        return Support(single.reports, single.sums * self._rounds)

    def estimate(self, support: Support) -> Floats:
        return super().estimate(Support(support.reports, support.sums / self._rounds))

    @property
    def one_by_one(self) -> bool:
        # The rounds of a person share permanent bits.
        return self._rounds == 1

    def variance(self, counts: NDArray[Any]) -> Floats:
        # Of the share of ones among the rounds: that of the coins of the rounds, and that of the permanent bit.
        one, zero = (float(chance * (1 - chance)) / self._rounds for chance in (self._one, self._zero))
        kept = float(self._true * self._other * (self._one - self._zero) ** 2)
        true = float(self._true) * one + float(self._other) * zero + kept
        other = float(self._other) * one + float(self._true) * zero + kept
        variance: Floats = (counts * true + (counts.sum() - counts) * other) / self._gap**2
        return variance

    def covariance(self, counts: NDArray[Any]) -> Floats:
        return np.diag(self.variance(counts))

    def channel(self) -> Floats | None:
        if self.domain_size > AUDITED or self._rounds > 1:
            return None
        return product_channel(self.domain_size, float(self._p), float(self._q))

    def cells(self, reports: Reports) -> list[tuple[str, ...]]:
        return list(zip(*(bit_texts(reports[:, number]) for number in range(self._rounds)), strict=True))

    def parse(self, rows: Sequence[Sequence[str]]) -> Reports:
        rounds = [bits_of(rows, number, self.domain_size) for number in range(self._rounds)]
        return np.stack(rounds, axis=1)


def construct(domain_size: int, epsilon: float | None, values: Mapping[str, Any]) -> Rappor:
    f, p, q = (exactly(values[name]) for name in ("f", "p", "q"))
    return Rappor(domain_size, f, p, q, int(values["rounds"]))


PLUGIN = LocalProtocol(
    "rappor",
    "Basic RAPPOR",
    "Draws permanent noisy bits once per person and value, and reports them with fresh noise each time, so that ε "
    "stays bounded however often it is asked.",
    "Ú. Erlingsson, V. Pihur, A. Korolova: RAPPOR: randomized aggregatable privacy-preserving ordinal response, "
    "CCS 2014.",
    (
        ParamSpec(
            "f",
            "f",
            ParamType.NUMBER,
            default=0.5,
            minimum=0.0,
            maximum=1.0,
            open_maximum=True,
            chance=True,
            help="How noisy the permanent bits are: ε of endlessly many reports is 2 ln((1 − f/2)/(f/2)).",
        ),
        chance("p", "p", 0.75, "The chance that a report shows 1 where the permanent bit is 1; above q."),
        chance("q", "q", 0.25, "The chance that a report shows 1 where the permanent bit is 0; below p."),
        ParamSpec(
            "rounds",
            "Reports per person",
            ParamType.INTEGER,
            default=1,
            minimum=1,
            maximum=1000,
            help="How often each person reports one and the same value; the stated ε covers them all. A value that "
            "changes in between reveals more.",
        ),
    ),
    construct,
    follows=always,
)
