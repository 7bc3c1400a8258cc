"""The lower end of a column, as a private quantile."""

from __future__ import annotations

from workbench.query.catalogue import CheckedQuery, QueryKind
from workbench.query.extremes import PARAMETERS, end_share
from workbench.query.mechanism import QueryMechanism
from workbench.query.quantiles import Quantiles


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return Quantiles(asked.grid(), (end_share(asked),), asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "minimum",
    "Minimum",
    "Nearly the smallest value. The smallest itself is one person's and cannot be told.",
    "A. Smith: Privacy-preserving statistical estimation with optimal convergence rates, STOC 2011.",
    PARAMETERS,
    compile_query,
)
