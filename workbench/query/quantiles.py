"""Quantiles on a public grid, by the exponential mechanism."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import file_text, shown
from workbench.core.progress import SILENT, Progress
from workbench.query.answer import AnswerForm, ReleasedAnswer, plain_number
from workbench.query.draws import Draws
from workbench.query.grid import Grid
from workbench.query.mechanism import (
    MOST_POINTS,
    ErrorLaw,
    Floats,
    Frame,
    NoisyPart,
    StatisticValues,
)
from workbench.query.noise import OUTSIDE
from workbench.query.placed_values import Sorted, sorted_steps
from workbench.query.rows import Rows
from workbench.query.spread import OfSpread

_ENCLOSING = 3
"""So many quantiles that are asked together enclose those between them."""
_BESIDE = Fraction(1, 20)
"""How far on both sides quantiles are proposed that would enclose another one."""


class Quantiles(OfSpread):
    """Points of the grid of which a share τ of the values is below and 1 − τ above.

    The loss of a point x is by how many rows it misses that: with b values below, e equal and a above of n,
    max(0, (1−τ)b − τ(e+a), τa − (1−τ)(b+e)). One row changes it by at most max(τ, 1−τ), upwards or downwards, so
    weights exp(−ε·loss/(2·max(τ, 1−τ)·c)) cost ε for a person with c rows. Losses are whole numbers after
    multiplication by the denominator of τ. Several quantiles share ε equally; sorting them afterwards costs nothing.

    Source: Smith 2011 (private quantiles by the exponential mechanism of McSherry and Talwar 2007).
    """

    besides = ", the answer between two of them"
    assumes = f"{OfSpread.evenly}{besides}"

    def __init__(self, grid: Grid, shares: tuple[Fraction, ...], epsilon: Fraction, rows_per_person: int) -> None:
        self.grid, self.shares, self.epsilon = grid, tuple(sorted(shares)), epsilon
        self._parts = tuple(
            NoisyPart(
                f"quantile {file_text(float(share), 6)}",
                max(share.numerator, share.denominator - share.numerator) * rows_per_person,
                epsilon / len(shares),
            )
            for share in self.shares
        )
        self.unit = grid.spec.unit or grid.spec.format.symbol
        if len(self.shares) < _ENCLOSING:
            self.without_interval = f"Only its rank is sure, to {self.rank_reach():,} rows with 95 %."
            beside = self._beside()
            if beside:
                self.enclosing = _listed(beside)
                self.enclosed_from = Quantiles(grid, beside, epsilon, rows_per_person).enclosing_rows()
                together = f" The quantiles {self.enclosing} enclose it with 95 %, from {self.enclosed_from:,} rows on."
                self.without_interval += together
        if len(self.shares) > 1:
            self.form = AnswerForm.LIST
            self.labels = (tuple(file_text(float(share), 6) for share in self.shares),)

    @property
    def frames(self) -> tuple[Frame, ...]:
        return (self.grid,)

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return self._parts

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        return points_of(self.grid, rows, progress)

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        found = []
        for share, part in zip(self.shares, self._parts, strict=True):
            runs = _Runs(statistic, share, self.grid.steps)
            start, width = runs.run(draws.choose(runs, self.rate(part)))
            found.append(start + draws.below(width))
        values = [plain_number(float(self.grid.lower + step * self.grid.resolution)) for step in sorted(found)]
        return ReleasedAnswer(
            self.form,
            values[0] if self.form is AnswerForm.NUMBER else values,
            labels=self.labels,
            noisy={"steps": tuple(sorted(found))},
            shown=shown(float(values[0]), self.grid.spec) if self.form is AnswerForm.NUMBER else "",
            unit=self.unit,
            notes=(
                f"With a chance of 95 % the answer is off by at most {self.rank_reach():,} rows in rank.",
                self._enclosed(),
            ),
        )

    def rate(self, part: NoisyPart) -> Fraction:
        """How much a loss of one counts. The factor 2 is due because losses go up for some points, down for others."""
        return part.epsilon / (2 * part.sensitivity)

    def rank_reach(self) -> int:
        """Rows by which the rank of an answer may be off, with 95 % for all of them together."""
        candidates = (self.grid.steps + 1) * len(self.shares)
        return max(
            math.ceil(math.log(candidates / OUTSIDE) / float(self.rate(part)) / share.denominator)
            for share, part in zip(self.shares, self._parts, strict=True)
        )

    def enclosing_rows(self) -> int:
        """How many rows it takes for each true quantile to lie between the answers beside its own, with 95 % for all.

        Notes
        -----
        With all ranks off by at most r, fewer than τᵢ·n + r of n values lie below the answer for τᵢ, and at least
        τⱼ·n − r do not lie above the one for τⱼ. So the quantile at τ, τᵢ < τ < τⱼ, is not below the first if
        τᵢ·n + r < τ·n, and not above the second if τⱼ·n − r ≥ τ·n. Sorting the answers keeps that: as many of them as
        before are not above it. Nothing of it comes from the data.
        """
        apart = min(later - earlier for earlier, later in pairwise(self.shares))
        return math.floor(self.rank_reach() / apart) + 1

    def _enclosed(self) -> str:
        if len(self.shares) >= _ENCLOSING:
            return (
                "With the same chance each true quantile but the first and the last lies between the answers beside "
                f"its own, if at least {self.enclosing_rows():,} rows match."
            )
        unit = self.unit or "values"
        words = f"How far that is in {unit} depends on how many rows lie close by, which this answer does not say."
        asked = self._asked_together()
        return f"{words} Asked together, {asked}, and say from how many rows on." if asked else words

    def _asked_together(self) -> str:
        """The quantiles that give one an interval; "" for several, and at the ends."""
        beside = self._beside()
        return f"the quantiles {_listed(beside)} enclose the one in the middle" if beside else ""

    def _beside(self) -> tuple[Fraction, ...]:
        """The quantile with one on either side; () for several, and at the ends."""
        low, high = self.shares[0] - _BESIDE, self.shares[-1] + _BESIDE
        return (low, *self.shares, high) if len(self.shares) == 1 and 0 < low < high < 1 else ()

    def assumed(self, rows: int) -> StatisticValues:
        """Values as they are spread, with the quantiles between two of them or not, whichever errs more."""
        plain = self.spread(rows)
        return between_values(plain, self.shares) if self._errs_between(rows) else plain

    def _errs_between(self, rows: int) -> bool:
        """Whether the quantiles err at least as much where they lie between two values."""
        plain = self.spread(rows)
        between, on = (self.expected(case).half_width or 0.0 for case in (between_values(plain, self.shares), plain))
        return between >= on

    def assumptions(self, rows: int) -> tuple[StatisticValues, ...]:
        # As simulations take time, which case errs more is found out for the usual stretch alone.
        between = self._errs_between(rows)
        return tuple(between_values(one, self.shares) if between else one for one in self.spreads(rows))

    def truth(self, statistic: StatisticValues) -> Floats:
        """The smallest value with at least a share τ of all values not above it; the middle if there is no value."""
        points, upto = statistic["points"], np.cumsum(statistic["counts"])
        if not len(points):
            return np.full(len(self.shares), float(self.grid.middle))
        places = [
            int(np.searchsorted(upto, -(-share.numerator * int(upto[-1]) // share.denominator)))
            for share in self.shares
        ]
        return self._values(points[places].astype(np.float64))

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        found = np.empty((count, len(self.shares)))
        for column, (share, part) in enumerate(zip(self.shares, self._parts, strict=True)):
            starts, widths, losses = _Runs(statistic, share, self.grid.steps).all()
            weights = widths * np.exp(-float(self.rate(part)) * (losses - losses.min()))
            groups = generator.choice(len(weights), count, p=weights / weights.sum())
            found[:, column] = starts[groups] + np.floor(generator.random(count) * widths[groups])
        return self._values(np.sort(found, axis=1))

    def drawn_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        """Of each quantile how likely every point of the grid is to be it, the answers sorted.

        Notes
        -----
        Of m answers that are drawn apart, the k-th smallest is not above a point if at least k of them are not. How
        likely so many are follows by adding one answer after the other.
        """
        points, number = self.grid.steps + 1, len(self.shares)
        if points * number**2 > MOST_POINTS or not len(statistic["points"]):
            return None
        upto = np.zeros((number + 1, points))
        upto[0] = 1.0
        for share, part in zip(self.shares, self._parts, strict=True):
            _, widths, losses = _Runs(statistic, share, self.grid.steps).all()
            weights = np.repeat(np.exp(-float(self.rate(part)) * (losses - losses.min())), widths)
            below = np.minimum(np.cumsum(weights) / weights.sum(), 1.0)
            upto[1:] = upto[1:] * (1 - below) + upto[:-1] * below
            upto[0] *= 1 - below
        sorted_upto = np.cumsum(upto[::-1], axis=0)[::-1][1:]
        chances = np.maximum(np.diff(sorted_upto, prepend=0.0, axis=1), 0.0)
        resolution = float(self.grid.resolution)
        truth = np.round((self.truth(statistic) - float(self.grid.lower)) / resolution)
        errors = np.arange(points) - truth[:, np.newaxis]
        return ErrorLaw(errors.ravel(), chances.ravel() / number, resolution)

    def _values(self, steps: Floats) -> Floats:
        found: Floats = float(self.grid.lower) + steps * float(self.grid.resolution)
        return found


def _listed(shares: Sequence[Fraction]) -> str:
    return ", ".join(file_text(float(share), 6) for share in shares)


def points_of(grid: Grid, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
    """The points of a grid that occur, rising, and how many rows count as each. Analyst only."""
    progress(0.0, "Reading values")
    column = rows.table[grid.spec.name]
    known = sorted_steps(column, grid)
    progress(0.6, "Counting")
    (places,), counts = rows.combinations([(column.name, known.steps)], progress.part(0.6, 1.0))
    if places is known.steps:
        points, counts = known.merged(counts, keep=counts is column.counts)
    else:
        points, counts = Sorted(places).merged(counts)
    return {"points": points, "counts": counts}


def between_values(statistic: StatisticValues, shares: Sequence[Fraction]) -> StatisticValues:
    """The same number of rows, and for each share τ an end of a value's rows is where τ of all rows end.

    The end that is nearest moves there; of shares with the same nearest end, the last moves it. Nothing moves where
    there is one value. A value that is left without rows is left out.

    Notes
    -----
    Far from the bounds this is the unkindest place for an even spread. Let every value have m rows, let a of those of
    the quantile lie below its rank, and let c be what the loss of a row counts. The value k further up then has the
    weight e^(−c(km − a)), the one k further down e^(−c(a + (k−1)m)), and the quantile 1. An answer is off by more than
    h values with a chance of s·Σ_(k>h) e^(−c(k−1)m)/(1 + s·Σ_(k>0) e^(−c(k−1)m)), where s = e^(−c(m − a)) + e^(−ca). It
    grows with s, which is convex in a and the same for a and m − a: largest at a = 0 and a = m. There the next value is
    as likely as the quantile itself, however large ε is; in the middle of a value with many rows it never is the
    answer. A rank that is wrong by r rows is at most ⌊r/m⌋ + 1 values away, and by none for certain only where there is
    one value.
    """
    upto = np.append(0, np.cumsum(statistic["counts"]))
    rows, values = int(upto[-1]), len(upto) - 1
    ends = upto.copy()
    for share in shares if values > 1 else ():
        wanted = share.numerator * rows // share.denominator
        ends[1 + int(np.argmin(np.abs(upto[1:-1] - wanted)))] = wanted
    counts = np.diff(ends)
    return {"points": statistic["points"][counts > 0], "counts": counts[counts > 0]}


class _Runs:
    """Runs of points with the same loss, rising: gaps and points that occur take turns, runs without a point left out.

    The loss falls towards the quantile and rises behind it, so those of at most some loss are found by bisection.

    Parameters
    ----------
    statistic
        The points that occur and how many rows each has.
    share, steps
        τ, and the last point of the grid.
    """

    def __init__(self, statistic: StatisticValues, share: Fraction, steps: int) -> None:
        self._points, self._steps = statistic["points"], steps
        self._upto = np.zeros(len(self._points) + 1, dtype=np.int64)
        np.cumsum(statistic["counts"], out=self._upto[1:])
        self._top, self._bottom = share.numerator, share.denominator
        self._wanted = self._top * int(self._upto[-1])
        # The run 2g is the gap before point g, the run 2g + 1 that point.
        gaps = np.diff(self._points, prepend=-1, append=steps + 1)
        self._empty = 2 * np.flatnonzero(gaps == 1)
        self.candidates = steps + 1
        middle = 2 * int(np.searchsorted(self._upto, -(-self._wanted // self._bottom)))
        self.least = int(self._runs(middle - 3, middle + 3)[3].min())

    def __len__(self) -> int:
        return 2 * len(self._points) + 1 - len(self._empty)

    def near(self, furthest: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        least = -(-(self._wanted - furthest) // self._bottom)
        most = (self._wanted + furthest) // self._bottom
        rows = int(self._upto[-1])
        first = int(np.searchsorted(self._upto, min(max(least, 0), rows + 1)))
        last = int(np.searchsorted(self._upto, min(max(most, -1), rows), side="right")) - 1
        number, _, widths, losses = self._runs(2 * first - 1, 2 * last + 1)
        return number - np.searchsorted(self._empty, number), widths, losses

    def run(self, position: int) -> tuple[int, int]:
        """Where the run at a position starts, and how many points it has."""
        number = position + int(np.searchsorted(self._empty - np.arange(len(self._empty)), position, side="right"))
        _, starts, widths, _ = self._runs(number, number)
        return int(starts[0]), int(widths[0])

    def all(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Of every run where it starts, how many points it has, and its loss."""
        _, starts, widths, losses = self._runs(0, 2 * len(self._points))
        return starts, widths, losses

    def _runs(self, first: int, last: int) -> tuple[NDArray[np.int64], ...]:
        """Number, start, width and loss of the runs with these numbers, those without a point left out."""
        number = np.arange(max(first, 0), min(last, 2 * len(self._points)) + 1)
        gap = number >> 1
        ends = np.append(self._points[gap[0] : gap[-1] + 1], self._steps + 1)[gap - gap[0]]
        before = np.append(self._points[max(gap[0] - 1, 0) : gap[-1]], 0)
        starts = np.where(gap > 0, before[gap - max(gap[0], 1)] + 1, 0)
        point = (number & 1).astype(np.bool_)
        starts[point] = ends[point]
        widths = np.where(point, 1, ends - starts)
        below, not_above = self._upto[gap], self._upto[(number + 1) >> 1]
        losses = np.maximum(0, np.maximum(self._bottom * below - self._wanted, self._wanted - self._bottom * not_above))
        kept = widths > 0
        return number[kept], starts[kept], widths[kept], losses[kept]
