"""The mean of a column."""

from __future__ import annotations

from workbench.query.averages import Averages
from workbench.query.catalogue import NUMERIC, Asked, QueryKind
from workbench.query.mechanism import Mechanism


def compile_query(asked: Asked) -> Mechanism:
    return Averages(asked.grid(), None, asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "mean",
    "Mean",
    "The average of a column. How many rows match is protected too: it gets a quarter of ε.",
    "N. Li, M. Lyu, D. Su, W. Yang: Differential Privacy: From Theory to Practice, 2016, section 2.4 (noisy average).",
    NUMERIC,
    compile_query,
    tools=("mean", "nanmean"),
)
