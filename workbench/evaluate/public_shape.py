"""The column of a question as it might be: a public shape between public bounds, with a typed number of people.

Nothing of it is read from the table, so what is found on it says nothing about anybody. The table of a shape has one
row per possible value; who takes part in a try is drawn from its crowd.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.narrow_tail import NarrowTail
from workbench.core.number_text import file_text
from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.core.table import Column, Table
from workbench.evaluate.experiment import Axis, Basis, Experiment, digest
from workbench.evaluate.moved_shapes import moved_shares
from workbench.evaluate.public_crowd import PublicCrowd
from workbench.evaluate.question import Question, Statistic
from workbench.evaluate.subject import ExperimentData
from workbench.ldp.encoding import (
    MISSING,
    OTHER,
    Domain,
    EncodingKind,
    Outside,
    chosen_how,
    domain_of,
    encode,
    public_bounds,
)
from workbench.ldp.public_shapes import PAIR

_POINTS = 1000
"""Different numbers between the bounds, where they are not whole numbers that are fewer."""

PUBLIC = (
    "Nothing is read from the table: people are drawn from public shapes, which move and stretch at random between "
    "tries."
)
TAIL = "Nothing is read from the table: people are drawn from a long tail, stretched at random between tries"
"""How the same begins where everybody knows below what most values lie."""


def public_domain(question: Question, spec: ColumnSpec) -> Domain:
    """The public values or bins, without any table.

    Raises
    ------
    WorkbenchError
        If they are neither declared nor typed.
    """
    try:
        return domain_of(_declared(question).asked, Column(spec.name, np.zeros(0, dtype=np.int32), ()), spec)
    except WorkbenchError as error:
        if not question.encoding.assume_public:
            raise
        raise WorkbenchError(
            f"What is possible for “{spec.name}” cannot be taken from the table: on a public shape nothing is read "
            "from it.",
            hint="Declare it or type it here; or try the ways on the true values.",
            field=error.field,
        ) from error


def shaped(experiment: Experiment, schema: Schema, hierarchies: Mapping[str, Hierarchy]) -> ExperimentData:
    """Material of an experiment on a public shape: a table of its one column.

    Parameters
    ----------
    schema
        What is declared of the column; what was read from the data does not count.
    hierarchies
        That of a column of categories is used if it is public. Numbers are grouped in equal intervals instead, because
        a list of the numbers that occur is not public.

    Raises
    ------
    WorkbenchError
        If the column's bounds or values are neither declared nor typed, or it has no public shape.
    """
    if experiment.basis is Basis.EITHER:
        first, *others = (shaped(replace(experiment, basis=one), schema, hierarchies) for one in experiment.shapes)
        return replace(first, also=tuple(others))
    question, people = experiment.question, _people(experiment)
    if not question.column:
        raise WorkbenchError("No column is chosen.", hint="Choose what is asked.", field="column")
    spec = schema[question.column].declared()
    domain = public_domain(question, schema[question.column])
    if spec.kind.temporal:
        raise WorkbenchError(
            f"“{spec.name}” holds dates, for which there is no public shape.",
            hint="Ask about another column, or compare on the true values.",
            field="column",
        )
    plain, values, bars, narrow = _values(experiment, spec, domain)
    shares = moved_shares(experiment.basis, len(values), bars) if narrow is None else narrow.shares
    crowd = PublicCrowd(people, shares, coarse=plain is not spec and _are_coarse(plain, values))
    column = Column(spec.name, np.arange(len(values), dtype=np.int32), values)
    own = hierarchies.get(spec.name)
    used = {}
    if own is not None and own.provenance is Provenance.PUBLIC and not plain.kind.numeric:
        used[spec.name] = own.as_listed().covering(values)
    basis, more = experiment.basis, ["9 in 10", experiment.most_below] if narrow is not None else []
    if basis is Basis.SMOOTH and (len(values) if bars is None else int(bars.max()) + 1) == PAIR:
        more = ["1 or 2 in 100"]
    key = digest("moved shape", basis.value, people, values, plain.kind.value, plain.unit, domain.labels, *more)
    alone = Schema((plain,), unit=replace(schema.unit, person_column=""))
    return ExperimentData(Table((column,)), alone, used, key, crowd=crowd)


def _are_coarse(spec: ColumnSpec, values: tuple[str, ...]) -> bool:
    """Whether numbers of a shape stand for others between them: all but whole ones without a gap."""
    return spec.kind is not Kind.INTEGER or float(values[-1]) - float(values[0]) > len(values) - 1


def _people(experiment: Experiment) -> int:
    if experiment.axis is Axis.USERS:
        return int(max(experiment.places))
    if experiment.users is None:
        raise WorkbenchError("It is not said how many people take part.", hint="Type a number.", field="users")
    return experiment.users


def _declared(question: Question) -> Question:
    """The question without leave to read anything from the data."""
    return replace(question, encoding=replace(question.encoding, assume_public=False))


def _values(
    experiment: Experiment, spec: ColumnSpec, domain: Domain
) -> tuple[ColumnSpec, tuple[str, ...], NDArray[np.int32] | None, NarrowTail | None]:
    """The column as it is described here, its values, and the bar of each if what is spiky is the bars.

    And the shape itself where everybody knows below what most values lie.
    """
    question = _declared(experiment.question)
    how = chosen_how(question.asked, spec)
    if question.statistic is Statistic.COUNT:
        others = [one for one in spec.domain or () if one != question.encoding.answer] or [OTHER]
        return spec, (question.encoding.answer, *others), None, None
    if not spec.kind.numeric or how is EncodingKind.CATEGORIES:
        return spec, tuple(label for label in domain.labels if label not in (OTHER, MISSING)), None, None
    choice = question.asked
    empty = Column(spec.name, np.zeros(0, dtype=np.int32), ())
    edges = how is EncodingKind.EDGES
    low, high = (choice.edges[0], choice.edges[-1]) if edges else public_bounds(choice, empty, spec)[0]
    whole = spec.kind is Kind.INTEGER
    narrow = None
    if experiment.narrowed and experiment.most_below is not None:
        narrow = NarrowTail(low, high, experiment.most_below, whole=whole)
        numbers = narrow.values
    elif whole and high - low <= _POINTS:
        numbers = np.arange(math.ceil(low), math.floor(high) + 1, dtype=np.float64)
    else:
        numbers = low + (np.arange(_POINTS) + 0.5) * (high - low) / _POINTS
        numbers = np.unique(np.round(numbers)) if whole else numbers
    unit = spec.unit or spec.format.symbol
    kind = Kind.INTEGER if whole else Kind.DECIMAL
    plain = replace(spec, kind=kind, format=Format(), missing=(), unit=unit, domain=None)
    values = tuple(file_text(number, 12) for number in numbers.tolist())
    if question.statistic is not Statistic.HISTOGRAM:
        return plain, values, None, narrow
    column = Column(spec.name, np.arange(len(values)), values)
    return plain, values, encode(replace(choice, outside=Outside.CLIP), column, plain).places, None
