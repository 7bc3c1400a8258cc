"""The amounts that earlier releases count as, by how many rows one person may have."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from workbench.core.composition import total
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import price_up, rounded_up
from workbench.core.release_spending import with_number_known
from workbench.query.ledger_entries import LedgerEntry
from workbench.session.session import Session

Amounts = tuple[Fraction, Fraction]


def earlier_words(session: Session, rows: int) -> str:
    """How all that was released of the open data counts where one person may have `rows` rows, in a sentence.

    "" where nothing was released, it counts as it did for the rows of a person that it was made for, or nobody can
    tell. What was made for fewer rows of a person hides more of them at more ε, see `for_rows`.
    """
    if session.project.data is None:
        return ""
    try:
        standing, history = session.standing, session.ledger.current.history
    except WorkbenchError:
        return ""  # where it cannot be read, that is said wherever something would be spent
    releases = with_number_known(history.released) if standing.known else history.released
    made_for, after = total(releases), total(releases, rows)
    if (made_for.epsilon, made_for.delta) == (after.epsilon, after.delta):
        return ""
    counts = "counts" if rows == session.project.schema.unit.rows_per_person else "would count"
    alone = price_up(made_for.epsilon, made_for.delta)
    return f"What was released so far {counts} as {price_up(after.epsilon, after.delta)}, not {alone}."


def counted_entries(entries: Sequence[LedgerEntry], rows: int, *, known: bool) -> dict[str, Amounts]:
    """ε and δ that entries of a ledger count as beside each other, by their ids; nothing of what a plan pays for.

    Parameters
    ----------
    rows
        Rows that one person may have.
    known
        Whether it is known how many people there are.
    """
    # Not loaded for the first page, where no ledger is shown.
    from workbench.session.standing import counted_prices

    found = counted_prices([one.released for one in entries], rows, known=known)
    each = zip(entries, found.prices, found.paid, strict=True)
    return {one.id: price for one, price, paid in each if not paid}


def with_counted(own: Fraction, counted: Fraction) -> str:
    """An amount as it was set, and after it what it counts as, where that is more: “1 · counts as 9”."""
    said, more = rounded_up(own), rounded_up(counted)
    return said if more == said or counted <= own else f"{said} · counts as {more}"
