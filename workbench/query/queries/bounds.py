"""Bounds for later questions, paid for."""

from __future__ import annotations

from workbench.query.catalogue import CheckedQuery, QueryKind
from workbench.query.extremes import PARAMETERS, end_share
from workbench.query.mechanism import QueryMechanism
from workbench.query.quantiles import Quantiles


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    share = end_share(asked)
    return Quantiles(asked.grid(), (share, 1 - share), asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "bounds",
    "Bounds",
    "A low and a high quantile within wide public bounds; they can be the bounds of later questions.",
    "A. Smith: Privacy-preserving statistical estimation with optimal convergence rates, STOC 2011.",
    PARAMETERS,
    compile_query,
)
