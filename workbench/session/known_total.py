"""The number of all rows that the shares of a histogram may be taken of, where everybody knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.query.ledger_entries import Charge
from workbench.session.query_answers import PaidAnswer
from workbench.session.standing import number_at_stake
from workbench.session.state import SessionState

_ONLY_SOME = ("where", "sample", "limit")
"""What the rows of a question, or of all questions, are told by where some take no part."""


def known_total(state: SessionState, answered: PaidAnswer) -> int:
    """How many rows the table has that was asked, where that is known whatever is answered; 0 where it is not.

    That the number is public is what the person said; everything is counted twice for it. Tables that must look alike
    have as many rows then, so that to use the number tells nothing of them. It is that of the table that is open, and
    of all of its rows with one of each person: of a filter, or of rows that are drawn, nobody knows how many match.
    """
    data, question, charge = state.project.data, answered.question, answered.entry.charge
    if data is None or not answered.asked_of or answered.asked_of != state.opened.content:
        return 0
    if not number_at_stake(state) or state.project.schema.unit.several_rows or not _all_rows(question, charge):
        return 0
    return data.rows


def _all_rows(question: Mapping[str, Any], charge: Charge) -> bool:
    """Whether every row takes part in a question, and each is another person's."""
    table = question.get("table") or {}
    some = question.get("where") or not isinstance(table, Mapping) or any(table.get(name) for name in _ONLY_SOME)
    return not some and question.get("rows_per_person", charge.rows_per_person) == charge.rows_per_person == 1
