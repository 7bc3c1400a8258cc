"""Counting rows: all of them, in the cells of a histogram, or in pairs of cells."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from fractions import Fraction
from itertools import product

import numpy as np

from workbench.core.progress import SILENT, Progress
from workbench.core.simplex import onto_simplex
from workbench.query import noise
from workbench.query.answer import AnswerForm
from workbench.query.exact_sums import whole
from workbench.query.mechanism import (
    FAR,
    MOST_POINTS,
    Additive,
    ErrorLaw,
    Expected,
    Floats,
    Frame,
    NoisyPart,
    StatisticValues,
)
from workbench.query.partition import Partition
from workbench.query.rows import Rows


class DisjointCounts(Additive):
    """Rows in disjoint cells. A person with c rows changes all cells together by at most c, so ε is spent once."""

    unit = "rows"

    def __init__(
        self, axes: tuple[Partition, ...], epsilon: Fraction, rows_per_person: int, post: str = "none"
    ) -> None:
        self.axes, self.epsilon, self.post = axes, epsilon, post
        self._part = NoisyPart("count", rows_per_person, epsilon)
        self.labels = tuple(axis.labels for axis in axes)
        self.form = (AnswerForm.NUMBER, AnswerForm.LIST, AnswerForm.TABLE)[len(axes)]
        self.positions = axes[0].positions if len(axes) == 1 else None
        self.size = int(np.prod([len(axis) for axis in axes], dtype=np.int64))

    @property
    def frames(self) -> tuple[Frame, ...]:
        return self.axes

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return (self._part,)

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        if not self.axes:
            return {"count": whole([len(rows)])}
        axes = [(axis.spec.name, axis.place(rows.values(axis.spec.name))) for axis in self.axes]
        return {"count": whole(rows.per_cell(axes, [len(axis) for axis in self.axes], progress))}

    def finish(self, noisy: Mapping[str, Floats]) -> Floats:
        counts = noisy["count"]
        if self.post == "non-negative":
            return np.maximum(counts, 0.0)
        if self.post == "consistent":
            return onto_simplex(counts, np.maximum(counts.sum(axis=-1, keepdims=True), 0.0))
        return counts

    def between(self, noisy: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        reach = self.reach(self._part)
        # That no count is negative is known beforehand.
        return np.maximum(noisy["count"] - reach, 0.0), np.maximum(noisy["count"] + reach, 0.0)

    def notes(self, noisy: Mapping[str, Floats], between: tuple[Floats, Floats]) -> tuple[str, ...]:
        return tuple(filter(None, (self._adjusted(noisy["count"]), self._contradicted(noisy["count"]))))

    def _adjusted(self, counts: Floats) -> str:
        if self.post == "none" or not self.axes or not np.any(counts < 0):
            return ""  # nothing was done to them
        what = "replaced by 0" if self.post == "non-negative" else "adjusted so that all counts agree with their total"
        return f"Counts below 0 were {what}; the intervals are those of the noisy counts."

    def _contradicted(self, counts: Floats) -> str:
        """That an interval holds 0 alone because its noise was extreme, which would look like certainty."""
        below = int(np.sum(counts < -self.reach(self._part)))
        if not below:
            return ""
        which = "one count" if below == 1 else f"each of {below:,} counts"
        return (
            f"Noise took {which} further below 0 than it does in 95 % of answers: “0 to 0” means few rows there, and "
            "not surely none."
        )

    def assumed(self, rows: int) -> StatisticValues:
        return {"count": whole([rows // self.size] * self.size)}

    def expected(self, statistic: StatisticValues) -> Expected:
        closed = self.post != "consistent"
        if closed:
            counts = np.zeros(1) if self.post == "none" else statistic["count"].astype(np.float64)
            error: float | None = noise.mean_absolute(self._part.rate)
            if self.post == "non-negative":
                error = float(noise.mean_absolute_above(self._part.rate, counts).mean())
        else:
            error = self._error_when_adjusted(statistic)
        # Counts made to agree may all be further off than their noise, by what those below 0 take from them.
        together = self.reach_of_all(self._part, self.size) if closed else None
        before = "" if closed else "adjustment"
        return Expected(error, float(self.reach(self._part)), closed=closed, together=together, before=before)

    def error_by_formula(self, statistic: StatisticValues) -> float | None:
        # Of adjusted counts there is a formula for a part of the error only; the rest is simulated.
        return None if self.post == "consistent" else super().error_by_formula(statistic)

    def _error_when_adjusted(self, statistic: StatisticValues) -> float | None:
        """The error by formula, less what adjusting simulated counts takes off: nothing where none is below 0."""
        plain = copy(self)
        plain.post = "none"
        made, raw = (super(DisjointCounts, one).expected(statistic).error for one in (self, plain))
        return None if made is None or raw is None else noise.mean_absolute(self._part.rate) + made - raw

    def error_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        if self.post != "none":
            return None
        return ErrorLaw(*noise.law(self._part.rate, FAR * self.reach(self._part) + 1))

    def drawn_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        """Of counts that are not published below 0, the noise of each cut there; adjusted ones have no formula."""
        if self.post == "consistent":
            return None
        points, chances = noise.law(self._part.rate, FAR * self.reach(self._part) + 1)
        counts, times = np.unique(statistic["count"].astype(np.float64), return_counts=True)
        if len(counts) * len(points) > MOST_POINTS:
            return None
        errors = [self.finish({"count": count + points}) - count for count in counts]
        return ErrorLaw(np.concatenate(errors), np.outer(times / times.sum(), chances).ravel())

    @property
    def pairs(self) -> tuple[tuple[str, ...], ...]:
        """The labels of every cell, in the order of the counts."""
        return tuple(product(*self.labels))
