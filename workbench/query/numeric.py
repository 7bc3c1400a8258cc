"""Sums of a column's values on a public grid, of all rows or of each of several groups.

A value counts as the nearest point of the grid, p = 0 … s, so what a row contributes is a whole number between public
limits.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction

from workbench.core.number_text import shown
from workbench.core.progress import SILENT, Progress
from workbench.query import noise
from workbench.query.answer import AnswerForm
from workbench.query.exact_sums import Whole, whole
from workbench.query.grid import Grid
from workbench.query.mechanism import FAR, Additive, ErrorLaw, Expected, Floats, Frame, NoisyPart, StatisticValues
from workbench.query.partition import Partition
from workbench.query.placed_values import steps_of
from workbench.query.rows import Rows


class Numeric(Additive):
    """A question about the values of one column, of all rows or of each group."""

    def __init__(self, grid: Grid, by: Partition | None, epsilon: Fraction, rows_per_person: int) -> None:
        self.grid, self.by, self.epsilon, self.rows_per_person = grid, by, epsilon, rows_per_person
        self.size = 1 if by is None else len(by)
        self.unit = grid.spec.unit or grid.spec.format.symbol
        if by is not None:
            self.form, self.labels, self.positions = AnswerForm.LIST, (by.labels,), by.positions

    @property
    def frames(self) -> tuple[Frame, ...]:
        return (self.grid,) if self.by is None else (self.grid, self.by)

    @abstractmethod
    def contributions(self, steps: Whole) -> tuple[Whole, ...]:
        """The amounts that a row at each point adds to every sum of the one part: a polynomial of degree 2 at most.

        Points and what they add are Python's whole numbers.
        """

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        name = self.grid.spec.name
        progress(0.0, "Reading values")
        steps = steps_of(rows.table[name], self.grid)
        progress(0.6, "Adding up")
        by = None if self.by is None else (self.by.spec.name, self.by.place(rows.values(self.by.spec.name)))
        factors = [_factors(*one.tolist()) for one in self.contributions(whole(range(3)))]
        degree = 2 if any(square for _, _, square in factors) else 1
        powers = rows.power_sums((name, steps), degree, by, self.size, progress.part(0.6, 1.0))
        (part,) = self.parts
        return {
            part.name: whole(
                [
                    sum(factor * power[cell] for factor, power in zip(one, powers, strict=False))
                    for one in factors
                    for cell in range(self.size)
                ]
            )
        }

    def shown(self, value: float) -> str:
        return shown(value, self.grid.spec, 6)


def _factors(at_0: int, at_1: int, at_2: int) -> tuple[int, int, int]:
    """The factors of 1, p and p² in a polynomial of degree 2 at most, from its values at 0, 1 and 2."""
    square = (at_2 - 2 * at_1 + at_0) // 2
    return at_0, at_1 - at_0 - square, square


class Sums(Numeric):
    """Σ x. Every point is a whole multiple of the grid's unit u, so x/u is summed; Δ = max(|L|, |U|)/u."""

    def __init__(self, grid: Grid, by: Partition | None, epsilon: Fraction, rows_per_person: int) -> None:
        super().__init__(grid, by, epsilon, rows_per_person)
        largest = max(abs(grid.lower), abs(grid.upper)) / grid.unit
        self._part = NoisyPart("sum", int(largest) * rows_per_person, epsilon)

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return (self._part,)

    def contributions(self, steps: Whole) -> tuple[Whole, ...]:
        start, step = int(self.grid.lower / self.grid.unit), int(self.grid.resolution / self.grid.unit)
        return (start + steps * step,)

    def finish(self, noisy: Mapping[str, Floats]) -> Floats:
        # A quotient of whole numbers is the nearest float, which a product with 0.01 need not be.
        unit = self.grid.unit
        return noisy["sum"] * float(unit.numerator) / float(unit.denominator)

    def between(self, noisy: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        reach = self.reach(self._part)
        return self.finish({"sum": noisy["sum"] - reach}), self.finish({"sum": noisy["sum"] + reach})

    def assumed(self, rows: int) -> StatisticValues:
        return {"sum": whole([int(rows // self.size * self.grid.middle / self.grid.unit)] * self.size)}

    def expected(self, statistic: StatisticValues) -> Expected:
        unit = float(self.grid.unit)
        together = self.reach_of_all(self._part, self.size)
        return Expected(
            noise.mean_absolute(self._part.rate) * unit,
            self.reach(self._part) * unit,
            together=None if together is None else together * unit,
        )

    def error_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        return ErrorLaw(*noise.law(self._part.rate, FAR * self.reach(self._part) + 1), step=float(self.grid.unit))

    def shown(self, value: float) -> str:
        return shown(value, None, 12)  # a sum of dates is no date
