"""The price of a batch of questions as a plan, as the command line says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workbench.cli.command_output import CommandOutput
from workbench.cli.ledgers import exactly
from workbench.core.number_text import counted, rounded_up
from workbench.core.rationals import float_above
from workbench.query.ledger import Charge
from workbench.query.plans import QueryPlan
from workbench.session import Session
from workbench.session.batches import BegunBatch
from workbench.session.query_answers import PaidAnswer


@dataclass(frozen=True)
class BatchPrice:
    """The price of a batch, and the same batch that was begun before, where the rest of it is paid for."""

    charge: Charge
    added: Fraction
    begun: BegunBatch | None


def price(session: Session, plans: Sequence[QueryPlan], delta: str, *, again: bool) -> BatchPrice:
    """The price of the questions together.

    Raises
    ------
    WorkbenchError
        If the δ is too small, or says nothing of them.
    """
    begun = None if again else session.queries.begun(plans)
    added = sum((one.epsilon for one in plans), Fraction(0))
    return BatchPrice(session.queries.batch_charge(plans, delta), added, begun)


def with_price(answer: CommandOutput, price: BatchPrice) -> CommandOutput:
    """The plans with what they cost together."""
    charge, begun = price.charge, price.begun
    if not charge.slots:
        return answer
    told = _told(charge, price.added, None if begun is None else begun.entry.id)
    if begun is None:
        return answer.also(_words(charge, price.added, "would cost"), planned=told)
    left = len(begun.open)
    words = (
        f"This batch was paid for before; {counted(left, 'question')} of it can still be answered, at no further cost."
        if left
        else "This batch was answered before, and its answers cost nothing more."
    )
    return answer.also(words, planned={**told, "open": left})


def with_plan(answer: CommandOutput, answers: Sequence[PaidAnswer]) -> CommandOutput:
    """The answers with what they cost together."""
    plan = answers[0].plan
    if plan is None:
        return answer
    added = sum((slot.epsilon for slot in plan.charge.slots), Fraction(0))
    words = [_words(plan.charge, added, "cost")] if plan.charge.epsilon < added else []
    return answer.also(*words, planned=_told(plan.charge, added, plan.id))


def _told(charge: Charge, added: Fraction, entry: str | None) -> dict[str, Any]:
    return {"questions": len(charge.slots), "entry": entry, **exactly(charge), "added": float_above(added)}


def _words(charge: Charge, added: Fraction, verb: str) -> str:
    words = (
        f"{counted(len(charge.slots), 'question')}, planned before the first is answered, {verb} ε = "
        f"{rounded_up(charge.epsilon)}, δ = {rounded_up(charge.delta)} together"
    )
    if charge.epsilon < added:
        return f"{words}; by adding up it would be ε = {rounded_up(added)}."
    return f"{words}, which is also what they add up to."
