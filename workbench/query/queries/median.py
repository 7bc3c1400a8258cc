"""The median of a column."""

from __future__ import annotations

from fractions import Fraction

from workbench.query.catalogue import NUMERIC, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism
from workbench.query.quantiles import Quantiles


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return Quantiles(asked.grid(), (Fraction(1, 2),), asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "median",
    "Median",
    "The value in the middle: half of the rows are not above it.",
    "A. Smith: Privacy-preserving statistical estimation with optimal convergence rates, STOC 2011.",
    NUMERIC,
    compile_query,
    tools=("median",),
)
