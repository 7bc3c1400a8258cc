"""Answers to questions from the release beside the true ones. From true rows: analyst only.

The reader knows the hierarchies and β, and nothing else of the data: a label counts evenly for the values it
stands for (`Meaning`), and counts and sums of a sample are divided by β.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.compared import Compared, Floats
from workbench.anonymise.questions import (
    AnswerSpread,
    ComparedAnswer,
    ReleaseHistogram,
    ReleaseQuestion,
    ReleaseStatistic,
)
from workbench.anonymise.redraws import unasked
from workbench.anonymise.survival import DRAWS, QUANTILES
from workbench.core import distances
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import Filter, parse
from workbench.core.kinds import sort_keys
from workbench.core.progress import SILENT, Progress
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column, Table


def answer(compared: Compared, asked: ReleaseQuestion, progress: Progress = SILENT) -> ComparedAnswer:
    """Ask the data and the release the same question.

    Raises
    ------
    WorkbenchError
        If the question does not fit the release; `field` is "column" or "where".
    Cancelled
        If the progress was cancelled.
    """
    rule = _checked(compared, asked)
    progress(0.1)
    counts = _true_counts(compared, asked, rule)
    progress(0.5)
    terms, rows = _released_terms(compared, asked, rule)
    progress(0.8)
    if asked.statistic is ReleaseStatistic.HISTOGRAM:
        bars = _bars(compared, asked, rule, counts, terms, rows)
        return _histogram(compared, asked, bars, terms.scale)
    true, (released, unread) = _true_figure(compared, asked, counts), terms.figure(asked.statistic, rows)
    progress(1.0)
    return ComparedAnswer(
        asked,
        true,
        released,
        float(distances.absolute(true, released)),
        float(distances.percent(true, released)),
        math.nan,
        None,
        terms.scale,
        unread,
    )


def with_spread(
    compared: Compared, found: ComparedAnswer, *, seed: int = 0, draws: int = DRAWS, progress: Progress = SILENT
) -> ComparedAnswer:
    """The same answer with what other draws of the release would have said; as it is where nothing in it is random.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    if compared.redraw is None:
        return found
    asked = found.asked
    rule = _checked(compared, asked)
    redrawn = compared.redraw.cells(compared, _looked_at(asked, rule))
    target, condition = redrawn.columns
    cells = _terms(compared, asked, rule, (target.codes, target.values), (condition.codes, condition.values))
    counts = _true_counts(compared, asked, rule)
    random = np.random.Generator(np.random.PCG64(seed))
    answers = np.full(draws, math.nan)
    for draw in range(draws):
        progress(draw / draws, "Simulating releases")
        rows = redrawn.draw(random)
        if asked.statistic is ReleaseStatistic.HISTOGRAM:
            answers[draw] = _moved(_bars(compared, asked, rule, counts, cells, rows))
        else:
            answers[draw] = cells.figure(asked.statistic, rows)[0]
    known = answers[np.isfinite(answers)]
    low, middle, high = np.quantile(known, QUANTILES).tolist() if len(known) else [math.nan] * 3
    progress(1.0)
    return replace(found, spread=AnswerSpread(low, middle, high, draws, seed, draws - len(known)))


# The question


def _checked(compared: Compared, asked: ReleaseQuestion) -> Filter | None:
    if asked.statistic is not ReleaseStatistic.COUNT:
        _check_released(compared, asked.column, "column")
        numeric = compared.schema[asked.column].kind.numeric
        if asked.statistic in (ReleaseStatistic.SUM, ReleaseStatistic.MEAN) and not numeric:
            raise WorkbenchError(
                f"“{asked.column}” is not a column of numbers, so it has no {asked.statistic}.",
                hint="Choose a column of numbers, or ask for a histogram.",
                field="column",
            )
    if not asked.where.strip():
        return None
    rule = parse(asked.where, compared.schema)
    if len(rule.columns) != 1:
        raise WorkbenchError(
            f"The filter looks at {len(rule.columns)} columns; which of their labels go together inside a released "
            "row is not known, so only one can be asked about.",
            hint="Filter by one column.",
            field="where",
        )
    _check_released(compared, rule.columns[0], "where")
    return rule


def _check_released(compared: Compared, name: str, field: str) -> None:
    if name not in compared.released:
        raise WorkbenchError(
            f"“{name}” is not in the release, so nobody can ask it." if name else "No column is chosen.",
            hint=f"Released are: {', '.join(compared.names)}.",
            field=field,
        )


# The truth


def _true_counts(compared: Compared, asked: ReleaseQuestion, rule: Filter | None) -> NDArray[np.int64]:
    """Rows per value of the column asked about, of those the filter says yes to; for a count their number alone."""
    chosen: NDArray[np.bool_] | None = None
    if rule is not None:
        chosen = rule.mask(Table((compared.before(rule.columns[0]),)), compared.schema)
    if asked.statistic is ReleaseStatistic.COUNT:
        return np.array([compared.rows_before if chosen is None else int(chosen.sum())])
    column = compared.before(asked.column)
    return column.counts if chosen is None else column.take(chosen).counts


def _true_figure(compared: Compared, asked: ReleaseQuestion, counts: NDArray[np.int64]) -> float:
    if asked.statistic is ReleaseStatistic.COUNT:
        return float(counts[0])
    numbers = read_values(compared.before(asked.column).values, compared.schema[asked.column])
    known = np.isfinite(numbers)
    total = float((numbers[known] * counts[known]).sum())
    if asked.statistic is ReleaseStatistic.SUM:
        return total
    rows = int(counts[known].sum())
    return total / rows if rows else math.nan


# What a reader makes of labels


