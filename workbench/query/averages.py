"""Averages and variances of the values of a column, each from sums that share no ε.

With p = 0 … s the point of the grid a value counts as, a row adds p to one sum and s − p to another: s to both
together, whatever its value. So both get noise at the full ε, and the number of rows follows from them,
n = (Σp + Σ(s − p))/s. Likewise p², 2p(s − p) and (s − p)² add up to s². A row that is left out adds nothing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import margin_up, shown
from workbench.query import likely, noise
from workbench.query.answer import AnswerForm
from workbench.query.exact_sums import Whole, whole
from workbench.query.grid import Grid
from workbench.query.mechanism import ErrorLaw, Expected, Floats, NoisyPart, StatisticValues
from workbench.query.numeric import Numeric
from workbench.query.partition import Partition

_FROM_A_BOUND = tuple(Fraction(eighth, 8) for eighth in (0, 1, *range(16, 29), 32, 40, 48, 64, 10**9))
"""How far from a bound, in scales of the noise, the mean may lie where the noise moves it most.

The sum that is told by the other values has hardly any noise in the answer there; nearer still, the bound stops it.
With few rows it is at the bound or in the middle.
"""
_BETWEEN = 16
"""Into how many parts what lies around the widest of these places is cut, to look for a wider one."""
_AT_BOUNDS = tuple(Fraction(quarter, 4) for quarter in (0, *range(8, 17), 18, 20, 24, 4 * 10**9))
"""The same of the mean of values that are all at one of the bounds, for a variance."""
_SPREAD = 48
"""So many places all over the range are tried too where the noise is on few numbers, or large beside the total."""
_SMALL = 400
"""A total of fewer scales of the noise is small."""
_FEW_NUMBERS = Fraction(1, 4)
"""From this rate on few numbers have most of the chance of the noise."""
_ALL_TRIED = 128
"""With so few places at most, all are tried."""
_OTHERS = "of others the average differs"
_MOST_DIFFERENT = 64
"""Cells with more different sums than these have their errors simulated."""


def _widest_place(
    rate: Fraction, total: int, scales: Sequence[Fraction], margin: Callable[[int], tuple[float, int]]
) -> int:
    """How much one sum has of so much in total where the margin is widest: some scales of the noise, or more.

    Where there are few places, all of them are tried; where the margin has steps, also what is spread over the range.
    """
    half = total // 2
    if half <= _ALL_TRIED:
        return max(range(half + 1), key=margin)
    near = sorted({min(int(one / rate), half) for one in scales})
    places = {*near}
    if rate > _FEW_NUMBERS or total * rate <= _SMALL:
        places |= {half * part // _SPREAD for part in range(_SPREAD + 1)}
    best = max(sorted(places), key=margin)
    # Between places the margin may be a little wider still.
    low = max((one for one in near if one < best), default=best)
    high = min((one for one in near if one > best), default=best)
    between = {low + (high - low) * part // _BETWEEN for part in range(_BETWEEN + 1)}
    if len(places) > len(near):
        step = half // _SPREAD
        between |= {max(best - step, 0) + 2 * step * part // _BETWEEN for part in range(_BETWEEN + 1)}
    return max(sorted(one for one in {*places, *between} if one <= half), key=margin)


class Balanced(Numeric):
    """A question that is answered from sums to which every row adds the same in total.

    Attributes
    ----------
    sums
        How many sums there are for each cell.
    """

    sums: int
    _part: NoisyPart

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return (self._part,)

    @abstractmethod
    def answer(self, sums: Floats) -> Floats:
        """The answer from (noisy) sums of shape (…, sums, cells); shape (…, cells)."""

    @abstractmethod
    def bounded(self, sums: Floats) -> tuple[Floats, Floats]:
        """Between which values the truth lies with a chance of at least 95 %, shape (…, cells) each."""

    @abstractmethod
    def range(self) -> tuple[float, float]:
        """Between which values every answer lies."""

    def finish(self, noisy: Mapping[str, Floats]) -> Floats:
        return self.answer(self._by_cell(noisy))

    def between(self, noisy: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        return self.bounded(self._by_cell(noisy))

    def notes(self, noisy: Mapping[str, Floats], between: tuple[Floats, Floats]) -> tuple[str, ...]:
        low, high = between
        least, most = self.range()
        if not np.any((low <= least) & (high >= most)):
            return ()
        which = "At least one group may have" if self.form is AnswerForm.LIST else "There may be"
        return (
            f"{which} hardly any matching rows, so the interval is the whole range: with this ε the noise is larger "
            "than what it should hide. Ask about more rows, or spend more.",
        )

    def expected(self, statistic: StatisticValues) -> Expected:
        """From the law of the whole answer, not of its parts: parts within their reach say too much together."""
        different, times = self._different(statistic)
        if len(different) > _MOST_DIFFERENT:
            return super().expected(statistic)
        found = [self.off(one) for one in different]
        error, half = (float(np.average(one, weights=times)) for one in zip(*found, strict=True))
        return Expected(error, half)

    def error_by_formula(self, statistic: StatisticValues) -> float | None:
        different, times = self._different(statistic)
        if len(different) > _MOST_DIFFERENT:
            return None
        return float(
            np.average([likely.mean_off(self.answer, one, self._part.rate) for one in different], weights=times)
        )

    def _different(self, statistic: StatisticValues) -> tuple[list[Floats], NDArray[np.intp]]:
        """The sums of cells that differ, shape (sums, 1) each, and how many cells have each of them."""
        sums = self._by_cell({self._part.name: statistic[self._part.name].astype(np.float64)})
        different, times = np.unique(sums, axis=-1, return_counts=True)
        return np.split(different, different.shape[-1], axis=-1), times

    def off(self, sums: Floats) -> tuple[float, float]:
        """The mean absolute error of the answer to sums of shape (sums, 1), and how far 95 % are off at most."""
        return likely.error_of(self.answer, sums, self._part.rate)

    def error_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        # Cells of a plan are alike, so one stands for all.
        sums = self._by_cell({self._part.name: statistic[self._part.name].astype(np.float64)})[..., :1]
        found = self.answer(sums + noise.evenly(self._part.rate, self.sums)[..., np.newaxis]) - self.answer(sums)
        return ErrorLaw(found[:, 0], np.full(len(found), 1 / len(found)), step=0.0)

    def _by_cell(self, noisy: Mapping[str, Floats]) -> Floats:
        flat = noisy[self._part.name]
        return flat.reshape(*flat.shape[:-1], self.sums, self.size)


class Averages(Balanced):
    """The mean from A = Σp and B = Σ(s − p): the middle of the bounds + half the range·(A − B)/max(A + B, s)."""

    assumes = f"whose mean has the widest margin; {_OTHERS}"
    sums = 2

    def __init__(self, grid: Grid, by: Partition | None, epsilon: Fraction, rows_per_person: int) -> None:
        super().__init__(grid, by, epsilon, rows_per_person)
        self._part = NoisyPart("steps", grid.steps * rows_per_person, epsilon)

    def contributions(self, steps: Whole) -> tuple[Whole, ...]:
        return steps, self.grid.steps - steps

    def answer(self, sums: Floats) -> Floats:
        above, below = sums[..., 0, :], sums[..., 1, :]
        tilt = (above - below) / np.maximum(above + below, float(self.grid.steps))
        return self._on_scale((1 + np.clip(tilt, -1.0, 1.0)) / 2)

    def bounded(self, sums: Floats) -> tuple[Floats, Floats]:
        low, high = likely.shares_between(sums[..., 0, :], sums[..., 1, :], self._part.rate)
        return self._on_scale(low), self._on_scale(high)

    def range(self) -> tuple[float, float]:
        return float(self.grid.lower), float(self.grid.upper)

    def _on_scale(self, share: Floats) -> Floats:
        lower, upper = self.range()
        found: Floats = np.clip(lower + (upper - lower) * share, lower, upper)
        return found

    def off(self, sums: Floats) -> tuple[float, float]:
        return super().off(sums)[0], self._reach(*sums[:, 0].tolist())

    def _reach(self, above: float, below: float) -> float:
        low, high = self.range()
        return (high - low) * likely.share_reach(above, below, float(self.grid.steps), self._part.rate)

    def assumed(self, rows: int) -> StatisticValues:
        """Values whose mean is where the margin is widest, because nobody knows where theirs is."""
        total = rows // self.size * self.grid.steps

        def margin(below: int) -> tuple[float, int]:
            half = self._reach(float(total - below), float(below))
            # Of means with the same margin as it is said, that which the bound distorts least.
            return float(margin_up(half, 3).replace(",", "")), below

        below = _widest_place(self._part.rate, total, _FROM_A_BOUND, margin)
        return {"steps": whole([total - below] * self.size + [below] * self.size)}

    def in_middle(self, rows: int) -> StatisticValues:
        total = rows // self.size * self.grid.steps
        return {"steps": whole([total - total // 2] * self.size + [total // 2] * self.size)}


class VarianceQuery(Balanced):
    """The variance over rows, Σ(x − mean)²/n, or its root, from Q = Σp², M = Σ2p(s − p) and R = Σ(s − p)².

    With T = Q + M + R = n·s², the mean of (p/s)² is Q/T and that of p/s is (Q + M/2)/T.
    """

    assumes = f"whose spread has the widest margin; {_OTHERS}"
    sums = 3

    def __init__(self, grid: Grid, epsilon: Fraction, rows_per_person: int, *, root: bool) -> None:
        super().__init__(grid, None, epsilon, rows_per_person)
        self.root = root
        self._part = NoisyPart("squares", grid.steps**2 * rows_per_person, epsilon)
        if not root and self.unit:
            self.unit = f"{self.unit}²"

    def contributions(self, steps: Whole) -> tuple[Whole, ...]:
        other = self.grid.steps - steps
        return steps * steps, 2 * steps * other, other * other

    def answer(self, sums: Floats) -> Floats:
        high, mixed = sums[..., 0, :], sums[..., 1, :]
        total = np.maximum(sums.sum(axis=-2), float(self.grid.steps) ** 2)
        return self._on_scale(high / total - ((high + mixed / 2) / total) ** 2)

    def bounded(self, sums: Floats) -> tuple[Floats, Floats]:
        low, high = likely.variances_between(sums, self._part.rate)
        return self._on_scale(low), self._on_scale(high)

    def range(self) -> tuple[float, float]:
        width = float(self.grid.upper - self.grid.lower)
        return 0.0, width / 2 if self.root else width**2 / 4

    def _on_scale(self, share: Floats) -> Floats:
        """The variance as a share of the squared range, within what is possible, as the answer."""
        possible = np.clip(share, 0.0, 0.25) * float(self.grid.upper - self.grid.lower) ** 2
        found: Floats = np.sqrt(possible) if self.root else possible
        return found

    def assumed(self, rows: int) -> StatisticValues:
        """Values whose spread has the widest margin, because nobody knows what theirs is.

        That is where all values are at a bound, nearly all of them at the same: one sum has most of the noise then, and
        the answer is not stopped at 0. With few rows, and of a root, they are all the same, or half of them.
        """
        total = rows * self.grid.steps**2

        def margin(high: int) -> tuple[float, int]:
            sums = np.array([[high], [0], [total - high]], dtype=np.float64)
            return self.off(sums)[1], -high

        high = _widest_place(self._part.rate, total, _AT_BOUNDS, margin)
        return {"squares": whole([high, 0, total - high])}

    def shown(self, value: float) -> str:
        return shown(value, None, 6)  # a difference of dates is no date
