"""diffprivlib as published: its tools with guards around them, to be compared with.

This program promises nothing for their answers. The noise of most is a floating-point number, whose last digits say
something about the value it hides; whole numbers get noise from 53 random bits, which ends somewhere. All but
histograms assume that the number of rows is public, and protect which value a matching row has, not whether it is
there (replace-one neighbours). Their ε is the library's own word, and is counted as that.

Guards beside those of every call (see `engine`): bounds are required and differ; missing values are left out, or count
as a value, before; where none is left it gets one that is public; ε is rounded down to a float; there are no weights
and no automatic bins; tools that draw from numpy's global generator release nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import file_text, shown
from workbench.core.progress import SILENT, Progress
from workbench.core.rationals import rational
from workbench.query import noise
from workbench.query.amounts import not_above
from workbench.query.answer import AnswerForm, ReleasedAnswer, plain_number
from workbench.query.catalogue import CheckedQuery, QueryKind
from workbench.query.diffprivlib_bridge import bounded_scale, call, warm_up
from workbench.query.diffprivlib_tools import GLOBAL_RANDOM, NO_GUARANTEE, TOOLS
from workbench.query.draws import Draws
from workbench.query.grid import Bounds, bounds_of
from workbench.query.mechanism import Expected, Floats, Frame, NoisyPart, QueryMechanism, StatisticValues
from workbench.query.partition import Partition, listed
from workbench.query.readings import Readings, number_of
from workbench.query.rows import Rows

_BY_ROW = "diffprivlib (grid noise needs counts alone)"
"""Its tools take arrays of all values."""
_MOST_SHARES = 100


def published(kind: QueryKind, tool: str, asked: CheckedQuery) -> PublishedTool:
    """The mechanism of a tool of diffprivlib.

    Raises
    ------
    WorkbenchError
        If the question has no such tool, or its parameters are impossible.
    """
    if not kind.tools:
        raise WorkbenchError(
            f"diffprivlib has no tool for the question “{kind.title}”.", hint="Use grid noise.", field="noise"
        )
    name = tool or kind.tools[0]
    if name not in kind.tools:
        raise WorkbenchError(
            f"diffprivlib's tool “{name}” does not answer this question.",
            hint=f"Use {', '.join(kind.tools)}.",
            field="tool",
        )
    if name == "count_nonzero":
        return _CountNonzero(name, asked)
    if name in ("histogram", "histogram2d"):
        return _Histogram(name, asked)
    if name in ("quantile", "percentile", "median"):
        return _Quantile(name, asked)
    return _Moment(name, asked)


class PublishedTool(QueryMechanism):
    """One tool with its public parameters."""

    unclaimed = NO_GUARANTEE

    def __init__(self, tool: str, asked: CheckedQuery) -> None:
        about = TOOLS[tool]
        self.tool, self.neighbours, self.releasable = tool, about.neighbours, about.releasable
        self.edges = (self.unclaimed, *about.edges)
        self.epsilon = asked.budget
        # The tools know one row per person; c rows are protected by group privacy at a c-th of ε.
        self.given = not_above(self.epsilon / asked.rows_per_person)
        self._part = NoisyPart(tool, asked.rows_per_person, self.epsilon)

    @property
    def parts(self) -> tuple[NoisyPart, ...]:
        return (self._part,)

    def get_ready(self) -> None:
        warm_up()

    def run(self, *arrays: NDArray[Any], **parameters: Any) -> Any:
        """Call the tool. Without a `random_state` it draws from the operating system."""
        return call(self.tool, *arrays, epsilon=self.given, **parameters)

    def release(self, statistic: StatisticValues, draws: Draws) -> ReleasedAnswer:
        """The tool's own answer; it draws by itself, from the operating system's randomness."""
        if not self.releasable:
            raise WorkbenchError(
                f"diffprivlib's “{self.tool}” is not made for a release: {GLOBAL_RANDOM[0].lower()}{GLOBAL_RANDOM[1:]}",
                hint="Use grid noise, or try it in an experiment.",
                field="noise",
            )
        return self.answered(self.compute(statistic), statistic)

    def compute(self, statistic: StatisticValues, random_state: int | None = None) -> Floats:
        """The answer of the tool, shape (outputs,). A seed makes it an experiment."""
        raise NotImplementedError

    def reach(self, statistic: StatisticValues) -> float | None:
        """With a chance of at least 95 %, a value is off by no more than this; from public parameters."""
        return None

    def answered(self, values: Floats, statistic: StatisticValues) -> ReleasedAnswer:
        """The answer with its interval."""
        numbers = [plain_number(value) for value in values.tolist()]
        reach = self.reach(statistic)
        interval = None
        if reach is not None:
            low, high = self.cut(values - reach, statistic), self.cut(values + reach, statistic)
            interval = (self.shaped(low), self.shaped(high))
        single = self.form is AnswerForm.NUMBER
        return ReleasedAnswer(
            self.form,
            self.shaped(values),
            interval,
            self.labels,
            shown=self.shown(float(numbers[0])) if single else "",
            unit=self.unit,
            positions=self.positions,
            notes=self.edges,
        )

    def cut(self, values: Floats, statistic: StatisticValues) -> Floats:
        """The values within what is possible."""
        return values

    def shown(self, value: float) -> str:
        return shown(value, None, 6)

    def expected(self, statistic: StatisticValues) -> Expected:
        found = super().expected(statistic)
        reach = self.reach(statistic)
        return Expected(found.error, found.half_width if reach is None else reach, closed=False)


class _Values(PublishedTool):
    """A tool that looks at the values of one column within public bounds."""

    assumes = "that are spread evenly between the bounds"

    def __init__(self, tool: str, asked: CheckedQuery) -> None:
        super().__init__(tool, asked)
        self.spec = asked.column()
        self.lower, self.upper = bounds_of(self.spec, asked["lower"], asked["upper"])
        self.bounds = (float(self.lower), float(self.upper))
        if not self.bounds[0] < self.bounds[1]:
            raise WorkbenchError("The bounds are too close to each other.", hint="Widen them.", field="lower")
        self.width = self.bounds[1] - self.bounds[0]
        missing = asked["missing"].strip()
        counted_as = None if not missing else number_of(missing, self.spec, "missing")
        self._missing = None if counted_as is None else float(counted_as)
        self._frame = Bounds(self.spec, self.lower, self.upper, counted_as)
        unit = self.spec.unit or self.spec.format.symbol
        self.unit = f"{unit}²" if unit and tool.removeprefix("nan") == "var" else unit

    @property
    def frames(self) -> tuple[Frame, ...]:
        return (self._frame,)

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        progress(0.0, "Reading values")
        name = self.spec.name
        numbers = Readings.of(rows.values(name), self.spec).numbers
        if self._missing is not None:
            numbers = np.where(np.isnan(numbers), self._missing, numbers)
        values = np.take(numbers, rows.one_by_one(_BY_ROW).codes(name))
        values = values[~np.isnan(values)]
        # Nothing may be refused here, before it is charged, because of what the rows hold (see `NO_VALUE`).
        return {"values": values if len(values) else np.clip(np.zeros(1), *self.bounds)}

    def assumed(self, rows: int) -> StatisticValues:
        # Values spread evenly over the range.
        return {"values": self.bounds[0] + self.width * (np.arange(max(rows, 1)) + 0.5) / max(rows, 1)}

    def shown(self, value: float) -> str:
        return shown(value, self.spec if self.tool.removeprefix("nan") not in ("var", "std", "sum") else None, 6)


class _Moment(_Values):
    """mean, var, std, sum and their nan forms, which get no missing values and so say the same."""

    @property
    def _what(self) -> str:
        return self.tool.removeprefix("nan")

    def _limits(self, rows: int) -> tuple[float, float]:
        """Between which numbers the tool's noise is cut (var: conditioned)."""
        if self._what == "mean":
            return self.bounds
        if self._what == "sum":
            return self.bounds[0] * rows, self.bounds[1] * rows
        return 0.0, self.width**2 / 4

    def _scale(self, rows: int) -> float:
        """The scale of the Laplace noise."""
        if self._what == "mean":
            return self.width / rows / self.given
        if self._what == "sum":
            return self.width / self.given
        return bounded_scale((self.width / rows) ** 2 * (rows - 1), self._limits(rows)[1], self.given)

    def _plain(self, statistic: StatisticValues) -> float:
        """The true answer before the root of a standard deviation is taken."""
        values = np.clip(statistic["values"], *self.bounds)
        if self._what == "mean":
            return float(values.mean())
        return float(values.sum() if self._what == "sum" else values.var())

    def compute(self, statistic: StatisticValues, random_state: int | None = None) -> Floats:
        return np.array([float(self.run(statistic["values"], bounds=self.bounds, random_state=random_state))])

    def truth(self, statistic: StatisticValues) -> Floats:
        found = self._plain(statistic)
        return np.array([math.sqrt(found) if self._what == "std" else found])

    def cut(self, values: Floats, statistic: StatisticValues) -> Floats:
        low, high = self._limits(len(statistic["values"]))
        return np.clip(values, low, math.sqrt(high) if self._what == "std" else high)

    def reach(self, statistic: StatisticValues) -> float | None:
        if self._what not in ("mean", "sum"):
            return None
        return self._scale(len(statistic["values"])) * math.log(1 / noise.OUTSIDE)

    def expected(self, statistic: StatisticValues) -> Expected:
        if self._what not in ("mean", "sum"):
            return super().expected(statistic)
        rows, truth = len(statistic["values"]), self._plain(statistic)
        scale, (low, high) = self._scale(rows), self._limits(rows)
        # E|X| = b for Laplace noise; what is cut at distance a on one side takes b·e^(−a/b)/2 away.
        error = scale * (1 - (math.exp(-(truth - low) / scale) + math.exp(-(high - truth) / scale)) / 2)
        return Expected(error, self.reach(statistic))

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        rows = len(statistic["values"])
        truth, scale, (low, high) = self._plain(statistic), self._scale(rows), self._limits(rows)
        if self._what in ("mean", "sum"):
            return np.clip(truth + generator.laplace(0.0, scale, (count, 1)), low, high)
        found = np.full(count, truth)
        left = np.arange(count if scale > 0 else 0)
        while len(left):
            drawn = truth + generator.laplace(0.0, scale, len(left))
            inside = (drawn >= low) & (drawn <= high)
            found[left[inside]] = drawn[inside]
            left = left[~inside]
        return (np.sqrt(found) if self._what == "std" else found)[:, np.newaxis]


