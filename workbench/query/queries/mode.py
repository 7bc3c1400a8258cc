"""The most common value."""

from __future__ import annotations

from workbench.core.private_draw import Draw
from workbench.query.catalogue import CELLS, DRAW, CheckedQuery, QueryKind
from workbench.query.mechanism import QueryMechanism
from workbench.query.selection import MostCommon


def compile_query(asked: CheckedQuery) -> QueryMechanism:
    return MostCommon(asked.partition(), asked.budget, asked.rows_per_person, Draw(asked["draw"]))


PLUGIN = QueryKind(
    "mode",
    "Most common",
    "Which value most rows have. Only its name is released, not how many they are.",
    "R. McKenna, D. Sheldon: Permute-and-flip, NeurIPS 2020; F. McSherry, K. Talwar: Mechanism design via "
    "differential privacy, FOCS 2007.",
    (*CELLS, DRAW),
    compile_query,
)
