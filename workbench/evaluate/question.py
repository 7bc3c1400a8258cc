"""The question of a comparison: a statistic of one column, and the distance of an answer from the true one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.core import distances
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact, file_text
from workbench.core.schema import ColumnSpec
from workbench.core.settings import Stored, check_settings, setting
from workbench.core.settings_json import from_json, to_json
from workbench.core.typed_fields import typed_fields
from workbench.core.worded import Worded
from workbench.ldp.encoding import EncodingChoice, EncodingKind, Outside, chosen_how
from workbench.ldp.fitting import ways

Floats = NDArray[np.float64]

_BETWEEN_BOUNDS = (EncodingKind.BINS, EncodingKind.WHOLE, EncodingKind.DATES)
"""Encodings that need bounds."""


class Statistic(Worded):
    """The statistic of a column that is asked for."""

    MEAN = "mean", "Mean"
    SUM = "sum", "Sum"
    VARIANCE = "variance", "Variance"
    DEVIATION = "standard-deviation", "Standard deviation"
    QUANTILE = "quantile", "Quantile"
    COUNT = "count", "Count of one value"
    """How many rows have one certain value."""
    HISTOGRAM = "histogram", "Shares of values"

    @property
    def of_numbers(self) -> bool:
        """Whether only a column of numbers has it."""
        return self not in (Statistic.COUNT, Statistic.HISTOGRAM)

    @property
    def averages(self) -> bool:
        """Whether it is a mean, or what it comes to for everybody, which protocols for means estimate."""
        return self in (Statistic.MEAN, Statistic.SUM)

    @property
    def counts(self) -> bool:
        """Whether it counts rows, so that an answer may be made consistent afterwards."""
        return self in (Statistic.COUNT, Statistic.HISTOGRAM)

    @property
    def grows(self) -> bool:
        """Whether it grows with the number of rows, so that one of a sample must be scaled up."""
        return self in (Statistic.SUM, Statistic.COUNT, Statistic.HISTOGRAM)


UNNAMED = "answers"
"""The name of what is asked about without a table, where nobody gave it one."""


@dataclass(frozen=True)
@typed_fields
class Question:
    """One question about one column."""

    REFUSES_UNKNOWN: ClassVar[bool] = True

    statistic: Statistic = setting(
        Statistic.MEAN,
        title="Statistic",
        label="Ask for",
        about="What is asked of the column.",
        group="question",
        undo="Ask for another statistic",
        explain="question",
        stored=Stored(key="figure"),
    )
    column: str = setting(
        "",
        title="What is asked",
        label="Column",
        about="The column that is asked about.",
        placeholder="Choose a column…",
        stored=Stored(noun="the column"),
    )
    encoding: EncodingChoice = setting(
        factory=EncodingChoice,
        title="Values",
        about="The public bounds, bins or values. Protocols that report values of a list see numbers through its bins. "
        "For a count, its answer is the value that is counted.",
        stored=Stored(noun="an encoding"),
    )
    share: float = setting(
        0.5,
        title="Which quantile",
        label="Quantile",
        about="Which quantile, 0 to 1.",
        group="question",
        undo="Change the quantile",
        explain="question",
        minimum=0.0,
        maximum=1.0,
        refusal=("A quantile lies between 0 and 1.", "0.5 is the median."),
        stored=Stored(noun="the share of a quantile"),
    )

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def asked(self) -> EncodingChoice:
        """The encoding as the statistic needs it."""
        if self.statistic is Statistic.COUNT:
            return replace(self.encoding, how=EncodingKind.QUESTION, outside=Outside.STOP)
        if self.statistic.of_numbers:
            # Numbers beyond the bounds count as the bound with every method, so they do here.
            usual = EncodingKind.EDGES if self.encoding.edges else EncodingKind.BINS
            return replace(self.encoding, how=self.encoding.how or usual, outside=Outside.CLIP)
        return self.encoding

    def needed_of(self, spec: ColumnSpec) -> ColumnSpec:
        """The description without bounds and values that nobody looks up, because the question says its own."""
        asked = self.asked
        try:
            how = chosen_how(asked, spec)
        except WorkbenchError:
            return spec
        lists = how is EncodingKind.CATEGORIES and asked.domain is None
        measures = asked.bounds is None and (self.statistic.of_numbers or how in _BETWEEN_BOUNDS)
        unused = {name for name, used in (("bounds", measures), ("domain", lists)) if not used}
        return replace(
            spec,
            bounds=spec.bounds if measures else None,
            domain=spec.domain if lists else None,
            observed=spec.observed - unused,
        )

    def with_bins(self, bins: int) -> Question:
        """The same question about so many bins."""
        return replace(self, encoding=replace(self.encoding, how=EncodingKind.BINS, bins=bins, edges=()))

    def __str__(self) -> str:
        """The question in a line."""
        if self.statistic is Statistic.COUNT:
            return f"How many rows have “{self.encoding.answer}” in {self.column}"
        words = {Statistic.DEVIATION: "Standard deviation", Statistic.QUANTILE: f"{file_text(self.share, 6)}-quantile"}
        return f"{words.get(self.statistic, self.statistic.value.capitalize())} of {self.column}"

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return to_json(self)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Question:
        """The question of `to_json`; what is missing takes its default.

        Raises
        ------
        ValueError, TypeError, WorkbenchError
            If something in it has the wrong type, an unknown name or an impossible value.
        """
        return from_json(cls, plain, "the question")


class Distance(StrEnum):
    """The distance of an answer from the true one."""

    ABSOLUTE = "absolute"
    """|answer − truth| of a number; of a histogram the mean over its bars."""
    PERCENT = "percent"
    """The same in percent of the truth."""
    MANHATTAN = "manhattan"
    EUCLIDEAN = "euclidean"
    KANTOROVICH = "kantorovich"
    TOTAL_VARIATION = "total-variation"


MISPLACED = "Misplaced: counted at a wrong value. It is half of what the shares of all values differ by."
"""Explanation of what is read as per cent of people where shares are compared."""
MISPLACED_SHORT = "misplaced: counted at a wrong value"
_TITLES = {
    Distance.ABSOLUTE: "absolute error",
    Distance.PERCENT: "error in percent",
    Distance.MANHATTAN: "Manhattan distance (L1)",
    Distance.EUCLIDEAN: "Euclidean distance (L2)",
    Distance.KANTOROVICH: "Kantorovich distance",
    Distance.TOTAL_VARIATION: "total variation distance",
}


@dataclass(frozen=True)
@typed_fields
class Metric:
    """A distance and its scale.

    Parameters
    ----------
    distance
        Which one.
    normalised
        Histograms: of shares rather than of counts; Kantorovich then is how far one person is moved on average,
        otherwise all of them together. Numbers: the absolute error as a share of the public range (of all rows, for
        a count).
    """

    distance: Distance = Distance.ABSOLUTE
    normalised: bool = False

    @property
    def title(self) -> str:
        return f"{_TITLES[self.distance]}{' (normalised)' if self.normalised else ''}"

    @property
    def heading(self) -> str:
        """The title at the beginning of a line."""
        return f"{self.title[0].upper()}{self.title[1:]}"

    @property
    def shown_times(self) -> float:
        """Factor of an error where it is shown: shares that differ are read in per cent of people."""
        if self.distance is Distance.TOTAL_VARIATION:
            return 100.0
        # Whoever is misplaced lacks in one bar and is too many in another.
        return 50.0 if self.distance is Distance.MANHATTAN and self.normalised else 1.0

    @property
    def shown_heading(self) -> str:
        """The heading of errors as they are shown; see `shown_times`."""
        return self.heading if self.shown_times == 1.0 else "People misplaced, %"

    @property
    def note(self) -> str:
        """Name of the numbers that are not multiplied, where they are shown multiplied; otherwise ""."""
        if self.shown_times == 1.0:
            return ""
        return f"{self.title}; times {exact(self.shown_times)}: per cent of people misplaced"

    @property
    def short(self) -> str:
        """The heading where there is little room."""
        if self == Metric(Distance.MANHATTAN, True):
            return "People misplaced"
        words = {Distance.MANHATTAN: "Manhattan", Distance.EUCLIDEAN: "Euclidean"}.get(self.distance)
        if words is None:
            return f"{self.heading.partition(' (')[0]}{', scaled' if self.normalised else ''}"
        return f"{words} (L{1 if self.distance is Distance.MANHATTAN else 2}){'' if self.normalised else ', rows'}"

    def __str__(self) -> str:
        return f"{self.distance.value}{'-normalised' if self.normalised else ''}"

    @classmethod
    def parse(cls, text: str) -> Metric:
        """Read “kantorovich” or “manhattan-normalised”.

        Raises
        ------
        WorkbenchError
            If there is no such metric.
        """
        name = text.removesuffix("-normalised")
        if name not in set(Distance):
            raise WorkbenchError(
                f"There is no metric “{text}”.",
                hint=f"Known are: {', '.join(Distance)}; with “-normalised” at the end for shares.",
                field="metric",
            )
        return cls(Distance(name), name != text)


def metrics_for(statistic: Statistic) -> tuple[Metric, ...]:
    """The metrics that mean something for the answers to a question, the usual one first."""
    if statistic is not Statistic.HISTOGRAM:
        return (Metric(Distance.ABSOLUTE), Metric(Distance.PERCENT), Metric(Distance.ABSOLUTE, True))
    plain = (Distance.MANHATTAN, Distance.EUCLIDEAN, Distance.KANTOROVICH)
    return (
        *(Metric(one, True) for one in plain),
        Metric(Distance.TOTAL_VARIATION, True),
        *(Metric(one) for one in plain),
        Metric(Distance.ABSOLUTE),
        Metric(Distance.PERCENT),
    )


SHARE = Metric(Distance.ABSOLUTE, True)
"""By this metric a count of one value is read as the share of all rows that have it."""

METRICS = tuple(dict.fromkeys(one for statistic in Statistic for one in metrics_for(statistic)))
"""Every metric that means something for some question."""


def measured(
    metric: Metric,
    truth: ArrayLike,
    answers: Floats,
    size: float,
    positions: ArrayLike | None,
    total: float | None = None,
) -> Floats:
    """How far each answer is from the true one.

    Parameters
    ----------
    truth, answers
        Shapes (outputs,) and (repetitions, outputs). Where each answer is about its own truth, both have the latter.
    size
        What a normalised error of a number is divided by.
    positions
        Where the bars of a histogram lie; 0, 1, … if None.
    total
        The number of people that counts are divided by to be shares, where it is known; else what they add up to. A
        distance along a line is between shares that add up to 1 all the same.

    Returns
    -------
    array
        Shape (repetitions,); nan where there was no answer.
    """
    known = np.isfinite(answers).all(axis=1)
    found = np.full(len(answers), math.nan)
    if known.any():
        true = np.asarray(truth, dtype=np.float64)
        true = true[known] if true.ndim == 2 and len(true) == len(answers) else true
        found[known] = _measured(metric, true, answers[known], size, positions, total)
    return found


def _measured(
    metric: Metric,
    truth: Floats,
    answers: Floats,
    size: float,
    positions: ArrayLike | None,
    total: float | None,
) -> Floats:
    distance = metric.distance
    if distance is Distance.ABSOLUTE:
        wrong: Floats = distances.absolute(truth, answers).mean(axis=-1)
        return wrong / size if metric.normalised else wrong
    if distance is Distance.PERCENT:
        share: Floats = distances.percent(truth, answers).mean(axis=-1)
        return share
    if distance is Distance.KANTOROVICH:
        # Estimates may be below zero, and mass cannot be.
        moved = distances.kantorovich(np.maximum(answers, 0.0), truth, positions)
        return moved if metric.normalised else moved * truth.sum(axis=-1)
    if distance is Distance.TOTAL_VARIATION and total is None:
        return distances.total_variation(answers, truth)
    if metric.normalised:
        truth = distances.normalised(truth)
        answers = answers / total if total is not None else distances.normalised(answers)
    if distance is Distance.TOTAL_VARIATION:
        return 0.5 * distances.manhattan(answers, truth)
    return (distances.manhattan if distance is Distance.MANHATTAN else distances.euclidean)(answers, truth)


def ways_to_bars(statistic: Statistic, spec: ColumnSpec) -> list[EncodingKind]:
    """The encodings that can be chosen for a column, the usual one first."""
    return (
        [how for how in ways(spec) if how is not EncodingKind.QUESTION]
        if statistic is Statistic.HISTOGRAM
        else [EncodingKind.BINS]
    )


def bars_of(question: Question, spec: ColumnSpec | None) -> EncodingKind:
    """The encoding that is chosen, or what comes nearest to it where it does not go with the column."""
    if spec is None:
        return EncodingKind.CATEGORIES
    try:
        return chosen_how(question.asked, spec)
    except WorkbenchError:
        return question.encoding.how or EncodingKind.CATEGORIES
