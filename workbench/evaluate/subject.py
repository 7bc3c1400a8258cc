"""The encoded column of an experiment, and samples of its rows. From true values: analyst only."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import file_text
from workbench.core.quick_reading import read_values
from workbench.core.rationals import rational
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.evaluate.public_crowd import PublicCrowd
from workbench.evaluate.question import Floats, Question, Statistic
from workbench.ldp.encoding import Domain, encode
from workbench.ldp.scaling import encode_numbers
from workbench.query.catalogue import CheckedQuery
from workbench.query.rows import Rows

T = TypeVar("T")

_STEPS = 1_000_000
"""How fine the grid is on which a trusted curator adds up numbers that have no natural step."""
_BYTES_PER_ROW = 32
"""Of the column that is asked for: row numbers, codes and numbers."""
_HELD_NUMBERS = 8_000_000
"""Row numbers of samples, and of the crowds they are of, that are held for other methods to use."""


@dataclass(frozen=True, eq=False)
class ExperimentData:
    """The data an experiment is made on, and everything known of it.

    Parameters
    ----------
    table, schema, hierarchies
        The working table, how it is read, and the hierarchies by column.
    key
        Digest of everything that makes the working table, for results to be found again.
    also
        The same column in other public shapes: where there are any, the worse error counts.
    crowd
        Who takes part in a try on a public shape, whose table has one row per possible value; None for true values.
    rows_drawn
        How many rows of each person take part at most, drawn by chance; 0 where all do.
    """

    table: Table
    schema: Schema
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    key: str = ""
    also: tuple[ExperimentData, ...] = ()
    crowd: PublicCrowd | None = None
    rows_drawn: int = 0


class _Held:
    """The samples that were used last, as long as the people in them and in the crowds they are of are not too many."""

    def __init__(self) -> None:
        self._samples: OrderedDict[Any, tuple[SubjectSample, int]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: Any, draw: Callable[[], SubjectSample]) -> SubjectSample:
        with self._lock:
            if key in self._samples:
                self._samples.move_to_end(key)
                return self._samples[key][0]
        found = draw()
        # A few people of a public shape hold the whole crowd that they were drawn among.
        size = len(found) + (0 if found.among is None else len(found.among))
        with self._lock:
            if key not in self._samples:
                self._samples[key] = found, size
                self._size += size
                while self._size > _HELD_NUMBERS and len(self._samples) > 1:
                    self._size -= self._samples.popitem(last=False)[1][1]
        return found

    def clear(self) -> None:
        with self._lock:
            self._samples.clear()
            self._size = 0


@dataclass(frozen=True, eq=False)
class EncodedColumn:
    """The column of a question, encoded.

    Parameters
    ----------
    material, question
        What is asked of what.
    rows
        The rows of the table that take part, rising: those with a value. On a public shape one per possible value.
    domain, codes
        The public values or bins, and the one of each row that takes part; shape (rows,).
    numbers, bounds
        The number of each row within the public bounds, for figures of numbers; else empty, and 0 to 1.
    table, spec
        The column in a plain form, as a trusted curator asks it.
    beyond, moved
        How many rows have a number outside the bounds, and by how much less or more their mean is for it.
    """

    material: ExperimentData
    question: Question
    rows: NDArray[np.intp]
    domain: Domain
    codes: NDArray[np.int32]
    numbers: Floats
    bounds: tuple[float, float]
    table: Table
    spec: ColumnSpec
    beyond: int = 0
    moved: float = 0.0
    _samples: _Held = field(default_factory=_Held, repr=False)

    def __len__(self) -> int:
        """How many people take part."""
        return len(self.rows) if self.crowd is None else self.crowd.people

    @property
    def crowd(self) -> PublicCrowd | None:
        """Who takes part in a try on a public shape; None for true values."""
        return self.material.crowd

    @property
    def number_of_shape(self) -> bool:
        """Whether one number of a public shape is asked for."""
        return self.crowd is not None and self.question.statistic is not Statistic.HISTOGRAM

    @property
    def outputs(self) -> int:
        """How many numbers an answer has."""
        return self.domain.size if self.question.statistic is Statistic.HISTOGRAM else 1

    @property
    def rows_per_person(self) -> int:
        return self.material.schema.unit.rows_per_person

    @property
    def unit(self) -> str:
        """Unit of the answers."""
        spec = self.material.schema[self.question.column]
        unit = spec.unit or spec.format.symbol
        if self.question.statistic.of_numbers:
            return f"{unit}²" if unit and self.question.statistic is Statistic.VARIANCE else unit
        return "rows"

    def size_of(self, users: int) -> float:
        """Size that an error is divided by to normalise it: the range of what is possible."""
        width = self.bounds[1] - self.bounds[0]
        return {
            Statistic.SUM: width * users,
            Statistic.VARIANCE: width**2 / 4,
            Statistic.DEVIATION: width / 2,
            Statistic.COUNT: float(users),
            Statistic.HISTOGRAM: float(users),
        }.get(self.question.statistic, width)

    @cached_property
    def everyone(self) -> SubjectSample:
        """All rows; on a public shape people who lie evenly through it where it is not moved."""
        return SubjectSample(self, None if self.crowd is None else self.crowd.evenly())

    def sample(
        self, users: int, seed: np.random.SeedSequence, key: tuple[Any, ...], *, of_many: bool = False
    ) -> SubjectSample:
        """So many rows: all of them, some without replacement, or, if there are fewer, rows drawn again and again.

        On a public shape so many of the people of one draw of it.

        Parameters
        ----------
        key
            Stands for the seed: the same sample is not drawn twice, so that methods share what is counted on it.
        of_many
            Whether they are drawn one by one from far more people, who are as these rows, or as the shape, are.
        """
        crowd = self.crowd
        if of_many:
            return self._samples.get(
                (users, of_many, *key), lambda: self._of_many(users, np.random.Generator(np.random.PCG64(seed)))
            )
        if users == len(self) and crowd is None:
            return self.everyone

        def draw() -> SubjectSample:
            generator = np.random.Generator(np.random.PCG64(seed))
            if crowd is not None:
                places = crowd.drawn(generator)
                people = SubjectSample(self, places)
                if users == crowd.people:
                    return people
                some = generator.choice(crowd.people, users, replace=users > crowd.people, shuffle=False)
                return SubjectSample(self, places[np.sort(some)], people)
            again = users > len(self)
            return SubjectSample(self, np.sort(generator.choice(len(self), users, replace=again, shuffle=False)))

        return self._samples.get((users, *key), draw)

    def _of_many(self, users: int, generator: np.random.Generator) -> SubjectSample:
        # The rows of a person are taken to be alike, so that fewer people are drawn, as `CollectionPlan.people` has it.
        people = max(users // self.rows_per_person, 1)
        if self.crowd is None:
            places, shares = generator.choice(len(self), people), np.full(len(self), 1 / len(self))
        else:
            places, shares = self.crowd.asked(people, generator)
        return SubjectSample(self, np.sort(np.resize(places, users)), shares=shares)

    def let_go(self) -> None:
        """Forget all samples, which are drawn again if they are asked for.

        Each of them refers to its column, so that all would stay in memory until somebody looks for such circles.
        """
        self._samples.clear()
        self.__dict__.pop("everyone", None)

    @cached_property
    def truth(self) -> Floats:
        """The true answer of all rows, shape (outputs,)."""
        return self.everyone.truth

    def asked(self, values: Mapping[str, Any], epsilon: Fraction) -> CheckedQuery:
        """Checked query about the column in its plain form, from which a kind of query is made."""
        return CheckedQuery(values, epsilon, Schema((self.spec,)), self.rows_per_person)


@dataclass(frozen=True, eq=False)
class SubjectSample:
    """Some rows of a subject.

    Parameters
    ----------
    subject, places
        Of what, and positions among the rows that take part; None for all of them.
    among
        On a public shape everybody among whom these were drawn; None for what is drawn from the rows of the subject.
    shares
        The share of each row that takes part in the far more people these were drawn from; None where there are none.
    """

    subject: EncodedColumn
    places: NDArray[np.intp] | None
    among: SubjectSample | None = None
    shares: Floats | None = None
    _statistics: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.subject) if self.places is None else len(self.places)

    @cached_property
    def codes(self) -> NDArray[np.int32]:
        return self.subject.codes if self.places is None else self.subject.codes[self.places]

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Rows per value of the domain, shape (domain size,)."""
        return np.bincount(self.codes, minlength=self.subject.domain.size).astype(np.int64)

    @cached_property
    def numbers(self) -> Floats:
        return self.subject.numbers if self.places is None else self.subject.numbers[self.places]

    @cached_property
    def held(self) -> tuple[Floats, NDArray[np.int64]]:
        """Numbers and how often each of them occurs: on a public shape of very many people there are few."""
        subject = self.subject
        if self.places is None or subject.crowd is None:
            return self.numbers, np.ones(len(self), dtype=np.int64)
        return subject.numbers, np.bincount(self.places, minlength=len(subject.numbers))

    @cached_property
    def table_rows(self) -> NDArray[np.intp]:
        """Row numbers of the working table; repeated where rows were drawn again."""
        return self.subject.rows if self.places is None else self.subject.rows[self.places]

    @cached_property
    def truth(self) -> Floats:
        """The true answer of these rows, shape (outputs,)."""
        question = self.subject.question
        if question.statistic is Statistic.HISTOGRAM:
            return self.counts.astype(np.float64)
        if question.statistic is Statistic.COUNT:
            return self.counts[1:].astype(np.float64)
        return np.array([statistic_of(question, self.numbers)])

    @cached_property
    def population_truth(self) -> Floats:
        """The true answer of the far more people that these were drawn from, as of as many as these, shape (outputs,).

        That of these themselves where there are no others.
        """
        if self.shares is None:
            return self.truth
        subject, question, people = self.subject, self.subject.question, self.shares * len(self)
        if question.statistic.of_numbers:
            return np.array([statistic_of(question, subject.numbers, people)])
        counts: Floats = np.bincount(subject.codes, people, subject.domain.size).astype(np.float64)
        return counts if question.statistic is Statistic.HISTOGRAM else counts[1:]

    @property
    def everyone(self) -> SubjectSample:
        """All among whom these were drawn."""
        if self.among is not None:
            return self.among
        return self if self.subject.crowd is not None else self.subject.everyone

    @cached_property
    def asked_rows(self) -> Rows:
        """The rows as a query sees them: few distinct values for a small sample."""
        column = self.subject.table.columns[0]
        codes: NDArray[np.integer] = column.codes if self.places is None else column.codes[self.places]
        if self.places is not None:
            held = np.bincount(codes, minlength=len(column.values)) > 0
            codes = (np.cumsum(held) - 1)[codes]
            column = Column(column.name, codes, tuple(column.values[code] for code in np.flatnonzero(held).tolist()))
        counted = self.subject.question.statistic is Statistic.COUNT
        return Rows(Table((column,)), np.flatnonzero(self.codes == 1) if counted else None)

    def statistic(self, key: Any, measure: Callable[[Rows], T]) -> T:
        """Result of `measure` for the rows, found once per key."""
        if key not in self._statistics:
            self._statistics[key] = measure(self.asked_rows)
        found: T = self._statistics[key]
        return found


