"""What the tests of questions share: the tiny tables of the contracts, and draws that are watched or prescribed."""

from __future__ import annotations

from typing import Any

from workbench.contracts.draws import Watched
from workbench.contracts.tiny import measured, schema, table
from workbench.core.randomness import SeededSource
from workbench.core.schema import Schema
from workbench.query.catalogue import QueryDraft
from workbench.query.draws import ExactDraws
from workbench.query.plans import QueryPlan, plan

__all__ = ["Watched", "measured", "question", "schema", "seeded", "table"]


def question(
    kind: str,
    epsilon: str = "1",
    where: str = "",
    rows_per_person: int = 1,
    described: Schema | None = None,
    **values: Any,
) -> QueryPlan:
    draft = QueryDraft(kind, epsilon, values, where)
    return plan(draft, described or schema(rows_per_person))


def seeded(seed: int) -> ExactDraws:
    return ExactDraws(SeededSource(seed))
