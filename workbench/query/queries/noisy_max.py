"""The value whose noisy count is largest."""

from __future__ import annotations

from workbench.query.catalogue import CELLS, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism
from workbench.query.selection import NoisyMax


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return NoisyMax(asked.partition(), asked.budget, asked.rows_per_person)


PLUGIN = QueryKind(
    "noisy-max",
    "Report noisy max",
    "Which value has the largest count after noise. Only its name is released; all counts together cost what one does.",
    "C. Dwork, A. Roth: The Algorithmic Foundations of Differential Privacy, 2014, section 3.3.",
    CELLS,
    compile_query,
)
