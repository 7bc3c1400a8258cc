"""Counts of groups that nobody declared: which values appear is part of what is released, at the cost of a δ.

Every group gives up a random number of rows, and one that has none left does not appear. With the optimal law of that
number no (ε, δ)-DP answer that invents nothing shows a value, or more rows of it, more often.

Source: D. Desfontaines, J. Voss, B. Gipson, C. Mandayam: Differentially private partition selection, PoPETs 2022(1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.canonical import canonical_labels
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, rounded_up, shown
from workbench.core.progress import SILENT, Progress
from workbench.core.promised_ranges import MAX_EPSILON
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.query import noise
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.draws import Draws
from workbench.query.exact_sums import whole
from workbench.query.mechanism import ErrorLaw, Expected, Floats, Frame, NoisyPart, QueryMechanism, StatisticValues
from workbench.query.readings import present_values
from workbench.query.rows import Places, Rows

_DIGITS = 15
_ASSUMED_GROUPS = 10
PART = "trimmed"
"""The name of the counts that are trimmed."""


@dataclass(frozen=True)
class UndeclaredValues:
    """The values of a column, whichever they are. What a row counts as follows from its own value alone.

    Parameters
    ----------
    spec
        The column, as it was declared.
    """

    spec: ColumnSpec

    @property
    def public(self) -> dict[str, Any]:
        return {"column": self.spec.name, "undeclared": True}

    @property
    def in_words(self) -> str:
        return "whichever are frequent"

    def place(self, values: Sequence[str]) -> tuple[tuple[str, ...], Places]:
        """The groups that these values make, in their natural order, and the group of each; -1 for those in none.

        Numbers and dates that are equal are one group, however they are written.
        """
        present = present_values(values, self.spec)
        if self.spec.kind.numeric or self.spec.kind.temporal:
            numbers = read_values(values, self.spec)
            present &= np.isfinite(numbers)
            texts = [
                shown(number, self.spec, _DIGITS, grouped=False) if there else ""
                for number, there in zip(numbers.tolist(), present.tolist(), strict=True)
            ]
        else:
            texts = list(values)
        labels, places = canonical_labels(texts, present.astype(np.int64))
        return labels, np.where(present, places.astype(np.int64), -1)


class UndeclaredGroups(QueryMechanism):
    """The number of rows of each value that occurs often enough.

    A group of n rows shows max(0, n − Z) of them. One row more or less in any group, a new one too, costs (ε, δ); c
    rows of a person are covered by group privacy, see `core.trim_law`.
    """

    form = AnswerForm.LIST
    unit = "rows"
    undeclared = True

    def __init__(self, spec: ColumnSpec, epsilon: Fraction, delta: Fraction, rows_per_person: int) -> None:
        self.epsilon, self.delta = epsilon, delta
        self.law: TrimLaw = trim_law(min(epsilon, Fraction(MAX_EPSILON)), delta, rows_per_person)
        self.labels = ((),)
        self._values = UndeclaredValues(spec)
        self._part = NoisyPart(PART, rows_per_person, epsilon)
        half, sure = self.law.half_survive, self.law.always_survive
        self.edges = (
            f"A value that {half:,} rows have appears at least half of the time, one of {sure:,} rows always; one that "
            f"a single person has, with a chance of at most δ = {rounded_up(delta)}.",
        )

    @property
    def frames(self) -> tuple[Frame, ...]:
        return (self._values,)

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return (self._part,)

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        name = self._values.spec.name
        labels, places = self._values.place(rows.values(name))
        counts = rows.per_cell([(name, places)], [max(len(labels), 1)], progress)
        there = np.flatnonzero(counts)
        return {PART: whole(counts[there].tolist()), "labels": np.array([labels[i] for i in there], dtype=np.object_)}

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        lost = draws.trimmed(self.law, len(statistic[PART]))
        left = [int(count) - int(gone) for count, gone in zip(statistic[PART], lost, strict=True)]
        kept = [(str(label), rows) for label, rows in zip(statistic["labels"], left, strict=True) if rows > 0]
        counts = [rows for _, rows in kept]
        mean = estimate(self.law.mean_lost)
        notes = (
            f"Every value gave up some of its rows, {mean} on average; values without any left do not appear."
            if kept
            else "No value has enough rows to appear.",
        )
        return ReleasedAnswer(
            self.form,
            counts,
            (counts, [rows + self.reach for rows in counts]),
            (tuple(label for label, _ in kept),),
            {PART: tuple(counts)},
            unit=self.unit,
            notes=notes,
        )

    @property
    def reach(self) -> int:
        """A value gives up more rows than these with a chance of at most 5 %, and no oftener where it appears."""
        inside = 1 - Fraction(noise.OUTSIDE).limit_denominator(100)
        return next(rows for rows, below in enumerate(self.law.cumulative) if below >= inside * self.law.total)

    def assumed(self, rows: int) -> StatisticValues:
        # Groups that always appear; of smaller ones no more is lost than they have.
        counts = [max(rows // _ASSUMED_GROUPS, self.law.always_survive)] * _ASSUMED_GROUPS
        return {PART: whole(counts), "labels": np.array([str(n) for n in range(_ASSUMED_GROUPS)], dtype=np.object_)}

    def named(self, statistic: StatisticValues) -> tuple[tuple[str, ...], ...]:
        return (tuple(map(str, statistic["labels"])),)

    def truth(self, statistic: StatisticValues) -> Floats:
        return statistic[PART].astype(np.float64)

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        counts = self.truth(statistic)
        below = np.array([float(Fraction(sums, self.law.total)) for sums in self.law.cumulative[:-1]])
        lost: NDArray[np.intp] = np.searchsorted(below, generator.random((count, len(counts))), side="right")
        return np.maximum(counts - lost, 0.0)

    def error_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        chances = np.array([float(Fraction(weight, self.law.total)) for weight in self.law.weights])
        return ErrorLaw(-np.arange(len(chances), dtype=np.float64), chances)

    def expected(self, statistic: StatisticValues) -> Expected:
        return Expected(self.law.mean_lost, float(self.reach))


def delta_of(text: str, read: Fraction) -> Fraction:
    """δ, if an answer can have it.

    Raises
    ------
    WorkbenchError
        If it is not above 0, or so large that it promises nothing.
    """
    if not 0 < read <= Fraction(1, 10):
        raise WorkbenchError(
            f"δ must be above 0 and at most 0.1, not {text}.",
            hint="Choose at most 1 divided by a hundred times the number of people, such as 1e-6 for 10,000.",
            field="delta",
        )
    return read