class _CountNonzero(PublishedTool):
    """How many rows match, of a public number of rows."""

    unit = "rows"
    of_all_rows = True

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        rows = rows.one_by_one(_BY_ROW)
        matches = np.zeros(rows.table.rows, dtype=np.bool_)
        matches[slice(None) if rows.chosen is None else rows.chosen] = True
        # One row that does not match is as none, which the tool refuses.
        return {"values": matches if len(matches) else np.zeros(1, dtype=np.bool_)}

    def assumed(self, rows: int) -> StatisticValues:
        # As many rows that do not match as do.
        return {"values": np.arange(2 * max(rows, 1)) % 2 == 0}

    def compute(self, statistic: StatisticValues, random_state: int | None = None) -> Floats:
        return np.array([float(self.run(statistic["values"], random_state=random_state))])

    def truth(self, statistic: StatisticValues) -> Floats:
        return np.array([float(np.count_nonzero(statistic["values"]))])

    def cut(self, values: Floats, statistic: StatisticValues) -> Floats:
        return np.clip(values, 0, len(statistic["values"]))

    def reach(self, statistic: StatisticValues) -> float:
        return float(noise.half_width(self.given))

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        return self.cut(self.truth(statistic) + noise.simulated(self.given, (count, 1), generator), statistic)


