"""The sum of a column."""

from __future__ import annotations

from workbench.query.catalogue import NUMERIC, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism
from workbench.query.numeric import Sums


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return Sums(asked.grid(), None, asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "sum",
    "Sum",
    "What the values of a column add up to.",
    "A. Ghosh, T. Roughgarden, M. Sundararajan: Universally utility-maximizing privacy mechanisms, STOC 2009.",
    NUMERIC,
    compile_query,
    tools=("sum", "nansum"),
)