def statistic_of(question: Question, numbers: Floats, weights: Floats | None = None) -> float:
    """A statistic of numbers, each counting as often as its weight; nan of none.

    A quantile is the smallest number that at least the share of the weight does not exceed.
    """
    total = float(len(numbers) if weights is None else weights.sum())
    if not total > 0:
        return 0.0 if question.statistic is Statistic.SUM else math.nan
    statistic = question.statistic
    if statistic is Statistic.QUANTILE:
        order = np.argsort(numbers, kind="stable")
        reached = np.arange(1, len(numbers) + 1) if weights is None else np.cumsum(weights[order])
        place = np.searchsorted(reached, question.share * reached[-1] * (1 - 1e-12))
        return float(numbers[order][min(int(place), len(order) - 1)])
    summed = _summed(numbers, weights)
    if statistic is Statistic.SUM:
        return summed
    mean = summed / total
    if statistic is Statistic.MEAN:
        return mean
    variance = _summed(np.square(numbers - mean), weights) / total
    return math.sqrt(variance) if statistic is Statistic.DEVIATION else variance


def _summed(numbers: Floats, weights: Floats | None) -> float:
    # Not as a product of vectors: many short ones on several threads mostly wait for each other.
    return float(numbers.sum() if weights is None else (weights * numbers).sum())


