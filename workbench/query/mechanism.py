"""The base of all queries: a true statistic, noise on it, and the expected error.

A mechanism is made from public parameters alone. `measure` computes the statistic from the data; `release` adds exact
noise to it and gives out nothing else. `simulate` adds the same noise many times, quickly and repeatably, for the
analyst; so the data is looked at once, whatever is tried afterwards.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from workbench.core.composition import ADD_REMOVE
from workbench.core.filtering import Filter
from workbench.core.number_text import estimate
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import ColumnSpec
from workbench.query import noise
from workbench.query.answer import AnswerForm, ReleasedAnswer, plain_number
from workbench.query.draws import Draws
from workbench.query.exact_sums import Whole, whole
from workbench.query.rows import Rows

StatisticValues: TypeAlias = Mapping[str, NDArray[Any]]
"""True values, by name. Analyst only."""
Floats: TypeAlias = NDArray[np.float64]

FAR = 3
"""So many times the reach of the noise is drawn: a chance of less than 2 in 10,000 lies beyond."""
MOST_POINTS = 2_000_000
"""Of a law that is drawn: one of more is simulated."""
_TRIALS = 2000
_SEED = 20_240_229
"""Expected errors without a formula are averages over simulations with this seed, so that they do not flicker."""
_FARTHER = 4
"""How many times as many where values may be spread in several ways, as errors then differ by more than chance."""
_MOST_DRAWN = 4_000_000


@dataclass(frozen=True)
class Expected:
    """The expected distance of an answer from the true one. A number that does not apply is None.

    Parameters
    ----------
    error
        Mean absolute error of one value.
    half_width
        With a chance of at least 95 %, a value is off by no more than this.
    closed
        Whether the error follows from a formula rather than from a simulation with a fixed seed.
    together
        With a chance of at least 95 %, all of several values are off by no more than this.
    before
        What comes after the noise and may move the answer beyond the half-width, such as "adjustment"; else "".
    """

    error: float | None
    half_width: float | None
    closed: bool = True
    together: float | None = None
    before: str = ""

    @property
    def often(self) -> str:
        """How often the half-width holds, in words, and before what."""
        return f"95 % before {self.before}" if self.before else "95 %"


@dataclass(frozen=True, eq=False)
class ErrorLaw:
    """The probability of each error of one value, to be drawn.

    Parameters
    ----------
    points
        Errors, shape (points,), in units of `step`.
    chances
        How likely each is, shape (points,).
    step
        All errors are whole multiples of it; 0 where they are any numbers, which `points` then are themselves.
    """

    points: Floats
    chances: Floats
    step: float = 1.0


@dataclass(frozen=True)
class NoisyPart:
    """Whole numbers that get noise together.

    Parameters
    ----------
    name
        Such as "count".
    sensitivity
        By how much one person can change them, all cells taken together, in units of the grid.
    epsilon
        The share of ε that is spent on them.
    """

    name: str
    sensitivity: int
    epsilon: Fraction

    @property
    def rate(self) -> Fraction:
        """Noise z has a probability in proportion to exp(−rate·|z|)."""
        return self.epsilon / self.sensitivity


class Frame(Protocol):
    """Public knowledge of the values of a column."""

    @property
    def spec(self) -> ColumnSpec:
        """The column."""

    @property
    def public(self) -> dict[str, Any]:
        """The public facts that are written down about it beside an answer."""

    @property
    def in_words(self) -> str:
        """The same for a person."""


class QueryMechanism(ABC):
    """A question with every public parameter fixed.

    Attributes
    ----------
    epsilon
        What an answer costs, for a person with as many rows as were accounted for. Never less than the truth.
    delta
        The δ that it costs beside ε.
    neighbours
        Which tables must not be told apart, as in `core.composition`.
    form, labels, unit
        What the answer looks like.
    positions
        Where the cells lie on a line, so that a Kantorovich distance means something; None if they do not.
    assumes
        What `assumed` assumes of the values, to be read after "rows match, with values".
    enclosing, enclosed_from
        The quantiles to ask for in place of one, so that it lies between two of them, and how many rows that takes; ""
        for other questions.
    of_all_rows
        Whether an answer follows from how many rows take part in all, matching or not, as from a public number.
    without_interval
        That an answer says of no interval where the true value lies, and what does; "" if it has one, or needs none.
    filters
        Filters it looks at rows by, besides the one of the question.
    tool, edges, releasable
        The tool of diffprivlib that answers, what must be known about it, and whether its answers may be published.
    undeclared
        Whether it is part of the answer which labels it has, so that `labels` are not known beforehand.
    unclaimed
        Why this program makes no promise for its answers, or "".
    """

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    neighbours: str = ADD_REMOVE
    form: AnswerForm = AnswerForm.NUMBER
    labels: tuple[tuple[str, ...], ...] = ()
    unit: str = ""
    positions: tuple[float, ...] | None = None
    assumes: str = ""
    without_interval: str = ""
    enclosing: str = ""
    enclosed_from: int = 0
    of_all_rows: bool = False
    tool: str = ""
    edges: tuple[str, ...] = ()
    releasable: bool = True
    filters: tuple[Filter, ...] = ()
    undeclared: bool = False
    unclaimed: str = ""

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The public grids, bounds and cells by which it looks at values."""
        return ()

    @property
    @abstractmethod
    def parts(self) -> tuple[NoisyPart, ...]:
        """The parts that ε is spent on."""

    @abstractmethod
    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        """The true statistic. Analyst only."""

    def get_ready(self) -> None:  # noqa: B027 - most need nothing
        """See that nothing that `release` needs is missing, before it is paid for.

        Raises
        ------
        WorkbenchError
            If something is.
        """

    @abstractmethod
    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        """The statistic with fresh noise."""

    @abstractmethod
    def assumed(self, rows: int) -> StatisticValues:
        """A public guess of the statistic, for plans: so many rows match."""

    def along_tail(self, most: float) -> QueryMechanism:
        """The same, with plans for a long tail of which 9 in 10 values lie below a number.

        Itself, where what is expected does not depend on how values are spread.

        Raises
        ------
        WorkbenchError
            If the number is not between the bounds.
        """
        return self

    def along_longer_tail(self) -> tuple[QueryMechanism, str] | None:
        """The same, were the number that was said twice as far, and where values are then; None where none was said."""
        return None

    def in_middle(self, rows: int) -> StatisticValues | None:
        """The same of values in the middle of the bounds, where `assumed` is of others; None where there are none."""
        return None

    @abstractmethod
    def truth(self, statistic: StatisticValues) -> Floats:
        """The true answer, shape (outputs,). Analyst only."""

    @abstractmethod
    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        """`count` answers to the same statistic, shape (count, outputs). Analyst only, never a release."""

    def named(self, statistic: StatisticValues) -> tuple[tuple[str, ...], ...]:
        """The labels of the true answer. Analyst only where they are not known beforehand."""
        return self.labels

    def error_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        """The law of one value's error, where it is known and need not be simulated."""
        return None

    def drawn_law(self, statistic: StatisticValues) -> ErrorLaw | None:
        """The law of an error to be drawn in a plan, of an assumed statistic: of any of its values, by equal chance.

        As `error_law`; and where that depends on the statistic, and takes longer to work out than is waited for often.
        """
        return self.error_law(statistic)

    def shaped(self, values: Floats) -> Any:
        """Numbers of shape (outputs,) as the value of an answer."""
        numbers = [plain_number(value) for value in values.tolist()]
        if self.form is AnswerForm.NUMBER:
            return numbers[0]
        if self.form is AnswerForm.LIST:
            return numbers
        width = len(self.labels[1])
        return [numbers[start : start + width] for start in range(0, len(numbers), width)]

    def expected(self, statistic: StatisticValues) -> Expected:
        """The error by noise in this statistic. Of an assumed statistic it is public, of a true one analyst only."""
        truth = self.truth(statistic)
        trials = max(100, min(_TRIALS, _MOST_DRAWN // max(len(truth), 1)))
        wrong = np.abs(self.simulate(statistic, trials, np.random.default_rng(_SEED)) - truth)
        return Expected(float(wrong.mean()), float(np.quantile(wrong, 0.95, axis=0).mean()), closed=False)

    def assumptions(self, rows: int) -> tuple[StatisticValues, ...]:
        """So many rows as plans assume them, where they may be spread in several ways, each as likely as the others."""
        return (self.assumed(rows),)

    def planned(self, rows: int) -> Expected:
        """The error that plans expect of so many rows: over all `assumptions` together. Public."""
        several = self.assumptions(rows)
        if len(several) == 1:
            return self.expected(several[0])
        generator = np.random.default_rng(_SEED)
        wrong = np.concatenate(
            [
                np.abs(self.simulate(one, _FARTHER * _TRIALS // len(several), generator) - self.truth(one))
                for one in several
            ]
        )
        return Expected(float(wrong.mean()), float(np.quantile(wrong, 0.95, axis=0).mean()), closed=False)

    def error_by_formula(self, statistic: StatisticValues) -> float | None:
        """The error of `expected` alone, where a formula says it; None where simulations would have to.

        Whoever asks for it very often, of statistics that differ, does not wait for how far answers reach.
        """
        if type(self).expected is QueryMechanism.expected:
            return None
        found = self.expected(statistic)
        return found.error if found.closed else None


class Additive(QueryMechanism):
    """A question that is answered from whole numbers with noise on each of them."""

    @abstractmethod
    def finish(self, noisy: Mapping[str, Floats]) -> Floats:
        """The answer from the (noisy) numbers of each part, shape (…, cells) each; shape (…, outputs).

        It may use public parameters, but nothing else that was read from the data.
        """

    @abstractmethod
    def between(self, noisy: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """Between which values the true answer lies with a chance of at least 95 %, shape (outputs,) each."""

    def notes(self, noisy: Mapping[str, Floats], between: tuple[Floats, Floats]) -> tuple[str, ...]:
        """The notes needed to read the answer, from the noisy numbers and what `between` says of them."""
        return ()

    def shown(self, value: float) -> str:
        """A single answer as a person reads it."""
        return estimate(value, 6)

    def reach_of_all(self, part: NoisyPart, count: int) -> float | None:
        """How far the noise of `count` numbers reaches, all of them at once with 95 %; None of one alone.

        Notes
        -----
        They are drawn apart: the smallest r with P(|Z| ≤ r)^count ≥ .95.
        """
        return (
            float(noise.half_width(part.rate, -math.expm1(math.log1p(-noise.OUTSIDE) / count))) if count > 1 else None
        )

    def reach(self, part: NoisyPart, of: int = 1) -> int:
        """How far the noise of one number reaches, so that `of` of them are within theirs with 95 % together."""
        return noise.half_width(part.rate, noise.OUTSIDE / of)

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        noisy: dict[str, Whole] = {}
        for part in self.parts:
            rate = part.rate  # a division of fractions, which thousands of cells would repeat
            noisy[part.name] = whole([int(number) + draws.two_sided(rate) for number in statistic[part.name]])
        return self.published(noisy)

    def published(self, noisy: Mapping[str, Whole]) -> ReleasedAnswer:
        """The answer from noisy whole numbers."""
        numbers = {name: values.astype(np.float64) for name, values in noisy.items()}
        values = self.finish(numbers)
        low, high = self.between(numbers)
        return ReleasedAnswer(
            self.form,
            self.shaped(values),
            (self.shaped(low), self.shaped(high)),
            self.labels,
            {name: tuple(map(int, values)) for name, values in noisy.items()},
            self.shown(float(values[0])) if self.form is AnswerForm.NUMBER else "",
            self.unit,
            self.positions,
            notes=self.notes(numbers, (low, high)),
        )

    def truth(self, statistic: StatisticValues) -> Floats:
        return self.finish({part.name: statistic[part.name].astype(np.float64) for part in self.parts})

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        noisy = {}
        for part in self.parts:
            numbers = statistic[part.name].astype(np.float64)
            noisy[part.name] = numbers + noise.simulated(part.rate, (count, len(numbers)), generator)
        return self.finish(noisy)


class LabelChoice(QueryMechanism):
    """A question that is answered by one of several labels. Its error is how much worse it is than the best one."""

    form = AnswerForm.CHOICE

    @abstractmethod
    def scores(self, statistic: StatisticValues) -> Floats:
        """How good each candidate is, shape (candidates,)."""

    @abstractmethod
    def picked(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        """Which candidates `count` simulated answers name, shape (count,)."""

    def truth(self, statistic: StatisticValues) -> Floats:
        return np.zeros(1)

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        scores = self.scores(statistic)
        worse: Floats = scores.max() - scores[self.picked(statistic, count, generator)]
        return worse[:, np.newaxis]
