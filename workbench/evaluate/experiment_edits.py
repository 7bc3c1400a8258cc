"""An experiment to begin with, and what must change beside its question or its axis."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workbench.core.column_words import is_place_or_date
from workbench.core.schema import ColumnSpec, Role, Schema
from workbench.evaluate.experiment import Axis, Basis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Distance, Metric, Question, Statistic, metrics_for
from workbench.evaluate.tile import FAMILIES, WAYS
from workbench.query.relevance import rank_of_measure, tells_apart

USUAL_PLACES = {
    Axis.EPSILON: (0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
    Axis.USERS: (10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0),
    Axis.BINS: (5.0, 10.0, 20.0, 50.0, 100.0),
}

USUAL_PEOPLE = 1000
"""How many people an experiment on a public shape begins with: a guess, and no number of anybody's table."""


_OF_VALUES = (Statistic.MEAN, Statistic.DEVIATION, Statistic.QUANTILE)
"""Statistics in the unit of the values themselves."""


def error_kind(experiment: Experiment) -> tuple[object, ...]:
    """Kind of the errors of an experiment: of two with the same one, a typed error means the same thing."""
    question, metric = experiment.question, experiment.metric
    if metric.shown_times != 1.0 or metric.distance is Distance.PERCENT:
        return (metric.shown_heading,)
    if metric == Metric() and question.statistic in _OF_VALUES:
        return metric, question.column
    return metric, question.column, question.statistic


def but_for_tries(one: Experiment, other: Experiment) -> bool:
    """Whether two experiments ask the same, though one is tried more often."""
    return replace(one, repetitions=other.repetitions, title=other.title) == other


def families() -> tuple[MethodChoice, ...]:
    """The best setting of each way, and the guess that all must beat."""
    return (*(MethodChoice(FAMILIES[way]) for way in WAYS), MethodChoice("uniform"))


def suited(schema: Schema) -> Experiment:
    """An experiment to begin with, on a public shape: the mean of a column of numbers, else a histogram."""
    column = first_column(schema)
    numeric = bool(column) and schema[column].kind.numeric
    statistic = Statistic.MEAN if numeric or not column else Statistic.HISTOGRAM
    return Experiment(
        question=Question(statistic, column),
        metric=metrics_for(statistic)[0],
        methods=families(),
        places=USUAL_PLACES[Axis.EPSILON],
        users=USUAL_PEOPLE,
        basis=Basis.EITHER,
    )


def changes_for_basis(experiment: Experiment, basis: Basis) -> dict[str, Any]:
    """The fields that another basis changes: of true values all rows take part, of a shape a typed number."""
    return {"basis": basis, "users": (experiment.users or USUAL_PEOPLE) if basis.public else None}


def changes_for_question(
    experiment: Experiment, question: Question, epsilons: tuple[float, ...] = USUAL_PLACES[Axis.EPSILON]
) -> dict[str, Any]:
    """The fields that another question changes: itself, and the metric and the axis where they do not go with it.

    Parameters
    ----------
    epsilons
        The places along ε, where that becomes the axis: those that were there before.
    """
    changes: dict[str, Any] = {"question": question}
    if question.column != experiment.question.column:
        changes["most_below"] = None  # it was said of other values
    metrics = metrics_for(question.statistic)
    bars = Statistic.HISTOGRAM in (question.statistic, experiment.question.statistic)
    if experiment.metric not in metrics or (bars and question.statistic is not experiment.question.statistic):
        changes["metric"] = metrics[0]
    if experiment.axis is Axis.BINS and question.statistic is Statistic.COUNT:
        changes |= changes_for_axis(experiment, Axis.EPSILON, epsilons)
    return changes


def changes_for_axis(experiment: Experiment, axis: Axis, places: tuple[float, ...]) -> dict[str, Any]:
    """The fields that another axis changes; along ε no method can have one of its own."""
    changes: dict[str, Any] = {"axis": axis, "places": places}
    if axis is Axis.EPSILON:
        changes["methods"] = _without_own_epsilon(experiment.methods)
    return changes


def _without_own_epsilon(methods: tuple[MethodChoice, ...]) -> tuple[MethodChoice, ...]:
    """The methods without an ε of their own, each once."""
    found: list[MethodChoice] = []
    for one in methods:
        plain = replace(one, epsilon=None)
        if plain not in found:
            found.append(plain)
    return tuple(found)


def first_column(schema: Schema, *, numeric: bool = False) -> str:
    """The column one would ask about; "" for none.

    It is of numbers that others want to learn, with public bounds or values, where there is one; none that tells people
    apart, or says when somebody was born or where they live, of which nobody wants a mean.

    Parameters
    ----------
    numeric
        Whether it must be one of numbers.
    """
    person = schema.unit.person_column
    useful = [
        spec
        for spec in schema.columns
        if spec.role is not Role.IDENTIFYING and spec.name != person and (spec.kind.numeric or not numeric)
    ]

    def rank(spec: ColumnSpec) -> tuple[int, ...]:
        public, numeric = spec.declared(), spec.kind.numeric
        known = public.bounds is not None or public.domain is not None
        dated = (numeric or spec.kind.temporal) and is_place_or_date(spec.name)
        return dated, not known, tells_apart(spec), not numeric, rank_of_measure(spec)

    return min(useful, key=rank).name if useful else ""
