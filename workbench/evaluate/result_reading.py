"""The findings of an experiment from what is in the store: its curves, and what must be known to read them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np

from workbench.core.narrow_tail import NarrowTail
from workbench.core.number_text import estimate, exact
from workbench.core.schema import Kind
from workbench.evaluate.cell import BLOCK, ExperimentCell
from workbench.evaluate.cell_result import CellResult
from workbench.evaluate.class_shift import class_shift, intervals_level
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis, Basis, Experiment, Truth
from workbench.evaluate.experiment_slots import Cells, ExperimentSlot, error_of, point_of, standing, worse_of
from workbench.evaluate.families import FINEST
from workbench.evaluate.findings import Findings
from workbench.evaluate.limiting_shift import limiting_shift
from workbench.evaluate.made_hierarchies import narrow_edges
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.public_crowd import PublicCrowd
from workbench.evaluate.public_shape import PUBLIC, TAIL
from workbench.evaluate.question import Distance, Statistic
from workbench.evaluate.sampling_error import misplaced, of_a_mean
from workbench.evaluate.store import ResultStore
from workbench.evaluate.subject import EncodedColumn, ExperimentData

_PLACES = (Statistic.MEAN, Statistic.QUANTILE)
"""Answers that lie within the public range of the values."""

RESAMPLED = (
    "There are {rows:,} rows that take part; for more users, rows were drawn again and again, so the truth of those "
    "users is a resampled one."
)
SAMPLED_IN = "Errors are about all people sampled from: sampling error is in them."
ONE_OF_EACH = "One row of each person takes part, by chance: errors are about these rows, not about all."
SOME_OF_EACH = "Up to {drawn:,} rows of each person take part, by chance: errors are about these rows, not about all."
CLIPPED_APART = "; no error here includes what that shifts"
"""What is left to the page where a figure leaves: it follows from what is said before it."""
CLIPPED_START, BEYOND_START = "Values outside", "Outside the bounds are"
"""Beginnings of what is said of bounds that are narrower than the values."""
CLIPPED = f"{CLIPPED_START} {{bounds}} count as the nearest bound, in the true answer too{CLIPPED_APART}."
BEYOND = f"{BEYOND_START} {{number:,}} of {{rows:,}} rows ({{share}} %){{moved}}."


_Read = tuple[Point, tuple[str, ...]]
"""A point, and what must be known to read it."""
_MOVES = 200
"""So often a shape is moved, always in the same way, to know what sampling adds to it on average."""


_known: WeakKeyDictionary[EncodedColumn, dict[int, float]] = WeakKeyDictionary()
"""By the number of people, and for no longer than somebody has the column: it holds all who were drawn."""


def _of_shape(subject: EncodedColumn, people: int) -> float:
    """Error that sampling adds to a mean, or to shares, of values of a public shape, on average over where it lies."""
    known = _known.setdefault(subject, {})
    if people not in known:
        known[people] = math.nan if subject.crowd is None else _on_average(subject, subject.crowd, people)
    return known[people]


def _on_average(subject: EncodedColumn, crowd: PublicCrowd, people: int) -> float:
    found, generator = list[float](), np.random.default_rng(0)
    for _ in range(_MOVES):
        shares = crowd.shares(generator)
        if subject.question.statistic is Statistic.MEAN:
            mean = float(shares @ subject.numbers)
            found.append(of_a_mean(people, math.sqrt(float(shares @ (subject.numbers - mean) ** 2))))
        else:
            found.append(misplaced(people, np.bincount(subject.codes, shares, subject.outputs).tolist()))
    return sum(found) / len(found)


@dataclass(frozen=True)
class ResultReading:
    """Reads what a run left in the store, also while it is going on.

    Parameters
    ----------
    subjects
        What is asked at each place, on each table.
    slots
        The cells of each method at each place, place by place.
    """

    experiment: Experiment
    material: ExperimentData
    store: ResultStore
    subjects: Mapping[float, tuple[EncodedColumn, ...]]
    slots: Sequence[ExperimentSlot]
    _points: dict[tuple[str, float, bool, Cells], _Read] = field(default_factory=dict, repr=False)
    """Those whose results are there, which never change, and are asked for as often as somebody follows a run."""

    @property
    def cells(self) -> list[ExperimentCell]:
        """Those that the findings rest on."""
        return [cell for slot in self.slots for cell in slot.every(self.store, self.experiment.metric)]

    def findings(self) -> Findings:
        """Findings in the store."""
        width = len(self.experiment.methods)
        cells = self.cells
        missing = sum(self.store.get(cell.key) is None for cell in cells)
        names = _names(self.experiment)
        series = []
        for number, choice in enumerate(self.experiment.methods):
            slots = self.slots[number::width]
            family = choice.method.candidates is not None
            stand = self._standing(slots) if family else slots
            chosen = [slot.chosen(self.store, self.experiment.metric) for slot in stand]
            points, notes = self._curve(names[number], chosen, family, formula=family)
            points = self._with_ties(points, stand) if family else points
            rest = self._rest(slots) if family else ()
            series.append(ErrorSeries(choice, names[number], choice.method.approach, points, notes, rest))
        rows = max(len(subjects[0]) for subjects in self.subjects.values())
        subject = next(iter(self.subjects.values()))[0]
        sampled = self._sampled(next(iter(self.subjects.values())), rows)
        keys = tuple(cell.key for cell in cells)
        return Findings(
            self.experiment,
            tuple(series),
            rows,
            self._unit(),
            self._notes(rows, missing=bool(missing)),
            not missing,
            keys,
            missing,
            subject.rows_per_person,
            self._public(subject),
            subject.bounds[1] - subject.bounds[0] if self.experiment.question.statistic in _PLACES else math.nan,
            subject.outputs,
            min(sampled),
            self._beyond(subject, missing=bool(missing)),
            subject.moved if self.experiment.question.statistic is Statistic.MEAN else math.nan,
            sampled if len(sampled) > 1 else (),
            self._limited(subject),
            *self._within(subject),
            self.experiment.question.statistic.of_numbers or subject.domain.ordinal,
            self._by_classes(series),
            self._narrowest(subject),
        )

    def _narrowest(self, subject: EncodedColumn) -> float:
        """How wide classes are below the number below which most values lie."""
        most = self.experiment.most_below
        if most is None or not self.experiment.narrowed:
            return math.nan
        first, second, *_ = narrow_edges(subject.bounds, most, FINEST)
        return second - first

    def _by_classes(self, series: Sequence[ErrorSeries]) -> tuple[tuple[tuple[Basis, int], float], ...]:
        """How far off classes alone are, at each level at which a release answers, on each public shape."""
        found = dict[tuple[Basis, int], float]()
        for setting in (point.by for one in series for point in one.points):
            level = intervals_level(setting)
            if level is None or not self.experiment.basis.public:
                continue
            for shape, subject in zip(self.experiment.shapes, next(iter(self.subjects.values())), strict=False):
                found[shape, level] = class_shift(subject, setting)
        return tuple(found.items())

    def _beyond(self, subject: EncodedColumn, *, missing: bool) -> int:
        """How many rows are outside the bounds: of true values, of whose errors nothing is missing; else 0."""
        # How many that are follows from the true values, as all does that is computed on them.
        return 0 if self.experiment.basis.public or missing else subject.beyond

    def _limited(self, subject: EncodedColumn) -> float:
        """By how much typed bounds move the mean of public shapes within the declared ones at most; nan for others."""
        experiment = self.experiment
        question = experiment.question
        if not experiment.basis.public or question.statistic is not Statistic.MEAN or question.encoding.bounds is None:
            return math.nan
        declared = subject.material.schema[question.column].bounds
        most = experiment.most_below if experiment.narrowed else None
        return limiting_shift(experiment.shapes, declared, subject.bounds, most)

    def _within(self, subject: EncodedColumn) -> tuple[bool, bool]:
        """Whether nothing declared to be possible is beyond bounds that were typed, or some is; never by what was read.

        Neither where nothing was declared, or typed.
        """
        question, (low, high) = self.experiment.question, subject.bounds
        declared = subject.material.schema[question.column].declared().bounds
        if question.encoding.bounds is None or declared is None:
            return False, False
        within = low <= declared[0] <= declared[1] <= high
        return within, not within

    def _sampled(self, subjects: Sequence[EncodedColumn], rows: int) -> tuple[float, ...]:
        """Error that sampling adds on average to an answer about these true values, or those of each public shape.

        nan where nobody reads it.
        """
        experiment = self.experiment
        people, statistic = experiment.users or rows, experiment.question.statistic
        if statistic not in (Statistic.MEAN, Statistic.HISTOGRAM):
            return (math.nan,)
        if experiment.basis.public:
            return tuple(_of_shape(one, people) for one in subjects)
        subject = subjects[0]
        if statistic is Statistic.MEAN:
            return (of_a_mean(people, float(subject.everyone.numbers.std())),)
        return (misplaced(people, (subject.everyone.counts / len(subject)).tolist()),)

    def _curve(
        self, name: str, groups: Sequence[Cells], family: bool, *, formula: bool
    ) -> tuple[tuple[Point, ...], tuple[str, ...]]:
        """The points of a curve that are there, and what must be known to read it.

        Which settings stand for a way, and what it errs by, is said by `formula` where there is one. A method of its
        own shows its tries, and the formula beside them.
        """
        points, notes = [], dict[str, None]()
        for place, cells in zip(self.experiment.places, groups, strict=True):
            at = name, place, family, cells
            found = self._points.get(at) or self._point(name, place, cells, family, formula=formula)
            if found is not None:
                self._points[at] = found
                points.append(found[0])
                notes.update(dict.fromkeys(found[1]))
        return tuple(points), tuple(notes)

    def _point(self, name: str, place: float, cells: Cells, family: bool, *, formula: bool) -> _Read | None:
        """A point of a curve, and what must be known to read it; None while a result is missing."""
        metric = str(self.experiment.metric)
        result = worse_of(cells, self.store, metric, formula=formula)
        if result is None:
            return None
        point = point_of(name, place, result, metric, formula=formula)
        shapes = tuple(self._error_on(cell, formula=formula) for cell in cells) if len(cells) > 1 else ()
        by = _at(cells[0], place) if family else None
        shape, means = self._shape_of(cells, result), _means(cells[0], result, point)
        return replace(point, by=by, shapes=shapes, shape=shape, means=means), result.notes

    def _standing(self, slots: Sequence[ExperimentSlot]) -> Sequence[ExperimentSlot]:
        """Which slot of a family stands at each place: along ε it may be that of a smaller one."""
        if self.experiment.axis is not Axis.EPSILON:
            return slots
        return standing(slots, self.store, self.experiment.metric)

    def _with_ties(self, points: Sequence[Point], slots: Sequence[ExperimentSlot]) -> tuple[Point, ...]:
        """The points of a family with the settings that are as good as the one that answers."""
        places = self.experiment.places
        ties = {
            place: tuple(_at(cells[0], place) for cells in slot.as_good(self.store, self.experiment.metric))
            for place, slot in zip(places, slots, strict=True)
        }
        return tuple(replace(one, as_good=ties[one.axis_value]) for one in points)

    def _shape_of(self, cells: Cells, result: CellResult) -> Basis | None:
        """The shape on which a result was found; None on true values."""
        shapes = self.experiment.shapes
        found = (shape for shape, cell in zip(shapes, cells, strict=False) if self.store.get(cell.key) is result)
        return next(found, None)

    def _error_on(self, cell: ExperimentCell, *, formula: bool) -> tuple[float, float]:
        """Mean error and its standard error on the shape of a cell."""
        result = self.store.get(cell.key)
        if formula and result is not None:
            return error_of(result, str(self.experiment.metric))
        summary = result.summaries.get(str(self.experiment.metric)) if result is not None else None
        return (math.inf, 0.0) if summary is None else (summary.mean, summary.error_of_mean)

    def _rest(self, slots: Sequence[ExperimentSlot]) -> tuple[ErrorSeries, ...]:
        """The curves of all settings of a family that were tried at any place: from the tries, where not chosen."""
        groups: dict[str, list[Cells]] = {}
        for slot in slots:
            chosen = slot.chosen(self.store, self.experiment.metric)
            for number, cells in enumerate(slot.cells):
                shown = slot.tried(number) if slot.rounds and cells is not chosen else cells
                groups.setdefault(str(cells[0].choice.to_json()), []).append(shown)
        found = []
        for some in groups.values():
            choice = some[0][0].choice
            points, notes = self._curve(choice.name, some, family=False, formula=True)
            found.append(ErrorSeries(choice, choice.name, choice.method.approach, points, notes))
        return tuple(found)

    def _public(self, subject: EncodedColumn) -> str:
        """Facts about the column that are taken as public, in words."""
        if subject.question.statistic.of_numbers:
            low, high = subject.bounds
            return f"within {exact(low)} to {exact(high)}"
        if subject.question.statistic is Statistic.COUNT or self.experiment.axis is Axis.BINS:
            return ""
        names = subject.domain.names
        kind = "bins" if subject.domain.positions is not None else "values"
        return (
            f"in {len(names):,} {kind}, {names[0]} to {names[-1]}" if kind == "bins" else f"over {len(names):,} {kind}"
        )

    def _unit(self) -> str:
        metric, subject = self.experiment.metric, next(iter(self.subjects.values()))[0]
        if metric.distance is Distance.PERCENT:
            return "%"
        if metric.distance is Distance.KANTOROVICH:
            spec = self.material.schema[self.experiment.question.column]
            along = (spec.unit or spec.format.symbol) if subject.domain.positions is not None else "places"
            return along if metric.normalised else f"{along} × rows".strip(" ×")
        return "" if metric.normalised or metric.distance is Distance.TOTAL_VARIATION else subject.unit

    def _tail(self) -> str:
        """What the long tail is of which it is public below what most values lie; "" where that was not said."""
        most, subject = self.experiment.most_below, next(iter(self.subjects.values()))[0]
        if most is None or not self.experiment.narrowed:
            return ""
        whole = subject.material.schema[self.experiment.question.column].kind is Kind.INTEGER
        return f"{TAIL}: {NarrowTail(*subject.bounds, most, whole=whole).described(subject.unit)}."

    def _notes(self, rows: int, *, missing: bool) -> tuple[str, ...]:
        found, of_many = [], self.experiment.truth is Truth.POPULATION
        if self.experiment.basis.public:
            found.append(self._tail() or PUBLIC)
        if drawn := self.material.rows_drawn:
            found.append(ONE_OF_EACH if drawn == 1 else SOME_OF_EACH.format(drawn=drawn))
        if of_many:
            found.append(SAMPLED_IN)
        elif any(cell.setting.users > rows for cell in self.cells) and not self.experiment.basis.public:
            found.append(RESAMPLED.format(rows=rows))
        subject = next(iter(self.subjects.values()))[0]
        if not subject.domain.declared:
            found.append(
                "Bounds or values were read from the data and are only assumed to be public, so every method looks "
                "better than it may be used."
            )
        if self.experiment.metric.distance is Distance.KANTOROVICH and not subject.domain.ordinal:
            found.append("The values have no order; Kantorovich takes them to lie in the order of the list.")
        if self.experiment.question.statistic.of_numbers:
            low, high = subject.bounds
            found.append(CLIPPED.format(bounds=f"{exact(low)} to {exact(high)}"))
            beyond = self._beyond(subject, missing=missing)
            if beyond:
                moved = f"; with them the mean would be another one by {estimate(subject.moved, 2)}"
                is_mean = self.experiment.question.statistic is Statistic.MEAN
                share = estimate(100 * beyond / rows, 2)
                found.append(BEYOND.format(number=beyond, rows=rows, share=share, moved=moved if is_mean else ""))
        person = subject.rows_per_person
        if person > 1:
            found.append(f"ε is that of a person with up to {person:,} rows.")
        return tuple(found)


def _at(cell: ExperimentCell, place: float) -> MethodChoice:
    """The setting of a cell where it stands at a place: with its own ε, where that is a smaller one."""
    return cell.choice if cell.place == place else replace(cell.choice, epsilon=cell.place)


def _means(cell: ExperimentCell, result: CellResult, point: Point) -> int:
    """From how many independent tries the standard error of a point is estimated; 0 where a formula knows the error."""
    if point.by_formula and not point.error_of_mean > 0:
        return 0
    tries = result.repetitions - result.unanswered
    if point.by_formula:
        tries = cell.experiment.repetitions if cell.chooses else min(BLOCK, cell.experiment.repetitions)
    means = -(-tries // cell.alike)
    # A standard error there is, is that of two at least.
    return max(means, 2) if point.error_of_mean > 0 else means


def _names(experiment: Experiment) -> list[str]:
    """Names of the curves, told apart where two are the same."""
    found: list[str] = []
    for choice in experiment.methods:
        name, again = choice.name, 2
        while name in found:
            name, again = f"{choice.name} ({again})", again + 1
        found.append(name)
    return found
