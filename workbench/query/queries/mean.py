"""The mean of a column."""

from __future__ import annotations

from workbench.query.averages import Averages
from workbench.query.catalogue import NUMERIC, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return Averages(asked.grid(), None, asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "mean",
    "Mean",
    "The average of a column. How many rows match is protected too, and takes nothing of ε.",
    "Noisy sums of the distances to both bounds: C. Dwork, A. Roth: The Algorithmic Foundations of Differential "
    "Privacy, 2014; the interval: E. C. Fieller: Some problems in interval estimation, 1954.",
    NUMERIC,
    compile_query,
    tools=("mean", "nanmean"),
)
