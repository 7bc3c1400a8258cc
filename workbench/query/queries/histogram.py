"""A histogram."""

from __future__ import annotations

from workbench.query.catalogue import CELLS, POST, CheckedQuery, QueryKind
from workbench.query.counts import DisjointCounts
from workbench.query.mechanism import QueryMechanism


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return DisjointCounts((asked.partition(),), asked.budget, asked.rows_per_person, asked["post"])


PLUGIN = QueryKind(
    "histogram",
    "Histogram",
    "How many rows have each value, or lie in each range. The cells do not overlap, so ε is spent once.",
    "C. Dwork, F. McSherry, K. Nissim, A. Smith: Calibrating noise to sensitivity, TCC 2006.",
    (*CELLS, POST),
    compile_query,
    tools=("histogram",),
)
