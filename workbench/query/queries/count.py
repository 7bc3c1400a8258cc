"""The number of rows."""

from __future__ import annotations

from dataclasses import replace

from workbench.query.catalogue import POST, CheckedQuery, QueryKind
from workbench.query.counts import DisjointCounts
from workbench.query.mechanism import QueryMechanism


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return DisjointCounts((), asked.budget, asked.rows_per_person, asked["post"])


_POST = replace(
    POST,
    help="Whether a noisy count below 0 becomes 0; it costs nothing.",
    choices=(("none", "nothing"), ("non-negative", "non-negative")),
)

PLUGIN = QueryKind(
    "count",
    "Count",
    "How many rows match.",
    "A. Ghosh, T. Roughgarden, M. Sundararajan: Universally utility-maximizing privacy mechanisms, STOC 2009.",
    (_POST,),
    compile_query,
    tools=("count_nonzero",),
)
