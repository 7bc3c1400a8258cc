"""Quantiles on a public grid, by the exponential mechanism."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import file_text, shown
from workbench.core.progress import SILENT, Progress
from workbench.query.answer import AnswerForm, ReleasedAnswer, plain_number
from workbench.query.draws import Draws
from workbench.query.grid import Grid
from workbench.query.mechanism import Floats, Frame, NoisyPart, QueryMechanism, StatisticValues
from workbench.query.noise import OUTSIDE
from workbench.query.placed_values import steps_of
from workbench.query.rows import Rows

_SPREAD = 10_000


class Quantiles(QueryMechanism):
    """Points of the grid of which a share τ of the values is below and 1 − τ above.

    The loss of a point x is by how many rows it misses that: with b values below, e equal and a above of n,
    max(0, (1−τ)b − τ(e+a), τa − (1−τ)(b+e)). One row changes it by at most max(τ, 1−τ), upwards or downwards, so
    weights exp(−ε·loss/(2·max(τ, 1−τ)·c)) cost ε for a person with c rows. Losses are whole numbers after
    multiplication by the denominator of τ. Several quantiles share ε equally; sorting them afterwards costs nothing.

    Source: Smith 2011 (private quantiles by the exponential mechanism of McSherry and Talwar 2007).
    """

    assumes = "that are spread evenly between the bounds"

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
            starts, widths, losses = _groups(statistic, share, self.grid.steps)
            group = draws.choice(widths, losses, self.rate(part))
            found.append(int(starts[group]) + draws.below(int(widths[group])))
        values = [plain_number(float(self.grid.lower + step * self.grid.resolution)) for step in sorted(found)]
        return ReleasedAnswer(
            self.form,
            values[0] if self.form is AnswerForm.NUMBER else values,
            labels=self.labels,
            noisy={"steps": tuple(sorted(found))},
            shown=shown(float(values[0]), self.grid.spec) if self.form is AnswerForm.NUMBER else "",
            unit=self.unit,
            notes=(f"With a chance of 95 % the answer is off by at most {self.rank_reach():,} rows in rank.",),
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

    def assumed(self, rows: int) -> StatisticValues:
        return spread_evenly(self.grid, rows)

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
            starts, widths, losses = _groups(statistic, share, self.grid.steps)
            weights = widths * np.exp(-float(self.rate(part)) * (losses - losses.min()))
            groups = generator.choice(len(weights), count, p=weights / weights.sum())
            found[:, column] = starts[groups] + np.floor(generator.random(count) * widths[groups])
        return self._values(np.sort(found, axis=1))

    def _values(self, steps: Floats) -> Floats:
        found: Floats = float(self.grid.lower) + steps * float(self.grid.resolution)
        return found


def points_of(grid: Grid, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
    """The points of a grid that occur, rising, and how many rows count as each. Analyst only."""
    name = grid.spec.name
    progress(0.0, "Reading values")
    places = steps_of(rows.table[name], grid)
    progress(0.6, "Sorting")
    (places,), counts = rows.combinations([(name, places)], progress.part(0.6, 1.0))
    used = (places >= 0) & (counts > 0)
    return _merged(places[used], counts[used])


def _merged(places: NDArray[np.int64], counts: NDArray[np.int64]) -> StatisticValues:
    """The different places, rising, and the sum of the counts of each."""
    order = np.argsort(places)
    places, counts = places[order], counts[order]
    starts = np.flatnonzero(np.diff(places, prepend=-1))
    return {"points": places[starts], "counts": np.add.reduceat(counts, starts) if len(starts) else counts}


def spread_evenly(grid: Grid, rows: int) -> StatisticValues:
    """So many rows with values spread evenly over the range, for plans."""
    apart = max(min(rows, _SPREAD), 1)
    points = ((2 * np.arange(apart, dtype=object) + 1) * grid.steps // (2 * apart)).astype(np.int64)
    points, counts = np.unique(points, return_counts=True)
    return {"points": points, "counts": counts.astype(np.int64) * max(rows // apart, 1)}


def _groups(
    statistic: StatisticValues, share: Fraction, steps: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Runs of points with the same loss: where each starts, how many points it has, and the loss."""
    points, counts = statistic["points"], statistic["counts"]
    upto = np.r_[0, np.cumsum(counts)]
    rows = int(upto[-1])
    # Gaps and occupied points take turns: [0, p₀), p₀, (p₀, p₁), p₁, …, (p_last, steps].
    starts = np.empty(2 * len(points) + 1, dtype=np.int64)
    starts[0::2], starts[1::2] = np.r_[0, points + 1], points
    widths = np.ones(len(starts), dtype=np.int64)
    widths[0::2] = np.r_[points, steps + 1] - starts[0::2]
    below, not_above = np.empty(len(starts), dtype=np.int64), np.empty(len(starts), dtype=np.int64)
    below[0::2], below[1::2] = upto, upto[:-1]
    not_above[0::2], not_above[1::2] = upto, upto[1:]
    top, bottom = share.numerator, share.denominator
    losses = np.maximum(
        0,
        np.maximum(
            (bottom - top) * below - top * (rows - below), top * (rows - not_above) - (bottom - top) * not_above
        ),
    )
    kept = widths > 0
    return starts[kept], widths[kept], losses[kept]
