"""The number of values beyond bounds."""

from __future__ import annotations

from workbench.query.catalogue import COLUMN, LOWER, UPPER, CheckedQuery, QueryKind
from workbench.query.counts import DisjointCounts
from workbench.query.grid import bounds_of
from workbench.query.mechanism import QueryMechanism
from workbench.query.partition import beyond


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    spec = asked.column()
    bounds = bounds_of(spec, asked["lower"], asked["upper"])
    return DisjointCounts((beyond(spec, *bounds),), asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "limited",
    "Values beyond bounds",
    "How many values lie below and above bounds, where other questions count them as the bound. A value is on one side "
    "only, so ε is spent once.",
    "A. Ghosh, T. Roughgarden, M. Sundararajan: Universally utility-maximizing privacy mechanisms, STOC 2009.",
    (COLUMN, LOWER, UPPER),
    compile_query,
)
