"""Sums, averages and variances on a public grid, of all rows or of each of several groups.

A value counts as the nearest point of the grid, p = 0 … s, so what a row contributes is a whole number between public
limits. Averages are taken from the middle of the range, y = 2p − s in half steps, which halves the sensitivity.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from workbench.core.progress import SILENT, Progress
from workbench.query import noise
from workbench.query.answer import Form
from workbench.query.grid import Grid
from workbench.query.mechanism import Additive, Expected, Floats, Frame, Part, Statistic
from workbench.query.partition import Partition
from workbench.query.readings import Readings, shown
from workbench.query.rows import Rows, Whole, whole

SUM_SHARE = Fraction(3, 4)
"""The share of ε the sum of an average gets; its noise weighs more than that of the count (measured)."""
_VARIANCE_SHARES = (Fraction(1, 4), Fraction(3, 8), Fraction(3, 8))
_FEW = 10
"""An average over fewer rows than so many times the reach of the count's noise has no formula for its error."""


class Numeric(Additive):
    """A question about the values of one column, of all rows or of each group."""

    def __init__(self, grid: Grid, by: Partition | None, epsilon: Fraction, rows_per_person: int) -> None:
        self.grid, self.by, self.epsilon, self.rows_per_person = grid, by, epsilon, rows_per_person
        self.size = 1 if by is None else len(by)
        self.unit = grid.spec.unit or grid.spec.format.symbol
        if by is not None:
            self.form, self.labels, self.positions = Form.LIST, (by.labels,), by.positions

    @property
    def frames(self) -> tuple[Frame, ...]:
        return (self.grid,) if self.by is None else (self.grid, self.by)

    @abstractmethod
    def contributions(self, steps: Whole) -> dict[str, Whole]:
        """What a row at each of these points adds to every part, as Python's whole numbers."""

    def measure(self, rows: Rows, progress: Progress = SILENT) -> Statistic:
        name = self.grid.spec.name
        progress(0.0, "Reading values")
        places = self.grid.place(Readings.of(rows.values(name), self.grid.spec))
        progress(0.6, "Adding up")
        inside = places >= 0
        points, places[inside] = np.unique(places[inside], return_inverse=True)
        contributions = self.contributions(whole(points))
        by = None if self.by is None else (self.by.spec.name, self.by.place(rows.values(self.by.spec.name)))
        found = rows.sums((name, places), list(contributions.values()), by, self.size, progress.part(0.6, 1.0))
        return {part: whole(sums) for part, sums in zip(contributions, found, strict=True)}

    def shown(self, value: float) -> str:
        return shown(value, self.grid.spec, 6)


