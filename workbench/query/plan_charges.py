"""Charges of plans: what is written before anything of a plan is drawn, and what is drawn in named slots of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from workbench.core.composition import ReleaseSpending
from workbench.core.errors import WorkbenchError
from workbench.query.ledger_entries import JSON, Charge, LedgerEntry
from workbench.query.ledger_plans import PLAN, PlanSlot, plan_spending
from workbench.query.open_slots import open_slots


def plan_charge(
    what: str,
    slots: Sequence[ReleaseSpending],
    delta: Fraction | None = None,
    parameters: Mapping[str, JSON] | None = None,
    made_by: str = "",
) -> Charge:
    """The charge of a plan.

    Parameters
    ----------
    what
        One line for a person.
    slots
        What may be drawn. Whether it is or not, the plan costs the same.
    delta
        The δ of the whole, at least that of all slots together, which is meant if it is None.
    parameters
        Everything public about it. With `ledger_entries.QUESTIONS` the slots are for these alone.

    Raises
    ------
    WorkbenchError
        If it is no plan, see `plan_spending`.
    """
    spending = plan_spending(slots, delta)
    return Charge(
        PLAN,
        what,
        spending.epsilon,
        spending.delta,
        spending.rows_per_person,
        made_by,
        spending.neighbours,
        MappingProxyType(dict(parameters or {})),
        spending.cells,
        slots=tuple(PlanSlot.of(slot) for slot in spending.slots),
    )


def in_slots(entries: Sequence[LedgerEntry], plan: str, charges: Mapping[int, Charge]) -> dict[int, Charge]:
    """Charges as what is drawn in these slots of a plan, which pays for them.

    Raises
    ------
    WorkbenchError
        If one of the slots is taken.
    ValueError
        If there is no such slot, or it is for something else.
    """
    slots = {entry.id: entry.charge.slots for entry in entries}[plan]
    open_ = open_slots(entries)[plan]
    found = {}
    for place, charge in charges.items():
        if not charge.claimed or not slots[place].spending.covers(charge.released):
            raise ValueError("a slot for something else")
        if place not in open_:
            raise WorkbenchError(
                "Somebody else is asking these questions at this moment.",
                hint="Ask them again: what was answered is shown for nothing, and the rest is paid for.",
                field="ledger",
            )
        found[place] = replace(charge, slot=(plan, place))
    return found
