"""The variance of a column."""

from __future__ import annotations

from workbench.query.averages import VarianceQuery
from workbench.query.catalogue import NUMERIC, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return VarianceQuery(asked.grid(), asked.budget, asked.rows_per_person, root=False)


PLUGIN = QueryKind(
    "variance",
    "Variance",
    "The mean squared distance of the values from their mean.",
    "Noisy sums: C. Dwork, A. Roth: The Algorithmic Foundations of Differential Privacy, 2014.",
    NUMERIC,
    compile_query,
    tools=("var", "nanvar"),
)
