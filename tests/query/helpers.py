"""What tests of questions share: the tables of the contracts, draws that are watched or prescribed, and charges."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from workbench.contracts.draws import Watched
from workbench.contracts.tiny import measured, schema, table
from workbench.core.randomness import SeededSource
from workbench.core.schema import Schema
from workbench.query.catalogue import QueryDraft
from workbench.query.draws import ExactDraws
from workbench.query.ledger import Charge, Ledger
from workbench.query.plans import QueryPlan, plan

__all__ = ["Watched", "again", "measured", "query", "question", "schema", "seeded", "table"]


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


def query(epsilon: str, delta: str = "0", **rest: Any) -> Charge:
    """What a count is charged."""
    return Charge("query", f"count at {epsilon}", Fraction(epsilon), Fraction(delta), **rest)


def again(ledger: Ledger) -> Ledger:
    """The same ledger as another process would see it."""
    return Ledger(ledger.path, ledger.fingerprint)