class _Histogram(PublishedTool):
    """Counts per cell with geometric noise, cut at 0; add/remove neighbours."""

    unit = "rows"

    def __init__(self, tool: str, asked: CheckedQuery) -> None:
        super().__init__(tool, asked)
        names = ("",) if tool == "histogram" else ("", "second_")
        self.axes = tuple(asked.partition(prefix) for prefix in names)
        if len({axis.spec.name for axis in self.axes}) < len(self.axes):
            raise WorkbenchError("Both columns are the same.", hint="Choose two columns.", field="second_column")
        self.labels = tuple(axis.labels for axis in self.axes)
        self.form = AnswerForm.LIST if tool == "histogram" else AnswerForm.TABLE
        self.positions = self.axes[0].positions if tool == "histogram" else None

    @property
    def frames(self) -> tuple[Frame, ...]:
        return self.axes

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        rows, placed = rows.one_by_one(_BY_ROW), []
        for axis in self.axes:
            name = axis.spec.name
            placed.append(rows.placed(name, axis.place(rows.values(name))))
        inside = np.logical_and.reduce([cells >= 0 for cells in placed])
        return {f"axis {number}": cells[inside] for number, cells in enumerate(placed)}

    def assumed(self, rows: int) -> StatisticValues:
        shape = [len(axis) for axis in self.axes]
        cells = np.arange(max(rows, 1)) % int(np.prod(shape))
        return {f"axis {number}": part for number, part in enumerate(np.unravel_index(cells, shape))}

    def compute(self, statistic: StatisticValues, random_state: int | None = None) -> Floats:
        # Explicit edges between the numbers of the cells; the range beside them keeps it from warning of a leak.
        cells = [statistic[f"axis {number}"].astype(np.float64) for number in range(len(self.axes))]
        edges = [_edges(axis) for axis in self.axes]
        ranges = [(axis[0], axis[-1]) for axis in edges]
        if len(self.axes) == 1:
            counts, _ = self.run(cells[0], bins=edges[0], range=ranges[0], random_state=random_state)
        else:
            counts, _, _ = self.run(*cells, bins=edges, range=ranges, random_state=random_state)
        return np.asarray(counts, dtype=np.float64).ravel()

    def truth(self, statistic: StatisticValues) -> Floats:
        cells = np.ravel_multi_index(
            tuple(statistic[f"axis {number}"] for number in range(len(self.axes))),
            tuple(len(axis) for axis in self.axes),
        )
        size = int(np.prod([len(axis) for axis in self.axes]))
        return np.bincount(cells, minlength=size).astype(np.float64)

    def cut(self, values: Floats, statistic: StatisticValues) -> Floats:
        return np.maximum(values, 0.0)

    def reach(self, statistic: StatisticValues) -> float:
        return float(noise.half_width(self.given))

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        truth = self.truth(statistic)
        return self.cut(truth + noise.simulated(self.given, (count, len(truth)), generator), statistic)


