"""The amounts that answers count as beside all that was released before, where these are not what was set."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from workbench.cli.ledgers import exactly
from workbench.core.composition import Total
from workbench.core.number_text import rounded_up
from workbench.query.ledger import Charge, LedgerEntry
from workbench.session import Session
from workbench.session.earlier_rows import counted_entries


def price_text(epsilon: Fraction, delta: Fraction) -> str:
    """A price as the command line writes it."""
    return f"ε = {rounded_up(epsilon)}" + (f", δ = {rounded_up(delta)}" if delta else "")


def before(session: Session, charge: Charge) -> tuple[list[str], dict[str, Any]]:
    """Lines and keys on what a charge would count as, and what everything would come to with it.

    Lines only where that is not ε and δ as they are set.
    """
    room = session.ledger.current.remaining_after(charge, number_known=bool(session.standing.known))
    after = room.after
    keys = {"charged": _amounts(after, room.price), "spent_with_it": exactly(after)}
    if room.planned:
        return ["  A plan pays for it, so that nothing more would be charged."], keys
    lines = _counts(charge, room.price, after, "would count")
    if (after.epsilon, after.delta) != room.price:
        rows = f", for persons with up to {after.rows_per_person:,} rows" if after.rows_per_person > 1 else ""
        whole = price_text(after.epsilon, after.delta)
        lines.append(f"  With all that was released of this data before it would be {whole}{rows}.")
    return lines, keys


def afterwards(session: Session, entry: LedgerEntry) -> tuple[list[str], dict[str, Any]]:
    """The same of what was charged just now."""
    ledger, known = session.ledger.current, bool(session.standing.known)
    spent = ledger.spent(number_known=known)
    counted = counted_entries(ledger.history.entries, 1, known=known)
    price = counted.get(entry.id, (Fraction(0), Fraction(0)))
    keys = {"charged": _amounts(spent, price)}
    return ([] if entry.charge.slot is not None else _counts(entry.charge, price, spent, "counts")), keys


def _counts(charge: Charge, price: tuple[Fraction, Fraction], total: Total, verb: str) -> list[str]:
    if price == (charge.epsilon, charge.delta):
        return []
    why = []
    if total.rows_per_person > charge.rows_per_person:
        why.append(f"others were made for persons with up to {total.rows_per_person:,} rows")
    if total.neighbours != charge.neighbours:
        why.append("for replacing a person, what hides whether one is there counts twice")
    return [f"  It {verb} as {price_text(*price)}{': ' if why else ''}{', and '.join(why)}."]


def _amounts(total: Total, price: tuple[Fraction, Fraction]) -> dict[str, Any]:
    return exactly(replace(total, epsilon=price[0], delta=price[1]))
