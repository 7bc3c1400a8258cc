"""The standard deviation of a column."""

from __future__ import annotations

from workbench.query.averages import VarianceQuery
from workbench.query.catalogue import NUMERIC, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return VarianceQuery(asked.grid(), asked.budget, asked.rows_per_person, root=True)


PLUGIN = QueryKind(
    "standard-deviation",
    "Standard deviation",
    "How far values typically are from their mean: the root of the variance.",
    "Noisy sums: C. Dwork, A. Roth: The Algorithmic Foundations of Differential Privacy, 2014.",
    NUMERIC,
    compile_query,
    tools=("std", "nanstd"),
)