class Sums(Numeric):
    """Σ x. Every point is a whole multiple of the grid's unit u, so x/u is summed; Δ = max(|L|, |U|)/u."""

    def __init__(self, grid: Grid, by: Partition | None, epsilon: Fraction, rows_per_person: int) -> None:
        super().__init__(grid, by, epsilon, rows_per_person)
        largest = max(abs(grid.lower), abs(grid.upper)) / grid.unit
        self._part = Part("sum", int(largest) * rows_per_person, epsilon)

    @property
    def parts(self) -> tuple[Part, ...]:
        return (self._part,)

    def contributions(self, steps: Whole) -> dict[str, Whole]:
        start, step = int(self.grid.lower / self.grid.unit), int(self.grid.resolution / self.grid.unit)
        return {"sum": start + steps * step}

    def finish(self, noisy: Mapping[str, Floats]) -> Floats:
        # A quotient of whole numbers is the nearest float, which a product with 0.01 need not be.
        unit = self.grid.unit
        return noisy["sum"] * float(unit.numerator) / float(unit.denominator)

    def between(self, noisy: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        reach = self.reach(self._part)
        return self.finish({"sum": noisy["sum"] - reach}), self.finish({"sum": noisy["sum"] + reach})

    def assumed(self, rows: int) -> Statistic:
        return {"sum": whole([int(rows // self.size * self.grid.middle / self.grid.unit)] * self.size)}

    def expected(self, statistic: Statistic) -> Expected:
        unit = float(self.grid.unit)
        return Expected(noise.mean_absolute(self._part.rate) * unit, self.reach(self._part) * unit)

    def shown(self, value: float) -> str:
        return shown(value, None, 12)  # a sum of dates is no date


class Averages(Numeric):
    """c + (noisy Σ (x − c)) / max(noisy count, 1), c the middle of the bounds; Δ_sum = (U − L)/2, Δ_count = 1."""

    assumes = "whose mean is half-way between the middle and a bound"

    def __init__(self, grid: Grid, by: Partition | None, epsilon: Fraction, rows_per_person: int) -> None:
        super().__init__(grid, by, epsilon, rows_per_person)
        self._sum = Part("sum", grid.steps * rows_per_person, epsilon * SUM_SHARE)
        self._count = Part("count", rows_per_person, epsilon * (1 - SUM_SHARE))
        self._half = float(grid.resolution / 2)

    @property
    def parts(self) -> tuple[Part, ...]:
        return (self._sum, self._count)

    def contributions(self, steps: Whole) -> dict[str, Whole]:
        return {"sum": 2 * steps - self.grid.steps, "count": steps * 0 + 1}

    def finish(self, noisy: Mapping[str, Floats]) -> Floats:
        middle, lower, upper = float(self.grid.middle), float(self.grid.lower), float(self.grid.upper)
        found: Floats = np.clip(middle + self._half * noisy["sum"] / np.maximum(noisy["count"], 1.0), lower, upper)
        return found

    def between(self, noisy: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        # Both parts are within their reach with 95 % together (Bonferroni); then the quotient lies between these.
        far, near = self.reach(self._sum, 2), self.reach(self._count, 2)
        low, high = _quotient(noisy["sum"], far, noisy["count"], near, -self.grid.steps, self.grid.steps)
        middle = float(self.grid.middle)
        return middle + self._half * low, middle + self._half * high

    def notes(self, noisy: Mapping[str, Floats]) -> tuple[str, ...]:
        return _too_few(noisy["count"], self.reach(self._count, 2), self.form)

    def assumed(self, rows: int) -> Statistic:
        # An average half-way between the middle and a bound, neither the best case nor the worst.
        count = rows // self.size
        return {"sum": whole([count * self.grid.steps // 2] * self.size), "count": whole([count] * self.size)}

    def expected(self, statistic: Statistic) -> Expected:
        far, near = self.reach(self._sum, 2), self.reach(self._count, 2)
        sums, counts = statistic["sum"].astype(np.float64), statistic["count"].astype(np.float64)
        width = self._half * (far + np.abs(sums) / np.maximum(counts, 1.0) * near) / np.maximum(counts - near, 1.0)
        width = np.where(counts - near < 1, float(self.grid.upper - self.grid.lower), width)
        half = float(np.minimum(width, float(self.grid.upper - self.grid.lower)).mean())
        if len(counts) > 1 or counts[0] < max(_FEW * near, 1):
            return Expected(super().expected(statistic).error, half, closed=False)
        shifts, weights = noise.support(self._count.rate)
        divisor = np.maximum(counts[0] + shifts, 1.0)
        error = self._half / divisor * noise.mean_distance(self._sum.rate, sums[0] * (divisor / counts[0] - 1.0))
        return Expected(float(weights @ error), half)


class Spread(Numeric):
    """The variance over rows, Σ(x − mean)²/n, or its root, from two centred sums and the count.

    With y in half steps, Σ y has Δ = s and Σ (2y² − s²) has Δ = s².
    """

    assumes = "that are spread evenly between the bounds"

    def __init__(self, grid: Grid, epsilon: Fraction, rows_per_person: int, *, root: bool) -> None:
        super().__init__(grid, None, epsilon, rows_per_person)
        self.root = root
        steps = grid.steps
        names = (("count", 1), ("sum", steps), ("squares", steps**2))
        self._parts = tuple(
            Part(name, size * rows_per_person, epsilon * share)
            for (name, size), share in zip(names, _VARIANCE_SHARES, strict=True)
        )
        self._half = float(grid.resolution / 2)
        if not root and self.unit:
            self.unit = f"{self.unit}²"

    @property
    def parts(self) -> tuple[Part, ...]:
        return self._parts

    def contributions(self, steps: Whole) -> dict[str, Whole]:
        centred = 2 * steps - self.grid.steps
        return {"count": steps * 0 + 1, "sum": centred, "squares": 2 * centred * centred - self.grid.steps**2}

    def finish(self, noisy: Mapping[str, Floats]) -> Floats:
        count = np.maximum(noisy["count"], 1.0)
        steps = float(self.grid.steps)
        squares = (noisy["squares"] / count + steps**2) / 2
        return self._result(squares - (noisy["sum"] / count) ** 2)

    def _result(self, half_steps: Floats) -> Floats:
        """The variance in half steps, within what is possible, as the answer."""
        possible = np.clip(half_steps, 0.0, float(self.grid.steps) ** 2) * self._half**2
        found: Floats = np.sqrt(possible) if self.root else possible
        return found

    def between(self, noisy: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        count, total, squares = self._parts
        near, steps = self.reach(count, 3), float(self.grid.steps)
        low, high = _quotient(noisy["sum"], self.reach(total, 3), noisy["count"], near, -steps, steps)
        least, most = _quotient(noisy["squares"], self.reach(squares, 3), noisy["count"], near, -(steps**2), steps**2)
        least, most = (least + steps**2) / 2, (most + steps**2) / 2
        smallest = np.where((low <= 0) & (high >= 0), 0.0, np.minimum(low**2, high**2))
        return self._result(least - np.maximum(low**2, high**2)), self._result(most - smallest)

    def notes(self, noisy: Mapping[str, Floats]) -> tuple[str, ...]:
        return _too_few(noisy["count"], self.reach(self._parts[0], 3), self.form)

    def assumed(self, rows: int) -> Statistic:
        # Values spread evenly over the range.
        steps = self.grid.steps
        return {"count": whole([rows]), "sum": whole([0]), "squares": whole([-rows * steps**2 // 3])}

    def shown(self, value: float) -> str:
        return shown(value, None, 6)  # a difference of dates is no date


def _quotient(top: Floats, far: float, bottom: Floats, near: float, least: float, most: float) -> tuple[Floats, Floats]:
    """Between which values (top ± far)/(bottom ± near) lies, within [least, most]; all of it if bottom may be 0."""
    smallest, largest = np.maximum(bottom - near, 1.0), np.maximum(bottom + near, 1.0)
    low, high = top - far, top + far
    low = low / np.where(low < 0, smallest, largest)
    high = high / np.where(high > 0, smallest, largest)
    unknown = bottom - near < 1
    return (
        np.clip(np.where(unknown, least, low), least, most),
        np.clip(np.where(unknown, most, high), least, most),
    )


def _too_few(counts: Floats, near: float, form: Form) -> tuple[str, ...]:
    if not np.any(counts - near < 1):
        return ()
    which = "At least one group may have" if form is Form.LIST else "There may be"
    return (
        f"{which} hardly any matching rows, so the interval is the whole range: with this ε the noise is larger than "
        "what it should hide. Ask about more rows, or spend more.",
    )
