"""Tiny tables, small enough to go through every neighbouring pair of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from workbench.core.composition import ADD_REMOVE
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.core.table import Column, Table
from workbench.query.mechanism import StatisticValues
from workbench.query.plans import QueryPlan
from workbench.query.rows import Rows

Row: TypeAlias = tuple[str, str]

NAMES = ("age", "town")

# Some beyond the bounds, some missing, some outside the domain.
ROWS: tuple[Row, ...] = (
    ("0", "A"), ("3", "A"), ("1", "B"), ("9", "B"), ("", "A"), ("2", "other"), ("x", ""), ("-9", "A"),
)  # fmt: skip


def schema(rows_per_person: int = 1, **more: Any) -> Schema:
    """Two columns: a number with public bounds and a category with a public domain."""
    return Schema(
        (
            ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 3.0), **more),
            ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C")),
        ),
        PrivacyUnit(rows_per_person),
    )


def table(rows: Sequence[Row]) -> Table:
    """The rows as a table."""
    return Table(tuple(Column.from_texts(name, [row[place] for row in rows]) for place, name in enumerate(NAMES)))


def measured(one: QueryPlan, rows: Sequence[Row], described: Schema | None = None) -> StatisticValues:
    """The true statistic of a question about a tiny table."""
    return one.mechanism.measure(Rows.of(table(rows), described or schema(), one.where))


def tables(most: int = 2) -> Iterator[list[Row]]:
    """Every table of at most so many rows, in one order each."""
    for size in range(most + 1):
        yield from map(list, itertools.combinations_with_replacement(ROWS, size))


def neighbours(rows_per_person: int, most: int = 2) -> Iterator[tuple[list[Row], list[Row]]]:
    """Each table with the same one and all rows of one person more."""
    for rows in tables(most):
        for person in itertools.combinations_with_replacement(ROWS, rows_per_person):
            yield rows, [*rows, *person]


def related(relation: str, rows_per_person: int, most: int = 2) -> Iterator[tuple[list[Row], list[Row]]]:
    """Every neighbouring pair under a relation of `core.composition`."""
    if relation == ADD_REMOVE:
        yield from neighbours(rows_per_person, most)
        return
    persons = list(itertools.combinations_with_replacement(ROWS, rows_per_person))
    for rows in tables(most):
        for one, other in itertools.combinations(persons, 2):
            yield [*rows, *one], [*rows, *other]