def subject_of(material: ExperimentData, question: Question) -> EncodedColumn:
    """Encode the column of a question.

    Raises
    ------
    WorkbenchError
        If the column is not there or holds no numbers where those are needed, or its public bounds or values are
        neither declared nor given.
    """
    if not question.column:
        raise WorkbenchError("No column is chosen.", hint="Choose what is asked.", field="column")
    column, spec = material.table[question.column], material.schema[question.column]
    material.table.check_room(
        _BYTES_PER_ROW * len(column), f"“{question.column}” of all {len(column):,} rows, of which samples are drawn,"
    )
    encoded = encode(question.asked, column, spec)
    numbers, bounds = np.zeros(0), (0.0, 1.0)
    read = numbers
    if question.statistic.of_numbers:
        scaled = encode_numbers(question.asked, column, spec)
        bounds = scaled.bounds
        # What is beyond the bounds counts as the nearest bound, for every method and for the truth.
        read = read_values(column.values, spec)[column.codes[encoded.rows]]
        numbers = np.clip(read, *bounds)
    if not len(encoded.rows):
        raise WorkbenchError(
            f"No row has a value of “{question.column}”, so there is nothing to ask.",
            hint="Check the column and which rows take part.",
            field="column",
        )
    plain, described = _plain(question, spec, encoded.domain, encoded.codes, numbers, bounds)
    found = EncodedColumn(
        material, question, encoded.rows, encoded.domain, encoded.codes, numbers, bounds, Table((plain,)), described
    )
    if not question.statistic.of_numbers:
        return found
    return replace(found, beyond=int((read != numbers).sum()), moved=abs(float((read - numbers).mean())))


