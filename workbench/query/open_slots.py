"""Slots of plans in which nothing was drawn yet."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.composition import ReleaseSpending
from workbench.query.ledger_entries import LedgerEntry


def open_slots(entries: Sequence[LedgerEntry]) -> dict[str, tuple[int, ...]]:
    """Of each plan, the slots in which nothing was drawn yet, by the id of its entry."""
    found = {}
    for entry in entries:
        if entry.charge.slots:
            taken = {
                other.charge.slot[1] for other in entries if other.charge.slot and other.charge.slot[0] == entry.id
            }
            found[entry.id] = tuple(place for place in range(len(entry.charge.slots)) if place not in taken)
    return found


def slot_for(entries: Sequence[LedgerEntry], spending: ReleaseSpending) -> tuple[str, int] | None:
    """The first open slot that something may be drawn in, of the oldest plan that has one.

    The slots of a batch are for its own questions, so that what is still to be answered stays paid for.
    """
    slots = {entry.id: entry.charge.slots for entry in entries if not entry.is_batch}
    for plan, places in open_slots(entries).items():
        if plan not in slots:
            continue
        for place in places:
            if slots[plan][place].spending.covers(spending):
                return plan, place
    return None
