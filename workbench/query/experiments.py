"""Simulated errors of answers against ε and the number of rows, and a histogram beside the true one.

Everything here compares with true values, so it is for the analyst only; it is seeded, costs nothing, and none of it
may be published. The data is looked at once per sample; the noise is drawn on the statistic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core import distances
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.worded import Worded
from workbench.query.answer import AnswerForm
from workbench.query.mechanism import Floats, QueryMechanism, StatisticValues
from workbench.query.partition import cell_names
from workbench.query.rows import Rows

_AT_ONCE = 4_000_000
"""Simulated numbers that are held at a time."""
_SAMPLES = 10
"""Samples of each size; the repetitions are spread over them."""
_SIZES = 12
_BAND = (0.025, 0.975)


class ErrorMeasure(Worded):
    """The measure of an error."""

    ABSOLUTE = "absolute", "Absolute error"
    """|answer − truth|, the mean over the cells if there are several."""
    PERCENT = "percent", "Error in %"
    """The same in percent of the truth."""
    MANHATTAN = "manhattan", "Manhattan (L1)"
    """The sum over the cells (L1)."""
    EUCLIDEAN = "euclidean", "Euclidean (L2)"
    """The root of the sum of squares over the cells (L2)."""
    KANTOROVICH = "kantorovich", "Kantorovich"
    """How far mass must be moved to turn one normalised histogram into the other; cells on a line."""


@dataclass(frozen=True)
class AnswerErrors:
    """Errors of simulated answers. Analyst only.

    Parameters
    ----------
    axis
        "epsilon" or "rows".
    places
        Where on the axis.
    mean, low, high
        The mean error over the repetitions, and the limits between which 95 % of them lie.
    theory
        The expected error by formula at each place, None where there is none.
    metric, repetitions, seed
        How it was made.
    unit
        Of the errors.
    """

    axis: str
    places: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    theory: tuple[float | None, ...]
    metric: ErrorMeasure
    repetitions: int
    seed: int
    unit: str = ""


@dataclass(frozen=True)
class HistogramComparison:
    """A private histogram beside the true one. Analyst only.

    Parameters
    ----------
    labels, names, positions
        The cells, as they are shown, and where they lie on a line, if they do.
    true, private
        The true counts, and those of one simulated answer.
    low, high
        Between these, 95 % of the simulated counts lie.
    errors
        Mean error and 95 % limits over the repetitions by metric.
    repetitions, seed
        How it was made.
    """

    labels: tuple[tuple[str, ...], ...]
    names: tuple[tuple[str, ...], ...]
    positions: tuple[float, ...] | None
    true: tuple[float, ...]
    private: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    errors: dict[ErrorMeasure, tuple[float, float, float]]
    repetitions: int
    seed: int


def metrics_of(mechanism: QueryMechanism) -> tuple[ErrorMeasure, ...]:
    """The metrics that mean something for the answers of a mechanism."""
    if mechanism.form is AnswerForm.CHOICE:
        return (ErrorMeasure.ABSOLUTE,)
    if mechanism.form is AnswerForm.NUMBER:
        return (ErrorMeasure.ABSOLUTE, ErrorMeasure.PERCENT)
    spread = (ErrorMeasure.MANHATTAN, ErrorMeasure.EUCLIDEAN, ErrorMeasure.ABSOLUTE)
    return (*spread, ErrorMeasure.KANTOROVICH) if mechanism.positions is not None else spread


def error_by_epsilon(
    at: Callable[[Fraction], QueryMechanism],
    rows: Rows,
    epsilons: Sequence[Fraction],
    *,
    repetitions: int = 100,
    seed: int = 0,
    metric: ErrorMeasure = ErrorMeasure.ABSOLUTE,
    progress: Progress = SILENT,
) -> AnswerErrors:
    """Errors of the same question at several ε.

    Parameters
    ----------
    at
        The mechanism of the question at an ε; the statistic it measures must not depend on ε.
    rows
        The rows the question is about.

    Raises
    ------
    WorkbenchError
        If nothing is to be done, or the metric does not fit the question.
    Cancelled
        If the person pressed Cancel.
    """
    _check(epsilons, repetitions, seed)
    first = at(epsilons[0])
    _check_metric(first, metric)
    statistic = first.measure(rows, progress.part(0.0, 0.3))
    found, theory = [], []
    for place, epsilon in enumerate(epsilons):
        progress(0.3 + 0.7 * place / len(epsilons), "Simulating answers")
        mechanism = at(epsilon)
        found.append(_summary(_errors(mechanism, statistic, metric, repetitions, (seed, place), progress)))
        theory.append(_theory(mechanism, statistic, metric))
    progress(1.0)
    return _joined("epsilon", [float(epsilon) for epsilon in epsilons], found, theory, metric, repetitions, seed, first)


def error_by_rows(
    mechanism: QueryMechanism,
    rows: Rows,
    sizes: Sequence[int],
    *,
    repetitions: int = 100,
    seed: int = 0,
    metric: ErrorMeasure = ErrorMeasure.ABSOLUTE,
    progress: Progress = SILENT,
) -> AnswerErrors:
    """Errors of the same question on random samples of its rows, each compared with the truth of its sample.

    Raises
    ------
    WorkbenchError
        If a sample is larger than there are rows, or the metric does not fit the question.
    Cancelled
        If the person pressed Cancel.
    """
    _check(sizes, repetitions, seed)
    _check_metric(mechanism, metric)
    if min(sizes) < 1 or max(sizes) > len(rows):
        raise WorkbenchError(
            f"A sample must have between 1 and {len(rows):,} rows, as many as match.",
            hint="Choose smaller samples.",
            field="sizes",
        )
    rows = rows.one_by_one("samples of them")
    every = np.arange(rows.table.rows) if rows.chosen is None else rows.chosen
    samples = min(_SAMPLES, repetitions)
    shares = [repetitions // samples + (number < repetitions % samples) for number in range(samples)]
    found, theory = [], []
    for place, size in enumerate(sizes):
        errors, expected = [], []
        for number, share in enumerate(shares):
            progress((place + number / samples) / len(sizes), "Simulating answers")
            generator = np.random.default_rng((seed, place, number))
            chosen = np.sort(generator.choice(every, size, replace=False, shuffle=False))
            statistic = mechanism.measure(Rows(rows.table, chosen))
            errors.append(_errors(mechanism, statistic, metric, share, (seed, place, number, 1), progress))
            expected.append(_theory(mechanism, statistic, metric))
        found.append(_summary(np.concatenate(errors)))
        known = [one for one in expected if one is not None]
        theory.append(sum(known) / len(known) if len(known) == len(expected) else None)
    progress(1.0)
    return _joined("rows", [float(size) for size in sizes], found, theory, metric, repetitions, seed, mechanism)


def usual_sizes(rows: int) -> tuple[int, ...]:
    """Sizes of samples that show how an error falls, up to all rows.

    Raises
    ------
    WorkbenchError
        If there is no row to sample.
    """
    if rows < 1:
        raise WorkbenchError("No row matches, so there is nothing to sample.", hint="Change the filter.", field="where")
    return tuple(sorted({round(size) for size in np.geomspace(min(10, rows), rows, _SIZES)}))


def beside(
    mechanism: QueryMechanism, rows: Rows, *, repetitions: int = 100, seed: int = 0, progress: Progress = SILENT
) -> HistogramComparison:
    """A simulated histogram beside the true one, and how far such histograms are from it.

    Raises
    ------
    WorkbenchError
        If the question has no cells.
    Cancelled
        If the person pressed Cancel.
    """
    _check((1,), repetitions, seed)
    if mechanism.form not in (AnswerForm.LIST, AnswerForm.TABLE):
        raise WorkbenchError("This question has no cells to compare.", hint="Ask for a histogram.", field="kind")
    statistic = mechanism.measure(rows, progress.part(0.0, 0.3))
    truth = mechanism.truth(statistic)
    if len(truth) * repetitions > 16 * _AT_ONCE:
        raise WorkbenchError(
            f"{len(truth):,} cells and {repetitions:,} repetitions are too much at once.",
            hint="Take fewer repetitions.",
            field="repetitions",
        )
    progress(0.4, "Simulating answers")
    answers = mechanism.simulate(statistic, repetitions, np.random.default_rng(seed))
    progress(0.8)
    low, high = np.quantile(answers, _BAND, axis=0)
    errors = {
        metric: _summary(_measured(mechanism, truth, answers, metric))
        for metric in metrics_of(mechanism)
        if metric is not ErrorMeasure.KANTOROVICH or truth.sum() > 0
    }
    frames = mechanism.frames
    known = {
        "frames": [frame.public for frame in frames],
        "columns": {frame.spec.name: {"kind": frame.spec.kind.value} for frame in frames},
    }
    progress(1.0)
    return HistogramComparison(
        mechanism.named(statistic),
        cell_names(mechanism.named(statistic), known),
        mechanism.positions,
        tuple(truth.tolist()),
        tuple(answers[0].tolist()),
        tuple(low.tolist()),
        tuple(high.tolist()),
        errors,
        repetitions,
        seed,
    )


def _errors(
    mechanism: QueryMechanism,
    statistic: StatisticValues,
    metric: ErrorMeasure,
    repetitions: int,
    seed: tuple[int, ...],
    progress: Progress,
) -> NDArray[np.float64]:
    truth = mechanism.truth(statistic)
    generator = np.random.default_rng(seed)
    block = max(_AT_ONCE // max(len(truth), 1), 1)
    found = []
    for start in range(0, repetitions, block):
        if start:
            progress(0.0)
        answers = mechanism.simulate(statistic, min(block, repetitions - start), generator)
        found.append(_measured(mechanism, truth, answers, metric))
    return np.concatenate(found)


def _measured(mechanism: QueryMechanism, truth: Floats, answers: Floats, metric: ErrorMeasure) -> Floats:
    if metric is ErrorMeasure.ABSOLUTE:
        found: Floats = distances.absolute(truth, answers).mean(axis=-1)
        return found
    if metric is ErrorMeasure.PERCENT:
        share: Floats = distances.percent(truth, answers).mean(axis=-1)
        return share
    if metric is ErrorMeasure.KANTOROVICH:
        return distances.kantorovich(np.maximum(answers, 0.0), truth, mechanism.positions)
    return (distances.manhattan if metric is ErrorMeasure.MANHATTAN else distances.euclidean)(answers, truth)


def _theory(mechanism: QueryMechanism, statistic: StatisticValues, metric: ErrorMeasure) -> float | None:
    if metric not in (ErrorMeasure.ABSOLUTE, ErrorMeasure.MANHATTAN):
        return None
    expected = mechanism.expected(statistic)
    if not expected.closed or expected.error is None:
        return None
    return expected.error * (len(mechanism.truth(statistic)) if metric is ErrorMeasure.MANHATTAN else 1)


def _summary(errors: Floats) -> tuple[float, float, float]:
    low, high = np.quantile(errors, _BAND)
    return float(errors.mean()), float(low), float(high)


def _joined(
    axis: str,
    places: Sequence[float],
    found: Sequence[tuple[float, float, float]],
    theory: Sequence[float | None],
    metric: ErrorMeasure,
    repetitions: int,
    seed: int,
    mechanism: QueryMechanism,
) -> AnswerErrors:
    mean, low, high = zip(*found, strict=True)
    units = {ErrorMeasure.PERCENT: "%", ErrorMeasure.KANTOROVICH: ""}
    unit = units.get(metric, mechanism.unit)
    return AnswerErrors(axis, tuple(places), mean, low, high, tuple(theory), metric, repetitions, seed, unit)


def _check(places: Sequence[object], repetitions: int, seed: int) -> None:
    if not places:
        raise WorkbenchError("There is nothing to try.", hint="Give at least one place on the axis.", field="places")
    if repetitions < 1:
        raise WorkbenchError("At least one repetition is needed.", hint="100 is usual.", field="repetitions")
    if seed < 0:
        raise WorkbenchError("The seed must not be negative.", hint="Give a whole number from 0.", field="seed")


def _check_metric(mechanism: QueryMechanism, metric: ErrorMeasure) -> None:
    fitting = metrics_of(mechanism)
    if metric not in fitting:
        raise WorkbenchError(
            f"The {metric} error means nothing for this question.", hint=f"Use {', '.join(fitting)}.", field="metric"
        )