def _plain(
    question: Question,
    spec: ColumnSpec,
    domain: Domain,
    codes: NDArray[np.int32],
    numbers: Floats,
    bounds: tuple[float, float],
) -> tuple[Column, ColumnSpec]:
    """The column with plain numbers or public labels as its texts, so that a query asks what was encoded."""
    name = spec.name
    if not question.statistic.of_numbers:
        return Column(name, codes, domain.labels), ColumnSpec(
            name, Kind.CATEGORY, missing=(), domain=domain.labels, unit=spec.unit
        )
    distinct, places = np.unique(numbers, return_inverse=True)
    kind = spec.kind if spec.kind in (Kind.INTEGER, Kind.DECIMAL) else Kind.DECIMAL
    texts = tuple(file_text(value, 15) for value in distinct.tolist())
    if any("e" in text for text in texts):
        texts = tuple(str(rational(value)) if value == int(value) else repr(value) for value in distinct.tolist())
    unit = spec.unit or spec.format.symbol
    return Column(name, places, texts), ColumnSpec(name, kind, bounds=bounds, unit=unit)


def resolution_of(subject: EncodedColumn) -> str:
    """The step on which a trusted curator adds up the numbers: 1, cents, or a millionth of the public range."""
    kind = subject.material.schema[subject.question.column].kind
    low, high = (rational(bound) for bound in subject.bounds)
    natural = {Kind.INTEGER: Fraction(1), Kind.MONEY: Fraction(1, 100), Kind.PERCENT: Fraction(1, 100)}.get(kind)
    if natural is not None and ((high - low) / natural).denominator == 1:
        return str(natural)
    return str((high - low) / _STEPS)
