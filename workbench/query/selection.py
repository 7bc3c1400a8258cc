"""Questions that name one of several public candidates: the most common value, the first count above a threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.filtering import Filter
from workbench.core.private_draw import Draw, selection_probabilities
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Schema
from workbench.query import noise
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.draws import Draws
from workbench.query.exact_sums import whole
from workbench.query.mechanism import (
    FAR,
    MOST_POINTS,
    ErrorLaw,
    Expected,
    Floats,
    Frame,
    LabelChoice,
    NoisyPart,
    StatisticValues,
)
from workbench.query.partition import Partition
from workbench.query.rows import Rows


class MostCommon(LabelChoice):
    """The cell with the most rows, drawn with probabilities that favour large cells.

    One person more can only raise counts, by at most c, and one less only lower them; so no factor 2 is needed.
    """

    unit = "rows"

    def __init__(self, cells: Partition, epsilon: Fraction, rows_per_person: int, draw: Draw) -> None:
        self.cells, self.epsilon, self.draw = cells, epsilon, draw
        self._part = NoisyPart("choice", rows_per_person, epsilon)
        self.labels = (cells.labels,)

    @property
    def frames(self) -> tuple[Frame, ...]:
        return (self.cells,)

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return (self._part,)

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        progress(0.0, "Counting")
        name = self.cells.spec.name
        return {
            "count": whole(rows.per_cell([(name, self.cells.place(rows.values(name)))], [len(self.cells)], progress))
        }

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        chosen = draws.position([int(count) for count in statistic["count"]], self._part.rate, self.draw)
        return self._named(chosen)

    def _named(self, chosen: int) -> ReleasedAnswer:
        label = self.cells.labels[chosen]
        margin = self.margin()
        return ReleasedAnswer(
            self.form,
            label,
            labels=self.labels,
            shown=label,
            notes=(f"With a chance of 95 % no other value has {margin:,} rows more than this one.",),
        )

    def margin(self) -> int:
        """A candidate with so many rows less than the best is named with a chance of at most 5 %, all taken together.

        exp(−rate·m) per candidate, for the exponential mechanism and for permute-and-flip, which is never worse.
        """
        others = max(len(self.cells) - 1, 1)
        return max(math.ceil(math.log(others / noise.OUTSIDE) / float(self._part.rate)), 1)

    def assumed(self, rows: int) -> StatisticValues:
        # One candidate is ahead of the others by the margin that makes it almost certain.
        counts = [max(rows // len(self.cells), self.margin())] + [0] * (len(self.cells) - 1)
        return {"count": whole(counts)}

    def expected(self, statistic: StatisticValues) -> Expected:
        return Expected(None, float(self.margin()))

    def scores(self, statistic: StatisticValues) -> Floats:
        return statistic["count"].astype(np.float64)

    def chances(self, statistic: StatisticValues) -> Floats | None:
        """How likely each candidate is to be named, shape (candidates,); None of too many. Analyst only."""
        found = selection_probabilities([int(one) for one in statistic["count"]], self._part.rate, self.draw)
        return np.asarray(found / found.sum())

    def drawn_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        chances, scores = self.chances(statistic), self.scores(statistic)
        return None if chances is None else ErrorLaw(scores.max() - scores, chances)

    def picked(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        shares = selection_probabilities([int(one) for one in statistic["count"]], self._part.rate, self.draw)
        return generator.choice(len(shares), count, p=shares / shares.sum()).astype(np.int64)


class NoisyMax(MostCommon):
    """The cell whose count is largest after noise; of equal ones the first. Only its name is released.

    Given the noise of the others, a cell is named if its own noise reaches a threshold. One person more moves that
    threshold by at most c, because all counts move the same way, so geometric noise with rate ε/c costs ε.
    """

    def __init__(self, cells: Partition, epsilon: Fraction, rows_per_person: int) -> None:
        super().__init__(cells, epsilon, rows_per_person, Draw.EXPONENTIAL)

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        noisy = [int(count) + draws.two_sided(self._part.rate) for count in statistic["count"]]
        return self._named(noisy.index(max(noisy)))

    def margin(self) -> int:
        # Unless one of the noises is beyond half the margin, nobody overtakes.
        return 2 * noise.half_width(self._part.rate, noise.OUTSIDE / len(self.cells)) + 1

    def chances(self, statistic: StatisticValues) -> Floats | None:
        """As of `MostCommon`: that its noisy count is t, those before it are below t, and those behind not above.

        Summed over every t that is likely to be the largest noisy count.
        """
        counts, rate = self.scores(statistic), self._part.rate
        reach = FAR * noise.half_width(rate, noise.OUTSIDE / len(counts)) + 1
        if (2 * reach + 1) * len(counts) > MOST_POINTS:
            return None
        noises = counts.max() + np.arange(-reach, reach + 1) - counts[:, np.newaxis]
        above = noise.at_most(rate, noises)
        below, not_above = np.log(noise.at_most(rate, noises - 1)), np.log(above)
        before = np.cumsum(below, axis=0) - below
        behind = np.cumsum(not_above[::-1], axis=0)[::-1] - not_above
        found: Floats = (np.exp(before + behind) * (above - np.exp(below))).sum(axis=1)
        return np.asarray(found / found.sum())

    def picked(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        counts = self.scores(statistic)
        noisy = counts + noise.simulated(self._part.rate, (count, len(counts)), generator)
        found: NDArray[np.int64] = noisy.argmax(axis=1).astype(np.int64)
        return found


class AboveThresholdQuery(LabelChoice):
    """The first of several counts that lies above a threshold, or none: all of them cost what one does.

    The threshold gets noise once and every count its own, both untruncated, and they are compared by >. With noise of
    rates ε₁/c and ε₂/c an answer costs ε₁ + ε₂: one person more raises every count by 0 … c, so shifting the noise
    of the threshold by c makes every refusal at least as likely again, and the last count needs its noise shifted by
    at most c. (If counts could move in different directions, the second part would have to be doubled.)

    Sources: Dwork and Roth 2014, section 3.6; Lyu, Su and Li 2017 (monotone queries).
    """

    unit = "rows"

    def __init__(
        self,
        labels: Sequence[str],
        threshold: int,
        epsilon: Fraction,
        rows_per_person: int,
        *,
        cells: Partition | None = None,
        filters: tuple[Filter, ...] = (),
        schema: Schema | None = None,
    ) -> None:
        self.labels, self.threshold, self.epsilon = (tuple(labels),), threshold, epsilon
        self._cells, self.filters, self._schema = cells, filters, schema
        self._parts = tuple(NoisyPart(name, rows_per_person, epsilon / 2) for name in ("threshold", "counts"))

    @property
    def frames(self) -> tuple[Frame, ...]:
        return () if self._cells is None else (self._cells,)

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return self._parts

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        if self._cells is not None:
            name = self._cells.spec.name
            axis = (name, self._cells.place(rows.values(name)))
            return {"count": whole(rows.per_cell([axis], [len(self._cells)], progress))}
        assert self._schema is not None
        return {"count": whole(rows.matching(self.filters, self._schema, progress))}

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        base, own = (part.rate for part in self._parts)
        line = self.threshold + draws.two_sided(base)
        counts = (int(count) + draws.two_sided(own) for count in statistic["count"])
        found = next((place for place, count in enumerate(counts) if count > line), None)
        label = None if found is None else self.labels[0][found]
        return ReleasedAnswer(
            AnswerForm.CHOICE,
            label,
            labels=self.labels,
            shown="none of them" if label is None else label,
            notes=(
                f"With a chance of 95 %, every count before the named one is below {self.threshold + self.margin():,} "
                f"and the named one above {self.threshold - self.margin():,}.",
            ),
        )

    def margin(self) -> int:
        """So far from the threshold, all comparisons are right with 95 %."""
        base, own = (part.rate for part in self._parts)
        count = len(self.labels[0])
        return noise.half_width(base, noise.OUTSIDE / (count + 1)) + noise.half_width(own, noise.OUTSIDE / (count + 1))

    def assumed(self, rows: int) -> StatisticValues:
        return {"count": whole([rows // len(self.labels[0])] * len(self.labels[0]))}

    def expected(self, statistic: StatisticValues) -> Expected:
        return Expected(None, float(self.margin()))

    def scores(self, statistic: StatisticValues) -> Floats:
        return statistic["count"].astype(np.float64)

    def picked(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        """The position that is named, the number of counts for "none"."""
        base, own = (part.rate for part in self._parts)
        counts = self.scores(statistic)
        lines = self.threshold + noise.simulated(base, (count, 1), generator)
        above = counts + noise.simulated(own, (count, len(counts)), generator) > lines
        return np.where(above.any(axis=1), above.argmax(axis=1), len(counts)).astype(np.int64)

    def drawn_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        """Over every likely noise of the threshold: that no count before is above it, and this one is."""
        (base, own), counts = (part.rate for part in self._parts), self.scores(statistic)
        lines, chances = noise.law(base, FAR * noise.half_width(base) + 1)
        if len(lines) * len(counts) > MOST_POINTS:
            return None
        refused = noise.at_most(own, self.threshold + lines[:, np.newaxis] - counts)
        passed = np.cumprod(np.column_stack([np.ones(len(lines)), refused]), axis=1)
        named = chances @ (passed * np.column_stack([1 - refused, np.ones(len(lines))]))
        return ErrorLaw(self._wrong(statistic), named / named.sum())

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        """By how many rows the worst comparison was wrong, shape (count, 1)."""
        return self._wrong(statistic)[self.picked(statistic, count, generator)][:, np.newaxis]

    def _wrong(self, statistic: StatisticValues) -> Floats:
        """The same of each position that may be named, and of none, shape (counts + 1,)."""
        distance = self.scores(statistic) - self.threshold
        passed_over = np.r_[0.0, np.maximum.accumulate(np.maximum(distance, 0.0))]
        named_wrongly = np.r_[np.maximum(-distance, 0.0), 0.0]
        worst: Floats = np.maximum(passed_over, named_wrongly)
        return worst
