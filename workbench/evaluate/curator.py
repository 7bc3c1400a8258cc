"""Questions put to a trusted curator: what all global methods have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workbench.core.progress import Progress
from workbench.core.rationals import rational
from workbench.evaluate.method import Answerer
from workbench.evaluate.question import Distance, Floats, Metric, Statistic
from workbench.evaluate.subject import EncodedColumn, SubjectSample, resolution_of
from workbench.query.catalogue import QUERIES, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism

_PARTS = 1_000
"""Errors that stand for a law."""

Compile = Callable[[QueryKind, CheckedQuery], QueryMechanism]


class Curator(Answerer):
    """A query mechanism, asked about samples.

    Parameters
    ----------
    source
        Names where the noise is from: statistics of a sample are shared by all ε of one source.
    mechanism
        What answers.
    answers_each
        See `Answerer`.
    """

    def __init__(self, source: str, mechanism: QueryMechanism, answers_each: int = 1) -> None:
        self.source, self.mechanism, self.answers_each = source, mechanism, answers_each
        self.epsilon = float(mechanism.epsilon)
        self.notes = mechanism.edges

    def draw(self, sample: SubjectSample, repetitions: int, seed: np.random.SeedSequence, progress: Progress) -> Floats:
        progress(0.0)
        statistic = sample.statistic(self.source, self.mechanism.measure)
        return self.mechanism.simulate(statistic, repetitions, np.random.Generator(np.random.PCG64(seed)))

    def expected(self, sample: SubjectSample, metric: Metric) -> float | None:
        if metric.normalised or metric.distance not in (Distance.ABSOLUTE, Distance.MANHATTAN):
            return None
        # What thousands of simulated answers would say is what an experiment finds itself.
        error = self.mechanism.error_by_formula(sample.statistic(self.source, self.mechanism.measure))
        if error is None:
            return None
        return error * (sample.subject.outputs if metric.distance is Distance.MANHATTAN else 1)

    def off(self, sample: SubjectSample) -> Floats | None:
        law = self.mechanism.error_law(sample.statistic(self.source, self.mechanism.measure))
        if law is None:
            return None
        errors = np.abs(law.points)
        order = np.argsort(errors, kind="stable")
        reached = np.cumsum(law.chances[order])
        found = np.searchsorted(reached, (np.arange(_PARTS) + 0.5) / _PARTS * reached[-1])
        return np.asarray(errors[order][found] * (law.step or 1.0))


def curator(
    source: str,
    subject: EncodedColumn,
    epsilon: float,
    compiled: Compile,
    more: Mapping[str, Any] | None = None,
    kind: QueryKind | None = None,
    answers_each: int = 1,
) -> Curator:
    """The query that asks a subject's question.

    Parameters
    ----------
    more
        Further parameters of the kind of query; those it does not have are left out.
    kind
        The kind of query, unless it is called as the statistic.
    answers_each
        See `Answerer`.

    Raises
    ------
    WorkbenchError
        If it cannot be asked at this ε.
    """
    question = subject.question
    kind = kind or QUERIES[question.statistic.value]
    known = {spec.name for spec in kind.parameters}
    values: dict[str, Any] = {"column": question.column, **(more or {})}
    if question.statistic.of_numbers:
        low, high = (str(rational(bound)) for bound in subject.bounds)
        values |= {"lower": low, "upper": high, "resolution": resolution_of(subject)}
    if question.statistic is Statistic.QUANTILE:
        values["quantile"] = str(rational(question.share))
    checked = kind.checked({name: value for name, value in values.items() if name in known})
    return Curator(source, compiled(kind, subject.asked(checked, rational(epsilon))), answers_each)