def _edges(axis: Partition) -> Floats:
    return np.arange(len(axis) + 1, dtype=np.float64) - 0.5


class _Quantile(_Values):
    """quantile, percentile and median: for experiments."""

    def __init__(self, tool: str, asked: CheckedQuery) -> None:
        super().__init__(tool, asked)
        texts = ("0.5",) if tool == "median" else listed(asked["quantile"], "quantile")
        self.shares = tuple(sorted(rational(text, "quantile") for text in texts))
        if not 1 <= len(self.shares) <= _MOST_SHARES or any(not 0 <= share <= 1 for share in self.shares):
            raise WorkbenchError("A quantile must lie between 0 and 1.", hint="0.5 is the median.", field="quantile")
        if len(self.shares) > 1:
            self.form = AnswerForm.LIST
            self.labels = (tuple(file_text(float(share), 6) for share in self.shares),)

    def compute(self, statistic: StatisticValues, random_state: int | None = None) -> Floats:
        values, shares = statistic["values"], [float(share) for share in self.shares]
        given: tuple[Any, ...] = ()
        if self.tool != "median":
            given = (np.array(shares) * (100 if self.tool == "percentile" else 1),)
        found = self.run(values, *given, bounds=self.bounds, random_state=random_state)
        return np.atleast_1d(np.asarray(found, dtype=np.float64))

    def truth(self, statistic: StatisticValues) -> Floats:
        values = np.sort(np.clip(statistic["values"], *self.bounds))
        places = [max(-(-share.numerator * len(values) // share.denominator) - 1, 0) for share in self.shares]
        found: Floats = values[places]
        return found

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        inner = np.sort(np.clip(statistic["values"], *self.bounds))
        ends = np.r_[self.bounds[0], inner, self.bounds[1]]
        widths = np.diff(ends)
        found = np.empty((count, len(self.shares)))
        for column, share in enumerate(self.shares):
            losses = np.abs(np.arange(len(widths)) - float(share) * len(inner))
            exponents = -self.given / len(self.shares) * losses / 2
            weights = widths * np.exp(exponents - exponents.max())
            if not weights.sum() > 0:
                # All intervals that matter have no width: the true value itself, many times.
                weights = np.exp(exponents - exponents.max())
            cells = generator.choice(len(weights), count, p=weights / weights.sum())
            found[:, column] = ends[cells] + generator.random(count) * widths[cells]
        return found