@dataclass(frozen=True, eq=False)
class _Terms:
    """Contribution of each cell of alike rows to the answer.

    Parameters
    ----------
    weight
        Share of its rows the filter says yes to, float64 of shape (cells,).
    value
        The number of its label, nan if it stands for none, shape (cells,).
    label
        The number of its label in `labels`, shape (cells,).
    scale
        1/β.
    """

    weight: Floats
    value: Floats
    label: NDArray[np.integer]
    labels: tuple[str, ...]
    scale: float

    def figure(self, figure: ReleaseStatistic, rows: Floats) -> tuple[float, float]:
        """The answer, and the share of the rows that stand for no number."""
        weighed = rows * self.weight
        total = float(weighed.sum())
        if figure is ReleaseStatistic.COUNT:
            return total * self.scale, 0.0
        known = np.isfinite(self.value)
        answered = float((weighed[known] * self.value[known]).sum())
        counted = float(weighed[known].sum())
        unread = 1 - counted / total if total else 0.0
        if figure is ReleaseStatistic.SUM:
            return answered * self.scale, unread
        return (answered / counted if counted else math.nan), unread

    def per_label(self, rows: Floats) -> Floats:
        """Rows per label, divided by β, shape (labels,)."""
        sums = np.bincount(self.label, weights=rows * self.weight, minlength=len(self.labels))
        return np.asarray(sums * self.scale)


def _terms(
    compared: Compared,
    asked: ReleaseQuestion,
    rule: Filter | None,
    target: tuple[NDArray[np.integer], Sequence[str]],
    condition: tuple[NDArray[np.integer], Sequence[str]],
) -> _Terms:
    """Terms of cells with these labels of the column asked about, and of the column filtered by."""
    (label, labels), (other, others) = target, condition
    weight = np.ones(len(label))
    if rule is not None:
        meaning = compared.meaning(rule.columns[0])
        weight = meaning.shares(others, rule)[other]
    value = np.full(len(label), np.nan)
    if asked.statistic in (ReleaseStatistic.SUM, ReleaseStatistic.MEAN):
        value = compared.meaning(asked.column).numbers(labels, _meant(compared, asked, rule))[label]
    return _Terms(weight, value, label, tuple(labels), 1.0 / compared.beta)


def _meant(compared: Compared, asked: ReleaseQuestion, rule: Filter | None) -> NDArray[np.bool_] | None:
    """Which values a label stands for: those that fulfil the filter, if it is on the column asked about; else all."""
    if rule is None or rule.columns[0] != asked.column:
        return None
    return compared.meaning(asked.column).holds(rule)


def _released_terms(compared: Compared, asked: ReleaseQuestion, rule: Filter | None) -> tuple[_Terms, Floats]:
    """The terms of the release, and how many rows each cell has."""
    columns = [compared.after(name) if name else unasked(compared.rows_after) for name in _looked_at(asked, rule)]
    target, condition = columns
    width = max(len(condition.values), 1)
    pairs, counts = np.unique(target.codes.astype(np.int64) * width + condition.codes, return_counts=True)
    terms = _terms(compared, asked, rule, (pairs // width, target.values), (pairs % width, condition.values))
    return terms, counts.astype(np.float64)


def _looked_at(asked: ReleaseQuestion, rule: Filter | None) -> tuple[str, str]:
    """The column asked about and the column filtered by, "" for none."""
    return ("" if asked.statistic is ReleaseStatistic.COUNT else asked.column), (
        rule.columns[0] if rule is not None else ""
    )


def _bars(
    compared: Compared,
    asked: ReleaseQuestion,
    rule: Filter | None,
    counts: NDArray[np.int64],
    terms: _Terms,
    rows: Floats,
) -> ReleaseHistogram:
    column, meaning = compared.before(asked.column), compared.meaning(asked.column)
    after = meaning.spread(terms.labels, terms.per_label(rows), _meant(compared, asked, rule))
    before = {value: count for value, count in zip(column.values, counts.tolist(), strict=True) if count}
    values = tuple(dict.fromkeys((*before, *after)))
    return ReleaseHistogram(
        values,
        np.array([float(before.get(value, 0)) for value in values]),
        np.array([after.get(value, 0.0) for value in values]),
    )


def _moved(bars: ReleaseHistogram) -> float:
    """The total variation distance; nan if one of the two is empty."""
    if not (bars.before.any() and bars.after.any()):
        return math.nan
    return float(distances.total_variation(bars.before, bars.after))


def _histogram(compared: Compared, asked: ReleaseQuestion, bars: ReleaseHistogram, scale: float) -> ComparedAnswer:
    true, released = float(bars.before.sum()), float(bars.after.sum())
    wrong = float(np.abs(bars.before - bars.after).sum())
    return ComparedAnswer(
        asked,
        true,
        released,
        wrong,
        float(distances.percent(true, true + wrong)),
        _moved(bars),
        _in_order(bars, compared.schema[asked.column]),
        scale,
        0.0,
    )


def _in_order(bars: ReleaseHistogram, spec: ColumnSpec) -> ReleaseHistogram:
    """The bars along their axis, or of a column without an order the longest first."""
    if spec.kind in (Kind.CATEGORY, Kind.TEXT):
        order = np.argsort(-bars.before, kind="stable")
    else:
        everything = Column(spec.name, np.arange(len(bars.values)), bars.values)
        try:
            order = np.argsort(sort_keys(everything, spec), kind="stable")
        except WorkbenchError:
            return bars  # A date whose pattern was not given yet has no order.
    values = tuple(bars.values[place] for place in order.tolist())
    return ReleaseHistogram(values, bars.before[order], bars.after[order])
